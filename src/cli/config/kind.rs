//! The configurations of an agent.

use clap::ValueEnum;

use crate::plan::Part;

/// A configuration, by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ConfigType {
    /// Of the StatefulSets that scrape metrics
    Metrics,
    /// Of the DaemonSet that reads logs
    Logs,
    /// Of the integrations, in the Deployment if there is one
    Integrations,
    /// Of the integrations in the Deployment
    IntegrationsDeploy,
    /// Of the integrations in the DaemonSet, on all nodes
    IntegrationsDs,
}

impl ConfigType {
    /// Whether it stands for a configuration.
    pub(super) fn includes(self, part: Part) -> bool {
        match self {
            ConfigType::Integrations => matches!(part, Part::Integrations { .. }),
            single => single == Self::of(part),
        }
    }

    /// As the command line has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            ConfigType::Metrics => "metrics",
            ConfigType::Logs => "logs",
            ConfigType::Integrations => "integrations",
            ConfigType::IntegrationsDeploy => "integrations-deploy",
            ConfigType::IntegrationsDs => "integrations-ds",
        }
    }

    /// The type of a configuration, and of no other.
    pub(super) fn of(part: Part) -> Self {
        match part {
            Part::Metrics => ConfigType::Metrics,
            Part::Logs => ConfigType::Logs,
            Part::Integrations { all_nodes: false } => ConfigType::IntegrationsDeploy,
            Part::Integrations { all_nodes: true } => ConfigType::IntegrationsDs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for value in ConfigType::value_variants() {
            let possible = value.to_possible_value();
            assert_eq!(
                possible.map(|possible| possible.get_name().to_owned()).as_deref(),
                Some(value.name())
            );
        }
    }
}
