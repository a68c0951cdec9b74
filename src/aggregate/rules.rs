//! Checks of individual objects. The first checks report configurations that kube-aggregator rejects
//! (`ValidateAPIService`). The other checks report configurations that kube-aggregator accepts even though they cannot
//! work.

use std::net::{IpAddr, Ipv6Addr};

use jiff::Timestamp;

use super::bundle;
use super::object::{AggregateKind, AggregationObject, ApiService, ExternalName, RegistrySource, finding_at};
use super::registry::Registry;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::go::syntax;
use crate::yaml::{Entry, Node};

const MAX_GROUP_PRIORITY: i32 = 20_000;
const MAX_VERSION_PRIORITY: i32 = 1_000;

/// API groups in kube-apiserver v1.29 except the core group (`apiVersionPriorities`), plus the aggregator's own group.
const BUILT_IN_GROUPS: &str = "\
    admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io \
    authorization.k8s.io autoscaling batch certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io \
    extensions flowcontrol.apiserver.k8s.io internal.apiserver.k8s.io networking.k8s.io node.k8s.io policy \
    rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io";

/// Fields that only APIServices have, grouped by the mapping that contains them.
const API_SERVICE_FIELDS: &[(&str, &[&str])] = &[
    (
        "spec",
        &[
            "caBundle",
            "group",
            "groupPriorityMinimum",
            "insecureSkipTLSVerify",
            "service",
            "version",
            "versionPriority",
        ],
    ),
    ("spec.service", &["name", "namespace", "port"]),
];
const EXTERNAL_NAME_FIELDS: &[(&str, &[&str])] = &[("spec", &["host"])];
const OBJECT_KEYS: &[&str] = &["apiVersion", "kind", "metadata", "spec", "status"];
const REMOTE_SERVICE_FIELDS: &[&str] = &["group", "host", "port", "version"];

