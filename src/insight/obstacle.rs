//! Obstacles that prevent a resource from being selected.

use std::fmt;

use crate::api::{ObjectRef, ResourceHeader};
use crate::diagnostic::FieldPath;
use crate::resolve::explain::{FoundLabel, Mismatch, SelectorMismatch};
use crate::source::Span;

/// Field that denies ServiceMonitors access to files in the agent's container.
pub const DENY_FIELD: &str = "spec.metrics.arbitraryFSAccessThroughSMs.deny";

/// An obstacle to a selection, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle<'d> {
    /// Resource whose field or name is the obstacle.
    pub by: ObjectRef<'d>,
    /// Field that is the obstacle, or `None` if the obstacle is a flag.
    pub field: Option<&'static str>,
    /// Span of the field, or of its nearest parent if the field is not set.
    pub span: Span,
    /// Reason why the resource is not selected.
    pub cause: Cause<'d>,
}

/// Reason why a resource is not selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause<'d> {
    /// One of the parent's selectors does not match.
    Selector(SelectorMismatch<'d>),
    /// The agent is paused. The operator leaves everything that it created for the agent unchanged.
    Paused,
    /// `--agent-selector` excludes the agent.
    AgentSelector(Mismatch<'d>),
    /// The agent denies access to files, and these fields of the ServiceMonitor refer to files in the agent's
    /// container.
    FileAccess(Vec<(String, Span)>),
}

impl<'d> Obstacle<'d> {
    /// Creates an obstacle at the `field` of the resource `by`.
    pub fn new(by: &ResourceHeader<'d>, field: &'static str, cause: Cause<'d>) -> Self {
        Self { by: by.object_ref(), field: Some(field), span: by.locate(&FieldPath::parse(field)), cause }
    }

    /// Returns the stable name used for the cause in JSON.
    pub fn code(&self) -> &'static str {
        match &self.cause {
            Cause::Selector(SelectorMismatch::NoSelector) => "no-selector",
            Cause::Selector(SelectorMismatch::InvalidSelector) => "invalid-selector",
            Cause::Selector(SelectorMismatch::OtherNamespace { .. }) => "other-namespace",
            Cause::Selector(SelectorMismatch::NamespaceLabel(..) | SelectorMismatch::UnknownLabel(..)) => {
                "namespace-label"
            }
            Cause::Selector(SelectorMismatch::Label(_)) => "label",
            Cause::Paused => "paused",
            Cause::AgentSelector(_) => "agent-selector",
            Cause::FileAccess(_) => "file-system-access",
        }
    }

    /// Returns the label or namespace that the selector requires, or `None` for other causes.
    pub fn wanted_value(&self) -> Option<String> {
        match &self.cause {
            Cause::Selector(SelectorMismatch::OtherNamespace { wanted, .. }) => Some((*wanted).to_owned()),
            cause => Some(cause.mismatch()?.requirement.to_string()),
        }
    }

    /// Returns the label (`key=value`) or namespace of the resource that differs from the required one, or `None` if
    /// there is none.
    pub fn found_value(&self) -> Option<String> {
        if let Cause::Selector(SelectorMismatch::OtherNamespace { found, .. }) = &self.cause {
            return Some((*found).to_owned());
        }
        let Mismatch { requirement, found } = self.cause.mismatch()?;
        match found {
            FoundLabel::Value(value) => Some(format!("{}={value}", requirement.key)),
            FoundLabel::Similar(key, value) => Some(format!("{key}={value}")),
            FoundLabel::Nothing => None,
        }
    }

    /// Returns a measure of how far the resource is from being selected; see
    /// [`crate::resolve::explain::Explanation::distance`]. An obstacle that a single setting can remove contributes
    /// only a small amount.
    pub fn distance(&self) -> u32 {
        match &self.cause {
            Cause::Selector(problem) => problem.distance(),
            Cause::Paused | Cause::FileAccess(_) => 1,
            Cause::AgentSelector(_) => 3,
        }
    }
}

impl<'d> Cause<'d> {
    /// Returns the label requirement that is not met, if any.
    fn mismatch(&self) -> Option<&Mismatch<'d>> {
        match self {
            Cause::Selector(
                SelectorMismatch::Label(mismatch)
                | SelectorMismatch::NamespaceLabel(_, mismatch)
                | SelectorMismatch::UnknownLabel(_, mismatch),
            )
            | Cause::AgentSelector(mismatch) => Some(mismatch),
            _ => None,
        }
    }
}

