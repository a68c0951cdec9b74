//! Nodes → Rust types, through serde, by the rules of Go's `encoding/json`.

use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::node::{Entry, Node, NodeValue};
use super::number;
use super::value::{Mapping, Value};
use crate::source::Span;

/// Decodes a node, borrowing its text.
///
/// As in Go, unknown fields are ignored, and a null counts as an absent field; elsewhere it is the zero value of what
/// is expected. A field's name has to match exactly, as where the API server has pruned an object.
pub fn decode<'d, T: Deserialize<'d>>(node: Node<'d>) -> Result<T, DecodeError> {
    T::deserialize(Decoder::new(node, Names::Exact)).map_err(|error| error.at(node))
}

/// Decodes a node whose field names may differ in case, as `encoding/json` alone does: for text that never went through
/// the API server. Where several names match one field, the last in byte order counts, since the conversion to JSON
/// sorts the keys.
pub fn decode_folding<'d, T: Deserialize<'d>>(node: Node<'d>) -> Result<T, DecodeError> {
    T::deserialize(Decoder::new(node, Names::Folded)).map_err(|error| error.at(node))
}

/// The node as JSON.
pub fn to_json(node: Node<'_>) -> serde_json::Value {
    match node.value() {
        NodeValue::Null => serde_json::Value::Null,
        NodeValue::Bool(value) => value.into(),
        NodeValue::Int(value) => value.into(),
        NodeValue::Float(value) => value.into(),
        NodeValue::String(text) => text.into(),
        NodeValue::Sequence => node.items().map(to_json).collect(),
        NodeValue::Mapping => node
            .entries()
            .map(|entry| (entry.key.to_owned(), to_json(entry.value)))
            .collect(),
    }
}

/// The node as a value to be written.
pub fn to_value<'d>(node: Node<'d>) -> Value<'d> {
    value_of(node, Value::Int)
}

/// The node as a value in which every number is a double, as in Go's untyped JSON and so in the operator's templates.
pub fn to_value_of_doubles<'d>(node: Node<'d>) -> Value<'d> {
    value_of(node, |value| Value::Float(value as f64))
}

fn value_of<'d>(node: Node<'d>, whole: fn(i64) -> Value<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => whole(value),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().map(|item| value_of(item, whole)).collect()),
        NodeValue::Mapping => {
            let entries = node
                .entries()
                .map(|entry| (entry.key.into(), value_of(entry.value, whole)));
            Value::Mapping(entries.collect::<Mapping<'d>>())
        }
    }
}

/// Why a node does not decode. The message never shows a string of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was found and what was expected.
    pub message: String,
    /// The node that does not fit; for a missing field the mapping that lacks it.
    pub span: Option<Span>,
    /// Where it stands below the decoded node: `spec.metrics.shards`; empty for that node itself.
    pub path: String,
}

impl DecodeError {
    /// With the place of this node, unless a place further inside is known.
    fn at(mut self, node: Node<'_>) -> Self {
        self.span.get_or_insert(node.span());
        self
    }

    fn under(mut self, step: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{step}{dot}{}", self.path);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            message: message.to_string(),
            span: None,
            path: String::new(),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("found {}, expected {expected}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            Unexpected::Signed(value) => Self::custom(format_args!("found {value}, expected {expected}")),
            Unexpected::Unsigned(value) => Self::custom(format_args!("found {value}, expected {expected}")),
            _ => Self::custom(format_args!("found another {}, expected {expected}", kind(found))),
        }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let expected: Vec<_> = expected.iter().map(|name| format!("`{name}`")).collect();
        Self::custom(format_args!(
            "found `{variant}`, expected one of {}",
            expected.join(", ")
        ))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("the field `{field}` is missing"))
    }
}

/// The kind of a value, without the value.
fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "number",
        Unexpected::Str(_) | Unexpected::Char(_) => "string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "array",
        Unexpected::Map => "object",
        _ => "value",
    }
}

/// How the names of fields are matched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Exact,
    Folded,
}

#[derive(Clone, Copy)]
struct Decoder<'d> {
    node: Node<'d>,
    names: Names,
}

