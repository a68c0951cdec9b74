//! `--secrets` with everything that compiles.

use crate::support;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::{Run, run, scratch};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_yaml::Value;

const PLACEHOLDER: [&str; 2] = ["--secrets", "placeholder"];
const EXTERNAL: [&str; 2] = ["--secrets", "external"];

fn example(name: &str) -> String {
    support::root().join("testdata").join(name).display().to_string()
}

fn agentctl(directory: &Path, args: &[&str], more: &[&str]) -> Run {
    run(directory, args.iter().chain(more), b"")
}

/// Every value of every Secret of a stream, unpacked.
fn values(stream: &str) -> Vec<(String, String)> {
    let documents = serde_yaml::Deserializer::from_str(stream);
    let objects = documents.map(|document| serde::Deserialize::deserialize(document).unwrap());
    let data = objects.flat_map(|object: Value| object.get("data").and_then(Value::as_mapping).cloned());
    data.flatten()
        .map(|(key, value)| {
            let bytes = STANDARD.decode(value.as_str().unwrap()).unwrap();
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
fn placeholders_stand_wherever_values_do() {
    let directory = scratch("placeholders");
    let quickstart = example("quickstart");
    let inline = agentctl(&directory, &["render", &quickstart], &[]).stdout;
    let rendered = agentctl(&directory, &["render", &quickstart], &PLACEHOLDER).stdout;
    for (key, text) in values(&inline) {
        let expected = text
            .replace("only-an-example", "placeholder:Secret/monitoring/credentials/password")
            .replace("\"12345\"", "12345")
            .replace("12345", "placeholder:Secret/monitoring/credentials/username");
        let found = values(&rendered);
        let found = found
            .into_iter()
            .find(|(other, other_text)| *other == key && *other_text == expected);
        assert!(found.is_some(), "{key}: {expected}");
    }
    let lines = |text: &str| {
        text.lines()
            .filter(|line| !line.contains(": ") || !line.starts_with("  "))
            .count()
    };
    assert_eq!(lines(&rendered), lines(&inline));
}

#[test]
fn a_long_configuration_is_compressed_with_its_placeholders() {
    let directory = scratch("compressed");
    let text = fs::read_to_string(example("secrets/sops") + "/agent.yaml").unwrap();
    let label = format!(
        "    externalLabels: {{x: {}}}\n    instanceSelector: {{}}",
        "y".repeat(120 << 10)
    );
    fs::write(
        directory.join("agent.yaml"),
        text.replace("    instanceSelector: {}", &label),
    )
    .unwrap();
    fs::copy(
        example("secrets/sops") + "/credentials.yaml",
        directory.join("credentials.yaml"),
    )
    .unwrap();
    let rendered = agentctl(&directory, &["render", "."], &PLACEHOLDER);
    assert_eq!(rendered.status, Some(0), "{}", rendered.stderr);
    assert!(rendered.stdout.contains("agent.yml: H4sI"));
    let (_, configuration) = values(&rendered.stdout)
        .into_iter()
        .find(|(key, _)| key == "agent.yml")
        .unwrap();
    assert!(configuration.contains("username: placeholder:Secret/monitoring/credentials/username"));
}

#[test]
fn a_directory_and_a_difference_know_the_modes() {
    for (name, input, mode) in [
        ("placeholder", "quickstart", &PLACEHOLDER),
        ("external", "secrets/external", &EXTERNAL),
    ] {
        let directory = scratch(&format!("secrets-{name}"));
        let input = example(input);
        let to_directory = ["render", input.as_str(), "--output-dir", "out", "--prune"];
        assert_eq!(agentctl(&directory, &to_directory, mode).status, Some(0));
        let check = agentctl(&directory, &[&to_directory[..], &["--check"]].concat(), mode);
        assert_eq!((check.status, check.stdout.as_str()), (Some(0), ""));
        let diff = agentctl(&directory, &["diff", &input, "--against", "out"], mode);
        assert_eq!(diff.status, Some(0), "{}", diff.stdout);
        assert_eq!(agentctl(&directory, &["check", &input], mode).status, Some(0));
    }
}

#[test]
fn a_secret_that_something_else_makes_is_not_missing() {
    let directory = scratch("secrets-live");
    let input = example("secrets/external");
    let live = agentctl(&directory, &["render", &input, "--missing-secrets", "placeholder"], &[]).stdout;
    fs::write(directory.join("live.yaml"), live).unwrap();
    let diff = agentctl(&directory, &["diff", &input, "--against", "live.yaml"], &EXTERNAL);
    assert!(
        diff.stdout.ends_with("1 added, 0 changed, 0 removed\n"),
        "{}",
        diff.stdout
    );
    assert!(
        diff.stdout.contains("ExternalSecret/monitoring/agent-secrets"),
        "{}",
        diff.stdout
    );
}

#[test]
fn what_the_server_sets_is_no_difference() {
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
fn the_flags_belong_together() {
    let directory = scratch("secrets-usage");
    for (args, expected) in [
        (&["--secret-store", "SecretStore/x"][..], "--secrets <MODE>"),
        (
            &["--secrets", "external", "--secret-store", "Vault/x"],
            "expected SecretStore/NAME",
        ),
        (
            &[
                "--secrets=external",
                "--secret-store=SecretStore/x",
                "--remote-key",
                "{x}",
            ],
            "expected a text with `{namespace}`",
        ),
        (&["--secrets", "none"], "'none'"),
    ] {
        let run = agentctl(&directory, &["render", "x"], args);
        assert_eq!(run.status, Some(2), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
}

/// The bytes of a rendered stream.
fn size(directory: &Path, args: &[&str]) -> usize {
    let run = agentctl(directory, &["render"], args);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    run.stdout.len()
}

#[test]
fn the_limit_of_the_output_holds_for_placeholders() {
    let directory = scratch("placeholders-limit");
    let quickstart = example("quickstart");
    let quickstart = quickstart.as_str();
    let (inline, placeholders) = (
        size(&directory, &[quickstart]),
        size(&directory, &[quickstart, "--secrets", "placeholder"]),
    );
    assert!(inline < placeholders, "{inline} {placeholders}");
    let mut refused = 0;
    for limit in (inline - 4000..placeholders + 100).step_by(20) {
        let limit = format!("--max-output-size={limit}");
        let run = agentctl(&directory, &["render", quickstart, &limit], &PLACEHOLDER);
        match run.status {
            Some(0) => assert_eq!(run.stdout.len(), placeholders, "{limit}"),
            _ => {
                refused += 1;
                assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{limit}");
                assert!(run.stderr.contains("error[output-limit]"), "{}", run.stderr);
            }
        }
    }
    assert!(refused > 0);
}
