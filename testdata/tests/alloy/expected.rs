//! Runs the cases for `--target alloy` in `testdata/alloy`, one per directory:
//!
//! ```text
//! input.yaml     input to render
//! flags          additional flags, if any
//! NAME.alloy     expected configuration in the Secret NAME
//! stderr         expected findings
//! ```
//!
//! `AGENTCTL_BLESS=1 cargo test --test all alloy` updates the expected files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use rayon::prelude::*;
use serde_json::Value;

/// Returns the configurations that a run prints, by Secret name, and the run's findings.
pub fn configurations(folder: &Path, input: &str, flags: &[String]) -> (BTreeMap<String, String>, String) {
    let args = ["render", input, "--target", "alloy", "-o", "json", "--message-format", "short"];
    let args = args.into_iter().chain(flags.iter().map(String::as_str));
    let run = support::run(folder, args, &[]);
    let mut by_name = BTreeMap::new();
    if run.status == Some(0) && !run.stdout.is_empty() {
        let list: Value = serde_json::from_str(&run.stdout).unwrap();
        for object in list["items"].as_array().unwrap() {
            if let Some(text) = object["data"]["config.alloy"].as_str() {
                let name = object["metadata"]["name"].as_str().unwrap();
                by_name.insert(name.to_owned(), decode_configuration(text));
            }
        }
    }
    (by_name, run.stderr)
}

/// Decodes a configuration from a Secret, and decompresses it if necessary.
pub fn decode_configuration(text: &str) -> String {
    decompress(&STANDARD.decode(text).unwrap())
}

fn decompress(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        std::io::read_to_string(GzDecoder::new(bytes)).unwrap()
    } else {
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

#[test]
fn every_case_matches_its_expected_output() {
    let mut failures = Vec::new();
    let own_cases = support::root().join("testdata/alloy");
    let own_cases: Vec<_> = rendered_cases().iter().filter(|case| case.folder.starts_with(&own_cases)).collect();
    assert!(own_cases.len() >= 22, "found only {} cases", own_cases.len());
    for Rendered { folder, configurations: actual, stderr } in own_cases {
        failures.extend(support::compare_or_update(&folder.join("stderr"), stderr).err());
        for (name, text) in actual {
            failures.extend(support::compare_or_update(&folder.join(format!("{name}.alloy")), text).err());
        }
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|extension| extension == "alloy") && !actual.contains_key(name) {
                failures.push(format!("{}: there is no such configuration", path.display()));
            }
        }
    }
    support::report(&failures);
}

