//! The formats that show one line of a finding: `short`, `json` and `github`.

use std::fmt::Write;

use serde::Serialize;

use super::origin::origin;
use crate::diagnostic::{Certainty, Diagnostic, Edit, Label, ObjectKey, Severity};
use crate::printable::{self, Text, counted, printable, without_commands};
use crate::source::{Location, Sources, Span};

/// `short`: one line a diagnostic, as compilers write it.
pub(super) fn short(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut out = Text::default();
    for diagnostic in diagnostics {
        out.line(line(diagnostic, sources));
    }
    out.into_string()
}

/// `file:line:column: error[code]: message (help; what is elsewhere: file:line:column)`.
pub(super) fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = place(diagnostic, sources).map(|place| format!("{place}: "));
    let (place, severity) = (place.unwrap_or_default(), diagnostic.severity.as_str());
    let mut out = format!("{place}{severity}[{}]: {}", diagnostic.code, diagnostic.message);
    if let Some(more) = help_and_elsewhere(diagnostic, sources) {
        let _ = write!(out, " ({more})");
    }
    if let Some(file) = origin(diagnostic, sources) {
        let _ = write!(out, " [made from {file}]");
    }
    out
}

/// Every key is always present, with `null` if there is no value, apart from `origin`.
#[derive(Serialize)]
struct Record<'d> {
    severity: &'d str,
    code: &'d str,
    message: &'d str,
    help: Option<String>,
    #[serde(flatten)]
    at: At<'d>,
    fix: Option<Change<'d>>,
    /// What most likely mends it.
    suggestion: Option<Change<'d>>,
    /// The file that the object was made from, where Helm or kustomize tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'d str>,
    /// The name that it has there, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_name: Option<&'d str>,
    /// The other places: first those that explain the finding, then those where the same mistake shows.
    related: Vec<Related<'d>>,
}

/// A fix as programs apply it.
#[derive(Serialize)]
struct Change<'d> {
    title: &'d str,
    edits: Vec<Replacement<'d>>,
}

/// New text for some bytes of a file.
#[derive(Serialize)]
struct Replacement<'d> {
    #[serde(flatten)]
    region: Region<'d>,
    /// Offset of the first byte.
    start: usize,
    /// Offset behind the last byte.
    end: usize,
    replacement: &'d str,
}

/// Lines and columns, counted as those of findings.
#[derive(Serialize)]
struct Region<'d> {
    file: Option<&'d str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

impl<'d> Region<'d> {
    fn of(place: Option<Location<'d>>) -> Self {
        Self {
            file: place.map(|place| place.file),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            end_line: place.map(|place| place.end.line),
            end_column: place.map(|place| place.end.column),
        }
    }
}

impl<'d> Change<'d> {
    /// A fix of this certainty.
    fn of(diagnostic: &'d Diagnostic, certainty: Certainty, sources: &'d Sources) -> Option<Self> {
        let fix = diagnostic.fix.as_ref().filter(|fix| fix.certainty == certainty)?;
        let edits = fix.edits.iter().map(|edit| Replacement::of(edit, sources));
        Some(Self {
            title: &fix.title,
            edits: edits.collect::<Option<_>>()?,
        })
    }
}

impl<'d> Replacement<'d> {
    fn of(edit: &'d Edit, sources: &'d Sources) -> Option<Self> {
        let mark = sources.get(edit.span.source)?.mark_len();
        Some(Self {
            region: Region::of(sources.location(edit.span)),
            start: edit.span.start as usize + mark,
            end: edit.span.end as usize + mark,
            replacement: &edit.text,
        })
    }
}

/// Another place of a finding.
#[derive(Serialize)]
struct Related<'d> {
    message: &'d str,
    #[serde(flatten)]
    at: At<'d>,
}

#[derive(Serialize)]
struct At<'d> {
    resource: Option<&'d ObjectKey>,
    path: Option<&'d str>,
    #[serde(flatten)]
    region: Region<'d>,
}

/// `json`: one object a line.
pub(super) fn json(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    // Strings and numbers have a form in JSON: this cannot fail.
    let text = |found: &&Diagnostic| serde_json::to_string(&record(found, sources)).unwrap_or_default();
    let lines = diagnostics.iter().map(|found| text(found) + "\n");
    printable::json(lines.collect())
}

fn record<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Record<'d> {
    let made_from = origin(diagnostic, sources);
    Record {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        help: help_and_elsewhere(diagnostic, sources),
        at: At {
            resource: diagnostic.resource.as_ref(),
            path: diagnostic.path.as_deref(),
            region: Region::of(place(diagnostic, sources)),
        },
        fix: Change::of(diagnostic, Certainty::Certain, sources),
        suggestion: Change::of(diagnostic, Certainty::Likely, sources),
        origin: made_from.map(|made_from| made_from.file),
        origin_name: made_from.and_then(|made_from| made_from.name),
        related: related(diagnostic, sources),
    }
}

