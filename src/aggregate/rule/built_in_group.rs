//! A group that Kubernetes itself serves is handed to another server: every controller that uses it depends on that.

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::diagnostic::Diagnostic;

/// The groups of kube-apiserver v1.29 (`apiVersionPriorities`), but for the core, and that of the aggregator.
const BUILT_IN_GROUPS: &[&str] = &[
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
];

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let core = service.group.is_empty() && service.version == "v1";
    if service.service.is_some() && (core || BUILT_IN_GROUPS.contains(&service.group)) {
        out.push(diagnostics::built_in_group(service));
    }
}
