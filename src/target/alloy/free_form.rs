//! YAML of the agent → the body of a component, by the catalogue: additional scrape configurations, stages, integrations.

use std::borrow::Cow;

use super::catalogue::{Argument, Key, Kind, Spec, spec};
use super::syntax::{Block, Body, Expression, Statement};
use crate::diagnostic::FieldPath;
use crate::go::text::label_name;
use crate::secrecy::MASK;
use crate::yaml::{self, Mapping, SecretSource, Style, Value};

/// The body of a component, and the keys of the YAML that it has no argument for.
pub struct Converted<'v> {
    pub body: Body<'v>,
    /// Paths of keys, such as `tls_config.max_version`.
    pub unknown: Vec<FieldPath<'static>>,
}

/// The body of this name, not settled yet; the keys in `other` are left to the caller.
pub fn converted<'v>(name: &str, yaml: &'v Mapping<'_>, other: &[&str]) -> Converted<'v> {
    let mut unknown = Vec::new();
    let body = spec(name).map(|spec| {
        let keys = yaml.iter().filter(|(key, _)| !other.contains(key));
        let mut path = FieldPath::new();
        keys.for_each(|(key, value)| spec.find_unknown(key, key, value, &mut path, &mut unknown));
        spec.body(yaml, other)
    });
    Converted {
        body: body.unwrap_or_default(),
        unknown,
    }
}

impl Spec {
    fn body<'v>(&self, yaml: &'v Mapping<'_>, other: &[&str]) -> Body<'v> {
        let mut body = Body::new();
        for argument in self.arguments.iter().filter(|argument| !other.contains(&argument.name)) {
            match argument.key {
                Key::Nowhere => body.0.extend(argument.of_agent()),
                Key::Around => {
                    let inner = spec(argument.kind.body()).map(|spec| spec.body(yaml, &[]));
                    let inner = inner.filter(|inner| !inner.0.is_empty());
                    body = body.with_blocks(argument.name, inner);
                }
                Key::At(keys) => match keys.split('|').find_map(|key| at(yaml, key)) {
                    Some(value) => body.0.extend(argument.statements(value)),
                    None => body.0.extend(argument.of_agent()),
                },
            }
        }
        body
    }

    /// Appends the path of whatever no argument takes. `name` is the key with those around it that the argument has too.
    fn find_unknown(
        &self,
        name: &str,
        key: &str,
        value: &Value<'_>,
        path: &mut FieldPath<'static>,
        unknown: &mut Vec<FieldPath<'static>>,
    ) {
        path.push_key(key.to_owned());
        match self.arguments.iter().find_map(|argument| argument.taken(name)) {
            None => unknown.push(path.clone()),
            Some(Taken::Whole) => {}
            Some(Taken::Headers) => {
                let fields = entries(value).flat_map(|(name, of)| entries(of).map(move |(key, _)| (name, key)));
                for (name, key) in fields.filter(|(_, key)| !HEADER_VALUES.contains(key)) {
                    unknown.push(path.key(name.to_owned()).key(key.to_owned()));
                }
            }
            Some(Taken::Parts) => {
                for (inner, value) in entries(value) {
                    self.find_unknown(&format!("{name}.{inner}"), inner, value, path, unknown);
                }
            }
            Some(Taken::Block(body, labelled)) => {
                if let Some(spec) = spec(body) {
                    spec.find_unknown_in_blocks(value, labelled, path, unknown);
                }
            }
        }
        path.pop();
    }

    fn find_unknown_in_blocks(
        &self,
        value: &Value<'_>,
        labelled: bool,
        path: &mut FieldPath<'static>,
        unknown: &mut Vec<FieldPath<'static>>,
    ) {
        match value {
            Value::Sequence(items) => {
                for (i, item) in items.iter().enumerate() {
                    path.push_index(i);
                    // The label is the name of an item.
                    for (key, value) in entries(item).filter(|(key, _)| !labelled || *key != "name") {
                        self.find_unknown(key, key, value, path, unknown);
                    }
                    path.pop();
                }
            }
            // The label is the key of a mapping.
            Value::Mapping(blocks) if labelled => {
                for (label, block) in blocks.iter() {
                    path.push_key(label.to_owned());
                    self.find_unknown_in_blocks(block, false, path, unknown);
                    path.pop();
                }
            }
            value => {
                for (key, value) in entries(value) {
                    self.find_unknown(key, key, value, path, unknown);
                }
            }
        }
    }
}

