//! Suggestions for unknown fields that result from common mistakes: the field exists, but at a different path or in a
//! different program.

use super::frame::Frame;
use super::{stages, versions};
use crate::api::schema::{Schema, object_meta, schema as schema_of};
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Diagnostic, FieldPath, Step, suggest};
use crate::source::Span;
use crate::yaml::{Entry, Node};

/// Help for a kustomize patch that is among the input's resources.
pub(super) const BUILD_PATCH: &str = "check what kustomize builds from this patch: `agentctl check -k DIR`";

/// Alternative field names, taken from earlier releases of the operator, from Prometheus' configuration, and from other
/// kinds.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("endpoints", "podMetricsEndpoints"),
    ("instanceSelector", "selector"),
    ("labelDeny", "labelDrop"),
    ("labelKeep", "labelAllow"),
    ("label_deny", "labelDrop"),
    ("label_keep", "labelAllow"),
    ("labelkeep", "labelAllow"),
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
    ("selector", "instanceSelector"),
];

/// Returns the field whose name is similar to `key`, or that has `key` as an alternative name.
fn nearest<'s>(schema: &'s Schema, key: &str) -> Option<&'s str> {
    let known_names = || schema.properties.keys().copied();
    let mut renames = OTHER_NAMES.iter().filter(|(other, _)| *other == key);
    let renamed_field = renames.find_map(|(_, field)| known_names().find(|known| known == field));
    let mut required_names = schema.required.iter().map(String::as_str);
    let intended = renamed_field.or_else(|| suggest::closest(key, known_names()));
    intended.or_else(|| required_names.find(|field| suggest::is_one_typo_away(key, field)))
}

/// An unknown field in an object.
#[derive(Clone, Copy)]
pub(super) struct UnknownField<'u> {
    pub schema: &'u Schema,
    pub object: Node<'u>,
    pub entry: Entry<'u>,
    /// The last empty field that precedes the unknown field.
    pub empty_above: Option<Entry<'u>>,
    /// Path and location of the object that contains the field.
    pub frame: &'u Frame<'u>,
}

/// A suggestion for an unknown field.
#[derive(Default)]
pub(super) struct Suggestion {
    pub help: Option<String>,
    /// Identifier of the mistake, if it causes several findings.
    pub cause: Option<String>,
    /// Paths of the fields that may have been meant. For labels in a selector, this is the path of the selector.
    pub intended_paths: Vec<String>,
    /// Whether the key is a misspelling of another field in the same object.
    pub is_misspelled: bool,
}

impl Suggestion {
    fn new(help: impl Into<String>) -> Self {
        let help = Some(help.into());
        Self { help, ..Self::default() }
    }

    fn with_intended_paths(self, intended_paths: impl Into<Vec<String>>) -> Self {
        let intended_paths = intended_paths.into();
        Self { intended_paths, ..self }
    }

    fn with_cause(self, cause: impl Into<String>) -> Self {
        let cause = Some(cause.into());
        Self { cause, ..self }
    }
}

impl<'u> UnknownField<'u> {
    /// Returns the most likely suggestion for the field.
    pub(super) fn suggest(self) -> Suggestion {
        let mut suggestion = match self.suggest_misplaced() {
            Some(suggestion) if suggestion.intended_paths.is_empty() => {
                suggestion.with_intended_paths(self.suggest_similar().intended_paths)
            }
            Some(suggestion) => suggestion,
            None => self.suggest_similar(),
        };
        let lost = || self.intended_parent().map(|parent| dropped_field_cause(parent.key_span));
        suggestion.cause = suggestion.cause.or_else(lost);
        suggestion
    }

