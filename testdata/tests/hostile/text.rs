//! Tests that text in the input has no side effects. Text that controls a terminal, changes the text direction or
//! contains a CI command is inserted at every string in manifests, file names and settings. Every command is then run
//! in every format, and its output is checked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::support::{self, Run, agentctl, feed, scratch};
use rayon::prelude::*;

/// Texts with side effects, which are inserted in each position.
const HOSTILE: [&str; 2] = [
    "::add-mask::a\r\u{1b}[2K\u{1b}[31mb\u{7f}\u{9b}1m\u{85}\u{2028}c ##[add-mask]d ##vso[x]",
    "a\n::error::b\u{61c}\u{200e}\u{202e}b\u{2066}c\u{200b}\u{feff}\u{e0041}\u{fe0f}",
];

/// Manifests, each with one `@` that marks the position. The text before the first `@` is part of every input.
const POSITIONS: &[&str] = &[
    "apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: m, labels: {a: b}}
spec:
  serviceAccountName: s
  metrics: {instanceSelector: {matchLabels: {a: b}}}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: m, labels: {a: b}}
spec: {serviceMonitorSelector: {matchLabels: {a: b}}, probeSelector: {}, remoteWrite: [{url: 'https://mimir', basicAuth: {username: {name: s, key: u}, password: {name: s, key: p}}}]}
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: m}
stringData: {u: me, p: secret}
",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: @, namespace: m}\nspec: {}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: @}\nspec: {}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m, annotations: {@: @, x: @}}\nspec: {paused: true}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m}\nspec: {image: @, @: @, nodeSelector: {@: @}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m}\nspec: {apiServer: {host: @}, metrics: {externalLabels: {@: @}, remoteWrite: [{url: @, name: @, headers: {@: @}}]}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m}\nspec: {metrics: {instanceSelector: {matchLabels: {@: @}}}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m}\nspec: {metrics: {instanceNamespaceSelector: {matchExpressions: [{key: @, operator: @, values: [@]}]}, instanceSelector: {}}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b, namespace: m}\nspec: {secrets: [@], configMaps: [@], containers: [{name: @, image: @, args: [@]}]}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: @, namespace: m, labels: {a: b}}\nspec: {}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: b, namespace: m, labels: {a: @, @: c}}\nspec: {}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: b, namespace: m, labels: {a: b}}\nspec: {additionalScrapeConfigs: {name: @, key: @}, remoteWrite: [{url: 'https://x', bearerToken: @, basicAuth: {username: {name: s, key: @}, password: {name: @, key: p}}}]}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: b, namespace: m, labels: {a: b}}\nspec: {additionalScrapeConfigs: {name: jobs, key: j}}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: jobs, namespace: m}\nstringData: {j: @}",
    "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: @, namespace: @, labels: {a: b}}\nspec: {selector: {}, endpoints: [{port: a}]}",
    "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: b, namespace: m, labels: {a: b}}\nspec: {selector: {matchLabels: {@: @}}, endpoints: [{port: @, path: @, interval: @, params: {@: [@]}}]}",
    "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: b, namespace: m, labels: {a: b}}\nspec: {selector: {}, jobLabel: @, endpoints: [{port: a, path: @, params: {@: [@]}, relabelings: [{regex: @, replacement: @, targetLabel: a}]}]}",
    "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: b, namespace: m, labels: {a: @}}\nspec: {selector: {}, endpoints: [{port: a, relabelings: [{regex: '(', sourceLabels: [@], action: @, targetLabel: @}]}]}",
    "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: b, namespace: m}\nspec: {jobName: @, prober: {url: @}, targets: {staticConfig: {static: [@], labels: {@: @}}}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nmetadata: {name: @, namespace: m}\nspec: {selector: {}, namespaceSelector: {matchNames: [@]}, pipelineStages: [{match: {selector: @}}]}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {name: b, namespace: m}\nspec: {podLogsSelector: {}, clients: [{url: @, tenantId: @}]}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: @, namespace: m}\nspec: {name: @, type: {}, config: {@: @}}",
    "apiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: b, namespace: m}\nspec: {name: redis_exporter, type: {}, config: {instance: a, @: @}, secrets: [{name: @, key: @}]}",
    "apiVersion: v1\nkind: Secret\nmetadata: {name: @, namespace: m}\ntype: @\nstringData: {@: @}",
    "apiVersion: v1\nkind: @\nmetadata: {name: @, namespace: m}",
    "apiVersion: @\nkind: Secret\nmetadata: {name: b}",
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: @, labels: {@: @}}",
    "@: @\n@: @",
    "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: b, annotations: {agentctl.dev/allow: @}}\nspec: {}",
    "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: @}\nspec: {group: @, version: @, groupPriorityMinimum: 1, versionPriority: 1, service: {name: @, namespace: @}}",
    "apiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {name: @, namespace: @}\nspec: {host: @}",
    "- @\n- [@",
    "a: &@ b\nc: *@\nd: !@ e",
];

