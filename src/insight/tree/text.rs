//! Text output for a tree, in the style of `cargo tree`, with locations in a separate column.

use std::collections::HashSet;

use super::model::{Edge, ResourceState, Tree, TreeItem, format_counts, format_keys};
use crate::api::ObjectRef;
use crate::printable::{Line, Screen, Style, Text, format_count, printable};

/// Maximum width of the name column. If a name is longer, its location is not aligned.
const MAX_NAME_WIDTH: usize = 76;

/// Gap between columns, in characters.
const COLUMN_GAP: usize = 2;

/// Width reserved for locations on narrow screens.
const LOCATION_WIDTH: usize = 18;

/// Formats each agent's tree, the unselected and rejected resources, and the counts by kind. The children of a repeated
/// resource are shown only at its first occurrence, and the other occurrences are marked with `(*)`. If a line is too
/// long for the screen, its counts are omitted first, followed by the leading directories of its location. Names are
/// never shortened.
pub fn text(tree: &Tree<'_>, screen: Screen) -> Text {
    let mut writer = Writer { tree, rows: Vec::new(), seen: HashSet::new(), agent: None };
    for &agent in &tree.agents {
        writer.agent = Some(agent);
        writer.entry(agent, None, "", "");
    }
    writer.agent = None;
    for (title, roots) in [("Not selected", &tree.unselected), ("Refused", &tree.refused)] {
        let first_row = writer.rows.len();
        roots.iter().for_each(|&root| writer.entry(root, None, "", ""));
        if let Some(first) = writer.rows.get_mut(first_row) {
            first.title = Some(title);
        }
    }
    let mut text = Text::for_screen(screen);
    layout(writer.rows, screen.width.unwrap_or(usize::MAX), &mut text);
    if !text.is_empty() {
        text.blank_line();
    }
    text.paragraph(summary(tree));
    text
}

struct EntryLine {
    /// Title of the section that starts with this entry, if any.
    title: Option<&'static str>,
    /// Branch lines of the tree, followed by the entry's name and keys.
    name: Line,
    place: String,
    /// Notes, each with a flag that is set if the note merely counts entries on subsequent lines.
    notes: Vec<(Line, bool)>,
}

struct Writer<'g, 'd> {
    tree: &'g Tree<'d>,
    rows: Vec<EntryLine>,
    /// Entries whose children have been written, each with a flag that is set if an agent above it denies access to
    /// files.
    seen: HashSet<(ObjectRef<'d>, bool)>,
    agent: Option<ObjectRef<'d>>,
}

impl<'d> Writer<'_, 'd> {
    /// Writes an entry and everything below it. `branch` is the prefix for the entry's line, and `stem` is the prefix
    /// for its children's lines.
    fn entry(&mut self, object: ObjectRef<'d>, edge: Option<&Edge<'d>>, branch: &str, stem: &str) {
        let tree = self.tree;
        let Some(entry) = tree.get(object) else { return };
        let mut notes = notes(tree, entry, edge, self.agent);
        let has_denied_children =
            self.agent.is_some_and(|agent| entry.edges.iter().any(|edge| edge.denied_by.contains(&agent)));
        let is_repeated = !entry.edges.is_empty() && !self.seen.insert((object, has_denied_children));
        if is_repeated {
            notes.push((Line::styled(Style::Faint, "(*)"), false));
        }
        let keys = edge.map(|edge| format_keys(edge.keys()));
        let keys = keys.filter(|keys| !keys.is_empty()).map(|keys| format!("[{keys}]"));
        let keys = keys.unwrap_or_default();
        let lacks_key = edge.is_some_and(|edge| edge.references.iter().any(|reference| reference.is_missing));
        let gap = if keys.is_empty() { "" } else { " " };
        let name = Line::styled(Style::Faint, branch).with(style(entry), object);
        self.rows.push(EntryLine {
            title: None,
            name: name.plain(gap).with(if lacks_key { Style::Bad } else { Style::Plain }, keys),
            place: entry.place.map_or_else(String::new, |(file, line)| format!("{file}:{line}")),
            notes,
        });
        let edges = if is_repeated { &[] } else { entry.edges.as_slice() };
        for (i, edge) in edges.iter().enumerate() {
            let (branch, stem_below) = match i + 1 == edges.len() {
                true => ("└── ", "    "),
                false => ("├── ", "│   "),
            };
            let [branch, stem_below] = [branch, stem_below].map(|end| format!("{stem}{end}"));
            self.entry(edge.to, Some(edge), &branch, &stem_below);
        }
    }
}

