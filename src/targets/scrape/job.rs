//! Jobs as run by a single shard of an agent, with variables replaced and rules compiled.

use std::borrow::Cow;
use std::fmt;

use crate::api::ObjectRef;
use crate::diagnostic::FieldPath;
use crate::plan::{JobKind, Origin};
use crate::resolve::AssetKey;
use crate::targets::discovery::DiscoveryWatch;
use crate::targets::relabel::{CompiledRule, Config, Labels, PrometheusVersion, RuleError};

pub struct Job<'d> {
    pub name: String,
    pub kind: JobKind,
    /// Monitor, Probe or PodLogs resource that the job comes from, or `None` for an additional job.
    pub monitor: Option<ObjectRef<'d>>,
    /// Index in `additionalScrapeConfigs` if this is an additional job.
    pub index: Option<usize>,
    /// Endpoint or resource that the job comes from, or `None` for an additional job.
    pub origin: Option<Origin<'d>>,
    /// Sources of the job's targets.
    pub sources: Vec<JobSource<'d>>,
    /// Discoveries whose targets are not in the input.
    pub unknown: Vec<UnknownTargets>,
    /// Labels that a target has before the first rule, unless discovery sets them.
    pub defaults: Vec<(Cow<'static, str>, String)>,
    /// URL parameters.
    pub params: Vec<(String, Vec<String>)>,
    pub rules: Vec<JobRule<'d>>,
    /// Rule that causes the agent to reject its configuration, and the problem.
    pub refused: Option<(usize, RuleError)>,
    /// Version of Prometheus that runs the job.
    pub version: PrometheusVersion,
    /// Whether scrape settings that rules remove are restored. `prometheus.scrape` restores such settings, but
    /// Prometheus does not.
    pub restores_settings: bool,
}

/// Compiled rule and its origin.
#[derive(Clone, Debug)]
pub struct JobRule<'d> {
    pub rule: CompiledRule<'d>,
    pub origin: RuleOrigin<'d>,
    /// Whether the rule differs between shards.
    pub is_of_shard: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulePurpose {
    /// Keeps the objects that the selector selects.
    Selector,
    /// Keeps only targets with the endpoint's port.
    Port,
    /// Relabeling rule of the resource or of an additional job.
    User,
    /// Any other rule added by the operator.
    Operator,
}

impl<'d> JobRule<'d> {
    /// Returns the rule as configured.
    pub fn config(&self) -> &Config<'d> {
        self.rule.config()
    }

    /// Returns the resource field that the rule comes from.
    pub fn field(&self) -> Option<Origin<'d>> {
        match &self.origin {
            RuleOrigin::Field(origin) => Some(*origin),
            RuleOrigin::Additional { .. } | RuleOrigin::Operator => None,
        }
    }

    /// Whether the rule reads an unknown value that determines the target's URL or whether the target is kept. The
    /// operator's own rules are ignored, because they have the same effect on all targets of a pod.
    pub fn depends_on_unknown(&self, labels: &Labels<'_>) -> bool {
        let config = self.config();
        let is_decisive = config.target_label.starts_with("__") || config.target_label.contains('$');
        self.part() != RulePurpose::Operator
            && (self.rule.is_undecided(labels) || is_decisive && self.rule.reads_unknown(labels))
    }

    pub fn part(&self) -> RulePurpose {
        match &self.origin {
            RuleOrigin::Field(origin) => match origin.fields() {
                ("spec.selector" | "spec.targets.ingress.selector", _) => RulePurpose::Selector,
                (_, "port" | "targetPort") if self.rule.is_filter() => RulePurpose::Port,
                (field, key) if key == "relabelings" || is_relabeling(field) => RulePurpose::User,
                _ => RulePurpose::Operator,
            },
            RuleOrigin::Additional { .. } => RulePurpose::User,
            RuleOrigin::Operator => RulePurpose::Operator,
        }
    }
}

fn is_relabeling(field: &str) -> bool {
    field == "spec.relabelings" || field.ends_with(".relabelingConfigs")
}

