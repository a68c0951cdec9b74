//! Objects that client-side `kubectl apply` cannot annotate: it keeps the whole object in an annotation, and annotations
//! have a limit (`ValidateAnnotationsSize`).

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{diagnostics, secret_size};
use crate::diagnostic::Diagnostic;
use crate::pods::Object;
use crate::resolve::Hierarchy;

/// `TotalAnnotationSizeLimitB`.
const MAX: usize = 256 << 10;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub(super) fn check(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    // A Secret that Kubernetes refuses anyway cannot be applied in any way.
    let is_passed_over = |object: &Object| match object {
        Object::StatefulSet(shard) => shard.is_between(),
        object => secret_size::size(object) > secret_size::MAX,
    };
    let objects = objects.iter().filter(|object| !is_passed_over(object));
    let too_large = objects.filter_map(|object| {
        let size = size(object).filter(|size| *size > MAX)?;
        Some(diagnostics::needs_server_side_apply(hierarchy.agent, object, size))
    });
    too_large.collect()
}

/// The bytes of all annotations that the object would have: its own, and the one of `kubectl apply`, which holds the object
/// as Go's `encoding/json` writes it (`util.GetModifiedConfiguration`).
fn size(object: &Object) -> Option<usize> {
    let mut json = object.to_json().ok()?;
    let metadata = json.get_mut("metadata")?.as_object_mut()?;
    let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
    let annotations = annotations.as_object()?.iter();
    let own: usize = annotations
        .map(|(key, value)| key.len() + value.as_str().map_or(0, str::len))
        .sum();
    Some(own + LAST_APPLIED.len() + go_json_size(&json)?)
}

/// With the line break that Go's encoder ends with.
fn go_json_size(json: &Value) -> Option<usize> {
    let mut size = GoSize(1);
    serde_json::to_writer(&mut size, json).ok()?;
    Some(size.0)
}

/// Counts bytes as Go writes them: `<`, `>` and `&` as `\u003c`, and the two line separators alike.
struct GoSize(usize);

impl Write for GoSize {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let escaped = bytes.iter().filter(|byte| matches!(byte, b'<' | b'>' | b'&')).count();
        let separators = bytes
            .windows(3)
            .filter(|bytes| matches!(bytes, [0xe2, 0x80, 0xa8 | 0xa9]))
            .count();
        self.0 += bytes.len() + 5 * escaped + 3 * separators;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, found, manifest};
    use crate::diagnostic::Code;

    #[test]
    fn sizes_are_those_of_go() {
        for (text, size) in [
            ("", 3),
            ("abc", 6),
            ("<a&b>", 2 + 2 + 18 + 1),
            ("\u{2028}\"\n", 2 + 6 + 2 + 2 + 1),
            ("ä", 5),
        ] {
            assert_eq!(go_json_size(&json!(text)), Some(size), "{text}");
        }
    }

    #[test]
    fn objects_up_to_the_limit_can_be_applied() {
        let with = |length: usize, annotations: &str| {
            let value = "x".repeat(length);
            let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{ca: {value}}}");
            let remote_write = "{url: 'http://u', tlsConfig: {ca: {secret: {name: s, key: ca}}}}";
            let agent = agent(
                "a",
                &format!("metrics: {{instanceSelector: {{}}, remoteWrite: [{remote_write}]}}"),
            );
            let agent = agent.replace("name: 'a'", &format!("name: 'a'{annotations}"));
            let found = found(&[&agent, &secret, &manifest("MetricsInstance", "m", "{}")]);
            let found = found.iter().filter(|d| d.code == Code::NeedsServerSideApply);
            found.map(|d| d.message.clone()).collect::<Vec<_>>()
        };
        // Around them, `a-secrets` has 258 bytes.
        let fits = (0..3).map(|more| with(196_412 + more, "").len()).collect::<Vec<_>>();
        assert_eq!(fits, [0, 0, 1]);
        let note = format!(", annotations: {{note: '{}'}}", "n".repeat(140 << 10));
        assert_eq!(
            with(1, &note).len(),
            1,
            "the StatefulSet has the agent's annotations, and once more in kubectl's"
        );
    }
}
