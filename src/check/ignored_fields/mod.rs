//! Warnings about fields that the operator accepts but ignores. The fields are listed in `table.json` and in the
//! documentation.

mod fields;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::{Watcher, discovers_monitors};
use crate::resolve::Hierarchy;
use crate::yaml::{Node, NodeValue};
use fields::IgnoredFields;

pub const RULES: &[Rule] = &[rule(
    &[Code::IgnoredField, Code::FollowedField],
    RuleTarget::Resource(check),
    "the templates in `static/operator/config/templates`",
)];

/// Table of ignored fields. Its sources are the templates in `static/operator/config/templates` and, for `storage`,
/// `resources_metrics.go`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 't"))]
struct Table<'t> {
    notes: BTreeMap<&'t str, Note<'t>>,
    ignored: Vec<Ignored<'t>>,
}

/// Note about an ignored field: a conjunction, the clause that it introduces (a consequence or a reason), and advice
/// for the user.
#[derive(Deserialize)]
struct Note<'t>(Conjunction, &'t str, &'t str);

/// Word that joins a clause to the statement that a field is ignored.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Conjunction {
    So,
    Because,
}

/// A set of fields that the operator accepts but ignores.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 't"))]
struct Ignored<'t> {
    /// Kinds, with patterns for the mappings that contain the fields.
    within: Vec<(Kind, &'t str)>,
    /// Patterns for the fields in these mappings, the values for which the fields are ignored, and the name of the
    /// note.
    fields: Vec<(&'t str, IgnoredValues, &'t str)>,
}

impl<'t> Table<'t> {
    fn group_by_kind(&'t self) -> BTreeMap<Kind, IgnoredFields<'t, (IgnoredValues, &'t str)>> {
        let mut kinds = BTreeMap::<_, IgnoredFields<'_, _>>::new();
        for ignored in &self.ignored {
            for (kind, outer) in &ignored.within {
                for (field, when, note) in &ignored.fields {
                    let root = kinds.entry(*kind).or_default();
                    root.at(outer).at(field).rows.push((*when, *note));
                }
            }
        }
        kinds
    }
}

/// Values for which a field is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum IgnoredValues {
    /// All values except zero values, which are equivalent to a missing field.
    Set,
    /// The value `true`.
    True,
    /// The value `false`.
    False,
    /// The empty string.
    Empty,
    /// Numbers below zero.
    Negative,
    /// Zero and numbers below zero.
    NotPositive,
}

#[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
static TABLE: LazyLock<Table<'static>> =
    LazyLock::new(|| serde_json::from_str(include_str!("table.json")).expect("the table of this program is valid"));

static FIELDS: LazyLock<BTreeMap<Kind, IgnoredFields<'static, (IgnoredValues, &'static str)>>> =
    LazyLock::new(|| TABLE.group_by_kind());

/// Names of the notes for fields that do have an effect if the program discovers monitors on its own (`configgen` in
/// Alloy).
const FOLLOWED_NOTES: &str = "authorization limit metadata noProxy notRelabeled oauth2 redirects";

/// Reports each field that is set but ignored. In monitors that a program discovers on its own, some of these fields do
/// have an effect, which is reported instead.
fn check(input: &RuleInput<'_, '_>, resource: &ResourceHeader<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let Some(fields) = FIELDS.get(&resource.kind) else {
        return findings;
    };
    let is_followed = |note| {
        FOLLOWED_NOTES.split(' ').any(|followed| followed == note) && input.watched.contains(&resource.object_ref())
    };
    fields.visit(resource.root, &mut |(when, note), path, value| {
        if applies(*when, value) {
            findings.push(match is_followed(*note) {
                true => followed_field(resource, path),
                false => diagnostic(resource, path, *when, note),
            });
        }
    });
    findings
}

/// Returns the monitors that the program discovers on its own.
pub fn watched_monitors<'d>(hierarchies: &[Hierarchy<'_, 'd>], watcher: Option<Watcher>) -> BTreeSet<ObjectRef<'d>> {
    let agents = hierarchies.iter().filter(|hierarchy| discovers_monitors(&hierarchy.agent.spec, watcher));
    let instances = agents.flat_map(|hierarchy| &hierarchy.metrics);
    instances.flat_map(|instance| instance.children()).map(|monitor| monitor.object_ref()).collect()
}

