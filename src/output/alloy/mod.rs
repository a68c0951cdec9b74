//! Grafana Alloy's `config.alloy` configuration: static pipelines that are equivalent to the agent's configuration.

mod convert;
mod losses;
#[cfg(test)]
mod tests;
mod write;

pub use convert::credentials::files;
pub use convert::metrics::ADDITIONAL;
pub use convert::repeated::{repetitions, spend_repetitions};
pub use losses::agent_losses::{applies_to_alloy, losses};
pub use write::catalog::ValueLocation;
pub use write::settings::{AlloyDiscovery, AlloySettings, ConfigurationFacts};
pub use write::trace::{Component, Element};
pub use write::version::AlloyVersion;

use super::agent::by_name;
use crate::plan::{ConfigKind, Instance, Plan, SecretRepresentation};
use convert::integrations::destination;
use write::origins::ComponentSource;
use write::syntax::Body;
use write::writer::{ComponentGroup, Writer};

/// Writes one of an agent's configurations, passing it to a callback piece by piece.
pub fn write<'p>(
    plan: &'p Plan<'p>,
    part: ConfigKind,
    settings: &AlloySettings,
    secrets: SecretRepresentation,
    piece: &mut dyn FnMut(&str),
) -> ConfigurationFacts {
    let piece = &mut |text: &str, _: &[Component<'p>]| piece(text);
    write_part(Writer::new(plan, settings, secrets, None, piece), part)
}

/// Like [`write()`], but also passes the components in each piece to the callback.
pub fn write_traced<'p>(
    plan: &'p Plan<'p>,
    part: ConfigKind,
    settings: &AlloySettings,
    secrets: SecretRepresentation,
    piece: &mut dyn FnMut(&str, &[Component<'p>]),
) -> ConfigurationFacts {
    write_part(Writer::new(plan, settings, secrets, Some(part), piece), part)
}

fn write_part<'p>(mut writer: Writer<'p, '_>, part: ConfigKind) -> ConfigurationFacts {
    let plan = writer.plan;
    let part_integrations = || plan.integrations.iter().filter(|integration| part.runs(&integration.resource.spec));
    let is_integrations = matches!(part, ConfigKind::Integrations { .. });
    // A configuration for integrations needs only the instances that integrations send to, and the instances with
    // additional jobs, which the agent also runs there.
    let is_needed = |name: &str, has_additional: bool| {
        !is_integrations || has_additional || part_integrations().any(|integration| destination(integration) == name)
    };
    for instance in plan.instances().filter(|instance| is_integrations || instance.part() == part) {
        let name = instance.resource().meta.full_name();
        if is_needed(&name, instance.additional_jobs().is_some()) {
            let receivers = match instance {
                Instance::Metrics(instance) => writer.metrics(instance, !is_integrations),
                Instance::Logs(instance) => writer.logs(instance, !is_integrations),
            };
            writer.receivers.insert((instance.kind(), name), receivers);
        }
    }
    let spec = &plan.agent.spec;
    let logging = Body::new().with_text("level", spec.log_level).with_text("format", spec.log_format);
    if write::catalog::prepare("logging", logging.clone(), writer.environment.version) != Body::new() {
        writer.put_component(ComponentGroup::Receivers, "logging", "", logging, ComponentSource::Agent);
    }
    writer.flush();
    for integration in by_name(part_integrations()).into_values().flatten() {
        writer.integration(integration);
    }
    writer.finish()
}
