//! Findings about targets. Each is returned with a Boolean that indicates whether the finding is certain even if the
//! input is not a cluster export.

use std::collections::BTreeSet;

use super::nearest::{NearObject, label_part};
use crate::diagnostic::listed::format_list;
use crate::diagnostic::suggest::{ComparedName, clear_suggestion, closest, did_you_mean};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::go::text::label_name;
use crate::plan::Origin;
use crate::printable::format_count;
use crate::targets::discovery::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ContainerPort, ObservedKind, ObservedObjects, Port, join_kinds};
use crate::targets::scrape::{Chain, Invalid, Job, JobRule, JobSource, RulePurpose, TargetState};

/// Maximum number of names to list.
const MAX_NAMES: usize = 5;

/// A finding, and whether it is certain even if the input is not a cluster export.
type TargetFinding = (Diagnostic, bool);

fn finding_at(origin: Origin<'_>, code: Code, message: String) -> Diagnostic {
    origin.diagnostic_below(&FieldPath::new(), code, message)
}

fn add_object_label(finding: Diagnostic, object: &ClusterObject<'_>, text: String) -> Diagnostic {
    match object.span() {
        Some(span) => finding.label(span, text),
        None => finding,
    }
}

fn full_name(object: &ClusterObject<'_>) -> String {
    format!("{}/{}", object.namespace, object.name)
}

/// Finding for the ports of an init container that Alloy discovers through a Service but the agent does not.
pub(super) fn init_container(origin: Origin<'_>, pod: &ClusterObject<'_>, name: &str) -> Diagnostic {
    let message = format!(
        "unlike the agent, Alloy also discovers the ports of init container `{name}` in pod `{}/{}`",
        pod.namespace,
        pod.pod_name()
    );
    let finding = finding_at(origin, Code::ChangedScrape, message);
    let finding = finding.help("if these ports should not be scraped, drop them with a relabeling rule such as `{sourceLabels: [container], regex: NAME, action: drop}`");
    add_object_label(finding, pod, "the pod is defined here".to_owned())
}

/// Returns the noun for a role's objects.
fn kind(role: Option<DiscoveryRole>) -> &'static str {
    match role {
        Some(DiscoveryRole::Pod) => "pod",
        Some(DiscoveryRole::Ingress) => "Ingress",
        _ => "Service",
    }
}

/// Describes the namespaces that a job searches.
fn describe_namespaces(job: &Job<'_>) -> String {
    let names = job.sources.iter().find_map(|source| match source {
        JobSource::Watch { watch, .. } => watch.namespaces.as_deref(),
        JobSource::Static(_) => None,
    });
    match names {
        None => "in the input".to_owned(),
        Some([name]) => format!("in namespace `{name}`"),
        Some(names) => format!("in namespaces {}", format_list(MAX_NAMES, names.iter())),
    }
}

/// Returns the origin of a job's selector, or of the whole job if it has no selector.
fn selector<'d>(job: &Job<'d>) -> Option<Origin<'d>> {
    let mut rules = job.rules.iter().filter(|rule| rule.part() == RulePurpose::Selector);
    rules.next().and_then(JobRule::field).or(job.origin)
}

/// Finding for jobs with too many targets to trace.
pub(super) fn untraced_jobs(origin: Origin<'_>, count: usize, max_jobs: usize) -> Diagnostic {
    let jobs = format_count(count, "job");
    let message =
        format!("the targets of {jobs} are not checked: all jobs together exceed the limit of {max_jobs} targets");
    finding_at(origin, Code::TargetLimit, message)
        .severity(Severity::Warning)
        .help("narrow the selectors, starting with this one")
}

/// Finding for jobs that need kinds of objects that the export lacks.
pub(super) fn missing_kinds(origin: Origin<'_>, count: usize, kinds: &BTreeSet<ObservedKind>) -> Diagnostic {
    let kinds: Vec<_> = kinds.iter().rev().copied().collect();
    let names: Vec<_> = kinds.iter().map(|kind| kind.resource()).collect();
    let jobs = format_count(count, "job");
    let message = format!("the export contains no {}, so the targets of {jobs} are not checked", join_kinds(&kinds));
    let help = format!("add the output of `kubectl get -A {} -o yaml`", names.join(","));
    finding_at(origin, Code::NoMatchingObject, message).help(help)
}

