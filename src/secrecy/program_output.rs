//! Redaction of other programs' output, which may quote any part of the input.

use serde_json::Value;

use super::text::{contains_credential, redact_message};
use crate::diagnostic::MASK;

/// Maximum number of lines to show.
const MAX_LINES: usize = 10;
const MAX_CHARACTERS: usize = 400;

/// Part of kustomize's error message for an invalid env file.
const INVALID_BYTES: &str = "has invalid utf8 bytes";

/// Suffixes of file names that occur in messages.
const FILES: [&str; 6] = [".yaml", ".yml", ".json", ".env", ".properties", "ustomization"];

/// Redacts another program's message: quoted strings other than file names, words that look generated, tokens, secrets
/// in URLs, and all lines with a credential.
pub fn redact_program_output(message: &str) -> String {
    let lines = message.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.take(MAX_LINES).map(line).collect();
    lines.join("\n")
}

fn line(line: &str) -> String {
    // Bytes that are not UTF-8 come from a value, so the message is cut off before them. After reporting invalid bytes,
    // kustomize prints the line that contains them, which is also cut off.
    let text = line.split('\u{fffd}').next().unwrap_or_default();
    let text = match text.find(INVALID_BYTES) {
        Some(start) => text.get(..start + INVALID_BYTES.len()).unwrap_or_default(),
        None => text,
    };
    // Values are masked before the line is truncated, because a truncated object or list would not be recognized.
    let text = mask_byte_lists(&replace_objects(text));
    let text: String = text.chars().take(MAX_CHARACTERS).collect();
    let masked_text = mask_quoted(&redact_message(&text));
    // The kind `Kustomization` would be mistaken for a misspelled `authorization`.
    let names_one = contains_credential(&masked_text.replace("Kustomization", ""), true);
    if names_one { MASK.to_owned() } else { masked_text }
}

/// Replaces JSON objects with the names that kustomize gives them (`ResId.String`), or with a mask.
fn replace_objects(text: &str) -> String {
    let (mut redacted, mut rest) = (String::new(), text);
    while let Some((before, object)) = rest.split_once("{\"").map(|(before, _)| rest.split_at(before.len())) {
        let mut objects = serde_json::Deserializer::from_str(object).into_iter::<Value>();
        let id = objects.next().and_then(Result::ok).map(|object| id(&object));
        rest = id.as_ref().and_then(|_| object.get(objects.byte_offset()..)).unwrap_or_default();
        redacted.push_str(before);
        redacted.push_str(id.flatten().as_deref().unwrap_or(MASK));
    }
    redacted + rest
}

/// Returns the name that kustomize gives an object, or `None` if part of the name may be a secret value.
fn id(object: &Value) -> Option<String> {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
    let version = text("/apiVersion")?;
    let (group, version) = version.split_once('/').unwrap_or(("[noGrp]", version));
    let namespace = text("/metadata/namespace").unwrap_or("noNs");
    let id = format!("{}.{version}.{group}/{}.[{namespace}]", text("/kind")?, text("/metadata/name")?);
    is_id(&id).then_some(id)
}

/// Masks lists of numbers such as `[65 66]`, which is how Go prints bytes. A list may be truncated. A single number
/// directly after a word is an index and is kept.
fn mask_byte_lists(text: &str) -> String {
    let mut parts = text.split('[');
    let mut redacted = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (numbers, after) = part.split_once(']').unwrap_or((part, ""));
        let is_numeric = !numbers.is_empty() && numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
        let is_index = redacted.ends_with(|before: char| before != ' ') && !numbers.contains(' ');
        match is_numeric && !is_index {
            true => redacted.extend([MASK, after]),
            false => redacted.extend(["[", part]),
        }
    }
    redacted
}

/// Masks words and quoted strings that may be values.
fn mask_quoted(line: &str) -> String {
    let mut redacted = String::with_capacity(line.len());
    let mut previous_part = "";
    for (number, part) in line.split(['"', '`']).enumerate() {
        let is_quoted = number % 2 == 1;
        let is_field = (previous_part.ends_with("unknown field ") && is_field(part))
            || (previous_part.ends_with("fieldPath ") && part.split('.').all(is_field));
        let is_name = is_file(part) || is_id(part) || is_field;
        previous_part = part;
        if number > 0 {
            redacted.push('`');
        }
        match is_quoted && !is_name {
            true => redacted.push_str(MASK),
            false => part.split_inclusive([' ', '\'']).for_each(|with_end| {
                let word = with_end.trim_end_matches([' ', '\'']);
                redacted.push_str(if is_open(word) { word } else { MASK });
                redacted.push_str(with_end.strip_prefix(word).unwrap_or_default());
            }),
        }
    }
    redacted
}

/// Whether a word is unlikely to be generated: it does not mix letters and digits, or it is a file name or a version.
fn is_open(word: &str) -> bool {
    let id = word.trim_start_matches('[').trim_end_matches([':', ',', ';']);
    if is_id(id) || id.strip_suffix(']').is_some_and(is_id) {
        return true;
    }
    let word = word.trim_matches(|c: char| ":,;.()[]".contains(c));
    let is_mixed = word.len() > 5
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_version =
        word.len() < 8 || word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"./".contains(&b));
    !word.trim_end_matches('=').contains('=')
        && (!is_mixed || (is_version && word.contains(['.', '/'])) || is_file(word) || is_path(word))
}

