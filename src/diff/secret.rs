//! Masking of Secret values on both sides, and decompression of the configurations in Secrets.

use std::collections::BTreeMap;
use std::io::Read;

use clap::ValueEnum;
use flate2::read::GzDecoder;
use serde_json::{Value as Json, json};

use super::configuration::{self, ConfigurationDiff};
use super::masked::{AFTER, BEFORE, mask};
use super::options::DiffOptions;
use super::unified::{DiffPart, compare, extend, line_counts, shift_sections};
use crate::go::base64;
use crate::output::Language;
use crate::printable::ByteSize;

/// Maximum size of a decompressed configuration. A larger configuration stays compressed, because parsed YAML takes
/// many times as much memory as its source.
const MAX_COMPARED_SIZE: ByteSize = ByteSize(32 << 20);

/// Decompressed size that is always allowed for a live configuration, regardless of the rendered size. The size is
/// limited because a crafted configuration can decompress to a thousand times its size, and comparing text takes many
/// times as much memory as the text itself.
const MIN_LIVE_LIMIT: ByteSize = ByteSize(2 << 20);

/// Normalizes the values so that Secrets with equal contents compare equal: moves `stringData` to `data` and removes
/// line breaks from base64. A ConfigMap is converted to the form of a Secret.
pub(super) fn normalize(secret: &mut Json) {
    let is_config_map = secret.get("kind").and_then(Json::as_str) == Some("ConfigMap");
    let Some(fields) = secret.as_object_mut() else { return };
    let mut string_data = fields.remove("stringData");
    if is_config_map {
        string_data = fields.remove("data");
        if let Some(binary) = fields.remove("binaryData") {
            fields.insert("data".to_owned(), binary);
        }
    }
    let plain = string_data.as_ref().and_then(Json::as_object).into_iter().flatten();
    let plain: Vec<_> =
        plain.map(|(key, value)| (key.clone(), json!(base64::encode(value.as_str().unwrap_or_default())))).collect();
    if !plain.is_empty()
        && let Some(data) = fields.entry("data").or_insert_with(|| json!({})).as_object_mut()
    {
        data.extend(plain);
    }
    let data = fields.get_mut("data").and_then(Json::as_object_mut);
    for (_, value) in data.into_iter().flatten() {
        if let Some(bytes) = value.as_str().and_then(decode_base64) {
            *value = json!(base64::encode(bytes));
        }
    }
}

/// Configurations on one side, by key: the decompressed text, or the reason why the configuration stays in its Secret.
pub(super) type UnpackedConfigurations = BTreeMap<&'static str, Result<String, String>>;

/// Removes the configurations from both Secrets and decompresses them, because identical text can be compressed to
/// different bytes. A configuration stays in its Secret if it is not UTF-8 or cannot be decompressed.
pub(super) fn unpack([before, after]: [&mut Option<Json>; 2]) -> [UnpackedConfigurations; 2] {
    let (mut old, mut new) = (UnpackedConfigurations::new(), UnpackedConfigurations::new());
    for &language in Language::value_variants() {
        let key = language.file();
        // If the manifest does not set a value, both sides have the live value.
        let value = |side: &Option<Json>| side.as_ref()?.get("data")?.get(key).cloned();
        let is_rendered = value(after).is_some_and(|value_after| value(before) != Some(value_after));
        let mut limit = if is_rendered { MAX_COMPARED_SIZE } else { MIN_LIVE_LIMIT };
        for (side, texts) in [(&mut *after, &mut new), (&mut *before, &mut old)] {
            let data = side.as_mut().and_then(|secret| secret.get_mut("data")?.as_object_mut());
            let Some(data) = data else { continue };
            let Some(packed) = data.get(key).and_then(Json::as_str).and_then(decode_base64) else {
                continue;
            };
            match decompress(packed, limit).map(String::from_utf8) {
                Ok(Ok(text)) => {
                    limit = live_size_limit(text.len());
                    data.remove(key);
                    texts.insert(key, Ok(text));
                }
                Ok(Err(no_text)) => {
                    let bytes = no_text.into_bytes();
                    limit = live_size_limit(bytes.len());
                    data.insert(key.to_owned(), json!(base64::encode(bytes)));
                }
                Err(problem) => drop(texts.insert(key, Err(problem))),
            }
        }
    }
    [old, new]
}

