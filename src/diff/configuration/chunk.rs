//! What is compared with what: a scrape job, a component, or what is between them.

use std::borrow::Cow;

use crate::secrecy::{Form, MASK, each_secret, hidden_component, masked_alloy};
use crate::target::agent::{append_job, masked};
use crate::yaml::{Node, Value, to_value_of_doubles};

/// How the secrets of a text are masked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mask<T> {
    /// They are shown.
    Open,
    /// By the rules for texts that others wrote.
    Guess,
    /// As in this text, which has as many lines.
    As(T),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A scrape job, or a component of Alloy.
    Job,
    Outline,
}

/// A part of a configuration.
#[derive(Clone)]
pub(super) struct Chunk<'t> {
    pub(super) kind: Kind,
    /// Its instance, and its name or first line.
    pub(super) name: (Cow<'t, str>, Cow<'t, str>),
    /// Whether all of it comes from a Secret.
    pub(super) is_secret: bool,
    pub(super) content: Content<'t>,
}

/// What a chunk consists of.
#[derive(Clone)]
pub(super) enum Content<'t> {
    /// Lines of `agent.yml`, and how they are shown.
    Lines(String, String),
    /// A scrape job, and its text where it is.
    Job(Node<'t>, &'t str, Mask<Node<'t>>),
    /// Lines of `config.alloy`.
    Alloy(&'t str, Mask<&'t str>),
}

/// A line, or lines that are shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) plain: String,
    pub(super) shown: String,
}

impl Chunk<'_> {
    /// Whether both hold the same, in whatever notation.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (Content::Job(_, text, _), Content::Job(_, other, _)) if text == other => true,
            _ => self.plain() == other.plain(),
        }
    }

    /// The text as the operator writes it.
    fn plain(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Lines(text, _) => text.into(),
            Content::Job(job, ..) => written(&to_value_of_doubles(*job)).into(),
            Content::Alloy(text, _) => (*text).into(),
        }
    }

    /// Number of rows.
    pub(super) fn height(&self) -> usize {
        match &self.content {
            Content::Job(..) if self.is_one_row() => 1,
            Content::Lines(text, _) => text.lines().count(),
            Content::Job(_, text, _) => text.trim_end().lines().count(),
            Content::Alloy(text, _) => text.lines().count(),
        }
    }

    /// Its text, and how it is shown; `None` where it cannot be said what in it is secret.
    fn texts(&self) -> Option<[Cow<'_, str>; 2]> {
        let plain = self.plain();
        let shown = match &self.content {
            Content::Lines(_, shown) => Cow::Borrowed(shown.as_str()),
            Content::Job(..) if self.is_secret => written(&MASK.into()).into(),
            Content::Job(_, _, Mask::As(job)) => written(&to_value_of_doubles(*job)).into(),
            Content::Job(job, _, Mask::Guess) => written(&guessed(to_value_of_doubles(*job))).into(),
            Content::Job(_, _, Mask::Open) | Content::Alloy(_, Mask::Open) => plain.clone(),
            Content::Alloy(_, Mask::As(text)) => (*text).into(),
            Content::Alloy(text, Mask::Guess) if self.is_secret => hidden_component(text).into(),
            Content::Alloy(text, Mask::Guess) => masked_alloy(text)?.into(),
        };
        Some([plain, shown])
    }

    /// Whether it is shown as one row, whatever it holds.
    fn is_one_row(&self) -> bool {
        self.is_secret && matches!(self.content, Content::Job(..))
    }

    /// How it is shown; `None` where it cannot be said what in it is secret.
    pub(super) fn shown(&self) -> Option<String> {
        let [plain, shown] = self.texts()?;
        let is_whole = self.is_one_row() || plain.lines().count() == shown.lines().count();
        is_whole.then(|| shown.into_owned())
    }

    /// Its rows; `None` where it cannot be said what in them is secret.
    pub(super) fn rows(&self) -> Option<Vec<Row>> {
        let texts = self.texts()?;
        if self.is_one_row() {
            let [plain, shown] = texts.map(Cow::into_owned);
            return Some(vec![Row { plain, shown }]);
        }
        let [plain, shown] = texts
            .each_ref()
            .map(|text| text.split_inclusive('\n').map(str::to_owned));
        let (plain, shown): (Vec<_>, Vec<_>) = (plain.collect(), shown.collect());
        let rows = plain.len() == shown.len();
        rows.then(|| {
            plain
                .into_iter()
                .zip(shown)
                .map(|(plain, shown)| Row { plain, shown })
                .collect()
        })
    }
}

fn written(job: &Value<'_>) -> String {
    let mut text = String::new();
    append_job(&mut text, job);
    text
}

/// A value of `agent.yml` without what is secret by the rules for texts that others wrote.
pub(super) fn guessed(mut value: Value<'_>) -> Value<'_> {
    each_secret(&mut value, Form::Configuration, &mut |secret, value| {
        *value = masked(value, secret.is_whole);
    });
    value
}
