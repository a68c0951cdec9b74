//! Findings about stages in a Secret.

use crate::check::walk::Expect::{self, As, With};
use crate::check::walk::{Step, Walk};
use crate::diagnostic::Code;

/// Reports a stage that Promtail rejects.
pub fn report_invalid<'v>(message: impl Into<String>, path: &[Step<'v>], walk: &mut Walk<'v>) {
    walk.report_with_code(Code::InvalidStage, path, message, "");
}

/// Wraps rules so that their findings have the code for invalid stages.
pub const fn stage(rows: &'static Expect) -> Expect {
    As(Code::InvalidStage, rows)
}

/// Expects a non-empty string if the field is set.
pub const NOT_EMPTY: Expect = With(|text, walk| {
    if text.as_str() == Some("") {
        walk.report(&[], "must not be empty");
    }
});
