//! Tests that no output shows a secret value. The test plants a value in every position that can contain a secret, runs
//! every command on the files, both intact and broken in many ways, and searches the output for the values.
//!
//! A new command runs with the arguments in `GENERAL_ARGUMENTS`; if it needs different arguments, add them to
//! `arguments`.
//!
//! `AGENTCTL_ALL_CASES=1` runs more of the commands on broken files and on odd spellings of a Secret, and
//! `AGENTCTL_PLANTED=all` runs every command with all of its arguments on every spelling.

use crate::support;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::{Run, agentctl, empty_directory, feed};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;

/// Prefix of planted values, which is followed by a unique number.
const PLANTED: &str = "PLANTED-";

/// Prefix of strings in a Secret that are not confidential in the agent's configuration.
const NOT_CONFIDENTIAL: &str = "ASIDE-";

/// Resources with a secret in every possible position. Each file covers one type of position.
const FILES: [(&str, &str); 4] = [
    (
        "agent.yaml",
        "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata:
  name: agent
  namespace: m
spec:
  apiServer:
    host: https://kubernetes
    bearerToken: PLANTED-00
  containers:
  - name: sidecar
    image: sidecar
    env:
    - name: DATABASE_PASSWORD
      value: PLANTED-01
  metrics:
    instanceSelector: {}
    remoteWrite:
    - url: https://me:PLANTED-02@mimir/api/v1/push
      name: first
      bearerToken: PLANTED-03
      proxyUrl: http://me:PLANTED-04@proxy:3128
      headers:
        X-Api-Key: PLANTED-05
    - url: https://mimir/api/v1/push?token=PLANTED-06
      name: second
      basicAuth:
        username: {name: credentials, key: username}
        password: {name: credentials, key: password}
    - url: https://aps/api/v1/push
      name: third
      sigv4:
        region: eu-central-1
        accessKey: {name: credentials, key: access}
        secretKey: {name: credentials, key: secret}
    - url: https://oauth/api/v1/push
      name: fourth
      oauth2:
        clientId: {secret: {name: credentials, key: username}}
        clientSecret: {name: credentials, key: secret}
        tokenUrl: https://auth/token
      tlsConfig:
        ca: {secret: {name: credentials, key: ca}}
  logs:
    instanceSelector: {}
    clients:
    - url: https://me:PLANTED-07@loki/loki/api/v1/push
      bearerToken: PLANTED-08
  integrations:
    selector: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: m}
spec:
  serviceMonitorSelector: {}
  podMonitorSelector: {}
  probeSelector: {}
  additionalScrapeConfigs: {name: credentials, key: jobs}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: primary, namespace: m}
spec:
  podLogsSelector: {}
",
    ),
    (
        "monitors.yaml",
        "\
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: shop, namespace: m}
spec:
  selector: {}
  endpoints:
  - port: http
    bearerTokenSecret: {name: credentials, key: token}
  - port: admin
    basicAuth:
      username: {name: credentials, key: username}
      password: {name: credentials, key: password}
    proxyUrl: http://me:PLANTED-10@proxy:3128
  - port: query
    params:
      api_key: [PLANTED-11]
    oauth2:
      clientId: {secret: {name: credentials, key: username}}
      clientSecret: {name: credentials, key: secret}
      tokenUrl: https://auth/token
      endpointParams:
        client_assertion: PLANTED-13
    relabelings:
    - targetLabel: __param_token
      replacement: PLANTED-14
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: page, namespace: m}
spec:
  prober: {url: blackbox:9115}
  targets:
    staticConfig:
      static: ['https://me:PLANTED-12@shop']
",
    ),
    (
        "integration.yaml",
        "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: database, namespace: m}
spec:
  name: postgres_exporter
  type: {allNodes: false, unique: false}
  config:
    instance: db
    data_source_names:
    - postgresql://me:PLANTED-20@db:5432/shop
  secrets:
  - {name: credentials, key: token}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: cache, namespace: m}
spec:
  name: redis_exporter
  type: {allNodes: false, unique: false}
  config:
    redis_addr: redis:6379
    redis_password: PLANTED-21
