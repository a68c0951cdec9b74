//! What the pods of an account ask the API server for.

use std::collections::BTreeMap;

use super::job;
use super::right::{Object, Right, Watch};
use crate::api::GrafanaAgent;
use crate::diagnostic::FieldPath;
use crate::plan::{
    ApiServerClient, ConfigKind, Instance, Integration, JobKind, MetricsInstance, Origin, Plan, Watch as MonitorWatch,
    Watcher,
};
use crate::resolve::Hierarchy;
use crate::resolve::references::{self, AgentUse};
use crate::target::agent;
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
            let origin = Origin::of(instance.resource()).at("spec.additionalScrapeConfigs");
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
        for monitor in instance.selected().children().filter(|child| child.kind == watch.kind) {
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
