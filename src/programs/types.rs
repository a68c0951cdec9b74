//! Go structs in the agent's configuration (`types/*.txt`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::diagnostic::{FieldPath, Step};
use crate::yaml::{GoType, GoYaml};

/// Struct for a Prometheus job, as the agent decodes it.
pub const SCRAPE_JOB: &str = "config.ScrapeConfig";

/// Struct for a Prometheus job, as Alloy decodes it.
pub const LATER_SCRAPE_JOB: &str = "config.LaterScrapeConfig";

/// Struct for a Promtail job.
pub const LOGS_JOB: &str = "scrapeconfig.Config";

/// Go struct into which YAML is decoded.
pub struct Struct {
    /// YAML key and type of each field, excluding the fields of `base`.
    pub fields: Vec<(&'static str, GoType)>,
    /// Name of the struct that is inlined into this struct, if any.
    base: Option<&'static str>,
    /// Decoder that parses the struct and its nested fields as a separate document, or `None` if the struct is decoded
    /// with its parent.
    pub reader: Option<DecodingMode>,
}

/// Mode in which a program decodes YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodingMode {
    pub yaml: GoYaml,
    /// Whether the decoder rejects keys that the struct does not define.
    pub is_strict: bool,
}

/// All structs by name.
static STRUCTS: LazyLock<HashMap<&str, Struct>> = LazyLock::new(|| {
    let files = [include_str!("types/exporters.txt"), include_str!("types/jobs.txt")];
    files.into_iter().flat_map(paragraphs).map(|(head, fields)| parse(head, fields)).collect()
});

/// Splits a file into paragraphs, each consisting of its first line and its remaining lines.
pub(super) fn paragraphs(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let paragraphs = file.trim_end().split("\n\n").filter(|text| !text.starts_with('#'));
    paragraphs.map(|text| text.split_once('\n').unwrap_or((text, "")))
}

fn parse(head: &'static str, fields: &'static str) -> (&'static str, Struct) {
    let (head, mode) = head.split_once(" yaml.").unwrap_or((head, ""));
    let reader = (!mode.is_empty()).then(|| DecodingMode {
        yaml: if mode.starts_with("v2") { GoYaml::V2 } else { GoYaml::V3 },
        is_strict: mode.ends_with(" strict"),
    });
    let (name, base) = head.split_once(" + ").map_or((head, None), |(name, base)| (name, Some(base)));
    (name, Struct { reader, ..Struct::parse(fields, base) })
}

impl Struct {
    /// Parses the fields of a struct, one per line.
    pub(super) fn parse(lines: &'static str, base: Option<&'static str>) -> Self {
        let field = |line: &'static str| {
            let (key, name) = line.trim_start().split_once(' ')?;
            let (name, _) = name.split_once('!').unwrap_or((name, ""));
            Some((key, GoType::parse(name)))
        };
        Self { fields: lines.lines().filter_map(field).collect(), base, reader: None }
    }

    /// Returns the fields, including inlined ones.
    pub fn fields(&self) -> impl Iterator<Item = &(&'static str, GoType)> {
        let base = self.base.and_then(find);
        let grandparent = base.and_then(|base| base.base).and_then(find);
        self.fields.iter().chain(base.into_iter().chain(grandparent).flat_map(|base| &base.fields))
    }

    /// Returns the type of a field.
    pub fn type_of(&self, key: &str) -> Option<&GoType> {
        self.fields().find_map(|(name, go_type)| (*name == key).then_some(go_type))
    }

    /// Whether the struct has the field at `path`. If not, programs ignore or reject the field.
    pub fn has(&self, path: &FieldPath<'_>) -> bool {
        let mut go_type = None;
        for key in path.steps().filter_map(Step::key) {
            let next = match go_type.map(item) {
                None => self.type_of(key),
                Some(GoType::Map(go_type)) => Some(&**go_type),
                Some(GoType::Struct(name)) => find(name).and_then(|go_type| go_type.type_of(key)),
                Some(_) => return true,
            };
            if next.is_none() {
                return false;
            }
            go_type = next;
        }
        true
    }
}

