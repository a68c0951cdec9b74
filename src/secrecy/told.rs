//! What another program says of the input: it may quote any of it.

use super::text::{names_a_credential, without_secrets_told};
use crate::diagnostic::MASK;

/// More of it is not shown.
const MAX_LINES: usize = 10;
const MAX_CHARACTERS: usize = 400;

/// How names of files end that messages are about.
const FILES: [&str; 6] = [".yaml", ".yml", ".json", ".env", ".properties", "ustomization"];

/// A message of another program without what may be a secret: what it quotes, but for names of files; words that look
/// generated; tokens, and the secrets of URLs; lines that name a credential.
pub fn told_by_program(message: &str) -> String {
    let lines = message.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.take(MAX_LINES).map(line).collect();
    lines.join("\n")
}

fn line(line: &str) -> String {
    // A byte that is not text comes out of a value.
    let text = line.split('\u{fffd}').next().unwrap_or_default();
    let text: String = text.chars().take(MAX_CHARACTERS).collect();
    let open = without_quoted(&without_secrets_told(&text));
    // The kind is nearly `authorization`.
    let names_one = names_a_credential(&open.replace("Kustomization", ""), true);
    if names_one { MASK.to_owned() } else { open }
}

/// A line with its words and what it quotes masked where they may be values.
fn without_quoted(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for (number, part) in line.split(['"', '`']).enumerate() {
        let is_quoted = number % 2 == 1;
        if number > 0 {
            shown.push('`');
        }
        match is_quoted && !is_file(part) {
            true => shown.push_str(MASK),
            false => part.split_inclusive([' ', '\'']).for_each(|with_end| {
                let word = with_end.trim_end_matches([' ', '\'']);
                shown.push_str(if is_open(word) { word } else { MASK });
                shown.push_str(with_end.strip_prefix(word).unwrap_or_default());
            }),
        }
    }
    shown
}

/// Whether a word is none of a generated value: it has no digits among its letters, or is the name of a file or a version.
fn is_open(word: &str) -> bool {
    let word = word.trim_matches(|c: char| ":,;.()[]".contains(c));
    let is_mixed = word.len() > 5
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_version = word.len() < 8
        || word
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"./".contains(&b));
    !word.trim_end_matches('=').contains('=')
        && (!is_mixed || (is_version && word.contains(['.', '/'])) || is_file(word) || is_path(word))
}

/// Whether a word without the dots in front of it is a path.
fn is_path(word: &str) -> bool {
    word.starts_with('/') && !word.contains(['+', '='])
}

fn is_file(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || "_-./@~ ".contains(c);
    FILES.iter().any(|end| text.ends_with(end)) && text.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_another_program_shows_names_of_files_and_no_values() {
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
            (
                "cannot unmarshal !!str `hunter` into a map",
                "cannot unmarshal !!str `***` into a map",
            ),
            (
                "the value \"hunter\" is wrong in \"a.yaml\"",
                "the value `***` is wrong in `a.yaml`",
            ),
            (
                "invalid literal source hunter2abc, expected a pair",
                "invalid literal source *** expected a pair",
            ),
            ("line 1: password: hunter", "***"),
            (
                "[65 66] has invalid utf8 bytes : \u{fffd}hunter",
                "[65 66] has invalid utf8 bytes : ",
            ),
            (
                "open `a$b.yaml` and `a b-c_d/e@~.yml`",
                "open `***` and `a b-c_d/e@~.yml`",
            ),
            ("a1b2c a1b2c3 abcdef 123456", "a1b2c *** abcdef 123456"),
            (
                "v1.2.3b V1.2.3b v1.22.3b V1.22.3b 1abcde",
                "v1.2.3b V1.2.3b v1.22.3b *** ***",
            ),
            ("apps/v1beta1 Apps/v1beta1 v1.28.3-alpha.1", "apps/v1beta1 *** ***"),
            (
                "a=b a== =a, (a1b2c3d4.yaml): [a1b2c3d4]",
                "*** a== *** (a1b2c3d4.yaml): ***",
            ),
            (
                "./a1B2c3d4 ../a1B2c3d4 /a1B2c3d4 .../a1B2c3d4",
                "./a1B2c3d4 ../a1B2c3d4 /a1B2c3d4 .../a1B2c3d4",
            ),
            ("/a1B2c3d4+e /a1B2c3d4=e 'a1B2c3d4'", "*** *** '***'"),
            (
                "fatal: https://me:hunter@host/x not found",
                "fatal: https://***@host/x not found",
            ),
        ] {
            assert_eq!(told_by_program(message), expected);
        }
        assert_eq!(told_by_program(&"a\n\n".repeat(99)).lines().count(), MAX_LINES);
        assert_eq!(told_by_program(&"a".repeat(9999)).len(), MAX_CHARACTERS);
    }
}
