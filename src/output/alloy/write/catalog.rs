//! Catalog of the Alloy components that a configuration may contain, with their arguments in the order in which Alloy
//! writes them.
//!
//! The first line of `catalog.txt` lists the described versions of Alloy; `.ci/alloy-catalog` compares the file with
//! Alloy's sources. Each paragraph describes one body: its name, followed by a line for each argument or block. After
//! the name of an argument or block:
//!
//! - `!`: it is required
//! - `in …`: the only values it accepts
//! - `= …`: its default in JSON, or `null` if the default depends on the enclosing component, so that a value is always
//!   written
//! - `> …`: a number must be above zero, and a string must not be empty; otherwise this value is written, or nothing if
//!   it is `null`
//! - `~ …`: the value that the agent uses if its key is missing, unless Alloy's default is the same
//! - `< …`: the agent's key, if its name differs; `a|b` for one of two names, `^` for a block whose keys are in the
//!   enclosing mapping, `-` if the agent has no key for it
//! - `@ …`: the version that introduced it, if later than 1.18
//!
//! The body of a block is named in braces, followed by `*` if the block may be repeated and `"` if it has a label.
//! `<…>` refers to a body whose blocks may follow in any order. `yaml:` precedes the name of the body that defines the
//! keys of a YAML string. A `+` line includes the lines of another body.

use std::collections::HashMap;
use std::sync::LazyLock;

use clap::ValueEnum;
use memchr::memmem;

use super::exclusive::keep_first_of_each_group;
use super::syntax::{Block, Body, Expression, Statement, expression};
use super::values;
use super::version::AlloyVersion;

/// Name of the component that reads a file.
pub const FILE: &str = "local.file";

const TEXT: &str = include_str!("catalog.txt");

static CATALOG: LazyLock<HashMap<&'static str, BodySpec>> = LazyLock::new(|| parse(TEXT));

/// Specification of the body of a component or block.
#[derive(Default)]
pub struct BodySpec {
    /// Arguments and blocks, in order.
    pub arguments: Vec<ArgumentSpec>,
    /// Indices of the required arguments.
    required: Vec<usize>,
}

/// Argument or block that a body accepts.
pub struct ArgumentSpec {
    pub name: &'static str,
    pub kind: ArgumentType,
    /// Whether Alloy treats the argument as secret.
    pub is_secret: bool,
    /// Values that the argument accepts. Empty if it accepts any value.
    values: Vec<&'static str>,
    /// Whether the argument is required.
    pub required: bool,
    /// Value that Alloy uses if the argument is not set.
    default: Option<Expression<'static>>,
    /// Value to write instead of an empty string or a number that is not above zero, or `None` if Alloy accepts any
    /// value.
    least: Option<Expression<'static>>,
    /// Value that the agent uses if its key is missing, unless Alloy's default is the same.
    pub agent_default: Option<Expression<'static>>,
    /// Corresponding key in the agent's configuration.
    pub key: ValueLocation,
    /// Version of Alloy that introduced the argument.
    since: AlloyVersion,
}

/// Location of an argument's value in the agent's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueLocation {
    /// At this key, with dots for nested keys and `|` between alternative names.
    At(&'static str),
    /// At the block's keys in the enclosing mapping, because the block exists only in Alloy.
    Around,
    Nowhere,
}

/// Type of an argument, as named in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ArgumentType {
    /// String that is not a secret.
    Text,
    /// Lowercase string that the agent accepts in any case.
    AnyCase,
    /// String that is a secret.
    Secret,
    /// YAML string, with the name of the body that defines its keys.
    #[value(skip)]
    Yaml(&'static str),
    Number,
    /// Boolean value.
    Bool,
    /// Duration in Go syntax.
    Duration,
    /// Duration that the agent's configuration specifies in seconds.
    Seconds,
    /// Size with a unit, such as `8KiB`.
    Size,
    /// Size that Alloy's configuration specifies in bytes.
    Bytes,
    /// List of strings.
    Texts,
    /// List of secret strings.
    Secrets,
    /// List of numbers.
    Numbers,
    /// String-to-string map.
    Map,
    /// Map from strings to lists of strings.
    MapOfTexts,
    /// List of maps.
    Maps,
    #[value(skip)]
    Exports,
    #[value(skip)]
    Block {
        /// Name of the block's body.
        body: &'static str,
        /// Whether the block may be repeated.
        repeated: bool,
        /// Whether the block has a label.
        labeled: bool,
    },
    /// Blocks whose order matters, such as stages. The body with this name lists the possible blocks.
    #[value(skip)]
    InTurn(&'static str),
}

/// Returns the specification of the component or block with this name.
pub fn spec(name: &str) -> Option<&'static BodySpec> {
    CATALOG.get(name)
}

