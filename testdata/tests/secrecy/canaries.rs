//! Plants secret values in every kind of position, and runs every command on the resulting inputs, in every format, for
//! both targets and in every `--secrets` mode. The output must not contain any of the values.
//!
//! `AGENTCTL_ALL_CASES=1` runs more combinations, and `AGENTCTL_CANARIES=20000 cargo test --release --test all canaries`
//! runs even more.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;

use crate::support::{Run, many_or_few, run, scratch};

/// Prefix of each planted value, which is followed by the value's position.
const CANARY: &str = "Cnry";

/// Names of credential fields and prefixes of tokens, as in the table of the `secrecy` module.
const NAMES: &[&str] = &[
    "pwd",
    "db_pwd",
    "pw",
    "encryption_key",
    "signing_key",
    "app_key",
    "license_key",
    "master_key",
    "tls_key",
    "community",
    "pat",
    "passwords",
    "dbpass",
    "secret_id",
    "auth_key",
    "apiKey",
    "clientSecret",
    "rootpassword",
];
const TOKENS: &[&str] = &["ghs_", "gho_", "AIza", "xoxb-", "xoxp-", "hvs.", "glsa_"];

/// Strings that are used as keys but contain values, as if a file with values were mistaken for a file with names.
const LINES: &[&str] =
    &["password: CnryLine", "- CnryItem", "CnryBase64+/xyz==", "apiVersion: v1\\nCnryWhole: x", "a/CnryPath"];

/// Kinds that are treated like a Secret.
const KINDS: &[&str] = &["Secret", "Secret.v1", "v1.Secret", "MySecret", "SealedSecret", "secret"];

/// Names of additional scrape jobs, some of which look like names generated for monitors.
const JOBS: &[&str] = &["own", "serviceMonitor/m/sm/0", "serviceMonitor/m/sm/7", "probe/m/sm", "integrations/x"];

/// Settings for additional scrape jobs. The jobs come from a Secret, so every setting is confidential.
const CLIENTS: &[&str] = &[
    "basic_auth: {username: x, password: CnryJob}",
    "bearer_token: CnryJob",
    "authorization: {credentials: CnryJob}",
    "proxy_url: http://me:CnryJob@proxy",
    "oauth2: {client_id: x, client_secret: CnryJob, token_url: http://x}",
    "password: CnryJob",
    "consul_sd_configs: [{server: x, token: CnryJob}]",
    "static_configs: [{targets: ['CnryJob:80'], labels: {of: CnryJob}}]",
    "dns_sd_configs: [{names: [CnryJob]}]\n      relabel_configs: [{target_label: CnryJob, replacement: x}]",
    "metric_relabel_configs: [{regex: CnryJob, action: labeldrop}]\n      params: {q: [CnryJob]}",
];

/// Mistakes in the input that cause findings to show excerpts.
const MISTAKES: &[&str] =
    &["", "bogus: CnryBogus\n", "data: |\n  CnryScalar\n", "binaryData: {a: CnryBinary}\n", "binaryData: CnryText\n"];

fn input(number: usize) -> String {
    let pick = |list: &'static [&'static str]| list[number % list.len()];
    let (kind, line, mistake) = (pick(KINDS), pick(LINES), pick(MISTAKES));
    let (name, other) = (pick(NAMES), NAMES[(number + 7) % NAMES.len()]);
    let token = format!("{}CnryToken{}", pick(TOKENS), "0123456789abcdef".repeat(3));
    let odd_line = if number.is_multiple_of(3) { format!("  \"{line}\": CnryOdd\n") } else { String::new() };
    let mistake = if number.is_multiple_of(2) { mistake } else { "" };
    let values = match mistake.starts_with("data") {
        true => String::new(),
        false => format!(
            "stringData:\n  user: CnryUser\n  pass: CnryPass\n  jobs: |\n    - job_name: {}\n      {}\n{odd_line}",
            pick(JOBS),
            pick(CLIENTS),
        ),
    };
    format!(
        "\
apiVersion: v1
kind: {kind}
metadata: {{name: s, namespace: m}}
{values}{mistake}---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: agent, namespace: m, annotations: {{x: {token}}}}}
spec:
  bogus: {token}
  containers: [{{name: side, env: [{{name: {name}, value: CnryEnv}}], args: ['--password=CnryArg']}}]
  metrics:
    instanceSelector: {{}}
    remoteWrite:
    - url: http://me:CnryUrl@host/?token=CnryQuery
      basicAuth: {{username: {{name: s, key: user}}, password: {{name: s, key: nokey}}}}
      headers: {{X-A: CnryHeader}}
  integrations: {{selector: {{}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: i, namespace: m}}
spec: {{serviceMonitorSelector: {{}}, additionalScrapeConfigs: {{name: s, key: jobs}}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: sm, namespace: m}}
spec:
  selector: {{}}
  endpoints: [{{port: http, relabelings: [{{targetLabel: __param_{name}, replacement: CnryParam}}]}}]
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {{name: x, namespace: m}}
spec:
  name: snmp_exporter
  type: {{unique: true}}
  config: {{{name}: CnryConfig, a: {{{other}: CnryDeep}}}}
"
    )
}