/// The part of a key that an argument takes.
enum Taken {
    /// All that is at the key.
    Whole,
    /// Headers, whose values may be listed by kind.
    Headers,
    /// Some of the keys below.
    Parts,
    /// A mapping, or several, with a body of this name, and whether it has a label.
    Block(&'static str, bool),
}

impl Argument {
    fn taken(&self, key: &str) -> Option<Taken> {
        match (self.key, self.kind) {
            (Key::At(own), Kind::Block { body, labelled, .. }) if own == key => Some(Taken::Block(body, labelled)),
            (Key::At(own), Kind::Yaml(body)) if own == key => Some(Taken::Block(body, false)),
            (Key::At(own), Kind::MapOfTexts) if own == key => Some(Taken::Headers),
            (Key::At(own), _) if own.split('|').any(|own| own == key) => Some(Taken::Whole),
            (Key::At(own), _) => {
                let is_inside = |own: &str| own.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
                own.split('|').any(is_inside).then_some(Taken::Parts)
            }
            (Key::Around, kind) => spec(kind.body())?
                .arguments
                .iter()
                .find_map(|argument| argument.taken(key)),
            (Key::Nowhere, _) => None,
        }
    }

    fn statements<'v>(&self, value: &'v Value<'_>) -> Vec<Statement<'v>> {
        let Kind::Block { body, labelled, .. } = self.kind else {
            return vec![Statement::Attribute(self.name, self.expression(value))];
        };
        let Some(spec) = spec(body) else {
            return Vec::new();
        };
        let block = |label: &'v str, yaml: &'v Mapping<'_>| {
            let label = if labelled { identifier(label) } else { "".into() };
            Statement::Block(Block::new(self.name, label, spec.body(yaml, &[])))
        };
        match value {
            Value::Mapping(yaml) if labelled => {
                let blocks = yaml.iter().filter_map(|(label, value)| Some((label, mapping(value)?)));
                blocks.map(|(label, yaml)| block(label, yaml)).collect()
            }
            Value::Mapping(yaml) => vec![block("", yaml)],
            Value::Sequence(items) => {
                let items = items.iter().filter_map(mapping);
                items.map(|yaml| block(text(yaml, "name"), yaml)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the agent has of itself where Alloy has something else.
    fn of_agent<'v>(&self) -> Option<Statement<'v>> {
        let Kind::Block {
            body, repeated: false, ..
        } = self.kind
        else {
            return Some(Statement::Attribute(self.name, self.of_agent.clone()?));
        };
        let arguments = &spec(body)?.arguments;
        let body: Vec<_> = arguments.iter().filter_map(Argument::of_agent).collect();
        (!body.is_empty()).then(|| Statement::Block(Block::new(self.name, "", Body(body))))
    }

    fn expression<'v>(&self, value: &'v Value<'_>) -> Expression<'v> {
        match (self.kind, value) {
            // CloudWatch's tags and dimensions are pairs in the agent.
            (Kind::Map, Value::Sequence(pairs)) => {
                let pairs = pairs.iter().filter_map(mapping);
                Expression::Object(
                    pairs
                        .filter_map(|pair| Some((pair_key(pair)?, expression(pair.get("value")?))))
                        .collect(),
                )
            }
            // Prometheus tells the values of a header apart by how secret they are.
            (Kind::MapOfTexts, Value::Mapping(headers)) => Expression::Object(
                headers
                    .iter()
                    .map(|(name, values)| (name.into(), header(values)))
                    .collect(),
            ),
            // The agent has a mapping where Alloy has the YAML text of it.
            (Kind::Text | Kind::Secret, Value::Mapping(_) | Value::Sequence(_)) => as_yaml(value.clone()),
            (Kind::Yaml(body), Value::Mapping(_)) => as_yaml(known(body, false, value)),
            _ => expression(value),
        }
    }
}

/// The value without keys that a body has not; the body is that of each value in it where it is `labelled`.
fn known<'v>(body: &'static str, labelled: bool, value: &Value<'v>) -> Value<'v> {
    match (value, spec(body)) {
        (Value::Mapping(entries), Some(spec)) => {
            let argument = |key| spec.arguments.iter().find_map(|argument| argument.taken(key));
            let entries = entries.iter().filter_map(|(key, value)| {
                let value = match labelled
                    .then_some(Taken::Block(body, false))
                    .or_else(|| argument(key))?
                {
                    Taken::Block(body, labelled) => known(body, labelled, value),
                    _ => value.clone(),
                };
                Some((key.to_owned().into(), value))
            });
            Value::Mapping(entries.collect())
        }
        (Value::Sequence(items), _) => Value::Sequence(items.iter().map(|item| known(body, labelled, item)).collect()),
        _ => value.clone(),
    }
}

/// The lists of values that a header may have, in the order in which they are sent.
const HEADER_VALUES: [&str; 2] = ["values", "secrets"];

fn header<'v>(values: &'v Value<'_>) -> Expression<'v> {
    match mapping(values) {
        Some(of) => {
            let lists = HEADER_VALUES.iter().flat_map(|key| items(of, key));
            lists.map(expression).collect()
        }
        None => expression(values),
    }
}

/// A tag of CloudWatch has a key, a dimension a name; go-yaml reads either as text, whatever it looks like.
fn pair_key<'v>(pair: &'v Mapping<'_>) -> Option<Cow<'v, str>> {
    let value = ["key", "name"].into_iter().find_map(|key| pair.get(key))?;
    match Kind::Text.read(expression(value)) {
        Expression::String(text) => Some(text),
        _ => None,
    }
}

/// A value as YAML in a text, which cannot read credentials from their files.
fn as_yaml<'v>(mut value: Value<'_>) -> Expression<'v> {
    value.each_leaf(&mut |leaf| {
        if let Value::Secret(_) = leaf {
            *leaf = MASK.into();
        }
    });
    yaml::write(&value, Style::V3).into()
}

/// A value as it stands.
pub fn expression<'v>(value: &'v Value<'_>) -> Expression<'v> {
    match value {
        Value::Null => Expression::Null,
        Value::Bool(value) => Expression::Bool(*value),
        Value::Int(number) => Expression::Number(*number as f64),
        Value::Float(number) => Expression::Number(*number),
        Value::String(text) => Expression::String(Cow::Borrowed(text)),
        Value::Secret(secret) => match secret.source {
            SecretSource::Credential(number) => Expression::Secret(number),
            SecretSource::Key { .. } | SecretSource::Field => expression(&secret.value),
        },
        Value::Sequence(items) => items.iter().map(expression).collect(),
        Value::Mapping(entries) => Expression::Object(
            entries
                .iter()
                .map(|(key, value)| (key.into(), expression(value)))
                .collect(),
        ),
    }
}

/// A value where text is expected: YAML reads a scalar of any type as its text.
pub fn scalar<'v>(value: &'v Value<'_>) -> Expression<'v> {
    match value {
        Value::Null => "".into(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => yaml::write(value, Style::V3).trim_end().to_owned().into(),
        _ => expression(value),
    }
}

/// The mapping that a value is.
pub fn mapping<'v, 'd>(value: &'v Value<'d>) -> Option<&'v Mapping<'d>> {
    match value {
        Value::Mapping(mapping) => Some(mapping),
        _ => None,
    }
}

/// The text at a key; empty if there is none.
pub fn text<'v>(yaml: &'v Mapping<'_>, key: &str) -> &'v str {
    match yaml.get(key) {
        Some(Value::String(text)) => text,
        _ => "",
    }
}

/// The items of the list at a key.
pub fn items<'v, 'd>(yaml: &'v Mapping<'d>, key: &str) -> &'v [Value<'d>] {
    match yaml.get(key) {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}

fn entries<'v, 'd>(value: &'v Value<'d>) -> impl Iterator<Item = (&'v str, &'v Value<'d>)> {
    mapping(value).into_iter().flat_map(|mapping| mapping.iter())
}

/// The value at a key with dots.
fn at<'v, 'd>(yaml: &'v Mapping<'d>, key: &str) -> Option<&'v Value<'d>> {
    match key.split_once('.') {
        None => yaml.get(key),
        Some((first, rest)) => at(mapping(yaml.get(first)?)?, rest),
    }
}

/// A name as an identifier: `_` for every character that is not in one, and before a digit in front.
pub fn identifier(name: &str) -> Cow<'_, str> {
    let words = label_name(name);
    if words.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("_{words}").into();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::settled;
    use super::super::version::Version;
    use super::*;

    fn read(yaml: &str) -> Value<'static> {
        Value::from(serde_yaml::from_str::<serde_json::Value>(yaml).unwrap())
    }

