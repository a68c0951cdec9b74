//! Tests of `agentctl config`: the configurations must be the same as the operator's, and every part of a configuration
//! must be traceable to the input and back.

use crate::support;
use crate::testing;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agentctl::admit;
use agentctl::api::ObjectRef;
use agentctl::compile::{self, CompileOptions};
use agentctl::input::{Input, ReadLimits, load};
use agentctl::insight::catalog::Catalog;
use agentctl::insight::source_map::{InputLines, SourceMap, TracedPart};
use agentctl::output::{AlloyDiscovery, Language, Target, agent, alloy};
use agentctl::plan::{ConfigKind, Plan, SecretRepresentation};
use agentctl::resolve::{self, inlined_values};
use agentctl::secrecy::mask_alloy;
use agentctl::source::Sources;
use agentctl::yaml::to_json;
use serde_json::Value;

/// Returns the cases that the operator rendered.
fn cases() -> Vec<PathBuf> {
    let root = support::root().join("testdata/conformance");
    let folders = support::folders(&root);
    let cases = folders.iter().flat_map(|folder| support::folders(folder));
    let cases: Vec<PathBuf> = cases.filter(|case| case.join("expected/objects.json").exists()).collect();
    assert!(cases.len() >= 50);
    cases
}

/// Returns the Secrets that contain configurations, each as the agent's namespace and name, the configuration type, and
/// the file with the expected configuration.
fn expected_configurations(case: &Path) -> Vec<(String, String, &'static str, PathBuf)> {
    const TYPES: [(&str, &str); 4] = [
        ("-integrations-deploy-config", "integrations-deploy"),
        ("-integrations-ds-config", "integrations-ds"),
        ("-logs-config", "logs"),
        ("-config", "metrics"),
    ];
    let objects = fs::read_to_string(case.join("expected/objects.json")).unwrap();
    let objects: Vec<Value> = serde_json::from_str(&objects).unwrap();
    let configuration = |object: &Value| {
        let reference = object.pointer("/data/agent.yml")?.as_str()?;
        let reference = reference.strip_prefix("gzip of ").unwrap_or(reference);
        let text = |path: &str| object.pointer(path)?.as_str();
        let (name, namespace) = (text("/metadata/name")?, text("/metadata/namespace")?);
        let (agent, kind) = TYPES.iter().find_map(|(end, kind)| Some((name.strip_suffix(end)?, *kind)))?;
        let file = case.join("expected").join(reference);
        Some((namespace.to_owned(), agent.to_owned(), kind, file))
    };
    objects.iter().filter_map(configuration).collect()
}

#[test]
fn configuration_matches_the_operator() {
    let compared_files = RefCell::new(BTreeSet::new());
    check_each_map_for(&Target::Agent, |configuration| {
        let agent = configuration.agent;
        let expected_files = expected_configurations(configuration.case).into_iter();
        let mut expected_files = expected_files.filter(|(namespace, name, kind, _)| {
            (namespace.as_str(), name.as_str(), *kind) == (agent.namespace, agent.name, kind_of(configuration.part))
        });
        let Some((.., file)) = expected_files.next() else {
            return vec!["is not expected".to_owned()];
        };
        let (expected_files, actual) = (fs::read_to_string(&file).unwrap(), configuration.exact_text());
        compared_files.borrow_mut().insert(file);
        let differs = expected_files != actual;
        differs.then(|| support::first_difference(&expected_files, &actual)).into_iter().collect()
    });
    let expected_files = cases_without_flags().flat_map(|case| expected_configurations(&case));
    let expected_files: BTreeSet<_> = expected_files.map(|(.., file)| file).collect();
    assert_eq!(
        expected_files.difference(&compared_files.take()).collect::<Vec<_>>(),
        Vec::<&PathBuf>::new(),
        "not rendered"
    );
}

fn kind_of(part: ConfigKind) -> &'static str {
    match part {
        ConfigKind::Metrics => "metrics",
        ConfigKind::Logs => "logs",
        ConfigKind::Integrations { all_nodes: false } => "integrations-deploy",
        ConfigKind::Integrations { all_nodes: true } => "integrations-ds",
    }
}

