//! Findings reported by the resolve stage, with one function per finding.

use super::missing::Alternative;
use super::references::{KeyReference, Usage};
use super::selector::InvalidSelector;
use super::{AssetKey, MissingSecrets};
use crate::api::{
    GeneratedSecret, GrafanaAgent, Kind, ObjectRef, Probe, Resource, ResourceHeader, Resources, SecretData,
    ServiceMonitor,
};
use crate::diagnostic::listed::{first_of, format_list, join_words};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, display_data_key};
use crate::source::Span;

/// Finding for a label selector that Kubernetes rejects.
pub fn invalid_selector(resource: &ResourceHeader<'_>, field: &'static str, invalid: &InvalidSelector) -> Diagnostic {
    let path = FieldPath::parse(field).join(&invalid.path);
    resource
        .finding(Code::InvalidSelector, &path, invalid.reason.as_str())
        .help("correct the selector; until then, the operator does not reconcile this agent")
}

/// Finding for agents whose selections exceed the limit. `largest` contains the resources with the highest costs, each
/// with the equivalent number of jobs, and `more` is the number of remaining resources.
pub fn too_many_jobs(largest: &[(&ResourceHeader<'_>, u64)], more: usize, total: u64, limit: u64) -> Diagnostic {
    let first_header = largest.first().map(|(head, _)| *head);
    let is_pods = first_header.is_some_and(|head| head.kind == Kind::GrafanaAgent);
    let clause = if is_pods { "are as much work to render as" } else { "select the equivalent of" };
    let message = format!("the agents {clause} {total} scrape jobs, more than the limit of {limit}");
    let job_counts = largest.iter().map(|(head, jobs)| format!("{} `{}` ({jobs})", head.kind, head.meta.full_name()));
    let mut named_objects: Vec<_> = job_counts.collect();
    if more > 0 {
        named_objects.push(format!("{more} more"));
    }
    let narrowing_help = match is_pods {
        true => "lower `shards` or shorten the lists",
        false => "narrow the selectors",
    };
    let locate = |finding: Diagnostic, head: &ResourceHeader<'_>| {
        finding.label(head.name_span(), "").resource(head.object_ref())
    };
    let finding = Diagnostic::new(Code::JobLimit, message).help(format!(
        "{narrowing_help} of {}, or raise the limit with `--limit jobs=NUMBER`",
        join_words("and", &named_objects)
    ));
    first_header.into_iter().fold(finding, locate)
}

/// Finding for selectors whose selections are too large to store.
pub fn too_many_selected() -> Diagnostic {
    let message = "the selectors of agents and instances select more than 5000000 resources";
    Diagnostic::new(Code::JobLimit, message).help("narrow the selectors, or compile fewer resources at a time")
}

/// Finding for a reference to a Secret or ConfigMap that is not in the input. Suggests the most similar object.
pub fn missing_object(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    alternative: &Alternative<'_>,
    mode: MissingSecrets,
) -> Diagnostic {
    let (kind, namespace) = (reference.kind, referrer.meta.namespace);
    let (name, key) = (reference.selector.name, reference.selector.key);
    let code = match kind {
        Kind::Secret => Code::MissingSecret,
        _ => Code::MissingConfigMap,
    };
    let mut message = format!("{kind} `{name}` not found in namespace `{namespace}`");
    let mut cause = format!("missing {kind}/{namespace}/{name}");
    let (label, help) = match alternative {
        Alternative::Generated(generated) => {
            let (generator, creator) = (generated.generator, generated.creator);
            message = format!("{kind} `{name}` is not in the input: {generator} `{creator}` creates it in the cluster");
            let help = "render with `--secrets=placeholder` or `--secrets=external`, which need no values, or add the Secret \
                        to the input";
            let label = format!("this {generator} creates it");
            (Some((generated.span, label)), help.to_owned())
        }
        Alternative::Elsewhere { object, other_count, is_near } => {
            let other_namespace = object.meta.namespace;
            message.push_str(&format!(", but there is one in namespace `{other_namespace}`"));
            let others_text = match other_count {
                0 => String::new(),
                other_count => format!(", and {other_count} more"),
            };
            let label = format!("the {kind} in namespace `{other_namespace}`{others_text}");
            let help = if *is_near {
                cause = misspelled_namespace(namespace, other_namespace);
                format!("correct the namespace of the {kind}, or of the resource that refers to it")
            } else {
                format!("add a {kind} with this name to the namespace of the resource that refers to it")
            };
            (Some((object.name_span(), label)), help)
        }
        Alternative::Similar(name) => (None, format!("did you mean `{name}`?")),
        Alternative::Renamed(renamed) => {
            let help = format!(
                "kustomize renamed it to `{renamed}`, but did not update this field: add agentctl's \
                 `deploy/kustomize/name-references` to `components` in the kustomization, or the \
                 `name-references.yaml` in that directory to `configurations`"
            );
            (None, help)
        }
        Alternative::OtherKind(object) => {
            let other_kind = object.kind;
            let label = format!("a {other_kind} with this name is defined here");
            let help = format!("refer to the {other_kind}, or add the {kind} to the input");
            (Some((object.name_span(), label)), help)
        }
        Alternative::Names(names) => {
            let mut help = match mode {
                MissingSecrets::Error => format!(
                    "add the {kind} to the input, or correct `name`; if it is created elsewhere, pass \
                     `--missing-secrets=placeholder`"
                ),
                MissingSecrets::Placeholder => format!("correct `name`, unless the {kind} is created elsewhere"),
            };
            if !names.is_empty() {
                help.push_str(&format!("; the namespace contains {}", format_list(MAX_NAMES, names.iter())));
            }
            (None, help)
        }
    };
    let finding = referrer
        .labeled_finding(code, &reference.path, message, &format!("refers to its key `{key}`"))
        .help(help)
        .cause(cause);
    let finding = label.into_iter().fold(finding, |finding, (span, text)| finding.label(span, text));
    match reference.usage {
        Usage::Unused => finding.severity(Severity::Warning),
        _ => finding,
    }
}

/// Finding for a reference to a key that the generated Secret will not contain.
pub fn key_not_generated(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    generated: &GeneratedSecret<'_>,
) -> Diagnostic {
    let (name, key) = (reference.selector.name, reference.selector.key);
    let (generator, creator) = (generated.generator, generated.creator);
    let help = match closest(key, generated.keys.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if generated.keys.is_empty() => format!("add the key to the {generator}, which creates no keys"),
        None => {
            let known_keys = first_of(MAX_NAMES, generated.keys.iter().map(|key| display_data_key(key)));
            format!("add the key to the {generator}, or use a key that it creates: {known_keys}")
        }
    };
    let message = format!("{generator} `{creator}` creates Secret `{name}` without the key `{key}`");
    let definition_label = (generated.span, format!("the {generator} is defined here"));
    key_finding(referrer, reference, message, definition_label, generated.keys.is_empty()).help(help)
}

/// Finding for a reference to a key that the Secret or ConfigMap does not contain. `meant` is the intended key, if it
/// is known.
pub fn missing_key(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    object: &Resource<'_, SecretData<'_>>,
    intended_key: Option<&str>,
) -> Diagnostic {
    let (kind, keys) = (reference.kind, &object.spec.values);
    let (name, key) = (reference.selector.name, reference.selector.key);
    let help = match intended_key {
        Some(intended_key) => format!("did you mean `{intended_key}`?"),
        None if keys.is_empty() => format!("add the key to the {kind}, which has no keys"),
        None => {
            let known_keys = first_of(MAX_NAMES, keys.keys().map(|key| display_data_key(key)));
            format!("use one of the {kind}'s keys: {known_keys}")
        }
    };
    let message = format!("{kind} `{name}` has no key `{key}`");
    let definition_label = (object.name_span(), format!("the {kind} is defined here"));
    key_finding(referrer, reference, message, definition_label, keys.is_empty()).help(help)
}

fn key_finding(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    message: String,
    (span, label): (Span, String),
    is_empty: bool,
) -> Diagnostic {
    let AssetKey { kind, namespace, name, key } = reference.key(referrer.meta.namespace);
    let finding = referrer.finding(Code::MissingKey, &reference.path.key("key"), message);
    finding.label(span, label).cause(match is_empty {
        true => format!("no keys in {kind}/{namespace}/{name}"),
        false => format!("missing {key} of {kind}/{namespace}/{name}"),
    })
}

/// Returns the shared cause of all findings that result from a misspelling of either namespace.
pub fn misspelled_namespace(a: &str, b: &str) -> String {
    format!("namespace {} or {}", a.min(b), a.max(b))
}

/// Maximum number of names to list in a message.
const MAX_NAMES: usize = 6;

/// Downgrades a finding to a warning, because a placeholder replaces the missing value.
pub fn downgrade_to_placeholder(diagnostic: Diagnostic) -> Diagnostic {
    let message = format!("{}; using a placeholder instead", diagnostic.message);
    Diagnostic { message, ..diagnostic }.severity(Severity::Warning)
}

/// Finding for a reference to a value that is encrypted with SOPS. The message omits the value.
pub fn encrypted_value(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    object: &Resource<'_, SecretData<'_>>,
) -> Diagnostic {
    let (kind, name, key) = (reference.kind, reference.selector.name, reference.selector.key);
    let message = format!("{kind} `{name}` is encrypted with SOPS, so the value of `{key}` cannot be read");
    referrer
        .labeled_finding(Code::EncryptedValue, &reference.path, message, "referred to here")
        .label(object.name_span(), format!("the {kind} is defined here"))
        .help(
            "render with `--secrets=placeholder`, which needs no values, or decrypt the file first: \
           `sops -d FILE | agentctl render -f -`, and pass the other files as well",
        )
        .cause(format!("encrypted {kind}/{}/{name}", object.meta.namespace))
}

/// Finding for a secret value that would be written to the configuration even though it must not be rendered.
pub fn inlined_secret(referrer: &ResourceHeader<'_>, reference: &KeyReference<'_>) -> Diagnostic {
    let (path, selector) = (&reference.path, &reference.selector);
    let message = format!(
        "`--secrets=external` requires a store for the value of `{path}` (key `{}` of Secret `{}`), but none was found",
        selector.key, selector.name
    );
    referrer
        .finding(Code::InlinedSecret, path, message)
        .help("set `--secret-store`, or add to the input the ExternalSecret that creates the Secret")
}

/// Finding for scrape jobs that are not in the input.
pub fn unknown_jobs(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    code: Code,
    effect: &str,
) -> Diagnostic {
    let (path, selector) = (&reference.path, &reference.selector);
    let message = format!(
        "the scrape jobs of `{path}` (key `{}` of Secret `{}`) are not in the input{effect}",
        selector.key, selector.name
    );
    referrer.finding(code, path, message)
}

/// First field that refers to a given value.
pub struct Claim<'d> {
    /// Key of the Secret or ConfigMap that contains the value.
    pub key: AssetKey<'d>,
    /// Resource that contains the field.
    pub object: ObjectRef<'d>,
    pub path: FieldPath<'static>,
    /// Span of the field.
    pub span: Span,
}

