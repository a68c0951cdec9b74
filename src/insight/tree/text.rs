//! `text`: lines, as `cargo tree` has them, with the places in a column of their own.

use std::collections::HashSet;

use super::label::{self, Note};
use super::model::{Edge, Entry, EntryId, State, Tree};
use crate::printable::{Line, Style, Text};

/// Places are in a column unless a name is longer than this.
const WIDEST: usize = 76;

/// The tree of each agent, what nothing selects, what is refused, and how many there are of what. What is under a resource
/// that is there again stands where it comes first; `(*)` says so.
pub fn text(tree: &Tree<'_>, color: bool) -> Text {
    let mut writer = Writer {
        tree,
        rows: Vec::new(),
        seen: HashSet::new(),
        agent: None,
    };
    for &agent in &tree.agents {
        writer.agent = Some(agent);
        writer.root(agent);
    }
    writer.agent = None;
    writer.section("Selected by nothing", &tree.unselected);
    writer.section("Refused", &tree.refused);
    let mut text = Text::new(color);
    layout(writer.rows, &mut text);
    if !text.is_empty() {
        text.blank();
    }
    text.line(summary(tree));
    text
}

/// A line.
enum Row {
    Entry(EntryRow),
    /// The title of a section.
    Title(&'static str),
}

/// The line of an entry.
struct EntryRow {
    /// What is drawn before its name, the name, and the keys.
    name: Line,
    place: String,
    notes: Vec<Line>,
}

struct Writer<'g, 'd> {
    tree: &'g Tree<'d>,
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
        let tree = self.tree;
        let Some(entry) = tree.get(id) else { return };
        let mut notes: Vec<_> = label::notes(tree, entry, edge, self.agent)
            .into_iter()
            .map(styled)
            .collect();
        let denies = self
            .agent
            .is_some_and(|agent| entry.edges.iter().any(|edge| edge.denied_by.contains(&agent)));
        let is_repeated = !entry.edges.is_empty() && !self.seen.insert((id, denies));
        if is_repeated {
            notes.push(Line::of(Style::Faint, "(*)"));
        }
        let keys = edge.map(label::keys).unwrap_or_default();
        let lacks_one = edge.is_some_and(|edge| edge.references.iter().any(|reference| reference.is_missing));
        let gap = if keys.is_empty() { "" } else { " " };
        let name = Line::of(Style::Faint, branch).with(style(entry), entry.object);
        self.rows.push(Row::Entry(EntryRow {
            name: name
                .plain(gap)
                .with(if lacks_one { Style::Bad } else { Style::Plain }, keys),
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

fn style(entry: &Entry<'_>) -> Style {
    match entry.state {
        State::Missing | State::Refused => Style::Bad,
        _ if entry.is_referred_to() => Style::Plain,
        _ => Style::Strong,
    }
}

fn styled(note: Note) -> Line {
    match note {
        Note::Problem(text) => Line::of(Style::Bad, text),
        Note::Idle(text) => Line::of(Style::Warning, text),
        Note::Fact(text) => Line::of(Style::Fact, text),
        Note::Under(counts) => Line::of(Style::Faint, counts),
    }
}

fn place(entry: &Entry<'_>) -> String {
    entry
        .place
        .map(|(file, line)| format!("{file}:{line}"))
        .unwrap_or_default()
}

fn layout(rows: Vec<Row>, text: &mut Text) {
    let widths = rows.iter().filter_map(|row| match row {
        Row::Entry(row) => Some(row.name.width()),
        Row::Title(_) => None,
    });
    let column = widths.filter(|&width| width <= WIDEST).max().unwrap_or_default();
    for row in rows {
        match row {
            Row::Title(title) => {
                if !text.is_empty() {
                    text.blank();
                }
                text.line(Line::of(Style::Warning, title).plain(":"));
            }
            Row::Entry(row) => text.line(row.line(column)),
        }
    }
}

impl EntryRow {
    fn line(self, column: usize) -> Line {
        let mut line = self.name;
        if !self.place.is_empty() || !self.notes.is_empty() {
            let padding = column.saturating_sub(line.width());
            line = line.plain(" ".repeat(padding));
        }
        if !self.place.is_empty() {
            line = line.plain("  ").with(Style::Faint, self.place);
        }
        for (i, note) in self.notes.into_iter().enumerate() {
            line = line.plain(if i == 0 { "  " } else { ", " }).join(note);
        }
        line
    }
}

/// How many there are of each kind, and of what to look at.
fn summary(tree: &Tree<'_>) -> String {
    let counts = tree.counts();
    if counts.is_empty() {
        return "nothing that the operator reads".to_owned();
    }
    let number = |wanted: fn(&Entry<'_>) -> bool| tree.iter().filter(|(_, entry)| wanted(entry)).count();
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
