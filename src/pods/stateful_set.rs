//! The StatefulSets of metrics, one a shard.

use std::sync::Arc;

use k8s_openapi::api::apps::v1::{StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy};
use serde_json::Value;

use super::object::encode_at;
use super::options::Options;
use super::pod_template::Pods;
use super::volume_claim::{self, ClaimType};
use super::{metrics_pod, service};
use crate::api::core::shapes;
use crate::api::{GrafanaAgent, Resource};

/// The StatefulSet of one shard. All shards of an agent share what they are made of, so that a thousand take hardly more
/// memory than two.
#[derive(Clone)]
pub struct Shard {
    sets: Arc<Sets>,
    number: i32,
    name: String,
}

/// The first and the last StatefulSet of an agent. They differ in the number of the shard and in what is named after it,
/// and in nothing else: so the ones between follow from them.
struct Sets {
    first: StatefulSet,
    /// The number of the last one with it; none where the first one is the only one.
    last: Option<(i32, StatefulSet)>,
    /// Both as JSON, where there are others between them.
    json: Option<(Value, Value)>,
    claim_type: ClaimType,
}

/// The StatefulSets of an agent (`createMetricsStatefulSets`).
pub(super) fn shards(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    options: &Options,
) -> Result<impl Iterator<Item = Shard> + use<>, serde_json::Error> {
    let count = agent.spec.metrics.shard_count();
    let set = |number| stateful_set(agent, number, options);
    let mut sets = Sets {
        first: set(0)?,
        last: (count > 1).then(|| Ok((count - 1, set(count - 1)?))).transpose()?,
        json: None,
        claim_type: ClaimType::of(&agent.spec),
    };
    if let (3.., Some((_, last))) = (count, &sets.last) {
        sets.json = Some((sets.to_json(&sets.first)?, sets.to_json(last)?));
    }
    let sets = Arc::new(sets);
    let agent = agent.meta.name.to_owned();
    Ok((0..count).map(move |number| Shard {
        sets: Arc::clone(&sets),
        number,
        name: name(&agent, number),
    }))
}

impl Shard {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its namespace.
    pub fn namespace(&self) -> &str {
        self.sets.first.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// The StatefulSet of the first shard.
    pub fn first(&self) -> &StatefulSet {
        &self.sets.first
    }

    /// Whether it is neither the first nor the last one: what holds for these two holds for it.
    pub fn is_between(&self) -> bool {
        self.number > 0 && self.sets.last.as_ref().is_some_and(|(last, _)| self.number < *last)
    }

    /// The manifest of this shard.
    pub(super) fn to_json(&self) -> Result<Value, serde_json::Error> {
        match (&self.sets.last, &self.sets.json) {
            (Some((number, last)), _) if *number == self.number => self.sets.to_json(last),
            (Some((number, last)), Some((first_json, last_json))) if self.number > 0 => {
                let number = number.to_string();
                let last_name = last.metadata.name.as_deref().unwrap_or_default();
                let mut json = last_json.clone();
                replace_differences(&mut json, first_json, &|text| {
                    if *text == number {
                        *text = self.number.to_string();
                    } else if let Some(rest) = text.strip_prefix(last_name) {
                        *text = format!("{}{rest}", self.name);
                    }
                });
                Ok(json)
            }
            _ => self.sets.to_json(&self.sets.first),
        }
    }
}

impl Sets {
    fn to_json(&self, set: &StatefulSet) -> Result<Value, serde_json::Error> {
        let mut json = serde_json::to_value(set)?;
        encode_at(&mut json, "/spec/template/spec", &shapes::POD_SPEC);
        let claim = "/spec/volumeClaimTemplates/0";
        encode_at(&mut json, claim, &shapes::PERSISTENT_VOLUME_CLAIM);
        if let Some(Value::Object(claim)) = json.pointer_mut(claim) {
            self.claim_type.apply(claim);
        }
        Ok(json)
    }
}

/// Hands over each text that `other`, which has the same fields, has otherwise.
fn replace_differences(value: &mut Value, other: &Value, replace: &impl Fn(&mut String)) {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            let pairs = fields.values_mut().zip(others.values());
            pairs.for_each(|(value, other)| replace_differences(value, other, replace));
        }
        (Value::Array(items), Value::Array(others)) => {
            let pairs = items.iter_mut().zip(others);
            pairs.for_each(|(value, other)| replace_differences(value, other, replace));
        }
        (Value::String(text), Value::String(other)) if text != other => replace(text),
        _ => {}
    }
}

