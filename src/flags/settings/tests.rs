use super::super::flag::FlagValue;
use super::*;
use crate::diagnostic::Code;
use crate::diagnostic::severity::SeveritySubject;
use crate::source::Sources;

/// Returns the settings, and the code and line of each finding.
fn settings(text: &str) -> (Settings, Vec<(Code, u32)>) {
    let mut sources = Sources::default();
    let id = sources.add(Source::new("agentctl.yaml", text, true));
    let mut diagnostics = Vec::new();
    let settings = read(id, sources.get(id).unwrap(), &mut diagnostics);
    let line = |d: &Diagnostic| sources.location(d.primary().unwrap().span).unwrap().start.line;
    (settings, diagnostics.iter().map(|d| (d.code, line(d))).collect())
}

#[test]
fn reads_severities() {
    let (settings, actual) = settings("# ours\nseverity:\n  warnings: deny\n  paused-agent: allow\n");
    assert_eq!(actual, []);
    let severity: Vec<_> = settings.severity.iter().map(|s| (s.subject, s.level)).collect();
    let expected = [
        (SeveritySubject::Warnings, SeverityLevel::Deny),
        (SeveritySubject::Code(Code::PausedAgent), SeverityLevel::Allow),
    ];
    assert_eq!(severity, expected);
}

#[test]
fn accepts_empty_settings() {
    for text in ["", "# nothing\n", "inputs:\nflags:\nseverity:\n", "{}\n"] {
        assert_eq!(settings(text), (Settings::default(), Vec::new()), "{text:?}");
    }
}

#[test]
fn accepts_one_or_more_input_paths() {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    for (text, expected, mistakes) in [
        ("inputs: a", paths(&["a"]), 0),
        ("inputs: [a, b/c.yaml]", paths(&["a", "b/c.yaml"]), 0),
        ("inputs: ['', 1, a]", paths(&["a"]), 2),
        ("inputs: []", paths(&[]), 1),
        ("inputs: {a: b}", paths(&[]), 1),
    ] {
        let (settings, actual) = settings(text);
        assert_eq!((settings.inputs, actual.len()), (expected, mistakes), "{text}");
    }
}

#[test]
fn reads_flag_values_of_every_form() {
    let text = "flags:\n  prune: true\n  namespace: a\n  context: 5\n  limit: {shards: 5, file-size: 1MiB}\n  deny: [a, 1]\n  labels: {a: b}\n  at:\n";
    let (settings, actual) = settings(text);
    assert_eq!(actual, []);
    let owned_text = |text: &str| text.to_owned();
    let values: Vec<_> = settings.flags.iter().map(|flag| (flag.name.as_str(), flag.value.clone())).collect();
    let expected = [
        ("prune", Some(FlagValue::Switch(true))),
        ("namespace", Some(FlagValue::Text(owned_text("a")))),
        ("context", Some(FlagValue::Text(owned_text("5")))),
        (
            "limit",
            Some(FlagValue::Pairs(vec![
                (owned_text("shards"), owned_text("5")),
                (owned_text("file-size"), owned_text("1MiB")),
            ])),
        ),
        ("deny", Some(FlagValue::List(vec![owned_text("a"), owned_text("1")]))),
        ("labels", Some(FlagValue::Pairs(vec![(owned_text("a"), owned_text("b"))]))),
        ("at", None),
    ];
    assert_eq!(values, expected);
    for text in ["flags: {a: 1.5}", "flags: {a: {b: yes}}", "flags: {a: [[b]]}", "flags: [a]"] {
        assert_eq!(self::settings(text).1, [(Code::InvalidSettings, 1)], "{text}");
    }
}

#[test]
fn reports_mistakes_and_applies_the_rest() {
    let text = "severty: {}\nseverity:\n  paused: deny\n  duplicate-scrape: deny\n  paused-agent: error\n  \
                unknown-field: 1\n  yaml-syntax: allow\n";
    let (settings, actual) = settings(text);
    let expected = [
        (Code::InvalidSettings, 1),
        (Code::UnknownCode, 3),
        (Code::InvalidSettings, 5),
        (Code::InvalidSettings, 6),
        (Code::FixedSeverity, 7),
    ];
    assert_eq!(actual, expected);
    assert_eq!(settings.severity.len(), 1);
}

