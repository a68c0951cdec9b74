//! From a line of the configuration to the input, and back.

use std::collections::HashSet;

use super::field::InputPlace;
use super::map::SourceMap;
use super::traced::{Entry, Traced};
use crate::api::ObjectRef;

/// Something in the input that parts of a configuration may come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// A line of a file.
    Line {
        file: &'a str,
        line: u32,
        /// What is meant where no field of such a part is around the line.
        otherwise: Vec<Lines<'a>>,
    },
    Resource(ObjectRef<'a>),
    /// A field of a resource that refers to a Secret or ConfigMap.
    Reference(ObjectRef<'a>, String),
}

impl<'d> SourceMap<'_, 'd> {
    /// What a line of the configuration comes from: the innermost part that the line belongs to.
    pub fn at_line(&self, line: u32) -> Option<Entry<'d>> {
        let mut innermost = None;
        let last = || self.lines();
        self.each_part(&mut |part| {
            if part.line <= line && line <= part.end_line(&last) {
                innermost = part.entry(&last);
            }
        });
        innermost
    }

    /// What comes from these lines of the input, without what is part of another such part. Of a line, that is what comes
    /// from a field that starts there; or else from the smallest field around it.
    pub fn made_from(&self, lines: &[Lines<'_>]) -> Vec<Entry<'d>> {
        let mut query = Query::of(lines);
        self.each_part(&mut |part| query.visit(part, &|| self.lines()));
        query.answer()
    }
}

/// What is asked for, and what was found of it, each with its place among all parts. It sees all parts in their order.
#[derive(Default)]
pub struct Query<'a, 'd> {
    /// Number of parts seen so far.
    seen: usize,
    resources: HashSet<ObjectRef<'a>>,
    references: HashSet<(ObjectRef<'a>, &'a str)>,
    lines: Vec<LineQuery<'a, 'd>>,
    found: Vec<(usize, Entry<'d>)>,
}

/// A line that is asked for.
struct LineQuery<'a, 'd> {
    file: &'a str,
    line: u32,
    around: Vec<(usize, Entry<'d>)>,
    otherwise: Query<'a, 'd>,
}

impl<'a, 'd> Query<'a, 'd> {
    /// A query for what comes from these lines, as [`SourceMap::made_from`] says.
    pub fn of(lines: &'a [Lines<'_>]) -> Self {
        let mut query = Self::default();
        for lines in lines {
            match lines {
                Lines::Line { file, line, otherwise } => query.lines.push(LineQuery {
                    file,
                    line: *line,
                    around: Vec::new(),
                    otherwise: Self::of(otherwise),
                }),
                Lines::Resource(object) => drop(query.resources.insert(*object)),
                Lines::Reference(object, path) => {
                    let mut ends = [".secret", ".configMap"].into_iter();
                    let path = ends.find_map(|end| path.strip_suffix(end)).unwrap_or(path);
                    query.references.insert((*object, path));
                }
            }
        }
        query
    }

    /// Takes note of the next part.
    pub fn visit(&mut self, part: &Traced<'_, 'd>, last: &dyn Fn() -> u32) {
        let number = self.seen;
        self.seen += 1;
        let object = part.field.object;
        let is_meant = || self.resources.contains(&object) || self.references.contains(&(object, &part.field.path));
        if is_meant() {
            self.found.extend(part.entry(last).map(|entry| (number, entry)));
        }
        for query in &mut self.lines {
            query.otherwise.visit(part, last);
            let lines = |source: &InputPlace<'_>| source.line..=source.end_line;
            let is_around = part.source().is_some_and(|source| {
                source.is_set && source.file == query.file && lines(source).contains(&query.line)
            });
            if is_around && let Some(entry) = part.entry(last) {
                query.around.push((number, entry));
            }
        }
    }

    /// What was found, without what is part of another such part.
    pub fn answer(self) -> Vec<Entry<'d>> {
        let mut found: Vec<_> = self.found().into_iter().map(|(_, entry)| entry).collect();
        // Each that is left begins behind the one before it.
        let mut end = 0;
        found.retain(|Entry { config, .. }| {
            let is_behind = config.line > end;
            end = if is_behind { config.end_line } else { end };
            is_behind
        });
        found
    }

    /// What was found, in order.
    fn found(self) -> Vec<(usize, Entry<'d>)> {
        let mut found = self.found;
        found.extend(self.lines.into_iter().flat_map(LineQuery::found));
        found.sort_by_key(|(number, _)| *number);
        found.dedup_by_key(|(number, _)| *number);
        found
    }
}

impl<'d> LineQuery<'_, 'd> {
    fn found(self) -> Vec<(usize, Entry<'d>)> {
        let (line, mut found) = (self.line, self.around);
        // What starts on the line is nearer than all that is around it.
        let size = |(_, entry): &(usize, Entry<'d>)| match entry.source.line == line {
            true => None,
            false => Some(entry.source.end_line - entry.source.line),
        };
        let Some(smallest) = found.iter().map(size).min() else {
            return self.otherwise.found();
        };
        found.retain(|found| size(found) == smallest);
        found
    }
}
