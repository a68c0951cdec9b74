use super::*;
use crate::diagnostic::Code;
use crate::severity::Subject;
use crate::source::Sources;

/// The settings, and the code and line of each finding.
fn settings(text: &str) -> (Settings, Vec<(Code, u32)>) {
    let mut sources = Sources::default();
    let id = sources.add(Source::new("agentctl.yaml", text, true));
    let mut found = Vec::new();
    let settings = read(id, sources.get(id).unwrap(), &mut found);
    let line = |d: &Diagnostic| sources.place(d.primary().unwrap().span).unwrap().start.line;
    (settings, found.iter().map(|d| (d.code, line(d))).collect())
}

#[test]
fn severities_are_read() {
    let (settings, found) = settings("# ours\nseverity:\n  warnings: deny\n  paused-agent: allow\n");
    assert_eq!(found, []);
    let severity: Vec<_> = settings.severity.iter().map(|s| (s.subject, s.level)).collect();
    let expected = [
        (Subject::Warnings, Level::Deny),
        (Subject::Code(Code::PausedAgent), Level::Allow),
    ];
    assert_eq!(severity, expected);
}

#[test]
fn nothing_is_fine() {
    for text in ["", "# nothing\n", "inputs:\nflags:\nseverity:\n", "{}\n"] {
        assert_eq!(settings(text), (Settings::default(), Vec::new()), "{text:?}");
    }
}

#[test]
fn inputs_are_a_path_or_several() {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    for (text, expected, mistakes) in [
        ("inputs: a", paths(&["a"]), 0),
        ("inputs: [a, b/c.yaml]", paths(&["a", "b/c.yaml"]), 0),
        ("inputs: ['', 1, a]", paths(&["a"]), 2),
        ("inputs: []", paths(&[]), 1),
        ("inputs: {a: b}", paths(&[]), 1),
    ] {
        let (settings, found) = settings(text);
        assert_eq!((settings.inputs, found.len()), (expected, mistakes), "{text}");
    }
}

#[test]
fn flags_have_values_of_every_form() {
    let text = "flags:\n  prune: true\n  namespace: a\n  max-shards: 5\n  deny: [a, 1]\n  labels: {a: b}\n  at:\n";
    let (settings, found) = settings(text);
    assert_eq!(found, []);
    let owned = |text: &str| text.to_owned();
    let values: Vec<_> = settings
        .flags
        .iter()
        .map(|flag| (flag.name.as_str(), flag.value.clone()))
        .collect();
    let expected = [
        ("prune", Some(FlagValue::Switch(true))),
        ("namespace", Some(FlagValue::Text(owned("a")))),
        ("max-shards", Some(FlagValue::Text(owned("5")))),
        ("deny", Some(FlagValue::List(vec![owned("a"), owned("1")]))),
        ("labels", Some(FlagValue::Pairs(vec![(owned("a"), owned("b"))]))),
        ("at", None),
    ];
    assert_eq!(values, expected);
    for text in [
        "flags: {a: 1.5}",
        "flags: {a: {b: yes}}",
        "flags: {a: [[b]]}",
        "flags: [a]",
    ] {
        assert_eq!(self::settings(text).1, [(Code::InvalidSettings, 1)], "{text}");
    }
}

#[test]
fn every_mistake_is_told_at_its_line_and_the_rest_holds() {
    let text = "severty: {}\nseverity:\n  paused: deny\n  duplicate-scrape: deny\n  paused-agent: error\n  \
                unknown-field: 1\n  yaml-syntax: allow\n";
    let (settings, found) = settings(text);
    let expected = [
        (Code::InvalidSettings, 1),
        (Code::UnknownCode, 3),
        (Code::InvalidSettings, 5),
        (Code::InvalidSettings, 6),
        (Code::FixedSeverity, 7),
    ];
    assert_eq!(found, expected);
    assert_eq!(settings.severity.len(), 1);
}

#[test]
fn mappings_are_asked_for() {
    assert_eq!(settings("- x\n").1, [(Code::InvalidSettings, 1)]);
    assert_eq!(settings("severity: deny\n").1, [(Code::InvalidSettings, 1)]);
    assert_eq!(
        settings("severity: [\n").1.first().map(|(code, _)| *code),
        Some(Code::YamlSyntax)
    );
}
