//! HTTP client settings in integrations (`HTTPClientConfig.Validate`, `ProxyConfig.Validate` and `TLSConfig.Validate`
//! in prometheus/common).

use crate::check::integrations::setting::{known, refuse};
use crate::check::walk::Expect::{As, AtMostOne, With};
use crate::check::walk::{Json, Rows, Step, Walk, any_of};
use crate::diagnostic::Code;

/// Checks the settings of an HTTP client.
pub fn check<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    walk.rows(CLIENT, client);
    let kind = client.at("authorization.type").and_then(Json::as_str);
    if kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("basic")) {
        let at = [Step::Key("authorization"), Step::Key("type")];
        refuse(walk, &at, "cannot be `basic`", "use `basic_auth` instead");
    }
    if let Some(oauth2) = client.set("oauth2").filter(|oauth2| oauth2.is_mapping()) {
        for key in ["client_id", "token_url"].into_iter().filter(|key| !oauth2.has(key)) {
            refuse(walk, &[Step::Key("oauth2")], format!("is set without `{key}`"), format!("set `{key}`"));
        }
    }
}

const CLIENT: Rows = &[
    ("", As(CONFLICT, &AtMostOne(KINDS))),
    ("basic_auth", As(CONFLICT, &AtMostOne("username|username_file"))),
    ("basic_auth", As(CONFLICT, &AtMostOne("password|password_file"))),
    ("authorization", As(CONFLICT, &AtMostOne("credentials|credentials_file"))),
    ("oauth2", As(CONFLICT, &AtMostOne("client_secret|client_secret_file"))),
    ("", With(proxy)),
    ("oauth2", With(proxy)),
    ("tls_config", With(tls)),
    ("oauth2.tls_config", With(tls)),
];
const CONFLICT: Code = Code::ConflictingAuthentication;
const KINDS: &str = "basic_auth|authorization|oauth2|bearer_token|bearer_token_file";

fn proxy<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    let has_header = client.set("proxy_connect_header").is_some_and(|header| header.entries().next().is_some());
    let (has_url, is_bypassed) = (client.has("proxy_url"), client.has("no_proxy"));
    let from_environment = client.is_on("proxy_from_environment");
    let (key, problem, help) = match from_environment {
        true if has_url => ("proxy_url", "cannot be combined with `proxy_from_environment`", "keep one of the two"),
        true if is_bypassed => ("no_proxy", "cannot be combined with `proxy_from_environment`", "keep one of the two"),
        false if has_header && !has_url => {
            ("proxy_connect_header", "is set without `proxy_url`", "set `proxy_url`, or remove `proxy_connect_header`")
        }
        // An empty URL suffices.
        false if is_bypassed && client.set("proxy_url").is_none() => {
            ("no_proxy", "is set without `proxy_url`", "set `proxy_url`, or remove `no_proxy`")
        }
        _ => return,
    };
    refuse(walk, &[Step::Key(key)], problem, help);
}

/// Checks a client's certificates. Each kind may have at most one source, and each certificate needs a key.
pub fn tls<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    for (inline, file) in [("ca", "ca_file"), ("cert", "cert_file"), ("key", "key_file")] {
        if tls.has(inline) && tls.has(file) {
            refuse(walk, &[Step::Key(file)], format!("cannot be combined with `{inline}`"), "keep one of the two");
        }
    }
    let present = |keys: [&'static str; 2]| keys.into_iter().find(|key| tls.has(key));
    let (certificate, key) = (present(["cert", "cert_file"]), present(["key", "key_file"]));
    if let (Some(set), None) | (None, Some(set)) = (certificate, key) {
        let missing = if certificate.is_some() { "key_file" } else { "cert_file" };
        refuse(walk, &[Step::Key(set)], format!("is set without `{missing}`"), format!("set `{missing}` as well"));
    }
    walk.each("min_version|max_version", tls, |walk, version| {
        let text = version.scalar().and_then(known);
        if text.is_some_and(|text| !VERSIONS.contains(&&*text)) {
            let help = format!("use {}", any_of(&VERSIONS.join("|")));
            refuse(walk, &[], "is not a TLS version", help);
        }
    });
}

/// TLS versions (`config.TLSVersions`), oldest first.
const VERSIONS: [&str; 4] = ["TLS10", "TLS11", "TLS12", "TLS13"];

/// Checks the certificates and TLS versions of a client that is created at startup (`NewTLSConfig`).
pub fn built_tls<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    tls(value, walk);
    let version = |key| VERSIONS.iter().position(|version| value.text(key) == *version);
    let range = version("min_version").zip(version("max_version"));
    if range.is_some_and(|(least, most)| least > most) {
        refuse(
            walk,
            &[Step::Key("max_version")],
            "is lower than `min_version`",
            "raise `max_version`, or lower `min_version`",
        );
    }
}
