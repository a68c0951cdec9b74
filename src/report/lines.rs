//! Formats that write one line per finding: `short`, `json` and `github`.

use std::fmt::Write;

use serde::Serialize;

use super::origin::origin;
use crate::diagnostic::{Certainty, Diagnostic, Edit, Label, ObjectKey, Severity};
use crate::printable::{self, Text, escape_commands, format_count, printable};
use crate::source::{Location, Sources, Span};

/// The `short` format: one line per diagnostic, as in compiler output.
pub(super) fn short(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut out = Text::default();
    for diagnostic in diagnostics {
        out.line(line(diagnostic, sources));
    }
    out.into_string()
}

/// Returns a line such as `file:line:column: error[code]: message; help: … [see file:line:column]`.
pub(super) fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = place(diagnostic, sources).map(|place| format!("{place}: "));
    let (place, severity) = (place.unwrap_or_default(), diagnostic.severity.as_str());
    let mut out = format!("{place}{severity}[{}]: {}", diagnostic.code, diagnostic.message);
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, "; help: {help}");
    }
    for places in [explanations(diagnostic, sources), occurrences(diagnostic, sources)].into_iter().flatten() {
        let _ = write!(out, " [{places}]");
    }
    if let Some(file) = origin(diagnostic, sources) {
        let _ = write!(out, " [generated from {file}]");
    }
    if !diagnostic.found_in.is_empty() {
        let _ = write!(out, " [in {}]", diagnostic.found_in.join(", "));
    }
    out
}

/// A finding in JSON. Every key except `origin` and `found_in` is always present, and is `null` if there is no value.
#[derive(Serialize)]
struct JsonFinding<'d> {
    severity: &'d str,
    code: &'d str,
    message: &'d str,
    help: Option<&'d str>,
    #[serde(flatten)]
    at: JsonLocation<'d>,
    fix: Option<JsonFix<'d>>,
    /// Fix that is likely, but not certain.
    suggestion: Option<JsonFix<'d>>,
    /// File that Helm or kustomize built the object from, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'d str>,
    /// Names of the inputs that contain the finding, if several inputs are checked separately.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    found_in: &'d [String],
    /// Other locations: those that explain the finding, followed by other occurrences.
    related: Vec<RelatedLocation<'d>>,
}

/// A fix in machine-readable form.
#[derive(Serialize)]
struct JsonFix<'d> {
    title: &'d str,
    edits: Vec<Replacement<'d>>,
}

/// A replacement for a byte range in a file.
#[derive(Serialize)]
struct Replacement<'d> {
    #[serde(flatten)]
    region: Region<'d>,
    /// Offset of the first byte.
    start: usize,
    /// Offset after the last byte.
    end: usize,
    replacement: &'d str,
}

/// Range of lines and columns, counted as in findings.
#[derive(Serialize)]
struct Region<'d> {
    file: Option<&'d str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

impl<'d> Region<'d> {
    fn new(place: Option<Location<'d>>) -> Self {
        Self {
            file: place.map(|place| place.file),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            end_line: place.map(|place| place.end.line),
            end_column: place.map(|place| place.end.column),
        }
    }
}

impl<'d> JsonFix<'d> {
    /// Returns the fix with this certainty, if there is one.
    fn new(diagnostic: &'d Diagnostic, certainty: Certainty, sources: &'d Sources) -> Option<Self> {
        let fix = diagnostic.fix.as_ref().filter(|fix| fix.certainty == certainty)?;
        let edits = fix.edits.iter().map(|edit| Replacement::new(edit, sources));
        Some(Self { title: &fix.title, edits: edits.collect::<Option<_>>()? })
    }
}

impl<'d> Replacement<'d> {
    fn new(edit: &'d Edit, sources: &'d Sources) -> Option<Self> {
        let mark = sources.get(edit.span.source)?.mark_len();
        Some(Self {
            region: Region::new(sources.location(edit.span)),
            start: edit.span.start as usize + mark,
            end: edit.span.end as usize + mark,
            replacement: &edit.text,
        })
    }
}

/// An additional location of a finding.
#[derive(Serialize)]
struct RelatedLocation<'d> {
    message: &'d str,
    #[serde(flatten)]
    at: JsonLocation<'d>,
}

