//! Sprig functions for encodings and hashes.

use std::fmt::Write as _;

use ring::digest;

use crate::go::base64;
use crate::go::template::{Call, Failure, Function, Outcome, TemplateValue};
use crate::go::text::from_bytes;

pub const FUNCTIONS: &[Function] = &[
    Function { name: "b64enc", parameters: "s", run: |call| call.text_result(base64::encode(call.text(0))) },
    Function { name: "b64dec", parameters: "s", run: decode_base64 },
    Function { name: "sha1sum", parameters: "s", run: |call| digest(call, &digest::SHA1_FOR_LEGACY_USE_ONLY) },
    Function { name: "sha256sum", parameters: "s", run: |call| digest(call, &digest::SHA256) },
    Function { name: "sha512sum", parameters: "s", run: |call| digest(call, &digest::SHA512) },
    Function { name: "fromJson", parameters: "s", run: |call| Ok(from_json(call).unwrap_or(TemplateValue::Nil)) },
    Function { name: "mustFromJson", parameters: "s", run: from_json },
    Function { name: "toJson", parameters: "a", run: |call| to_json(call, true) },
    Function { name: "mustToJson", parameters: "a", run: |call| to_json(call, true) },
    Function { name: "toRawJson", parameters: "a", run: |call| to_json(call, false) },
    Function { name: "mustToRawJson", parameters: "a", run: |call| to_json(call, false) },
    Function { name: "toPrettyJson", parameters: "a", run: to_pretty_json },
    Function { name: "mustToPrettyJson", parameters: "a", run: to_pretty_json },
];

fn decode_base64(call: &mut Call<'_>) -> Outcome {
    match base64::decode(call.text(0)) {
        Some(bytes) => call.text_result(from_bytes(&bytes)),
        // Go returns the error message as the result. The message includes the offset.
        None => Err(Failure::Unsupported("decodes invalid base64".to_owned())),
    }
}

fn digest(call: &mut Call<'_>, algorithm: &'static digest::Algorithm) -> Outcome {
    call.spend(call.text(0).len())?;
    let mut text = String::new();
    for byte in digest::digest(algorithm, call.text(0).as_bytes()).as_ref() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    call.text_result(text)
}

fn from_json(call: &mut Call<'_>) -> Outcome {
    call.spend(call.text(0).len())?;
    let value: Result<serde_json::Value, _> = serde_json::from_str(call.text(0));
    TemplateValue::from_json(&value.map_err(|error| Failure::Error(error.to_string()))?)
}

fn to_json(call: &mut Call<'_>, escapes_html: bool) -> Outcome {
    call.visit(call.get(0))?;
    let mut text = call.get(0).to_json().to_string();
    // `json.Marshal` escapes these characters in strings. They occur nowhere else in JSON.
    for (character, escape) in [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")] {
        if escapes_html {
            text = text.replace(character, escape);
        }
    }
    call.text_result(text)
}

fn to_pretty_json(call: &mut Call<'_>) -> Outcome {
    call.visit(call.get(0))?;
    let text = serde_json::to_string_pretty(&call.get(0).to_json()).unwrap_or_default();
    call.text_result(text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}
