//! Authentication of `discovery.azure`: one block per method, instead of Prometheus' flat keys.

use super::free_form::{scalar, text};
use crate::output::alloy::write::catalog;
use crate::output::alloy::write::syntax::Body;
use crate::output::alloy::write::version::AlloyVersion;
use crate::yaml::Value;

/// Prometheus keys that the authentication blocks replace.
pub const KEYS: [&str; 4] = ["authentication_method", "client_id", "client_secret", "tenant_id"];

/// Whether `version` of Alloy supports the authentication method in `yaml`.
pub fn can_authenticate(yaml: &Value<'_>, version: AlloyVersion) -> bool {
    let block = match text(yaml, "authentication_method") {
        "SDK" => "sdk_auth",
        "WorkloadIdentity" => "workload_identity",
        _ => return true,
    };
    catalog::has_argument("discovery.azure", block, version)
}

/// Adds the block for the authentication method, which defaults to OAuth, as in Prometheus.
pub fn with_authentication<'v>(body: Body<'v>, yaml: &'v Value<'_>) -> Body<'v> {
    let credentials = |keys: &[&'static str]| {
        let value = |key| yaml.get(key).map_or("".into(), scalar);
        keys.iter().fold(Body::new(), |body, key| body.with(key, value(key)))
    };
    match text(yaml, "authentication_method") {
        "" | "OAuth" => body.with_block("oauth", credentials(&["client_id", "tenant_id", "client_secret"])),
        "ManagedIdentity" => body.with_block("managed_identity", credentials(&["client_id"])),
        "SDK" => body.with_block("sdk_auth", credentials(&["tenant_id"])),
        "WorkloadIdentity" => body.with_block("workload_identity", Body::new()),
        // Both Prometheus and Alloy reject all other authentication methods.
        _ => body,
    }
}
