//! Decoding of a configuration into Go structs.
//!
//! Reports a key that a struct does not have, and a value that go-yaml cannot decode into the type of its field, such
//! as `set_collectors: cpu`, which must be a list.

use super::field::{ANCHORED_REGEX, PROXY_URL, REGEX, SET_DURATION, SET_GO_DURATION};
use super::walk::{Expect, Json, Step, Walk, is_among};
use crate::admit::{misread_key_cause, misread_word};
use crate::diagnostic::Code;
use crate::diagnostic::suggest::{closest, did_you_mean};
use crate::go::duration;
use crate::go::envsubst::may_have_variable;
use crate::plan::EmbeddedYaml;
use crate::programs::types::{self, DecodingMode, Struct};
use crate::yaml::{Entry, GoType, GoYaml, Misfit, NodeValue};

/// Service discovery mechanisms whose settings are the same in Alloy, although it uses a newer version of Prometheus.
pub const SAME_DISCOVERIES: &str = "dns|file|http|kubernetes";

/// Decoder for part of a configuration.
#[derive(Clone, Copy)]
pub struct Decoder<'c> {
    pub mode: DecodingMode,
    pub document: Document<'c>,
}

/// Document that contains a configuration.
#[derive(Clone, Copy)]
pub enum Document<'c> {
    /// Configuration of the integration with this name, in a resource.
    Integration(&'static str),
    Secret(&'c EmbeddedYaml<'c>),
}

impl<'c> Decoder<'c> {
    pub fn new(document: Document<'c>, is_strict: bool) -> Self {
        Self { mode: DecodingMode { yaml: GoYaml::V2, is_strict }, document }
    }