/// Returns the maximum decompressed size of a live configuration, given the rendered size.
fn live_size_limit(rendered: usize) -> ByteSize {
    ByteSize((2 * rendered as u64).clamp(MIN_LIVE_LIMIT.0, MAX_COMPARED_SIZE.0))
}

/// Decompresses `bytes` if they are compressed.
///
/// # Errors
///
/// Returns the text to show instead if the result exceeds a limit or the data is corrupt.
pub(super) fn decompress(bytes: Vec<u8>, limit: ByteSize) -> Result<Vec<u8>, String> {
    let size_error = |limit| format!("not shown: larger than {limit} when decompressed");
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        let is_small_enough = bytes.len() as u64 <= MAX_COMPARED_SIZE.0;
        return if is_small_enough { Ok(bytes) } else { Err(size_error(MAX_COMPARED_SIZE)) };
    }
    let mut unpacked = Vec::new();
    match GzDecoder::new(bytes.as_slice()).take(limit.0 + 1).read_to_end(&mut unpacked) {
        Ok(length) if length as u64 > limit.0 => Err(size_error(limit)),
        Ok(_) => Ok(unpacked),
        Err(_) => Err("not shown: cannot be decompressed".to_owned()),
    }
}

/// Masks the values on both sides, unless they are to be shown. Returns the configurations, each preceded by a line
/// with its key.
pub(super) fn reveal(
    [before, after]: [&mut Option<Json>; 2],
    texts: &[UnpackedConfigurations; 2],
    masked: Option<(Language, &[u8])>,
    options: DiffOptions,
) -> ConfigurationDiff {
    let (mut old, mut new) = (secret_data(before.as_ref()), secret_data(after.as_ref()));
    let mut combined_diff = ConfigurationDiff::default();
    let mut unchanged_keys = Vec::new();
    for &language in Language::value_variants() {
        let key = language.file();
        let text = texts.each_ref().map(|texts| texts.get(key)?.as_deref().ok());
        let is_packed = old.contains_key(key) || new.contains_key(key);
        let masked = masked.filter(|(known, _)| *known == language && !is_packed);
        let masked = masked.and_then(|(_, packed)| decompress(packed.to_vec(), MAX_COMPARED_SIZE).ok());
        let masked = masked.and_then(|masked| String::from_utf8(masked).ok());
        let diff = (!is_packed).then(|| configuration::diff(language, text, masked.as_deref(), options));
        match diff.flatten() {
            Some(diff) if text[0] == text[1] || diff.parts.iter().any(DiffPart::differs) => {
                let [old, new] = text.map(|text| text.map(|_| format!("# data: {key}\n")).unwrap_or_default());
                compare(&mut combined_diff.parts, &old, &new);
                combined_diff.sections.extend(shift_sections(diff.sections, line_counts(&combined_diff.parts)));
                combined_diff.changes.extend(diff.changes);
                extend(&mut combined_diff.parts, diff.parts);
            }
            diff => {
                // If the diff is empty rather than `None`, the texts differ only in parts that are not compared, such
                // as comments.
                unchanged_keys.extend(diff.map(|_| key));
                let encode_entry = |text: &str| (key.to_owned(), json!(base64::encode(text)));
                old.extend(text[0].map(encode_entry));
                new.extend(text[1].map(encode_entry));
            }
        }
    }
    let shown_values = |own: &Values, other: &Values, changed, texts: &UnpackedConfigurations| -> Json {
        let value = |(key, value): (&String, &Json)| {
            let mask = mask(value, other.get(key), changed);
            let shown_value = match texts.get(key.as_str()) {
                Some(Err(problem)) => json!(format!("{mask} {problem}")),
                _ if options.show_secrets => decode_text(value).map_or_else(|| value.clone(), Json::from),
                _ if unchanged_keys.contains(&key.as_str()) => json!(format!("{mask} with the same meaning")),
                _ => json!(mask),
            };
            (key.clone(), shown_value)
        };
        own.iter().map(value).collect()
    };
    if !options.show_secrets {
        hide_rest(before, after);
    }
    put_data(before, shown_values(&old, &new, BEFORE, &texts[0]));
    put_data(after, shown_values(&new, &old, AFTER, &texts[1]));
    combined_diff
}

/// Fields of a Secret that contain no values.
const PUBLIC_FIELDS: [&str; 6] = ["apiVersion", "data", "immutable", "kind", "metadata", "type"];

