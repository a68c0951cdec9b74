//! Objects that are too large, and what fills them: Secrets for Kubernetes, other objects for client-side `kubectl apply`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::json;

use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::manifest::{Object, Role};
use crate::plan::{ConfigKind, JobName, Plan, Secrets};
use crate::resolve::{Hierarchy, MetricsHierarchy};
use crate::target::agent::{self, Piece};
use crate::yaml::{Style, write};

/// `MaxSecretSize`: the API server refuses larger Secrets, and the agent keeps its old configuration.
const MAX_SECRET: usize = 1 << 20;

/// `TotalAnnotationSizeLimitB`: client-side `kubectl apply` keeps the whole object in an annotation (`ValidateAnnotationsSize`).
const MAX_ANNOTATIONS: usize = 256 << 10;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Reports the objects of an agent that are too large.
pub(super) fn check(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    let agent = hierarchy.agent;
    let mut found = Vec::new();
    for object in objects {
        let in_secret = object.value_bytes();
        // A Secret that Kubernetes refuses anyway cannot be applied in any way.
        if in_secret > MAX_SECRET {
            let parts = contributions(hierarchy, object.role());
            found.push(secret_too_large(agent, object, in_secret, &parts));
        } else if !object.is_middle_shard() {
            found.extend(too_many_annotations(object).map(|size| needs_server_side_apply(agent, object, size)));
        }
    }
    found
}

/// The bytes of all annotations that the object would have, where they are too many: its own, and the one of `kubectl apply`,
/// which holds the object as Go's `encoding/json` writes it (`util.GetModifiedConfiguration`).
fn too_many_annotations(object: &Object) -> Option<usize> {
    let mut json = object.to_json();
    let metadata = json.get_mut("metadata")?.as_object_mut()?;
    let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
    let annotations = annotations.as_object()?.iter();
    let own: usize = annotations
        .map(|(key, value)| key.len() + value.as_str().map_or(0, str::len))
        .sum();
    let size = own + LAST_APPLIED.len() + go_json_size(&json.to_string());
    (size > MAX_ANNOTATIONS).then_some(size)
}

/// The size of JSON as Go writes it, including the final line break of its encoder: `<`, `>` and `&` as `\u003c`, and the two
/// line separators alike.
fn go_json_size(json: &str) -> usize {
    let escaped = json.matches(['<', '>', '&']).count();
    let separators = json.matches(['\u{2028}', '\u{2029}']).count();
    json.len() + 5 * escaped + 3 * separators + 1
}

/// A Secret that is larger than Kubernetes allows; `parts` are its largest parts in bytes, if known.
fn secret_too_large(agent: &ResourceHeader<'_>, secret: &Object, size: usize, parts: &[(String, usize)]) -> Diagnostic {
    let (kind, name, size) = (secret.kind(), secret.name(), mebibytes(size));
    let message = format!("{kind} `{name}` would hold {size}, but Kubernetes allows at most 1 MiB");
    let all: usize = parts.iter().map(|(_, bytes)| bytes).sum();
    let share = |bytes: usize| (bytes * 100).checked_div(all).unwrap_or_default();
    let largest = parts.get(..3).unwrap_or(parts);
    let help = if largest.is_empty() {
        "split the agent into several".to_owned()
    } else if share(largest.iter().map(|(_, bytes)| bytes).sum()) < 10 {
        let noun = match secret.role() {
            Role::Values => "values",
            _ => "resources",
        };
        format!(
            "split the agent in two; the size comes from {} {noun}, of which the largest three are less than 10 %",
            parts.len()
        )
    } else {
        let named = largest.iter();
        let named = named.map(|(part, bytes)| format!("{part} ({} %)", share(*bytes)));
        let named = named.collect::<Vec<_>>().join(", ");
        format!("split the agent in two; most of the size comes from {named}")
    };
    agent
        .finding(Code::SecretTooLarge, &FieldPath::of("metadata.name"), message)
        .help(help)
}

/// An object that does not fit in the annotation of client-side `kubectl apply`.
fn needs_server_side_apply(agent: &ResourceHeader<'_>, object: &Object, size: usize) -> Diagnostic {
    let message = format!(
        "{} `{}` is too large for client-side `kubectl apply`: its annotations would have {size} bytes, and Kubernetes \
         allows 262144",
        object.kind(),
        object.name(),
    );
    agent
        .finding(Code::NeedsServerSideApply, &FieldPath::of("metadata.name"), message)
        .help("apply it with `kubectl apply --server-side`")
}

