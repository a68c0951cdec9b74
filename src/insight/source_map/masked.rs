//! The text of a configuration, with or without the secret values in it.

use super::SourceMap;
use crate::api::Kind;
use crate::lower::config::Parts;
use crate::secrecy::{Form, MASK, Origins, each_secret};
use crate::yaml::{Step, Style, Value, write};

impl SourceMap<'_> {
    /// The text as it is rendered: `agent.yml`.
    pub fn text(&self) -> String {
        text(&self.value)
    }

    /// The text with its secret values masked as `diff` masks them, and whether there are any. A value that takes several
    /// lines takes as many when it is masked, so that each part stands on the same lines in both texts.
    pub fn masked_text(&self) -> (String, bool) {
        let mut is_masked = false;
        let mut value = self.value.clone();
        each_secret(&mut value, Form::Configuration, Some(&self.parts), &mut |_, value| {
            is_masked = true;
            *value = mask(value);
        });
        (text(&value), is_masked)
    }
}

impl Origins for Parts<'_> {
    fn step(&self, step: Step<'_>) -> Option<&dyn Origins> {
        let part = Parts::step(self, step)?;
        Some(part)
    }

    fn is_of_secret(&self) -> bool {
        self.origin
            .as_ref()
            .is_some_and(|origin| origin.object.kind == Kind::Secret)
    }
}

/// The template language ends its output with a line break, although the YAML already has one.
fn text(value: &Value<'_>) -> String {
    let mut text = write(value, Style::V3);
    text.push('\n');
    text
}

/// What takes several lines is a literal, which has its indicator on a line of its own.
fn mask(value: &Value<'_>) -> Value<'static> {
    match write(value, Style::V3).lines().count() {
        0 | 1 => Value::from(MASK),
        lines => Value::from(format!("{MASK}\n").repeat(lines - 1)),
    }
}
