//! Lines of human-readable output.

use std::borrow::Cow;
use std::fmt::Display;

use super::hidden::{escape_commands, printable};

/// Terminal style of a span of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Ordinary, unstyled text.
    #[default]
    Plain,
    /// Item that exists, is correct or is added.
    Good,
    /// Item that is missing, wrong or removed.
    Bad,
    /// Item that changes or has no effect, perhaps intentionally.
    Warning,
    /// Fact that is worth knowing but is not a problem.
    Fact,
    /// Subject of a paragraph.
    Strong,
    /// Detail for reference, such as a location.
    Faint,
}

impl Style {
    /// Returns the parameter of the terminal's "Select Graphic Rendition" sequence.
    fn code(self) -> Option<&'static str> {
        match self {
            Style::Plain => None,
            Style::Good => Some("32"),
            Style::Bad => Some("31"),
            Style::Warning => Some("33"),
            Style::Fact => Some("36"),
            Style::Strong => Some("1"),
            Style::Faint => Some("2"),
        }
    }
}

/// A line of printable spans, each with its own style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Style, String)>);

impl Line {
    /// Returns a line with a single span.
    pub fn styled(style: Style, text: impl Display) -> Self {
        Self::default().with(style, text)
    }

    /// Adds a span with the given style.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Display) -> Self {
        let text = text.to_string();
        let text = match printable(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(shown) => shown,
        };
        self.0.push((style, text));
        self
    }

    /// Adds an unstyled span.
    #[must_use]
    pub fn plain(self, text: impl Display) -> Self {
        self.with(Style::Plain, text)
    }

    /// Adds the spans of another line.
    #[must_use]
    pub fn join(mut self, other: Line) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Whether all spans are empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, text)| text.is_empty())
    }

    /// Returns the number of displayed characters.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Wraps the line at `width` characters without breaking longer words. All lines after the first are indented by
    /// `hanging` additional characters.
    fn wrapped_lines(self, width: usize, hanging: usize) -> Vec<Line> {
        let pieces = self.0.iter().flat_map(|(style, text)| text.chars().map(|c| (*style, c)));
        let pieces: Vec<_> = pieces.collect();
        let indent = pieces.iter().take_while(|(_, c)| *c == ' ').count() + hanging;
        let mut lines = Vec::new();
        let mut rest = pieces.as_slice();
        let mut used_width = 0;
        while used_width + rest.len() > width {
            // A list marker stays on the same line as the item's first word.
            let first_index = if used_width == 0 { indent.max(1) } else { 1 };
            let is_space = |i: &usize| rest.get(*i).is_some_and(|(_, c)| *c == ' ');
            let end = width.saturating_sub(used_width).max(first_index);
            let mut fitting_spaces = (first_index..=end).rev().filter(is_space);
            let Some(space) = fitting_spaces.next().or_else(|| (end..rest.len()).find(is_space)) else {
                break;
            };
            let (line, remaining_pieces) = rest.split_at(space);
            lines.push(Line::from_characters(used_width, line));
            rest = remaining_pieces.get(1..).unwrap_or_default();
            used_width = indent;
        }
        lines.push(Line::from_characters(used_width, rest));
        lines
    }

    /// Returns a line with `indent` spaces followed by styled characters.
    fn from_characters(indent: usize, characters: &[(Style, char)]) -> Line {
        let mut pieces = vec![(Style::Plain, " ".repeat(indent))];
        for group in characters.chunk_by(|a, b| a.0 == b.0) {
            let style = group.first().map(|(style, _)| *style).unwrap_or_default();
            pieces.push((style, group.iter().map(|(_, c)| c).collect()));
        }
        Line(pieces)
    }
}

impl<T: Display> From<T> for Line {
    fn from(text: T) -> Self {
        Line::default().plain(text)
    }
}

/// Lines of human-readable output. Text added to a line cannot end the line, set colors or contain a CI command, so any
/// input is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    color: bool,
    /// Width at which items are wrapped, or `None` if they are not wrapped.
    width: Option<usize>,
}

impl Text {
    /// Creates an empty `Text`. `color` specifies whether styles are shown.
    pub fn new(color: bool) -> Self {
        Self { color, ..Self::default() }
    }