    /// Returns a suggestion for a field that is valid at a different path or in a different program.
    fn suggest_misplaced(self) -> Option<Suggestion> {
        let (schema, object, frame, key) = (self.schema, self.object, self.frame, self.entry.key);
        let value = self.entry.value.value();
        let has_property = |field| schema.properties.contains_key(field);
        let is_in_metadata = frame.to_string() == "metadata";
        let resource = schema_of(frame.kind());
        Some(if frame.is_resource() && key == "status" {
            let help = "remove it: exported resources contain `status`, but only the cluster can set it";
            Suggestion::new(help).with_cause("exported status")
        } else if self.belongs_in_metadata() {
            Suggestion::new(format!("move it to `metadata.{key}`")).with_intended_paths([format!("metadata.{key}")])
        } else if is_in_metadata && resource.has_field_for(key, value) {
            Suggestion::new(unindent(key)).with_intended_paths([key.to_owned()]).with_cause(metadata_field_cause(frame))
        } else if is_in_metadata && resource.field("spec").is_some_and(|spec| spec.has_field_for(key, value)) {
            let help = format!(
                "move `{key}` and the lines after it under `spec`: the `spec:` line is missing or indented too far"
            );
            Suggestion::new(help).with_intended_paths([format!("spec.{key}")]).with_cause(metadata_field_cause(frame))
        } else if is_in_metadata && frame.kind().is_data() && nearest(schema, key).is_none() {
            let help = "move it under `data` or `stringData`: the line with that key is missing or indented too far";
            let fields = ["data", "stringData"].map(|data| format!("{data}.{key}"));
            Suggestion::new(help).with_intended_paths(fields).with_cause(metadata_field_cause(frame))
        } else if let Some(list) = self.intended_list() {
            let help = format!("put a space after the `-`: this is an item of `{}`", list.key);
            Suggestion::new(help).with_intended_paths([frame.missing_path(list.key)])
        } else if let Some(field) = self.field_in_key() {
            Suggestion::new(format!("put a colon and a space after `{field}`"))
                .with_intended_paths([frame.missing_path(field)])
        } else if has_property("matchLabels") && has_property("matchExpressions") {
            let all_are_unknown = object.get("matchLabels").or(object.get("matchExpressions")).is_none();
            let effect = match all_are_unknown {
                true => "; as written, the selector is `{}`, which selects everything",
                false => "",
            };
            let help = match self.intended_field() {
                Some(meant) => format!("rename it to `{meant}`{effect}"),
                None => format!("write labels under `matchLabels`: `matchLabels: {{{key}: …}}`{effect}"),
            };
            let cause = format!("labels without matchLabels at {:?}", frame.head());
            Suggestion::new(help).with_intended_paths([frame.to_string()]).with_cause(cause)
        } else if has_property("any") && has_property("matchNames") && key.starts_with("match") {
            let help = "set `matchNames` to a list of namespaces, or set `any: true`: a monitor cannot select namespaces by label";
            Suggestion::new(help)
        } else if key == "config" && ["action", "type"].iter().all(|field| has_property(field)) {
            let help = format!(
                "move the fields of `config` directly under `{}`: a metric in PodLogs has no `config`",
                frame.name()
            );
            let subfields = self.entry.value.entries().map(|field| frame.missing_path(field.key));
            Suggestion::new(help).with_intended_paths(subfields.collect::<Vec<_>>())
        } else if PATCH_DIRECTIVES.contains(&key) {
            Suggestion::new(BUILD_PATCH)
        } else if let Some(parent) = self.shallow_parent() {
            let help = format!("indent `{key}`: it belongs under `{parent}`");
            Suggestion::new(help).with_intended_paths([frame.missing_path(parent)])
        } else if let [parent] = *self.missing_parents(false)
            && object.entries().nth(1).is_some()
        {
            let help = format!("add a `{parent}:` line above it: `{key}` belongs under `{parent}`");
            Suggestion::new(help).with_cause(format!("no {parent} at {:?}", frame.head()))
        } else {
            let version = versions::release_with_field(key).filter(|_| frame.kind().is_prometheus_kind())?;
            let help = format!(
                "remove it: prometheus-operator added it in {version}, but the Grafana Agent Operator supports only the fields of v0.66.0"
            );
            Suggestion::new(help).with_cause(format!("newer field {key}"))
        })
    }

