//! Where the jobs of a configuration begin and end.

use std::ops::Range;

/// The line of a list of scrape jobs, and how each of its items begins, as the operator writes them.
const LIST: &str = "          scrape_configs:";
const ITEM: &str = "            - ";

/// Namespace of the monitors after which placeholders are named. No namespace is called so, but a text may hold it.
const NOWHERE: &str = "serviceMonitor/-/";

/// The placeholder for jobs that differ, up to their number.
const MORE_JOBS: &str = "            - job_name: serviceMonitor/-/more/";

/// The same line as it is shown, before and after its number.
const MORE_JOBS_SHOWN: &str = "            # … ";
const MORE_COMPONENTS_SHOWN: &str = "// … ";
const SHOWN_BY: &str = ", shown by diff --full";

/// What a configuration is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::diff) enum Language {
    /// `agent.yml`, whose jobs are the items of lists.
    #[default]
    Agent,
    /// `config.alloy`, whose components are blocks.
    Alloy,
}

impl Language {
    /// The placeholder for jobs that are the same on both sides, up to its number.
    pub(super) fn same_jobs(self) -> &'static str {
        match self {
            Language::Agent => "            - job_name: serviceMonitor/-/-/",
            Language::Alloy => "// serviceMonitor/-/-/",
        }
    }

    pub(super) fn placeholder(self, number: usize) -> String {
        format!("{}{number}\n", self.same_jobs())
    }

    /// The line in the place of so many jobs that differ, up to [`Language::tell`].
    pub(super) fn more(self, number: usize, side: &str) -> String {
        match self {
            Language::Agent => format!("{MORE_JOBS}{number}\n"),
            Language::Alloy => format!("{MORE_COMPONENTS_SHOWN}{number} more components differ ({side}){SHOWN_BY}\n"),
        }
    }

    /// A configuration in which such lines are for people. They differ on both sides, so that they always show. Until then each
    /// is an item like the others, whose name is not masked.
    pub(in crate::diff) fn tell(self, text: String, side: &str) -> String {
        if self == Language::Alloy || !text.contains(MORE_JOBS) {
            return text;
        }
        let line = |line: &str| match line.strip_prefix(MORE_JOBS) {
            Some(number) => format!("{MORE_JOBS_SHOWN}{number} more scrape jobs differ ({side}){SHOWN_BY}\n"),
            None => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    /// Whether a line is a placeholder.
    pub(super) fn is_placeholder(self, line: &str) -> bool {
        [self.same_jobs(), MORE_JOBS_SHOWN, MORE_COMPONENTS_SHOWN]
            .iter()
            .any(|start| line.starts_with(start))
    }

    /// Whether a text may have such lines of its own, which would look like jobs that were left out.
    pub(super) fn is_taken(self, text: &str) -> bool {
        [NOWHERE, MORE_JOBS_SHOWN, MORE_COMPONENTS_SHOWN]
            .iter()
            .any(|start| text.contains(start))
    }
}

/// The jobs of a configuration, and what is between them.
pub(super) struct Chunks<'t> {
    language: Language,
    text: &'t str,
    /// Where each ends.
    ends: Vec<usize>,
    /// Which are jobs.
    are_jobs: Vec<bool>,
}

impl<'t> Chunks<'t> {
    /// `None` where it is not sure where a job ends.
    pub(super) fn of(language: Language, text: &'t str) -> Option<Self> {
        let mut chunks = Self {
            language,
            text,
            ends: Vec::new(),
            are_jobs: Vec::new(),
        };
        match language {
            Language::Agent => chunks.add_items()?,
            Language::Alloy => chunks.add_blocks(),
        }
        Some(chunks)
    }

    fn add_items(&mut self) -> Option<()> {
        let (mut is_in_list, mut is_job, mut end) = (false, false, 0);
        for line in self.text.split_inclusive('\n') {
            if !has_one_line(line) {
                return None;
            }
            let is_in_item = line.starts_with("            ");
            let starts_job = is_in_list && line.starts_with(ITEM);
            if starts_job || (is_job && !is_in_item) {
                self.push(end, is_job);
                is_job = starts_job;
            }
            if !is_in_item {
                is_in_list = line.trim_end() == LIST;
            }
            end += line.len();
        }
        self.push(end, is_job);
        Some(())
    }

    /// A block goes up to the next one. Where a text of several lines looks like the start of one, nothing is lost: the parts
    /// of a block are compared like blocks.
    fn add_blocks(&mut self) {
        let (mut is_job, mut end) = (false, 0);
        for line in self.text.split_inclusive('\n') {
            if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
                self.push(end, is_job);
                is_job = true;
            }
            end += line.len();
        }
        self.push(end, is_job);
    }

    fn push(&mut self, end: usize, is_job: bool) {
        self.ends.push(end);
        self.are_jobs.push(is_job);
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Number of chunks.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of some chunks.
    pub(super) fn bytes(&self, chunks: Range<usize>) -> Range<usize> {
        let end = |chunks: usize| {
            let last = chunks.checked_sub(1).and_then(|last| self.ends.get(last));
            last.copied().unwrap_or_default()
        };
        end(chunks.start)..end(chunks.end)
    }

    fn slice(&self, chunks: Range<usize>) -> &'t str {
        self.text.get(self.bytes(chunks)).unwrap_or_default()
    }

    pub(super) fn text(&self, chunk: usize) -> &'t str {
        self.slice(chunk..chunk + 1)
    }

    /// Number of lines of some chunks.
    pub(super) fn lines(&self, chunks: Range<usize>) -> usize {
        self.slice(chunks).matches('\n').count()
    }

    /// The line by which a job is known.
    pub(super) fn name(&self, chunk: usize) -> &'t str {
        let mut lines = self.text(chunk).lines();
        match self.language {
            Language::Agent => lines.find(|line| line.contains(" job_name: ")),
            Language::Alloy => lines.next(),
        }
        .unwrap_or_default()
    }

    pub(super) fn is_job(&self, chunk: usize) -> bool {
        self.are_jobs.get(chunk) == Some(&true)
    }
}

/// Whether a line is surely the whole of a key with its value, of a key, or of an item: no part of a longer text, and nothing
/// that has a meaning elsewhere, as an anchor has. A comment can follow the header of a text of several lines.
fn has_one_line(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    let start = line.trim_start_matches(' ');
    let is_entry = start.is_empty() || start.starts_with("- ") || line.ends_with(':') || line.contains(": ");
    let (mut has_sign, mut is_ascii, mut quotes, mut before) = (false, true, [0, 0], b' ');
    for &byte in start.as_bytes() {
        match byte {
            b'\'' => quotes[0] += 1,
            b'"' => quotes[1] += 1,
            b'#' | b'&' | b'*' | b'!' => has_sign |= before == b' ',
            b'\r' => has_sign = true,
            _ => is_ascii &= byte.is_ascii(),
        }
        before = byte;
    }
    let is_even = quotes.iter().all(|count| count % 2 == 0);
    let last = line.rsplit(' ').next().unwrap_or_default();
    let has_break = !is_ascii && line.contains(['\u{85}', '\u{2028}', '\u{2029}']);
    is_entry && !has_sign && !has_break && !last.starts_with(['|', '>']) && is_even
}
