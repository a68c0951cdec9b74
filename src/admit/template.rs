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
    let mut placeholders: BTreeMap<SourceId, Span> = BTreeMap::new();
    for finding in diagnostics.iter() {
        if let Some(label) = finding.primary()
            && (finding.code == Code::UnrenderedTemplate || is_error(finding))
        {
            placeholders.entry(label.span.source).or_insert(label.span);
        }
    }
    for diagnostic in diagnostics.iter_mut() {
        let Some(first) = source(diagnostic).and_then(|source| placeholders.get(&source)) else {
            continue;
        };
        let repeated_template = || Some((template_language(diagnostic)?, *first));
        if let Some((templater, span)) = templater(sources, diagnostic).or_else(repeated_template) {
            *diagnostic = templater.finding(span);
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
    let span = finding.primary()?.span;
    let text = sources.get(span.source)?.text.as_str();
    let value = text.get(span.bytes()).filter(|value| !value.contains('\n'))?;
    let templater = match finding.code {
        Code::InvalidName => Templater::detect_invalid(value)?,
        _ => Templater::detect(value)?,
    };
    (finding.code != Code::UnrenderedTemplate).then_some((templater, span))
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
        let (template_code, error_code, late_code) =
            (Code::UnrenderedTemplate, Code::UnsupportedValue, Code::InvalidUrl);
        assert!(late_code.fails_at_runtime() && !error_code.fails_at_runtime());
        let warning_code = Code::UnknownField;
        // A finding's code, value and message, and the value of the template finding that replaces it.
        type ExpectedFinding<'f> = (Code, &'f str, &'f str, Option<&'f str>);
        let cases: [&[ExpectedFinding<'_>]; 9] = [
            &[(error_code, "${B}", "m", Some("${B}")), (error_code, "c", "m", None)],
            &[(warning_code, "${B}", "m", None), (late_code, "${B}", "m", None)],
            &[
                (warning_code, "${E}", "m", Some("${E}")),
                (error_code, "${B}", "m", Some("${B}")),
                (late_code, "${E}", "m", Some("${E}")),
            ],
            &[(error_code, "c", "got ${X}", None)],
            &[
                (error_code, "c", "got ${X}", Some("${B}")),
                (error_code, "${B}", "m", Some("${B}")),
                (error_code, "${E}", "m", Some("${E}")),
            ],
            &[(template_code, "${B}", "m ${B}", None), (warning_code, "c", "got ${X}", Some("${B}"))],
            &[(error_code, "${E}${\nf}", "m", None)],
            &[(template_code, "", "m", None), (error_code, "c", "m", None)],
            &[],
        ];
        let mut sources = Sources::default();
        let [id, other] = ["x.yaml", "y.yaml"].map(|name| sources.add(Source::new(name, text, true)));
        for case in cases {
            let part_span = |part: &str| {
                let start = text.find(part).unwrap();
                Span::new(id, start, start + part.len())
            };
            let case_findings =
                case.iter().map(|(code, part, message, _)| Diagnostic::new(*code, *message).label(part_span(part), ""));
            let other_finding = Diagnostic::new(warning_code, "got ${X}").label(Span::new(other, 3, 7), "");
            let mut findings: Vec<_> =
                case_findings.chain([other_finding, Diagnostic::new(error_code, "got ${X}")]).collect();
            let original_findings = findings.clone();
            gather_templates(&sources, &mut findings);
            for (i, (_, part, _, expected)) in case.iter().enumerate() {
                let expected = expected.map(|at| Templater::detect("${B}").unwrap().finding(part_span(at)));
                assert_eq!(findings[i], *expected.as_ref().unwrap_or(&original_findings[i]), "{part} of {case:?}");
            }
            assert_eq!(findings[case.len()..], original_findings[case.len()..], "{case:?}");
        }
    }
}