/// A bug in `alloy convert`: a description, a case, a file in which agentctl avoids the bug, and the strings that the
/// file must and must not contain.
type Mistake = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// Known bugs in `alloy convert`.
const MISTAKES: [Mistake; 25] = [
    (
        "the names of older integrations in `job`",
        "integration-labels",
        "agent-integrations-deploy-config",
        &["replacement = \"integrations/redis_exporter\""],
        &["replacement = \"integrations/redis\""],
    ),
    (
        "a reference to a remote write that is missing",
        "converter-metrics",
        "agent-config",
        &["prometheus.remote_write \"monitoring_alone\" {"],
        &["forward_to = []"],
    ),
    (
        "lost settings of the write-ahead log",
        "converter-metrics",
        "agent-config",
        &["truncate_frequency = \"30m0s\"", "min_keepalive_time = \"1m0s\"", "max_keepalive_time = \"2h0m0s\""],
        &[],
    ),
    (
        "the agent's defaults of the write-ahead log",
        "converter-metrics",
        "agent-config",
        &["truncate_frequency = \"1h0m0s\"", "max_keepalive_time = \"4h0m0s\""],
        &[],
    ),
    (
        "fields that are lost silently",
        "converter-metrics",
        "stderr",
        &[
            "28:25: warning[lost-on-shutdown]: Alloy does not write staleness markers",
            "29:24: warning[lost-on-shutdown]: when Alloy stops, it sends pending samples for up to one minute",
        ],
        &[],
    ),
    (
        "the same label for two jobs",
        "converter-metrics",
        "agent-config",
        &[
            "prometheus.scrape \"podMonitor_monitoring_web_1_0\" {",
            "prometheus.scrape \"podMonitor_monitoring_web_1_0_2\" {",
        ],
        &[],
    ),
    (
        "a discovery for each job",
        "converter-metrics",
        "agent-config",
        &["discovery.kubernetes \"pods_monitoring\" {"],
        &["discovery.kubernetes \"pods_monitoring_2\" {"],
    ),
    (
        "rules that read a label which Alloy sets only behind them",
        "converter-metrics",
        "agent-config",
        &["target_label = \"__metrics_path__\""],
        &[],
    ),
    (
        "a slash in the label of logs",
        "converter-logs",
        "agent-logs-config",
        &["loki.write \"monitoring_primary\" {"],
        &["loki.write \"monitoring/"],
    ),
    (
        "`max_idle_duration` and `max_wait_time` of nothing, no time of ingestion",
        "converter-logs",
        "agent-logs-config",
        &["stage.multiline {", "stage.pack {", "metric.counter {"],
        &["max_idle_duration", "max_wait_time", "max_lines", "ingest_timestamp"],
    ),
    (
        "an integration that is scraped although its autoscrape is off",
        "converter-integrations",
        "agent-integrations-deploy-config",
        &["redis_addr = \"first:6379\""],
        &["prometheus.scrape"],
    ),
    (
        "the same label for two integrations of a kind",
        "converter-integrations",
        "agent-integrations-deploy-config",
        &["prometheus.exporter.redis \"first\" {", "prometheus.exporter.redis \"second\" {"],
        &[],
    ),
    (
        "a number of seconds as nanoseconds",
        "converter-integrations",
        "agent-integrations-deploy-config",
        &["probe_timeout_offset = \"2s\""],
        &[],
    ),
    (
        "a `false` that is not the default",
        "converter-integrations",
        "agent-integrations-deploy-config",
        &["nil_to_zero = false", "fips_disabled = false"],
        &[],
    ),
    (
        "positions that are lost once the instance is renamed",
        "converter-logs",
        "agent-logs-config",
        &["legacy_positions_file = \"/var/lib/grafana-agent/data/monitoring/primary.yml\""],
        &[],
    ),
    ("HTTP/1.1 where the agent sends HTTP/2", "converter-metrics", "agent-config", &["enable_http2 = true"], &[]),
    (
        "variables of the config-reloader as text",
        "converter-metrics",
        "agent-config",
        &["regex = sys.env(\"SHARD\")", "__replica__ = \"replica-\" + string.trim_prefix("],
        &["$(SHARD)", "$(STATEFULSET_ORDINAL_NUMBER)"],
    ),
    (
        "another job of events",
        "integrations",
        "agent-integrations-deploy-config",
        &["job_name = \"integrations/kubernetes/eventhandler\""],
        &[],
    ),
    (
        "values of Secrets as text",
        "credentials",
        "agent-config",
        &["local.file.monitoring_mimir_user.content"],
        &["hidden", "shop"],
    ),
    ("headers of requests that are lost", "credentials", "agent-config", &["\"X-Token\" = ["], &[]),
    (
        "the name of a user in a file that is lost",
        "refused",
        "agent-config",
        &["username = string.trim_space(convert.nonsensitive(local.file.files_username.content))"],
        &[],
    ),
    (
        "settings of a scrape that Alloy has, which end the whole",
        "every-additional-job",
        "agent-config",
        &["track_timestamps_staleness = true", "native_histogram_bucket_limit = 7"],
        &[],
    ),
    (
        "stages that do something else by default",
        "every-logs-field",
        "agent-logs-config",
        &["prefix = \"promtail_custom_\"", "trim_newlines = false", "action_on_duplicate_timestamp = \"keep\""],
        &[],
    ),
    (
        "settings of an integration that end the whole",
        "integrations",
        "stderr",
        &[
            "does not support `cache_path` in the `eventhandler` integration",
            "the metrics of `app_agent_receiver` are not collected",
        ],
        &[],
    ),
    (
        "an instance that is missing, which ends the whole",
        "integration-labels",
        "stderr",
        &["warning[unknown-instance]"],
        &[],
    ),
];

