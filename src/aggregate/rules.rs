//! What is wrong with a registry: first what kube-aggregator refuses (`ValidateAPIService`), then what it takes although it
//! cannot work.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv6Addr};

use jiff::Timestamp;

use super::bundle;
use super::discovery::sorted_by_group_and_version;
use super::object::{AggregateKind, ApiService, ExternalName, Metadata, ObjectName, Origin, ServiceReference, at};
use super::registry::Registry;
use super::route::Endpoints;
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::go::syntax;
use crate::yaml::{Entry, Node};

const MAX_GROUP_PRIORITY: i32 = 20_000;
const MAX_VERSION_PRIORITY: i32 = 1_000;

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

const API_SERVICE_SPEC: &[&str] = &[
    "caBundle",
    "group",
    "groupPriorityMinimum",
    "insecureSkipTLSVerify",
    "service",
    "version",
    "versionPriority",
];
const SERVICE_REFERENCE: &[&str] = &["name", "namespace", "port"];
const EXTERNAL_NAME_SPEC: &[&str] = &["host"];
const REMOTE_SERVICE: &[&str] = &["group", "host", "port", "version"];
const OBJECT: &[&str] = &["apiVersion", "kind", "metadata", "spec", "status"];

/// Applies every rule: object by object, then to the registry as a whole.
pub(super) fn check(registry: &Registry<'_>, time: Option<Timestamp>, out: &mut Vec<Diagnostic>) {
    for service in &registry.api_services {
        unknown_fields(service.object(), service.origin, out);
        let mut subject = Subject {
            object: service.object(),
            origin: service.origin,
            out,
        };
        subject.api_service_metadata(service);
        subject.group_version(service);
        subject.priorities(service);
        subject.trust(service);
        subject.service_reference(service);
        subject.built_in_group(service);
        // The bundle of all remote services is looked at once, where it is read.
        if !service.ca_bundle.is_empty() && !service.origin.is_remote() {
            let finding = bundle::finding(&service.ca_bundle, time);
            out.extend(finding.map(|finding| at(finding, service.object(), service.origin, "spec.caBundle")));
        }
    }
    for external in &registry.external_names {
        unknown_fields(external.object(), external.origin, out);
        let mut subject = Subject {
            object: external.object(),
            origin: external.origin,
            out,
        };
        subject.external_name_metadata(external);
        subject.host(external);
    }
    duplicates(registry, out);
    dangling(registry, &Endpoints::of(registry), out);
    preferred_versions(registry, out);
}

/// A finding at a field of an APIService.
fn at_service(code: Code, service: &ApiService<'_>, field: &str, message: String) -> Diagnostic {
    at(Diagnostic::new(code, message), service.object(), service.origin, field)
}

/// An object that rules are applied to.
struct Subject<'s, 'd> {
    object: ObjectName<'s>,
    origin: Origin<'d>,
    out: &'s mut Vec<Diagnostic>,
}

impl Subject<'_, '_> {
    fn report(&mut self, code: Code, field: &str, message: impl Into<String>, help: impl Into<String>) {
        let finding = Diagnostic::new(code, message).help(help);
        self.out.push(at(finding, self.object, self.origin, field));
    }

    fn report_without_help(&mut self, code: Code, field: &str, message: String) {
        let finding = Diagnostic::new(code, message);
        self.out.push(at(finding, self.object, self.origin, field));
    }

    /// The name of an APIService has to be `version.group`, and the rest of `metadata` what Kubernetes allows
    /// (`ValidateObjectMeta`). What is made of remote services has none of its own.
    fn api_service_metadata(&mut self, service: &ApiService<'_>) {
        if service.origin.is_remote() {
            return;
        }
        let required = format!("{}.{}", service.version, service.group);
        let name = service.name.as_ref();
        if let Some(problem) = syntax::path_segment(name) {
            let message = format!("the name `{name}` {problem}");
            self.report(
                Code::InvalidName,
                "metadata.name",
                message,
                format!("name it `{required}`"),
            );
        } else if service.name != required {
            let message = match name {
                "" => format!("found no name, expected `{required}`"),
                name => format!("found the name `{name}`, expected `{required}`"),
            };
            let help = "name an APIService by its version, a dot, and its group";
            self.report(Code::ApiServiceName, "metadata.name", message, help);
        }
        if !service.metadata.namespace.is_empty() {
            let message = "an APIService has no namespace";
            let help = "remove `metadata.namespace`";
            self.report(Code::InvalidMetadata, "metadata.namespace", message, help);
        }
        self.labels(&service.metadata);
    }

