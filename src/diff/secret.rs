//! The values of Secrets on both sides, fit to be shown.

use std::collections::BTreeMap;
use std::io::Read;

use clap::ValueEnum;
use flate2::read::GzDecoder;
use serde_json::{Value as Json, json};

use super::configuration;
use super::masked::{AFTER, BEFORE, mask};
use super::options::Options;
use super::unified::{Part, compare, extend};
use crate::byte_size::ByteSize;
use crate::go::base64;
use crate::output::Language;

/// A larger configuration stays packed: text takes many times its own size to read.
const MAX_COMPARED: ByteSize = ByteSize(32 << 20);

/// A live configuration may unpack to so much, or to twice as much as the rendered one. It can be made to unpack to
/// a thousand times its size, and text takes many times its own size to compare.
const MAX_LIVE: ByteSize = ByteSize(2 << 20);

/// Brings the values into one form, so that sides which hold the same are the same: `stringData` in `data`, base64 without
/// line breaks. A ConfigMap gets the form of a Secret.
pub(super) fn normalize(secret: &mut Json) {
    let is_config_map = secret.get("kind").and_then(Json::as_str) == Some("ConfigMap");
    let Some(fields) = secret.as_object_mut() else { return };
    let mut plain = fields.remove("stringData");
    if is_config_map {
        plain = fields.remove("data");
        if let Some(binary) = fields.remove("binaryData") {
            fields.insert("data".to_owned(), binary);
        }
    }
    let plain = plain.as_ref().and_then(Json::as_object).into_iter().flatten();
    let plain: Vec<_> = plain
        .map(|(key, value)| (key.clone(), json!(base64::encode(value.as_str().unwrap_or_default()))))
        .collect();
    if !plain.is_empty()
        && let Some(data) = fields.entry("data").or_insert_with(|| json!({})).as_object_mut()
    {
        data.extend(plain);
    }
    let data = fields.get_mut("data").and_then(Json::as_object_mut);
    for (_, value) in data.into_iter().flatten() {
        if let Some(bytes) = value.as_str().and_then(decode) {
            *value = json!(base64::encode(bytes));
        }
    }
}

/// The configurations of a side by their keys, taken out of its Secret: their texts, or why one stays packed.
pub(super) type Unpacked = BTreeMap<&'static str, Result<String, String>>;

/// Takes the configurations out of Secrets and unpacks them: the same text can be compressed to different bytes. One that is
/// not text, or stays packed, stays where it is.
pub(super) fn unpack([before, after]: [&mut Option<Json>; 2]) -> [Unpacked; 2] {
    let (mut old, mut new) = (Unpacked::new(), Unpacked::new());
    for &language in Language::value_variants() {
        let key = language.file();
        // What the manifest does not set is the live value on both sides.
        let value = |side: &Option<Json>| side.as_ref()?.get("data")?.get(key).cloned();
        let is_rendered = value(after).is_some_and(|value_after| value(before) != Some(value_after));
        let mut limit = if is_rendered { MAX_COMPARED } else { MAX_LIVE };
        for (side, texts) in [(&mut *after, &mut new), (&mut *before, &mut old)] {
            let data = side.as_mut().and_then(|secret| secret.get_mut("data")?.as_object_mut());
            let Some(data) = data else { continue };
            let Some(packed) = data.get(key).and_then(Json::as_str).and_then(decode) else {
                continue;
            };
            match unpacked(packed, limit).map(String::from_utf8) {
                Ok(Ok(text)) => {
                    limit = live(text.len());
                    data.remove(key);
                    texts.insert(key, Ok(text));
                }
                Ok(Err(no_text)) => {
                    let bytes = no_text.into_bytes();
                    limit = live(bytes.len());
                    data.insert(key.to_owned(), json!(base64::encode(bytes)));
                }
                Err(problem) => drop(texts.insert(key, Err(problem))),
            }
        }
    }
    [old, new]
}

/// So much may a live configuration unpack to beside a rendered one of this length.
fn live(rendered: usize) -> ByteSize {
    ByteSize((2 * rendered as u64).clamp(MAX_LIVE.0, MAX_COMPARED.0))
}