#[derive(Clone, Debug)]
pub enum RuleOrigin<'d> {
    /// Field of a resource.
    Field(Origin<'d>),
    /// YAML of additional jobs.
    Additional {
        /// Key of the Secret that contains the YAML.
        secret: AssetKey<'d>,
        /// Field in the list of jobs.
        path: FieldPath<'static>,
        /// Line number in the Secret's value, starting at 1.
        line: u32,
    },
    /// A rule added by the operator, which is not in the input.
    Operator,
}

/// Discovery whose targets are not in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTargets {
    /// Name of the field, such as `consul_sd_configs`.
    pub field: String,
    pub reason: UnknownReason,
}

/// Reason why the targets of a discovery are not in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The targets are listed by a service other than Kubernetes.
    OtherService,
    /// Promtail reads the logs from the field itself, without discovery.
    Receiver,
    /// `api_server` is the API server of another cluster.
    ApiServer,
    /// `kubeconfig_file` may refer to another cluster.
    Kubeconfig,
    /// The API server does not support the role, or rejects the selectors.
    Rejected,
}

impl fmt::Display for UnknownTargets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason == UnknownReason::Receiver {
            return write!(f, "`{}` reads logs without discovering targets", self.field);
        }
        write!(f, "targets of `{}` are unknown offline", self.field)?;
        f.write_str(match self.reason {
            UnknownReason::OtherService | UnknownReason::Receiver => "",
            UnknownReason::ApiServer => ": `api_server` refers to another cluster, whose objects are not in the input",
            UnknownReason::Kubeconfig => ": the cluster of `kubeconfig_file` is not in the input",
            UnknownReason::Rejected => ": the API server rejects `role` or `selectors`",
        })
    }
}

/// Source from which a job gets its targets.
#[derive(Clone, Debug)]
pub enum JobSource<'d> {
    /// Targets discovered through the API server.
    Watch {
        watch: DiscoveryWatch,
        /// Field that determines the namespaces to search.
        origin: Option<Origin<'d>>,
    },
    /// Targets listed in the configuration.
    Static(StaticGroup),
}

/// Addresses and their shared labels.
#[derive(Clone, Debug, Default)]
pub struct StaticGroup {
    /// Addresses of the targets.
    pub targets: Vec<String>,
    pub labels: Vec<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::resolve::tests::{object, with_resources};
    use crate::targets::relabel::RuleCompiler;

    #[test]
    fn determines_the_purpose_of_rules_by_field() {
        let probe = object(Kind::Probe, "p", "{prober: {url: a}, targets: {staticConfig: {static: [a]}}}");
        with_resources(&probe, |resources| {
            let head = &resources.probes[0].header;
            let at = |field| RuleOrigin::Field(Origin::new(head).at(field));
            let below = |field, key| RuleOrigin::Field(Origin::new(head).at(field).item(0).key(key));
            let secret = AssetKey { kind: Kind::Secret, namespace: "ns", name: "s", key: "k" };
            let additional = RuleOrigin::Additional { secret, path: FieldPath::new(), line: 1 };
            for (origin, action, expected) in [
                (at("spec.selector"), "keep", RulePurpose::Selector),
                (at("spec.targets.ingress.selector"), "keep", RulePurpose::Selector),
                (below("spec.endpoints", "port"), "keep", RulePurpose::Port),
                (below("spec.endpoints", "targetPort"), "drop", RulePurpose::Port),
                (below("spec.endpoints", "port"), "replace", RulePurpose::Operator),
                (below("spec.endpoints", "relabelings"), "keep", RulePurpose::User),
                (at("spec.relabelings"), "keep", RulePurpose::User),
                (at("spec.targets.staticConfig.relabelingConfigs"), "replace", RulePurpose::User),
                (at("spec.jobLabel"), "replace", RulePurpose::Operator),
                (below("spec.endpoints", "path"), "keep", RulePurpose::Operator),
                (additional, "replace", RulePurpose::User),
                (RuleOrigin::Operator, "keep", RulePurpose::Operator),
            ] {
                let config = Config { action: Some(action.into()), ..Config::default() };
                let rule = RuleCompiler::default().rule(config).unwrap();
                let has_field = matches!(origin, RuleOrigin::Field(_));
                let shown = format!("{origin:?}");
                let rule = JobRule { rule, origin, is_of_shard: false };
                assert_eq!((rule.part(), rule.field().is_some()), (expected, has_field), "{shown}");
            }
        });
    }
}