impl<'d> Decoder<'d> {
    fn new(node: Node<'d>, names: Names) -> Self {
        Self { node, names }
    }

    fn seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, DecodeError> {
        seed.deserialize(self).map_err(|error| error.at(self.node))
    }

    fn sequence(self) -> Items<impl Iterator<Item = Node<'d>>> {
        Items {
            items: self.node.items(),
            names: self.names,
            index: 0,
        }
    }

    fn mapping(self) -> Entries<'d, impl Iterator<Item = Entry<'d>>> {
        Entries {
            entries: self.node.entries(),
            names: self.names,
            current: None,
        }
    }

    /// The entries of a struct under the names of its fields; nulls are absent.
    fn fields(self, fields: &'static [&'static str]) -> Entries<'d, std::vec::IntoIter<Entry<'d>>> {
        let mut found: Vec<(Entry<'d>, &'static str)> = Vec::with_capacity(fields.len());
        for entry in self.node.entries().filter(|entry| !entry.value.is_null()) {
            let Some(&field) = field_of(entry.key, fields) else {
                continue;
            };
            match found.iter_mut().find(|(_, other)| *other == field) {
                Some((other, _)) if other.key <= entry.key => *other = entry,
                Some(_) => {}
                None => found.push((entry, field)),
            }
        }
        let entries: Vec<_> = found
            .into_iter()
            .map(|(entry, field)| Entry { key: field, ..entry })
            .collect();
        Entries {
            entries: entries.into_iter(),
            names: self.names,
            current: None,
        }
    }
}

fn field_of<'f>(key: &str, fields: &'f [&'static str]) -> Option<&'f &'static str> {
    let exact = fields.iter().find(|field| **field == key);
    exact.or_else(|| fields.iter().find(|field| field.eq_ignore_ascii_case(key)))
}

/// A number where Go would see it, or zero for a null.
macro_rules! number {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.node.value() {
                NodeValue::Null => visitor.visit_i64(0),
                _ => self.deserialize_any(visitor),
            }
        }
    )+};
}

impl<'d> Deserializer<'d> for Decoder<'d> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::Null => visitor.visit_unit(),
            NodeValue::Bool(value) => visitor.visit_bool(value),
            NodeValue::Int(value) => visitor.visit_i64(value),
            NodeValue::Float(value) => visitor.visit_f64(value),
            NodeValue::String(text) => visitor.visit_borrowed_str(text),
            NodeValue::Sequence => visitor.visit_seq(self.sequence()),
            NodeValue::Mapping => visitor.visit_map(self.mapping()),
        }
    }

    number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::Null => visitor.visit_bool(false),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::Null => visitor.visit_borrowed_str(""),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::Null => visitor.visit_seq(self.sequence()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::Null => visitor.visit_map(self.mapping()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match (self.node.value(), self.names) {
            (NodeValue::Null, _) => visitor.visit_map(self.mapping()),
            (NodeValue::Mapping, Names::Folded) => visitor.visit_map(self.fields(fields)),
            (NodeValue::Mapping, Names::Exact) => visitor.visit_map(Entries {
                entries: self.node.entries().filter(|entry| !entry.value.is_null()),
                names: self.names,
                current: None,
            }),
            (NodeValue::Sequence, _) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.node.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// A quantity may be a number; Kubernetes takes the text that JSON has for it.
    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let text = match self.node.value() {
            NodeValue::Int(value) if name == "Quantity" => value.to_string(),
            NodeValue::Float(value) if name == "Quantity" => number::json_text(value),
            _ => return visitor.visit_newtype_struct(self),
        };
        visitor.visit_newtype_struct(StrDeserializer::new(&text))
    }

    fn deserialize_enum<V: Visitor<'d>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.node.value() {
            NodeValue::String(text) => visitor.visit_enum(Variant(text)),
            NodeValue::Null => visitor.visit_enum(Variant("")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'d>>
        char bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

struct Items<I> {
    items: I,
    names: Names,
    index: usize,
}

impl<'d, I: Iterator<Item = Node<'d>>> SeqAccess<'d> for Items<I> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        let decoded = Decoder::new(item, self.names).seed(seed);
        decoded.map(Some).map_err(|error| error.under(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        self.items.size_hint().1
    }
}

struct Entries<'d, I> {
    entries: I,
    names: Names,
    current: Option<Entry<'d>>,
}

impl<'d, I: Iterator<Item = Entry<'d>>> MapAccess<'d> for Entries<'d, I> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'d>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        self.current = self.entries.next();
        let Some(entry) = self.current else {
            return Ok(None);
        };
        seed.deserialize(BorrowedStrDeserializer::new(entry.key))
            .map(Some)
            .map_err(|error: DecodeError| DecodeError {
                span: Some(entry.key_span),
                ..error
            })
    }

    fn next_value_seed<V: DeserializeSeed<'d>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let Some(entry) = self.current.take() else {
            return Err(de::Error::custom("found a value without its key"));
        };
        Decoder::new(entry.value, self.names)
            .seed(seed)
            .map_err(|error| error.under(entry.key))
    }

    fn size_hint(&self) -> Option<usize> {
        self.entries.size_hint().1
    }
}