/// # Errors
///
/// What stands for bytes that are too many, or not what they begin as.
pub(super) fn unpacked(bytes: Vec<u8>, limit: ByteSize) -> Result<Vec<u8>, String> {
    let too_large = |limit| format!("not shown: it unpacks to more than {limit}");
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        let fits = bytes.len() as u64 <= MAX_COMPARED.0;
        return if fits { Ok(bytes) } else { Err(too_large(MAX_COMPARED)) };
    }
    let mut unpacked = Vec::new();
    match GzDecoder::new(bytes.as_slice())
        .take(limit.0 + 1)
        .read_to_end(&mut unpacked)
    {
        Ok(length) if length as u64 > limit.0 => Err(too_large(limit)),
        Ok(_) => Ok(unpacked),
        Err(_) => Err("not shown: it cannot be unpacked".to_owned()),
    }
}

/// Masks the values of both sides, unless they are to be shown. Gives the configurations, each below a line that names it.
pub(super) fn reveal(
    [before, after]: [&mut Option<Json>; 2],
    texts: &[Unpacked; 2],
    masked: Option<(Language, &[u8])>,
    options: Options,
) -> Vec<Part> {
    let (mut old, mut new) = (data(before.as_ref()), data(after.as_ref()));
    let mut configurations = Vec::new();
    let mut same_meaning = Vec::new();
    for &language in Language::value_variants() {
        let key = language.file();
        let text = texts.each_ref().map(|texts| texts.get(key)?.as_deref().ok());
        let is_packed = old.contains_key(key) || new.contains_key(key);
        let masked = masked.filter(|(of, _)| *of == language && !is_packed);
        let masked = masked.and_then(|(_, packed)| unpacked(packed.to_vec(), MAX_COMPARED).ok());
        let masked = masked.and_then(|masked| String::from_utf8(masked).ok());
        let parts = (!is_packed).then(|| configuration::parts(language, text, masked.as_deref(), options));
        match parts.flatten() {
            Some(parts) if text[0] == text[1] || parts.iter().any(Part::differs) => {
                let [old, new] = text.map(|text| text.map(|_| format!("# data: {key}\n")).unwrap_or_default());
                compare(&mut configurations, &old, &new);
                extend(&mut configurations, parts);
            }
            parts => {
                // A comment, or another notation: nothing of it is among what is compared.
                same_meaning.extend(parts.map(|_| key));
                let encoded = |text: &str| (key.to_owned(), json!(base64::encode(text)));
                old.extend(text[0].map(encoded));
                new.extend(text[1].map(encoded));
            }
        }
    }
    let shown = |own: &Values, other: &Values, changed, texts: &Unpacked| -> Json {
        let value = |(key, value): (&String, &Json)| {
            let mask = mask(value, other.get(key), changed);
            let shown = match texts.get(key.as_str()) {
                Some(Err(problem)) => json!(format!("{mask} {problem}")),
                _ if options.show_secrets => text(value).map_or_else(|| value.clone(), Json::from),
                _ if same_meaning.contains(&key.as_str()) => json!(format!("{mask} with the same meaning")),
                _ => json!(mask),
            };
            (key.clone(), shown)
        };
        own.iter().map(value).collect()
    };
    if !options.show_secrets {
        hide_rest(before, after);
    }
    put(before, shown(&old, &new, BEFORE, &texts[0]));
    put(after, shown(&new, &old, AFTER, &texts[1]));
    configurations
}

/// The fields of a Secret that hold no values.
const OPEN: [&str; 6] = ["apiVersion", "data", "immutable", "kind", "metadata", "type"];

/// Where kubectl keeps the whole Secret once more.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Masks what may hold values although it is not `data`, such as a field with a misspelt name.
fn hide_rest(before: &mut Option<Json>, after: &mut Option<Json>) {
    let (old, new) = (before.clone(), after.clone());
    for (side, other, changed) in [(before, new, BEFORE), (after, old, AFTER)] {
        let Some(side) = side else { continue };
        let other = other.as_ref();
        if let Some(value) = side.pointer_mut(LAST_APPLIED) {
            let other = other.and_then(|other| other.pointer(LAST_APPLIED));
            *value = json!(mask(value, other, changed));
        }
        for (key, value) in side.as_object_mut().into_iter().flatten() {
            if !OPEN.contains(&key.as_str()) {
                *value = json!(mask(value, other.and_then(|other| other.get(key)), changed));
            }
        }
    }
}

