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

impl Exception {
    /// It fits no finding.
    fn unused(&self) -> Diagnostic {
        let message = format!("the exception for `{}` fits no finding", self.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.place, "")
            .help("take it out, or correct its kind, namespace, name or file")
    }
}

/// Exceptions with the files of a run that they are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Exceptions(Vec<(Exception, Option<BTreeSet<SourceId>>)>);

impl Exceptions {
    pub(super) fn add(&mut self, exception: Exception, sources: &Sources) {
        let files = exception.file.as_ref().map(|pattern| {
            let named = |name: &str| pattern.matches(name.strip_prefix("./").unwrap_or(name));
            let files = sources.iter().filter(|(_, source)| named(&source.name));
            files.map(|(id, _)| id).collect()
        });
        self.0.push((exception, files));
    }

    /// Whether one of them fits a finding.
    pub(super) fn cover(&self, found: &Diagnostic) -> bool {
        self.0.iter().any(|exception| fits(exception, found))
    }

    /// A finding for each one that fits none of these.
    pub(super) fn unused(&self, found: &[Diagnostic]) -> Vec<Diagnostic> {
        let is_unused = |exception: &&_| !found.iter().any(|found| fits(exception, found));
        self.0
            .iter()
            .filter(is_unused)
            .map(|(exception, _)| exception.unused())
            .collect()
    }
}

fn fits((exception, files): &(Exception, Option<BTreeSet<SourceId>>), found: &Diagnostic) -> bool {
    let part = |pattern: &Option<Pattern>, part: fn(&ObjectKey) -> &str| match (pattern, &found.resource) {
        (None, _) => true,
        (Some(pattern), Some(resource)) => pattern.matches(part(resource)),
        (Some(_), None) => false,
    };
    let in_files = |files: &BTreeSet<SourceId>| found.primary().is_some_and(|label| files.contains(&label.span.source));
    exception.code == found.code
        && part(&exception.kind, |resource| &resource.kind)
        && part(&exception.namespace, |resource| &resource.namespace)
        && part(&exception.name, |resource| &resource.name)
        && files.as_ref().is_none_or(in_files)
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