#[test]
fn avoids_mistakes_of_alloy_convert() {
    let mut failures = Vec::new();
    for (mistake, case, configuration, parts, others) in MISTAKES {
        let folder = support::root().join("testdata/alloy").join(case);
        let (mut texts, stderr) = configurations(&folder, "input.yaml", &[]);
        texts.insert("stderr".to_owned(), stderr);
        let text = &texts[configuration];
        // Attributes are padded for alignment, which is irrelevant here.
        let text: String = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let missing = parts.iter().filter(|part| !text.contains(**part));
        let wrong = others.iter().filter(|part| text.contains(**part));
        failures.extend(missing.map(|part| format!("{mistake}: {case} has no {part:?}")));
        failures.extend(wrong.map(|part| format!("{mistake}: {case} has {part:?}")));
    }
    support::report(&failures);
}

/// An argument, as described in the catalog.
struct Argument {
    kind: String,
    required: bool,
    default: Option<Value>,
}

type Specs = BTreeMap<String, BTreeMap<String, Argument>>;

/// Returns the arguments of the components and blocks that `catalog.txt` describes, by name.
fn catalog() -> Specs {
    let text = fs::read_to_string(support::root().join("src/output/alloy/write/catalog.txt")).unwrap();
    let mut specs = Specs::new();
    let mut body = "";
    let section = |body: &str| {
        let mut lines = text.lines().skip_while(|line| *line != body).skip(1);
        lines.by_ref().take_while(|line| line.starts_with('\t')).collect::<Vec<_>>()
    };
    let lines = text.lines().skip(1).flat_map(|line| match line.strip_prefix("\t+") {
        Some(shared) => section(shared),
        None => vec![line],
    });
    for line in lines {
        let Some(argument) = line.strip_prefix('\t') else {
            body = line;
            specs.entry(body.to_owned()).or_default();
            continue;
        };
        let ends = argument.find(" < ").into_iter().chain(argument.find(" ~ ")).chain(argument.find(" > "));
        let argument = &argument[..ends.min().unwrap_or(argument.len())];
        let (argument, default) = match argument.split_once(" = ") {
            Some((argument, default)) => (argument, Some(serde_json::from_str(default).unwrap())),
            None => (argument, None),
        };
        let mut words = argument.split(' ');
        let (name, kind) = (words.next().unwrap(), words.next().unwrap());
        let kind = kind.split_once(':').map_or(kind, |(kind, _)| kind).to_owned();
        let plain_name = name.trim_end_matches('!').to_owned();
        let required = plain_name != name;
        let argument = Argument { kind, required, default };
        specs.get_mut(body).unwrap().insert(plain_name, argument);
    }
    specs
}

