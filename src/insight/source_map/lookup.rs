//! From a line of the configuration to the input, and back.

use std::collections::HashSet;

use super::map::SourceMap;
use super::refine::InputPlace;
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
        self.each_part(&mut |part| {
            if part.line <= line && line <= part.end_line() {
                innermost = part.entry();
            }
        });
        innermost
    }

    /// What comes from these lines of the input, without what is part of another such part. Of a line, that is what comes
    /// from a field that starts there; or else from the smallest field around it.
    pub fn made_from(&self, lines: &[Lines<'_>]) -> Vec<Entry<'d>> {
        let mut query = Query::of(lines);
        self.each_part(&mut |part| query.visit(part));
        query.answer()
    }
}

/// What is asked for, and what was found of it. It sees all parts in their order.
#[derive(Default)]
pub struct Query<'a, 'd> {
    /// Number of parts seen so far.
    seen: usize,
    resources: HashSet<ObjectRef<'a>>,
    references: HashSet<(ObjectRef<'a>, &'a str)>,
    lines: Vec<LineQuery<'a, 'd>>,
    found: Vec<Found<'d>>,
    /// Up to this line of the configuration, all is part of what was found.
    end_line: u32,
}

/// A line that is asked for.
struct LineQuery<'a, 'd> {
    file: &'a str,
    line: u32,
    around: Vec<Found<'d>>,
    otherwise: Query<'a, 'd>,
}

/// A part, and its place among all parts.
struct Found<'d> {
    number: usize,
    entry: Entry<'d>,
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
    pub fn visit(&mut self, part: &Traced<'_, 'd>) {
        let number = self.seen;
        self.seen += 1;
        let object = part.field.object;
        let is_meant = || {
            self.resources.contains(&object)
                || (!self.references.is_empty() && self.references.contains(&(object, part.field.path.as_str())))
        };
        if part.line > self.end_line
            && is_meant()
            && let Some(entry) = part.entry()
        {
            self.end_line = part.end_line();
            self.found.push(Found { number, entry });
        }
        for query in &mut self.lines {
            query.visit(number, part);
        }
    }

    /// What was found, without what is part of another such part.
    pub fn answer(self) -> Vec<Entry<'d>> {
        outermost(self.found())
    }

    fn found(self) -> Vec<Found<'d>> {
        let mut found = self.found;
        for query in self.lines {
            found.extend(query.found());
        }
        found.sort_by_key(|found| found.number);
        found.dedup_by_key(|found| found.number);
        found
    }
}

impl<'d> LineQuery<'_, 'd> {
    fn visit(&mut self, number: usize, part: &Traced<'_, 'd>) {
        self.otherwise.visit(part);
        let is_around = |source: &InputPlace<'d>| source.is_set && source.contains(self.line);
        if part.file() == Some(self.file)
            && part.source().is_some_and(is_around)
            && let Some(entry) = part.entry()
        {
            self.around.push(Found { number, entry });
        }
    }

    fn found(self) -> Vec<Found<'d>> {
        let (line, mut found) = (self.line, self.around);
        let starts = |found: &Found<'d>| found.entry.source.line == line;
        if found.iter().any(starts) {
            found.retain(starts);
            return found;
        }
        let size = |found: &Found<'d>| found.entry.source.end_line - found.entry.source.line;
        let Some(smallest) = found.iter().map(size).min() else {
            return self.otherwise.found();
        };
        found.retain(|found| size(found) == smallest);
        found
    }
}

/// Parts that are not in one in front of them: each begins on a line of its own, behind the one before it.
fn outermost(found: Vec<Found<'_>>) -> Vec<Entry<'_>> {
    let mut outermost: Vec<Entry<'_>> = Vec::new();
    for Found { entry, .. } in found {
        let last = outermost.last().map_or(0, |last| last.config.end_line);
        if entry.config.line > last {
            outermost.push(entry);
        }
    }
    outermost
}