/// Finding for targets whose labels grow too large because of relabeling rules.
pub(super) fn too_large(origin: Origin<'_>, chain: &Chain<'_, '_>) -> Option<Diagnostic> {
    let (TargetState::Invalid(Invalid::TooLarge), _) = chain.unfit.as_ref()? else {
        return None;
    };
    let message = format!("the targets of this job are not checked: {}", Invalid::TooLarge);
    let finding = finding_at(origin, Code::TargetLimit, message).severity(Severity::Warning);
    Some(finding.help("use fewer capture groups in replacements, and map fewer labels"))
}

/// Finding for a namespace that does not exist in the input.
pub(super) fn unknown_namespace(origin: Origin<'_>, name: &str, known: &BTreeSet<&str>) -> Diagnostic {
    let message = format!("namespace `{name}` is not in the input");
    let place = FieldPath::new().key("matchNames");
    let help = "add the namespace to the export, or correct its name".to_owned();
    origin
        .diagnostic_below(&place, Code::UnknownNamespace, message)
        .help(did_you_mean(name, known.iter().copied()).unwrap_or(help))
}

/// Finding for a selector that selects nothing.
pub(super) fn selects_nothing(
    job: &Job<'_>,
    origin: Origin<'_>,
    chain: &Chain<'_, '_>,
    near_object: Option<NearObject<'_, '_, '_>>,
) -> TargetFinding {
    let (kind, place) = (kind(chain.role), describe_namespaces(job));
    let mut selectors = job.rules.iter().filter(|rule| rule.part() == RulePurpose::Selector);
    let first = selectors.next().and_then(JobRule::field).unwrap_or(origin);
    let selector = selectors.next().map_or(first, |_| first.whole_field());
    let message = format!("no {kind} {place} matches this selector");
    let finding = |origin| finding_at(origin, Code::NoMatchingObject, message.clone());
    let (origin, meta, text, help) = match near_object {
        Some(NearObject::Similar(meta, rule)) => {
            let origin = rule.field().unwrap_or(selector);
            let source_label = rule.config().source_labels.first();
            let source_label = source_label.map_or("", |label| label_part(label));
            let object_label = meta.labels.iter().find(|(name, _)| label_name(name) == source_label);
            let object_label = object_label.or_else(|| {
                let key = closest(source_label, meta.labels.iter().map(|(name, _)| *name))?;
                meta.labels.iter().find(|(name, _)| *name == key)
            });
            let Some((name, value)) = object_label else {
                return (finding(origin), false);
            };
            let is_key = label_name(name) != source_label;
            let wanted_value = rule.config().regex.as_deref().unwrap_or_default();
            let is_certain = match is_key {
                true => *value == wanted_value && is_one_letter_off(source_label, name),
                false => clear_suggestion(wanted_value, [*value]).is_some(),
            };
            let finding = finding(origin).help(format!("did you mean `{}`?", if is_key { name } else { value }));
            let text = format!("{kind} `{}` has `{name}: {value}`", full_name(meta));
            let finding = finding.label(meta.label_span(name).unwrap_or(origin.span()), text);
            return (finding, is_certain);
        }
        Some(NearObject::Partly(meta, rule)) => {
            let origin = rule.field().unwrap_or(selector);
            let text = format!("{kind} `{}` matches the rest of the selector", full_name(meta));
            let help = format!("set the label on the {kind}, or remove it from the selector");
            (origin, meta, text, help)
        }
        Some(NearObject::Elsewhere(meta)) => {
            let text = format!("{kind} `{}` matches", full_name(meta));
            let help = format!("add `{}` to `matchNames` in `namespaceSelector`", meta.namespace);
            (selector, meta, text, help)
        }
        Some(NearObject::OtherKind(meta, other)) => {
            let text = format!("{other} `{}` has these labels", full_name(meta));
            let help = format!("select by the labels of the {kind}, not by those of the {other}");
            (selector, meta, text, help)
        }
        None => {
            let help = format!("compare the selector with the labels of each {kind}");
            return (finding(selector).help(help), false);
        }
    };
    (add_object_label(finding(origin), meta, text).help(help), false)
}