/// A size with two decimals, rounded up so that it never looks like the limit.
fn mebibytes(bytes: usize) -> String {
    let hundredths = (bytes * 100).div_ceil(1 << 20);
    format!("{}.{:02} MiB", hundredths / 100, hundredths % 100)
}

/// Among more monitors than these one hardly matters, and to make all their jobs once more takes half as long as the whole
/// run did.
const MANY: usize = 10_000;

/// The parts of a Secret with this role, with their bytes before compression, the largest first; none where there are too many.
fn contributions(hierarchy: &Hierarchy<'_, '_>, role: Role) -> Vec<(String, usize)> {
    let Role::Configuration(part) = role else {
        return sorted(values(hierarchy));
    };
    let monitors = hierarchy.metrics.iter().flat_map(MetricsHierarchy::monitors);
    if part == ConfigKind::Metrics && monitors.count() > MANY {
        return Vec::new();
    }
    let plan = Plan::new(hierarchy, &[part], &mut Vec::new());
    let mut parts = BTreeMap::new();
    agent::each_piece(&plan, Secrets::Values, &mut |piece, value| {
        let name = match piece {
            Piece::Rest(object) if object.kind == Kind::GrafanaAgent => return,
            Piece::Monitor(_) => return,
            Piece::Rest(object) | Piece::Job(JobName { object, .. }) => described(object, &plan),
            Piece::Additional(name) => format!("job `{name}`"),
        };
        *parts.entry(name).or_default() += write(&value, Style::V3).len();
    });
    sorted(parts)
}

/// An instance or a monitor by its name, an integration by what it integrates.
fn described(object: ObjectRef<'_>, plan: &Plan<'_>) -> String {
    let ObjectRef { kind, namespace, name } = object;
    let integration = plan.integrations.iter().find(|i| i.resource.object_ref() == object);
    match (kind, integration) {
        (_, Some(integration)) => format!("integration `{}`", integration.resource.spec.name),
        (Kind::MetricsInstance | Kind::LogsInstance, _) => format!("instance `{namespace}/{name}`"),
        _ => format!("{kind} `{namespace}/{name}`"),
    }
}

/// The values that `<agent>-secrets` copies.
fn values(hierarchy: &Hierarchy<'_, '_>) -> BTreeMap<String, usize> {
    let values = hierarchy.secrets.iter();
    values.map(|(key, value)| (format!("`{key}`"), value.len())).collect()
}

