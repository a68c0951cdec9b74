//! The values of Secrets on both sides, fit to be shown.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::{Value as Json, json};

use super::configuration::{KEYS, Texts};
use super::masked::{AFTER, BEFORE, mask};
use crate::byte_size::ByteSize;
use crate::go::base64;

/// A rendered configuration that unpacks to more stays packed: etcd takes 1 MiB, which compresses to a tenth at most as a
/// rule.
const MAX_RENDERED: ByteSize = ByteSize(64 << 20);

/// A live configuration may unpack to so much, or to twice as much as the rendered one. It can be made to unpack to
/// a thousand times its size, and text takes many times its own size to compare.
const MAX_LIVE: ByteSize = ByteSize(2 << 20);

/// Brings the values into one form, so that sides which hold the same are the same: `stringData` in `data`, base64 without
/// line breaks.
pub(super) fn normalize(secret: &mut Json) {
    let Some(fields) = secret.as_object_mut() else { return };
    let plain = fields.remove("stringData");
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

/// Why the configurations at some keys of each side stay packed.
#[derive(Default)]
pub(super) struct Packed {
    before: BTreeMap<&'static str, String>,
    after: BTreeMap<&'static str, String>,
}

/// Unpacks the configurations: the same text can be compressed to different bytes.
pub(super) fn unpack(mut before: Option<&mut Json>, mut after: Option<&mut Json>) -> Packed {
    let mut packed = Packed::default();
    for key in KEYS {
        let (old, new) = unpack_key(key, before.as_deref_mut(), after.as_deref_mut());
        packed.before.extend(old.map(|problem| (key, problem)));
        packed.after.extend(new.map(|problem| (key, problem)));
    }
    packed
}

fn unpack_key(key: &str, before: Option<&mut Json>, after: Option<&mut Json>) -> (Option<String>, Option<String>) {
    let before = before.and_then(|secret| secret.get_mut("data")?.get_mut(key));
    let after = after.and_then(|secret| secret.get_mut("data")?.get_mut(key));
    // What the manifest does not set is the live value on both sides.
    let is_rendered = after.is_some() && before != after;
    let mut limit = if is_rendered { MAX_RENDERED } else { MAX_LIVE };
    let mut unpack = |value: Option<&mut Json>| {
        let value = value?;
        match unpacked(value.as_str().and_then(decode)?, limit) {
            Ok(bytes) => {
                limit = ByteSize(MAX_LIVE.0.max(2 * bytes.len() as u64));
                *value = json!(base64::encode(bytes));
                None
            }
            Err(problem) => Some(problem),
        }
    };
    let after = unpack(after);
    let before = unpack(before);
    (before, after)
}

pub(super) fn unpacked(bytes: Vec<u8>, limit: ByteSize) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let read = GzDecoder::new(bytes.as_slice())
        .take(limit.0 + 1)
        .read_to_end(&mut unpacked);
    match read {
        Ok(_) if unpacked.len() as u64 <= limit.0 => Ok(unpacked),
        Ok(_) => Err(format!("not shown: it unpacks to more than {limit}")),
        Err(_) => Err("not shown: it cannot be unpacked".to_owned()),
    }
}

/// Masks the values of both sides, unless they are to be shown, and takes the configurations out of them.
pub(super) fn reveal(before: Option<&mut Json>, after: Option<&mut Json>, packed: &Packed, show: bool) -> Texts {
    let (mut old, mut new) = (data(before.as_deref()), data(after.as_deref()));
    let mut configurations = Texts::default();
    for key in KEYS {
        let read = |side: &BTreeMap<String, Json>| side.get(key).map(|value| text(value).ok_or(())).transpose().ok();
        let texts = read(&old).zip(read(&new));
        if let Some(texts) = texts.and_then(|(old, new)| Texts::of(key, old, new, show)) {
            configurations.append(key, texts);
            old.remove(key);
            new.remove(key);
        }
    }
    let shown = |side: &BTreeMap<String, Json>,
                 other: &BTreeMap<String, Json>,
                 changed: &'static str,
                 packed: &BTreeMap<&'static str, String>|
     -> Json {
        let value = |(key, value): (&String, &Json)| {
            let mask = mask(value, other.get(key), changed);
            let shown = match packed.get(key.as_str()) {
                Some(problem) => json!(format!("{mask} {problem}")),
                None if show => text(value).map_or_else(|| value.clone(), Json::from),
                None => json!(mask),
            };
            (key.clone(), shown)
        };
        Json::Object(side.iter().map(value).collect())
    };
    let (mut before, mut after) = (before, after);
    if !show {
        hide_rest(before.as_deref_mut(), after.as_deref_mut());
    }
    let old_shown = shown(&old, &new, BEFORE, &packed.before);
    let new_shown = shown(&new, &old, AFTER, &packed.after);
    put(before, old_shown);
    put(after, new_shown);
    configurations
}

/// The fields of a Secret that hold no values.
const OPEN: [&str; 6] = ["apiVersion", "data", "immutable", "kind", "metadata", "type"];

/// Where kubectl keeps the whole Secret once more.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Masks what may hold values although it is not `data`, such as a field with a misspelt name.
fn hide_rest(before: Option<&mut Json>, after: Option<&mut Json>) {
    let (old, new) = (before.as_deref().cloned(), after.as_deref().cloned());
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

/// Every value of `data`; one that is no mapping is taken as one value.
fn data(secret: Option<&Json>) -> BTreeMap<String, Json> {
    match secret.and_then(|secret| secret.get("data")) {
        Some(Json::Object(data)) => data.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        Some(other) => BTreeMap::from([(String::new(), other.clone())]),
        None => BTreeMap::new(),
    }
}

fn put(secret: Option<&mut Json>, data: Json) {
    if let Some(fields) = secret.and_then(Json::as_object_mut) {
        fields.remove("data");
        fields.remove("stringData");
        if data.as_object().is_some_and(|data| !data.is_empty()) {
            fields.insert("data".to_owned(), data);
        }
    }
}

/// The text of a value; none where it is none.
fn text(value: &Json) -> Option<String> {
    String::from_utf8(decode(value.as_str()?)?).ok()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text.split_ascii_whitespace().collect();
    base64::decode(&text)
}