/// Finding for a port that none of the objects has.
pub(super) fn missing_port<'d>(
    job: &Job<'_>,
    chain: &Chain<'_, 'd>,
    objects: &ObservedObjects<'d>,
) -> Option<TargetFinding> {
    let ports = chain.ports.as_ref()?;
    let rule = job.rules.get(ports.rule)?;
    let origin = rule.field()?;
    let wanted_port = rule.config().regex.as_deref().unwrap_or_default();
    let owner = owner(chain, rule);
    let message = match ports.is_behind_service {
        true => {
            format!(
                "no container backing {} exposes the port that Service port `{wanted_port}` refers to",
                services(chain)
            )
        }
        false => format!("{owner} port `{wanted_port}`"),
    };
    // If a Service has only one port, the port may be unnamed.
    let named_ports = ports.known.iter().map(String::as_str).filter(|port| !port.is_empty());
    let named_ports: Vec<_> = named_ports.collect();
    let known_ports: Vec<_> = named_ports.iter().filter_map(|port| port.split(' ').next()).collect();
    let pods = selected_pods(chain, objects);
    let is_for_container = chain.role == Some(DiscoveryRole::Pod) || is_container_port(rule);
    let help = match is_for_container.then(|| container_help(wanted_port, &pods)).flatten() {
        Some(help) => help,
        None => help(wanted_port, ports.is_behind_service, &named_ports, &known_ports),
    };
    let is_for_service = chain.role == Some(DiscoveryRole::Service);
    let reason = is_for_service.then(|| explain_container_port(chain, rule, &pods)).flatten();
    let (message, help) = match reason {
        Some((reason, help)) => (format!("{message}: {reason}"), help),
        None => (message, help),
    };
    let finding = finding_at(origin, Code::UnknownPort, message).help(help);
    // The list of ports in the Service is complete.
    let is_service_port =
        chain.role == Some(DiscoveryRole::Service) && !ports.is_behind_service && !is_container_port(rule);
    let is_certain = is_service_port || clear_suggestion(wanted_port, known_ports.iter().copied()).is_some();
    let first = chain.selected.first()?;
    let text = format!("the selected {}", kind(chain.role));
    Some((add_object_label(finding, first, text), is_certain))
}

/// Returns the pods that a job selects, or that the selected Services select.
fn selected_pods<'o, 'd>(chain: &'o Chain<'_, 'd>, objects: &'o ObservedObjects<'d>) -> Vec<&'o ClusterObject<'d>> {
    if chain.role == Some(DiscoveryRole::Pod) {
        return chain.selected.clone();
    }
    let services = chain.selected.iter().take(MAX_NAMES);
    let pods = services.flat_map(|service| {
        let selects = service.pod_matcher();
        objects.in_namespace(ObservedKind::Pod, service.namespace).iter().filter(move |pod| selects(pod))
    });
    pods.collect()
}