/// The name of a shard: the first one has the agent's own.
fn name(agent: &str, shard: i32) -> String {
    match shard {
        0 => agent.to_owned(),
        shard => format!("{agent}-shard-{shard}"),
    }
}

/// One shard (`generateMetricsStatefulSet`).
fn stateful_set(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    shard: i32,
    options: &Options,
) -> Result<StatefulSet, serde_json::Error> {
    let agent_name = agent.meta.name;
    let name = name(agent_name, shard);
    let spec = &agent.spec;
    let pod = metrics_pod::pod_options(&name, spec, spec.storage.as_ref(), shard);
    let pods = Pods::new(agent, agent_name, pod, options)?;
    Ok(StatefulSet {
        metadata: pods.workload_metadata(&name, agent, options),
        spec: Some(StatefulSetSpec {
            service_name: Some(service::governing_name(agent_name)),
            replicas: Some(spec.metrics.replicas.unwrap_or(1).max(0)),
            pod_management_policy: Some("Parallel".to_owned()),
            update_strategy: Some(StatefulSetUpdateStrategy {
                type_: Some("RollingUpdate".to_owned()),
                rolling_update: None,
            }),
            selector: pods.selector,
            template: pods.template,
            volume_claim_templates: volume_claim::template(spec)
                .map(|template| vec![volume_claim::claim(&name, template)]),
            ..StatefulSetSpec::default()
        }),
        status: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Head, Kind, ObjectMeta};
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits};

    #[test]
    fn shards_between_the_ends_are_what_they_would_be_by_themselves() {
        let claim = "storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}";
        for (name, spec) in [
            ("a", "{metrics: {shards: 12}}"),
            ("11", "{metrics: {shards: 12}}"),
            ("a-shard-11", &format!("{{metrics: {{shards: 12}}, {claim}}}")),
            ("a", "{metrics: {shards: 12}, storage: {emptyDir: {}}}"),
            ("a", "{metrics: {shards: 3}, storage: {volumeClaimTemplate: {metadata: {name: a-shard-2}}}}"),
            (
                // What the user says of the same things stays as it is.
                "a",
                "{metrics: {shards: 12}, image: '11', podMetadata: {labels: {x: '11', y: a-shard-11}},
                  containers: [
                    {name: grafana-agent, env: [{name: SHARD, value: '11'}, {name: X, value: a-shard-11-wal}]},
                    {name: config-reloader, volumeMounts: [{name: a-wal, mountPath: /var/lib/grafana-agent/data}]},
                    {name: own, image: '0', env: [{name: SHARD, value: '0'}], volumeMounts: [{name: a-wal, mountPath: /x}]}]}",
            ),
        ] {
            let text = format!("metadata: {{name: '{name}', namespace: ns, uid: u}}\nspec: {spec}\n");
            let source = Sources::default().add(Source::new("agent.yaml", &text, true));
            let documents = yaml::read(source, &text, &Limits::default()).output;
            let root = documents[0].root();
            let agent = Resource {
                head: Head {
                    kind: Kind::GrafanaAgent,
                    meta: yaml::decode::<ObjectMeta<'_>>(root.get("metadata").unwrap()).unwrap(),
                    root,
                },
                spec: yaml::decode::<GrafanaAgent<'_>>(root.get("spec").unwrap()).unwrap(),
            };
            let fixed = [("operator.agent.grafana.com/shard".to_owned(), "11".to_owned())];
            for labels in [Default::default(), fixed.into()] {
                let options = Options {
                    labels,
                    owner_references: true,
                };
                let all: Vec<_> = shards(&agent, &options).unwrap().collect();
                assert_eq!(all.len(), usize::try_from(agent.spec.metrics.shard_count()).unwrap());
                for (number, shard) in (0..).zip(&all) {
                    let alone = stateful_set(&agent, number, &options).unwrap();
                    assert_eq!(Some(shard.name()), alone.metadata.name.as_deref());
                    let expected = shard.sets.to_json(&alone).unwrap();
                    assert_eq!(shard.to_json().unwrap(), expected, "{name} {spec} {number}");
                }
            }
        }
    }
}
