//! `json`: one object a line.

use serde::Serialize;

use super::Diagnostic;
use super::elsewhere::help_and_elsewhere;
use crate::printable;
use crate::source::Sources;

/// Every key is always there; `null` says that there is none.
#[derive(Serialize)]
struct Record<'d> {
    severity: &'d str,
    code: &'d str,
    message: &'d str,
    help: Option<String>,
    resource: Option<&'d str>,
    path: Option<&'d str>,
    file: Option<&'d str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        // Strings and numbers have a form in JSON: this cannot fail.
        out.push_str(&serde_json::to_string(&record(diagnostic, sources)).unwrap_or_default());
        out.push('\n');
    }
    printable::json(out)
}

fn record<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Record<'d> {
    let place = diagnostic.primary().and_then(|label| sources.place(label.span));
    Record {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        help: help_and_elsewhere(diagnostic, sources),
        resource: diagnostic.resource.as_deref(),
        path: diagnostic.path.as_deref(),
        file: place.map(|place| place.file),
        line: place.map(|place| place.start.line),
        column: place.map(|place| place.start.column),
        end_line: place.map(|place| place.end.line),
        end_column: place.map(|place| place.end.column),
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::format::sample;
    use crate::diagnostic::{MessageFormat, render};

    #[test]
    fn one_object_a_line() {
        let sources = sample::sources();
        let text = render(MessageFormat::Json, &sample::diagnostics(&sources), &sources, true);
        let expected = concat!(
            r#"{"severity":"error","code":"duplicate-resource","message":"`y` stands twice","#,
            r#""help":"rename one, \"y\" & so on; second: two.yaml:1:7","resource":"Probe/default/y","path":"metadata.name","#,
            r#""file":"a,b/one.yaml","line":3,"column":9,"end_line":3,"end_column":12}"#,
            "\n",
            r#"{"severity":"warning","code":"paused-agent","message":"`x` is odd: 100%","#,
            r#""help":null,"resource":null,"path":null,"#,
            r#""file":"a,b/one.yaml","line":5,"column":1,"end_line":5,"end_column":9}"#,
            "\n",
            r#"{"severity":"error","code":"no-input","message":"`<dir>` is\nempty","#,
            r#""help":null,"resource":null,"path":null,"#,
            r#""file":null,"line":null,"column":null,"end_line":null,"end_column":null}"#,
            "\n",
        );
        assert_eq!(text, expected);
    }
}