/// Whether a body has an argument or block with this name in `version`.
pub fn has_argument(body: &str, name: &str, version: AlloyVersion) -> bool {
    let argument = spec(body).and_then(|spec| spec.argument(name));
    argument.is_some_and(|argument| argument.since <= version)
}

/// Returns the name of a component, or `None` if there is no such component.
pub fn component(name: &str) -> Option<&'static str> {
    CATALOG.get_key_value(name).map(|(name, _)| *name)
}

fn parse(text: &'static str) -> HashMap<&'static str, BodySpec> {
    let mut specs: Vec<(&'static str, BodySpec)> = Vec::new();
    for line in text.lines().skip(1) {
        match line.strip_prefix('\t') {
            None => specs.push((line, BodySpec::default())),
            Some(line) => {
                if let Some((_, spec)) = specs.last_mut() {
                    match line.strip_prefix('+') {
                        Some(shared) => spec.arguments.extend(lines_of(text, shared).filter_map(argument)),
                        None => spec.arguments.extend(argument(line)),
                    }
                }
            }
        }
    }
    for (_, spec) in &mut specs {
        let arguments = spec.arguments.iter().enumerate();
        let required = arguments.filter(|(_, argument)| argument.required);
        spec.required = required.map(|(place, _)| place).collect();
    }
    specs.into_iter().collect()
}

fn lines_of<'t>(text: &'t str, body: &str) -> impl Iterator<Item = &'t str> {
    let following_lines = text.lines().skip_while(move |line| *line != body).skip(1);
    following_lines.map_while(|line| line.strip_prefix('\t'))
}

fn argument(line: &'static str) -> Option<ArgumentSpec> {
    let mut line = line;
    let mut following_lines = |mark: &str| {
        // `str::find` prepares a searcher for each call, which takes longer than the search itself.
        let (before, value) = line.split_at_checked(memmem::find(line.as_bytes(), mark.as_bytes())?)?;
        line = before;
        value.strip_prefix(mark)
    };
    let [since, key, agent_default, minimum, default, values] =
        [" @ ", " < ", " ~ ", " > ", " = ", " in "].map(&mut following_lines);
    let (name, kind) = line.split_once(' ')?;
    let is_secret = matches!(kind, "secret" | "secrets" | "map-of-secrets");
    let kind = ArgumentType::parse(kind)?;
    let (name, required) = match name.strip_suffix('!') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let parse_value = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
    let value = |json: Option<&str>| Some(kind.read(expression(&parse_value(json?)?.into())));
    Some(ArgumentSpec {
        name,
        kind,
        is_secret,
        values: values.map_or_else(Vec::new, |values| values.split(',').collect()),
        required,
        default: value(default),
        least: value(minimum),
        agent_default: value(agent_default),
        key: match key {
            None => ValueLocation::At(name),
            Some("^") => ValueLocation::Around,
            Some("-") => ValueLocation::Nowhere,
            Some(key) => ValueLocation::At(key),
        },
        since: since.map_or(Some(AlloyVersion::OLDEST), AlloyVersion::parse)?,
    })
}

impl ArgumentType {
    fn parse(text: &'static str) -> Option<Self> {
        Some(match text {
            "map-of-secrets" => ArgumentType::MapOfTexts,
            "targets" | "receivers" | "rules" => ArgumentType::Exports,
            "<stage>" => ArgumentType::InTurn("stage"),
            "<metric>" => ArgumentType::InTurn("metric"),
            _ if text.starts_with("yaml:") => ArgumentType::Yaml(text.split_at_checked(5)?.1),
            _ => match text.strip_prefix('{').and_then(|text| text.split_once('}')) {
                Some((body, marks)) => {
                    ArgumentType::Block { body, repeated: marks.contains('*'), labeled: marks.contains('"') }
                }
                None => ValueEnum::from_str(text, false).ok()?,
            },
        })
    }

