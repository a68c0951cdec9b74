//! Terminal output for Markdown pages: headings, paragraphs, lists, tables and code, without their markup.

use crate::printable::{Line, Screen, Style, Text};

/// Maximum line width.
const MAX_WIDTH: usize = 100;

/// Indentation of an example.
const INDENT: &str = "    ";

pub fn render_markdown(page: &str, screen: Screen) -> Text {
    let width = screen.width.map_or(MAX_WIDTH, |width| width.min(MAX_WIDTH));
    let mut rendered_page =
        Page { has_color: screen.color, text: Text::for_screen(Screen { width: Some(width), ..screen }) };
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let example = std::iter::from_fn(|| lines.next().filter(|line| !line.starts_with("```")));
            example.for_each(|line| rendered_page.text.line(format!("{INDENT}{line}")));
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            rows.extend(std::iter::from_fn(|| lines.next_if(|line| line.starts_with('|'))));
            rendered_page.table(&rows);
        } else if let Some(heading) = line.strip_prefix("## ") {
            rendered_page.text.line(Line::styled(Style::Strong, heading));
        } else if line.is_empty() {
            rendered_page.text.blank_line();
        } else {
            let mut paragraph = line.to_owned();
            while let Some(next) = lines.next_if(|next| continues_block(next)) {
                paragraph.push(' ');
                paragraph.push_str(next.trim_start());
            }
            rendered_page.paragraph(&paragraph);
        }
    }
    rendered_page.text
}

/// Whether a line continues the paragraph or list item above it.
fn continues_block(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['|', '#']) && !line.starts_with("- ") && !line.starts_with("```")
}

struct Page {
    has_color: bool,
    text: Text,
}

impl Page {
    fn paragraph(&mut self, paragraph: &str) {
        let line = self.style_code(paragraph);
        match paragraph.strip_prefix("- ") {
            Some(_) => self.text.item(line),
            None => self.text.paragraph(line),
        }
    }

    /// Returns a line in which code is styled or, if there is no color, quoted.
    fn style_code(&self, text: &str) -> Line {
        let mut line = Line::default();
        for (i, part) in text.split('`').enumerate() {
            line = match (i % 2 == 1, self.has_color) {
                (false, _) => line.plain(part),
                (true, true) => line.with(Style::Fact, part),
                (true, false) => line.with(Style::Fact, format!("'{part}'")),
            };
        }
        line
    }

    /// Adds a table with aligned columns, without the separator line below its header.
    fn table(&mut self, rows: &[&str]) {
        let is_rule = |row: &&&str| row.chars().all(|sign| "|-: ".contains(sign));
        let rows = rows.iter().filter(|row| !is_rule(row));
        let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| self.style_code(cell.trim())).collect();
        let rows = rows.map(|row| cells(row)).collect();
        add_columns(rows, 2, &mut self.text);
    }
}

/// Adds rows with their cells aligned in columns, without trailing spaces.
pub fn add_columns(rows: Vec<Vec<Line>>, gap: usize, text: &mut Text) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(Line::width).max();
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    for row in rows {
        let last = row.iter().rposition(|cell| !cell.is_empty()).unwrap_or_default();
        let mut line = Line::default();
        for (i, (cell, width)) in row.into_iter().zip(&widths).enumerate() {
            let room = if i < last { width + gap - cell.width() } else { 0 };
            line = line.join(cell).plain(" ".repeat(room));
        }
        text.line(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn render_page(page: &str, width: usize, color: bool) -> String {
        let screen = Screen { color, width: Some(width) };
        render_markdown(page, screen).into_string()
    }

    #[test]
    fn converts_markdown_to_plain_text() {
        let page = "## What it finds\n\nA field `a b` that\nthe schema (`x`) has.\n\n- One `item`,\n  and more.\n- Two.\n\n```yaml\na: `b` | c\n```\n\n| a | `b` |\n|---|---|\n| long | c |\n";
        assert_eq!(
            render_page(page, 30, false),
            "What it finds\n\nA field 'a b' that the schema\n('x') has.\n\n- One 'item', and more.\n- Two.\n\n    a: `b` | c\n\na     'b'\nlong  c\n"
        );
        let colored = render_page("a `b`, c\n", 30, true);
        assert_eq!(colored, "a \u{1b}[36mb\u{1b}[0m, c\n");
    }

    #[test]
    fn wraps_lines_at_100_columns() {
        let page = ["word"; 60].join(" ");
        for (width, expected) in [(None, 99), (Some(200), 99), (Some(100), 99), (Some(60), 59), (Some(20), 19)] {
            let text = render_markdown(&page, Screen { color: false, width }).into_string();
            let longest = text.lines().map(str::len).max();
            assert_eq!(longest, Some(expected), "{width:?}");
        }
    }

    #[test]
    fn joins_continued_lines() {
        for (next, expected) in [
            ("b", true),
            ("  b", true),
            ("-b", true),
            ("`b`", true),
            ("", false),
            ("- b", false),
            ("| b |", false),
            ("## b", false),
            ("```", false),
        ] {
            assert_eq!(continues_block(next), expected, "{next}");
        }
    }

    #[test]
    fn columns_fit_the_widest_cell() {
        let columns = |rows: &[&[&str]]| {
            let rows = rows.iter().map(|row| row.iter().map(|cell| Line::from((*cell).to_owned())).collect());
            let mut text = Text::default();
            add_columns(rows.collect(), 2, &mut text);
            text.into_string()
        };
        assert_eq!(columns(&[]), "");
        assert_eq!(columns(&[&["a"], &["bcd", "e"]]), "a\nbcd  e\n");
        assert_eq!(columns(&[&["a", "", "x"], &["bcd", "", ""], &["", "ef", "g"]]), "a        x\nbcd\n     ef  g\n");
    }

    #[test]
    fn pages_show_no_markup_or_long_lines() {
        for code in Code::ALL {
            let page_text = render_page(code.page(), 80, false);
            let prose = page_text.lines().filter(|line| !line.starts_with(INDENT));
            for line in prose {
                assert!(!line.contains(['`', '|', '#']), "{code}: {line}");
                assert!(line.chars().count() <= 80 || !line.contains(' '), "{code}: {line}");
            }
        }
    }
}
