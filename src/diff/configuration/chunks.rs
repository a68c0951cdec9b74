//! Where the scrape jobs of a configuration begin and end, as the operator writes it.

use std::collections::HashMap;
use std::ops::Range;

use crate::secrecy::is_name_of_monitor;

/// The line of a list of scrape jobs, how each of them begins, and the line of its name.
const LIST: &str = "          scrape_configs:\n";
const JOB: &str = "            - ";
const JOB_NAMES: [&str; 2] = ["              job_name: ", "            - job_name: "];

/// The line of the instances of metrics or logs, how each of them begins, and the line of its name.
const INSTANCES: &str = "    configs:\n";
const INSTANCE: &str = "        - ";
const INSTANCE_NAMES: [&str; 2] = ["          name: ", "        - name: "];

/// What a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A scrape job, or a component of Alloy.
    Job,
    /// A scrape job that was made of a Secret, whose lines are one when it is masked.
    Secret,
    /// What is between them.
    Outline,
}

/// A part of a configuration, of whole lines.
#[derive(Debug)]
pub(super) struct Chunk<'t> {
    pub(super) bytes: Range<usize>,
    pub(super) kind: Kind,
    /// What it is known by: its instance, and its name or first line.
    pub(super) name: (&'t str, &'t str),
    /// Number of chunks in front of it that have the same name.
    pub(super) number: usize,
}

impl<'t> Chunk<'t> {
    /// What is different for each chunk of a configuration.
    pub(super) fn key(&self) -> (Kind, (&'t str, &'t str), usize) {
        (self.kind, self.name, self.number)
    }
}

/// The chunks of a configuration.
#[derive(Default)]
pub(super) struct Chunks<'t> {
    text: &'t str,
    pub(super) all: Vec<Chunk<'t>>,
    names: HashMap<(&'t str, &'t str), usize>,
}

impl<'t> Chunks<'t> {
    /// Those of `agent.yml`; `None` where it is not sure where a job ends. `is_masked` says whether its secrets are masked.
    pub(super) fn of_agent(text: &'t str, is_masked: bool) -> Option<Self> {
        let mut chunks = Self {
            text,
            ..Self::default()
        };
        let (mut kind, mut instance, mut job) = (Kind::Outline, "", "");
        let (mut has_instances, mut is_in_instances, mut is_in_list) = (false, false, false);
        let (mut start, mut end) = (0, 0);
        let kind_of = |kind: Kind, job: &str| match kind {
            Kind::Job if is_masked && !is_name_of_monitor(job) => Kind::Secret,
            kind => kind,
        };
        for line in text.split_inclusive('\n') {
            if !has_one_line(line) {
                return None;
            }
            let indent = line.len() - line.trim_start_matches(' ').len();
            let found = |starts: [&str; 2]| {
                starts
                    .iter()
                    .find_map(|start| line.strip_prefix(start))
                    .map(str::trim_end)
            };
            let starts_job = is_in_list && line.starts_with(JOB);
            if starts_job || indent == 0 || (indent < 12 && kind == Kind::Job) || line.starts_with(INSTANCE) {
                chunks.push(start..end, kind_of(kind, job), (instance, job));
                (start, job) = (end, "");
                kind = if starts_job { Kind::Job } else { Kind::Outline };
            }
            if indent < 12 {
                is_in_list = is_in_instances && line == LIST;
            }
            match indent {
                0 => {
                    has_instances = matches!(line, "metrics:\n" | "logs:\n");
                    (is_in_instances, instance) = (false, "");
                }
                4 => is_in_instances = has_instances && line == INSTANCES,
                8 | 10 => instance = found(INSTANCE_NAMES).unwrap_or(instance),
                12 | 14 if kind == Kind::Job && job.is_empty() => job = found(JOB_NAMES).unwrap_or_default(),
                _ => {}
            }
            end += line.len();
        }
        chunks.push(start..end, kind_of(kind, job), (instance, job));
        Some(chunks)
    }

    /// The components of `config.alloy`: a block goes up to the next one. Where a text of several lines looks like the start of
    /// one, nothing is lost: parts of a block are compared as blocks are.
    pub(super) fn of_alloy(text: &'t str) -> Self {
        let mut chunks = Self {
            text,
            ..Self::default()
        };
        let (mut kind, mut start, mut end) = (Kind::Outline, 0, 0);
        for line in text.split_inclusive('\n') {
            if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
                chunks.push(start..end, kind, ("", ""));
                (kind, start) = (Kind::Job, end);
            }
            end += line.len();
        }
        chunks.push(start..end, kind, ("", ""));
        chunks
    }

    /// Adds a chunk. One that has no name is known by its first line.
    fn push(&mut self, bytes: Range<usize>, kind: Kind, (instance, name): (&'t str, &'t str)) {
        if bytes.is_empty() {
            return;
        }
        let first = || self.text(&bytes).lines().next().unwrap_or_default();
        let name = (instance, if name.is_empty() { first() } else { name });
        let count = self.names.entry(name).or_default();
        let number = *count;
        *count += 1;
        self.all.push(Chunk {
            bytes,
            kind,
            name,
            number,
        });
    }

    /// Some bytes of the configuration.
    pub(super) fn text(&self, bytes: &Range<usize>) -> &'t str {
        self.text.get(bytes.clone()).unwrap_or_default()
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

/// Number of lines of a text.
pub(super) fn lines(text: &str) -> usize {
    let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}
