//! The `human` format: reports with source excerpts, drawn by miette.

use std::fmt::Write;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, ThemeCharacters, ThemeStyles};
use textwrap::{WordSeparator, WordSplitter};

use super::excerpt::{Excerpts, Mark};
use super::lines::position;
use super::origin::origin;
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::printable::{Screen, escape_commands, format_count, printable};
use crate::secrecy::SourceRedactions;
use crate::source::Sources;

/// Bounds on the width at which messages and help are wrapped.
const MAX_WIDTH: usize = 100;
const MIN_WIDTH: usize = 40;

/// Returns a report for each diagnostic, each followed by a blank line.
pub(super) fn reports(diagnostics: &[&Diagnostic], sources: &Sources, screen: Screen) -> String {
    let mut views = SourceRedactions::default();
    let mut out = String::new();
    for diagnostic in diagnostics {
        let excerpts = Excerpts::new(diagnostic, sources, &mut views, screen);
        let handler = handler(diagnostic.severity, excerpts.marks(), screen);
        // Writing to a string cannot fail, and every mark is inside the excerpts.
        let _ = handler.render_report(&mut out, report(diagnostic, excerpts, screen).as_ref());
        if let Some(file) = origin(diagnostic, sources) {
            let _ = writeln!(out, "  generated from: {}", printable(file));
        }
        out.push_str(&occurrences(diagnostic, sources, screen));
        if !diagnostic.found_in.is_empty() {
            let found_in = diagnostic.found_in.join(", ");
            let words: Vec<_> = ["found", "in:"].into_iter().chain(found_in.split(' ')).map(str::to_owned).collect();
            let _ = writeln!(out, "  {}", wrap(&words, 2, screen));
        }
        out.push('\n');
    }
    out.split_inclusive('\n').map(|line| escape_commands(line).replace(FIXED_SPACE, " ")).collect()
}

/// A non-breaking space.
const FIXED_SPACE: char = '\u{a0}';

/// Length above which code in help text gets its own line, so that it is easy to copy.
const MAX_LENGTH_IN_LINE: usize = 40;

/// Returns human-readable text in which code is never broken across lines.
fn prose(text: &str) -> String {
    let mut out = String::new();
    // `{}` stays on the same line as the word that follows it.
    let mut follows_braces = false;
    for (i, part) in printable(text).split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        match (i % 2, part.strip_prefix(' ')) {
            (0, Some(rest)) if follows_braces => {
                out.push(FIXED_SPACE);
                out.push_str(rest);
            }
            (0, _) => out.push_str(part),
            _ => out.extend(part.chars().map(|c| if c == ' ' { FIXED_SPACE } else { c })),
        }
        follows_braces = i % 2 == 1 && part == "{}";
    }
    out
}