fn diagnostic(resource: &ResourceHeader<'_>, path: &FieldPath<'_>, when: IgnoredValues, note: &str) -> Diagnostic {
    let (reason, help) = match TABLE.notes.get(note) {
        Some(Note(Conjunction::So, effect, help)) => (format!(", so {effect}"), *help),
        Some(Note(Conjunction::Because, reason, help)) => (format!(" because {reason}"), *help),
        None => (String::new(), ""),
    };
    let value = match when {
        IgnoredValues::Set => "",
        IgnoredValues::True => "`true` in ",
        IgnoredValues::False => "`false` in ",
        IgnoredValues::Empty => "empty values in ",
        IgnoredValues::Negative => "negative values in ",
        IgnoredValues::NotPositive => "values below 1 in ",
    };
    let message = format!("the operator ignores {value}`{path}`{reason}");
    resource.finding(Code::IgnoredField, path, message).help(help)
}

fn followed_field(resource: &ResourceHeader<'_>, path: &FieldPath<'_>) -> Diagnostic {
    let message = format!("Alloy applies `{path}`, which the operator ignores");
    let help = "remove the field to scrape as the agent does";
    resource.finding(Code::FollowedField, path, message).help(help)
}

fn applies(when: IgnoredValues, value: Node<'_>) -> bool {
    match when {
        IgnoredValues::Set => !is_zero(value),
        IgnoredValues::True => value.value() == NodeValue::Bool(true),
        IgnoredValues::False => value.value() == NodeValue::Bool(false),
        IgnoredValues::Empty => value.value() == NodeValue::String(""),
        IgnoredValues::Negative => matches!(value.value(), NodeValue::Int(..0)),
        IgnoredValues::NotPositive => matches!(value.value(), NodeValue::Int(..=0)),
    }
}

