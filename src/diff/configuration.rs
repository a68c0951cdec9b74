//! Configurations as texts of their own: inside of a manifest each would be one long string.

use std::collections::HashMap;

use super::masked::{self, AFTER, BEFORE, mask};
use super::options::Options;
use super::reduced::{self, Interest, Language, LeftOut, Piece, Reduced, is_in_difference};
use crate::byte_size::ByteSize;
use crate::secrecy::{AlloySecret, Form, alloy_secrets, without_secrets};
use crate::source::{Source, Sources};
use crate::yaml::{self, Document, Limits, Style, Value};

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
        let language = match key {
            AGENT => Language::Agent,
            _ => Language::Alloy,
        };
        let Options { context, jobs, .. } = options;
        let texts = |interest: Interest| {
            let reduced = Reduced::of(language, before, after, interest);
            match language {
                Language::Agent => of_agent(before, after, reduced, options),
                Language::Alloy => of_alloy(before, after, reduced, options),
            }
        };
        // Where jobs come, go or move, a shorter difference may run across what is the same: then that stays.
        let is_clean = |texts: &Self| {
            let both = texts.before.as_deref().zip(texts.after.as_deref()).zip(context);
            both.is_none_or(|((before, after), context)| {
                texts.left_out.is_empty() || !is_in_difference(before, after, context)
            })
        };
        let context_of_all = Interest { context: None, jobs };
        let is_whole = |texts: &Self| {
            let (before, after) = (texts.before.as_deref(), texts.after.as_deref());
            texts
                .left_out
                .has_all_lines(before.unwrap_or_default(), after.unwrap_or_default())
        };
        texts(Interest { context, jobs })
            .filter(|texts| is_whole(texts) && is_clean(texts))
            .or_else(|| texts(context_of_all))
            .or_else(|| texts(Interest::ALL))
    }

    /// Appends the texts of a key, each below a line that names it.
    pub(super) fn append(&mut self, key: &str, texts: Self) {
        for (all, text) in [(&mut self.before, texts.before), (&mut self.after, texts.after)] {
            if let Some(text) = text {
                let all = all.get_or_insert_default();
                all.extend(["# data: ", key, "\n", &text]);
            }
        }
        // An object has one configuration.
        if !texts.left_out.is_empty() {
            self.left_out = texts.left_out;
        }
    }
}

/// Whether a text is short enough to be read and compared.
fn is_comparable(text: &str) -> bool {
    text.len() as u64 <= MAX_COMPARED.0
}

fn of_agent(before: Option<&str>, after: Option<&str>, reduced: Reduced, options: Options) -> Option<Texts> {
    let rest = |text: Option<&str>, pieces: &[Piece]| {
        text.map(|text| reduced::text(pieces, |bytes, out| out.push_str(text.get(bytes).unwrap_or_default())))
    };
    let (before, after) = (rest(before, &reduced.before), rest(after, &reduced.after));
    let (before, after) = (document(before.as_deref())?, document(after.as_deref())?);
    let (mut before, mut after) = (before.as_ref().map(value), after.as_ref().map(value));
    if !options.show_secrets {
        masked::hide(Form::Configuration, &mut before, &mut after);
    }
    let write = |value: Value<'_>, side| {
        let text = yaml::write(&value, Style::V3);
        // A job may have the name of a placeholder where none was put.
        match reduced.left_out.is_empty() {
            true => text,
            false => Language::Agent.tell(text, side),
        }
    };
    Some(Texts {
        before: before.map(|value| write(value, "before")),
        after: after.map(|value| write(value, "after")),
        left_out: reduced.left_out,
    })
}

fn value<'d>(document: &'d Document<'_>) -> Value<'d> {
    yaml::to_value_of_doubles(document.root())
}

/// A configuration as the operator writes it; `None` where it is not one, or too long to be compared.
fn document(text: Option<&str>) -> Option<Option<Document<'_>>> {
    let Some(text) = text else { return Some(None) };
    let id = Sources::default().add(Source::new(AGENT, "", false));
    let read = is_comparable(text).then(|| yaml::read(id, text, &Limits::default()))?;
    let [document] = <[_; 1]>::try_from(read.output).ok()?;
    let is_fine = read.diagnostics.is_empty() && document.root().is_mapping();
    is_fine.then_some(Some(document))
}

fn of_alloy(before: Option<&str>, after: Option<&str>, reduced: Reduced, options: Options) -> Option<Texts> {
    let found = |text: Option<&str>| -> Option<Vec<AlloySecret>> {
        let text = text.filter(|_| !options.show_secrets);
        text.map_or(Some(Vec::new()), alloy_secrets)
    };
    let (old, new) = (found(before)?, found(after)?);
    let (old_values, new_values) = (values(&old, before), values(&new, after));
    let shown = |text: Option<&str>, pieces: &[Piece], secrets: &[AlloySecret], others: &HashMap<_, _>, changed| {
        let Some(text) = text else { return Some(None) };
        let mask = |secret: &AlloySecret, value: &str| mask(&value, others.get(secret.path.as_str()), changed);
        let text = reduced::text(pieces, |bytes, out| {
            out.push_str(&without_secrets(text, bytes, secrets, mask))
        });
        is_comparable(&text).then_some(Some(text))
    };
    Some(Texts {
        before: shown(before, &reduced.before, &old, &new_values, BEFORE)?,
        after: shown(after, &reduced.after, &new, &old_values, AFTER)?,
        left_out: reduced.left_out,
    })
}

/// The values at the paths of secrets.
fn values<'t>(secrets: &'t [AlloySecret], text: Option<&'t str>) -> HashMap<&'t str, &'t str> {
    let value = |secret: &'t AlloySecret| Some((secret.path.as_str(), text?.get(secret.bytes.clone())?));
    secrets.iter().filter_map(value).collect()
}
