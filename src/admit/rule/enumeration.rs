//! `enum`: only some strings are allowed.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.allowed.is_empty() || schema.allowed.iter().any(|allowed| allowed == text) {
        return None;
    }
    Some(diagnostics::unsupported_value(&schema.allowed, text, node, at))
}
