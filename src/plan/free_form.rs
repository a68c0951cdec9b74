//! YAML that is taken over as it is: additional scrape configurations, and the configurations of integrations.

use std::collections::{BTreeMap, HashMap};

use super::diagnostics;
use super::embedded::EmbeddedYaml;
use super::secrets::Secrets;
use super::settings;
use crate::api::{Integration, KeySelector, Resource, ResourceHeader};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::references::Usage;
use crate::resolve::{AssetKey, SecretStore, placeholder};
use crate::secrecy::{Form, each_secret};
use crate::source::{Source, Sources, Span};
use crate::yaml::{self, Mapping, Node, NodeValue, Secret, SecretSource, Style, Value};

/// Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
pub struct AdditionalJobs<'d> {
    pub secret: AssetKey<'d>,
    /// The jobs; `None` where the text has no list, or an empty one. Nulls are left out, even if nothing else is in it.
    pub jobs: Option<Vec<Value<'static>>>,
    /// A job in the place of all of them where values have placeholders.
    stand_in: Value<'static>,
}

impl<'d> AdditionalJobs<'d> {
    /// The jobs in the text that a field of an instance refers to. Mistakes in the text are reported at that field,
    /// without any of its content.
    pub(super) fn read(
        instance: &ResourceHeader<'d>,
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
            stand_in: Value::from([("job_name", Value::from(placeholder(&secret, Usage::Value)))]),
        })
    }

    /// The jobs that a configuration has where secrets appear in it like this.
    pub fn written(&self, secrets: Secrets) -> impl Iterator<Item = &Value<'static>> {
        let (jobs, stand_in) = match secrets {
            Secrets::Values | Secrets::Masked | Secrets::Named => (self.jobs.as_deref(), None),
            Secrets::Placeholders => (None, Some(&self.stand_in)),
        };
        jobs.into_iter().flatten().chain(stand_in)
    }

    /// The lines of these fields of the list of jobs in the text, from 1.
    pub fn lines<'f, 'k: 'f>(
        &self,
        store: &SecretStore<'_, '_>,
        fields: impl Iterator<Item = &'f FieldPath<'k>> + Clone,
    ) -> Vec<u32> {
        let mut lines: HashMap<_, _> = fields.clone().map(|field| (field.to_string(), 1)).collect();
        let text = store.text(&self.secret).unwrap_or_default();
        let yaml = EmbeddedYaml::read(Sources::default().add(Source::new("", "", false)), &text);
        if let Some(document) = &yaml.document {
            each_field(document.root(), &mut FieldPath::new(), &mut |path, span| {
                if let Some(line) = lines.get_mut(&path.to_string()) {
                    *line = yaml.line(span);
                }
            });
        }
        fields
            .map(|field| lines.get(&field.to_string()).copied().unwrap_or(1))
            .collect()
    }

    /// Takes the credentials out of the jobs: what is in their place says which one it is.
    pub(super) fn take_credentials(&mut self, store: &SecretStore<'_, '_>, all: bool, into: &mut Vec<Credential<'d>>) {
        let Some(text) = store.text(&self.secret) else { return };
        let id = Sources::default().add(Source::new("", "", false));
        let yaml = EmbeddedYaml::read(id, &text);
        let Some(document) = &yaml.document else { return };
        let secret = self.secret;
        let mut named = BTreeMap::<_, usize>::new();
        for (job, (index, node)) in self.jobs.iter_mut().flatten().zip(filled(document.root())) {
            let name = node.get("job_name").and_then(|name| name.as_str()).unwrap_or_default();
            let number = named.entry(name).or_default();
            *number += 1;
            each_secret(job, Form::PageFragment, &mut |_, value| {
                let inner = std::mem::replace(value, Value::Null);
                *value = Value::secret(inner, SecretSource::Field);
            });
            if all {
                settings::take_others(job);
            }
            let mut path = FieldPath::new().index(index);
            each_with_node(job, node, &mut path, &mut |found, node, path| {
                let value = trimmed(node);
                let (text, is_text) = match &value {
                    Value::String(text) => (text.to_string(), true),
                    _ => (yaml::write(&value, Style::V3).trim_end().to_owned(), false),
                };
                let mut below = FieldPath::new();
                path.steps().skip(1).for_each(|step| below.push(step));
                found.source = SecretSource::Credential(into.len());
                into.push(Credential {
                    secret,
                    place: path.clone(),
                    file: file_name(&secret, &format!("{name}\0{number}\0{below}")),
                    text,
                    is_text,
                });
            });
        }
    }
}

/// A credential in the YAML of additional scrape jobs.
pub struct Credential<'d> {
    /// The key of the Secret that has the YAML.
    pub secret: AssetKey<'d>,
    /// Where it is in the YAML.
    pub place: FieldPath<'static>,
    /// A key for it in `<agent>-secrets`, which no key of a Secret has there. It is the same wherever the job is in the list,
    /// so that a configuration never reads the credential of another job while files change.
    pub file: String,
    /// The text that the agent reads.
    pub text: String,
    /// Whether it is text in the YAML, and not a number, say.
    pub is_text: bool,
}

fn file_name(secret: &AssetKey<'_>, place: &str) -> String {
    let digest = md5::compute(format!("{secret}\0{place}")).0;
    let short = u128::from_be_bytes(digest) >> 64;
    let sanitized = secret.sanitized();
    format!("_additional{}_{short:016x}", sanitized.trim_start_matches("_secrets"))
}

/// Hands the path of each key and item below a node to `visit`, with its place; items that are null do not count.
fn each_field(node: Node<'_>, path: &mut FieldPath<'static>, visit: &mut dyn FnMut(&FieldPath<'_>, Span)) {
    for (number, (_, item)) in filled(node).enumerate() {
        path.push_index(number);
        visit(path, item.span());
        each_field(item, path, visit);
        path.pop();
    }
    for entry in node.entries() {
        path.push_key(entry.key.to_owned());
        visit(path, entry.key_span);
        each_field(entry.value, path, visit);
        path.pop();
    }
}

/// The items of a list that are kept, with their places.
fn filled<'d>(list: Node<'d>) -> impl Iterator<Item = (usize, Node<'d>)> {
    list.items().enumerate().filter(|(_, item)| !item.is_null())
}

/// Hands each secret in a value to `visit`, with the node that it was made of and its path.
fn each_with_node<'n>(
    value: &mut Value<'static>,
    node: Node<'n>,
    path: &mut FieldPath<'static>,
    visit: &mut dyn FnMut(&mut Secret<'static>, Node<'n>, &FieldPath<'static>),
) {
    match value {
        Value::Secret(secret) => visit(secret, node, path),
        Value::Sequence(items) => {
            for (item, (index, node)) in items.iter_mut().zip(filled(node)) {
                path.push_index(index);
                each_with_node(item, node, path, visit);
                path.pop();
            }
        }
        Value::Mapping(fields) => {
            let entries: BTreeMap<_, _> = node.entries().map(|entry| (entry.key, entry.value)).collect();
            for (key, inner) in fields.iter_mut() {
                if let Some(node) = entries.get(key) {
                    path.push_key(key.to_owned());
                    each_with_node(inner, *node, path, visit);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

/// The configuration of an integration as it is in the resource; empty if there is none.
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
