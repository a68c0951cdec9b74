//! Which fields a job has, and what they hold.

use super::fields::{FIELDS, Form, GROUP_FIELDS, NESTED_FIELDS, RULE_FIELDS};
use super::{Jobs, list};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::{Diagnostic, suggest};
use crate::yaml::Node;

/// Checks the form of jobs.
pub struct FormCheck<'t> {
    /// The text that the jobs stand in.
    pub jobs: &'t Jobs<'t>,
}

impl FormCheck<'_> {
    /// Checks one job.
    pub fn job(&self, job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
        self.fields(job, &FIELDS, at, found);
        for (name, fields) in NESTED_FIELDS {
            if let Some(node) = job.get(name) {
                self.fields(node, fields, &at.key(name), found);
            }
        }
        for (name, fields) in [
            ("relabel_configs", RULE_FIELDS.as_slice()),
            ("metric_relabel_configs", &RULE_FIELDS),
            ("static_configs", &GROUP_FIELDS),
        ] {
            for (i, item) in list(job, name).enumerate() {
                self.fields(item, fields, &at.key(name).index(i), found);
            }
        }
        for entry in job.get("params").into_iter().flat_map(Node::entries) {
            has_form(entry.value, "params", "a mapping to lists", Form::List, at, found);
        }
    }

    /// Checks that fields are known, and hold what they must. Unknown ones are reported together.
    fn fields(&self, node: Node<'_>, known: &[(&'static str, Form)], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
        let mut unknown = Vec::new();
        for entry in node.entries().filter(|entry| !entry.value.is_null()) {
            match known.iter().find(|(name, _)| *name == entry.key) {
                Some((name, form)) => has_form(entry.value, name, form.expected(), *form, at, found),
                None if entry.key.ends_with("_sd_configs") => {
                    let name = "a field of service discovery";
                    has_form(entry.value, name, "a list", Form::List, at, found);
                }
                None => unknown.push(entry),
            }
        }
        if let Some(first) = unknown.first() {
            let meant = suggest::closest(first.key, known.iter().map(|(name, _)| *name));
            let line = self.jobs.line(first.value);
            found.push(diagnostics::unknown_scrape_field(at, line, unknown.len(), meant));
        }
    }
}

fn has_form(value: Node<'_>, name: &str, expected: &str, form: Form, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !value.is_null() && !form.takes(value) {
        found.push(diagnostics::invalid_scrape_job(
            at,
            format!("`{name}` must be {expected}"),
        ));
    }
}
