//! Integrations for clouds other than AWS.

use crate::check::integrations::setting::{known, refuse};
use crate::check::walk::{Json, Walk};

/// Cloud names (`cloudconfig.NewCloudConfig` in go-common). A private cloud needs variables that only the pod has.
const AZURE_CLOUDS: [&str; 10] = [
    "azurechina",
    "azurechinacloud",
    "azurecloud",
    "azuregovernment",
    "azuregovernmentcloud",
    "azurepprivatecloud",
    "azureprivate",
    "azurepublic",
    "azurepubliccloud",
    "azureusgovernmentcloud",
];

/// Checks a cloud's name. The agent panics if the name is unknown.
pub fn azure<'v>(cloud: Json<'v>, walk: &mut Walk<'v>) {
    let name = cloud.scalar().and_then(known).map(|name| name.to_lowercase());
    if name.is_some_and(|name| !AZURE_CLOUDS.contains(&name.as_str())) {
        let help = "use `azurecloud`, `azurechinacloud` or `azuregovernmentcloud`";
        refuse(walk, &[], "is set to an unknown cloud", help);
    }
}

/// Checks a metric filter (`Config.Validate` in `gcp_exporter`).
pub fn gcp_filter<'v>(filter: Json<'v>, walk: &mut Walk<'v>) {
    let Some(filter) = filter.scalar().and_then(known) else {
        return;
    };
    let help = "write `PREFIX:FILTER`, where at least one item in `metrics_prefixes` starts with PREFIX";
    let Some((prefix, _)) = filter.split_once(':') else {
        return refuse(walk, &[], "has a filter without a colon after the metric prefix", help);
    };
    let config = walk.root.at("config").unwrap_or(Json::NULL);
    let mut prefixes = config.list("metrics_prefixes").map(|prefix| prefix.scalar().and_then(known));
    let is_used = prefixes.any(|known| known.is_none_or(|known| known.starts_with(prefix)));
    if !is_used {
        refuse(walk, &[], "has a filter that does not apply to any item in `metrics_prefixes`", help);
    }
}
