//! Flags for compilation and for the delivery of Secret values.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};

use super::LimitArgs;
use crate::admit::{self, UnknownFields};
use crate::api::{NamespaceLabels, OperatorVersion};
use crate::cli::completion;
use crate::cli::session::{Outcome, Session};
use crate::compile::CompileOptions;
use crate::diagnostic::bound::Fixes;
use crate::flags::Effect::{Harmless, Weakens};
use crate::flags::{Needs, UnusedBy};
use crate::go::syntax;
use crate::input::{Input, ReadLimits};
use crate::insight::resolved::{ResolvedInput, resolve};
use crate::manifest::{self, ConfigHolder, render};
use crate::output::{AlloyDiscovery, Target, alloy};
use crate::resolve::{self, JobLimit, KeyTemplate, MissingSecrets, Remote, SecretMode, Store};
use crate::targets::observed;
use crate::yaml::Limits;

const DEFAULT_NAMESPACE: &str = "default";

/// Release of Grafana Alloy for which configurations are generated.
pub(in crate::cli) const ALLOY_VERSION: &str = "v1.18.1";

/// Commands that do not use the flags for manifests, each with the reason.
const COMMANDS_WITHOUT_MANIFESTS: &[(&str, &str)] =
    &[("rbac", "it renders no agents"), ("config|targets|tree|why", "it renders no manifests")];

/// Commands that do not use the flags for the contents of manifests, each with the reason.
const COMMANDS_WITHOUT_CONTENTS: &[(&str, &str)] = &[
    ("rbac", "it renders no agents"),
    ("config|targets|tree|why", "it renders no manifests"),
    ("affected", "it lists objects without their contents"),
    ("shards", "it does not show manifests"),
];

/// Commands that do not use the flags for Secret values, each with the reason.
const COMMANDS_FOR_SELECTION: &[(&str, &str)] = &[("why", "it considers only selections")];

/// Program to generate configuration for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetName {
    /// Grafana Agent, as the operator runs it
    Agent,
    /// Grafana Alloy, instead of the agent
    Alloy,
}

/// Flags of the operator, and substitutes for data from the cluster.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Compilation")]
pub(in crate::cli) struct CompileArgs {
    /// Namespace for resources without one
    ///
    /// The default is `default`.
    #[arg(short, long, value_name = "NAMESPACE", default_value = DEFAULT_NAMESPACE, hide_default_value = true, value_parser = namespace, add = completion::namespaces(), add = Weakens("can move resources to a namespace in which nothing selects them", &[DEFAULT_NAMESPACE]))]
    namespace: String,

    /// Labels of a namespace that is not defined in the input; may be repeated
    ///
    /// Namespace selectors are matched against them. Several namespaces can be set at once: shop:team=a,tier=b,db:team=a.
    #[arg(long, hide_short_help = true, value_name = "NAMESPACE:KEY=VALUE,…", value_parser = namespace_labels, add = Weakens("selects different namespaces", &[]))]
    namespace_labels: Vec<NamespaceLabels>,

    /// Labels for every created object, like the operator's --labels
    #[arg(long, hide_short_help = true, value_name = "KEY=VALUE,…", value_parser = labels, add = Harmless)]
    labels: Option<BTreeMap<String, String>>,

    /// Compile only GrafanaAgents with these labels, like the operator's --agent-selector
    #[arg(long, hide_short_help = true, value_name = "SELECTOR", value_parser = selector, add = Weakens("excludes agents", &[]))]
    agent_selector: Option<String>,

    /// Compile only this GrafanaAgent; may be repeated
    ///
    /// NAME is enough if no other GrafanaAgent has it; otherwise use NAMESPACE/NAME.
    #[arg(long, value_name = "NAME", value_parser = agent_name, add = completion::agents())]
    agent: Vec<(Option<String>, String)>,

    /// Create a Service and Endpoints for the kubelets, like the operator's --kubelet-service
    #[arg(long, hide_short_help = true, value_name = "NAMESPACE/NAME", value_parser = namespaced_name, add = Harmless)]
    kubelet_service: Option<(String, String)>,

    /// Operator release whose output to reproduce [default: v0.44.8]
    #[arg(long, value_name = "VERSION", hide_short_help = true, add = Weakens("checks for a different operator release", &[]))]
    operator_version: Option<OperatorVersion>,

    /// Program to compile for
    #[arg(long, value_name = "PROGRAM", default_value = "agent", add = Weakens("checks for a different program", &["agent"]))]
    target: TargetName,

    /// Image of Grafana Alloy, with --target=alloy
    #[arg(long, value_name = "IMAGE", default_value_t = format!("grafana/alloy:{ALLOY_VERSION}"), hide_short_help = true, add = Harmless, add = Needs("target", "alloy"), add = UnusedBy(COMMANDS_WITHOUT_CONTENTS))]
    alloy_image: String,

