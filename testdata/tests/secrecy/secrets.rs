//! Tests `--secrets` with every command that compiles.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::support::{Run, run, scratch};
use agentctl::yaml;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_yaml::Value;

const PLACEHOLDER: [&str; 2] = ["--secrets", "placeholder"];
const EXTERNAL: [&str; 2] = ["--secrets", "external"];

fn example(name: &str) -> String {
    support::root().join("testdata").join(name).display().to_string()
}

fn agentctl(directory: &Path, args: &[&str], extra_args: &[&str]) -> Run {
    run(directory, args.iter().chain(extra_args), b"")
}

/// Returns the decompressed values of all Secrets in a stream, with their keys.
fn secret_values(stream: &str) -> Vec<(String, String)> {
    let documents = serde_yaml::Deserializer::from_str(stream);
    let objects = documents.map(|document| serde::Deserialize::deserialize(document).unwrap());
    let fields = objects.flat_map(|object: Value| {
        let field = |name: &str| object.get(name).and_then(Value::as_mapping).cloned().unwrap_or_default();
        let strings =
            field("stringData").into_iter().map(|(key, value)| (key, STANDARD.encode(value.as_str().unwrap())));
        let data = field("data").into_iter().map(|(key, value)| (key, value.as_str().unwrap().to_owned()));
        data.chain(strings).collect::<Vec<_>>()
    });
    fields
        .map(|(key, value)| {
            let bytes = STANDARD.decode(value).unwrap();
            let mut text = String::new();
            match bytes.starts_with(&[0x1f, 0x8b]) {
                true => drop(GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap()),
                false => text = String::from_utf8(bytes).unwrap(),
            }
            (key.as_str().unwrap().to_owned(), text)
        })
        .collect()
}

#[test]
fn placeholders_replace_all_values() {
    let directory = scratch("placeholders");
    let quickstart = example("quickstart");
    let inline = agentctl(&directory, &["render", &quickstart], &[]).stdout;
    let rendered = agentctl(&directory, &["render", &quickstart], &PLACEHOLDER).stdout;
    for (key, text) in secret_values(&inline) {
        let expected = text
            .replace("only-an-example", "placeholder:Secret/monitoring/credentials/password")
            .replace("\"12345\"", "12345")
            .replace("12345", "placeholder:Secret/monitoring/credentials/username");
        let actual = secret_values(&rendered);
        let actual = actual.into_iter().find(|(other, other_text)| *other == key && *other_text == expected);
        assert!(actual.is_some(), "{key}: {expected}");
    }
    // The configuration is written as readable lines, so that a pull request shows which lines change.
    assert!(rendered.contains("\n  agent.yml: |+\n    metrics:\n"), "{rendered}");
    assert!(!rendered.contains("\ndata:\n") && !inline.contains("stringData"), "{rendered}");
}

/// Creates a directory with an agent whose configuration contains a password and is at least `bytes` bytes long.
fn folder_with_long_configuration(name: &str, bytes: usize) -> PathBuf {
    let directory = scratch(name);
    let text = fs::read_to_string(example("secrets/sops") + "/agent.yaml").unwrap();
    let label = format!("    externalLabels: {{x: {}}}\n    instanceSelector: {{}}", "y".repeat(bytes));
    fs::write(directory.join("agent.yaml"), text.replace("    instanceSelector: {}", &label)).unwrap();
    fs::copy(example("secrets/sops") + "/credentials.yaml", directory.join("credentials.yaml")).unwrap();
    directory
}

#[test]
fn check_reports_values_that_a_mode_cannot_deliver() {
    let directory = folder_with_long_configuration("template-too-large", 1 << 20);
    let stores = ["--secret-store", "SecretStore/x", "--message-format", "json"];
    for (extra_args, expected) in [(vec![], 0), ([&EXTERNAL[..], &stores].concat(), 1)] {
        let run = agentctl(&directory, &["check", "."], &extra_args);
        assert_eq!(run.status, Some(expected), "{run:?}");
        assert_eq!(run.stdout.contains("the template of Secret `agent-config`"), expected == 1);
    }
}

#[test]
fn compresses_long_configurations_with_placeholders() {
    let directory = folder_with_long_configuration("compressed", 120 << 10);
    let rendered = agentctl(&directory, &["render", "."], &PLACEHOLDER);
    assert_eq!(rendered.status, Some(0), "{}", rendered.stderr);
    assert!(rendered.stdout.contains("agent.yml: H4sI"));
    let (_, configuration) = secret_values(&rendered.stdout).into_iter().find(|(key, _)| key == "agent.yml").unwrap();
    assert!(configuration.contains("username: placeholder:Secret/monitoring/credentials/username"));
}

