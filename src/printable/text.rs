//! Lines for people.

use std::borrow::Cow;
use std::fmt::Display;

use super::hidden::{printable, without_commands};

/// The look of a piece of a line on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Ordinary text.
    #[default]
    Plain,
    /// Something that exists, is right or is added.
    Good,
    /// Something missing, wrong or removed.
    Bad,
    /// Something that changes, or that has no effect, perhaps on purpose.
    Warning,
    /// A fact worth knowing.
    Fact,
    /// The subject of a paragraph.
    Strong,
    /// Details to look up, such as places.
    Faint,
}

impl Style {
    /// The parameters of the terminal's "Select Graphic Rendition".
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

/// One line: printable pieces, each with its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Style, String)>);

impl Line {
    /// A line of one piece.
    pub fn of(style: Style, text: impl Display) -> Self {
        Self::default().with(style, text)
    }

    /// With another piece.
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

    /// With a plain piece.
    #[must_use]
    pub fn plain(self, text: impl Display) -> Self {
        self.with(Style::Plain, text)
    }

    /// With the pieces of another line.
    #[must_use]
    pub fn join(mut self, other: Line) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, text)| text.is_empty())
    }

    /// Number of characters that are shown.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Lines of at most `width` characters, unless a word is longer. All but the first are indented by `hanging` more characters.
    fn wrapped(self, width: usize, hanging: usize) -> Vec<Line> {
        let pieces = self
            .0
            .iter()
            .flat_map(|(style, text)| text.chars().map(|c| (*style, c)));
        let pieces: Vec<_> = pieces.collect();
        let indent = pieces.iter().take_while(|(_, c)| *c == ' ').count() + hanging;
        let mut lines = Vec::new();
        let mut rest = pieces.as_slice();
        let mut used = 0;
        while used + rest.len() > width {
            // The mark of an item stays with its first word.
            let first = if used == 0 { indent.max(1) } else { 1 };
            let is_space = |i: &usize| rest.get(*i).is_some_and(|(_, c)| *c == ' ');
            let end = width.saturating_sub(used).max(first);
            let mut fitting = (first..=end).rev().filter(is_space);
            let Some(space) = fitting.next().or_else(|| (end..rest.len()).find(is_space)) else {
                break;
            };
            let (line, more) = rest.split_at(space);
            lines.push(Line::of_characters(used, line));
            rest = more.get(1..).unwrap_or_default();
            used = indent;
        }
        lines.push(Line::of_characters(used, rest));
        lines
    }

    /// Characters with their styles behind spaces.
    fn of_characters(indent: usize, characters: &[(Style, char)]) -> Line {
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

/// Lines for people. Nothing that is written into a line ends it, colours it, or is a command to the pipeline that runs
/// agentctl; so it is safe whatever the input is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    color: bool,
    /// Where items are wrapped.
    width: Option<usize>,
}

impl Text {
    /// No lines yet; `color` says whether styles are shown.
    pub fn new(color: bool) -> Self {
        Self {
            color,
            ..Self::default()
        }
    }

    /// No lines yet; items are wrapped where the screen ends.
    pub fn on(screen: Screen) -> Self {
        Self {
            color: screen.color,
            width: screen.width,
            ..Self::default()
        }
    }

    /// The lines of a text that has them on purpose.
    pub fn of_lines(lines: &str) -> Self {
        let lines = lines.strip_suffix('\n').unwrap_or(lines);
        let mut text = String::with_capacity(lines.len() + 1);
        for line in lines.split('\n') {
            text.push_str(&without_commands(&printable(line)));
            text.push('\n');
        }
        Self {
            text,
            ..Self::default()
        }
    }

    pub fn line(&mut self, line: impl Into<Line>) {
        let Line(pieces) = line.into();
        let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        match without_commands(&whole) {
            Cow::Owned(harmless) => self.text.push_str(&harmless),
            Cow::Borrowed(_) => pieces.iter().for_each(|(style, text)| self.piece(*style, text)),
        }
        self.text.push('\n');
    }

    /// Adds lines of one style, each behind the same mark.
    pub fn lines(&mut self, style: Style, mark: &str, lines: &str) {
        for line in lines.split_terminator('\n') {
            self.line(Line::of(style, format_args!("{mark}{line}")));
        }
    }

    /// Adds an item of a list, or another sentence, which is wrapped between words.
    pub fn item(&mut self, line: impl Into<Line>) {
        self.wrap(line.into(), 2);
    }

    /// Adds a paragraph, which is wrapped between words.
    pub fn paragraph(&mut self, line: impl Into<Line>) {
        self.wrap(line.into(), 0);
    }

    fn wrap(&mut self, line: Line, hanging: usize) {
        match self.width {
            Some(width) if line.width() > width => {
                for line in line.wrapped(width, hanging) {
                    self.line(line);
                }
            }
            _ => self.line(line),
        }
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Adds the lines of another text.
    pub fn append(&mut self, other: &Text) {
        self.text.push_str(&other.text);
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The lines in one text.
    pub fn into_string(self) -> String {
        self.text
    }

    /// The lines, as they are to be printed.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn piece(&mut self, style: Style, text: &str) {
        match style.code().filter(|_| self.color && !text.is_empty()) {
            Some(code) => self.text.extend(["\u{1b}[", code, "m", text, "\u{1b}[0m"]),
            None => self.text.push_str(text),
        }
    }
}

/// `1 object`, `2 objects`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// The screen that lines for people go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    pub color: bool,
    /// Number of characters of a line; `None` if it is not a terminal.
    pub width: Option<usize>,
}