/// The places of a finding but the first, each with what it is in: those that explain the finding, then those where the same mistake
/// shows.
pub(super) fn others(found: &Diagnostic) -> impl Iterator<Item = (&Label, Option<&ObjectKey>, Option<&str>)> {
    let labels = found.labels.iter().skip(1).map(|label| (label, None, None));
    let also = found.also.iter();
    labels.chain(also.map(|also| (&also.label, also.resource.as_ref(), also.path.as_deref())))
}

fn related<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Vec<Related<'d>> {
    let related = others(diagnostic).filter_map(|(label, resource, path)| {
        let region = Region::of(Some(sources.location(label.span)?));
        Some(Related {
            message: &label.text,
            at: At { resource, path, region },
        })
    });
    related.collect()
}

/// `github`: workflow commands that GitHub Actions shows at the lines of a pull request.
pub(super) fn github(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let lines = diagnostics.iter().map(|found| command(found, sources) + "\n");
    lines.collect()
}

/// `::error file=F,line=L,endLine=L,col=C,endColumn=C,title=CODE::message`.
fn command(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut out = format!("::{name} ");
    let made_from = origin(diagnostic, sources);
    let place = place(diagnostic, sources);
    match (made_from, place) {
        // Annotations are shown at files, and what was built is not one.
        (Some(made_from), _) if made_from.is_built => {
            let _ = write!(out, "file={},", property(made_from.file));
        }
        (_, Some(place)) => out.push_str(&properties(place)),
        (_, None) => {}
    }
    let _ = write!(out, "title={}::{}", diagnostic.code, data(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, "%0Ahelp: {}", data(help));
    }
    if let Some(others) = elsewhere(diagnostic, sources) {
        let _ = write!(out, "%0A{}", data(&others));
    }
    if let (Some(made_from), Some(place)) = (made_from, place) {
        let (at, made_from) = (data(&place.to_string()), data(&made_from.to_string()));
        let _ = write!(out, "%0Aat {at}, made from {made_from}");
    }
    out
}

/// Columns are only understood within a line; the end column counts the last character, not the one behind it.
fn properties(place: Location<'_>) -> String {
    let file = property(place.file.strip_prefix("./").unwrap_or(place.file));
    let Location { start, end, .. } = place;
    let mut out = format!("file={file},line={},endLine={},", start.line, end.line);
    if start.line == end.line {
        let last = end.column.saturating_sub(1).max(start.column);
        let _ = write!(out, "col={},endColumn={last},", start.column);
    }
    out
}

/// `escapeData` of the runner's toolkit. Line breaks are not left to it: a text made printable has none.
fn data(text: &str) -> String {
    without_commands(&printable(text)).replace('%', "%25")
}

/// `escapeProperty` of the runner's toolkit.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Maximum number of places that are listed.
const MOST: usize = 3;

