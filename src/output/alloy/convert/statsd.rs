//! Mapping of the `statsd` integration. It is inline in the agent's configuration, but a file in `<agent>-secrets` for
//! Alloy.

use crate::go::text::label_name;
use crate::output::alloy::write::environment::has_variables;
use crate::plan::{Integration, Plan};
use crate::yaml::{self, LibraryStyle};

pub const KEY: &str = "mapping_config";

/// Argument for the path of the mapping file.
pub const ARGUMENT: &str = "mapping_config_path";

/// Returns the name and content of an integration's mapping file, or `None` if the integration has no mapping or the
/// agent replaces variables in it. A mapping with variables is reported as lost.
pub fn file(integration: &Integration<'_>) -> Option<(String, String)> {
    let resource = integration.resource;
    let mapping = integration.config.get(KEY).filter(|_| resource.spec.name == "statsd")?;
    let text = yaml::write(mapping, LibraryStyle::V3);
    let name = format!("_integrations_{}_{}", label_name(&resource.meta.full_name()), KEY);
    (!has_variables(&text)).then_some((name, text))
}

/// Returns the mapping files of all integrations.
pub fn files(plan: &Plan<'_>) -> impl Iterator<Item = (String, Vec<u8>)> {
    let mappings = plan.integrations.iter().filter_map(file);
    mappings.map(|(name, text)| (name, text.into_bytes()))
}
