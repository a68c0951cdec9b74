//! Skipped objects that agentctl should probably have read, because their kind, version or group is misspelled.

use std::slice;

use crate::api::Kind;
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Fix, Severity, suggest};
use crate::yaml::Node;

/// prometheus-operator kinds that the Grafana Agent Operator does not read.
const NOT_READ: &str =
    "Alertmanager AlertmanagerConfig Prometheus PrometheusAgent PrometheusRule ScrapeConfig ThanosRuler";

/// Kinds that the operator renamed in v0.19, each as its old name and the current kind.
const RENAMED_KINDS: [(&str, Kind); 1] = [("PrometheusInstance", Kind::MetricsInstance)];

/// Unsupported groups that define kinds with the same names as the operator's. The group of Azure's managed Prometheus
/// differs by only two letters.
const UNSUPPORTED_GROUPS: [&str; 1] = ["azmonitoring.coreos.com"];

/// Maximum edit distance to a supported group.
const MAX_DISTANCE: usize = 2;

/// Returns the finding for a skipped object and the kinds that may have been meant, or `None` if the object probably
/// does not have a supported kind.
pub(super) fn find_mistake(root: Node<'_>, api_version: &str, kind: &str) -> Option<(Diagnostic, Vec<Kind>)> {
    let object = SkippedObject { root, api_version, group: group(api_version), kind };
    let is_in_group = |known: &Kind| known.is_custom() && group(known.api_version()) == object.group;
    let kinds_in_group: Vec<_> = Kind::ALL.iter().copied().filter(is_in_group).collect();
    match kinds_in_group.iter().find(|known| known.as_str() == kind) {
        Some(known) => Some((object.unknown_version(*known), vec![*known])),
        None if kinds_in_group.is_empty() => object.built_in_group().or_else(|| object.unknown_group()),
        None if NOT_READ.split(' ').any(|other| other == kind) => None,
        None => Some((object.unknown_kind(&kinds_in_group), kinds_in_group)),
    }
}

/// Finding for an object that contains some of the operator's resources, such as an OpenShift Template. Another program
/// creates these resources in the cluster.
pub(super) fn find_contained_resources(root: Node<'_>, kind: &str) -> Option<Diagnostic> {
    let mut contained_resources = Vec::new();
    root.entries().for_each(|entry| collect_resources(entry.value, &mut contained_resources));
    let (contained_kind, first) = contained_resources.first()?;
    let message = match contained_resources.len() {
        1 => format!("`{kind}` contains a {contained_kind}, which is not part of the input"),
        count => format!("`{kind}` contains {count} of the operator's resources, which are not part of the input"),
    };
    let help = match kind {
        "Template" => "check the processed objects: `oc process --local -f FILE -o yaml | agentctl check -`",
        _ => "check the objects that are created from it",
    };
    Some(Diagnostic::new(Code::NotRendered, message).severity(Severity::Warning).label(first.span(), "").help(help))
}

/// Collects the operator's resources in a node. A mapping without `spec` is not collected, because it merely refers to
/// a resource.
fn collect_resources<'d>(node: Node<'d>, resources: &mut Vec<(Kind, Node<'d>)>) {
    let kind = Kind::from_type(node.text("apiVersion"), node.text("kind")).filter(|kind| kind.is_custom());
    match kind.filter(|_| node.get("spec").is_some()) {
        Some(kind) => resources.push((kind, node)),
        None => {
            node.entries().for_each(|entry| collect_resources(entry.value, resources));
            node.items().for_each(|item| collect_resources(item, resources));
        }
    }
}

/// Returns the likely intended kinds of a document that lacks `apiVersion` or `kind`.
pub(super) fn find_intended_kinds(root: Node<'_>) -> Vec<Kind> {
    let type_keys = root.entries().filter(|entry| suggest::closest(entry.key, ["apiVersion", "kind"]).is_some());
    let values: Vec<_> = type_keys.filter_map(|entry| entry.value.as_str()).collect();
    let kinds_with = |text: fn(Kind) -> &'static str| {
        let kinds = Kind::ALL.iter().copied();
        kinds.filter(|kind| values.contains(&text(*kind))).collect::<Vec<_>>()
    };
    match kinds_with(Kind::as_str) {
        kinds if kinds.is_empty() => kinds_with(Kind::api_version),
        kinds => kinds,
    }
}

