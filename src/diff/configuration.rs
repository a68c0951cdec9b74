//! Configurations as texts of their own: inside of a manifest each would be one long string.

use std::collections::HashMap;

use super::masked::{self, AFTER, BEFORE, mask};
use crate::secrecy::{AlloySecret, Form, alloy_secrets, url_without_secrets};
use crate::source::{Source, Sources};
use crate::yaml::{self, Limits, Style, Value};

const AGENT: &str = "agent.yml";
const ALLOY: &str = "config.alloy";

/// The keys of configurations.
pub(super) const KEYS: [&str; 2] = [AGENT, ALLOY];

/// What follows the manifest of each side that has a configuration.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Texts {
    /// Both texts of a key, without secrets unless they are to be shown; `None` where one of them cannot be read, for then
    /// it is not known what in it is secret.
    pub(super) fn of(key: &str, before: Option<String>, after: Option<String>, show: bool) -> Option<Self> {
        match key {
            AGENT => of_agent(before.as_deref(), after.as_deref(), show),
            _ if show => Some(Self { before, after }),
            _ => of_alloy(before, after),
        }
    }

    /// Appends the texts of a key, each below a line that names it.
    pub(super) fn append(&mut self, key: &str, texts: Self) {
        for (all, text) in [(&mut self.before, texts.before), (&mut self.after, texts.after)] {
            if let Some(text) = text {
                let all = all.get_or_insert_default();
                all.extend(["# data: ", key, "\n", &text]);
            }
        }
    }
}

fn of_agent(before: Option<&str>, after: Option<&str>, show: bool) -> Option<Texts> {
    let read = |text: Option<&str>| text.map(|text| parse(text).ok_or(())).transpose().ok();
    let (mut before, mut after) = (read(before)?, read(after)?);
    if !show {
        masked::hide(Form::Configuration, &mut before, &mut after);
    }
    let write = |value: Value<'_>| yaml::write(&value, Style::V3);
    Some(Texts {
        before: before.map(write),
        after: after.map(write),
    })
}

/// A configuration as the operator writes it; every number is a double.
fn parse(text: &str) -> Option<Value<'static>> {
    let id = Sources::default().add(Source::new(AGENT, "", false));
    let read = yaml::read(id, text, &Limits::default());
    let [document] = read.output.as_slice() else {
        return None;
    };
    let is_fine = read.diagnostics.is_empty() && document.root().is_mapping();
    is_fine.then(|| yaml::to_value_of_doubles(document.root()).into_owned())
}

fn of_alloy(before: Option<String>, after: Option<String>) -> Option<Texts> {
    let found =
        |text: &Option<String>| -> Option<Vec<AlloySecret>> { text.as_deref().map_or(Some(Vec::new()), alloy_secrets) };
    let (old, new) = (found(&before)?, found(&after)?);
    let hidden = {
        let (old_values, new_values) = (values(&old, before.as_deref()), values(&new, after.as_deref()));
        let hidden = |text: &Option<String>, secrets: &[AlloySecret], others: &HashMap<_, _>, changed| {
            text.as_deref().map(|text| without(text, secrets, others, changed))
        };
        Texts {
            before: hidden(&before, &old, &new_values, BEFORE),
            after: hidden(&after, &new, &old_values, AFTER),
        }
    };
    Some(hidden)
}

/// What stands at the paths of secrets.
fn values<'t>(secrets: &'t [AlloySecret], text: Option<&'t str>) -> HashMap<&'t str, &'t str> {
    let value = |secret: &'t AlloySecret| Some((secret.path.as_str(), text?.get(secret.bytes.clone())?));
    secrets.iter().filter_map(value).collect()
}

/// A text without its secrets; of a URL the host stays.
fn without(text: &str, secrets: &[AlloySecret], others: &HashMap<&str, &str>, changed: &'static str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for AlloySecret { bytes, path, is_whole } in secrets {
        let secret = text.get(bytes.clone()).unwrap_or_default();
        let mask = mask(&secret, others.get(path.as_str()), changed);
        shown.push_str(text.get(end..bytes.start).unwrap_or_default());
        let url = (!is_whole).then(|| url_without_secrets(secret, mask)).flatten();
        shown.push_str(url.as_deref().unwrap_or(mask));
        end = bytes.end;
    }
    shown.push_str(text.get(end..).unwrap_or_default());
    shown
}