#[test]
fn config_prints_every_configuration() {
    let mut failures = Vec::new();
    let mut types = BTreeSet::new();
    let is_small = |case: &PathBuf| case.join("flags").exists() || case.ends_with("integrations");
    let (others, integrations): (Vec<_>, Vec<_>) =
        cases().into_iter().filter(is_small).partition(|case| case.join("flags").exists());
    for case in integrations.iter().chain(&support::sample(others, 2)) {
        for (namespace, agent, kind, file) in expected_configurations(case) {
            types.insert(kind);
            let name = format!("{namespace}/{agent}");
            let mut args =
                ["config", &name, "--type", kind, "-f", "input", "--show-secrets"].map(str::to_owned).to_vec();
            args.extend(support::words(&case.join("flags")));
            let masked = args.iter().filter(|arg| *arg != "--show-secrets");
            let masked = support::run(case, masked, b"").stdout;
            let run = support::run(case, args, b"");
            assert_eq!(masked.lines().count(), run.stdout.lines().count(), "{}", case.display());
            let expected = fs::read_to_string(&file).unwrap();
            if run.status != Some(0) || run.stdout != expected {
                let difference = support::first_difference(&expected, &run.stdout);
                failures.push(format!("{} {kind}: {difference} {}", case.display(), run.stderr));
            }
        }
    }
    assert!(types.len() >= support::many_or_few(3, 2), "{types:?}");
    support::report(&failures);
}

/// Calls `check` for every configuration of every target in the cases that have no flags, or in a sample of these
/// cases.
fn check_each_map(check: impl Fn(&Configuration<'_>) -> Vec<String>) {
    let cases = support::sample(cases_without_flags(), 3);
    for (_, target) in support::targets() {
        check_each_map_in(&cases, &target, &check);
    }
}

fn cases_without_flags() -> impl Iterator<Item = PathBuf> {
    cases().into_iter().filter(|case| !case.join("flags").exists())
}

/// Calls `check` for every configuration of `target` in the cases that have no flags.
fn check_each_map_for(target: &Target, check: impl Fn(&Configuration<'_>) -> Vec<String>) {
    check_each_map_in(&cases_without_flags().collect::<Vec<_>>(), target, check);
}

fn check_each_map_in(cases: &[PathBuf], target: &Target, check: impl Fn(&Configuration<'_>) -> Vec<String>) {
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in cases {
        let sources = load(&[Input::Path(case.join("input"))], &ReadLimits::default()).unwrap().output;
        let options = CompileOptions::default();
        let (documents, _) = compile::read(&sources, &options);
        let resources = admit::decode(&documents, "default").output;
        let hierarchies = resolve::resolve(&resources, &options.resolve).output;
        let catalog = Catalog::new(&documents, &resources, "default");
        for hierarchy in &hierarchies {
            for part in ConfigKind::non_empty_kinds(hierarchy) {
                let failures_of_map = check(&Configuration {
                    case,
                    agent: hierarchy.agent.object_ref(),
                    part,
                    is_alloy: target.language() == Language::Alloy,
                    text: write_configuration(Plan::new(hierarchy, &[part], &mut Vec::new()), part, target),
                    map: SourceMap::new(hierarchy, part, &catalog, &sources, target).output,
                    sources: &sources,
                    secrets: inlined_values(hierarchy).into_iter().map(|value| value.text.into_owned()).collect(),
                });
                count += 1;
                let at = |failure| format!("{} {part:?}: {failure}", case.display());
                failures.extend(failures_of_map.into_iter().take(3).map(at));
            }
        }
    }
    support::report(&failures);
    assert!(count >= 2 * cases.len() && count >= 35, "found only {count} configurations");
}

fn write_configuration(mut plan: Plan<'_>, part: ConfigKind, target: &Target) -> String {
    match target {
        Target::Agent => agent::text(&plan, part),
        Target::Alloy(settings) => {
            plan.take_credentials(false);
            let secrets = SecretRepresentation::Values;
            let text = concatenate(|pass| drop(alloy::write(&plan, part, settings, secrets, pass)));
            let traced_text = concatenate(|pass| {
                drop(alloy::write_traced(&plan, part, settings, secrets, &mut |text, _| pass(text)))
            });
            assert_eq!(text, traced_text, "what is written does not depend on who asks for its components");
            text
        }
    }
}

/// Concatenates the pieces that `pieces` produces.
fn concatenate(pieces: impl FnOnce(&mut dyn FnMut(&str))) -> String {
    let mut text = String::new();
    pieces(&mut |piece| text.push_str(piece));
    text
}

struct Configuration<'d> {
    case: &'d Path,
    agent: ObjectRef<'d>,
    part: ConfigKind,
    is_alloy: bool,
    text: String,
    map: SourceMap<'d, 'd>,
    sources: &'d Sources,
    secrets: Vec<String>,
}

impl Configuration<'_> {
    fn exact_text(&self) -> String {
        concatenate(|pass| _ = self.map.for_each_text(SecretRepresentation::Values, pass))
    }

    fn masked_text(&self) -> String {
        concatenate(|pass| _ = self.map.for_each_text(SecretRepresentation::Masked, pass))
    }

    fn entries(&self) -> Vec<TracedPart<'_>> {
        self.map.entries()
    }

    fn line_of_input(&self, file: &str, line: u32) -> Option<&str> {
        let mut sources = self.sources.iter().map(|(_, source)| source);
        let source = sources.find(|source| source.name == file)?;
        source.line(line).map(|(_, text)| text)
    }
}

