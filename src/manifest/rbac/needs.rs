//! Permissions that the pods of an account need on the API server.

use std::collections::BTreeMap;

use super::job;
use super::right::{Right, RightObject, WatchedResource};
use crate::api::GrafanaAgent;
use crate::diagnostic::FieldPath;
use crate::output::agent;
use crate::plan::{
    ApiServerClient, ConfigKind, Instance, Integration, JobKind, MetricsInstance, MonitorWatch, Origin, Plan, Watcher,
};
use crate::resolve::Hierarchy;
use crate::resolve::references::{self, AgentUse};
use crate::yaml::Value;

/// ServiceAccount that pods use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    pub namespace: String,
    pub name: String,
}

/// Name of the ServiceAccount that exists in every namespace and is used by default.
const DEFAULT: &str = "default";

impl Account {
    /// Returns the account that an agent's pods use.
    fn from_agent(hierarchy: &Hierarchy<'_, '_>) -> Self {
        let name = match hierarchy.agent.spec.service_account_name {
            "" => DEFAULT,
            name => name,
        };
        Self { namespace: hierarchy.agent.meta.namespace.to_owned(), name: name.to_owned() }
    }

    /// Returns the field that specifies an agent's account.
    pub fn field(agent: &GrafanaAgent<'_>) -> FieldPath<'static> {
        match agent.service_account_name {
            "" => FieldPath::parse("metadata.name"),
            _ => FieldPath::parse("spec.serviceAccountName"),
        }
    }

    pub fn is_default(&self) -> bool {
        self.name == DEFAULT
    }
}

/// Returns the accounts, each with the agents whose pods use it.
pub fn accounts<'b, 'h, 'd>(hierarchies: &'b [Hierarchy<'h, 'd>]) -> BTreeMap<Account, Vec<&'b Hierarchy<'h, 'd>>> {
    let mut accounts = BTreeMap::<_, Vec<_>>::new();
    for hierarchy in hierarchies {
        accounts.entry(Account::from_agent(hierarchy)).or_default().push(hierarchy);
    }
    accounts
}

/// Reason why a permission is required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightReason<'d> {
    /// Field that requires the permission.
    pub origin: Origin<'d>,
    /// Whether the permission is certainly required. A server that is scraped with a token may not check permissions.
    pub is_certain: bool,
}

/// Required permissions, each with the first reason for it.
#[derive(Debug, Default)]
pub struct NeededRights<'d>(BTreeMap<Right, RightReason<'d>>);

impl<'d> NeededRights<'d> {
    /// Collects the permissions that several agents need. `watcher` is set if Alloy discovers monitors itself. A
    /// permission for all namespaces is not repeated for individual namespaces.
    pub fn new(hierarchies: impl IntoIterator<Item = &'d Hierarchy<'d, 'd>>, watcher: Option<Watcher>) -> Self {
        let mut needs = Self::default();
        for hierarchy in hierarchies {
            needs.add_agent(hierarchy, watcher);
        }
        let cluster_wide_rights: Vec<_> = needs.0.keys().filter(|right| right.namespace.is_none()).cloned().collect();
        needs.0.retain(|right, _| {
            let is_same_access = |other: &Right| other.object == right.object && other.verb == right.verb;
            right.namespace.is_none() || !cluster_wide_rights.iter().any(is_same_access)
        });
        needs
    }