impl fmt::Display for Obstacle<'_> {
    /// Writes a clause about the field: `` `spec.serviceMonitorSelector` requires `a=b`, but the resource has no label
    /// `a` ``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.field.unwrap_or("--agent-selector"))?;
        match &self.cause {
            Cause::Selector(SelectorMismatch::NoSelector) => {
                f.write_str("is not set, so it selects nothing (`{}` selects everything)")
            }
            Cause::Selector(SelectorMismatch::InvalidSelector) => {
                f.write_str("is invalid, so nothing is rendered for the agent")
            }
            Cause::Selector(SelectorMismatch::OtherNamespace { wanted, found }) => write!(
                f,
                "is not set, so only namespace `{wanted}` is searched, but the resource is in `{found}` (`{{}}` selects in all namespaces)"
            ),
            Cause::Selector(SelectorMismatch::NamespaceLabel(namespace, mismatch)) => {
                let found = mismatch.describe(&format!("namespace `{namespace}`"));
                write!(f, "requires namespaces with {found}")
            }
            Cause::Selector(SelectorMismatch::UnknownLabel(namespace, Mismatch { requirement, .. })) => {
                write!(f, "requires namespaces with `{requirement}`, but no manifest defines namespace `{namespace}`")
            }
            Cause::Selector(SelectorMismatch::Label(mismatch)) => {
                write!(f, "requires {}", mismatch.describe("the resource"))
            }
            Cause::Paused => f.write_str("is set, so nothing is rendered for the agent"),
            Cause::AgentSelector(mismatch) => write!(f, "requires {}", mismatch.describe("the agent")),
            Cause::FileAccess(fields) => {
                let fields: Vec<_> = fields.iter().map(|(field, _)| format!("`{field}`")).collect();
                let fields = fields.join(", ");
                write!(f, "excludes ServiceMonitors that refer to files, and this one sets {fields}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::resolve::{Condition, Requirement};
    use crate::testing;

    #[test]
    fn formats_obstacles_as_text_and_json() {
        let id = testing::source_id();
        let span = Span::new(id, 0, 0);
        let mismatch = |found| {
            let (key, condition) = ("team", Condition::Exists);
            Mismatch { requirement: Requirement { key, condition }, found }
        };
        let value = || mismatch(FoundLabel::Value("a"));
        let similar_mismatch = || mismatch(FoundLabel::Similar("tema", "a"));
        let absent_mismatch = || mismatch(FoundLabel::Nothing);
        let other_namespace = SelectorMismatch::OtherNamespace { wanted: "m", found: "n" };
        let files = ["a", "b"].map(|field| (field.to_owned(), span)).to_vec();
        for (cause, code, wants, found, distance, shown) in [
            (
                Cause::Selector(SelectorMismatch::NoSelector),
                "no-selector",
                None,
                None,
                5,
                "is not set, so it selects nothing (`{}` selects everything)",
            ),
            (
                Cause::Selector(SelectorMismatch::InvalidSelector),
                "invalid-selector",
                None,
                None,
                9,
                "is invalid, so nothing is rendered for the agent",
            ),
            (
                Cause::Selector(other_namespace),
                "other-namespace",
                Some("m"),
                Some("n"),
                2,
                "is not set, so only namespace `m` is searched, but the resource is in `n` (`{}` selects in all namespaces)",
            ),
            (
                Cause::Selector(SelectorMismatch::NamespaceLabel("n", value())),
                "namespace-label",
                Some("team"),
                Some("team=a"),
                2,
                "requires namespaces with `team`, but namespace `n` has `team=a`",
            ),
            (
                Cause::Selector(SelectorMismatch::UnknownLabel("n", absent_mismatch())),
                "namespace-label",
                Some("team"),
                None,
                2,
                "requires namespaces with `team`, but no manifest defines namespace `n`",
            ),
            (
                Cause::Selector(SelectorMismatch::Label(similar_mismatch())),
                "label",
                Some("team"),
                Some("tema=a"),
                1,
                "requires `team`, but the resource has `tema=a`",
            ),
            (Cause::Paused, "paused", None, None, 1, "is set, so nothing is rendered for the agent"),
            (
                Cause::AgentSelector(absent_mismatch()),
                "agent-selector",
                Some("team"),
                None,
                3,
                "requires `team`, but the agent has no label `team`",
            ),
            (
                Cause::FileAccess(files),
                "file-system-access",
                None,
                None,
                1,
                "excludes ServiceMonitors that refer to files, and this one sets `a`, `b`",
            ),
        ] {
            let by = ObjectRef { kind: Kind::GrafanaAgent, namespace: "m", name: "a" };
            let field = Some("spec.x").filter(|_| code != "agent-selector");
            let obstacle = Obstacle { by, field, span, cause };
            assert_eq!((obstacle.code(), obstacle.distance()), (code, distance));
            assert_eq!(
                (obstacle.wanted_value().as_deref(), obstacle.found_value().as_deref()),
                (wants, found),
                "{code}"
            );
            let name = field.unwrap_or("--agent-selector");
            assert_eq!(obstacle.to_string(), format!("`{name}` {shown}"));
        }
    }
}
