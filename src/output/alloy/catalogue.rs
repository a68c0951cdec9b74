//! Catalogue of the Alloy components that a configuration may have, with their arguments in the order in which Alloy
//! writes them.
//!
//! `catalogue.txt` describes one body per paragraph: its name, then a line for each argument or block. After the
//! name:
//!
//! - `!`: required
//! - `in …`: the only values it accepts
//! - `= …`: its default in JSON, or `null` if the default depends on the enclosing component, so that a value is always written
//! - `> …`: a number must be above zero and a string not empty; otherwise this is written, or nothing for `null`
//! - `~ …`: the agent's value if its key is missing, if that differs from Alloy's default
//! - `< …`: the agent's key, if its name differs; `a|b` for one of two names, `^` for a block whose keys are in the enclosing
//!   mapping, `-` if the agent has no key for it
//! - `@ …`: the version that introduced it, if later than 1.18
//!
//! The body of a block is named in braces, followed by `*` if the block may be repeated and `"` if it has a label. `<…>` names a body
//! whose blocks may follow in any order. `yaml:` precedes the body whose keys a YAML string may have. A `+` line includes the lines of
//! another body.

use std::collections::HashMap;
use std::sync::LazyLock;

use clap::ValueEnum;
use memchr::memmem;

use super::exclusive::keep_one;
use super::syntax::{Block, Body, Expression, Statement, expression};
use super::values;
use super::version::Version;

/// Component that reads a file.
pub const FILE: &str = "local.file";

const TEXT: &str = include_str!("catalogue.txt");

static CATALOGUE: LazyLock<HashMap<&'static str, Spec>> = LazyLock::new(|| parse(TEXT));

/// Specification of the body of a component or block.
#[derive(Default)]
pub struct Spec {
    /// Arguments and blocks, in order.
    pub arguments: Vec<Argument>,
    /// Indexes of the arguments that are required.
    required: Vec<usize>,
}

/// Argument or block.
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether Alloy treats the argument as secret.
    pub is_secret: bool,
    /// Values that the argument accepts; empty if it accepts any.
    values: Vec<&'static str>,
    /// Whether the argument is required.
    pub required: bool,
    /// Value that Alloy uses if the argument is not set.
    default: Option<Expression<'static>>,
    /// Value to write instead of an empty string or a number that is not above zero, or `None` if Alloy accepts any
    /// value.
    least: Option<Expression<'static>>,
    /// Value that the agent uses if its key is missing, if that differs from Alloy's default.
    pub of_agent: Option<Expression<'static>>,
    /// Corresponding key in the agent's configuration.
    pub key: Key,
    /// Version of Alloy that introduced the argument.
    since: Version,
}

/// Location of an argument's value in the agent's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// At this key, with dots for nested keys and `|` between alternative names.
    At(&'static str),
    /// In the enclosing mapping, at the keys of the block: the block exists only in Alloy.
    Around,
    Nowhere,
}

/// Type of an argument, by its name in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// String that is not secret.
    Text,
    /// Lowercase string that the agent accepts in any case.
    AnyCase,
    /// Secret string.
    Secret,
    /// YAML string whose keys are those of this body.
    #[value(skip)]
    Yaml(&'static str),
    Number,
    /// Boolean.
    Bool,
    /// Go duration.
    Duration,
    /// Duration that is a number of seconds in the agent's configuration.
    Seconds,
    /// Size in bytes.
    Size,
    /// Size that is a number of bytes in Alloy.
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
    /// Block.
    #[value(skip)]
    Block {
        /// Name of the block's body.
        body: &'static str,
        /// Whether the block may be repeated.
        repeated: bool,
        /// Whether the block has a label.
        labelled: bool,
    },
    /// Blocks whose order matters, such as stages; this body lists them.
    #[value(skip)]
    InTurn(&'static str),
}

/// Returns the specification of the component or block with this name.
pub fn spec(name: &str) -> Option<&'static Spec> {
    CATALOGUE.get(name)
}

/// Whether a body has an argument or block with this name in `version`.
pub fn has(body: &str, name: &str, version: Version) -> bool {
    let argument = spec(body).and_then(|spec| spec.argument(name));
    argument.is_some_and(|argument| argument.since <= version)
}

/// Returns the name of a component, or `None` if there is no such component.
pub fn component(name: &str) -> Option<&'static str> {
    CATALOGUE.get_key_value(name).map(|(name, _)| *name)
}