#[test]
fn output_directory_and_diff_support_every_mode() {
    for (name, input, mode) in
        [("placeholder", "quickstart", &PLACEHOLDER), ("external", "secrets/external", &EXTERNAL)]
    {
        let directory = scratch(&format!("secrets-{name}"));
        let input = example(input);
        let render_args = ["render", input.as_str(), "--output-dir", "out", "--prune"];
        assert_eq!(agentctl(&directory, &render_args, mode).status, Some(0));
        let check = agentctl(&directory, &[&render_args[..], &["--check"]].concat(), mode);
        assert_eq!((check.status, check.stdout.as_str()), (Some(0), ""));
        let diff = agentctl(&directory, &["diff", &input, "--against", "out"], mode);
        assert_eq!(diff.status, Some(0), "{}", diff.stdout);
        assert_eq!(agentctl(&directory, &["check", &input], mode).status, Some(0));
    }
}

#[test]
fn does_not_report_generated_secrets_as_missing() {
    let directory = scratch("secrets-live");
    let input = example("secrets/external");
    let live = agentctl(&directory, &["render", &input, "--missing-secrets", "placeholder"], &[]).stdout;
    fs::write(directory.join("live.yaml"), live).unwrap();
    let diff = agentctl(&directory, &["diff", &input, "--against", "live.yaml"], &EXTERNAL);
    assert!(diff.stdout.ends_with("1 added, 0 changed, 0 removed\n"), "{}", diff.stdout);
    assert!(diff.stdout.contains("ExternalSecret/monitoring/agent-secrets"), "{}", diff.stdout);
}

#[test]
fn ignores_fields_set_by_the_server() {
    let directory = scratch("secrets-defaults");
    let input = example("secrets/external");
    let rendered = agentctl(&directory, &["render", &input], &EXTERNAL).stdout;
    let live = rendered
        .replace(
            "  secretStoreRef:",
            "  refreshInterval: 1h\n  target: {creationPolicy: Owner, deletionPolicy: Retain}\n  secretStoreRef:",
        )
        .replace(
            "      property: key\n",
            "      property: key\n      conversionStrategy: Default\n      decodingStrategy: None\n",
        );
    assert_ne!(live, rendered);
    fs::write(directory.join("live.yaml"), live).unwrap();
    let diff = agentctl(&directory, &["diff", &input, "--against", "live.yaml"], &EXTERNAL);
    assert_eq!(diff.status, Some(0), "{}", diff.stdout);
}

