//! Variables that the config-reloader and the agent replace in `agent.yml`, converted to Alloy expressions.
//!
//! The agent reads its configuration with envsubst: `${NAME}` and `${NAME:-default}` are variables, `$$` is a literal
//! `$`, and `${1}` is left unchanged.

use super::layout::is_print;
use super::syntax::{Body, Expression};
use super::version::AlloyVersion;
use crate::api::GrafanaAgent;
use crate::api::core::embedded;
use crate::go::envsubst;
use crate::output::variables::CONTAINER;

/// Variable for the replica's index, which the config-reloader derives from the pod name.
const ORDINAL: &str = "STATEFULSET_ORDINAL_NUMBER";

/// Variables set in the operator's containers. The config-reloader also replaces `$(NAME)` in an Alloy configuration.
/// Even so, variables that differ between the pods of a workload are written as expressions for readability.
const VARIABLES: [&str; 4] = ["SHARD", "SHARDS", "POD_NAME", "HOSTNAME"];

/// Version and variables of the Alloy container, which replaces the agent's container.
#[derive(Clone)]
pub struct AlloyEnvironment<'d> {
    pub version: AlloyVersion,
    /// Name of the agent.
    agent: &'d str,
    /// Variables added by the user.
    added: Vec<&'d str>,
    /// Whether there may be additional variables, from Secrets and ConfigMaps.
    is_open: bool,
}

/// Part of a string in the agent's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringPart<'t> {
    /// Literal part of a string.
    Plain(&'t str),
    /// Index of the replica, inserted at this position.
    Ordinal,
    /// A variable, and the default that is used if it is empty.
    Variable(&'t str, &'t str),
}

impl<'d> AlloyEnvironment<'d> {
    pub fn new(agent: &'d str, spec: &'d GrafanaAgent<'d>, version: AlloyVersion) -> Self {
        let containers = spec.containers.iter().map(|container| -> &serde_json::Value { container });
        let container = containers.rev().find(|container| embedded::name(container) == CONTAINER);
        let list = |field| container.and_then(|container| container.get(field)?.as_array());
        Self {
            version,
            agent,
            added: list("env").into_iter().flatten().map(embedded::name).collect(),
            is_open: list("envFrom").is_some_and(|sources| !sources.is_empty()),
        }
    }

    /// Replaces variables in every string of a body. A field that becomes empty is null in the agent's YAML and is
    /// therefore unset.
    pub fn replace(&self, body: &mut Body<'_>) {
        body.for_each_value(&mut |value| {
            let has_dollar = value.text().is_some_and(|text| text.contains('$'));
            value.for_each_part(&mut |part| {
                let Expression::String(text) = part else { return };
                // Grafana Agent Operator writes a string that consists only of line breaks as a block scalar, from
                // which the agent reads one line break fewer.
                if text.starts_with('\n') && text.trim_start_matches('\n').is_empty() {
                    text.to_mut().pop();
                } else if has_variables(text) {
                    *part = self.concat_parts(&parts(text));
                }
            });
            if has_dollar && value.text() == Some("") {
                *value = Expression::Null;
            }
        });
    }

