//! Findings about targets that one instance collects twice.

use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::check::collected_data::cause_of_pair;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::Origin;
use crate::targets::observed::{ClusterObject, ObservedKind, ObservedObjects};

/// Namespace and name of an object.
pub(super) type ObjectName<'d> = (&'d str, &'d str);

/// Targets that one instance collects twice.
pub(super) struct CollectedTwice<'d> {
    /// Instance that collects the targets.
    pub instance: &'d ResourceHeader<'d>,
    /// Endpoints or resources of the jobs that find the targets. They are identical if one job finds the targets twice.
    pub jobs: [Origin<'d>; 2],
    /// Services, pods or Ingresses through which the jobs find the first target.
    pub through: [ObjectName<'d>; 2],
    /// URL or log files of the first target.
    pub example: String,
    /// Number of targets that are collected twice.
    pub count: usize,
}

/// Finding for targets that one instance collects twice.
pub(super) fn collected_twice(duplicate: &CollectedTwice<'_>, objects: &ObservedObjects<'_>) -> Diagnostic {
    let [first, second] = duplicate.jobs;
    let targets = match duplicate.count {
        1 => format!("`{}`", duplicate.example),
        count => format!("`{}` and {} more", duplicate.example, count - 1),
    };
    let instance = format!("{} `{}`", duplicate.instance.kind, duplicate.instance.meta.full_name());
    let (kind, last) = (second.object().kind, duplicate.through[1]);
    if first == second {
        let [before, second_object] = duplicate.through.map(full_name);
        let (verb, through) = (verb(kind), noun(role(kind)));
        let message = format!(
            "{instance} {verb} {targets} twice: through {through} `{before}` and through {through} `{second_object}`"
        );
        let finding = finding_at(second.at(selector(kind)), message).help(match role(kind) {
            ObservedKind::Service => exclude_service(last.1),
            _ => "narrow the selector so that it matches only one of the two".to_owned(),
        });
        let objects = duplicate.through.map(|(namespace, name)| objects.find(role(kind), namespace, name));
        let spans = objects.into_iter().flatten().filter_map(ClusterObject::span);
        return spans
            .zip(["found through this object", "and through this one"])
            .fold(finding, |finding, (span, text)| finding.label(span, text));
    }
    let (first_object, other) = (first.object(), second.object());
    let cause = cause_of_pair(first_object, other);
    if first_object == other {
        let message = format!("two endpoints of {} scrape {targets} for {instance}", describe(first_object));
        let finding = finding_at(second, message).label(first.span(), "scraped here first");
        return finding.help("remove one of the two endpoints").cause(cause);
    }
    let message = format!(
        "{instance} {} {targets} twice: through {} and through {}",
        verb(kind),
        describe(first_object),
        describe(other)
    );
    let is_shared = role(first_object.kind) == role(kind) && duplicate.through[0] == last;
    let help = match role(kind) {
        ObservedKind::Service if !is_shared => exclude_service(last.1),
        of => format!(
            "remove one of the two, or change the selector of one so that it does not match {} `{}`",
            noun(of),
            full_name(last)
        ),
    };
    let selector = |job: Origin<'_>| job.at(selector(job.object().kind)).span();
    finding_at(second.at(self::selector(kind)), message)
        .label(selector(first), "also found with this selector")
        .help(help)
        .cause(cause)
}

fn finding_at(origin: Origin<'_>, message: String) -> Diagnostic {
    origin.diagnostic_below(&FieldPath::new(), Code::CollectedTwice, message)
}

/// Returns the kind of object that a resource selects.
fn role(kind: Kind) -> ObservedKind {
    match kind {
        Kind::PodMonitor | Kind::PodLogs => ObservedKind::Pod,
        Kind::Probe => ObservedKind::Ingress,
        _ => ObservedKind::Service,
    }
}

fn noun(kind: ObservedKind) -> &'static str {
    match kind {
        ObservedKind::Pod => "pod",
        ObservedKind::Ingress => "Ingress",
        _ => "Service",
    }
}

fn verb(kind: Kind) -> &'static str {
    match kind {
        Kind::PodLogs => "reads",
        Kind::Probe => "probes",
        _ => "scrapes",
    }
}

fn selector(kind: Kind) -> &'static str {
    match kind {
        Kind::Probe => "spec.targets.ingress.selector",
        _ => "spec.selector",
    }
}

fn describe(object: ObjectRef<'_>) -> String {
    format!("{} `{}`", object.kind, full_name((object.namespace, object.name)))
}

fn full_name((namespace, name): ObjectName<'_>) -> String {
    format!("{namespace}/{name}")
}

/// Returns advice on how to exclude one of two Services.
fn exclude_service(name: &str) -> String {
    format!(
        "exclude one of the Services, for example with `{{sourceLabels: [__meta_kubernetes_service_name], regex: {name}, \
         action: drop}}` in `relabelings`"
    )
}