/// Returns the help text, with each long piece of code on its own line, without backticks.
fn help(text: &str) -> String {
    let mut out = String::new();
    let parts: Vec<_> = text.split('`').collect();
    for (i, part) in parts.iter().enumerate() {
        let is_code = i % 2 == 1 && i + 1 < parts.len();
        let is_snippet = is_code && part.contains(' ') && part.chars().count() > MAX_LENGTH_IN_LINE;
        match (is_code, is_snippet) {
            (_, true) => {
                let len_before = out.trim_end().len();
                out.truncate(len_before);
                out.push_str(&format!("\n  {part}\n"));
            }
            (true, _) => out.push_str(&format!("`{part}`")),
            _ if out.ends_with('\n') => out.push_str(part.trim_start_matches([';', ',', ' '])),
            _ => out.push_str(part),
        }
    }
    let lines = out.trim_end().lines().map(|line| match line.starts_with("  ") {
        true => printable(line).replace(' ', "\u{a0}"),
        false => prose(line),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the handler that draws a report. The primary label is shown in the color of its severity.
fn handler(severity: Severity, marks: &[Mark], screen: Screen) -> GraphicalReportHandler {
    let mut styles = if screen.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let severity_style = match severity {
        Severity::Error => styles.error,
        Severity::Warning => styles.warning,
        Severity::Note => styles.advice,
    };
    // miette assigns colors to labels in the order of their offsets.
    let mut marks: Vec<_> = marks.iter().collect();
    marks.sort_by_key(|mark| mark.range.start);
    let style = |mark: &Mark| if mark.label == 0 { severity_style } else { styles.advice };
    let highlights: Vec<_> = marks.into_iter().map(style).collect();
    if !highlights.is_empty() {
        styles.highlights = highlights;
    }
    let characters = ThemeCharacters::unicode();
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_width(screen.width.map_or(MAX_WIDTH, |width| width.clamp(MIN_WIDTH, MAX_WIDTH)))
        .with_break_words(false)
        .with_word_splitter(WordSplitter::NoHyphenation)
        .with_word_separator(WordSeparator::AsciiSpace)
        .with_links(false)
        .without_syntax_highlighting()
}

/// Maximum number of other occurrences to list.
const MAX_OCCURRENCES: usize = 12;

/// Returns the other occurrences of a finding, one per line.
fn occurrences(diagnostic: &Diagnostic, sources: &Sources, screen: Screen) -> String {
    let occurrences = &diagnostic.other_occurrences;
    if occurrences.is_empty() {
        return String::new();
    }
    let count = occurrences.len() + diagnostic.other_occurrences_left_out;
    let mut out = format!("  also in {}:\n", format_count(count, "other place"));
    for occurrence in occurrences.iter().take(MAX_OCCURRENCES) {
        let position = position(occurrence.label.span, sources);
        let subject = subject(occurrence.resource.as_ref(), occurrence.path.as_deref());
        let parts: Vec<_> = std::iter::once(position).chain(subject).collect();
        let _ = writeln!(out, "    {}", wrap(&parts, 4, screen));
    }
    let listed_count = occurrences.len().min(MAX_OCCURRENCES);
    if count > listed_count {
        let _ = writeln!(out, "    … and {} more", count - listed_count);
    }
    out
}

/// Returns the resource and field that a finding is about.
fn subject(resource: Option<&ObjectKey>, path: Option<&str>) -> impl Iterator<Item = String> {
    let resource = resource.map(ToString::to_string);
    [resource, path.map(str::to_owned)].into_iter().flatten()
}

/// Joins parts with spaces. On a screen, lines are broken between parts and, if a part is too long, after a dot or
/// slash inside it. `indent` is the indentation of the first line. Subsequent lines are indented by two more characters
/// if they start with a new part, and by four more if they continue one.
fn wrap(parts: &[String], indent: usize, screen: Screen) -> String {
    let width = screen.width.map_or(usize::MAX, |width| width.max(MIN_WIDTH));
    let mut out = String::new();
    let mut column = indent;
    for part in parts {
        let part = printable(part);
        let length = part.chars().count();
        let is_first = out.is_empty();
        if !is_first && column + 1 + length > width {
            out.push_str(&format!("\n{:1$}", "", indent + 2));
            column = indent + 2;
        } else if !is_first {
            out.push(' ');
            column += 1;
        }
        for piece in part.split_inclusive(['.', '/']) {
            let length = piece.chars().count();
            if column > indent + 2 && column + length > width {
                out.push_str(&format!("\n{:1$}", "", indent + 4));
                column = indent + 4;
            }
            out.push_str(piece);
            column += length;
        }
    }
    out
}

/// Converts a diagnostic to a miette report.
fn report(finding: &Diagnostic, excerpts: Excerpts, screen: Screen) -> miette::Report {
    let kind = format!("{}[{}]", finding.severity.as_str(), finding.code);
    let parts: Vec<_> =
        std::iter::once(kind).chain(subject(finding.resource.as_ref(), finding.path.as_deref())).collect();
    let label = |mark: &Mark| {
        let label = finding.labels.get(mark.label).filter(|label| !label.text.is_empty());
        let text = label.map(|label| printable(&label.text).into_owned());
        let span = (mark.range.start, mark.range.len());
        match mark.label {
            0 => LabeledSpan::new_primary_with_span(text, span),
            _ => LabeledSpan::new_with_span(text, span),
        }
    };
    let mut report = MietteDiagnostic::new(prose(&finding.message))
        .with_code(wrap(&parts, 0, screen))
        .with_severity(match finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
        .with_labels(excerpts.marks().iter().map(label));
    report.help = finding.help.as_deref().map(help);
    miette::Report::new(report).with_source_code(excerpts)
}

#[cfg(test)]
mod tests {
    use crate::testing::TestInput;
    use std::slice;

    use crate::diagnostic::{Code, Diagnostic, Label, Occurrence};
    use crate::printable::Screen;
    use crate::report::{MessageFormat, render, sample};
    use crate::source::{Source, Sources, Span};

    fn report(sources: &Sources, findings: &[Diagnostic]) -> String {
        render(MessageFormat::Human, findings, sources, Screen::default())
    }

    #[test]
    fn wraps_long_headings_only_on_a_terminal() {
        let parts = [
            "error[unknown-port]",
            "ServiceMonitor/monitoring/checkout",
            "spec.endpoints[0].relabelings[1].sourceLabels",
        ];
        let parts = parts.map(str::to_owned);
        let screen = |width| Screen { width, ..Screen::default() };
        let joined = parts.join(" ");
        assert_eq!(super::wrap(&parts, 0, screen(None)), joined);
        assert_eq!(super::wrap(&parts, 0, screen(Some(joined.len()))), joined);
        let expected =
            "error[unknown-port] ServiceMonitor/monitoring/checkout\n  spec.endpoints[0].relabelings[1].sourceLabels";
        assert_eq!(super::wrap(&parts, 0, screen(Some(80))), expected);
        let expected = "error[unknown-port]\n  ServiceMonitor/monitoring/checkout\n  spec.endpoints[0].relabelings[1].\n    sourceLabels";
        assert_eq!(super::wrap(&parts, 0, screen(Some(40))), expected);
    }

    #[test]
    fn keeps_inline_code_and_the_next_word_together() {
        let text = "it has none, so it selects nothing (`{}` selects everything), and `a b` c";
        let expected = "it has none, so it selects nothing (`{}`\u{a0}selects everything), and `a\u{a0}b` c";
        assert_eq!(super::prose(text), expected);
    }

    #[test]
    fn moves_long_commands_to_their_own_line() {
        let [short_code, long_code] = [38, 39].map(|length| format!("a {}", "b".repeat(length)));
        let [inline, block] = [&short_code, &long_code].map(|code| code.replace(' ', "\u{a0}"));
        let word = "b".repeat(60);
        for (text, expected) in [
            ("", String::new()),
            ("rename it, or `a b`", "rename it, or `a\u{a0}b`".to_owned()),
            (&format!("run `{short_code}`; then go"), format!("run `{inline}`; then go")),
            (&format!("run `{word}`"), format!("run `{word}`")),
            (&format!("run `{long_code}`"), format!("run\n\u{a0}\u{a0}{block}")),
            (
                &format!("run  `{long_code}`; then `{long_code}`, or `c d` "),
                format!("run\n\u{a0}\u{a0}{block}\nthen\n\u{a0}\u{a0}{block}\nor `c\u{a0}d`"),
            ),
            // An unterminated backtick does not start code.
            (&format!("run `{long_code}"), format!("run {long_code}")),
        ] {
            assert_eq!(super::help(text), expected, "{text}");
        }
    }

    /// Returns the report for a source with a diagnostic at each of the given words.
    fn report_at(text: &str, words: &[&str]) -> String {
        let sources = TestInput::new(text).sources;
        let diagnostic = words.iter().fold(Diagnostic::new(Code::NotAnObject, "m"), |finding, word| {
            finding.label(sample::span(&sources, 0, word), "here")
        });
        report(&sources, &[diagnostic])
    }

    #[test]
    fn shows_labels_in_two_files_and_a_summary() {
        let sources = sample::sources();
        let expected = "\
error[duplicate-resource] Probe/default/y metadata.name

  × `y` is defined twice
   ╭─[a,b/one.yaml:3:9]
 2 │ metadata:
 3 │   name: é x
   ·         ─┬─
   ·          ╰── first
 4 │   uid: y
   ╰────
   ╭─[two.yaml:1:7]
 1 │ kind: Probe
   ·       ──┬──
   ·         ╰── second
   ╰────
  help: rename one, \"y\" & so on

warning[paused-agent]

  ⚠ `x` is odd: 100%
   ╭─[a,b/one.yaml:5:1]
 4 │   uid: y
 5 │ spec: {}
   · ────────
   ╰────

error[no-input]

  × `<dir>` is\\nempty

2 errors, 1 warning
";
        assert_eq!(report(&sources, &sample::diagnostics(&sources)), expected);
    }

    #[test]
    fn lists_the_first_twelve_other_occurrences() {
        let mut sources = Sources::default();
        let text = "a\n".repeat(20);
        let id = sources.add(Source::new("x.yaml", text.as_str(), true));
        for (count, last, more) in [
            (1, "    x.yaml:1:1\n", None),
            (12, "    x.yaml:12:1\n", None),
            (13, "    x.yaml:12:1\n", Some("    … and 1 more\n")),
        ] {
            let mut finding = Diagnostic::new(Code::NoInput, "x").label(Span::new(id, 0, 1), "");
            finding.other_occurrences = (0..count)
                .map(|line| Occurrence {
                    label: Label { span: Span::new(id, 2 * line, 2 * line + 1), ..finding.labels[0].clone() },
                    resource: None,
                    path: None,
                })
                .collect();
            let report_text = report(&sources, &[finding]);
            let (_, listed) = report_text.split_once(" other place").unwrap();
            assert!(listed.contains(last), "{report_text}");
            assert_eq!(listed.contains("more"), more.is_some(), "{report_text}");
            assert!(more.is_none_or(|more| listed.contains(more)), "{report_text}");
        }
    }

    #[test]
    fn numbers_lines_of_long_files() {
        let lines = (2..2000).map(|i| format!("line{i}: x\n"));
        let text = format!("kind: A\n{}the: end", lines.collect::<String>());
        let expected = "\
error[not-an-object]

  × m
      ╭─[x.yaml:1234:1]
 1233 │ line1233: x
 1234 │ line1234: x
      · ────┬───
      ·     ╰── here
 1235 │ line1235: x
      ╰────
      ╭─[x.yaml:2000:6]
 1999 │ line1999: x
 2000 │ the: end
      ·      ─┬─
      ·       ╰── here
      ╰────

1 error
";
        assert_eq!(report_at(&text, &["line1234", "end"]), expected);
    }

    #[test]
    fn nearby_lines_share_a_snippet() {
        let expected = "\
error[not-an-object]

  × m
   ╭─[x.yaml:4:1]
 1 │ kind: A
   · ──┬─
   ·   ╰── here
 2 │ b: 2
 3 │ c: 3
 4 │ x: 4
   · ┬
   · ╰── here
 5 │ e: 5
   ╰────

1 error
";
        assert_eq!(report_at("kind: A\nb: 2\nc: 3\nx: 4\ne: 5\nf: 6\n", &["x", "kind"]), expected);
    }

    #[test]
    fn distant_lines_have_separate_snippets() {
        let text = "kind: A\nb: 2\nc: 3\nd: 4\nx: 5\n";
        let snippets = |words: &[&str]| report_at(text, words).matches("╭─[").count();
        assert_eq!(snippets(&["x", "kind"]), 2);
        assert_eq!(snippets(&["x", "b"]), 1);
        assert_eq!(snippets(&["x", "kind", "c"]), 1);
    }

    #[test]
    fn shows_the_first_line_of_long_spans() {
        let text = report_at("a:\n  b: 1\n  c: 2\nkind: A\n", &["a:\n  b: 1\n  c: 2"]);
        assert!(text.contains(" 1 │ a:\n   · ─┬\n   ·  ╰── here\n 2 │   b: 1\n   ╰────"), "{text}");
    }

    #[test]
    fn shows_labels_at_the_end_of_the_file() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "kind: A\n", true));
        let actual = [Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 8, 8), "here")];
        let text = report(&sources, &actual);
        assert!(text.contains("[x.yaml:2:1]\n 1 │ kind: A\n 2 │ \n   · ▲\n   · ╰── here\n"), "{text}");
    }

    #[test]
    fn shows_long_lines_around_the_label() {
        let fields = |from: usize| (from..from + 100).map(|i| format!("\"{i}\": 1, ")).collect::<String>();
        let line = format!("{{{}\"é\": \"wrong\", {}\"kind\": \"A\"}}\n", fields(100), fields(200));
        let text = report_at(&line, &["wrong"]);
        assert!(text.contains("╭─[x.yaml:1:1008]\n"), "{text}");
        let shown_line = text.lines().find(|line| line.starts_with(" 1 │ ")).unwrap();
        assert!(shown_line.contains("│ …") && shown_line.ends_with('…'), "{shown_line}");
        assert_eq!(shown_line.chars().count(), " 1 │ ".chars().count() + 162);
        let column = |line: &str, c| line.chars().position(|actual| actual == c).unwrap();
        let underline = text.lines().find(|line| line.contains('┬')).unwrap();
        assert_eq!(column(underline, '─'), column(shown_line, 'w'));
    }

    #[test]
    fn truncates_lines_to_the_screen_width() {
        let mut sources = Sources::default();
        let fields = |from: usize| (from..from + 20).map(|i| format!("\"{i}\": 1, ")).collect::<String>();
        let line = format!("{{{}\"é\": \"wrong\", {}\"kind\": \"A\"}}\n", fields(100), fields(200));
        sources.add(Source::new("x.yaml", line, true));
        let finding = Diagnostic::new(Code::NotAnObject, "m").label(sample::span(&sources, 0, "wrong"), "here");
        for width in [60, 80, 120] {
            let screen = Screen { color: false, width: Some(width) };
            let text = render(MessageFormat::Human, slice::from_ref(&finding), &sources, screen);
            assert!(text.contains("wrong"), "{text}");
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest.is_some_and(|longest| longest <= width), "{text}");
        }
    }

    #[test]
    fn hides_values_of_secrets() {
        let text = "kind: Secret\nstringData:\n  first: hunter1\n  password: hunter2\n  last: hunter3\n";
        let expected = "\
error[not-an-object]

  × m
   ╭─[x.yaml:4:13]
 3 │   first: ***
 4 │   password: ***
   ·             ─┬─
   ·              ╰── here
 5 │   last: ***
   ╰────

1 error
";
        assert_eq!(report_at(text, &["hunter2"]), expected);
        let json = "{\"kind\": \"Secret\", \"data\": {\"password\": \"hunter2\"}}";
        assert!(!report_at(json, &["password"]).contains("hunter2"));
    }

    #[test]
    fn wraps_messages_at_the_screen_width() {
        let finding = Diagnostic::new(Code::NoInput, "word ".repeat(30)).help("max-findings ".repeat(30));
        for (width, max_width) in [(None, 100), (Some(200), 100), (Some(60), 60), (Some(5), 40)] {
            let screen = Screen { color: false, width };
            let text = render(MessageFormat::Human, slice::from_ref(&finding), &Sources::default(), screen);
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!((max_width - 8..=max_width).contains(&longest), "{width:?}: {longest}\n{text}");
            for whole in ["word", "max-findings"] {
                let words = text.split_whitespace().filter(|word| *word == whole).count();
                assert_eq!(words, 30, "{text}");
            }
        }
    }

    #[test]
    fn escapes_control_characters_in_the_input() {
        let text = report_at("kind: A\na: \u{202e}[31m x\n", &["x"]);
        assert!(!text.contains('\u{202e}'), "{text}");
        assert!(text.contains(" 2 │ a: \\u{202e}[31m x\n   ·                 ┬\n"), "{text}");
    }

    #[test]
    fn colors_labels_by_severity() {
        let sources = sample::sources();
        let screen = Screen { color: true, width: None };
        let text = render(MessageFormat::Human, &sample::diagnostics(&sources), &sources, screen);
        for underline in ["\u{1b}[31m        ─┬─", "\u{1b}[33m────────"] {
            assert!(text.contains(underline), "{text}");
        }
        assert!(!text.contains("\u{1b}[35"), "{text}");
    }

    #[test]
    fn omits_colors_by_default() {
        let sources = sample::sources();
        let actual = sample::diagnostics(&sources);
        assert!(!report(&sources, &actual).contains('\u{1b}'));
        let screen = Screen { color: true, width: None };
        assert!(render(MessageFormat::Human, &actual, &sources, screen).contains("\u{1b}[31m"));
    }
}