#[test]
fn rejects_invalid_combinations_of_flags() {
    let directory = scratch("secrets-usage");
    for (args, expected) in [
        (&["--secret-store", "SecretStore/x"][..], "--secrets <MODE>"),
        (&["--secrets", "external", "--secret-store", "Vault/x"], "expected SecretStore/NAME"),
        (
            &["--secrets=external", "--secret-store=SecretStore/x", "--remote-key", "{x}"],
            "expected a non-empty string whose only placeholders are `{namespace}`",
        ),
        (&["--secrets", "none"], "'none'"),
    ] {
        let run = agentctl(&directory, &["render", "x"], args);
        assert_eq!(run.status, Some(2), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
}

/// Returns the rendered stream's size in bytes.
fn output_size(directory: &Path, args: &[&str]) -> usize {
    let run = agentctl(directory, &["render"], args);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    run.stdout.len()
}

#[test]
fn output_limit_applies_to_placeholders() {
    let directory = scratch("placeholders-limit");
    let quickstart = example("quickstart");
    let quickstart = quickstart.as_str();
    let (inline, placeholders) =
        (output_size(&directory, &[quickstart]), output_size(&directory, &[quickstart, "--secrets", "placeholder"]));
    let mut rejected_count = 0;
    for limit in
        (inline.min(placeholders) - 4000..inline.max(placeholders) + 100).step_by(support::many_or_few(20, 120))
    {
        let limit = format!("--limit=output-size={limit}");
        let run = agentctl(&directory, &["render", quickstart, &limit], &PLACEHOLDER);
        match run.status {
            Some(0) => assert_eq!(run.stdout.len(), placeholders, "{limit}"),
            _ => {
                rejected_count += 1;
                assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{limit}");
                assert!(run.stderr.contains("error[output-limit]"), "{}", run.stderr);
            }
        }
    }
    assert!(rejected_count > support::many_or_few(80, 13), "only {rejected_count} limits are too low");
}

/// Fills in a configuration template in the same way as External Secrets. Supports only the parts of Go's text/template
/// that agentctl uses.
fn fill_template(template: &str, values: &BTreeMap<String, String>) -> String {
    let definition = "{{- define \"value\" }}{{ if regexMatch `^([!-~]*|[ -~]{1,70})$` . }}{{ toYaml . }}{{ else }}{{ toJson . }}\
                      {{ end }}{{ end -}}\n";
    let mut rest = template.strip_prefix(definition).unwrap();
    let mut output = String::new();
    while let Some((before, action)) = rest.split_once("{{") {
        let (action, after) = action.split_once("}}").unwrap();
        output.push_str(before);
        rest = after;
        if let Some(key) = action.strip_prefix(" template \"value\" .") {
            let value = &values[key.trim_end()];
            let is_line = value.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
                || (value.len() <= 70 && value.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            output.push_str(&match is_line {
                true => yaml::write(&yaml::Value::from(value.as_str()), yaml::LibraryStyle::Kubernetes)
                    .trim_end()
                    .to_owned(),
                false => serde_json::to_string(value).unwrap(),
            });
        } else if let Some(text) = action.strip_prefix(" \"") {
            output.push_str(text.strip_suffix("\" ").unwrap());
        } else {
            let (key, _) = action.strip_prefix("- $jobs := .").unwrap().split_once(' ').unwrap();
            let (actions, after) = rest.split_once("}}{{ end }}{{- with $jobs.jobs }}{{ toYaml . | nindent ").unwrap();
            let _: &str = actions;
            let (indent, after) = after.split_once(" }}{{ end }}").unwrap();
            output.truncate(output.trim_end().len());
            for line in values[key].trim_end().lines() {
                output.push_str(&format!("\n{:1$}{line}", "", indent.parse().unwrap()));
            }
            rest = after;
        }
    }
    output + rest
}

fn objects(stream: &str) -> Vec<Value> {
    let documents = serde_yaml::Deserializer::from_str(stream);
    documents.map(|document| serde::Deserialize::deserialize(document).unwrap()).collect()
}

/// Renders an input with templates, fills in the templates with the values of the Secrets, and asserts that the results
/// equal the operator's configurations.
fn assert_templates_produce_configurations(input: &str) {
    let directory = scratch("templates");
    let inline = agentctl(&directory, &["render", input], &[]);
    let stores = ["--secret-store", "ClusterSecretStore/vault"];
    let external = agentctl(&directory, &["render", input], &[&EXTERNAL[..], &stores].concat());
    assert_eq!(external.status, Some(0), "{}", external.stderr);
    let expected = secret_values(&inline.stdout);
    let known_values: BTreeMap<_, _> = expected.iter().cloned().collect();
    let mut template_count = 0;
    for object in objects(&external.stdout) {
        let spec = &object["spec"];
        let Some(template) = spec["target"]["template"]["data"]["agent.yml"].as_str() else {
            continue;
        };
        template_count += 1;
        assert_eq!(object["kind"], "ExternalSecret");
        for entry in spec["data"].as_sequence().unwrap() {
            let key = entry["secretKey"].as_str().unwrap();
            assert!(known_values.contains_key(key), "{key}");
            assert!(entry["remoteRef"]["key"].as_str().unwrap().contains('/'), "{key}");
        }
        let filled_template = fill_template(template, &known_values);
        assert!(
            expected.iter().any(|(key, text)| key == "agent.yml" && *text == filled_template),
            "{input}: {filled_template}"
        );
    }
    assert!(template_count > 0, "{input}");
    for (key, value) in expected.iter().filter(|(key, value)| key.starts_with("_secrets") && value.len() > 4) {
        assert!(!external.stdout.contains(value.as_str()), "{key}");
        assert!(!external.stdout.contains(&STANDARD.encode(value)), "{key}");
    }
}

#[test]
fn filled_templates_match_operator_configurations() {
    assert_templates_produce_configurations(&example("quickstart"));
    let focused = support::folders(&support::root().join("testdata/conformance/focused"));
    let everything = focused.iter().find(|case| case.ends_with("remote-write-everything")).unwrap();
    assert_templates_produce_configurations(&everything.join("input").display().to_string());
}

const RESOURCES: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec:
  metrics:
    instanceSelector: {}
    externalLabels: {odd: 'agentctl-0-_secrets_monitoring_credentials_user- {{ .x }} {'}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  additionalScrapeConfigs: {name: credentials, key: jobs}
  remoteWrite:
  - url: https://example.com
    basicAuth:
      username: {name: credentials, key: user}
      password: {name: credentials, key: user}
";

#[test]
fn templates_preserve_braces_quotes_and_jobs() {
    let directory = scratch("templated");
    let jobs = "- job_name: one\n  static_configs:\n    - targets:\n        - localhost:1\n";
    for user in ["plain", "yes", "12", "a: b", "'", "", "x y", "\u{e4}", "two\nlines\n"] {
        let secret = serde_json::json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "credentials", "namespace": "monitoring"},
            "stringData": {"user": user, "jobs": jobs},
        });
        let input = format!("{RESOURCES}---\n{secret}\n");
        let render = |flags: &[&str]| run(&directory, ["render", "-"].iter().chain(flags), input.as_bytes());
        let inline = secret_values(&render(&[]).stdout);
        let known_values: BTreeMap<_, _> = inline.iter().cloned().collect();
        let external = render(&["--secrets", "external", "--secret-store", "SecretStore/vault"]);
        assert_eq!(external.status, Some(0), "{}", external.stderr);
        let objects = objects(&external.stdout);
        let templates =
            objects.iter().filter_map(|object| object["spec"]["target"]["template"]["data"]["agent.yml"].as_str());
        let filled_templates: Vec<_> = templates.map(|template| fill_template(template, &known_values)).collect();
        let [filled_templates] = &*filled_templates else { panic!("{}", external.stdout) };
        let parse = |text: &str| serde_yaml::from_str::<Value>(text).unwrap();
        assert_eq!(parse(filled_templates), parse(&known_values["agent.yml"]), "{filled_templates}");
        assert_eq!(
            filled_templates == &known_values["agent.yml"],
            user.is_ascii() && !user.contains('\n'),
            "{filled_templates}"
        );
    }
}

