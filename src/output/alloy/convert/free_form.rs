//! Conversion of the agent's YAML to component bodies, based on the catalog. It is used for additional scrape
//! configurations, stages and integrations.

use std::borrow::Cow;

use crate::diagnostic::FieldPath;
use crate::output::alloy::write::catalog::{ArgumentSpec, ArgumentType, BodySpec, ValueLocation, spec};
use crate::output::alloy::write::labels::identifier;
use crate::output::alloy::write::syntax::{Block, Body, Expression, Statement, expression};
use crate::secrecy::MASK;
use crate::yaml::{self, LibraryStyle, Mapping, Value};

/// Converts YAML to the body called `name`. Its statements are not yet in catalog order and may repeat Alloy's
/// defaults. Also returns the keys that no argument accepts, such as `tls_config.max_version`. Keys in `other` are
/// ignored, because the caller must handle them.
pub fn convert_body<'v>(name: &str, yaml: &Value<'v>, other: &[&str]) -> (Body<'v>, Vec<FieldPath<'static>>) {
    let mut converter = Converter { is_free: true, ..Converter::default() };
    let parts = spec(name).zip(mapping(yaml));
    let body = parts.map(|(spec, yaml)| converter.body(spec, yaml, other));
    (body.unwrap_or_default(), converter.unknown)
}

/// Converts `fields`, which agentctl wrote in the agent's format, to the body called `name`.
pub fn agent_body<'v>(name: &str, fields: &Mapping<'v>) -> Body<'v> {
    let body = spec(name).map(|spec| Converter::default().body(spec, fields, &[]));
    body.unwrap_or_default()
}

/// Converter for YAML that collects the keys that no argument accepts.
#[derive(Default)]
struct Converter {
    /// Whether the YAML was written by a user and may therefore lack keys.
    is_free: bool,
    path: FieldPath<'static>,
    unknown: Vec<FieldPath<'static>>,
}

