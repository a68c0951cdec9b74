//! Text and entries for one of an agent's configurations.

use std::collections::VecDeque;
use std::fmt::Write;

use super::traced::{ConfigurationLines, Traced, TracedPart};
use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::catalog::Catalog;
use crate::output::{Target, agent, alloy};
use crate::plan::{ConfigKind, Plan, SecretRepresentation};
use crate::printable::printable;
use crate::resolve::Hierarchy;
use crate::source::Sources;

/// One of an agent's configurations, with the sources of its parts.
pub struct SourceMap<'m, 'd> {
    pub(super) plan: Plan<'d>,
    pub part: ConfigKind,
    pub(super) catalog: &'m Catalog<'m, 'd>,
    pub(super) sources: &'d Sources,
    target: Target,
}

impl<'m, 'd> SourceMap<'m, 'd> {
    /// Creates the source map for a configuration and an output target. The hierarchy's resources must come from
    /// `sources`.
    pub fn new(
        hierarchy: &'d Hierarchy<'d, 'd>,
        part: ConfigKind,
        catalog: &'m Catalog<'m, 'd>,
        sources: &'d Sources,
        target: &Target,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut plan = Plan::new(hierarchy, &[part], &mut diagnostics);
        match target {
            Target::Agent => {}
            Target::Alloy(settings) => {
                if let Err(finding) = alloy::spend_repetitions(&plan, &alloy::repetitions()) {
                    diagnostics.push(*finding);
                    plan.clear();
                }
                plan.take_credentials(settings.is_public);
            }
        }
        let output = Self { plan, part, catalog, sources, target: target.clone() };
        let diagnostics = distinct(diagnostics);
        Warned { output, diagnostics }
    }

    /// Passes the configuration to `pass`, several lines at a time. Returns whether any secret is masked. Masking does
    /// not change the number of lines of a value, so each part is on the same lines with and without masking.
    pub fn for_each_text(&self, secrets: SecretRepresentation, pass: &mut dyn FnMut(&str)) -> bool {
        match &self.target {
            Target::Agent => agent::write(&self.plan, self.part, secrets, pass).has_hidden,
            // Settings that Alloy does not support are ignored here, because `check` reports them.
            Target::Alloy(settings) => alloy::write(&self.plan, self.part, settings, secrets, pass).has_masked,
        }
    }

    /// Like [`Self::for_each_text`], but precedes each part with a comment that shows the part's source, on a separate
    /// line with the same indentation. In a list, a comment also applies to the items that follow, up to the next
    /// comment. The comments do not change the meaning of the configuration.
    pub fn for_each_commented_text(&self, secrets: SecretRepresentation, pass: &mut dyn FnMut(&str)) -> bool {
        let (indent, mark) = match &self.target {
            Target::Agent => (" ", "# "),
            Target::Alloy(_) => ("\t", "// "),
        };
        // Comments, each with the number of the line after it.
        let mut comments = VecDeque::new();
        let mut next_line = 1;
        self.for_each_event(secrets, secrets, &mut |passage| match passage {
            Event::Part(part) => {
                if let (true, Some(source)) = (part.needs_comment, part.source()) {
                    let mut source_text = String::with_capacity(LOCATION_CAPACITY);
                    let _ = write!(source_text, "{source}");
                    let comment = [&indent.repeat(part.indent()), mark, &printable(&source_text), "\n"].concat();
                    comments.push_back((part.line(), comment));
                }
            }
            Event::Lines(lines) => {
                let mut out = String::new();
                for line in lines.split_inclusive('\n') {
                    // The output is passed in chunks, because a job may have millions of lines.
                    if out.len() > CHUNK_SIZE {
                        pass(&out);
                        out.clear();
                    }
                    let due_comments = comments.iter().take_while(|(at, _)| *at <= next_line).count();
                    out.extend(comments.drain(..due_comments).map(|(_, comment)| comment));
                    out.push_str(line);
                    next_line += u32::from(line.ends_with('\n'));
                }
                pass(&out);
            }
            Event::End(_) => {}
        })
    }

    /// Returns the masked lines at each location, limited to `most` lines per location.
    pub fn masked_lines(&self, places: &[ConfigurationLines], most: u32) -> Vec<Vec<String>> {
        let mut lines = vec![Vec::<String>::new(); places.len()];
        let mut number = 1;
        let mut is_new = true;
        self.for_each_text(SecretRepresentation::Masked, &mut |text| {
            for piece in text.split_inclusive('\n') {
                for (line_range, lines) in places.iter().zip(&mut lines) {
                    if (line_range.line..=line_range.end_line.min(line_range.line + most - 1)).contains(&number) {
                        let piece = piece.trim_end_matches('\n');
                        match lines.last_mut().filter(|_| !is_new) {
                            Some(line) => line.push_str(piece),
                            None => lines.push(piece.to_owned()),
                        }
                    }
                }
                is_new = piece.ends_with('\n');
                number += u32::from(is_new);
            }
        });
        lines
    }

    /// Returns the parts whose source is known, each followed by its nested parts, including copied fields that
    /// correspond to a resource field.
    pub fn entries(&self) -> Vec<TracedPart<'d>> {
        self.entries_if(&mut |_, _| true)
    }

    /// Like [`Self::entries`], but returns only the parts for which `is_wanted` returns true. `is_wanted` receives each
    /// part along with the index that its entry would have.
    pub(super) fn entries_if(&self, is_wanted: &mut dyn FnMut(usize, &Traced<'_, 'd>) -> bool) -> Vec<TracedPart<'d>> {
        let (mut entries, mut open_parts) = (Vec::new(), VecDeque::new());
        // The lines are not shown, so secrets in the jobs need not be detected.
        self.for_each_event(SecretRepresentation::Masked, SecretRepresentation::Values, &mut |passage| match passage {
            Event::Part(part) => {
                let entry = is_wanted(entries.len(), part).then(|| part.entry()).flatten();
                if part.is_open {
                    open_parts.push_back(entry.as_ref().map(|_| entries.len()));
                }
                entries.extend(entry);
            }
            Event::Lines(_) => {}
            Event::End(line) => {
                let number: Option<usize> = open_parts.pop_front().flatten();
                if let Some(entry) = number.and_then(|number| entries.get_mut(number)) {
                    entry.config.end_line = line;
                }
            }
        });
        entries
    }

    fn for_each_event(
        &self,
        secrets: SecretRepresentation,
        in_jobs: SecretRepresentation,
        pass: &mut dyn FnMut(Event<'_, 'd>),
    ) -> bool {
        match &self.target {
            Target::Agent => self.for_each_agent_event(secrets, in_jobs, pass),
            Target::Alloy(settings) => self.for_each_alloy_event(settings, secrets, pass),
        }
    }
}

/// An event in the traversal of a configuration.
pub(super) enum Event<'t, 'd> {
    /// Start of a part, before its lines.
    Part(&'t Traced<'t, 'd>),
    /// Lines whose parts have all been passed.
    Lines(&'t str),
    /// Last line of the earliest part whose end is still open.
    End(u32),
}

/// Capacity in bytes that is sufficient for most locations.
const LOCATION_CAPACITY: usize = 128;

/// Approximate number of bytes to pass at a time.
const CHUNK_SIZE: usize = 1 << 16;
