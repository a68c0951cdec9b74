//! Scrape jobs that are the same on both sides, which are left out before configurations are read and compared: there may
//! be thousands, and one that differs.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use similar::TextDiff;

/// The line of a list of scrape jobs, and how each of its items begins, as the operator writes them.
const LIST: &str = "          scrape_configs:";
const ITEM: &str = "            - ";

/// The name of what stands for jobs that are left out, up to its number. No monitor has such a name.
const STAND_IN: &str = "job_name: serviceMonitor/-/-/";

/// Two configurations without what is the same in both.
pub(super) struct Reduced {
    pub(super) before: String,
    pub(super) after: String,
    pub(super) left_out: LeftOut,
}

/// Number of lines that each stand-in replaces; its index is the stand-in's number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut(Vec<usize>);

/// Leaves out jobs that are the same, if they are far enough away from a difference. `None` if there are none, or
/// where it is not sure where a job ends: with a text of several lines in one of the configurations.
pub(super) fn reduced(before: &str, after: &str, context: usize) -> Option<Reduced> {
    let name_is_taken = |text: &str| text.contains(STAND_IN);
    let (old, new) = (Chunks::of(before)?, Chunks::of(after)?);
    if name_is_taken(before) || name_is_taken(after) {
        return None;
    }
    let mut reduced = Reduced {
        before: String::new(),
        after: String::new(),
        left_out: LeftOut::default(),
    };
    let (mut old_end, mut new_end) = (0, 0);
    for run in runs(&old, &new) {
        let lines = |chunk: &usize| new.text(*chunk).matches('\n').count();
        let kept = |chunks: &mut dyn Iterator<Item = usize>| {
            let mut seen = 0;
            let is_near = |chunk: &usize| {
                let is_near = seen <= context;
                seen += lines(chunk);
                is_near
            };
            chunks.take_while(is_near).count()
        };
        let at_start = kept(&mut run.new.clone());
        let at_end = kept(&mut run.new.clone().rev());
        if at_start + at_end >= run.new.len() {
            continue;
        }
        let (first, last) = (run.new.start + at_start, run.new.end - at_end);
        let (old_first, old_last) = (run.old.start + at_start, run.old.end - at_end);
        reduced.before.push_str(old.lines(old_end..old_first));
        reduced.after.push_str(new.lines(new_end..first));
        (old_end, new_end) = (old_last, last);
        let stand_in = format!("{ITEM}{STAND_IN}{}\n", reduced.left_out.0.len());
        reduced.before.push_str(&stand_in);
        reduced.after.push_str(&stand_in);
        reduced.left_out.0.push((first..last).map(|chunk| lines(&chunk)).sum());
    }
    reduced.before.push_str(old.lines(old_end..old.ends.len()));
    reduced.after.push_str(new.lines(new_end..new.ends.len()));
    (!reduced.left_out.0.is_empty()).then_some(reduced)
}

/// Whether something that is left out would show among the differences of texts.
pub(super) fn is_in_difference(before: &str, after: &str, context: usize) -> bool {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff()
        .context_radius(context)
        .to_string()
        .contains(STAND_IN)
}

/// The jobs of a configuration, and what is between them.
struct Chunks<'t> {
    text: &'t str,
    /// Where each ends.
    ends: Vec<usize>,
    /// Which are jobs.
    are_jobs: Vec<bool>,
}

impl<'t> Chunks<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let mut chunks = Self {
            text,
            ends: Vec::new(),
            are_jobs: Vec::new(),
        };
        let (mut is_in_list, mut is_job, mut end) = (false, false, 0);
        for line in text.split_inclusive('\n') {
            if !has_one_line(line) {
                return None;
            }
            let is_in_item = line.starts_with("            ");
            let starts_job = is_in_list && line.starts_with(ITEM);
            if starts_job || (is_job && !is_in_item) {
                chunks.push(end, is_job);
                is_job = starts_job;
            }
            if !is_in_item {
                is_in_list = line.trim_end() == LIST;
            }
            end += line.len();
        }
        chunks.push(end, is_job);
        Some(chunks)
    }

    fn push(&mut self, end: usize, is_job: bool) {
        self.ends.push(end);
        self.are_jobs.push(is_job);
    }

    /// The text of some chunks.
    fn lines(&self, chunks: Range<usize>) -> &'t str {
        let end = |chunks: usize| {
            chunks
                .checked_sub(1)
                .and_then(|last| self.ends.get(last))
                .map_or(0, |&end| end)
        };
        self.text.get(end(chunks.start)..end(chunks.end)).unwrap_or_default()
    }

    fn text(&self, chunk: usize) -> &'t str {
        self.lines(chunk..chunk + 1)
    }

    fn is_job(&self, chunk: usize) -> bool {
        self.are_jobs.get(chunk) == Some(&true)
    }
}

/// Whether a line is surely the whole of a key with its value, of a key, or of an item: no part of a longer text, and nothing
/// that has a meaning elsewhere, as an anchor has. A comment can follow the header of a text of several lines.
fn has_one_line(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    let start = line.trim_start_matches(' ');
    let is_entry = start.is_empty() || start.starts_with("- ") || line.ends_with(':') || line.contains(": ");
    let is_even = |quote: u8| line.bytes().filter(|&byte| byte == quote).count() % 2 == 0;
    let last = line.rsplit(' ').next().unwrap_or_default();
    let has_sign = start.starts_with('#') || [" #", " &", " *", " !"].iter().any(|sign| line.contains(sign));
    let has_break = line.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}']);
    is_entry && !has_sign && !has_break && !last.starts_with(['|', '>']) && is_even(b'\'') && is_even(b'"')
}