    /// Returns the name of a block's body, or an empty string for an argument.
    pub fn body(self) -> &'static str {
        match self {
            ArgumentType::Block { body, .. } => body,
            _ => "",
        }
    }

    /// Returns Go's zero value for this type, or `None` for a block.
    fn zero(self) -> Option<Expression<'static>> {
        Some(match self {
            ArgumentType::Text | ArgumentType::AnyCase | ArgumentType::Secret | ArgumentType::Yaml(_) => "".into(),
            ArgumentType::Duration | ArgumentType::Seconds => "0s".into(),
            ArgumentType::Size => "0B".into(),
            ArgumentType::Number | ArgumentType::Bytes => 0.0.into(),
            ArgumentType::Bool => false.into(),
            ArgumentType::Map | ArgumentType::MapOfTexts => Expression::Object(Vec::new()),
            ArgumentType::Texts
            | ArgumentType::Secrets
            | ArgumentType::Numbers
            | ArgumentType::Maps
            | ArgumentType::Exports => Expression::List(Vec::new()),
            ArgumentType::Block { .. } | ArgumentType::InTurn(_) => return None,
        })
    }

    /// Converts a value to an argument of this type. A value that cannot be converted is left unchanged, and Alloy
    /// reports it.
    pub fn read<'d>(self, value: Expression<'d>) -> Expression<'d> {
        match (self, value) {
            (ArgumentType::Duration, Expression::Number(number)) => values::format_duration(number as i64).into(),
            (ArgumentType::Seconds, Expression::Number(number)) => {
                values::format_duration((number * 1e9) as i64).into()
            }
            (ArgumentType::Duration | ArgumentType::Seconds, Expression::String(text)) => {
                values::duration(&text).map_or(Expression::String(text), Expression::from)
            }
            (ArgumentType::Size, Expression::String(text)) => {
                values::size(&text).map_or(Expression::String(text), Expression::from)
            }
            (ArgumentType::Bytes, Expression::String(text)) => {
                values::size_in_bytes(&text).map_or(Expression::String(text), |bytes| (bytes as f64).into())
            }
            (ArgumentType::Size, Expression::Number(number)) => values::bytes(number as u64).into(),
            (ArgumentType::Text, value @ Expression::Export("local.file", ..)) => {
                Expression::Call("convert.nonsensitive", vec![value])
            }
            (ArgumentType::AnyCase, Expression::String(text)) => text.to_ascii_lowercase().into(),
            (ArgumentType::Text | ArgumentType::Secret, Expression::Number(number)) => number.to_string().into(),
            (ArgumentType::Text | ArgumentType::Secret, Expression::Bool(value)) => value.to_string().into(),
            (ArgumentType::Number, Expression::String(text)) => {
                text.parse().map_or(Expression::String(text), Expression::Number)
            }
            (ArgumentType::Bool, Expression::String(text)) if text == "true" || text == "false" => {
                (text == "true").into()
            }
            (ArgumentType::Texts, Expression::List(items)) => {
                items.into_iter().map(|item| ArgumentType::Text.read(item)).collect()
            }
            (ArgumentType::Secrets, Expression::List(items)) => {
                items.into_iter().map(|item| ArgumentType::Secret.read(item)).collect()
            }
            (ArgumentType::Numbers, Expression::List(items)) => {
                items.into_iter().map(|item| ArgumentType::Number.read(item)).collect()
            }
            (ArgumentType::Maps, Expression::List(items)) => {
                items.into_iter().map(|item| ArgumentType::Map.read(item)).collect()
            }
            (ArgumentType::Texts, Expression::String(text)) => {
                text.split(',').map(|item| Expression::from(item.to_owned())).collect()
            }
            (ArgumentType::Map | ArgumentType::Exports, Expression::Object(entries)) => {
                entries_as(ArgumentType::Text, entries)
            }
            (ArgumentType::MapOfTexts, Expression::Object(entries)) => entries_as(ArgumentType::Texts, entries),
            // A list of targets consists of maps rather than exports.
            (ArgumentType::Exports, Expression::List(items)) => items.into_iter().map(|item| self.read(item)).collect(),
            (ArgumentType::Exports, Expression::Call(function, items)) => {
                Expression::Call(function, items.into_iter().map(|item| self.read(item)).collect())
            }
            (_, value) => value,
        }
    }
}

