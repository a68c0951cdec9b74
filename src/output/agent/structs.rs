//! Structs in the configurations of integrations (`structs.txt`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::yaml::{GoType, GoYaml};

/// Fields of a struct: the YAML key and type of each.
pub type FieldTypes = Vec<(&'static str, GoType)>;

/// A Go struct.
pub struct Struct {
    pub fields: FieldTypes,
    /// Decoder that parses the struct, with everything below it, as a separate document; `None` if it is decoded with
    /// its parent.
    pub reader: Option<DecodingMode>,
}

/// YAML decoding mode of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodingMode {
    pub yaml: GoYaml,
    /// Whether the decoder rejects keys that the struct does not define.
    pub is_strict: bool,
}

/// All structs by name.
static STRUCTS: LazyLock<HashMap<&str, Struct>> = LazyLock::new(|| {
    let structs = include_str!("structs.txt").trim_end().split("\n\n");
    structs.filter(|text| !text.starts_with('#')).map(parse).collect()
});

fn parse(text: &'static str) -> (&'static str, Struct) {
    let (head, fields) = text.split_once('\n').unwrap_or((text, ""));
    let mut words = head.split(' ');
    let name = words.next().unwrap_or_default();
    let reader = words.next().map(|yaml| DecodingMode {
        yaml: match yaml {
            "yaml.v2" => GoYaml::V2,
            _ => GoYaml::V3,
        },
        is_strict: words.next().is_some(),
    });
    let fields = fields.lines().filter_map(field).collect();
    (name, Struct { fields, reader })
}

/// Parses a line that describes a field.
pub(super) fn field(line: &'static str) -> Option<(&'static str, GoType)> {
    let (key, name) = line.trim_start().split_once(' ')?;
    let (name, _) = name.split_once('!').unwrap_or((name, ""));
    Some((key, GoType::parse(name)))
}

/// Returns the struct with this name.
pub fn find(name: &str) -> Option<&'static Struct> {
    STRUCTS.get(name)
}

/// Returns the type of a field.
pub fn type_of<'f>(fields: &'f FieldTypes, key: &str) -> Option<&'f GoType> {
    fields.iter().find_map(|(name, of)| (*name == key).then_some(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the name of the struct that a type contains, if any.
    fn struct_in(of: &GoType) -> Option<&str> {
        match of {
            GoType::List(of) | GoType::Map(of) => struct_in(of),
            GoType::Struct(name) => Some(name),
            _ => None,
        }
    }

    #[test]
    fn fields_are_sorted_and_lead_to_structs_that_exist() {
        for (name, Struct { fields, .. }) in STRUCTS.iter() {
            assert!(fields.is_sorted_by_key(|(key, _)| *key), "{name}");
            for (key, of) in fields {
                assert!(struct_in(of).is_none_or(|of| find(of).is_some()), "{name}.{key}");
            }
        }
    }

    #[test]
    fn every_struct_is_used() {
        let fields = STRUCTS.values().flat_map(|of| &of.fields);
        let integrations = super::super::keys::names().filter_map(super::super::keys::find);
        let of_integrations = integrations.flat_map(|entry| &entry.fields);
        let used: Vec<_> = fields.chain(of_integrations).filter_map(|(_, of)| struct_in(of)).collect();
        let unused: Vec<_> = STRUCTS.keys().filter(|name| !used.contains(name)).collect();
        assert_eq!(unused, [&""; 0]);
    }

    #[test]
    fn decoders_of_their_own() {
        let reader = |name: &str| find(name).unwrap().reader;
        let v3 = |is_strict| Some(DecodingMode { yaml: GoYaml::V3, is_strict });
        assert_eq!(reader("blackbox.Config"), v3(false));
        assert_eq!(reader("mssql.CollectorConfig"), v3(true));
        assert_eq!(reader("snmp.Config"), None);
    }
}
