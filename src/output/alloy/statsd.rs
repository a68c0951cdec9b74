//! Mapping of `statsd`, which is part of the agent's configuration and a file of `<agent>-secrets` in Alloy.

use super::environment::has_variables;
use crate::go::text::label_name;
use crate::plan::{Integration, Plan};
use crate::yaml::{self, Style};

pub(super) const KEY: &str = "mapping_config";

/// Argument for the path of the file.
pub(super) const ARGUMENT: &str = "mapping_config_path";

/// Returns the name and content of the file with an integration's mapping, or `None` if the agent replaces variables
/// in it, which is reported as lost.
pub(super) fn file(integration: &Integration<'_>) -> Option<(String, String)> {
    let resource = integration.resource;
    let mapping = integration.config.get(KEY).filter(|_| resource.spec.name == "statsd")?;
    let text = yaml::write(mapping, Style::V3);
    let name = format!("_integrations_{}_{}", label_name(&resource.meta.full_name()), KEY);
    (!has_variables(&text)).then_some((name, text))
}

/// Returns the files of all mappings.
pub(super) fn files(plan: &Plan<'_>) -> impl Iterator<Item = (String, Vec<u8>)> {
    let found = plan.integrations.iter().filter_map(file);
    found.map(|(name, text)| (name, text.into_bytes()))
}
