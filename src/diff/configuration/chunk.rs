//! Unit of comparison: a scrape job, a component, or the text between them.

use std::borrow::Cow;

use crate::output::agent::{append_job, mask_value};
use crate::secrecy::{MASK, ValueForm, for_each_secret, hide_component, mask_alloy};
use crate::source::line_count;
use crate::yaml::{Node, Value, to_value_of_doubles};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ChunkKind {
    /// Scrape job or Alloy component.
    Job,
    Outline,
}

/// Part of a configuration that is compared with its counterpart on the other side.
#[derive(Clone)]
pub(super) struct Chunk<'t> {
    pub(super) kind: ChunkKind,
    /// Names of the instance and the scrape job, or the first line of a component.
    pub(super) name: (Cow<'t, str>, Cow<'t, str>),
    /// Whether the entire chunk comes from a Secret.
    pub(super) is_secret: bool,
    pub(super) content: ChunkContent<'t>,
}

/// Contents of a chunk with and without secrets. The contents without secrets are `None` if secrets have to be detected
/// heuristically, as in text that agentctl did not write.
#[derive(Clone)]
pub(super) enum ChunkContent<'t> {
    /// Lines of `agent.yml` with and without secrets.
    Lines(String, String),
    /// A scrape job, its source text, and the job without secrets.
    Job(Node<'t>, &'t str, Option<Node<'t>>),
    /// Lines of `config.alloy` with and without secrets.
    Alloy(&'t str, Option<&'t str>),
}

/// A line, or several lines that are shown as one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChunkRow {
    pub(super) plain: String,
    pub(super) shown: String,
}

impl Chunk<'_> {
    /// Whether both chunks have the same contents, regardless of their notation.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (ChunkContent::Job(_, text, _), ChunkContent::Job(_, other, _)) if text == other => true,
            _ => self.plain() == other.plain(),
        }
    }

    /// Returns the text as the operator would write it.
    fn plain(&self) -> Cow<'_, str> {
        match &self.content {
            ChunkContent::Lines(text, _) => text.into(),
            ChunkContent::Job(job, ..) => write_job(&to_value_of_doubles(*job)).into(),
            ChunkContent::Alloy(text, _) => (*text).into(),
        }
    }

    /// Returns the number of rows in the diff.
    pub(super) fn height(&self) -> usize {
        match &self.content {
            ChunkContent::Job(..) if self.is_one_row() => 1,
            ChunkContent::Lines(text, _) => line_count(text),
            ChunkContent::Job(_, text, _) => line_count(text.trim_end()),
            ChunkContent::Alloy(text, _) => line_count(text),
        }
    }

    /// Whether the chunk is shown as a single row.
    fn is_one_row(&self) -> bool {
        self.is_secret && matches!(self.content, ChunkContent::Job(..))
    }

    /// Returns the rows, or `None` if it is unknown which parts of them are secret.
    pub(super) fn rows(&self) -> Option<Vec<ChunkRow>> {
        let plain = self.plain();
        let shown_text = match &self.content {
            ChunkContent::Lines(_, shown) => Cow::Borrowed(shown.as_str()),
            ChunkContent::Job(..) if self.is_secret => write_job(&MASK.into()).into(),
            ChunkContent::Job(_, _, Some(masked)) => write_job(&to_value_of_doubles(*masked)).into(),
            ChunkContent::Job(job, ..) => write_job(&mask_guessed_secrets(to_value_of_doubles(*job))).into(),
            ChunkContent::Alloy(_, Some(masked)) => (*masked).into(),
            ChunkContent::Alloy(text, None) if self.is_secret => hide_component(text).into(),
            ChunkContent::Alloy(text, None) => mask_alloy(text)?.into(),
        };
        if self.is_one_row() {
            let [plain, shown] = [plain, shown_text].map(Cow::into_owned);
            return Some(vec![ChunkRow { plain, shown }]);
        }
        let [plain_lines, shown_lines] =
            [&plain, &shown_text].map(|text| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>());
        let has_rows = plain_lines.len() == shown_lines.len();
        let rows = plain_lines.into_iter().zip(shown_lines).map(|(plain, shown)| ChunkRow { plain, shown });
        has_rows.then(|| rows.collect())
    }
}

fn write_job(job: &Value<'_>) -> String {
    let mut text = String::new();
    append_job(&mut text, job);
    text
}

/// Masks secrets in a value from `agent.yml`, using heuristics to detect them.
pub(super) fn mask_guessed_secrets(mut value: Value<'_>) -> Value<'_> {
    for_each_secret(&mut value, ValueForm::Configuration, &mut |secret, value| {
        *value = mask_value(value, secret.is_whole);
    });
    value
}
