//! Lookups from a line of the configuration to the input, and vice versa.

use std::collections::HashSet;

use super::map::SourceMap;
use super::traced::{Traced, TracedPart};
use crate::api::ObjectRef;

/// A location in the input that parts of a configuration may come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLines<'a> {
    /// Line in an input file.
    Line {
        file: &'a str,
        line: u32,
        /// Locations to use instead if no source field contains the line.
        otherwise: Vec<InputLines<'a>>,
    },
    Resource(ObjectRef<'a>),
    /// Resource field that refers to a Secret or ConfigMap.
    Reference(ObjectRef<'a>, String),
}

impl<'d> SourceMap<'_, 'd> {
    /// Returns the innermost part that contains a line of the configuration.
    pub fn part_at_line(&self, line: u32) -> Option<TracedPart<'d>> {
        let may_contain = |part: &Traced<'_, '_>| part.line() <= line && part.end_line().is_none_or(|end| end >= line);
        let contains_line = |entry: &TracedPart<'_>| (entry.config.line..=entry.config.end_line).contains(&line);
        let entries = self.entries_if(&mut |_, part| may_contain(part));
        entries.into_iter().rfind(contains_line)
    }

    /// Returns the outermost parts that come from the given locations in the input. For a line, these are the parts
    /// whose source field starts on that line or, if there are none, those that come from the smallest source field
    /// containing it.
    pub fn parts_made_from(&self, lines: &[InputLines<'_>]) -> Vec<TracedPart<'d>> {
        let mut query = Query::new(lines);
        let mut is_complete = false;
        let entries = self.entries_if(&mut |number, part| {
            let is_wanted = !is_complete && query.visit(number, part);
            // If the entire configuration is found, its parts are not shown.
            is_complete |= part.is_whole() && query.numbers.contains(&number);
            is_wanted
        });
        let mut matching_numbers = query.into_entries();
        matching_numbers.sort_unstable();
        matching_numbers.dedup();
        // Only parts that start after the end of the previous part are kept.
        let mut end = 0;
        let is_past_end = |TracedPart { config, .. }: &&TracedPart<'_>| {
            let is_behind = config.line > end;
            end = if is_behind { config.end_line } else { end };
            is_behind
        };
        let numbers = matching_numbers.into_iter().filter_map(|number| entries.get(number));
        numbers.filter(is_past_end).cloned().collect()
    }
}

/// Requested locations, and the indices of the matching entries.
#[derive(Default)]
struct Query<'a> {
    resources: HashSet<ObjectRef<'a>>,
    references: HashSet<(ObjectRef<'a>, &'a str)>,
    lines: Vec<LineQuery<'a>>,
    numbers: Vec<usize>,
}

/// Query for the entries that come from a line in the input.
struct LineQuery<'a> {
    file: &'a str,
    line: u32,
    /// Entries whose source field contains the line. Each has the size of the field (its number of lines after the
    /// first line, or 0 if it starts on the requested line) and the index of the entry.
    enclosing: Vec<(u32, usize)>,
    otherwise: Query<'a>,
}

impl<'a> Query<'a> {
    /// Creates the query for [`parts_made_from`].
    fn new(lines: &'a [InputLines<'_>]) -> Self {
        let mut query = Self::default();
        for lines in lines {
            match lines {
                InputLines::Line { file, line, otherwise } => query.lines.push(LineQuery {
                    file,
                    line: *line,
                    enclosing: Vec::new(),
                    otherwise: Self::new(otherwise),
                }),
                InputLines::Resource(object) => drop(query.resources.insert(*object)),
                InputLines::Reference(object, path) => {
                    let mut suffixes = [".secret", ".configMap"].into_iter();
                    let path = suffixes.find_map(|suffix| path.strip_suffix(suffix)).unwrap_or(path);
                    query.references.insert((*object, path));
                }
            }
        }
        query
    }

    /// Checks whether a part matches. If so, records the index of its entry.
    fn visit(&mut self, number: usize, part: &Traced<'_, '_>) -> bool {
        let (object, path) = (part.field.object, part.field.path.as_str());
        let mut matches = self.resources.contains(&object) || self.references.contains(&(object, path));
        if matches {
            self.numbers.push(number);
        }
        // Most queries are for resources and do not require line numbers.
        let source = if self.lines.is_empty() { None } else { part.source() };
        let Some(source) = source else {
            return matches;
        };
        for query in &mut self.lines {
            matches |= query.otherwise.visit(number, part);
            let lines = source.line..=source.end_line;
            if source.is_set && source.file == query.file && lines.contains(&query.line) {
                let is_first = source.line == query.line;
                let extra_lines = if is_first { 0 } else { source.end_line - source.line };
                query.enclosing.push((extra_lines, number));
                matches = true;
            }
        }
        matches
    }

    /// Returns the matching entries. For a line, these are the entries with the smallest source fields that contain it.
    fn into_entries(self) -> Vec<usize> {
        let mut numbers = self.numbers;
        for LineQuery { enclosing: enclosing_parts, otherwise: alternatives, .. } in self.lines {
            let smallest = enclosing_parts.iter().map(|(further, _)| further).min();
            let nearest_parts = enclosing_parts.iter().filter(|(further, _)| Some(further) == smallest);
            numbers.extend(nearest_parts.map(|(_, number)| number));
            if enclosing_parts.is_empty() {
                numbers.extend(alternatives.into_entries());
            }
        }
        numbers
    }
}
