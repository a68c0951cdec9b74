//! Removes secret values from rendered objects (`--secrets`).

use super::agents::{RecordedFacts, RenderOptions, RenderedAgents, objects, pack_configuration};
use super::diagnostics;
use super::template::templates;
use crate::api::Resources;
use crate::budget::{Budget, BudgetExhausted};
use crate::diagnostic::Warned;
use crate::manifest::{self, ObjectRole, Objects, external_configuration, external_secret};
use crate::output::Language;
use crate::plan::SecretRepresentation;
use crate::resolve::{Hierarchy, SecretMode};

/// Renders objects and converts them to the form selected by `--secrets`, without intermediate checks.
pub fn render_for_delivery(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    mode: &SecretMode,
    options: &RenderOptions,
) -> Warned<Objects> {
    let rendered_agents = objects(hierarchies, &resources.nodes, options);
    let mut delivered_objects = deliver(rendered_agents.output, hierarchies, resources, mode, options);
    delivered_objects.diagnostics.splice(0..0, rendered_agents.diagnostics);
    delivered_objects
}

/// Maximum size of a Secret in bytes (`MaxSecretSize` in Kubernetes).
const MAX_SECRET: usize = 1 << 20;

/// Returns the objects in the form selected by `--secrets`. `rendered` still contains the values, so that checks cover
/// the final configuration.
///
/// For `external`, an ExternalSecret replaces each configuration that contains values, and `<agent>-secrets` is
/// replaced by an ExternalSecret or removed. Fields whose values cannot come from a template have already been
/// reported.
pub fn deliver(
    rendered: RenderedAgents<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    resources: &Resources<'_>,
    mode: &SecretMode,
    options: &RenderOptions,
) -> Warned<Objects> {
    let RenderedAgents { mut objects, plans } = rendered;
    let mut diagnostics = Vec::new();
    let budget = Budget::new(options.max_output_size.0);
    for ((agent, plan), hierarchy) in objects.agents.iter_mut().zip(&plans).zip(hierarchies) {
        let Some(plan) = plan else { continue };
        let mut templates = match (mode, options.manifest.target.language()) {
            // If values are inline, the objects are unchanged.
            (SecretMode::Inline, _) => continue,
            (SecretMode::External(_), _) if !hierarchy.has_secret_values() => continue,
            (SecretMode::External(_), Language::Agent) => templates(plan),
            (SecretMode::External(_), Language::Alloy) | (SecretMode::Placeholder, _) => Vec::new(),
        };
        agent.has_external_values = matches!(mode, SecretMode::External(_));
        for object in std::mem::take(&mut agent.objects) {
            let delivered_object = match (mode, object.role()) {
                (SecretMode::Placeholder, ObjectRole::Values) => {
                    Ok(Some(object.with_data(manifest::placeholders(hierarchy))))
                }
                // Placeholders are longer than values, so the size limit applies again.
                (SecretMode::Placeholder, ObjectRole::Configuration(part)) => {
                    let packed_configuration = pack_configuration(
                        plan,
                        part,
                        SecretRepresentation::Placeholders,
                        options,
                        &budget,
                        &mut RecordedFacts::default(),
                    );
                    packed_configuration.map(|configuration| Some(object.with_configuration(&configuration)))
                }
                (SecretMode::External(remote), ObjectRole::Values) => Ok(external_secret(hierarchy, resources, remote)),
                (SecretMode::External(remote), ObjectRole::Configuration(part)) => {
                    Ok(match templates.iter().position(|(candidate, _)| *candidate == part) {
                        None => Some(object),
                        Some(at) => {
                            let (_, (text, values)) = templates.swap_remove(at);
                            // A template cannot compress its output, so the entire text must fit in the Secret.
                            if text.len() > MAX_SECRET {
                                let size = text.len();
                                let agent = hierarchy.agent;
                                diagnostics.push(diagnostics::template_too_large(agent, &object, size, MAX_SECRET));
                            }
                            let template = (text, values.as_slice());
                            external_configuration(hierarchy, resources, remote, part, template, &options.manifest)
                        }
                    })
                }
                _ => Ok(Some(object)),
            };
            let fits_in_secret =
                delivered_object.and_then(|object| match object.as_ref().map(|object| budget.spend(object.size())) {
                    Some(Err(BudgetExhausted)) => Err(Box::new(diagnostics::output_too_large(options.max_output_size))),
                    _ => Ok(object),
                });
            match fits_in_secret {
                Ok(object) => agent.objects.extend(object),
                Err(failed) => {
                    diagnostics.push(*failed);
                    break;
                }
            }
        }
    }
    Warned { output: objects, diagnostics }
}

#[cfg(test)]
mod tests {
    use crate::compile::CompileOptions;
    use crate::diagnostic::{Code, Severity};
    use crate::manifest::{ConfigHolder, Object, ObjectRole};
    use crate::plan::ConfigKind;
    use crate::resolve::{Remote, SecretMode, Store};
    use crate::testing::TestInput;

    const INPUT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a}
spec:
  metrics:
    instanceSelector: {}
    remoteWrite: [{url: 'http://u', basicAuth: {username: {name: s, key: user}, password: {name: s, key: pass}}}]
  logs: {instanceSelector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m}
