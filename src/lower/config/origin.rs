//! Where the parts of a configuration come from.
//!
//! A part carries its origin with it, as a hidden field of the object that it is or stands in, so that nothing needs to
//! know where in the configuration it ends up. Hidden fields are there only where origins are asked for, and are taken out
//! before a configuration is written.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::api::{Kind, ObjectMeta, ObjectRef, Resource};
use crate::diagnostic::FieldPath;
use crate::yaml::{Mapping, Step, Value};

/// How the key of a hidden field starts; the key of the field that it belongs to follows, or nothing where it belongs to the
/// object. Its value is an integer, as no other field has it: every number of a configuration is a double.
const HIDDEN: char = '\0';

/// A field of a resource that a part of a configuration is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// The field, which may be missing: then its absence is what made the part. Empty for the resource as a whole.
    pub path: FieldPath<'static>,
}

/// The parts of a configuration whose origins are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parts<'d> {
    /// Where this part comes from; `None` where the part around it says so.
    pub origin: Option<Origin<'d>>,
    keys: BTreeMap<String, Parts<'d>>,
    items: BTreeMap<usize, Parts<'d>>,
}

impl<'d> Parts<'d> {
    /// The part one step further in.
    pub fn step(&self, step: Step<'_>) -> Option<&Parts<'d>> {
        match step {
            Step::Key(key) => self.keys.get(key),
            Step::Index(index) => self.items.get(&index),
        }
    }
}

/// The origins of a configuration that is being lowered.
#[derive(Default)]
pub(super) struct Recorder<'d>(Mutex<Vec<Origin<'d>>>);

impl<'d> Recorder<'d> {
    fn origins(&self) -> MutexGuard<'_, Vec<Origin<'d>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, origin: Origin<'d>) -> Mark {
        let mut origins = self.origins();
        origins.push(origin);
        Mark(i64::try_from(origins.len() - 1).ok())
    }

    /// A value without its hidden fields, and what they said.
    pub(super) fn split(&self, value: Value<'d>) -> (Value<'d>, Parts<'d>) {
        let mut parts = Parts::default();
        let value = match value {
            Value::Mapping(fields) => Value::Mapping(self.split_mapping(fields, &mut parts)),
            Value::Sequence(items) => {
                let items = items.into_iter().enumerate().map(|(i, item)| {
                    let (item, inner) = self.split(item);
                    parts.items.insert(i, inner);
                    item
                });
                Value::Sequence(items.collect())
            }
            scalar => scalar,
        };
        (value, parts)
    }

    fn split_mapping(&self, fields: Mapping<'d>, parts: &mut Parts<'d>) -> Mapping<'d> {
        let mut shown = Mapping::new();
        for (key, value) in fields {
            match (key.strip_prefix(HIDDEN), &value) {
                (Some(""), Value::Int(mark)) => parts.origin = self.origin(*mark),
                (Some(field), Value::Int(mark)) => {
                    parts.keys.entry(field.to_owned()).or_default().origin = self.origin(*mark);
                }
                _ => {
                    let (value, inner) = self.split(value);
                    let part = parts.keys.entry(key.clone().into_owned()).or_default();
                    *part = Parts {
                        origin: inner.origin.or(part.origin.take()),
                        ..inner
                    };
                    shown.push(key, value);
                }
            }
        }
        shown
    }

    fn origin(&self, mark: i64) -> Option<Origin<'d>> {
        self.origins().get(usize::try_from(mark).ok()?).cloned()
    }
}

/// The number of a recorded origin; none where origins are not asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(Option<i64>);

impl Mark {
    /// The mark of what nobody asks for.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Says where an object comes from.
    pub(super) fn put<'d>(self, object: &mut Mapping<'d>) {
        if let Some(number) = self.0 {
            object.push(HIDDEN.to_string(), Value::Int(number));
        }
    }

    /// Says where a field of an object comes from, which may turn out not to be there.
    pub(super) fn put_field<'d>(self, object: &mut Mapping<'d>, key: &str) {
        if let Some(number) = self.0 {
            object.push(format!("{HIDDEN}{key}"), Value::Int(number));
        }
    }
}

/// Whether origins are recorded, and where.
#[derive(Clone, Copy)]
pub(super) struct Trace<'a, 'd>(Option<&'a Recorder<'d>>);

impl<'a, 'd> Trace<'a, 'd> {
    /// Nothing is recorded.
    pub(super) fn off() -> Self {
        Self(None)
    }

    /// Origins are recorded here.
    pub(super) fn to(recorder: &'a Recorder<'d>) -> Self {
        Self(Some(recorder))
    }

    /// A resource that parts are made from.
    pub(super) fn resource<S>(self, resource: &'d Resource<'d, S>) -> Site<'a, 'd> {
        Site {
            trace: self,
            kind: resource.kind,
            meta: &resource.meta,
            field: "",
            index: None,
            key: "",
        }
    }

    /// A key of a Secret.
    pub(super) fn secret(self, namespace: &'d str, name: &'d str, key: &str) -> Mark {
        self.record(|| Origin {
            object: ObjectRef {
                kind: Kind::Secret,
                namespace,
                name,
            },
            path: FieldPath::of("data").key(key.to_owned()),
        })
    }

    fn record(self, origin: impl FnOnce() -> Origin<'d>) -> Mark {
        self.0.map_or(Mark(None), |recorder| recorder.record(origin()))
    }
}

/// A field of a resource that parts are made from: the resource as a whole, a field, an item of a list, or a field of
/// an item.
#[derive(Clone, Copy)]
pub(super) struct Site<'a, 'd> {
    trace: Trace<'a, 'd>,
    kind: Kind,
    meta: &'d ObjectMeta<'d>,
    field: &'static str,
    index: Option<usize>,
    key: &'static str,
}

impl<'a, 'd> Site<'a, 'd> {
    /// A resource whose parts nobody asks for.
    #[cfg(test)]
    pub(super) fn unrecorded(meta: &'d ObjectMeta<'d>) -> Self {
        Site {
            trace: Trace::off(),
            kind: Kind::GrafanaAgent,
            meta,
            field: "",
            index: None,
            key: "",
        }
    }

    /// Another field of the resource, such as `spec.selector`.
    pub(super) fn at(self, field: &'static str) -> Self {
        Self {
            field,
            index: None,
            key: "",
            ..self
        }
    }

    /// An item of the field.
    pub(super) fn item(self, index: usize) -> Self {
        Self {
            index: Some(index),
            key: "",
            ..self
        }
    }

    /// A field of the item.
    pub(super) fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The mark of what is made from the field.
    pub(super) fn mark(self) -> Mark {
        self.below(|_| ())
    }

    /// The mark of what is made from an item of the field.
    pub(super) fn mark_item(self, index: usize) -> Mark {
        self.below(|path| path.push_index(index))
    }

    /// The mark of what is made from something in the field.
    pub(super) fn below(self, extend: impl FnOnce(&mut FieldPath<'static>)) -> Mark {
        self.trace.record(|| {
            let mut path = match self.field {
                "" => FieldPath::new(),
                field => FieldPath::of(field),
            };
            if let Some(index) = self.index {
                path.push_index(index);
            }
            if !self.key.is_empty() {
                path.push_key(self.key);
            }
            extend(&mut path);
            let object = ObjectRef {
                kind: self.kind,
                namespace: self.meta.namespace,
                name: self.meta.name,
            };
            Origin { object, path }
        })
    }
}
