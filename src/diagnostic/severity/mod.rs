//! Severities of findings, as configured. Only this module determines them.

mod allowance;
mod exception;
mod setting;

use allowance::AllowanceIndex;
pub use allowance::{ALLOW_ANNOTATION, Allowance};
pub use exception::{Exception, Trace, WildcardPattern};
use exception::{Exceptions, ResolvedException};
pub use setting::{Setting, SeverityLevel, SeveritySubject, unknown_code};

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Sources;

/// Configured severity levels for codes, and the severity of errors that occur only at runtime.
///
/// Other errors cannot be lowered, because their resources are excluded from the compilation and the output would be
/// incomplete.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    levels: BTreeMap<SeveritySubject, SeverityLevel>,
    /// Codes that annotations cannot allow.
    denied: BTreeSet<Code>,
    exceptions: Exceptions,
    lenient: bool,
    fixed_only: bool,
}

impl Policy {
    /// Returns a policy in which errors that occur only at runtime are warnings, unless configured otherwise, because
    /// the operator renders them.
    pub fn lenient() -> Self {
        Self { lenient: true, ..Self::default() }
    }

    /// Sets the level of a code or of all warnings. Replaces an earlier setting.
    pub fn set(&mut self, setting: Setting) {
        self.levels.insert(setting.subject, setting.level);
    }

    /// Returns the configured level of a code, or `None` if it has none.
    pub fn level(&self, code: Code) -> Option<SeverityLevel> {
        self.levels.get(&SeveritySubject::Code(code)).copied()
    }

    /// Makes the level of a code final, so that resources' annotations cannot change it.
    pub fn deny_everywhere(&mut self, code: Code) {
        self.denied.insert(code);
    }

    /// Adds an exception, which applies to the files in `sources` that it matches.
    pub fn add_exception(&mut self, exception: Exception, sources: &Sources) {
        self.exceptions.add(ResolvedException::new(exception, sources));
    }

    /// Drops all findings that an exception could accept, because some exceptions could not be read.
    pub fn keep_fixed_only(&mut self) {
        self.fixed_only = true;
    }

    /// Returns the number of findings that an exception accepts, and the number that only an annotation accepts.
    pub fn count_excepted(&self, diagnostics: &[Diagnostic], allowances: &[Allowance], trace: Trace<'_>) -> [usize; 2] {
        let mut allowance_index = AllowanceIndex::new(allowances);
        let mut counts = [0; 2];
        let excepted = self.exceptions.compare(diagnostics, trace);
        let with_exceptions = diagnostics.iter().zip(excepted.is_excepted);
        for (found, by_exception) in with_exceptions.filter(|(found, _)| !self.is_denied(found)) {
            counts[0] += usize::from(by_exception);
            let is_shown = |finding| self.decide(finding).is_some_and(|finding| finding.severity > Severity::Note);
            counts[1] += usize::from(!by_exception && allowance_index.covers(found) && is_shown(found.clone()));
        }
        counts
    }

    /// Whether no annotation can allow the finding.
    fn is_denied(&self, diagnostic: &Diagnostic) -> bool {
        is_fixed(diagnostic) || self.denied.contains(&diagnostic.code)
    }

