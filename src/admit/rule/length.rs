//! `minLength`: a string must not be too short. Go counts code points (`utf8.RuneCount`).

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.min_length == 0 || text.chars().count() >= schema.min_length {
        return None;
    }
    Some(diagnostics::too_short(schema.min_length, node, at))
}
