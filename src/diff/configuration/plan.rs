//! Changes inside a configuration, listed by name: scrape jobs, clients, components and settings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::json;

use super::agent::{LIST_KEYS, outline};
use super::chunk::{Chunk, ChunkContent, ChunkKind, mask_guessed_secrets};
use super::pairs::Pair;
use crate::diff::action::ApplyAction;
use crate::secrecy::MASK;
use crate::yaml::{Mapping, Node, Value, to_value_of_doubles};

/// A change inside a configuration. It contains no secret values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ConfigurationChange {
    /// Name of the instance, or an empty string for the agent's own settings and for components.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instance: String,
    pub part: ChangedPart,
    /// Name of the job or component, URL of the client, or path of the setting.
    pub name: String,
    pub action: ApplyAction,
    /// Fields that differ. Some fields also include the numbers of added and removed items, or both values.
    pub details: Vec<String>,
}

/// Kind of configuration part that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangedPart {
    /// Metrics or logs instance.
    Instance,
    /// Scrape job of an instance.
    Job,
    /// A remote write or Loki client.
    Client,
    /// Alloy component.
    Component,
    /// Any other configuration field.
    Setting,
}

impl ChangedPart {
    /// Returns the noun for the part, or an empty string for a setting, whose path is sufficient.
    pub fn noun(self) -> &'static str {
        match self {
            ChangedPart::Instance => "instance ",
            ChangedPart::Job => "job ",
            ChangedPart::Client => "client ",
            ChangedPart::Component => "component ",
            ChangedPart::Setting => "",
        }
    }
}

/// Name shown for jobs whose real names come from a Secret.
const SECRET_JOB: &str = "of additional scrape configs";

/// Returns the changes between two `agent.yml` files.
pub(super) fn agent_changes(
    pairs: &[Pair<'_>],
    old: Option<Node<'_>>,
    new: Option<Node<'_>>,
) -> Vec<ConfigurationChange> {
    let mut changes = chunk_changes(pairs, ChangedPart::Job);
    let outline = |root: Option<Node<'_>>| {
        root.map_or_else(|| Mapping::new().into(), |root| into_owned(outline(root, &LIST_KEYS)))
    };
    let [old, new] = [old, new].map(outline);
    let [old_shown, new_shown] = [&old, &new].map(|value| mask_guessed_secrets(value.clone()));
    let sides = [Side { real: &old, shown: Some(&old_shown) }, Side { real: &new, shown: Some(&new_shown) }];
    let mut settings = Settings { instance: "", changes: Vec::new() };
    settings.compare(sides, "");
    changes.extend(settings.changes);
    changes.sort();
    changes
}

