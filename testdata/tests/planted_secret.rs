//! Values that are secret are on no screen: plants one in every place that can hold a secret, runs every command over them,
//! whole and broken in every way, and looks for them in what is printed.
//!
//! A command that is new is run with the arguments in `GENERAL`; give it those it needs in `arguments`.

use crate::support;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{Run, agentctl, feed, scratch};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;

/// How every planted value begins; each goes on with a number of its own.
const PLANTED: &str = "PLANTED-";

/// How a value begins that stands in the text of a Secret, but where the agent's configuration has no secret: a difference shows
/// it, and an error does not.
const ASIDE: &str = "ASIDE-";

/// Resources with a secret wherever one can be, in a file each.
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
    - job_name: additional
      basic_auth: {username: me, password: PLANTED-37}
      static_configs:
      - targets: ['a:1']
",
    ),
];

/// How the files are broken: what is replaced by what, everywhere. The first entry leaves them whole.
const BREAKS: &[(&str, &str)] = &[
    ("", ""),
    // In the Secret.
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
    (
        "  username: PLANTED-33",
        "  username: PLANTED-33\n  username: PLANTED-38",
    ),
    (
        "  username: PLANTED-33",
        "  username: PLANTED-33 # PLANTED-33\n  - PLANTED-33",
    ),
    ("  username: PLANTED-33", "  <<: PLANTED-33"),
    ("  username: PLANTED-33", "  username: PLANTED-33$$"),
    ("  username: PLANTED-33", "  username: \"PLANTED-33\\nPLANTED-33\""),
    ("UExBTlRFRC0zMQ==", "PLANTED-31"),
    ("UExBTlRFRC0zMQ==", "UExBTlRFRC0zMQ"),
    ("UExBTlRFRC0zMQ==", "[UExBTlRFRC0zMQ==]"),
    ("UExBTlRFRC0zMQ==", "12345"),
    ("stringData:", "stringdata:"),
    ("stringData:", "strngData:"),
    (
        "stringData:\n  username: PLANTED-33",
        "stringData: PLANTED-33\nx:\n  username: PLANTED-33",
    ),
    ("data:\n  password", "data: PLANTED-33\nx:\n  password"),
    ("kind: Secret\n", "kind: Secret\ntype: PLANTED-33\n"),
    ("kind: Secret\n", "kind: Secret\ntype: kubernetes.io/tls\n"),
    ("kind: Secret\n", "kind: SecretList\n"),
    ("kind: Secret\n", "kind: Secret\nkind: Secret\n"),
    ("apiVersion: v1\nkind: Secret\n", ""),
    ("  name: credentials\n", "  name: credential\n"),
    ("  name: credentials\n", "  name: Credentials\n"),
    ("  ca: |", "  ca: |PLANTED-33"),
    // In the jobs that a Secret holds.
    ("    - job_name: additional", "    - PLANTED-37"),
    ("    - job_name: additional", "    PLANTED-37"),
    ("    - job_name: additional", "    - job_name: [PLANTED-37"),
    ("    - job_name: additional", "    - job_name: x\n      job_name: x"),
    ("password: PLANTED-37", "password: [PLANTED-37]"),
    ("password: PLANTED-37", "passwort: PLANTED-37"),
    ("password: PLANTED-37}", "password: PLANTED-37}\n      scheme: ASIDE-37"),
    (
        "password: PLANTED-37}",
        "password: PLANTED-37}\n      scrape_interval: ASIDE-37",
    ),
    (
        "password: PLANTED-37}",
        "password: PLANTED-37}\n      proxy_url: 'http://me:PLANTED-37@[x'",
    ),
    (
        "password: PLANTED-37}",
        "password: PLANTED-37}\n      relabel_configs: [{regex: 'ASIDE-37('}]",
    ),
    (
        "password: PLANTED-37}",
        "password: PLANTED-37}\n      params: {ASIDE-37: ASIDE-37}",
    ),
    (
        "password: PLANTED-37}",
        "password: PLANTED-37}\n      ASIDE-37: ASIDE-37",
    ),
    // Where a Secret should be referred to.
    (
        "bearerTokenSecret: {name: credentials, key: token}",
        "bearerTokenSecret: PLANTED-40",
    ),
    (
        "bearerTokenSecret: {name: credentials, key: token}",
        "bearerTokenSecret: [PLANTED-40]",
    ),
    (
        "      password: {name: credentials, key: password}",
        "      password: PLANTED-41",
    ),
    (
        "      password: {name: credentials, key: password}",
        "      password: 'PLANTED-41'\n      passwort: PLANTED-41",
    ),
    (
        "      password: {name: credentials, key: password}",
        "      password: |\n        PLANTED-41\n        PLANTED-41",
    ),
    (
        "      password: {name: credentials, key: password}",
        "      password:\n        PLANTED-41",
    ),
    (
        "      username: {name: credentials, key: username}",
        "      username: me:PLANTED-41",
    ),
    (
        "    basicAuth:\n      username: {name: credentials, key: username}\n      password: {name: credentials, key: password}",
        "    basicAuth: {username: me, password: PLANTED-41, x: y}",
    ),
    (
        "    bearerTokenSecret:",
        "    authorization: {credentials: PLANTED-42}\n    bearerTokenSecret:",
    ),
    (
        "    bearerTokenSecret:",
        "    bearerToken: PLANTED-42\n    bearerTokenSecret:",
    ),
    ("secretKey: {name: credentials, key: secret}", "secretKey: PLANTED-43"),
    (
        "clientSecret: {name: credentials, key: secret}",
        "clientSecret: PLANTED-44",
    ),
    (
        "ca: {secret: {name: credentials, key: ca}}",
        "ca: {secret: {name: nothing, key: ca}}\n        insecureSkipVerify: x",
    ),
    ("key: password}", "key: pasword}"),
    // In plain text.
    ("bearerToken: PLANTED-00", "bearerToken: [PLANTED-00]"),
    ("bearerToken: PLANTED-00", "bearerToken: PLANTED-00$$x"),
    (
        "bearerToken: PLANTED-00",
        "bearerToken: PLANTED-00\n    bearerToken: PLANTED-00",
    ),
    ("bearerToken: PLANTED-00", "bearerToken: \"PLANTED-00"),
    ("bearerToken: PLANTED-00", "bearerTokn: PLANTED-00"),
    ("host: https://kubernetes", "hst: https://kubernetes"),
    ("value: PLANTED-01", "value: [PLANTED-01]"),
    ("value: PLANTED-01", "value: PLANTED-01\n      valuFrom: x"),
    (
        "    image: sidecar\n    env:",
        "    imag: sidecar\n    env: x\n    environment:",
    ),
    (
        "https://me:PLANTED-02@mimir/api/v1/push",
        "https://me:PLANTED-02@mim ir/api/v1/push",
    ),
    (
        "https://me:PLANTED-02@mimir/api/v1/push",
        "https://me:PLANTED-02@mimir:port/",
    ),
    (
        "https://me:PLANTED-02@mimir/api/v1/push",
        "https://me:PLANTED-02%zz@mimir/",
    ),
    ("https://me:PLANTED-02@mimir/api/v1/push", "'://me:PLANTED-02@mimir/'"),
    (
        "https://me:PLANTED-02@mimir/api/v1/push",
        "[https://me:PLANTED-02@mimir/]",
    ),
    ("name: first\n", "nam: first\n"),
    ("name: first\n", "name: second\n"),
    (
        "proxyUrl: http://me:PLANTED-04@proxy:3128",
        "proxyUrl: http://me:PLANTED-04@[proxy",
    ),
    (
        "proxyUrl: http://me:PLANTED-04@proxy:3128",
        "proxyURL: http://me:PLANTED-04@proxy",
    ),
    ("X-Api-Key: PLANTED-05", "Authorization: PLANTED-05"),
    ("X-Api-Key: PLANTED-05", "X-Api-Key: [PLANTED-05]"),
    ("?token=PLANTED-06", "?token=PLANTED-06%zz"),
    ("?token=PLANTED-06", ":port?token=PLANTED-06"),
    (
        "https://mimir/api/v1/push?token=PLANTED-06",
        "https://mimir:port/push?token=PLANTED-06",
    ),
    (
        "url: https://mimir/api/v1/push?token=PLANTED-06",
        "url: /push?token=PLANTED-06",
    ),
    (
        "url: https://mimir/api/v1/push?token=PLANTED-06",
        "url: [mimir/push?token=PLANTED-06]",
    ),
    (
        "bearerToken: PLANTED-08",
        "bearerToken: PLANTED-08\n      basicAuth: {}",
    ),
    ("https://me:PLANTED-07@loki", "https://me:PLANTED-07@lo ki"),
    (
        "proxyUrl: http://me:PLANTED-10@proxy:3128",
        "proxyUrl: http://me:PLANTED-10@[proxy",
    ),
    ("api_key: [PLANTED-11]", "api_key: PLANTED-11"),
    ("https://me:PLANTED-12@shop", "https://me:PLANTED-12@sh op"),
    ("data_source_names:\n    - ", "data_source_names: "),
    ("name: postgres_exporter", "name: postgres"),
    (
        "redis_password: PLANTED-21",
        "redis_password: PLANTED-21\n    redis_password: PLANTED-21",
    ),
    ("redis_password: PLANTED-21", "redis_password: \"PLANTED-21"),
    (
        "redis_addr: redis:6379\n    redis_password: PLANTED-21",
        "redis_adr: redis:6379\n    redis_password: PLANTED-21",
    ),
    ("allNodes: false", "allNodes: no"),
    ("name: redis_exporter\n", "nme: redis_exporter\n"),
];