fn group(api_version: &str) -> &str {
    api_version.split('/').next().unwrap_or_default()
}

/// A skipped object that may be a misspelled resource.
struct SkippedObject<'d> {
    root: Node<'d>,
    api_version: &'d str,
    group: &'d str,
    kind: &'d str,
}

impl SkippedObject<'_> {
    /// Finding for a supported kind with an unknown version. In practice, the only such version is Alloy's.
    fn unknown_version(&self, known: Kind) -> Diagnostic {
        let (kind, version) = (self.kind, self.api_version);
        if (known, version) == (Kind::PodLogs, "monitoring.grafana.com/v1alpha2") {
            let message = "skipped: the operator does not read PodLogs from `monitoring.grafana.com/v1alpha2`, which belongs to Grafana Alloy";
            return self
                .finding(Code::UnknownVersion, "apiVersion", message.to_owned())
                .severity(Severity::Warning)
                .help(
                    "keep it for Alloy's `loki.source.podlogs`; for `pipelineStages`, `jobLabel` or `podTargetLabels`, which that component does not support, use `monitoring.grafana.com/v1alpha1`",
                );
        }
        let message = format!("`{version}` has no kind `{kind}`, so nothing is rendered for it");
        let help = format!("use `{}`", known.api_version());
        let fix = self.change_fix("apiVersion", known.api_version());
        self.finding(Code::UnknownVersion, "apiVersion", message).help(help).fix_if(fix)
    }

    /// Finding for a kind that the API group does not define. prometheus-operator may add more kinds to its group,
    /// which already contains many that the operator does not read.
    fn unknown_kind(&self, known: &[Kind]) -> Diagnostic {
        let message = format!("`{}` has no kind `{}`, so nothing is rendered for it", self.group, self.kind);
        let finding = self.finding(Code::UnknownKind, "kind", message);
        let names = || known.iter().map(|kind| kind.as_str());
        let renamed_kind = RENAMED_KINDS.iter().find(|(old, _)| *old == self.kind);
        if let Some((_, kind)) = renamed_kind {
            let fix = self.change_fix("kind", kind.as_str());
            return finding.help(format!("use `{kind}`, its name since operator v0.19")).fix_if(fix);
        }
        if let Some(kind) = custom_kinds().find(|kind| kind.as_str() == self.kind) {
            let fix = self.change_fix("apiVersion", kind.api_version());
            return finding.help(format!("use `apiVersion: {}`", kind.api_version())).fix_if(fix);
        }
        if let Some(suggestion) = suggest::did_you_mean(self.kind, names()) {
            let fix = suggest::clear_suggestion(self.kind, names())
                .and_then(|suggestion| self.change_fix("kind", suggestion));
            return finding.help(suggestion).fix_if(fix);
        }
        let finding = finding.help(format!(
            "use one of the kinds that the operator reads from that group: {}",
            join_words("or", names().map(|name| format!("`{name}`")))
        ));
        match known.iter().any(|kind| kind.is_prometheus_kind()) {
            true => {
                let message =
                    format!("skipped: the operator does not read {} resources from `{}`", self.kind, self.group);
                Diagnostic { message, ..finding }.severity(Severity::Warning)
            }
            false => finding,
        }
    }

    /// Finding for an object of a supported kind in a built-in Kubernetes group that does not define the kind.
    fn built_in_group(&self) -> Option<(Diagnostic, Vec<Kind>)> {
        let is_built_in = !self.group.contains('.') || self.group.ends_with(".k8s.io");
        let intended_kind = custom_kinds().find(|kind| is_built_in && kind.as_str() == self.kind)?;
        Some((self.unknown_kind(&[]), vec![intended_kind]))
    }

    /// Finding for an object of a supported kind whose group is misspelled.
    fn unknown_group(&self) -> Option<(Diagnostic, Vec<Kind>)> {
        let intended_kind = custom_kinds().find(|kind| self.resembles(*kind))?;
        let message = format!(
            "skipped: the operator reads {intended_kind} resources from `{}`, not from `{}`",
            group(intended_kind.api_version()),
            self.group
        );
        let help = format!("did you mean `{}`?", intended_kind.api_version());
        let fix =
            self.change_fix("apiVersion", intended_kind.api_version()).filter(|_| intended_kind.as_str() == self.kind);
        let finding = self.finding(Code::UnknownGroup, "apiVersion", message).help(help);
        Some((finding.fix_if(fix), vec![intended_kind]))
    }

    fn resembles(&self, kind: Kind) -> bool {
        let known_group = group(kind.api_version());
        let is_kind = || suggest::closest(self.kind, slice::from_ref(&kind.as_str()).iter().copied()).is_some();
        let distance =
            || suggest::ComparedName::new(self.group).edit_distance(&suggest::ComparedName::new(known_group));
        // Comparing lengths first rules out most objects in an export, because their groups are much shorter.
        self.group.len().abs_diff(known_group.len()) <= MAX_DISTANCE
            && !UNSUPPORTED_GROUPS.contains(&self.group)
            && is_kind()
            && distance().is_some_and(|distance| distance <= MAX_DISTANCE)
    }

    fn change_fix(&self, field: &str, replacement: &str) -> Option<Fix> {
        let edits = self.root.get(field)?.replace(replacement)?;
        Some(Fix::certain(format!("change `{field}` to `{replacement}`"), edits))
    }

    fn finding(&self, code: Code, field: &'static str, message: String) -> Diagnostic {
        let path = FieldPath::parse(field);
        Diagnostic::new(code, message).label(path.locate(self.root), "").path(field)
    }
}

