//! Application of findings' certain fixes to the input.

mod batch;
mod candidate;
mod verdict;
mod work;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::diagnostic::bound::limit_findings;
use crate::diagnostic::group::group_by_cause;
use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{Source, SourceId, Sources};
pub use batch::DisjointEdits;
use batch::FixBatch;
use candidate::{FixCandidate, FixPart};
use verdict::{NewFindings, SeenFindings};
use work::WorkLimit;

/// An input with its certain fixes applied.
#[derive(Debug)]
pub struct FixResult<F = Vec<Diagnostic>> {
    /// Fixed sources, with unchanged IDs.
    pub sources: Sources,
    /// Findings in the fixed sources, limited in number.
    pub findings: F,
    /// Number of fixed findings.
    pub count: usize,
    /// Upper bound on the number of fixes that were not tried because trying them would have taken too long.
    pub untried: usize,
    /// Sources that would be fixed if `may_change` accepted them.
    pub kept: BTreeSet<SourceId>,
    /// Keys of fixes that cause another finding in the same field or were not tried.
    rejected: HashSet<u64>,
}

/// Findings whose fixes were tried.
#[derive(Debug)]
pub struct TriedFixes {
    pub findings: Vec<Diagnostic>,
    /// Number of fixes that were not tried because trying them would have taken too long.
    pub untried: usize,
}

impl<F: AsMut<Vec<Diagnostic>>> FixResult<F> {
    /// Changes the certainty of rejected fixes to likely.
    pub fn demote_rejected(&self, findings: &mut [Diagnostic]) {
        let is_rejected = |finding: &&mut Diagnostic| {
            candidate::fix_key(finding).is_some_and(|fix_key| self.rejected.contains(&fix_key))
        };
        for finding in findings.iter_mut().filter(is_rejected) {
            finding.fix = finding.fix.take().map(Fix::likely);
        }
    }

    /// Rejects fixes, and the fixes that were combined into them.
    fn reject<'c>(&mut self, rejected: impl IntoIterator<Item = &'c FixCandidate>, parts: &[FixPart]) {
        let mut edits = HashSet::new();
        for candidate in rejected {
            self.rejected.insert(candidate.fix_key);
            edits.extend(candidate.edits.iter().map(candidate::digest));
        }
        let joined = parts.iter().filter(|part| part.edits.iter().all(|edit| edits.contains(edit)));
        self.rejected.extend(joined.map(|part| part.fix_key));
    }

    /// Returns the sources that changed, each with its old and new state.
    pub fn changes<'s>(
        &'s self,
        before: &'s Sources,
    ) -> impl Iterator<Item = (SourceId, &'s Source, &'s Source)> + Clone {
        let pairs = before.iter().zip(self.sources.iter());
        pairs.filter_map(|((id, before), (_, after))| (before.text != after.text).then_some((id, before, after)))
    }

    /// Creates an input that no fixes have been applied to yet.
    fn new(sources: &Sources, findings: F) -> Self {
        Self {
            sources: sources.with_texts(HashMap::new()),
            findings,
            count: 0,
            untried: 0,
            kept: BTreeSet::new(),
            rejected: HashSet::new(),
        }
    }

    /// Applies fixes, then the fixes of the remaining findings, and so on until none is left or the work limit is
    /// reached. Skips fixes that `may_try` rejects. Returns the number of fixes that were dropped because of the limit
    /// on findings.
    fn run(
        &mut self,
        may_change: impl Fn(&Source) -> bool,
        may_try: impl Fn(&FixCandidate) -> bool,
        mut work: WorkLimit,
        find: impl Fn(&Sources) -> F,
    ) -> usize {
        let mut state = ApplyState::new(self.findings.as_mut());
        // If a batch contains a wrong fix, smaller batches narrow down which fix is wrong.
        let mut max_batch = usize::MAX;
        loop {
            let mut batch = FixBatch::default();
            let mut waiting_count = 0;
            for candidate in state.candidates.iter().filter(|candidate| may_try(candidate)) {
                let kept = |id: &SourceId| !self.sources.get(*id).is_some_and(&may_change);
                self.kept.extend(candidate.sources().filter(kept));
                let is_kept = candidate.sources().any(|id| self.kept.contains(&id));
                if is_kept || self.rejected.contains(&candidate.fix_key) {
                    continue;
                }
                waiting_count += 1;
                if batch.fixed.len() < max_batch {
                    batch.add(candidate);
                }
            }
            let texts = batch.texts(&self.sources);
            if texts.is_empty() {
                break;
            }
            if !work.try_spend() {
                self.untried += waiting_count;
                self.reject(&state.candidates, &state.parts);
                break;
            }
            let changed: Vec<_> = texts.keys().copied().collect();
            let next = self.sources.with_texts(texts);
            let mut findings = find(&next);
            let after = ApplyState::new(findings.as_mut());
            let worse_sources =
                changed.into_iter().filter(|id| after.seen.unreadable_count(*id) > state.seen.unreadable_count(*id));
            let worse_sources: BTreeSet<_> = worse_sources.collect();
            let mut faulty_fixes = NewFindings::new(&state.seen, &after.seen).faulty_fixes(&batch.fixed);
            if faulty_fixes.is_empty() && worse_sources.is_empty() {
                max_batch = max_batch.saturating_mul(2);
                self.count += batch.fixed.len();
                (self.sources, self.findings, state) = (next, findings, after);
                continue;
            }
            if faulty_fixes.is_empty() {
                max_batch = batch.fixed.len() / 2;
                faulty_fixes.clone_from(&batch.fixed);
                if work.remaining_rounds() <= 1 {
                    // Too few rounds remain to find the wrong fix. Fixes for the affected sources are rejected, and
                    // fixes for other sources are retried.
                    faulty_fixes.retain(|fixed| fixed.sources().any(|id| worse_sources.contains(&id)));
                    self.untried += faulty_fixes.len();
                } else if max_batch > 0 {
                    faulty_fixes.clear();
                }
            }
            if !faulty_fixes.is_empty() {
                max_batch = usize::MAX;
            }
            self.reject(faulty_fixes, &state.parts);
        }
        state.left_out
    }
}

