//! What a Go struct looks like in JSON.

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Whatever JSON holds.
    Any,
    /// `bool`.
    Bool,
    /// `int32`.
    Int32,
    /// `int64`.
    Int64,
    /// `intstr.IntOrString`.
    IntOrString,
    /// A slice.
    List(&'static Kind),
    /// A map from strings.
    Map(&'static Kind),
    /// `resource.Quantity`.
    Quantity,
    /// `string`, or a type made of one.
    String,
    /// Another struct.
    Struct(&'static Shape),
    /// `metav1.Time`.
    Time,
}

impl Kind {
    /// The struct that a field holds, or that its items are.
    pub fn shape(&self) -> Option<&'static Shape> {
        match self {
            Kind::Struct(shape) => Some(shape),
            Kind::List(item) => item.shape(),
            _ => None,
        }
    }
}

/// When Go's encoder writes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Always: a value without `omitempty`, or one that `omitempty` has no effect on (a struct).
    Always,
    /// Unless it is `false`, 0 or empty: a value with `omitempty`.
    UnlessZero,
    /// Unless it is absent, so `0` is written: a pointer with `omitempty`.
    WhenPresent,
    /// Always, as `null` where it is absent: a pointer without `omitempty`.
    OrNull,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The JSON name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// When it is written.
    pub written: Written,
    /// The `patchMergeKey` by which a strategic merge patch matches items; other lists are replaced. (Merged lists of
    /// scalars are in metadata only, which is never patched.)
    pub merge_key: Option<&'static str>,
    /// Whether `kubectl apply` takes out the keys that the manifest does not have (`patchStrategy:"retainKeys"`).
    pub retain_keys: bool,
}

/// A Go struct.
#[derive(Debug)]
pub struct Shape {
    /// Its name in Go.
    pub name: &'static str,
    /// Its fields, sorted by name.
    pub fields: &'static [Field],
}

impl Shape {
    pub(super) const fn named(name: &'static str) -> Self {
        Self { name, fields: &[] }
    }

    /// With these fields, sorted by name.
    pub(super) const fn with(self, fields: &'static [Field]) -> Self {
        Self { fields, ..self }
    }

    /// The field of this JSON name; case matters, as in the API server's decoder.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let at = self.fields.binary_search_by(|field| field.name.cmp(name)).ok()?;
        self.fields.get(at)
    }
}

impl Field {
    const fn new(name: &'static str, kind: Kind, written: Written) -> Self {
        Self {
            name,
            kind,
            written,
            merge_key: None,
            retain_keys: false,
        }
    }

    /// With `patchStrategy:"merge"` and this `patchMergeKey`.
    pub(super) const fn merged_by(mut self, key: &'static str) -> Self {
        self.merge_key = Some(key);
        self
    }

    /// With `patchStrategy:"retainKeys"`.
    pub(super) const fn retaining_keys(mut self) -> Self {
        self.retain_keys = true;
        self
    }
}

/// A value that is always written.
pub(super) const fn always(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind, Written::Always)
}

/// A value with `omitempty`.
pub(super) const fn omitted(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind, Written::UnlessZero)
}

/// A pointer with `omitempty`.
pub(super) const fn pointer(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind, Written::WhenPresent)
}

/// A pointer without `omitempty`.
pub(super) const fn nullable(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind, Written::OrNull)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::shapes::{CONTAINER, PERSISTENT_VOLUME_CLAIM, POD_SPEC};
    use super::*;

    fn visit(shape: &'static Shape, seen: &mut BTreeSet<&'static str>) {
        if !seen.insert(shape.name) {
            return;
        }
        assert!(shape.fields.is_sorted_by(|a, b| a.name < b.name), "{}", shape.name);
        for field in shape.fields {
            let mut kind = field.kind;
            while let Kind::List(item) | Kind::Map(item) = kind {
                kind = *item;
            }
            let Kind::Struct(inner) = kind else { continue };
            if let Some(key) = field.merge_key {
                assert!(inner.field(key).is_some(), "{}.{}", shape.name, field.name);
            }
            visit(inner, seen);
        }
    }

    #[test]
    fn fields_are_sorted_and_merge_keys_exist() {
        let mut seen = BTreeSet::new();
        visit(&POD_SPEC, &mut seen);
        visit(&PERSISTENT_VOLUME_CLAIM, &mut seen);
        assert!(seen.len() > 100, "{}", seen.len());
    }

    #[test]
    fn a_struct_value_is_always_written() {
        assert_eq!(CONTAINER.field("resources").unwrap().written, Written::Always);
        assert_eq!(
            CONTAINER.field("securityContext").unwrap().written,
            Written::WhenPresent
        );
        assert_eq!(CONTAINER.field("stdin").unwrap().written, Written::UnlessZero);
        assert!(CONTAINER.field("Name").is_none());
    }
}