    /// Whether agentctl or Alloy reads the monitors, with --target=alloy
    #[arg(long, value_name = "MODE", default_value = "static", hide_short_help = true, add = Harmless, add = Needs("target", "alloy"))]
    alloy_discovery: AlloyDiscovery,

    /// Kind of object to store configurations in, with --target=alloy
    #[arg(long, value_name = "KIND", default_value = "secret", hide_short_help = true, add = Harmless, add = UnusedBy(COMMANDS_WITHOUT_MANIFESTS))]
    config_kind: ConfigHolder,

    /// Handling of unknown fields
    #[arg(long, value_name = "MODE", default_value = "warn", num_args = 0..=1, default_missing_value = "strict", require_equals = true, add = Weakens("accepts unknown fields", &["strict", "warn"]))]
    validate: UnknownFields,

    /// Handling of missing Secrets
    ///
    /// Applies to every Secret, ConfigMap and key that is missing from the input. Use it if they are created elsewhere.
    /// The default is error, or placeholder in commands that need no values: tree, why, targets, rbac and affected.
    #[arg(long, value_name = "MODE", add = Weakens("accepts missing Secrets", &["error"]))]
    missing_secrets: Option<MissingSecrets>,

    /// Secret values
    ///
    /// Determines how the agent receives them. The default is inline.
    #[arg(long, value_name = "MODE", add = Weakens("does not require Secret values", &["inline", "placeholder"]), add = UnusedBy(COMMANDS_FOR_SELECTION))]
    secrets: Option<SecretDelivery>,

    /// Store for values that no ExternalSecret provides, with --secrets=external
    #[arg(long, hide_short_help = true, value_name = "KIND/NAME", value_parser = store, requires = "secrets", add = Weakens("accepts values that no ExternalSecret provides", &[]), add = Needs("secrets", "external"), add = UnusedBy(COMMANDS_FOR_SELECTION))]
    secret_store: Option<Store>,

    /// Remote key with --secret-store, from the Secret's {namespace}, {name} and {key}
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE", default_value_t, value_parser = KeyTemplate::new, add = Harmless, add = Needs("secrets", "external"), add = UnusedBy(COMMANDS_WITHOUT_CONTENTS))]
    remote_key: KeyTemplate,

    #[command(flatten)]
    limits: LimitArgs,
}

impl CompileArgs {
    /// Sets the namespace of resources that specify none, unless the flag is set.
    pub(in crate::cli) fn suggest_namespace(&mut self, text: &str) -> Result<(), String> {
        if self.namespace == DEFAULT_NAMESPACE {
            self.namespace = namespace(text)?;
        }
        Ok(())
    }

    /// Sets the operator's release to the one that `detect` returns, unless the flag is set. Returns whether the
    /// release was set.
    pub(in crate::cli) fn suggest_operator(&mut self, detect: impl FnOnce() -> Option<OperatorVersion>) -> bool {
        let is_suggested = self.operator_version.is_none() && self.target == TargetName::Agent;
        let detect = is_suggested.then(detect).flatten();
        self.operator_version = self.operator_version.or(detect);
        detect.is_some()
    }

    /// Returns the operator release whose output is reproduced.
    pub(in crate::cli) fn operator(&self) -> OperatorVersion {
        self.operator_version.unwrap_or_default()
    }

    /// Returns the namespace of resources that specify none.
    pub(in crate::cli) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the namespace labels from the flags. If a label is set several times, the last value applies.
    fn namespace_labels(&self) -> NamespaceLabels {
        let mut all = NamespaceLabels::new();
        for (namespace, labels) in self.namespace_labels.iter().flatten() {
            all.entry(namespace.clone()).or_default().extend(labels.clone());
        }
        all
    }

    /// Returns the flags for an answer that does not depend on Secret values. Missing values become placeholders,
    /// unless the flags specify otherwise.
    #[must_use]
    pub(in crate::cli) fn without_values(&self) -> Self {
        self.for_findings().with_placeholders()
    }

    /// Returns the flags with placeholders for missing Secrets, unless `--missing-secrets` is set.
    #[must_use]
    pub(in crate::cli) fn with_placeholders(&self) -> Self {
        Self { missing_secrets: self.missing_secrets.or(Some(MissingSecrets::Placeholder)), ..self.clone() }
    }

    /// Returns the flags for commands that only report findings. Unless `--secrets` is set, Secret values become
    /// placeholders, because another tool may create the Secrets in the cluster.
    #[must_use]
    pub(in crate::cli) fn for_findings(&self) -> Self {
        Self { secrets: self.secrets.or(Some(SecretDelivery::Placeholder)), ..self.clone() }
    }