#[derive(Serialize)]
struct JsonLocation<'d> {
    resource: Option<&'d ObjectKey>,
    path: Option<&'d str>,
    #[serde(flatten)]
    region: Region<'d>,
}

/// The `json` format: one object per line.
pub(super) fn json(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    // All strings and numbers can be represented in JSON, so this cannot fail.
    let text = |finding: &&Diagnostic| serde_json::to_string(&record(finding, sources)).unwrap_or_default();
    let lines = diagnostics.iter().map(|finding| text(finding) + "\n");
    printable::json(lines.collect())
}

fn record<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> JsonFinding<'d> {
    JsonFinding {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
        at: JsonLocation {
            resource: diagnostic.resource.as_ref(),
            path: diagnostic.path.as_deref(),
            region: Region::new(place(diagnostic, sources)),
        },
        fix: JsonFix::new(diagnostic, Certainty::Certain, sources),
        suggestion: JsonFix::new(diagnostic, Certainty::Likely, sources),
        origin: origin(diagnostic, sources),
        found_in: &diagnostic.found_in,
        related: related_locations(diagnostic, sources),
    }
}

/// Returns all locations of a finding except the first, each with its resource and field: those that explain the
/// finding, followed by other occurrences.
pub(super) fn other_locations(
    finding: &Diagnostic,
) -> impl Iterator<Item = (&Label, Option<&ObjectKey>, Option<&str>)> {
    let labels = finding.labels.iter().skip(1).map(|label| (label, None, None));
    let occurrences = finding.other_occurrences.iter();
    labels.chain(
        occurrences.map(|occurrence| (&occurrence.label, occurrence.resource.as_ref(), occurrence.path.as_deref())),
    )
}

fn related_locations<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Vec<RelatedLocation<'d>> {
    let related = other_locations(diagnostic).filter_map(|(label, resource, path)| {
        let region = Region::new(Some(sources.location(label.span)?));
        Some(RelatedLocation { message: &label.text, at: JsonLocation { resource, path, region } })
    });
    related.collect()
}

/// The `github` format: workflow commands whose annotations GitHub Actions shows in the diff of a pull request.
pub(super) fn github(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let lines = diagnostics.iter().map(|finding| command(finding, sources) + "\n");
    lines.collect()
}

/// Returns a command of the form `::error file=F,line=L,endLine=L,col=C,endColumn=C,title=CODE::message`.
fn command(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut out = format!("::{name} ");
    let made_from = origin(diagnostic, sources);
    let place = place(diagnostic, sources);
    if let Some(place) = place {
        out.push_str(&properties(place));
    }
    let _ = write!(out, "title={}::{}", diagnostic.code, escape_data(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, "%0Ahelp: {}", escape_data(help));
    }
    if let Some(other_labels) = labels_elsewhere(diagnostic, sources) {
        let _ = write!(out, "%0A{}", escape_data(&other_labels));
    }
    if let (Some(made_from), Some(place)) = (made_from, place) {
        let (at, made_from) = (escape_data(&place.to_string()), escape_data(made_from));
        let _ = write!(out, "%0Aat {at}, generated from {made_from}");
    }
    if !diagnostic.found_in.is_empty() {
        let _ = write!(out, "%0Ain {}", escape_data(&diagnostic.found_in.join(", ")));
    }
    out
}

/// Returns the location properties. GitHub supports columns only within a single line; `endColumn` is the position of
/// the last character, not the position after it.
fn properties(place: Location<'_>) -> String {
    let file = escape_property(place.file.strip_prefix("./").unwrap_or(place.file));
    let Location { start, end, .. } = place;
    let mut out = format!("file={file},line={},endLine={},", start.line, end.line);
    if start.line == end.line {
        let last = end.column.saturating_sub(1).max(start.column);
        let _ = write!(out, "col={},endColumn={last},", start.column);
    }
    out
}

/// Port of `escapeData` in the runner's toolkit. Line breaks do not need to be escaped, because printable text contains
/// none.
fn escape_data(text: &str) -> String {
    escape_commands(&printable(text)).replace('%', "%25")
}

/// Port of `escapeProperty` in the runner's toolkit.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Maximum number of locations to list.
const MAX_LOCATIONS: usize = 3;