#[test]
fn rejects_settings_that_are_not_mappings() {
    assert_eq!(settings("- x\n").1, [(Code::InvalidSettings, 1)]);
    assert_eq!(settings("severity: deny\n").1, [(Code::InvalidSettings, 1)]);
    assert_eq!(settings("severity: [\n").1.first().map(|(code, _)| *code), Some(Code::YamlSyntax));
}

/// Returns the message and help of each finding.
fn messages(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let id = sources.add(Source::new("agentctl.yaml", text, true));
    let mut diagnostics = Vec::new();
    read(id, sources.get(id).unwrap(), &mut diagnostics);
    let line = |finding: Diagnostic| format!("{}; {}", finding.message, finding.help.unwrap_or_default());
    diagnostics.into_iter().map(line).collect()
}

#[test]
fn exceptions_need_a_code_and_a_reason() {
    let text = "exceptions:\n- {code: unselected, kind: Probe, namespace: a, name: b*, file: c, reason: d}\n- {code: paused-agent, \
                reason: x}\n";
    let (settings, actual) = settings(text);
    assert_eq!((actual, settings.may_except_more), (vec![], false));
    let patterns = |text: &str| Some(WildcardPattern::new(text));
    let [all_exceptions, code] = settings.exceptions.as_slice() else { panic!() };
    assert_eq!((all_exceptions.code, code.code), (Code::Unselected, Code::PausedAgent));
    assert_eq!(
        [&all_exceptions.kind, &all_exceptions.namespace, &all_exceptions.name, &all_exceptions.file],
        [&patterns("Probe"), &patterns("a"), &patterns("b*"), &patterns("c")]
    );
    assert_eq!([&code.kind, &code.namespace, &code.name, &code.file], [&None; 4]);
    for (exceptions, expected, kept) in [
        ("~", None, 0),
        ("[]", None, 0),
        ("{code: unselected, reason: x}", Some("expected a list of exceptions; "), 0),
        ("[{reason: x}]", Some("the exception has no `code`; add `code`"), 0),
        ("[{code: unselected}]", Some("the exception has no `reason`; add `reason`"), 0),
        ("[{code: unselected, reason: x, nam: y}]", Some("unknown setting `nam`; did you mean `name`?"), 1),
        ("[{code: unselected, reason: x, name: 1}]", Some("expected a string for `name`; quote it"), 1),
        (
            "[{code: yaml-syntax, reason: x}]",
            Some(
                "`yaml-syntax` cannot be allowed or downgraded to a warning; remove the code here, and fix the problem: agentctl cannot render a resource with this \
                 error",
            ),
            0,
        ),
        ("[x]", Some("expected a mapping; "), 0),
    ] {
        let text = format!("exceptions: {exceptions}\n");
        let actual = messages(&text);
        assert_eq!(actual.first().map(String::as_str), expected, "{text}");
        let (settings, _) = self::settings(&text);
        assert_eq!((settings.exceptions.len(), settings.may_except_more), (kept, expected.is_some()), "{text}");
    }
}

#[test]
fn messages_have_help() {
    for (text, expected) in [
        ("inputs: ~", None),
        (
            "inputs: []",
            Some(
                "`inputs` contains no path; set it to a file or directory, or remove `inputs`: the default is this directory",
            ),
        ),
        ("inputs: 5", Some("expected the path of a file or directory; ")),
        (
            "severity: {paused-agent: never}",
            Some("expected `deny`, `warn` or `allow` for `paused-agent`, found `never`; "),
        ),
        ("severity: {paused-agent: 1}", Some("expected `deny`, `warn` or `allow` for `paused-agent`; ")),
        ("flags: {a: [[b]]}", Some("expected a string for `a`; quote it")),
        ("input: a", Some("unknown setting `input`; did you mean `inputs`?")),
        ("other: a", Some("unknown setting `other`; use one of: `inputs`, `flags`, `severity`, `exceptions`")),
    ] {
        let actual = messages(text);
        assert_eq!(actual, Vec::from_iter(expected.map(str::to_owned)), "{text}");
    }
}

#[test]
fn recognizes_manifests_by_version_and_kind() {
    for (text, expected) in [
        ("apiVersion: v1\nkind: A\n", true),
        ("a: b\n---\napiVersion: v1\nkind: A\n", true),
        ("apiVersion: v1\n", false),
        ("kind: A\n", false),
        ("kind: A\n---\napiVersion: v1\n", false),
        ("", false),
    ] {
        assert_eq!(is_manifest(&Source::new("x", text, true)), expected, "{text}");
    }
}