/// Returns the components that differ.
pub(super) fn component_changes(pairs: &[Pair<'_>]) -> Vec<ConfigurationChange> {
    let mut changes = chunk_changes(pairs, ChangedPart::Component);
    changes.sort();
    changes
}

fn into_owned(value: Value<'_>) -> Value<'static> {
    value.into_owned()
}

/// Returns the jobs or components that were added, changed or removed. A job or component that has only moved is not
/// included.
fn chunk_changes(pairs: &[Pair<'_>], part: ChangedPart) -> Vec<ConfigurationChange> {
    let mut sides: [BTreeMap<(&str, &str), &Chunk<'_>>; 2] = Default::default();
    for pair in pairs.iter().filter(|pair| pair.is_changed_job()) {
        for (side, chunk) in sides.iter_mut().zip(&pair.sides) {
            let chunk = chunk.as_ref().filter(|chunk| chunk.kind == ChunkKind::Job);
            side.extend(chunk.map(|chunk| ((&*chunk.name.0, &*chunk.name.1), chunk)));
        }
    }
    let [old, new] = sides;
    let names: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    let change = |name: (&str, &str)| {
        let (action, details) = match (old.get(&name), new.get(&name)) {
            (Some(old), Some(new)) if old.is_same(new) => return None,
            (Some(old), Some(new)) => (ApplyAction::Changed, job_details(old, new)),
            (Some(_), None) => (ApplyAction::Removed, Vec::new()),
            (None, _) => (ApplyAction::Added, Vec::new()),
        };
        let is_secret = [old.get(&name), new.get(&name)].into_iter().flatten().any(|chunk| chunk.is_secret);
        let shown_name = if is_secret { SECRET_JOB } else { name.1.trim_end_matches(" {") };
        let details = if is_secret { Vec::new() } else { details };
        Some(ConfigurationChange { instance: name.0.to_owned(), part, name: shown_name.to_owned(), action, details })
    };
    names.into_iter().filter_map(change).collect()
}

/// Returns the fields of a scrape job that differ.
fn job_details(old: &Chunk<'_>, new: &Chunk<'_>) -> Vec<String> {
    let (ChunkContent::Job(old, ..), ChunkContent::Job(new, ..)) = (&old.content, &new.content) else {
        return Vec::new();
    };
    let [old, new] = [*old, *new].map(to_value_of_doubles);
    let [old_shown, new_shown] = [&old, &new].map(|job| mask_guessed_secrets(job.clone()));
    field_details([Side { real: &old, shown: Some(&old_shown) }, Side { real: &new, shown: Some(&new_shown) }])
}

/// A value on one side and a copy without secrets, which is `None` if the value is part of a secret.
#[derive(Clone, Copy)]
struct Side<'v> {
    real: &'v Value<'v>,
    shown: Option<&'v Value<'v>>,
}

impl<'v> Side<'v> {
    fn get(self, key: &str) -> Option<Self> {
        let field = |value: &'v Value<'v>| match value {
            Value::Mapping(fields) => fields.get(key),
            _ => None,
        };
        Some(Self { real: field(self.real)?, shown: self.shown.and_then(field) })
    }

    /// Returns the fields, or an empty map if the value is not a mapping. Heuristic masking keeps the order of fields,
    /// so real and masked fields are paired in order.
    fn fields(self) -> BTreeMap<&'v str, Self> {
        let Value::Mapping(fields) = self.real else { return BTreeMap::new() };
        let mut shown = match self.shown {
            Some(Value::Mapping(shown)) => Some(shown.iter()),
            _ => None,
        };
        let field = |(key, real)| {
            let shown = shown.as_mut().and_then(Iterator::next).filter(|(shown, _)| *shown == key);
            (key, Self { real, shown: shown.map(|(_, value)| value) })
        };
        fields.iter().map(field).collect()
    }

    fn is_mapping(self) -> bool {
        matches!(self.real, Value::Mapping(_))
    }

    fn items(self) -> Option<Vec<Self>> {
        let Value::Sequence(items) = self.real else { return None };
        let shown = |index| match self.shown {
            Some(Value::Sequence(shown)) => shown.get(index),
            _ => None,
        };
        Some(items.iter().enumerate().map(|(index, real)| Self { real, shown: shown(index) }).collect())
    }

    /// Returns a short scalar without secrets, or `None` for other values.
    fn scalar(self) -> Option<String> {
        const MAX_LENGTH: usize = 60;
        let text = match self.shown? {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => value.to_string(),
            Value::String(text) => text.clone().into_owned(),
            _ => return None,
        };
        (text.len() <= MAX_LENGTH && !text.contains('\n') && !text.contains(MASK)).then_some(text)
    }

    /// Returns the value of `key` as a scalar without secrets.
    fn name(self, key: &str) -> Option<String> {
        self.get(key)?.scalar()
    }
}

/// A field on one or both sides.
type FieldPair<'v> = [Option<Side<'v>>; 2];

/// Returns the fields that differ between two mappings, by key.
fn differing_fields<'v>([old, new]: [Side<'v>; 2]) -> BTreeMap<&'v str, FieldPair<'v>> {
    let mut pairs_by_key: BTreeMap<_, FieldPair<'v>> = BTreeMap::new();
    pairs_by_key.extend(old.fields().into_iter().map(|(key, old)| (key, [Some(old), None])));
    for (key, new) in new.fields() {
        pairs_by_key.entry(key).or_default()[1] = Some(new);
    }
    pairs_by_key.retain(|_, pair| !matches!(pair, [Some(old), Some(new)] if old.real == new.real));
    pairs_by_key
}