fn style(entry: &TreeItem<'_>) -> Style {
    match entry.state {
        ResourceState::Missing | ResourceState::Refused => Style::Bad,
        _ if entry.is_referred_to() => Style::Plain,
        _ => Style::Strong,
    }
}

/// Returns the notes about an entry that is reached through `edge` below `agent`, most urgent first.
fn notes(
    tree: &Tree<'_>,
    entry: &TreeItem<'_>,
    edge: Option<&Edge<'_>>,
    agent: Option<ObjectRef<'_>>,
) -> Vec<(Line, bool)> {
    let mut notes = Vec::new();
    let mut note = |style, text: &str, is_count| notes.push((Line::styled(style, text), is_count));
    if agent.is_some_and(|agent| edge.is_some_and(|edge| edge.denied_by.contains(&agent))) {
        note(Style::Bad, "excluded: it refers to files", false);
    }
    match &entry.state {
        ResourceState::Present | ResourceState::Unselected => {}
        ResourceState::Paused => note(Style::Warning, "paused", false),
        ResourceState::Missing => note(Style::Bad, "missing", false),
        ResourceState::Refused => note(Style::Bad, "refused", false),
        ResourceState::Promised(by) => note(Style::Fact, &format!("created by {by}"), false),
    }
    for (style, count, noun) in
        [(Style::Bad, entry.findings.errors, "error"), (Style::Warning, entry.findings.warnings, "warning")]
    {
        if count > 0 {
            note(style, &format_count(count, noun), false);
        }
    }
    if let Some(condition) = &entry.condition {
        note(Style::Warning, condition, false);
    }
    if entry.is_shared() {
        note(Style::Fact, &format!("shared by {}", entry.parents), false);
    }
    let mut child_counts = tree.child_counts(entry);
    child_counts.retain(|kind, _| !kind.is_data());
    if !child_counts.is_empty() {
        note(Style::Faint, &format_counts(&child_counts), true);
    }
    notes
}

fn layout(rows: Vec<EntryLine>, width: usize, text: &mut Text) {
    let max_name_width = MAX_NAME_WIDTH.min(width.saturating_sub(COLUMN_GAP + LOCATION_WIDTH));
    let widths = rows.iter().map(|row| row.name.width());
    let column = widths.filter(|&width| width <= max_name_width).max().unwrap_or_default();
    for row in rows {
        if let Some(title) = row.title {
            if !text.is_empty() {
                text.blank_line();
            }
            text.line(Line::styled(Style::Warning, title).plain(":"));
        }
        text.line(row.line(column, width));
    }
}

impl EntryLine {
    fn line(mut self, column: usize, width: usize) -> Line {
        let start = self.name.width().max(column);
        if start + self.available_width() > width {
            self.notes.retain(|(_, is_count)| !is_count);
        }
        let place = printable(&self.place).into_owned();
        let excess = (start + self.available_width()).saturating_sub(width);
        self.place = shorten_path(&place, place.chars().count().saturating_sub(excess));
        let mut line = self.name;
        if !self.place.is_empty() || !self.notes.is_empty() {
            let padding = column.saturating_sub(line.width());
            line = line.plain(" ".repeat(padding));
        }
        let gap = " ".repeat(COLUMN_GAP);
        if !self.place.is_empty() {
            line = line.plain(&gap).with(Style::Faint, self.place);
        }
        for (i, (note, _)) in self.notes.into_iter().enumerate() {
            line = line.plain(if i == 0 { &gap } else { ", " }).join(note);
        }
        line
    }

