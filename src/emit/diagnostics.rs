//! What emitting says of a bundle.

use crate::diagnostic::{Code, Diagnostic};

/// Nothing is rendered, and that was not asked for; `expected` is what the input should hold.
pub fn empty_render(expected: &str) -> Diagnostic {
    Diagnostic::new(
        Code::EmptyRender,
        format!("nothing is rendered: the input has no {expected}"),
    )
    .help("name the files with the resources, or pass `--allow-empty`")
}
