//! A job as one shard of an agent runs it: texts with their variables replaced, rules compiled.

use std::borrow::Cow;
use std::fmt;

use crate::api::ObjectRef;
use crate::diagnostic::FieldPath;
use crate::observed::is_placeholder;
use crate::plan::{JobKind, Origin};
use crate::resolve::AssetKey;
use crate::targets::discovery::Watch;
use crate::targets::relabel::{Config, Labels, Rule, RuleError, Version};

pub struct Job<'d> {
    pub name: String,
    pub kind: JobKind,
    /// The monitor, Probe or PodLogs that it is made from; `None` for an additional job.
    pub monitor: Option<ObjectRef<'d>>,
    /// Index of an additional job in `additionalScrapeConfigs`.
    pub index: Option<usize>,
    /// The endpoint or the resource that it is made from; `None` for an additional job.
    pub origin: Option<Origin<'d>>,
    /// Where its targets come from.
    pub sources: Vec<JobSource<'d>>,
    /// Discoveries whose targets are not in the input.
    pub unknown: Vec<Unknown>,
    /// Labels that a target has before the first rule unless discovery sets them.
    pub defaults: Vec<(Cow<'static, str>, String)>,
    /// The parameters of the URL.
    pub params: Vec<(String, Vec<String>)>,
    pub rules: Vec<JobRule<'d>>,
    /// Why the agent refuses its configuration with this job: the rule, and what is wrong.
    pub refused: Option<(usize, RuleError)>,
    /// The version of Prometheus that runs it.
    pub version: Version,
}

/// A rule, and where it comes from.
#[derive(Clone, Debug)]
pub struct JobRule<'d> {
    pub rule: Rule<'d>,
    /// Where it comes from.
    pub origin: RuleOrigin<'d>,
    /// Whether it differs between shards.
    pub is_of_shard: bool,
}

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It keeps the objects that the selector selects.
    Selector,
    /// It keeps the port of the endpoint.
    Port,
    /// It is a relabeling of the resource or of an additional job.
    User,
    /// Anything else that the operator adds.
    Operator,
}

impl<'d> JobRule<'d> {
    /// The rule as the configuration has it.
    pub fn config(&self) -> &Config<'d> {
        self.rule.config()
    }

    /// The field of a resource that it comes from.
    pub fn field(&self) -> Option<Origin<'d>> {
        match &self.origin {
            RuleOrigin::Field(origin) => Some(*origin),
            RuleOrigin::Additional { .. } | RuleOrigin::Unknown => None,
        }
    }

    /// Whether a cluster may decide otherwise about a potential target that the rule drops.
    pub fn is_undecided(&self, labels: &Labels<'_>) -> bool {
        let sources = &self.config().source_labels;
        self.rule.is_filter() && sources.iter().any(|label| is_placeholder(labels.get(label)))
    }

    pub fn part(&self) -> Part {
        match &self.origin {
            RuleOrigin::Field(origin) => match origin.fields() {
                ("spec.selector" | "spec.targets.ingress.selector", _) => Part::Selector,
                (_, "port" | "targetPort") if self.rule.is_filter() => Part::Port,
                (field, key) if key == "relabelings" || is_relabeling(field) => Part::User,
                _ => Part::Operator,
            },
            RuleOrigin::Additional { .. } => Part::User,
            RuleOrigin::Unknown => Part::Operator,
        }
    }
}

fn is_relabeling(field: &str) -> bool {
    field == "spec.relabelings" || field.ends_with(".relabelingConfigs")
}

/// Where a rule comes from.
#[derive(Clone, Debug)]
pub enum RuleOrigin<'d> {
    /// A field of a resource.
    Field(Origin<'d>),
    /// The YAML of additional jobs.
    Additional {
        /// The key of the Secret that has it.
        secret: AssetKey<'d>,
        /// The field in the list of jobs.
        path: FieldPath<'static>,
        /// Its line in the text of the Secret, from 1.
        line: u32,
    },
    /// Nothing of the input.
    Unknown,
}

/// A discovery whose targets are not in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The field, such as `consul_sd_configs`.
    pub field: String,
    pub reason: UnknownReason,
}

/// Why the targets of a discovery are not in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// Another service than Kubernetes lists them.
    OtherService,
    /// `api_server` is the API server of another cluster.
    ApiServer,
    /// `kubeconfig_file` may lead to another cluster.
    Kubeconfig,
    /// The API server does not know the role, or rejects the selectors.
    Rejected,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "targets of `{}` are not known offline", self.field)?;
        f.write_str(match self.reason {
            UnknownReason::OtherService => "",
            UnknownReason::ApiServer => ": `api_server` leads to another cluster, whose objects are not in the input",
            UnknownReason::Kubeconfig => ": the cluster of `kubeconfig_file` is not in the input",
            UnknownReason::Rejected => ": the API server rejects `role` or `selectors`",
        })
    }
}

/// Where targets come from.
#[derive(Clone, Debug)]
pub enum JobSource<'d> {
    /// They are discovered.
    Watch {
        watch: Watch,
        /// The field that decides about the namespaces.
        origin: Option<Origin<'d>>,
    },
    /// They are listed.
    Static(StaticGroup),
}

/// Addresses and the labels that they all have.
#[derive(Clone, Debug, Default)]
pub struct StaticGroup {
    /// The addresses.
    pub targets: Vec<String>,
    pub labels: Vec<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::resolve::tests::{object, of_resources};
    use crate::targets::relabel::Rules;

    #[test]
    fn a_rule_is_a_part_of_the_job_by_its_field() {
        let probe = object(
            Kind::Probe,
            "p",
            "{prober: {url: a}, targets: {staticConfig: {static: [a]}}}",
        );
        of_resources(&probe, |resources| {
            let head = &resources.probes[0].head;
            let at = |field| RuleOrigin::Field(Origin::of(head).at(field));
            let below = |field, key| RuleOrigin::Field(Origin::of(head).at(field).item(0).key(key));
            let secret = AssetKey {
                kind: Kind::Secret,
                namespace: "ns",
                name: "s",
                key: "k",
            };
            let additional = RuleOrigin::Additional {
                secret,
                path: FieldPath::new(),
                line: 1,
            };
            for (origin, action, expected) in [
                (at("spec.selector"), "keep", Part::Selector),
                (at("spec.targets.ingress.selector"), "keep", Part::Selector),
                (below("spec.endpoints", "port"), "keep", Part::Port),
                (below("spec.endpoints", "targetPort"), "drop", Part::Port),
                (below("spec.endpoints", "port"), "replace", Part::Operator),
                (below("spec.endpoints", "relabelings"), "keep", Part::User),
                (at("spec.relabelings"), "keep", Part::User),
                (at("spec.targets.staticConfig.relabelingConfigs"), "replace", Part::User),
                (at("spec.jobLabel"), "replace", Part::Operator),
                (below("spec.endpoints", "path"), "keep", Part::Operator),
                (additional, "replace", Part::User),
                (RuleOrigin::Unknown, "keep", Part::Operator),
            ] {
                let config = Config {
                    action: Some(action.into()),
                    ..Config::default()
                };
                let rule = Rules::default().rule(config).unwrap();
                let has_field = matches!(origin, RuleOrigin::Field(_));
                let shown = format!("{origin:?}");
                let rule = JobRule {
                    rule,
                    origin,
                    is_of_shard: false,
                };
                assert_eq!((rule.part(), rule.field().is_some()), (expected, has_field), "{shown}");
            }
        });
    }
}
