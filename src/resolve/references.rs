//! Every field of a resource that can refer to a key of a Secret or ConfigMap (the operator's `AssetReferences`), and
//! what the value is used for.

use super::{AssetKey, AssetKind};
use crate::api::{
    AnyResource, ApiServer, BasicAuth, Endpoint, GrafanaAgent, Head, Integration, KeySelector, Kind, LogsClient,
    OAuth2, ObjectRef, Probe, RemoteWrite, Resource, Resources, SecretOrConfigMap, SigV4, TlsConfig,
};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// What the operator does with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// It is written into the configuration: without it there is none.
    Value,
    /// It is a list of scrape jobs, written into the configuration like a value.
    ScrapeConfigs,
    /// It is mounted as a file: without it the agent fails later.
    File,
    /// It is copied, and nothing reads it.
    Unused,
}

impl Usage {
    fn when(self, used: bool) -> Self {
        if used { self } else { Usage::Unused }
    }

    /// Whether there is no configuration without it.
    pub fn is_needed(self) -> bool {
        matches!(self, Usage::Value | Usage::ScrapeConfigs)
    }
}

/// One field that refers to a key.
#[derive(Clone, Debug)]
pub struct Reference<'d> {
    /// Secret or ConfigMap.
    pub kind: AssetKind,
    /// Which.
    pub selector: KeySelector<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    /// What for.
    pub usage: Usage,
}

impl<'d> Reference<'d> {
    /// The Secret or ConfigMap that a resource in `namespace` refers to.
    pub fn object(&self, namespace: &'d str) -> ObjectRef<'d> {
        ObjectRef {
            kind: self.kind.kind(),
            namespace,
            name: self.selector.name,
        }
    }

    /// The key that a resource in `namespace` refers to.
    pub fn key(&self, namespace: &'d str) -> AssetKey<'d> {
        AssetKey::new(self.kind, namespace, &self.selector)
    }
}

/// Walks the fields of a resource and collects references.
struct References<'d> {
    path: FieldPath<'static>,
    found: Vec<Reference<'d>>,
}

impl<'d> References<'d> {
    fn resource(&mut self, resource: AnyResource<'_, 'd>, used: AgentUse) {
        match resource {
            AnyResource::GrafanaAgent(agent) => self.agent(agent, used),
            AnyResource::MetricsInstance(Resource { spec, .. }) => {
                self.remote_writes(&spec.remote_write, true);
                self.pointer(
                    "additionalScrapeConfigs",
                    spec.additional_scrape_configs,
                    Usage::ScrapeConfigs,
                );
            }
            AnyResource::LogsInstance(Resource { spec, .. }) => {
                self.clients(&spec.clients, true);
                self.pointer(
                    "additionalScrapeConfigs",
                    spec.additional_scrape_configs,
                    Usage::ScrapeConfigs,
                );
            }
            AnyResource::Integration(integration) => self.integration(&integration.spec),
            AnyResource::ServiceMonitor(monitor) => self.endpoints("endpoints", &monitor.spec.endpoints),
            AnyResource::PodMonitor(monitor) => {
                self.endpoints("podMetricsEndpoints", &monitor.spec.pod_metrics_endpoints);
            }
            AnyResource::Probe(probe) => self.probe(&probe.spec),
            AnyResource::PodLogs(_) | AnyResource::Data(_) | AnyResource::Namespace(_) | AnyResource::Node(_) => {}
        }
    }

    fn agent(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>, used: AgentUse) {
        let spec = &agent.spec;
        self.api_server(spec.api_server.as_ref(), used.api_server);
        self.environment("containers", agent.root.items_at("spec.containers"));
        self.environment("initContainers", agent.root.items_at("spec.initContainers"));
        self.field("metrics", |w| {
            w.remote_writes(&spec.metrics.remote_write, used.remote_write)
        });
        self.field("logs", |w| w.clients(&spec.logs.clients, used.clients));
    }

    /// Items of a Go slice are addressable, so they are looked up even where incomplete.
    fn integration(&mut self, integration: &Integration<'d>) {
        self.each("secrets", &integration.secrets, |w, selector| {
            w.add(AssetKind::Secret, *selector, Usage::File)
        });
        self.each("configMaps", &integration.config_maps, |w, selector| {
            w.add(AssetKind::ConfigMap, *selector, Usage::File);
        });
    }