/// Checks a configuration in canonical layout against the catalog, and returns the problems found.
fn check(text: &str, specs: &Specs) -> Vec<String> {
    let mut problems = Vec::new();
    // Body of each open block, and the names used in it.
    let mut open_blocks: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((i, line)) = lines.next() {
        let mut report_problem = |what: String| problems.push(format!("line {}: {what}: {line}", i + 1));
        let line = line.trim_start();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if line == "}" {
            let (body, names) = open_blocks.pop().unwrap();
            let required = specs[&body].iter().filter(|(_, argument)| argument.required);
            required
                .filter(|(name, _)| !names.contains(name))
                .for_each(|(name, _)| report_problem(format!("{body} needs {name}")));
            continue;
        }
        let name = line.split(' ').next().unwrap();
        let is_block = line.ends_with('{') && !line.contains(" = ") || line.ends_with("{ }");
        let Some((body, names)) = open_blocks.last_mut() else {
            if !specs.contains_key(name) {
                report_problem("unknown component".to_owned());
            }
            if !line.ends_with("{ }") {
                open_blocks.push((name.to_owned(), Vec::new()));
            }
            continue;
        };
        let body = body.clone();
        names.push(name.to_owned());
        let wildcard = name.split('.').next().unwrap();
        let inner_argument = specs[&body].get(name).or_else(|| match specs[&body].get(wildcard)?.kind.as_str() {
            "<stage>" => specs["stage"].get(name),
            "<metric>" => specs["metric"].get(name),
            _ => None,
        });
        let Some(Argument { kind, .. }) = inner_argument else {
            report_problem(format!("{body} has no {name}"));
            break;
        };
        let block_kind = kind.strip_prefix('{').and_then(|kind| kind.split('}').next());
        match (is_block, block_kind) {
            (true, Some(_)) if line.ends_with("{ }") => {}
            (true, Some(inner_argument)) => open_blocks.push((inner_argument.to_owned(), Vec::new())),
            (false, None) => {
                let value = line.split_once(" = ").unwrap().1;
                if !accepts_value(kind, value) {
                    report_problem(format!("{name} is a {kind}"));
                }
                let mut depth = support::bracket_depth(value);
                while depth > 0 {
                    depth += support::bracket_depth(lines.next().unwrap().1);
                }
            }
            _ => report_problem(format!("{name} is {kind}")),
        }
    }
    problems
}

/// Whether an argument of this kind accepts a value, judging by the value's first character.
fn accepts_value(kind: &str, value: &str) -> bool {
    let first = value.chars().next().unwrap();
    let is_valid_start = match first {
        '"' => ["text", "any-case", "secret", "yaml", "duration", "seconds", "size"].as_slice(),
        '[' => &["texts", "secrets", "numbers", "maps", "targets", "receivers"],
        '{' => &["map", "map-of-texts", "map-of-secrets"],
        '-' | '0'..='9' => &["number", "bytes"],
        _ if value == "true" || value == "false" => &["bool"],
        // Any other value is an expression, whose type is unknown.
        _ => return true,
    };
    is_valid_start.contains(&kind)
}

/// Returns the directories of all recorded cases that are compiled for Alloy, each with the file name of its input.
fn cases() -> Vec<(PathBuf, &'static str)> {
    let testdata = support::root().join("testdata");
    let conformance = support::folders(&testdata.join("conformance"));
    let cases = conformance.iter().flat_map(|folder| support::folders(folder));
    let cases = support::sample(cases, 2).into_iter().map(|folder| (folder, "input"));
    let own_cases = support::folders(&testdata.join("alloy")).into_iter().map(|folder| (folder, "input.yaml"));
    cases.chain(own_cases).collect()
}

/// A case and what `render` prints for it.
pub struct Rendered {
    pub folder: PathBuf,
    /// Configurations by Secret name.
    pub configurations: BTreeMap<String, String>,
    stderr: String,
}

/// Returns the cases, rendered once for all tests.
pub fn rendered_cases() -> &'static [Rendered] {
    static RENDERED: LazyLock<Vec<Rendered>> = LazyLock::new(|| {
        let rendered = cases().into_par_iter().map(|(folder, input)| {
            let flags = support::words(&folder.join("flags"));
            let (configurations, stderr) = configurations(&folder, input, &flags);
            Rendered { folder, configurations, stderr }
        });
        rendered.collect()
    });
    &RENDERED
}

#[test]
fn output_matches_the_catalog() {
    let specs = catalog();
    let results = rendered_cases().par_iter().map(|Rendered { folder, configurations: actual, .. }| {
        let problems = actual.values().flat_map(|text| check(text, &specs));
        let problems: Vec<_> = problems.map(|problem| format!("{}: {problem}", folder.display())).collect();
        (actual.len(), problems)
    });
    let results: Vec<_> = results.collect();
    let configurations: usize = results.iter().map(|(count, _)| count).sum();
    assert!(configurations > support::many_or_few(60, 40), "found only {configurations} configurations");
    support::report(&results.into_iter().flat_map(|(_, problems)| problems).collect::<Vec<_>>());
}

