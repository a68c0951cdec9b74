//! Objects that are too large: Secrets that exceed Kubernetes' limit, and other objects that exceed the limit of
//! client-side `kubectl apply`.

use memchr::memchr3_iter;
use serde_json::json;

use crate::api::ResourceHeader;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::manifest::Object;
use crate::resolve::Hierarchy;

/// Maximum size of a Secret (`MaxSecretSize`). The API server rejects a larger Secret, so the agent keeps its old
/// configuration.
const MAX_SECRET: usize = 1 << 20;

/// Maximum total size of an object's annotations (`TotalAnnotationSizeLimitB`, `ValidateAnnotationsSize`). Client-side
/// `kubectl apply` stores the entire object in an annotation.
const MAX_ANNOTATIONS: usize = 256 << 10;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Reports an agent's objects that are too large.
pub(super) fn check(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    let agent = hierarchy.agent;
    let mut findings = Vec::new();
    for object in objects {
        let in_secret = object.value_bytes();
        // A Secret above the API server's limit cannot be applied at all.
        if in_secret > MAX_SECRET {
            findings.push(secret_too_large(agent, object, in_secret));
        } else if !object.is_middle_shard() {
            findings.extend(too_many_annotations(object).map(|size| needs_server_side_apply(agent, object, size)));
        }
    }
    findings
}

/// Returns the total size of the annotations if it exceeds the limit. The size includes the annotation in which
/// `kubectl apply` stores the object, as encoded by Go's `encoding/json` (`util.GetModifiedConfiguration`).
fn too_many_annotations(object: &Object) -> Option<usize> {
    let mut json = object.to_json();
    let metadata = json.get_mut("metadata")?.as_object_mut()?;
    let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
    let annotations = annotations.as_object()?.iter();
    let annotations_size: usize = annotations.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    let size = annotations_size + LAST_APPLIED.len() + go_json_size(&json.to_string());
    (size > MAX_ANNOTATIONS).then_some(size)
}

/// Returns the size of `json` as written by Go's encoder, which appends a newline and escapes `<`, `>`, `&` and the two
/// Unicode line separators, for example as `\u003c`.
fn go_json_size(json: &str) -> usize {
    let escaped = memchr3_iter(b'<', b'>', b'&', json.as_bytes()).count();
    let separators = json.matches('\u{2028}').count() + json.matches('\u{2029}').count();
    json.len() + 5 * escaped + 3 * separators + 1
}

/// Finding for a Secret that exceeds Kubernetes' limit.
fn secret_too_large(agent: &ResourceHeader<'_>, secret: &Object, size: usize) -> Diagnostic {
    let (kind, name, size) = (secret.kind(), secret.name(), mebibytes(size));
    let message = format!("{kind} `{name}` would contain {size} of data, but Kubernetes allows at most 1 MiB");
    agent
        .finding(Code::SecretTooLarge, &FieldPath::parse("metadata.name"), message)
        .help("split the GrafanaAgent into two")
}

/// Finding for an object that is too large for the annotation that client-side `kubectl apply` writes.
fn needs_server_side_apply(agent: &ResourceHeader<'_>, object: &Object, size: usize) -> Diagnostic {
    let message = format!(
        "{} `{}` is too large for client-side `kubectl apply`: its annotations would take up {size} bytes, but Kubernetes allows only 262144",
        object.kind(),
        object.name(),
    );
    agent
        .finding(Code::NeedsServerSideApply, &FieldPath::parse("metadata.name"), message)
        .help("apply it with `kubectl apply --server-side`")
}

/// Formats a size with two decimals, rounded up so that a size above the limit never looks equal to it.
fn mebibytes(bytes: usize) -> String {
    let hundredths = (bytes * 100).div_ceil(1 << 20);
    format!("{}.{:02} MiB", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, findings, manifest};

    #[test]
    fn reports_secrets_whose_total_size_is_too_large() {
        let value = "x".repeat(600 << 10);
        let secret =
            |name| format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\nstringData: {{ca: {value}}}");
        let remote_write = |name| format!("{{url: u, tlsConfig: {{ca: {{secret: {{name: {name}, key: ca}}}}}}}}");
        let spec = format!("metrics: {{remoteWrite: [{}, {}]}}", remote_write("s"), remote_write("t"));
        let mut diagnostics = findings(&[&agent("a", &spec), &secret("s"), &secret("t")]);
        diagnostics.retain(|finding| finding.code != Code::SelectsNothing);
        assert_eq!(diagnostics.len(), 1, "{:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>());
        assert_eq!(
            diagnostics[0].message,
            "Secret `a-secrets` would contain 1.18 MiB of data, but Kubernetes allows at most 1 MiB"
        );
        assert_eq!(diagnostics[0].help.as_deref(), Some("split the GrafanaAgent into two"));
    }

    #[test]
    fn configurations_are_measured_after_compression() {
        // The output of a linear congruential generator does not compress.
        let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        let noise = std::iter::successors(Some(1_u64), next).map(|state| char::from(b'a' + (state >> 60) as u8));
        for (path, expected) in [(noise.take(2_600_000).collect(), 1), ("a".repeat(2_600_000), 0)] {
            let instance = manifest("MetricsInstance", "m", &format!("{{remoteWrite: [{{url: 'http://u/{path}'}}]}}"));
            let diagnostics = findings(&[&agent("a", "metrics: {instanceSelector: {}}"), &instance]);
            let diagnostics = diagnostics.iter().filter(|finding| finding.code == Code::SecretTooLarge);
            let messages: Vec<_> = diagnostics.map(|finding| &finding.message).collect();
            assert_eq!(messages.len(), expected, "{messages:?}");
            assert!(messages.iter().all(|message| message.starts_with("Secret `a-config` would contain 1.")));
        }
    }

    #[test]
    fn computes_json_sizes_like_go() {
        for (text, size) in
            [("", 3), ("abc", 6), ("<a&b>", 2 + 2 + 18 + 1), ("\u{2028}\"\n", 2 + 6 + 2 + 2 + 1), ("ä", 5)]
        {
            assert_eq!(go_json_size(&json!(text).to_string()), size, "{text}");
        }
    }

    #[test]
    fn objects_up_to_the_limit_can_be_applied() {
        let object_with = |length: usize, annotations: &str| {
            let value = "x".repeat(length);
            let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{ca: {value}}}");
            let remote_write = "{url: 'http://u', tlsConfig: {ca: {secret: {name: s, key: ca}}}}";
            let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}, remoteWrite: [{remote_write}]}}"));
            let agent = agent.replace("name: 'a'", &format!("name: 'a'{annotations}"));
            let diagnostics = findings(&[&agent, &secret, &manifest("MetricsInstance", "m", "{}")]);
            let diagnostics = diagnostics.iter().filter(|d| d.code == Code::NeedsServerSideApply);
            diagnostics.map(|d| d.message.clone()).collect::<Vec<_>>()
        };
        // The rest of `a-secrets` takes up 258 bytes.
        let sizes = (0..3).map(|more| object_with(196_412 + more, "").len()).collect::<Vec<_>>();
        assert_eq!(sizes, [0, 0, 1]);
        let note = format!(", annotations: {{note: '{}'}}", "n".repeat(140 << 10));
        assert_eq!(
            object_with(1, &note).len(),
            1,
            "the StatefulSet has the agent's annotations, and once more in kubectl's"
        );
    }
}
