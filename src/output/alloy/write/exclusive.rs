//! Settings that cannot be combined. If two such settings are present, neither the agent nor Alloy starts, and `check`
//! reports this. Only one of them is written, so that Alloy starts.

use super::syntax::Statement;

/// Returns the group of mutually exclusive settings that `name` belongs to, as a bit (`HTTPClientConfig.Validate`,
/// `EndpointOptions.Validate`, `TLSConfig.Validate` and others in Alloy).
fn group(name: &str) -> Option<u8> {
    Some(match name {
        "basic_auth" | "authorization" | "oauth2" | "bearer_token" | "bearer_token_file" | "sigv4" | "azuread" => 1,
        "password" | "password_file" => 1 << 1,
        "credentials" | "credentials_file" => 1 << 2,
        "client_secret" | "client_secret_file" => 1 << 3,
        "ca_pem" | "ca_file" => 1 << 4,
        "cert_pem" | "cert_file" => 1 << 5,
        "key_pem" | "key_file" => 1 << 6,
        "config_file" | "config" => 1 << 7,
        _ => return None,
    })
}

/// Keeps the first setting in each group.
pub fn keep_first_of_each_group(statements: &mut Vec<Statement<'_>>) {
    let mut set = 0;
    statements.retain(|statement| {
        let group = group(statement.name()).unwrap_or_default();
        let is_repeated_group = set & group != 0;
        set |= group;
        !is_repeated_group
    });
}

#[cfg(test)]
mod tests {
    use super::super::catalog::prepare;
    use super::super::syntax::Body;
    use super::super::version::AlloyVersion;
    use super::*;

    #[test]
    fn keeps_the_first_of_exclusive_settings_at_any_depth() {
        let body_with_both = |name| Body::new().with(name, "x").with("credentials_file", "y");
        let body = Body::new()
            .with("url", "u")
            .with_block("authorization", body_with_both("credentials"))
            .with_block("oauth2", Body::new())
            .with_block("sigv4", Body::new());
        let expected = Body::new().with("url", "u").with_block("authorization", Body::new().with("credentials", "x"));
        let prepare = |body| prepare("remotewrite.EndpointOptions", body, AlloyVersion::NEWEST);
        let prepared_body = prepare(body);
        assert_eq!(prepared_body, expected);
        assert_eq!(prepare(prepared_body), expected);
    }

    #[test]
    fn keeps_the_first_of_a_value_and_its_file() {
        for (pem, file) in [("ca_pem", "ca_file"), ("cert_pem", "cert_file"), ("key_pem", "key_file")] {
            let mut body = Body::new().with(pem, "x").with(file, "y").with("server_name", "z");
            keep_first_of_each_group(&mut body.0);
            assert_eq!(body, Body::new().with(pem, "x").with("server_name", "z"), "{pem}");
        }
    }
}
