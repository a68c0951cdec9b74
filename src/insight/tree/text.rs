//! `text`: lines, as `cargo tree` has them, with the places in a column of their own.

use std::collections::HashSet;
use std::fmt::Write;

use super::graph::{Edge, Entry, EntryId, Graph, State};
use super::label::{self, Note};
use crate::insight::paint::Paint;

/// Places are in a column unless a name is longer than this.
const WIDEST: usize = 76;

/// The tree of each agent, what nothing selects, what is refused, and how many there are of what. What is under a resource
/// that is there again stands where it comes first; `(*)` says so.
pub fn text(graph: &Graph<'_>, color: bool) -> String {
    let mut writer = Writer {
        graph,
        rows: Vec::new(),
        seen: HashSet::new(),
        agent: None,
    };
    for &agent in &graph.agents {
        writer.agent = Some(agent);
        writer.root(agent);
    }
    writer.agent = None;
    writer.section("Selected by nothing", &graph.unselected);
    writer.section("Refused", &graph.refused);
    let mut text = layout(&writer.rows, Paint(color));
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", summary(graph));
    text
}

/// A line.
enum Row {
    Entry(Line),
    /// The title of a section.
    Title(&'static str),
}

/// The line of an entry.
struct Line {
    /// What is drawn before its name.
    branch: String,
    name: Painted,
    keys: Painted,
    place: String,
    notes: Vec<Painted>,
}

/// A text and how it looks on a terminal.
struct Painted {
    text: String,
    style: fn(Paint, &str) -> String,
}

impl Painted {
    fn new(text: impl Into<String>, style: fn(Paint, &str) -> String) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }

    fn show(&self, paint: Paint) -> String {
        (self.style)(paint, &self.text)
    }
}

struct Writer<'g, 'd> {
    graph: &'g Graph<'d>,
    rows: Vec<Row>,
    /// The entries whose children were written, and whether below an agent that denies access to files.
    seen: HashSet<(EntryId, bool)>,
    agent: Option<EntryId>,
}

impl Writer<'_, '_> {
    fn root(&mut self, id: EntryId) {
        self.entry(id, None, "", "");
    }

    fn section(&mut self, title: &'static str, roots: &[EntryId]) {
        if roots.is_empty() {
            return;
        }
        self.rows.push(Row::Title(title));
        for &root in roots {
            self.root(root);
        }
    }

    /// Writes an entry and what is under it. `branch` is drawn before its name, `stem` before what is under it.
    fn entry(&mut self, id: EntryId, edge: Option<&Edge<'_>>, branch: &str, stem: &str) {
        let graph = self.graph;
        let Some(entry) = graph.get(id) else { return };
        let mut notes: Vec<_> = label::notes(graph, entry, edge, self.agent)
            .into_iter()
            .map(styled)
            .collect();
        let denies = self
            .agent
            .is_some_and(|agent| entry.edges.iter().any(|edge| edge.denied_by.contains(&agent)));
        let is_repeated = !entry.edges.is_empty() && !self.seen.insert((id, denies));
        if is_repeated {
            notes.push(Painted::new("(*)", Paint::faint));
        }
        let keys = edge.map(label::keys).unwrap_or_default();
        let lacks_one = edge.is_some_and(|edge| edge.references.iter().any(|reference| reference.is_missing));
        self.rows.push(Row::Entry(Line {
            branch: branch.to_owned(),
            name: Painted::new(entry.object.to_string(), style(entry)),
            keys: Painted::new(keys, if lacks_one { Paint::bad } else { Paint::plain }),
            place: place(entry),
            notes,
        }));
        if !is_repeated {
            self.children(&entry.edges, stem);
        }
    }

    fn children(&mut self, edges: &[Edge<'_>], stem: &str) {
        for (i, edge) in edges.iter().enumerate() {
            let (branch, below) = match i + 1 == edges.len() {
                true => ("└── ", "    "),
                false => ("├── ", "│   "),
            };
            self.entry(
                edge.to,
                Some(edge),
                &format!("{stem}{branch}"),
                &format!("{stem}{below}"),
            );
        }
    }
}

fn style(entry: &Entry<'_>) -> fn(Paint, &str) -> String {
    match entry.state {
        State::Missing | State::Refused => Paint::bad,
        _ if entry.is_referred_to() => Paint::plain,
        _ => Paint::strong,
    }
}

fn styled(note: Note) -> Painted {
    match note {
        Note::Problem(text) => Painted::new(text, Paint::bad),
        Note::Idle(text) => Painted::new(text, Paint::warning),
        Note::Fact(text) => Painted::new(text, Paint::fact),
        Note::Under(counts) => Painted::new(counts.to_string(), Paint::faint),
    }
}

fn place(entry: &Entry<'_>) -> String {
    entry
        .place
        .map(|(file, line)| format!("{file}:{line}"))
        .unwrap_or_default()
}

fn layout(rows: &[Row], paint: Paint) -> String {
    let widths = rows.iter().filter_map(|row| match row {
        Row::Entry(line) => Some(line.width()),
        Row::Title(_) => None,
    });
    let column = widths.filter(|&width| width <= WIDEST).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        match row {
            Row::Title(title) => {
                let gap = if text.is_empty() { "" } else { "\n" };
                let _ = writeln!(text, "{gap}{}:", paint.warning(title));
            }
            Row::Entry(line) => line.write(&mut text, column, paint),
        }
    }
    text
}

impl Line {
    /// The columns of all but place and notes.
    fn width(&self) -> usize {
        let gap = usize::from(!self.keys.text.is_empty());
        self.branch.chars().count() + self.name.text.chars().count() + gap + self.keys.text.chars().count()
    }

    fn write(&self, text: &mut String, column: usize, paint: Paint) {
        let branch = paint.faint(&self.branch);
        let gap = if self.keys.text.is_empty() { "" } else { " " };
        let _ = write!(text, "{branch}{}{gap}{}", self.name.show(paint), self.keys.show(paint));
        if !self.place.is_empty() || !self.notes.is_empty() {
            let padding = column.saturating_sub(self.width());
            text.push_str(&" ".repeat(padding));
        }
        if !self.place.is_empty() {
            let _ = write!(text, "  {}", paint.faint(&self.place));
        }
        for (i, note) in self.notes.iter().enumerate() {
            let separator = if i == 0 { "  " } else { ", " };
            let _ = write!(text, "{separator}{}", note.show(paint));
        }
        text.push('\n');
    }
}

/// How many there are of each kind, and of what to look at.
fn summary(graph: &Graph<'_>) -> String {
    let counts = graph.counts();
    if counts.is_empty() {
        return "nothing that the operator reads".to_owned();
    }
    let number = |wanted: fn(&Entry<'_>) -> bool| graph.iter().filter(|(_, entry)| wanted(entry)).count();
    let special = [
        (number(|e| e.state == State::Missing), "missing"),
        (number(|e| e.state == State::Unselected), "selected by nothing"),
        (number(|e| e.state == State::Refused), "refused"),
        (number(|e| e.state == State::Paused), "paused"),
        (number(|e| e.is_shared()), "shared"),
    ];
    let special: Vec<_> = special
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match special.is_empty() {
        true => counts.to_string(),
        false => format!("{counts}; {}", special.join(", ")),
    }
}
