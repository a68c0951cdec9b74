//! Rules that apply to all of an agent's Integrations together, and to the instances that they send to.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexSet;

use super::identity::identity;
use super::{files, times};
use crate::api::core::embedded;
use crate::api::{Integration, Kind, ObjectRef, Relation, Resource, Resources};
use crate::check::causes;
use crate::check::rule::RuleInput;
use crate::check::variables::Expansion;
use crate::diagnostic::listed::first_of;
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath, ObjectKey, Severity};
use crate::go::envsubst::{self, KnownVariable};
use crate::output::Target;
use crate::programs::integrations;
use crate::resolve::Hierarchy;
use crate::yaml::{Node, NodeValue};

type IntegrationRef<'r, 'd> = &'r Resource<'d, Integration<'d>>;

/// Checks an agent's Integrations against each other and against the agent's instances.
pub fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let resources = input.resources;
    let mut findings = find_duplicates(hierarchy, matches!(input.conditions.target, Target::Agent));
    let mut known_instances = KnownInstances::new(resources, hierarchy);
    for integration in &hierarchy.integrations {
        let autoscrape = integration.root.at("spec.config").and_then(autoscrape);
        check_instances(integration, autoscrape, &mut known_instances, &mut findings);
        let times = |autoscrape| times::check(integration, autoscrape, hierarchy, &resources.rejected_fields);
        findings.extend(autoscrape.and_then(times));
    }
    report_dropped_mounts(hierarchy, &mut findings);
    files::check(hierarchy, &resources.rejected_fields, &mut findings);
    findings
}