/// Parses YAML, or returns `None` if it is invalid. The operator's library writes some strings in a form that cannot be
/// read back.
fn parse(text: &str) -> Option<Value> {
    let read = testing::read(text);
    let [document] = read.output.as_slice() else {
        return None;
    };
    read.diagnostics.is_empty().then(|| to_json(document.root()))
}

#[test]
fn source_comments_do_not_change_the_configuration() {
    check_each_map(|configuration| {
        let map = &configuration.map;
        let mut failures = Vec::new();
        let (exact, masked) = (configuration.exact_text(), configuration.masked_text());
        if exact != configuration.text {
            failures.push("the text differs from the one that is rendered".to_owned());
        }
        for (text, secrets) in [(&exact, SecretRepresentation::Values), (&masked, SecretRepresentation::Masked)] {
            let commented = concatenate(|pass| _ = map.for_each_commented_text(secrets, pass));
            match configuration.is_alloy {
                // Some masked configurations cannot be parsed. Adding comments must not change this.
                true if mask_alloy(text).is_some() != mask_alloy(&commented).is_some() => {
                    failures.push("it cannot be read".to_owned());
                }
                true => {}
                false => {
                    if parse(text) != parse(&commented) {
                        failures.push("our reader reads something else".to_owned());
                    }
                    let parse_yaml = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).ok();
                    if parse_yaml(text) != parse_yaml(&commented) {
                        failures.push("serde_yaml reads something else".to_owned());
                    }
                }
            }
            let is_comment = |line: &&str| ["# ", "// "].iter().any(|mark| line.trim_start().starts_with(mark));
            let without_comments =
                |text: &str| text.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n");
            if without_comments(&commented) != without_comments(text) {
                failures.push("more than comments was added".to_owned());
            }
        }
        failures
    });
}

/// Whether the first line of an origin matches its field: either the line contains the field's last key, or the field
/// is a list item. Keys chosen by users may be spelled differently.
fn shows(line: &str, entry: &TracedPart<'_>) -> bool {
    let path = &entry.source.path;
    let user_fields = [".config.", ".headers.", ".matchLabels."];
    if path.ends_with(']') || path.is_empty() || user_fields.iter().any(|key| path.contains(key)) {
        return true;
    }
    path.rsplit(['.', ']']).next().is_some_and(|key| line.contains(key))
}

/// Returns an evenly spaced sample.
fn sample<T>(all: impl ExactSizeIterator<Item = T>) -> impl Iterator<Item = T> {
    let step = all.len() / 300 + 1;
    all.step_by(step)
}

#[test]
fn every_origin_is_in_the_input() {
    check_each_map(|configuration| {
        let mut failures = Vec::new();
        for entry in &configuration.entries() {
            let source = &entry.source;
            let Some(line) = configuration.line_of_input(source.file, source.line) else {
                failures.push(format!("{source} is not a line of the input"));
                continue;
            };
            let has_end_line = configuration.line_of_input(source.file, source.end_line).is_some();
            if source.end_line < source.line || !has_end_line {
                failures.push(format!("{source} ends nowhere"));
            }
            if source.is_set && !shows(line, entry) {
                failures.push(format!("{source} is not to be seen in {line:?}"));
            }
        }
        failures
    });
}

