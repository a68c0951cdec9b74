//! YAML that is copied unchanged: additional scrape configurations and integration configurations.

use std::collections::{BTreeMap, HashMap};

use super::diagnostics;
use super::embedded::{EmbeddedProblem, EmbeddedYaml};
use super::secrets::SecretRepresentation;
use super::settings;
use crate::api::{Integration, KeySelector, Resource, ResourceHeader};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::references::Usage;
use crate::resolve::{AssetKey, SecretStore, placeholder};
use crate::secrecy::{ValueForm, for_each_secret};
use crate::source::{Source, Sources, Span};
use crate::yaml::{self, LibraryStyle, Mapping, Node, NodeValue, Secret, SecretSource, Value};

/// Scrape jobs in YAML from a Secret (`additionalScrapeConfigs`).
pub struct AdditionalJobs<'d> {
    pub secret: AssetKey<'d>,
    /// The jobs, or `None` if the YAML contains no list or only an empty list. Nulls are removed even if no jobs
    /// remain.
    pub jobs: Option<Vec<Value<'static>>>,
    /// Job that replaces all jobs if secrets are written as placeholders.
    placeholder_job: Value<'static>,
}

impl<'d> AdditionalJobs<'d> {
    /// Reads the jobs from the Secret that a field in an instance refers to. Problems are reported at that field,
    /// without revealing the Secret's content.
    pub(super) fn read(
        instance: &ResourceHeader<'d>,
        selector: Option<KeySelector<'d>>,
        store: &SecretStore<'d, 'd>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let secret = AssetKey::secret(instance.meta.namespace, &selector?);
        let text = store.text(&secret)?;
        let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
        let value_span = |problem: &EmbeddedProblem| store.span(&secret, problem.bytes.clone());
        let warnings = yaml.warnings.iter();
        diagnostics.extend(
            warnings.map(|warning| diagnostics::suspicious_jobs(instance, secret, warning, value_span(warning))),
        );
        if let Some(error) = &yaml.error {
            diagnostics.push(diagnostics::invalid_jobs(instance, secret, error, value_span(error)));
            return None;
        }
        let root = yaml.document.as_ref()?.root();
        if !matches!(root.value(), NodeValue::Null | NodeValue::Sequence) {
            diagnostics.push(diagnostics::not_a_job_list(instance, secret));
        }
        let jobs = root.items().filter(|job| !job.is_null());
        let jobs = jobs.map(|job| trim(job).into_owned()).collect();
        Some(Self {
            secret,
            jobs: (root.items().len() > 0).then_some(jobs),
            placeholder_job: Value::from([("job_name", Value::from(placeholder(&secret, Usage::Value)))]),
        })
    }

    /// Returns the jobs to write for the given representation of secrets: the jobs themselves, or the placeholder job.
    pub fn jobs_to_write(&self, secrets: SecretRepresentation) -> impl Iterator<Item = &Value<'static>> {
        let (jobs, placeholder_job) = match secrets {
            SecretRepresentation::Values | SecretRepresentation::Masked | SecretRepresentation::Named => {
                (self.jobs.as_deref(), None)
            }
            SecretRepresentation::Placeholders => (None, Some(&self.placeholder_job)),
        };
        jobs.into_iter().flatten().chain(placeholder_job)
    }

    /// Returns the line of each field of the job list in the Secret's value, starting at 1.
    pub fn lines<'f, 'k: 'f>(
        &self,
        store: &SecretStore<'_, '_>,
        fields: impl Iterator<Item = &'f FieldPath<'k>> + Clone,
    ) -> Vec<u32> {
        let mut lines: HashMap<_, _> = fields.clone().map(|field| (field.to_string(), 1)).collect();
        let text = store.text(&self.secret).unwrap_or_default();
        let yaml = EmbeddedYaml::read(Sources::default().add(Source::new("", "", false)), &text);
        if let Some(document) = &yaml.document {
            for_each_field(document.root(), &mut FieldPath::new(), &mut |path, span| {
                if let Some(line) = lines.get_mut(&path.to_string()) {
                    *line = yaml.line(span);
                }
            });
        }
        fields.map(|field| lines.get(&field.to_string()).copied().unwrap_or(1)).collect()
    }

    /// Moves the credentials out of the jobs and replaces each credential with a reference.
    pub(super) fn take_credentials(&mut self, store: &SecretStore<'_, '_>, all: bool, into: &mut Vec<Credential<'d>>) {
        let Some(text) = store.text(&self.secret) else { return };
        let id = Sources::default().add(Source::new("", "", false));
        let yaml = EmbeddedYaml::read(id, &text);
        let Some(document) = &yaml.document else { return };
        let secret = self.secret;
        let mut credentials_by_name = BTreeMap::<_, usize>::new();
        for (job, (index, node)) in self.jobs.iter_mut().flatten().zip(non_null_items(document.root())) {
            let name = node.get("job_name").and_then(|name| name.as_str()).unwrap_or_default();
            let number = credentials_by_name.entry(name).or_default();
            *number += 1;
            for_each_secret(job, ValueForm::PageFragment, &mut |_, value| {
                let inner_value = std::mem::replace(value, Value::Null);
                *value = Value::secret(inner_value, SecretSource::Field);
            });
            if all {
                settings::take_other_strings(job);
            }
            let mut path = FieldPath::new().index(index);
            for_each_with_node(job, node, &mut path, &mut |credential, node, path| {
                let value = trim(node);
                let (text, is_text) = match &value {
                    Value::String(text) => (text.to_string(), true),
                    _ => (yaml::write(&value, LibraryStyle::V3).trim_end().to_owned(), false),
                };
                let mut inner_path = FieldPath::new();
                path.steps().skip(1).for_each(|step| inner_path.push(step));
                credential.source = SecretSource::Credential(into.len());
                into.push(Credential {
                    secret,
                    place: path.clone(),
                    file: file_name(&secret, &format!("{name}\0{number}\0{inner_path}")),
                    text,
                    is_text,
                });
            });
        }
    }
}