    /// Returns the permissions in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Right, &RightReason<'d>)> {
        self.0.iter()
    }

    /// Returns the permissions by namespace, starting with those for all namespaces. Consumes `self`, because there may
    /// be millions of permissions.
    pub fn into_rights(self) -> impl Iterator<Item = Right> {
        self.0.into_keys()
    }

    fn add_agent(&mut self, hierarchy: &'d Hierarchy<'d, 'd>, watcher: Option<Watcher>) {
        // Errors in the plan were reported during compilation.
        let plan = Plan::new(hierarchy, &ConfigKind::non_empty_kinds(hierarchy), &mut Vec::new());
        let own_namespace = plan.agent.meta.namespace;
        for instance in plan.instances() {
            if let Instance::Metrics(instance) = instance {
                for watch in plan.watched_monitors(instance, watcher).into_iter().flatten() {
                    self.add_monitors(&plan, &watch, instance);
                }
            }
            for job in instance.jobs() {
                let namespaces_origin = job.discovery().map_or(job.origin, |discovery| discovery.origin);
                self.add_job(
                    instance.kind(),
                    &agent::job(&job, plan.secrets),
                    own_namespace,
                    [namespaces_origin, job.origin],
                );
            }
            let origin = Origin::new(instance.resource()).at("spec.additionalScrapeConfigs");
            let additional = instance.additional_jobs().and_then(|all| all.jobs.as_deref());
            for job in additional.unwrap_or_default() {
                self.add_job(instance.kind(), job, own_namespace, [origin; 2]);
            }
        }
        for integration in &plan.integrations {
            self.add_integration(integration);
        }
    }

    /// Adds the permissions that a job needs, with the fields that determine what it discovers and scrapes. A logs job
    /// scrapes nothing.
    fn add_job(&mut self, kind: JobKind, job: &Value<'_>, own_namespace: &str, [searched, origin]: [Origin<'d>; 2]) {
        job::watches(job, own_namespace).for_each(|watch| self.add_watch(&watch, searched));
        for object in job::scraped_objects(job).iter().filter(|_| kind == JobKind::Metrics) {
            self.add(None, object, "get", origin, false);
        }
    }

    /// Adds the permissions to access monitors and the values that the selected monitors refer to
    /// (`configgen.NewSecretManager` in Alloy).
    fn add_monitors(&mut self, plan: &Plan<'d>, watch: &MonitorWatch<'d>, instance: &MetricsInstance<'d>) {
        if plan.api_server().is_some_and(uses_other_credentials) {
            return;
        }
        let (group, _) = watch.kind.api_version().split_once('/').unwrap_or_default();
        let resource = watch.kind.plural();
        let namespaces = match watch.names() {
            Some(names) if names.is_empty() => return,
            names => names.unwrap_or_default(),
        };
        let watched_resource = WatchedResource { group, resource, namespaces };
        self.add_watch(&watched_resource, watch.labels_origin());
        for monitor in instance.hierarchy.children().filter(|child| child.kind == watch.kind) {
            for reference in references::collect(monitor, AgentUse::NOTHING) {
                let object = RightObject::core(reference.kind.plural());
                let namespace = Some(monitor.meta.namespace);
                self.add(namespace, &object, "get", watch.labels_origin(), true);
            }
        }
    }

    /// Adds the permissions to list and watch a resource.
    fn add_watch(&mut self, watch: &WatchedResource<'_>, origin: Origin<'d>) {
        let object = RightObject::Resource { group: watch.group, resource: watch.resource };
        let namespaces = match watch.namespaces.is_empty() || object.is_cluster_wide() {
            true => vec![None],
            false => watch.namespaces.iter().copied().map(Some).collect(),
        };
        for namespace in namespaces {
            for verb in ["list", "watch"] {
                self.add(namespace, &object, verb, origin, true);
            }
        }
    }

    /// Adds the permissions that an integration needs. Only `eventhandler` uses the API server, to watch events
    /// (`eventhandler.New`; `loki.source.kubernetes_events` in Alloy). With a kubeconfig, `eventhandler` uses a
    /// different server or different credentials.
    fn add_integration(&mut self, integration: &Integration<'d>) {
        let config = &integration.config;
        if integration.resource.spec.name != "eventhandler" || !config.text("kubeconfig_path").is_empty() {
            return;
        }
        let namespace = config.text("namespace");
        let watch = WatchedResource {
            group: "",
            resource: "events",
            namespaces: (!namespace.is_empty()).then_some(namespace).into_iter().collect(),
        };
        self.add_watch(&watch, integration.origin);
    }

    fn add(
        &mut self,
        namespace: Option<&str>,
        object: &RightObject,
        verb: &'static str,
        origin: Origin<'d>,
        is_certain: bool,
    ) {
        let right = Right { namespace: namespace.map(str::to_owned), object: object.clone(), verb };
        self.0.entry(right).or_insert(RightReason { origin, is_certain }).is_certain |= is_certain;
    }
}