/// Jobs that follow one another on both sides, and are the same.
struct Run {
    old: Range<usize>,
    new: Range<usize>,
}

fn runs(old: &Chunks<'_>, new: &Chunks<'_>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (old, new) in same(old, new) {
        match runs.last_mut() {
            Some(run) if run.old.end == old && run.new.end == new => (run.old.end, run.new.end) = (old + 1, new + 1),
            _ => runs.push(Run {
                old: old..old + 1,
                new: new..new + 1,
            }),
        }
    }
    runs
}

/// The numbers of jobs that are the same, in their order on both sides.
fn same(old: &Chunks<'_>, new: &Chunks<'_>) -> Vec<(usize, usize)> {
    let is_same = |a: usize, b: usize| old.is_job(a) && new.is_job(b) && old.text(a) == new.text(b);
    let (old_len, new_len) = (old.ends.len(), new.ends.len());
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut next = 0;
    for a in 0..old_len {
        // Mostly the same number, or the same from the end.
        let near = [next, (a + new_len).saturating_sub(old_len)];
        let near = near.into_iter().find(|&b| b >= next && b < new_len && is_same(a, b));
        let found_far = || {
            if !old.is_job(a) {
                return None;
            }
            if places.is_empty() {
                places.extend((0..new_len).filter(|&b| new.is_job(b)).map(|b| (new.text(b), b)));
            }
            let place = places.get(old.text(a)).copied();
            place.filter(|&b| b >= next && is_same(a, b))
        };
        if let Some(b) = near.or_else(found_far) {
            found.push((a, b));
            next = b + 1;
        }
    }
    found
}

impl LeftOut {
    /// A unified diff with the numbers that lines have in the whole texts.
    pub(super) fn renumbered(&self, diff: String, before: &str, after: &str) -> String {
        if self.0.is_empty() {
            return diff;
        }
        let places = |text: &str| -> Vec<usize> {
            let is_stand_in = |line: &str| line.strip_prefix(ITEM).is_some_and(|rest| rest.starts_with(STAND_IN));
            let lines = text.lines().enumerate().filter(|(_, line)| is_stand_in(line));
            lines.map(|(number, _)| number + 1).collect()
        };
        let (before, after) = (places(before), places(after));
        let mut out = String::with_capacity(diff.len() + 64);
        for line in diff.split_inclusive('\n') {
            let ranges = line
                .strip_prefix("@@ -")
                .and_then(|rest| rest.split_once(" @@")?.0.split_once(" +"));
            match ranges {
                Some((old, new)) => {
                    // Writing to a string cannot fail.
                    let _ = writeln!(out, "@@ -{} +{} @@", self.moved(old, &before), self.moved(new, &after));
                }
                None => out.push_str(line),
            }
        }
        out
    }

    /// A range of a header, with the lines that are left out in front of it.
    fn moved(&self, range: &str, places: &[usize]) -> String {
        let (start, length) = range
            .split_once(',')
            .map_or((range, None), |(start, length)| (start, Some(length)));
        let start: usize = start.parse().unwrap_or_default();
        let in_front = places.iter().zip(&self.0).take_while(|(place, _)| **place <= start);
        let start = start + in_front.map(|(_, lines)| lines - 1).sum::<usize>();
        length.map_or_else(|| start.to_string(), |length| format!("{start},{length}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(jobs: impl Iterator<Item = (usize, &'static str)>) -> String {
        let mut text = String::from("metrics:\n    configs:\n        - name: a\n          scrape_configs:\n");
        for (number, interval) in jobs {
            text += &format!(
                "            - job_name: serviceMonitor/a/{number}/0\n              scheme: http\n              scrape_interval: {interval}\n"
            );
        }
        text + "server: {}\n"
    }

    fn diff(before: &str, after: &str, context: usize) -> String {
        TextDiff::from_lines(before, after)
            .unified_diff()
            .context_radius(context)
            .header("a", "b")
            .to_string()
    }

    #[test]
    fn differences_stay_the_same() {
        let all = |changed: &'static [usize], gone: &'static [usize]| {
            let numbers = (0..60).filter(|number| !gone.contains(number));
            configuration(numbers.map(|number| (number, if changed.contains(&number) { "1m" } else { "30s" })))
        };
        let texts = [
            all(&[], &[]),
            all(&[30], &[]),
            all(&[0, 59], &[]),
            all(&[3, 4, 40], &[20]),
            all(&[], &[0, 1, 2]),
            all(&[10], &[30, 50, 59]),
            all(&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[25]),
        ];
        for (before, after) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            for context in [0, 1, 3, 10] {
                let Some(reduced) = reduced(before, after, context) else {
                    panic!("nothing is left out");
                };
                assert!(reduced.before.len() < before.len());
                let short = diff(&reduced.before, &reduced.after, context);
                let short = reduced.left_out.renumbered(short, &reduced.before, &reduced.after);
                assert_eq!(short, diff(before, after, context), "{context}");
            }
        }
    }

    #[test]
    fn a_text_of_several_lines_may_hold_anything() {
        let same = configuration((0..60).map(|number| (number, "30s")));
        for line in [
            "a: |",
            "a: >-",
            "a: | # b",
            "a: 'b",
            "a: \"b",
            "a: &b c",
            "a: *b",
            "a: !!str b",
            "# b: c",
            "a: b\r",
            "---",
            "continued",
        ] {
            let other = same.replace("- name: a\n", &format!("- name: a\n          {line}\n"));
            assert!(reduced(&same, &other, 3).is_none(), "{line}");
        }
    }
}
