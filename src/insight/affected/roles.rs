//! Sets of roles: which objects of an agent depend on something.

use crate::manifest::Role;
use crate::plan::Part;

/// Several roles of objects. The Service is of the pods of metrics; rights and kubelets are never among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u16);

impl Roles {
    /// Everything.
    pub const ALL: Self = Self(u16::MAX);

    pub const fn of(roles: &[Role]) -> Self {
        match roles {
            [] => Self(0),
            [role, more @ ..] => Self::of(more).with(*role),
        }
    }

    /// One role more.
    #[must_use]
    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | bit(role))
    }

    /// One role more, where that holds.
    #[must_use]
    pub fn with_if(self, holds: bool, role: Role) -> Self {
        if holds { self.with(role) } else { self }
    }

    /// The roles of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a role is among them.
    pub fn contains(self, role: Role) -> bool {
        self.0 & bit(role) != 0
    }
}

const fn bit(role: Role) -> u16 {
    let (first, part) = match role {
        Role::Rights | Role::Kubelets => return 0,
        Role::Values => return 1,
        Role::Configuration(part) => (1 << 1, part),
        Role::Pods(part) => (1 << 5, part),
        Role::Service => (1 << 5, Part::Metrics),
    };
    match part {
        Part::Metrics => first,
        Part::Logs => first << 1,
        Part::Integrations { all_nodes: false } => first << 2,
        Part::Integrations { all_nodes: true } => first << 3,
    }
}