/// State before a batch of fixes.
struct ApplyState {
    candidates: Vec<FixCandidate>,
    parts: Vec<FixPart>,
    seen: SeenFindings,
    /// Number of findings that have a fix that is certain, but were dropped because of the limit on findings.
    left_out: usize,
}

impl ApplyState {
    /// Extracts the fixes from the findings, then limits the number of findings.
    fn new(findings: &mut Vec<Diagnostic>) -> Self {
        let parts = findings.iter().filter_map(FixPart::new).collect();
        let left_out = findings.iter().map(|findings| findings.left_out_fixes).sum();
        let grouped = group_by_cause(findings.clone());
        limit_findings(findings);
        Self {
            candidates: grouped.iter().filter_map(FixCandidate::new).collect(),
            parts,
            seen: SeenFindings::new(&grouped),
            left_out,
        }
    }
}

/// Repeatedly applies the certain fixes of the findings that `find` returns, in the sources that `may_change` accepts.
/// A fix is rejected if it causes another finding in its field or makes more of a source unreadable.
pub fn fix_all<F: AsMut<Vec<Diagnostic>>>(
    sources: &Sources,
    may_change: impl Fn(&Source) -> bool,
    find: impl Fn(&Sources) -> F,
) -> FixResult<F> {
    let mut result = FixResult::new(sources, find(sources));
    result.untried += result.run(may_change, |_| true, WorkLimit::to_fix(sources), find);
    result
}