/// Describes the fields that differ between two mappings.
fn field_details(sides: [Side<'_>; 2]) -> Vec<String> {
    let detail = |(key, pair): (&str, FieldPair<'_>)| match pair {
        [Some(old), Some(new)] => format!("{key}{}", difference([old, new])),
        [Some(_), None] => format!("-{key}"),
        [None, _] => format!("+{key}"),
    };
    differing_fields(sides).into_iter().map(detail).collect()
}

/// Describes the difference between two values: the numbers of added and removed items, or both scalars.
fn difference([old, new]: [Side<'_>; 2]) -> String {
    if let (Some(old), Some(new)) = (old.items(), new.items()) {
        let mut counts: HashMap<String, isize> = HashMap::new();
        for (items, sign) in [(old, -1), (new, 1)] {
            for item in items {
                *counts.entry(json!(item.real).to_string()).or_default() += sign;
            }
        }
        let added_count: isize = counts.values().filter(|count| **count > 0).sum();
        let removed_count: isize = counts.values().filter(|count| **count < 0).sum();
        return match (added_count, removed_count) {
            (0, 0) => " order".to_owned(),
            _ => format!(" +{added_count} -{}", -removed_count),
        };
    }
    match (old.scalar(), new.scalar()) {
        (Some(old), Some(new)) => format!(" {old} -> {new}"),
        _ => String::new(),
    }
}

/// Lists with one entry per remote write or client.
const CLIENTS: [&str; 2] = ["remote_write", "clients"];

/// Collects the differences outside scrape jobs.
struct Settings<'i> {
    instance: &'i str,
    changes: Vec<ConfigurationChange>,
}

impl Settings<'_> {
    fn add(&mut self, part: ChangedPart, name: String, action: ApplyAction, details: Vec<String>) {
        self.changes.push(ConfigurationChange { instance: self.instance.to_owned(), part, name, action, details });
    }

    /// Compares two mappings at a path.
    fn compare(&mut self, sides: [Side<'_>; 2], path: &str) {
        for (key, sides) in differing_fields(sides) {
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            match sides {
                _ if LIST_KEYS[0].split(' ').any(|kind| path == format!("{kind}.{}", LIST_KEYS[1])) => {
                    self.compare_instances(sides)
                }
                _ if CLIENTS.contains(&key) => self.compare_clients(sides),
                [Some(old), Some(new)] if [old, new].iter().all(|side| side.is_mapping()) => {
                    self.compare([old, new], &path);
                }
                [Some(old), Some(new)] => {
                    let difference = difference([old, new]).trim_start().to_owned();
                    let details = if difference.is_empty() { Vec::new() } else { vec![difference] };
                    self.add(ChangedPart::Setting, path, ApplyAction::Changed, details);
                }
                [Some(_), None] => self.add(ChangedPart::Setting, path, ApplyAction::Removed, Vec::new()),
                [None, _] => self.add(ChangedPart::Setting, path, ApplyAction::Added, Vec::new()),
            }
        }
    }

    /// Compares two lists of instances by name.
    fn compare_instances(&mut self, sides: FieldPair<'_>) {
        for (name, sides) in pair_by_name(sides, "name") {
            match sides {
                [Some(old), Some(new)] => {
                    let mut instance_settings = Settings { instance: &name, changes: Vec::new() };
                    instance_settings.compare([old, new], "");
                    self.changes.extend(instance_settings.changes);
                }
                [Some(_), None] => self.add(ChangedPart::Instance, name, ApplyAction::Removed, Vec::new()),
                [None, _] => self.add(ChangedPart::Instance, name, ApplyAction::Added, Vec::new()),
            }
        }
    }

    /// Compares two lists of clients by URL.
    fn compare_clients(&mut self, sides: FieldPair<'_>) {
        for (url, sides) in pair_by_name(sides, "url") {
            match sides {
                [Some(old), Some(new)] if old.real == new.real => {}
                [Some(old), Some(new)] => {
                    self.add(ChangedPart::Client, url, ApplyAction::Changed, field_details([old, new]));
                }
                [Some(_), None] => self.add(ChangedPart::Client, url, ApplyAction::Removed, Vec::new()),
                [None, _] => self.add(ChangedPart::Client, url, ApplyAction::Added, Vec::new()),
            }
        }
    }
}

/// Pairs the items of two lists by their names.
fn pair_by_name<'v>(sides: FieldPair<'v>, key: &str) -> BTreeMap<String, FieldPair<'v>> {
    let mut pairs_by_name: BTreeMap<String, FieldPair<'v>> = BTreeMap::new();
    let [old, new] = sides.map(|side| items_by_name(side, key));
    for (name, item) in old {
        pairs_by_name.insert(name, [Some(item), None]);
    }
    for (name, item) in new {
        let [_, new_item] = pairs_by_name.entry(name).or_default();
        *new_item = Some(item);
    }
    pairs_by_name
}

/// Maps the items of a list to names: the value of `key`, or the index if that value is missing, secret or repeated.
fn items_by_name<'v>(list: Option<Side<'v>>, key: &str) -> BTreeMap<String, Side<'v>> {
    let mut items_by_name = BTreeMap::new();
    for (index, item) in list.and_then(Side::items).into_iter().flatten().enumerate() {
        let name = item.name(key).filter(|name| !items_by_name.contains_key(name));
        items_by_name.insert(name.unwrap_or_else(|| format!("#{}", index + 1)), item);
    }
    items_by_name
}
