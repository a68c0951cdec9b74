//! Base64 as Go decodes it (`base64.StdEncoding`): line breaks are skipped, padding is required, and unused bits of the
//! last character are ignored.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const STD_ENCODING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a base64 string, or returns `None` if it is invalid.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = match text.contains(['\r', '\n']) {
        true => Cow::Owned(text.replace(['\r', '\n'], "")),
        false => Cow::Borrowed(text),
    };
    STD_ENCODING.decode(&*text).ok()
}

/// Encodes bytes as base64 on a single line.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    STD_ENCODING.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_base64_like_go() {
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