    pub(in crate::cli) fn sets_secrets(&self) -> bool {
        self.secrets.is_some()
    }

    /// Returns the limits on files to read, and the restrictions on their locations.
    pub(in crate::cli) fn reading(&self) -> ReadLimits {
        self.limits.reading()
    }

    /// Returns the limits on a single source.
    pub(in crate::cli) fn limits(&self) -> Limits {
        self.limits.limits()
    }

    /// Returns the program to generate configuration for, with its options.
    fn target(&self) -> Target {
        let is_external = self.secrets == Some(SecretDelivery::External);
        match self.target {
            TargetName::Agent => Target::Agent,
            TargetName::Alloy => Target::Alloy(alloy::AlloySettings {
                image: self.alloy_image.clone(),
                has_files_of_credentials: !is_external,
                is_public: is_external || self.config_kind == ConfigHolder::ConfigMap,
                discovery: self.alloy_discovery,
            }),
        }
    }

    /// Returns the mode that the flags for Secrets select.
    fn secret_mode(&self) -> SecretMode {
        match self.secrets {
            None | Some(SecretDelivery::Inline) => SecretMode::Inline,
            Some(SecretDelivery::Placeholder) => SecretMode::Placeholder,
            Some(SecretDelivery::External) => SecretMode::External(Remote {
                store: self.secret_store.clone(),
                key: self.remote_key.clone(),
                reads_files: !self.target().inlines_secrets(),
            }),
        }
    }

    /// Reads and resolves the inputs, and passes the result to `answer`.
    pub(in crate::cli) fn resolve<T>(
        &self,
        inputs: &[Input],
        session: &Session,
        answer: impl FnOnce(ResolvedInput<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        let options = CompileOptions { keep: Some(observed::kept_fields), ..self.options(session) };
        let mut admission_findings = Vec::new();
        let sources = session.load(inputs, &self.reading())?.report_to(&mut admission_findings);
        resolve(&sources, admission_findings, &options, answer)
    }

    /// Returns the compiler's options.
    pub(in crate::cli) fn options(&self, session: &Session) -> CompileOptions {
        CompileOptions {
            limits: self.limits(),
            admit: admit::AdmitOptions {
                namespace: self.namespace.clone(),
                namespace_labels: self.namespace_labels(),
                unknown_fields: self.validate,
                operator: self.operator(),
                given: session.invocation.namespace_flags,
                fixes: Fixes::Listed,
            },
            resolve: resolve::ResolveOptions {
                agents: self.agent.clone(),
                agent_selector: self.agent_selector.clone(),
                missing_secrets: self.missing_secrets.unwrap_or_default(),
                secrets: self.secret_mode(),
                max_jobs: JobLimit(self.limits.jobs()),
            },
            render: render::RenderOptions {
                manifest: manifest::ManifestOptions {
                    labels: self.labels.clone().unwrap_or_default(),
                    owner_references: false,
                    operator: self.operator(),
                    target: self.target(),
                    config_kind: self.config_kind,
                },
                kubelet_service: self.kubelet_service.clone(),
                max_shards: self.limits.shards(),
                max_output_size: self.limits.output_size(),
                masks: false,
            },
            skips_label_flow: true,
            ..CompileOptions::default()
        }
    }
}

/// Parses a namespace name, which must be valid.
pub(in crate::cli) fn namespace(text: &str) -> Result<String, String> {
    match syntax::dns_label(text) {
        None => Ok(text.to_owned()),
        Some(problem) => Err(format!("it {problem}")),
    }
}

fn namespaced_name(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((space, name)) if !name.is_empty() && !name.contains('/') => Ok((namespace(space)?, name.to_owned())),
        _ => Err("expected NAMESPACE/NAME".to_owned()),
    }
}

fn agent_name(text: &str) -> Result<(Option<String>, String), String> {
    match text.contains('/') {
        true => namespaced_name(text).map(|(space, name)| (Some(space), name)),
        false if text.is_empty() => Err("expected NAME or NAMESPACE/NAME".to_owned()),
        false => Ok((None, text.to_owned())),
    }
}

/// Parses a label selector, which Kubernetes must accept.
fn selector(text: &str) -> Result<String, String> {
    resolve::read_agent_selector(text).map(|_| text.to_owned())
}

fn labels(text: &str) -> Result<BTreeMap<String, String>, String> {
    let pairs = text.split(',').filter(|pair| !pair.is_empty());
    pairs.map(label).collect()
}

fn label(pair: &str) -> Result<(String, String), String> {
    let Some((key, value)) = pair.split_once('=').filter(|(key, _)| !key.is_empty()) else {
        return Err(format!("expected KEY=VALUE, found `{pair}`"));
    };
    if let Some(problem) = syntax::qualified_name(key) {
        return Err(format!("the key `{key}` {problem}"));
    }
    match syntax::label_value(value) {
        Some(problem) => Err(format!("the value `{value}` {problem}")),
        None => Ok((key.to_owned(), value.to_owned())),
    }
}

