//! One of an agent's configurations, its text first of all.

use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::target::Catalogue;
use crate::plan::{Part, Plan};
use crate::resolve::Hierarchy;
use crate::secrecy::{Form, Judge, MASK, each_secret};
use crate::source::Sources;
use crate::target::agent::{Configuration, Section, append_job, write};
use crate::yaml::{self, Style, Value};

/// One of an agent's configurations, and where its parts come from.
pub struct SourceMap<'m, 'd> {
    pub(super) plan: Plan<'d>,
    pub(super) part: Part,
    pub(super) catalogue: &'m Catalogue<'m, 'd>,
    pub(super) sources: &'d Sources,
}

impl<'m, 'd> SourceMap<'m, 'd> {
    /// The map of a configuration of a hierarchy, whose resources stand in `sources`.
    pub fn new(
        hierarchy: &'d Hierarchy<'d, 'd>,
        part: Part,
        catalogue: &'m Catalogue<'m, 'd>,
        sources: &'d Sources,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let output = Self {
            plan: Plan::new(hierarchy, &[part], &mut diagnostics),
            part,
            catalogue,
            sources,
        };
        let diagnostics = distinct(diagnostics);
        Warned { output, diagnostics }
    }

    /// Passes on the configuration as it is rendered, `agent.yml`, some lines at a time.
    pub fn each_text(&self, pass: &mut dyn FnMut(&str)) {
        write(&self.plan, self.part, pass);
    }

    /// Passes on the same with its secret values masked as `diff` masks them, and says whether there are any. A value that
    /// takes several lines takes as many when it is masked, so that each part is on the same lines in both texts.
    pub fn each_masked_text(&self, pass: &mut dyn FnMut(&str)) -> bool {
        let configuration = Configuration::new(&self.plan, self.part);
        let mut hides = false;
        let mut hide = |value: &mut Value<'_>| {
            let masked = mask(value);
            hides |= *value != masked;
            *value = masked;
        };
        // What comes from a Secret is masked as a whole, whatever it looks like.
        let mut outline = configuration.value(&mask);
        each_secret(&mut outline, Form::Configuration, &mut |_, value| hide(value));
        let mut judge = Judge::new(Form::ScrapeJob);
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

    /// How many lines the configuration has.
    pub fn lines(&self) -> u32 {
        let mut lines = 0;
        self.each_text(&mut |text| lines += count(text));
        // The last one is empty, and belongs to nothing.
        lines - 1
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