const API_SERVICE_RULES: [fn(&ApiService<'_>, &mut Vec<Diagnostic>); 6] = [
    check_api_service_metadata,
    check_group_version,
    check_priorities,
    check_trust,
    check_service_reference,
    check_built_in_group,
];
const EXTERNAL_NAME_RULES: [fn(&ExternalName<'_>, &mut Vec<Diagnostic>); 2] =
    [check_external_name_metadata, check_host];

/// Applies all rules to all objects. Core Services are validated only by Kubernetes.
pub(super) fn check(registry: &Registry<'_>, time: Option<Timestamp>, out: &mut Vec<Diagnostic>) {
    for service in &registry.api_services {
        report_unknown_fields(service, out);
        if report_missing_spec(service, out) {
            continue;
        }
        API_SERVICE_RULES.iter().for_each(|rule| rule(service, out));
        out.extend(check_ca_bundle(service, time));
    }
    for external_name in &registry.external_names {
        report_unknown_fields(external_name, out);
        if report_missing_spec(external_name, out) {
            continue;
        }
        EXTERNAL_NAME_RULES.iter().for_each(|rule| rule(external_name, out));
    }
}

/// Checks an APIService's bundle. The bundle for remote services is checked only once, when it is read.
fn check_ca_bundle(service: &ApiService<'_>, time: Option<Timestamp>) -> Option<Diagnostic> {
    let bundle = &service.spec.ca_bundle;
    let finding = bundle::check_bundle(bundle, time).filter(|_| !bundle.is_empty() && !service.origin.is_remote())?;
    Some(finding_at(finding, service.object(), service.origin, "spec.caBundle"))
}

/// Checks that an APIService is named `version.group` and that its other `metadata` is valid (`ValidateObjectMeta`).
/// Remote services have no metadata in the input, and a missing version has its own finding.
fn check_api_service_metadata(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    if service.origin.is_remote() {
        return;
    }
    let required = format!("{}.{}", service.spec.version, service.spec.group);
    let name = service.name.as_ref();
    if let Some(problem) = syntax::path_segment(name) {
        let message = format!("the name `{name}` {problem}");
        let finding = service.finding(Code::InvalidName, "metadata.name", message);
        out.push(finding.help(format!("name it `{required}`")));
    } else if name != required && !service.spec.version.is_empty() {
        let message = match name {
            "" => format!("the APIService has no name, expected `{required}`"),
            name => format!("found the name `{name}`, expected `{required}`"),
        };
        let finding = service.finding(Code::ApiServiceName, "metadata.name", message);
        out.push(finding.help(format!("name it `{required}`")));
    }
    if !service.metadata.namespace.is_empty() {
        let message = "an APIService cannot have a namespace";
        let finding = service.finding(Code::InvalidMetadata, "metadata.namespace", message);
        out.push(finding.help("remove `metadata.namespace`"));
    }
    check_labels(service, out);
}

fn check_external_name_metadata(external_name: &ExternalName<'_>, out: &mut Vec<Diagnostic>) {
    if external_name.origin.is_remote() {
        return;
    }
    if external_name.name.is_empty() {
        let finding = external_name.finding(Code::MissingField, "metadata.name", "the ExternalName has no name");
        out.push(finding.help("set `metadata.name`"));
    } else if let Some(problem) = syntax::path_segment(&external_name.name) {
        let message = format!("the name `{}` {problem}", external_name.name);
        out.push(external_name.finding(Code::InvalidName, "metadata.name", message));
    }
    if let Some(problem) = syntax::dns_label(external_name.namespace) {
        let message = format!("the namespace `{}` {problem}", external_name.namespace);
        out.push(external_name.finding(Code::InvalidName, "metadata.namespace", message));
    }
    check_labels(external_name, out);
}

fn check_labels<S>(object: &AggregationObject<'_, S>, out: &mut Vec<Diagnostic>) {
    let finding = |field: &str, message| object.finding(Code::InvalidLabel, &format!("metadata.{field}"), message);
    for (key, value) in &object.metadata.labels {
        if let Some(problem) = syntax::qualified_name(key) {
            out.push(finding("labels", format!("the key `{key}` in `labels` {problem}")));
        } else if let Some(problem) = syntax::label_value(value) {
            out.push(finding("labels", format!("the value of the label `{key}` {problem}")));
        }
    }
    for key in object.metadata.annotations.keys() {
        if let Some(problem) = syntax::qualified_name(&key.to_lowercase()) {
            out.push(finding("annotations", format!("the key `{key}` in `annotations` {problem}")));
        }
    }
}

/// Checks that the group is a DNS subdomain, or is empty for `v1`, and that the version is a DNS label.
fn check_group_version(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let (group, version) = (service.spec.group, service.spec.version);
    if group.is_empty() && version != "v1" {
        let message = "`spec.group` is empty: only the version `v1` may omit the group";
        let finding = service.finding(Code::InvalidGroupVersion, "spec.group", message);
        out.push(finding.help("set `spec.group`"));
    }
    let group_problem = syntax::subdomain(group).filter(|_| !group.is_empty());
    let version_problem = syntax::dns_1035_label(version);
    for (part, part_value, problem) in [("group", group, group_problem), ("version", version, version_problem)] {
        let Some(problem) = problem else { continue };
        let message = match part_value {
            "" => format!("the {part} is missing"),
            _ => format!("the {part} `{part_value}` {problem}"),
        };
        out.push(service.finding(Code::InvalidGroupVersion, &format!("spec.{part}"), message));
    }
}

/// Checks the priorities. The maximums are inclusive, contrary to what kube-aggregator's messages say.
fn check_priorities(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let spec = &service.spec;
    for (field, priority, max) in [
        ("groupPriorityMinimum", spec.group_priority_minimum, MAX_GROUP_PRIORITY),
        ("versionPriority", spec.version_priority, MAX_VERSION_PRIORITY),
    ] {
        if !(1..=max).contains(&priority) {
            let message = format!("`{field}` must be between 1 and {max}, but is {priority}");
            let finding = service.finding(Code::PriorityOutOfRange, &format!("spec.{field}"), message);
            out.push(finding);
        }
    }
}

/// Checks that a bundle and the insecure flag are not combined, and that a local APIService, which does not connect to
/// a service, has neither.
fn check_trust(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let has_bundle = !service.spec.ca_bundle.is_empty();
    let is_insecure = service.spec.insecure_skip_tls_verify;
    if service.spec.service.is_some() {
        if has_bundle && is_insecure {
            let message = "`insecureSkipTLSVerify` and `caBundle` cannot be combined";
            let finding = service.finding(Code::ConflictingTrust, "spec.insecureSkipTLSVerify", message);
            out.push(
                finding
                    .label(service.origin.locate("spec.caBundle"), "the bundle is defined here")
                    .help("remove `insecureSkipTLSVerify` to use the bundle"),
            );
        }
        return;
    }
    for (is_set, name) in [(has_bundle, "caBundle"), (is_insecure, "insecureSkipTLSVerify")] {
        if is_set {
            let message = format!("`{name}` cannot be set without `service`");
            let finding = service.finding(Code::ConflictingTrust, &format!("spec.{name}"), message);
            out.push(finding.help(format!("remove `{name}`, or set `spec.service`")));
        }
    }
}

/// Checks that a service reference has a namespace, a name and a valid port.
fn check_service_reference(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let Some(reference) = &service.spec.service else { return };
    for (name, value) in [("namespace", &reference.namespace), ("name", &reference.name)] {
        if value.is_empty() {
            let message = format!("the service has no `{name}`");
            let finding = service.finding(Code::MissingField, &format!("spec.service.{name}"), message);
            out.push(finding.help(format!("set it to the {name} of an ExternalName or Service")));
        }
    }
    if !(1..=65_535).contains(&reference.port) {
        let message = format!("`port` must be between 1 and 65535, but is {}", reference.port);
        let finding = service.finding(Code::InvalidPort, "spec.service.port", message);
        out.push(finding.help("set the port that the service listens on"));
    }
}

/// Reports a built-in Kubernetes group that is forwarded to another server, because all controllers that use the group
/// would depend on that server.
fn check_built_in_group(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let (group, version) = (service.spec.group, service.spec.version);
    let is_core = group.is_empty() && version == "v1";
    if service.spec.service.is_none() || !is_core && !BUILT_IN_GROUPS.split(' ').any(|candidate| candidate == group) {
        return;
    }
    let message = match group {
        "" => "the Kubernetes core API is delegated to another server".to_owned(),
        group => format!("`{group}` is a built-in Kubernetes group, but is delegated to another server"),
    };
    let finding = service.finding(Code::BuiltInGroup, "spec.group", message);
    out.push(finding.help("use your own group, or remove `spec.service`"));
}

/// Checks that an ExternalName's host is a DNS name or an IP address, because other hosts cannot be reached.
fn check_host(external_name: &ExternalName<'_>, out: &mut Vec<Diagnostic>) {
    let host = external_name.spec.host;
    let (message, help) = match host {
        "" => ("`host` is missing".to_owned(), "set `host` to a DNS name or an IP address"),
        host if !is_host(host) => {
            (format!("`host` must be a DNS name or an IP address, but is `{host}`"), host_help(host))
        }
        _ => return,
    };
    out.push(external_name.finding(Code::InvalidHost, "spec.host", message).help(help));
}

/// Reports an object that has no `spec`, instead of reporting each missing field. Returns whether the object lacks
/// `spec`.
fn report_missing_spec<S>(object: &AggregationObject<'_, S>, out: &mut Vec<Diagnostic>) -> bool {
    let root = object.origin.manifest();
    let Some(root) = root.filter(|root| root.get("spec").is_none()) else {
        return false;
    };
    let message = format!("`{}` has no `spec`, which is required", object.kind);
    let finding = object.finding(Code::MissingField, "spec", message);
    let is_misspelling = |entry: &Entry<'_>| suggest::closest(entry.key, ["spec"]).is_some();
    let mut unknown_entries = root.entries().filter(|entry| !OBJECT_KEYS.contains(&entry.key));
    out.push(match unknown_entries.find(is_misspelling) {
        Some(entry) => finding.help(format!("rename `{}` to `spec`", entry.key)).cause(dropped_field_cause(entry)),
        None => finding.help("add `spec`"),
    });
    true
}

/// Returns a key that all findings caused by the same dropped field share.
fn dropped_field_cause(entry: Entry<'_>) -> String {
    format!("dropped at {:?}", entry.key_span)
}

/// Reports fields that the kind does not define, which the API server drops. A remote service is reported only once,
/// even though it becomes two objects.
fn report_unknown_fields<S>(object: &AggregationObject<'_, S>, out: &mut Vec<Diagnostic>) {
    let fields: &[(&str, &[&str])] = match (object.origin, object.kind) {
        (RegistrySource::Remote { entry, index }, AggregateKind::ApiService) => {
            return report_unknown_keys(object, entry, &format!("[{index}]"), REMOTE_SERVICE_FIELDS, out);
        }
        (RegistrySource::Remote { .. }, _) | (_, AggregateKind::Service) => return,
        (_, AggregateKind::ApiService) => API_SERVICE_FIELDS,
        (_, AggregateKind::ExternalName) => EXTERNAL_NAME_FIELDS,
    };
    let Some(root) = object.origin.manifest() else { return };
    report_unknown_keys(object, root, "", OBJECT_KEYS, out);
    for (path, known_fields) in fields {
        if let Some(mapping) = root.at(path) {
            report_unknown_keys(object, mapping, path, known_fields, out);
        }
    }
}

fn report_unknown_keys<S>(
    object: &AggregationObject<'_, S>,
    mapping: Node<'_>,
    path: &str,
    known_fields: &[&str],
    out: &mut Vec<Diagnostic>,
) {
    let (parent, dot) = match path {
        "" => (object.kind.as_str(), ""),
        path => (path, "."),
    };
    let finding = |entry: Entry<'_>| {
        let help =
            suggest::did_you_mean(entry.key, known_fields.iter().copied()).unwrap_or_else(|| "remove it".to_owned());
        let message = format!("`{parent}` has no field `{}`, so the field is dropped", entry.key);
        Diagnostic::new(Code::UnknownField, message)
            .help(help)
            .label(entry.key_span, "unknown field")
            .resource(object.object())
            .path(format!("{path}{dot}{}", entry.key))
            .cause(dropped_field_cause(entry))
    };
    let unknown_entries = mapping.entries().filter(|entry| !known_fields.contains(&entry.key));
    out.extend(unknown_entries.map(finding));
}

/// Whether a string is an IP address or a DNS name. DNS names are case-insensitive and may end with a dot.
fn is_host(text: &str) -> bool {
    is_address(text) || is_dns_name(text)
}

/// Whether a string is an IP address. An IPv6 address may have a zone.
fn is_address(text: &str) -> bool {
    match text.split_once('%') {
        Some((address, zone)) => address.parse::<Ipv6Addr>().is_ok() && !zone.is_empty(),
        None => text.parse::<IpAddr>().is_ok(),
    }
}

/// Whether a string is a DNS name. A name whose last label is numeric would be interpreted as an IPv4 address.
fn is_dns_name(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    let last_label = name.rsplit('.').next().unwrap_or(name);
    let has_short_labels = name.split('.').all(|label| label.len() <= 63);
    has_short_labels
        && !last_label.bytes().all(|b| b.is_ascii_digit())
        && syntax::subdomain(&name.to_ascii_lowercase()).is_none()
}

/// Returns the help for a string that is not a host.
fn host_help(text: &str) -> &'static str {
    let colons = text.bytes().filter(|b| *b == b':').count();
    if text.contains("://") {
        "remove the scheme: it is always https"
    } else if text.starts_with('[') {
        "write an IPv6 address without brackets"
    } else if colons == 1 {
        "remove the port: the APIService sets it in `spec.service.port`"
    } else if text.contains('/') {
        "remove the path: requests keep their own path"
    } else {
        "write a DNS name such as `api.example.com`, or an IP address"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_names_and_addresses_as_hosts() {
        for host in
            ["localhost", "api.example.com", "API.example.com.", "10.0.0.1", "::1", "fe80::1%eth0", "1password.com"]
        {
            assert!(is_host(host), "{host}");
        }
        for host in [
            "",
            ".",
            "10.0.0.256",
            "[::1]",
            "https://a",
            "a:443",
            "a/b",
            "a b",
            "-a",
            "a..b",
            "fe80::1%",
            "a%eth0",
            "1.2.3",
            "a.1",
        ] {
            assert!(!is_host(host), "{host}");
        }
        for (length, expected) in [(63, true), (64, false)] {
            assert_eq!(is_host(&format!("{}.example", "a".repeat(length))), expected, "{length}");
        }
    }

    #[test]
    fn help_identifies_the_invalid_part_of_a_host() {
        assert!(host_help("https://a").contains("scheme"));
        assert!(host_help("[::1]").contains("brackets"));
        assert!(host_help("a:443").contains("port"));
        assert!(host_help("a/b").contains("path"));
        assert!(host_help("a b").starts_with("write a DNS name"));
        assert!(host_help("::g").starts_with("write a DNS name"));
    }
}
