//! Masking of secret values in `agent.yml`, in as many lines as they take.

use std::cell::Cell;

use crate::plan::ScrapeJob;
use crate::secrecy::{Form, Judge, MASK, each_secret};
use crate::target::agent::Configuration;
use crate::yaml::{self, Style, Value};

/// Masks the parts of a configuration.
pub(super) struct Mask {
    judge: Judge,
    /// Whether something was masked.
    pub(super) has_hidden: bool,
}

impl Default for Mask {
    fn default() -> Self {
        Self {
            judge: Judge::new(Form::ScrapeJob),
            has_hidden: false,
        }
    }
}

impl Mask {
    /// The outline of a configuration. What comes from a Secret is masked as a whole, whatever it looks like.
    pub(super) fn outline<'c>(&mut self, configuration: &'c Configuration<'_, '_>) -> Value<'c> {
        let has_additional = Cell::new(false);
        let mut outline = configuration.value(&|job| {
            has_additional.set(true);
            masked(job)
        });
        self.has_hidden |= has_additional.get();
        each_secret(&mut outline, Form::Configuration, &mut |_, value| {
            self.has_hidden |= hide(value);
        });
        outline
    }

    /// Masks a scrape job, and says whether it is another one now. One that is not made from a monitor comes from a Secret.
    pub(super) fn job(&mut self, from: Option<&ScrapeJob<'_>>, job: &mut Value<'_>) -> bool {
        let mut is_changed = false;
        match from {
            Some(_) => self.judge.each_secret(job, &mut |_, value| is_changed |= hide(value)),
            None => is_changed = hide(job),
        }
        self.has_hidden |= is_changed;
        is_changed
    }
}

/// Masks a value, and says whether it is another one now.
fn hide(value: &mut Value<'_>) -> bool {
    let masked = masked(value);
    let is_changed = *value != masked;
    *value = masked;
    is_changed
}

/// What takes several lines is a literal, which has its indicator on a line of its own.
fn masked(value: &Value<'_>) -> Value<'static> {
    match yaml::write(value, Style::V3).lines().count() {
        0 | 1 => Value::from(MASK),
        lines => Value::from(format!("{MASK}\n").repeat(lines - 1)),
    }
}