/// Returns the reason why no container behind the selected Services has a port, with help, if the reason is not that
/// the port is not declared.
fn explain_container_port(
    chain: &Chain<'_, '_>,
    rule: &JobRule<'_>,
    pods: &[&ClusterObject<'_>],
) -> Option<(String, String)> {
    let wanted_port = rule.config().regex.as_deref().unwrap_or_default();
    let services = || chain.selected.iter().map(|service| service.body.part("spec"));
    if !is_container_port(rule) {
        let mut service_ports = services().flat_map(|spec| spec.items("ports"));
        let target_port = service_ports.find(|port| port.text("name") == wanted_port)?.text("targetPort");
        let name = find_init_container(target_port, pods, |port| !port.is_sidecar)?;
        let reason =
            format!("init container `{name}` has it, but a Service refers only to ports of running containers");
        let help = "declare the port in a container, or set `restartPolicy: Always` if the init container is a sidecar";
        return Some((reason, help.to_owned()));
    }
    if let Some(name) = find_init_container(wanted_port, pods, |_| true) {
        let reason = format!(
            "init container `{name}` has it, but the agent does not discover ports of init containers through a Service"
        );
        return Some((reason, "set `port` to the name of the Service port, or use a PodMonitor".to_owned()));
    }
    let has_known_ports = chain.ports.as_ref().is_some_and(|ports| !ports.known.is_empty());
    if has_known_ports || chain.selected.iter().any(|service| !service.selector().is_empty()) {
        return None;
    }
    let mut names = services().flat_map(|spec| Port::all(spec, "port")).map(|port| port.name);
    let help = match names.find(|name| !name.is_empty()) {
        Some(name) => format!("set `port` to the name of a Service port, such as `{name}`, instead of `targetPort`"),
        None => "give the Service port a name, and set `port` to that name instead of `targetPort`".to_owned(),
    };
    Some(("`targetPort` matches only ports of containers, and a Service without a selector has none".to_owned(), help))
}

/// Returns the init container that has a port with this name or number for which `is_considered` returns true.
fn find_init_container<'d>(
    wanted: &str,
    pods: &[&ClusterObject<'d>],
    is_considered: impl Fn(&ContainerPort<'d>) -> bool,
) -> Option<&'d str> {
    let mut ports = pods.iter().flat_map(|pod| pod.container_ports(true)).filter(is_considered);
    let is_wanted = |port: &Port<'_>| port.name == wanted || port.number.to_string() == wanted;
    let init_port = ports.find(|init_port| init_port.is_init && !wanted.is_empty() && is_wanted(&init_port.port))?;
    Some(init_port.container.text("name"))
}

/// Returns help if the containers declare no ports, or only unnamed ones.
fn container_help(wanted: &str, pods: &[&ClusterObject<'_>]) -> Option<String> {
    let pod = pods.first()?;
    let mut ports = pods.iter().flat_map(|pod| pod.container_ports(false)).map(|container_port| container_port.port);
    let is_number = wanted.parse::<u16>().is_ok();
    let Some(first) = ports.next() else {
        let container = pod.body.part("spec").items("containers").next()?.text("name");
        let port = if is_number { format!("containerPort: {wanted}") } else { format!("name: {wanted}") };
        return Some(format!("add a port with `{port}` to container `{container}`: no container declares a port"));
    };
    let is_unnamed = first.name.is_empty() && ports.all(|port| port.name.is_empty());
    let number = first.number;
    (is_unnamed && !is_number).then(|| {
        format!("add `name: {wanted}` to `containerPort: {number}`, or set `targetPort: {number}`: no port has a name")
    })
}

/// Whether two names differ by one letter.
fn is_one_letter_off(name: &str, other: &str) -> bool {
    name.len() > 2 && ComparedName::new(name).edit_distance(&ComparedName::new(other)) == Some(1)
}

fn help(wanted: &str, is_behind_service: bool, named: &[&str], known: &[&str]) -> String {
    if is_behind_service {
        return "declare the port under `ports` of a container, with the name or number in the Service's `targetPort`"
            .to_owned();
    }
    if known.is_empty() {
        return "declare a named port: no port has a name".to_owned();
    }
    match (did_you_mean(wanted, known.iter().copied()), named) {
        (Some(suggestion), _) if known.len() == 1 => format!("{}, the only port?", suggestion.trim_end_matches('?')),
        (Some(suggestion), ports) => format!("{suggestion} The ports are {}", format_list(MAX_NAMES, ports.iter())),
        (None, [port]) => format!("use the only port, {}", quote_port(port)),
        (None, ports) => format!("use one of the ports {}", format_list(MAX_NAMES, ports.iter())),
    }
}

/// Quotes the name of a port such as `http (8080)`.
fn quote_port(port: &str) -> String {
    match port.split_once(' ') {
        Some((name, number)) => format!("`{name}` {number}"),
        None => format!("`{port}`"),
    }
}

/// Describes the selected Services.
fn services(chain: &Chain<'_, '_>) -> String {
    match chain.selected.as_slice() {
        [service] => format!("Service `{}`", full_name(service)),
        several => format!("the {} selected Services", several.len()),
    }
}

/// Describes the objects that should have the port.
fn owner(chain: &Chain<'_, '_>, rule: &JobRule<'_>) -> String {
    match (chain.role, chain.selected.as_slice()) {
        (Some(DiscoveryRole::Pod), [pod]) => format!("pod `{}` has no", full_name(pod)),
        (Some(DiscoveryRole::Pod), pods) => format!("none of the {} selected pods exposes", pods.len()),
        (_, _) if is_container_port(rule) => format!("no container backing {} exposes", services(chain)),
        (_, [_]) => format!("{} has no", services(chain)),
        (_, several) => format!("none of the {} selected Services exposes", several.len()),
    }
}

fn is_container_port(rule: &JobRule<'_>) -> bool {
    rule.config().source_labels.iter().any(|label| label.contains("_container_port_"))
}

/// Finding for a Service that has no endpoints.
pub(super) fn missing_endpoints(job: &Job<'_>, service: &ClusterObject<'_>) -> Option<TargetFinding> {
    let name = full_name(service);
    let (message, help) = match service.selector().is_empty() {
        _ if service.is_external() => (
            format!("Service `{name}` has type `ExternalName`, so it has neither Endpoints nor targets"),
            "scrape the external name with `additionalScrapeConfigs`, or exclude the Service from the selector",
        ),
        true => (
            format!("Service `{name}` has neither a selector nor Endpoints, so it has no targets"),
            "give the Service a selector, or add its Endpoints",
        ),
        false => (
            format!("Service `{name}` selects no pods, so it has no targets"),
            "compare the Service's selector with the pods' labels",
        ),
    };
    let finding = finding_at(selector(job)?, Code::ServiceWithoutEndpoints, message).help(help);
    Some((add_object_label(finding, service, "the selected Service".to_owned()), false))
}

/// Finding for Ingresses that have no rules.
pub(super) fn missing_ingress_rules(job: &Job<'_>, chain: &Chain<'_, '_>) -> Option<TargetFinding> {
    let ingress = chain.selected.first()?;
    let message = "none of the Ingresses that this selector matches has a rule with a host and path".to_owned();
    let finding = finding_at(selector(job)?, Code::NoMatchingObject, message)
        .help("add a rule: a Probe probes only the hosts and paths of rules, not the default backend");
    Some((add_object_label(finding, ingress, "this Ingress matches".to_owned()), false))
}

/// Finding for a relabeling rule that drops all targets.
pub(super) fn rule_that_drops_all(job: &Job<'_>, chain: &Chain<'_, '_>, number: usize) -> Option<TargetFinding> {
    let rule = job.rules.get(number)?;
    if rule.config().source_labels == ["__meta_kubernetes_pod_phase"] && rule.part() == RulePurpose::Operator {
        let message = "all pods that the selector matches have finished, so `filterRunning` drops them".to_owned();
        let finding = finding_at(job.origin?, Code::DropsEveryTarget, message).severity(Severity::Note);
        return Some((finding.help("wait until a pod runs again, or check why they have finished"), true));
    }
    let origin = rule.field().filter(|_| rule.part() == RulePurpose::User)?;
    let count = match chain.found_count {
        1 => "the only target".to_owned(),
        count => format!("all {count} targets"),
    };
    let (message, help) = match &chain.unfit {
        Some((TargetState::NoPath, _)) => (
            match chain.found_count {
                1 => "after this rule, the logs of the job's only target cannot be read".to_owned(),
                count => format!("after this rule, the logs of none of the job's {count} targets can be read"),
            },
            "set `__path__` to a path: without it, no logs are read",
        ),
        Some(_) => (
            match chain.found_count {
                1 => "after this rule, the job's only target cannot be scraped".to_owned(),
                count => format!("after this rule, none of the job's {count} targets can be scraped"),
            },
            "keep `__address__`, `__scheme__`, `__metrics_path__`, `__scrape_interval__` and `__scrape_timeout__` valid",
        ),
        None if chain.left.len() > 1 => (
            format!("this rule drops the last of the job's {} targets", chain.found_count),
            "run `agentctl targets --dropped` to see which targets each rule drops",
        ),
        None => (
            format!("this rule drops {count} of the job"),
            "correct the rule: a `regex` must match the whole value; `agentctl targets --explain ADDRESS` shows the labels of a target at this rule",
        ),
    };
    let finding = finding_at(origin, Code::DropsEveryTarget, message).help(help);
    Some(match chain.selected.first() {
        Some(meta) => {
            let text = format!("a target comes from this {}", kind(chain.role));
            (add_object_label(finding, meta, text), false)
        }
        None => (finding, true),
    })
}