/// Tries the certain fixes of listed findings. Returns the findings, and marks fixes that did not work as likely rather
/// than certain.
pub fn try_fixes(
    sources: &Sources,
    mut findings: Vec<Diagnostic>,
    find: impl Fn(&Sources) -> Vec<Diagnostic>,
) -> TriedFixes {
    if !findings.iter().any(Diagnostic::has_certain_fix) {
        return TriedFixes { findings, untried: 0 };
    }
    let requested_fixes: HashSet<_> = group_by_cause(findings.clone()).iter().filter_map(candidate::fix_key).collect();
    let may_try = |candidate: &FixCandidate| requested_fixes.contains(&candidate.fix_key);
    let mut result = FixResult::new(sources, findings.clone());
    result.run(|_| true, may_try, WorkLimit::to_try(sources), find);
    result.demote_rejected(&mut findings);
    let untried = result.untried;
    TriedFixes { findings, untried }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Edit};
    use crate::source::Span;

    fn sources(texts: &[&str]) -> (Sources, Vec<SourceId>) {
        let mut sources = Sources::default();
        let ids = texts.iter().map(|text| sources.add(Source::new("x.yaml", *text, true)));
        let ids = ids.collect();
        (sources, ids)
    }

    /// Returns a finding for each `x`, with a fix that replaces it with `y`. The finding's field contains the index of
    /// the source and the offset.
    fn findings_for_each_x(sources: &Sources) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for (number, (id, source)) in sources.iter().enumerate() {
            for (at, _) in source.text.match_indices('x') {
                let span = Span::new(id, at, at + 1);
                let fix = Fix::certain("make it `y`", vec![Edit::replace(span, "y")]);
                let finding = Diagnostic::new(Code::UnknownField, "x").label(span, "");
                findings.push(finding.path(format!("a.{number}.{at}")).fix_if(Some(fix)));
            }
        }
        findings
    }

    fn texts(fixed: &FixResult) -> Vec<&str> {
        fixed.sources.iter().map(|(_, source)| source.text.as_str()).collect()
    }

    #[test]
    fn applies_all_safe_fixes() {
        let (before, ids) = sources(&["axbx", "c", "x"]);
        let fixed = fix_all(&before, |_| true, findings_for_each_x);
        assert_eq!((texts(&fixed), fixed.count), (vec!["ayby", "c", "y"], 3));
        let changed: Vec<_> = fixed.changes(&before).map(|(id, ..)| id).collect();
        assert_eq!(changed, [ids[0], ids[2]]);
        assert!(fixed.kept.is_empty());
        let fixed = fix_all(&before, |source| source.text.len() > 1, findings_for_each_x);
        assert_eq!((texts(&fixed), fixed.count), (vec!["ayby", "c", "x"], 2));
        assert_eq!(fixed.kept, BTreeSet::from([ids[2]]));
    }

    #[test]
    fn rejects_fixes_that_cause_findings_in_their_field() {
        // Fixing the second of two fields causes a finding.
        let find = |sources: &Sources| {
            let mut findings = findings_for_each_x(sources);
            let text = &sources.iter().next().unwrap().1.text;
            if text.get(3..4) == Some("y") {
                findings.push(Diagnostic::new(Code::DuplicateItem, "y").path("a.0.3"));
            }
            findings
        };
        let (before, _) = sources(&["axbx"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((texts(&fixed), fixed.count), (vec!["aybx"], 1));
        let mut findings = findings_for_each_x(&before);
        fixed.demote_rejected(&mut findings);
        let certain: Vec<_> = findings.iter().map(|finding| finding.fix.as_ref().unwrap().is_certain()).collect();
        assert_eq!(certain, [true, false]);
        let result = try_fixes(&before, findings_for_each_x(&before), find);
        assert_eq!((result.findings, result.untried), (findings, 0));
    }

    #[test]
    fn rejects_fixes_that_make_a_source_unreadable() {
        // Two consecutive `y` make the source unreadable.
        let find = |sources: &Sources| {
            let mut findings = findings_for_each_x(sources);
            for (id, source) in sources.iter() {
                let start = source.text.find("yy");
                findings.extend(
                    start.map(|at| Diagnostic::new(Code::YamlSyntax, "yy").label(Span::new(id, at, at + 1), "")),
                );
            }
            findings
        };
        let (before, _) = sources(&["xxbx"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((texts(&fixed), fixed.count), (vec!["yxby"], 2));
    }

    /// Tests a large input with four fixes, two of which become possible only after other fixes.
    #[test]
    fn counts_untried_fixes() {
        let find = |sources: &Sources| {
            let text = &sources.iter().next().unwrap().1.text;
            let depth = text.matches('y').count();
            let mut findings = findings_for_each_x(sources);
            // Each fix reveals the next finding, in a different mapping.
            findings.truncate(1);
            findings.iter_mut().for_each(|findings| findings.path = Some(format!("a.{depth}.b")));
            assert!(depth + findings.len() <= 4);
            findings
        };
        let (before, _) = sources(&[&format!("axbxcxdx{}", "#".repeat(1 << 20))]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((fixed.count, fixed.untried), (2, 1));
        assert_eq!(&texts(&fixed)[0][..8], "aybycxdx");
        let small_result = fix_all(&sources(&["axbxcxdx"]).0, |_| true, find);
        assert_eq!((small_result.count, small_result.untried), (4, 0));
        // Listed fixes are tried in a single batch.
        let rounds = std::cell::Cell::new(0);
        let result = try_fixes(&before, findings_for_each_x(&before), |sources| {
            rounds.set(rounds.get() + 1);
            findings_for_each_x(sources)
        });
        assert_eq!((result.untried, rounds.get()), (0, 1));
        assert!(result.findings.iter().all(Diagnostic::has_certain_fix));
    }

    /// Tests that a wrong fix in one source does not prevent fixes in other sources, even if they are large.
    #[test]
    fn skips_sources_that_become_unreadable() {
        let find = |sources: &Sources| {
            let mut findings = findings_for_each_x(sources);
            for (id, source) in sources.iter() {
                let start = source.text.find("yy");
                let unreadable = |at| Diagnostic::new(Code::YamlSyntax, "yy").label(Span::new(id, at, at + 1), "");
                findings.extend(start.map(unreadable));
            }
            findings
        };
        let large_text = format!("xxbx{}", "#".repeat(1 << 20));
        let (before, _) = sources(&[&large_text, "axb"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((fixed.count, fixed.untried), (1, 3));
        assert_eq!((&texts(&fixed)[0][..4], texts(&fixed)[1]), ("xxbx", "ayb"));
    }
}