/// Reports Integrations that cannot be combined. An agent does not start with two instances of a singleton, or with two
/// integrations that have the same identity (`controller.UpdateController`). `spec.type.unique` also declares a
/// singleton, but the operator does not enforce it. Alloy distinguishes integrations by their labels.
fn find_duplicates(hierarchy: &Hierarchy<'_, '_>, needs_identities: bool) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    // The first Integration with each name and type. Later ones may conflict with it.
    let mut firsts = HashMap::<_, Vec<IntegrationRef<'_, '_>>>::new();
    let mut identities = HashMap::new();
    for &second in &hierarchy.integrations {
        let name = second.spec.name;
        let firsts = firsts.entry(name).or_default();
        let first = firsts.iter().find_map(|&first| Some((first, conflict(first, second)?)));
        if firsts.iter().all(|first| first.spec.r#type != second.spec.r#type) {
            firsts.push(second);
        }
        let identity = identity(name, second.root.at("spec.config")).filter(|_| needs_identities);
        let namesake = identity.and_then(|identity| {
            let first = *identities.entry((name, second.spec.r#type.all_nodes, identity)).or_insert(second);
            (!std::ptr::eq(first, second)).then_some(first)
        });
        let (first, why, help) = match (first, namesake) {
            (Some((first, why)), _) => (
                first,
                why,
                "change the agent's `spec.integrations.selector` so that it selects only one of them, or combine them into one resource",
            ),
            (None, Some(first)) => (
                first,
                " with the same `instance`, so the agent does not start",
                "give each of them a different `instance`",
            ),
            (None, None) => continue,
        };
        let message = format!(
            "Integrations `{}` and `{}` of agent `{}` both configure `{name}`{why}",
            first.meta.full_name(),
            second.meta.full_name(),
            hierarchy.agent.meta.name,
        );
        let path = FieldPath::parse("spec.name");
        let finding = second
            .labeled_finding(Code::DuplicateIntegration, &path, message, "configured again")
            .label(first.locate(&path), "first configured here")
            .help(help);
        findings.push(finding);
    }
    findings
}

/// Returns the reason that two Integrations with the same name cannot be combined, or `None` if they can. Integrations
/// that run on every node have a separate configuration.
fn conflict(first: IntegrationRef<'_, '_>, second: IntegrationRef<'_, '_>) -> Option<&'static str> {
    let (a, b) = (first.spec.r#type, second.spec.r#type);
    let is_single = integrations::find(second.spec.name).is_some_and(|entry| entry.is_single);
    if is_single && a.all_nodes == b.all_nodes {
        Some(", which the agent allows only once")
    } else {
        (a.unique || b.unique).then_some(", and at least one of them sets `spec.type.unique`")
    }
}

/// Reports mounts that the operator silently drops, because an earlier mount in the same pods has the same path or
/// volume (`mergePodTemplateOptions`). Integrations that run on every node share one set of pods, and all other
/// Integrations share a second one.
fn report_dropped_mounts(hierarchy: &Hierarchy<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let (mut volumes, mut paths) = (BTreeMap::new(), BTreeMap::new());
    for &integration in &hierarchy.integrations {
        let (namespace, name) = (integration.meta.namespace, integration.meta.name);
        let all_nodes = integration.spec.r#type.all_nodes;
        for (i, mount) in integration.spec.volume_mounts.iter().enumerate() {
            let (volume_files, path) = (embedded::name(mount), embedded::text_field(mount, "mountPath"));
            let volume = (all_nodes, format!("{namespace}-{name}-{volume_files}"));
            let (first, field, property) = match (volumes.get(&volume), paths.get(&(all_nodes, path))) {
                (_, Some(&first)) => (first, "mountPath", format!("a volume at `{path}`")),
                (Some(&first), None) => (first, "name", format!("volume `{volume_files}`")),
                (None, None) => {
                    volumes.insert(volume, integration);
                    paths.insert((all_nodes, path), integration);
                    continue;
                }
            };
            let message = format!(
                "the operator drops this mount and its volume: Integration `{}` already mounts {property}",
                first.meta.full_name()
            );
            let path = FieldPath::parse("spec.volumeMounts").index(i).key(field);
            let finding = integration.finding(Code::DroppedMount, &path, message);
            findings.push(finding.help("use a path and a volume that no other mount uses"));
        }
    }
}

/// Checks the instances that an Integration sends to.
///
/// The agent names instances `namespace/name`, so the default name `default` never exists. The operator disables
/// `autoscrape` by default, so the MetricsInstance matters only if an Integration enables `autoscrape`.
fn check_instances(
    integration: IntegrationRef<'_, '_>,
    autoscrape: Option<Node<'_>>,
    known_instances: &mut KnownInstances<'_, '_>,
    findings: &mut Vec<Diagnostic>,
) {
    let config = integration.root.at("spec.config");
    let path = FieldPath::parse("spec.config");
    let mut missing = |kind, path: FieldPath<'_>, name| {
        let (message, help) = known_instances.describe_missing(kind, name)?;
        let instance = known_instances.defined_instance(kind, name);
        let label = if instance.is_some() { "sends to this instance" } else { "" };
        let finding = integration.labeled_finding(Code::UnknownInstance, &path, message, label).help(help);
        Some(match instance {
            Some(instance) => finding.consequence_of(causes::unselected_cause(&instance)),
            None => finding,
        })
    };
    let settings = config.and_then(|config| config.get("autoscrape"));
    let named_instance = settings.and_then(|settings| settings.non_empty_str("metrics_instance"));
    let has_no_switch = settings.is_some_and(|settings| settings.get("enable").is_none_or(Node::is_null));
    if autoscrape.is_some() || has_no_switch && named_instance.is_some() {
        let path = path.key("autoscrape").key("metrics_instance");
        findings.extend(missing(Kind::MetricsInstance, path, named_instance).map(|mut finding| {
            // Without `autoscrape`, the agent does not use the instance.
            if autoscrape.is_none() {
                finding.severity = finding.severity.min(Severity::Warning);
            }
            finding
        }));
    }
    let logs = config.and_then(|config| config.non_empty_str("logs_instance"));
    let name = integration.spec.name;
    if name == "eventhandler" || (name == "app_agent_receiver" && logs.is_some()) {
        findings.extend(missing(Kind::LogsInstance, path.key("logs_instance"), logs));
    }
    let has_traces = config.is_some_and(|config| config.non_empty_str("traces_instance").is_some());
    if name == "app_agent_receiver" && has_traces {
        let message = "the operator does not configure traces, so there is no traces instance";
        let finding = integration.finding(Code::UnknownInstance, &path.key("traces_instance"), message);
        findings.push(finding.help("remove `traces_instance`: the agent does not start if it is set"));
    }
}