/// Finding for two values with the same key in `<agent>-secrets`, where one value would replace the other.
pub fn colliding_keys(
    referrer: &ResourceHeader<'_>,
    reference: &KeyReference<'_>,
    second: &AssetKey<'_>,
    first: &Claim<'_>,
) -> Diagnostic {
    let message = format!(
        "`{second}` and `{}` both become the key `{}` of the agent's Secret",
        first.key,
        second.sanitized_key()
    );
    referrer
        .labeled_finding(Code::CollidingSecretKeys, &reference.path, message, "this one")
        .label(first.span, format!("the other one is `{}` in {}", first.path, first.object))
        .help("rename one of them so that their letters or digits differ")
}

/// Finding for a required reference that does not specify a Secret or ConfigMap.
pub fn empty_reference(referrer: &ResourceHeader<'_>, reference: &KeyReference<'_>) -> Diagnostic {
    let message = format!(
        "the operator needs a value for `{}`, but the field does not refer to a {}",
        reference.path, reference.kind
    );
    referrer
        .finding(Code::EmptyReference, &reference.path, message)
        .help(format!("set `name` and `key` to those of a {}", reference.kind))
}

/// Finding for a Probe without targets.
pub fn probe_without_targets(probe: &Resource<'_, Probe<'_>>) -> Diagnostic {
    let path = FieldPath::parse("spec.targets");
    let message = "a Probe needs `staticConfig` or `ingress` in `spec.targets`".to_owned();
    probe
        .finding(Code::ProbeWithoutTargets, &path, message)
        .help("add `spec.targets.staticConfig.static` with a list of targets")
}

