//! Settings of the agent itself and of its container that Alloy has no use for, or another one.

use serde_json::Value;

use super::environment::CONTAINER;
use super::loss::Loss;
use crate::api::core::embedded;
use crate::diagnostic::{Code, FieldPath};
use crate::plan::{Origin, Plan};

const IMAGE: &str = "set the image of Alloy with --alloy-image";

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
pub fn losses<'p>(plan: &Plan<'p>) -> Vec<Loss<'p>> {
    let (spec, origin) = (&plan.agent.spec, Origin::of(plan.agent));
    let loss = |origin, message: String, help| Loss {
        code: Code::LostSetting,
        origin,
        below: FieldPath::new(),
        message,
        help,
    };
    let of_agent = [
        (
            spec.enable_config_read_api,
            "spec.enableConfigReadAPI",
            "Alloy has no API to read its configuration; its user interface shows it",
            "remove the field once nothing runs the agent any more",
        ),
        (
            spec.image.is_some_and(|image| !image.is_empty()),
            "spec.image",
            "`image` is the image of the agent and is not used for Alloy",
            IMAGE,
        ),
        (
            !spec.version.is_empty(),
            "spec.version",
            "`version` is the version of the agent, and not used for Alloy",
            IMAGE,
        ),
    ];
    let of_agent = of_agent.into_iter().filter(|(is_set, ..)| *is_set);
    let mut losses: Vec<_> = of_agent
        .map(|(_, field, message, help)| loss(origin.at(field), message.to_owned(), help))
        .collect();
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
            .filter(|(field, _)| container.get(field).is_some());
        losses.extend(fields.map(|(field, is_taken_over)| {
            let (use_of_it, help) = match (*field, is_taken_over) {
                (_, true) => (
                    "was written for the agent, and is used for Alloy too",
                    "remove what Alloy does not need once nothing runs the agent any more",
                ),
                ("image", false) => ("is for the agent, and not used for Alloy", IMAGE),
                (_, false) => (
                    "is for the agent, and not used for Alloy",
                    "remove the field once nothing runs the agent any more: what Alloy runs cannot be set",
                ),
            };
            let message = format!("`{field}` of the container `{CONTAINER}` {use_of_it}");
            loss(origin.at("spec.containers").item(i).key(field), message, help)
        }));
    }
    losses
}
