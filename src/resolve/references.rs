//! All resource fields that can refer to a key in a Secret or ConfigMap (the operator's `AssetReferences`), along with
//! the operator's use of the values.

use std::collections::HashMap;

use super::AssetKey;
use crate::api::Kind::{ConfigMap, Secret};
use crate::api::{AnyResource, KeySelector, Kind, ObjectRef, ResourceHeader, Resources};
use crate::diagnostic::FieldPath;
use crate::source::Span;
use crate::yaml::Node;
use LookupCondition::{Complete, Named, Present, Unless};

/// The operator's use of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Value that is written into the configuration, which cannot be generated without the value.
    Value,
    /// Value that is written into the configuration as a list of scrape jobs.
    ScrapeConfigs,
    /// Value that is mounted as a file. If it is missing, the agent fails later.
    File,
    /// Value that is copied but never read.
    Unused,
}

impl Usage {
    /// Whether the configuration cannot be generated without the value.
    pub fn is_needed(self) -> bool {
        matches!(self, Usage::Value | Usage::ScrapeConfigs)
    }
}

/// A field that refers to a key.
#[derive(Clone, Debug)]
pub struct KeyReference<'d> {
    /// Kind of object: Secret or ConfigMap.
    pub kind: Kind,
    pub selector: KeySelector<'d>,
    pub path: FieldPath<'static>,
    pub usage: Usage,
}

