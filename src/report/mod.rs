//! Output formats for findings.

mod excerpt;
mod human;
mod junit;
mod lines;
mod markdown;
mod origin;
mod sarif;
mod statistics;

pub use markdown::{add_columns, render_markdown};

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnostic::bound::CountedFindings;
use crate::diagnostic::group::group_by_cause;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::printable::{Line, Screen, Style, Text, format_count};
use crate::secrecy::redact_message;
use crate::source::Sources;

/// Output format for diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MessageFormat {
    /// Human-readable reports with the relevant source lines
    Human,
    /// One line per finding: `file:line:column: error[code]: message (help)`
    Short,
    /// One JSON object per line
    Json,
    /// GitHub Actions annotations
    Github,
    /// One SARIF 2.1.0 document
    Sarif,
    /// One JUnit document
    Junit,
}

impl MessageFormat {
    /// Whether the format is machine-readable.
    pub fn is_data(self) -> bool {
        !matches!(self, MessageFormat::Human | MessageFormat::Short)
    }
}

/// Renders all diagnostics, sorted by source, line, column and severity. Diagnostics that share a cause are grouped.
///
/// The result is empty or ends with a line break. `screen` only affects human-readable reports.
pub fn render(format: MessageFormat, diagnostics: &[Diagnostic], sources: &Sources, screen: Screen) -> String {
    Findings::new(diagnostics.to_vec(), usize::MAX).render(format, sources, screen, LastLine::Counts)
}

/// Redacts secrets in a diagnostic's message, help, labels and fix title.
fn redact(diagnostic: &mut Diagnostic) {
    for text in diagnostic.texts_mut() {
        if let Cow::Owned(shown) = redact_message(text) {
            *text = shown;
        }
    }
}

/// The last line, after the findings, in human-readable formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastLine<'t> {
    /// No last line.
    Silent,
    /// The number of findings, shown only after reports.
    Counts,
    /// The completed action, followed by the number of findings.
    Done(&'t str),
}

/// The findings of a run: those to show, and their total number.
#[derive(Clone, Debug)]
pub struct Findings {
    shown: Vec<Diagnostic>,
    /// Findings that each summarize some of those not shown, for use in machine-readable formats.
    others: Vec<Diagnostic>,
    count: SeverityCounts,
    omitted: usize,
}

impl Findings {
    /// Groups the diagnostics and keeps at most `max_shown` of them, most severe first.
    pub fn new(diagnostics: Vec<Diagnostic>, max_shown: usize) -> Self {
        let mut shown = group_by_cause(diagnostics);
        shown.iter_mut().for_each(redact);
        let count = SeverityCounts::new(&shown);
        let mut others = CountedFindings::default();
        if shown.len() > max_shown {
            shown.sort_by(|a, b| (Reverse(a.severity), sort_key(a)).cmp(&(Reverse(b.severity), sort_key(b))));
            shown.split_off(max_shown).iter().for_each(|finding| others.add(finding));
        }
        let others: Vec<_> = others.findings().collect();
        Self { omitted: others.iter().map(Diagnostic::count).sum(), shown, others, count }
    }

    /// Returns the number of findings that are not shown.
    pub fn omitted_count(&self) -> usize {
        self.omitted
    }

    /// Returns the number of hidden findings for each code, such as `4 wrong-type`, most frequent first.
    pub fn omitted_by_code(&self) -> Vec<String> {
        let mut codes: BTreeMap<Code, usize> = BTreeMap::new();
        for finding in &self.others {
            *codes.entry(finding.code).or_default() += finding.count();
        }
        let mut codes: Vec<_> = codes.into_iter().collect();
        codes.sort_by_key(|(_, count)| Reverse(*count));
        codes.into_iter().map(|(code, count)| format!("{count} {code}")).collect()
    }

    /// Renders the findings in the given format. The last line counts all findings, including those that are not shown.
    pub fn render(&self, format: MessageFormat, sources: &Sources, screen: Screen, ending: LastLine<'_>) -> String {
        let others = self.others.iter().filter(|_| format.is_data());
        let ordered = sort_findings(self.shown.iter().chain(others));
        let ending = || self.render_ending(format, ending, screen.color);
        match format {
            MessageFormat::Human => human::reports(&ordered, sources, screen) + &ending(),
            MessageFormat::Short => lines::short(&ordered, sources) + &ending(),
            MessageFormat::Json => lines::json(&ordered, sources),
            MessageFormat::Github => lines::github(&ordered, sources),
            MessageFormat::Sarif => sarif::render(&ordered, sources),
            MessageFormat::Junit => junit::render(&ordered, sources),
        }
    }

