//! Base64 as Go decodes it (`base64.StdEncoding`): line ends are skipped, padding is needed, and bits left over in the
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

/// The bytes that a text stands for; `None` where it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = match text.contains(['\r', '\n']) {
        true => Cow::Owned(text.replace(['\r', '\n'], "")),
        false => Cow::Borrowed(text),
    };
    STD_ENCODING.decode(&*text).ok()
}

/// The text of bytes, on one line.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    STD_ENCODING.encode(bytes)
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
