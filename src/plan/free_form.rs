//! YAML that is taken over as it is: additional scrape configurations, and the configurations of integrations.

use std::collections::BTreeMap;

use super::diagnostics;
use super::embedded::EmbeddedYaml;
use crate::api::{Head, Integration, KeySelector, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::{AssetKey, SecretStore};
use crate::secrecy::{Form, each_secret};
use crate::source::{Source, Sources};
use crate::yaml::{Mapping, Node, NodeValue, Step, Value};

/// Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
pub struct AdditionalJobs<'d> {
    /// The key of the Secret.
    pub secret: AssetKey<'d>,
    /// The jobs; `None` where the text has no list, or an empty one. Nulls are left out, even if nothing else is in it.
    pub jobs: Option<Vec<Value<'static>>>,
}

impl<'d> AdditionalJobs<'d> {
    /// The jobs in the text that a field of an instance refers to. Mistakes in the text are reported at that field,
    /// without any of its content.
    pub(super) fn read(
        instance: &Head<'d>,
        selector: Option<KeySelector<'d>>,
        store: &SecretStore<'d, 'd>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let secret = AssetKey::secret(instance.meta.namespace, &selector?);
        let text = store.text(&secret)?;
        let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
        let warnings = yaml.warnings.iter();
        diagnostics.extend(warnings.map(|warning| diagnostics::dubious_jobs(instance, secret, warning)));
        if let Some(error) = &yaml.error {
            diagnostics.push(diagnostics::invalid_jobs(instance, secret, error));
            return None;
        }
        let root = yaml.document.as_ref()?.root();
        if !matches!(root.value(), NodeValue::Null | NodeValue::Sequence) {
            diagnostics.push(diagnostics::no_list_of_jobs(instance, secret));
        }
        let jobs = root.items().filter(|job| !job.is_null());
        let jobs = jobs.map(|job| trimmed(job).into_owned()).collect();
        Some(Self {
            secret,
            jobs: (root.items().len() > 0).then_some(jobs),
        })
    }

    /// Replaces each secret in the jobs by what `stand_in` makes of its place in the text. So it does with texts that have
    /// `mark` in them, which is what replaced secrets have.
    pub fn conceal(&mut self, store: &SecretStore<'_, '_>, mark: char, stand_in: impl Fn(&[Step<'_>]) -> String) {
        let Some(text) = store.text(&self.secret) else { return };
        let id = Sources::default().add(Source::new("", "", false));
        let yaml = EmbeddedYaml::read(id, &text);
        let Some(document) = &yaml.document else { return };
        let nodes = filled(document.root());
        for (job, (index, node)) in self.jobs.iter_mut().flatten().zip(nodes) {
            each_secret(job, Form::PageFragment, &mut |_, value| {
                *value = Value::from(mark.to_string())
            });
            replace_marked(job, node, &mut vec![Step::Index(index)], mark, &stand_in);
        }
    }
}

/// The items of a list that are kept, with their places.
fn filled<'d>(list: Node<'d>) -> impl Iterator<Item = (usize, Node<'d>)> {
    list.items().enumerate().filter(|(_, item)| !item.is_null())
}

fn replace_marked<'n>(
    value: &mut Value<'static>,
    node: Node<'n>,
    path: &mut Vec<Step<'n>>,
    mark: char,
    stand_in: &impl Fn(&[Step<'_>]) -> String,
) {
    let mut below = |value: &mut Value<'static>, (step, node)| {
        path.push(step);
        replace_marked(value, node, path, mark, stand_in);
        path.pop();
    };
    match value {
        Value::String(text) if text.contains(mark) => *value = Value::from(stand_in(path)),
        Value::Sequence(items) => {
            for (item, (index, node)) in items.iter_mut().zip(filled(node)) {
                below(item, (Step::Index(index), node));
            }
        }
        Value::Mapping(fields) => {
            for (key, inner) in fields.iter_mut() {
                if let Some(entry) = node.entries().filter(|entry| entry.key == key).last() {
                    below(inner, (Step::Key(entry.key), entry.value));
                }
            }
        }
        _ => {}
    }
}

/// The configuration of an integration as it is in the resource; empty where there is none.
pub(super) fn config<'d>(integration: &Resource<'d, Integration<'d>>) -> Value<'d> {
    let config = integration.root.at("spec.config");
    config
        .filter(|config| !config.is_null())
        .map_or_else(|| Mapping::new().into(), trimmed)
}

/// The value of a node as the templates write it, with every number a double (`optionals.trim`). Keys and list items that
/// are null are dropped, however deep; what is left empty stays. Of a duplicate key the last counts.
fn trimmed<'d>(node: Node<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => Value::Float(value as f64),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().filter(|item| !item.is_null()).map(trimmed).collect()),
        NodeValue::Mapping => {
            let last: BTreeMap<_, _> = node.entries().map(|entry| (entry.key, entry.value)).collect();
            let entries = last.into_iter().filter(|(_, value)| !value.is_null());
            Value::Mapping(entries.map(|(key, value)| (key.into(), trimmed(value))).collect())
        }
    }
}
