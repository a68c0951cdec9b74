//! What the pods of an account ask the API server for.

use std::collections::BTreeMap;

use super::job;
use super::right::{Object, Right, Watch};
use crate::api::GrafanaAgent;
use crate::diagnostic::FieldPath;
use crate::output::agent;
use crate::plan::{
    ApiServerClient, ConfigKind, Instance, Integration, JobKind, MetricsInstance, Origin, Plan, Watch as MonitorWatch,
    Watcher,
};
use crate::resolve::Hierarchy;
use crate::resolve::references::{self, AgentUse};
use crate::yaml::Value;

/// The ServiceAccount that pods run with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    pub namespace: String,
    pub name: String,
}

/// The name of the ServiceAccount that each namespace has from the beginning, and that pods get by default.
const DEFAULT: &str = "default";

impl Account {
    /// The account of an agent's pods.
    fn of(hierarchy: &Hierarchy<'_, '_>) -> Self {
        let name = match hierarchy.agent.spec.service_account_name {
            "" => DEFAULT,
            name => name,
        };
        Self {
            namespace: hierarchy.agent.meta.namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    /// The field of an agent that its account comes from.
    pub fn field(agent: &GrafanaAgent<'_>) -> FieldPath<'static> {
        match agent.service_account_name {
            "" => FieldPath::of("metadata.name"),
            _ => FieldPath::of("spec.serviceAccountName"),
        }
    }

    pub fn is_default(&self) -> bool {
        self.name == DEFAULT
    }
}

/// The accounts, each with the agents whose pods run with it.
pub fn accounts<'b, 'h, 'd>(hierarchies: &'b [Hierarchy<'h, 'd>]) -> BTreeMap<Account, Vec<&'b Hierarchy<'h, 'd>>> {
    let mut accounts = BTreeMap::<_, Vec<_>>::new();
    for hierarchy in hierarchies {
        accounts.entry(Account::of(hierarchy)).or_default().push(hierarchy);
    }
    accounts
}

/// Why a right is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'d> {
    /// The field that needs it.
    pub origin: Origin<'d>,
    /// Whether it is certain. Who is asked with a token is not: it may be one that does not look at rights.
    pub is_certain: bool,
}

/// The rights that are needed, each with the first reason for it.
#[derive(Debug, Default)]
pub struct Needs<'d>(BTreeMap<Right, Reason<'d>>);

impl<'d> Needs<'d> {
    /// What these agents need together, where a watcher finds monitors itself or none does. What is needed in all namespaces is not repeated for one of them.
    pub fn of(hierarchies: impl IntoIterator<Item = &'d Hierarchy<'d, 'd>>, watcher: Option<Watcher>) -> Self {
        let mut needs = Self::default();
        for hierarchy in hierarchies {
            needs.add_agent(hierarchy, watcher);
        }
        let everywhere: Vec<_> = needs
            .0
            .keys()
            .filter(|right| right.namespace.is_none())
            .cloned()
            .collect();
        needs.0.retain(|right, _| {
            let same = |other: &Right| other.object == right.object && other.verb == right.verb;
            right.namespace.is_none() || !everywhere.iter().any(same)
        });
        needs
    }