impl Screen {
    /// A file, without colours and line breaks.
    pub const FILE: Self = Self {
        color: false,
        width: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_styles_steer_the_terminal() {
        let line = || Line::of(Style::Good, "\u{1b}[8ma").plain(" ").with(Style::Bad, "");
        for (color, expected) in [(true, "\u{1b}[32m\\u{1b}[8ma\u{1b}[0m \n"), (false, "\\u{1b}[8ma \n")] {
            let mut text = Text::new(color);
            text.line(line());
            assert_eq!(text.as_str(), expected);
        }
        assert_eq!(line().width(), 11);
    }

    #[test]
    fn each_style_has_its_code() {
        use Style::{Bad, Fact, Faint, Good, Plain, Strong, Warning};
        let codes = [Plain, Good, Bad, Warning, Fact, Strong, Faint].map(|style| {
            let mut text = Text::new(true);
            text.line(Line::of(style, "a"));
            text.into_string()
        });
        let expected = [32, 31, 33, 36, 1, 2].map(|code| format!("\u{1b}[{code}ma\u{1b}[0m\n"));
        assert_eq!(codes[0], "a\n");
        assert_eq!(codes[1..], expected);
    }

    #[test]
    fn texts_and_lines_are_joined() {
        let mut text = Text::default();
        assert!(text.is_empty());
        text.append(&Text::of_lines("a\n"));
        text.blank();
        let line = Line::of(Style::Good, "b").join(Line::from("").plain("c"));
        assert!(!line.is_empty() && Line::of(Style::Good, "").is_empty() && Line::default().is_empty());
        text.line(line);
        assert!(!text.is_empty());
        assert_eq!(text.as_str(), "a\n\nbc\n");
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "job")),
            ["0 jobs", "1 job", "2 jobs"]
        );
    }

    #[test]
    fn paragraphs_are_wrapped_without_indentation() {
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
            let mut found = Text::on(Screen { color, width });
            found.paragraph(text);
            assert_eq!(found.as_str(), expected, "{text} {width:?}");
        }
    }

    #[test]
    fn items_are_wrapped_between_words() {
        let item = || {
            Line::from("  - the agent wants ")
                .with(Style::Bad, "a label")
                .plain(" (shop.yaml:3)")
        };
        let wrapped = |width| {
            let mut text = Text::on(Screen { color: false, width });
            text.item(item());
            text.into_string()
        };
        assert_eq!(wrapped(None), "  - the agent wants a label (shop.yaml:3)\n");
        assert_eq!(wrapped(Some(41)), "  - the agent wants a label (shop.yaml:3)\n");
        assert_eq!(wrapped(Some(30)), "  - the agent wants a label\n    (shop.yaml:3)\n");
        assert_eq!(wrapped(Some(23)), "  - the agent wants a\n    label (shop.yaml:3)\n");
        assert_eq!(
            wrapped(Some(3)),
            "  - the\n    agent\n    wants\n    a\n    label\n    (shop.yaml:3)\n"
        );
        let mut colored = Text::on(Screen {
            color: true,
            width: Some(23),
        });
        colored.item(item());
        assert_eq!(
            colored.as_str(),
            "  - the agent wants \u{1b}[31ma\u{1b}[0m\n    \u{1b}[31mlabel\u{1b}[0m (shop.yaml:3)\n"
        );
    }

    #[test]
    fn lines_are_shown_as_one_by_one() {
        for lines in [
            "",
            "a\nb\n",
            "a\n\nb",
            "a\u{1b}\n",
            "::error::\n",
            "#[x]\n",
            "é\r\n",
            "a\n ##[b]\n",
        ] {
            for (color, mark) in [
                (false, ""),
                (false, "+"),
                (false, "#"),
                (false, ":"),
                (true, ""),
                (true, "+"),
            ] {
                let (mut all, mut each) = (Text::new(color), Text::new(color));
                all.lines(Style::Good, mark, lines);
                let lines = lines.split_terminator('\n');
                lines.for_each(|line| each.line(Line::of(Style::Good, format!("{mark}{line}"))));
                assert_eq!(all, each);
            }
        }
    }

    #[test]
    fn nothing_ends_a_line_or_starts_a_command() {
        let mut text = Text::new(true);
        text.line("a\n::error::b");
        text.line(Line::of(Style::Strong, " ").with(Style::Good, ":").plain(":error::c"));
        text.line(Line::of(Style::Strong, "##").plain("[d]"));
        assert_eq!(text.as_str(), "a\\n::error::b\n \\u{3a}:error::c\n\\u{23}#[d]\n");
        assert_eq!(Text::of_lines("a\r\n  ::b\n").as_str(), "a\\r\n  \\u{3a}:b\n");
    }
}
