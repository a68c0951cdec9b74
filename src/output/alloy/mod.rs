//! Grafana Alloy's `config.alloy` configuration: static pipelines that are equivalent to the agent's configuration.

mod additional;
mod azure;
mod catalogue;
mod credentials;

mod environment;
mod exclusive;
mod free_form;
mod http;
mod integrations;
mod labels;
mod layout;
mod logs;
mod loss;
mod losses;
mod mask;
mod metrics;
mod origins;
mod pipeline;
mod presets;
mod relabeled;
mod repeated;
mod rules;
mod scrape_losses;
mod settings;
mod stages;
mod statsd;
mod syntax;
mod target_labels;
mod target_rules;
#[cfg(test)]
mod tests;
mod trace;
mod values;
mod version;
mod watch;
mod writer;

pub use catalogue::ValueLocation;
pub use credentials::files;
pub use losses::{losses, takes_over};
pub use metrics::ADDITIONAL;
pub use repeated::{repetitions, spend_repeated};
pub use settings::{AlloyDiscovery, AlloySettings, ConfigurationFacts};
pub use trace::{Component, Element};
pub use version::AlloyVersion;

use super::agent::by_name;
use crate::plan::{ConfigKind, Instance, Plan, SecretRepresentation};
use integrations::destination;
use origins::ComponentSource;
use syntax::Body;
use writer::{ComponentGroup, Writer};

/// Writes one of an agent's configurations, passing it to a callback piece by piece.
pub fn write<'p>(
    plan: &'p Plan<'p>,
    part: ConfigKind,
    settings: &AlloySettings,
    secrets: SecretRepresentation,
    piece: &mut dyn FnMut(&str),
) -> ConfigurationFacts {
    let piece = &mut |text: &str, _: &[Component<'p>]| piece(text);
    written(Writer::new(plan, settings, secrets, None, piece), part)
}

/// Like [`write()`], but also passes the components of each piece to the callback.
pub fn write_traced<'p>(
    plan: &'p Plan<'p>,
    part: ConfigKind,
    settings: &AlloySettings,
    secrets: SecretRepresentation,
    piece: &mut dyn FnMut(&str, &[Component<'p>]),
) -> ConfigurationFacts {
    written(Writer::new(plan, settings, secrets, Some(part), piece), part)
}

fn written<'p>(mut writer: Writer<'p, '_>, part: ConfigKind) -> ConfigurationFacts {
    let plan = writer.plan;
    let of_part = || plan.integrations.iter().filter(|one| part.runs(&one.resource.spec));
    let is_integrations = matches!(part, ConfigKind::Integrations { .. });
    // A configuration for integrations needs only the instances that integrations send to, and those with additional
    // jobs, which the agent runs there as well.
    let is_needed = |name: &str, has_additional: bool| {
        !is_integrations || has_additional || of_part().any(|integration| destination(integration) == name)
    };
    for instance in plan.instances().filter(|of| is_integrations || of.part() == part) {
        let name = instance.resource().meta.full_name();
        if is_needed(&name, instance.additional().is_some()) {
            let receivers = match instance {
                Instance::Metrics(instance) => writer.metrics(instance, !is_integrations),
                Instance::Logs(instance) => writer.logs(instance, !is_integrations),
            };
            writer.receivers.insert((instance.kind(), name), receivers);
        }
    }
    let spec = &plan.agent.spec;
    let logging = Body::new().with_text("level", spec.log_level).with_text("format", spec.log_format);
    if catalogue::settled("logging", logging.clone(), writer.environment.version) != Body::new() {
        writer.put(ComponentGroup::Receivers, "logging", "", logging, ComponentSource::Agent);
    }
    writer.flush();
    for integration in by_name(of_part()).into_values().flatten() {
        writer.integration(integration);
    }
    writer.finish()
}
