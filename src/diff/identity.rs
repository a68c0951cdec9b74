//! By what the items of a list are known on both sides.

use std::collections::BTreeSet;

use crate::secrecy::sensitive::{tells_a_secret, url_without_secrets};
use crate::yaml::Value;

/// Keys whose value names an item in the agent's configuration.
const NAMES: [&str; 4] = ["job_name", "name", "instance", "url"];

/// A name for each item: what it is called, or its place where it has no name of its own.
pub(super) fn of_items(items: &[Value<'_>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let named = |item: &Value<'_>| {
        let Value::Mapping(fields) = item else { return None };
        NAMES.iter().find_map(|key| match fields.get(key) {
            Some(Value::String(text)) => Some(format!("{key}={}", lasting(text)?)),
            _ => None,
        })
    };
    let name = |(place, item)| match named(item) {
        Some(name) if seen.insert(name.clone()) => name,
        _ => place_name(place),
    };
    items.iter().enumerate().map(name).collect()
}

/// What stays of a name when the secrets in it change; none where it cannot be told.
fn lasting(name: &str) -> Option<String> {
    if tells_a_secret(name) {
        return url_without_secrets(name, "");
    }
    Some(name.to_owned())
}

fn place_name(place: usize) -> String {
    format!("#{place}")
}
