//! The claim of the volume for the write-ahead log. It is made for each pod, and only then validated
//! (`ValidatePersistentVolumeClaimSpec`).

use super::diagnostics;
use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::Diagnostic;

pub(super) fn check<'d>(agent: &Resource<'d, GrafanaAgent<'d>>) -> Vec<Diagnostic> {
    let Some(storage) = agent
        .spec
        .storage
        .as_ref()
        .filter(|storage| storage.empty_dir.is_none())
    else {
        return Vec::new();
    };
    let claim = &storage.volume_claim_template.spec;
    let requests = claim
        .resources
        .as_ref()
        .and_then(|resources| resources.requests.as_ref());
    let has_size = requests.is_some_and(|requests| requests.contains_key("storage"));
    let without_access = claim.access_modes.as_ref().is_some_and(Vec::is_empty);
    let mut found = Vec::new();
    if !has_size {
        found.push(diagnostics::claim_without_size(agent));
    }
    if without_access {
        found.push(diagnostics::claim_without_access(agent));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn a_claim_says_how_much_and_how() {
        for (storage, expected) in [
            ("{emptyDir: {}}", 0),
            (
                "{volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}",
                0,
            ),
            ("{volumeClaimTemplate: {spec: {}}}", 1),
            ("{}", 1),
            ("{volumeClaimTemplate: {spec: {accessModes: []}}}", 2),
        ] {
            let spec = format!("metrics: {{instanceSelector: {{}}}}, storage: {storage}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "i", "{}")]);
            assert_eq!(lines.len(), expected, "{storage} {lines:?}");
            assert!(
                lines
                    .iter()
                    .all(|line| line.starts_with("claim-without-size spec.storage."))
            );
        }
    }
}