fn parse(text: &'static str) -> HashMap<&'static str, Spec> {
    let mut specs: Vec<(&'static str, Spec)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('\t') {
            None => specs.push((line, Spec::default())),
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
    let behind = text.lines().skip_while(move |line| *line != body).skip(1);
    behind.map_while(|line| line.strip_prefix('\t'))
}

fn argument(line: &'static str) -> Option<Argument> {
    let mut line = line;
    let mut behind = |mark: &str| {
        // `str::find` would prepare each search at length.
        let (before, value) = line.split_at_checked(memmem::find(line.as_bytes(), mark.as_bytes())?)?;
        line = before;
        value.strip_prefix(mark)
    };
    let [since, key, of_agent, least, default, values] = [" @ ", " < ", " ~ ", " > ", " = ", " in "].map(&mut behind);
    let (name, kind) = line.split_once(' ')?;
    let is_secret = matches!(kind, "secret" | "secrets" | "map-of-secrets");
    let kind = Kind::parse(kind)?;
    let (name, required) = match name.strip_suffix('!') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
    let value = |json: Option<&str>| Some(kind.read(expression(&read(json?)?.into())));
    Some(Argument {
        name,
        kind,
        is_secret,
        values: values.map_or_else(Vec::new, |values| values.split(',').collect()),
        required,
        default: value(default),
        least: value(least),
        of_agent: value(of_agent),
        key: match key {
            None => Key::At(name),
            Some("^") => Key::Around,
            Some("-") => Key::Nowhere,
            Some(key) => Key::At(key),
        },
        since: since.map_or(Some(Version::OLDEST), Version::parse)?,
    })
}

impl Kind {
    fn parse(text: &'static str) -> Option<Self> {
        Some(match text {
            "map-of-secrets" => Kind::MapOfTexts,
            "targets" | "receivers" | "rules" => Kind::Exports,
            "<stage>" => Kind::InTurn("stage"),
            "<metric>" => Kind::InTurn("metric"),
            _ if text.starts_with("yaml:") => Kind::Yaml(text.split_at_checked(5)?.1),
            _ => match text.strip_prefix('{').and_then(|text| text.split_once('}')) {
                Some((body, marks)) => Kind::Block {
                    body,
                    repeated: marks.contains('*'),
                    labelled: marks.contains('"'),
                },
                None => ValueEnum::from_str(text, false).ok()?,
            },
        })
    }

    /// Returns the name of a block's body, or an empty string for an argument.
    pub fn body(self) -> &'static str {
        match self {
            Kind::Block { body, .. } => body,
            _ => "",
        }
    }

    /// Returns Go's zero value for this type, or `None` for a block.
    fn zero(self) -> Option<Expression<'static>> {
        Some(match self {
            Kind::Text | Kind::AnyCase | Kind::Secret | Kind::Yaml(_) => "".into(),
            Kind::Duration | Kind::Seconds => "0s".into(),
            Kind::Size => "0B".into(),
            Kind::Number | Kind::Bytes => 0.0.into(),
            Kind::Bool => false.into(),
            Kind::Map | Kind::MapOfTexts => Expression::Object(Vec::new()),
            Kind::Texts | Kind::Secrets | Kind::Numbers | Kind::Maps | Kind::Exports => Expression::List(Vec::new()),
            Kind::Block { .. } | Kind::InTurn(_) => return None,
        })
    }

    /// Converts a value to an argument of this type. A value that cannot be converted stays unchanged, and Alloy will
    /// report it.
    pub fn read<'d>(self, value: Expression<'d>) -> Expression<'d> {
        match (self, value) {
            (Kind::Duration, Expression::Number(number)) => values::written(number as i64).into(),
            (Kind::Seconds, Expression::Number(number)) => values::written((number * 1e9) as i64).into(),
            (Kind::Duration | Kind::Seconds, Expression::String(text)) => {
                values::duration(&text).map_or(Expression::String(text), Expression::from)
            }
            (Kind::Size, Expression::String(text)) => {
                values::size(&text).map_or(Expression::String(text), Expression::from)
            }
            (Kind::Bytes, Expression::String(text)) => {
                values::size_in_bytes(&text).map_or(Expression::String(text), |bytes| (bytes as f64).into())
            }
            (Kind::Size, Expression::Number(number)) => values::bytes(number as u64).into(),
            (Kind::Text, value @ Expression::Export("local.file", ..)) => {
                Expression::Call("convert.nonsensitive", vec![value])
            }
            (Kind::AnyCase, Expression::String(text)) => text.to_ascii_lowercase().into(),
            (Kind::Text | Kind::Secret, Expression::Number(number)) => number.to_string().into(),
            (Kind::Text | Kind::Secret, Expression::Bool(value)) => value.to_string().into(),
            (Kind::Number, Expression::String(text)) => {
                text.parse().map_or(Expression::String(text), Expression::Number)
            }
            (Kind::Bool, Expression::String(text)) if text == "true" || text == "false" => (text == "true").into(),
            (Kind::Texts, Expression::List(items)) => items.into_iter().map(|item| Kind::Text.read(item)).collect(),
            (Kind::Secrets, Expression::List(items)) => items.into_iter().map(|item| Kind::Secret.read(item)).collect(),
            (Kind::Numbers, Expression::List(items)) => items.into_iter().map(|item| Kind::Number.read(item)).collect(),
            (Kind::Maps, Expression::List(items)) => items.into_iter().map(|item| Kind::Map.read(item)).collect(),
            (Kind::Texts, Expression::String(text)) => {
                text.split(',').map(|item| Expression::from(item.to_owned())).collect()
            }
            (Kind::Map | Kind::Exports, Expression::Object(entries)) => entries_as(Kind::Text, entries),
            (Kind::MapOfTexts, Expression::Object(entries)) => entries_as(Kind::Texts, entries),
            // Listed targets are maps.
            (Kind::Exports, Expression::List(items)) => items.into_iter().map(|item| self.read(item)).collect(),
            (Kind::Exports, Expression::Call(function, items)) => {
                Expression::Call(function, items.into_iter().map(|item| self.read(item)).collect())
            }
            (_, value) => value,
        }
    }
}