impl<'d> KeyReference<'d> {
    /// Returns the Secret or ConfigMap that a resource in `namespace` refers to.
    pub fn object(&self, namespace: &'d str) -> ObjectRef<'d> {
        self.key(namespace).object()
    }

    /// Returns the key that a resource in `namespace` refers to.
    pub fn key(&self, namespace: &'d str) -> AssetKey<'d> {
        AssetKey::new(self.kind, namespace, &self.selector)
    }
}

/// A field that may refer to a key: its path within the part, the kind of object, the usage of the value, and the
/// condition under which the operator looks up the field.
struct ReferringField(&'static str, Kind, Usage, LookupCondition);

/// Condition under which the operator looks up a field.
#[derive(Clone, Copy)]
enum LookupCondition {
    /// The field is present. This applies to Go pointers and to items of Go slices, which are addressable.
    Present,
    /// The field is present. The value is not used if this sibling field specifies a file.
    Unless(&'static str),
    /// The field is a Go value with a name and a key. If the key's value is required, the field is always looked up,
    /// even if it is incomplete.
    Complete,
    /// The reference has a name. The templates check only the name to determine whether a token is set.
    Named,
}

/// A mapping that contains referring fields or is itself a referring field.
#[derive(Clone, Copy)]
struct ReferringPart {
    /// Field name of the part. Empty if the part is the entire mapping at its location.
    name: &'static str,
    fields: &'static [ReferringField],
    is_used: bool,
}

impl ReferringPart {
    const fn new(name: &'static str, fields: &'static [ReferringField]) -> Self {
        let is_used = true;
        Self { name, fields, is_used }
    }

    /// Returns this part, marked as ignored by the operator.
    const fn mark_unused(self) -> Self {
        Self { is_used: false, ..self }
    }
}

const TLS: ReferringPart = ReferringPart::new(
    "tlsConfig",
    &[
        ReferringField("ca.secret", Secret, Usage::File, Unless("caFile")),
        ReferringField("ca.configMap", ConfigMap, Usage::File, Unless("caFile")),
        ReferringField("cert.secret", Secret, Usage::File, Unless("certFile")),
        ReferringField("cert.configMap", ConfigMap, Usage::File, Unless("certFile")),
        ReferringField("keySecret", Secret, Usage::File, Unless("keyFile")),
    ],
);
const BASIC_AUTH: ReferringPart = ReferringPart::new(
    "basicAuth",
    &[
        ReferringField("username", Secret, Usage::Value, Complete),
        ReferringField("password", Secret, Usage::Value, Complete),
    ],
);
/// Basic authentication for metrics. The agent reads the password from a file.
const BASIC_AUTH_OF_METRICS: ReferringPart = ReferringPart::new(
    "basicAuth",
    &[
        ReferringField("username", Secret, Usage::Value, Complete),
        ReferringField("password", Secret, Usage::File, Complete),
    ],
);
/// OAuth 2.0 settings. The client ID is read only from a Secret. If it is in a ConfigMap, its value is copied but never
/// used.
const OAUTH2: ReferringPart = ReferringPart::new(
    "oauth2",
    &[
        ReferringField("clientId.secret", Secret, Usage::Value, Present),
        ReferringField("clientId.configMap", ConfigMap, Usage::Unused, Present),
        ReferringField("clientSecret", Secret, Usage::File, Complete),
    ],
);
const SIGV4: ReferringPart = ReferringPart::new(
    "sigv4",
    &[
        ReferringField("accessKey", Secret, Usage::Value, Present),
        ReferringField("secretKey", Secret, Usage::Value, Present),
    ],
);
const AUTHORIZATION: ReferringPart =
    ReferringPart::new("authorization", &[ReferringField("credentials", Secret, Usage::Unused, Present)]);
const TOKEN: ReferringPart =
    ReferringPart::new("bearerTokenSecret", &[ReferringField("", Secret, Usage::Value, Named)]);
const SCRAPE_CONFIGS: ReferringPart =
    ReferringPart::new("additionalScrapeConfigs", &[ReferringField("", Secret, Usage::ScrapeConfigs, Present)]);
/// Environment variables in user containers. The operator also finds references in these variables when it traverses
/// the resources.
const VARIABLE: ReferringPart = ReferringPart::new(
    "valueFrom",
    &[
        ReferringField("secretKeyRef", Secret, Usage::Unused, Present),
        ReferringField("configMapKeyRef", ConfigMap, Usage::Unused, Present),
    ],
);
const SECRET: ReferringPart = ReferringPart::new("", &[ReferringField("", Secret, Usage::File, Present)]);
const CONFIG_MAP: ReferringPart = ReferringPart::new("", &[ReferringField("", ConfigMap, Usage::File, Present)]);

const REMOTE_WRITE_PARTS: &[ReferringPart] = &[BASIC_AUTH_OF_METRICS, OAUTH2, SIGV4, TLS];
const LOGS_CLIENT_PARTS: &[ReferringPart] = &[BASIC_AUTH, OAUTH2, TLS];
const PROBE_PARTS: &[ReferringPart] = &[TLS, TOKEN, BASIC_AUTH, OAUTH2.mark_unused(), AUTHORIZATION];
const ENDPOINT_PARTS: &[ReferringPart] = &[TLS, TOKEN, AUTHORIZATION, BASIC_AUTH, OAUTH2.mark_unused()];

/// Locations of referring parts in each kind, in the order in which the operator visits them.
const PLACES: &[(Kind, &str, &[ReferringPart])] = &[
    (Kind::GrafanaAgent, API_SERVER, &[BASIC_AUTH, TLS, AUTHORIZATION]),
    (Kind::GrafanaAgent, "spec.containers[].env[]", &[VARIABLE]),
    (Kind::GrafanaAgent, "spec.initContainers[].env[]", &[VARIABLE]),
    (Kind::GrafanaAgent, METRICS_REMOTE_WRITE, REMOTE_WRITE_PARTS),
    (Kind::GrafanaAgent, LOGS_CLIENTS, LOGS_CLIENT_PARTS),
    (Kind::MetricsInstance, "spec.remoteWrite[]", REMOTE_WRITE_PARTS),
    (Kind::MetricsInstance, "spec", &[SCRAPE_CONFIGS]),
    (Kind::LogsInstance, "spec.clients[]", LOGS_CLIENT_PARTS),
    (Kind::LogsInstance, "spec", &[SCRAPE_CONFIGS]),
    (Kind::Integration, "spec.secrets[]", &[SECRET]),
    (Kind::Integration, "spec.configMaps[]", &[CONFIG_MAP]),
    (Kind::ServiceMonitor, "spec.endpoints[]", ENDPOINT_PARTS),
    (Kind::PodMonitor, "spec.podMetricsEndpoints[]", ENDPOINT_PARTS),
    (Kind::Probe, "spec", PROBE_PARTS),
];
const API_SERVER: &str = "spec.apiServer";
const METRICS_REMOTE_WRITE: &str = "spec.metrics.remoteWrite[]";
const LOGS_CLIENTS: &str = "spec.logs.clients[]";

impl ReferringField {
    /// Returns the reference in this field of a part, if the operator looks up the field. If `is_used` is false, the
    /// value is only copied.
    fn reference<'d>(
        &self,
        part: Node<'d>,
        path: impl Fn() -> FieldPath<'static>,
        is_used: bool,
    ) -> Option<KeyReference<'d>> {
        let ReferringField(field, kind, usage, lookup_rule) = *self;
        let usage = if is_used { usage } else { Usage::Unused };
        let node = match field {
            "" => Some(part),
            field => part.at(field).filter(|node| node.is_mapping()),
        };
        let text = |key| node.map_or("", |node| node.text(key));
        let (name, key) = (text("name"), text("key"));
        let (is_required, usage) = match lookup_rule {
            Present | Unless(_) if node.is_none() => (false, usage),
            Unless(file) if part.non_empty_str(file).is_some() => (true, Usage::Unused),
            Present | Unless(_) => (true, usage),
            Complete => (usage == Usage::Value || !name.is_empty() && !key.is_empty(), usage),
            Named => (!name.is_empty(), usage),
        };
        is_required.then(|| KeyReference {
            kind,
            selector: KeySelector { name, key, optional: None },
            path: join_keys(path(), field),
            usage,
        })
    }
}

fn join_keys(path: FieldPath<'static>, keys: &'static str) -> FieldPath<'static> {
    match keys {
        "" => path,
        keys => path.join(&FieldPath::parse(keys)),
    }
}

/// Settings of a GrafanaAgent that the agent's configurations use. The templates ignore all others.
#[derive(Clone, Copy)]
pub struct AgentUse {
    /// Whether `spec.metrics.remoteWrite` is used. True if there is a MetricsInstance or an Integration.
    pub remote_write: bool,
    /// Whether `spec.logs.clients` is used. True if any LogsInstance has no clients of its own.
    pub clients: bool,
    /// Whether `spec.apiServer` is used. True if any job discovers targets.
    pub api_server: bool,
}

impl AgentUse {
    /// Whether the agent's settings at this location are used.
    fn includes(self, place: &str) -> bool {
        match place {
            API_SERVER => self.api_server,
            METRICS_REMOTE_WRITE => self.remote_write,
            LOGS_CLIENTS => self.clients,
            _ => true,
        }
    }

