//! Configurations as texts of their own: inside of a manifest each would be one long string.

use std::collections::HashMap;

use super::masked::{self, AFTER, BEFORE, mask};
use super::options::Options;
use super::unchanged::{self, LeftOut};
use crate::byte_size::ByteSize;
use crate::secrecy::{AlloySecret, Form, alloy_secrets, without_secrets};
use crate::source::{Source, Sources};
use crate::yaml::{self, Limits, Style, Value};

const AGENT: &str = "agent.yml";
const ALLOY: &str = "config.alloy";

/// The keys of configurations.
pub(super) const KEYS: [&str; 2] = [AGENT, ALLOY];

/// A configuration is not compared where more of it is left than so much: text takes many times its own size to compare.
pub(super) const MAX_COMPARED: ByteSize = ByteSize(64 << 20);

/// What follows the manifest of each side that has a configuration.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    /// What is left out of both texts.
    pub(super) left_out: LeftOut,
}

impl Texts {
    /// Both texts of a key, without secrets unless they are to be shown; `None` where one of them cannot be read, for then
    /// it is not known what in it is secret.
    pub(super) fn of(key: &str, before: Option<&str>, after: Option<&str>, options: Options) -> Option<Self> {
        let is_compared = |text: Option<&str>| text.is_none_or(|text| text.len() as u64 <= MAX_COMPARED.0);
        match key {
            AGENT => of_agent(before, after, options),
            _ if !(is_compared(before) && is_compared(after)) => None,
            _ if options.show_secrets => Some(Self {
                before: before.map(str::to_owned),
                after: after.map(str::to_owned),
                left_out: LeftOut::default(),
            }),
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
        // Only the agent's configurations have such jobs.
        if key == AGENT {
            self.left_out = texts.left_out;
        }
    }
}

fn of_agent(before: Option<&str>, after: Option<&str>, options: Options) -> Option<Texts> {
    let reduced = before
        .zip(after)
        .zip(options.context)
        .and_then(|((before, after), context)| unchanged::reduced(before, after, context));
    let texts = |before: Option<&str>, after: Option<&str>, left_out: LeftOut| {
        let parse = |text: &str| (text.len() as u64 <= MAX_COMPARED.0).then(|| parse(text)).flatten();
        let read = |text: Option<&str>| text.map(|text| parse(text).ok_or(())).transpose().ok();
        let (mut before, mut after) = (read(before)?, read(after)?);
        if !options.show_secrets {
            masked::hide(Form::Configuration, &mut before, &mut after);
        }
        let write = |value: Value<'_>| yaml::write(&value, Style::V3);
        Some(Texts {
            before: before.map(write),
            after: after.map(write),
            left_out,
        })
    };
    let reduced = reduced.and_then(|reduced| texts(Some(&reduced.before), Some(&reduced.after), reduced.left_out));
    // Where jobs come, go or move, a shorter difference may run across what is left out: then nothing is.
    let is_clean = |texts: &Texts| {
        let both = texts.before.as_deref().zip(texts.after.as_deref()).zip(options.context);
        both.is_some_and(|((before, after), context)| !unchanged::is_in_difference(before, after, context))
    };
    match reduced.filter(is_clean) {
        Some(texts) => Some(texts),
        None => texts(before, after, LeftOut::default()),
    }
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

fn of_alloy(before: Option<&str>, after: Option<&str>) -> Option<Texts> {
    let found = |text: Option<&str>| -> Option<Vec<AlloySecret>> { text.map_or(Some(Vec::new()), alloy_secrets) };
    let (old, new) = (found(before)?, found(after)?);
    let (old_values, new_values) = (values(&old, before), values(&new, after));
    let hidden = |text: Option<&str>, secrets: &[AlloySecret], others: &HashMap<_, _>, changed| {
        let mask = |secret: &AlloySecret, value: &str| mask(&value, others.get(secret.path.as_str()), changed);
        text.map(|text| without_secrets(text, secrets, mask))
    };
    Some(Texts {
        before: hidden(before, &old, &new_values, BEFORE),
        after: hidden(after, &new, &old_values, AFTER),
        left_out: LeftOut::default(),
    })
}

/// The values at the paths of secrets.
fn values<'t>(secrets: &'t [AlloySecret], text: Option<&'t str>) -> HashMap<&'t str, &'t str> {
    let value = |secret: &'t AlloySecret| Some((secret.path.as_str(), text?.get(secret.bytes.clone())?));
    secrets.iter().filter_map(value).collect()
}
