//! Fast output of the scrape jobs for thousands of monitors. Jobs are built and written in parallel batches, and
//! relabeling rules that also occur in the previous job are copied from its output.

use std::borrow::Cow;
use std::ops::Range;
use std::{mem, ptr};

use rayon::prelude::*;

use crate::plan::{Instance, LabelNames, RelabelRule, ScrapeJob};

/// Number of jobs that a thread builds and writes at a time. A batch of this size, including its lines, fits in the
/// processor's cache. A configuration with fewer jobs is written by the thread that handles its agent, because all
/// threads are already busy if there are many agents.
const JOBS_PER_SHARE: usize = 32;

/// Builds an instance's jobs and writes them with `write`, in batches on several threads. Passes each result to `pass`,
/// in order.
pub(super) fn for_each_share<'d, T: Send>(
    instance: Instance<'_, 'd>,
    write: impl Fn(Vec<ScrapeJob<'d>>) -> T + Sync,
    mut pass: impl FnMut(T),
) {
    let build = instance.builder();
    for_each_batch(instance.sources(), JOBS_PER_SHARE * rayon::current_num_threads(), |batch| {
        let shares = batch.par_chunks(JOBS_PER_SHARE);
        let written = shares.map(|share| write(share.iter().filter_map(|&source| build(source)).collect()));
        let written: Vec<_> = written.collect();
        written.into_iter().for_each(&mut pass);
    });
}

/// Calls `pass` with batches of `size` items.
fn for_each_batch<T>(mut items: impl Iterator<Item = T>, size: usize, mut pass: impl FnMut(&[T])) {
    loop {
        let batch: Vec<_> = items.by_ref().take(size).collect();
        if batch.is_empty() {
            break;
        }
        pass(&batch);
    }
}

/// Number of rules in the previous job to search for the next rule.
const MAX_RULES_AHEAD: usize = 3;

/// Relabeling rules that each job in a configuration shares with the previous job.
#[derive(Default)]
pub(super) struct SharedRules<'j> {
    /// Rules of the previous job, and their byte ranges.
    previous: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
    /// Index after the last rule in `previous` that the current job also contains.
    next: usize,
    /// Rules of the current job, and their byte ranges.
    current: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
}

impl<'j> SharedRules<'j> {
    /// Appends a rule. If the previous job also contains the rule, copies it. Otherwise, calls `write`.
    pub(super) fn append(&mut self, text: &mut String, rule: &'j RelabelRule<'j>, write: impl FnOnce(&mut String)) {
        let start = text.len();
        let mut ahead = self.previous.iter().enumerate().skip(self.next).take(MAX_RULES_AHEAD);
        match ahead.find(|(_, (previous_rule, _))| is_written_as(previous_rule, rule)) {
            Some((place, (_, written))) => {
                self.next = place + 1;
                text.extend_from_within(written.clone());
            }
            None => write(text),
        }
        self.current.push((rule, start..text.len()));
    }

    /// Ends a job. Subsequent rules belong to the next job.
    pub(super) fn end_job(&mut self) {
        mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        self.next = 0;
    }
}

/// Whether two rules have the same output, regardless of their origins.
fn is_written_as(a: &RelabelRule<'_>, b: &RelabelRule<'_>) -> bool {
    let RelabelRule { source_labels, separator, regex, modulus, target_label, replacement, action, origin: _ } = a;
    let same_text = |a: &Option<Cow<'_, str>>, b: &Option<Cow<'_, str>>| match (a, b) {
        (Some(a), Some(b)) => are_equal(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    same_text(target_label, &b.target_label)
        && same_text(replacement, &b.replacement)
        && same_text(regex, &b.regex)
        && match (source_labels, &b.source_labels) {
            (LabelNames::Listed(a), LabelNames::Listed(b)) => ptr::eq(*a, *b) || a == b,
            (a, b) => a == b,
        }
        && are_equal(action, b.action)
        && are_equal(separator, b.separator)
        && *modulus == b.modulus
}

/// Whether two strings are equal. Pointers are compared first, because most strings are the same constant, and
/// comparing a string with itself byte by byte can be slow. At the end of a page whose successor has not been read,
/// glibc's `memcmp` with AVX-512 takes 160 ns.
fn are_equal(a: &str, b: &str) -> bool {
    ptr::eq(a, b) || a == b
}