    /// The rights, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Right, &Reason<'d>)> {
        self.0.iter()
    }

    /// The rights, namespace by namespace, those of all namespaces first. What is behind is freed: there may be a million.
    pub fn into_rights(self) -> impl Iterator<Item = Right> {
        self.0.into_keys()
    }

    fn add_agent(&mut self, hierarchy: &'d Hierarchy<'d, 'd>, watcher: Option<Watcher>) {
        // Mistakes in the plan were reported where it was made to be written.
        let plan = Plan::new(hierarchy, &ConfigKind::of(hierarchy), &mut Vec::new());
        let own = plan.agent.meta.namespace;
        for instance in plan.instances() {
            if let Instance::Metrics(instance) = instance {
                for watch in plan.watched(instance, watcher).into_iter().flatten() {
                    self.add_monitors(&plan, &watch, instance);
                }
            }
            for job in instance.jobs() {
                let searched = job.discovery().map_or(job.origin, |discovery| discovery.origin);
                self.add_job(
                    instance.kind(),
                    &agent::job(&job, plan.secrets),
                    own,
                    [searched, job.origin],
                );
            }
            let origin = Origin::new(instance.resource()).at("spec.additionalScrapeConfigs");
            let additional = instance.additional().and_then(|all| all.jobs.as_deref());
            for job in additional.unwrap_or_default() {
                self.add_job(instance.kind(), job, own, [origin; 2]);
            }
        }
        for integration in &plan.integrations {
            self.add_integration(integration);
        }
    }

    /// A job of a configuration, with the fields that say what it discovers and scrapes; one of logs scrapes nothing.
    fn add_job(&mut self, kind: JobKind, job: &Value<'_>, own: &str, [searched, origin]: [Origin<'d>; 2]) {
        job::watches(job, own).for_each(|watch| self.add_watch(&watch, searched));
        for object in job::scraped(job).iter().filter(|_| kind == JobKind::Metrics) {
            self.add(None, object, "get", origin, false);
        }
    }

    /// Monitors, and the values that those which are selected now refer to (`configgen.NewSecretManager` of Alloy).
    fn add_monitors(&mut self, plan: &Plan<'d>, watch: &MonitorWatch<'d>, instance: &MetricsInstance<'d>) {
        if plan.api_server().is_some_and(is_elsewhere) {
            return;
        }
        let (group, _) = watch.kind.api_version().split_once('/').unwrap_or_default();
        let resource = watch.kind.plural();
        let namespaces = match watch.names() {
            Some(names) if names.is_empty() => return,
            names => names.unwrap_or_default(),
        };
        let watched = Watch {
            group,
            resource,
            namespaces,
        };
        self.add_watch(&watched, watch.labels_origin());
        for monitor in instance.selected.children().filter(|child| child.kind == watch.kind) {
            for reference in references::of(monitor, AgentUse::NOTHING) {
                let object = Object::core(reference.kind.plural());
                let namespace = Some(monitor.meta.namespace);
                self.add(namespace, &object, "get", watch.labels_origin(), true);
            }
        }
    }

    /// The right to list and watch a resource.
    fn add_watch(&mut self, watch: &Watch<'_>, origin: Origin<'d>) {
        let object = Object::Resource {
            group: watch.group,
            resource: watch.resource,
        };
        let places = match watch.namespaces.is_empty() || object.is_cluster_wide() {
            true => vec![None],
            false => watch.namespaces.iter().copied().map(Some).collect(),
        };
        for namespace in places {
            for verb in ["list", "watch"] {
                self.add(namespace, &object, verb, origin, true);
            }
        }
    }

    /// Events are the only thing that an integration asks the API server for (`eventhandler.New`; in Alloy
    /// `loki.source.kubernetes_events`). Where it has a kubeconfig, it asks another one, or as somebody else.
    fn add_integration(&mut self, integration: &Integration<'d>) {
        let config = &integration.config;
        if integration.resource.spec.name != "eventhandler" || !config.text("kubeconfig_path").is_empty() {
            return;
        }
        let namespace = config.text("namespace");
        let watch = Watch {
            group: "",
            resource: "events",
            namespaces: (!namespace.is_empty()).then_some(namespace).into_iter().collect(),
        };
        self.add_watch(&watch, integration.origin);
    }

    fn add(
        &mut self,
        namespace: Option<&str>,
        object: &Object,
        verb: &'static str,
        origin: Origin<'d>,
        is_certain: bool,
    ) {
        let right = Right {
            namespace: namespace.map(str::to_owned),
            object: object.clone(),
            verb,
        };
        self.0.entry(right).or_insert(Reason { origin, is_certain }).is_certain |= is_certain;
    }
}

