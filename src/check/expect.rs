//! What tables of rules expect of values: a row is a path, a rule and its parameters.

use super::json::Json;
use super::walk::Walk;
use crate::diagnostic::Code;
use crate::go::syntax::Syntax;
use crate::resolve::Hierarchy;

/// The rules for one type: paths from its value, and what is expected there. `ports[]` goes into every item, `a|b` into
/// both; a field that is missing is passed over, except by [`Expect::Required`].
pub type Rows = &'static [(&'static str, Expect)];

/// An expectation of a value.
pub enum Expect {
    /// Present and not empty, if its parent exists.
    Required,
    /// Absent, and why.
    Forbidden(&'static str),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// One of these texts, and a finding that says no more than what was found.
    Among(&'static [&'static str]),
    /// `false`, 0 or empty.
    Off,
    /// A whole number from the first to the last.
    Range(i64, i64),
    /// A text of this syntax, which may be empty only if the syntax says so.
    Text(Syntax),
    /// The same, or an empty text.
    TextOrEmpty(Syntax),
    Labels,
    /// A mapping with one of these fields at most.
    AtMostOne(&'static [&'static str]),
    /// A mapping with exactly one of these fields.
    ExactlyOne(&'static [&'static str]),
    /// A list whose items differ in these fields together; a missing field is equal to nothing.
    Unique(&'static [&'static str]),
    /// The rules of another table.
    In(Rows),
    /// A rule whose findings have this code, unless a rule inside has its own.
    As(Code, &'static Expect),
    /// What needs more than one field.
    With(for<'v> fn(Json<'v>, &mut Walk<'v>)),
    /// A rule whose findings are warnings: only newer versions of Kubernetes have it, or only the agent, so that no other
    /// tool confirms it.
    Mild(&'static Expect),
    /// A rule for some agents.
    If(fn(&Hierarchy<'_, '_>) -> bool, &'static Expect),
    /// A rule whose findings have this remedy.
    Help(&'static str, &'static Expect),
}