impl Converter {
    fn body<'v>(&mut self, spec: &BodySpec, yaml: &Mapping<'v>, other: &[&str]) -> Body<'v> {
        let mut body = Body::new();
        for (key, value) in yaml.iter().filter(|(key, _)| !other.contains(key)) {
            self.field(spec, (key, key), value, &mut body);
        }
        if self.is_free {
            add_agent_defaults(spec, other, &mut body);
        }
        body
    }

    /// Converts the value at `key`. `name` is the path of the key in the arguments.
    fn field<'v>(&mut self, spec: &BodySpec, (name, key): (&str, &str), value: &Value<'v>, body: &mut Body<'v>) {
        self.path.push_key(key.to_owned());
        if !self.take_setting(spec, name, value, body) {
            self.unknown.push(self.path.clone());
        }
        self.path.pop();
    }

    /// Adds the value to the arguments that read it. Returns whether there are any such arguments.
    fn take_setting<'v>(&mut self, spec: &BodySpec, name: &str, value: &Value<'v>, body: &mut Body<'v>) -> bool {
        let (mut is_taken, mut has_parts) = (false, false);
        for argument in spec.arguments.iter().filter(|argument| argument.reads(name)) {
            is_taken = true;
            match (argument.key, argument.spec()) {
                (ValueLocation::Around, Some(inner)) => {
                    let mut block = body.take_block(argument.name).unwrap_or_default();
                    self.take_setting(inner, name, value, &mut block);
                    body.0.push(Statement::Block(Block::new(argument.name, "", block)));
                }
                (ValueLocation::At(keys), _) if keys.split('|').any(|own| own == name) => {
                    // If a key has several names, the first takes precedence.
                    if keys.starts_with(name) {
                        body.0.retain(|statement| statement.name() != argument.name);
                    }
                    if body.attribute(argument.name).is_none() {
                        self.append(argument, value, body);
                    }
                }
                _ => has_parts = true,
            }
        }
        for (inner_key, value) in entries(value).filter(|_| has_parts) {
            self.field(spec, (&format!("{name}.{inner_key}"), inner_key), value, body);
        }
        is_taken
    }

    fn append<'v>(&mut self, argument: &ArgumentSpec, value: &Value<'v>, body: &mut Body<'v>) {
        let ArgumentType::Block { labeled, .. } = argument.kind else {
            let value = self.expression(argument.kind, value);
            body.0.push(Statement::Attribute(argument.name, value));
            return;
        };
        let mut append = |converter: &mut Self, label: &str, value: &Value<'v>| {
            let (Some(spec), Some(yaml)) = (argument.spec(), mapping(value)) else {
                return;
            };
            let label = if labeled { identifier(label).into_owned() } else { String::new() };
            let other_keys = if labeled { &["name"][..] } else { &[] };
            let block = Block::new(argument.name, label, converter.body(spec, yaml, other_keys));
            body.0.push(Statement::Block(block));
        };
        match value {
            Value::Mapping(blocks) if labeled => {
                for (label, value) in blocks.iter() {
                    self.path.push_key(label.to_owned());
                    append(self, label, value);
                    self.path.pop();
                }
            }
            Value::Sequence(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.path.push_index(i);
                    append(self, text(item, "name"), item);
                    self.path.pop();
                }
            }
            value => append(self, "", value),
        }
    }

    fn expression<'v>(&mut self, kind: ArgumentType, value: &Value<'v>) -> Expression<'v> {
        match (kind, value) {
            // The agent configures CloudWatch tags and dimensions as pairs.
            (ArgumentType::Map, Value::Sequence(pairs)) => {
                let pairs = pairs.iter().filter_map(|pair| Some((pair_key(pair)?, expression(pair.get("value")?))));
                Expression::Object(pairs.collect())
            }
            // Prometheus divides the values of a header into secret and other values.
            (ArgumentType::MapOfTexts, Value::Mapping(headers)) => {
                for (name, values) in headers.iter() {
                    let unknown_keys = entries(values).filter(|(key, _)| !HEADER_VALUES.contains(key));
                    let unknown_paths = unknown_keys.map(|(key, _)| self.path.key(name.to_owned()).key(key.to_owned()));
                    self.unknown.extend(unknown_paths);
                }
                let headers = headers.iter().map(|(name, values)| (name.to_owned().into(), header(values)));
                Expression::Object(headers.collect())
            }
            // The agent's mapping becomes a YAML string for Alloy.
            (ArgumentType::Text | ArgumentType::Secret, Value::Mapping(_) | Value::Sequence(_)) => {
                as_yaml(value.clone())
            }
            (ArgumentType::Yaml(body), Value::Mapping(_)) => as_yaml(self.without_unknown_keys(body, false, value)),
            _ => expression(value),
        }
    }

    /// Returns the value without keys that the body does not accept. If `labeled` is set, each value in the mapping has
    /// this body.
    fn without_unknown_keys<'v>(&mut self, body: &'static str, labeled: bool, value: &Value<'v>) -> Value<'v> {
        match (value, spec(body)) {
            (Value::Mapping(entries), Some(spec)) => {
                let mut known_fields = Mapping::new();
                for (key, value) in entries.iter() {
                    self.path.push_key(key.to_owned());
                    match spec.arguments.iter().find(|argument| argument.reads(key)) {
                        _ if labeled => {
                            known_fields.push(key.to_owned(), self.without_unknown_keys(body, false, value))
                        }
                        Some(argument) => match argument.kind {
                            ArgumentType::Block { body, labeled, .. } => {
                                known_fields.push(key.to_owned(), self.without_unknown_keys(body, labeled, value));
                            }
                            _ => known_fields.push(key.to_owned(), value.clone()),
                        },
                        None => self.unknown.push(self.path.clone()),
                    }
                    self.path.pop();
                }
                Value::Mapping(known_fields)
            }
            (Value::Sequence(items), Some(_)) => {
                let keep_known = |(i, item)| {
                    self.path.push_index(i);
                    let known_item = self.without_unknown_keys(body, labeled, item);
                    self.path.pop();
                    known_item
                };
                Value::Sequence(items.iter().enumerate().map(keep_known).collect())
            }
            _ => value.clone(),
        }
    }
}

/// Adds the agent's defaults that differ from Alloy's, and sorts the statements in catalog order.
fn add_agent_defaults(spec: &BodySpec, other: &[&str], body: &mut Body<'_>) {
    for argument in spec.arguments.iter().filter(|argument| !other.contains(&argument.name)) {
        if body.0.iter().any(|statement| statement.name() == argument.name) {
            continue;
        }
        match argument.spec() {
            Some(spec) if matches!(argument.kind, ArgumentType::Block { repeated: false, .. }) => {
                let mut inner_body = Body::new();
                add_agent_defaults(spec, &[], &mut inner_body);
                body.0.extend(
                    (!inner_body.0.is_empty()).then(|| Statement::Block(Block::new(argument.name, "", inner_body))),
                );
            }
            _ => {
                let value = argument.agent_default.clone();
                body.0.extend(value.map(|value| Statement::Attribute(argument.name, value)));
            }
        }
    }
    let argument_index = |name| spec.arguments.iter().position(|argument| argument.name == name);
    body.0.sort_by_key(|statement| argument_index(statement.name()));
}

