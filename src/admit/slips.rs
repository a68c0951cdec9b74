//! Unknown fields that people often write, with the help that fits: the field is right, but at another place or for another program.

use super::frame::Frame;
use super::versions;
use crate::api::Kind;
use crate::api::schema::{Schema, object_meta, schema as schema_of};
use crate::diagnostic::{Diagnostic, FieldPath, Step, suggest};
use crate::source::Span;
use crate::yaml::{Entry, Node};

/// The help for a patch of kustomize among the resources.
pub(super) const BUILD_PATCH: &str =
    "check what kustomize builds of this patch: `kustomize build DIR | agentctl check -`";

/// Other names of fields, and the fields: those of earlier releases of the operator, of Prometheus' own configuration, and of other kinds.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("endpoints", "podMetricsEndpoints"),
    ("loki", "logs"),
    ("metricRelabelConfigs", "metricRelabelings"),
    ("metric_relabel_configs", "metricRelabelings"),
    ("metricsPath", "path"),
    ("metrics_path", "path"),
    ("podMetricsEndpoints", "endpoints"),
    ("prometheus", "metrics"),
    ("prometheusExternalLabelName", "metricsExternalLabelName"),
    ("relabelConfigs", "relabelings"),
    ("relabel_configs", "relabelings"),
    ("relabelingConfigs", "relabelings"),
    ("scrapeInterval", "interval"),
    ("scrape_interval", "interval"),
];

/// The field that is meant by an unknown one of an object, if the object does not have it as well.
pub(super) fn meant<'s>(schema: &'s Schema, key: &str, is_present: &dyn Fn(&str) -> bool) -> Option<&'s str> {
    let known = || schema.properties.keys().copied();
    let renamed = OTHER_NAMES.iter().filter(|(other, _)| *other == key);
    let renamed = renamed
        .filter_map(|(_, field)| known().find(|known| known == field))
        .next();
    let required = || schema.required.iter().map(String::as_str);
    let meant = renamed.or_else(|| suggest::closest(key, known()));
    let meant = meant.or_else(|| required().find(|field| suggest::is_one_slip(key, field)));
    meant.filter(|meant| !is_present(meant))
}

/// Adds the help for an unknown field of an object, and the mistake behind it where one mistake makes several findings.
pub(super) fn explain(
    diagnostic: Diagnostic,
    schema: &Schema,
    object: Node<'_>,
    entry: Entry<'_>,
    at: &Frame<'_>,
) -> Option<Diagnostic> {
    let key = entry.key;
    let is_root = at.resource_kind().is_some();
    let has = |field| schema.properties.contains_key(field);
    Some(if is_root && key == "status" {
        diagnostic
            .help("remove it: only the cluster writes `status`, and exports contain it")
            .cause("exported status")
    } else if is_of_metadata(key, at) {
        diagnostic.help(format!("move it to `metadata.{key}`"))
    } else if at.to_string() == "metadata" && schema_of(at.kind()).properties.contains_key(key) {
        diagnostic.help(unindent(key)).cause(below_metadata(at))
    } else if is_of_spec(key, at) {
        let help = format!(
            "move `{key}` and what follows it below `spec`: a line with `spec:` is missing, or indented too far"
        );
        diagnostic.help(help).cause(below_metadata(at))
    } else if is_data(schema, key, at) {
        let help = "move it below `data` or `stringData`: a line with that is missing, or indented too far";
        diagnostic.help(help).cause(below_metadata(at))
    } else if let Some(list) = list_of(schema, object, entry) {
        diagnostic.help(format!("put a space behind the `-`: it is an item of `{}`", list.key))
    } else if let Some(field) = run_together(schema, key) {
        diagnostic.help(format!("put a colon and a space behind `{field}`"))
    } else if has("matchLabels") && has("matchExpressions") {
        let all_are_unknown = object.get("matchLabels").or(object.get("matchExpressions")).is_none();
        let effect = match all_are_unknown {
            true => "; as it is, the selector is `{}`, which selects everything",
            false => "",
        };
        let help = match meant(schema, key, &|field| object.get(field).is_some()) {
            Some(meant) => format!("rename it to `{meant}`{effect}"),
            None => format!("write labels under `matchLabels`: `matchLabels: {{{key}: …}}`{effect}"),
        };
        diagnostic
            .help(help)
            .cause(format!("labels without matchLabels at {:?}", at.head()))
    } else if has("any") && has("matchNames") && key.starts_with("match") {
        diagnostic.help("write `matchNames` with the names of namespaces, or `any: true`: a monitor cannot select namespaces by labels")
    } else if PATCH_DIRECTIVES.contains(&key) {
        diagnostic.help(BUILD_PATCH)
    } else if let Some(parent) = shallow_parent(schema, object, entry) {
        diagnostic.help(format!("indent `{key}`: it belongs below `{parent}`"))
    } else if let [parent] = *lost_lines(schema, object, false)
        && object.entries().nth(1).is_some()
    {
        diagnostic
            .help(format!("add a line `{parent}:` above it: it belongs below that"))
            .cause(format!("no {parent} at {:?}", at.head()))
    } else {
        let version = versions::added_in(key).filter(|_| at.kind().is_of_prometheus())?;
        diagnostic
            .help(format!(
                "remove it: prometheus-operator added it in {version}, and the Grafana Agent Operator knows the fields of v0.66.0"
            ))
            .cause(format!("newer field {key}"))
    })
}

