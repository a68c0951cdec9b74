//! What each resource becomes in the configuration of each agent, without a secret value.

use std::collections::{BTreeMap, HashSet};

use super::lines::{LineId, Lines};
use super::model::{EntryId, Tree};
use crate::api::KeySelector;
use crate::api::{Kind, ObjectRef};
use crate::plan::{Part, Plan};
use crate::resolve::{AssetKey, AssetKind, Hierarchy, SecretStore};
use crate::secrecy::{Form, Judge, MASK};
use crate::target::agent::{Piece, pieces};
use crate::yaml::{self, Style, Value};

/// What a resource becomes for one agent, or for several that make the same of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The agents.
    pub agents: Vec<EntryId>,
    /// The names of its scrape jobs.
    pub jobs: Vec<String>,
    /// The lines of the text: YAML documents one after the other.
    pub text: Box<[LineId]>,
}

/// What the resources of a tree become, by resource and then by agent; `hierarchies` are those of the agents that are
/// compiled. The configuration is made anew with a token in the place of each value of a Secret or ConfigMap. What it consists of
/// is added to `lines`.
pub fn generated<'d>(
    tree: &Tree<'d>,
    hierarchies: &[Hierarchy<'d, 'd>],
    lines: &mut Lines,
) -> BTreeMap<EntryId, Vec<Generated>> {
    let mut tokens = Tokens::of(tree);
    let ids: BTreeMap<ObjectRef<'_>, EntryId> = tree.iter().map(|(id, entry)| (entry.object, id)).collect();
    let mut found: BTreeMap<EntryId, Vec<Generated>> = BTreeMap::new();
    for hierarchy in hierarchies {
        let Some(&agent) = ids.get(&hierarchy.agent.object_ref()) else {
            continue;
        };
        let hierarchy = Hierarchy {
            secrets: tokens.store.clone(),
            ..hierarchy.clone()
        };
        let plan = Plan::new(&hierarchy, &Part::of(&hierarchy), &mut Vec::new());
        pieces(&plan, &mut |piece| {
            if let Some(id) = piece.object.and_then(|object| ids.get(&object)) {
                tokens.add(found.entry(*id).or_default(), agent, piece, lines);
            }
        });
    }
    found
}

/// What stands for the values.
struct Tokens<'d> {
    store: SecretStore<'d, 'd>,
    texts: HashSet<String>,
    free_form: Judge,
    fragment: Judge,
}

impl<'d> Tokens<'d> {
    fn of(tree: &Tree<'d>) -> Self {
        let mut store = SecretStore::default();
        let mut texts = HashSet::new();
        for edge in tree.iter().flat_map(|(_, entry)| &entry.edges) {
            let Some(object) = tree.get(edge.to).map(|entry| entry.object) else {
                continue;
            };
            for key in edge.references.iter().filter_map(|reference| reference.key) {
                let token = format!("*** ({} {}/{}, key {key})", object.kind, object.namespace, object.name);
                store.insert_placeholder(asset(object, key), token.clone());
                texts.insert(token);
            }
        }
        Self {
            store,
            texts,
            free_form: Judge::new(Form::PageFreeForm),
            fragment: Judge::new(Form::PageFragment),
        }
    }

    fn add(&mut self, found: &mut Vec<Generated>, agent: EntryId, piece: Piece<'_>, lines: &mut Lines) {
        let judge = match piece.object.map(|object| object.kind) {
            Some(Kind::Integration) => &mut self.free_form,
            _ => &mut self.fragment,
        };
        // What stands for a value of a Secret already stays.
        let mask = |value: &mut Value<'_>| {
            if !matches!(value, Value::String(text) if self.texts.contains(text.as_ref())) {
                *value = MASK.into();
            }
        };
        let texts = piece.values.into_iter().map(|mut value| {
            judge.each_secret(&mut value, &mut |_, value| mask(value));
            yaml::write(&value, Style::V3)
        });
        let text = lines.add(&texts.collect::<Vec<_>>().join("---\n"));
        match found.iter_mut().find(|other| other.text == text) {
            Some(same) if same.agents.contains(&agent) => {}
            Some(same) => same.agents.push(agent),
            None => found.push(Generated {
                agents: vec![agent],
                jobs: piece.jobs,
                text,
            }),
        }
    }
}

fn asset<'d>(object: ObjectRef<'d>, key: &'d str) -> AssetKey<'d> {
    let kind = match object.kind {
        Kind::ConfigMap => AssetKind::ConfigMap,
        _ => AssetKind::Secret,
    };
    let selector = KeySelector {
        name: object.name,
        key,
        optional: None,
    };
    AssetKey::new(kind, object.namespace, &selector)
}
