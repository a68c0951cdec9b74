//! What is said about aggregation, one function a finding.

use k8s_openapi::jiff::Timestamp;
use k8s_openapi::jiff::tz::TimeZone;

use super::api_service::{ApiService, ServiceReference};
use super::certificate::Unusable;
use super::external_name::ExternalName;
use super::field::{Field, Origin, head};
use super::host::host_help;
use super::kind::{AggregateKind, ObjectName};
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, suggest};
use crate::yaml::{DecodeError, Entry, Node};

/// Puts a finding at a field of an object.
pub(super) fn at(finding: Diagnostic, object: ObjectName<'_>, origin: Origin<'_>, field: Field) -> Diagnostic {
    finding
        .label(origin.locate(field), "")
        .resource(object)
        .path(origin.path(field))
}

fn at_service(code: Code, service: &ApiService<'_>, field: Field, message: String) -> Diagnostic {
    at(Diagnostic::new(code, message), service.object(), service.origin, field)
}

fn at_external_name(code: Code, external: &ExternalName<'_>, field: Field, message: String) -> Diagnostic {
    at(
        Diagnostic::new(code, message),
        external.object(),
        external.origin,
        field,
    )
}

/// An object of a version that the aggregator does not serve.
pub(super) fn unserved_version(kind: AggregateKind, api_version: &str, root: Node<'_>) -> Diagnostic {
    let message = format!(
        "the aggregator does not serve {kind} of `{api_version}`, only of `{}`",
        kind.api_version()
    );
    let span = root.get("apiVersion").map_or_else(|| head(root), Node::span);
    Diagnostic::new(Code::UnservedVersion, message)
        .help(format!("set `apiVersion: {}`", kind.api_version()))
        .label(span, "left out")
        .resource(object_of(kind, root))
        .path("apiVersion")
}

/// A field has another type than in Go.
pub(super) fn wrong_type(kind: AggregateKind, root: Node<'_>, error: &DecodeError) -> Diagnostic {
    let span = error.span.unwrap_or_else(|| FieldPath::of(&error.path).locate(root));
    type_mismatch(error)
        .label(span, "")
        .resource(object_of(kind, root))
        .path(&error.path)
}

/// An entry of the list of remote services has a field of another type than in Go.
pub(super) fn wrong_type_in_entry(index: usize, entry: Node<'_>, error: &DecodeError) -> Diagnostic {
    let dot = if error.path.is_empty() { "" } else { "." };
    type_mismatch(error)
        .label(error.span.unwrap_or_else(|| head(entry)), "")
        .path(format!("[{index}]{dot}{}", error.path))
}

fn type_mismatch(error: &DecodeError) -> Diagnostic {
    let quote = error.message.ends_with("expected a string");
    let name = error.path.rsplit('.').next().filter(|name| !name.is_empty());
    let parts = error.message.strip_prefix("found ");
    let parts = parts.and_then(|message| message.split_once(", expected "));
    let message = match (name, parts) {
        (Some(name), Some((found, expected))) => format!("`{name}` must be {expected}, found {found}"),
        _ => error.message.clone(),
    };
    let diagnostic = Diagnostic::new(Code::WrongType, message);
    if quote { diagnostic.help("quote it") } else { diagnostic }
}

/// A bundle is base64 in the first place.
pub(super) fn bundle_not_base64(root: Node<'_>) -> Diagnostic {
    let message = "the CA bundle is not base64";
    let finding = Diagnostic::new(Code::InvalidCaBundle, message)
        .severity(Severity::Error)
        .help("write what `base64 < ca.pem` says");
    let object = object_of(AggregateKind::ApiService, root);
    at(finding, object, Origin::Manifest(root), Field::CaBundle)
}

/// The object as its text names it.
fn object_of<'d>(kind: AggregateKind, root: Node<'d>) -> ObjectName<'d> {
    let text = |key| {
        let value = root.get("metadata").and_then(|metadata| metadata.get(key));
        value.and_then(Node::as_str).unwrap_or_default()
    };
    ObjectName {
        kind,
        namespace: text("namespace"),
        name: text("name"),
    }
}

/// The file of remote services is no list.
pub(super) fn no_list(root: Node<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidRemoteServices,
        "expected a list of remote services".to_owned(),
    )
    .help("write `- group: …`, with `version`, `host` and `port`, for each of them")
    .label(head(root), "")
}

/// A field that the kind does not have.
pub(super) fn unknown_field(object: ObjectName<'_>, path: &str, entry: Entry<'_>, known: &[&str]) -> Diagnostic {
    let dot = if path.is_empty() { "" } else { "." };
    let help = match suggest::closest(entry.key, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "remove it".to_owned(),
    };
    let place = if path.is_empty() { object.kind.as_str() } else { path };
    Diagnostic::new(
        Code::UnknownField,
        format!("`{place}` has no field `{}`, it is dropped", entry.key),
    )
    .help(help)
    .label(entry.key_span, "unknown field")
    .resource(object)
    .path(format!("{path}{dot}{}", entry.key))
}