",
    ),
    (
        "secret.yaml",
        "\
apiVersion: v1
kind: Secret
metadata:
  name: credentials
  namespace: m
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{\"stringData\":{\"password\":\"PLANTED-30\"}}'
data:
  password: UExBTlRFRC0zMQ==
  token: UExBTlRFRC0zMg==
stringData:
  username: PLANTED-33
  access: PLANTED-34
  secret: PLANTED-35
  ca: |
    -----BEGIN RSA PRIVATE KEY-----
    PLANTED-36
    -----END RSA PRIVATE KEY-----
  jobs: |
    - job_name: ASIDE-39
      basic_auth: {username: me, password: PLANTED-37}
      params: {ASIDE-39: [ASIDE-39]}
      static_configs:
      - targets: ['ASIDE-39:1']
        labels: {ASIDE_39: ASIDE-39}
      relabel_configs:
      - {target_label: x, replacement: ASIDE-39}
",
    ),
];

/// Repeats a line more than a hundred times.
macro_rules! lines {
    ($line:literal) => {
        concat!(lines!(@ $line), lines!(@ $line), lines!(@ $line), lines!(@ $line), lines!(@ $line))
    };
    (@ $line:literal) => {
        concat!($line, $line, $line, $line, $line, $line, $line, $line, $line, $line, $line, $line, $line, $line,
            $line, $line, $line, $line, $line, $line, $line, $line, $line, $line, $line)
    };
}

