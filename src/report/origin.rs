//! The file that an object was built from, if the source specifies it in Helm's `# Source:` comment or in the
//! annotation that kustomize's `originAnnotations` adds.

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// Annotation that kustomize sets (`buildMetadata: [originAnnotations]`).
const ANNOTATION: &str = "config.kubernetes.io/origin:";

/// Start of the comment that Helm writes before each object.
const COMMENT: &str = "# Source: ";

/// Number of lines at the start of an object that are searched for the annotation. Limited because the lines are
/// searched again for every finding.
const MAX_SEARCHED_LINES: usize = 2_000;

/// Maximum length of a file name that is shown.
const MAX_LENGTH: usize = 200;

/// Returns the file that a finding's object was built from.
pub(super) fn origin<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<&'s str> {
    let span = diagnostic.primary()?.span;
    let source = sources.get(span.source)?;
    let (before, after) = source.text.split_at_checked(span.start as usize)?;
    let start = before.rfind("\n---").map_or(0, |at| at + 1);
    let end = after.find("\n---").map_or(source.text.len(), |at| before.len() + at);
    let document = source.text.get(start..end)?;
    let file = helm_source(document).or_else(|| kustomize_source(document))?;
    (!file.is_empty() && file.len() <= MAX_LENGTH).then_some(file)
}

fn helm_source(document: &str) -> Option<&str> {
    let mut header = document.lines().take_while(|line| line.is_empty() || line.starts_with(['#', '-']));
    header.find_map(|line| line.strip_prefix(COMMENT)).map(str::trim)
}

fn kustomize_source(document: &str) -> Option<&str> {
    let mut lines =
        document.lines().take(MAX_SEARCHED_LINES).skip_while(|line| !line.trim_start().starts_with(ANNOTATION));
    let annotation = lines.next()?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut nested_lines = lines.take_while(|line| indentation(line) > indentation(annotation));
    nested_lines.find_map(|line| line.trim().strip_prefix("path: ")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::{Source, Span};

    /// Returns the origin of a word in the second document.
    fn word_origin(text: &str) -> Option<String> {
        let mut sources = Sources::default();
        let text = format!("---\n# Source: a/b.yaml\nkind: A\n---\n{text}---\nkind: C\n");
        let start = text.find("here").unwrap();
        let id = sources.add(Source::new("x.yaml", text, true));
        let finding = Diagnostic::new(Code::NoInput, "m").label(Span::new(id, start, start + 4), "");
        origin(&finding, &sources).map(str::to_owned)
    }

    #[test]
    fn hides_origins_other_than_file_names() {
        let named =
            |length| word_origin(&format!("# Source: {}\nkind: here\n", "x".repeat(length))).map(|file| file.len());
        assert_eq!([named(0), named(1), named(200), named(201)], [None, Some(1), Some(200), None]);
        assert_eq!(word_origin("\n# a\n# Source: b\nkind: here\n").as_deref(), Some("b"));
    }

    #[test]
    fn finds_helm_and_kustomize_files() {
        let annotation = "kind: here\nmetadata:\n  annotations:\n    config.kubernetes.io/origin: |\n      path: base/x.yaml\n    path: y\n";
        for (text, expected) in [
            ("# Source: c/d.yaml\nkind: here\n", Some("c/d.yaml")),
            ("kind: here\n# Source: c/d.yaml\n", None),
            ("kind: here\n", None),
            (annotation, Some("base/x.yaml")),
            ("kind: here\nmetadata:\n  annotations:\n    config.kubernetes.io/origin: x\n    path: y\n", None),
        ] {
            assert_eq!(word_origin(text).as_deref(), expected, "{text}");
        }
    }
}
