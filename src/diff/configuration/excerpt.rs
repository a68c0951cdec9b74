//! Parts of a configuration that are read and shown as a text of their own.

use std::ops::Range;

use super::chunks::{Chunks, Kind, whole_lines};

/// How a field of a job begins, and an item of a list in one.
const FIELD: &str = "              ";
const ITEM: &str = "                - ";

/// Fields that decide what else of a job is secret.
const NAMES: [&str; 4] = ["job_name: ", "name: ", "targetLabel: ", "target_label: "];

/// In the place of the jobs of a list, so that there is a line where the list is secret as a whole.
const JOBS: &str = "            - {}\n";

/// Some whole lines of a configuration, with as much around them as it takes to read them.
#[derive(Default)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The bytes at which stretches of it start: in the configuration, and in the text.
    starts: Vec<(usize, usize)>,
}

impl Excerpt {
    /// A configuration without its jobs.
    pub(super) fn without_jobs(chunks: &Chunks<'_>) -> Self {
        let mut excerpt = Self::default();
        let mut is_in_jobs = false;
        for chunk in &chunks.all {
            let is_job = chunk.kind != Kind::Outline;
            match is_job {
                true if is_in_jobs => {}
                true => excerpt.push(chunk.bytes.start, JOBS),
                false => excerpt.push(chunk.bytes.start, chunks.text(&chunk.bytes)),
            }
            is_in_jobs = is_job;
        }
        excerpt
    }

    /// The job at some bytes of a configuration, with these bytes of it, which are whole lines in their order: with some of its
    /// fields, and in their lists some of the items. Nothing where no byte is wanted.
    pub(super) fn of_job(configuration: &str, job: &Range<usize>, wanted: &[&Range<usize>]) -> Self {
        let mut excerpt = Self::default();
        if wanted.iter().all(|bytes| bytes.is_empty()) {
            return excerpt;
        }
        let text = |bytes: &Range<usize>| configuration.get(bytes.clone()).unwrap_or_default();
        if let [all] = wanted
            && *all == job
        {
            excerpt.push(job.start, text(job));
            return excerpt;
        }
        let mut field = None;
        for part in parts(text(job), job.start) {
            let next = wanted.partition_point(|bytes| bytes.end <= part.bytes.start);
            let has_wanted = wanted.get(next).is_some_and(|bytes| bytes.start < part.bytes.end);
            let is_wanted = part.bytes.start == job.start || part.is_name || has_wanted;
            let mut push = |bytes: &Range<usize>| excerpt.push(bytes.start, text(bytes));
            match part.is_item {
                false => field = Some(part.bytes.clone()).filter(|_| !is_wanted),
                true if is_wanted => field.take().iter().for_each(&mut push),
                true => {}
            }
            if is_wanted {
                push(&part.bytes);
            }
        }
        excerpt
    }

    fn push(&mut self, start: usize, text: &str) {
        self.starts.push((start, self.text.len()));
        self.text.push_str(text);
    }

    /// The excerpt as it is shown: as a text that has the same lines.
    pub(super) fn shown(self, text: String) -> Shown {
        Shown {
            starts: self.starts,
            lines: line_ends(&self.text),
            shown_lines: line_ends(&text),
            text,
        }
    }
}

/// An excerpt as it is shown.
pub(super) struct Shown {
    starts: Vec<(usize, usize)>,
    /// Where the lines of the excerpt end, and those of the text.
    lines: Vec<usize>,
    shown_lines: Vec<usize>,
    text: String,
}

impl Shown {
    /// Some whole lines of the configuration, which are in the excerpt.
    pub(super) fn lines(&self, bytes: &Range<usize>) -> String {
        let next = self.starts.partition_point(|(start, _)| *start <= bytes.start);
        let stretch = next.checked_sub(1).and_then(|last| self.starts.get(last));
        let start = stretch.map_or(0, |(start, here)| here + bytes.start - start);
        let at = |byte: usize| {
            let lines = self.lines.partition_point(|end| *end <= byte);
            let last = lines.checked_sub(1).and_then(|last| self.shown_lines.get(last));
            last.copied().unwrap_or_default()
        };
        let text = self.text.get(at(start)..at(start + bytes.len()));
        text.unwrap_or_default().to_owned()
    }
}

/// Where the lines of a text end.
fn line_ends(text: &str) -> Vec<usize> {
    whole_lines(text)
        .scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        })
        .collect()
}

/// A field of a job up to the end of the first item in it, or another item.
struct Part {
    bytes: Range<usize>,
    is_item: bool,
    is_name: bool,
}

/// The parts of a job that starts at a byte.
fn parts(job: &str, job_start: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut has_item, mut end) = (false, job_start);
    for line in whole_lines(job) {
        let start = end;
        end += line.len();
        let field = line
            .get(FIELD.len()..)
            .filter(|field| start == job_start || !field.starts_with(' '));
        let is_item = line.starts_with(ITEM);
        match parts.last_mut() {
            Some(part) if field.is_none() && !(is_item && has_item) => part.bytes.end = end,
            _ => parts.push(Part {
                bytes: start..end,
                is_item: field.is_none(),
                is_name: field.is_some_and(|field| NAMES.iter().any(|name| field.starts_with(name))),
            }),
        }
        has_item = is_item || (field.is_none() && has_item);
    }
    parts
}
