//! Findings reported while inputs are loaded.

use std::path::Path;

use super::containment::Escape;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Finding for a directory on the command line that contains no file to read.
pub(super) fn no_input(directory: &Path) -> Diagnostic {
    let message = format!("`{}` contains no `.yaml`, `.yml` or `.json` files", directory.display());
    Diagnostic::new(Code::NoInput, message).help("pass a file or directory that contains manifests")
}

/// Finding for a symlink that is not followed because of its target.
pub(super) fn outside_link(escape: &Escape) -> Diagnostic {
    let help = match escape.can_be_followed() {
        true => {
            "replace the link with the file itself, or follow all links with `--load-restrictor none` if you trust the input"
        }
        false => "replace the link with a file",
    };
    Diagnostic::new(Code::OutsideLink, escape.to_string()).help(help)
}

/// Finding for empty standard input.
pub(super) fn empty_pipe() -> Diagnostic {
    Diagnostic::new(Code::NoInput, "standard input is empty").help("check the command that writes to it")
}

/// Finding for a file that is not UTF-8. `at` is the position of the first invalid byte, and `start` contains the first
/// two bytes of the file.
pub(super) fn not_utf8(at: Span, byte: u8, start: [u8; 2]) -> Diagnostic {
    let help = match start {
        [0xff, 0xfe] | [0xfe, 0xff] => "save the file as UTF-8: it appears to be UTF-16",
        _ if byte == 0 => "pass files that contain YAML or JSON in UTF-8: this file is not text",
        _ => "save the file as UTF-8",
    };
    Diagnostic::new(Code::NotUtf8, format!("expected UTF-8, found the byte `{byte:#04x}`"))
        .label(at, "valid UTF-8 up to here")
        .help(help)
}