/// The other labels with their places: `first here: a.yaml:3:9`. Nothing where the finding has one place, or its message
/// says all that there is to say of the others.
fn elsewhere(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let others = diagnostic.labels.iter().skip(1).filter(|label| !label.text.is_empty());
    let texts = others.map(|label| format!("{}: {}", label.text, position(label.span, sources)));
    let texts: Vec<_> = texts.take(MOST).chain(occurrences(diagnostic, sources)).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// The first of the other places where the same mistake shows: `and in 12 other places: a.yaml:3:9, …`.
fn occurrences(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let also = &diagnostic.also;
    let places = also.iter().take(MOST).map(|also| position(also.label.span, sources));
    let more = if also.len() > MOST { ", …" } else { "" };
    let places = places.collect::<Vec<_>>().join(", ");
    (!also.is_empty()).then(|| format!("and in {}: {places}{more}", counted(also.len(), "other place")))
}

/// `file:line:column`.
pub(super) fn position(span: Span, sources: &Sources) -> String {
    sources
        .location(span)
        .map_or_else(String::new, |place| place.to_string())
}

/// The help, and the other labels.
fn help_and_elsewhere(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let parts = [diagnostic.help.clone(), elsewhere(diagnostic, sources)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
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
    fn one_line_each() {
        let sources = sample::sources();
        let text = render(
            MessageFormat::Short,
            &sample::diagnostics(&sources),
            &sources,
            Screen::default(),
        );
        let expected = "\
a,b/one.yaml:3:9: error[duplicate-resource]: `y` is defined twice (rename one, \"y\" & so on; second: two.yaml:1:7)
a,b/one.yaml:5:1: warning[paused-agent]: `x` is odd: 100%
error[no-input]: `<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }

    #[test]
    fn one_object_a_line() {
        let sources = sample::sources();
        let text = render(
            MessageFormat::Json,
            &sample::diagnostics(&sources),
            &sources,
            Screen::default(),
        );
        let expected = concat!(
            r#"{"severity":"error","code":"duplicate-resource","message":"`y` is defined twice","#,
            r#""help":"rename one, \"y\" & so on; second: two.yaml:1:7","resource":"Probe/default/y","path":"metadata.name","#,
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
    fn a_fix_has_its_places_in_the_file() {
        let mut sources = sample::sources();
        let mut source = Source::new("c.yaml", "é: x\n", true);
        source.has_mark = true;
        let id = sources.add(source);
        let fix = Fix::certain("quote `é`", vec![Edit::replace(Span::new(id, 4, 5), "\"x\"")]);
        let found = |fix| [Diagnostic::new(Code::NotAnObject, "m").fix_if(Some(fix))];
        let json = |fix| {
            let text = render(MessageFormat::Json, &found(fix), &sources, Screen::default());
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        };
        let expected = serde_json::json!({
            "title": "quote `é`",
            "edits": [{
                "file": "c.yaml", "line": 1, "column": 4, "end_line": 1, "end_column": 5,
                "start": 7, "end": 8, "replacement": "\"x\"",
            }],
        });
        let shown = json(fix.clone());
        assert_eq!(
            (&shown["fix"], &shown["suggestion"]),
            (&expected, &serde_json::Value::Null)
        );
        let shown = json(fix.likely());
        assert_eq!(
            (&shown["suggestion"], &shown["fix"]),
            (&expected, &serde_json::Value::Null)
        );
    }

    #[test]
    fn one_command_each_with_its_escapes() {
        let sources = sample::sources();
        let text = render(
            MessageFormat::Github,
            &sample::diagnostics(&sources),
            &sources,
            Screen::default(),
        );
        let expected = "\
::error file=a%2Cb/one.yaml,line=3,endLine=3,col=9,endColumn=11,title=duplicate-resource::`y` is defined twice%0Ahelp: rename one, \"y\" & so on%0Asecond: two.yaml:1:7
::warning file=a%2Cb/one.yaml,line=5,endLine=5,col=1,endColumn=8,title=paused-agent::`x` is odd: 100%25
::error title=no-input::`<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }

    #[test]
    fn of_a_built_text_the_file_it_was_made_from_is_annotated() {
        let origin = || crate::source::Origin {
            start: 0,
            file: "b.yaml".to_owned(),
            name: None,
        };
        for (origins, expected) in [
            (
                vec![],
                "::error file=x.yaml,line=2,endLine=2,col=1,endColumn=4,title=not-an-object::m%0Aat x.yaml:2:1, made from a.yaml\n",
            ),
            (
                vec![origin()],
                "::error file=b.yaml,title=not-an-object::m%0Aat x.yaml:2:1, made from b.yaml\n",
            ),
        ] {
            let mut sources = Sources::default();
            let mut source = Source::new("x.yaml", "# Source: a.yaml\nkind: A\n", true);
            source.origins = origins;
            let id = sources.add(source);
            let found = Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 17, 21), "");
            let text = render(MessageFormat::Github, &[found], &sources, Screen::default());
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn the_first_three_other_places_are_listed() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "a\n".repeat(6), true));
        for (count, expected) in [
            (0, ""),
            (1, " (and in 1 other place: x.yaml:2:1)"),
            (3, " (and in 3 other places: x.yaml:2:1, x.yaml:3:1, x.yaml:4:1)"),
            (4, " (and in 4 other places: x.yaml:2:1, x.yaml:3:1, x.yaml:4:1, …)"),
        ] {
            let mut found = Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 0, 1), "");
            found.also = (1..=count)
                .map(|line| Occurrence {
                    label: Label {
                        span: Span::new(id, 2 * line, 2 * line + 1),
                        ..found.labels[0].clone()
                    },
                    resource: None,
                    path: None,
                })
                .collect();
            let text = render(MessageFormat::Short, &[found], &sources, Screen::default());
            assert_eq!(text, format!("x.yaml:1:1: error[not-an-object]: m{expected}\n"));
        }
    }

    #[test]
    fn several_lines_have_no_columns() {
        let sources = sample::sources();
        let span = sample::span(&sources, 0, "metadata:\n  name");
        let found = [Diagnostic::new(Code::NotAnObject, "m").label(span, "")];
        let text = render(MessageFormat::Github, &found, &sources, Screen::default());
        assert_eq!(
            text,
            "::error file=a%2Cb/one.yaml,line=2,endLine=3,title=not-an-object::m\n"
        );
    }
}
