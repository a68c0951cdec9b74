//! Secrets and ConfigMaps with different definitions in several directories, such as the directories of several
//! clusters.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use super::references::{self, AgentUse};
use crate::api::{Kind, Resources};
use crate::diagnostic::{Code, Diagnostic, ObjectKey, Severity};
use crate::source::{Sources, Span};

/// Turns findings for duplicate Secrets and ConfigMaps into notes if the duplicates are in different directories and no
/// resource refers to them, because no output depends on them. An agent may mount any object in its namespace.
pub fn downgrade_unused_copies(sources: &Sources, resources: &Resources<'_>, diagnostics: &mut [Diagnostic]) {
    let is_copy = |finding: &&mut Diagnostic| {
        let directory = |label: usize| sources.directory(finding.labels.get(label)?.span.source);
        let is_duplicate = finding.code == Code::DuplicateResource && directory(0) != directory(1);
        is_duplicate && finding.resource.as_ref().is_some_and(is_data)
    };
    downgrade_unused(resources, diagnostics.iter_mut().filter(is_copy));
}

/// Turns findings for duplicate Secrets, ConfigMaps and Namespaces into notes if the duplicates are in different files
/// found in directories and no resource uses them. Tests and examples often define the same object in several files.
pub fn downgrade_unused_duplicates(sources: &Sources, resources: &Resources<'_>, diagnostics: &mut [Diagnostic]) {
    let are_in_separate_directories = |finding: &&mut Diagnostic| {
        let [second, first, ..] = finding.labels.as_slice() else {
            return false;
        };
        let is_found = |span: Span| sources.get(span.source).is_some_and(|source| !source.is_explicit);
        let is_duplicate = finding.code == Code::DuplicateResource && second.span.source != first.span.source;
        is_duplicate && is_found(first.span) && is_found(second.span)
    };
    downgrade_unused(resources, diagnostics.iter_mut().filter(are_in_separate_directories));
}

fn downgrade_unused<'f>(resources: &Resources<'_>, duplicates: impl Iterator<Item = &'f mut Diagnostic>) {
    let used = LazyCell::new(|| UsedObjects::new(resources));
    for finding in duplicates {
        if finding.resource.as_ref().is_some_and(|object| !used.contains(object)) {
            finding.severity = Severity::Note;
        }
    }
}

fn is_data(object: &ObjectKey) -> bool {
    [Kind::Secret, Kind::ConfigMap].iter().any(|kind| kind.as_str() == object.kind)
}

/// Secrets, ConfigMaps and Namespaces that the operator's resources use.
struct UsedObjects<'d> {
    referred: BTreeSet<ObjectKey>,
    /// Namespaces of agents, which may mount any Secret and ConfigMap there.
    agent_namespaces: BTreeSet<&'d str>,
    namespaces: BTreeSet<&'d str>,
}

impl<'d> UsedObjects<'d> {
    fn new(resources: &'d Resources<'_>) -> Self {
        let references = references::all(resources, |_| AgentUse::EVERYTHING);
        let referred = references.map(|(referrer, reference)| reference.object(referrer.meta.namespace).into());
        let custom = Kind::ALL.iter().filter(|kind| kind.is_custom());
        let custom = custom.flat_map(|kind| resources.list(*kind));
        Self {
            referred: referred.collect(),
            agent_namespaces: resources.agents.iter().map(|agent| agent.meta.namespace).collect(),
            namespaces: custom.map(|resource| resource.meta.namespace).collect(),
        }
    }

    /// Whether an object is used. Objects of other kinds are always considered used.
    fn contains(&self, object: &ObjectKey) -> bool {
        if is_data(object) {
            self.referred.contains(object) || self.agent_namespaces.contains(object.namespace.as_str())
        } else if object.kind == Kind::Namespace.as_str() {
            self.namespaces.contains(object.name.as_str())
        } else {
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admit;
    use crate::testing::TestInput;

    #[test]
    fn reports_unreferenced_duplicates_as_notes() {
        let agent =
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: agents}\n";
        let instance = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: i, namespace: used}\n\
                        spec: {remoteWrite: [{url: http://m, bearerToken: x, basicAuth: {username: {name: x, key: k}}}]}\n";
        let data = |kind: &str, namespace: &str, value: &str| {
            format!(
                "apiVersion: v1\nkind: {kind}\nmetadata: {{name: x, namespace: {namespace}}}\ndata: {{k: {value}}}\n"
            )
        };
        for (kind, namespace, directories, expected) in [
            ("ConfigMap", "other", ["b", "c"], Severity::Note),
            ("Secret", "other", ["b", "c"], Severity::Note),
            ("Secret", "other", ["b", "b"], Severity::Error),
            ("Secret", "used", ["b", "c"], Severity::Error),
            ("ConfigMap", "used", ["b", "c"], Severity::Note),
            ("ConfigMap", "agents", ["b", "c"], Severity::Error),
        ] {
            let mut input = TestInput::default().file("a/a.yaml", format!("{agent}---\n{instance}"));
            for (number, (directory, value)) in directories.into_iter().zip(["eA==", "eQ=="]).enumerate() {
                let name = format!("{directory}/{number}.yaml");
                input = input.file(name, data(kind, namespace, value));
            }
            let (documents, _) = input.read();
            let decoded = admit::decode(&documents, &input.options.admit.namespace);
            let mut found = decoded.diagnostics;
            found.retain(|finding| finding.code == Code::DuplicateResource);
            downgrade_unused_copies(&input.sources, &decoded.output, &mut found);
            let severities: Vec<_> = found.iter().map(|finding| finding.severity).collect();
            assert_eq!(severities, [expected], "{kind} {namespace} {directories:?}");
        }
    }
}