/// Whether an API server is accessed with credentials other than the account's token.
fn uses_other_credentials((_, http): ApiServerClient<'_>) -> bool {
    !job::is_token_of_account(http.bearer_token_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::resolve::tests::{object, with_resources};
    use crate::resolve::{ResolveOptions, resolve};

    /// Returns the permissions that the agents in an input need, each as `verb resource namespace`, followed by `?` if
    /// it may not be required.
    fn needed(input: &str, watcher: Option<Watcher>) -> Vec<String> {
        with_resources(input, |resources| {
            let hierarchies = resolve(&resources, &ResolveOptions::default()).output;
            let needs = NeededRights::new(&hierarchies, watcher);
            let descriptions = needs.iter().map(|(right, reason)| {
                let object = match &right.object {
                    RightObject::Resource { resource, .. } => (*resource).to_owned(),
                    RightObject::Path(path) => path.clone(),
                };
                let place = right.namespace.as_deref().unwrap_or("*");
                let doubt = if reason.is_certain { "" } else { "?" };
                format!("{} {object} {place}{doubt}", right.verb)
            });
            descriptions.collect()
        })
    }

    const AGENT: &str = "{metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}, integrations: {selector: {}}}";

    /// Returns an input with an agent and an instance that select everything, and the resources in `more`.
    fn input(agent: &str, more: &[String]) -> String {
        let instance =
            "{serviceMonitorSelector: {}, podMonitorSelector: {}, podMonitorNamespaceSelector: {}, probeSelector: {}}";
        [
            object(Kind::GrafanaAgent, "a", agent),
            object(Kind::MetricsInstance, "m", instance),
            object(Kind::LogsInstance, "l", "{podLogsSelector: {}}"),
        ]
        .concat()
            + &more.concat()
    }

    #[test]
    fn does_not_repeat_cluster_wide_permissions() {
        let monitor = |name: &str, namespaces: &str| {
            let spec =
                format!("{{selector: {{}}, namespaceSelector: {{{namespaces}}}, podMetricsEndpoints: [{{port: a}}]}}");
            object(Kind::PodMonitor, name, &spec)
        };
        for (more, expected) in [
            (vec![], &[][..]),
            (vec![monitor("p", "")], &["list pods ns", "watch pods ns"]),
            (vec![monitor("p", "matchNames: [b]")], &["list pods b", "watch pods b"]),
            (
                vec![monitor("p", "any: true"), monitor("q", ""), monitor("r", "matchNames: [b]")],
                &["list pods *", "watch pods *"],
            ),
        ] {
            assert_eq!(needed(&input(AGENT, &more), None), expected, "{more:?}");
        }
    }

    #[test]
    fn eventhandler_integrations_watch_events() {
        let integration = |name: &str, config: &str| {
            let spec = format!("{{name: {name}, type: {{}}, config: {{{config}}}}}");
            vec![object(Kind::Integration, "i", &spec)]
        };
        for (more, expected) in [
            (integration("eventhandler", ""), &["list events *", "watch events *"][..]),
            (integration("eventhandler", "namespace: b"), &["list events b", "watch events b"]),
            (integration("eventhandler", "kubeconfig_path: /f"), &[]),
            (integration("redis", ""), &[]),
        ] {
            assert_eq!(needed(&input(AGENT, &more), None), expected, "{more:?}");
        }
    }

    /// Tests that accounts need permissions to watch monitors, unless the agent accesses the API server with other
    /// credentials.
    #[test]
    fn watchers_need_permissions_for_monitors_and_references() {
        let watcher = Some(Watcher { can_deny_files: true });
        let monitor_rights = ["servicemonitors ns", "podmonitors *", "probes ns"];
        let monitor_rights =
            monitor_rights.iter().flat_map(|object| ["list", "watch"].map(|verb| format!("{verb} {object}")));
        let monitor_rights: std::collections::BTreeSet<_> = monitor_rights.collect();
        let with = |server: &str| AGENT.replacen('{', &format!("{{apiServer: {server}, "), 1);
        for (agent, expected) in [
            (AGENT.to_owned(), true),
            (with("{host: a}"), false),
            (with("{host: a, bearerTokenFile: /etc/token}"), false),
            (with("{host: a, bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}"), true),
        ] {
            let needs = needed(&input(&agent, &[]), watcher);
            let expected = if expected { monitor_rights.clone() } else { Default::default() };
            assert_eq!(needs.into_iter().collect::<std::collections::BTreeSet<_>>(), expected, "{agent}");
        }
        let endpoint = "{port: a, basicAuth: {username: {name: s, key: k}, password: {name: s, key: k}}}";
        let monitor = object(Kind::PodMonitor, "p", &format!("{{selector: {{}}, podMetricsEndpoints: [{endpoint}]}}"));
        let secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ns}\nstringData: {k: v}\n";
        let input = input(AGENT, &[monitor, secret.to_owned()]);
        with_resources(&input, |resources| {
            let hierarchies = resolve(&resources, &ResolveOptions::default()).output;
            let needs = NeededRights::new(&hierarchies, watcher);
            let secret_needs = needs.iter().filter(|(right, _)| right.object == RightObject::core("secrets"));
            // The reason is the field that selects the monitor.
            let fields: Vec<_> = secret_needs.map(|(_, reason)| reason.origin.fields().0).collect();
            assert_eq!(fields, ["spec.podMonitorSelector"]);
        });
        let needs = needed(&input, watcher);
        assert!(needs.contains(&"get secrets ns".to_owned()), "{needs:?}");
    }

    #[test]
    fn agents_use_the_default_account() {
        let named_account = AGENT.replacen('{', "{serviceAccountName: x, ", 1);
        let explicit_default = AGENT.replacen('{', "{serviceAccountName: default, ", 1);
        let agents = [
            object(Kind::GrafanaAgent, "a", AGENT),
            object(Kind::GrafanaAgent, "b", &named_account),
            object(Kind::GrafanaAgent, "c", &explicit_default),
        ];
        with_resources(&agents.concat(), |resources| {
            let hierarchies = resolve(&resources, &ResolveOptions::default()).output;
            let accounts = accounts(&hierarchies);
            let descriptions = accounts.iter().map(|(account, agents)| {
                let names: Vec<_> = agents.iter().map(|agent| agent.agent.meta.name).collect();
                format!("{}/{} {} {}", account.namespace, account.name, account.is_default(), names.concat())
            });
            assert_eq!(descriptions.collect::<Vec<_>>(), ["ns/default true ac", "ns/x false b"]);
            let fields = resources.agents.iter().map(|agent| Account::field(&agent.spec).to_string());
            let expected = ["metadata.name", "spec.serviceAccountName", "spec.serviceAccountName"];
            assert_eq!(fields.collect::<Vec<_>>(), expected);
        });
    }

    /// Tests that a job with the pod's token may need permissions on the scraped server. Logs are not scraped.
    #[test]
    fn jobs_with_pod_tokens_need_permissions() {
        let jobs = |token: &str| {
            format!(
                "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: ns}}\nstringData: {{k: '[{{job_name: j, bearer_token_file: \
                 {token}}}]'}}\n"
            )
        };
        let token = "/var/run/secrets/kubernetes.io/serviceaccount/token";
        let scraped = "{additionalScrapeConfigs: {name: s, key: k}}";
        for (kind, token, expected) in [
            (Kind::MetricsInstance, token, &["get /metrics *?"][..]),
            (Kind::MetricsInstance, "/etc/token", &[]),
            (Kind::LogsInstance, token, &[]),
        ] {
            let input = object(Kind::GrafanaAgent, "a", AGENT) + &object(kind, "x", scraped) + &jobs(token);
            assert_eq!(needed(&input, None), expected, "{kind} {token}");
        }
    }
}
