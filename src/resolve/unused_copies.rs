//! Secrets and ConfigMaps that several directories define differently, such as the directories of several clusters.

use std::collections::BTreeSet;

use super::references::{self, AgentUse};
use crate::api::{Kind, Resources};
use crate::diagnostic::{Code, Diagnostic, ObjectKey, Severity};
use crate::source::Sources;

/// Turns findings for duplicate Secrets and ConfigMaps into notes if the duplicates are in different directories and no
/// resource refers to them, because no output depends on them. An agent may mount any object in its namespace.
pub fn downgrade_unused_copies(sources: &Sources, resources: &Resources<'_>, diagnostics: &mut [Diagnostic]) {
    let is_copy = |found: &&mut Diagnostic| {
        let directory = |label: usize| sources.directory(found.labels.get(label)?.span.source);
        found.code == Code::DuplicateResource && directory(0) != directory(1)
    };
    let mut copies = diagnostics.iter_mut().filter(is_copy).peekable();
    if copies.peek().is_none() {
        return;
    }
    let references = references::all(resources, |_| AgentUse::EVERYTHING);
    let used: BTreeSet<ObjectKey> =
        references.map(|(referrer, reference)| reference.object(referrer.meta.namespace).into()).collect();
    let of_agents: BTreeSet<_> = resources.agents.iter().map(|agent| agent.meta.namespace).collect();
    for found in copies {
        let is_unused = |object: &ObjectKey| {
            let is_data = [Kind::Secret, Kind::ConfigMap].iter().any(|kind| kind.as_str() == object.kind);
            is_data && !used.contains(object) && !of_agents.contains(object.namespace.as_str())
        };
        if found.resource.as_ref().is_some_and(is_unused) {
            found.severity = Severity::Note;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admit;
    use crate::compile::{CompileOptions, read};
    use crate::source::Source;

    #[test]
    fn duplicates_that_no_resource_refers_to_are_notes() {
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
            let mut sources = Sources::default();
            sources.add(Source::new("a/a.yaml", format!("{agent}---\n{instance}"), true));
            for (number, (directory, value)) in directories.into_iter().zip(["eA==", "eQ=="]).enumerate() {
                let name = format!("{directory}/{number}.yaml");
                sources.add(Source::new(name, data(kind, namespace, value), true));
            }
            let options = CompileOptions::default();
            let documents = read(&sources, &options).output;
            let decoded = admit::decode(&documents, &options.admit.namespace);
            let mut found = decoded.diagnostics;
            found.retain(|found| found.code == Code::DuplicateResource);
            downgrade_unused_copies(&sources, &decoded.output, &mut found);
            let severities: Vec<_> = found.iter().map(|found| found.severity).collect();
            assert_eq!(severities, [expected], "{kind} {namespace} {directories:?}");
        }
    }
}