/// Annotation in which kubectl stores a copy of the entire Secret.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Masks all fields outside `data` that may contain values, such as fields whose names are misspelled.
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
            if !PUBLIC_FIELDS.contains(&key.as_str()) {
                *value = json!(mask(value, other.and_then(|other| other.get(key)), changed));
            }
        }
    }
}

/// Values in `data`, by key.
type Values = BTreeMap<String, Json>;

/// Returns all values in `data`. If `data` is not a mapping, the entire field is treated as a single value.
fn secret_data(secret: Option<&Json>) -> Values {
    match secret.and_then(|secret| secret.get("data")) {
        Some(Json::Object(data)) => data.clone().into_iter().collect(),
        Some(other) => BTreeMap::from([(String::new(), other.clone())]),
        None => BTreeMap::new(),
    }
}

fn put_data(secret: &mut Option<Json>, data: Json) {
    if let Some(fields) = secret.as_mut().and_then(Json::as_object_mut) {
        fields.remove("data");
        fields.remove("stringData");
        if data.as_object().is_some_and(|data| !data.is_empty()) {
            fields.insert("data".to_owned(), data);
        }
    }
}

/// Returns a value as text, or `None` if it is not UTF-8.
fn decode_text(value: &Json) -> Option<String> {
    String::from_utf8(decode_base64(value.as_str()?)?).ok()
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text: String = text.split_ascii_whitespace().collect();
    base64::decode(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_secret_values() {
        let (a, b) = (base64::encode("one"), base64::encode("two"));
        for (secret, expected) in [
            (json!({"kind": "Secret"}), json!({"kind": "Secret"})),
            (json!({"stringData": {"k": "one"}}), json!({"data": {"k": a}})),
            (json!({"stringData": {}}), json!({})),
            (json!({"stringData": {"k": "two"}, "data": {"k": a, "l": a}}), json!({"data": {"k": b, "l": a}})),
            (json!({"data": {"k": format!("{}\n {}", &a[..2], &a[2..])}}), json!({"data": {"k": a}})),
            (json!({"data": {"k": "no base64!", "l": 1}}), json!({"data": {"k": "no base64!", "l": 1}})),
            (
                json!({"kind": "ConfigMap", "data": {"k": "one"}, "binaryData": {"l": b}}),
                json!({"kind": "ConfigMap", "data": {"k": a, "l": b}}),
            ),
            (json!({"kind": "ConfigMap", "binaryData": {"l": b}}), json!({"kind": "ConfigMap", "data": {"l": b}})),
            (json!({"kind": "ConfigMap", "stringData": {"k": "one"}}), json!({"kind": "ConfigMap"})),
            (json!(1), json!(1)),
        ] {
            let mut actual = secret.clone();
            normalize(&mut actual);
            assert_eq!(actual, expected, "{secret}");
        }
    }

    #[test]
    fn live_size_limit_is_twice_the_rendered_size() {
        let (min_limit, max_limit) = (MIN_LIVE_LIMIT.0 as usize, MAX_COMPARED_SIZE.0 as usize);
        for (rendered, expected) in [
            (0, min_limit),
            (min_limit / 2, min_limit),
            (min_limit, 2 * min_limit),
            (max_limit / 2, max_limit),
            (max_limit, max_limit),
        ] {
            assert_eq!(live_size_limit(rendered).0 as usize, expected, "{rendered}");
        }
    }

    #[test]
    fn limits_decompressed_bytes() {
        use std::io::Write;

        let compress = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let mut truncated = compress(b"12345");
        truncated.truncate(12);
        let size_message = "not shown: larger than 4 bytes when decompressed".to_owned();
        for (bytes, expected) in [
            (b"12345".to_vec(), Ok(b"12345".to_vec())),
            (compress(b"1234"), Ok(b"1234".to_vec())),
            (compress(b"12345"), Err(size_message)),
            (truncated, Err("not shown: cannot be decompressed".to_owned())),
            (vec![0x1f], Ok(vec![0x1f])),
        ] {
            assert_eq!(decompress(bytes, ByteSize(4)), expected);
        }
        let largest = vec![b'a'; MAX_COMPARED_SIZE.0 as usize];
        assert_eq!(decompress(largest.clone(), ByteSize(4)).map(|bytes| bytes.len()), Ok(largest.len()));
        assert!(decompress([largest, vec![b'a']].concat(), ByteSize(4)).is_err());
    }
}
