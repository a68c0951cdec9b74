//! Compares the results of random relabeling rules on unusual labels with those of `promtool check service-discovery`.
//! `promtool` is part of Debian's `prometheus` package; if it is not installed, the test is skipped.
//!
//! `AGENTCTL_RELABELINGS=2000 cargo test --test all relabel` tests more lists of rules.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use agentctl::targets::relabel::{Config, Labels, RuleCompiler, relabel};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::support;
use crate::support::mutate::Random;

/// Number of rule lists in an ordinary run.
const DEFAULT_LISTS: usize = 24;
const TARGETS_PER_LIST: usize = 12;
const NAMES: [&str; 8] = ["a", "b", "job", "__tmp", "__meta_x_y", "Ab_1", "instance", "team"];
const VALUES: [&str; 24] = [
    "a",
    "foo",
    "FOO",
    "foo\nbar",
    "line\n",
    "Straße",
    "ΌΣΟΣ",
    "İIıi",
    "ﬁ ǅ ᾳ",
    "10.0.0.1:80",
    "[fd00::1]:9",
    "a;b",
    "$1",
    "${1}$$",
    "web-5d4f-x2x",
    "  spaced ",
    "k",
    "K",
    "0",
    "42",
    "x.y.z",
    "é\u{301}",
    "日本",
    "_-/",
];
const EXPRESSIONS: [&str; 44] = [
    "(.*)",
    ".*",
    "(.+)",
    ".+",
    "",
    "a",
    "foo|bar",
    "foo.*",
    "(?i)FOO",
    "(?s).*",
    "(?s)(.*)\n(.*)",
    "([a-z]+)",
    "(\\w+)-(.*)",
    "(?P<name>[^:]+):(?P<port>\\d+)",
    "\\Qa;b\\E",
    "[[:alpha:]]+",
    "\\p{Lu}+",
    "\\pL*",
    "\\P{L}+",
    "[^\\p{Greek}]*",
    "(a|b)?(.*)",
    "(x*)(y*)(.*)",
    "(.*?)([0-9]*)",
    "a{0,3}.*",
    "\\d+",
    "\\D*",
    "\\S+",
    "(?U)(a+)(.*)",
    "(?i:k)",
    "\\x61|\\141",
    "[\\]a-c_]*",
    "(?m)^foo$|a",
    "(?i)straße",
    "\\bfoo\\b",
    "(.+);(.+)",
    "(.*);?(.*)",
    "[a-zé-ü;]+",
    "(|a)(.*)",
    "((a)|(b)|(.))*",
    "a(?i)b*|.*K",
    "\\$.*",
    "foo\\z",
    "{.*",
    ".{1,4}",
];
const TEMPLATES: [&str; 14] =
    ["$1", "${1}", "$1x", "${1}x", "$$1", "$name:$port", "$2$1", "plain", "$", "", "$0", "${name}_", "$1;$2", "a$é"];
const TARGET_LABELS: [&str; 8] = ["a", "new", "job", "__tmp", "l_$1", "${1}", "$name", "instance"];

fn rule(random: &mut Random) -> Value {
    let actions = [
        "replace",
        "replace",
        "Replace",
        "replace",
        "keep",
        "drop",
        "hashmod",
        "labelmap",
        "labeldrop",
        "labelkeep",
        "lowercase",
        "uppercase",
        "keepequal",
        "dropequal",
    ];
    let action = random.pick(&actions);
    let mut rule = Map::new();
    rule.insert("action".to_owned(), json!(action));
    let mut set_field = |key: &str, value: Value| drop(rule.insert(key.to_owned(), value));
    let sources: Vec<_> = (0..random.below(4)).map(|_| random.pick(&NAMES)).collect();
    match action {
        "labelmap" => {
            set_field("regex", json!(random.pick(&["(.+)", "(a|b|job|new)", "(__.+)", "(?i)(A.*)", "(.*)_([^_]*)"])));
            set_field("replacement", json!(random.pick(&["m_$1$2", "${1}_$2", "x$1$2", "one", "$2"])));
            return rule.into();
        }
        "labeldrop" => {
            set_field("regex", json!(random.pick(&["a", "[ab]", "team|job", "__tmp.*", "(?i)AB.*"])));
            return rule.into();
        }
        "labelkeep" => {
            set_field("regex", json!(random.pick(&["__.*|[a-j].*", "__.*|(?i)[a-t].*", "__(?:a|m|s).*|a"])));
            return rule.into();
        }
        _ => set_field("source_labels", json!(sources)),
    }
    match action {
        "keepequal" | "dropequal" => set_field("target_label", json!(random.pick(&NAMES))),
        "hashmod" => {
            set_field("target_label", json!("hash"));
            set_field("modulus", json!(random.below(7) + 1));
        }
        "lowercase" | "uppercase" => set_field("target_label", json!(random.pick(&["a", "new", "b"]))),
        _ => {
            if random.below(4) > 0 {
                set_field("regex", json!(random.pick(&EXPRESSIONS)));
            }
            if random.below(4) == 0 {
                set_field("separator", json!(random.pick(&["", "-", "\n", ";;"])));
            }
            if !matches!(action, "keep" | "drop") {
                set_field("target_label", json!(random.pick(&TARGET_LABELS)));
                if random.below(3) > 0 {
                    set_field("replacement", json!(random.pick(&TEMPLATES)));
                }
            }
        }
    }
    rule.into()
}

