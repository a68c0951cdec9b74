//! From a line of the configuration to the input, and back.

use super::SourceMap;
use super::entry::Entry;
use crate::api::ObjectRef;

/// Something in the input that parts of a configuration may come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// A line of a file.
    Line {
        /// The file.
        file: &'a str,
        /// The line.
        line: u32,
        /// What is meant where no field of such a part is around the line.
        otherwise: Vec<Lines<'a>>,
    },
    /// A resource.
    Resource(ObjectRef<'a>),
    /// A field of a resource that refers to a Secret or ConfigMap.
    Reference(ObjectRef<'a>, String),
}

impl<'d> SourceMap<'d> {
    /// What a line of the configuration comes from: the innermost part that the line belongs to.
    pub fn at_line(&self, line: u32) -> Option<&Entry<'d>> {
        let mut inner_first = self.entries.iter().rev();
        inner_first.find(|entry| (entry.config.line..=entry.config.end_line).contains(&line))
    }

    /// What comes from these lines of the input, without what is part of another such part. Of a line, that is what comes
    /// from a field that starts there; or else from the smallest field around it.
    pub fn made_from(&self, lines: &[Lines<'_>]) -> Vec<&Entry<'d>> {
        let mut numbers: Vec<_> = lines.iter().flat_map(|lines| self.numbers(lines)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        outermost(numbers.into_iter().filter_map(|number| self.entries.get(number)))
    }

    /// The numbers of the entries that come from there.
    fn numbers(&self, lines: &Lines<'_>) -> Vec<usize> {
        match lines {
            Lines::Line { file, line, otherwise } => match self.of_line(file, *line) {
                found if found.is_empty() => otherwise.iter().flat_map(|lines| self.numbers(lines)).collect(),
                found => found,
            },
            Lines::Resource(object) => self.matching(|entry| entry.source.resource == *object),
            Lines::Reference(object, path) => {
                let path = [".secret", ".configMap"]
                    .into_iter()
                    .find_map(|end| path.strip_suffix(end))
                    .unwrap_or(path);
                self.matching(|entry| entry.source.resource == *object && entry.source.path == path)
            }
        }
    }

    fn of_line(&self, file: &str, line: u32) -> Vec<usize> {
        let is_around =
            |entry: &Entry<'d>| entry.source.file == file && entry.source.is_set && entry.source.contains(line);
        let starts = self.matching(|entry| is_around(entry) && entry.source.line == line);
        if !starts.is_empty() {
            return starts;
        }
        let size = |entry: &Entry<'d>| entry.source.end_line - entry.source.line;
        let smallest = self.entries.iter().filter(|entry| is_around(entry)).map(size).min();
        self.matching(|entry| is_around(entry) && Some(size(entry)) == smallest)
    }

    fn matching(&self, matches: impl Fn(&Entry<'d>) -> bool) -> Vec<usize> {
        let numbered = self.entries.iter().enumerate();
        numbered
            .filter(|(_, entry)| matches(entry))
            .map(|(number, _)| number)
            .collect()
    }
}

/// Entries that are not part of one in front of them.
fn outermost<'e, 'd>(entries: impl IntoIterator<Item = &'e Entry<'d>>) -> Vec<&'e Entry<'d>> {
    let mut found: Vec<&Entry<'d>> = Vec::new();
    for entry in entries {
        let is_inside = found
            .last()
            .is_some_and(|last| is_inside(&entry.config.path, &last.config.path));
        if !is_inside {
            found.push(entry);
        }
    }
    found
}

fn is_inside(path: &str, around: &str) -> bool {
    let rest = path.strip_prefix(around);
    rest.is_some_and(|rest| around.is_empty() || rest.starts_with(['.', '[']))
}
