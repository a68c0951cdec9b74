//! What the config-reloader and the agent replace in `agent.yml` by variables: here they are expressions.

use super::layout::is_print;
use super::syntax::{Body, Expression, Statement};
use crate::plan::Plan;

/// The number of the replica, which the config-reloader takes from the name of the pod.
const ORDINAL: &str = "STATEFULSET_ORDINAL_NUMBER";

/// Variables that a container of the operator has. The config-reloader replaces `$(NAME)` in a configuration of Alloy too;
/// those that differ between the pods of a workload are expressions all the same, to be read by people.
const VARIABLES: [&str; 4] = ["SHARD", "SHARDS", "POD_NAME", "HOSTNAME"];

/// Replaces variables in every text of a body.
pub(super) fn replace(body: &mut Body<'_>, plan: &Plan<'_>) {
    for statement in &mut body.0 {
        match statement {
            Statement::Attribute(_, value) => replace_in(value, plan),
            Statement::Block(block) => replace(&mut block.body, plan),
        }
    }
}

fn replace_in(value: &mut Expression<'_>, plan: &Plan<'_>) {
    match value {
        Expression::String(text) if text.contains('$') => {
            if let Some(replaced) = replaced(text, plan) {
                *value = replaced;
            }
        }
        Expression::List(items) | Expression::Call(_, items) | Expression::Sum(items) => {
            items.iter_mut().for_each(|item| replace_in(item, plan));
        }
        Expression::Object(entries) => {
            entries.iter_mut().for_each(|(_, value)| replace_in(value, plan));
            // `alloy fmt` escapes keys anew each time, and so changes them.
            if entries.iter().any(|(key, _)| is_escaped(key))
                && let Some(json) = to_json(value)
            {
                *value = Expression::Call("encoding.from_json", vec![json.to_string().into()]);
            }
        }
        _ => {}
    }
}

/// Whether a key has characters that are escaped in quotes.
fn is_escaped(key: &str) -> bool {
    key.contains(|c: char| c == '"' || c == '\\' || !is_print(c))
}

/// A value without references as JSON.
fn to_json(value: &Expression<'_>) -> Option<serde_json::Value> {
    Some(match value {
        Expression::Null => serde_json::Value::Null,
        Expression::Bool(value) => (*value).into(),
        Expression::Number(number) => (*number).into(),
        Expression::String(text) => text.as_ref().into(),
        Expression::List(items) => items.iter().map(to_json).collect::<Option<Vec<_>>>()?.into(),
        Expression::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Some((key.to_string(), to_json(value)?)));
            serde_json::Value::Object(entries.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A text with `$(NAME)` and `${NAME}`; `None` without any.
fn replaced(text: &str, plan: &Plan<'_>) -> Option<Expression<'static>> {
    let mut terms = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        let (before, after) = rest.split_at(start);
        plain += before;
        match variable(after) {
            Some((value, length)) => {
                if let Some(value) = value(plan) {
                    if !plain.is_empty() {
                        terms.push(std::mem::take(&mut plain).into());
                    }
                    terms.push(value);
                } else if terms.is_empty() {
                    terms.push(String::new().into());
                }
                rest = after.split_at(length).1;
            }
            None => {
                plain.push('$');
                rest = after.split_at(1).1;
            }
        }
    }
    plain += rest;
    if terms.is_empty() {
        return None;
    }
    terms.push(plain.into());
    terms.retain(|term| *term != Expression::String("".into()));
    Some(match terms.len() {
        0 => String::new().into(),
        1 => terms.swap_remove(0),
        _ => Expression::Sum(terms),
    })
}

type Value = Box<dyn Fn(&Plan<'_>) -> Option<Expression<'static>>>;

/// The variable that a text begins with, and how long it is there. One that no container has is empty.
fn variable(text: &str) -> Option<(Value, usize)> {
    if let Some(rest) = text.strip_prefix("$(") {
        let (name, _) = rest.split_once(')')?;
        let length = name.len() + 3;
        if name == ORDINAL {
            return Some((Box::new(|plan| Some(ordinal(plan.agent.meta.name))), length));
        }
        return (name == "SHARD").then(|| (Box::new(|_: &Plan<'_>| Some(env("SHARD"))) as Value, length));
    }
    let (name, _) = text.strip_prefix("${")?.split_once('}')?;
    let is_name = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    if !is_name || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let known = VARIABLES.into_iter().find(|variable| *variable == name);
    Some((Box::new(move |_| known.map(env)), name.len() + 3))
}

/// A variable of the environment.
pub(super) fn env(name: &'static str) -> Expression<'static> {
    Expression::Call("sys.env", vec![name.into()])
}

/// The number at the end of the name of a pod of an agent, whichever its shard.
fn ordinal(agent: &str) -> Expression<'static> {
    let trim = |text, prefix| Expression::Call("string.trim_prefix", vec![text, prefix]);
    let hostname = Expression::Name("constants.hostname");
    let without_agent = trim(hostname, format!("{agent}-").into());
    let shard = Expression::Sum(vec!["shard-".into(), env("SHARD"), "-".into()]);
    trim(without_agent, shard)
}