    /// Returns the expression for a Secret value that `content` reads. The agent also replaces variables in the value,
    /// so its `text` must be known. Instead of containing `text`, the expression splits `content` at the dollar signs.
    pub fn secret_expression(&self, text: &str, content: Expression<'static>) -> Expression<'static> {
        if !has_variables(text) {
            return content;
        }
        let content = Expression::Call("convert.nonsensitive", vec![content]);
        let split_piece = |number: usize| item(split(content.clone(), "$"), number);
        let (mut terms, mut number, mut rest) = (Vec::new(), 0, split_piece(0));
        for (raw_text, part) in parts(text) {
            if part == StringPart::Plain(raw_text) {
                terms.push(rest.clone());
                for _ in raw_text.matches('$') {
                    number += 1;
                    terms.extend(["$".into(), split_piece(number)]);
                }
                continue;
            }
            number += raw_text.matches('$').count();
            rest = split_piece(number);
            if part == StringPart::Plain("$") {
                terms.push("$".into());
                continue;
            }
            let end = if part == StringPart::Ordinal || raw_text.starts_with("$(") { ")" } else { "}" };
            let reference = item(split(rest.clone(), end), 0);
            terms.push(match part {
                StringPart::Variable(name, default) if end == "}" => {
                    let operator = raw_text.get(name.len() + 2..raw_text.len() - default.len() - 1);
                    braced_variable(&reference, operator.unwrap_or_default(), !default.is_empty())
                }
                part => self.concat_parts(&[(raw_text, part)]),
            });
            rest = trim_prefix(rest, Expression::Sum(vec![reference, end.into()]));
        }
        Expression::Sum(terms)
    }

    /// Whether `text` is empty after variable replacement.
    pub fn is_empty_after_expansion(&self, text: &str) -> bool {
        has_variables(text) && self.concat_parts(&parts(text)) == Expression::String("".into())
    }

    fn concat_parts(&self, parts: &[(&str, StringPart<'_>)]) -> Expression<'static> {
        let mut terms: Vec<Expression<'static>> = Vec::new();
        for (_, part) in parts {
            let term = match *part {
                StringPart::Plain(text) => text.to_owned().into(),
                StringPart::Ordinal => ordinal(self.agent),
                StringPart::Variable(name, default) => self.variable(name, default),
            };
            match (terms.last_mut(), term) {
                (Some(Expression::String(before)), Expression::String(text)) => before.to_mut().push_str(&text),
                (_, term) => terms.push(term),
            }
        }
        terms.retain(|term| *term != Expression::String("".into()));
        match terms.len() {
            0 => String::new().into(),
            1 => terms.swap_remove(0),
            _ => Expression::Sum(terms),
        }
    }

    /// Returns the value of a variable, which is empty if no container defines it.
    fn variable(&self, name: &str, default: &str) -> Expression<'static> {
        let is_set = self.is_open || VARIABLES.contains(&name) || self.added.contains(&name);
        match (is_set, default) {
            (false, default) => default.to_owned().into(),
            (true, "") => env(name),
            (true, default) => Expression::Call("coalesce", vec![env(name), default.to_owned().into()]),
        }
    }
}

/// Returns the value of a variable reference in braces. The expression does not contain the text in the braces, except
/// for `operator`.
fn braced_variable(braced: &Expression<'static>, operator: &str, has_default: bool) -> Expression<'static> {
    let name_part = trim_prefix(braced.clone(), "{".into());
    if operator.is_empty() {
        return Expression::Call("sys.env", vec![name_part]);
    }
    let name = item(split(name_part.clone(), operator), 0);
    let value = Expression::Call("sys.env", vec![name.clone()]);
    if !has_default {
        return value;
    }
    let prefix = Expression::Sum(vec![name, operator.to_owned().into()]);
    Expression::Call("coalesce", vec![value, trim_prefix(name_part, prefix)])
}

fn split(text: Expression<'static>, separator: &str) -> Expression<'static> {
    Expression::Call("string.split", vec![text, separator.to_owned().into()])
}

fn trim_prefix(text: Expression<'static>, prefix: Expression<'static>) -> Expression<'static> {
    Expression::Call("string.trim_prefix", vec![text, prefix])
}

fn item(list: Expression<'static>, number: usize) -> Expression<'static> {
    Expression::Index(Box::new(list), vec![Expression::Number(number as f64)])
}

/// Whether any part of `text` is replaced.
pub fn has_variables(text: &str) -> bool {
    text.contains('$') && parts(text).into_iter().any(|(raw, part)| part != StringPart::Plain(raw))
}

/// Splits `text` into parts, each with its original spelling.
fn parts(text: &str) -> Vec<(&str, StringPart<'_>)> {
    let (mut parts, mut plain_start) = (Vec::new(), 0);
    for (start, _) in text.match_indices('$') {
        let reference_part = text.get(start..).filter(|_| start >= plain_start).and_then(reference);
        let Some((part, length)) = reference_part else { continue };
        let text_before = text.get(plain_start..start).filter(|before| !before.is_empty());
        parts.extend(text_before.map(|before| (before, StringPart::Plain(before))));
        plain_start = start + length;
        parts.extend(text.get(start..plain_start).map(|raw| (raw, part)));
    }
    let text_after = text.get(plain_start..).filter(|rest| !rest.is_empty());
    parts.extend(text_after.map(|rest| (rest, StringPart::Plain(rest))));
    parts
}

/// Returns the reference at the start of `text` and its length, if any.
fn reference(text: &str) -> Option<(StringPart<'_>, usize)> {
    if text.starts_with("$$") {
        return Some((StringPart::Plain("$"), 2));
    }
    if let Some(rest) = text.strip_prefix("$(") {
        let (name, _) = rest.split_once(')')?;
        let length = name.len() + 3;
        return match name {
            ORDINAL => Some((StringPart::Ordinal, length)),
            "SHARD" | "SHARDS" => Some((StringPart::Variable(name, ""), length)),
            _ => None,
        };
    }
    let (name, default, rest) = envsubst::reference(text.strip_prefix('$')?)?;
    (!default.contains(['$', '\\'])).then_some((StringPart::Variable(name, default), text.len() - rest.len()))
}

/// Converts objects with keys that need escapes to JSON strings, because `alloy fmt` escapes such keys again on each
/// run.
pub fn escape_keys(body: &mut Body<'_>) {
    body.for_each_part(&mut |part| {
        if let Expression::Object(entries) = part
            && entries.iter().any(|(key, _)| is_escaped(key))
            && let Some(json) = to_json(part)
        {
            *part = Expression::Call("encoding.from_json", vec![json.to_string().into()]);
        }
    });
}

/// Whether `key` contains characters that must be escaped in quotes.
fn is_escaped(key: &str) -> bool {
    key.contains(|c: char| c == '"' || c == '\\' || !is_print(c))
}

/// Converts a value to JSON, or returns `None` if it contains references.
fn to_json(value: &Expression<'_>) -> Option<serde_json::Value> {
    Some(match value {
        Expression::Null => serde_json::Value::Null,
        Expression::Bool(value) => (*value).into(),
        Expression::Number(number) => (*number).into(),
        Expression::String(text) => text.as_ref().into(),
        Expression::List(items) => items.iter().map(to_json).collect::<Option<Vec<_>>>()?.into(),
        Expression::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| Some((key.to_string(), to_json(value)?)));
            serde_json::Value::Object(entries.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Escapes `text` for use as the replacement in a relabeling rule, where `$` is special. `$(` remains unescaped for the
/// config-reloader.
pub fn replacement(text: &str) -> String {
    let literal = |text: &str| text.replace('$', "$$$$").replace("$$$$(", "$(");
    let parts = parts(text).into_iter();
    let parts = parts.map(|(raw, part)| match part {
        StringPart::Plain(text) => literal(text),
        _ => raw.to_owned(),
    });
    parts.collect()
}

/// Returns the expression for an environment variable.
pub fn env(name: &str) -> Expression<'static> {
    Expression::Call("sys.env", vec![name.to_owned().into()])
}

/// Returns the expression for the index at the end of an agent pod's name, regardless of the shard.
fn ordinal(agent: &str) -> Expression<'static> {
    let hostname = Expression::Name("constants.hostname");
    let without_agent = trim_prefix(hostname, format!("{agent}-").into());
    let shard = Expression::Sum(vec!["shard-".into(), env("SHARD"), "-".into()]);
    trim_prefix(without_agent, shard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn environment(added: &'static [&'static str]) -> AlloyEnvironment<'static> {
        AlloyEnvironment { version: AlloyVersion::NEWEST, agent: "a", added: added.to_vec(), is_open: false }
    }

    fn replace_variables(environment: &AlloyEnvironment<'_>, value: Expression<'static>) -> Expression<'static> {
        let mut body = Body::new().with("x", Expression::List(vec![value]));
        environment.replace(&mut body);
        match body.attribute("x") {
            Some(Expression::List(items)) => items[0].clone(),
            other => panic!("{other:?}"),
        }
    }

    fn expression_text(value: &Expression<'_>) -> String {
        let mut text = String::new();
        let body = Body::new().with("x", value.clone());
        super::super::layout::component(&mut text, &super::super::syntax::Block::new("c", "", body));
        let text = text.trim_start_matches("c {\n\tx = ");
        text.trim_end_matches("\n}\n").to_owned()
    }

    #[test]
    fn detects_strings_that_become_empty() {
        let environment = environment(&["MINE"]);
        for (text, expected) in [
            ("", false),
            ("/metrics", false),
            ("${X}", true),
            ("${X}${Y}", true),
            ("${X:-/a}", false),
            ("/${X}", false),
            ("${MINE}", false),
        ] {
            assert_eq!(environment.is_empty_after_expansion(text), expected, "{text}");
        }
    }

    #[test]
    fn converts_strings_to_expressions() {
        for (text, expected) in [
            ("a", "\"a\""),
            ("a$b", "\"a$b\""),
            ("${1}", "\"${1}\""),
            ("$1", "\"$1\""),
            ("a$$b", "\"a$b\""),
            ("$$", "\"$\""),
            ("$$$", "\"$$\""),
            ("$${X}", "\"${X}\""),
            ("${X}", "\"\""),
            ("a${X}b", "\"ab\""),
            ("a${X:-y}b", "\"ayb\""),
            ("${MINE}", "sys.env(\"MINE\")"),
            ("${MINE:-y}", "coalesce(sys.env(\"MINE\"), \"y\")"),
            ("${MINE/a/b}", "\"${MINE/a/b}\""),
            ("a-$(SHARD)", "\"a-\" + sys.env(\"SHARD\")"),
            ("a-$(SHARDS)", "\"a-\" + sys.env(\"SHARDS\")"),
            ("$(POD_NAME)", "\"$(POD_NAME)\""),
            ("${", "\"${\""),
        ] {
            let value = replace_variables(&environment(&["MINE"]), text.into());
            assert_eq!(expression_text(&value), expected, "{text}");
        }
    }

    #[test]
    fn reads_variables_that_the_container_may_set() {
        let with_env = "{name: grafana-agent, env: [{name: MINE}]}";
        let with_source = "{name: grafana-agent, envFrom: [{secretRef: {name: s}}]}";
        for (containers, is_unknown, mine_expression, other_expression) in [
            ("[]", "\"\"", "\"\"", "sys.env(\"SHARDS\")"),
            (with_env, "\"\"", "sys.env(\"MINE\")", "sys.env(\"SHARDS\")"),
            ("{name: other, env: [{name: MINE}]}", "\"\"", "\"\"", "sys.env(\"SHARDS\")"),
            (with_source, "sys.env(\"X\")", "sys.env(\"MINE\")", "sys.env(\"SHARDS\")"),
            ("{name: grafana-agent, envFrom: []}", "\"\"", "\"\"", "sys.env(\"SHARDS\")"),
            (&format!("{with_env}, {{name: grafana-agent}}"), "\"\"", "\"\"", "sys.env(\"SHARDS\")"),
        ] {
            let text = format!("{{containers: [{}]}}", containers.trim_matches(['[', ']']));
            let documents = testing::documents(&text);
            let spec: GrafanaAgent<'_> = crate::yaml::decode(documents[0].root()).unwrap();
            let environment = AlloyEnvironment::new("a", &spec, AlloyVersion::NEWEST);
            for (text, expected) in
                [("${X}", is_unknown), ("${MINE}", mine_expression), ("${SHARDS}", other_expression)]
            {
                let value = replace_variables(&environment, text.into());
                assert_eq!(expression_text(&value), expected, "{containers} {text}");
            }
        }
    }

    #[test]
    fn unsets_fields_that_become_empty() {
        for (text, expected) in [
            ("", "\"\""),
            ("${X}", "null"),
            ("${X}a", "\"a\""),
            (
                "$(STATEFULSET_ORDINAL_NUMBER)",
                "string.trim_prefix(string.trim_prefix(constants.hostname, \"a-\"), \"shard-\" + sys.env(\"SHARD\") + \"-\")",
            ),
            ("\n", "\"\""),
            ("\n\n", "\"\\n\""),
            ("\na", "\"\\na\""),
            ("a\n", "\"a\\n\""),
        ] {
            let mut body = Body::new().with("x", text);
            environment(&[]).replace(&mut body);
            assert_eq!(expression_text(body.attribute("x").unwrap()), expected, "{text:?}");
        }
    }

    #[test]
    fn writes_objects_with_escaped_keys_as_json() {
        let object = |key: &'static str, value: Expression<'static>| Expression::Object(vec![(key.into(), value)]);
        let list = Expression::List(vec!["b".into(), 1.5.into(), Expression::Null, true.into()]);
        for (value, json) in [
            (object("a-b", "c".into()), None),
            (object("a b", "c".into()), None),
            (object("\"", list.clone()), Some(r#"{"\"":["b",1.5,null,true]}"#)),
            (object("\\", object("a", "".into())), Some(r#"{"\\":{"a":""}}"#)),
            (object("a\nb", false.into()), Some(r#"{"a\nb":false}"#)),
            (object("é", false.into()), None),
            (object("\"", Expression::Name("constants.hostname")), None),
            (object("\"", Expression::List(vec![env("X")])), None),
            (object("\"", object("a", env("X"))), None),
        ] {
            let expected = match json {
                Some(json) => Expression::Call("encoding.from_json", vec![json.into()]),
                None => value.clone(),
            };
            let mut body = Body::new().with("x", value.clone()).with_block("y", Body::new().with("z", value));
            escape_keys(&mut body);
            let inner = Body::new().with("z", expected.clone());
            assert_eq!(body, Body::new().with("x", expected).with_block("y", inner));
        }
    }

    #[test]
    fn escapes_dollar_signs_in_replacements() {
        // Variables are replaced twice, so that two dollar signs become one.
        for (text, expected) in [
            ("", ""),
            ("a", "a"),
            ("a$b", "a$$$$b"),
            ("$1", "$$$$1"),
            ("$$", "$$$$"),
            ("${X}$1", "${X}$$$$1"),
            ("${X:-y}", "${X:-y}"),
            ("$(SHARD)$", "$(SHARD)$$$$"),
            ("$(POD_NAME)", "$(POD_NAME)"),
        ] {
            assert_eq!(replacement(text), expected, "{text}");
            let has_replacement = ["$$", "${X}$1", "${X:-y}", "$(SHARD)$"].contains(&text);
            assert_eq!(has_variables(text), has_replacement, "{text}");
        }
    }

    #[test]
    fn replaces_variables_in_secret_values_at_runtime() {
        const CONTENT: &str = "local.file.f.content";
        let piece = |number: usize| format!("string.split(convert.nonsensitive({CONTENT}), \"$\")[{number}]");
        let text_before = |number, end| format!("string.split({}, \"{end}\")[0]", piece(number));
        let braced_text = |number| format!("string.trim_prefix({}, \"{{\")", text_before(number, "}"));
        let text_after =
            |number, end| format!("string.trim_prefix({}, {} + \"{end}\")", piece(number), text_before(number, end));
        let name = |number| format!("string.split({}, \":-\")[0]", braced_text(number));
        for (text, expected) in [
            ("hidden", CONTENT.to_owned()),
            ("${1}hidden$", CONTENT.to_owned()),
            ("${HIDDEN}", format!("sys.env({})", braced_text(1))),
            (
                "hidden${HIDDEN}hidden$hidden",
                format!("{} + sys.env({}) + {} + \"$\" + {}", piece(0), braced_text(1), text_after(1, "}"), piece(2)),
            ),
            (
                "${HIDDEN:-hidden}",
                format!("coalesce(sys.env({}), string.trim_prefix({}, {} + \":-\"))", name(1), braced_text(1), name(1)),
            ),
            ("${HIDDEN:-}", format!("sys.env({})", name(1))),
            ("hidden$$hidden", format!("{} + \"$\" + {}", piece(0), piece(2))),
            ("$(SHARD)hidden", format!("sys.env(\"SHARD\") + {}", text_after(1, ")"))),
        ] {
            let file = Expression::Export("local.file", "f".into(), "content");
            let value = environment(&["HIDDEN"]).secret_expression(text, file);
            let value = replace_variables(&environment(&["HIDDEN"]), value);
            assert_eq!(expression_text(&value), expected, "{text}");
            assert!(!expression_text(&value).to_lowercase().contains("hidden"), "{text}");
        }
    }
}