    /// Creates an empty `Text` whose items are wrapped to the width of the screen.
    pub fn for_screen(screen: Screen) -> Self {
        Self { color: screen.color, width: screen.width, ..Self::default() }
    }

    /// Creates a `Text` from lines that keep their line breaks.
    pub fn from_lines(lines: &str) -> Self {
        let lines = lines.strip_suffix('\n').unwrap_or(lines);
        let mut text = String::with_capacity(lines.len() + 1);
        for line in lines.split('\n') {
            text.push_str(&escape_commands(&printable(line)));
            text.push('\n');
        }
        Self { text, ..Self::default() }
    }

    pub fn line(&mut self, line: impl Into<Line>) {
        let Line(pieces) = line.into();
        let joined_text: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        match escape_commands(&joined_text) {
            Cow::Owned(harmless) => self.text.push_str(&harmless),
            Cow::Borrowed(_) => pieces.iter().for_each(|(style, text)| self.push_piece(*style, text)),
        }
        self.text.push('\n');
    }

    /// Adds lines in the same style, each preceded by the same marker.
    pub fn lines(&mut self, style: Style, mark: &str, lines: &str) {
        for line in lines.split_terminator('\n') {
            self.line(Line::styled(style, format_args!("{mark}{line}")));
        }
    }

    /// Adds a list item or another sentence, wrapped between words.
    pub fn item(&mut self, line: impl Into<Line>) {
        self.wrap(line.into(), 2);
    }

    /// Adds a paragraph, wrapped between words.
    pub fn paragraph(&mut self, line: impl Into<Line>) {
        self.wrap(line.into(), 0);
    }

    fn wrap(&mut self, line: Line, hanging: usize) {
        match self.width {
            Some(width) if line.width() > width => {
                for line in line.wrapped_lines(width, hanging) {
                    self.line(line);
                }
            }
            _ => self.line(line),
        }
    }

    pub fn blank_line(&mut self) {
        self.text.push('\n');
    }

    /// Adds the lines of another `Text`.
    pub fn append(&mut self, other: &Text) {
        self.text.push_str(&other.text);
    }

    /// Whether the text contains no lines.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Converts the text to a string, ready to print.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the text, ready to print.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn push_piece(&mut self, style: Style, text: &str) {
        match style.code().filter(|_| self.color && !text.is_empty()) {
            Some(code) => self.text.extend(["\u{1b}[", code, "m", text, "\u{1b}[0m"]),
            None => self.text.push_str(text),
        }
    }
}

/// Returns a number followed by a noun, such as `1 object` or `2 objects`.
pub fn format_count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Capitalizes the first letter if it is an ASCII letter.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let initial = letters.next().map(|initial| initial.to_ascii_uppercase());
    initial.into_iter().chain(letters).collect()
}

/// The screen on which human-readable output is displayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    pub color: bool,
    /// Number of characters on a line, or `None` if the output is not a terminal.
    pub width: Option<usize>,
}

impl Screen {
    /// A file as the output, without colors or wrapping.
    pub const FILE: Self = Self { color: false, width: None };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_styles_emit_control_sequences() {
        let line = || Line::styled(Style::Good, "\u{1b}[8ma").plain(" ").with(Style::Bad, "");
        for (color, expected) in [(true, "\u{1b}[32m\\u{1b}[8ma\u{1b}[0m \n"), (false, "\\u{1b}[8ma \n")] {
            let mut text = Text::new(color);
            text.line(line());
            assert_eq!(text.as_str(), expected);
        }
        assert_eq!(line().width(), 11);
    }

    #[test]
    fn maps_styles_to_codes() {
        use Style::{Bad, Fact, Faint, Good, Plain, Strong, Warning};
        let codes = [Plain, Good, Bad, Warning, Fact, Strong, Faint].map(|style| {
            let mut text = Text::new(true);
            text.line(Line::styled(style, "a"));
            text.into_string()
        });
        let expected = [32, 31, 33, 36, 1, 2].map(|code| format!("\u{1b}[{code}ma\u{1b}[0m\n"));
        assert_eq!(codes[0], "a\n");
        assert_eq!(codes[1..], expected);
    }