#[test]
fn rejects_templates_too_large_for_a_secret() {
    let directory = scratch("large-template");
    let label = "x".repeat(1 << 20);
    let input = RESOURCES.replace("{odd:", &format!("{{large: {label}, odd:"));
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials, namespace: monitoring}\nstringData: {user: a, jobs: ''}\n";
    let input = format!("{input}---\n{secret}");
    let flags = ["--secrets", "external", "--secret-store", "SecretStore/vault", "--message-format", "short"];
    let run = run(&directory, ["render", "-"].iter().chain(&flags), input.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    assert_eq!(run.stderr.matches("error[").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[object-too-large]: the template of Secret `agent-config` is "),
        "{}",
        run.stderr
    );
}

/// Tests that everything in `additionalScrapeConfigs` is treated as secret, even a job that has the same name as one of
/// the operator's jobs.
#[test]
fn hides_additional_jobs_named_like_monitors() {
    let input = |value: &str| {
        format!(
            "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: agent, namespace: m}}
spec: {{metrics: {{instanceSelector: {{}}}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: i, namespace: m}}
spec:
  serviceMonitorSelector: {{}}
  additionalScrapeConfigs: {{name: s, key: jobs}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: sm, namespace: m}}
spec: {{selector: {{}}, endpoints: [{{port: http}}]}}
---
apiVersion: v1
kind: Secret
metadata: {{name: s, namespace: m}}
stringData:
  jobs: |
    - job_name: serviceMonitor/m/sm/0
      metrics_path: /{value}
      params: {{module: [{value}]}}
      static_configs: [{{targets: ['{value}:1'], labels: {{team: {value}}}}}]
      relabel_configs: [{{target_label: __param_t, replacement: {value}}}]
    - job_name: podMonitor/m/x/0
      metrics_path: /{value}
    - job_name: probe/m/{value}
      scheme: https
    - job_name: {value}
      static_configs: [{{targets: ['{value}:1']}}]
"
        )
    };
    let directory = scratch("secrets-additional-names");
    fs::write(directory.join("in.yaml"), input("CANARY1")).unwrap();
    fs::write(directory.join("was.yaml"), input("CANARY2")).unwrap();
    for target in ["agent", "alloy"] {
        let old_run = run(&directory, ["render", "was.yaml", "--target", target], b"");
        assert_eq!(old_run.status, Some(0), "{}", old_run.stderr);
        fs::write(directory.join(format!("{target}.yaml")), old_run.stdout).unwrap();
    }
    for target in ["agent", "alloy"] {
        for args in [
            ["diff", "in.yaml", "--against", "agent.yaml"].as_slice(),
            &["diff", "in.yaml", "--against", "agent.yaml", "-o", "json"],
            &["diff", "in.yaml", "--against", "alloy.yaml"],
            &["diff", "in.yaml", "--against", "alloy.yaml", "-o", "json"],
            &["diff", "in.yaml", "--against", "/dev/null"],
            &["check", "in.yaml", "-v"],
            &["config", "agent", "-f", "in.yaml"],
            &["config", "agent", "-f", "in.yaml", "--source-map"],
            &["tree", "in.yaml", "-o", "html"],
            &["targets", "in.yaml"],
        ] {
            let args = [args, &["--target", target]].concat();
            let run = run(&directory, &args, b"");
            assert!(matches!(run.status, Some(0 | 1)), "{args:?}: {}", run.stderr);
            let output = run.stdout + &run.stderr;
            // `targets` shows an additional job's name but nothing else, because the name is also a label on the job's
            // metrics.
            let is_name = |line: &&str| args[0] == "targets" && line.contains("  additional job [");
            let mut lines = output.lines().filter(|line| !is_name(line));
            assert_eq!(lines.find(|line| line.contains("CANARY")), None, "{args:?}");
        }
    }
}