/// A credential in additional scrape jobs.
pub struct Credential<'d> {
    /// Key of the Secret that contains the YAML.
    pub secret: AssetKey<'d>,
    /// Path in the YAML.
    pub place: FieldPath<'static>,
    /// Key of the credential in `<agent>-secrets`. It cannot collide with keys copied from Secrets. It does not depend
    /// on the job's position in the list, so that a configuration never reads another job's credential while the files
    /// are changing.
    pub file: String,
    /// Value that the agent reads.
    pub text: String,
    /// Whether the value is a string in the YAML, as opposed to a number, for example.
    pub is_text: bool,
}

fn file_name(secret: &AssetKey<'_>, place: &str) -> String {
    let digest = md5::compute(format!("{secret}\0{place}")).0;
    let short_digest = u128::from_be_bytes(digest) >> 64;
    let sanitized = secret.sanitized_key();
    format!("_additional{}_{short_digest:016x}", sanitized.trim_start_matches("_secrets"))
}

/// Calls `visit` with the path and span of each key and item below a node. Null items are excluded from the indices.
fn for_each_field(node: Node<'_>, path: &mut FieldPath<'static>, visit: &mut dyn FnMut(&FieldPath<'_>, Span)) {
    for (number, (_, item)) in non_null_items(node).enumerate() {
        path.push_index(number);
        visit(path, item.span());
        for_each_field(item, path, visit);
        path.pop();
    }
    for entry in node.entries() {
        path.push_key(entry.key.to_owned());
        visit(path, entry.key_span);
        for_each_field(entry.value, path, visit);
        path.pop();
    }
}

/// Returns the non-null items in a list with their indices.
fn non_null_items<'d>(list: Node<'d>) -> impl Iterator<Item = (usize, Node<'d>)> {
    list.items().enumerate().filter(|(_, item)| !item.is_null())
}

/// Calls `visit` for each secret in a value, with its source node and path.
fn for_each_with_node<'n>(
    value: &mut Value<'static>,
    node: Node<'n>,
    path: &mut FieldPath<'static>,
    visit: &mut dyn FnMut(&mut Secret<'static>, Node<'n>, &FieldPath<'static>),
) {
    match value {
        Value::Secret(secret) => visit(secret, node, path),
        Value::Sequence(items) => {
            for (item, (index, node)) in items.iter_mut().zip(non_null_items(node)) {
                path.push_index(index);
                for_each_with_node(item, node, path, visit);
                path.pop();
            }
        }
        Value::Mapping(fields) => {
            let entries: BTreeMap<_, _> = node.entries().map(|entry| (entry.key, entry.value)).collect();
            for (key, inner_value) in fields.iter_mut() {
                if let Some(node) = entries.get(key) {
                    path.push_key(key.to_owned());
                    for_each_with_node(inner_value, *node, path, visit);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

/// Returns an integration's configuration as written in the resource, or an empty mapping if there is none.
pub(super) fn config<'d>(integration: &Resource<'d, Integration<'d>>) -> Value<'d> {
    let config = integration.root.at("spec.config");
    config.filter(|config| !config.is_null()).map_or_else(|| Mapping::new().into(), trim)
}

/// Returns the value of a node as the templates write it, with all numbers as doubles (`optionals.trim`). Keys and list
/// items that are null are removed at any depth, but collections that become empty remain. The last of several
/// duplicate keys wins.
fn trim<'d>(node: Node<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => Value::Float(value as f64),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().filter(|item| !item.is_null()).map(trim).collect()),
        NodeValue::Mapping => {
            let last_entries: BTreeMap<_, _> = node.entries().map(|entry| (entry.key, entry.value)).collect();
            let entries = last_entries.into_iter().filter(|(_, value)| !value.is_null());
            Value::Mapping(entries.map(|(key, value)| (key.into(), trim(value))).collect())
        }
    }
}