spec: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: l}
spec: {clients: [{url: 'http://l'}]}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {user: me, pass: hunter2}
";

    /// Returns the objects that contain values or configurations, and whether the values come from an external source.
    fn render_for_delivery(input: &str, secrets: SecretMode) -> (Vec<Object>, bool) {
        let mut input = TestInput::new(input);
        input.options.resolve.secrets = secrets;
        let bundle = input.compile().output;
        let agent = bundle.objects.agents.into_iter().next().unwrap();
        let holds_values = |object: &Object| matches!(object.role(), ObjectRole::Values | ObjectRole::Configuration(_));
        let objects = agent.objects.into_iter().filter(holds_values).collect();
        (objects, agent.has_external_values)
    }

    #[test]
    fn delivers_secret_values_in_the_requested_mode() {
        let store = Store { kind: "SecretStore".to_owned(), name: "vault".to_owned() };
        let external = || SecretMode::External(Remote { store: Some(store.clone()), ..Remote::default() });
        let nowhere = || SecretMode::External(Remote::default());
        let input_without_credentials =
            &INPUT.replace(", basicAuth: {username: {name: s, key: user}, password: {name: s, key: pass}}", "");
        let (secret, external_secret) = ("Secret", "ExternalSecret");
        for (mode, input, kinds, is_external) in [
            (SecretMode::Inline, INPUT, [secret, secret, secret].as_slice(), false),
            (SecretMode::Placeholder, INPUT, &[secret, secret, secret], false),
            (external(), INPUT, &[external_secret, external_secret, secret], true),
            // The source of the values is unknown.
            (nowhere(), INPUT, &[secret], true),
            (external(), input_without_credentials, &[secret, secret, secret], false),
        ] {
            let (objects, has_external_values) = render_for_delivery(input, mode.clone());
            let kinds_found: Vec<_> = objects.iter().map(Object::kind).collect();
            assert_eq!((kinds_found.as_slice(), has_external_values), (kinds, is_external), "{mode:?}");
            let roles = objects.iter().map(Object::role);
            assert!(
                roles.eq([
                    ObjectRole::Values,
                    ObjectRole::Configuration(ConfigKind::Metrics),
                    ObjectRole::Configuration(ConfigKind::Logs)
                ]
                .into_iter()
                .skip(3 - kinds.len()))
            );
            let all_yaml: String = objects.iter().map(Object::to_yaml).collect();
            let has_value = all_yaml.contains(&crate::go::base64::encode(b"hunter2"));
            assert_eq!(has_value, mode == SecretMode::Inline && input == INPUT, "{mode:?}");
        }
    }

    #[test]
    fn masks_configurations_for_display() {
        for masks in [false, true] {
            let mut input = TestInput::new(INPUT);
            input.options.render.masks = masks;
            let agents = input.compile().output.objects.agents;
            for object in &agents[0].objects {
                let is_shown = masks && matches!(object.role(), ObjectRole::Configuration(_));
                assert_eq!(object.masked_configuration().is_some(), is_shown, "{:?}", object.key());
            }
        }
    }

    fn codes(input: &str, change: impl FnOnce(&mut CompileOptions)) -> Vec<Code> {
        let mut input = TestInput::new(input);
        change(&mut input.options);
        let found = input.findings().into_iter();
        found.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect()
    }

    #[test]
    fn templates_must_fit_into_a_secret() {
        let input_of_size = |length: usize| {
            let label = format!("  metrics:\n    externalLabels: {{x: {}}}", "x".repeat(length));
            INPUT.replacen("  metrics:", &label, 1)
        };
        let external = || {
            SecretMode::External(Remote {
                store: Some(Store { kind: "SecretStore".to_owned(), name: "vault".to_owned() }),
                ..Remote::default()
            })
        };
        let (objects, _) = render_for_delivery(&input_of_size(1), external());
        let template = objects[1].to_json();
        let template = template.pointer("/spec/target/template/data/agent.yml").unwrap();
        let rest = template.as_str().unwrap().len() - 1;
        for (size, expected) in [(1 << 20, [].as_slice()), ((1 << 20) + 1, &[Code::ObjectTooLarge])] {
            let codes_found = codes(&input_of_size(size - rest), |options| options.resolve.secrets = external());
            assert_eq!(codes_found, expected, "{size}");
        }
    }

    #[test]
    fn accepts_shards_up_to_the_limit() {
        let shards = |count: usize| INPUT.replacen("  metrics:", &format!("  metrics:\n    shards: {count}"), 1);
        for (count, expected) in [(2, [].as_slice()), (3, &[]), (4, &[Code::TooManyShards])] {
            let actual = codes(&shards(count), |options| options.render.max_shards = 3);
            assert_eq!(actual, expected, "{count}");
        }
    }

    #[test]
    fn rejects_secret_values_in_config_maps() {
        for (kind, expected) in
            [(ConfigHolder::Secret, [].as_slice()), (ConfigHolder::ConfigMap, &[Code::InlinedSecret])]
        {
            let actual = codes(INPUT, |options| options.render.manifest.config_kind = kind);
            assert_eq!(actual, expected);
        }
    }
}
