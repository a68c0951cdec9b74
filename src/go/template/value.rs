//! Values in templates, with the Go types that templates distinguish.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use super::failure::Failure;
use crate::go::number;

/// Maximum nesting depth of a value. Values are printed, compared and dropped recursively.
const MAX_DEPTH: usize = 128;

/// A value in a template. Unlike in Go, where `set` and `unset` change a dictionary, a value cannot be changed.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateValue {
    /// No value, which results from reading a missing key or a field of a missing value.
    Missing,
    /// `nil` in an interface, such as `null` in a file.
    Nil,
    Bool(bool),
    Int(i64),
    /// An `int64`, as returned by arithmetic functions.
    Int64(i64),
    /// A `float64`, which is the type of every number read from a file.
    Float(f64),
    Text(Rc<str>),
    List(ListKind, Rc<NestedItems<Vec<TemplateValue>>>),
    Map(MapKind, Rc<NestedItems<BTreeMap<String, TemplateValue>>>),
}

/// Type of the items in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Any,
    Strings,
    Lists,
}

/// Type of the values in a map with string keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    Any,
    Strings,
}

/// Items of a list or map, with their nesting depth.
#[derive(Debug, PartialEq)]
pub struct NestedItems<T> {
    depth: usize,
    items: T,
}

impl TemplateValue {
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a list.
    ///
    /// # Errors
    ///
    /// Fails if the items are nested too deeply.
    pub fn list(kind: ListKind, items: Vec<Self>) -> Result<Self, Failure> {
        let depth = depth(items.iter())?;
        Ok(Self::List(kind, Rc::new(NestedItems { depth, items })))
    }

    /// Creates a map.
    ///
    /// # Errors
    ///
    /// Fails if the entries are nested too deeply.
    pub fn map(kind: MapKind, items: BTreeMap<String, Self>) -> Result<Self, Failure> {
        let depth = depth(items.values())?;
        Ok(Self::Map(kind, Rc::new(NestedItems { depth, items })))
    }

    /// Creates a list of strings.
    pub fn strings<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Self {
        let items = items.into_iter().map(|item| Self::text(item.as_ref())).collect();
        Self::List(ListKind::Strings, Rc::new(NestedItems { depth: 1, items }))
    }

    /// Converts JSON as `json.Unmarshal` does: every number is a `float64`.
    ///
    /// # Errors
    ///
    /// Fails if the value is nested too deeply.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, Failure> {
        Ok(match value {
            serde_json::Value::Null => Self::Nil,
            serde_json::Value::Bool(value) => Self::Bool(*value),
            serde_json::Value::Number(value) => Self::Float(value.as_f64().unwrap_or_default()),
            serde_json::Value::String(text) => Self::text(text.as_str()),
            serde_json::Value::Array(items) => {
                Self::list(ListKind::Any, items.iter().map(Self::from_json).collect::<Result<_, _>>()?)?
            }
            serde_json::Value::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| Ok((key.clone(), Self::from_json(value)?)));
                Self::map(MapKind::Any, entries.collect::<Result<_, Failure>>()?)?
            }
        })
    }

    /// Converts the value to JSON as `json.Marshal` does. A `float64` that is a whole number has no fraction.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Missing | Self::Nil => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Int(value) | Self::Int64(value) => (*value).into(),
            Self::Float(value) => match number::whole_number(*value) {
                Some(whole) => whole.into(),
                None => (*value).into(),
            },
            Self::Text(text) => text.as_ref().into(),
            Self::List(_, list) => list.items.iter().map(Self::to_json).collect(),
            Self::Map(_, map) => map.items.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(_, list) => Some(&list.items),
            _ => None,
        }
    }

    pub fn as_map(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::Map(_, map) => Some(&map.items),
            _ => None,
        }
    }

    /// Whether the value is missing or `nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Missing | Self::Nil)
    }

    /// Whether the value differs from the zero value of its type (`template.IsTrue`).
    pub fn is_true(&self) -> bool {
        match self {
            Self::Missing | Self::Nil => false,
            Self::Bool(value) => *value,
            Self::Int(value) | Self::Int64(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(_, list) => !list.items.is_empty(),
            Self::Map(_, map) => !map.items.is_empty(),
        }
    }

    /// Returns the name of the value's Go type (`%T`).
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Missing | Self::Nil => "<nil>",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Int64(_) => "int64",
            Self::Float(_) => "float64",
            Self::Text(_) => "string",
            Self::List(ListKind::Any, _) => "[]interface {}",
            Self::List(ListKind::Strings, _) => "[]string",
            Self::List(ListKind::Lists, _) => "[][]interface {}",
            Self::Map(MapKind::Any, _) => "map[string]interface {}",
            Self::Map(MapKind::Strings, _) => "map[string]string",
        }
    }

    /// Returns the name of the value's kind (`reflect.Kind`).
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Missing | Self::Nil => "invalid",
            Self::List(..) => "slice",
            Self::Map(..) => "map",
            other => other.type_name(),
        }
    }

    /// Appends the value as `%v` formats it.
    pub fn format(&self, out: &mut String) {
        match self {
            Self::Missing | Self::Nil => out.push_str("<nil>"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // Writing to a string cannot fail.
            Self::Int(value) | Self::Int64(value) => drop(write!(out, "{value}")),
            Self::Float(value) if value.is_nan() => out.push_str("NaN"),
            Self::Float(value) if value.is_infinite() => out.push_str(if *value > 0.0 { "+Inf" } else { "-Inf" }),
            Self::Float(value) => number::push_number(out, *value),
            Self::Text(text) => out.push_str(text),
            Self::List(_, list) => {
                out.push('[');
                for (index, item) in list.items.iter().enumerate() {
                    out.push_str(if index > 0 { " " } else { "" });
                    item.format(out);
                }
                out.push(']');
            }
            Self::Map(_, map) => {
                out.push_str("map[");
                for (index, (key, value)) in map.items.iter().enumerate() {
                    let _ = write!(out, "{}{key}:", if index > 0 { " " } else { "" });
                    value.format(out);
                }
                out.push(']');
            }
        }
    }

    /// Returns the number of values and bytes that formatting the value visits, or `None` if it exceeds `limit`. Shared
    /// values are counted each time.
    pub fn size(&self, limit: u64) -> Option<u64> {
        let add = |size: u64, item: &Self| {
            let size = size + item.size(limit.checked_sub(size)?)?;
            (size <= limit).then_some(size)
        };
        let size = match self {
            Self::Text(text) => 1 + text.len() as u64,
            Self::List(_, list) => list.items.iter().try_fold(1, add)?,
            Self::Map(_, map) => {
                let mut entries = map.items.iter();
                entries.try_fold(1, |size, (key, value)| add(size + key.len() as u64, value))?
            }
            _ => 1,
        };
        (size <= limit).then_some(size)
    }
}

fn depth<'v>(items: impl Iterator<Item = &'v TemplateValue>) -> Result<usize, Failure> {
    let depth_of = |item: &TemplateValue| match item {
        TemplateValue::List(_, list) => list.depth,
        TemplateValue::Map(_, map) => map.depth,
        _ => 0,
    };
    let depth = 1 + items.map(depth_of).max().unwrap_or_default();
    if depth > MAX_DEPTH {
        return Err(Failure::Limit);
    }
    Ok(depth)
}
