//! Exceptions: what a project accepts in resources that it does not write, such as those of a chart.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::source::{SourceId, Sources, Span};

/// Findings that are not reported, since the project's settings say so and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Which rule.
    pub code: Code,
    /// Which kinds; any where nothing is said.
    pub kind: Option<Pattern>,
    pub namespace: Option<Pattern>,
    pub name: Option<Pattern>,
    pub file: Option<Pattern>,
    /// The place of the exception.
    pub place: Span,
}

/// A text in which `*` stands for anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern of this text.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether all of a text is as the pattern says.
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

/// An exception with the files of a run that it is about.
#[derive(Clone, Debug)]
pub(super) struct ExceptionHere {
    exception: Exception,
    /// All unless it sets some.
    files: Option<BTreeSet<SourceId>>,
}

impl ExceptionHere {
    pub(super) fn new(exception: Exception, sources: &Sources) -> Self {
        let files = exception.file.as_ref().map(|pattern| {
            let named = |name: &str| pattern.matches(name.strip_prefix("./").unwrap_or(name));
            let files = sources.iter().filter(|(_, source)| named(&source.name));
            files.map(|(id, _)| id).collect()
        });
        Self { exception, files }
    }

    /// Whether it fits a finding.
    pub(super) fn fits(&self, found: &Diagnostic) -> bool {
        let part = |pattern: &Option<Pattern>, part: fn(&ObjectKey) -> &str| match (pattern, &found.resource) {
            (None, _) => true,
            (Some(pattern), Some(resource)) => pattern.matches(part(resource)),
            (Some(_), None) => false,
        };
        let exception = &self.exception;
        let is_in =
            |files: &BTreeSet<SourceId>| found.primary().is_some_and(|label| files.contains(&label.span.source));
        exception.code == found.code
            && part(&exception.kind, |resource| &resource.kind)
            && part(&exception.namespace, |resource| &resource.namespace)
            && part(&exception.name, |resource| &resource.name)
            && self.files.as_ref().is_none_or(is_in)
    }

    /// It fits no finding.
    pub(super) fn unused(&self) -> Diagnostic {
        let message = format!("the exception for `{}` fits no finding", self.exception.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.exception.place, "")
            .help("take it out, or correct its kind, namespace, name or file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
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
            assert_eq!(Pattern::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }
}
