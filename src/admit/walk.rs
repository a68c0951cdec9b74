//! The pass over a resource's fields, which prunes, sets defaults and validates.

use std::collections::HashSet;

use serde_json::Value;

use super::findings::ResourceFindings;
use super::frame::Frame;
use super::suggestions::UnknownField;
use super::{core_objects, diagnostics, fixes, metadata, rule, stages, suggestions, versions};
use crate::api::schema::{ListType, Schema, ValueType, object_meta, schema as schema_of};
use crate::api::{DroppedField, Kind, NamespaceLabels, OperatorVersion};
use crate::diagnostic::bound::Fixes;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;
use crate::yaml::{Edits, Entry, Node, NodeValue};

/// Admits a resource. Adds the necessary changes to `edits`, and the findings to `out`.
///
/// `resource` is the mapping that contains `apiVersion`, `kind` and `metadata`. Paths in findings are relative to this
/// mapping. The caller applies the edits to the document and adds the resource's name to the findings.
///
/// Returns the fields that are missing because their keys are misspelled or misplaced.
pub fn admit(
    kind: Kind,
    resource: Node<'_>,
    options: &AdmitOptions,
    edits: &mut Edits,
    out: &mut Vec<Diagnostic>,
) -> Vec<DroppedField> {
    let frame = Frame::resource(kind, resource);
    let mut walk = Walk {
        unknown: options.unknown_fields,
        operator: options.operator,
        edits,
        out: ResourceFindings::new(out, options.fixes),
        dropped_fields: Vec::new(),
    };
    walk.check_value(schema_of(kind), resource, &frame);
    let (mut out, dropped_fields) = (walk.out, walk.dropped_fields);
    metadata::check(kind, resource, &frame, &mut out);
    core_objects::check(kind, resource, &frame, &mut out);
    out.finish();
    dropped_fields
}

/// State and results of the pass over a resource's fields.
struct Walk<'w> {
    unknown: UnknownFields,
    operator: OperatorVersion,
    edits: &'w mut Edits,
    out: ResourceFindings<'w>,
    dropped_fields: Vec<DroppedField>,
}