/// Compares a body in the catalog with Alloy's own description. `seen_components` contains the Go types already
/// compared.
fn compare<'j>(
    path: &str,
    component: &'j Value,
    name: &str,
    specs: &Specs,
    seen_components: &mut BTreeSet<&'j str>,
) -> Vec<String> {
    if !seen_components.insert(component["go_type"].as_str().unwrap()) {
        return Vec::new();
    }
    let (spec, mut problems) = (&specs[name], Vec::new());
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for (argument, facts) in component["attributes"].as_object().unwrap() {
        names.insert(argument);
        let Some(cataloged) = spec.get(argument) else { continue };
        if facts["required"] != cataloged.required {
            problems.push(format!("{path}.{argument}: required"));
        }
        // A block may inherit its default from the enclosing component, in which case the description contains `null`.
        let default = match path {
            // `UnmarshalAlloy` sets the default of `refresh_interval`, which is missing from the description.
            "discovery.http" if argument == "refresh_interval" => Some(Value::from("1m")),
            _ => facts.get("default").filter(|default| !is_zero(default)).cloned(),
        };
        if default.as_ref() != cataloged.default.as_ref().filter(|default| !default.is_null()) {
            problems.push(format!("{path}.{argument}: default {default:?}"));
        }
        let kinds: &[&str] = match facts["type"]["kind"].as_str().unwrap() {
            "string" => &["text", "any-case", "size"],
            "secret" => &["secret"],
            "optional_secret" => &["text", "secret", "yaml"],
            "number" => &["number", "size", "bytes"],
            "bool" => &["bool"],
            "duration" => &["duration", "seconds"],
            "list" => &["texts", "secrets", "numbers", "maps", "targets", "receivers"],
            "map" => &["map", "map-of-texts", "map-of-secrets"],
            _ => continue,
        };
        if !kinds.contains(&cataloged.kind.as_str()) {
            problems.push(format!("{path}.{argument}: {} is none of {kinds:?}", cataloged.kind));
        }
    }
    for (block, facts) in component["blocks"].as_object().unwrap() {
        let group = facts["enum"].as_str();
        names.insert(group.unwrap_or(block));
        let cataloged = match group {
            // A block whose name ends with `*` has the same blocks as the enclosing body.
            Some(_) if block.ends_with('*') => continue,
            Some(group) => &specs[group][block],
            None => match spec.get(block) {
                Some(cataloged) => cataloged,
                None => continue,
            },
        };
        let (inner, marks) = cataloged.kind.trim_start_matches('{').split_once('}').unwrap();
        let is_repeated = facts["repeatable"] == true || group.is_some();
        if is_repeated != marks.contains('*') || (facts["labeled"] == true) != marks.contains('"') {
            problems.push(format!("{path}.{block}: repeated or labeled"));
        }
        if facts["body"].is_object() {
            problems.extend(compare(&format!("{path}.{block}"), &facts["body"], inner, specs, seen_components));
        }
    }
    let known_arguments: BTreeSet<&str> = spec.keys().map(String::as_str).collect();
    problems
        .extend(names.symmetric_difference(&known_arguments).map(|name| format!("{path}: {name} is in one of both")));
    problems
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) => false,
    }
}

/// Compares the catalog with Alloy. `AGENTCTL_COMPONENTS` is the path of a file that describes the arguments of
/// Alloy's components.
#[test]
fn catalog_matches_alloy() {
    let Some(path) = std::env::var_os("AGENTCTL_COMPONENTS") else {
        return;
    };
    let facts: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (specs, mut seen_components, mut problems) = (catalog(), BTreeSet::new(), Vec::new());
    for name in specs.keys() {
        let component = facts["components"].get(name).or_else(|| facts["config_blocks"].get(name));
        if let Some(component) = component {
            problems.extend(compare(name, &component["arguments"], name, &specs, &mut seen_components));
        }
    }
    assert!(seen_components.len() > 200, "compared only {}", seen_components.len());
    support::report(&problems);
}