#[test]
fn every_job_and_rule_has_an_origin() {
    check_each_map_for(&Target::Agent, |configuration| {
        let entries = configuration.entries();
        let traced_paths: BTreeSet<_> = entries.iter().map(|e| e.config.path.as_str()).collect();
        let mut parts = Vec::new();
        collect_items(&parse(&configuration.text).unwrap_or_default(), "", &mut parts);
        let missing = parts.iter().filter(|part| !traced_paths.contains(part.as_str()));
        missing.map(|part| format!("{part} has no origin")).collect()
    });
}

/// Collects the paths of the items generated from resources, both inside and outside additional scrape configurations.
fn collect_items(value: &Value, path: &str, items: &mut Vec<String>) {
    const LISTS: [&str; 8] = [
        "clients",
        "configs",
        "kubernetes_sd_configs",
        "metric_relabel_configs",
        "pipeline_stages",
        "relabel_configs",
        "remote_write",
        "scrape_configs",
    ];
    let is_generated = |job: &Value| {
        let name = job.get("job_name").and_then(Value::as_str).unwrap_or("podLogs/");
        ["serviceMonitor/", "podMonitor/", "probe/", "podLogs/"].iter().any(|kind| name.starts_with(kind))
    };
    for (key, inner) in value.as_object().into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        for (i, item) in inner.as_array().into_iter().flatten().enumerate() {
            if LISTS.contains(&key.as_str()) {
                items.push(format!("{path}[{i}]"));
                if is_generated(item) {
                    collect_items(item, &format!("{path}[{i}]"), items);
                }
            }
        }
        if key != "integrations" {
            collect_items(inner, &path, items);
        }
    }
}

/// Component statements without an origin: the component, the statement, and the reason.
const WITHOUT_ORIGIN: &[(&str, &str, &str)] = &[
    ("discovery.kubernetes", "role", "each kind of monitor has its own"),
    ("discovery.kubernetes", "selectors", "each pod reads the logs of its node"),
    ("loki.process", "forward_to", "it refers to a component"),
    ("loki.source.file", "targets", "it refers to a component"),
    ("loki.source.file", "forward_to", "it refers to a component"),
    ("loki.source.file", "legacy_positions_file", "it is named after the instance"),
    ("loki.source.kubernetes_events", "job_name", "it is the same for all"),
    ("prometheus.exporter.redis", "redis_addr", "Alloy needs it, and the integration has none"),
    ("prometheus.relabel", "forward_to", "it refers to a component"),
    ("prometheus.scrape", "targets", "it refers to a component"),
    ("prometheus.scrape", "forward_to", "it refers to a component"),
    ("prometheus.scrape", "job_name", "it is named after the resource"),
    ("prometheus.scrape", "metrics_path", "a Probe has another default"),
    ("prometheus.scrape", "params", "a Probe has an empty module"),
];

const ALLOY: Target = Target::Alloy(alloy::AlloySettings {
    image: String::new(),
    has_files_of_credentials: true,
    is_public: false,
    discovery: AlloyDiscovery::Static,
});

#[test]
fn masked_configurations_have_the_same_number_of_lines() {
    check_each_map(|configuration| {
        let (exact, masked) = (configuration.exact_text(), configuration.masked_text());
        let mut failures = Vec::new();
        if exact.lines().count() != masked.lines().count() {
            failures.push(support::first_difference(&exact, &masked));
        }
        failures
    });
}