    fn external_name_metadata(&mut self, external: &ExternalName<'_>) {
        if external.origin.is_remote() {
            return;
        }
        if external.name.is_empty() {
            self.report(
                Code::MissingField,
                "metadata.name",
                "found no name",
                "set `metadata.name`",
            );
        } else if let Some(problem) = syntax::path_segment(&external.name) {
            let message = format!("the name `{}` {problem}", external.name);
            self.report_without_help(Code::InvalidName, "metadata.name", message);
        }
        if let Some(problem) = syntax::dns_label(external.namespace) {
            let message = format!("the namespace `{}` {problem}", external.namespace);
            self.report_without_help(Code::InvalidName, "metadata.namespace", message);
        }
        self.labels(&external.metadata);
    }

    fn labels(&mut self, metadata: &Metadata<'_>) {
        let labels = metadata.labels.iter().map(|(key, value)| {
            let problem = syntax::qualified_name(key).or_else(|| syntax::label_value(value));
            ("metadata.labels", key, problem)
        });
        let annotations = metadata.annotations.keys().map(|key| {
            let problem = syntax::qualified_name(&key.to_lowercase());
            ("metadata.annotations", key, problem)
        });
        for (field, key, problem) in labels.chain(annotations) {
            if let Some(problem) = problem {
                let message = format!("`{key}` is not what Kubernetes allows: it {problem}");
                self.report_without_help(Code::InvalidLabel, field, message);
            }
        }
    }

    /// The group is a DNS subdomain, or empty for `v1`; the version is a DNS label.
    fn group_version(&mut self, service: &ApiService<'_>) {
        let ApiService { group, version, .. } = *service;
        if group.is_empty() && version != "v1" {
            let message = format!("found no group for version `{version}`: only `v1` may have none");
            self.report(Code::InvalidGroupVersion, "spec.group", message, "name the group");
        }
        let of_group = syntax::subdomain(group).filter(|_| !group.is_empty());
        let of_version = syntax::dns_1035_label(version);
        for (part, found, problem) in [("group", group, of_group), ("version", version, of_version)] {
            let Some(problem) = problem else { continue };
            let message = match found {
                "" => format!("found no {part}"),
                _ => format!("the {part} `{found}` {problem}"),
            };
            let field = format!("spec.{part}");
            self.report_without_help(Code::InvalidGroupVersion, &field, message);
        }
    }

    /// The upper bounds are inclusive, whatever the messages of kube-aggregator say.
    fn priorities(&mut self, service: &ApiService<'_>) {
        for (field, found, max) in [
            (
                "spec.groupPriorityMinimum",
                service.group_priority_minimum,
                MAX_GROUP_PRIORITY,
            ),
            ("spec.versionPriority", service.version_priority, MAX_VERSION_PRIORITY),
        ] {
            if !(1..=max).contains(&found) {
                let message = format!("found the priority {found}, expected 1 to {max}");
                let help = format!("use a number from 1 to {max}");
                self.report(Code::PriorityOutOfRange, field, message, help);
            }
        }
    }

    /// A bundle and the insecure flag cannot be combined. A local APIService connects to nothing, so it trusts nothing.
    fn trust(&mut self, service: &ApiService<'_>) {
        let has_bundle = !service.ca_bundle.is_empty();
        let insecure = service.insecure_skip_tls_verify;
        if service.service.is_some() {
            if has_bundle && insecure {
                let message = "found `insecureSkipTLSVerify` beside `caBundle`".to_owned();
                let finding = at_service(Code::ConflictingTrust, service, "spec.insecureSkipTLSVerify", message);
                self.out.push(
                    finding
                        .label(service.origin.locate("spec.caBundle"), "the bundle is defined here")
                        .help("remove `insecureSkipTLSVerify`, so that the bundle is used"),
                );
            }
            return;
        }
        for (is_set, name) in [(has_bundle, "caBundle"), (insecure, "insecureSkipTLSVerify")] {
            if is_set {
                let message = format!("found `{name}`, but no `service` it could be for");
                let help = format!("remove `{name}`, or name the service in `spec.service`");
                self.report(Code::ConflictingTrust, &format!("spec.{name}"), message, help);
            }
        }
    }

    /// A service has a namespace, a name and a port.
    fn service_reference(&mut self, service: &ApiService<'_>) {
        let Some(reference) = &service.service else { return };
        for (name, value) in [("namespace", &reference.namespace), ("name", &reference.name)] {
            if value.is_empty() {
                let message = format!("the service has no `{name}`");
                let help = format!("set `{name}` to that of an ExternalName or Service");
                self.report(Code::MissingField, &format!("spec.service.{name}"), message, help);
            }
        }
        if !(1..=65_535).contains(&reference.port) {
            let message = format!("found the port {}, expected 1 to 65535", reference.port);
            let help = "set the port that the service listens on";
            self.report(Code::InvalidPort, "spec.service.port", message, help);
        }
    }