/// Returns the locations of the other labels, such as `see a.yaml:3:9, b.yaml:1:7`, or `None` if all of the labels are
/// empty.
fn explanations(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let other_labels = diagnostic.labels.iter().skip(1).filter(|label| !label.text.is_empty());
    let mut places: Vec<_> = other_labels.map(|label| position(label.span, sources)).collect();
    places.dedup();
    places.truncate(MAX_LOCATIONS);
    (!places.is_empty()).then(|| format!("see {}", places.join(", ")))
}

/// Returns the other labels with their locations, such as `first here: a.yaml:3:9`, or `None` if all of the labels are
/// empty.
fn labels_elsewhere(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let other_labels = diagnostic.labels.iter().skip(1).filter(|label| !label.text.is_empty());
    let texts = other_labels.map(|label| format!("{}: {}", label.text, position(label.span, sources)));
    let texts: Vec<_> = texts.take(MAX_LOCATIONS).chain(occurrences(diagnostic, sources)).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Returns the first few of the other occurrences, such as `also in 12 other places: a.yaml:3:9, …`.
fn occurrences(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let occurrences = &diagnostic.other_occurrences;
    let places = occurrences.iter().take(MAX_LOCATIONS).map(|occurrence| position(occurrence.label.span, sources));
    let count = occurrences.len() + diagnostic.other_occurrences_left_out;
    let ellipsis = if count > occurrences.len().min(MAX_LOCATIONS) { ", …" } else { "" };
    let places = places.collect::<Vec<_>>().join(", ");
    (!occurrences.is_empty()).then(|| format!("also in {}: {places}{ellipsis}", format_count(count, "other place")))
}

/// Returns `file:line:column` for the start of a span.
pub(super) fn position(span: Span, sources: &Sources) -> String {
    sources.location(span).map_or_else(String::new, |place| place.to_string())
}

fn place<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<Location<'s>> {
    sources.location(diagnostic.primary()?.span)
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Label, Occurrence};
    use crate::printable::Screen;
    use crate::report::{MessageFormat, render, sample};
    use crate::source::{Source, Sources, Span};

    #[test]
    fn short_format_writes_one_line_per_finding() {
        let sources = sample::sources();
        let text = render(MessageFormat::Short, &sample::diagnostics(&sources), &sources, Screen::default());
        let expected = "\
a,b/one.yaml:3:9: error[duplicate-resource]: `y` is defined twice; help: rename one, \"y\" & so on [see two.yaml:1:7]
a,b/one.yaml:5:1: warning[paused-agent]: `x` is odd: 100%
error[no-input]: `<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }

    #[test]
    fn short_format_lists_locations_after_the_help() {
        let sources = sample::sources();
        let [probe, other] = ["Probe", "kind"].map(|text| sample::span(&sources, 1, text));
        let finding = Diagnostic::new(Code::MissingKey, "m").label(probe, "").label(probe, "defined here").help("`a`?");
        for (finding, expected) in [
            (finding.clone(), "m; help: `a`? [see two.yaml:1:7]"),
            (finding.clone().label(other, ""), "m; help: `a`? [see two.yaml:1:7]"),
            (finding.clone().label(other, "and here"), "m; help: `a`? [see two.yaml:1:7, two.yaml:1:1]"),
            (Diagnostic { help: None, ..finding }, "m [see two.yaml:1:7]"),
        ] {
            let text = render(MessageFormat::Short, &[finding], &sources, Screen::default());
            assert_eq!(text, format!("two.yaml:1:7: error[missing-key]: {expected}\n"));
        }
    }

    #[test]
    fn json_format_writes_one_object_per_line() {
        let sources = sample::sources();
        let text = render(MessageFormat::Json, &sample::diagnostics(&sources), &sources, Screen::default());
        let expected = concat!(
            r#"{"severity":"error","code":"duplicate-resource","message":"`y` is defined twice","#,
            r#""help":"rename one, \"y\" & so on","resource":"Probe/default/y","path":"metadata.name","#,
            r#""file":"a,b/one.yaml","line":3,"column":9,"end_line":3,"end_column":12,"fix":null,"suggestion":null,"related":["#,
            r#"{"message":"second","resource":null,"path":null,"#,
            r#""file":"two.yaml","line":1,"column":7,"end_line":1,"end_column":12}]}"#,
            "\n",
            r#"{"severity":"warning","code":"paused-agent","message":"`x` is odd: 100%","#,
            r#""help":null,"resource":null,"path":null,"#,
            r#""file":"a,b/one.yaml","line":5,"column":1,"end_line":5,"end_column":9,"fix":null,"suggestion":null,"related":[]}"#,
            "\n",
            r#"{"severity":"error","code":"no-input","message":"`<dir>` is\nempty","#,
            r#""help":null,"resource":null,"path":null,"#,
            r#""file":null,"line":null,"column":null,"end_line":null,"end_column":null,"fix":null,"suggestion":null,"related":[]}"#,
            "\n",
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn json_fixes_have_byte_offsets() {
        let mut sources = sample::sources();
        let mut source = Source::new("c.yaml", "é: x\n", true);
        source.has_mark = true;
        let id = sources.add(source);
        let fix = Fix::certain("quote `é`", vec![Edit::replace(Span::new(id, 4, 5), "\"x\"")]);
        let actual = |fix| [Diagnostic::new(Code::NotAnObject, "m").fix_if(Some(fix))];
        let json = |fix| {
            let text = render(MessageFormat::Json, &actual(fix), &sources, Screen::default());
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        };
        let expected = serde_json::json!({
            "title": "quote `é`",
            "edits": [{
                "file": "c.yaml", "line": 1, "column": 4, "end_line": 1, "end_column": 5,
                "start": 7, "end": 8, "replacement": "\"x\"",
            }],
        });
        let json_text = json(fix.clone());
        assert_eq!((&json_text["fix"], &json_text["suggestion"]), (&expected, &serde_json::Value::Null));
        let json_text = json(fix.likely());
        assert_eq!((&json_text["suggestion"], &json_text["fix"]), (&expected, &serde_json::Value::Null));
    }

    #[test]
    fn github_format_writes_escaped_commands() {
        let sources = sample::sources();
        let text = render(MessageFormat::Github, &sample::diagnostics(&sources), &sources, Screen::default());
        let expected = "\
::error file=a%2Cb/one.yaml,line=3,endLine=3,col=9,endColumn=11,title=duplicate-resource::`y` is defined twice%0Ahelp: rename one, \"y\" & so on%0Asecond: two.yaml:1:7
::warning file=a%2Cb/one.yaml,line=5,endLine=5,col=1,endColumn=8,title=paused-agent::`x` is odd: 100%25
::error title=no-input::`<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }

    #[test]
    fn github_annotations_include_the_template_file() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "# Source: a.yaml\nkind: A\n", true));
        let finding = Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 17, 21), "");
        let text = render(MessageFormat::Github, &[finding], &sources, Screen::default());
        assert_eq!(
            text,
            "::error file=x.yaml,line=2,endLine=2,col=1,endColumn=4,title=not-an-object::m%0Aat x.yaml:2:1, generated from a.yaml\n"
        );
    }

    #[test]
    fn lists_the_first_three_other_occurrences() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "a\n".repeat(6), true));
        for (count, expected) in [
            (0, ""),
            (1, " [also in 1 other place: x.yaml:2:1]"),
            (3, " [also in 3 other places: x.yaml:2:1, x.yaml:3:1, x.yaml:4:1]"),
            (4, " [also in 4 other places: x.yaml:2:1, x.yaml:3:1, x.yaml:4:1, …]"),
        ] {
            let mut finding = Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 0, 1), "");
            finding.other_occurrences = (1..=count)
                .map(|line| Occurrence {
                    label: Label { span: Span::new(id, 2 * line, 2 * line + 1), ..finding.labels[0].clone() },
                    resource: None,
                    path: None,
                })
                .collect();
            let text = render(MessageFormat::Short, &[finding], &sources, Screen::default());
            assert_eq!(text, format!("x.yaml:1:1: error[not-an-object]: m{expected}\n"));
        }
    }

    #[test]
    fn omits_columns_of_multi_line_spans() {
        let sources = sample::sources();
        let span = sample::span(&sources, 0, "metadata:\n  name");
        let actual = [Diagnostic::new(Code::NotAnObject, "m").label(span, "")];
        let text = render(MessageFormat::Github, &actual, &sources, Screen::default());
        assert_eq!(text, "::error file=a%2Cb/one.yaml,line=2,endLine=3,title=not-an-object::m\n");
    }
}