/// The paths of the fields that may be meant by an unknown one: one with nearly its name, or those of its name at other places. Of labels
/// in a selector it is the selector.
pub(super) fn meant_path(
    schema: &Schema,
    is_present: &dyn Fn(&str) -> bool,
    object: Node<'_>,
    entry: Entry<'_>,
    at: &Frame<'_>,
) -> Vec<String> {
    let key = entry.key;
    let has = |field| schema.properties.contains_key(field);
    let meant = if is_of_metadata(key, at) {
        format!("metadata.{key}")
    } else if at.to_string() == "metadata" && schema_of(at.kind()).properties.contains_key(key) {
        key.to_owned()
    } else if is_of_spec(key, at) {
        format!("spec.{key}")
    } else if is_data(schema, key, at) {
        return ["data", "stringData"].map(|data| format!("{data}.{key}")).to_vec();
    } else if let Some(list) = list_of(schema, object, entry) {
        at.missing(list.key)
    } else if let Some(field) = run_together(schema, key) {
        at.missing(field)
    } else if has("matchLabels") && has("matchExpressions") {
        at.to_string()
    } else if let Some(parent) = shallow_parent(schema, object, entry) {
        at.missing(parent)
    } else if let Some(meant) = meant(schema, key, is_present) {
        at.missing(meant)
    } else if let Some(inner) = schema.only_parent_of(key) {
        let of_first = inner.split('[').next().unwrap_or_default();
        at.missing(of_first)
    } else if let maps = lost_lines(schema, object, true)
        && !maps.is_empty()
    {
        return maps.into_iter().map(|map| at.missing(map)).collect();
    } else {
        let outer = outer_parent(entry, at).map(|parent| format!("{parent}.{key}"));
        return match outer {
            Some(outer) => vec![outer],
            None => schema
                .parents_of(key)
                .map(|parent| format!("{}.{key}", at.missing(parent)))
                .collect(),
        };
    };
    vec![meant]
}

/// The last empty field above an unknown one.
fn empty_above<'d>(object: Node<'d>, entry: Entry<'_>) -> Option<Entry<'d>> {
    let above = object
        .entries()
        .take_while(|sibling| sibling.key_span != entry.key_span);
    above.filter(|sibling| sibling.value.is_null()).last()
}

/// The empty field above an unknown one that seems to be its parent: it is unknown, too, or has a field of that name.
pub(super) fn lost_parent<'d>(schema: &Schema, object: Node<'d>, entry: Entry<'_>) -> Option<Entry<'d>> {
    let is_known = |parent: &Entry<'_>| schema.field(parent.key).is_some();
    let is_shallow = || shallow_parent(schema, object, entry).is_some();
    empty_above(object, entry).filter(|parent| !is_known(parent) || is_shallow())
}

/// The empty list above an unknown field that would be its item, `-port`.
fn list_of<'d>(schema: &Schema, object: Node<'d>, entry: Entry<'_>) -> Option<Entry<'d>> {
    let key = entry.key.strip_prefix('-')?;
    let list = empty_above(object, entry)?;
    let item = schema.field(list.key)?.items.as_deref()?;
    item.properties.get(key)?;
    Some(list)
}

/// The field whose value became a part of its key, `labels:{a: b}` or `labels {a: b}`.
fn run_together<'k>(schema: &Schema, key: &'k str) -> Option<&'k str> {
    let (field, _) = key.split_once([':', ' '])?;
    schema.properties.contains_key(field).then_some(field)
}

/// Whether a field in the `metadata` of an object with data is none that Kubernetes has there.
fn is_data(schema: &Schema, key: &str, at: &Frame<'_>) -> bool {
    let has_data = matches!(at.kind(), Kind::Secret | Kind::ConfigMap);
    has_data && at.to_string() == "metadata" && meant(schema, key, &|_| false).is_none()
}

/// The empty field right above an unknown one that has a field of its name, or any.
fn shallow_parent<'d>(schema: &Schema, object: Node<'d>, entry: Entry<'_>) -> Option<&'d str> {
    let parent = empty_above(object, entry)?;
    let parent_schema = schema.field(parent.key)?;
    let field = parent_schema.field(entry.key);
    let is_field = field.is_some_and(|field| field.accepts(entry.value.value()));
    (is_field || parent_schema.preserve_unknown).then_some(parent.key)
}