    fn probe(&mut self, probe: &Probe<'d>) {
        self.tls(probe.tls_config.as_ref(), true);
        self.bearer_token(probe.bearer_token_secret);
        self.basic_auth(probe.basic_auth.as_ref(), Usage::Value, Usage::Value);
        self.oauth2(probe.oauth2.as_ref(), false);
        self.authorization(probe.authorization.as_ref().and_then(|a| a.credentials));
    }

    fn field(&mut self, key: &'static str, walk: impl FnOnce(&mut Self)) {
        self.path.push_key(key);
        walk(self);
        self.path.pop();
    }

    fn each<T>(&mut self, key: &'static str, items: &[T], mut walk: impl FnMut(&mut Self, &T)) {
        self.field(key, |w| {
            for (i, item) in items.iter().enumerate() {
                w.path.push_index(i);
                walk(w, item);
                w.path.pop();
            }
        });
    }

    fn add(&mut self, kind: AssetKind, selector: KeySelector<'d>, usage: Usage) {
        self.found.push(Reference {
            kind,
            selector,
            path: self.path.clone(),
            usage,
        });
    }

    /// A Go pointer: looked up whenever it is there.
    fn pointer(&mut self, key: &'static str, selector: Option<KeySelector<'d>>, usage: Usage) {
        if let Some(selector) = selector {
            self.field(key, |w| w.add(AssetKind::Secret, selector, usage));
        }
    }

    /// A Go value: looked up only where it has a name and a key, but one whose value is needed must have them.
    fn value(&mut self, key: &'static str, selector: KeySelector<'d>, usage: Usage) {
        let complete = !selector.name.is_empty() && !selector.key.is_empty();
        if complete || usage == Usage::Value {
            self.field(key, |w| w.add(AssetKind::Secret, selector, usage));
        }
    }

    fn either(&mut self, key: &'static str, selector: &SecretOrConfigMap<'d>, secret: Usage, config_map: Usage) {
        self.field(key, |w| {
            w.pointer("secret", selector.secret, secret);
            if let Some(selector) = selector.config_map {
                w.field("configMap", |w| w.add(AssetKind::ConfigMap, selector, config_map));
            }
        });
    }

    fn basic_auth(&mut self, auth: Option<&BasicAuth<'d>>, username: Usage, password: Usage) {
        if let Some(auth) = auth {
            self.field("basicAuth", |w| {
                w.value("username", auth.username, username);
                w.value("password", auth.password, password);
            });
        }
    }

    /// The client's identifier is read from a Secret only; one in a ConfigMap is copied and dropped.
    fn oauth2(&mut self, oauth2: Option<&OAuth2<'d>>, used: bool) {
        if let Some(oauth2) = oauth2 {
            self.field("oauth2", |w| {
                w.either("clientId", &oauth2.client_id, Usage::Value.when(used), Usage::Unused);
                w.value("clientSecret", oauth2.client_secret, Usage::File.when(used));
            });
        }
    }

    fn tls(&mut self, tls: Option<&TlsConfig<'d>>, used: bool) {
        if let Some(tls) = tls {
            self.field("tlsConfig", |w| {
                let usage = |file: &str| Usage::File.when(used && file.is_empty());
                w.either("ca", &tls.ca, usage(tls.ca_file), usage(tls.ca_file));
                w.either("cert", &tls.cert, usage(tls.cert_file), usage(tls.cert_file));
                w.pointer("keySecret", tls.key_secret, usage(tls.key_file));
            });
        }
    }

    fn authorization(&mut self, credentials: Option<KeySelector<'d>>) {
        self.field("authorization", |w| {
            w.pointer("credentials", credentials, Usage::Unused)
        });
    }

    /// The templates look at the name only to decide whether there is a token.
    fn bearer_token(&mut self, selector: KeySelector<'d>) {
        let usage = Usage::Value.when(!selector.name.is_empty());
        self.value("bearerTokenSecret", selector, usage);
    }

    fn endpoints(&mut self, key: &'static str, endpoints: &[Endpoint<'d>]) {
        self.each(key, endpoints, |w, endpoint| {
            w.tls(endpoint.tls_config.as_deref(), true);
            w.bearer_token(endpoint.bearer_token_secret);
            w.authorization(endpoint.authorization.as_deref().and_then(|a| a.credentials));
            w.basic_auth(endpoint.basic_auth.as_deref(), Usage::Value, Usage::Value);
            w.oauth2(endpoint.oauth2.as_deref(), false);
        });
    }

