//! The agent's configuration without the secret values that the operator writes into it.

use std::collections::BTreeMap;

use super::identity;
use crate::api::Kind;
use crate::lower::config::Parts;
use crate::secrecy::sensitive::{Named, is_secret_key, tells_a_secret, url_without_secrets};
use crate::yaml::{Step, Value};

/// What stands for a value that is the same on both sides, or on one side only.
pub const SAME: &str = "***";
/// What stands for a value that changes, on the old side.
pub(super) const BEFORE: &str = "*** (before)";
/// What stands for a value that changes, on the new side.
pub(super) const AFTER: &str = "*** (after)";

/// Both sides with their secret values masked; a value is compared with the one at the same place on the other side, where
/// items of lists are known by their names.
pub(super) fn mask<'d>(before: Option<Value<'d>>, after: Option<Value<'d>>) -> (Option<Value<'d>>, Option<Value<'d>>) {
    let old = before.as_ref().map(secrets).unwrap_or_default();
    let new = after.as_ref().map(secrets).unwrap_or_default();
    let before = before.map(|value| masked(value, &new, BEFORE));
    let after = after.map(|value| masked(value, &old, AFTER));
    (before, after)
}

/// A configuration whose secret values `mask` replaces. What was made of a Secret is secret as a whole, where `parts` tell
/// the origins.
pub fn mask_with<'d>(value: Value<'d>, parts: &Parts<'_>, mask: &mut dyn FnMut(Value<'d>) -> Value<'d>) -> Value<'d> {
    walk(value, "", Around::new(Some(parts)), &mut |_, _, value| mask(value))
}

type Secrets = BTreeMap<String, Value<'static>>;

fn secrets(value: &Value<'_>) -> Secrets {
    let mut found = Secrets::new();
    walk(value.clone(), "", Around::new(None), &mut |path, _, value| {
        found.insert(path.to_owned(), value.clone().into_owned());
        value
    });
    found
}

fn masked<'d>(value: Value<'d>, other: &Secrets, changed: &'static str) -> Value<'d> {
    walk(value, "", Around::new(None), &mut |path, by_key, value| {
        let differs = other.get(path).is_some_and(|other| *other != value);
        let mask = if differs { changed } else { SAME };
        let url = match &value {
            Value::String(text) if !by_key => url_without_secrets(text, mask),
            _ => None,
        };
        url.map_or_else(|| Value::from(mask), Value::from)
    })
}

/// The keys on the way to the scrape jobs of a configuration; none stands for the items of a list.
const JOBS: [&[&str]; 5] = [&["metrics", "logs"], &["configs"], &[], &["scrape_configs"], &[]];

/// What is known of a value from what it stands in.
#[derive(Clone, Copy)]
struct Around<'p, 'd> {
    /// Whether it is secret because of what it stands in.
    is_secret: bool,
    /// How many steps of [`JOBS`] lead to it, where no other step does.
    steps: Option<usize>,
    /// What is known of the origins of its parts.
    parts: Option<&'p Parts<'d>>,
}

impl<'p, 'd> Around<'p, 'd> {
    fn new(parts: Option<&'p Parts<'d>>) -> Self {
        Self {
            is_secret: false,
            steps: Some(0),
            parts,
        }
    }

    fn step(self, step: Step<'_>) -> Self {
        let leads = |keys: &&[&str]| match step {
            Step::Key(key) => keys.contains(&key),
            Step::Index(_) => keys.is_empty(),
        };
        let steps = self.steps.filter(|&steps| JOBS.get(steps).is_some_and(leads));
        Self {
            steps: steps.map(|steps| steps + 1),
            parts: self.parts.and_then(|parts| parts.step(step)),
            ..self
        }
    }

    /// Whether a value was made of a Secret: it is known to be, or a scrape job that no monitor is the origin of.
    fn is_made_of_secret(self, value: &Value<'_>) -> bool {
        let origin = self.parts.and_then(|parts| parts.origin.as_ref());
        let is_of_secret = origin.is_some_and(|origin| origin.object.kind == Kind::Secret);
        is_of_secret || (self.steps == Some(JOBS.len()) && !is_of_monitor(value))
    }
}

/// Whether a scrape job has the name that the operator gives to the jobs of monitors.
fn is_of_monitor(job: &Value<'_>) -> bool {
    let Value::Mapping(fields) = job else { return false };
    let Some(Value::String(name)) = fields.get("job_name") else {
        return false;
    };
    match name.split('/').collect::<Vec<_>>().as_slice() {
        ["serviceMonitor" | "podMonitor", _, _, number] => number.parse::<usize>().is_ok(),
        ["probe" | "podLogs", _, _] => true,
        _ => false,
    }
}

/// Hands each secret value to `visit`, with the path to it, and whether it is secret because of what it stands under: then
/// all of it is. These are scalars, and what was made of a Secret as a whole.
fn walk<'d>(
    value: Value<'d>,
    path: &str,
    around: Around<'_, '_>,
    visit: &mut dyn FnMut(&str, bool, Value<'d>) -> Value<'d>,
) -> Value<'d> {
    if around.is_made_of_secret(&value) && value != Value::Null {
        return visit(path, true, value);
    }
    match value {
        Value::Mapping(fields) => {
            let named = Named::of(|key| match fields.get(key) {
                Some(Value::String(text)) => Some(text),
                _ => None,
            });
            let fields = fields.into_iter().map(|(key, value)| {
                let is_secret = around.is_secret || named.covers(&key) || is_secret(&key, &value);
                let inner = Around {
                    is_secret,
                    ..around.step(Step::Key(&key))
                };
                let value = walk(value, &format!("{path}/{key}"), inner, visit);
                (key, value)
            });
            Value::Mapping(fields.collect())
        }
        Value::Sequence(items) => {
            let names = identity::of_items(&items).into_iter().enumerate();
            let items = names.zip(items).map(|((index, name), item)| {
                let inner = around.step(Step::Index(index));
                walk(item, &format!("{path}/{name}"), inner, visit)
            });
            Value::Sequence(items.collect())
        }
        Value::Null => Value::Null,
        scalar if around.is_secret || tells(&scalar) => visit(path, around.is_secret, scalar),
        scalar => scalar,
    }
}

/// A key such as `authorization` with fields has its secret in one of them.
pub(crate) fn is_secret(key: &str, value: &Value<'_>) -> bool {
    let key_in_lower_case = key.to_ascii_lowercase();
    let has_fields = ["auth", "authorization"]
        .iter()
        .any(|end| key_in_lower_case.ends_with(end));
    is_secret_key(key) && !(has_fields && matches!(value, Value::Mapping(_)))
}

fn tells(value: &Value<'_>) -> bool {
    matches!(value, Value::String(text) if tells_a_secret(text))
}
