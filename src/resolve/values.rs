//! Values that the references in a hierarchy refer to (the operator's `buildSecrets`).

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::diagnostics::Claim;
use super::hierarchy::placeholder;
use super::input::ResolveInput;
use super::missing::{Alternative, MAX_COMPARISONS, find_intended_key};
use super::references::{KeyReference, Usage};
use super::secret_mode::remote_ref;
use super::{AssetKey, Hierarchy, MissingSecrets, Remote, SecretStore, diagnostics};
use crate::api::{ObjectRef, Resource, ResourceHeader, Resources, SecretData};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};

/// Returns all values that a hierarchy's resources refer to, and reports missing values. `hierarchy.secrets` is still
/// empty at this point.
pub fn look_up<'h, 'd>(
    hierarchy: &Hierarchy<'h, 'd>,
    input: &ResolveInput<'h, '_, 'd, '_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> SecretStore<'h, 'd> {
    let mut lookup = ValueLookup {
        input,
        comparisons: MAX_COMPARISONS,
        keys: HashMap::new(),
        store: SecretStore::default(),
        diagnostics,
    };
    for (referrer, reference) in &hierarchy.references {
        lookup.look_up(referrer, reference);
    }
    lookup.store
}

struct ValueLookup<'i, 'h, 's, 'd, 'o> {
    input: &'i ResolveInput<'h, 's, 'd, 'o>,
    /// Remaining number of comparisons between missing references and existing names and keys.
    comparisons: usize,
    /// Keys in `<agent>-secrets`, each with the first reference to it.
    keys: HashMap<String, Claim<'d>>,
    store: SecretStore<'h, 'd>,
    diagnostics: &'i mut Vec<Diagnostic>,
}

impl<'h, 'd> ValueLookup<'_, 'h, '_, 'd, '_> {
    fn look_up(&mut self, referrer: &ResourceHeader<'d>, reference: &KeyReference<'d>) {
        let key = reference.key(referrer.meta.namespace);
        match self.input.resources.data_object(key.object()) {
            Some(object) if self.is_unknown(object, key.key) => {}
            Some(object) => match object.spec.values.get(key.key) {
                Some(value) if value.is_encrypted() => {
                    if self.input.options.secrets.needs_values() {
                        let encrypted = diagnostics::encrypted_value(referrer, reference, object);
                        self.diagnostics.push(encrypted);
                    } else {
                        self.insert_placeholder(referrer, reference, key);
                    }
                }
                Some(value) => {
                    if self.store.insert(key, value.as_bytes(), object) {
                        self.claim(referrer, reference, key);
                    }
                }
                None => {
                    let intended_key = find_intended_key(key.key, object, &mut self.comparisons);
                    let missing = diagnostics::missing_key(referrer, reference, object, intended_key);
                    self.report_missing(referrer, reference, key, missing);
                }
            },
            None if self.is_doubtful(&key) || self.has_unknown_namespace(referrer) => {}
            None if key.name.is_empty() => {
                if reference.usage.is_needed() {
                    self.diagnostics.push(diagnostics::empty_reference(referrer, reference));
                }
            }
            None => {
                let alternative = self.input.alternatives.find(&key, &mut self.comparisons);
                let missing = match &alternative {
                    Alternative::Generated(generated) if !generated.may_have_key(key.key) => {
                        diagnostics::key_not_generated(referrer, reference, generated)
                    }
                    Alternative::Generated(_) if !self.input.options.secrets.needs_values() => {
                        return self.insert_placeholder(referrer, reference, key);
                    }
                    _ => diagnostics::missing_object(
                        referrer,
                        reference,
                        &alternative,
                        self.input.options.missing_secrets,
                    ),
                };
                self.report_missing(referrer, reference, key, missing);
            }
        }
    }

    /// Reports a missing value. Inserts a placeholder if placeholders are requested and the operator needs the value.
    fn report_missing(
        &mut self,
        referrer: &ResourceHeader<'d>,
        reference: &KeyReference<'d>,
        key: AssetKey<'d>,
        missing: Diagnostic,
    ) {
        if self.input.options.missing_secrets == MissingSecrets::Error || missing.severity < Severity::Error {
            self.diagnostics.push(missing);
            return;
        }
        self.diagnostics.push(diagnostics::downgrade_to_placeholder(missing));
        self.insert_placeholder(referrer, reference, key);
    }

    /// Inserts a placeholder for a value.
    fn insert_placeholder(&mut self, referrer: &ResourceHeader<'d>, reference: &KeyReference<'d>, key: AssetKey<'d>) {
        if self.store.insert_placeholder(key, placeholder(&key, reference.usage)) {
            self.claim(referrer, reference, key);
        }
    }

    /// Reserves the key for a value in `<agent>-secrets`. The key must be unique.
    fn claim(&mut self, referrer: &ResourceHeader<'d>, reference: &KeyReference<'d>, key: AssetKey<'d>) {
        match self.keys.entry(key.sanitized_key()) {
            Entry::Occupied(first) => {
                let collision = diagnostics::colliding_keys(referrer, reference, &key, first.get());
                self.diagnostics.push(collision);
            }
            Entry::Vacant(free) => drop(free.insert(Claim {
                key,
                object: referrer.object_ref(),
                path: reference.path.clone(),
                span: referrer.locate(&reference.path),
            })),
        }
    }

    /// Whether an object that was not found may exist, because it was rejected or may be in a part of the input that
    /// could not be parsed.
    fn is_doubtful(&self, key: &AssetKey<'d>) -> bool {
        let object = key.object();
        // An object with a missing or invalid name may be the missing object.
        let unnamed_object = ObjectRef { name: "", ..object };
        // An object with an unknown namespace may be the missing object.
        let homeless = ObjectRef { namespace: "", ..object };
        let rejected_objects = &self.input.resources.rejected_objects;
        self.input.resources.lost_kinds.contains(&object.kind)
            || rejected_objects.contains(&object)
            || rejected_objects.contains(&unnamed_object)
            || rejected_objects.contains(&homeless)
            || self.input.resources.unread_words.may_define_object(object)
    }

    /// Whether a resource's namespace is unknown. If so, the namespace of the object that it refers to is also unknown.
    fn has_unknown_namespace(&self, referrer: &ResourceHeader<'d>) -> bool {
        let (rejected, object) = (&self.input.resources.rejected_fields, referrer.object_ref());
        rejected.has_any(object) && rejected.overlap(object, "metadata.namespace")
    }

    /// Whether a key's value, or the object's entire data, was rejected.
    fn is_unknown(&self, object: &Resource<'d, SecretData<'d>>, key: &str) -> bool {
        let (rejected, object) = (&self.input.resources.rejected_fields, object.object_ref());
        let mut fields = ["data", "stringData", "binaryData"].iter();
        rejected.has_any(object) && fields.any(|field| rejected.overlap(object, &format!("{field}.{key}")))
    }
}