    fn sigv4(&mut self, sigv4: Option<&SigV4<'d>>, used: bool) {
        if let Some(sigv4) = sigv4 {
            self.field("sigv4", |w| {
                w.pointer("accessKey", sigv4.access_key, Usage::Value.when(used));
                w.pointer("secretKey", sigv4.secret_key, Usage::Value.when(used));
            });
        }
    }

    fn remote_writes(&mut self, remote_writes: &[RemoteWrite<'d>], used: bool) {
        self.each("remoteWrite", remote_writes, |w, remote_write| {
            w.basic_auth(
                remote_write.basic_auth.as_ref(),
                Usage::Value.when(used),
                Usage::File.when(used),
            );
            w.oauth2(remote_write.oauth2.as_ref(), used);
            w.sigv4(remote_write.sigv4.as_ref(), used);
            w.tls(remote_write.tls_config.as_ref(), used);
        });
    }

    fn clients(&mut self, clients: &[LogsClient<'d>], used: bool) {
        self.each("clients", clients, |w, client| {
            let usage = Usage::Value.when(used);
            w.basic_auth(client.basic_auth.as_ref(), usage, usage);
            w.oauth2(client.oauth2.as_ref(), used);
            w.tls(client.tls_config.as_ref(), used);
        });
    }

    fn api_server(&mut self, api_server: Option<&ApiServer<'d>>, used: bool) {
        if let Some(api_server) = api_server {
            self.field("apiServer", |w| {
                let usage = Usage::Value.when(used);
                w.basic_auth(api_server.basic_auth.as_ref(), usage, usage);
                w.tls(api_server.tls_config.as_ref(), used);
                w.authorization(api_server.authorization.as_ref().and_then(|a| a.credentials));
            });
        }
    }

    /// Environment variables of user containers refer to Secrets and ConfigMaps too: the operator's walk finds them.
    fn environment(&mut self, field: &'static str, containers: impl Iterator<Item = Node<'d>>) {
        self.each(field, &containers.collect::<Vec<_>>(), |w, container| {
            let variables: Vec<_> = container.items_at("env").collect();
            w.each("env", &variables, |w, variable| {
                let Some(source) = variable.get("valueFrom") else {
                    return;
                };
                w.field("valueFrom", |w| {
                    for (key, kind) in [
                        ("secretKeyRef", AssetKind::Secret),
                        ("configMapKeyRef", AssetKind::ConfigMap),
                    ] {
                        if let Some(selector) = source.get(key).filter(|node| node.is_mapping()) {
                            w.field(key, |w| w.add(kind, key_selector(selector), Usage::Unused));
                        }
                    }
                });
            });
        });
    }
}

fn key_selector(node: Node<'_>) -> KeySelector<'_> {
    KeySelector {
        name: node.text("name"),
        key: node.text("key"),
        optional: None,
    }
}

/// What of a GrafanaAgent its configurations make use of; the templates evaluate nothing else.
#[derive(Clone, Copy)]
pub struct AgentUse {
    /// `spec.metrics.remoteWrite`: there is a MetricsInstance or an Integration.
    pub remote_write: bool,
    /// `spec.logs.clients`: there is a LogsInstance without clients of its own.
    pub clients: bool,
    /// `spec.apiServer`: there is a job that discovers its targets.
    pub api_server: bool,
}

impl AgentUse {
    /// Of an agent that is not compiled.
    pub const NOTHING: Self = Self {
        remote_write: false,
        clients: false,
        api_server: false,
    };
    /// Of an agent that has all that an agent can have.
    pub const EVERYTHING: Self = Self {
        remote_write: true,
        clients: true,
        api_server: true,
    };
}

/// The fields of a resource that refer to a key; those of an agent as it is `used`.
pub fn of<'d>(resource: AnyResource<'_, 'd>, used: AgentUse) -> Vec<Reference<'d>> {
    let mut references = References {
        path: FieldPath::of("spec"),
        found: Vec::new(),
    };
    references.resource(resource, used);
    references.found
}

/// Every field of the input that refers to a key, with its resource; `used` is asked of agents.
pub fn all<'h, 'd: 'h>(
    resources: &'h Resources<'d>,
    used: impl Fn(&Head<'d>) -> AgentUse,
) -> impl Iterator<Item = (AnyResource<'h, 'd>, Reference<'d>)> {
    let all = Kind::ALL.iter().flat_map(|&kind| resources.of(kind));
    all.flat_map(move |resource| {
        let used = match resource {
            AnyResource::GrafanaAgent(agent) => used(agent),
            _ => AgentUse::NOTHING,
        };
        let references = of(resource, used).into_iter();
        references.map(move |reference| (resource, reference))
    })
}
