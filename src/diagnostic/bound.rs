//! Limits on the number of findings. For each code, the first findings are kept, and one more finding says how many were
//! omitted. An input of one megabyte can cause half a million errors.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem;

use super::{Code, Diagnostic, Severity, distinct};

/// Maximum number of findings to list for each code.
pub const MAX_LISTED: usize = 1_000;

/// Maximum number of unlisted findings to keep for their fixes.
pub const MAX_FIXES: usize = 25_000;

/// Findings to keep for their fixes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fixes {
    /// Only listed findings.
    #[default]
    Listed,
    /// All findings with a certain fix, in addition to the listed findings.
    All,
}

impl Diagnostic {
    /// Makes the finding represent `count` findings with its code and severity.
    #[must_use]
    pub fn for_others(self, count: usize) -> Self {
        Self { left_out: count, ..self }
    }

    /// Returns a finding that represents `count` unlisted findings with this code and severity.
    pub fn unlisted(code: Code, severity: Severity, count: usize) -> Self {
        let (noun, verb) = if count == 1 { ("finding", "is") } else { ("findings", "are") };
        let message = format!("{count} more {noun} with this code {verb} not listed");
        Self::new(code, message).severity(severity).for_others(count)
    }

    /// Returns the number of findings that this finding represents, including itself.
    pub fn count(&self) -> usize {
        self.left_out.max(1)
    }
}

/// Findings that are counted but not kept, by code and severity, and by cause if a listed finding has the same cause.
#[derive(Debug, Default)]
pub struct CountedFindings(BTreeMap<(Code, Severity, Option<String>), OmittedFindings>);

/// Unlisted findings with the same code and severity.
#[derive(Debug, Default)]
struct OmittedFindings {
    count: usize,
    /// Number of these findings that have, or may have, a certain fix.
    fixes: usize,
    /// The only finding added so far, if it already represents several findings. It is kept unchanged, because it may
    /// contain more information than their number.
    only_finding: Option<Diagnostic>,
}

impl CountedFindings {
    /// Counts a finding, regardless of its cause.
    pub fn add(&mut self, finding: &Diagnostic) {
        self.add_to(None, finding);
    }

    /// Counts a finding that belongs to the listed finding with the same cause, if there is one.
    fn add_to(&mut self, cause: Option<String>, finding: &Diagnostic) {
        let other = self.0.entry((finding.code, finding.severity, cause)).or_default();
        let is_only = other.count == 0 && finding.left_out > 0;
        other.only_finding = is_only.then(|| finding.clone());
        other.count += finding.count();
        other.fixes += finding.left_out_fixes + usize::from(finding.has_certain_fix());
    }

    /// Counts a finding that is not created. `may_be_fixed` indicates whether the finding may have a certain fix.
    pub fn count(&mut self, code: Code, severity: Severity, may_be_fixed: bool) {
        let other = self.0.entry((code, severity, None)).or_default();
        other.only_finding = None;
        other.count += 1;
        other.fixes += usize::from(may_be_fixed);
    }

    /// Returns one finding for each combination of code, severity and cause. Each represents all findings counted for
    /// its combination.
    pub fn findings(self) -> impl Iterator<Item = Diagnostic> {
        let others = self.0.into_iter();
        others.map(|((code, severity, cause), OmittedFindings { count, fixes, only_finding: only })| {
            let mut finding = only.unwrap_or_else(|| Diagnostic::unlisted(code, severity, count));
            finding.cause = cause.or(finding.cause);
            finding.left_out_fixes = fixes;
            finding
        })
    }
}

/// Removes duplicates, and keeps the first [`MAX_LISTED`] findings with each code and severity. An additional finding
/// represents the others.
pub fn limit_findings(findings: &mut Vec<Diagnostic>) {
    limit_findings_keeping(findings, Fixes::Listed);
}