fn custom_kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.is_custom())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Returns the finding for an object with this version and kind, and the kinds that may have been meant.
    fn foreign_finding(api_version: &str, kind: &str) -> Option<(Diagnostic, Vec<Kind>)> {
        let text = format!("apiVersion: {api_version}\nkind: {kind}\n");
        let documents = testing::documents(&text);
        find_mistake(documents[0].root(), api_version, kind)
    }

    #[test]
    fn recognizes_misspelled_objects() {
        let (error, warning) = (Severity::Error, Severity::Warning);
        let grafana_group = "monitoring.grafana.com";
        let prometheus_group = "monitoring.coreos.com";
        let consequence = "so nothing is rendered for it";
        for (api_version, kind, severity, message, help, fix) in [
            (
                "monitoring.grafana.com/v1",
                "GrafanaAgent",
                error,
                format!("`{grafana_group}/v1` has no kind `GrafanaAgent`, {consequence}"),
                "use `monitoring.grafana.com/v1alpha1`",
                Some("change `apiVersion` to `monitoring.grafana.com/v1alpha1`"),
            ),
            (
                "monitoring.grafana.com/v1alpha2",
                "PodLogs",
                warning,
                format!(
                    "skipped: the operator does not read PodLogs from `{grafana_group}/v1alpha2`, which belongs to Grafana Alloy"
                ),
                "",
                None,
            ),
            (
                "monitoring.grafana.com/v1alpha1",
                "PrometheusInstance",
                error,
                format!("`{grafana_group}` has no kind `PrometheusInstance`, {consequence}"),
                "use `MetricsInstance`, its name since operator v0.19",
                Some("change `kind` to `MetricsInstance`"),
            ),
            (
                "monitoring.grafana.com/v1alpha1",
                "ServiceMonitor",
                error,
                format!("`{grafana_group}` has no kind `ServiceMonitor`, {consequence}"),
                "use `apiVersion: monitoring.coreos.com/v1`",
                Some("change `apiVersion` to `monitoring.coreos.com/v1`"),
            ),
            (
                "v1",
                "ServiceMonitor",
                error,
                format!("`v1` has no kind `ServiceMonitor`, {consequence}"),
                "use `apiVersion: monitoring.coreos.com/v1`",
                Some("change `apiVersion` to `monitoring.coreos.com/v1`"),
            ),
            (
                "networking.k8s.io/v1",
                "PodLogs",
                error,
                format!("`networking.k8s.io` has no kind `PodLogs`, {consequence}"),
                "use `apiVersion: monitoring.grafana.com/v1alpha1`",
                Some("change `apiVersion` to `monitoring.grafana.com/v1alpha1`"),
            ),
            (
                "monitoring.coreos.com/v1",
                "ServiceMoniter",
                error,
                format!("`{prometheus_group}` has no kind `ServiceMoniter`, {consequence}"),
                "did you mean `ServiceMonitor`?",
                Some("change `kind` to `ServiceMonitor`"),
            ),
            (
                "monitoring.grafana.com/v1alpha1",
                "Nothing",
                error,
                format!("`{grafana_group}` has no kind `Nothing`, {consequence}"),
                "use one of the kinds that the operator reads from that group: `GrafanaAgent`, `MetricsInstance`, `LogsInstance`, `Integration` or `PodLogs`",
                None,
            ),
            (
                "monitoring.coreos.com/v1",
                "Nothing",
                warning,
                format!("skipped: the operator does not read Nothing resources from `{prometheus_group}`"),
                "use one of the kinds that the operator reads from that group: `ServiceMonitor`, `PodMonitor` or `Probe`",
                None,
            ),
            (
                "monitoring.coreos.co/v1",
                "Probe",
                Code::UnknownGroup.severity(),
                format!(
                    "skipped: the operator reads Probe resources from `{prometheus_group}`, not from `monitoring.coreos.co`"
                ),
                "did you mean `monitoring.coreos.com/v1`?",
                Some("change `apiVersion` to `monitoring.coreos.com/v1`"),
            ),
            (
                "monitoring.coreos.co/v1",
                "PodMoniter",
                Code::UnknownGroup.severity(),
                format!(
                    "skipped: the operator reads PodMonitor resources from `{prometheus_group}`, not from `monitoring.coreos.co`"
                ),
                "did you mean `monitoring.coreos.com/v1`?",
                None,
            ),
        ] {
            let (finding, intended_kinds) = foreign_finding(api_version, kind).unwrap();
            assert_eq!((finding.severity, finding.message), (severity, message), "{api_version} {kind}");
            assert!(help.is_empty() || finding.help.as_deref() == Some(help), "{:?}", finding.help);
            assert_eq!(finding.fix.as_ref().map(|fix| fix.title.as_str()), fix, "{api_version} {kind}");
            assert!(!intended_kinds.is_empty());
        }
    }

    #[test]
    fn ignores_unrelated_objects() {
        for (api_version, kind) in [
            ("v1", "Service"),
            ("apps/v1", "Deployment"),
            ("monitoring.coreos.com/v1", "PrometheusRule"),
            ("azmonitoring.coreos.com/v1", "PodMonitor"),
            ("monitoring.example.com/v1", "PodMonitor"),
            ("monitoring.coreos.co/v1", "Alertmanager"),
        ] {
            assert_eq!(foreign_finding(api_version, kind), None, "{api_version} {kind}");
        }
    }

    #[test]
    fn finds_resources_inside_other_objects() {
        let container = |text: &str| {
            let documents = testing::documents(text);
            super::find_contained_resources(documents[0].root(), "Template").map(|finding| finding.message)
        };
        let monitor = "{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, spec: {}}";
        for (text, expected) in [
            (format!("objects: [{monitor}]"), "a ServiceMonitor, which is"),
            (format!("objects: [{{a: {monitor}}}, {monitor}]"), "2 of the operator's resources, which are"),
        ] {
            let expected = format!("`Template` contains {expected} not part of the input");
            assert_eq!(container(&text), Some(expected), "{text}");
        }
        for text in [
            "ref: {apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, name: a}",
            "objects: [{apiVersion: v1, kind: Secret, spec: {}}]",
        ] {
            assert_eq!(container(text), None, "{text}");
        }
    }

    #[test]
    fn suggests_kinds_for_untyped_documents() {
        let kinds = |text: &str| {
            let documents = testing::documents(text);
            find_intended_kinds(documents[0].root())
        };
        assert_eq!(kinds("kid: Probe\napiVersion: monitoring.coreos.com/v1\n"), [Kind::Probe]);
        assert_eq!(
            kinds("apiVersion: monitoring.coreos.com/v1\n"),
            [Kind::ServiceMonitor, Kind::PodMonitor, Kind::Probe]
        );
        assert_eq!(kinds("a: b\n"), []);
        // In a JSON schema, the description may be the name of a kind.
        assert_eq!(kinds("description: ServiceMonitor\nproperties: {kind: {enum: [ServiceMonitor]}}\n"), []);
    }
}
