//! CustomResourceDefinitions, as shipped with the operator (`operations/agent-static-operator/crds`).

use serde_json::{Value, json};

use super::described::{kind_schema, set};
use crate::api::Kind;

/// Returns the CustomResourceDefinition for a kind.
pub fn crd(kind: Kind) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{}.{}", kind.plural(), kind.group())},
        "spec": {
            "group": kind.group(),
            "names": crd_names(kind),
            "scope": kind.scope(),
            "versions": [{
                "name": kind.version(),
                "schema": {"openAPIV3Schema": kind_schema(kind)},
                "served": true,
                "storage": true,
            }],
        },
    })
}

/// Returns the CustomResourceDefinitions of several kinds as one List.
pub fn crd_list(kinds: impl IntoIterator<Item = Kind>) -> Value {
    let items: Vec<Value> = kinds.into_iter().map(crd).collect();
    json!({"apiVersion": "v1", "items": items, "kind": "List"})
}

fn crd_names(kind: Kind) -> Value {
    let mut names = json!({
        "categories": [category(kind)],
        "kind": kind.as_str(),
        "listKind": format!("{kind}List"),
        "plural": kind.plural(),
        "singular": kind.as_str().to_ascii_lowercase(),
    });
    if let [_, short_names @ ..] = kind.names()
        && !short_names.is_empty()
    {
        set(&mut names, "shortNames", short_names);
    }
    names
}

/// Returns the category that `kubectl get` accepts to list all related kinds.
fn category(kind: Kind) -> &'static str {
    if kind.is_prometheus_kind() { "prometheus-operator" } else { "agent-operator" }
}

#[cfg(test)]
mod tests {
    use super::super::described::kinds;
    use super::*;
    use crate::api::schema::schema_json;

    /// Removes descriptions, but keeps fields named `description`.
    fn strip(schema: &mut Value) {
        let Some(schema) = schema.as_object_mut() else { return };
        schema.remove("description");
        let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
        fields.into_iter().flatten().for_each(|(_, field)| strip(field));
        ["items", "additionalProperties"].into_iter().for_each(|part| schema.get_mut(part).into_iter().for_each(strip));
    }

    #[test]
    fn crds_without_descriptions_match_the_definitions() {
        for kind in kinds() {
            let mut crd = crd(kind);
            let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
            strip(schema);
            assert_eq!(*schema, schema_json(kind), "{kind}");
        }
    }

    #[test]
    fn crd_names_match_the_operator() {
        let monitor = crd(Kind::ServiceMonitor);
        assert_eq!(monitor["metadata"]["name"], "servicemonitors.monitoring.coreos.com");
        assert_eq!(
            monitor["spec"]["names"],
            json!({
                "categories": ["prometheus-operator"],
                "kind": "ServiceMonitor",
                "listKind": "ServiceMonitorList",
                "plural": "servicemonitors",
                "shortNames": ["smon"],
                "singular": "servicemonitor",
            })
        );
        let logs = crd(Kind::PodLogs);
        assert_eq!(logs["spec"]["names"]["plural"], "podlogs");
        assert_eq!(logs["spec"]["names"]["categories"], json!(["agent-operator"]));
        assert_eq!(logs["spec"]["names"].get("shortNames"), None);
        assert_eq!(logs["spec"]["versions"][0]["name"], "v1alpha1");
        assert_eq!(crd_list(kinds())["items"].as_array().map(Vec::len), Some(8));
    }
}
