//! Texts that the agent reads otherwise than they were meant.
//!
//! What: a text of several lines that starts with a space, a tab or a line break. Why: the library that the operator writes the
//! configuration with does not write such a text so that it can be read back. Example: `separator: "\n"`.

use super::diagnostics;
use super::place::Place;
use crate::diagnostic::Diagnostic;
use crate::yaml::{Node, NodeValue, misread};

/// Checks a text; `in_item` as [`misread`] has it.
pub fn check(text: &str, in_item: bool, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(misread) = misread(text, in_item) {
        found.push(diagnostics::misread_text(at, misread));
    }
}

/// Checks all texts of a value.
pub fn check_all(value: Node<'_>, in_item: bool, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    match value.value() {
        NodeValue::String(text) => check(text, in_item, at, found),
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate() {
                check_all(item, true, &at.index(i), found);
            }
        }
        NodeValue::Mapping => {
            for entry in value.entries() {
                // Below a mapping of its own it is in no item any more.
                let in_item = in_item && !entry.value.is_mapping();
                check_all(entry.value, in_item, &at.key(entry.key), found);
            }
        }
        _ => {}
    }
}