/// The name or the namespace is not what Kubernetes allows.
pub(super) fn invalid_name(object: ObjectName<'_>, origin: Origin<'_>, field: Field, problem: &str) -> Diagnostic {
    let (what, found) = match field {
        Field::Namespace => ("namespace", object.namespace),
        _ => ("name", object.name),
    };
    let message = format!("the {what} `{found}` {problem}");
    at(Diagnostic::new(Code::InvalidName, message), object, origin, field)
}

/// The object has no name.
pub(super) fn missing_name(external: &ExternalName<'_>) -> Diagnostic {
    let message = "found no name".to_owned();
    at_external_name(Code::MissingField, external, Field::Name, message).help("set `metadata.name`")
}

/// The name is not `version.group`.
pub(super) fn name_mismatch(service: &ApiService<'_>, required: &str) -> Diagnostic {
    let message = match service.name.as_ref() {
        "" => format!("found no name, expected `{required}`"),
        name => format!("found the name `{name}`, expected `{required}`"),
    };
    at_service(Code::ApiServiceName, service, Field::Name, message)
        .help("name an APIService by its version, a dot, and its group")
}

/// An APIService has no namespace.
pub(super) fn namespaced(service: &ApiService<'_>) -> Diagnostic {
    let message = "an APIService has no namespace".to_owned();
    at_service(Code::InvalidMetadata, service, Field::Namespace, message).help("remove `metadata.namespace`")
}

/// A label or the key of an annotation is not what Kubernetes allows.
pub(super) fn invalid_label(
    object: ObjectName<'_>,
    origin: Origin<'_>,
    field: Field,
    key: &str,
    problem: &str,
) -> Diagnostic {
    let message = format!("`{key}` is not what Kubernetes allows: it {problem}");
    at(Diagnostic::new(Code::InvalidLabel, message), object, origin, field)
}

/// Only the core of Kubernetes has no group.
pub(super) fn missing_group(service: &ApiService<'_>) -> Diagnostic {
    let message = format!(
        "found no group for version `{}`: only `v1` may have none",
        service.version
    );
    at_service(Code::InvalidGroupVersion, service, Field::Group, message).help("name the group")
}

/// The group or the version is not what Kubernetes allows.
pub(super) fn invalid_part(service: &ApiService<'_>, field: Field, found: &str, problem: &str) -> Diagnostic {
    let part = if field == Field::Group { "group" } else { "version" };
    let message = match found {
        "" => format!("found no {part}"),
        _ => format!("the {part} `{found}` {problem}"),
    };
    at_service(Code::InvalidGroupVersion, service, field, message)
}

/// A priority is out of its bounds.
pub(super) fn priority_out_of_range(service: &ApiService<'_>, field: Field, found: i32, max: i32) -> Diagnostic {
    let message = format!("found the priority {found}, expected 1 to {max}");
    at_service(Code::PriorityOutOfRange, service, field, message).help(format!("use a number from 1 to {max}"))
}

/// A local APIService talks to nobody, so it trusts nobody.
pub(super) fn local_with_trust(service: &ApiService<'_>, field: Field, name: &str) -> Diagnostic {
    let message = format!("found `{name}`, but no `service` it could be for");
    at_service(Code::ConflictingTrust, service, field, message)
        .help(format!("remove `{name}`, or name the service in `spec.service`"))
}

/// The flag makes the bundle useless.
pub(super) fn insecure_with_bundle(service: &ApiService<'_>) -> Diagnostic {
    let message = "found `insecureSkipTLSVerify` beside `caBundle`".to_owned();
    at_service(Code::ConflictingTrust, service, Field::Insecure, message)
        .label(service.origin.locate(Field::CaBundle), "the bundle stands here")
        .help("remove `insecureSkipTLSVerify`, so that the bundle is used")
}

/// The service has no name or no namespace.
pub(super) fn incomplete_reference(service: &ApiService<'_>, field: Field, name: &str) -> Diagnostic {
    let message = format!("the service has no `{name}`");
    at_service(Code::MissingField, service, field, message)
        .help(format!("set `{name}` to that of an ExternalName or Service"))
}

/// The port is none.
pub(super) fn invalid_port(service: &ApiService<'_>, port: i32) -> Diagnostic {
    let message = format!("found the port {port}, expected 1 to 65535");
    at_service(Code::InvalidPort, service, Field::ServicePort, message).help("set the port that the service listens on")
}

/// Kubernetes itself serves the group.
pub(super) fn built_in_group(service: &ApiService<'_>) -> Diagnostic {
    let message = match service.group {
        "" => "the core of Kubernetes is handed to another server".to_owned(),
        group => format!("`{group}` is a group of Kubernetes itself, but is handed to another server"),
    };
    at_service(Code::BuiltInGroup, service, Field::Group, message)
        .help("use a group of your own, or leave `spec.service` out")
}

