//! One thing that keeps a resource out.

use std::fmt;

use crate::api::ObjectRef;
use crate::resolve::Requirement;
use crate::resolve::explain::{FoundLabel, Reason};
use crate::source::Span;

/// The field with which an agent keeps ServiceMonitors from files.
pub const DENY_FIELD: &str = "spec.metrics.arbitraryFSAccessThroughSMs.deny";

/// What keeps a resource out, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle<'d> {
    /// The resource that decides.
    pub by: ObjectRef<'d>,
    /// The path of the field that decides, even if it is not set.
    pub span: Span,
    /// Why.
    pub cause: Cause<'d>,
    /// Whether a manifest describes the namespace that it is about; where none does, its labels are assumed.
    pub is_described: bool,
}

/// Why a resource is kept out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause<'d> {
    /// The selectors of a parent.
    Selector(Reason<'d>),
    /// The agent is paused: the operator leaves alone what it has created for it.
    Paused,
    /// `--agent-selector` leaves the agent out.
    AgentSelector {
        /// What does not hold.
        requirement: Requirement<'d>,
        /// What was found.
        found: FoundLabel<'d>,
    },
    /// The ServiceMonitor names files of the agent's container in these fields, and the agent denies it.
    FileAccess(Vec<(String, Span)>),
}

impl Obstacle<'_> {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match &self.cause {
            Cause::Selector(Reason::NoSelector(_)) => "no-selector",
            Cause::Selector(Reason::InvalidSelector(_)) => "invalid-selector",
            Cause::Selector(Reason::OtherNamespace { .. }) => "other-namespace",
            Cause::Selector(Reason::NamespaceLabel { .. }) => "namespace-label",
            Cause::Selector(Reason::Label { .. }) => "label",
            Cause::Paused => "paused",
            Cause::AgentSelector { .. } => "agent-selector",
            Cause::FileAccess(_) => "file-system-access",
        }
    }

    /// The field that decides; none for a flag.
    pub fn field(&self) -> Option<&'static str> {
        match &self.cause {
            Cause::Selector(reason) => Some(reason.field()),
            Cause::Paused => Some("spec.paused"),
            Cause::AgentSelector { .. } => None,
            Cause::FileAccess(_) => Some(DENY_FIELD),
        }
    }

    /// What is wanted, where a label or namespace is.
    pub fn wants(&self) -> Option<String> {
        match &self.cause {
            Cause::Selector(Reason::Label { requirement, .. } | Reason::NamespaceLabel { requirement, .. })
            | Cause::AgentSelector { requirement, .. } => Some(requirement.to_string()),
            Cause::Selector(Reason::OtherNamespace { wanted, .. }) => Some((*wanted).to_owned()),
            _ => None,
        }
    }

    /// What is there instead: `key=value` or a namespace; none where there is nothing.
    pub fn found(&self) -> Option<String> {
        let label = |requirement: &Requirement<'_>, found: &FoundLabel<'_>| match found {
            FoundLabel::Value(value) => Some(format!("{}={value}", requirement.key)),
            FoundLabel::Similar(key, value) => Some(format!("{key}={value}")),
            FoundLabel::Nothing => None,
        };
        match &self.cause {
            Cause::Selector(
                Reason::Label { requirement, found, .. } | Reason::NamespaceLabel { requirement, found, .. },
            )
            | Cause::AgentSelector { requirement, found } => label(requirement, found),
            Cause::Selector(Reason::OtherNamespace { found, .. }) => Some((*found).to_owned()),
            _ => None,
        }
    }

    /// How much it is in the way; see [`crate::resolve::explain::Explanation::distance`]. What one switch removes is near.
    pub fn distance(&self) -> u32 {
        match &self.cause {
            Cause::Selector(reason) => reason.distance(),
            Cause::Paused | Cause::FileAccess(_) => 1,
            Cause::AgentSelector { .. } => 3,
        }
    }
}

impl fmt::Display for Obstacle<'_> {
    /// Writes a clause about the field that decides: `` `spec.serviceMonitorSelector` wants `a=b`, found no label `a` ``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Selector(Reason::NoSelector(field)) => {
                write!(
                    f,
                    "`{field}` is not set, which selects nothing (`{{}}` selects everything)"
                )
            }
            Cause::Selector(Reason::InvalidSelector(field)) => {
                write!(f, "`{field}` is invalid, so that nothing of the agent is rendered")
            }
            Cause::Selector(Reason::OtherNamespace { field, wanted, found }) => write!(
                f,
                "`{field}` is not set, which selects in namespace `{wanted}` only, found `{found}` (`{{}}` selects in all)"
            ),
            Cause::Selector(Reason::NamespaceLabel { field, namespace, .. }) => {
                write!(f, "`{field}` wants ")?;
                self.wanted_and_found(f)?;
                write!(f, " on namespace `{namespace}`")?;
                if self.is_described {
                    Ok(())
                } else {
                    f.write_str(", which no manifest describes")
                }
            }
            Cause::Selector(Reason::Label { field, .. }) => {
                write!(f, "`{field}` wants ")?;
                self.wanted_and_found(f)
            }
            Cause::Paused => f.write_str("`spec.paused` is set: nothing is rendered for the agent"),
            Cause::AgentSelector { .. } => {
                f.write_str("`--agent-selector` wants ")?;
                self.wanted_and_found(f)?;
                f.write_str(" on the agent")
            }
            Cause::FileAccess(fields) => {
                let fields: Vec<_> = fields.iter().map(|(field, _)| format!("`{field}`")).collect();
                write!(
                    f,
                    "`{DENY_FIELD}` keeps out ServiceMonitors that name files, found {}",
                    fields.join(", ")
                )
            }
        }
    }
}

impl Obstacle<'_> {
    fn wanted_and_found(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wants, found) = (self.wants().unwrap_or_default(), self.found());
        match found {
            Some(found) => write!(f, "`{wants}`, found `{found}`"),
            None => write!(f, "`{wants}`, found no such label"),
        }
    }
}
