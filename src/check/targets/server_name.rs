//! TLS server names that refer to a Service outside the input, although the scraped Service is in the input.

use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::Origin;
use crate::targets::discovery::DiscoveryRole;
use crate::targets::observed::{ObservedKind, ObservedObjects};
use crate::targets::scrape::Chain;

/// Finding for an endpoint whose TLS server name refers to a Service outside the input.
pub(super) fn check(origin: Origin<'_>, chain: &Chain<'_, '_>, objects: &ObservedObjects<'_>) -> Option<Diagnostic> {
    let selected = chain.selected.first().filter(|_| chain.role == Some(DiscoveryRole::Service))?;
    let endpoint = origin.node()?;
    let text = |path: &str| endpoint.at(path).and_then(|node| node.as_str()).unwrap_or_default();
    let name = text("tlsConfig.serverName");
    let (service, namespace) = service_name(name).filter(|_| text("scheme").eq_ignore_ascii_case("https"))?;
    // A tool such as kustomize may later add the namespace, or a prefix to the name.
    let has_namespace = !selected.root.part("metadata").text("namespace").is_empty();
    if !has_namespace || name.contains('$') || objects.find(ObservedKind::Service, namespace, service).is_some() {
        return None;
    }
    let server_name = |service: &str, namespace: &str| format!("{service}.{namespace}.svc");
    let right_name = server_name(selected.name, selected.namespace);
    let message = format!("no Service in the input has the name `{name}`; the scraped Service is `{right_name}`");
    let path = FieldPath::new().key("tlsConfig").key("serverName");
    let finding = origin.diagnostic_below(&path, Code::WrongServerName, message);
    let finding = match selected.span() {
        Some(span) => finding.label(span, "the selected Service"),
        None => finding,
    };
    let server_names = chain.selected.iter().map(|service| server_name(service.name, service.namespace));
    let server_names: Vec<_> = server_names.take(100).collect();
    let nearest = closest(name, server_names.iter().map(String::as_str)).unwrap_or(&right_name);
    let is_placeholder = name.chars().any(|c| c.is_ascii_uppercase());
    Some(finding.help(match is_placeholder {
        true => format!("replace the placeholder, for example with `{nearest}`"),
        false => format!("use a name in the certificate of the Service, such as `{nearest}`"),
    }))
}

/// Returns the Service and the namespace in a server name, such as `shop.default.svc`.
fn service_name(name: &str) -> Option<(&str, &str)> {
    let name = name.strip_suffix(".cluster.local").unwrap_or(name).strip_suffix(".svc")?;
    name.split_once('.').filter(|(service, namespace)| !service.is_empty() && !namespace.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_service_host_names() {
        for (name, expected) in [
            ("a.b.svc", Some(("a", "b"))),
            ("a.b.svc.cluster.local", Some(("a", "b"))),
            ("pod.a.b.svc", None),
            ("a.svc", None),
            ("a.b", None),
            ("a.example", None),
        ] {
            assert_eq!(service_name(name), expected, "{name}");
        }
    }
}
