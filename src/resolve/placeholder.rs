//! What stands in for a missing value.

use super::AssetKey;
use super::references::Usage;

/// A token that names the value and is always the same: `placeholder:Secret/namespace/name/key`. Where the operator
/// reads the value as a list of scrape jobs, it is such a list, with the token as the name of its job.
pub fn placeholder(key: &AssetKey<'_>, usage: Usage) -> String {
    let token = format!("placeholder:{}/{}/{}/{}", key.kind, key.namespace, key.name, key.key);
    match usage {
        Usage::ScrapeConfigs => format!("- job_name: {token}\n"),
        Usage::Value | Usage::File | Usage::Unused => token,
    }
}
