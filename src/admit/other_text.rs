//! Texts that are nearly manifests: JSON with comments, and manifests with Helm's notes around them. One mistake a text.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Puts what a text is in the place of what reading it as YAML found.
pub fn explain_text(source: SourceId, text: &str, diagnostics: &mut [Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    if let Some(at) = comment(text) {
        let is_unread = |found: &Diagnostic| matches!(found.code, Code::NotAnObject | Code::YamlSyntax | Code::YamlKey);
        let found = Diagnostic::new(Code::YamlSyntax, "found a comment, which JSON does not have")
            .help("remove the comments, or write YAML, where they start with `#`")
            .label(Span::new(source, at, at + 2), "")
            .cause(format!("comments in {source:?}"));
        replace(diagnostics, &found, is_unread);
    }
    if let Some(parts) = Notes::of(text) {
        let start = |found: &Diagnostic| found.primary().map_or(0, |label| label.span.start as usize);
        let is_note = |found: &Diagnostic| start(found) < parts.manifest || start(found) >= parts.end;
        let at = Span::new(source, parts.place, parts.place);
        let found = Diagnostic::new(
            Code::YamlSyntax,
            "found what Helm says of a release, expected only its manifests",
        )
        .help("use `helm template`, or `helm get manifest RELEASE` for an installed release")
        .label(at, "")
        .cause(format!("notes in {source:?}"));
        replace(diagnostics, &found, is_note);
    }
}

fn replace(diagnostics: &mut [Diagnostic], found: &Diagnostic, is_meant: impl Fn(&Diagnostic) -> bool) {
    for other in diagnostics.iter_mut().filter(|other| is_meant(other)) {
        other.clone_from(found);
    }
}

/// The first comment in the style of JavaScript in a text of JSON.
fn comment(text: &str) -> Option<usize> {
    text.trim_start().starts_with(['{', '[']).then_some(())?;
    let (mut in_string, mut is_escaped, mut before) = (false, false, b'\n');
    for (at, byte) in text.bytes().enumerate() {
        let is_comment = byte == b'/' && matches!(text.as_bytes().get(at + 1), Some(b'/' | b'*'));
        if !in_string && is_comment && matches!(before, b' ' | b'\t' | b'\n' | b',' | b'{' | b'[') {
            return Some(at);
        }
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = in_string && byte == b'\\' && !is_escaped;
        before = byte;
    }
    None
}

/// What `helm install` and `helm get all` print around manifests.
struct Notes {
    /// Where the manifests start, and where they end.
    manifest: usize,
    end: usize,
    /// The first line that is not theirs.
    place: usize,
}

impl Notes {
    fn of(text: &str) -> Option<Self> {
        let line = |start: &str| match text.starts_with(start) {
            true => Some(0),
            false => text.find(&format!("\n{start}")).map(|end| end + 1),
        };
        let is_release = line("LAST DEPLOYED:").is_some() || line("# Source: ").is_some();
        let manifest = line("LAST DEPLOYED:").and(line("MANIFEST:")).unwrap_or_default();
        let notes = line("NOTES:");
        (is_release && (manifest > 0 || notes.is_some())).then_some(Self {
            manifest,
            end: notes.unwrap_or(text.len()),
            place: if manifest > 0 { 0 } else { notes.unwrap_or_default() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_json() {
        for (text, expected) in [
            ("{\n  // a\n}", Some(4)),
            ("[1, /* a */ 2]", Some(4)),
            (r#"{"a": "b // c"}"#, None),
            (r#"{"a": "\" // c"}"#, None),
            ("{url: http://x}", None),
            ("a: {} // b", None),
        ] {
            assert_eq!(comment(text), expected, "{text}");
        }
    }

    #[test]
    fn notes_around_manifests() {
        let manifest = "---\n# Source: x/templates/a.yaml\nkind: A\n";
        let place = |text: &str| Notes::of(text).map(|notes| notes.place);
        assert_eq!(place(manifest), None);
        assert_eq!(place(&format!("{manifest}NOTES:\n1. x")), Some(manifest.len()));
        let release = "NAME: x\nLAST DEPLOYED: now\nMANIFEST:\n";
        assert_eq!(place(&format!("{release}{manifest}NOTES:\n1. x")), Some(0));
        assert_eq!(place("kind: A\nNOTES: none\n"), None);
    }
}