/// Like [`limit_findings`], but also keeps the findings that `fixes` selects.
pub fn limit_findings_keeping(findings: &mut Vec<Diagnostic>, fixes: Fixes) {
    if findings.len() <= MAX_LISTED {
        return;
    }
    let mut omitted = CountedFindings::default();
    let mut kept_counts: HashMap<_, usize> = HashMap::new();
    let mut remaining_fixes = match fixes {
        Fixes::Listed => 0,
        Fixes::All => MAX_FIXES,
    };
    let mut all_findings = distinct(mem::take(findings));
    let mut listed_causes = HashSet::new();
    all_findings.retain(|finding| {
        let number = kept_counts.entry((finding.code, finding.severity)).or_default();
        *number += 1;
        let is_listed = finding.left_out == 0 && *number <= MAX_LISTED;
        let is_fixed = !is_listed && remaining_fixes > 0 && finding.has_certain_fix();
        remaining_fixes -= usize::from(is_fixed);
        match &finding.cause {
            Some(cause) if is_listed => drop(listed_causes.insert(cause.clone())),
            _ if is_listed || is_fixed => {}
            cause => omitted.add_to(cause.clone().filter(|cause| listed_causes.contains(cause)), finding),
        }
        is_listed || is_fixed
    });
    all_findings.extend(omitted.findings());
    *findings = all_findings;
}

/// Limits the length of a growing list of findings, in linear time overall.
#[derive(Debug)]
pub struct Bound {
    max_length: usize,
    fixes: Fixes,
}

impl Default for Bound {
    fn default() -> Self {
        Self::new(Fixes::Listed)
    }
}

impl Bound {
    /// Creates a limit that keeps the findings that `fixes` selects.
    pub fn new(fixes: Fixes) -> Self {
        Self { max_length: 2 * MAX_LISTED, fixes }
    }

    /// Shortens the list if it has grown considerably since the last call.
    pub fn keep(&mut self, findings: &mut Vec<Diagnostic>) {
        self.reduce_and_keep(findings, |_| ());
    }

