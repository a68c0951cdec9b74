//! Where the scrape jobs of a configuration begin and end, as the operator writes it.

use std::collections::HashMap;
use std::iter;
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
    /// How many chunks have a name, while they are cut.
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
        let (mut start, mut end, mut rest) = (0, 0, text);
        // What is behind the name of a job: where it starts, and that of the last job as far as it was not passed.
        let (mut body, mut last) = (0, "");
        let kind_of = |kind: Kind, job: &str| match kind {
            Kind::Job if is_masked && !is_name_of_monitor(job) => Kind::Secret,
            kind => kind,
        };
        loop {
            if !job.is_empty() {
                pass_known(&mut rest, &mut last);
                end = text.len() - rest.len();
            }
            let line;
            (line, rest) = split_line(rest);
            if line.is_empty() {
                break;
            }
            let indent = line.bytes().take_while(|byte| *byte == b' ').count();
            if !has_one_line(line, indent) {
                return None;
            }
            let found = |starts: [&str; 2]| {
                starts
                    .iter()
                    .find_map(|start| line.strip_prefix(start))
                    .map(str::trim_end)
            };
            let starts_job = is_in_list && line.starts_with(JOB);
            if starts_job || indent == 0 || (indent < 12 && kind == Kind::Job) || line.starts_with(INSTANCE) {
                chunks.push(start..end, kind_of(kind, job), (instance, job));
                if !job.is_empty() {
                    last = text.get(body..end).unwrap_or_default();
                }
                (start, job) = (end, "");
                kind = if starts_job { Kind::Job } else { Kind::Outline };
            }
            end += line.len();
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
                12 | 14 if kind == Kind::Job && job.is_empty() => {
                    job = found(JOB_NAMES).unwrap_or_default();
                    body = end;
                }
                _ => {}
            }
        }
        chunks.push(start..end, kind_of(kind, job), (instance, job));
        chunks.names = HashMap::new();
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
        // A comment belongs to the component below it.
        let mut comment = None;
        for line in whole_lines(text) {
            if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
                let next = comment.unwrap_or(end);
                chunks.push(start..next, kind, ("", ""));
                (kind, start) = (Kind::Job, next);
            }
            comment = line.starts_with(COMMENT).then_some(end);
            end += line.len();
        }
        chunks.push(start..end, kind, ("", ""));
        chunks.names = HashMap::new();
        chunks
    }

    /// Adds a chunk. One that has no name is known by its first line that is not a comment.
    fn push(&mut self, bytes: Range<usize>, kind: Kind, (instance, name): (&'t str, &'t str)) {
        if bytes.is_empty() {
            return;
        }
        let mut lines = self.text(&bytes).lines().filter(|line| !line.starts_with(COMMENT));
        let mut first = || lines.next().unwrap_or_default();
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
        part(self.text, bytes)
    }
}

/// What a comment of Alloy begins with.
const COMMENT: &str = "//";

/// Some bytes of a configuration.
pub(super) fn part<'t>(text: &'t str, bytes: &Range<usize>) -> &'t str {
    text.get(bytes.clone()).unwrap_or_default()
}

/// Whether a line, which has so many blanks in front, is surely the whole of a key with its value, of a key, or of an item: no
/// part of a longer text, and nothing that has a meaning elsewhere, as an anchor has. A comment can follow the header of a text
/// of several lines.
fn has_one_line(line: &str, indent: usize) -> bool {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let start = line.get(indent..).unwrap_or_default();
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
    // Of so few bytes the number fits into one, and the compiler adds up many at a time.
    let breaks = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    let breaks: usize = text
        .as_bytes()
        .chunks(240)
        .map(|bytes| usize::from(breaks(bytes)))
        .sum();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// The lines of a text, each with its break.
pub(super) fn whole_lines(mut text: &str) -> impl Iterator<Item = &str> {
    iter::from_fn(move || {
        let line = split_line(text).0;
        text = text.get(line.len()..)?;
        (!line.is_empty()).then_some(line)
    })
}

/// Those that another text does not have at the same places.
pub(super) fn new_lines<'t>(mut text: &'t str, mut known: &'t str) -> impl Iterator<Item = &'t str> {
    iter::from_fn(move || {
        pass_known(&mut text, &mut known);
        let line = split_line(text).0;
        text = text.get(line.len()..)?;
        (!line.is_empty()).then_some(line)
    })
}

/// Goes on with a text behind the lines that `known` begins with, too; and with that behind the next line, which differs.
fn pass_known<'t>(text: &mut &'t str, known: &mut &'t str) {
    let same = line_start(text, common(text.as_bytes(), known.as_bytes()));
    *text = text.get(same..).unwrap_or_default();
    *known = split_line(known.get(same..).unwrap_or_default()).1;
}

/// The first line of a text with its break, and what is behind it. A word at a time: most lines are short, and to set up a search
/// takes longer.
fn split_line(text: &str) -> (&str, &str) {
    const EACH: u64 = u64::MAX / 255;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    // The lowest byte of which the highest bit is set is a line break.
    let breaks = words.iter().map(|word| {
        let word = u64::from_le_bytes(*word) ^ (EACH * u64::from(b'\n'));
        word.wrapping_sub(EACH) & !word & (EACH << 7)
    });
    let in_words = breaks.zip(0..).find(|(breaks, _)| *breaks != 0);
    let in_words = in_words.map(|(breaks, word)| 8 * word + breaks.trailing_zeros() as usize / 8);
    let in_rest = || Some(8 * words.len() + rest.iter().position(|byte| *byte == b'\n')?);
    let end = in_words.or_else(in_rest).map_or(text.len(), |end| end + 1);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Number of bytes at which both begin alike.
pub(super) fn common(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0);
    let same = 16 * blocks.take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default());
    same + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Where the line of a byte starts.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}
