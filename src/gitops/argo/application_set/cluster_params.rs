//! The cluster generator, for Argo CD's own cluster and the clusters whose Secrets are in the repository.

use std::collections::BTreeMap;

use serde_json::Value;

use super::context::GeneratorContext;
use super::git::with_values;
use super::names::normalize;
use super::params::{ExpansionFailure, Params};
use super::render::{Renderer, template_failure};
use super::selector::Selector;
use crate::gitops::argo::destination::{IN_CLUSTER, IN_CLUSTER_ADDRESS};
use crate::gitops::object::{Object, text_at};
use crate::go::base64;
use crate::go::template::{ListKind, MapKind, TemplateValue};

/// Returns the parameters of a cluster generator (`ClusterGenerator.GenerateParams`).
pub fn params(
    clusters: &Value,
    context: &GeneratorContext<'_>,
    renderer: &Renderer<'_>,
) -> Result<Vec<Params>, ExpansionFailure> {
    let selector = clusters.get("selector").map(Selector::new).transpose().map_err(ExpansionFailure::Mistake)?;
    let selects_all = selector.as_ref().is_none_or(Selector::is_empty);
    let mut sets = Vec::new();
    let mut has_local_secret = false;
    for secret in context.clusters {
        let labels: BTreeMap<String, String> = string_values(secret, "labels");
        if !selector.as_ref().is_none_or(|selector| selector.is_match(&labels)) {
            continue;
        }
        has_local_secret |= data_value(secret, "server") == IN_CLUSTER_ADDRESS;
        sets.push(with_values(clusters, cluster_params(secret, labels, renderer)?, renderer)?);
    }
    if selects_all && !has_local_secret {
        let local_params =
            [("name", IN_CLUSTER), ("nameNormalized", IN_CLUSTER), ("server", IN_CLUSTER_ADDRESS), ("project", "")];
        let local_params = local_params.map(|(key, value)| (key.to_owned(), TemplateValue::text(value)));
        sets.push(with_values(clusters, local_params.into(), renderer)?);
    }
    if sets.is_empty() {
        return Err(ExpansionFailure::Skipped(
            "cluster generator: no matching cluster is in this repository".to_owned(),
        ));
    }
    if clusters.get("flatList") == Some(&Value::Bool(true)) {
        let list = sets.into_iter().map(|set| TemplateValue::map(MapKind::Any, set));
        let list = list.collect::<Result<_, _>>().and_then(|list| TemplateValue::list(ListKind::Any, list));
        return Ok(vec![Params::from([("clusters".to_owned(), list.map_err(template_failure)?)])]);
    }
    Ok(sets)
}

/// Whether an object is a Secret that describes a cluster.
pub fn is_cluster(object: &Object) -> bool {
    const LABEL: &str = "argocd.argoproj.io/secret-type";
    text_at(object, &["kind"]) == "Secret" && text_at(object, &["metadata", "labels", LABEL]) == "cluster"
}

/// Returns the parameters of a cluster (`getClusterParameters`).
fn cluster_params(
    secret: &Object,
    labels: BTreeMap<String, String>,
    renderer: &Renderer<'_>,
) -> Result<Params, ExpansionFailure> {
    let name = data_value(secret, "name");
    let mut params: Params = [
        ("nameNormalized", normalize(&name)),
        ("server", data_value(secret, "server")),
        ("project", data_value(secret, "project")),
        ("name", name),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), TemplateValue::text(value)))
    .collect();
    let mut metadata = Params::new();
    for (field, entries) in [("annotations", string_values(secret, "annotations")), ("labels", labels)] {
        let entries = entries.into_iter().map(|(key, value)| (key, TemplateValue::text(value)));
        if !renderer.is_go {
            params.extend(entries.map(|(key, value)| (format!("metadata.{field}.{key}"), value)));
            continue;
        }
        let entries: Params = entries.collect();
        if !entries.is_empty() {
            metadata.insert(field.to_owned(), TemplateValue::map(MapKind::Strings, entries).map_err(template_failure)?);
        }
    }
    if renderer.is_go {
        params.insert("metadata".to_owned(), TemplateValue::map(MapKind::Any, metadata).map_err(template_failure)?);
    }
    Ok(params)
}

/// Returns a value in a Secret, or an empty string if it is missing.
fn data_value(secret: &Object, key: &str) -> String {
    match text_at(secret, &["stringData", key]) {
        "" => {
            let decoded_bytes = base64::decode(text_at(secret, &["data", key])).unwrap_or_default();
            String::from_utf8(decoded_bytes).unwrap_or_default()
        }
        plain => plain.to_owned(),
    }
}

fn string_values(object: &Object, field: &str) -> BTreeMap<String, String> {
    let entries = object.get("metadata").and_then(|metadata| metadata.get(field)).and_then(Value::as_object);
    let entries = entries.into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}
