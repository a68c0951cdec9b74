//! Rule violations in an object. For each code, only the first violations are kept.

use std::collections::{BTreeMap, HashMap};

use super::violation::Violation;
use crate::diagnostic::bound::MAX_LISTED;
use crate::diagnostic::{Code, made};

/// The violations in an object, and the number of violations above the limit.
#[derive(Default)]
pub struct ViolationList<'v> {
    violations: Vec<Violation<'v>>,
    by_code: HashMap<Code, usize>,
    /// Latest violation above the limit, which the rule that reported it may still modify.
    last_above_limit: Option<Violation<'v>>,
    omitted_counts: ViolationCounts,
}

/// Number of violations above the limit, by code and by whether they are warnings.
pub type ViolationCounts = BTreeMap<(Code, bool), usize>;

impl<'v> ViolationList<'v> {
    /// Returns the number of kept violations.
    pub fn len(&self) -> usize {
        self.violations.len()
    }

    /// Whether another violation with this code would be kept.
    pub fn is_below_limit(&self, code: Code) -> bool {
        self.by_code.get(&code).is_none_or(|kept| *kept < MAX_LISTED)
    }

    /// Adds a violation. If the limit for its code is reached, the violation is counted but not kept.
    pub fn add(&mut self, violation: Violation<'v>) -> &mut Violation<'v> {
        if self.is_below_limit(violation.code) {
            made::count();
            *self.by_code.entry(violation.code).or_default() += 1;
            self.violations.push(violation);
            let last = self.violations.len() - 1;
            #[allow(clippy::indexing_slicing, reason = "it was pushed")]
            return &mut self.violations[last];
        }
        self.count_excess();
        self.last_above_limit.insert(violation)
    }

    /// Adds the violations that another walk counted above the limit.
    pub fn add_omitted(&mut self, others: ViolationCounts) {
        for (key, count) in others {
            *self.omitted_counts.entry(key).or_default() += count;
        }
    }

    /// Returns the kept violations.
    pub fn iter(&self) -> impl Iterator<Item = &Violation<'v>> {
        self.violations.iter()
    }

    /// Returns the kept violations, starting at index `number`.
    pub fn iter_mut_from(&mut self, number: usize) -> impl Iterator<Item = &mut Violation<'v>> {
        self.violations.iter_mut().skip(number)
    }

    /// Returns the kept violations in the order they were found, and the number of other violations by code.
    pub fn into_parts(mut self) -> (Vec<Violation<'v>>, ViolationCounts) {
        self.count_excess();
        (self.violations, self.omitted_counts)
    }

    fn count_excess(&mut self) {
        if let Some(violation) = self.last_above_limit.take() {
            *self.omitted_counts.entry((violation.code, violation.is_warning)).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::violation::ProblemForm;

    fn violation(code: Code) -> Violation<'static> {
        Violation {
            code,
            path: Vec::new(),
            other: None,
            value: None,
            problem: String::new(),
            help: String::new(),
            is_warning: false,
            form: ProblemForm::Sentence,
            effect: "",
            is_key: false,
            key: None,
            labels: Vec::new(),
        }
    }

    #[test]
    fn counts_violations_beyond_the_limit() {
        let mut violations = ViolationList::default();
        for number in 0..MAX_LISTED + 3 {
            let violation = violations.add(violation(Code::InvalidUrl));
            // A rule may modify a violation after reporting it, even if the violation is above the limit.
            violation.is_warning = number > MAX_LISTED;
        }
        assert!(!violations.is_below_limit(Code::InvalidUrl) && violations.is_below_limit(Code::InvalidVolume));
        violations.add(violation(Code::InvalidVolume)).help = "a".to_owned();
        violations.add_omitted([((Code::InvalidVolume, false), 5)].into());
        assert_eq!(violations.iter_mut_from(MAX_LISTED).count(), 1);
        let (all, omitted_counts) = violations.into_parts();
        assert_eq!((all.len(), all[MAX_LISTED].help.as_str()), (MAX_LISTED + 1, "a"));
        let expected =
            [((Code::InvalidUrl, false), 1), ((Code::InvalidUrl, true), 2), ((Code::InvalidVolume, false), 5)];
        assert_eq!(omitted_counts, ViolationCounts::from(expected));
    }
}
