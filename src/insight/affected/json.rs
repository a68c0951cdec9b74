//! The answer for programs.

use serde_json::{Value as Json, json};

use super::{Affected, AffectedAgent, AffectedObject};
use crate::api::ObjectRef;

/// The answer as one object:
///
/// ```text
/// {"agents": […], "others": […], "idle": […]}
/// agent   namespace, name, rendered, objects, because
/// object  change, kind, namespace, name
/// because kind, namespace, name, through
/// idle    kind, namespace, name
/// ```
///
/// `change` is `possible` where it is about dependencies, and `added`, `changed` or `removed` between two revisions.
pub fn to_json(affected: &Affected<'_>) -> Json {
    let agents: Vec<_> = affected.agents.iter().map(agent).collect();
    let others: Vec<_> = affected.others.iter().map(object).collect();
    let idle: Vec<_> = affected.idle.iter().map(|located| resource(located.object)).collect();
    json!({ "agents": agents, "others": others, "idle": idle })
}

fn agent(agent: &AffectedAgent<'_>) -> Json {
    let because = agent.because.iter().map(|(target, through)| {
        let mut json = resource(*target);
        let through: Vec<_> = through.iter().copied().map(resource).collect();
        if let Json::Object(fields) = &mut json {
            fields.insert("through".to_owned(), through.into());
        }
        json
    });
    json!({
        "namespace": agent.namespace,
        "name": agent.name,
        "rendered": agent.is_rendered,
        "objects": agent.objects.iter().map(object).collect::<Vec<_>>(),
        "because": because.collect::<Vec<_>>(),
    })
}

fn object(object: &AffectedObject) -> Json {
    json!({
        "change": object.change.as_str(),
        "kind": object.kind,
        "namespace": object.namespace,
        "name": object.name,
    })
}

fn resource(object: ObjectRef<'_>) -> Json {
    json!({ "kind": object.kind.as_str(), "namespace": object.namespace, "name": object.name })
}