#[test]
fn every_alloy_statement_has_an_origin() {
    let used_exemptions = std::cell::RefCell::new(BTreeSet::new());
    check_each_map_for(&ALLOY, |configuration| {
        let entries = configuration.entries();
        let end_line = entries.first().map(|entry| entry.config.end_line);
        let lines = configuration.exact_text().lines().count();
        assert_eq!(end_line, u32::try_from(lines).ok(), "the agent's own part");
        // The entry for the whole configuration is excluded, because it would cover every line.
        let known_origins = entries.iter().filter(|entry| !entry.config.path.is_empty());
        let known_origins: std::collections::BTreeMap<_, _> =
            known_origins.map(|e| (e.config.line, e.source.resource.kind)).collect();
        let mut failures = Vec::new();
        // Whether each block that encloses the current line has an origin. The outermost block is a component.
        let mut open_blocks: Vec<bool> = Vec::new();
        let mut component = "";
        let mut lines = (1..).zip(configuration.text.lines());
        while let Some((number, line)) = lines.next() {
            let line = line.trim_start();
            if line.starts_with("//") {
                continue;
            }
            let name = line.split(' ').next().unwrap_or_default();
            let has_origin = known_origins.contains_key(&number);
            if open_blocks.is_empty() {
                component = name;
            }
            match line {
                "" => continue,
                "}" => {
                    open_blocks.pop();
                    continue;
                }
                _ => {}
            }
            let is_covered = has_origin || open_blocks.iter().skip(1).any(|has| *has);
            let reason = WITHOUT_ORIGIN
                .iter()
                .find(|(known_origins, statement, _)| (*known_origins, *statement) == (component, name));
            match reason {
                _ if is_covered => {}
                Some(reason) => drop(used_exemptions.borrow_mut().insert(reason)),
                None => failures.push(format!("line {number} of {component} comes from nowhere: {line}")),
            }
            let is_block = line.ends_with('{') && !line.contains(" = ");
            if is_block {
                // Lines of a component generated from a Secret have no origins.
                let is_of_secret =
                    open_blocks.is_empty() && known_origins.get(&number) == Some(&agentctl::api::Kind::Secret);
                open_blocks.push(is_covered || reason.is_some());
                if is_of_secret {
                    while lines.next().is_some_and(|(_, line)| line != "}") {}
                    open_blocks.clear();
                }
            } else if !line.ends_with("{ }") {
                let mut depth = support::bracket_depth(line);
                while depth > 0 {
                    depth += support::bracket_depth(lines.next().unwrap().1);
                }
            }
        }
        failures
    });
    let unused_exemptions: Vec<_> =
        WITHOUT_ORIGIN.iter().filter(|reason| !used_exemptions.borrow().contains(reason)).collect();
    assert!(unused_exemptions.is_empty(), "{unused_exemptions:?}");
}

#[test]
fn maps_lines_to_sources_and_back() {
    check_each_map(|configuration| {
        let map = &configuration.map;
        let mut failures = Vec::new();
        let entries = configuration.entries();
        let lines = |entry: &TracedPart<'_>| entry.config.line..=entry.config.end_line;
        let samples: Vec<_> = sample(0..configuration.exact_text().lines().count())
            .filter_map(|line| {
                let line = line as u32 + 1;
                let mut inner_first = entries.iter().rev();
                let entry = inner_first.find(|entry| lines(entry).contains(&line))?;
                entry.source.is_set.then_some((line, entry))
            })
            .collect();
        // Each lookup walks the whole configuration, so the lines of a long configuration are sampled.
        let max_samples = support::many_or_few(12, 4);
        let samples: Vec<_> = samples.iter().step_by(samples.len() / max_samples + 1).collect();
        let queries: Vec<_> = samples
            .iter()
            .map(|(_, entry)| {
                let line = InputLines::Line { file: entry.source.file, line: entry.source.line, otherwise: Vec::new() };
                [line, InputLines::Resource(entry.source.resource)]
            })
            .collect();
        let all_queries = queries.iter().flatten();
        let answers: Vec<_> =
            all_queries.map(|lines| configuration.map.parts_made_from(std::slice::from_ref(lines))).collect();
        for ((line, entry), answers) in samples.iter().zip(answers.chunks(2)) {
            let leads_back = |answer: &Vec<TracedPart<'_>>| answer.iter().any(|entry| lines(entry).contains(line));
            if !leads_back(&answers[0]) {
                failures.push(format!("line {line} comes from {}, but not back", entry.source));
            }
            if !leads_back(&answers[1]) {
                failures.push(format!("line {line} is not among those of {}", entry.source.resource));
            }
        }
        for (line, entry) in samples {
            let part = map.part_at_line(*line).map(|part| (part.config, part.source));
            if part.as_ref() != Some(&(entry.config.clone(), entry.source.clone())) {
                failures.push(format!("line {line} comes from something else"));
            }
        }
        failures
    });
}