/// Replacements that break the files. The first one changes nothing.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("", ""),
    // Mistakes in the Secret.
    ("  username: PLANTED-33", "  username: [PLANTED-33]"),
    ("  username: PLANTED-33", "  username: {PLANTED-33: PLANTED-33}"),
    ("  username: PLANTED-33", "  username: !!int PLANTED-33"),
    ("  username: PLANTED-33", "  username: *PLANTED-33"),
    ("  username: PLANTED-33", "  username: \"PLANTED-33"),
    ("  username: PLANTED-33", "  username: 'PLANTED-33"),
    ("  username: PLANTED-33", "  username: \"PLANTED-33\\q\""),
    ("  username: PLANTED-33", "  username: PLANTED-33: PLANTED-33"),
    ("  username: PLANTED-33", "  username: @PLANTED-33"),
    ("  username: PLANTED-33", "  username: !PLANTED-33"),
    ("  username: PLANTED-33", "  username: !<PLANTED-33> x"),
    ("  username: PLANTED-33", "  username: &PLANTED-33"),
    ("  username: PLANTED-33", "  username: %PLANTED-33"),
    ("  username: PLANTED-33", "%PLANTED-33 x"),
    ("  username: PLANTED-33", "  username: PLANTED-33\n\tPLANTED-33"),
    ("  username: PLANTED-33", " username: PLANTED-33"),
    ("  username: PLANTED-33", "PLANTED-33"),
    ("  username: PLANTED-33", "  username: PLANTED-33\n  username: PLANTED-38"),
    ("  username: PLANTED-33", "  username: PLANTED-33 # PLANTED-33\n  - PLANTED-33"),
    ("  username: PLANTED-33", "  <<: PLANTED-33"),
    ("  username: PLANTED-33", "  username: PLANTED-33$$"),
    ("  username: PLANTED-33", "  username: \"PLANTED-33\\nPLANTED-33\""),
    ("UExBTlRFRC0zMQ==", "PLANTED-31"),
    ("UExBTlRFRC0zMQ==", "UExBTlRFRC0zMQ"),
    ("UExBTlRFRC0zMQ==", "[UExBTlRFRC0zMQ==]"),
    ("UExBTlRFRC0zMQ==", "12345"),
    ("stringData:", "stringdata:"),
    ("stringData:", "strngData:"),
    ("stringData:\n  username: PLANTED-33", "stringData: PLANTED-33\nx:\n  username: PLANTED-33"),
    ("data:\n  password", "data: PLANTED-33\nx:\n  password"),
    ("kind: Secret\n", "kind: Secret\ntype: PLANTED-33\n"),
    ("kind: Secret\n", "kind: Secret\ntype: kubernetes.io/tls\n"),
    ("kind: Secret\n", "kind: SecretList\n"),
    ("kind: Secret\n", "kind: Secret\nkind: Secret\n"),
    ("apiVersion: v1\nkind: Secret\n", ""),
    ("  name: credentials\n", "  name: credential\n"),
    ("  name: credentials\n", "  name: Credentials\n"),
    ("  ca: |", "  ca: |PLANTED-33"),
    // Mistakes in the scrape jobs that a Secret contains.
    ("    - job_name: ASIDE-39", "    - PLANTED-37"),
    ("    - job_name: ASIDE-39", "    PLANTED-37"),
    ("    - job_name: ASIDE-39", "    - job_name: [PLANTED-37"),
    ("    - job_name: ASIDE-39", "    - job_name: x\n      job_name: x"),
    ("    - job_name: ASIDE-39", "    - ASIDE-39\n    - job_name: x"),
    ("    - job_name: ASIDE-39", "    - job_name: serviceMonitor/m/ASIDE-39"),
    ("    - job_name: ASIDE-39", "    - job_name: serviceMonitor/m/ASIDE-39/0"),
    ("targets: ['ASIDE-39:1']", "targets: ['ASIDE-40:1']"),
    ("password: PLANTED-37", "password: [PLANTED-37]"),
    ("password: PLANTED-37", "passwort: PLANTED-37"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      scheme: ASIDE-37"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      scrape_interval: ASIDE-37"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      proxy_url: 'http://me:PLANTED-37@[x'"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      relabel_configs: [{regex: 'ASIDE-37('}]"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      params: {ASIDE-37: ASIDE-37}"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      ASIDE-37: ASIDE-37"),
    // Values where a reference to a Secret is expected.
    ("bearerTokenSecret: {name: credentials, key: token}", "bearerTokenSecret: PLANTED-40"),
    ("bearerTokenSecret: {name: credentials, key: token}", "bearerTokenSecret: [PLANTED-40]"),
    ("      password: {name: credentials, key: password}", "      password: PLANTED-41"),
    ("      password: {name: credentials, key: password}", "      password: 'PLANTED-41'\n      passwort: PLANTED-41"),
    ("      password: {name: credentials, key: password}", "      password: |\n        PLANTED-41\n        PLANTED-41"),
    ("      password: {name: credentials, key: password}", "      password:\n        PLANTED-41"),
    ("      username: {name: credentials, key: username}", "      username: me:PLANTED-41"),
    (
        "    basicAuth:\n      username: {name: credentials, key: username}\n      password: {name: credentials, key: password}",
        "    basicAuth: {username: me, password: PLANTED-41, x: y}",
    ),
    ("    bearerTokenSecret:", "    authorization: {credentials: PLANTED-42}\n    bearerTokenSecret:"),
    ("    bearerTokenSecret:", "    bearerToken: PLANTED-42\n    bearerTokenSecret:"),
    ("secretKey: {name: credentials, key: secret}", "secretKey: PLANTED-43"),
    ("clientSecret: {name: credentials, key: secret}", "clientSecret: PLANTED-44"),
    (
        "ca: {secret: {name: credentials, key: ca}}",
        "ca: {secret: {name: nothing, key: ca}}\n        insecureSkipVerify: x",
    ),
    ("key: password}", "key: pasword}"),
    // Mistakes in or next to plain-text values.
    ("bearerToken: PLANTED-00", "bearerToken: [PLANTED-00]"),
    ("bearerToken: PLANTED-00", "bearerToken: PLANTED-00$$x"),
    ("bearerToken: PLANTED-00", "bearerToken: PLANTED-00\n    bearerToken: PLANTED-00"),
    ("bearerToken: PLANTED-00", "bearerToken: \"PLANTED-00"),
    ("bearerToken: PLANTED-00", "bearerTokn: PLANTED-00"),
    ("host: https://kubernetes", "hst: https://kubernetes"),
    ("value: PLANTED-01", "value: [PLANTED-01]"),
    ("name: DATABASE_PASSWORD", "nam: DATABASE_PASSWORD"),
    ("value: PLANTED-01", "value: PLANTED-01\n      valuFrom: x"),
    ("    image: sidecar\n    env:", "    imag: sidecar\n    env: x\n    environment:"),
    ("https://me:PLANTED-02@mimir/api/v1/push", "https://me:PLANTED-02@mim ir/api/v1/push"),
    ("https://me:PLANTED-02@mimir/api/v1/push", "https://me:PLANTED-02@mimir:port/"),
    ("https://me:PLANTED-02@mimir/api/v1/push", "https://me:PLANTED-02%zz@mimir/"),
    ("https://me:PLANTED-02@mimir/api/v1/push", "'://me:PLANTED-02@mimir/'"),
    ("https://me:PLANTED-02@mimir/api/v1/push", "[https://me:PLANTED-02@mimir/]"),
    ("name: first\n", "nam: first\n"),
    ("name: first\n", "name: second\n"),
    ("proxyUrl: http://me:PLANTED-04@proxy:3128", "proxyUrl: http://me:PLANTED-04@[proxy"),
    ("proxyUrl: http://me:PLANTED-04@proxy:3128", "proxyURL: http://me:PLANTED-04@proxy"),
    ("X-Api-Key: PLANTED-05", "Authorization: PLANTED-05"),
    ("X-Api-Key: PLANTED-05", "X-Api-Key: [PLANTED-05]"),
    ("?token=PLANTED-06", "?token=PLANTED-06%zz"),
    ("?token=PLANTED-06", ":port?token=PLANTED-06"),
    ("https://mimir/api/v1/push?token=PLANTED-06", "https://mimir:port/push?token=PLANTED-06"),
    ("url: https://mimir/api/v1/push?token=PLANTED-06", "url: /push?token=PLANTED-06"),
    ("url: https://mimir/api/v1/push?token=PLANTED-06", "url: [mimir/push?token=PLANTED-06]"),
    ("bearerToken: PLANTED-08", "bearerToken: PLANTED-08\n      basicAuth: {}"),
    ("https://me:PLANTED-07@loki", "https://me:PLANTED-07@lo ki"),
    ("proxyUrl: http://me:PLANTED-10@proxy:3128", "proxyUrl: http://me:PLANTED-10@[proxy"),
    ("api_key: [PLANTED-11]", "api_key: PLANTED-11"),
    ("client_assertion: PLANTED-13", "client_assertion: [PLANTED-13]"),
    ("replacement: PLANTED-14", "replacement: PLANTED-14\n      regex: '('"),
    ("replacement: PLANTED-14", "replacement: PLANTED-14\n      action: x"),
    ("replacement: PLANTED-14", "replacement: 'PLANTED-14"),
    ("https://me:PLANTED-12@shop", "https://me:PLANTED-12@sh op"),
    ("data_source_names:\n    - ", "data_source_names: "),
    ("name: postgres_exporter", "name: postgres"),
    ("redis_password: PLANTED-21", "redis_password: PLANTED-21\n    redis_password: PLANTED-21"),
    ("redis_password: PLANTED-21", "redis_password: \"PLANTED-21"),
    (
        "redis_password: PLANTED-21",
        concat!("redis_password: |\n", lines!("      x\n"), "      PLANTED-21\n    redis_password: x"),
    ),
    ("redis_addr: redis:6379\n    redis_password: PLANTED-21", "redis_adr: redis:6379\n    redis_password: PLANTED-21"),
    ("allNodes: false", "allNodes: no"),
    ("name: redis_exporter\n", "nme: redis_exporter\n"),
];

