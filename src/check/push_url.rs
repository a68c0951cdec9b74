//! Implausible receiver URLs, and passwords in URLs.

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::ResourceHeader;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::Hierarchy;
use crate::yaml::Node;

pub const RULES: &[Rule] = &[rule(
    &[Code::WrongPath, Code::PasswordInUrl],
    RuleTarget::Hierarchy(check),
    "the APIs of Loki and Mimir: `POST /loki/api/v1/push`, `POST /api/v1/push`",
)];

/// Program that receives what an agent sends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Loki,
    RemoteWrite,
}

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !input.conditions.follows_labels {
        return findings;
    }
    let agent = hierarchy.agent;
    check_clients(agent, "spec.metrics.remoteWrite", Receiver::RemoteWrite, &mut findings);
    check_clients(agent, "spec.logs.clients", Receiver::Loki, &mut findings);
    for metrics in &hierarchy.metrics {
        check_clients(metrics.instance, "spec.remoteWrite", Receiver::RemoteWrite, &mut findings);
        for monitor in metrics.monitors() {
            let endpoints = monitor.endpoints.iter().enumerate();
            for (i, _) in endpoints.filter(|(_, endpoint)| has_password(endpoint.proxy_url)) {
                let path = FieldPath::parse("spec").key(monitor.field).index(i).key("proxyUrl");
                findings.push(password(monitor.header, &path));
            }
        }
    }
    for logs in &hierarchy.logs {
        check_clients(logs.instance, "spec.clients", Receiver::Loki, &mut findings);
    }
    findings
}

fn check_clients(head: &ResourceHeader<'_>, field: &'static str, receiver: Receiver, findings: &mut Vec<Diagnostic>) {
    for (i, client) in head.root.at(field).into_iter().flat_map(Node::items).enumerate() {
        let text = |field: &str| client.get(field).and_then(|url| url.as_str()).unwrap_or_default();
        let path = FieldPath::parse(field).index(i);
        let url = text("url");
        if let Some((problem, right_path)) = find_wrong_path(url, receiver) {
            let message = format!("the receiver does not accept data at this URL: {problem}");
            findings.push(
                head.finding(Code::WrongPath, &path.clone().key("url"), message)
                    .help(format!("use the path `{right_path}`")),
            );
        }
        for key in ["url", "proxyUrl"] {
            if has_password(text(key)) {
                findings.push(password(head, &path.clone().key(key)));
            }
        }
    }
}

/// Returns the problem with a URL's path, and the path that was probably meant.
fn find_wrong_path(url: &str, receiver: Receiver) -> Option<(&'static str, &'static str)> {
    let (scheme, rest) = url.split_once("://").filter(|_| !url.contains('$'))?;
    let is_http = ["http", "https"].iter().any(|candidate| scheme.eq_ignore_ascii_case(candidate));
    if !is_http || rest.contains(char::is_whitespace) {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.find('/').and_then(|at| rest.split_at_checked(at)).unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or(host);
    let is_cloud = host == "grafana.net" || host.ends_with(".grafana.net");
    let path = path.trim_end_matches('/');
    let ends = |end: &str| path.ends_with(end);
    match receiver {
        Receiver::Loki => {
            let problem = match path {
                "" => "it has no path",
                "/api/prom" if is_cloud => "`/api/prom` is a path for metrics",
                "/api/v1/push" => "`/api/v1/push` is Mimir's path for metrics",
                _ if ends("/query") || ends("/query_range") => "its path is for queries",
                _ => return None,
            };
            Some((problem, "/loki/api/v1/push"))
        }
        Receiver::RemoteWrite => {
            let problem = match path {
                "/api/prom" if is_cloud => "`/api/prom` is a path for queries",
                _ if ends("/loki/api/v1/push") => "`/loki/api/v1/push` is Loki's path for logs",
                _ if ends("/api/v1/query") || ends("/api/v1/query_range") || ends("/api/v1/read") => {
                    "its path is for queries"
                }
                _ => return None,
            };
            Some((problem, if is_cloud { "/api/prom/push" } else { "/api/v1/push" }))
        }
    }
}

/// Whether a URL contains a user and a password as plain text.
fn has_password(url: &str) -> bool {
    let authority =
        url.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let user = authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':'));
    user.is_some_and(|(name, password)| !name.is_empty() && !password.is_empty() && !password.contains('$'))
}

/// Finding for a password in a URL.
fn password(head: &ResourceHeader<'_>, path: &FieldPath<'_>) -> Diagnostic {
    let message = "the URL contains a plain-text password, which ends up in the generated configuration";
    head.finding(Code::PasswordInUrl, path, message).help("use `basicAuth` with a Secret")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_paths_that_accept_no_pushes() {
        for (url, receiver, expected) in [
            ("https://loki.example", Receiver::Loki, true),
            ("https://loki.example/", Receiver::Loki, true),
            ("https://mimir.example/api/v1/push", Receiver::Loki, true),
            ("https://loki.example/loki/api/v1/query_range", Receiver::Loki, true),
            ("https://logs.grafana.net/api/prom", Receiver::Loki, true),
            ("https://loki.example/loki/api/v1/push", Receiver::Loki, false),
            ("https://loki.example/tenant/loki/api/v1/push", Receiver::Loki, false),
            ("https://loki.example/api/prom/push", Receiver::Loki, false),
            ("https://x.grafana.net/api/prom", Receiver::RemoteWrite, true),
            ("https://x.grafana.net/api/prom/push", Receiver::RemoteWrite, false),
            ("https://loki.example/loki/api/v1/push", Receiver::RemoteWrite, true),
            ("https://x.example/api/v1/read", Receiver::RemoteWrite, true),
            ("https://x.example/", Receiver::RemoteWrite, false),
            ("https://x.example/api/v1/write", Receiver::RemoteWrite, false),
            ("${URL}", Receiver::Loki, false),
        ] {
            assert_eq!(find_wrong_path(url, receiver).is_some(), expected, "{url}");
        }
        for (url, expected) in [
            ("https://u:p@x.example/", true),
            ("https://u:${PASSWORD}@x.example/", false),
            ("https://u@x.example/", false),
            ("https://x.example/a:b@c", false),
        ] {
            assert_eq!(has_password(url), expected, "{url}");
        }
    }
}