/// Finding for `In` or `NotIn` without values.
pub fn expression_without_values(resource: &ResourceHeader<'_>, path: &FieldPath<'_>, operator: &str) -> Diagnostic {
    let message = format!("`{operator}` needs `values`");
    resource
        .finding(Code::InvalidSelector, &path.key("values"), message)
        .help("list the values to compare the label with")
}

/// Finding for a paused agent, which is not rendered.
pub fn paused_agent(agent: &Resource<'_, GrafanaAgent<'_>>) -> Diagnostic {
    let message = format!("GrafanaAgent `{}` is paused, so nothing is rendered for it", agent.meta.name);
    agent.finding(Code::PausedAgent, &FieldPath::parse("spec.paused"), message)
}

/// Finding for a ServiceMonitor that the operator ignores, because it refers to files even though the agent denies
/// access to them.
pub fn file_system_access_denied(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    monitor: &Resource<'_, ServiceMonitor<'_>>,
    index: usize,
    field: &'static str,
) -> Diagnostic {
    let (key, _) = field.split_once('.').unwrap_or((field, ""));
    let path = FieldPath::parse("spec.endpoints").index(index).key(key);
    let message = format!(
        "ServiceMonitor `{}` refers to files in the agent's container, so agent `{}` excludes it",
        monitor.meta.name, agent.meta.name
    );
    monitor
        .labeled_finding(Code::FileSystemAccessDenied, &path, message, "refers to a file")
        .label(agent.locate(&FieldPath::parse("spec.metrics.arbitraryFSAccessThroughSMs.deny")), "denied here")
        .help("take the value from a Secret, for example with `bearerTokenSecret` or `tlsConfig.ca.secret`")
}