/// Arguments of a command that is not known here.
const GENERAL: &[&[&str]] = &[
    &["in"],
    &["in", "-o", "json"],
    &["in", "-v"],
    &["in", "agent"],
    &["-f", "in"],
];

/// The arguments that a command is run with, and whether its standard output holds secrets on purpose.
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
            ],
            false,
        ),
        "aggregate" => (&[&["routes", "in"], &["render", "in"], &["discovery", "in"]], false),
        "tree" => (
            &[
                &["in"],
                &["in", "-o", "json"],
                &["in", "-o", "html"],
                &["in", "-o", "dot"],
                &["in", "-v"],
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
        "argocd" => (&[&["generate"]], true),
        "krm" => (&[&[]], true),
        "explain" => (&[&["credential-expanded"]], false),
        "init" | "schema" | "completions" | "man" | "version" | "help" => (&[], false),
        _ => (GENERAL, false),
    }
}

/// The commands as the help lists them.
fn commands() -> Vec<String> {
    let help = feed(agentctl(support::root()).arg("--help"), b"").stdout;
    let list = help.split("Commands:\n").nth(1).unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// The forms in which a value must not be seen: plain, and base64 wherever in a text it stands.
fn forms(value: &str) -> Vec<String> {
    let shifted = [(0, 0), (1, 2), (2, 3)].map(|(shift, skipped)| {
        let encoded = STANDARD.encode([&vec![b'x'; shift][..], value.as_bytes()].concat());
        // Without the characters that depend on what stands before and behind.
        let whole = value.len() * 8 / 6 - 2;
        encoded.chars().skip(skipped).take(whole).collect()
    });
    std::iter::once(value.to_owned()).chain(shifted).collect()
}

/// The lines that show one of the forms.
fn leaks(run: &Run, with_stdout: bool, forms: &[String], about: &str) -> Vec<String> {
    assert!(
        run.status.is_some_and(|status| status <= 2),
        "{about}: {:?} {}",
        run.status,
        run.stderr
    );
    let printed = [run.stderr.as_str(), if with_stdout { &run.stdout } else { "" }];
    let lines = printed.iter().flat_map(|text| text.lines());
    let leaks = lines.filter(|line| forms.iter().any(|form| line.contains(form.as_str())));
    leaks.map(|line| format!("{about}: {line}")).collect()
}

fn write(directory: &Path, from: &str, to: &str) -> bool {
    fs::create_dir_all(directory).unwrap();
    let mut changed = from.is_empty();
    for (name, text) in FILES {
        changed |= text.contains(from);
        let text = if from.is_empty() {
            text.to_owned()
        } else {
            text.replace(from, to)
        };
        fs::write(directory.join(name), text).unwrap();
    }
    changed
}

/// The files as the input of a KRM function.
fn resource_list(directory: &Path) -> String {
    let mut list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n".to_owned();
    for (name, _) in FILES {
        for document in fs::read_to_string(directory.join(name)).unwrap().split("---\n") {
            for (i, line) in document.lines().enumerate() {
                list.push_str(if i == 0 { "- " } else { "  " });
                list.push_str(line);
                list.push('\n');
            }
        }
    }
    list
}

#[test]
fn every_form_is_found() {
    for before in ["", "a", "ab", "abc"] {
        let text = STANDARD.encode(format!("{before}{PLANTED}33 and so on"));
        assert!(forms(PLANTED).iter().any(|form| text.contains(form.as_str())), "{text}");
    }
}

/// What the commands show of files that are broken so. Each command is run on the whole files in every way. Over the breaks,
/// what everyone runs is run in its first way and, in turns, in one of the others; the rest of the commands take turns.
fn over_break(directory: &Path, commands: &[String], broken: usize) -> Vec<String> {
    let (from, to) = BREAKS[broken];
    let folder = directory.join(broken.to_string());
    assert!(write(&folder.join("in"), from, to), "{from}");
    write(&folder.join("whole"), "", "");
    fs::copy(directory.join("whole.yaml"), folder.join("whole.yaml")).unwrap();
    let list = resource_list(&folder.join("in"));
    let mut found = Vec::new();
    for (i, command) in commands.iter().enumerate() {
        let (runs, shows) = arguments(command);
        let is_common = matches!(command.as_str(), "check" | "diff" | "render");
        let is_due = |turn: usize| {
            broken == 0
                || (is_common && turn == 0)
                || (turn == broken % runs.len() && (is_common || broken % 5 == i % 5))
        };
        for (_, args) in runs.iter().enumerate().filter(|(turn, _)| is_due(*turn)) {
            let mut process = agentctl(&folder);
            process.env("RUST_BACKTRACE", "1").arg(command).args(*args);
            let is_check = args.contains(&"--check");
            let shows_differences = is_check || !matches!(command.as_str(), "check" | "render");
            let forms = if shows_differences {
                forms(PLANTED)
            } else {
                [forms(PLANTED), forms(ASIDE)].concat()
            };
            let about = format!("{command} {args:?} with {to:?}");
            found.extend(leaks(
                &feed(&mut process, list.as_bytes()),
                !shows || is_check,
                &forms,
                &about,
            ));
        }
    }
    found
}

#[test]
fn no_command_shows_a_planted_value() {
    let directory = scratch("planted");
    write(&directory.join("whole"), "", "");
    let whole = feed(agentctl(&directory).args(["render", "whole"]), b"");
    assert_eq!(whole.status, Some(0), "{}", whole.stderr);
    fs::write(directory.join("whole.yaml"), whole.stdout).unwrap();
    let commands = commands();
    assert!(commands.len() > 5, "{commands:?}");
    let found: BTreeSet<String> = (0..BREAKS.len())
        .into_par_iter()
        .flat_map_iter(|broken| over_break(&directory, &commands, broken))
        .collect();
    support::report(&found.into_iter().collect::<Vec<_>>());
}