    #[test]
    fn joins_blocks_and_lines() {
        let mut text = Text::default();
        assert!(text.is_empty());
        text.append(&Text::from_lines("a\n"));
        text.blank_line();
        let line = Line::styled(Style::Good, "b").join(Line::from("").plain("c"));
        assert!(!line.is_empty() && Line::styled(Style::Good, "").is_empty() && Line::default().is_empty());
        text.line(line);
        assert!(!text.is_empty());
        assert_eq!(text.as_str(), "a\n\nbc\n");
        assert_eq!([0, 1, 2].map(|number| format_count(number, "job")), ["0 jobs", "1 job", "2 jobs"]);
    }

    #[test]
    fn wraps_paragraphs_without_indentation() {
        for (text, width, expected) in [
            ("a bb ccc", 8, "a bb ccc\n"),
            ("a bb ccc", 7, "a bb\nccc\n"),
            ("a bb ccc", 4, "a bb\nccc\n"),
            ("a bb ccc", 3, "a\nbb\nccc\n"),
            ("a bb ccc", 0, "a\nbb\nccc\n"),
            ("  a bb", 4, "  a\n  bb\n"),
            ("aaaa", 2, "aaaa\n"),
            ("éé éé", 4, "éé\néé\n"),
        ] {
            let (color, width) = (false, Some(width));
            let mut actual = Text::for_screen(Screen { color, width });
            actual.paragraph(text);
            assert_eq!(actual.as_str(), expected, "{text} {width:?}");
        }
    }

    #[test]
    fn wraps_items_between_words() {
        let item = || Line::from("  - the agent wants ").with(Style::Bad, "a label").plain(" (shop.yaml:3)");
        let wrap = |width| {
            let mut text = Text::for_screen(Screen { color: false, width });
            text.item(item());
            text.into_string()
        };
        assert_eq!(wrap(None), "  - the agent wants a label (shop.yaml:3)\n");
        assert_eq!(wrap(Some(41)), "  - the agent wants a label (shop.yaml:3)\n");
        assert_eq!(wrap(Some(30)), "  - the agent wants a label\n    (shop.yaml:3)\n");
        assert_eq!(wrap(Some(23)), "  - the agent wants a\n    label (shop.yaml:3)\n");
        assert_eq!(wrap(Some(3)), "  - the\n    agent\n    wants\n    a\n    label\n    (shop.yaml:3)\n");
        let mut colored_text = Text::for_screen(Screen { color: true, width: Some(23) });
        colored_text.item(item());
        assert_eq!(
            colored_text.as_str(),
            "  - the agent wants \u{1b}[31ma\u{1b}[0m\n    \u{1b}[31mlabel\u{1b}[0m (shop.yaml:3)\n"
        );
    }

    #[test]
    fn splits_text_into_lines() {
        for lines in ["", "a\nb\n", "a\n\nb", "a\u{1b}\n", "::error::\n", "#[x]\n", "é\r\n", "a\n ##[b]\n"] {
            for (color, mark) in [(false, ""), (false, "+"), (false, "#"), (false, ":"), (true, ""), (true, "+")] {
                let (mut whole_text, mut text_by_line) = (Text::new(color), Text::new(color));
                whole_text.lines(Style::Good, mark, lines);
                let lines = lines.split_terminator('\n');
                lines.for_each(|line| text_by_line.line(Line::styled(Style::Good, format!("{mark}{line}"))));
                assert_eq!(whole_text, text_by_line);
            }
        }
    }

    #[test]
    fn escapes_line_breaks_and_commands() {
        let mut text = Text::new(true);
        text.line("a\n::error::b");
        text.line(Line::styled(Style::Strong, " ").with(Style::Good, ":").plain(":error::c"));
        text.line(Line::styled(Style::Strong, "##").plain("[d]"));
        assert_eq!(text.as_str(), "a\\n::error::b\n \\u{3a}:error::c\n\\u{23}#[d]\n");
        assert_eq!(Text::from_lines("a\r\n  ::b\n").as_str(), "a\\r\n  \\u{3a}:b\n");
    }
}