impl Walk<'_> {
    /// Validates a value against its schema. If the type is wrong, no further checks are made.
    fn check_value(&mut self, schema: &Schema, node: Node<'_>, frame: &Frame<'_>) {
        let value = node.value();
        if !schema.accepts(value) {
            self.edits.replace(node, intended_value(schema, node));
            return self.out.add(Code::WrongType, || diagnostics::wrong_type(schema, node, frame));
        }
        match value {
            NodeValue::Mapping => self.check_mapping(schema, node, frame),
            NodeValue::Sequence => self.check_sequence(schema, node, frame),
            NodeValue::String(text) => {
                let allowed = versions::allowed_values(self.operator, schema);
                rule::check_text(schema, &allowed, text, node, frame, &mut self.out);
            }
            NodeValue::Int(number) => {
                if rule::is_out_of_range(schema, number) {
                    self.edits.replace(node, Value::Null);
                    let code = Code::IntegerOutOfRange;
                    self.out.add(code, || diagnostics::out_of_range(node, frame));
                }
            }
            NodeValue::Null | NodeValue::Bool(_) | NodeValue::Float(_) => {}
        }
    }

    fn check_mapping(&mut self, schema: &Schema, node: Node<'_>, frame: &Frame<'_>) {
        let mut claimed_fields = HashSet::new();
        let operator = self.operator;
        let mut empty_entry_above = None;
        for entry in node.entries() {
            match field_schema(schema, entry, frame) {
                Some(field) => match versions::required_release(self.operator, frame, entry.key) {
                    None => {
                        if field.accepts(entry.value.value()) {
                            self.check_key(entry, frame);
                        }
                        self.check_field(field, (schema, node), entry, frame);
                    }
                    Some(since) => {
                        self.prune(node, entry, frame, || (diagnostics::later_field(since, entry, frame), Vec::new()))
                    }
                },
                None if schema.preserve_unknown => {
                    self.check_key(entry, frame);
                    self.check_free_form(entry.value, &frame.field(entry));
                }
                None => self.prune(node, entry, frame, || {
                    let object = node;
                    let suggestion =
                        UnknownField { schema, object, entry, empty_above: empty_entry_above, frame }.suggest();
                    let is_free = |intended_field: &str| {
                        node.entry(intended_field).is_none() && claimed_fields.insert(intended_field.to_owned())
                    };
                    let accepts = |intended_field: &str| accepts_value(schema, intended_field, entry, frame, operator);
                    let fix = || fixes::rename_fix(schema, entry, is_free, accepts);
                    let fix = suggestion.is_misspelled.then(fix).flatten();
                    (
                        diagnostics::unknown_field(&suggestion, schema, entry, frame).fix_if(fix),
                        suggestion.intended_paths,
                    )
                }),
            }
            empty_entry_above = Some(entry).filter(|entry| entry.value.is_null()).or(empty_entry_above);
        }
        for (name, default) in schema.defaults().filter(|(name, _)| node.get(name).is_none()) {
            self.edits.set(node, name, default.clone());
        }
        rule::check_required(schema, node, frame, &mut self.out);
    }

    /// Reports misread keys in a value that has no schema.
    fn check_free_form(&mut self, node: Node<'_>, frame: &Frame<'_>) {
        for entry in node.entries() {
            self.check_key(entry, frame);
            self.check_free_form(entry.value, &frame.field(entry));
        }
        for (index, item) in node.items().enumerate() {
            self.check_free_form(item, &frame.item(index, item));
        }
    }

    /// Reports a key that YAML 1.1 reads as a boolean. No schema defines a field named `true` or `false`, so the key
    /// must belong to a map.
    fn check_key(&mut self, entry: Entry<'_>, frame: &Frame<'_>) {
        if let Some(word) = misread_word(entry.key, entry.key_span) {
            self.out.add(Code::MisreadKey, || diagnostics::misread_key(word, entry, frame));
        }
    }

    /// Validates a field. If the field is null and null is not allowed, it is dropped or replaced with the default
    /// (`PruneNonNullableNullsWithoutDefaults` and `Default` in apiextensions-apiserver). A null field of an object is
    /// merely unset, so it is not reported. A null entry in a map with user-defined keys is lost, so it is reported, and
    /// so is a stage without a value.
    fn check_field(
        &mut self,
        schema: &Schema,
        (parent_schema, parent): (&Schema, Node<'_>),
        entry: Entry<'_>,
        frame: &Frame<'_>,
    ) {
        if !entry.value.is_null() || schema.nullable {
            return self.check_value(schema, entry.value, &frame.field(entry));
        }
        match &schema.default {
            Some(default) => self.edits.set(parent, entry.key, default.clone()),
            None => self.edits.remove(parent, entry.key),
        }
        if parent_schema.additional.is_some() && !parent_schema.properties.contains_key(entry.key) {
            self.out.add(Code::DroppedKey, || diagnostics::dropped_key(schema, entry, frame));
        } else if stages::is_empty_stage(parent_schema, parent) {
            self.out.add(Code::DroppedKey, || diagnostics::dropped_stage(entry, frame));
        }
    }

    /// Drops a field that the schema does not define (`prune` in apiextensions-apiserver). `unknown` returns the
    /// finding and the fields that may have been meant.
    fn prune(
        &mut self,
        parent: Node<'_>,
        entry: Entry<'_>,
        frame: &Frame<'_>,
        unknown: impl FnOnce() -> (Diagnostic, Vec<String>),
    ) {
        self.edits.remove(parent, entry.key);
        if self.unknown == UnknownFields::Ignore || is_sops_metadata(entry, frame) {
            return;
        }
        let severity = match self.unknown {
            UnknownFields::Strict => Severity::Error,
            UnknownFields::Warn | UnknownFields::Ignore => Severity::Warning,
        };
        if !self.out.must_create(Code::UnknownField, severity) {
            return;
        }
        let (mut finding, intended_fields) = unknown();
        let cause = finding.cause.take().unwrap_or_else(|| suggestions::dropped_field_cause(entry.key_span));
        if self.out.is_listed(Code::UnknownField) {
            self.dropped_fields.extend(intended_fields.into_iter().map(|path| DroppedField {
                path,
                key: entry.key_span,
                cause: cause.clone(),
                help: finding.help.clone(),
            }));
        }
        finding.cause = Some(cause);
        self.out.push(match self.unknown {
            UnknownFields::Strict => finding,
            UnknownFields::Warn | UnknownFields::Ignore => diagnostics::dropped_field_warning(finding),
        });
    }

    fn check_sequence(&mut self, schema: &Schema, node: Node<'_>, frame: &Frame<'_>) {
        if let Some(items) = &schema.items {
            for (index, item) in node.items().enumerate() {
                self.check_value(items, item, &frame.item(index, item));
            }
        }
        if schema.list_type != ListType::Atomic {
            rule::check_unique(schema, node, frame, &mut self.out);
        }
    }
}