/// Arguments for commands that are not listed below.
const GENERAL_ARGUMENTS: &[&[&str]] = &[&["in"], &["in", "-o", "json"], &["in", "-v"], &["in", "agent"], &["-f", "in"]];

/// Returns a command's arguments, and whether its standard output is expected to contain secrets.
fn arguments(command: &str) -> (&'static [&'static [&'static str]], bool) {
    match command {
        "render" => (
            &[
                &["in"],
                &["in", "-o", "json", "-v", "--strict"],
                &["in", "--output-dir", "out", "--check"],
                &["in", "--secrets", "external"],
                &["in", "--secrets", "placeholder"],
            ],
            true,
        ),
        "check" => (
            &[
                &["in"],
                &["in", "-v", "--validate=strict", "--deny", "warnings"],
                &["in", "--color", "always"],
                &["in", "--message-format", "short"],
                &["in", "--message-format", "json"],
                &["in", "--message-format", "github"],
                &["in", "--message-format", "sarif"],
                &["in", "--message-format", "junit"],
                &["in", "--secrets", "placeholder"],
                &["in", "--secrets", "external"],
            ],
            false,
        ),
        "diff" => (
            &[
                &["in", "--against", "whole.yaml"],
                &["in", "--against", "whole.yaml", "-o", "json"],
                &["whole", "--against", "in"],
                &["whole", "--against", "in", "--message-format", "json"],
                &["in", "--against", "whole.yaml", "--secrets", "placeholder"],
                &["in", "--against", "whole.yaml", "--target", "alloy"],
                &["in", "--against", "alloy.yaml", "--target", "alloy"],
            ],
            false,
        ),
        "aggregate" => (&[&["routes", "in"], &["render", "in"], &["discovery", "in"]], false),
        "tree" => (
            &[
                &["in"],
                &["in", "-o", "json"],
                &["in", "-o", "html"],
                &["in", "-o", "mermaid"],
                &["in", "-v"],
                &["in", "-o", "html", "--target", "alloy"],
            ],
            false,
        ),
        "why" => (
            &[
                &["servicemonitor", "-f", "in"],
                &["integration", "-f", "in", "-o", "json"],
                &["probe", "-f", "in", "-o", "patch"],
                &["metricsinstance", "-f", "in", "-v"],
            ],
            false,
        ),
        "config" => (
            &[
                &["-f", "in"],
                &["-f", "in", "--source-map"],
                &["-f", "in", "--type", "logs"],
                &["-f", "in", "--type", "integrations"],
                &["-f", "in", "-o", "json"],
                &["-f", "in", "--line", "20"],
                &["-f", "in", "--target", "alloy"],
                &["-f", "in", "--target", "alloy", "--source-map"],
                &["-f", "in", "--target", "alloy", "--type", "logs"],
                &["-f", "in", "--target", "alloy", "--type", "integrations"],
                &["-f", "in", "--target", "alloy", "-o", "json"],
                &["-f", "in", "--secrets", "placeholder", "--source-map"],
            ],
            false,
        ),
        "shards" => (&[&["-f", "in"], &["-f", "in", "--targets", "in/secret.yaml"]], false),
        // JSON output of `targets` is not tested, because it contains the same labels as the agent's own page.
        "targets" => (&[&["in"], &["in", "-v"], &["in", "agent", "--dropped", "--all-labels"]], false),
        "affected" => (
            &[&["in/secret.yaml", "-f", "in"], &["secret", "-f", "in", "-v"], &["in", "-f", "in", "-o", "json"]],
            false,
        ),
        "argocd" => (&[&["generate"]], true),
        "krm" => (&[&[]], true),
        "explain" => (&[&["credential-expanded"]], false),
        "init" | "schema" | "completions" | "man" | "version" | "help" => (&[], false),
        _ => (GENERAL_ARGUMENTS, false),
    }
}

/// Returns the commands listed in the help.
fn commands() -> Vec<String> {
    let help = feed(agentctl(support::root()).arg("--help"), b"").stdout;
    let groups = help.split("Global options:\n").next().unwrap();
    let lines = groups.lines().filter(|line| line.starts_with("  "));
    let names: Vec<_> = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect();
    assert!(names.len() > 15, "{names:?}");
    names
}

/// Returns the forms in which a value must not appear: as plain text, and in base64 at any offset.
fn forms(value: &str) -> Vec<String> {
    let shifted_forms = [(0, 0), (1, 2), (2, 3)].map(|(shift, skipped)| {
        let encoded = STANDARD.encode([&vec![b'x'; shift][..], value.as_bytes()].concat());
        // The first and the last characters are omitted, because they depend on the adjacent bytes.
        let whole_count = value.len() * 8 / 6 - 2;
        encoded.chars().skip(skipped).take(whole_count).collect()
    });
    std::iter::once(value.to_owned()).chain(shifted_forms).collect()
}

/// Returns the lines of a run's output that show a value in any form.
fn leaks(run: &Run, with_stdout: bool, about: &str) -> Vec<String> {
    static FORMS: LazyLock<Vec<String>> = LazyLock::new(|| [forms(PLANTED), forms(NOT_CONFIDENTIAL)].concat());
    assert!(run.status.is_some_and(|status| status <= 2), "{about}: {:?} {}", run.status, run.stderr);
    let streams = [run.stderr.as_str(), if with_stdout { &run.stdout } else { "" }];
    let lines = streams.iter().flat_map(|text| text.lines());
    // `targets` intentionally shows an additional job's name, because the name is also the `job` label of the job's
    // series.
    let lines = lines.map(|line| match line.split_once("  additional job [") {
        Some((name, rest)) if name.contains(NOT_CONFIDENTIAL) => rest,
        _ => line,
    });
    let leaks = lines.filter(|line| FORMS.iter().any(|form| line.contains(form.as_str())));
    leaks.map(|line| format!("{about}: {line}")).collect()
}

fn write(directory: &Path, from: &str, to: &str) -> bool {
    fs::create_dir_all(directory).unwrap();
    let mut is_changed = from.is_empty();
    for (name, text) in FILES {
        is_changed |= text.contains(from);
        let text = if from.is_empty() { text.to_owned() } else { text.replace(from, to) };
        fs::write(directory.join(name), text).unwrap();
    }
    is_changed
}

/// Output rendered from the intact files, with one file for each target.
const RENDERED_FILES: [&str; 2] = ["whole.yaml", "alloy.yaml"];

fn write_rendered(directory: &Path) {
    for (name, target) in RENDERED_FILES.iter().zip(["agent", "alloy"]) {
        let render_run = feed(agentctl(directory).args(["render", "whole", "--target", target]), b"");
        assert_eq!(render_run.status, Some(0), "{}", render_run.stderr);
        fs::write(directory.join(name), render_run.stdout).unwrap();
    }
}

/// Returns the files as an input list for a KRM function.
fn resource_list(directory: &Path) -> String {
    let files = FILES.map(|(name, _)| fs::read_to_string(directory.join(name)).unwrap());
    let documents = files.iter().flat_map(|text| text.split("---\n"));
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{}",
        documents.map(item).collect::<String>()
    )
}

