//! Exceptions: findings that a project accepts in resources that it does not maintain, such as those in a chart.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::source::{SourceId, Sources, Span};

/// Findings that the project's settings exempt from being reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Code that the exception covers.
    pub code: Code,
    /// Kinds of resources, or `None` for all kinds.
    pub kind: Option<WildcardPattern>,
    pub namespace: Option<WildcardPattern>,
    pub name: Option<WildcardPattern>,
    pub file: Option<WildcardPattern>,
    /// Span of the exception in the settings.
    pub place: Span,
}

/// Pattern in which `*` matches any string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WildcardPattern {
    text: String,
    /// Number of bytes that are not wildcards.
    least: usize,
}

impl WildcardPattern {
    /// Parses a pattern.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), least: text.bytes().filter(|byte| *byte != b'*').count() }
    }

    /// Whether the pattern matches all of `text`.
    pub fn matches(&self, text: &str) -> bool {
        if text.len() < self.least {
            return false;
        }
        let mut parts = self.text.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        if !rest.ends_with(last) {
            return false;
        }
        for part in parts {
            let Some((_, remaining)) = rest.split_once(part) else {
                return false;
            };
            rest = remaining;
        }
        rest.ends_with(last)
    }
}

/// Function that maps a span in build output to the span in the file that it comes from.
pub type Trace<'t> = &'t dyn Fn(Span) -> Span;

/// An exception and the files that it applies to in this run.
#[derive(Clone, Debug)]
pub(super) struct ResolvedException {
    exception: Exception,
    /// Files that the exception applies to, in order, or `None` for all files.
    files: Option<Vec<SourceId>>,
    /// Whether the files may belong to another build.
    is_elsewhere: bool,
}

impl ResolvedException {
    pub(super) fn new(exception: Exception, sources: &Sources) -> Self {
        let is_built = sources.iter().any(|(_, source)| !source.origins.is_empty());
        let files = exception.file.as_ref().map(|pattern| {
            let matches_name = |name: &str| pattern.matches(name.strip_prefix("./").unwrap_or(name));
            let files = sources.iter().filter(|(_, source)| matches_name(&source.name));
            files.map(|(id, _)| id).collect()
        });
        let is_elsewhere = is_built && files.as_ref().is_some_and(Vec::is_empty);
        Self { exception, files, is_elsewhere }
    }

    /// Whether the exception applies to a finding with its code. `trace` maps a span in build output to its source
    /// file.
    fn applies_to(&self, finding: &Diagnostic, trace: Trace<'_>) -> bool {
        let part = |pattern: &Option<WildcardPattern>, part: fn(&ObjectKey) -> &str| match (pattern, &finding.resource)
        {
            (None, _) => true,
            (Some(pattern), Some(resource)) => pattern.matches(part(resource)),
            (Some(_), None) => false,
        };
        let exception = &self.exception;
        let is_in = |files: &Vec<SourceId>| {
            finding.primary().is_some_and(|label| files.binary_search(&trace(label.span).source).is_ok())
        };
        part(&exception.kind, |resource| &resource.kind)
            && part(&exception.namespace, |resource| &resource.namespace)
            && part(&exception.name, |resource| &resource.name)
            && self.files.as_ref().is_none_or(is_in)
    }

    /// Finding for an exception that has no effect.
    fn unused_finding(&self) -> Diagnostic {
        let message = format!("the exception for `{}` matches no finding", self.exception.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.exception.place, "")
            .help("remove it, or correct its kind, namespace, name or file")
    }
}

/// Exceptions by the code of the findings that they accept.
#[derive(Clone, Debug, Default)]
pub(super) struct Exceptions(BTreeMap<Code, Vec<ResolvedException>>);

impl Exceptions {
    pub(super) fn add(&mut self, exception: ResolvedException) {
        self.0.entry(exception.exception.code).or_default().push(exception);
    }

    /// Determines which findings the exceptions apply to. Both may be numerous, so each pair is compared at most once,
    /// and only if the codes are the same.
    pub(super) fn compare(&self, diagnostics: &[Diagnostic], trace: Trace<'_>) -> ExceptedFindings {
        let mut used_by_code: BTreeMap<Code, Vec<bool>> = BTreeMap::new();
        let mut is_excepted = Vec::with_capacity(diagnostics.len());
        for finding in diagnostics {
            let code_exceptions = self.0.get(&finding.code).map_or(&[][..], Vec::as_slice);
            let used_by_code = used_by_code.entry(finding.code).or_insert_with(|| vec![false; code_exceptions.len()]);
            let mut is_excepted_finding = false;
            for (exception, is_used) in code_exceptions.iter().zip(used_by_code) {
                if !(is_excepted_finding && *is_used) && exception.applies_to(finding, trace) {
                    (is_excepted_finding, *is_used) = (true, true);
                }
            }
            is_excepted.push(is_excepted_finding);
        }
        let is_used = |code: &Code, index: usize| {
            used_by_code.get(code).and_then(|used_by_code| used_by_code.get(index)) == Some(&true)
        };
        let all_exceptions = self
            .0
            .iter()
            .flat_map(|(code, code_exceptions)| code_exceptions.iter().enumerate().map(move |at| (code, at)));
        let unused_exceptions = all_exceptions.filter(|(code, (index, _))| !is_used(code, *index));
        let unused_exceptions =
            unused_exceptions.map(|(_, (_, exception))| exception).filter(|exception| !exception.is_elsewhere);
        let unused_exceptions = unused_exceptions.map(ResolvedException::unused_finding).collect();
        ExceptedFindings { is_excepted, unused: unused_exceptions }
    }
}

/// Findings that exceptions apply to, and findings about unused exceptions.
pub(super) struct ExceptedFindings {
    /// For each finding, whether an exception applies to it.
    pub(super) is_excepted: Vec<bool>,
    /// Findings for the exceptions that apply to nothing.
    pub(super) unused: Vec<Diagnostic>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn resource_patterns_do_not_match_findings_without_a_resource() {
        let mut sources = Sources::default();
        let place = Span::new(sources.add(Source::new("x.yaml", "a", true)), 0, 1);
        let finding = Diagnostic::new(Code::Unselected, "m").label(place, "");
        for (kind, expected) in [(None, true), (Some("*"), false)] {
            let exception = Exception {
                code: Code::Unselected,
                kind: kind.map(WildcardPattern::new),
                namespace: None,
                name: None,
                file: None,
                place,
            };
            let mut exceptions = Exceptions::default();
            exceptions.add(ResolvedException::new(exception, &sources));
            let compared = exceptions.compare(std::slice::from_ref(&finding), &|span| span);
            assert_eq!(
                (compared.is_excepted, compared.unused.len()),
                (vec![expected], usize::from(!expected)),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn stars_match_any_string() {
        for (pattern, text, expected) in [
            ("vendor/*", "vendor/a/b.yaml", true),
            ("vendor/*", "x/vendor/a", false),
            ("*-monitor", "a-monitor", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("", "", true),
            ("x", "xy", false),
            ("*", "", true),
        ] {
            assert_eq!(WildcardPattern::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }
}
