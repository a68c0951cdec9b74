//! Random changes to YAML that keep it close to valid YAML. They affect whole lines, blocks and values as well as
//! single bytes.
//!
//! The same seed always produces the same change. The fuzz targets also use this file.

/// A reproducible random number generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    /// Returns one of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Tokens that have a special meaning in at least one compilation stage.
const TOKENS: &[&str] = &[
    "~",
    "null",
    "true",
    "yes",
    "0",
    "-1",
    "1e400",
    ".inf",
    ".nan",
    "0x7fffffffffffffff",
    "9223372036854775808",
    "010",
    "1_000",
    "190:20:30",
    "2001-12-14",
    "<<",
    "=",
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    ",",
    "-",
    "?",
    ":",
    "? ",
    ": ",
    "- ",
    "&a ",
    "*a",
    "!!str ",
    "!!binary ",
    "!!set ",
    "!x ",
    "|",
    "|+",
    "|2-",
    ">",
    ">-\n",
    "'",
    "\"",
    "\"\\ud800\"",
    "\\x00",
    "#",
    " #",
    "%YAML 1.1\n",
    "%TAG ! x:\n",
    "---",
    "...",
    "\n---\n",
    "\t",
    "\r",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "é",
    "𝄞",
    "$1",
    "${A}",
    "$(A)",
    "(",
    "(?i)",
    "[a-",
    "a{9999}",
    "\\d",
    "1s",
    "1h30m",
    "1e9h",
    "15",
    "10m",
    "-1Gi",
    "1e9999",
    "0.0000000001",
    "Secret",
    "ConfigMap",
    "ServiceMonitor",
    "PodMonitor",
    "Probe",
    "PodLogs",
    "GrafanaAgent",
    "MetricsInstance",
    "LogsInstance",
    "Integration",
    "List",
    "In",
    "NotIn",
    "Exists",
    "DoesNotExist",
    "http://[::1",
    "https://a:b@c/d?e#f",
    "2147483648",
    "-2147483649",
    "name",
    "metadata:",
    "spec:",
    "*",
    "/",
    "../..",
    "a/b/c",
];

/// Applies one to four changes to `text`. Some of them copy lines from `other`.
pub fn mutate(text: &str, other: &str, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let other_lines: Vec<&str> = other.split_inclusive('\n').collect();
    let times = 1 + random.below(4);
    for _ in 0..times {
        change_lines(&mut lines, &other_lines, random);
    }
    let mut bytes = lines.concat().into_bytes();
    if random.below(4) == 0 {
        change_bytes(&mut bytes, random);
    }
    bytes
}

fn change_lines(lines: &mut Vec<String>, other_lines: &[&str], random: &mut Random) {
    if lines.is_empty() {
        lines.extend(other_lines.iter().map(|&line| line.to_owned()));
        return;
    }
    let at = random.below(lines.len());
    match random.below(16) {
        0 => drop(lines.remove(at)),
        1 => {
            let range = block(lines, at);
            lines.drain(range);
        }
        2 => {
            let copy = lines[at].clone();
            insert(lines, vec![copy], random);
        }
        3 => {
            let copy = lines[block(lines, at)].to_vec();
            insert(lines, copy, random);
        }
        4 => {
            let with = random.below(lines.len());
            lines.swap(at, with);
        }
        5 => {
            let range = block(lines, at);
            let moved: Vec<_> = lines.drain(range).collect();
            insert(lines, moved, random);
        }
        6 => reindent(lines, at, random),
        7 | 8 => splice(lines, at, other_lines, random),
        9 => lines.truncate(at + 1),
        10 => repeat(lines, at, random),
        11 => lines[at] = nest(&lines[at], random),
        12 => rename_key(&mut lines[at], other_lines, random),
        _ => replace_value(&mut lines[at], other_lines, random),
    }
}

/// Returns the indexes of a line and of the more deeply indented lines that follow it.
fn block<L: AsRef<str>>(lines: &[L], at: usize) -> std::ops::Range<usize> {
    let own_indent = indent(lines[at].as_ref());
    let deeper_lines = lines[at + 1..].iter().take_while(|line| indent(line.as_ref()) > own_indent);
    at..at + 1 + deeper_lines.count()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn insert(lines: &mut Vec<String>, block: Vec<String>, random: &mut Random) {
    let at = random.below(lines.len() + 1);
    lines.splice(at..at, block);
}

fn reindent(lines: &mut [String], at: usize, random: &mut Random) {
    let width = 1 + random.below(4);
    let is_outward = random.below(2) == 0;
    let range = block(lines, at);
    for line in &mut lines[range] {
        if is_outward {
            line.insert_str(0, &" ".repeat(width));
        } else {
            line.drain(..width.min(indent(line)));
        }
    }
}

/// Inserts a block from `other_lines` before the line at `at`, and indents it like that line.
fn splice(lines: &mut Vec<String>, at: usize, other_lines: &[&str], random: &mut Random) {
    if other_lines.is_empty() {
        return;
    }
    let range = block(other_lines, random.below(other_lines.len()));
    let (from, to) = (indent(other_lines[range.start]), indent(&lines[at]));
    let moved: Vec<_> = other_lines[range]
        .iter()
        .map(|line| format!("{}{}", " ".repeat(to), &line[from.min(indent(line))..]))
        .collect();
    lines.splice(at..at, moved);
}

fn repeat(lines: &mut Vec<String>, at: usize, random: &mut Random) {
    let copy = lines[at].clone();
    let times = 1 + random.below(300);
    let indent_step = random.below(2);
    let copies = (0..times).map(|i| format!("{}{copy}", " ".repeat(i * indent_step)));
    lines.splice(at..at, copies);
}

/// Wraps the value of a line in up to 512 brackets.
fn nest(line: &str, random: &mut Random) -> String {
    let (key, value) = split(line);
    let level_count = 1 << random.below(10);
    let (open, close) = random.pick(&[("[", "]"), ("{a: ", "}"), ("- ", "")]);
    let close = if random.below(8) == 0 { "" } else { close };
    format!("{key}{}{}{}\n", open.repeat(level_count), value.trim_end(), close.repeat(level_count))
}

fn rename_key(line: &mut String, other_lines: &[&str], random: &mut Random) {
    let name = if other_lines.is_empty() || random.below(3) == 0 {
        format!("{}: ", random.pick(TOKENS))
    } else {
        split(random.pick(other_lines)).0.trim_start().to_owned()
    };
    let value = split(line).1;
    *line = format!("{}{name}{value}", " ".repeat(indent(line)));
}

fn replace_value(line: &mut String, other_lines: &[&str], random: &mut Random) {
    let value = match random.below(3) {
        0 if !other_lines.is_empty() => split(random.pick(other_lines)).1.trim_end(),
        _ => random.pick(TOKENS),
    };
    let (key, old_value) = split(line);
    let old_value = old_value.trim_end();
    *line = match random.below(4) {
        0 => format!("{key}{old_value}{value}\n"),
        1 => format!("{key}{value}{old_value}\n"),
        _ => format!("{key}{value}\n"),
    };
}

/// Splits a line into its key (including the colon and space) and its value.
fn split(line: &str) -> (&str, &str) {
    match line.find(": ") {
        Some(colon) => line.split_at(colon + 2),
        None => line.split_at(line.trim_end().len()),
    }
}

fn change_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.below(256) as u8,
        2 => drop(bytes.drain(at..(at + 1 + random.below(8)).min(bytes.len()))),
        3 => bytes.truncate(at),
        _ => {
            bytes.splice(at..at, random.pick(TOKENS).bytes());
        }
    }
}