    /// A group that Kubernetes itself serves is handed to another server: every controller that uses it depends on that.
    fn built_in_group(&mut self, service: &ApiService<'_>) {
        let is_core = service.group.is_empty() && service.version == "v1";
        if service.service.is_none() || !is_core && !BUILT_IN_GROUPS.contains(&service.group) {
            return;
        }
        let message = match service.group {
            "" => "the core of Kubernetes is handed to another server".to_owned(),
            group => format!("`{group}` is a group of Kubernetes itself, but is handed to another server"),
        };
        let help = "use a group of your own, or leave `spec.service` out";
        self.report(Code::BuiltInGroup, "spec.group", message, help);
    }

    /// The host of an ExternalName is a DNS name or an address: nothing else can be reached.
    fn host(&mut self, external: &ExternalName<'_>) {
        let host = external.host;
        if host.is_empty() {
            let help = "set `host` to a DNS name or an address";
            self.report(Code::InvalidHost, "spec.host", "found no host", help);
        } else if !is_host(host) {
            let message = format!("found the host `{host}`, expected a DNS name or an address");
            self.report(Code::InvalidHost, "spec.host", message, host_help(host));
        }
    }
}

/// A field that the kind does not have: the API server drops it. A remote service counts once, although it becomes two
/// objects.
fn unknown_fields(object: ObjectName<'_>, origin: Origin<'_>, out: &mut Vec<Diagnostic>) {
    let root = match (origin, object.kind) {
        (Origin::Manifest(root), _) => root,
        (Origin::Remote { entry, index }, AggregateKind::ApiService) => {
            return unknown_keys(object, entry, &format!("[{index}]"), REMOTE_SERVICE, out);
        }
        (Origin::Remote { .. }, _) => return,
    };
    let nested: &[(&str, &[&str])] = match object.kind {
        AggregateKind::ApiService => &[("spec", API_SERVICE_SPEC), ("spec.service", SERVICE_REFERENCE)],
        AggregateKind::ExternalName => &[("spec", EXTERNAL_NAME_SPEC)],
        AggregateKind::Service => return,
    };
    unknown_keys(object, root, "", OBJECT, out);
    for (path, known) in nested {
        if let Some(mapping) = root.at(path) {
            unknown_keys(object, mapping, path, known, out);
        }
    }
}

fn unknown_keys(object: ObjectName<'_>, mapping: Node<'_>, path: &str, known: &[&str], out: &mut Vec<Diagnostic>) {
    let (place, dot) = match path {
        "" => (object.kind.as_str(), ""),
        path => (path, "."),
    };
    let finding = |entry: Entry<'_>| {
        let help = suggest::did_you_mean(entry.key, known.iter().copied()).unwrap_or_else(|| "remove it".to_owned());
        let message = format!("`{place}` has no field `{}`, it is dropped", entry.key);
        Diagnostic::new(Code::UnknownField, message)
            .help(help)
            .label(entry.key_span, "unknown field")
            .resource(object)
            .path(format!("{path}{dot}{}", entry.key))
    };
    let unknown = mapping.entries().filter(|entry| !known.contains(&entry.key));
    out.extend(unknown.map(finding));
}

/// What to do about two objects where there can be one.
const REMOVE_ONE: &str = "remove one of them: the one that is applied last replaces the other";

/// The same group and version twice, or two objects of the same name: the one that is applied last replaces the other.
fn duplicates(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let mut taken = BTreeMap::new();
    for service in &registry.api_services {
        let first = *taken.entry((service.group, service.version)).or_insert(service);
        if !std::ptr::eq(first, service) {
            let message = format!("`{}` is registered twice", service.group_version());
            let finding = at_service(Code::DuplicateGroupVersion, service, "spec.version", message);
            out.push(
                finding
                    .label(first.origin.locate("spec.version"), "first here")
                    .help(REMOVE_ONE),
            );
        }
    }
    let names = registry.external_names.iter().map(|e| (e.object(), e.origin));
    // Without anything that leads to one, core Services are of no concern.
    let services = registry.services.iter().filter(|_| !registry.is_empty());
    let services = services.map(|s| (s.object(), s.origin));
    let mut taken: BTreeMap<_, Origin<'_>> = BTreeMap::new();
    for (object, origin) in names.chain(services) {
        match taken.get(&(object.kind, object.namespace, object.name)) {
            // ExternalNames of remote services are identified by their group and version.
            Some(first) if first.is_remote() && origin.is_remote() => {}
            Some(first) => {
                let message = format!("`{object}` is defined twice");
                let finding = Diagnostic::new(Code::DuplicateResource, message);
                let finding = at(finding, object, origin, "metadata.name");
                out.push(
                    finding
                        .label(first.locate("metadata.name"), "first here")
                        .help(REMOVE_ONE),
                );
            }
            None => {
                taken.insert((object.kind, object.namespace, object.name), origin);
            }
        }
    }
}