    /// Renders the number of findings for each code: as a table with a last line in human-readable formats, and as JSON
    /// lines in all others.
    pub fn render_statistics(&self, format: MessageFormat, screen: Screen, ending: LastLine<'_>) -> String {
        let all_findings: Vec<_> = self.shown.iter().chain(&self.others).collect();
        match format.is_data() {
            true => statistics::json(&all_findings),
            false => statistics::table(&all_findings) + &self.render_ending(format, ending, screen.color),
        }
    }

    /// Returns the last line, or an empty string if there is none.
    fn render_ending(&self, format: MessageFormat, ending: LastLine<'_>, color: bool) -> String {
        let is_counted = format == MessageFormat::Human && !self.shown.is_empty();
        let mut line = match ending {
            LastLine::Silent => return String::new(),
            LastLine::Done(done) => Line::from(format!("{done}: ")).join(self.count.line()),
            LastLine::Counts if is_counted => self.count.line(),
            LastLine::Counts => Line::default(),
        };
        if self.omitted > 0 {
            let gap = if line.is_empty() { "" } else { "; " };
            let by_code = self.omitted_by_code().join(", ");
            line = line.plain(format!("{gap}{} not shown (--max-findings): {by_code}", self.omitted));
        }
        let mut text = Text::new(color);
        if !line.is_empty() {
            text.line(line);
        }
        text.into_string()
    }
}

/// Returns the findings in the form used by every format: grouped, sorted and redacted.
pub fn presentable(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let findings = Findings::new(diagnostics, usize::MAX);
    sort_findings(&findings.shown).into_iter().cloned().collect()
}

/// Returns the number of findings by severity, such as `2 errors, 1 warning` or `no findings`.
pub fn count(diagnostics: &[Diagnostic]) -> Line {
    SeverityCounts::new(&group_by_cause(diagnostics.to_vec())).line()
}

/// Number of findings by severity, most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeverityCounts([(Severity, usize); 3]);

impl SeverityCounts {
    fn new(diagnostics: &[Diagnostic]) -> Self {
        let number = |severity| {
            let findings = diagnostics.iter().filter(|finding| finding.severity == severity);
            findings.map(Diagnostic::count).sum()
        };
        Self([Severity::Error, Severity::Warning, Severity::Note].map(|severity| (severity, number(severity))))
    }

    /// Returns a line such as `2 errors, 1 warning` or `no findings`.
    fn line(self) -> Line {
        let counts = self.0.into_iter().filter(|&(_, number)| number > 0);
        let line = counts.fold(Line::default(), |line, (severity, number)| {
            let gap = if line.is_empty() { "" } else { ", " };
            line.plain(gap).with(style(severity), format_count(number, severity.as_str()))
        });
        match line.is_empty() {
            true => Line::styled(Style::Good, "no findings"),
            false => line,
        }
    }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => Style::Bad,
        Severity::Warning => Style::Warning,
        Severity::Note => Style::Fact,
    }
}

/// Sorts diagnostics by source, position and severity, with the most severe first and those without a position last. A
/// warning about missing builds comes before all others. Removes duplicates.
fn sort_findings<'f>(diagnostics: impl IntoIterator<Item = &'f Diagnostic>) -> Vec<&'f Diagnostic> {
    let mut ordered: Vec<_> = diagnostics.into_iter().collect();
    ordered.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    ordered.dedup();
    ordered
}

/// Returns a sort key that includes every field, so that identical diagnostics become adjacent.
fn sort_key(diagnostic: &Diagnostic) -> impl Ord + '_ {
    let start = diagnostic.primary().map(|label| (label.span.source, label.span.start));
    let what = (diagnostic.code, &diagnostic.message, &diagnostic.help);
    let about = (&diagnostic.resource, &diagnostic.path, &diagnostic.labels);
    // This warning comes first, because it explains the findings about unbuilt files.
    let comes_first = diagnostic.code == Code::NotRendered && diagnostic.severity > Severity::Note;
    (!comes_first, start.is_none(), start, Reverse(diagnostic.severity), what, about)
}

/// Sample diagnostics and sources for tests.
#[cfg(test)]
mod sample {
    use crate::diagnostic::{Code, Diagnostic, ObjectKey, Severity};
    use crate::source::{Source, SourceId, Sources, Span};

    pub(super) const FIRST: &str = "kind: Probe\nmetadata:\n  name: é x\n  uid: y\nspec: {}\n";
    pub(super) const SECOND: &str = "kind: Probe\n";

    /// Returns the span of `word` in the source at `index`.
    pub(super) fn span(sources: &Sources, index: usize, word: &str) -> Span {
        let (id, source) = sources.iter().nth(index).unwrap();
        let start = source.text.find(word).unwrap();
        Span::new(id, start, start + word.len())
    }

    fn id(sources: &Sources, index: usize) -> SourceId {
        sources.iter().nth(index).unwrap().0
    }