    fn shown(name: &'static str, yaml: &str) -> (String, Vec<String>) {
        let value = read(yaml);
        let converted = converted(name, mapping(&value).unwrap(), &[]);
        let mut text = String::new();
        let body = settled(name, converted.body, Version::NEWEST);
        super::super::layout::component(&mut text, &Block::new(name, "", body));
        (text, converted.unknown.iter().map(FieldPath::to_string).collect())
    }

    #[test]
    fn keys_become_arguments() {
        let (text, unknown) = shown(
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
        assert_eq!(unknown, ["odd", "tls_config.max_version"]);
    }

    #[test]
    fn keys_of_the_agent_lie_elsewhere() {
        let (text, unknown) = shown(
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
        assert_eq!(
            (text.as_str(), unknown.as_slice()),
            (expected, ["odd".to_owned()].as_slice())
        );
        let (text, unknown) = shown(
            "prometheus.exporter.cloudwatch",
            "{sts_region: x, discovery: {odd: 1, exported_tags: {ec2: [a]}, jobs: [{type: t, regions: [r], odd: 1, search_tags: [{key: k, value: v}], metrics: [{name: m, statistics: [s], period: 1m, nil_to_zero: false}]}]}, static: [{name: s-1, regions: [r], namespace: n, dimensions: [{name: d, value: 1}], metrics: []}]}",
        );
        assert_eq!(unknown, ["discovery.jobs[0].odd", "discovery.odd"]);
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
    fn a_mapping_is_text_where_alloy_has_text() {
        let (text, _) = shown(
            "prometheus.exporter.blackbox",
            "{blackbox_config: {modules: {}}, blackbox_targets: [{name: a, address: b}]}",
        );
        assert!(text.contains("config  = \"modules: {}\\n\""), "{text}");
        assert!(
            text.contains("targets = [{\n\t\taddress = \"b\",\n\t\tname    = \"a\",\n\t}]"),
            "{text}"
        );
    }

    #[test]
    fn keys_that_the_agent_ignores_and_alloy_refuses_are_left_out() {
        let (text, unknown) = shown(
            "prometheus.exporter.blackbox",
            "{blackbox_config: {odd: 1, modules: {http: {odd: 1, prober: http, http: {method: GET, odd: 1, tls_config: {odd: 1}, \
             proxy_url: x, headers: {odd: 1}, fail_if_header_matches: [{header: a, odd: 1}]}}, none: null}}}",
        );
        let all = [
            "odd",
            "modules.http.odd",
            "modules.http.http.odd",
            "modules.http.http.tls_config.odd",
            "modules.http.http.fail_if_header_matches[0].odd",
        ];
        let mut all = all.map(|path| format!("blackbox_config.{path}"));
        all.sort_unstable();
        let mut unknown = unknown;
        unknown.sort_unstable();
        assert_eq!(unknown, all);
        assert_eq!(text.matches("odd").count(), 1, "{text}");
        for part in [
            "headers:\\n",
            "odd: 1",
            "header: a",
            "proxy_url: x",
            "none: null",
            "tls_config: {}",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn identifiers() {
        for (name, expected) in [("a_B1", "a_B1"), ("a/b-c", "a_b_c"), ("1a", "_1a"), ("é", "_")] {
            assert_eq!(identifier(name), expected);
        }
    }
}
