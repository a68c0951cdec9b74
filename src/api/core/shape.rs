//! JSON shapes of Go structs, read from the `shapes.txt` table, which is in Go notation.

use std::sync::LazyLock;

/// Go type of a struct field.
#[derive(Clone, Copy, Debug)]
pub enum FieldType {
    /// Any JSON value.
    Any,
    /// Go type `bool`.
    Bool,
    /// Go type `int32`.
    Int32,
    /// Go type `int64`.
    Int64,
    /// Go type `intstr.IntOrString`.
    IntOrString,
    /// Go slice with items of this type.
    List(&'static FieldType),
    /// Go map from strings to values of this type.
    Map(&'static FieldType),
    /// Go type `resource.Quantity`.
    Quantity,
    /// Go type `string`, or a type defined as `string`.
    String,
    /// A nested struct.
    Struct(&'static GoStruct),
    /// Go type `metav1.Time`.
    Time,
}

impl FieldType {
    /// Returns the struct type of the field or of its list items.
    pub fn shape(&self) -> Option<&'static GoStruct> {
        match self {
            FieldType::Struct(shape) => Some(shape),
            FieldType::List(item) => item.shape(),
            _ => None,
        }
    }
}

/// Rule for when Go's encoder writes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OmitRule {
    /// Always written: a value without `omitempty`, or a struct, which `omitempty` does not affect.
    Always,
    /// Written unless it is `false`, 0 or empty: a value with `omitempty`.
    UnlessZero,
    /// Written unless absent, even if the value is 0: a pointer with `omitempty`.
    WhenPresent,
    /// Always written, as `null` if absent: a pointer without `omitempty`.
    OrNull,
}

/// A field in a struct.
#[derive(Clone, Copy, Debug)]
pub struct StructField {
    /// JSON name.
    pub name: &'static str,
    /// Go type of the field.
    pub kind: FieldType,
    /// Rule for when the field is written.
    pub omit_rule: OmitRule,
    /// The `patchMergeKey` by which a strategic merge patch matches items. Lists without a key are replaced. (Merged
    /// lists of scalars occur only in metadata, which is never patched.)
    pub merge_key: Option<&'static str>,
    /// The `listMapKey` fields by which the API server matches items in a server-side apply. Lists without keys are
    /// replaced.
    pub list_map_keys: &'static [&'static str],
    /// Default that the API server sets, or `None` if there is no default or it depends on other values.
    pub default: Option<&'static str>,
    /// Whether `kubectl apply` removes keys that are missing from the manifest (`patchStrategy:"retainKeys"`).
    pub retain_keys: bool,
}

/// Go struct with its fields in the order of their declaration.
#[derive(Debug)]
pub struct GoStruct {
    /// Name of the struct in Go.
    pub name: &'static str,
    /// Fields sorted by name, parsed on first use.
    pub fields: LazyLock<&'static [StructField], ReadFields>,
}

/// Function that parses the fields of a struct.
pub type ReadFields = Box<dyn FnOnce() -> &'static [StructField] + Send>;

impl GoStruct {
    /// Returns the shape of objects of this kind, or `None` if agentctl does not render the kind.
    pub fn find_object(kind: &str) -> Option<&'static Self> {
        let mut rendered_kinds = RENDERED_KINDS.split(' ');
        rendered_kinds.find(|name| *name == kind).and_then(Self::find)
    }

    /// Returns the shape of the Go struct with this name.
    #[expect(clippy::expect_used, reason = "the table is part of the program, and a test looks up every name in it")]
    pub fn lookup(name: &str) -> &'static Self {
        Self::find(name).expect("the table has every struct that is used")
    }

    fn find(name: &str) -> Option<&'static Self> {
        let index = SHAPES.binary_search_by(|shape| shape.name.cmp(name)).ok()?;
        SHAPES.get(index)
    }

    /// Returns the field with this JSON name. Names are case-sensitive, as in the API server's decoder.
    pub fn field(&self, name: &str) -> Option<&'static StructField> {
        let index = self.fields.binary_search_by(|field| field.name.cmp(name)).ok()?;
        self.fields.get(index)
    }
}

/// Structs in the table, sorted by name.
static SHAPES: LazyLock<Vec<GoStruct>> = LazyLock::new(|| {
    let structs = include_str!("shapes.txt").split("\n\n").filter(|text| !text.starts_with('#'));
    let structs = structs.filter_map(|text| text.split_once('\n'));
    let parse_struct = |(head, fields): (&'static str, &'static str)| GoStruct {
        name: head.rsplit_once('.').map_or(head, |(_, name)| name),
        fields: LazyLock::new(Box::new(move || &*fields.lines().map(parse_field).collect::<Vec<_>>().leak())),
    };
    structs.map(parse_struct).collect()
});

