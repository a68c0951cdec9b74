//! The aggregator's list of remote services (`remote_services_file`) → an APIService and an ExternalName each.

use std::borrow::Cow;

use k8s_openapi::jiff::Timestamp;
use serde::Deserialize;

use super::api_service::{ApiService, ServiceReference};
use super::diagnostics;
use super::external_name::ExternalName;
use super::field::Origin;
use super::registry::Registry;
use super::rule;
use crate::api::ObjectMeta;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use crate::yaml::{DecodeError, Document, Node, NodeValue, decode};

/// The priority of the group of every remote service (`addRemoteAPIServicesToRegister`).
const GROUP_PRIORITY: i32 = 16000;

/// The list of remote services, and what goes with it.
#[derive(Clone, Copy)]
pub struct RemoteServices<'d> {
    /// The documents of the list; there should be one.
    pub documents: &'d [Document<'d>],
    /// Where the ExternalNames go.
    pub namespace: &'d str,
    /// The certificates that all of them are verified against, and where they were read; without them nothing is
    /// verified.
    pub ca_bundle: Option<(&'d [u8], Span)>,
}

/// An entry of the list (`RemoteService`).
#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry<'d> {
    group: &'d str,
    version: &'d str,
    host: &'d str,
    port: i32,
}

/// Adds what the list stands for (`addRemoteAPIServicesToRegister`, `getRemoteExternalNamesToRegister`).
pub(super) fn add<'d>(
    remote: &RemoteServices<'d>,
    at: Option<Timestamp>,
    registry: &mut Registry<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let Some((bundle, span)) = remote.ca_bundle {
        let findings = rule::ca_bundle::findings(bundle, at);
        diagnostics.extend(findings.map(|finding| finding.severity(Severity::Error).label(span, "")));
    }
    let roots = remote.documents.iter().map(Document::root);
    for root in roots {
        if !matches!(root.value(), NodeValue::Sequence | NodeValue::Null) {
            diagnostics.push(diagnostics::no_list(root));
        }
        for (index, entry) in root.items().enumerate() {
            match decode_entry(entry) {
                Ok(service) => add_entry(&service, remote, Origin::Remote { entry, index }, index, registry),
                Err(error) => diagnostics.push(diagnostics::wrong_type_in_entry(index, entry, &error)),
            }
        }
    }
}

fn decode_entry(entry: Node<'_>) -> Result<Entry<'_>, DecodeError> {
    decode(entry)
}

fn add_entry<'d>(
    service: &Entry<'d>,
    remote: &RemoteServices<'d>,
    origin: Origin<'d>,
    index: usize,
    registry: &mut Registry<'d>,
) {
    let name = format!("{}.{}", service.version, service.group);
    let ca_bundle = remote.ca_bundle.map(|(bundle, _)| bundle).unwrap_or_default();
    registry.external_names.push(ExternalName {
        namespace: remote.namespace,
        name: Cow::Owned(name.clone()),
        host: service.host,
        metadata: ObjectMeta::default(),
        origin,
    });
    registry.api_services.push(ApiService {
        name: Cow::Owned(name.clone()),
        group: service.group,
        version: service.version,
        group_priority_minimum: GROUP_PRIORITY,
        version_priority: i32::try_from(index).unwrap_or(i32::MAX).saturating_add(1),
        service: Some(ServiceReference {
            namespace: Cow::Borrowed(remote.namespace),
            name: Cow::Owned(name),
            port: service.port,
        }),
        insecure_skip_tls_verify: ca_bundle.is_empty(),
        ca_bundle: Cow::Borrowed(ca_bundle),
        metadata: ObjectMeta::default(),
        origin,
    });
}
