//! Exceptions: findings that a project accepts in resources that it does not maintain, such as those in a chart.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::source::{SourceId, Sources, Span};

/// Findings that the project's settings exempt from being reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Code of the findings.
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
pub struct WildcardPattern(String);

impl WildcardPattern {
    /// Parses a pattern.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether the pattern matches all of `text`.
    pub fn matches(&self, text: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            let Some((_, behind)) = rest.split_once(part) else {
                return false;
            };
            rest = behind;
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
    /// Files that the exception applies to, or `None` for all.
    files: Option<BTreeSet<SourceId>>,
}

impl ResolvedException {
    pub(super) fn new(exception: Exception, sources: &Sources) -> Self {
        let files = exception.file.as_ref().map(|pattern| {
            let named = |name: &str| pattern.matches(name.strip_prefix("./").unwrap_or(name));
            let files = sources.iter().filter(|(_, source)| named(&source.name));
            files.map(|(id, _)| id).collect()
        });
        Self { exception, files }
    }

    /// Whether the exception applies to a finding. `trace` maps a span in build output to the file that it comes from.
    pub(super) fn applies_to(&self, found: &Diagnostic, trace: Trace<'_>) -> bool {
        let part = |pattern: &Option<WildcardPattern>, part: fn(&ObjectKey) -> &str| match (pattern, &found.resource) {
            (None, _) => true,
            (Some(pattern), Some(resource)) => pattern.matches(part(resource)),
            (Some(_), None) => false,
        };
        let exception = &self.exception;
        let is_in =
            |files: &BTreeSet<SourceId>| found.primary().is_some_and(|label| files.contains(&trace(label.span).source));
        exception.code == found.code
            && part(&exception.kind, |resource| &resource.kind)
            && part(&exception.namespace, |resource| &resource.namespace)
            && part(&exception.name, |resource| &resource.name)
            && self.files.as_ref().is_none_or(is_in)
    }

    /// Finding for an exception that has no effect.
    pub(super) fn unused(&self) -> Diagnostic {
        let message = format!("the exception for `{}` matches no finding", self.exception.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.exception.place, "")
            .help("remove it, or correct its kind, namespace, name or file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn resource_patterns_exclude_findings_without_a_resource() {
        let mut sources = Sources::default();
        let place = Span::new(sources.add(Source::new("x.yaml", "a", true)), 0, 1);
        let found = Diagnostic::new(Code::Unselected, "m").label(place, "");
        for (kind, expected) in [(None, true), (Some("*"), false)] {
            let exception = Exception {
                code: Code::Unselected,
                kind: kind.map(WildcardPattern::new),
                namespace: None,
                name: None,
                file: None,
                place,
            };
            let exception = ResolvedException::new(exception, &sources);
            assert_eq!(exception.applies_to(&found, &|span| span), expected, "{kind:?}");
        }
    }

    #[test]
    fn stars_match_any_text() {
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
