//! Pods as the controls look at them, and the fields because of which they are refused.

use serde_json::Value;

use crate::check::manifest::rules::Step;

/// What to do about a field that is set.
pub(super) const REMOVE: &str = "remove it, or run the agent in a namespace that allows it";

/// The template of pods.
pub(super) struct Pod<'v> {
    pub(super) template: &'v Value,
}

/// A field because of which pods are refused.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Violation<'v> {
    /// The field, from the template.
    pub(super) path: Vec<Step<'v>>,
    /// What is expected of it, with the field as the subject.
    pub(super) problem: String,
    /// What to do about it.
    pub(super) help: &'static str,
}

impl<'v> Violation<'v> {
    /// A violation at a path from the template.
    pub(super) fn at(path: &[Step<'v>], problem: String, help: &'static str) -> Self {
        Self {
            path: path.to_vec(),
            problem,
            help,
        }
    }
}

impl<'v> Pod<'v> {
    /// Its `spec`.
    pub(super) fn spec(&self) -> &'v Value {
        self.template.get("spec").unwrap_or(&Value::Null)
    }

    /// Visits what is at each of these paths: `containers[]` are those that run first, too.
    pub(super) fn each(&self, paths: &'static [&'static str], visit: &mut dyn FnMut(&[Step<'v>], &'v Value)) {
        for path in paths {
            match path.strip_prefix("containers[].") {
                Some(rest) => {
                    for (at, container) in self.containers() {
                        walk(container, rest, &mut at.clone(), visit);
                    }
                }
                None => walk(self.spec(), path, &mut vec![Step::Key("spec")], visit),
            }
        }
    }

    /// All containers, those that run first in front.
    pub(super) fn containers(&self) -> Vec<(Vec<Step<'v>>, &'v Value)> {
        let of = |field: &'static str| {
            let list = self.spec().get(field).and_then(Value::as_array);
            let containers = list.into_iter().flatten().enumerate();
            containers.map(move |(i, container)| (vec![Step::Key("spec"), Step::Key(field), Step::Index(i)], container))
        };
        of("initContainers").chain(of("containers")).collect()
    }

    /// The annotations, by key.
    pub(super) fn annotations(&self) -> impl Iterator<Item = (&'v str, &'v str)> + use<'v> {
        let annotations = self
            .template
            .pointer("/metadata/annotations")
            .and_then(Value::as_object);
        let entries = annotations.into_iter().flatten();
        entries.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
    }
}

/// Visits what is at a path, every item of a list in it.
fn walk<'v>(
    value: &'v Value,
    path: &'static str,
    at: &mut Vec<Step<'v>>,
    visit: &mut dyn FnMut(&[Step<'v>], &'v Value),
) {
    let (step, rest) = path
        .split_once('.')
        .map_or((path, None), |(step, rest)| (step, Some(rest)));
    let (key, is_list) = step.strip_suffix("[]").map_or((step, false), |key| (key, true));
    let Some(next) = value.get(key).filter(|next| !next.is_null()) else {
        return;
    };
    at.push(Step::Key(key));
    let mut go = |value: &'v Value, at: &mut Vec<Step<'v>>| match rest {
        Some(rest) => walk(value, rest, at, visit),
        None => visit(at, value),
    };
    match (is_list, next) {
        (true, Value::Array(items)) => {
            for (i, item) in items.iter().enumerate() {
                at.push(Step::Index(i));
                go(item, at);
                at.pop();
            }
        }
        _ => go(next, at),
    }
    at.pop();
}