/// Command lines, each with a flag that is true if standard output contains data that must not be modified.
const RUNS: &[(&[&str], bool)] = &[
    (&["render", "in", "-v"], true),
    (&["render", "in", "--strict", "--color", "always"], true),
    (&["render", "in", "--output-dir", "old", "--check"], false),
    (&["render", "in", "--output-dir", "new", "-v"], false),
    (&["check", "in", "-v"], false),
    (&["check", "in", "-v", "--color", "always", "--deny", "warnings"], false),
    (&["check", "in", "-v", "--message-format", "short"], false),
    (&["check", "in", "-v", "--message-format", "github"], false),
    (&["check", "in", "-v", "--message-format", "json"], false),
    (&["check", "in", "-v", "--message-format", "sarif"], false),
    (&["check", "in", "-v", "--message-format", "junit"], false),
    (&["diff", "in", "--against", "other"], false),
    (&["diff", "other", "--against", "in", "--color", "always"], false),
    (&["diff", "other", "--against", "in", "-o", "json"], false),
    (&["tree", "in"], false),
    (&["tree", "in", "--color", "always"], false),
    (&["tree", "in", "-o", "json"], false),
    (&["tree", "in", "-o", "mermaid"], false),
    (&["tree", "in", "-o", "html"], false),
    (&["why", "in", "-f", "in"], false),
    (&["why", "in", "-f", "in", "--color", "always"], false),
    (&["why", "in", "-f", "in", "-o", "json"], false),
    (&["why", "in", "-f", "in", "-o", "patch"], false),
    (&["affected", "in", "-f", "in"], false),
    (&["affected", "in", "-f", "in", "--color", "always"], false),
    (&["affected", "in", "-f", "in", "-o", "json"], false),
    (&["affected", "in", "-f", "in", "-o", "names"], false),
    (&["config", "-f", "in"], false),
    (&["config", "b", "-f", "in", "--source-map"], false),
    (&["config", "b", "-f", "in", "--show-secrets"], true),
    (&["config", "agent", "-f", "in", "-o", "json"], false),
    (&["config", "agent", "-f", "in", "--of", "in"], false),
    (&["config", "agent", "-f", "in", "--line", "5"], false),
    (&["shards", "agent", "-f", "in"], false),
    (&["aggregate", "routes", "in"], false),
    (&["aggregate", "routes", "in", "-o", "json"], false),
    (&["aggregate", "discovery", "in"], false),
    (&["aggregate", "discovery", "in", "-o", "yaml", "--aggregated"], false),
    (&["aggregate", "diff", "in", "--against", "other"], false),
    (&["argocd", "generate"], true),
];

/// Returns the sampling interval `n`: a command runs on every `n`th position.
fn sampling_interval() -> usize {
    support::many_or_few(5, 40)
}

/// Whether a character has side effects. The character ranges are defined independently of the code under test.
fn has_side_effects(c: char) -> bool {
    let number = u32::from(c);
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(number, 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f)
        || matches!(number, 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff)
}

/// Returns the output without agentctl's colors.
fn strip_color(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut rest = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let codes = piece.split('m').next().unwrap_or_default();
        let is_known = |code: &str| matches!(code, "0" | "1" | "2" | "4" | "31" | "32" | "33" | "34" | "35" | "36");
        match codes.split(';').all(is_known) {
            true => rest.push_str(&piece[codes.len() + 1..]),
            false => rest.extend(["\u{1b}[", piece]),
        }
    }
    rest
}