/// The bundle holds no certificates that could be used.
pub(super) fn invalid_bundle(why: &Unusable) -> Diagnostic {
    let message = match why {
        Unusable::NotPem => "the CA bundle is not PEM".to_owned(),
        Unusable::Empty => "the CA bundle holds no certificate".to_owned(),
        Unusable::NotX509(number) => format!("certificate {number} of the CA bundle is no X.509 certificate"),
    };
    Diagnostic::new(Code::InvalidCaBundle, message)
        .help("put the certificates of the authority there, from `-----BEGIN CERTIFICATE-----` on")
}

/// A certificate of the bundle is expired.
pub(super) fn expired_bundle(expiry: Timestamp, at: Timestamp) -> Diagnostic {
    let message = format!("on {} the CA bundle has expired: it ends on {}", day(at), day(expiry));
    Diagnostic::new(Code::CaBundleExpired, message).help("renew the certificate of the authority")
}

/// Some certificates of the bundle are expired, others are not.
pub(super) fn partly_expired_bundle(expiry: Timestamp, at: Timestamp) -> Diagnostic {
    let message = format!(
        "on {} a certificate of the CA bundle has expired: it ends on {}",
        day(at),
        day(expiry)
    );
    Diagnostic::new(Code::CaBundleExpiresSoon, message).help("take the certificate out of the bundle")
}

/// The last certificate of the bundle will soon be expired.
pub(super) fn expiring_bundle(expiry: Timestamp) -> Diagnostic {
    let message = format!("the CA bundle ends soon, on {}", day(expiry));
    Diagnostic::new(Code::CaBundleExpiresSoon, message).help("add the authority's next certificate to the bundle")
}

fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// An ExternalName leads nowhere.
pub(super) fn missing_host(external: &ExternalName<'_>) -> Diagnostic {
    let message = "found no host".to_owned();
    at_external_name(Code::InvalidHost, external, Field::Host, message).help("set `host` to a DNS name or an address")
}

/// The host can be neither looked up nor connected to.
pub(super) fn invalid_host(external: &ExternalName<'_>) -> Diagnostic {
    let message = format!("found the host `{}`, expected a DNS name or an address", external.host);
    at_external_name(Code::InvalidHost, external, Field::Host, message).help(host_help(external.host))
}

/// Two APIServices for the same group and version.
pub(super) fn duplicate_group_version(first: &ApiService<'_>, second: &ApiService<'_>) -> Diagnostic {
    let message = format!("`{}` is registered twice", second.group_version());
    at_service(Code::DuplicateGroupVersion, second, Field::Version, message)
        .label(first.origin.locate(Field::Version), "first here")
        .help("remove one of them: the one that is applied last replaces the other")
}

/// Two objects of the same kind, namespace and name.
pub(super) fn duplicate_resource(object: ObjectName<'_>, first: Origin<'_>, second: Origin<'_>) -> Diagnostic {
    let message = format!("`{object}` stands in the input twice");
    at(
        Diagnostic::new(Code::DuplicateResource, message),
        object,
        second,
        Field::Name,
    )
    .label(first.locate(Field::Name), "first here")
    .help("remove one of them: the one that is applied last replaces the other")
}

/// The service of an APIService is not in the input.
pub(super) fn missing_service(service: &ApiService<'_>, reference: &ServiceReference<'_>) -> Diagnostic {
    let ServiceReference { namespace, name, .. } = reference;
    let message = format!("the input has no ExternalName or Service `{name}` in namespace `{namespace}`");
    at_service(Code::MissingService, service, Field::ServiceName, message)
        .help("add it, or correct the name: without it requests fail, and no namespace can be deleted")
}

/// Nothing leads to an ExternalName.
pub(super) fn unused_external_name(external: &ExternalName<'_>) -> Diagnostic {
    let message = format!("no APIService leads to ExternalName `{}`", external.name);
    at_external_name(Code::UnusedExternalName, external, Field::Name, message)
}

/// The preferred version promises less than another one of its group.
pub(super) fn unstable_preferred_version(preferred: &ApiService<'_>, stable: &ApiService<'_>) -> Diagnostic {
    let word = |service: &ApiService<'_>| Version::new(service.version).stability().as_str();
    let message = format!(
        "`{}` prefers version `{}` ({}) over `{}` ({})",
        preferred.group,
        preferred.version,
        word(preferred),
        stable.version,
        word(stable),
    );
    at_service(
        Code::UnstablePreferredVersion,
        preferred,
        Field::VersionPriority,
        message,
    )
    .label(stable.origin.locate(Field::VersionPriority), "has the lower priority")
    .help(format!("give `{}` the higher `versionPriority`", stable.version))
}
