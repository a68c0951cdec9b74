//! Secrets beyond 1 MiB (`MaxSecretSize`): the API server refuses them, and the agent keeps its old configuration.

use super::{contributions, diagnostics};
use crate::diagnostic::Diagnostic;
use crate::pods::Object;
use crate::resolve::Hierarchy;

/// `MaxSecretSize`.
pub(super) const MAX: usize = 1 << 20;

pub(super) fn check(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    objects
        .iter()
        .filter_map(|object| {
            let size = size(object);
            let parts = (size > MAX).then(|| contributions::of(hierarchy, object.name()))?;
            Some(diagnostics::secret_too_large(
                hierarchy.agent,
                object.name(),
                size,
                &parts,
            ))
        })
        .collect()
}

/// The bytes of all values, as the API server counts them.
pub(super) fn size(object: &Object) -> usize {
    match object {
        Object::Secret(secret) => secret.data.iter().flatten().map(|(_, value)| value.0.len()).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, manifest};
    use crate::diagnostic::Code;

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
        let found = found(&[&agent("a", &spec), &secret("s"), &secret("t")]);
        assert_eq!(
            found.len(),
            1,
            "{:?}",
            found.iter().map(|d| &d.message).collect::<Vec<_>>()
        );
        assert_eq!(
            found[0].message,
            "Secret `a-secrets` would hold 1.18 MiB, and Kubernetes takes 1 MiB at most"
        );
        assert_eq!(
            found[0].help.as_deref(),
            Some(
                "divide it between two agents; most of it comes from `/secrets/default/s/ca` (50 %), \
                 `/secrets/default/t/ca` (50 %)"
            )
        );
    }

    #[test]
    fn monitors_that_fill_a_configuration_are_named() {
        // Text that does not compress: a linear congruential sequence.
        let mut state = 1_u64;
        let mut noise = |length: usize| -> String {
            let next = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[(state >> 58) as usize])
            };
            (0..length).map(next).collect()
        };
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
                "divide it between two agents; it is spread over 1201 resources, and the largest three have less than \
                 10 % of it"
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
        assert_eq!(found.help.as_deref(), Some("divide it between agents"));
    }
}
