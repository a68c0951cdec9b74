//! `format: byte`: text of base64, as Go decodes a `[]byte` (`base64.StdEncoding`): line ends are skipped, padding is
//! needed, and bits left over in the last character are not looked at. What SOPS encrypted passes: only a value that is
//! referred to has to be decrypted.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::is_encrypted;
use crate::api::schema::{Format, Schema};
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

const STD_ENCODING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.format != Some(Format::Byte) || decode(text).is_some() || is_encrypted(text.as_bytes()) {
        return None;
    }
    Some(diagnostics::invalid_base64(node, at))
}

/// The bytes that base64 text stands for, as Go decodes them; none where it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = match text.contains(['\r', '\n']) {
        true => Cow::Owned(text.replace(['\r', '\n'], "")),
        false => Cow::Borrowed(text),
    };
    STD_ENCODING.decode(&*text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_go_reads_it() {
        for (text, expected) in [
            ("aGk=", Some("hi")),
            ("aG\nk=\n", Some("hi")),
            ("aGl=", Some("hi")),
            ("", Some("")),
            ("aGk", None),
            ("aG k=", None),
            ("aGk==", None),
            ("plain text", None),
            ("_-==", None),
        ] {
            assert_eq!(decode(text).as_deref(), expected.map(str::as_bytes), "{text:?}");
        }
    }
}
