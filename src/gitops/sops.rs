//! Values encrypted with SOPS. They are masked as in `flux build`, because agentctl does not look for keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::object::{Object, text, text_at};

/// Value that replaces an encrypted value.
pub const MASK: &str = "**SOPS**";

/// Prefix of an encrypted value.
const ENCRYPTED_PREFIX: &str = "ENC[AES256_GCM,";

/// Annotation that disables decryption for an object.
const DECRYPT_ANNOTATION: &str = "kustomize.toolkit.fluxcd.io/decrypt";

/// Replaces the encrypted values in an object that Flux decrypts.
pub fn mask(object: &mut Object) {
    if text_at(object, &["metadata", "annotations", DECRYPT_ANNOTATION]) == "disabled" {
        return;
    }
    let is_secret = text(object, "kind") == "Secret";
    let is_docker = text(object, "type") == "kubernetes.io/dockerconfigjson";
    let Some(fields) = object.as_object_mut() else { return };
    let is_encrypted = fields.remove("sops").is_some();
    if !is_secret {
        if is_encrypted {
            fields.values_mut().for_each(mask_strings);
        }
        return;
    }
    for (name, mask) in
        [("data", STANDARD.encode(mask_value(is_docker))), ("stringData", mask_value(is_docker).to_owned())]
    {
        let values = fields.get_mut(name).and_then(Value::as_object_mut);
        for value in values.into_iter().flat_map(Map::values_mut) {
            if is_encrypted || is_document(value, name == "data") {
                *value = mask.as_str().into();
            }
        }
    }
}

/// Whether an object is an encrypted Secret, which Flux applies only after decryption.
pub fn is_encrypted_secret(object: &Object) -> bool {
    let is_disabled = text_at(object, &["metadata", "annotations", DECRYPT_ANNOTATION]) == "disabled";
    text(object, "kind") == "Secret" && object.get("sops").is_some() && !is_disabled
}

fn mask_value(is_docker: bool) -> &'static str {
    if is_docker { r#"{"mask":"**SOPS**"}"# } else { MASK }
}

fn mask_strings(value: &mut Value) {
    match value {
        Value::String(text) if text.starts_with(ENCRYPTED_PREFIX) => *value = MASK.into(),
        Value::Array(items) => items.iter_mut().for_each(mask_strings),
        Value::Object(entries) => entries.values_mut().for_each(mask_strings),
        _ => {}
    }
}

/// Whether the value of a Secret is an encrypted document.
fn is_document(value: &Value, is_base64: bool) -> bool {
    let Some(text) = value.as_str() else { return false };
    let decoded_text = is_base64.then(|| STANDARD.decode(text).unwrap_or_default());
    let text = decoded_text.map_or(text.to_owned(), |bytes| String::from_utf8(bytes).unwrap_or_default());
    text.contains("sops") && text.contains(ENCRYPTED_PREFIX)
}

/// Whether a variable's value is unknown because it is encrypted.
pub fn is_masked(value: &str) -> bool {
    value.contains(MASK) || value.starts_with(ENCRYPTED_PREFIX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn masks_secrets_like_flux() {
        let value = "ENC[AES256_GCM,data:AbCd,type:str]";
        let mut secret =
            json!({"kind": "Secret", "data": {"a": value}, "stringData": {"b": value}, "sops": {"mac": "x"}});
        mask(&mut secret);
        assert_eq!(secret, json!({"kind": "Secret", "data": {"a": "KipTT1BTKio="}, "stringData": {"b": MASK}}));
        let mut docker_secret =
            json!({"kind": "Secret", "type": "kubernetes.io/dockerconfigjson", "data": {"a": value}, "sops": {}});
        mask(&mut docker_secret);
        assert_eq!(docker_secret["data"]["a"], STANDARD.encode(r#"{"mask":"**SOPS**"}"#));
        let mut plain_secret = json!({"kind": "Secret", "stringData": {"a": "x"}});
        mask(&mut plain_secret);
        assert_eq!(plain_secret["stringData"]["a"], "x");
        let mut map = json!({"kind": "ConfigMap", "data": {"a": value, "b": "x"}, "sops": {}});
        mask(&mut map);
        assert_eq!(map, json!({"kind": "ConfigMap", "data": {"a": MASK, "b": "x"}}));
    }
}
