//! The answer for programs.

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::{Affected, AffectedAgent, AffectedObject};
use crate::api::ObjectRef;
use crate::insight::target::Located;

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
///
/// An item is made when it is written: thousands of namespaces may be selected through the same hundreds of instances.
pub fn to_json(affected: &Affected<'_>) -> impl Serialize {
    Document {
        agents: Each(&affected.agents, agent),
        idle: Each(&affected.idle, |located| json!(located.object)),
        others: Each(&affected.others, object),
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Document<'a, 'd> {
    agents: Each<'a, AffectedAgent<'d>, Agent<'a, 'd>>,
    idle: Each<'a, Located<'d>, Json>,
    others: Each<'a, AffectedObject, Json>,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Agent<'a, 'd> {
    because: Each<'a, (ObjectRef<'d>, Vec<ObjectRef<'d>>), Json>,
    name: &'a str,
    namespace: &'a str,
    objects: Each<'a, AffectedObject, Json>,
    rendered: bool,
}

/// A list, and how each item is written.
struct Each<'a, T, J>(&'a [T], fn(&'a T) -> J);

impl<T, J: Serialize> Serialize for Each<'_, T, J> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

fn agent<'a, 'd>(agent: &'a AffectedAgent<'d>) -> Agent<'a, 'd> {
    Agent {
        because: Each(&agent.because, because),
        name: &agent.name,
        namespace: &agent.namespace,
        objects: Each(&agent.objects, object),
        rendered: agent.is_rendered,
    }
}

fn because((target, through): &(ObjectRef<'_>, Vec<ObjectRef<'_>>)) -> Json {
    let ObjectRef { kind, namespace, name } = target;
    json!({ "kind": kind, "namespace": namespace, "name": name, "through": through })
}

fn object(object: &AffectedObject) -> Json {
    json!({
        "change": object.change.as_str(),
        "kind": object.kind,
        "namespace": object.namespace,
        "name": object.name,
    })
}
