//! Settings of the agent and its container that Alloy ignores or uses differently.

use serde_json::Value;

use super::loss::{RULE, loss};
use super::scrape_losses::{normalized_number_loss, rule_loss};
use crate::api::core::embedded;
use crate::diagnostic::{Code, Diagnostic};
use crate::flow::ExpressionCache;
use crate::output::variables::CONTAINER;
use crate::plan::{Origin, Plan, Watcher, discovers_monitors};

/// Fields of the agent's container that do not apply to Alloy's container, which has its own image and command.
const IGNORED_CONTAINER_FIELDS: [&str; 3] = ["image", "command", "args"];

/// Fields that are reported if the user sets them on the agent's container.
const REPORTED_CONTAINER_FIELDS: &str =
    "command args env envFrom ports livenessProbe readinessProbe startupProbe lifecycle workingDir";

/// Whether the user's value for this field of the agent's container also applies to Alloy's container.
pub fn applies_to_alloy(field: &str) -> bool {
    !IGNORED_CONTAINER_FIELDS.contains(&field)
}

/// Returns findings for settings of the agent itself that Alloy does not support.
pub fn losses(plan: &Plan<'_>, watcher: Option<Watcher>) -> Vec<Diagnostic> {
    let (spec, agent) = (&plan.agent.spec, Origin::new(plan.agent));
    let mut losses = Vec::new();
    let mut report = |code, origin, message: &str, help| losses.push(loss(code, origin, message, help));
    if spec.enable_config_read_api {
        report(
            Code::LostSetting,
            agent.at("spec.enableConfigReadAPI"),
            "Alloy has no API that returns its configuration, but its user interface shows it",
            "remove the field once you no longer use the agent",
        );
    }
    if let Some(image) = image_of_agent(plan) {
        report(
            Code::AgentImage,
            image,
            "this is the agent's image, which Alloy does not use",
            "remove the field once you no longer use the agent; --alloy-image sets Alloy's image",
        );
    }
    if !plan.metrics.is_empty() {
        report(
            Code::NormalizedLabel,
            agent.at("spec.metrics"),
            "Alloy writes whole numbers in the labels `le` and `quantile` as `1.0` instead of `1`",
            "in queries, replace `le=\"1\"` with `le=~\"1([.]0)?\"`",
        );
    }
    let mut expressions = ExpressionCache::default();
    let receivers = plan.metrics.iter().flat_map(|instance| plan.effective_receivers(instance));
    for receiver in receivers {
        if let Some((origin, loss)) = rule_loss(&receiver.relabelings, &mut expressions, normalized_number_loss) {
            report(loss.code, origin, &loss.message(RULE), loss.help);
        }
    }
    let receivers = plan.metrics.iter().flat_map(|instance| plan.effective_receivers(instance));
    let mut settings = receivers.map(|receiver| receiver.spec.metadata_config.as_ref());
    if settings.any(|settings| settings.is_none_or(|settings| settings.send)) {
        report(
            Code::LostMetadata,
            agent.at("spec.metrics"),
            "Alloy sends no metadata, so the type, help text and unit of each metric are lost",
            "accept the loss with `--allow lost-metadata`, or set `metadataConfig.send` to `false` if you do not use metadata",
        );
    }
    for (i, container) in spec.containers.iter().enumerate() {
        let container: &Value = container;
        let is_own = embedded::name(container) == CONTAINER;
        let is_set = |field: &&str| is_own && container.get(field).is_some();
        for field in REPORTED_CONTAINER_FIELDS.split(' ').filter(is_set) {
            let (usage, help) = match applies_to_alloy(field) {
                true => (
                    "was written for the agent, but Alloy also uses it",
                    "once you no longer use the agent, remove what Alloy does not need",
                ),
                false => (
                    "applies only to the agent, not to Alloy",
                    "remove the field once you no longer use the agent: Alloy's arguments cannot be set",
                ),
            };
            let message = format!("`{field}` of container `{CONTAINER}` {usage}");
            let origin = agent.at("spec.containers").item(i).key(field);
            report(Code::LostSetting, origin, &message, help);
        }
    }
    // The following findings explain why Alloy does or does not discover monitors itself.
    let Some(watcher) = watcher.filter(|_| !plan.metrics.is_empty()) else {
        return losses;
    };
    for (origin, [versions, effect]) in plan.obstacles(watcher) {
        let message = format!(
            "{versions}Alloy cannot {effect} monitors that it discovers itself, so their pipelines stay static"
        );
        let help = "remove the setting if you do not need it, or omit `--alloy-discovery`";
        report(Code::StaticDiscovery, origin, &message, help);
    }
    let is_followed = discovers_monitors(spec, Some(watcher));
    if is_followed && spec.metrics.enforced_sample_limit.is_some() {
        report(
            Code::LostSetting,
            agent.at("spec.metrics.enforcedSampleLimit"),
            "in Alloy, a monitor's `sampleLimit` overrides this limit",
            "omit --alloy-discovery if monitors must not exceed this limit",
        );
    }
    if is_followed && spec.api_server.is_some() {
        report(
            Code::LostSetting,
            agent.at("spec.apiServer"),
            "Alloy also reads monitors and their Secrets from this API server",
            "omit --alloy-discovery if this API server belongs to a different cluster",
        );
    }
    losses
}

/// Returns the field that sets the agent's image or version, or the first such field if there are several.
fn image_of_agent<'p>(plan: &Plan<'p>) -> Option<Origin<'p>> {
    let (spec, origin) = (&plan.agent.spec, Origin::new(plan.agent));
    let container_settings = || {
        let has_image = |container: &Value| embedded::name(container) == CONTAINER && container.get("image").is_some();
        let number = spec.containers.iter().position(|container| has_image(container))?;
        Some(origin.at("spec.containers").item(number).key("image"))
    };
    match () {
        () if spec.image.is_some_and(|image| !image.is_empty()) => Some(origin.at("spec.image")),
        () if !spec.version.is_empty() => Some(origin.at("spec.version")),
        () => container_settings(),
    }
}
