//! What targets share to write the scrape jobs of thousands of monitors fast: jobs are made and written several at a time, in
//! parallel, and a relabelling rule that a job has in common with the one before is copied from there.

use std::borrow::Cow;
use std::ops::Range;
use std::{mem, ptr};

use rayon::prelude::*;

use crate::plan::{Labels, RelabelRule};

/// How many scrape jobs are made at a time, before they are written.
const BATCH: usize = 256;

/// How many of them one thread writes at a time. A configuration of fewer is written by the thread that works on its agent:
/// where there are many, all threads have work already.
const SHARE: usize = 128;

/// Makes the jobs, lets threads `write` shares of them, and passes on each share in turn with what was written of it.
pub(super) fn each_share<J: Sync, T: Send>(
    mut jobs: impl Iterator<Item = J>,
    write: impl Fn(&[J]) -> T + Sync,
    mut pass: impl FnMut(&[J], T),
) {
    loop {
        let batch: Vec<_> = jobs.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        let written: Vec<_> = batch.par_chunks(SHARE).map(&write).collect();
        batch
            .chunks(SHARE)
            .zip(written)
            .for_each(|(share, written)| pass(share, written));
    }
}

/// Number of rules of the job before among which the next one is looked for.
const AHEAD: usize = 3;

/// The rules of jobs in a text, one behind the other.
#[derive(Default)]
pub(super) struct Rules<'j> {
    /// The rules of the job before, and where they are in the text.
    before: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
    /// Of these, the one behind the last one that this job has, too.
    next: usize,
    /// The rules of this job.
    own: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
}

impl<'j> Rules<'j> {
    /// Appends a rule to the text, which `write` does unless the job before has it.
    pub(super) fn append(&mut self, text: &mut String, rule: &'j RelabelRule<'j>, write: impl FnOnce(&mut String)) {
        let start = text.len();
        let mut ahead = self.before.iter().enumerate().skip(self.next).take(AHEAD);
        match ahead.find(|(_, (before, _))| is_written_as(before, rule)) {
            Some((place, (_, written))) => {
                self.next = place + 1;
                text.extend_from_within(written.clone());
            }
            None => write(text),
        }
        self.own.push((rule, start..text.len()));
    }

    /// Ends a job: the next rule is one of another.
    pub(super) fn end_job(&mut self) {
        mem::swap(&mut self.before, &mut self.own);
        self.own.clear();
        self.next = 0;
    }
}

/// Whether rules have the same text; it does not show where a rule comes from.
fn is_written_as(a: &RelabelRule<'_>, b: &RelabelRule<'_>) -> bool {
    let RelabelRule {
        source_labels,
        separator,
        regex,
        modulus,
        target_label,
        replacement,
        action,
        origin: _,
    } = a;
    let same_text = |a: &Option<Cow<'_, str>>, b: &Option<Cow<'_, str>>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    same_text(target_label, &b.target_label)
        && same_text(replacement, &b.replacement)
        && same_text(regex, &b.regex)
        && match (source_labels, &b.source_labels) {
            (Labels::Listed(a), Labels::Listed(b)) => ptr::eq(*a, *b) || a == b,
            (a, b) => a == b,
        }
        && same(action, b.action)
        && same(separator, b.separator)
        && *modulus == b.modulus
}

/// Whether texts are equal. Most are one constant, and comparing it with itself can be very slow: where it lies at the end of
/// a page of memory whose next one nobody has read, glibc's `memcmp` with AVX-512 takes 160 ns.
fn same(a: &str, b: &str) -> bool {
    ptr::eq(a, b) || a == b
}