/// Maximum number of comparisons with the names of missing instances, per agent. Above this limit, nothing is
/// suggested.
const MAX_COMPARISONS: usize = 100_000;

/// Maximum number of instances to list as alternatives.
const MAX_INSTANCES: usize = 20;

/// Instances that an agent's Integrations may send to.
struct KnownInstances<'r, 'd> {
    resources: &'r Resources<'d>,
    hierarchy: &'r Hierarchy<'r, 'd>,
    metrics: IndexSet<String>,
    logs: IndexSet<String>,
    /// Remaining number of comparisons with the names of missing instances.
    comparisons: usize,
}

impl<'r, 'd> KnownInstances<'r, 'd> {
    fn new(resources: &'r Resources<'d>, hierarchy: &'r Hierarchy<'r, 'd>) -> Self {
        Self {
            resources,
            hierarchy,
            metrics: hierarchy.metrics.iter().map(|metrics| metrics.instance.meta.full_name()).collect(),
            logs: hierarchy.logs.iter().map(|logs| logs.instance.meta.full_name()).collect(),
            comparisons: MAX_COMPARISONS,
        }
    }

    /// Returns the message and help for an instance that the agent does not have: the one called `named`, or the
    /// default instance. Returns `None` if the agent has the instance or may have it.
    fn describe_missing(&mut self, kind: Kind, named: Option<&str>) -> Option<(String, String)> {
        let name = named.unwrap_or("default");
        let known_names = match kind {
            Kind::MetricsInstance => &self.metrics,
            _ => &self.logs,
        };
        if known_names.contains(name)
            || may_be_expanded(name, self.hierarchy)
            || name.split_once('/').is_some_and(|name| self.is_doubtful(kind, name))
            || may_have_unknown_instances(self.resources, self.hierarchy, kind)
        {
            return None;
        }
        let agent = self.hierarchy.agent.meta.full_name();
        let key = match kind {
            Kind::MetricsInstance => "metrics_instance",
            _ => "logs_instance",
        };
        let by_default = match named {
            Some(_) => String::new(),
            None => format!(", the default for `{key}`"),
        };
        let message = format!("agent `{agent}` has no {kind} named `{name}`{by_default}");
        let help =
            match (named.and_then(|name| nearest_name(name, known_names, &mut self.comparisons)), known_names.len()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, 0) => format!("make the agent select a {kind}, and set `{key}` to its `namespace/name`"),
                (None, 1) => format!("use {}", first_of(MAX_INSTANCES, known_names.iter())),
                (None, _) => format!("use one of: {}", first_of(MAX_INSTANCES, known_names.iter())),
            };
        Some((message, help))
    }

    /// Returns the instance with this name if the input defines it, even though the agent does not select it.
    fn defined_instance(&self, kind: Kind, named: Option<&str>) -> Option<ObjectKey> {
        let (namespace, name) = named?.split_once('/')?;
        let instance = self.resources.get(ObjectRef { kind, namespace, name })?;
        Some(ObjectKey::from(instance.object_ref()))
    }

    /// Whether the instance's labels are unknown, so that the agent might still select it.
    fn is_doubtful(&self, kind: Kind, (namespace, name): (&str, &str)) -> bool {
        let instance = ObjectRef { kind, namespace, name };
        self.resources.rejected_fields.overlap(instance, "metadata.labels")
    }
}

/// Whether a name contains variables and may be the name of an instance once the agent has replaced them. The name of
/// every instance contains a slash, which no variable that describes a pod contains.
fn may_be_expanded(name: &str, hierarchy: &Hierarchy<'_, '_>) -> bool {
    let expansion = Expansion::new(hierarchy);
    let variable = |name: &str| match expansion.describes_pod(name) {
        true => KnownVariable::Value("x".to_owned()),
        false => KnownVariable::Set,
    };
    name.contains("${") && envsubst::expand_known(name, &variable).is_none_or(|name| name.contains('/'))
}

