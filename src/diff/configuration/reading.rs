//! Texts of `agent.yml`, read and written again without their secrets.

use crate::byte_size::ByteSize;
use crate::diff::masked;
use crate::secrecy::{Form, Judge};
use crate::source::{Source, Sources};
use crate::target::agent::append_job;
use crate::yaml::{self, Document, Limits, Style, Value};

/// No more of a configuration is read at once: text takes many times its own size to read and compare.
pub(in crate::diff) const MAX_COMPARED: ByteSize = ByteSize(64 << 20);

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A configuration.
    Configuration,
    /// A list of one scrape job, or of some of its fields.
    Job,
}

impl Shape {
    /// Who says what in it is secret.
    pub(super) fn judge(self) -> Judge {
        Judge::new(match self {
            Shape::Configuration => Form::Configuration,
            Shape::Job => Form::ScrapeJob,
        })
    }
}

/// How texts are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) shape: Shape,
    /// Whether they must be written as the operator writes them, so that masked texts have the same lines.
    pub(super) is_exact: bool,
    /// Whether a secret is compared with the one at the same place on the other side.
    pub(super) is_pair: bool,
}

impl Reading {
    /// Both texts as the operator writes them, empty where there is none, without what `judge` calls secret; `None` where one is
    /// not as expected.
    pub(super) fn masked(self, texts: [Option<&str>; 2], judge: Option<&mut Judge>) -> Option<[String; 2]> {
        let [old, new] = texts.map(|text| text.map_or(Some(None), |text| document(text).map(Some)));
        let (old, new) = (old?, new?);
        let (mut before, mut after) = (self.value(old.as_ref())?, self.value(new.as_ref())?);
        let written = [&before, &after].map(|value| value.as_ref().map(|value| self.write(value)).unwrap_or_default());
        if self.is_exact && written.each_ref().map(String::as_str) != texts.map(Option::unwrap_or_default) {
            return None;
        }
        let is_changed = judge.is_some_and(|judge| match self.is_pair {
            true => masked::hide(judge, &mut before, &mut after),
            false => masked::hide(judge, &mut before, &mut None) | masked::hide(judge, &mut None, &mut after),
        });
        match is_changed {
            true => Some([before, after].map(|value| value.map(|value| self.write(&value)).unwrap_or_default())),
            false => Some(written),
        }
    }

    /// The value of a document, where there is one; `None` where it has another shape.
    fn value<'d>(self, document: Option<&'d Document<'_>>) -> Option<Option<Value<'d>>> {
        let Some(root) = document.map(Document::root) else {
            return Some(None);
        };
        let value = match self.shape {
            Shape::Configuration => Some(root).filter(|root| root.is_mapping()),
            Shape::Job => root.items().next().filter(|_| root.items().count() == 1),
        };
        value.map(|value| Some(yaml::to_value_of_doubles(value)))
    }

    fn write(self, value: &Value<'_>) -> String {
        match self.shape {
            Shape::Configuration => yaml::write(value, Style::V3),
            Shape::Job => {
                let mut text = String::new();
                append_job(&mut text, value);
                text
            }
        }
    }
}

/// The one document of a text; `None` where it is not YAML, or too long to be compared.
fn document(text: &str) -> Option<Document<'_>> {
    let id = Sources::default().add(Source::new("", "", false));
    let is_comparable = text.len() as u64 <= MAX_COMPARED.0;
    let read = is_comparable.then(|| yaml::read(id, text, &Limits::default()))?;
    let [document] = <[_; 1]>::try_from(read.output).ok()?;
    read.diagnostics.is_empty().then_some(document)
}