/// Whether a string identifies an object as kustomize does (`ResId.String`): `Kind.version.group/name.[namespace]`.
fn is_id(text: &str) -> bool {
    let is_part = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    let parts = text.strip_suffix(']').and_then(|text| text.split_once('/'));
    let parts = parts.and_then(|(kind, name)| Some((kind, name.split_once(".[")?)));
    parts.is_some_and(|(kind, (name, namespace))| {
        let kind = kind.strip_suffix(".[noGrp]").unwrap_or(kind);
        kind.starts_with(|c: char| c.is_ascii_uppercase()) && [kind, name, namespace].into_iter().all(is_part)
    })
}

/// Whether a string may be a field name.
fn is_field(text: &str) -> bool {
    text.len() < 30 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a word is an absolute path.
fn is_path(word: &str) -> bool {
    word.starts_with('/') && !word.contains(['+', '='])
}

/// Whether a string is the name of a file that kustomize reads.
pub(super) fn is_file(text: &str) -> bool {
    let is_name_char = |c: char| c.is_alphanumeric() || "_-./@~ ".contains(c);
    FILES.iter().any(|end| text.ends_with(end)) && text.chars().all(is_name_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacts_values_but_not_file_names() {
        for (message, expected) in [
            (
                "Error: accumulating resources: accumulation err='accumulating resources from 'x1.yaml': yaml: line 3: could not find expected ':'",
                "Error: accumulating resources: accumulation err='accumulating resources from 'x1.yaml': yaml: line 3: could not find expected ':'",
            ),
            (
                "Error: open /repo/9a/base/kustomization.yaml: no such file or directory",
                "Error: open /repo/9a/base/kustomization.yaml: no such file or directory",
            ),
            (
                "Error: invalid Kustomization: kustomize.config.k8s.io/v1beta1 is unknown",
                "Error: invalid Kustomization: kustomize.config.k8s.io/v1beta1 is unknown",
            ),
            ("cannot unmarshal !!str `hunter` into a map", "cannot unmarshal !!str `***` into a map"),
            ("the value \"hunter\" is wrong in \"a.yaml\"", "the value `***` is wrong in `a.yaml`"),
            ("invalid literal source hunter2abc, expected a pair", "invalid literal source *** expected a pair"),
            (
                "invalid Kustomization: json: unknown field \"resorces\"",
                "invalid Kustomization: json: unknown field `resorces`",
            ),
            (
                "no matches for Id GrafanaAgent.v1alpha1.monitoring.grafana.com/agent2.[noNs]; failed",
                "no matches for Id GrafanaAgent.v1alpha1.monitoring.grafana.com/agent2.[noNs]; failed",
            ),
            (
                "already registered id: ConfigMap.v1.[noGrp]/a1b2c3.[noNs]': must",
                "already registered id: ConfigMap.v1.[noGrp]/a1b2c3.[noNs]': must",
            ),
            ("unknown field \"hunter 2\" a1B2c3/d4.[x", "unknown field `***` ***"),
            ("fieldPath `a.b` and fieldPath `a.b 2`", "fieldPath `a.b` and fieldPath `***`"),
            ("line 1: password: hunter", "***"),
            (
                "[a.env]: line [65 66] has invalid utf8 bytes : my hunter\u{fffd}x",
                "[a.env]: line *** has invalid utf8 bytes",
            ),
            ("in [] and [7] and [a 1]: \u{fffd}hunter", "in [] and *** and [a 1]: "),
            ("[65 66", "***"),
            ("x:[65 66]y z[0]", "x:***y z[0]"),
            (
                "ID conflict: [{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"a1b2c3d4\"},\"data\":{\"x\":\"h\"}} {\"a\":1}]",
                "ID conflict: [Secret.v1.[noGrp]/a1b2c3d4.[noNs] ***]",
            ),
            (
                "a {\"apiVersion\":\"b/v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"y\",\"namespace\":\"z\"}} {\"k\":\"hunter 2",
                "a X.v1.b/y.[z] ***",
            ),
            ("open `a$b.yaml` and `a b-c_d/e@~.yml`", "open `***` and `a b-c_d/e@~.yml`"),
            ("a1b2c a1b2c3 abcdef 123456", "a1b2c *** abcdef 123456"),
            ("v1.2.3b V1.2.3b v1.22.3b V1.22.3b 1abcde", "v1.2.3b V1.2.3b v1.22.3b *** ***"),
            ("apps/v1beta1 Apps/v1beta1 v1.28.3-alpha.1", "apps/v1beta1 *** ***"),
            ("a=b a== =a, (a1b2c3d4.yaml): [a1b2c3d4]", "*** a== *** (a1b2c3d4.yaml): ***"),
            ("./a1B2c3d4 ../a1B2c3d4 /a1B2c3d4 .../a1B2c3d4", "./a1B2c3d4 ../a1B2c3d4 /a1B2c3d4 .../a1B2c3d4"),
            ("/a1B2c3d4+e /a1B2c3d4=e 'a1B2c3d4'", "*** *** '***'"),
            ("fatal: https://me:hunter@host/x not found", "fatal: https://***@host/x not found"),
        ] {
            assert_eq!(redact_program_output(message), expected);
        }
        assert_eq!(redact_program_output(&"a\n\n".repeat(99)).lines().count(), MAX_LINES);
        assert_eq!(redact_program_output(&"a".repeat(9999)).len(), MAX_CHARACTERS);
        let bytes = format!("line [{}1] {INVALID_BYTES} : x", "117 ".repeat(MAX_CHARACTERS));
        assert_eq!(redact_program_output(&bytes), format!("line *** {INVALID_BYTES}"));
    }
}
