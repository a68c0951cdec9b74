//! Division of `agent.yml` into scrape jobs and the text between them.

use std::borrow::Cow;

use super::chunk::{Chunk, ChunkContent, ChunkKind, mask_guessed_secrets};
use crate::output::agent::{InstanceNumber, JobsSlot};
use crate::secrecy::is_monitor_job_name;
use crate::source::{Source, Sources, line_count};
use crate::yaml::{
    self, Document, Entry, LibraryStyle, Limits, Node, NodeValue, Value, to_value_of_doubles, write_with_layout,
};

/// End of a line with a key whose value is an empty list.
const EMPTY: &str = " []\n";

pub(super) struct ParsedConfiguration<'t> {
    text: &'t str,
    /// Parsed text, or `None` if it is empty.
    document: Option<Document<'t>>,
    /// Parsed text without secrets, or `None` if secrets are detected heuristically.
    masked: Option<Document<'t>>,
}

impl<'t> ParsedConfiguration<'t> {
    /// Parses a configuration, or returns `None` if the text is not a configuration.
    pub(super) fn parse(text: &'t str, masked: Option<&'t str>) -> Option<Self> {
        if text.is_empty() {
            let (document, masked) = (None, None);
            return Some(Self { text, document, masked });
        }
        let document = read(text)?;
        let masked = match masked {
            // If no secrets are masked, copying the document is faster than parsing it again.
            Some(masked) if masked == text => Some(document.clone()),
            Some(masked) => Some(read(masked)?),
            None => None,
        };
        Some(Self { text, document: Some(document), masked })
    }

    /// Returns the root node, or `None` if the text is empty.
    pub(super) fn root(&self) -> Option<Node<'_>> {
        self.document.as_ref().map(Document::root)
    }

    pub(super) fn chunks(&self) -> Vec<Chunk<'_>> {
        let Some(document) = &self.document else {
            return Vec::new();
        };
        let root = document.root();
        let value = outline(root, &LIST_KEYS);
        let masked = match &self.masked {
            None => mask_guessed_secrets(value.clone()),
            Some(masked) => outline(masked.root(), &LIST_KEYS),
        };
        let (text, layout) = write_with_layout(&value, LibraryStyle::V3);
        let masked_text = yaml::write(&masked, LibraryStyle::V3);
        let mut masked_lines = masked_text.split_inclusive('\n');
        let mut between = |plain: String, instance| {
            let mut shown_lines: String = masked_lines.by_ref().take(line_count(&plain)).collect();
            // In the masked text, the outline may contain an empty list where the jobs belong.
            if let (false, Some(key)) = (plain.ends_with(EMPTY), shown_lines.strip_suffix(EMPTY)) {
                shown_lines = format!("{key}\n");
            }
            Chunk {
                kind: ChunkKind::Outline,
                name: (instance, Cow::Borrowed("")),
                is_secret: false,
                content: ChunkContent::Lines(plain, shown_lines),
            }
        };
        let (mut chunks, mut start) = (Vec::new(), 0);
        for slot in JobsSlot::all(&text, &layout) {
            let name = instance(root, slot.instance).map(|instance| instance.text("name"));
            let name = Cow::Borrowed(name.unwrap_or_default());
            let jobs = instance_jobs(root, slot.instance);
            if jobs.len() > 0 {
                let outline_lines = text.get(start..slot.bytes.start).unwrap_or_default();
                chunks.push(between(format!("{outline_lines}\n"), name.clone()));
                start = slot.bytes.end + 1;
                let masked = self.masked.as_ref();
                let mut masked_jobs = masked.map(|masked| instance_jobs(masked.root(), slot.instance));
                chunks.extend(jobs.map(|job| self.job(job, &name, masked_jobs.as_mut().and_then(Iterator::next))));
            }
        }
        chunks.push(between(text.get(start..).unwrap_or_default().to_owned(), Cow::Borrowed("")));
        chunks
    }

    fn job<'r>(&'r self, job: Node<'r>, instance: &Cow<'r, str>, masked: Option<Node<'r>>) -> Chunk<'r> {
        let name = job.get("job_name").and_then(Node::as_str).unwrap_or_default();
        let is_secret = match masked {
            None => !is_monitor_job_name(name) || !starts_with_preset(job),
            Some(masked) => job.is_mapping() && !masked.is_mapping(),
        };
        Chunk {
            kind: ChunkKind::Job,
            name: (instance.clone(), name.into()),
            is_secret,
            content: ChunkContent::Job(job, self.text.get(job.span().bytes()).unwrap_or_default(), masked),
        }
    }
}

/// Whether a job starts with the rule with which every monitor's job starts. An additional scrape job may have the same
/// name as a monitor's job, but does not start with this rule.
fn starts_with_preset(job: Node<'_>) -> bool {
    let first = job.get("relabel_configs").and_then(|rules| rules.item(0));
    first.is_some_and(|rule| rule.text("target_label") == "__tmp_prometheus_job_name")
}

/// Parses a single document, or returns `None` if the text is not a configuration.
fn read(text: &str) -> Option<Document<'_>> {
    let id = Sources::default().add(Source::new("", "", false));
    let read = yaml::read(id, text, &Limits::default());
    let [document] = <[_; 1]>::try_from(read.output).ok()?;
    (read.diagnostics.is_empty() && document.root().is_mapping()).then_some(document)
}

/// Keys on the path to the list of scrape jobs in each instance.
pub(super) const LIST_KEYS: [&str; 3] = ["metrics logs", "configs", "scrape_configs"];

/// Returns a value without the items in the lists at the path `keys`.
pub(super) fn outline<'d>(node: Node<'d>, keys: &[&str]) -> Value<'d> {
    match (node.value(), keys) {
        (NodeValue::Sequence, []) => Value::Sequence(Vec::new()),
        (NodeValue::Sequence, ["scrape_configs"]) => {
            Value::Sequence(node.items().map(|item| outline(item, keys)).collect())
        }
        (NodeValue::Mapping, [key, rest @ ..]) => {
            let value = |entry: Entry<'d>| match key.split(' ').any(|key| key == entry.key) {
                true => outline(entry.value, rest),
                false => to_value_of_doubles(entry.value),
            };
            let entries = node.entries().map(|entry| (entry.key.into(), value(entry)));
            Value::Mapping(entries.collect())
        }
        _ => to_value_of_doubles(node),
    }
}

fn instance(root: Node<'_>, (kind, number): InstanceNumber) -> Option<Node<'_>> {
    root.get(kind.as_str())?.get("configs")?.item(number)
}

fn instance_jobs(root: Node<'_>, number: InstanceNumber) -> impl ExactSizeIterator<Item = Node<'_>> {
    let list = instance(root, number).and_then(|instance| instance.get("scrape_configs"));
    list.map_or_else(Vec::new, |list| list.items().collect()).into_iter()
}