/// Kinds of objects that agentctl renders.
const RENDERED_KINDS: &str = "DaemonSet Deployment Endpoints ExternalSecret Secret Service StatefulSet";

/// Parses a field such as `volumeMounts []VolumeMount,omitempty patchMergeKey=mountPath`.
fn parse_field(line: &'static str) -> StructField {
    let mut words = line.trim_start().split(' ');
    let (name, go_type) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (go_type, has_omitempty) =
        go_type.strip_suffix(",omitempty").map_or((go_type, false), |go_type| (go_type, true));
    let (kind, omit_rule) = match (go_type.strip_prefix('*'), has_omitempty) {
        (None, false) => (go_type, OmitRule::Always),
        (None, true) => (go_type, OmitRule::UnlessZero),
        (Some(target), true) => (target, OmitRule::WhenPresent),
        (Some(target), false) => (target, OmitRule::OrNull),
    };
    let merge_key = words.clone().find_map(|word| word.strip_prefix("patchMergeKey="));
    // Lists with a merge key but without `listMapKey` are matched by the merge key (kube-openapi, `schemaconv`).
    let list_map_keys = words.clone().find_map(|word| word.strip_prefix("listMapKeys=")).or(merge_key);
    StructField {
        name,
        kind: parse_field_type(kind),
        omit_rule,
        merge_key,
        list_map_keys: list_map_keys.into_iter().flat_map(|keys| keys.split(',')).collect::<Vec<_>>().leak(),
        default: words.clone().find_map(|word| word.strip_prefix("default=")),
        retain_keys: words.any(|word| word == "retainKeys"),
    }
}

fn parse_field_type(go_type: &str) -> FieldType {
    if let Some(item) = go_type.strip_prefix("[]") {
        return FieldType::List(Box::leak(Box::new(parse_field_type(item))));
    }
    if let Some(value) = go_type.strip_prefix("map[string]") {
        return FieldType::Map(Box::leak(Box::new(parse_field_type(value))));
    }
    match go_type {
        "any" => FieldType::Any,
        "bool" => FieldType::Bool,
        "int32" => FieldType::Int32,
        "int64" => FieldType::Int64,
        "IntOrString" => FieldType::IntOrString,
        "Quantity" => FieldType::Quantity,
        "string" => FieldType::String,
        "Time" => FieldType::Time,
        name => FieldType::Struct(GoStruct::lookup(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn struct_table_is_sorted_and_merge_keys_exist() {
        assert!(SHAPES.is_sorted_by(|a, b| a.name < b.name));
        for shape in SHAPES.iter() {
            assert!(shape.fields.is_sorted_by(|a, b| a.name < b.name), "{}", shape.name);
            for field in shape.fields.iter() {
                for key in field.merge_key.iter().chain(field.list_map_keys) {
                    let items = field.kind.shape().unwrap();
                    assert!(items.field(key).is_some(), "{}.{}", shape.name, field.name);
                }
            }
        }
    }

    fn collect_reachable(shape: &'static GoStruct, reachable: &mut BTreeSet<&'static str>) {
        if !reachable.insert(shape.name) {
            return;
        }
        for field in shape.fields.iter() {
            let mut kind = field.kind;
            while let FieldType::List(item) | FieldType::Map(item) = kind {
                kind = *item;
            }
            if let FieldType::Struct(inner) = kind {
                collect_reachable(inner, reachable);
            }
        }
    }

    #[test]
    fn every_struct_is_used() {
        let mut reachable = BTreeSet::new();
        for kind in RENDERED_KINDS.split(' ') {
            collect_reachable(GoStruct::find_object(kind).unwrap(), &mut reachable);
        }
        let all_names: BTreeSet<_> = SHAPES.iter().map(|shape| shape.name).collect();
        assert_eq!(reachable, all_names);
        assert!(GoStruct::find_object("PodSpec").is_none());
    }

    #[test]
    fn omit_rules_follow_go_types_and_tags() {
        let container = GoStruct::lookup("Container");
        assert_eq!(container.field("resources").unwrap().omit_rule, OmitRule::Always);
        assert_eq!(container.field("securityContext").unwrap().omit_rule, OmitRule::WhenPresent);
        assert_eq!(container.field("stdin").unwrap().omit_rule, OmitRule::UnlessZero);
        assert_eq!(container.field("volumeMounts").unwrap().merge_key, Some("mountPath"));
        assert!(container.field("Name").is_none());
        assert_eq!(GoStruct::lookup("GRPCAction").field("service").unwrap().omit_rule, OmitRule::OrNull);
        assert!(GoStruct::lookup("PodSpec").field("volumes").unwrap().retain_keys);
    }
}