/// A string that names a variant without content.
struct Variant<'d>(&'d str);

impl<'d> EnumAccess<'d> for Variant<'d> {
    type Error = DecodeError;
    type Variant = Unit;

    fn variant_seed<V: DeserializeSeed<'d>>(self, seed: V) -> Result<(V::Value, Unit), DecodeError> {
        seed.deserialize(BorrowedStrDeserializer::new(self.0))
            .map(|variant| (variant, Unit))
    }
}

struct Unit;

impl<'d> VariantAccess<'d> for Unit {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, _seed: T) -> Result<T::Value, DecodeError> {
        Err(de::Error::invalid_type(
            Unexpected::UnitVariant,
            &"a variant with content",
        ))
    }

    fn tuple_variant<V: Visitor<'d>>(self, _len: usize, _visitor: V) -> Result<V::Value, DecodeError> {
        Err(de::Error::invalid_type(
            Unexpected::UnitVariant,
            &"a variant with content",
        ))
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, DecodeError> {
        Err(de::Error::invalid_type(
            Unexpected::UnitVariant,
            &"a variant with content",
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_openapi::api::core::v1::{Container, Secret};
    use serde::Deserialize;

    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Document, Limits, read};

    fn document(text: &str) -> Document<'_> {
        let source = Sources::default().add(Source::new("x.yaml", "", true));
        let mut read = read(source, text, &Limits::default());
        assert_eq!(read.diagnostics, []);
        read.output.remove(0)
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Spec<'d> {
        name: &'d str,
        shards: Option<i32>,
        size: u64,
        ratio: f64,
        on: bool,
        #[serde(borrow)]
        labels: BTreeMap<&'d str, &'d str>,
        ports: Vec<u16>,
        mode: Mode,
        inner: Option<Box<Spec<'d>>>,
        max_time: Option<&'d str>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    enum Mode {
        #[default]
        #[serde(rename = "")]
        Unset,
        Fast,
    }

    #[derive(Debug, Deserialize)]
    struct Strict<'d> {
        #[serde(borrow)]
        _spec: Named<'d>,
    }

    #[derive(Debug, Deserialize)]
    struct Named<'d> {
        #[serde(rename = "name")]
        _name: &'d str,
    }

    #[test]
    fn structs_ignore_unknown_fields_and_nulls() {
        let text = "{name: m, shards: 2, size: 18, ratio: 1, 'on': yes, labels: {a: b, c: }, ports: [1, ~], mode: Fast, \
                    inner: {name: ~, shards: ~, ratio: .5}, other: [1]}";
        let text = document(text);
        let spec: Spec = decode(text.root()).unwrap();
        let expected = Spec {
            name: "m",
            shards: Some(2),
            size: 18,
            ratio: 1.0,
            on: true,
            labels: [("a", "b"), ("c", "")].into(),
            ports: vec![1, 0],
            mode: Mode::Fast,
            inner: Some(Box::new(Spec {
                ratio: 0.5,
                ..Spec::default()
            })),
            max_time: None,
        };
        assert_eq!(spec, expected);
        assert_eq!(decode::<Vec<Spec>>(document("[~]").root()).unwrap(), [Spec::default()]);
    }

    #[test]
    fn errors_say_what_where_and_no_secret() {
        let cases = [
            ("name: 5", "name", "found integer, expected a borrowed string", "5"),
            (
                "inner: {shards: 4294967296}",
                "inner.shards",
                "found 4294967296, expected i32",
                "4294967296",
            ),
            (
                "inner: {inner: {ports: [1, s3cret]}}",
                "inner.inner.ports[1]",
                "found string, expected u16",
                "s3cret",
            ),
            ("shards: 1.5", "shards", "found number, expected i32", "1.5"),
            (
                "labels: {a: [x]}",
                "labels.a",
                "found array, expected a borrowed string",
                "[x]",
            ),
            ("labels: [x]", "labels", "found array, expected a map", "[x]"),
            ("mode: Slow", "mode", "found `Slow`, expected one of ``, `Fast`", "Slow"),
            ("[x]", "", "found array, expected struct Spec", "[x]"),
        ];
        for (text, path, message, place) in cases {
            let tree = document(text);
            let error = decode::<Spec>(tree.root()).unwrap_err();
            let span = error.span.unwrap();
            let found = (
                error.path.as_str(),
                error.message.as_str(),
                &text[span.start as usize..span.end as usize],
            );
            assert_eq!(found, (path, message, place), "{text}");
        }
    }

    #[test]
    fn a_missing_field_stands_at_its_mapping() {
        let text = "_spec: {other: 1, name: ~}";
        let tree = document(text);
        let error = decode::<Strict>(tree.root()).unwrap_err();
        assert_eq!(error.to_string(), "_spec: the field `name` is missing");
        assert_eq!(error.span.unwrap().start, 7);
    }

    #[test]
    fn names_fold_only_where_asked() {
        let tree = document("{NAME: a, Labels: {KEY: v}, SHARDS: 1, shards: 2, inner: {MaxTime: x, maxtime: z}}");
        let exact: Spec = decode(tree.root()).unwrap();
        assert_eq!((exact.name, exact.shards), ("", Some(2)));
        let folded: Spec = decode_folding(tree.root()).unwrap();
        assert_eq!((folded.name, folded.shards), ("a", Some(2)));
        assert_eq!(folded.labels, [("KEY", "v")].into());
        assert_eq!(folded.inner.unwrap().max_time, Some("z"));
    }

    #[test]
    fn types_of_kubernetes_decode() {
        let text = "\
name: c
env: ~
ports: [{containerPort: 80}]
resources: {limits: {cpu: 1, memory: 1.5, x: 1e30}, requests: {cpu: 500m}}
livenessProbe: {httpGet: {port: http}, timeoutSeconds: 5}
readinessProbe: {httpGet: {port: 8080}}
";
        let tree = document(text);
        let container: Container = decode(tree.root()).unwrap();
        let limits = container.resources.unwrap().limits.unwrap();
        let texts: Vec<_> = limits.values().map(|quantity| quantity.0.as_str()).collect();
        assert_eq!(texts, ["1", "1.5", "1e+30"]);
        assert_eq!(container.env, None);
        let secret: Secret = decode(document("{data: {a: aGk=}, stringData: {b: x}}").root()).unwrap();
        assert_eq!(secret.data.unwrap()["a"].0, b"hi");
    }

    #[test]
    fn values_keep_their_order_and_numbers() {
        let tree = document("b: 1\na: [x, 1.5, yes, ~]\n");
        assert_eq!(to_json(tree.root()).to_string(), r#"{"a":["x",1.5,true,null],"b":1}"#);
        let Value::Mapping(value) = to_value(tree.root()) else {
            panic!()
        };
        assert_eq!(value.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(value.get("b"), Some(&Value::Int(1)));
        let Value::Mapping(value) = to_value_of_doubles(tree.root()) else {
            panic!()
        };
        assert_eq!(value.get("b"), Some(&Value::Float(1.0)));
    }
}
