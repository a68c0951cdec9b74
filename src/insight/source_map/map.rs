//! One of an agent's configurations, its text first of all.

use super::traced::Traced;
use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::catalogue::Catalogue;
use crate::plan::{Part, Plan};
use crate::printable::printable;
use crate::resolve::Hierarchy;
use crate::secrecy::{self, Judge, MASK, each_secret, masked_alloy};
use crate::source::Sources;
use crate::target::agent::{self, Configuration, Section, append_job};
use crate::target::{Target, alloy};
use crate::yaml::{self, Style, Value};

/// One of an agent's configurations, and where its parts come from.
pub struct SourceMap<'m, 'd> {
    pub(super) plan: Plan<'d>,
    pub(super) part: Part,
    pub(super) catalogue: &'m Catalogue<'m, 'd>,
    pub(super) sources: &'d Sources,
    form: Form,
}

/// What the configuration is.
#[derive(Clone, Copy)]
enum Form {
    /// `agent.yml`.
    Agent,
    /// `config.alloy`, and whether credentials have files of their own.
    Alloy(bool),
}

impl<'m, 'd> SourceMap<'m, 'd> {
    /// The map of a configuration of a hierarchy, whose resources stand in `sources`, for a target.
    pub fn new(
        hierarchy: &'d Hierarchy<'d, 'd>,
        part: Part,
        catalogue: &'m Catalogue<'m, 'd>,
        sources: &'d Sources,
        target: &Target,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut plan = Plan::new(hierarchy, &[part], &mut diagnostics);
        let form = match target {
            Target::Agent => Form::Agent,
            Target::Alloy {
                has_files_of_credentials,
                ..
            } => {
                plan.take_credentials();
                Form::Alloy(*has_files_of_credentials)
            }
        };
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
        match self.form {
            Form::Agent => agent::write(&self.plan, self.part, pass),
            // `check` reports what Alloy lacks.
            Form::Alloy(has_files) => drop(alloy::write(&self.plan, self.part, has_files, pass)),
        }
    }

    /// Passes on the same with its secret values masked as `diff` masks them, and says whether there are any. A value that
    /// takes several lines takes as many when it is masked, so that each part is on the same lines in both texts.
    pub fn each_masked_text(&self, pass: &mut dyn FnMut(&str)) -> bool {
        match self.form {
            Form::Agent => self.each_masked_text_of_agent(pass),
            Form::Alloy(_) => {
                let mut text = String::new();
                self.each_text(&mut |piece| text.push_str(piece));
                // Of what cannot be read, it is not known what is secret.
                let masked = masked_alloy(&text).unwrap_or_else(|| format!("{MASK}\n").repeat(text.lines().count()));
                pass(&masked);
                masked != text
            }
        }
    }

    /// Passes on each part whose origin is known, and each field of it that the resource has a field for: those around
    /// others in front of them.
    pub fn each_part(&self, pass: &mut dyn FnMut(&Traced<'_, 'd>)) {
        match self.form {
            Form::Agent => self.each_part_of_agent(pass),
            Form::Alloy(has_files) => self.each_part_of_alloy(has_files, pass),
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

    fn each_masked_text_of_agent(&self, pass: &mut dyn FnMut(&str)) -> bool {
        let configuration = Configuration::new(&self.plan, self.part);
        let mut hides = false;
        let mut hide = |value: &mut Value<'_>| {
            let masked = mask(value);
            hides |= *value != masked;
            *value = masked;
        };
        // What comes from a Secret is masked as a whole, whatever it looks like.
        let mut outline = configuration.value(&mask);
        each_secret(&mut outline, secrecy::Form::Configuration, &mut |_, value| hide(value));
        let mut judge = Judge::new(secrecy::Form::ScrapeJob);
        let mut lines = String::new();
        configuration.each_section(&outline, &mut |section| match section {
            Section::Outline(text) => pass(text),
            Section::Job(from, mut job) => {
                match from {
                    Some(_) => judge.each_secret(&mut job, &mut |_, value| hide(value)),
                    None => hide(&mut job),
                }
                lines.clear();
                append_job(&mut lines, &job);
                pass(&lines);
            }
        });
        hides || self.has_additional_logs()
    }

    /// Whether there are scrape configurations of logs that come from a Secret.
    fn has_additional_logs(&self) -> bool {
        let additional = self.plan.logs.iter().filter(|_| self.part == Part::Logs);
        let mut additional = additional.filter_map(|instance| instance.additional.as_ref()?.jobs.as_ref());
        additional.any(|jobs| !jobs.is_empty())
    }
}

/// What takes several lines is a literal, which has its indicator on a line of its own.
fn mask(value: &Value<'_>) -> Value<'static> {
    match yaml::write(value, Style::V3).lines().count() {
        0 | 1 => Value::from(MASK),
        lines => Value::from(format!("{MASK}\n").repeat(lines - 1)),
    }
}

/// How many lines end in a text.
pub(super) fn count(text: &str) -> u32 {
    let breaks = text.bytes().filter(|&byte| byte == b'\n').count();
    u32::try_from(breaks).unwrap_or(u32::MAX)
}

/// Comments in the order of their lines.
#[derive(Default)]
struct Comments {
    text: String,
    /// The line after each comment, and the end of its text.
    ends: Vec<(u32, usize)>,
}

impl SourceMap<'_, '_> {
    /// Passes on the configuration with a comment in front of each part, on a line of its own and as far indented: where the
    /// part comes from. In a list, a comment holds for the items behind it too, up to the next one. With `show_secrets` it is
    /// that of [`SourceMap::each_text`], otherwise that of [`SourceMap::each_masked_text`]; it says whether secrets are
    /// hidden.
    ///
    /// What a parser reads from it stays the same.
    pub fn each_commented_text(&self, show_secrets: bool, pass: &mut dyn FnMut(&str)) -> bool {
        let comments = self.comments();
        let mut ends = comments.ends.iter().peekable();
        let (mut number, mut written, mut out) = (0, 0, String::new());
        let mut comment = |text: &str| {
            out.clear();
            for line in text.split_inclusive('\n') {
                number += 1;
                while let Some((_, end)) = ends.next_if(|(before, _)| *before == number) {
                    out.push_str(comments.text.get(written..*end).unwrap_or_default());
                    written = *end;
                }
                out.push_str(line);
            }
            pass(&out);
        };
        if show_secrets {
            self.each_text(&mut comment);
            return false;
        }
        self.each_masked_text(&mut comment)
    }

    /// The comments by line, those of parts around others in front.
    fn comments(&self) -> Comments {
        let mut comments = Comments::default();
        let (indent, mark) = self.comment_style();
        self.each_part(&mut |part| {
            if let (true, Some(source)) = (part.is_news, part.source()) {
                let Comments { text, ends } = &mut comments;
                text.extend(std::iter::repeat_n(indent, part.indent));
                text.extend([mark, &printable(&source.to_string()), "\n"]);
                ends.push((part.line, text.len()));
            }
        });
        comments
    }
}