/// Whether the field `name` accepts the value of `entry` without any findings.
fn accepts_value(schema: &Schema, name: &str, entry: Entry<'_>, frame: &Frame<'_>, operator: OperatorVersion) -> bool {
    let Some(field) = field_schema(schema, Entry { key: name, ..entry }, frame) else {
        return false;
    };
    let (mut edits, mut out) = (Edits::default(), Vec::new());
    let mut walk = Walk {
        unknown: UnknownFields::Strict,
        operator,
        edits: &mut edits,
        out: ResourceFindings::new(&mut out, Fixes::Listed),
        dropped_fields: Vec::new(),
    };
    let is_from_later_release = versions::required_release(operator, frame, name).is_some();
    walk.check_value(field, entry.value, &frame.field(entry));
    !is_from_later_release && out.is_empty()
}

/// Returns, in lower case, an unquoted key that YAML 1.1 reads as a boolean, or `None` for any other key.
pub fn misread_word(key: &str, span: Span) -> Option<&'static str> {
    let words = match key {
        "true" => ["y", "on", "yes"],
        "false" => ["n", "no", "off"],
        _ => return None,
    };
    words.into_iter().find(|word| word.len() == (span.end - span.start) as usize)
}

/// Returns the value that was probably meant by a scalar with the wrong type, for use by subsequent rules. Null is
/// treated as missing.
fn intended_value(schema: &Schema, node: Node<'_>) -> Value {
    match (schema.value_type, node.value()) {
        (Some(ValueType::String), NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::Bool(_)) => {
            node.plain_text().map_or(Value::Null, Value::from)
        }
        (Some(ValueType::Integer), NodeValue::String(text)) => text.parse::<i64>().map_or(Value::Null, Value::from),
        (Some(ValueType::Boolean), NodeValue::String(text)) => text.parse::<bool>().map_or(Value::Null, Value::from),
        _ => Value::Null,
    }
}

/// Whether a field is the metadata that SOPS adds to an encrypted object.
fn is_sops_metadata(entry: Entry<'_>, frame: &Frame<'_>) -> bool {
    frame.is_resource() && entry.key == "sops" && entry.value.is_mapping()
}

/// Returns the schema for a field. A resource's `metadata` has the same schema for all kinds, regardless of their
/// definitions.
fn field_schema<'s>(schema: &'s Schema, entry: Entry<'_>, frame: &Frame<'_>) -> Option<&'s Schema> {
    if entry.key == "metadata" && frame.is_resource() {
        return Some(object_meta());
    }
    schema.field(entry.key)
}

/// Handling of unknown fields, which are always dropped. The names are kubectl's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum UnknownFields {
    /// An unknown field is an error
    Strict,
    /// An unknown field is a warning
    #[default]
    Warn,
    /// Unknown fields are not reported
    Ignore,
}

/// Namespace flags that were passed on the command line. Settings in a file may apply to many inputs, so they need not
/// affect all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamespaceFlags {
    /// Whether `--namespace` was passed.
    pub namespace: bool,
    /// Whether `--namespace-labels` was passed.
    pub namespace_labels: bool,
}

/// Options for admission, such as the default namespace.
#[derive(Clone, Debug)]
pub struct AdmitOptions {
    /// Namespace for objects that do not set one.
    pub namespace: String,
    /// Labels of namespaces, which may be missing from the manifests of the Namespaces.
    pub namespace_labels: NamespaceLabels,
    /// Handling of unknown fields.
    pub unknown_fields: UnknownFields,
    /// Operator version whose CustomResourceDefinitions the API server uses.
    pub operator: OperatorVersion,
    /// Flags to report if they have no effect on the input.
    pub given: NamespaceFlags,
    /// Unlisted findings to create for their fixes.
    pub fixes: Fixes,
}

impl Default for AdmitOptions {
    fn default() -> Self {
        Self {
            namespace: "default".to_owned(),
            namespace_labels: NamespaceLabels::new(),
            unknown_fields: UnknownFields::default(),
            operator: OperatorVersion::default(),
            given: NamespaceFlags::default(),
            fixes: Fixes::default(),
        }
    }
}