fn entries_as<'d>(kind: ArgumentType, entries: Vec<(std::borrow::Cow<'d, str>, Expression<'d>)>) -> Expression<'d> {
    let mut entries: Vec<_> = entries.into_iter().map(|(key, value)| (key, kind.read(value))).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Expression::Object(entries)
}

impl<'d> FromIterator<Expression<'d>> for Expression<'d> {
    fn from_iter<I: IntoIterator<Item = Expression<'d>>>(items: I) -> Self {
        Expression::List(items.into_iter().collect())
    }
}

impl ArgumentSpec {
    /// Returns the value to write, or `None` if it is Alloy's default or is invalid. An invalid value, which `check`
    /// reports, prevents both Alloy and the agent from starting.
    pub fn value_to_write<'d>(&self, value: Expression<'d>) -> Option<Expression<'d>> {
        let value = match (self.kind.read(value), &self.least) {
            (value, Some(least)) if !is_above_zero(&value) || self.kind == ArgumentType::Text && is_zero(&value) => {
                least.clone()
            }
            (value, _) => value,
        };
        if matches!(value, Expression::Null) || !self.accepts(&value) {
            return None;
        }
        let is_default = match &self.default {
            Some(default) => value == *default,
            None => is_zero(&value),
        };
        (self.required || !is_default).then_some(value)
    }

    /// Whether the argument accepts a value.
    pub fn accepts(&self, value: &Expression<'_>) -> bool {
        match value {
            Expression::String(text) if !self.values.is_empty() => self.values.contains(&text.as_ref()),
            _ => true,
        }
    }

    fn takes(&self, name: &str) -> bool {
        match self.kind {
            ArgumentType::InTurn(_) => name.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('.')),
            _ => name == self.name,
        }
    }

    fn prepare<'d>(&self, statement: Statement<'d>, version: AlloyVersion) -> Option<Statement<'d>> {
        if self.since > version {
            return None;
        }
        match statement {
            Statement::Attribute(name, value) => {
                self.value_to_write(value).map(|value| Statement::Attribute(name, value))
            }
            Statement::Block(block) => {
                let body = match self.kind {
                    ArgumentType::InTurn(names) => spec(names)?.argument(block.name)?.kind.body(),
                    kind => kind.body(),
                };
                Some(Statement::Block(Block { body: prepare(body, block.body, version), ..block }))
            }
            Statement::Lines(..) => Some(statement),
        }
    }
}

/// Whether a number or duration is above zero. Returns `true` for values of other types.
fn is_above_zero(value: &Expression<'_>) -> bool {
    match value {
        Expression::Number(number) => *number > 0.0,
        Expression::String(text) => text != "0s" && !text.starts_with('-'),
        _ => true,
    }
}

fn is_zero(value: &Expression<'_>) -> bool {
    match value {
        Expression::Null | Expression::Bool(false) => true,
        Expression::Number(number) => *number == 0.0,
        Expression::String(text) => text.is_empty() || text == "0s" || text == "0B",
        Expression::List(items) => items.is_empty(),
        Expression::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Returns the statements of a body in catalog order, with converted values, and without Alloy's defaults or
/// arguments that this version does not support.
pub fn prepare<'d>(name: &str, body: Body<'d>, version: AlloyVersion) -> Body<'d> {
    match spec(name) {
        Some(spec) => spec.prepare(body, version),
        None => body,
    }
}