const COMMANDS: &[&[&str]] = &[
    &["check", "in.yaml"],
    &["render", "in.yaml", "--output-dir", "out", "--check"],
    &["diff", "in.yaml", "--against", "in.yaml"],
    &["diff", "in.yaml", "--against", "live.yaml"],
    &["diff", "in.yaml", "--against", "live.yaml", "-o", "json"],
    &["config", "m/agent", "-f", "in.yaml"],
    &["config", "m/agent", "-f", "in.yaml", "--source-map"],
    &["targets", "-f", "in.yaml"],
    &["targets", "-f", "in.yaml", "-o", "json"],
    &["tree", "-f", "in.yaml"],
    &["tree", "-f", "in.yaml", "-o", "html"],
    &["tree", "-f", "in.yaml", "-o", "json"],
    &["why", "servicemonitor", "-f", "in.yaml"],
    &["affected", "Secret/m/s", "-f", "in.yaml"],
    &["rbac", "in.yaml"],
    &["shards", "-f", "in.yaml"],
];
const FORMATS: &[&str] = &["human", "short", "json", "github", "sarif", "junit"];
const TARGETS: &[&[&str]] = &[&[], &["--target", "alloy"], &["--target", "alloy", "--config-kind", "configmap"]];
const SECRET_MODES: &[&str] = &["inline", "placeholder", "external"];

/// Returns the compilation flags that a command supports.
fn compilation_flags<'a>(command: &str, target: &'a [&'a str], secrets: &'a str) -> Vec<&'a str> {
    let target = match command {
        "why" => return Vec::new(),
        "affected" | "check" | "diff" | "render" | "shards" => target,
        // The other commands render no manifests and do not support `--config-kind`.
        _ => &target[..target.len().min(2)],
    };
    [target, &["--secrets", secrets, "--missing-secrets", "placeholder"]].concat()
}

/// Whether the output contains a canary, either as plain text or within base64.
fn contains_canary(text: &str) -> bool {
    let encoded = |pad: &str| STANDARD.encode(format!("{pad}{CANARY}"));
    let forms = ["", "0", "00"].map(|pad| {
        let start = [0, 2, 3][pad.len()];
        encoded(pad).trim_end_matches('=')[start..].to_owned()
    });
    let is_contained = |form: &String| text.contains(&form[..form.len() - 1]);
    text.contains(CANARY) || forms.iter().any(is_contained)
}

/// Runs every command on an input, and returns the runs that show a value.
fn leaking_runs(number: usize, directory: &Path) -> Vec<String> {
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("in.yaml"), input(number)).unwrap();
    let mut failures = Vec::new();
    for (place, command) in COMMANDS.iter().enumerate() {
        let turn = number * 5 + number / TARGETS.len() + place;
        let target = TARGETS[turn % TARGETS.len()];
        if place == 0 {
            // The objects in the cluster are rendered from a different input, so that their values differ.
            fs::write(directory.join("other.yaml"), input(number * 2)).unwrap();
            let args = [&["render", "other.yaml", "--missing-secrets", "placeholder"], target].concat();
            fs::write(directory.join("live.yaml"), run(directory, args, b"").stdout).unwrap();
        }
        let mut args = command.to_vec();
        args.extend(compilation_flags(command[0], target, SECRET_MODES[(turn / 3) % SECRET_MODES.len()]));
        args.extend(["-v"]);
        args.extend(["--message-format", FORMATS[turn % FORMATS.len()]]);
        let Run { status, stdout, stderr } = run(directory, &args, b"");
        let is_wrong_usage = stderr.contains("Usage: agentctl");
        assert!(matches!(status, Some(0..=2)) && !is_wrong_usage, "{args:?}: {stderr}");
        let leaking_line = stdout.lines().chain(stderr.lines()).find(|line| contains_canary(line));
        failures.extend(
            leaking_line.map(|line| format!("{number} {args:?}: {}", line.chars().take(300).collect::<String>())),
        );
    }
    fs::remove_dir_all(directory).unwrap();
    failures
}

#[test]
fn shows_no_planted_values() {
    assert_eq!(crate::support::targets_without(TARGETS), [""; 0]);
    let directory = scratch("canaries");
    let run_count = std::env::var("AGENTCTL_CANARIES").ok().and_then(|value| value.parse().ok());
    let numbers = run_count.unwrap_or_else(|| many_or_few(500, 32)).div_ceil(COMMANDS.len());
    let failures: Vec<_> = (0..numbers)
        .into_par_iter()
        .flat_map_iter(|number| leaking_runs(number, &directory.join(number.to_string())))
        .collect();
    crate::support::report(&failures);
}
