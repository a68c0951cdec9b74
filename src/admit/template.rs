//! Findings at template placeholders. The only mistake in a file with placeholders is that the file was not rendered.

use std::collections::{BTreeMap, BTreeSet};

use super::document::AdmittedDocument;
use super::objects::has_templated_name;
use super::other_text::{OTHER_KINDS, find_value, has_only_other_kinds};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{SourceId, Sources, Span};
use crate::yaml::Templater;

/// Replaces errors at placeholders with a finding that the file is an unrendered template. In such a file, warnings at
/// placeholders and findings that quote a placeholder are also replaced.
pub fn gather_templates(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let source = |finding: &Diagnostic| finding.primary().map(|label| label.span.source);
    let is_error = |finding: &Diagnostic| {
        finding.severity == Severity::Error && !finding.code.fails_at_runtime() && templater(sources, finding).is_some()
    };
    let mut known: BTreeMap<SourceId, Span> = BTreeMap::new();
    for finding in diagnostics.iter() {
        if let Some(label) = finding.primary()
            && (finding.code == Code::UnrenderedTemplate || is_error(finding))
        {
            known.entry(label.span.source).or_insert(label.span);
        }
    }
    for diagnostic in diagnostics.iter_mut() {
        let Some(first) = source(diagnostic).and_then(|source| known.get(&source)) else {
            continue;
        };
        let repeated = || Some((template_language(diagnostic)?, *first));
        if let Some((templater, at)) = templater(sources, diagnostic).or_else(repeated) {
            *diagnostic = templater.finding(at);
        }
    }
}

/// Downgrades the findings about templates that were found in a directory, because not every file in a repository is a
/// manifest. The findings become notes if the template contains none of the operator's kinds, and warnings, as for
/// charts, if even the name of an object is a placeholder. If no other file contains a resource to compile, they remain
/// errors.
pub fn downgrade_templates(sources: &Sources, documents: &[AdmittedDocument<'_>], diagnostics: &mut [Diagnostic]) {
    let is_template =
        |finding: &&mut Diagnostic| finding.code == Code::UnrenderedTemplate && finding.severity == Severity::Error;
    let source = |finding: &Diagnostic| finding.primary().map(|label| label.span.source);
    let templates: BTreeSet<_> =
        diagnostics.iter_mut().filter(is_template).filter_map(|diagnostic| source(diagnostic)).collect();
    let is_in_template = |document: &&AdmittedDocument<'_>| templates.contains(&document.document().source());
    let mut other_documents = documents.iter().filter(|document| !is_in_template(document));
    if !other_documents.any(|document| document.contents.compiled > 0) {
        return;
    }
    let unnamed_templates = documents.iter().filter(is_in_template).filter(|document| {
        let mut objects = document.contents.objects.iter();
        objects.any(|object| has_templated_name(document.document().node(object.root)))
    });
    let unnamed_templates: BTreeSet<_> = unnamed_templates.map(|document| document.document().source()).collect();
    for finding in diagnostics.iter_mut().filter(is_template) {
        let Some(id) = source(finding) else { continue };
        let Some(source) = sources.get(id).filter(|source| !source.is_explicit) else { continue };
        if has_only_other_kinds(&source.text) {
            finding.severity = Severity::Note;
            finding.help = Some(OTHER_KINDS.to_owned());
        } else if unnamed_templates.contains(&id) || has_templated_name_line(&source.text) {
            finding.severity = Severity::Warning;
        }
    }
}

/// Whether a line with the name or namespace of an object contains a template placeholder. The surrounding document
/// might not be valid YAML.
fn has_templated_name_line(text: &str) -> bool {
    let mut is_in_metadata = false;
    text.lines().any(|line| {
        if !line.starts_with([' ', '\t', '#']) {
            is_in_metadata = line.trim_end() == "metadata:";
        }
        let mut names = ["name", "namespace"].iter().filter(|_| is_in_metadata);
        names.any(|name| find_value(line, name).is_some_and(|value| Templater::detect_invalid(value).is_some()))
    })
}

/// Returns the template language of the value at a finding's primary label, and the value's span.
fn templater(sources: &Sources, finding: &Diagnostic) -> Option<(&'static Templater, Span)> {
    let at = finding.primary()?.span;
    let text = sources.get(at.source)?.text.as_str();
    let value = text.get(at.bytes()).filter(|value| !value.contains('\n'))?;
    let templater = match finding.code {
        Code::InvalidName => Templater::detect_invalid(value)?,
        _ => Templater::detect(value)?,
    };
    (finding.code != Code::UnrenderedTemplate).then_some((templater, at))
}

/// Returns the template language of a placeholder in the finding's message. The placeholder may come from a different
/// location.
fn template_language(finding: &Diagnostic) -> Option<&'static Templater> {
    let has_other_code = finding.code != Code::UnrenderedTemplate;
    has_other_code.then(|| Templater::detect_in_message(&finding.message)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn merges_findings_at_placeholders() {
        let text = "a: ${B}\nb: c\nd: ${E}${\nf}\n";
        let (own, error, late) = (Code::UnrenderedTemplate, Code::UnsupportedValue, Code::InvalidUrl);
        assert!(late.fails_at_runtime() && !error.fails_at_runtime());
        let warning = Code::UnknownField;
        // A finding's code, value and message, and the value of the template finding that replaces it.
        type Found<'f> = (Code, &'f str, &'f str, Option<&'f str>);
        let cases: [&[Found<'_>]; 9] = [
            &[(error, "${B}", "m", Some("${B}")), (error, "c", "m", None)],
            &[(warning, "${B}", "m", None), (late, "${B}", "m", None)],
            &[
                (warning, "${E}", "m", Some("${E}")),
                (error, "${B}", "m", Some("${B}")),
                (late, "${E}", "m", Some("${E}")),
            ],
            &[(error, "c", "got ${X}", None)],
            &[
                (error, "c", "got ${X}", Some("${B}")),
                (error, "${B}", "m", Some("${B}")),
                (error, "${E}", "m", Some("${E}")),
            ],
            &[(own, "${B}", "m ${B}", None), (warning, "c", "got ${X}", Some("${B}"))],
            &[(error, "${E}${\nf}", "m", None)],
            &[(own, "", "m", None), (error, "c", "m", None)],
            &[],
        ];
        let mut sources = Sources::default();
        let [id, other] = ["x.yaml", "y.yaml"].map(|name| sources.add(Source::new(name, text, true)));
        for case in cases {
            let place = |part: &str| {
                let start = text.find(part).unwrap();
                Span::new(id, start, start + part.len())
            };
            let found =
                case.iter().map(|(code, part, message, _)| Diagnostic::new(*code, *message).label(place(part), ""));
            let other_finding = Diagnostic::new(warning, "got ${X}").label(Span::new(other, 3, 7), "");
            let mut found: Vec<_> = found.chain([other_finding, Diagnostic::new(error, "got ${X}")]).collect();
            let before = found.clone();
            gather_templates(&sources, &mut found);
            for (i, (_, part, _, expected)) in case.iter().enumerate() {
                let expected = expected.map(|at| Templater::detect("${B}").unwrap().finding(place(at)));
                assert_eq!(found[i], *expected.as_ref().unwrap_or(&before[i]), "{part} of {case:?}");
            }
            assert_eq!(found[case.len()..], before[case.len()..], "{case:?}");
        }
    }
}