/// The values of `data` by their keys.
type Values = BTreeMap<String, Json>;

/// Every value of `data`; one that is not a mapping is taken as one value.
fn data(secret: Option<&Json>) -> Values {
    match secret.and_then(|secret| secret.get("data")) {
        Some(Json::Object(data)) => data.clone().into_iter().collect(),
        Some(other) => BTreeMap::from([(String::new(), other.clone())]),
        None => BTreeMap::new(),
    }
}

fn put(secret: &mut Option<Json>, data: Json) {
    if let Some(fields) = secret.as_mut().and_then(Json::as_object_mut) {
        fields.remove("data");
        fields.remove("stringData");
        if data.as_object().is_some_and(|data| !data.is_empty()) {
            fields.insert("data".to_owned(), data);
        }
    }
}

/// The text of a value, if it is text.
fn text(value: &Json) -> Option<String> {
    String::from_utf8(decode(value.as_str()?)?).ok()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text.split_ascii_whitespace().collect();
    base64::decode(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_get_one_form() {
        let (a, b) = (base64::encode("one"), base64::encode("two"));
        for (secret, expected) in [
            (json!({"kind": "Secret"}), json!({"kind": "Secret"})),
            (json!({"stringData": {"k": "one"}}), json!({"data": {"k": a}})),
            (json!({"stringData": {}}), json!({})),
            (
                json!({"stringData": {"k": "two"}, "data": {"k": a, "l": a}}),
                json!({"data": {"k": b, "l": a}}),
            ),
            (
                json!({"data": {"k": format!("{}\n {}", &a[..2], &a[2..])}}),
                json!({"data": {"k": a}}),
            ),
            (
                json!({"data": {"k": "no base64!", "l": 1}}),
                json!({"data": {"k": "no base64!", "l": 1}}),
            ),
            (
                json!({"kind": "ConfigMap", "data": {"k": "one"}, "binaryData": {"l": b}}),
                json!({"kind": "ConfigMap", "data": {"k": a, "l": b}}),
            ),
            (
                json!({"kind": "ConfigMap", "binaryData": {"l": b}}),
                json!({"kind": "ConfigMap", "data": {"l": b}}),
            ),
            (
                json!({"kind": "ConfigMap", "stringData": {"k": "one"}}),
                json!({"kind": "ConfigMap"}),
            ),
            (json!(1), json!(1)),
        ] {
            let mut found = secret.clone();
            normalize(&mut found);
            assert_eq!(found, expected, "{secret}");
        }
    }

    #[test]
    fn what_is_live_may_be_twice_as_large_as_what_is_rendered() {
        let (least, most) = (MAX_LIVE.0 as usize, MAX_COMPARED.0 as usize);
        for (rendered, expected) in [
            (0, least),
            (least / 2, least),
            (least, 2 * least),
            (most / 2, most),
            (most, most),
        ] {
            assert_eq!(live(rendered).0 as usize, expected, "{rendered}");
        }
    }

    #[test]
    fn bytes_are_unpacked_up_to_a_limit() {
        use std::io::Write;

        let packed = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let mut cut = packed(b"12345");
        cut.truncate(12);
        let large = "not shown: it unpacks to more than 4 bytes".to_owned();
        for (bytes, expected) in [
            (b"12345".to_vec(), Ok(b"12345".to_vec())),
            (packed(b"1234"), Ok(b"1234".to_vec())),
            (packed(b"12345"), Err(large)),
            (cut, Err("not shown: it cannot be unpacked".to_owned())),
            (vec![0x1f], Ok(vec![0x1f])),
        ] {
            assert_eq!(unpacked(bytes, ByteSize(4)), expected);
        }
        let most = vec![b'a'; MAX_COMPARED.0 as usize];
        assert_eq!(
            unpacked(most.clone(), ByteSize(4)).map(|bytes| bytes.len()),
            Ok(most.len())
        );
        assert!(unpacked([most, vec![b'a']].concat(), ByteSize(4)).is_err());
    }
}
