//! What a Go struct looks like in JSON.

use std::sync::LazyLock;

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
    /// Its fields, sorted by name, read when they are first needed.
    pub fields: LazyLock<&'static [Field], ReadFields>,
}

/// Reads the fields of a struct.
pub type ReadFields = Box<dyn FnOnce() -> &'static [Field] + Send>;

impl Shape {
    /// The field of this JSON name; case matters, as in the API server's decoder.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let at = self.fields.binary_search_by(|field| field.name.cmp(name)).ok()?;
        self.fields.get(at)
    }
}