/// An APIService whose service is missing answers 503, and so blocks the deletion of every namespace; an ExternalName
/// that nothing leads to is most likely left over.
fn dangling(registry: &Registry<'_>, endpoints: &Endpoints<'_, '_>, out: &mut Vec<Diagnostic>) {
    let mut used = BTreeSet::new();
    for service in &registry.api_services {
        let Some(reference) = &service.service else { continue };
        used.insert((reference.namespace.as_ref(), reference.name.as_ref()));
        let ServiceReference { namespace, name, .. } = reference;
        if !namespace.is_empty() && !name.is_empty() && endpoints.find(reference).is_none() {
            let message = format!("the input has no ExternalName or Service `{name}` in namespace `{namespace}`");
            let help = "add it, or correct the name: without it requests fail, and no namespace can be deleted";
            out.push(at_service(Code::MissingService, service, "spec.service.name", message).help(help));
        }
    }
    for external in &registry.external_names {
        if !external.name.is_empty() && !used.contains(&(external.namespace, external.name.as_ref())) {
            let message = format!("no APIService leads to ExternalName `{}`", external.name);
            let finding = Diagnostic::new(Code::UnusedExternalName, message);
            out.push(at(finding, external.object(), external.origin, "metadata.name"));
        }
    }
}

/// A version that promises less than another of its group is what clients get unless they ask.
fn preferred_versions(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let stability = |service: &ApiService<'_>| Version::new(service.version).stability();
    for group in sorted_by_group_and_version(&registry.api_services) {
        let most_stable = group.versions.iter().min_by_key(|service| Reverse(stability(service)));
        let Some((preferred, stable)) = group.preferred().zip(most_stable) else {
            continue;
        };
        if stability(stable) <= stability(preferred) {
            continue;
        }
        let message = format!(
            "`{}` prefers version `{}` ({}) over `{}` ({})",
            preferred.group,
            preferred.version,
            stability(preferred).as_str(),
            stable.version,
            stability(stable).as_str(),
        );
        let field = "spec.versionPriority";
        out.push(
            at_service(Code::UnstablePreferredVersion, preferred, field, message)
                .label(stable.origin.locate(field), "has the lower priority")
                .help(format!("give `{}` the higher `versionPriority`", stable.version)),
        );
    }
}

/// Whether a text is an address, or a DNS name: letter case does not count, and a dot may end it.
fn is_host(text: &str) -> bool {
    is_address(text) || is_dns_name(text)
}

/// An IPv6 address may have a zone.
fn is_address(text: &str) -> bool {
    match text.split_once('%') {
        Some((address, zone)) => address.parse::<Ipv6Addr>().is_ok() && !zone.is_empty(),
        None => text.parse::<IpAddr>().is_ok(),
    }
}

/// A name whose last label is a number would be taken for an IPv4 address.
fn is_dns_name(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    let last = name.rsplit('.').next().unwrap_or(name);
    let short = name.split('.').all(|label| label.len() <= 63);
    short && !last.bytes().all(|b| b.is_ascii_digit()) && syntax::subdomain(&name.to_ascii_lowercase()).is_none()
}

/// What to do about a text that is not a host.
fn host_help(text: &str) -> &'static str {
    let colons = text.bytes().filter(|b| *b == b':').count();
    if text.contains("://") {
        "leave out the scheme: it is always https"
    } else if text.starts_with('[') {
        "write an IPv6 address without brackets"
    } else if colons == 1 {
        "leave out the port: the APIService has it in `spec.service.port`"
    } else if text.contains('/') {
        "leave out the path: that of the request is kept"
    } else {
        "write a DNS name such as `api.example.com`, or an address"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_or_addresses() {
        for good in [
            "localhost",
            "api.example.com",
            "API.example.com.",
            "10.0.0.1",
            "::1",
            "fe80::1%eth0",
            "1password.com",
        ] {
            assert!(is_host(good), "{good}");
        }
        for bad in [
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
        ] {
            assert!(!is_host(bad), "{bad}");
        }
    }

    #[test]
    fn the_help_says_what_is_too_much() {
        assert!(host_help("https://a").contains("scheme"));
        assert!(host_help("[::1]").contains("brackets"));
        assert!(host_help("a:443").contains("port"));
        assert!(host_help("a/b").contains("path"));
    }
}
