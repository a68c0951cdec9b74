//! `format: date-time`: a point in time of RFC 3339.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::{Format, Schema};
use crate::diagnostic::Diagnostic;
use crate::go::time::is_date_time;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.format != Some(Format::DateTime) || is_date_time(text) {
        return None;
    }
    Some(diagnostics::invalid_time(text, node, at))
}