/// Finding for a value of `--agent-selector` that cannot be parsed.
pub fn invalid_agent_selector(reason: &str) -> Diagnostic {
    Diagnostic::new(Code::InvalidSelector, format!("`--agent-selector` cannot be parsed: {reason}"))
        .help("write it as `key=value,other in (a,b)`")
}

/// Finding for a value of `--agent` that matches several agents.
pub fn ambiguous_agent(name: &str, agents: &[ObjectRef<'_>]) -> Diagnostic {
    let names: Vec<_> = agents.iter().map(|agent| format!("{}/{}", agent.namespace, agent.name)).collect();
    let message = format!("`--agent {name}` is ambiguous: {} GrafanaAgents have this name", names.len());
    Diagnostic::new(Code::AmbiguousResource, message).help(format!("use one of: {}", first_of(MAX_NAMES, names.iter())))
}

/// Finding for a value of `--agent` that matches no agent.
pub fn unknown_agent(resources: &Resources<'_>, namespace: Option<&str>, name: &str) -> Diagnostic {
    let full_name = |agent: &Resource<'_, GrafanaAgent<'_>>| agent.meta.full_name();
    let names: Vec<_> = resources.agents.iter().map(full_name).collect();
    let requested_name = namespace.map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
    let same_named = |name: &str| resources.agents.iter().find(|agent| agent.meta.name == name).map(full_name);
    let find_similar = || match namespace {
        Some(_) => closest(&requested_name, names.iter().map(String::as_str)).map(str::to_owned),
        None => closest(name, resources.agents.iter().map(|agent| agent.meta.name)).and_then(same_named),
    };
    let suggestion = same_named(name).or_else(find_similar);
    let diagnostic = Diagnostic::new(
        Code::UnknownResource,
        format!("`--agent` selects GrafanaAgent `{requested_name}`, which is not in the input"),
    );
    match suggestion {
        Some(suggestion) => diagnostic.help(format!("did you mean `{suggestion}`?")),
        None if names.is_empty() => diagnostic.help("pass the file that defines it"),
        None => diagnostic.help(format!("use one of: {}", first_of(MAX_NAMES, names.iter()))),
    }
}