    /// Decodes a scrape job from a Secret into the struct with this name.
    pub fn check_job<'v>(self, name: &str, job: Json<'v>, walk: &mut Walk<'v>) {
        if let Some(go_struct) = types::find(name) {
            walk.check_configuration(Code::InvalidScrapeJob, "", |walk| self.check_fields(go_struct, self, job, walk));
        }
    }

    /// Decodes a mapping into a struct, and the mapping's values with the `inner_decoder` decoder.
    pub fn check_fields<'v>(self, go_struct: &Struct, inner_decoder: Self, value: Json<'v>, walk: &mut Walk<'v>) {
        let mut unknown = Vec::new();
        for (key, value) in value.entries() {
            match go_struct.type_of(key) {
                Some(go_type) => {
                    walk.enter(Step::Key(key), |walk| inner_decoder.check_value(go_type, value, false, walk))
                }
                None => unknown.push((key, value)),
            }
        }
        match self.document {
            Document::Integration(name) => {
                unknown.into_iter().for_each(|(key, _)| self.report_unknown_key(name, key, go_struct, walk));
            }
            Document::Secret(yaml) if self.mode.is_strict => {
                report_unknown_fields(yaml, value, &unknown, go_struct, walk)
            }
            Document::Secret(_) => {}
        }
    }

    /// Decodes a value. `is_item` indicates a list item.
    fn check_value<'v>(self, go_type: &GoType, value: Json<'v>, is_item: bool, walk: &mut Walk<'v>) {
        let written_value = as_written(value.value());
        if written_value.is_none_or(|written_value| self.report_misfit(go_type, written_value, value, is_item, walk)) {
            return;
        }
        match go_type {
            GoType::List(go_type) => {
                for (i, item) in value.items().enumerate() {
                    walk.enter(Step::Index(i), |walk| self.check_value(go_type, item, true, walk));
                }
            }
            GoType::Map(go_type) => {
                for (key, value) in value.entries() {
                    match self.document {
                        Document::Integration(_) => {
                            walk.enter(Step::Key(key), |walk| self.check_value(go_type, value, false, walk));
                        }
                        // A key that the user chooses may be secret.
                        Document::Secret(_) => self.check_value(go_type, value, true, walk),
                    }
                }
            }
            GoType::IntMap => check_number_keys(value, walk),
            GoType::Url => walk.check_rule(&PROXY_URL, value),
            GoType::Struct(name) => {
                let discovery = name.strip_suffix(".SDConfig").filter(|_| !walk.context.is_for_agent());
                // Alloy's version of a discovery section may have additional fields.
                let is_strict = self.mode.is_strict && discovery.is_none_or(|kind| is_among(kind, SAME_DISCOVERIES));
                if let Some(go_struct) = types::find(name) {
                    let mode = go_struct.reader.unwrap_or(DecodingMode { is_strict, ..self.mode });
                    let inner = Self { mode, ..self };
                    inner.check_fields(go_struct, inner, value, walk);
                }
            }
            _ => {}
        }
    }

    /// Reports a value that does not have the type `go_type`. Returns whether it was reported.
    fn report_misfit<'v>(
        self,
        go_type: &GoType,
        written: NodeValue<'_>,
        value: Json<'v>,
        is_item: bool,
        walk: &mut Walk<'v>,
    ) -> bool {
        let Some(misfit) = go_type.find_misfit(written, self.mode.yaml) else {
            return false;
        };
        let rule: Option<&'static Expect> = match go_type {
            GoType::Regexp => Some(&REGEX),
            GoType::AnchoredRegexp => Some(&ANCHORED_REGEX),
            GoType::Url => Some(&PROXY_URL),
            GoType::Duration => Some(&SET_GO_DURATION),
            GoType::PrometheusDuration => Some(&SET_DURATION),
            _ => None,
        };
        if let Some(rule) = rule.filter(|_| misfit == Misfit::Syntax) {
            walk.check_rule(rule, value);
            return true;
        }
        let (problem, help) = match (misfit, go_type) {
            (Misfit::Range, GoType::Duration) => {
                ("is longer than the maximum duration".to_owned(), "use a duration of at most `2562047h`".to_owned())
            }
            (Misfit::Range, GoType::Int(bits) | GoType::Uint(bits)) => {
                let (kind, min, max) = match go_type {
                    GoType::Int(_) => ("a signed", -(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                    _ => ("an unsigned", 0, (1_i128 << bits) - 1),
                };
                let help = format!("use a whole number between {min} and {max}");
                (format!("does not fit in {kind} {bits}-bit integer"), help)
            }
            (Misfit::Syntax, _) => (format!("must be {}", go_type.description()), remedy(go_type, value)),
            _ => {
                let subject = if is_item { "has an item that " } else { "" };
                let found_type = kind(value.value());
                (format!("{subject}must be {}, but is {found_type}", go_type.description()), remedy(go_type, value))
            }
        };
        let report = walk.report(&[], problem);
        report.help = help;
        if *go_type == GoType::Duration && misfit == Misfit::Range {
            report.code = Code::InvalidDuration;
        }
        true
    }

    fn report_unknown_key<'v>(self, integration: &str, key: &'v str, go_struct: &Struct, walk: &mut Walk<'v>) {
        let Some(Entry { key_span, .. }) = walk.node().and_then(|node| node.entry(key)) else {
            return;
        };
        let (code, consequence) = match self.mode.is_strict {
            true => (Code::UnknownIntegrationKey, "so the agent does not start"),
            false => (Code::IgnoredIntegrationKey, "so the agent ignores it"),
        };
        let mut siblings = go_struct.fields().map(|(candidate, _)| *candidate);
        let (message, help, cause) = match misread_word(key, key_span) {
            Some(word) => {
                let message = format!(
                    "the unquoted key `{word}` is read as `{key}`, which is not a key of the `{integration}` integration, {consequence}"
                );
                let help = match siblings.any(|candidate| candidate == word) {
                    true => format!("quote it: `\"{word}\"`"),
                    false => format!("remove `{word}`"),
                };
                (message, help, misread_key_cause(key_span))
            }
            None => {
                let help = did_you_mean(key, siblings).unwrap_or_else(|| format!("remove `{key}`"));
                let message = format!("`{key}` is not a key of the `{integration}` integration, {consequence}");
                (message, help, String::new())
            }
        };
        walk.report_with_code(code, &[Step::Key(key)], message, help).key = Some((key_span, cause));
    }
}

/// Reports all unknown fields of a struct in a Secret as one finding, at the first field. The operator omits nulls.
fn report_unknown_fields<'v>(
    yaml: &EmbeddedYaml<'_>,
    mapping: Json<'v>,
    unknown: &[(&'v str, Json<'v>)],
    go_struct: &Struct,
    walk: &mut Walk<'v>,
) {
    let mut unknown = unknown.iter().filter(|(_, value)| !value.is_null());
    let (Some((first_key, _)), Json::Read(mapping)) = (unknown.next(), mapping) else { return };
    let Some(key) = mapping.entry(first_key).map(|entry| entry.key_span) else { return };
    let line = yaml.line(key);
    let (message, remedy) = match unknown.count() {
        0 => {
            (format!("the agent does not recognize the field on line {line} of the Secret's value"), "remove the field")
        }
        others => (
            format!(
                "the agent does not recognize {} fields, the first of which is on line {line} of the Secret's value",
                others + 1
            ),
            "remove these fields",
        ),
    };
    let mut names: Vec<_> = go_struct.fields().map(|(name, _)| *name).collect();
    names.sort_unstable();
    let nearest = closest(first_key, names);
    let help = nearest.map_or(remedy.to_owned(), |candidate| format!("did you mean `{candidate}`?"));
    // A key is shown only if it is a misspelled field, because any other key may be a secret value.
    let path = [Step::Key(first_key)];
    let path = if nearest.is_some() { &path[..] } else { &[] };
    walk.report_with_code(Code::UnknownScrapeField, path, message, help).key = Some((key, String::new()));
}