/// A credential in a configuration, with the field that refers to it. Does not implement `Debug`, because it contains a
/// secret value.
pub struct InlinedValue<'h, 'd> {
    /// Resource that contains the field.
    pub referrer: &'h ResourceHeader<'d>,
    pub path: FieldPath<'static>,
    /// Key of the Secret or ConfigMap.
    pub key: AssetKey<'d>,
    /// Value as a string.
    pub text: Cow<'h, str>,
}

/// Returns all credentials in a hierarchy's configurations, excluding additional scrape configurations.
pub fn inlined_values<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>) -> Vec<InlinedValue<'h, 'd>> {
    let fields = hierarchy.references.iter();
    let fields = fields.filter(|(_, reference)| reference.usage == Usage::Value);
    let values = fields.filter_map(|(referrer, reference)| {
        let key = reference.key(referrer.meta.namespace);
        let text = hierarchy.secrets.text(&key)?;
        Some(InlinedValue { referrer: referrer.header(), path: reference.path.clone(), key, text })
    });
    values.collect()
}

/// Returns a finding for each field whose value is written to a configuration even though a template cannot insert it
/// (`--secrets=external`).
pub fn report_uninsertable(
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Vec<Diagnostic> {
    let is_inlined = |reference: &KeyReference<'_>| reference.usage.is_needed() && !reference.selector.name.is_empty();
    let fields: Vec<_> = hierarchy
        .references
        .iter()
        .filter(|(_, reference)| is_inlined(reference))
        .map(|(referrer, reference)| (reference.key(referrer.meta.namespace), referrer, reference))
        .collect();
    let keys = |usage| {
        let fields = fields.iter().filter(move |(.., reference)| reference.usage == usage);
        fields.map(|(key, ..)| *key).collect::<HashSet<_>>()
    };
    let (values, jobs) = (keys(Usage::Value), keys(Usage::ScrapeConfigs));
    let has_template = |key: &AssetKey<'_>| {
        let is_both = values.contains(key) && jobs.contains(key);
        !is_both && remote_ref(key, hierarchy, resources, remote).is_some()
    };
    fields
        .iter()
        .filter(|(key, ..)| !has_template(key))
        .map(|(_, referrer, reference)| diagnostics::inlined_secret(referrer, reference))
        .collect()
}

/// Returns a finding for each field whose scrape jobs are compiled but not in the input. This applies to programs that
/// read all other values from files (`--secrets=external`).
pub fn unknown_jobs(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let help = "add the Secret and its value to the input; its credentials are not rendered";
    report_unknown_jobs(hierarchy, Code::InlinedSecret, ", but agentctl needs them to render the configuration", help)
}

/// Returns a warning for each field whose scrape jobs are not in the input. The permissions required by these jobs are
/// unknown.
pub fn unknown_rights(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let effect = ", so the output lacks the permissions that they need";
    let help = "add the Secret and its value to the input, or add the permissions to the output";
    let findings = report_unknown_jobs(hierarchy, Code::MissingSecret, effect, help).into_iter();
    findings.map(|finding| finding.severity(Severity::Warning)).collect()
}

/// Returns a finding for each field whose scrape jobs are not in the input.
fn report_unknown_jobs(hierarchy: &Hierarchy<'_, '_>, code: Code, effect: &str, help: &str) -> Vec<Diagnostic> {
    let jobs = hierarchy.references.iter().filter(|(referrer, reference)| {
        let key = reference.key(referrer.meta.namespace);
        reference.usage == Usage::ScrapeConfigs && hierarchy.secrets.is_placeholder(&key)
    });
    jobs.map(|(referrer, reference)| diagnostics::unknown_jobs(referrer, reference, code, effect).help(help)).collect()
}
