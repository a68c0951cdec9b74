//! Masking of secret values in `agent.yml`, in as many lines as they take.

use crate::secrecy::{Form, Judge, MASK, each_secret};
use crate::target::agent::{Configuration, JobSource};
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
    /// The outline of a configuration.
    pub(super) fn outline<'c>(&mut self, configuration: &'c Configuration<'_, '_>) -> Value<'c> {
        let mut outline = configuration.outline();
        each_secret(&mut outline, Form::Configuration, &mut |_, value| {
            self.has_hidden |= hide(value);
        });
        outline
    }

    /// Masks a scrape job, and says whether it is another one now. What comes from a Secret is masked as a whole, whatever it
    /// looks like.
    pub(super) fn job(&mut self, from: JobSource<'_, '_>, job: &mut Value<'_>) -> bool {
        let mut is_changed = false;
        match from {
            JobSource::Additional => is_changed = hide(job),
            JobSource::Monitor(_) | JobSource::PodLogs(_) => {
                self.judge.each_secret(job, &mut |_, value| is_changed |= hide(value));
            }
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
