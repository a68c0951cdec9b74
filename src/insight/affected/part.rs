//! The parts of what is rendered for an agent that depend on the same resources.

use crate::pods::Role;

/// A part of what is rendered for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `<agent>-secrets`: the values that are referred to.
    Values,
    /// The configuration of metrics.
    Metrics,
    /// The configuration of logs.
    Logs,
    /// The configuration of the Integrations that run once.
    Integrations,
    /// The configuration of the Integrations that run on every node.
    NodeIntegrations,
    /// The StatefulSets of metrics, and their Service.
    MetricsPods,
    /// The DaemonSet of logs.
    LogsPods,
    /// The Deployment of Integrations.
    IntegrationsPods,
    /// The DaemonSet of Integrations.
    NodeIntegrationsPods,
}

impl Part {
    /// The part that an object with this role is of.
    pub fn of(role: Role) -> Option<Part> {
        use crate::plan::Part as Of;
        Some(match role {
            Role::Values => Part::Values,
            Role::Configuration(Of::Metrics) => Part::Metrics,
            Role::Configuration(Of::Logs) => Part::Logs,
            Role::Configuration(Of::Integrations { all_nodes: false }) => Part::Integrations,
            Role::Configuration(Of::Integrations { all_nodes: true }) => Part::NodeIntegrations,
            Role::Service | Role::Pods(Of::Metrics) => Part::MetricsPods,
            Role::Pods(Of::Logs) => Part::LogsPods,
            Role::Pods(Of::Integrations { all_nodes: false }) => Part::IntegrationsPods,
            Role::Pods(Of::Integrations { all_nodes: true }) => Part::NodeIntegrationsPods,
            Role::Rights | Role::Kubelets => return None,
        })
    }
}

/// Several parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(u16);

impl Parts {
    /// Everything.
    pub const ALL: Self = Self(u16::MAX);

    /// These parts.
    pub const fn of(parts: &[Part]) -> Self {
        match parts {
            [] => Self(0),
            [part, more @ ..] => Self::of(more).with(*part),
        }
    }

    /// One part more.
    #[must_use]
    pub const fn with(self, part: Part) -> Self {
        Self(self.0 | 1 << part as u16)
    }

    /// One part more, where that holds.
    #[must_use]
    pub fn with_if(self, holds: bool, part: Part) -> Self {
        if holds { self.with(part) } else { self }
    }

    /// The parts of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a part is among them.
    pub fn contains(self, part: Part) -> bool {
        self.0 & 1 << part as u16 != 0
    }
}