/// Returns a document as a list item.
fn item(document: &str) -> String {
    let lines = document.lines().enumerate();
    let lines = lines.map(|(i, line)| format!("{}{line}\n", if i == 0 { "- " } else { "  " }));
    lines.collect()
}

/// Secret with mistakes; `KIND` is a placeholder for its kind.
const ODD_SECRET: &str = "\
apiVersion: v1
KIND
metadata:
  name: odd
  namespace: m
  annotations:
    note: PLANTED-60 # PLANTED-60
data:
  first: PLANTED-61
  # PLANTED-62
  second: [PLANTED-63]
stringData:
  third: PLANTED-64
  fourth: {a: PLANTED-65}
  fifth: |
    PLANTED-66
    user: PLANTED-67
  sixth: 12
  &PLANTED-68 seventh: !PLANTED-68 PLANTED-68
type: PLANTED-69
immutable: PLANTED-70
";

/// Ways to write `kind: Secret` in block style.
const KINDS: [&str; 24] = [
    "kind: Secret",
    "kind: \"Secret\"",
    "kind: 'Secret'",
    "kind: \"Secre\\x74\"",
    "kind: \"\\u0053ecret\"",
    "kind: \"Sec\\\n  ret\"",
    "kind: &k Secret",
    "kind: !!str Secret",
    "kind: ! Secret",
    "kind: |-\n  Secret",
    "kind: >-\n  Secret",
    "kind:\n\n  Secret",
    "kind: # PLANTED-71\n  Secret",
    "kind: Secret # PLANTED-71",
    "kind : Secret",
    "? kind\n: Secret",
    "\"kind\": Secret",
    "\"k\\x69nd\": Secret",
    "!!str kind: Secret",
    "&k kind: Secret",
    "x: &k Secret\nkind: *k",
    "<<: {kind: Secret}",
    "x: &m {kind: Secret}\n<<: *m",
    "? !!str \"kind\"\n: !!str &k 'Secret'",
];