    /// Like [`Bound::keep`], but first removes findings with `reduce`, so that they are not counted.
    pub fn reduce_and_keep(&mut self, findings: &mut Vec<Diagnostic>, reduce: impl FnOnce(&mut Vec<Diagnostic>)) {
        if findings.len() > self.max_length {
            reduce(findings);
            limit_findings_keeping(findings, self.fixes);
            self.max_length = 2 * (findings.len() + MAX_LISTED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_of_each_code_and_counts_the_rest() {
        let mut findings: Vec<_> =
            (0..MAX_LISTED + 5).map(|i| Diagnostic::new(Code::Unselected, i.to_string())).collect();
        findings.push(Diagnostic::new(Code::NoInput, "a"));
        findings.push(Diagnostic::new(Code::NoInput, "a"));
        limit_findings(&mut findings);
        assert_eq!(findings.len(), MAX_LISTED + 2);
        let last = findings.last().unwrap();
        assert_eq!((last.code, last.severity, last.left_out), (Code::Unselected, Severity::Warning, 5));
        assert_eq!(last.message, "5 more findings with this code are not listed");

        findings.push(Diagnostic::new(Code::Unselected, "b"));
        limit_findings(&mut findings);
        let omitted_counts: Vec<_> = findings.iter().map(|one| one.left_out).filter(|count| *count > 0).collect();
        assert_eq!(omitted_counts, [6]);
    }

    #[test]
    fn keeps_findings_up_to_the_limit() {
        let all_findings =
            |count: usize| -> Vec<_> { (0..count).map(|i| Diagnostic::new(Code::Unselected, i.to_string())).collect() };
        let mut findings = all_findings(MAX_LISTED);
        findings[0].left_out = 3;
        let before = findings.clone();
        limit_findings(&mut findings);
        assert_eq!(findings, before);
        let mut findings = all_findings(MAX_LISTED + 1);
        limit_findings(&mut findings);
        assert_eq!((findings.len(), findings[MAX_LISTED].left_out), (MAX_LISTED + 1, 1));
        assert_eq!(findings[MAX_LISTED].message, "1 more finding with this code is not listed");
        // Findings with the same code but different severities are counted separately.
        let mut findings = all_findings(MAX_LISTED + 1);
        findings[MAX_LISTED].severity = Severity::Note;
        let before = findings.clone();
        limit_findings(&mut findings);
        assert_eq!(findings, before);
    }

    #[test]
    fn keeps_more_findings_if_all_fixes_are_requested() {
        let fixable = |number: usize| {
            let findings = Diagnostic::new(Code::WrongType, number.to_string());
            findings.fix_if(Some(crate::diagnostic::Fix::certain("t", Vec::new())))
        };
        let all_findings: Vec<_> = (0..MAX_LISTED + MAX_FIXES + 7).map(fixable).collect();
        for (fixes, kept, others) in
            [(Fixes::Listed, MAX_LISTED, MAX_FIXES + 7), (Fixes::All, MAX_LISTED + MAX_FIXES, 7)]
        {
            let mut findings = all_findings.clone();
            limit_findings_keeping(&mut findings, fixes);
            let last = findings.last().unwrap();
            assert_eq!((findings.len(), last.left_out, last.left_out_fixes), (kept + 1, others, others));
        }
    }

    #[test]
    fn summary_findings_count_all_omitted_findings() {
        let others = |finding: &[Diagnostic]| {
            let mut others = CountedFindings::default();
            finding.iter().for_each(|finding| others.add(finding));
            others.findings().map(|finding| (finding.message.clone(), finding.count())).collect::<Vec<_>>()
        };
        let single = Diagnostic::new(Code::NoInput, "one");
        let several = Diagnostic::new(Code::NoInput, "many").for_others(7);
        let summary = |count: usize| format!("{count} more findings with this code are not listed");
        assert_eq!(others(std::slice::from_ref(&several)), [("many".to_owned(), 7)]);
        assert_eq!(others(&[several.clone(), single.clone()]), [(summary(8), 8)]);
        assert_eq!(others(&[single.clone(), several.clone()]), [(summary(8), 8)]);
        assert_eq!(others(&[single.clone(), single]), [(summary(2), 2)]);
        assert_eq!(others(&[]), []);
    }

    #[test]
    fn counts_unlisted_findings_with_their_listed_cause() {
        let finding = |cause: &str, i: usize| Diagnostic::new(Code::MissingSecret, i.to_string()).cause(cause);
        let mut findings: Vec<_> =
            (0..MAX_LISTED + 5).map(|i| finding("a", i)).chain((0..3).map(|i| finding("b", i))).collect();
        limit_findings(&mut findings);
        let unlisted: Vec<_> = findings.iter().filter(|one| one.left_out > 0).collect();
        let unlisted: Vec<_> = unlisted.iter().map(|one| (one.cause.as_deref(), one.left_out)).collect();
        assert_eq!(unlisted, [(None, 3), (Some("a"), 5)]);
        let grouped = crate::diagnostic::group::group_by_cause(findings);
        let counts: Vec<_> = grouped.iter().map(|one| (one.count(), one.other_occurrences_left_out)).collect();
        assert_eq!(counts, [(1, 5), (3, 0)]);
    }

    #[test]
    fn does_not_count_removed_findings() {
        let mut findings: Vec<_> =
            (0..3 * MAX_LISTED).map(|i| Diagnostic::new(Code::Unselected, i.to_string())).collect();
        Bound::default().reduce_and_keep(&mut findings, |findings| findings.truncate(MAX_LISTED + 2));
        assert_eq!(findings.iter().map(Diagnostic::count).sum::<usize>(), MAX_LISTED + 2);
    }

    #[test]
    fn growing_lists_stay_bounded() {
        let (mut bound, mut findings) = (Bound::default(), Vec::new());
        for i in 0..20 * MAX_LISTED {
            findings.push(Diagnostic::new(Code::Unselected, i.to_string()));
            bound.keep(&mut findings);
            assert!(findings.len() <= 4 * MAX_LISTED + 2);
        }
        let all: usize = findings.iter().map(Diagnostic::count).sum();
        assert_eq!(all, 20 * MAX_LISTED);
        // A list that grows by many findings in a single step is also shortened.
        for (count, kept) in [(2 * MAX_LISTED, 2 * MAX_LISTED), (3 * MAX_LISTED, MAX_LISTED + 1)] {
            let mut findings: Vec<_> = (0..count).map(|i| Diagnostic::new(Code::Unselected, i.to_string())).collect();
            Bound::default().keep(&mut findings);
            assert_eq!(findings.len(), kept, "{count}");
        }
    }
}
