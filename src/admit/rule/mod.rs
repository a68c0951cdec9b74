//! The rules a value of the right type must keep, one a file.

pub(super) mod base64;
mod date_time;
mod enumeration;
mod length;
pub(super) mod list_map;
mod pattern;
pub(super) mod range;
pub(super) mod required;

use super::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

/// Holds text against the rules for strings, in the order in which kube-openapi checks them.
pub(super) fn text(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    out.extend(length::check(schema, text, node, at));
    out.extend(pattern::check(schema, text, node, at));
    out.extend(date_time::check(schema, text, node, at));
    out.extend(base64::check(schema, text, node, at));
    out.extend(enumeration::check(schema, text, node, at));
}