impl ArgumentSpec {
    /// Returns the specification of the block's body.
    pub fn spec(&self) -> Option<&'static BodySpec> {
        spec(self.kind.body())
    }

    /// Whether the argument reads the value at a key, or a value nested in it.
    fn reads(&self, name: &str) -> bool {
        let is_inside = |own: &str| own.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        match self.key {
            ValueLocation::At(keys) => keys.split('|').any(|own| own == name || is_inside(own)),
            ValueLocation::Around => {
                self.spec().is_some_and(|spec| spec.arguments.iter().any(|argument| argument.reads(name)))
            }
            ValueLocation::Nowhere => false,
        }
    }
}

/// Lists of possible header values, in the order they are sent.
const HEADER_VALUES: [&str; 2] = ["values", "secrets"];

fn header<'v>(values: &Value<'v>) -> Expression<'v> {
    let lists = HEADER_VALUES.iter().flat_map(|key| values.items(key));
    match values {
        Value::Mapping(_) => lists.map(expression).collect(),
        _ => expression(values),
    }
}

/// Returns the key of a CloudWatch tag or the name of a dimension. Like go-yaml, reads a scalar of any type as a
/// string.
fn pair_key<'v>(pair: &Value<'v>) -> Option<Cow<'v, str>> {
    let value = ["key", "name"].into_iter().find_map(|key| pair.get(key))?;
    match ArgumentType::Text.read(expression(value)) {
        Expression::String(text) => Some(text),
        _ => None,
    }
}

/// Converts a value to a YAML string. Credentials in the value are masked, because Alloy cannot read them from files
/// within a string.
fn as_yaml<'v>(mut value: Value<'_>) -> Expression<'v> {
    value.for_each_leaf(&mut |leaf| {
        if let Value::Secret(_) = leaf {
            *leaf = MASK.into();
        }
    });
    yaml::write(&value, LibraryStyle::V3).into()
}

/// Converts a value to a string expression. YAML scalars of any type are accepted as strings.
pub fn scalar<'v>(value: &'v Value<'_>) -> Expression<'v> {
    match value {
        Value::Null => "".into(),
        Value::String(text) => (&**text).into(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            yaml::write(value, LibraryStyle::V3).trim_end().to_owned().into()
        }
        _ => expression(value),
    }
}

/// Returns the value as a mapping, or `None` if it is not a mapping.
fn mapping<'v, 'd>(value: &'v Value<'d>) -> Option<&'v Mapping<'d>> {
    match value {
        Value::Mapping(mapping) => Some(mapping),
        _ => None,
    }
}

/// Returns the string at `key`, or an empty string if it is missing or secret.
pub fn text<'v>(yaml: &'v Value<'_>, key: &str) -> &'v str {
    match yaml.get(key) {
        Some(Value::String(text)) => text,
        _ => "",
    }
}