/// Secrets in other YAML styles, and other kinds that contain secret values.
const SECRETS: [&str; 7] = [
    "{apiVersion: v1, kind: &k Secret, metadata: {name: odd, namespace: m}, data: {first: PLANTED-61, second: [PLANTED-63]}, type: PLANTED-69}",
    "{\"apiVersion\":\"v1\",\"kind\":\"\\u0053ecret\",\"metadata\":{\"name\":\"odd\",\"namespace\":\"m\"},\"data\":{\"first\":\"PLANTED-61\"},\"immutable\":\"PLANTED-70\"}",
    "{\n  \"apiVersion\": \"v1\",\n  \"\\u006bind\": \"Secret\",\n  \"metadata\": {\"name\": \"odd\"},\n  \"data\": {\n    \"first\":\n\"PLANTED-61\",\n    \"second\": \"PLANTED-63\"\n  }\n}",
    "apiVersion: v1\nkind: !!str SecretList\nitems:\n- metadata: {name: odd}\n  data:\n    first: PLANTED-61\n    second: PLANTED-63\n",
    "--- !!map &all\napiVersion: v1\nkind: \"Secre\\x74\"\nmetadata: {name: odd}\ndata:\n  first: PLANTED-61\n  second: PLANTED-63\n...\n# PLANTED-62\n",
    "apiVersion: bitnami.com/v1alpha1\nkind: \"SealedSecre\\x74\"\nmetadata: {name: 1}\nspec:\n  encryptedData:\n    first: PLANTED-61\n  template:\n    data:\n      second: PLANTED-63\n",
    "apiVersion: external-secrets.io/v1\nkind: !!str ExternalSecret\nmetadata:\n  name: 1\nspec:\n  target:\n    template: {data: {second: PLANTED-63}}\n",
];