#[test]
fn masking_keeps_lines_and_hides_values() {
    check_each_map(|configuration| {
        let masked = configuration.masked_text();
        let mut failures = Vec::new();
        if masked.lines().count() != configuration.text.lines().count() {
            failures.push("the number of lines differs".to_owned());
        }
        let differing = configuration.text.lines().zip(masked.lines()).filter(|(a, b)| a != b);
        failures.extend(
            differing
                .filter(|(_, masked)| !masked.contains("***") && !masked.ends_with('|'))
                .map(|(line, _)| format!("{line:?} was changed")),
        );
        let is_shown = |secret: &&String| secret.len() > 5 && masked.contains(secret.as_str());
        failures.extend(configuration.secrets.iter().filter(is_shown).map(|_| "shows a value".to_owned()));
        failures
    });
}

#[test]
fn masked_values_keep_their_line_count() {
    let input = support::scratch("config-lines").join("all.yaml");
    fs::write(
        &input,
        "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec:
  remoteWrite:
  - url: http://one
    basicAuth: {username: {name: s, key: several}, password: {name: s, key: several}}
  - url: http://two
    basicAuth: {username: {name: s, key: one}, password: {name: s, key: one}}
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: ns}
stringData: {several: \"first\\nsecond\\n\\n\", one: \"only\\n\"}
",
    )
    .unwrap();
    let run = |flags: &[&str]| {
        let args = ["config", "-f"].iter().copied().chain([input.to_str().unwrap()]);
        let run = support::run(support::root(), args.chain(flags.iter().copied()), b"");
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        run.stdout
    };
    let (masked, exact) = (run(&[]), run(&["--show-secrets"]));
    assert!(exact.contains("first\n") && exact.contains("only\n"), "{exact}");
    for secret in ["first", "second", "only"] {
        assert!(!masked.contains(secret), "{masked}");
    }
    let line = |text: &str| text.lines().position(|line| line.contains("http://two"));
    assert_eq!(line(&masked), line(&exact));
}

#[test]
fn sources_point_to_the_manifest_of_their_resource() {
    check_each_map(|configuration| {
        let mut failures = Vec::new();
        for entry in sample(configuration.entries().iter()) {
            let ObjectRef { kind, name, .. } = entry.source.resource;
            let (file, line) = (entry.source.file, entry.source.line);
            let lines_above = (1..=line).rev().map_while(|line| configuration.line_of_input(file, line));
            let lines_below = (line..).map_while(|line| configuration.line_of_input(file, line));
            let document: Vec<_> = lines_above
                .take_while(|line| *line != "---")
                .chain(lines_below.take_while(|line| *line != "---"))
                .collect();
            let contains = |text: &str| document.iter().any(|line| line.contains(text));
            if !contains(kind.as_str()) || !contains(name) {
                failures.push(format!("{} does not stand at {file}:{line}", entry.source.resource));
            }
        }
        failures
    });
}

#[test]
fn treats_existing_names_as_paths() {
    let folder = support::scratch("config-path");
    fs::create_dir(folder.join("manifests")).unwrap();
    for (command, flags) in [("config", &[][..]), ("targets", &[]), ("shards", &["--shards", "5"])] {
        let args = [&[command, "manifests", "--message-format", "short"], flags].concat();
        let run = support::run(&folder, args, b"");
        assert!(run.stderr.contains("`manifests` contains no `.yaml`"), "{command}: {}", run.stderr);
    }
}