/// The fields of an object that have all that is there, where the object itself has none of it: the line with one of them is lost.
/// They have fields of these names, or are maps.
pub(super) fn lost_lines<'s>(schema: &'s Schema, object: Node<'_>, are_maps: bool) -> Vec<&'s str> {
    // Each of many unknown fields asks again.
    const MOST: usize = 50;
    if object.entries().nth(MOST).is_some() || object.entries().any(|entry| schema.field(entry.key).is_some()) {
        return Vec::new();
    }
    let has = |parent: &Schema, entry: Entry<'_>| {
        let field = match are_maps {
            true => parent.additional.as_deref(),
            false => parent.properties.get(entry.key),
        };
        field.is_some_and(|field| field.accepts(entry.value.value()))
    };
    let parents = schema.properties.iter();
    let parents = parents.filter(|(_, parent)| object.entries().all(|entry| has(parent, entry)));
    parents.map(|(name, _)| *name).collect()
}

/// The nearest object around another one that has an unknown field of it, as a path; not the resource itself.
pub(super) fn outer_parent(entry: Entry<'_>, at: &Frame<'_>) -> Option<String> {
    let path = at.path();
    let mut schemas = vec![schema_of(at.kind())];
    for step in path.steps() {
        let schema = *schemas.last()?;
        schemas.push(match step {
            Step::Key(key) => schema.field(key)?,
            Step::Index(_) => schema.items.as_deref()?,
        });
    }
    let depth = path.steps().count();
    let fits = |schema: &Schema| {
        let field = schema.properties.get(entry.key);
        field.is_some_and(|field| entry.value.is_null() || field.accepts(entry.value.value()))
    };
    let around = schemas.iter().enumerate().take(depth).skip(1);
    let (length, _) = around.rev().find(|(_, schema)| fits(schema))?;
    let mut outer = FieldPath::new();
    path.steps().take(length).for_each(|step| outer.push(step));
    Some(outer.to_string())
}

/// Adds the help for a required field that the resource has in its `metadata`, or under a name that is nearly its own.
pub(super) fn explain_missing(
    diagnostic: Diagnostic,
    name: &str,
    schema: &Schema,
    node: Node<'_>,
    at: &Frame<'_>,
) -> Diagnostic {
    let metadata = node.entry("metadata").filter(|_| at.resource_kind().is_some());
    if let Some((metadata_entry, entry)) = metadata.and_then(|metadata| Some((metadata, metadata.value.entry(name)?))) {
        return diagnostic
            .label(entry.key_span, format!("`{name}` is indented too far"))
            .help(unindent(name))
            .cause(below_metadata(&at.field(metadata_entry)));
    }
    let is_meant = |entry: &Entry<'_>| meant(schema, entry.key, &|_| false) == Some(name);
    let mut unknown = node.entries().filter(|entry| schema.field(entry.key).is_none());
    match unknown.find(is_meant) {
        Some(entry) => diagnostic
            .label(entry.key_span, "unknown field")
            .help(format!("rename `{}` to `{name}`", entry.key))
            .cause(misspelled(entry.key_span)),
        None => diagnostic,
    }
}

/// A required field under a name that is nearly its own: it is missing, and what is there is unknown.
pub(super) fn misspelled(key: Span) -> String {
    format!("misspelled at {key:?}")
}

fn unindent(field: &str) -> String {
    format!("unindent `{field}`: it belongs beside `metadata`, not below it")
}

/// Whether a field in `metadata` belongs into the `spec` of the resource.
fn is_of_spec(key: &str, at: &Frame<'_>) -> bool {
    let spec = schema_of(at.kind()).properties.get("spec");
    at.to_string() == "metadata" && spec.is_some_and(|spec| spec.properties.contains_key(key))
}

/// Whether a field of a resource, or one of its `spec` that decides what selects the resource, belongs into its metadata.
fn is_of_metadata(key: &str, at: &Frame<'_>) -> bool {
    match at.resource_kind() {
        Some(_) => key != "status" && object_meta().properties.contains_key(key),
        None => at.to_string() == "spec" && matches!(key, "namespace" | "labels"),
    }
}

/// The mistake behind what is found of a field that is dropped.
pub(super) fn dropped(key: Span) -> String {
    format!("dropped at {key:?}")
}

/// What is in `metadata` that does not belong there.
fn below_metadata(metadata: &Frame<'_>) -> String {
    format!("below metadata at {:?}", metadata.head())
}

/// The directives of strategic merge patches (`pkg/util/strategicpatch` of apimachinery).
const PATCH_DIRECTIVES: &[&str] = &["$deleteFromPrimitiveList", "$patch", "$retainKeys", "$setElementOrder"];
