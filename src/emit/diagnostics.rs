//! What emitting says of a bundle.

use crate::diagnostic::{Code, Diagnostic};

/// Nothing is rendered, and that was not asked for.
pub fn empty_render() -> Diagnostic {
    Diagnostic::new(
        Code::EmptyRender,
        "nothing is rendered: the input has no `GrafanaAgent` to compile",
    )
    .help("name the files with the resources, or pass `--allow-empty`")
}