/// Parses namespace labels. A namespace must precede its first label and may be omitted before its other labels.
fn namespace_labels(text: &str) -> Result<NamespaceLabels, String> {
    let mut namespaces = NamespaceLabels::new();
    let mut current = None;
    for item in text.split(',').filter(|item| !item.is_empty()) {
        let pair = match item.split_once(':') {
            Some((prefix, pair)) => {
                current = Some(namespace(prefix)?);
                pair
            }
            None => item,
        };
        let Some(namespace) = &current else {
            return Err(format!("expected NAMESPACE:KEY=VALUE, found `{item}`"));
        };
        let labels = namespaces.entry(namespace.clone()).or_default();
        if !pair.is_empty() {
            labels.extend([label(pair)?]);
        }
    }
    Ok(namespaces)
}

/// Delivery of Secret values to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SecretDelivery {
    /// Values are rendered, as in the operator's output
    Inline,
    /// A token that identifies the value is rendered, so that the output can be committed and reviewed
    Placeholder,
    /// No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret
    External,
}

fn store(text: &str) -> Result<Store, String> {
    match text.split_once('/') {
        Some((kind @ ("SecretStore" | "ClusterSecretStore"), name)) if !name.is_empty() => {
            Ok(Store { kind: kind.to_owned(), name: name.to_owned() })
        }
        _ => Err("expected SecretStore/NAME or ClusterSecretStore/NAME".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn parse(args: &[&str]) -> CompileArgs {
        let command = CompileArgs::augment_args(Command::new("x").no_binary_name(true));
        CompileArgs::from_arg_matches(&command.get_matches_from(args)).unwrap()
    }

    #[test]
    fn explicit_namespace_overrides_the_suggested_one() {
        for (args, suggested, expected) in [
            (&[][..], "shop", Some("shop")),
            (&["--namespace", "default"], "shop", Some("shop")),
            (&["--namespace", "other"], "shop", Some("other")),
            (&["--namespace", "other"], "Not a name", Some("other")),
            (&[], "Not a name", None),
        ] {
            let mut args = parse(args);
            let namespace = args.suggest_namespace(suggested).ok().map(|()| args.namespace.as_str());
            assert_eq!(namespace, expected, "{suggested}");
        }
        let release = |text: &str| text.parse::<OperatorVersion>().unwrap();
        let (old, new) = (release("v0.39.0"), release("v0.44.0"));
        for (args, actual, is_taken, expected) in [
            (&[][..], Some(old), true, old),
            (&[], None, false, OperatorVersion::default()),
            (&["--operator-version", "v0.44.0"], Some(old), false, new),
            (&["--target", "alloy"], Some(old), false, OperatorVersion::default()),
        ] {
            let mut args = parse(args);
            assert_eq!(args.suggest_operator(|| actual), is_taken, "{actual:?}");
            assert_eq!(args.operator(), expected, "{actual:?}");
        }
    }

    #[test]
    fn parses_labels_as_pairs() {
        let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        assert_eq!(labels("a=b,c.d/e=f,g=,"), Ok(map(&[("a", "b"), ("c.d/e", "f"), ("g", "")])));
        for text in ["a b=c", "/x=1", "a=b c", "a=b=c"] {
            assert!(labels(text).is_err(), "{text}");
        }
        assert_eq!(labels(""), Ok(map(&[])));
        assert_eq!(labels("a"), Err("expected KEY=VALUE, found `a`".to_owned()));
        assert!(labels("=b").is_err());
    }

    #[test]
    fn parses_labels_per_namespace() {
        let debug_text = |text: &str| namespace_labels(text).map(|all| format!("{all:?}"));
        for (text, expected) in [
            ("", "{}"),
            ("shop:", r#"{"shop": {}}"#),
            ("shop:a=b", r#"{"shop": {"a": "b"}}"#),
            ("shop:a=b,c=,db:x.y/a=b", r#"{"db": {"x.y/a": "b"}, "shop": {"a": "b", "c": ""}}"#),
        ] {
            assert_eq!(debug_text(text).as_deref(), Ok(expected), "{text}");
        }
        for text in ["a=b", "Shop:a=b", "shop:a", "shop:a=b c", ":a=b"] {
            assert!(debug_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn kubelet_service_has_namespace_and_name() {
        let owned_pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(namespaced_name("kube-system/kubelet"), Ok(owned_pair("kube-system", "kubelet")));
        for text in ["kubelet", "a/", "/b", "a/b/c", "A/b"] {
            assert!(namespaced_name(text).is_err(), "{text}");
        }
    }
}
