//! Where the jobs of a configuration begin and end.

use std::ops::Range;

/// The line of a list of scrape jobs, and how each of its items begins, as the operator writes them.
const LIST: &str = "          scrape_configs:";
const ITEM: &str = "            - ";

/// How a relabelling rule of a job begins.
pub(super) const RULE: &str = "                - ";

/// What all placeholders for the same on both sides have.
const SAME: &str = "serviceMonitor/-/-/";

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
    /// The line in the place of items of this kind that are the same on both sides.
    pub(super) fn placeholder(self, kind: Kind, number: usize) -> String {
        let before = match (self, kind) {
            (Language::Alloy, _) => "// ",
            (Language::Agent, Kind::Instance) => "        - name: ",
            (Language::Agent, Kind::Rule) => RULE,
            (Language::Agent, Kind::Job | Kind::Outline) => "            - job_name: ",
        };
        format!("{before}{SAME}{number}\n")
    }

    /// Whether such a line is in a text.
    pub(super) fn has_placeholder(text: &str) -> bool {
        text.contains(SAME)
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
        // Its number is last, which few other lines have.
        (line.ends_with(|c: char| c.is_ascii_digit()) && Self::has_placeholder(line))
            || [MORE_JOBS_SHOWN, MORE_COMPONENTS_SHOWN]
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

/// What a part of a configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole instance of metrics or logs.
    Instance,
    /// A scrape job, or a component of Alloy.
    Job,
    /// A relabelling rule of a job.
    Rule,
    /// What is between the others.
    Outline,
}

/// The jobs of a configuration, and what is between them.
pub(super) struct Chunks<'t> {
    language: Language,
    text: &'t str,
    /// Where each ends.
    ends: Vec<usize>,
    kinds: Vec<Kind>,
}

impl<'t> Chunks<'t> {
    /// `None` where it is not sure where a job ends. The instances at these bytes are not taken apart.
    pub(super) fn of(language: Language, text: &'t str, whole: &[Range<usize>]) -> Option<Self> {
        let mut chunks = Self {
            language,
            text,
            ends: Vec::new(),
            kinds: Vec::new(),
        };
        match language {
            Language::Agent => chunks.add_items(whole)?,
            Language::Alloy => chunks.add_blocks(),
        }
        Some(chunks)
    }

    fn add_items(&mut self, whole: &[Range<usize>]) -> Option<()> {
        let (mut is_in_list, mut kind, mut end) = (false, Kind::Outline, 0);
        let mut whole = whole.iter().peekable();
        for line in self.text.split_inclusive('\n') {
            if !has_one_line(line) {
                return None;
            }
            if whole.next_if(|instance| instance.end == end).is_some() {
                self.push(end, Kind::Instance);
                (is_in_list, kind) = (false, Kind::Outline);
            }
            let is_in_item = line.starts_with("            ");
            match whole.peek() {
                Some(instance) if instance.start == end => {
                    self.push(end, kind);
                    kind = Kind::Instance;
                }
                _ => {}
            }
            if kind != Kind::Instance {
                let starts_job = is_in_list && line.starts_with(ITEM);
                if starts_job || (kind == Kind::Job && !is_in_item) {
                    self.push(end, kind);
                    kind = if starts_job { Kind::Job } else { Kind::Outline };
                }
                if !is_in_item {
                    is_in_list = line.trim_end() == LIST;
                }
            }
            end += line.len();
        }
        self.push(end, kind);
        Some(())
    }

    /// A block goes up to the next one. Where a text of several lines looks like the start of one, nothing is lost: the parts
    /// of a block are compared like blocks.
    fn add_blocks(&mut self) {
        let (mut kind, mut end) = (Kind::Outline, 0);
        for line in self.text.split_inclusive('\n') {
            if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
                self.push(end, kind);
                kind = Kind::Job;
            }
            end += line.len();
        }
        self.push(end, kind);
    }

    fn push(&mut self, end: usize, kind: Kind) {
        self.ends.push(end);
        self.kinds.push(kind);
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

    pub(super) fn kind(&self, chunk: usize) -> Kind {
        self.kinds.get(chunk).copied().unwrap_or(Kind::Outline)
    }

    pub(super) fn is_job(&self, chunk: usize) -> bool {
        self.kind(chunk) == Kind::Job
    }

    /// Whether it is an item of a list, which can be left out.
    pub(super) fn is_item(&self, chunk: usize) -> bool {
        self.kind(chunk) != Kind::Outline
    }
}

/// Whether a line is surely the whole of a key with its value, of a key, or of an item: no part of a longer text, and nothing
/// that has a meaning elsewhere, as an anchor has. A comment can follow the header of a text of several lines.
fn has_one_line(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    let start = line.trim_start_matches(' ');
    let has_value = || start.as_bytes().windows(2).any(|pair| pair == b": ");
    let is_entry = start.is_empty() || start.starts_with("- ") || line.ends_with(':') || has_value();
    // Most lines; the compiler makes vector instructions of a look at all bytes.
    let has_mark = |seen: bool, byte: &u8| {
        seen | matches!(
            byte,
            b'\'' | b'"' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\r' | 0x80..
        )
    };
    if !start.as_bytes().iter().fold(false, has_mark) {
        return is_entry;
    }
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