    pub(super) fn sources() -> Sources {
        let mut sources = Sources::default();
        sources.add(Source::new("a,b/one.yaml", FIRST, true));
        sources.add(Source::new("two.yaml", SECOND, true));
        sources
    }

    /// Returns three unsorted findings, one of which occurs twice: a warning, an error in two files, and one without a
    /// location.
    pub(super) fn diagnostics(sources: &Sources) -> Vec<Diagnostic> {
        let start = FIRST.find("spec").unwrap();
        let warning = Diagnostic::new(Code::PausedAgent, "`x` is odd: 100%")
            .label(Span::new(id(sources, 0), start, start + 8), "")
            .severity(Severity::Warning);
        vec![
            Diagnostic::new(Code::NoInput, "`<dir>` is\nempty"),
            warning.clone(),
            Diagnostic::new(Code::DuplicateResource, "`y` is defined twice")
                .label(span(sources, 0, "é x"), "first")
                .label(span(sources, 1, "Probe"), "second")
                .resource(ObjectKey::new("Probe", "default", "y"))
                .path("metadata.name")
                .help("rename one, \"y\" & so on"),
            warning,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Severity};
    use crate::source::Span;

    #[test]
    fn shows_the_most_severe_and_counts_all() {
        let severities = [Severity::Warning, Severity::Error, Severity::Note, Severity::Error];
        let actual: Vec<_> = (severities.iter().zip(["a", "b", "c", "d"]))
            .map(|(&severity, message)| Diagnostic::new(Code::NoInput, message).severity(severity))
            .collect();
        let lines = |most, format, done: Option<&str>| {
            let findings = Findings::new(actual.clone(), most);
            let text = findings.render(
                format,
                &Sources::default(),
                Screen::default(),
                done.map_or(LastLine::Counts, LastLine::Done),
            );
            let messages: String = findings.shown.iter().map(|finding| finding.message.as_str()).collect();
            (messages, text.lines().last().unwrap_or_default().to_owned())
        };
        let all_counts = "2 errors, 1 warning, 1 note";
        let human = MessageFormat::Human;
        assert_eq!(lines(4, human, None), ("abcd".to_owned(), all_counts.to_owned()));
        let expected = format!("{all_counts}; 1 not shown (--max-findings): 1 no-input");
        assert_eq!(lines(3, human, None), ("bda".to_owned(), expected));
        let expected = format!("read: {all_counts}; 2 not shown (--max-findings): 2 no-input");
        assert_eq!(lines(2, human, Some("read")), ("bd".to_owned(), expected.clone()));
        let short = MessageFormat::Short;
        assert_eq!(lines(2, short, Some("read")).1, expected);
        assert_eq!(lines(2, short, None).1, "2 not shown (--max-findings): 2 no-input");
        assert_eq!(lines(4, short, None).1, "note[no-input]: c");
        let findings = Findings::new(actual.clone(), 2);
        let silent_output = findings.render(short, &Sources::default(), Screen::default(), LastLine::Silent);
        assert!(silent_output.ends_with("error[no-input]: d\n"), "{silent_output}");
    }

    #[test]
    fn colors_counts_by_severity() {
        let finding = [Severity::Error, Severity::Warning].map(|severity| {
            let finding = Diagnostic::new(Code::NoInput, severity.as_str());
            finding.severity(severity)
        });
        let screen = Screen { color: true, width: None };
        let text = render(MessageFormat::Human, &finding, &Sources::default(), screen);
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last, "\u{1b}[31m1 error\u{1b}[0m, \u{1b}[33m1 warning\u{1b}[0m");
        assert!(text.contains("\u{1b}[31merror[no-input]"), "{text}");
        assert!(text.contains("\u{1b}[33mwarning[no-input]"), "{text}");
    }

    #[test]
    fn removes_duplicates_and_sorts_by_severity() {
        let sources = sample::sources();
        let (id, _) = sources.iter().next().unwrap();
        let at =
            |start, severity| Diagnostic::new(Code::NoInput, "m").label(Span::new(id, start, 9), "").severity(severity);
        let actual = [
            Diagnostic::new(Code::NoInput, "nowhere"),
            at(3, Severity::Error),
            at(2, Severity::Note),
            at(2, Severity::Error),
            at(3, Severity::Error),
            at(2, Severity::Warning),
        ];
        let order: Vec<_> = sort_findings(&actual)
            .into_iter()
            .map(|d| (d.primary().map(|label| label.span.start), d.severity))
            .collect();
        let expected = [
            (Some(2), Severity::Error),
            (Some(2), Severity::Warning),
            (Some(2), Severity::Note),
            (Some(3), Severity::Error),
            (None, Severity::Error),
        ];
        assert_eq!(order, expected);
    }
}