/// Returns the lines that contain control characters or CI logging commands.
fn unsafe_lines(text: &str, args: &[&str]) -> Vec<String> {
    let colored = args.contains(&"always");
    let text = if colored { strip_color(text) } else { text.to_owned() };
    let is_own_command = |line: &str| {
        let own_commands = ["::error ", "::warning ", "::notice "];
        args.contains(&"github") && own_commands.iter().any(|command| line.starts_with(command))
    };
    let has_command = |line: &str| {
        let is_command = line.trim_start().starts_with("::") && !is_own_command(line);
        is_command || line.contains("##[") || line.contains("##vso[")
    };
    let lines = text.split('\n');
    let unsafe_lines = lines.filter(|line| line.contains(has_side_effects) || has_command(line));
    unsafe_lines.map(|line| format!("{args:?}: {line:?}")).collect()
}

fn all_unsafe_lines(run: &Run, is_data: bool, args: &[&str]) -> Vec<String> {
    let is_normal_exit = run.status.is_some_and(|status| status <= 2);
    assert!(is_normal_exit, "{args:?}: {:?} {}", run.status, run.stderr);
    let stdout = if is_data { "" } else { &run.stdout };
    [stdout, &run.stderr].iter().flat_map(|text| unsafe_lines(text, args)).collect()
}

/// Returns the manifest with `text` in its position, as a quoted YAML string in which invalid characters are escaped.
fn fill_position(place: &str, text: &str) -> String {
    let quoted: String = serde_json::to_string(text)
        .unwrap()
        .chars()
        .map(|c| match c.is_control() || c == '\u{2028}' {
            true => format!("\\u{:04x}", u32::from(c)),
            false => c.to_string(),
        })
        .collect();
    place.replace('@', &quoted)
}

/// Runs commands on an input and returns the failures. If `turn` is set, runs one in [`sampling_interval`] commands.
/// Otherwise, runs all commands. In sampled test runs, however, each command runs for only one text, whose index must
/// be `number`.
fn command_findings(directory: &Path, number: usize, turn: Option<usize>) -> Vec<String> {
    let common = POSITIONS.first().unwrap();
    fs::create_dir_all(directory.join("other")).unwrap();
    fs::write(directory.join("other/common.yaml"), common).unwrap();
    fs::create_dir_all(directory.join("old/m")).unwrap();
    static RENDERED: OnceLock<String> = OnceLock::new();
    let rendered = RENDERED.get_or_init(|| feed(agentctl(directory).args(["render", "other"]), b"").stdout);
    fs::write(directory.join("other/rendered.yaml"), rendered).unwrap();
    fs::write(directory.join("old/.agentctl-files"), "m/gone\u{202e}.yaml\n").unwrap();
    let is_due = |i: usize| match turn {
        Some(turn) => i % sampling_interval() == turn % sampling_interval(),
        None => support::all_cases() || i % HOSTILE.len() == number,
    };
    let runs = RUNS.iter().enumerate().filter(|(i, _)| is_due(*i));
    let runs = runs.flat_map(|(_, (args, is_data))| {
        let run = feed(agentctl(directory).args(*args), b"");
        all_unsafe_lines(&run, *is_data, args)
    });
    runs.collect()
}

fn report(problems: impl ParallelIterator<Item = String>) {
    let problems: BTreeSet<_> = problems.collect();
    support::report(&problems.into_iter().collect::<Vec<_>>());
}