    /// Returns a suggestion for a field that is misspelled or belongs to a different object.
    fn suggest_similar(self) -> Suggestion {
        let (schema, frame, key) = (self.schema, self.frame, self.entry.key);
        let value = self.entry.value.value();
        if let Some(intended_field) = self.intended_field() {
            let is_required = schema.required.iter().any(|name| name == intended_field);
            return Suggestion {
                cause: is_required.then(|| misspelled_field_cause(self.entry.key_span)),
                is_misspelled: true,
                ..Suggestion::new(format!("did you mean `{intended_field}`?"))
                    .with_intended_paths([frame.missing_path(intended_field)])
            };
        }
        if let Some(parent) = schema.find_only_parent(key, value) {
            // If the parent is a list item, the field may have been meant for any item, so the path refers to the list.
            let list = parent.split('[').next().unwrap_or_default();
            return Suggestion::new(format!("move it to `{}`", frame.missing_path(&parent)))
                .with_intended_paths([frame.missing_path(list)]);
        }
        if let Some(help) = stages::suggest_stages(schema) {
            return Suggestion::new(help);
        }
        let (map_parents, outer_parent) = (self.missing_parents(true), self.outer_parent());
        let intended_paths: Vec<_> = match (map_parents.as_slice(), &outer_parent) {
            ([], Some(outer)) => vec![format!("{outer}.{key}")],
            ([], None) => {
                let parents = schema.parents_with_field(key, value);
                parents.map(|parent| format!("{}.{key}", frame.missing_path(parent))).collect()
            }
            (maps, _) => maps.iter().map(|map| frame.missing_path(map)).collect(),
        };
        // A map with arbitrary keys accepts every field, so it could be the intended parent, but it is never suggested.
        let parents = schema.parents_with_field(key, value);
        let parents: Vec<_> = parents.map(|parent| format!("`{parent}`")).collect();
        let suggestion = match (outer_parent, parents.len()) {
            _ if schema.properties.is_empty() => Suggestion::new("remove it: no field can be set here"),
            (Some(outer), _) => Suggestion::new(format!("move it to `{outer}`")),
            (None, 1..=4) => Suggestion::new(format!("move it under {}", join_words("or", &parents))),
            _ => Suggestion::default(),
        };
        suggestion.with_intended_paths(intended_paths)
    }

    /// Returns the field that was probably meant, unless the object already sets that field.
    fn intended_field(self) -> Option<&'u str> {
        nearest(self.schema, self.entry.key).filter(|nearest| self.object.entry(nearest).is_none())
    }

    /// Returns the preceding empty field if it was probably meant as the parent of this field, because it is also
    /// unknown or defines a field with this name.
    fn intended_parent(self) -> Option<Entry<'u>> {
        let is_known = |parent: &Entry<'_>| self.schema.field(parent.key).is_some();
        let parent = self.empty_above?;
        (!is_known(&parent) || self.shallow_parent().is_some()).then_some(parent)
    }

    /// Returns the preceding empty list if this field was probably meant as one of its items, as in `-port`.
    fn intended_list(self) -> Option<Entry<'u>> {
        let key = self.entry.key.strip_prefix('-')?;
        let list = self.empty_above?;
        let item = self.schema.field(list.key)?.items.as_deref()?;
        item.properties.get(key)?;
        Some(list)
    }

    /// Returns the name of the field whose key has absorbed its value, as in `labels:{a: b}` or `labels {a: b}`.
    fn field_in_key(self) -> Option<&'u str> {
        let (field, _) = self.entry.key.split_once([':', ' '])?;
        self.schema.properties.contains_key(field).then_some(field)
    }

    /// Returns the preceding empty field if it defines a field with this name or accepts any field.
    fn shallow_parent(self) -> Option<&'u str> {
        let parent = self.empty_above?;
        let schema = self.schema.field(parent.key)?;
        let field = schema.field(self.entry.key);
        let is_field = field.is_some_and(|field| field.accepts(self.entry.value.value()));
        (is_field || schema.preserve_unknown).then_some(parent.key)
    }

    /// Returns the fields that could contain all fields of the object, provided that the object itself defines none of
    /// them. If there are any, the line with the parent is probably missing. If `are_maps` is set, the returned fields
    /// are maps. Otherwise, they define fields with these names.
    fn missing_parents(self, are_maps: bool) -> Vec<&'u str> {
        // An object may have many unknown fields, and this function is called for each one.
        const MAX_FIELDS: usize = 50;
        let (schema, object) = (self.schema, self.object);
        if object.entries().nth(MAX_FIELDS).is_some() || object.entries().any(|entry| schema.field(entry.key).is_some())
        {
            return Vec::new();
        }
        let accepts_entry = |parent: &Schema, entry: Entry<'_>| {
            let field = match are_maps {
                true => parent.additional.as_deref(),
                false => parent.properties.get(entry.key),
            };
            field.is_some_and(|field| field.accepts(entry.value.value()))
        };
        let parents = schema.properties.iter();
        let parents = parents.filter(|(_, parent)| object.entries().all(|entry| accepts_entry(parent, entry)));
        parents.map(|(name, _)| *name).collect()
    }

    /// Returns the path of the nearest enclosing object that defines the unknown field, excluding the resource itself.
    fn outer_parent(self) -> Option<String> {
        let path = self.frame.path();
        let mut schema = schema_of(self.frame.kind());
        let mut enclosing_path = FieldPath::new();
        let mut parent = None;
        for step in path.steps() {
            if !enclosing_path.is_root() && schema.has_field_for(self.entry.key, self.entry.value.value()) {
                parent = Some(enclosing_path.to_string());
            }
            schema = match step {
                Step::Key(key) => schema.field(key)?,
                Step::Index(_) => schema.items.as_deref()?,
            };
            enclosing_path.push(step);
        }
        parent
    }

    /// Whether the unknown field belongs in `metadata`: it is either a metadata field at the top level of the resource,
    /// or a field in `spec` that affects whether the resource is selected.
    fn belongs_in_metadata(self) -> bool {
        let key = self.entry.key;
        let may_move = match self.frame.is_resource() {
            true => key != "status",
            false => self.frame.to_string() == "spec" && matches!(key, "namespace" | "labels"),
        };
        may_move && object_meta().has_field_for(key, self.entry.value.value())
    }
}