/// Whether an API server is asked with other credentials than those of the account.
fn is_elsewhere((_, http): ApiServerClient<'_>) -> bool {
    !job::is_token_of_account(http.bearer_token_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::resolve::tests::{object, of_resources};
    use crate::resolve::{Options, resolve};

    /// The rights that the agents of an input need, as `verb resource namespace`.
    fn needed(input: &str, watcher: Option<Watcher>) -> Vec<String> {
        of_resources(input, |resources| {
            let hierarchies = resolve(&resources, &Options::default()).output;
            let needs = Needs::of(&hierarchies, watcher);
            let shown = needs.iter().map(|(right, reason)| {
                let object = match &right.object {
                    Object::Resource { resource, .. } => (*resource).to_owned(),
                    Object::Path(path) => path.clone(),
                };
                let place = right.namespace.as_deref().unwrap_or("*");
                let doubt = if reason.is_certain { "" } else { "?" };
                format!("{} {object} {place}{doubt}", right.verb)
            });
            shown.collect()
        })
    }

    const AGENT: &str = "{metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}, integrations: {selector: {}}}";

    /// An agent and instance that select everything, and more.
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
    fn what_is_needed_everywhere_is_not_needed_in_a_namespace() {
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
                vec![
                    monitor("p", "any: true"),
                    monitor("q", ""),
                    monitor("r", "matchNames: [b]"),
                ],
                &["list pods *", "watch pods *"],
            ),
        ] {
            assert_eq!(needed(&input(AGENT, &more), None), expected, "{more:?}");
        }
    }

    #[test]
    fn an_integration_of_events_reads_them() {
        let integration = |name: &str, config: &str| {
            let spec = format!("{{name: {name}, type: {{}}, config: {{{config}}}}}");
            vec![object(Kind::Integration, "i", &spec)]
        };
        for (more, expected) in [
            (
                integration("eventhandler", ""),
                &["list events *", "watch events *"][..],
            ),
            (
                integration("eventhandler", "namespace: b"),
                &["list events b", "watch events b"],
            ),
            (integration("eventhandler", "kubeconfig_path: /f"), &[]),
            (integration("redis", ""), &[]),
        ] {
            assert_eq!(needed(&input(AGENT, &more), None), expected, "{more:?}");
        }
    }

    /// Where an agent proves who it is with other credentials, its account needs no rights.
    #[test]
    fn a_watcher_reads_monitors_and_what_they_refer_to() {
        let watcher = Some(Watcher { can_deny_files: true });
        let of_monitors = ["servicemonitors ns", "podmonitors *", "probes ns"];
        let of_monitors = of_monitors
            .iter()
            .flat_map(|of| ["list", "watch"].map(|verb| format!("{verb} {of}")));
        let of_monitors: std::collections::BTreeSet<_> = of_monitors.collect();
        let with = |server: &str| AGENT.replacen('{', &format!("{{apiServer: {server}, "), 1);
        for (agent, expected) in [
            (AGENT.to_owned(), true),
            (with("{host: a}"), false),
            (with("{host: a, bearerTokenFile: /etc/token}"), false),
            (
                with("{host: a, bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}"),
                true,
            ),
        ] {
            let found = needed(&input(&agent, &[]), watcher);
            let expected = if expected {
                of_monitors.clone()
            } else {
                Default::default()
            };
            assert_eq!(
                found.into_iter().collect::<std::collections::BTreeSet<_>>(),
                expected,
                "{agent}"
            );
        }
        let endpoint = "{port: a, basicAuth: {username: {name: s, key: k}, password: {name: s, key: k}}}";
        let monitor = object(
            Kind::PodMonitor,
            "p",
            &format!("{{selector: {{}}, podMetricsEndpoints: [{endpoint}]}}"),
        );
        let secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ns}\nstringData: {k: v}\n";
        let input = input(AGENT, &[monitor, secret.to_owned()]);
        of_resources(&input, |resources| {
            let hierarchies = resolve(&resources, &Options::default()).output;
            let needs = Needs::of(&hierarchies, watcher);
            let of_secrets = needs
                .iter()
                .filter(|(right, _)| right.object == Object::core("secrets"));
            // The field that selects the monitor is to blame.
            let fields: Vec<_> = of_secrets.map(|(_, reason)| reason.origin.fields().0).collect();
            assert_eq!(fields, ["spec.podMonitorSelector"]);
        });
        let found = needed(&input, watcher);
        assert!(found.contains(&"get secrets ns".to_owned()), "{found:?}");
    }

    #[test]
    fn agents_without_an_account_have_the_default_one() {
        let named = AGENT.replacen('{', "{serviceAccountName: x, ", 1);
        let default = AGENT.replacen('{', "{serviceAccountName: default, ", 1);
        let agents = [
            object(Kind::GrafanaAgent, "a", AGENT),
            object(Kind::GrafanaAgent, "b", &named),
            object(Kind::GrafanaAgent, "c", &default),
        ];
        of_resources(&agents.concat(), |resources| {
            let hierarchies = resolve(&resources, &Options::default()).output;
            let accounts = accounts(&hierarchies);
            let shown = accounts.iter().map(|(account, agents)| {
                let names: Vec<_> = agents.iter().map(|agent| agent.agent.meta.name).collect();
                format!(
                    "{}/{} {} {}",
                    account.namespace,
                    account.name,
                    account.is_default(),
                    names.concat()
                )
            });
            assert_eq!(shown.collect::<Vec<_>>(), ["ns/default true ac", "ns/x false b"]);
            let fields = resources
                .agents
                .iter()
                .map(|agent| Account::field(&agent.spec).to_string());
            let expected = ["metadata.name", "spec.serviceAccountName", "spec.serviceAccountName"];
            assert_eq!(fields.collect::<Vec<_>>(), expected);
        });
    }

    /// Who is asked for metrics may look up the rights of the token; nobody is asked for logs.
    #[test]
    fn a_job_with_the_token_of_its_pod_needs_what_it_reads() {
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