/// Reports all keys in a map that should have numeric keys. Kubernetes stores the map as JSON, where every key is a
/// string.
fn check_number_keys<'v>(map: Json<'v>, walk: &mut Walk<'v>) {
    for (key, _) in map.entries() {
        walk.enter(Step::Key(key), |walk| {
            walk.report(&[], "must be a whole number, but is a string in an Integration").help =
                "move this configuration to a file that the Integration mounts".to_owned();
        });
    }
}

/// Returns a value as the agent reads it from the operator's YAML, or `None` if it contains a variable. The operator
/// writes numbers of one million or more with an exponent.
fn as_written(value: NodeValue<'_>) -> Option<NodeValue<'_>> {
    const MILLION: u64 = 1_000_000;
    match value {
        NodeValue::String(text) if may_have_variable(text) => None,
        NodeValue::Int(whole) if whole.unsigned_abs() >= MILLION => Some(NodeValue::Float(whole as f64)),
        value => Some(value),
    }
}

/// Returns the name of a value's type for a message.
fn kind(value: NodeValue<'_>) -> &'static str {
    match value {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "a boolean",
        NodeValue::Int(_) | NodeValue::Float(_) => "a number",
        NodeValue::String(_) => "a string",
        NodeValue::Sequence => "a list",
        NodeValue::Mapping => "a mapping",
    }
}

/// Returns the help for a value of the wrong type.
fn remedy(go_type: &GoType, value: Json<'_>) -> String {
    let text = value.as_str().unwrap_or_default();
    let is_number = text.parse::<f64>().is_ok();
    match go_type {
        GoType::Bool if matches!(text, "true" | "false") => "remove the quotes".to_owned(),
        GoType::Bool if !text.is_empty() => "use `true` or `false`, without quotes".to_owned(),
        GoType::Int(_) | GoType::Uint(_) | GoType::Float if is_number => "remove the quotes".to_owned(),
        GoType::Int(_) | GoType::Uint(_) | GoType::Float if duration::parse_go(text).is_some() => {
            "use a number without a unit".to_owned()
        }
        GoType::Bytes => "use a number with a unit, without spaces".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, findings, integration};
    use crate::diagnostic::{Code, Severity};

    /// Returns the findings about types and keys in a configuration, each as `code path: help`.
    fn decoding_findings(name: &str, config: &str) -> Vec<String> {
        let is_about_integrations = |code| {
            use Code::{
                IgnoredIntegrationKey, IntegrationType, InvalidDuration, InvalidRegex, InvalidUrl,
                UnknownIntegrationKey,
            };
            let related_codes = [
                IgnoredIntegrationKey,
                IntegrationType,
                InvalidDuration,
                InvalidRegex,
                InvalidUrl,
                UnknownIntegrationKey,
            ];
            related_codes.contains(&code)
        };
        let diagnostics = findings(&[AGENT, &integration("i", name, &["allNodes"], config)]);
        let diagnostics = diagnostics.into_iter().filter(|finding| is_about_integrations(finding.code));
        diagnostics
            .map(|finding| {
                let path = finding.path.unwrap_or_default();
                let path = path.strip_prefix("spec.config.").unwrap_or(&path);
                format!("{} {path}: {}", finding.code, finding.help.unwrap_or_default())
            })
            .collect()
    }

    #[test]
    fn accepts_values_the_agent_can_decode() {
        for (name, config) in [
            ("mysql", "{lock_wait_timeout: 2, log_slow_filter: yes, heartbeat_table: 5, instance: 1}"),
            ("mysql", "{lock_wait_timeout: 2.5, set_collectors: [1, true], enable_collectors: ~}"),
            ("mysql", "{lock_wait_timeout: '${WAIT}', extra_labels: {a: 1, b-c: x}}"),
            ("redis", "{connection_timeout: 5, redis_addr: 'a:1', max_distinct_key_groups: 1000000}"),
            ("redis", "{connection_timeout: 1m, redis_addr: 'a:1'}"),
            ("mysql", "{autoscrape: {enable: off, scrape_interval: 0, scrape_timeout: 1m30s}}"),
            ("snmp", "{walk_params: {a: {max_repetitions: 4294967295, timeout: 5s}}}"),
            (
                "blackbox",
                "{blackbox_config: {modules: {h: {prober: http, http: {fail_if_ssl: 'yes', valid_status_codes: [200]}}}}}",
            ),
            ("statsd", "{mapping_config: {mappings: [{match: a, name: 5, ttl: 1m}]}, parse_dogstatsd_tags: true}"),
            ("app_agent_receiver", "{server: {rate_limiting: {rps: 1}}, logs_labels: {a: 1}}"),
        ] {
            assert_eq!(decoding_findings(name, config), [""; 0], "{name} {config}");
        }
    }

    #[test]
    fn reports_values_the_agent_cannot_decode() {
        for (name, config, expected) in [
            ("mysql", "{lock_wait_timeout: '2'}", "integration-type lock_wait_timeout: remove the quotes"),
            (
                "redis",
                "{redis_addr: a, connection_timeout: 1e30}",
                "invalid-duration connection_timeout: use a duration of at most `2562047h`",
            ),
            ("mysql", "{lock_wait_timeout: two}", "integration-type lock_wait_timeout: "),
            ("mysql", "{lock_wait_timeout: 2s}", "integration-type lock_wait_timeout: use a number without a unit"),
            ("mysql", "{log_slow_filter: 'true'}", "integration-type log_slow_filter: remove the quotes"),
            ("mysql", "{log_slow_filter: 1}", "integration-type log_slow_filter: "),
            ("mysql", "{set_collectors: cpu}", "integration-type set_collectors: "),
            ("mysql", "{set_collectors: {}}", "integration-type set_collectors: "),
            ("mysql", "{set_collectors: [{a: b}]}", "integration-type set_collectors[0]: "),
            ("mysql", "{heartbeat_table: [a]}", "integration-type heartbeat_table: "),
            ("mysql", "{extra_labels: [a]}", "integration-type extra_labels: "),
            ("mysql", "{instance: {}}", "integration-type instance: "),
            ("mysql", "{autoscrape: true}", "integration-type autoscrape: "),
            ("mysql", "{autoscrape: {enable: 'true'}}", "integration-type autoscrape.enable: remove the quotes"),
            ("eventhandler", "{extra_labels: [a]}", "integration-type extra_labels: "),
            ("eventhandler", "{send_timeout: 60s}", "integration-type send_timeout: use a number without a unit"),
            ("snmp", "{walk_params: {a: {retries: x}}}", "integration-type walk_params.a.retries: "),
            (
                "snmp",
                "{walk_params: {a: {max_repetitions: -1}}}",
                "integration-type walk_params.a.max_repetitions: use a whole number between 0 and 4294967295",
            ),
            (
                "snmp",
                "{snmp_config: {modules: {a: {metrics: [{enum_values: {1: up}}]}}}}",
                "integration-type snmp_config.modules.a.metrics[0].enum_values.1: move this configuration to a file that the Integration mounts",
            ),
            ("process", "{process_names: [{comm: a}]}", "integration-type process_names[0].comm: "),
            ("cloudwatch", "{discovery: {jobs: [{regions: a}]}}", "integration-type discovery.jobs[0].regions: "),
            (
                "cloudwatch",
                "{discovery: {exported_tags: {AWS/RDS: a}}}",
                "integration-type discovery.exported_tags.AWS/RDS: ",
            ),
            ("mssql", "{query_config: x}", "integration-type query_config: "),
            (
                "mssql",
                "{query_config: {metrics: [{static_value: x}]}}",
                "integration-type query_config.metrics[0].static_value: ",
            ),
            ("statsd", "{mapping_config: x}", "integration-type mapping_config: "),
            (
                "statsd",
                "{mapping_config: {mappings: [{match: a, buckets: [x]}]}}",
                "integration-type mapping_config.mappings[0].buckets[0]: ",
            ),
            ("windows", "{enabled_collectors: [cpu]}", "integration-type enabled_collectors: "),
        ] {
            assert_eq!(decoding_findings(name, config), [expected], "{name} {config}");
        }
    }

    #[test]
    fn reports_strings_the_agent_cannot_parse() {
        for (name, config, expected) in [
            ("redis", "{redis_addr: a, connection_timeout: 1d}", "invalid-duration connection_timeout: "),
            ("redis", "{redis_addr: a, connection_timeout: '5'}", "invalid-duration connection_timeout: "),
            ("redis", "{redis_addr: a, connection_timeout: ''}", "invalid-duration connection_timeout: "),
            (
                "mysql",
                "{autoscrape: {enable: true, scrape_interval: 60}}",
                "invalid-duration autoscrape.scrape_interval: ",
            ),
            (
                "mysql",
                "{autoscrape: {enable: true, scrape_timeout: 1.5s}}",
                "invalid-duration autoscrape.scrape_timeout: ",
            ),
            (
                "blackbox",
                "{blackbox_config: {modules: {h: {timeout: 5}}}}",
                "integration-type blackbox_config.modules.h.timeout: ",
            ),
            (
                "blackbox",
                "{blackbox_config: {modules: {h: {tcp: {query_response: [{expect: '('}]}}}}}",
                "invalid-regex blackbox_config.modules.h.tcp.query_response[0].expect: ",
            ),
            (
                "blackbox",
                "{blackbox_config: {modules: {h: {http: {proxy_url: 'http://a b'}}}}}",
                "invalid-url blackbox_config.modules.h.http.proxy_url: ",
            ),
            (
                "blackbox",
                "{blackbox_config: {modules: {h: {http: {body_size_limit: 10}}}}}",
                "integration-type blackbox_config.modules.h.http.body_size_limit: ",
            ),
        ] {
            let findings = decoding_findings(name, config);
            assert!(findings.len() == 1 && findings[0].starts_with(expected), "{name} {config}: {findings:?}");
        }
    }

    #[test]
    fn reports_unknown_nested_keys() {
        let ignored = "ignored-integration-key";
        let code = "unknown-integration-key";
        for (name, config, expected) in [
            ("cloudwatch", "{discovery: {jobs: [{metrics: [{periodd: 5m}]}]}}", ignored),
            ("node_exporter", "{autoscrape: {enabled: true}}", ignored),
            ("redis", "{redis_addr: a, autoscrape: {write_relabel_configs: []}}", ignored),
            ("process", "{process_names: [{cmd: [a]}]}", ignored),
            ("windows", "{iis: {site: a}}", ignored),
            ("elasticsearch", "{basic_auth: {user: a}}", ignored),
            ("blackbox", "{blackbox_config: {modules: {h: {http: {methods: GET}}}}}", ignored),
            ("statsd", "{mapping_config: {mapping: []}}", ignored),
            ("snmp", "{snmp_targets: [{modul: a}]}", code),
            ("snmp", "{snmp_config: {auths: {a: {name: b}}}}", code),
            ("blackbox", "{blackbox_targets: [{modul: a}]}", code),
            ("agent", "{autoscrape: {enabled: true}}", code),
            ("app_agent_receiver", "{server: {ports: 1}}", code),
            ("vsphere", "{autoscrape: {enabled: true}}", code),
            ("mssql", "{query_config: {name: a}}", code),
            ("mssql", "{query_config: {metrics: [{name: a}]}}", code),
            ("windows", "{no_such_key: a}", code),
        ] {
            let findings = decoding_findings(name, config);
            assert!(findings.len() == 1 && findings[0].starts_with(expected), "{name} {config}: {findings:?}");
        }
    }

    #[test]
    fn severity_depends_on_how_the_agent_reacts() {
        for (config, expected) in [
            ("{set_collectors: cpu}", Severity::Error),
            ("{autoscrape: {scrape_interval: 60}}", Severity::Error),
            ("{autoscrape: {enabled: true}}", Severity::Warning),
        ] {
            let diagnostics = findings(&[AGENT, &integration("i", "mysql", &[], config)]);
            let worst_severity = diagnostics.iter().filter(|finding| finding.code != Code::MissingIntegrationKey);
            assert_eq!(worst_severity.map(|finding| finding.severity).max(), Some(expected), "{config}");
        }
    }

    #[test]
    fn messages_show_actual_and_expected_types() {
        let diagnostics =
            findings(&[AGENT, &integration("i", "mysql", &[], "{set_collectors: cpu, lock_wait_timeout: 1e30}")]);
        let mut actual: Vec<_> = diagnostics.iter().filter(|finding| finding.code == Code::IntegrationType).collect();
        actual.sort_by_key(|finding| &finding.message);
        let messages: Vec<_> = actual.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "`config.lock_wait_timeout` does not fit in a signed 64-bit integer, so the agent does not start",
                "`config.set_collectors` must be a list of strings, but is a string, so the agent does not start",
            ]
        );
    }
}