/// Adds help for a required field that is missing because it is misspelled or was entered below `metadata`.
pub(super) fn explain_missing(
    diagnostic: Diagnostic,
    name: &str,
    schema: &Schema,
    node: Node<'_>,
    frame: &Frame<'_>,
) -> Diagnostic {
    let metadata = node.entry("metadata").filter(|_| frame.is_resource());
    if let Some((metadata_entry, entry)) = metadata.and_then(|metadata| Some((metadata, metadata.value.entry(name)?))) {
        return diagnostic
            .label(entry.key_span, format!("`{name}` is indented too far"))
            .help(unindent(name))
            .cause(metadata_field_cause(&frame.field(metadata_entry)));
    }
    let is_misspelling = |entry: &Entry<'_>| nearest(schema, entry.key) == Some(name);
    let mut unknown = node.entries().filter(|entry| schema.field(entry.key).is_none());
    match unknown.find(is_misspelling) {
        Some(entry) => diagnostic
            .label(entry.key_span, "unknown field")
            .help(format!("rename `{}` to `{name}`", entry.key))
            .cause(misspelled_field_cause(entry.key_span)),
        None => diagnostic,
    }
}

/// Returns the identifier of the mistake for a misspelled required field. The field is reported as missing, and the
/// misspelled key as unknown.
fn misspelled_field_cause(key: Span) -> String {
    format!("misspelled at {key:?}")
}

fn unindent(field: &str) -> String {
    format!("unindent `{field}`: it belongs next to `metadata`, not under it")
}

/// Returns the identifier of the mistake that causes the findings about a dropped field.
pub(super) fn dropped_field_cause(key: Span) -> String {
    format!("dropped at {key:?}")
}

/// Returns the identifier of the mistake for fields that were accidentally entered below `metadata`.
fn metadata_field_cause(metadata: &Frame<'_>) -> String {
    format!("below metadata at {:?}", metadata.head())
}

/// Directives in strategic merge patches (`pkg/util/strategicpatch` in apimachinery).
const PATCH_DIRECTIVES: &[&str] = &["$deleteFromPrimitiveList", "$patch", "$retainKeys", "$setElementOrder"];