/// Returns the keys and values of a mapping.
pub fn entries<'v, 'd>(value: &'v Value<'d>) -> impl Iterator<Item = (&'v str, &'v Value<'d>)> {
    mapping(value).into_iter().flat_map(|mapping| mapping.iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::alloy::write::catalog::prepare;
    use crate::output::alloy::write::version::AlloyVersion;

    fn read(yaml: &str) -> Value<'static> {
        Value::from(serde_yaml::from_str::<serde_json::Value>(yaml).unwrap())
    }

    fn convert_yaml(name: &'static str, yaml: &str) -> (String, Vec<String>) {
        let value = read(yaml);
        let (body, unknown_paths) = convert_body(name, &value, &[]);
        let mut text = String::new();
        let body = prepare(name, body, AlloyVersion::NEWEST);
        crate::output::alloy::write::layout::component(&mut text, &Block::new(name, "", body));
        (text, unknown_paths.iter().map(FieldPath::to_string).collect())
    }

    #[test]
    fn converts_keys_to_arguments() {
        let (text, unknown_paths) = convert_yaml(
            "discovery.ec2",
            "{region: eu-west-1, port: 9100, refresh_interval: 1d, filters: [{name: a, values: [b]}], odd: 1, tls_config: {ca: x, max_version: TLS13}}",
        );
        let expected = "discovery.ec2 {
\tregion           = \"eu-west-1\"
\trefresh_interval = \"24h0m0s\"
\tport             = 9100

\tfilter {
\t\tname   = \"a\"
\t\tvalues = [\"b\"]
\t}

\ttls_config {
\t\tca_pem = \"x\"
\t}
}
";
        assert_eq!(text, expected);
        assert_eq!(unknown_paths, ["odd", "tls_config.max_version"]);
    }

    #[test]
    fn converts_flat_keys_to_blocks() {
        let (text, unknown_paths) = convert_yaml(
            "prometheus.exporter.unix",
            "{rootfs_path: /host, filesystem_mount_timeout: 5s, netdev_device_exclude: ^lo$, set_collectors: [cpu], odd: {}}",
        );
        let expected = "prometheus.exporter.unix {
\trootfs_path    = \"/host\"
\tset_collectors = [\"cpu\"]

\tfilesystem {
\t\tmount_timeout = \"5s\"
\t}

\tnetdev {
\t\tdevice_exclude = \"^lo$\"
\t}
}
";
        assert_eq!((text.as_str(), unknown_paths.as_slice()), (expected, ["odd".to_owned()].as_slice()));
        let (text, unknown_paths) = convert_yaml(
            "prometheus.exporter.cloudwatch",
            "{sts_region: x, discovery: {odd: 1, exported_tags: {ec2: [a]}, jobs: [{type: t, regions: [r], odd: 1, search_tags: [{key: k, value: v}], metrics: [{name: m, statistics: [s], period: 1m, nil_to_zero: false}]}]}, static: [{name: s-1, regions: [r], namespace: n, dimensions: [{name: d, value: 1}], metrics: []}]}",
        );
        assert_eq!(unknown_paths, ["discovery.jobs[0].odd", "discovery.odd"]);
        for part in [
            "fips_disabled           = false",
            "k = \"v\"",
            "d = \"1\"",
            "nil_to_zero = false",
            "static \"s_1\" {",
            "discovery_exported_tags = {",
            "metric {",
            "period      = \"1m0s\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn converts_mappings_to_strings_for_string_arguments() {
        let (text, _) = convert_yaml(
            "prometheus.exporter.blackbox",
            "{blackbox_config: {modules: {}}, blackbox_targets: [{name: a, address: b}]}",
        );
        assert!(text.contains("config  = \"modules: {}\\n\""), "{text}");
        assert!(text.contains("targets = [{\n\t\taddress = \"b\",\n\t\tname    = \"a\",\n\t}]"), "{text}");
    }

    #[test]
    fn omits_keys_that_only_alloy_rejects() {
        let (text, unknown_paths) = convert_yaml(
            "prometheus.exporter.blackbox",
            "{blackbox_config: {odd: 1, modules: {http: {odd: 1, prober: http, http: {method: GET, odd: 1, tls_config: {odd: 1}, \
             proxy_url: x, headers: {odd: 1}, fail_if_header_matches: [{header: a, odd: 1}]}}, none: null}}}",
        );
        let all_paths = [
            "odd",
            "modules.http.odd",
            "modules.http.http.odd",
            "modules.http.http.tls_config.odd",
            "modules.http.http.fail_if_header_matches[0].odd",
        ];
        let mut expected_paths = all_paths.map(|path| format!("blackbox_config.{path}"));
        expected_paths.sort_unstable();
        let mut actual_paths = unknown_paths;
        actual_paths.sort_unstable();
        assert_eq!(actual_paths, expected_paths);
        assert_eq!(text.matches("odd").count(), 1, "{text}");
        for part in ["headers:\\n", "odd: 1", "header: a", "proxy_url: x", "none: null", "tls_config: {}"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn converts_scalars_to_strings() {
        for (yaml, expected) in [
            ("", "".into()),
            ("a", "a".into()),
            ("'1'", "1".into()),
            ("true", "true".into()),
            ("1", "1".into()),
            ("1.5", "1.5".into()),
            ("[a]", Expression::texts(["a"])),
            ("{a: b}", Expression::map([("a", "b")])),
        ] {
            assert_eq!(scalar(&read(yaml)), expected, "{yaml}");
        }
        let yaml = read("{text: a, list: [1, 2], number: 1}");
        assert_eq!(["text", "number", "none"].map(|key| text(&yaml, key)), ["a", "", ""]);
        let secret = Value::from([("text", Value::secret("a", crate::yaml::SecretSource::Field))]);
        assert_eq!(text(&secret, "text"), "");
        assert!(mapping(&read("[a]")).is_none());
    }
}
