//! What is compared with what: a scrape job, a component, or what is between them.

use std::borrow::Cow;

use crate::output::agent::{append_job, masked};
use crate::secrecy::{Form, MASK, each_secret, hidden_component, masked_alloy};
use crate::yaml::{Node, Value, to_value_of_doubles};

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

/// What a chunk consists of, and the same without its secrets; none where these are guessed by the rules for texts that others wrote.
#[derive(Clone)]
pub(super) enum Content<'t> {
    /// Lines of `agent.yml`.
    Lines(String, String),
    /// A scrape job, and its text where it is.
    Job(Node<'t>, &'t str, Option<Node<'t>>),
    /// Lines of `config.alloy`.
    Alloy(&'t str, Option<&'t str>),
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

    /// Whether it is shown as one row, whatever it holds.
    fn is_one_row(&self) -> bool {
        self.is_secret && matches!(self.content, Content::Job(..))
    }

    /// Its rows; `None` where it cannot be said what in them is secret.
    pub(super) fn rows(&self) -> Option<Vec<Row>> {
        let plain = self.plain();
        let shown = match &self.content {
            Content::Lines(_, shown) => Cow::Borrowed(shown.as_str()),
            Content::Job(..) if self.is_secret => written(&MASK.into()).into(),
            Content::Job(_, _, Some(masked)) => written(&to_value_of_doubles(*masked)).into(),
            Content::Job(job, ..) => written(&guessed(to_value_of_doubles(*job))).into(),
            Content::Alloy(_, Some(masked)) => (*masked).into(),
            Content::Alloy(text, None) if self.is_secret => hidden_component(text).into(),
            Content::Alloy(text, None) => masked_alloy(text)?.into(),
        };
        if self.is_one_row() {
            let [plain, shown] = [plain, shown].map(Cow::into_owned);
            return Some(vec![Row { plain, shown }]);
        }
        let [plain, shown] =
            [&plain, &shown].map(|text| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>());
        let has_rows = plain.len() == shown.len();
        let rows = plain.into_iter().zip(shown).map(|(plain, shown)| Row { plain, shown });
        has_rows.then(|| rows.collect())
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