impl BodySpec {
    fn prepare<'d>(&self, body: Body<'d>, version: AlloyVersion) -> Body<'d> {
        let mut last_index = 0;
        let prepare = |statement: Statement<'d>| {
            // The catalog should contain every statement, but writing an unknown statement is safer than losing it.
            let Some((argument_index, argument)) = self.find_argument(statement.name(), last_index) else {
                return Some((usize::MAX, statement));
            };
            last_index = argument_index;
            Some((argument_index, argument.prepare(statement, version)?))
        };
        let mut prepared_statements = Vec::with_capacity(body.0.len() + self.required.len());
        prepared_statements.extend(body.0.into_iter().filter_map(prepare));
        let required = self.required.iter().copied();
        for (argument_index, argument) in required.filter_map(|place| Some((place, self.arguments.get(place)?))) {
            if prepared_statements.iter().all(|(own, _)| *own != argument_index) {
                let zero = argument.kind.zero();
                prepared_statements
                    .extend(zero.map(|zero| (argument_index, Statement::Attribute(argument.name, zero))));
            }
        }
        prepared_statements.sort_by_key(|(place, _)| *place);
        let mut statements = prepared_statements.into_iter().map(|(_, statement)| statement).collect();
        keep_first_of_each_group(&mut statements);
        Body(statements)
    }

    /// Returns the argument for a statement with this name, along with its index. The index is expected to be `near` or
    /// shortly after it.
    fn find_argument(&self, name: &str, near: usize) -> Option<(usize, &ArgumentSpec)> {
        let mut arguments = self.arguments.iter().enumerate();
        let later_argument = arguments.clone().skip(near).find(|(_, argument)| argument.takes(name));
        later_argument.or_else(|| arguments.by_ref().take(near).find(|(_, argument)| argument.takes(name)))
    }

    /// Returns the argument or block that accepts a statement with this name.
    pub fn argument_for(&self, statement: &str) -> Option<&ArgumentSpec> {
        let (_, argument) = self.find_argument(statement, 0)?;
        match argument.kind {
            ArgumentType::InTurn(names) => spec(names)?.argument(statement),
            _ => Some(argument),
        }
    }

    /// Returns the argument or block with this name.
    pub fn argument(&self, name: &str) -> Option<&ArgumentSpec> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_has_the_oldest_and_newest_version() {
        let words = TEXT.lines().next().into_iter().flat_map(str::split_whitespace);
        let versions: Vec<_> = words.filter_map(AlloyVersion::parse).collect();
        assert_eq!(versions, [AlloyVersion::OLDEST, AlloyVersion::NEWEST]);
        for argument in CATALOG.values().flat_map(|spec| &spec.arguments) {
            assert!(argument.since <= AlloyVersion::NEWEST, "{}", argument.name);
        }
    }

    #[test]
    fn parses_every_catalog_line() {
        let lines = TEXT.lines().filter_map(|line| line.strip_prefix('\t'));
        let lines = lines.map(|line| line.strip_prefix('+').map_or(1, |body| lines_of(TEXT, body).count()));
        let arguments = CATALOG.values().map(|spec| spec.arguments.len());
        assert_eq!(arguments.sum::<usize>(), lines.sum::<usize>());
        for (name, spec) in CATALOG.iter() {
            for argument in &spec.arguments {
                if let ArgumentType::Block { body, .. } = argument.kind {
                    assert!(CATALOG.contains_key(body), "{name}.{}: {body}", argument.name);
                }
            }
        }
    }

    #[test]
    fn converts_values_to_the_argument_type() {
        fn list<T: Into<Expression<'static>>>(items: impl IntoIterator<Item = T>) -> Expression<'static> {
            items.into_iter().map(Into::into).collect()
        }
        let object = |entries: Vec<(&'static str, Expression<'static>)>| {
            Expression::Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
        };
        let file = || Expression::Export(FILE, "f".into(), "content");
        let nonsensitive_file = || Expression::Call("convert.nonsensitive", vec![file()]);
        let other_export = || Expression::Export("discovery.kubernetes", "f".into(), "targets");
        for (kind, value, expected) in [
            (ArgumentType::Duration, 1.5e9.into(), "1.5s".into()),
            (ArgumentType::Seconds, 1.5.into(), "1.5s".into()),
            (ArgumentType::Seconds, 90.0.into(), "1m30s".into()),
            (ArgumentType::Duration, "1d".into(), "24h0m0s".into()),
            (ArgumentType::Seconds, "90s".into(), "1m30s".into()),
            (ArgumentType::Duration, "soon".into(), "soon".into()),
            (ArgumentType::Size, "8kb".into(), "8KiB".into()),
            (ArgumentType::Size, "much".into(), "much".into()),
            (ArgumentType::Size, 2048.0.into(), "2KiB".into()),
            (ArgumentType::Bytes, "8kb".into(), 8192.0.into()),
            (ArgumentType::Bytes, "much".into(), "much".into()),
            (ArgumentType::Bytes, 5.0.into(), 5.0.into()),
            (ArgumentType::Text, file(), nonsensitive_file()),
            (ArgumentType::Text, other_export(), other_export()),
            (ArgumentType::Secret, file(), file()),
            (ArgumentType::AnyCase, "Debug".into(), "debug".into()),
            (ArgumentType::AnyCase, "info".into(), "info".into()),
            (ArgumentType::Text, "Debug".into(), "Debug".into()),
            (ArgumentType::Text, 1.5.into(), "1.5".into()),
            (ArgumentType::Secret, 10.0.into(), "10".into()),
            (ArgumentType::Text, true.into(), "true".into()),
            (ArgumentType::Secret, false.into(), "false".into()),
            (ArgumentType::Number, "1.5".into(), 1.5.into()),
            (ArgumentType::Number, "one".into(), "one".into()),
            (ArgumentType::Bool, "true".into(), true.into()),
            (ArgumentType::Bool, "false".into(), false.into()),
            (ArgumentType::Bool, "yes".into(), "yes".into()),
            (ArgumentType::Texts, list([1.0, 2.0]), list(["1", "2"])),
            (ArgumentType::Texts, "a,b".into(), list(["a", "b"])),
            (ArgumentType::Texts, list([file()]), list([nonsensitive_file()])),
            (ArgumentType::Secrets, list([1.0]), list(["1"])),
            (ArgumentType::Secrets, list([file()]), list([file()])),
            (ArgumentType::Numbers, list(["1", "x"]), list([1.0.into(), Expression::from("x")])),
            (
                ArgumentType::Map,
                object(vec![("b", 1.0.into()), ("a", true.into())]),
                object(vec![("a", "true".into()), ("b", "1".into())]),
            ),
            (
                ArgumentType::MapOfTexts,
                object(vec![("b", "x,y".into()), ("a", list([1.0]))]),
                object(vec![("a", list(["1"])), ("b", list(["x", "y"]))]),
            ),
            (
                ArgumentType::Maps,
                list([object(vec![("b", 1.0.into()), ("a", file())])]),
                list([object(vec![("a", nonsensitive_file()), ("b", "1".into())])]),
            ),
            (
                ArgumentType::Exports,
                Expression::Call("array.concat", vec![other_export(), list([object(vec![("b", 1.0.into())])])]),
                Expression::Call("array.concat", vec![other_export(), list([object(vec![("b", "1".into())])])]),
            ),
            (ArgumentType::Map, 1.0.into(), 1.0.into()),
            (ArgumentType::Text, Expression::Null, Expression::Null),
        ] {
            assert_eq!(kind.read(value.clone()), expected, "{kind:?} {value:?}");
        }
    }

    #[test]
    fn required_arguments_default_to_zero_values() {
        let list = || Some(Expression::List(Vec::new()));
        let object = || Some(Expression::Object(Vec::new()));
        let block = ArgumentType::Block { body: "x", repeated: false, labeled: false };
        for (kind, expected) in [
            (ArgumentType::Text, Some("".into())),
            (ArgumentType::AnyCase, Some("".into())),
            (ArgumentType::Secret, Some("".into())),
            (ArgumentType::Yaml("x"), Some("".into())),
            (ArgumentType::Duration, Some("0s".into())),
            (ArgumentType::Seconds, Some("0s".into())),
            (ArgumentType::Size, Some("0B".into())),
            (ArgumentType::Number, Some(0.0.into())),
            (ArgumentType::Bytes, Some(0.0.into())),
            (ArgumentType::Bool, Some(false.into())),
            (ArgumentType::Map, object()),
            (ArgumentType::MapOfTexts, object()),
            (ArgumentType::Texts, list()),
            (ArgumentType::Secrets, list()),
            (ArgumentType::Numbers, list()),
            (ArgumentType::Maps, list()),
            (ArgumentType::Exports, list()),
            (block, None),
            (ArgumentType::InTurn("stage"), None),
        ] {
            let zero_value = kind.zero();
            assert_eq!(zero_value, expected, "{kind:?}");
            assert!(zero_value.is_none_or(|zero| is_zero(&zero)), "{kind:?}");
        }
        for (value, zero, above_zero) in [
            (Expression::Null, true, true),
            (true.into(), false, true),
            (0.0.into(), true, false),
            (0.5.into(), false, true),
            ((-1.0).into(), false, false),
            ("0".into(), false, true),
            ("0s".into(), true, false),
            ("-1s".into(), false, false),
            ("0B".into(), true, true),
            (Expression::texts(["a"]), false, true),
            (Expression::map([("a", "b")]), false, true),
            (Expression::Name("x"), false, true),
        ] {
            assert_eq!((is_zero(&value), is_above_zero(&value)), (zero, above_zero), "{value:?}");
        }
    }

    #[test]
    fn sorts_statements_and_omits_defaults() {
        let body = Body::new()
            .with_block(
                "basic_auth",
                Body::new()
                    .with("password", Expression::Export("local.file", "p".into(), "content"))
                    .with("username", Expression::Export("local.file", "u".into(), "content")),
            )
            .with("scrape_timeout", "10s")
            .with("scrape_interval", "1d")
            .with("honor_timestamps", true)
            .with("forward_to", Expression::List(Vec::new()))
            .with("sample_limit", 0.0)
            .with("targets", Expression::List(Vec::new()));
        let expected = Body::new()
            .with("targets", Expression::List(Vec::new()))
            .with("forward_to", Expression::List(Vec::new()))
            .with("scrape_interval", "24h0m0s")
            .with_block(
                "basic_auth",
                Body::new()
                    .with(
                        "username",
                        Expression::Call(
                            "convert.nonsensitive",
                            vec![Expression::Export("local.file", "u".into(), "content")],
                        ),
                    )
                    .with("password", Expression::Export("local.file", "p".into(), "content")),
            );
        assert_eq!(prepare("prometheus.scrape", body, AlloyVersion::NEWEST), expected);
    }

    #[test]
    fn replaces_values_that_must_be_positive() {
        let prepared_value = |name, argument: &'static str, value: &'static str| {
            let body = prepare(name, Body::new().with(argument, value), AlloyVersion::NEWEST);
            body.attribute(argument).cloned()
        };
        for (value, expected) in [("0s", None), ("-1m", None), ("1ms", Some("1ms")), ("60s", None)] {
            let actual = prepared_value("discovery.http", "refresh_interval", value);
            assert_eq!(actual, expected.map(Expression::from), "{value}");
        }
        let wait_time = prepared_value("stages.MultilineConfig", "max_wait_time", "0s");
        assert_eq!(wait_time, Some("1ns".into()));
        let lines = prepared_value("stages.CRIConfig", "max_partial_lines", "0");
        assert_eq!(lines, None);
        // For the agent, an empty string means the agent's default.
        for (value, expected) in [("", None), (".+", Some(".+"))] {
            let actual = prepared_value("unix.SystemdConfig", "unit_include", value);
            assert_eq!(actual, expected.map(Expression::from), "{value:?}");
        }
    }

    #[test]
    fn omits_values_that_are_not_allowed() {
        let body = |level: &'static str| prepare("logging", Body::new().with("level", level), AlloyVersion::NEWEST);
        assert_eq!(body("debug"), Body::new().with("level", "debug"));
        assert_eq!(body("verbose"), Body::new());
    }

    #[test]
    fn omits_arguments_that_a_version_lacks() {
        let is_kept = |component, argument: &'static str, version| {
            let version = AlloyVersion::parse(version).unwrap();
            assert!(has_argument(component, argument, AlloyVersion::NEWEST), "{component} {argument}");
            let body = match spec(component).unwrap().argument(argument).unwrap().kind {
                ArgumentType::Block { .. } => Body::new().with_block(argument, Body::new()),
                ArgumentType::Duration => Body::new().with(argument, "1m"),
                _ => Body::new().with(argument, true),
            };
            let prepared_body = prepare(component, body, version);
            let is_written = prepared_body.0.iter().any(|statement| statement.name() == argument);
            assert_eq!(is_written, has_argument(component, argument, version), "{component} {argument}");
            is_written
        };
        for (component, argument) in [
            ("discovery.azure", "sdk_auth"),
            ("discovery.azure", "workload_identity"),
            ("prometheus.exporter.mssql", "max_connection_lifetime"),
            ("prometheus.scrape", "start_timestamp_zero_ingestion"),
            ("stages.LuhnFilterConfig", "skip_regex"),
        ] {
            assert!(!is_kept(component, argument, "1.18"));
            assert!(is_kept(component, argument, "1.19"));
        }
        assert!(is_kept("discovery.azure", "managed_identity", "1.18"));
    }
}