/// Returns an instance with the same name in a different namespace, or otherwise one with a similar name.
fn nearest_name<'k>(name: &str, known: &'k IndexSet<String>, comparisons: &mut usize) -> Option<&'k str> {
    let mut names = known.iter().map(String::as_str);
    let is_namesake = |instance_name: &&str| instance_name.split_once('/').is_some_and(|(_, suffix)| suffix == name);
    names.clone().find(is_namesake).or_else(|| {
        *comparisons = comparisons.checked_sub(known.len())?;
        closest(name, names.by_ref())
    })
}

/// Whether an agent may have unknown instances, which is the case if its selector was rejected or a file could not be
/// read.
fn may_have_unknown_instances(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>, kind: Kind) -> bool {
    let agent = hierarchy.agent.object_ref();
    let relation = Relation::for_child(kind).into_iter();
    let mut fields = relation.flat_map(|relation| [relation.labels, relation.namespaces]);
    let may_be_undefined = resources.lost_kinds.contains(&kind) || resources.unread_words.may_define(kind);
    may_be_undefined || fields.any(|field| resources.rejected_fields.overlap(agent, field))
}

/// Returns the `autoscrape` section if it is enabled.
fn autoscrape(config: Node<'_>) -> Option<Node<'_>> {
    let autoscrape = config.get("autoscrape")?;
    let enabled = autoscrape.get("enable")?.value() == NodeValue::Bool(true);
    enabled.then_some(autoscrape)
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, findings, integration, lines, manifest};
    use crate::diagnostic::{Code, Diagnostic, Severity};

    #[test]
    fn rejects_duplicate_integrations() {
        for (first, second, expected) in [
            (("mysql", [].as_slice()), ("mysql", [].as_slice()), 0),
            (("mysql", &["unique"]), ("mysql", &[]), 1),
            (("mysql", &[]), ("redis", &["unique"]), 0),
            (("statsd", &[]), ("statsd", &[]), 1),
            (("statsd", &[]), ("statsd", &["allNodes"]), 0),
            (("statsd", &["unique"]), ("statsd", &["allNodes"]), 1),
            (("github", &[]), ("github", &[]), 1),
            (("github", &[]), ("github", &["allNodes"]), 0),
        ] {
            let diagnostics = findings(&[
                AGENT,
                &integration("one", first.0, first.1, "{}"),
                &integration("two", second.0, second.1, "{}"),
            ]);
            let duplicates: Vec<_> = diagnostics.iter().filter(|d| d.code == Code::DuplicateIntegration).collect();
            assert_eq!(duplicates.len(), expected, "{first:?} {second:?}");
            assert!(duplicates.iter().all(|d| d.labels.len() == 2));
        }
    }

    #[test]
    fn integrations_of_the_same_type_need_distinct_identities() {
        for (name, first, second, expected) in [
            ("github", "{repositories: [a]}", "{repositories: [b]}", true),
            ("github", "{}", "{api_url: 'https://api.github.com/v3'}", true),
            ("github", "{}", "{api_url: 'https://github.example.com'}", false),
            ("github", "{instance: a}", "{instance: b}", false),
            ("github", "{instance: a}", "{instance: a, api_url: 'https://x'}", true),
            ("github", "{instance: a}", "{}", false),
            ("redis", "{redis_addr: 'a:1'}", "{redis_addr: 'a:1', redis_user: x}", true),
            ("redis", "{redis_addr: 'a:1'}", "{redis_addr: 'a:2'}", false),
            ("redis", "{}", "{}", false),
            ("kafka", "{kafka_uris: [a]}", "{kafka_uris: [a]}", true),
            ("kafka", "{kafka_uris: [a]}", "{kafka_uris: [b]}", false),
            ("mysql", "{data_source_name: 'a:b@(h:1)/d?x=1'}", "{data_source_name: 'c@(h:1)/d'}", true),
            ("mysql", "{data_source_name: 'a@(h:1)/d'}", "{data_source_name: 'a@(h:1)/e'}", false),
            (
                "postgres",
                "{data_source_names: ['postgres://a:b@h/d?x=1']}",
                "{data_source_names: ['postgresql://h/d']}",
                true,
            ),
            ("postgres", "{data_source_names: ['postgres://h/d']}", "{data_source_names: ['postgres://h/e']}", false),
            ("app_agent_receiver", "{}", "{server: {port: 1}}", true),
            ("gcp", "{project_ids: [a], metrics_prefixes: [b]}", "{project_ids: [c], metrics_prefixes: [b]}", false),
        ] {
            let actual = lines(&[AGENT, &integration("one", name, &[], first), &integration("two", name, &[], second)]);
            let actual = actual.iter().any(|line| line.starts_with("duplicate-integration"));
            assert_eq!(actual, expected, "{name} {first} {second}");
        }
    }

    #[test]
    fn reports_the_first_conflicting_integration() {
        let types: [&[&str]; 5] = [&["allNodes"], &[], &["unique"], &[], &["unique", "allNodes"]];
        let integrations = ["a", "b", "c", "d", "e"].iter().zip(types);
        let integrations = integrations.map(|(name, types)| integration(name, "mysql", types, "{}"));
        let resources: Vec<_> = std::iter::once(AGENT.to_owned()).chain(integrations).collect();
        let diagnostics = findings(&resources.iter().map(String::as_str).collect::<Vec<_>>());
        let pairs = diagnostics.iter().filter(|d| d.code == Code::DuplicateIntegration);
        let pairs: Vec<_> = pairs.filter_map(|d| d.message.split(" of agent").next()).collect();
        let expected = [("a", "c"), ("c", "d"), ("a", "e")];
        let expected = expected.map(|(first, second)| format!("Integrations `default/{first}` and `default/{second}`"));
        assert_eq!(pairs, expected);
    }

    fn config_findings(name: &str, config: &str) -> Vec<Diagnostic> {
        let mut diagnostics = findings(&[
            AGENT,
            &manifest("MetricsInstance", "m", "{}"),
            &manifest("LogsInstance", "l", "{}"),
            &integration("i", name, &[], config),
        ]);
        diagnostics.retain(|d| d.code == Code::UnknownInstance);
        diagnostics
    }

    #[test]
    fn reports_missing_instances() {
        for (name, config, path) in [
            ("mysql", "{}", None),
            ("mysql", "{autoscrape: {enable: false, metrics_instance: x}}", None),
            ("mysql", "{autoscrape: {scrape_interval: 1m}}", None),
            ("mysql", "{autoscrape: {enable: true, metrics_instance: default/m}}", None),
            ("mysql", "{autoscrape: {enable: true, metrics_instance: '${X}'}}", None),
            (
                "mysql",
                "{autoscrape: {enable: true, metrics_instance: m}}",
                Some("spec.config.autoscrape.metrics_instance"),
            ),
            ("mysql", "{autoscrape: {enable: true}}", Some("spec.config.autoscrape.metrics_instance")),
            ("mysql", "{logs_instance: l, traces_instance: t}", None),
            (
                "mysql",
                "{autoscrape: {enable: true, metrics_instance: x}}",
                Some("spec.config.autoscrape.metrics_instance"),
            ),
            ("eventhandler", "{logs_instance: default/l}", None),
            ("eventhandler", "{}", Some("spec.config.logs_instance")),
            ("app_agent_receiver", "{}", None),
            ("app_agent_receiver", "{logs_instance: l}", Some("spec.config.logs_instance")),
            ("app_agent_receiver", "{traces_instance: t}", Some("spec.config.traces_instance")),
        ] {
            let findings = config_findings(name, config);
            assert_eq!(findings.first().and_then(|d| d.path.as_deref()), path, "{name} {config}");
            assert!(findings.len() < 2, "{name} {config}");
        }
    }

    #[test]
    fn reports_unused_missing_instances_as_warnings() {
        let findings = config_findings("mysql", "{autoscrape: {metrics_instance: m}}");
        let actual: Vec<_> = findings.iter().map(|d| (d.severity, d.help.as_deref())).collect();
        assert_eq!(actual, [(Severity::Warning, Some("did you mean `default/m`?"))]);
    }

    #[test]
    fn instance_names_include_the_namespace() {
        let findings = config_findings("eventhandler", "{logs_instance: l}");
        assert_eq!(findings[0].message, "agent `default/a` has no LogsInstance named `l`");
        assert_eq!(findings[0].help.as_deref(), Some("did you mean `default/l`?"));
        let findings = config_findings("eventhandler", "{}");
        assert_eq!(
            findings[0].message,
            "agent `default/a` has no LogsInstance named `default`, the default for `logs_instance`"
        );
        assert_eq!(findings[0].help.as_deref(), Some("use `default/l`"));
    }

    #[test]
    fn does_not_report_instances_in_unreadable_input() {
        let integration = integration("i", "eventhandler", &[], "{logs_instance: default/l}");
        let is_missing = |other_manifests: &str| {
            let diagnostics = findings(&[AGENT, &integration, other_manifests]);
            diagnostics.iter().any(|finding| finding.code == Code::UnknownInstance)
        };
        assert!(is_missing("kind: Other"));
        assert!(!is_missing("kind: LogsInstance\nmetadata: {name: [l"));
    }

    #[test]
    fn does_not_report_unselected_instances_as_missing() {
        let agent =
            AGENT.replace("metrics: {instanceSelector: {}}", "metrics: {instanceSelector: {matchLabels: {of: a}}}");
        let instance = manifest("MetricsInstance", "m, namespace: default, labls: {of: a}", "{}");
        let config = "{autoscrape: {enable: true, metrics_instance: default/m}}";
        let diagnostics = findings(&[&agent, &instance, &integration("i", "statsd", &[], config)]);
        let codes: Vec<_> = diagnostics.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::UnknownField]);
    }

    #[test]
    fn truncates_long_lists_of_instances() {
        let mut resources: Vec<_> = (0..23).map(|i| manifest("LogsInstance", &format!("l{i:02}"), "{}")).collect();
        resources.push(integration("i", "eventhandler", &[], "{}"));
        let resources: Vec<_> = std::iter::once(AGENT).chain(resources.iter().map(String::as_str)).collect();
        let mut diagnostics = findings(&resources);
        diagnostics.retain(|d| d.code == Code::UnknownInstance);
        let help = diagnostics[0].help.as_deref().unwrap();
        assert!(help.starts_with("use one of: `default/l00`, `default/l01`, "), "{help}");
        assert!(help.ends_with("`default/l19` and 3 more"), "{help}");
    }

    fn integration_with_mounts(resource: &str, all_nodes: bool, mounts: &str) -> String {
        let types = format!("{{allNodes: {all_nodes}, unique: false}}");
        let spec = format!(
            "{{name: mysql, config: {{}}, type: {types}, volumes: [{{name: v}}, {{name: w}}], volumeMounts: {mounts}}}"
        );
        manifest("Integration", resource, &spec)
    }

    #[test]
    fn keeps_the_first_mount_of_a_path_or_volume() {
        let path = "dropped-mount spec.volumeMounts[0].mountPath";
        let volume = "dropped-mount spec.volumeMounts[1].name";
        for (first, second, all_nodes, expected) in [
            ("[{name: v, mountPath: /a}]", "[{name: v, mountPath: /b}]", false, None),
            ("[{name: v, mountPath: /a}]", "[{name: v, mountPath: /a}]", false, Some(path)),
            ("[{name: v, mountPath: /a}]", "[{name: v, mountPath: /a}]", true, None),
            ("[]", "[{name: v, mountPath: /a}, {name: v, mountPath: /b}]", false, Some(volume)),
        ] {
            let lines = lines(&[
                AGENT,
                &integration_with_mounts("i", false, first),
                &integration_with_mounts("j", all_nodes, second),
            ]);
            let actual = lines.iter().find(|line| line.starts_with("dropped-mount"));
            assert_eq!(actual.and_then(|line| line.split(':').next()), expected, "{first} {second}");
        }
    }
}