fn entries_as<'d>(kind: Kind, entries: Vec<(std::borrow::Cow<'d, str>, Expression<'d>)>) -> Expression<'d> {
    let mut entries: Vec<_> = entries
        .into_iter()
        .map(|(key, value)| (key, kind.read(value)))
        .collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Expression::Object(entries)
}

impl<'d> FromIterator<Expression<'d>> for Expression<'d> {
    fn from_iter<I: IntoIterator<Item = Expression<'d>>>(items: I) -> Self {
        Expression::List(items.into_iter().collect())
    }
}

impl Argument {
    /// Returns the value to write, or `None` if it is Alloy's default, or if neither Alloy nor the agent starts with
    /// it, which `check` reports.
    pub fn written<'d>(&self, value: Expression<'d>) -> Option<Expression<'d>> {
        let value = match (self.kind.read(value), &self.least) {
            (value, Some(least)) if !is_above_zero(&value) || self.kind == Kind::Text && is_zero(&value) => {
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
            Kind::InTurn(_) => name.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('.')),
            _ => name == self.name,
        }
    }

    fn settled<'d>(&self, statement: Statement<'d>, version: Version) -> Option<Statement<'d>> {
        if self.since > version {
            return None;
        }
        match statement {
            Statement::Attribute(name, value) => self.written(value).map(|value| Statement::Attribute(name, value)),
            Statement::Block(block) => {
                let body = match self.kind {
                    Kind::InTurn(names) => spec(names)?.argument(block.name)?.kind.body(),
                    kind => kind.body(),
                };
                Some(Statement::Block(Block {
                    body: settled(body, block.body, version),
                    ..block
                }))
            }
            Statement::Lines(..) => Some(statement),
        }
    }
}

/// Whether a number or duration is above zero; `true` for a value of any other type.
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

/// Returns the statements of a body in the order of the catalogue, with converted values, and without Alloy's defaults
/// or arguments that this version does not support.
pub fn settled<'d>(name: &str, body: Body<'d>, version: Version) -> Body<'d> {
    match spec(name) {
        Some(spec) => spec.settled(body, version),
        None => body,
    }
}

