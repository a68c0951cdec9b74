//! `integrations` (`agent-integrations.libsonnet`, `integrations.libsonnet`).

use super::fields::Fields;
use super::origin::Trace;
use super::trim::trimmed;
use crate::api::{Integration, Resource};
use crate::yaml::{Mapping, Value};

/// The whole section, with the integrations that run where this configuration is used. Each name has a list, even one
/// that may be there only once.
pub(super) fn section<'d>(
    integrations: &[&'d Resource<'d, Integration<'d>>],
    all_nodes: bool,
    trace: Trace<'_, 'd>,
) -> Mapping<'d> {
    let mut lists: Vec<(&str, Vec<Value<'d>>)> = Vec::new();
    for integration in integrations.iter().filter(|i| i.spec.r#type.all_nodes == all_nodes) {
        let name = integration.spec.name;
        let mut config = config(integration);
        if let Value::Mapping(fields) = &mut config {
            trace.resource(integration).at("spec.config").mark().put(fields);
        }
        match lists.iter_mut().find(|(other, _)| *other == name) {
            Some((_, list)) => list.push(config),
            None => lists.push((name, vec![config])),
        }
    }
    let mut section = Mapping::new();
    let autoscrape = Fields::new().always("enable", false);
    section.push("metrics", Fields::new().always("autoscrape", autoscrape));
    for (name, list) in lists {
        section.push(format!("{name}_configs"), list);
    }
    section
}

/// The configuration as it stands in the resource; empty where there is none.
fn config<'d>(integration: &'d Resource<'d, Integration<'d>>) -> Value<'d> {
    let config = integration.root.get("spec").and_then(|spec| spec.get("config"));
    config
        .filter(|config| !config.is_null())
        .map_or_else(|| Mapping::new().into(), trimmed)
}