    /// Sets the severity of each finding, and removes findings that are allowed.
    ///
    /// An annotation overrides all levels except final ones, and a code's level overrides the level of all warnings.
    /// Reports unused allowances and exceptions, unless errors prevented some checks. A lenient policy does not report
    /// unused exceptions, because they may be intended for findings that only `check` reports. `trace` maps a span in
    /// build output to its source file.
    pub fn apply(&self, diagnostics: Vec<Diagnostic>, allowances: &[Allowance], trace: Trace<'_>) -> Vec<Diagnostic> {
        let mut allowance_index = AllowanceIndex::new(allowances);
        let is_complete = !diagnostics.iter().any(is_fixed);
        let excepted = self.exceptions.compare(&diagnostics, trace);
        let mut by_exception = excepted.is_excepted.into_iter();
        let (accepted, mut kept): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(|finding| {
            let by_exception = by_exception.next().unwrap_or_default() && !is_fixed(finding);
            by_exception || (allowance_index.covers(finding) && !self.is_denied(finding))
        });
        let accepted_causes = accepted_causes(&accepted, &kept);
        kept.retain(|finding| {
            let severity = finding.cause.as_ref().and_then(|cause| accepted_causes.get(cause));
            let follows_accepted_cause = severity.is_some_and(|&severity| finding.severity <= severity);
            self.is_denied(finding) || !(self.fixed_only || follows_accepted_cause)
        });
        let mut kept: Vec<_> = kept.into_iter().filter_map(|finding| self.decide(finding)).collect();
        if is_complete {
            let unused = allowances.iter().filter(|allowance| !allowance_index.is_used(allowance));
            kept.extend(unused.filter_map(|allowance| self.decide(allowance.unused_finding())));
            let unused = excepted.unused.into_iter().filter(|_| !self.lenient);
            kept.extend(unused.filter_map(|finding| self.decide(finding)));
        }
        kept
    }

    fn decide(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        if is_fixed(&diagnostic) {
            return Some(diagnostic);
        }
        let severity = match self.levels.get(&SeveritySubject::Code(diagnostic.code)) {
            Some(SeverityLevel::Deny) => Severity::Error,
            Some(SeverityLevel::Warn) => Severity::Warning,
            Some(SeverityLevel::Allow) => return None,
            None => self.default_severity(&diagnostic)?,
        };
        Some(diagnostic.severity(severity))
    }

    /// Returns the severity of a finding whose code has no level, or `None` if the finding is a warning and warnings
    /// are allowed.
    fn default_severity(&self, diagnostic: &Diagnostic) -> Option<Severity> {
        let severity = match diagnostic.severity {
            Severity::Error if self.lenient => Severity::Warning,
            other => other,
        };
        match (severity, self.levels.get(&SeveritySubject::Warnings)) {
            (Severity::Warning, Some(SeverityLevel::Deny)) => Some(Severity::Error),
            (Severity::Warning, Some(SeverityLevel::Allow)) => None,
            _ => Some(severity),
        }
    }
}

/// Returns the causes for which a code's findings are all accepted, with the severity of these findings. Other findings
/// with the same cause describe the same error from a different perspective.
fn accepted_causes(accepted: &[Diagnostic], kept: &[Diagnostic]) -> BTreeMap<String, Severity> {
    let cause = |finding: &Diagnostic| Some((finding.cause.clone()?, finding.code));
    let remaining_causes: BTreeSet<_> = kept.iter().filter_map(cause).collect();
    let accepted_causes = accepted.iter().filter_map(|finding| Some((cause(finding)?, finding.severity)));
    let accepted_causes = accepted_causes.filter(|(cause, _)| !remaining_causes.contains(cause));
    accepted_causes.map(|((cause, _), severity)| (cause, severity)).collect()
}