/// Whether a value is Go's zero value, including everything nested in it.
fn is_zero(node: Node<'_>) -> bool {
    match node.value() {
        NodeValue::Null | NodeValue::Bool(false) | NodeValue::Int(0) | NodeValue::String("") => true,
        NodeValue::Sequence => node.items().len() == 0,
        NodeValue::Mapping => node.entries().all(|entry| is_zero(entry.value)),
        NodeValue::Bool(true) | NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{AGENT, lines, manifest};

    use crate::diagnostic::Code;
    use crate::output::{AlloyDiscovery, Target, alloy};
    use crate::testing::{self, TestInput};
    use std::collections::BTreeMap;

    fn service_monitor(spec: &str) -> Vec<String> {
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, {spec}}}"
        );
        let mut lines = lines(&[&monitor]);
        lines.retain(|line| line.starts_with(Code::IgnoredField.as_str()));
        lines
    }

    #[test]
    fn reports_ignored_fields() {
        for (spec, path) in [
            ("endpoints: [{port: a}, {followRedirects: false}]", Some("spec.endpoints[1].followRedirects")),
            ("endpoints: [{followRedirects: true}]", None),
            ("endpoints: [{authorization: {credentials: {key: k}}}]", Some("spec.endpoints[0].authorization")),
            ("endpoints: [{authorization: {}}]", None),
            (
                "endpoints: [{bearerTokenSecret: {name: t, key: k, optional: true}}]",
                Some("spec.endpoints[0].bearerTokenSecret.optional"),
            ),
            ("endpoints: [{bearerTokenSecret: {name: t, key: k, optional: false}}]", None),
            ("endpoints: [{params: {optional: ['true']}}]", None),
            (
                "endpoints: [{relabelings: [{separator: '', action: keep}]}]",
                Some("spec.endpoints[0].relabelings[0].separator"),
            ),
            ("endpoints: [{relabelings: [{separator: ','}]}]", None),
            ("endpoints: [], labelLimit: 0, attachMetadata: {node: false}", None),
            ("endpoints: [], labelLimit: 3", Some("spec.labelLimit")),
        ] {
            let lines = service_monitor(spec);
            assert!(lines.len() < 2, "{lines:?}");
            let actual = lines.first().and_then(|line| line.split([' ', ':']).nth(1));
            assert_eq!(actual, path, "{spec}");
        }
    }

    #[test]
    fn determines_which_conditions_a_value_meets() {
        use IgnoredValues::{Empty, False, Negative, NotPositive, Set, True};
        for (value, expected) in [
            ("~", &[][..]),
            ("true", &[Set, True]),
            ("false", &[False]),
            ("''", &[Empty]),
            ("a", &[Set]),
            ("-1", &[Set, Negative, NotPositive]),
            ("0", &[NotPositive]),
            ("1", &[Set]),
            ("0.5", &[Set]),
            ("[]", &[]),
            ("[~]", &[Set]),
            ("{}", &[]),
            ("{a: 0, b: {c: ''}}", &[]),
            ("{a: 0, b: {c: x}}", &[Set]),
        ] {
            let text = format!("a: {value}");
            let documents = testing::documents(&text);
            let node = documents[0].root().get("a").unwrap();
            let all_conditions = [Set, True, False, Empty, Negative, NotPositive];
            let actual: Vec<_> = all_conditions.into_iter().filter(|when| applies(*when, node)).collect();
            assert_eq!(actual, expected, "{value}");
        }
    }

    #[test]
    fn dynamic_discovery_uses_fields_the_operator_ignores() {
        let endpoint = "{port: a, followRedirects: false, relabelings: [{separator: '', action: keep}]}";
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, \
             labelLimit: 3, endpoints: [{endpoint}]}}"
        );
        let instance =
            manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}, additionalScrapeConfigs: {optional: true}}");
        let input = || TestInput::new([AGENT, &instance, &monitor].join("\n---\n"));
        let codes = |input: TestInput| {
            let actual = input.findings().into_iter();
            let actual = actual.filter(|finding| [Code::IgnoredField, Code::FollowedField].contains(&finding.code));
            let mut actual: Vec<_> =
                actual.map(|finding| format!("{} {}", finding.code, finding.path.unwrap_or_default())).collect();
            actual.sort();
            actual
        };
        let ignored = codes(input());
        assert!(ignored.len() == 4 && ignored.iter().all(|line| line.starts_with("ignored-field")), "{ignored:?}");
        let target = Target::Alloy(alloy::AlloySettings {
            image: "grafana/alloy:v1.9.0".to_owned(),
            has_files_of_credentials: false,
            is_public: false,
            discovery: AlloyDiscovery::Dynamic,
        });
        let expected = [
            "followed-field spec.endpoints[0].followRedirects",
            "followed-field spec.labelLimit",
            "ignored-field spec.additionalScrapeConfigs.optional",
            "ignored-field spec.endpoints[0].relabelings[0].separator",
        ];
        assert_eq!(codes(input().target(target)), expected);
    }

    const DOCUMENTATION: &str = include_str!("../../../docs/differences.md");

    /// Returns the rows that the documentation must contain, sorted by kind and field.
    fn documentation_rows() -> Vec<String> {
        let mut rows = BTreeMap::new();
        for ignored in &TABLE.ignored {
            for (kind, outer) in &ignored.within {
                for (field, when, note) in &ignored.fields {
                    let when = match when {
                        IgnoredValues::Set => "set",
                        IgnoredValues::True => "`true`",
                        IgnoredValues::False => "`false`",
                        IgnoredValues::Empty => "empty",
                        IgnoredValues::Negative => "below 0",
                        IgnoredValues::NotPositive => "below 1",
                    };
                    let Note(_, note, _) = &TABLE.notes[note];
                    let path = format!("{outer}.{field}");
                    let row = format!("| {kind} | `{path}` | {when} | {note} |");
                    rows.insert((kind.as_str(), path), row);
                }
            }
        }
        rows.into_values().collect()
    }

    #[test]
    fn documentation_contains_the_ignored_fields_table() {
        let documented: Vec<_> = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Kind "))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(documented, documentation_rows());
    }

    #[test]
    fn documented_codes_exist() {
        let rows = DOCUMENTATION.lines().skip_while(|line| !line.starts_with("| Operator "));
        let rows: Vec<_> = rows.skip(2).take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() > 5);
        for row in rows {
            let code = row.trim_end_matches([' ', '|', '`']).rsplit("| `").next().unwrap_or_default();
            let is_code_named = row.ends_with("` |");
            let exists = Code::ALL.iter().any(|other| other.as_str() == code);
            assert!(exists || !is_code_named, "{row}");
        }
    }
}