/// Returns the innermost item type of nested lists, or `go_type` itself if it is not a list.
fn item(go_type: &GoType) -> &GoType {
    match go_type {
        GoType::List(go_type) => item(go_type),
        go_type => go_type,
    }
}

pub fn find(name: &str) -> Option<&'static Struct> {
    STRUCTS.get(name)
}

/// Whether a struct has the field at `path`.
pub fn is_field(name: &str, path: &FieldPath<'_>) -> bool {
    find(name).is_some_and(|go_type| go_type.has(path))
}

/// Whether a job's field is a list of service discovery configurations.
pub fn is_discovery(key: &str) -> bool {
    key.ends_with("_sd_configs") && find(SCRAPE_JOB).is_some_and(|job| job.type_of(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::integrations;

    /// Returns the name of the struct that a type contains, if any.
    fn struct_in(go_type: &GoType) -> Option<&str> {
        match go_type {
            GoType::List(go_type) | GoType::Map(go_type) => struct_in(go_type),
            GoType::Struct(name) => Some(name),
            _ => None,
        }
    }

    #[test]
    fn fields_are_sorted_and_refer_to_existing_structs() {
        for (name, entry) in STRUCTS.iter() {
            assert!(entry.fields.is_sorted_by_key(|(key, _)| *key), "{name}");
            assert!(entry.base.is_none_or(|base| find(base).is_some()), "{name}");
            for (key, go_type) in &entry.fields {
                assert!(struct_in(go_type).is_none_or(|go_type| find(go_type).is_some()), "{name}.{key}");
            }
        }
    }

    #[test]
    fn every_struct_is_used() {
        let structs = integrations::all().map(|entry| &entry.config).chain(STRUCTS.values());
        let referred_structs =
            structs.flat_map(|entry| entry.fields.iter().filter_map(|(_, entry)| struct_in(entry)).chain(entry.base));
        let used_structs: Vec<_> = referred_structs.chain([LATER_SCRAPE_JOB, LOGS_JOB]).collect();
        let unused_structs: Vec<_> = STRUCTS.keys().filter(|name| !used_structs.contains(name)).collect();
        assert_eq!(unused_structs, [&""; 0]);
    }

    #[test]
    fn finds_custom_decoders() {
        let reader = |name: &str| find(name).unwrap().reader;
        let yaml_v3 = |is_strict| Some(DecodingMode { yaml: GoYaml::V3, is_strict });
        assert_eq!(reader("blackbox.Config"), yaml_v3(false));
        assert_eq!(reader("mssql.CollectorConfig"), yaml_v3(true));
        assert_eq!(reader("snmp.Config"), None);
    }

    #[test]
    fn finds_fields_in_nested_structs() {
        for (name, path, expected) in [
            (LOGS_JOB, "pipeline_stages", true),
            (LOGS_JOB, "journal.max_age", true),
            (LOGS_JOB, "journal.scrape_interval", false),
            (LOGS_JOB, "scrape_interval", false),
            (SCRAPE_JOB, "scrape_interval", true),
            (SCRAPE_JOB, "action", false),
            (SCRAPE_JOB, "scrape_protocols", false),
            (LATER_SCRAPE_JOB, "scrape_protocols", true),
            (LATER_SCRAPE_JOB, "oauth2.scrape_protocols", false),
            (LATER_SCRAPE_JOB, "consul_sd_configs.oauth2", true),
            (SCRAPE_JOB, "nope_sd_configs", false),
            (SCRAPE_JOB, "kubernetes_sd_configs.roles", false),
            (SCRAPE_JOB, "oauth2.tls_config.ca_file", true),
            (SCRAPE_JOB, "oauth2.tls_config.job_name", false),
            (SCRAPE_JOB, "params.a", true),
            (SCRAPE_JOB, "relabel_configs.action", true),
        ] {
            assert_eq!(is_field(name, &FieldPath::parse(path)), expected, "{name} {path}");
        }
        assert!(is_discovery("eureka_sd_configs") && !is_discovery("nope_sd_configs") && !is_discovery("params"));
    }
}
