//! How the job proves who it is, and TLS.

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::prometheus::authentication::one_kind;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

/// Checks the client of one job.
pub fn check(job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let kinds = [
        ("basic_auth", is_there(job, "basic_auth")),
        ("authorization", is_there(job, "authorization")),
        ("oauth2", is_there(job, "oauth2")),
        ("bearer_token", is_filled(job, "bearer_token")),
        ("bearer_token_file", is_filled(job, "bearer_token_file")),
    ];
    one_kind(&kinds, at, found);
    value_or_file(job, at, found);
    if let Some(node) = job.get("authorization") {
        authorization(node, &at.key("authorization"), found);
    }
    if let Some(node) = job.get("oauth2").filter(|node| node.is_mapping()) {
        oauth2(node, &at.key("oauth2"), found);
    }
    if let Some(node) = job.get("tls_config") {
        tls(node, &at.key("tls_config"), found);
    }
}

/// What is given as a value is not given as a file too.
fn value_or_file(job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (field, value, file) in [
        ("basic_auth", "username", "username_file"),
        ("basic_auth", "password", "password_file"),
        ("authorization", "credentials", "credentials_file"),
        ("oauth2", "client_secret", "client_secret_file"),
    ] {
        if let Some(node) = job.get(field) {
            let kinds = [(value, is_filled(node, value)), (file, is_filled(node, file))];
            one_kind(&kinds, &at.key(field), found);
        }
    }
}

fn authorization(node: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let kind = node.get("type").and_then(Node::as_str).unwrap_or_default();
    if kind.trim().eq_ignore_ascii_case("basic") {
        let message = "`authorization` cannot be of type `basic`, use `basic_auth`";
        found.push(diagnostics::invalid_scrape_job(at, message));
    }
}

fn oauth2(node: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for field in ["client_id", "token_url"] {
        if !is_filled(node, field) {
            found.push(diagnostics::invalid_scrape_job(at, format!("`oauth2` needs `{field}`")));
        }
    }
}

fn tls(node: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let either = |one: &str, other: &str| is_filled(node, one) || is_filled(node, other);
    let (certificate, key) = (either("cert", "cert_file"), either("key", "key_file"));
    if certificate != key {
        found.push(diagnostics::incomplete_certificate(at, certificate));
    }
}

fn is_there(node: Node<'_>, field: &str) -> bool {
    node.get(field).is_some_and(|value| !value.is_null())
}

fn is_filled(node: Node<'_>, field: &str) -> bool {
    is_there(node, field) && node.get(field).and_then(Node::as_str) != Some("")
}
