//! The `junit` format: one JUnit document with a test suite for each file, for the test views of CI systems.

use std::collections::HashMap;
use std::fmt::Write;

use super::lines::line;
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::printable::{escape_commands, printable};
use crate::source::{SourceId, Sources};

/// Renders the diagnostics. A file without findings becomes a passed test, errors become failures, warnings become
/// skipped tests, and notes are omitted.
pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let shown_findings: Vec<_> =
        diagnostics.iter().copied().filter(|diagnostic| diagnostic.severity != Severity::Note).collect();
    let suites = sources.iter().map(|(id, source)| (source, group(&shown_findings, Some(id))));
    // Built text is represented by the files that it was built from.
    let suites = suites.filter(|(source, findings)| source.origins.is_empty() || !findings.is_empty());
    let mut suites: Vec<_> = suites.map(|(source, findings)| (source.name.as_str(), findings)).collect();
    let ungrouped = group(&shown_findings, None);
    if !ungrouped.is_empty() {
        suites.push(("agentctl", ungrouped));
    }
    document(&suites, sources)
}

/// The name of a file, and the findings in it.
type Suite<'s> = (&'s str, &'s [&'s Diagnostic]);

/// Returns the diagnostics for a source. `sorted` is sorted by source, with diagnostics without a source last.
fn group<'a, 'd>(sorted: &'a [&'d Diagnostic], id: Option<SourceId>) -> &'a [&'d Diagnostic] {
    let source = |d: &&Diagnostic| d.primary().map(|label| label.span.source);
    let key = |id: Option<SourceId>| (id.is_none(), id);
    let start = sorted.partition_point(|d| key(source(d)) < key(id));
    let end = sorted.partition_point(|d| key(source(d)) <= key(id));
    sorted.get(start..end).unwrap_or_default()
}

/// Returns attributes with the number of tests, in total and by result.
fn counts(suites: &[Suite<'_>]) -> String {
    let tests: usize = suites.iter().map(|(_, findings)| findings.len().max(1)).sum();
    let findings = || suites.iter().flat_map(|(_, findings)| *findings);
    let failures = findings().filter(|finding| finding.severity == Severity::Error).count();
    let skipped = findings().count() - failures;
    format!(r#"tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}""#)
}

fn document(suites: &[Suite<'_>], sources: &Sources) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, r#"<testsuites name="agentctl" {}>"#, counts(suites));
    for &(name, findings) in suites {
        let name = escape(name);
        let counts = counts(&[(&name, findings)]);
        let _ = writeln!(out, r#"  <testsuite name="{name}" {counts}>"#);
        if findings.is_empty() {
            let _ = writeln!(out, r#"    <testcase classname="file" name="{name}"/>"#);
        }
        let mut name_counts: HashMap<String, usize> = HashMap::new();
        for finding in findings {
            let name = test_name(finding);
            let times = name_counts.entry(name.clone()).or_default();
            *times += 1;
            let name = if *times > 1 { format!("{name} ({times})") } else { name };
            out.push_str(&test_case(finding, &name, sources));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Returns the resource, field and code of a finding. Test views use this name to match tests between runs, so it does
/// not include the message, which may change.
fn test_name(diagnostic: &Diagnostic) -> String {
    let resource = diagnostic.resource.as_ref().map(ObjectKey::full_name);
    let parts = [resource.as_deref(), diagnostic.path.as_deref(), Some(diagnostic.code.as_str())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns a test case. `classname` is the kind of the resource, or the code if there is no resource. The optional
/// `time` attribute is omitted so that the output is reproducible.
fn test_case(diagnostic: &Diagnostic, name: &str, sources: &Sources) -> String {
    let code = diagnostic.code.as_str();
    let class = diagnostic.resource.as_ref().map_or(code, |resource| &resource.kind);
    let message = escape(&diagnostic.message);
    let result = match diagnostic.severity {
        Severity::Error => {
            let text = escape(&line(diagnostic, sources));
            format!(r#"<failure type="{code}" message="{message}">{text}</failure>"#)
        }
        Severity::Warning | Severity::Note => format!(r#"<skipped message="{code}: {message}"/>"#),
    };
    format!(
        "    <testcase classname=\"{}\" name=\"{}\">\n      {result}\n    </testcase>\n",
        escape(class),
        escape(name)
    )
}

/// Escapes text for XML. Control characters, U+FFFE and U+FFFF, which XML cannot represent, are made visible.
fn escape(text: &str) -> String {
    escape_commands(&printable(text))
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escape;
    use crate::diagnostic::{Code, Diagnostic};
    use crate::printable::Screen;
    use crate::report::{MessageFormat, render, sample};

    #[test]
    fn shows_characters_that_xml_cannot_represent() {
        assert_eq!(escape("a\u{1}b\u{fffe}c\u{ffff}d\u{1f600}"), "a\\u{1}b\\u{fffe}c\\u{ffff}d\u{1f600}");
    }

    #[test]
    fn writes_one_suite_per_file() {
        let sources = sample::sources();
        let text = render(MessageFormat::Junit, &sample::diagnostics(&sources), &sources, Screen::default());
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agentctl" tests="4" failures="2" errors="0" skipped="1">
  <testsuite name="a,b/one.yaml" tests="2" failures="1" errors="0" skipped="1">
    <testcase classname="Probe" name="default/y metadata.name duplicate-resource">
      <failure type="duplicate-resource" message="`y` is defined twice">a,b/one.yaml:3:9: error[duplicate-resource]: `y` is defined twice; help: rename one, &quot;y&quot; &amp; so on [see two.yaml:1:7]</failure>
    </testcase>
    <testcase classname="paused-agent" name="paused-agent">
      <skipped message="paused-agent: `x` is odd: 100%"/>
    </testcase>
  </testsuite>
  <testsuite name="two.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="file" name="two.yaml"/>
  </testsuite>
  <testsuite name="agentctl" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="no-input" name="no-input">
      <failure type="no-input" message="`&lt;dir&gt;` is\nempty">error[no-input]: `&lt;dir&gt;` is\nempty</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn junit_output_omits_notes() {
        let sources = sample::sources();
        let actual = [Diagnostic::new(Code::NoInput, "m").severity(crate::diagnostic::Severity::Note)];
        let text = render(MessageFormat::Junit, &actual, &sources, Screen::default());
        assert!(
            text.contains(r#"<testsuites name="agentctl" tests="2" failures="0" errors="0" skipped="0">"#),
            "{text}"
        );
        assert!(!text.contains("no-input"), "{text}");
    }

    #[test]
    fn test_names_are_unique_in_a_suite() {
        let sources = sample::sources();
        let actual = ["a", "b"].map(|message| Diagnostic::new(Code::NoInput, message));
        let text = render(MessageFormat::Junit, &actual, &sources, Screen::default());
        assert!(text.contains(r#"name="no-input">"#), "{text}");
        assert!(text.contains(r#"name="no-input (2)">"#), "{text}");
    }
}