/// Returns unusual spellings of a Secret, each with and without syntax errors.
fn spellings() -> Vec<String> {
    let block = |kind: &str| ODD_SECRET.replace("KIND", kind);
    let mut spelled_secrets: Vec<_> = KINDS.iter().map(|kind| block(kind)).collect();
    spelled_secrets.extend(SECRETS.map(str::to_owned));
    spelled_secrets.push(block("kind: &k Secret").replace('\n', "\r\n"));
    spelled_secrets.push(format!("\u{feff}{}", block("kind: !!str Secret")));
    spelled_secrets.push(format!("%YAML 1.1\n---\n{}", block("kind: !!str Secret")));
    spelled_secrets.push(format!("apiVersion: v1\nkind: List\nitems:\n{}", item(&block("kind: &k Secret"))));
    let broken_variants = |text: &String| {
        [
            format!("{text}  broken: \"PLANTED-72\n  PLANTED-72: x\n"),
            format!("{text}\n\t@PLANTED-72: PLANTED-72"),
            text.replacen("PLANTED-61", "'PLANTED-61\n# PLANTED-62: x\n", 1),
        ]
    };
    let broken_variants: Vec<_> = spelled_secrets.iter().flat_map(broken_variants).collect();
    spelled_secrets.extend(broken_variants);
    spelled_secrets
}

/// Files that contain credentials but are not manifests.
const CREDENTIAL_FILES: [(&str, &str); 7] = [
    ("docker.json", "{\"auths\": {\"registry\": {\"auth\": \"PLANTED-80\", \"identitytoken\": \"PLANTED-80\"}}}"),
    ("docker.yaml", "auths:\n  registry:\n    auth: PLANTED-80\n"),
    ("netrc", "machine host\nlogin me\npassword PLANTED-80\n"),
    ("netrc.yaml", "machine host login me password PLANTED-80"),
    ("credentials", "[default]\naws_access_key_id = PLANTED-80\naws_secret_access_key = PLANTED-80\n"),
    ("values.yaml", "# PLANTED-80\nmimir: {key: PLANTED-80}\nPLANTED-80: x\n"),
    (
        "kubeconfig",
        "apiVersion: v1\nkind: Config\nusers:\n- name: [x]\n  user: {client-key-data: PLANTED-80, token: PLANTED-80}\nusers: x\n",
    ),
];

#[test]
fn detects_base64_at_every_alignment() {
    for before in ["", "a", "ab", "abc"] {
        let text = STANDARD.encode(format!("{before}{PLANTED}33 and so on"));
        assert!(forms(PLANTED).iter().any(|form| text.contains(form.as_str())), "{text}");
    }
}

/// Runs commands on one broken version of the files and returns the leaks. If the files are intact, every command runs
/// with all of its argument lists. Otherwise, `check` runs with its first argument list, and the commands and their
/// argument lists take turns. With `AGENTCTL_ALL_CASES=1`, `check`, `diff` and `render` always run with their first
/// argument list and one of the others in turn.
fn leaks_of_broken_input(directory: &Path, commands: &[String], replacement: usize) -> Vec<String> {
    let (from, to) = REPLACEMENTS[replacement];
    let folder = directory.join(replacement.to_string());
    assert!(write(&folder.join("in"), from, to), "{from}");
    write(&folder.join("whole"), "", "");
    for file in RENDERED_FILES {
        fs::copy(directory.join(file), folder.join(file)).unwrap();
    }
    let list = resource_list(&folder.join("in"));
    let turns = support::many_or_few(5, 12);
    let mut actual = Vec::new();
    for (i, command) in commands.iter().enumerate() {
        let (runs, shows_values) = arguments(command);
        let is_common = support::all_cases() && matches!(command.as_str(), "check" | "diff" | "render");
        let is_turn = replacement % turns == i % turns;
        let is_due = |turn: usize| {
            replacement == 0
                || (turn == 0 && (is_common || command == "check"))
                || (turn == replacement % runs.len() && (is_common || is_turn))
        };
        for (_, args) in runs.iter().enumerate().filter(|(turn, _)| is_due(*turn)) {
            let mut process = agentctl(&folder);
            process.env("RUST_BACKTRACE", "1").arg(command).args(*args);
            let is_check = args.contains(&"--check");
            let about = format!("{command} {args:?} with {to:?}");
            let run = feed(&mut process, list.as_bytes());
            let is_wrong_usage = !std::ptr::eq(runs, GENERAL_ARGUMENTS) && run.stderr.contains("Usage: agentctl");
            assert!(!is_wrong_usage, "{about}: {}", run.stderr);
            actual.extend(leaks(&run, !shows_values || is_check, &about));
        }
    }
    actual
}