    /// Returns the space available to the right of the names.
    fn available_width(&self) -> usize {
        let place = printable(&self.place).chars().count();
        let notes = self.notes.iter().map(|(note, _)| note.width() + COLUMN_GAP);
        let gap = if place > 0 { COLUMN_GAP } else { 0 };
        gap + place + notes.sum::<usize>()
    }
}

/// Shortens `path` to at most `most` characters. Omits leading directories first, and then everything except the line
/// number. Returns an empty string if even the line number is too long.
fn shorten_path(path: &str, most: usize) -> String {
    let separators = path.match_indices('/').map(|(start, _)| start);
    let ends = separators.chain(path.rfind(':')).filter_map(|start| path.get(start..));
    let mut texts = std::iter::once(path.to_owned()).chain(ends.map(|end| format!("…{end}")));
    texts.find(|text| text.chars().count() <= most).unwrap_or_default()
}

/// Summarizes the number of resources of each kind and the number of resources with problems.
fn summary(tree: &Tree<'_>) -> String {
    let counts = format_counts(&tree.counts());
    if counts.is_empty() {
        return "no resources to show".to_owned();
    }
    type Judge = fn(&TreeItem<'_>) -> bool;
    let state_judges: [(&str, Judge); 5] = [
        ("missing", |entry| entry.state == ResourceState::Missing),
        ("not selected", |entry| entry.state == ResourceState::Unselected),
        ("refused", |entry| entry.state == ResourceState::Refused),
        ("paused", |entry| entry.state == ResourceState::Paused),
        ("shared", |entry| entry.is_shared()),
    ];
    let state_counts = state_judges.map(|(what, is_so)| (tree.iter().filter(|(_, entry)| is_so(entry)).count(), what));
    let present_states = state_counts.iter().filter(|(count, _)| *count > 0);
    let state_texts: Vec<_> = present_states.map(|(count, what)| format!("{count} {what}")).collect();
    match state_texts.is_empty() {
        true => counts,
        false => format!("{counts}; {}", state_texts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> EntryLine {
        let note = |text, is_count| (Line::styled(Style::Fact, text), is_count);
        EntryLine {
            title: None,
            name: Line::styled(Style::Strong, name),
            place: "clusters/eu/shop.yaml:18".to_owned(),
            notes: vec![note("missing", false), note("3 Probes", true)],
        }
    }

    #[test]
    fn narrow_screens_omit_counts_then_directories() {
        for (width, expected) in [
            (usize::MAX, "Probe/a/b   clusters/eu/shop.yaml:18  missing, 3 Probes"),
            (56, "Probe/a/b   clusters/eu/shop.yaml:18  missing, 3 Probes"),
            (54, "Probe/a/b   clusters/eu/shop.yaml:18  missing"),
            (45, "Probe/a/b   clusters/eu/shop.yaml:18  missing"),
            (44, "Probe/a/b   …/eu/shop.yaml:18  missing"),
            (37, "Probe/a/b   …/shop.yaml:18  missing"),
            (30, "Probe/a/b   …:18  missing"),
            (20, "Probe/a/b   missing"),
            (1, "Probe/a/b   missing"),
        ] {
            let mut text = Text::default();
            text.line(row("Probe/a/b").line(10, width));
            assert_eq!(text.as_str().trim_end(), expected, "{width}");
        }
        for (width, expected) in [(29, "Probe/a/b   missing, 3 Probes"), (28, "Probe/a/b   missing")] {
            let row = EntryLine { place: String::new(), ..row("Probe/a/b") };
            let mut text = Text::default();
            text.line(row.line(10, width));
            assert_eq!(text.as_str().trim_end(), expected, "{width}");
        }
    }
}
