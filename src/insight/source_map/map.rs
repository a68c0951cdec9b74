//! One of an agent's configurations, its text first of all.

use std::collections::VecDeque;

use super::traced::{ConfigurationPlace, Traced};
use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::catalogue::Catalogue;
use crate::plan::{ConfigKind, Plan, Secrets};
use crate::printable::printable;
use crate::resolve::Hierarchy;
use crate::source::Sources;
use crate::target::Target;
use crate::target::agent;
use crate::target::alloy::{self, Writing};

/// One of an agent's configurations, and where its parts come from.
pub struct SourceMap<'m, 'd> {
    pub(super) plan: Plan<'d>,
    pub(super) part: ConfigKind,
    pub(super) catalogue: &'m Catalogue<'m, 'd>,
    pub(super) sources: &'d Sources,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    /// `agent.yml`.
    Agent,
    /// `config.alloy`.
    Alloy(Writing),
}

impl<'m, 'd> SourceMap<'m, 'd> {
    /// The map of a configuration of a hierarchy, whose resources stand in `sources`, for a target.
    pub fn new(
        hierarchy: &'d Hierarchy<'d, 'd>,
        part: ConfigKind,
        catalogue: &'m Catalogue<'m, 'd>,
        sources: &'d Sources,
        target: &Target,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut plan = Plan::new(hierarchy, &[part], &mut diagnostics);
        if let Target::Alloy { is_public, .. } = target {
            if alloy::repeated(&plan) > alloy::MAX_REPEATED {
                diagnostics.push(alloy::too_many_repeated(plan.agent));
                plan.clear();
            }
            plan.take_credentials(*is_public);
        }
        let form = target.writing(Secrets::Values).map_or(Form::Agent, Form::Alloy);
        let output = Self {
            plan,
            part,
            catalogue,
            sources,
            form,
        };
        let diagnostics = distinct(diagnostics);
        Warned { output, diagnostics }
    }

    /// Passes on the configuration as it is rendered, some lines at a time.
    pub fn each_text(&self, pass: &mut dyn FnMut(&str)) {
        self.write(Secrets::Values, pass);
    }

    /// Passes on the same with its secret values masked, and says whether there are any. A value that takes several lines takes as
    /// many when it is masked, so that each part is on the same lines in both texts.
    pub fn each_masked_text(&self, pass: &mut dyn FnMut(&str)) -> bool {
        self.write(Secrets::Masked, pass)
    }

    /// The lines of [`SourceMap::each_masked_text`] from each place on, so many at the most.
    pub fn masked_lines(&self, places: &[ConfigurationPlace], most: u32) -> Vec<Vec<String>> {
        let mut lines = vec![Vec::new(); places.len()];
        let (mut number, mut rest) = (1, String::new());
        let mut end = |number, line: &str| {
            for (place, lines) in places.iter().zip(&mut lines) {
                if (place.line..=place.end_line.min(place.line + most - 1)).contains(&number) {
                    lines.push(line.to_owned());
                }
            }
        };
        self.each_masked_text(&mut |text| {
            for line in text.split_inclusive('\n') {
                rest.push_str(line);
                if line.ends_with('\n') {
                    end(number, rest.trim_end_matches('\n'));
                    rest.clear();
                    number += 1;
                }
            }
        });
        if !rest.is_empty() {
            end(number, &rest);
        }
        lines
    }

    fn write(&self, secrets: Secrets, pass: &mut dyn FnMut(&str)) -> bool {
        match self.form {
            Form::Agent => agent::write(&self.plan, self.part, secrets, pass),
            // `check` reports what Alloy lacks.
            Form::Alloy(writing) => {
                let writing = Writing { secrets, ..writing };
                alloy::write(&self.plan, self.part, writing, pass).has_masked
            }
        }
    }

    /// Passes on each part whose origin is known, and each field of it that the resource has a field for: those around
    /// others in front of them.
    pub fn each_part(&self, pass: &mut dyn FnMut(&Traced<'_, 'd>)) {
        let mut pass = |passage: Passage<'_, 'd>| {
            if let Passage::Part(part) = passage {
                pass(part);
            }
        };
        self.each_passage(Secrets::Masked, &mut pass);
    }

    fn each_passage(&self, secrets: Secrets, pass: &mut dyn FnMut(Passage<'_, 'd>)) -> bool {
        match self.form {
            Form::Agent => self.each_passage_of_agent(secrets, pass),
            Form::Alloy(writing) => self.each_passage_of_alloy(Writing { secrets, ..writing }, pass),
        }
    }

    /// How many lines the configuration has.
    pub fn lines(&self) -> u32 {
        let mut lines = 0;
        self.each_text(&mut |text| lines += count(text));
        match self.form {
            // The last one is empty, and belongs to nothing.
            Form::Agent => lines - 1,
            Form::Alloy(_) => lines,
        }
    }

    /// What indents a comment, and what it begins with.
    fn comment_style(&self) -> (char, &'static str) {
        match self.form {
            Form::Agent => (' ', "# "),
            Form::Alloy(_) => ('\t', "// "),
        }
    }
}

/// What a walk over a configuration comes to.
pub(super) enum Passage<'t, 'd> {
    /// A part, before its lines.
    Part(&'t Traced<'t, 'd>),
    /// Lines whose parts all came before.
    Lines(&'t str),
}

/// How many lines end in a text.
pub(super) fn count(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// Number of bytes that are passed on at a time.
const AT_A_TIME: usize = 1 << 16;

/// Comments for the next lines.
#[derive(Default)]
struct Comments {
    /// Each with the line behind it.
    next: VecDeque<(u32, String)>,
    /// How many lines are written.
    lines: u32,
}

impl Comments {
    fn add(&mut self, part: &Traced<'_, '_>, indent: char, mark: &str) {
        if let (true, Some(source)) = (part.is_news, part.source()) {
            let mut text: String = std::iter::repeat_n(indent, part.indent).collect();
            text.extend([mark, &printable(&source.to_string()), "\n"]);
            self.next.push_back((part.line, text));
        }
    }

    /// Passes on the next lines with the comments in front of them, some of them at a time: a job may have millions.
    fn join(&mut self, lines: &str, pass: &mut dyn FnMut(&str)) {
        let mut out = String::new();
        for line in lines.split_inclusive('\n') {
            if out.len() > AT_A_TIME {
                pass(&out);
                out.clear();
            }
            let due = self.next.iter().take_while(|(at, _)| *at <= self.lines + 1).count();
            out.extend(self.next.drain(..due).map(|(_, comment)| comment));
            out.push_str(line);
            self.lines += count(line);
        }
        pass(&out);
    }
}

impl SourceMap<'_, '_> {
    /// Passes on the configuration with a comment in front of each part, on a line of its own and as far indented: where the
    /// part comes from. In a list, a comment holds for the items behind it too, up to the next one. With `show_secrets` it is
    /// that of [`SourceMap::each_text`], otherwise that of [`SourceMap::each_masked_text`]; it says whether secrets are
    /// hidden.
    ///
    /// What a parser reads from it stays the same.
    pub fn each_commented_text(&self, show_secrets: bool, pass: &mut dyn FnMut(&str)) -> bool {
        let mut comments = Comments::default();
        let (indent, mark) = self.comment_style();
        let mut comment = |passage: Passage<'_, '_>| match passage {
            Passage::Part(part) => comments.add(part, indent, mark),
            Passage::Lines(text) => comments.join(text, pass),
        };
        let secrets = match show_secrets {
            true => Secrets::Values,
            false => Secrets::Masked,
        };
        self.each_passage(secrets, &mut comment)
    }
}
