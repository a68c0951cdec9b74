//! Settings of the agent itself and of its container that Alloy has no use for, or another one.

use serde_json::Value;

use super::environment::CONTAINER;
use super::loss::Loss;
use crate::api::core::embedded;
use crate::diagnostic::{Code, FieldPath};
use crate::plan::{Origin, Plan, Watcher, follows};

/// Fields of the agent's container, and whether Alloy's container takes them too: its image and what it runs are its own.
const CONTAINER_FIELDS: [(&str, bool); 11] = [
    ("image", false),
    ("command", false),
    ("args", false),
    ("env", true),
    ("envFrom", true),
    ("ports", true),
    ("livenessProbe", true),
    ("readinessProbe", true),
    ("startupProbe", true),
    ("lifecycle", true),
    ("workingDir", true),
];

/// Whether what the user says of the agent's container in this field holds for Alloy's.
pub fn takes_over(field: &str) -> bool {
    !CONTAINER_FIELDS.contains(&(field, false))
}

/// What Alloy lacks of the settings of the agent itself.
pub fn losses<'p>(plan: &Plan<'p>, watcher: Option<Watcher>) -> Vec<Loss<'p>> {
    let (spec, origin) = (&plan.agent.spec, Origin::of(plan.agent));
    let loss = |code, origin, message: String, help| Loss {
        code,
        origin,
        below: FieldPath::new(),
        message,
        help,
    };
    let mut losses = Vec::new();
    if spec.enable_config_read_api {
        losses.push(loss(
            Code::LostSetting,
            origin.at("spec.enableConfigReadAPI"),
            "Alloy has no API to read its configuration; its user interface shows it".to_owned(),
            "remove the field once nothing runs the agent any more",
        ));
    }
    losses.extend(image_of_agent(plan).map(|origin| {
        let message = "this image is that of the agent, and not used for Alloy".to_owned();
        loss(
            Code::AgentImage,
            origin,
            message,
            "set the image of Alloy with --alloy-image",
        )
    }));
    losses.extend((!plan.metrics.is_empty()).then(|| Loss {
        code: Code::NormalizedLabel,
        origin: origin.at("spec.metrics"),
        below: FieldPath::new(),
        message: "Alloy writes whole numbers in the labels `le` and `quantile` as `1.0`".to_owned(),
        help: "write `le=~\"1([.]0)?\"` in queries that have `le=\"1\"`",
    }));
    for (i, container) in spec.containers.iter().enumerate() {
        let container: &Value = container;
        if embedded::name(container) != CONTAINER {
            continue;
        }
        let fields = CONTAINER_FIELDS
            .iter()
            .filter(|(field, _)| *field != "image" && container.get(field).is_some());
        losses.extend(fields.map(|(field, is_taken_over)| {
            let (use_of_it, help) = match is_taken_over {
                true => (
                    "was written for the agent, and is used for Alloy too",
                    "remove what Alloy does not need once nothing runs the agent any more",
                ),
                false => (
                    "is for the agent, and not used for Alloy",
                    "remove the field once nothing runs the agent any more: what Alloy runs cannot be set",
                ),
            };
            let message = format!("`{field}` of the container `{CONTAINER}` {use_of_it}");
            let origin = origin.at("spec.containers").item(i).key(field);
            loss(Code::LostSetting, origin, message, help)
        }));
    }
    if let Some(watcher) = watcher.filter(|_| !plan.metrics.is_empty()) {
        losses.extend(of_discovery(plan, watcher));
    }
    losses
}

/// What Alloy lacks where it finds monitors itself, or why it does not.
fn of_discovery<'p>(plan: &Plan<'p>, watcher: Watcher) -> Vec<Loss<'p>> {
    let loss = |code, origin, message, help| Loss {
        code,
        origin,
        below: FieldPath::new(),
        message,
        help,
    };
    let (spec, agent) = (&plan.agent.spec, Origin::of(plan.agent));
    let static_pipelines = |(origin, what)| {
        let message = format!("Alloy cannot {what} monitors that it finds itself, so their pipelines stay static");
        let help = "remove the setting if you do not need it, or leave out --alloy-discovery";
        loss(Code::StaticDiscovery, origin, message, help)
    };
    let mut losses: Vec<_> = plan.obstacles(watcher).map(static_pipelines).collect();
    if !follows(spec, Some(watcher)) {
        return losses;
    }
    if spec.metrics.enforced_sample_limit.is_some() {
        losses.push(loss(
            Code::LostSetting,
            agent.at("spec.metrics.enforcedSampleLimit"),
            "the `sampleLimit` of a monitor wins over this limit with Alloy".to_owned(),
            "leave out --alloy-discovery if nobody may set a higher limit",
        ));
    }
    if spec.api_server.is_some() {
        losses.push(loss(
            Code::LostSetting,
            agent.at("spec.apiServer"),
            "Alloy also reads monitors and their Secrets from this API server".to_owned(),
            "leave out --alloy-discovery if it is that of another cluster",
        ));
    }
    losses
}

/// The field with the image of the agent, or its version; the first where there are several.
fn image_of_agent<'p>(plan: &Plan<'p>) -> Option<Origin<'p>> {
    let (spec, origin) = (&plan.agent.spec, Origin::of(plan.agent));
    let of_container = || {
        let has_image = |container: &Value| embedded::name(container) == CONTAINER && container.get("image").is_some();
        let number = spec.containers.iter().position(|container| has_image(container))?;
        Some(origin.at("spec.containers").item(number).key("image"))
    };
    match () {
        () if spec.image.is_some_and(|image| !image.is_empty()) => Some(origin.at("spec.image")),
        () if !spec.version.is_empty() => Some(origin.at("spec.version")),
        () => of_container(),
    }
}
