//! Collection of the findings about a resource.

use std::collections::HashMap;

use crate::diagnostic::bound::{CountedFindings, Fixes, MAX_FIXES, MAX_LISTED};
use crate::diagnostic::{Code, Diagnostic, Severity};

/// Findings about a resource. For each code, only the first findings are created and the rest are counted, because a
/// list can contain half a million mistakes.
pub(super) struct ResourceFindings<'o> {
    out: &'o mut Vec<Diagnostic>,
    fixes: Fixes,
    created_by_code: HashMap<Code, usize>,
    /// Number of additional findings that may be created just for their fixes.
    remaining_for_fixes: usize,
    uncreated: CountedFindings,
}

impl<'o> ResourceFindings<'o> {
    /// Creates an empty collection that appends to `out`.
    pub(super) fn new(out: &'o mut Vec<Diagnostic>, fixes: Fixes) -> Self {
        Self {
            out,
            fixes,
            created_by_code: HashMap::new(),
            remaining_for_fixes: MAX_FIXES,
            uncreated: CountedFindings::default(),
        }
    }

    /// Adds a finding. The finding is created only if it would be listed, or if fixes are requested and it may have a
    /// fix.
    pub(super) fn add(&mut self, code: Code, make: impl FnOnce() -> Diagnostic) {
        if self.must_create(code, code.severity()) {
            self.push(make());
        }
    }

    /// Adds findings that have already been created.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            self.add(finding.code, || finding);
        }
    }

    /// Returns whether a finding must be created and passed to [`ResourceFindings::push`]. If not, it is counted.
    pub(super) fn must_create(&mut self, code: Code, severity: Severity) -> bool {
        let must_create =
            self.is_listed(code) || self.fixes == Fixes::All && self.remaining_for_fixes > 0 && can_be_fixed(code);
        if !must_create {
            let may_be_fixed = self.fixes == Fixes::All && can_be_fixed(code);
            self.uncreated.count(code, severity, may_be_fixed);
        }
        must_create
    }

    /// Whether another finding with this code would be listed.
    pub(super) fn is_listed(&self, code: Code) -> bool {
        self.created_by_code.get(&code).is_none_or(|listed| *listed < MAX_LISTED)
    }

    /// Adds a finding for which `must_create` returned true.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        if self.is_listed(finding.code) {
            *self.created_by_code.entry(finding.code).or_default() += 1;
            self.out.push(finding);
        } else if finding.has_certain_fix() && self.remaining_for_fixes > 0 {
            self.remaining_for_fixes -= 1;
            self.out.push(finding);
        } else {
            self.uncreated.add(&finding);
        }
    }

    /// Returns the findings that have been created.
    pub(super) fn created_findings(&mut self) -> &mut [Diagnostic] {
        self.out
    }

    /// Adds a summary of the findings that were only counted.
    pub(super) fn finish(self) {
        self.out.extend(self.uncreated.findings());
    }
}

/// Whether findings with this code can have a safe fix.
fn can_be_fixed(code: Code) -> bool {
    matches!(
        code,
        Code::MisreadKey | Code::PatternMismatch | Code::UnknownField | Code::UnsupportedValue | Code::WrongType
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Edit, Fix};
    use crate::source::Span;
    use crate::testing;

    #[test]
    fn creates_only_listed_or_fixable_findings() {
        let id = testing::source_id();
        for (fixes, is_fixable, expected) in [
            (Fixes::Listed, true, [MAX_LISTED, MAX_LISTED + 1, 5, 0]),
            (Fixes::All, true, [MAX_LISTED + 5, MAX_LISTED + 5, 0, 0]),
            (Fixes::All, false, [MAX_LISTED + 5, MAX_LISTED + 1, 5, 0]),
        ] {
            let (mut out, mut made_count) = (Vec::new(), 0);
            let mut findings = ResourceFindings::new(&mut out, fixes);
            for number in 0..MAX_LISTED + 5 {
                findings.add(Code::WrongType, || {
                    made_count += 1;
                    let edit = Edit::replace(Span::new(id, number, number), "");
                    let fix = Fix::certain("t", vec![edit]);
                    Diagnostic::new(Code::WrongType, "m").fix_if(is_fixable.then_some(fix))
                });
            }
            findings.finish();
            let left_out_findings: usize = out.iter().map(|finding| finding.left_out).sum();
            let fixes: usize = out.iter().map(|finding| finding.left_out_fixes).sum();
            assert_eq!([made_count, out.len(), left_out_findings, fixes], expected);
        }
    }
}
