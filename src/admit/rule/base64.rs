//! `format: byte`: text of base64. What SOPS encrypted passes: only a value that is referred to has to be decrypted.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::is_encrypted;
use crate::api::schema::{Format, Schema};
use crate::diagnostic::Diagnostic;
use crate::go::base64;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.format != Some(Format::Byte) || base64::decode(text).is_some() || is_encrypted(text.as_bytes()) {
        return None;
    }
    Some(diagnostics::invalid_base64(node, at))
}