/// Whether the severity cannot be lowered.
fn is_fixed(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error && !diagnostic.code.fails_at_runtime()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources, Span};

    /// Returns the span unchanged, because the input is not built.
    fn unchanged_span(span: Span) -> Span {
        span
    }

    fn policy(settings: &[(&str, SeverityLevel)]) -> Policy {
        let mut policy = Policy::default();
        for &(name, level) in settings {
            policy.set(Setting::parse(name, level).unwrap());
        }
        policy
    }

    /// Returns the severity that the policy assigns to a finding with this code and severity.
    fn decided_severity(policy: &Policy, code: Code, severity: Severity) -> Option<Severity> {
        let finding = Diagnostic::new(code, "m").severity(severity);
        policy.apply(vec![finding], &[], &unchanged_span).first().map(|d| d.severity)
    }

    #[test]
    fn per_code_levels_override_the_warning_level() {
        use SeverityLevel::{Allow, Deny, Warn};
        let (error, warning, note) = (Severity::Error, Severity::Warning, Severity::Note);
        let code = Code::PausedAgent;
        for (settings, finding, expected) in [
            (&[][..], warning, Some(warning)),
            (&[("paused-agent", Deny)], warning, Some(error)),
            (&[("paused-agent", Allow)], warning, None),
            (&[("paused-agent", Warn)], note, Some(warning)),
            (&[("warnings", Deny)], warning, Some(error)),
            (&[("warnings", Deny)], note, Some(note)),
            (&[("warnings", Allow)], warning, None),
            (&[("warnings", Deny), ("paused-agent", Warn)], warning, Some(warning)),
            (&[("warnings", Deny), ("paused-agent", Allow)], warning, None),
            (&[("warnings", Deny), ("duplicate-scrape", Allow)], warning, Some(error)),
        ] {
            assert_eq!(decided_severity(&policy(settings), code, finding), expected, "{settings:?} {finding:?}");
        }
    }

    #[test]
    fn only_runtime_errors_can_be_lowered() {
        let policy = policy(&[("missing-secret", SeverityLevel::Allow), ("warnings", SeverityLevel::Allow)]);
        assert_eq!(decided_severity(&policy, Code::MissingSecret, Severity::Warning), None);
        let error = Some(Severity::Error);
        assert_eq!(decided_severity(&policy, Code::MissingSecret, Severity::Error), error);
        assert_eq!(decided_severity(&Policy::lenient(), Code::MissingSecret, Severity::Error), error);
    }

    #[test]
    fn annotations_allow_codes_only_on_their_resource() {
        let text = "kind: Probe\n---\nkind: Probe\n";
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", text, true));
        let allowance = |code, start| Allowance {
            code,
            resource: Span::new(id, start, start + 11),
            span: Span::new(id, start, start + 1),
            is_from_list: false,
        };
        let actual = |start| Diagnostic::new(Code::PausedAgent, "m").label(Span::new(id, start, start + 1), "");
        let policy = policy(&[("warnings", SeverityLevel::Deny)]);

        let allowances = [allowance(Code::PausedAgent, 0), allowance(Code::DuplicateScrape, 0)];
        let kept = policy.apply(vec![actual(3), actual(16)], &allowances, &unchanged_span);
        let kept: Vec<_> = kept.iter().map(|d| (d.code, d.severity)).collect();
        let expected = [(Code::PausedAgent, Severity::Error), (Code::UnusedAllowance, Severity::Error)];
        assert_eq!(kept, expected);
        assert_eq!(policy.count_excepted(&[actual(3), actual(16)], &allowances, &unchanged_span), [0, 1]);
        let note = actual(3).severity(Severity::Note);
        assert_eq!(policy.count_excepted(&[note], &allowances, &unchanged_span), [0, 0], "notes are not counted");

        let mut strict = policy.clone();
        strict.deny_everywhere(Code::PausedAgent);
        let kept = strict.apply(vec![actual(3), actual(16)], &allowances[..1], &unchanged_span);
        assert_eq!(kept.len(), 2, "what is denied by its code is allowed nowhere: {kept:?}");
        assert_eq!(strict.count_excepted(&[actual(3)], &allowances, &unchanged_span), [0, 0]);

        let broken = Diagnostic::new(Code::DecodeFailed, "m");
        let kept = policy.apply(vec![broken.clone()], &allowances, &unchanged_span);
        assert_eq!(kept, [broken], "what an error hides is not called unused");
    }

    #[test]
    fn accepts_findings_whose_cause_is_accepted() {
        let text = "kind: Probe\n---\nkind: Probe\n";
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", text, true));
        let allowance = Allowance {
            code: Code::Unselected,
            resource: Span::new(id, 0, 11),
            span: Span::new(id, 0, 1),
            is_from_list: false,
        };
        let finding = |code, start| {
            let finding = Diagnostic::new(code, "m").label(Span::new(id, start, start + 1), "");
            finding.severity(Severity::Warning).cause("labels")
        };
        let (accepted, other) = (finding(Code::Unselected, 3), finding(Code::SelectsNothing, 16));
        let kept = |policy: &Policy, finding: &[&Diagnostic]| {
            let finding = finding.iter().copied().cloned().collect();
            policy.apply(finding, std::slice::from_ref(&allowance), &unchanged_span).len()
        };
        assert_eq!(kept(&policy(&[]), &[&accepted, &other]), 0);
        // The second finding is not in the allowed resource, cannot be allowed, or is more severe than the first.
        let second_finding = finding(Code::Unselected, 20);
        assert_eq!(kept(&policy(&[]), &[&accepted, &other, &second_finding]), 2);
        let mut strict = policy(&[]);
        strict.deny_everywhere(Code::SelectsNothing);
        assert_eq!(kept(&strict, &[&accepted, &other]), 1);
        let worse_finding = finding(Code::UnknownInstance, 16).severity(Severity::Error);
        assert_eq!(kept(&policy(&[]), &[&accepted, &worse_finding]), 1);
    }

    #[test]
    fn item_allowances_take_precedence_over_list_allowances() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", " ".repeat(40), true));
        let allowance = |start, end, is_from_list| Allowance {
            code: Code::PausedAgent,
            resource: Span::new(id, start, end),
            span: Span::new(id, start, start + 1),
            is_from_list,
        };
        let actual = |start| Diagnostic::new(Code::PausedAgent, "m").label(Span::new(id, start, start + 1), "");
        let allowances = [allowance(0, 40, true), allowance(10, 20, false)];
        let kept = policy(&[]).apply(vec![actual(12), actual(30)], &allowances, &unchanged_span);
        assert_eq!(kept, []);
    }

    #[test]
    fn allowances_apply_to_one_resource() {
        let mut sources = Sources::default();
        let ids = ["x.yaml", "y.yaml"].map(|name| sources.add(Source::new(name, " ".repeat(40), true)));
        let allowance = |id, start| Allowance {
            code: Code::PausedAgent,
            resource: Span::new(id, start, start + 10),
            span: Span::new(id, start, start + 1),
            is_from_list: false,
        };
        let allowances = [allowance(ids[0], 20), allowance(ids[0], 0), allowance(ids[0], 10), allowance(ids[1], 0)];
        let at = |id, start| Diagnostic::new(Code::PausedAgent, "m").label(Span::new(id, start, start), "");
        for (actual, code, unused) in [
            (at(ids[0], 5), None, vec![(0, 20), (0, 10), (1, 0)]),
            (at(ids[0], 10), None, vec![(0, 20), (1, 0)]),
            (at(ids[0], 30), None, vec![(0, 0), (0, 10), (1, 0)]),
            (at(ids[0], 31), Some(Code::PausedAgent), vec![(0, 20), (0, 0), (0, 10), (1, 0)]),
            (at(ids[1], 0), None, vec![(0, 20), (0, 0), (0, 10)]),
        ] {
            let kept = Policy::default().apply(vec![actual], &allowances, &unchanged_span);
            let codes = kept.iter().map(|d| d.code).filter(|&code| code != Code::UnusedAllowance);
            assert_eq!(codes.collect::<Vec<_>>(), Vec::from_iter(code));
            let places = kept.iter().filter(|d| d.code == Code::UnusedAllowance);
            let places = places.filter_map(|d| d.primary().map(|label| (label.span.source, label.span.start)));
            let unused: Vec<_> = unused.into_iter().map(|(id, start)| (ids[id], start)).collect();
            assert_eq!(places.collect::<Vec<_>>(), unused);
        }
    }
}