#[test]
fn tested_configuration_commands_cover_every_target() {
    for command in ["config", "diff", "tree"] {
        assert_eq!(support::targets_without(arguments(command).0), [""; 0], "{command}");
    }
}

#[test]
fn no_command_shows_planted_values() {
    let directory = empty_directory("planted");
    write(&directory.join("whole"), "", "");
    write_rendered(&directory);
    let commands = commands();
    assert!(commands.len() > 5, "{commands:?}");
    assert!(REPLACEMENTS.len() > 100);
    let replacements = support::sample(0..REPLACEMENTS.len(), 5).into_par_iter();
    let actual: BTreeSet<String> =
        replacements.flat_map_iter(|replacements| leaks_of_broken_input(&directory, &commands, replacements)).collect();
    support::report(&actual.into_iter().collect::<Vec<_>>());
}

/// Runs commands on one spelling of a Secret and returns the leaks. `check` always runs with its first argument list.
/// Otherwise, the commands and their argument lists take turns, unless `AGENTCTL_PLANTED` is `runs_all`.
fn leaks_of_spelling(directory: &Path, commands: &[String], number: usize, secret: &str) -> Vec<String> {
    let folder = directory.join(number.to_string());
    write(&folder.join("in"), "", "");
    write(&folder.join("whole"), "", "");
    for rendered in RENDERED_FILES {
        fs::copy(directory.join(rendered), folder.join(rendered)).unwrap();
    }
    fs::write(folder.join("in/odd.yaml"), secret).unwrap();
    let list = resource_list(&folder.join("in")) + &item(secret);
    let runs_all = std::env::var("AGENTCTL_PLANTED").is_ok_and(|value| value == "all");
    let mut all_leaks = Vec::new();
    for (i, command) in commands.iter().enumerate() {
        let (runs, shows_values) = arguments(command);
        let is_due = |turn: usize| {
            let is_first = turn == 0 && command == "check";
            runs_all
                || is_first
                || (turn == number % runs.len().max(1) && (number + i).is_multiple_of(support::many_or_few(4, 12)))
        };
        for (_, args) in runs.iter().enumerate().filter(|(turn, _)| is_due(*turn)) {
            let mut process = agentctl(&folder);
            process.arg(command).args(*args);
            let about = format!("{command} {args:?} with {secret:?}");
            let is_check = args.contains(&"--check");
            all_leaks.extend(leaks(&feed(&mut process, list.as_bytes()), !shows_values || is_check, &about));
        }
    }
    all_leaks
}

#[test]
fn misspelled_secrets_show_no_values() {
    let directory = empty_directory("spelled");
    write(&directory.join("whole"), "", "");
    write_rendered(&directory);
    let (commands, spellings) = (commands(), spellings());
    assert!(spellings.len() > 120);
    let spellings = support::sample(spellings.iter().enumerate(), 5);
    let actual: BTreeSet<String> = (spellings.into_par_iter())
        .flat_map_iter(|(number, spelled)| leaks_of_spelling(&directory, &commands, number, spelled))
        .collect();
    support::report(&actual.into_iter().collect::<Vec<_>>());
}

#[test]
fn files_other_than_manifests_show_no_credentials() {
    let directory = empty_directory("no-manifests");
    let mut all_leaks = Vec::new();
    for (number, (name, text)) in CREDENTIAL_FILES.into_iter().enumerate() {
        fs::write(directory.join(name), text).unwrap();
        let commands = [
            &["check", name][..],
            &["render", name],
            &["tree", name],
            &["why", "probe", "-f", name],
            &["config", "-f", name],
            &["affected", "probe", "-f", name],
            &["shards", "--shards", "2", "--targets", name],
            &["shards", "-f", name],
            &["diff", name, "--against", name],
            &["aggregate", "routes", name],
            &["exec-plugin", name],
            &["krm", "--message-format", "short"],
        ];
        // If tests run on a sample, each file is tested with only some of the commands.
        let skipped = support::many_or_few(0, number % 3);
        for args in support::sample(commands.into_iter().skip(skipped), 3) {
            let run = feed(agentctl(&directory).args(args), text.as_bytes());
            all_leaks.extend(leaks(&run, true, &format!("{args:?}")));
        }
    }
    support::report(&all_leaks);
}