/// Runs every command once with all positions filled. Then, because one mistake may hide others, fills one position at
/// a time and runs some of the commands.
#[test]
fn manifest_text_has_no_side_effects() {
    let root = scratch("hostile-manifests");
    let (common, positions) = POSITIONS.split_first().unwrap();
    let inputs = HOSTILE.iter().enumerate().flat_map(|(number, text)| {
        let single_positions =
            positions.iter().enumerate().map(move |(i, place)| (number, Some(i), fill_position(place, text)));
        let all_positions = positions.iter().map(|place| fill_position(place, text));
        single_positions.chain([(number, None, all_positions.collect::<Vec<_>>().join("\n---\n"))])
    });
    let inputs: Vec<_> = inputs.collect();
    report(inputs.into_par_iter().enumerate().flat_map_iter(|(i, (number, turn, hostile))| {
        let directory = root.join(i.to_string());
        fs::create_dir_all(directory.join("in")).unwrap();
        fs::write(directory.join("in/common.yaml"), common).unwrap();
        fs::write(directory.join("in/hostile.yaml"), hostile).unwrap();
        command_findings(&directory, number, turn)
    }));
}

#[cfg(unix)]
#[test]
fn file_names_have_no_side_effects() {
    let root = scratch("hostile-files");
    report(HOSTILE.into_par_iter().enumerate().flat_map_iter(|(i, text)| {
        let directory = root.join(i.to_string());
        let inner = directory.join("in").join(text);
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join(format!("{text}.yaml")), POSITIONS[0]).unwrap();
        fs::write(inner.join(format!("{text}2.yaml")), format!("{}---\n- [", POSITIONS[0])).unwrap();
        let mut problems = command_findings(&directory, i, None);
        for args in [
            &["check", text][..],
            &["render", "other", "--output-dir", &format!("in/{text}/{text}.yaml")],
            &["diff", "other", "--against", text],
            &["tree", &format!("--{text}"), "x"],
            &["check", "other", "--deny", text],
            &["check", "other", "--labels", text],
            &["why", text, "-f", "other"],
            &["affected", "--since", text, "other"],
            &["config", text, "-f", "other"],
            &["config", "agent", "-f", "other", "--of", text],
            &["explain", text],
            &[text],
        ] {
            problems.extend(all_unsafe_lines(&feed(agentctl(&directory).args(args), b""), false, args));
        }
        problems
    }));
}

#[test]
fn settings_have_no_side_effects() {
    let root = scratch("hostile-settings");
    let settings = [
        "@: x",
        "flags: {@: x}",
        "flags: {namespace: @}",
        "flags: {output-dir: @}",
        "severity: {@: deny}",
        "severity: {warnings: @}",
        "inputs: [@]",
    ];
    let cases: Vec<_> = HOSTILE.iter().flat_map(|text| settings.map(|place| (*text, place))).collect();
    report(cases.into_par_iter().enumerate().flat_map_iter(|(i, (text, place))| {
        let directory = root.join(i.to_string());
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("agentctl.yaml"), fill_position(place, text)).unwrap();
        let runs: [&[&str]; 4] = [&["check"], &["render", "-v"], &["tree"], &["diff"]];
        let runs =
            runs.map(|args| all_unsafe_lines(&feed(agentctl(&directory).args(args), b""), args[0] == "render", args));
        runs.concat()
    }));
}

#[test]
fn cluster_objects_have_no_side_effects() {
    let directory = scratch("hostile-live");
    fs::write(directory.join("agent.yaml"), POSITIONS[0]).unwrap();
    let rendered = feed(agentctl(&directory).args(["render", "agent.yaml"]), b"").stdout;
    for (i, text) in HOSTILE.iter().enumerate() {
        let live = rendered
            .replace("replicas: 1", &fill_position("replicas: 1\n  hostile: {a: @, b: @, @: @}", text))
            .replace("type: Opaque", &fill_position("type: @", text));
        assert_ne!(live, rendered);
        fs::write(directory.join(format!("live{i}.yaml")), live).unwrap();
    }
    let cases = (0..HOSTILE.len()).into_par_iter().flat_map_iter(|i| {
        let live = format!("live{i}.yaml");
        let formats: [&[&str]; 3] = [&[], &["-o", "json"], &["--color", "always"]];
        let runs = formats.map(|format| {
            let args = [&["diff", "agent.yaml", "--against", live.as_str()], format].concat();
            let run = feed(agentctl(&directory).args(&args), b"");
            assert_eq!(run.status, Some(1), "{}", run.stderr);
            all_unsafe_lines(&run, false, &args)
        });
        runs.concat()
    });
    report(cases);
}