    /// No settings, for an agent that is not compiled.
    pub const NOTHING: Self = Self { remote_write: false, clients: false, api_server: false };
    /// All settings used by an agent that has resources of all kinds.
    pub const EVERYTHING: Self = Self { remote_write: true, clients: true, api_server: true };
}

/// Returns the fields in a resource that refer to a key. For an agent, `used` determines how the values are used.
pub fn collect<'d>(resource: AnyResource<'_, 'd>, used: AgentUse) -> Vec<KeyReference<'d>> {
    let mut references = Vec::new();
    for (_, path, parts) in PLACES.iter().filter(|(kind, ..)| *kind == resource.kind) {
        let is_path_used = used.includes(path);
        resource.root.visit(path, &mut FieldPath::new(), &mut |path, node| {
            for part in *parts {
                let name = part.name;
                let node = if name.is_empty() { Some(node) } else { node.get(name) };
                let Some(node) = node.filter(|node| node.is_mapping()) else {
                    continue;
                };
                let path = || join_keys(FieldPath::new().join(path), name);
                let is_used = is_path_used && part.is_used;
                references.extend(part.fields.iter().filter_map(|field| field.reference(node, path, is_used)));
            }
        });
    }
    references
}

/// References in all resources that contain any references.
#[derive(Default)]
pub struct References<'d>(HashMap<Span, Vec<KeyReference<'d>>>);

impl<'d> References<'d> {
    pub fn add(&mut self, resource: &ResourceHeader<'d>, references: Vec<KeyReference<'d>>) {
        if !references.is_empty() {
            self.0.insert(resource.root.span(), references);
        }
    }

    pub fn get(&self, resource: &ResourceHeader<'d>) -> &[KeyReference<'d>] {
        let references = self.0.get(&resource.root.span());
        references.map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns all fields in the input that refer to a key, with the resources that contain them. `used` is called for each
/// agent.
pub fn all<'h, 'd: 'h>(
    resources: &'h Resources<'d>,
    used: impl Fn(&ResourceHeader<'d>) -> AgentUse,
) -> impl Iterator<Item = (AnyResource<'h, 'd>, KeyReference<'d>)> {
    let all_resources = Kind::ALL.iter().flat_map(|&kind| resources.list(kind));
    all_resources.flat_map(move |resource| {
        let agent_use = match resource {
            AnyResource::GrafanaAgent(agent) => used(agent),
            _ => AgentUse::NOTHING,
        };
        let references = collect(resource, agent_use).into_iter();
        references.map(move |reference| (resource, reference))
    })
}