impl Spec {
    fn settled<'d>(&self, body: Body<'d>, version: Version) -> Body<'d> {
        let mut last = 0;
        let settle = |statement: Statement<'d>| {
            // The catalogue should contain every statement; writing an unknown one is safer than losing it.
            let Some((place, argument)) = self.place(statement.name(), last) else {
                return Some((usize::MAX, statement));
            };
            last = place;
            Some((place, argument.settled(statement, version)?))
        };
        let mut settled = Vec::with_capacity(body.0.len() + self.required.len());
        settled.extend(body.0.into_iter().filter_map(settle));
        let required = self.required.iter().copied();
        for (place, argument) in required.filter_map(|place| Some((place, self.arguments.get(place)?))) {
            if settled.iter().all(|(own, _)| *own != place) {
                let zero = argument.kind.zero();
                settled.extend(zero.map(|zero| (place, Statement::Attribute(argument.name, zero))));
            }
        }
        settled.sort_by_key(|(place, _)| *place);
        let mut settled = settled.into_iter().map(|(_, statement)| statement).collect();
        keep_one(&mut settled);
        Body(settled)
    }

    /// Returns the argument for a statement of this name, and its index, which is probably `near` or shortly after.
    fn place(&self, name: &str, near: usize) -> Option<(usize, &Argument)> {
        let mut arguments = self.arguments.iter().enumerate();
        let behind = arguments.clone().skip(near).find(|(_, argument)| argument.takes(name));
        behind.or_else(|| arguments.by_ref().take(near).find(|(_, argument)| argument.takes(name)))
    }

    /// Returns the argument or block that accepts a statement of this name.
    pub fn taker(&self, statement: &str) -> Option<&Argument> {
        let (_, argument) = self.place(statement, 0)?;
        match argument.kind {
            Kind::InTurn(names) => spec(names)?.argument(statement),
            _ => Some(argument),
        }
    }

    /// Returns the argument or block with this name.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_understood() {
        let lines = TEXT.lines().filter_map(|line| line.strip_prefix('\t'));
        let lines = lines.map(|line| line.strip_prefix('+').map_or(1, |body| lines_of(TEXT, body).count()));
        let arguments = CATALOGUE.values().map(|spec| spec.arguments.len());
        assert_eq!(arguments.sum::<usize>(), lines.sum::<usize>());
        for (name, spec) in CATALOGUE.iter() {
            for argument in &spec.arguments {
                if let Kind::Block { body, .. } = argument.kind {
                    assert!(CATALOGUE.contains_key(body), "{name}.{}: {body}", argument.name);
                }
            }
        }
    }

    #[test]
    fn values_are_read_as_the_kind_of_their_argument() {
        fn list<T: Into<Expression<'static>>>(items: impl IntoIterator<Item = T>) -> Expression<'static> {
            items.into_iter().map(Into::into).collect()
        }
        let object = |entries: Vec<(&'static str, Expression<'static>)>| {
            Expression::Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
        };
        let file = || Expression::Export(FILE, "f".into(), "content");
        let open = || Expression::Call("convert.nonsensitive", vec![file()]);
        let other = || Expression::Export("discovery.kubernetes", "f".into(), "targets");
        for (kind, value, expected) in [
            (Kind::Duration, 1.5e9.into(), "1.5s".into()),
            (Kind::Seconds, 1.5.into(), "1.5s".into()),
            (Kind::Seconds, 90.0.into(), "1m30s".into()),
            (Kind::Duration, "1d".into(), "24h0m0s".into()),
            (Kind::Seconds, "90s".into(), "1m30s".into()),
            (Kind::Duration, "soon".into(), "soon".into()),
            (Kind::Size, "8kb".into(), "8KiB".into()),
            (Kind::Size, "much".into(), "much".into()),
            (Kind::Size, 2048.0.into(), "2KiB".into()),
            (Kind::Bytes, "8kb".into(), 8192.0.into()),
            (Kind::Bytes, "much".into(), "much".into()),
            (Kind::Bytes, 5.0.into(), 5.0.into()),
            (Kind::Text, file(), open()),
            (Kind::Text, other(), other()),
            (Kind::Secret, file(), file()),
            (Kind::AnyCase, "Debug".into(), "debug".into()),
            (Kind::AnyCase, "info".into(), "info".into()),
            (Kind::Text, "Debug".into(), "Debug".into()),
            (Kind::Text, 1.5.into(), "1.5".into()),
            (Kind::Secret, 10.0.into(), "10".into()),
            (Kind::Text, true.into(), "true".into()),
            (Kind::Secret, false.into(), "false".into()),
            (Kind::Number, "1.5".into(), 1.5.into()),
            (Kind::Number, "one".into(), "one".into()),
            (Kind::Bool, "true".into(), true.into()),
            (Kind::Bool, "false".into(), false.into()),
            (Kind::Bool, "yes".into(), "yes".into()),
            (Kind::Texts, list([1.0, 2.0]), list(["1", "2"])),
            (Kind::Texts, "a,b".into(), list(["a", "b"])),
            (Kind::Texts, list([file()]), list([open()])),
            (Kind::Secrets, list([1.0]), list(["1"])),
            (Kind::Secrets, list([file()]), list([file()])),
            (
                Kind::Numbers,
                list(["1", "x"]),
                list([1.0.into(), Expression::from("x")]),
            ),
            (
                Kind::Map,
                object(vec![("b", 1.0.into()), ("a", true.into())]),
                object(vec![("a", "true".into()), ("b", "1".into())]),
            ),
            (
                Kind::MapOfTexts,
                object(vec![("b", "x,y".into()), ("a", list([1.0]))]),
                object(vec![("a", list(["1"])), ("b", list(["x", "y"]))]),
            ),
            (
                Kind::Maps,
                list([object(vec![("b", 1.0.into()), ("a", file())])]),
                list([object(vec![("a", open()), ("b", "1".into())])]),
            ),
            (
                Kind::Exports,
                Expression::Call("array.concat", vec![other(), list([object(vec![("b", 1.0.into())])])]),
                Expression::Call("array.concat", vec![other(), list([object(vec![("b", "1".into())])])]),
            ),
            (Kind::Map, 1.0.into(), 1.0.into()),
            (Kind::Text, Expression::Null, Expression::Null),
        ] {
            assert_eq!(kind.read(value.clone()), expected, "{kind:?} {value:?}");
        }
    }

    #[test]
    fn required_arguments_default_to_zero_values() {
        let list = || Some(Expression::List(Vec::new()));
        let object = || Some(Expression::Object(Vec::new()));
        let block = Kind::Block {
            body: "x",
            repeated: false,
            labelled: false,
        };
        for (kind, expected) in [
            (Kind::Text, Some("".into())),
            (Kind::AnyCase, Some("".into())),
            (Kind::Secret, Some("".into())),
            (Kind::Yaml("x"), Some("".into())),
            (Kind::Duration, Some("0s".into())),
            (Kind::Seconds, Some("0s".into())),
            (Kind::Size, Some("0B".into())),
            (Kind::Number, Some(0.0.into())),
            (Kind::Bytes, Some(0.0.into())),
            (Kind::Bool, Some(false.into())),
            (Kind::Map, object()),
            (Kind::MapOfTexts, object()),
            (Kind::Texts, list()),
            (Kind::Secrets, list()),
            (Kind::Numbers, list()),
            (Kind::Maps, list()),
            (Kind::Exports, list()),
            (block, None),
            (Kind::InTurn("stage"), None),
        ] {
            let zero = kind.zero();
            assert_eq!(zero, expected, "{kind:?}");
            assert!(zero.is_none_or(|zero| is_zero(&zero)), "{kind:?}");
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
            assert_eq!(
                (is_zero(&value), is_above_zero(&value)),
                (zero, above_zero),
                "{value:?}"
            );
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
        assert_eq!(settled("prometheus.scrape", body, Version::NEWEST), expected);
    }

    #[test]
    fn replaces_values_that_must_be_above_zero() {
        let of = |name, argument: &'static str, value: &'static str| {
            let body = settled(name, Body::new().with(argument, value), Version::NEWEST);
            body.attribute(argument).cloned()
        };
        for (value, expected) in [("0s", None), ("-1m", None), ("1ms", Some("1ms")), ("30s", None)] {
            let found = of("discovery.consul", "refresh_interval", value);
            assert_eq!(found, expected.map(Expression::from), "{value}");
        }
        let waits = of("stages.MultilineConfig", "max_wait_time", "0s");
        assert_eq!(waits, Some("1ns".into()));
        let lines = of("stages.CRIConfig", "max_partial_lines", "0");
        assert_eq!(lines, None);
    }

    #[test]
    fn omits_values_that_are_not_allowed() {
        let body = |level: &'static str| settled("logging", Body::new().with("level", level), Version::NEWEST);
        assert_eq!(body("debug"), Body::new().with("level", "debug"));
        assert_eq!(body("verbose"), Body::new());
    }

    #[test]
    fn omits_arguments_that_a_version_lacks() {
        let kept = |component, argument: &'static str, version| {
            let version = Version::parse(version).unwrap();
            assert!(has(component, argument, Version::NEWEST), "{component} {argument}");
            let body = match spec(component).unwrap().argument(argument).unwrap().kind {
                Kind::Block { .. } => Body::new().with_block(argument, Body::new()),
                Kind::Duration => Body::new().with(argument, "1m"),
                _ => Body::new().with(argument, true),
            };
            let settled = settled(component, body, version);
            let has_it = settled.0.iter().any(|statement| statement.name() == argument);
            assert_eq!(has_it, has(component, argument, version), "{component} {argument}");
            has_it
        };
        for (component, argument) in [
            ("discovery.azure", "sdk_auth"),
            ("discovery.azure", "workload_identity"),
            ("prometheus.exporter.mssql", "max_connection_lifetime"),
            ("prometheus.scrape", "start_timestamp_zero_ingestion"),
            ("stages.LuhnFilterConfig", "skip_regex"),
        ] {
            assert!(!kept(component, argument, "1.18"));
            assert!(kept(component, argument, "1.19"));
        }
        assert!(kept("discovery.azure", "managed_identity", "1.18"));
    }
}
