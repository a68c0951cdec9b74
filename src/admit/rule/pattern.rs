//! `pattern`: a string must match. A number where a string is possible as well is not looked at.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    let pattern = schema.pattern.as_ref().filter(|pattern| !pattern.matches(text))?;
    Some(diagnostics::pattern_mismatch(pattern.as_str(), text, node, at))
}