fn sorted(parts: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by_key(|(_, bytes)| Reverse(*bytes));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, found, manifest};

    #[test]
    fn two_large_secrets_are_one_too_large() {
        let value = "x".repeat(600 << 10);
        let secret =
            |name| format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\nstringData: {{ca: {value}}}");
        let remote_write = |name| format!("{{url: u, tlsConfig: {{ca: {{secret: {{name: {name}, key: ca}}}}}}}}");
        let spec = format!(
            "metrics: {{remoteWrite: [{}, {}]}}",
            remote_write("s"),
            remote_write("t")
        );
        let mut found = found(&[&agent("a", &spec), &secret("s"), &secret("t")]);
        found.retain(|found| found.code != Code::SelectsNothing);
        assert_eq!(
            found.len(),
            1,
            "{:?}",
            found.iter().map(|d| &d.message).collect::<Vec<_>>()
        );
        assert_eq!(
            found[0].message,
            "Secret `a-secrets` would hold 1.18 MiB, but Kubernetes allows at most 1 MiB"
        );
        assert_eq!(
            found[0].help.as_deref(),
            Some(
                "split the agent in two; most of the size comes from `/secrets/default/s/ca` (50 %), \
                 `/secrets/default/t/ca` (50 %)"
            )
        );
    }

    /// Makes text that does not compress: a linear congruential sequence.
    fn noise() -> impl FnMut(usize) -> String {
        let mut state = 1_u64;
        move |length| {
            let next = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[(state >> 58) as usize])
            };
            (0..length).map(next).collect()
        }
    }

    #[test]
    fn what_fills_a_configuration_is_named() {
        let mut noise = noise();
        let fields = "metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}, integrations: {selector: {}}";
        let receiver = |field: &str, noise: String| format!("{{{field}: [{{url: 'http://u/{noise}'}}]}}");
        let stage = format!(
            "{{selector: {{}}, pipelineStages: [{{output: {{source: {}}}}}]}}",
            noise(800_000)
        );
        let integration = |name: &str, noise: String| {
            let config = format!("{{instance: {noise}}}");
            crate::check::tests::integration(name, name, &[], &config)
        };
        let logs = format!(
            "podLogsSelector: {{}}, clients: [{{url: 'http://u/{}'}}]",
            noise(900_000)
        );
        let found = found(&[
            &agent("a", fields),
            &manifest("MetricsInstance", "m", &receiver("remoteWrite", noise(1_600_000))),
            &manifest("LogsInstance", "l", &format!("{{{logs}}}")),
            &manifest("PodLogs", "p", &stage),
            &integration("redis", noise(1_000_000)),
            &integration("mysql", noise(700_000)),
        ]);
        let found = found.iter().filter(|d| d.code == Code::SecretTooLarge);
        let mut helps: Vec<_> = found.map(|found| found.help.as_deref().unwrap()).collect();
        helps.sort_unstable();
        let start = "split the agent in two; most of the size comes from";
        let expected = [
            "instance `default/l` (52 %), PodLogs `default/p` (47 %)",
            "instance `default/m` (100 %)",
            "instance `default/m` (38 %), integration `redis` (23 %), instance `default/l` (21 %)",
        ];
        assert_eq!(helps, expected.map(|parts| format!("{start} {parts}")));
    }

    #[test]
    fn monitors_that_fill_a_configuration_are_named() {
        let mut noise = noise();
        let monitor = |name: &str, path: String| {
            format!(
                "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}}}\n\
                 spec: {{selector: {{}}, endpoints: [{{path: /{path}}}]}}"
            )
        };
        let (long, short) = (monitor("long", noise(1_600_000)), monitor("short", noise(1_000)));
        let found = found(&[
            &agent("a", "metrics: {instanceSelector: {}}"),
            &manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}"),
            &long,
            &short,
        ]);
        let found: Vec<_> = found.iter().filter(|d| d.code == Code::SecretTooLarge).collect();
        assert_eq!(found.len(), 1);
        assert!(
            found[0].message.starts_with("Secret `a-config` would hold 1.1"),
            "{}",
            found[0].message
        );
        let help = found[0].help.as_deref().unwrap();
        assert!(
            help.contains("comes from ServiceMonitor `default/long` (99 %), ServiceMonitor `default/short` (0 %)"),
            "{help}"
        );

        let alike: Vec<_> = (0..1_200).map(|i| monitor(&format!("m{i}"), noise(1_600))).collect();
        let found = self::found(&[
            &agent("a", "metrics: {instanceSelector: {}}"),
            &manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}"),
            &alike.join("\n---\n"),
        ]);
        let found = found.iter().find(|d| d.code == Code::SecretTooLarge).unwrap();
        assert_eq!(
            found.help.as_deref(),
            Some(
                "split the agent in two; the size comes from 1201 resources, of which the largest three are less than \
                 10 %"
            ),
            "the instance is one of them"
        );

        let many: Vec<_> = (0..10_000).map(|i| monitor(&format!("m{i}"), i.to_string())).collect();
        let many = many.join("\n---\n");
        let found = self::found(&[
            &agent("a", "metrics: {instanceSelector: {}}"),
            &manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}"),
            &long,
            &many,
        ]);
        let found = found.iter().find(|d| d.code == Code::SecretTooLarge).unwrap();
        assert_eq!(found.help.as_deref(), Some("split the agent into several"));
    }

    #[test]
    fn sizes_are_those_of_go() {
        for (text, size) in [
            ("", 3),
            ("abc", 6),
            ("<a&b>", 2 + 2 + 18 + 1),
            ("\u{2028}\"\n", 2 + 6 + 2 + 2 + 1),
            ("ä", 5),
        ] {
            assert_eq!(go_json_size(&json!(text).to_string()), size, "{text}");
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