/// Tests lookups of sources by line, path and name. Each row of the printed table is compared word by word.
#[test]
fn looks_up_sources_by_line_path_and_name() {
    let folder = support::root().join("testdata/quickstart");
    let endpoint = "metrics 10-70 metrics.configs[0].scrape_configs[0] shop.yaml:12-13 ServiceMonitor/shop/checkout spec.endpoints[0]";
    let scrape_interval = "metrics 70 metrics.configs[0].scrape_configs[0].scrape_interval shop.yaml:13 ServiceMonitor/shop/checkout spec.endpoints[0].interval";
    let probe = "metrics 71-95 metrics.configs[0].scrape_configs[1] shop.yaml:15-29 Probe/shop/front-page .";
    let pod_logs = "logs 12-52 logs.configs[0].scrape_configs[0] shop.yaml:31-45 PodLogs/shop/checkout .";
    let level = "logs 24 logs.configs[0].scrape_configs[0].pipeline_stages[2].labels.level shop.yaml:45 PodLogs/shop/checkout spec.pipelineStages[2].labels.level";
    let node = "integrations-ds 6-8 integrations.node_exporter_configs[0] agent.yaml:67-70 Integration/monitoring/node spec.config";
    let password = "logs 5 logs.configs[0].clients[0].basic_auth.password agent.yaml:53 LogsInstance/monitoring/primary spec.clients[0].basicAuth.password";
    let username = "logs 6 logs.configs[0].clients[0].basic_auth.username agent.yaml:52 LogsInstance/monitoring/primary spec.clients[0].basicAuth.username";
    let server = "metrics 101 server agent.yaml:7-21 GrafanaAgent/monitoring/agent spec";
    let logs = ["--type", "logs"];
    for (args, rows) in [
        (&["--of", "shop.yaml:13"][..], &[scrape_interval][..]),
        (&["--of", "./shop.yaml:13"], &[scrape_interval]),
        // Nothing is generated from line 9, so the whole resource is looked up.
        (&["--of", "shop.yaml:9"], &[endpoint]),
        (&["--of", "shop.yaml:45"], &[level]),
        // Only one file in the directory has at least 60 lines.
        (&["--of", ".:60"], &[node]),
        (&["--of", "shop.yaml"], &[endpoint, probe, pod_logs]),
        (&["--of", "shop.yaml", logs[0], logs[1]], &[pod_logs]),
        (&["--of", "servicemonitor/shop/checkout"], &[endpoint]),
        (&["--of", "credentials.yaml:7", logs[0], logs[1]], &[password, username]),
        (&["--of", "secret/credentials", logs[0], logs[1]], &[password, username]),
        (&["--line", "101", "--type", "metrics"], &[server]),
    ] {
        let run = support::run(&folder, [&["config", "-f", "."], args].concat(), b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let actual: Vec<_> = run.stdout.lines().map(words).collect();
        assert_eq!(actual, [&["TYPE LINES PART SOURCE RESOURCE FIELD"], rows].concat(), "{args:?}");
    }
    let no_match_note = |of| {
        format!(
            "note: nothing in the configuration of GrafanaAgent/monitoring/agent (metrics, logs, integrations-ds) comes from {of}\n"
        )
    };
    for (args, status, message) in [
        (["--of", "shop.yaml:1"], 0, no_match_note("shop.yaml:1")),
        (["--of", "shop.yaml:46"], 0, no_match_note("shop.yaml:46")),
        (["--of", "shop.yaml:47"], 2, "error: cannot read `shop.yaml`: line 47 does not exist\n".to_owned()),
        (["--of", ".:99"], 2, "error: cannot read `.`: line 99 does not exist\n".to_owned()),
        (["--line", "102"], 2, "error: cannot read `agent.yml`: line 102 does not exist\n".to_owned()),
    ] {
        let run = support::run(&folder, [&["config", "-f", "."][..], &args].concat(), b"");
        let actual = (run.status, run.stdout.as_str(), run.stderr.as_str());
        assert_eq!(actual, (Some(status), "", message.as_str()), "{args:?}");
    }
    let other_types_note = "note: this is the metrics configuration; GrafanaAgent/monitoring/agent also has logs, integrations-ds: choose one with --type\n";
    let run = support::run(&folder, ["config", "-f", ".", "--line", "101", "-o", "json"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), other_types_note));
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = serde_json::json!({
        "agent": "monitoring/agent",
        "entries": [{
            "config": {"type": "metrics", "path": "server", "line": 101, "endLine": 101},
            "source": {
                "file": "agent.yaml",
                "line": 7,
                "endLine": 21,
                "resource": "GrafanaAgent/monitoring/agent",
                "path": "spec",
            },
        }],
    });
    assert_eq!(answer, expected);
}
