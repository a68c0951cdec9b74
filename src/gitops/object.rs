//! Kubernetes objects as JSON values.

use std::fmt;

use serde_json::{Map, Value};

use crate::diagnostic::Code;
use crate::source::{Source, Sources};
use crate::yaml::{Limits, NodeValue, read_value, to_json};

/// A Kubernetes object: a JSON object with `apiVersion`, `kind` and `metadata`.
pub type Object = Value;

/// Kind, namespace and name of an object, shown as `KIND/NAMESPACE/NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    pub kind: String,
    pub namespace: String,
    pub name: String,
}

impl ObjectId {
    pub fn new(kind: impl Into<String>, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { kind: kind.into(), namespace: namespace.into(), name: name.into() }
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
    }
}

/// Returns the kind, namespace and name of an object.
pub fn identity(object: &Object) -> ObjectId {
    ObjectId::new(text(object, "kind"), namespace(object), text_at(object, &["metadata", "name"]))
}

/// Returns the namespace of an object, or an empty string if it has none.
pub fn namespace(object: &Object) -> &str {
    text_at(object, &["metadata", "namespace"])
}

/// Returns the string at a key, or an empty string if there is no string.
pub fn text<'o>(value: &'o Value, key: &str) -> &'o str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the string at a path of keys, or an empty string if there is no string.
pub fn text_at<'o>(value: &'o Value, path: &[&str]) -> &'o str {
    let field = path.iter().try_fold(value, |value, key| value.get(key));
    field.and_then(Value::as_str).unwrap_or_default()
}

/// Returns the items of the list at a key, or an empty slice if there is no list.
pub fn items<'o>(value: &'o Value, key: &str) -> &'o [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Sets the string at a path of keys. Values on the path that are not mappings are replaced with mappings.
pub fn set_text(value: &mut Value, path: &[&str], text: impl Into<String>) {
    let mut target = value;
    for key in path {
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        let Value::Object(entries) = target else { return };
        target = entries.entry(*key).or_insert(Value::Null);
    }
    *target = Value::String(text.into());
}

/// Reads the documents in YAML or JSON text as Kubernetes does. Empty documents are omitted.
///
/// # Errors
///
/// Returns the message for the first mistake that makes the text unreadable.
pub fn read_objects(text: &str) -> Result<Vec<Object>, String> {
    let source = Sources::default().add(Source::new("", "", false));
    let parsed = read_value(source, text, &Limits::default());
    if let Some(mistake) = parsed.diagnostics.into_iter().find(|diagnostic| is_fatal(diagnostic.code)) {
        return Err(mistake.message);
    }
    let roots = parsed.output.iter().map(|document| document.root());
    Ok(roots.filter(|root| !matches!(root.value(), NodeValue::Null)).map(to_json).collect())
}

/// Whether findings with this code make `sigs.k8s.io/yaml` (`YAMLToJSON`) reject text.
fn is_fatal(code: Code) -> bool {
    use Code::{UnrenderedTemplate, YamlAlias, YamlKey, YamlLimit, YamlMerge, YamlScalar, YamlSyntax};
    matches!(code, UnrenderedTemplate | YamlAlias | YamlKey | YamlLimit | YamlMerge | YamlScalar | YamlSyntax)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parses_objects() {
        let text =
            "# nothing\n---\nkind: A\nmetadata: {name: a}\n---\n---\nkind: B\nmetadata: {name: b, namespace: ns}\n";
        let objects = read_objects(text).unwrap();
        let ids: Vec<_> = objects.iter().map(|object| identity(object).to_string()).collect();
        assert_eq!(ids, ["A//a", "B/ns/b"]);
        for text in ["a: [", "a: *x", "<<: 1", "? {a: b}\n: c", "a: .inf", "a: {{ b }}"] {
            assert!(read_objects(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sets_nested_strings() {
        let mut object = json!({"metadata": {"name": "a"}});
        set_text(&mut object, &["metadata", "labels", "x"], "y");
        assert_eq!(object, json!({"metadata": {"name": "a", "labels": {"x": "y"}}}));
        assert_eq!(text_at(&object, &["metadata", "labels", "x"]), "y");
    }
}