fn configuration(number: usize) -> Value {
    let mut random = Random::new(number as u64 * 7919 + 1);
    let groups: Vec<_> = (0..TARGETS_PER_LIST)
        .map(|target| {
            let labels: Map<_, _> =
                (0..random.below(6)).map(|_| (random.pick(&NAMES).to_owned(), json!(random.pick(&VALUES)))).collect();
            json!({"targets": [format!("10.0.0.{target}:80")], "labels": labels})
        })
        .collect();
    let rules: Vec<_> = (0..1 + random.below(6)).map(|_| rule(&mut random)).collect();
    json!({"scrape_configs": [{"job_name": "j", "static_configs": groups, "relabel_configs": rules}]})
}

fn config(rule: &Value) -> Config<'_> {
    let text = |key: &str| rule[key].as_str().map(Into::into);
    Config {
        source_labels: rule["source_labels"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|label| label.as_str().unwrap().into())
            .collect(),
        separator: text("separator"),
        regex: text("regex"),
        modulus: rule["modulus"].as_u64().unwrap_or_default(),
        target_label: text("target_label").unwrap_or_default(),
        replacement: text("replacement"),
        action: text("action"),
    }
}

/// Returns the labels that the target with this address has before relabeling.
fn initial_labels(configuration: &Value, address: &Value) -> Option<Map<String, Value>> {
    let groups = configuration["scrape_configs"][0]["static_configs"].as_array()?;
    let group = groups.iter().find(|group| group["targets"][0] == *address)?;
    let mut labels = group["labels"].as_object()?.clone();
    labels.insert("__address__".to_owned(), address.clone());
    let defaults = [
        ("job", "j"),
        ("__scheme__", "http"),
        ("__metrics_path__", "/metrics"),
        ("__scrape_interval__", "1m"),
        ("__scrape_timeout__", "10s"),
    ];
    for (name, value) in defaults {
        labels.entry(name).or_insert_with(|| json!(value));
    }
    Some(labels)
}

/// Returns the number of compared targets and the differences for a list of rules, or `None` if Prometheus rejects it.
fn differences(number: usize, folder: &Path) -> Option<(usize, Vec<String>)> {
    let configuration = configuration(number);
    let file = folder.join(format!("{number}.json"));
    fs::write(&file, configuration.to_string()).unwrap();
    let result = [200, 2000, 10_000].into_iter().find_map(|milliseconds| {
        let mut promtool = Command::new("promtool");
        promtool.args(["check", "service-discovery", &format!("--timeout={milliseconds}ms")]);
        let output = promtool.arg(&file).arg("j").output().unwrap();
        let is_rejected = String::from_utf8_lossy(&output.stderr).contains("Cannot load config");
        let targets_json: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let is_complete = targets_json.as_array().is_some_and(|targets_json| targets_json.len() == TARGETS_PER_LIST);
        (is_rejected || is_complete).then_some((is_rejected, targets_json))
    });
    let (is_rejected, targets_json) = result.unwrap();
    let rules = configuration["scrape_configs"][0]["relabel_configs"].as_array().unwrap();
    if is_rejected {
        return None;
    }
    let mut compiler = RuleCompiler::default();
    let compiled_rules: Vec<_> = rules.iter().map(|rule| compiler.rule(config(rule)).unwrap()).collect();
    let (mut compared_count, mut differences) = (0, Vec::new());
    for target in targets_json.as_array().unwrap() {
        let labels = |value: &Value| -> Map<String, Value> { value.as_object().cloned().unwrap_or_default() };
        // Only the address in `discoveredLabels` is reliable: by the time promtool prints the other labels, the rules
        // have already overwritten them in memory.
        let Some(discovered) = initial_labels(&configuration, &target["discoveredLabels"]["__address__"]) else {
            continue;
        };
        if target.get("error").is_some() {
            continue;
        }
        compared_count += 1;
        let mut labels_of_target: Labels<'_> =
            discovered.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
        let expected = labels(&target["labels"]);
        let mut actual: Map<String, Value> = match relabel(&compiled_rules, &mut labels_of_target) {
            Some(_) => Map::new(),
            None => labels_of_target.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect(),
        };
        actual.retain(|name, _| !name.starts_with("__meta_"));
        if !actual.is_empty() && !actual.contains_key("instance") {
            actual.insert("instance".to_owned(), actual["__address__"].clone());
        }
        if actual != expected {
            differences.push(format!(
                "{}\n  {}\n  {} expected\n  {}",
                json!(rules),
                json!(discovered),
                json!(expected),
                json!(actual)
            ));
        }
    }
    Some((compared_count, differences))
}

#[test]
fn rules_behave_like_prometheus() {
    if !support::has_program("promtool", "relabeling rules") {
        return;
    }
    let count = env::var("AGENTCTL_RELABELINGS").map_or(DEFAULT_LISTS, |count| count.parse().unwrap());
    let folder = support::scratch("relabel");
    // promtool is idle most of the time, so more promtool processes than processors can run.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    let actual: Vec<_> =
        pool.install(|| (0..count).into_par_iter().map(|number| differences(number, &folder)).collect());
    let judged_count = actual.iter().flatten().count();
    assert!(judged_count * 10 > count * 7, "promtool refuses too many: {judged_count} of {count} were judged");
    let compared_count: usize = actual.iter().flatten().map(|(compared_count, _)| compared_count).sum();
    assert!(
        compared_count * 10 > judged_count * TARGETS_PER_LIST * 7,
        "only {compared_count} targets of {judged_count} lists were compared"
    );
    support::report(&actual.into_iter().flatten().flat_map(|(_, differences)| differences).collect::<Vec<_>>());
}
