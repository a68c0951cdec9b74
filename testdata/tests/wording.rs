//! Tests the wording of agentctl: awkward phrases must not appear in help, messages, pages of `explain`, documentation and comments.

use std::fs;
use std::path::Path;

use regex::bytes::{Regex, RegexBuilder};

use crate::support;

/// Folders and files to search.
const SEARCHED: &[&str] = &[
    "src",
    "docs",
    "deploy",
    "man",
    "completions",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
];

/// A phrase as a regular expression that ignores case and line breaks, and its replacement.
const PHRASES: &[(&str, &str)] = &[
    (r"as if there were no agentctl\.yaml", "Ignore agentctl.yaml"),
    (
        r"exit status: 0 fine|\b0 fine\b",
        "0  success, and a row for each other exit status",
    ),
    (r"\b(is|are|be|not) taken in\b", "selected"),
    (
        r"\btakes? (it|them|an?|the|\w+ resource) in\b|\b(agent|agents|instance) takes? in\b|\btakes? a resource in\b",
        "selects",
    ),
    (r"; of (diff|why|render)\b", "a row for each exit status"),
    (r"stands? in one another", "nesting depth"),
    (r"how many bytes all", "Maximum total size of …"),
    (r"go on: ", "Watch inputs and …"),
    (r"what is done (where|when)", "What to do when …"),
    (
        r"\bis there twice\b|\bstands? twice\b",
        "duplicate …, or … is defined twice",
    ),
    (r"\bstands? in the input\b", "is defined in the input"),
    (r"\bstands? here\b", "defined here"),
    (
        r"\bstands (at|behind|before|under|above|below|beside|elsewhere|once|alone)\b|\bwhere (it|they|each|one) stands?\b",
        "is …, or the place of …",
    ),
    (r"\bnames? none\b", "sets none, or without one"),
    (r"\bcomes? of\b", "comes from"),
    (r"\b(is|are) there already\b", "already exists"),
    (r"\bstands? where [^.]{0,60} is expected\b", "expected …, found …"),
    (r"\bexcludes? (each other|one another)\b", "cannot be combined"),
    (
        r"has no \{?\w+\}? that the operator reads",
        "skipped: the operator does not read …",
    ),
    (
        r"the least time\b|is above the most\b",
        "`min…` must not be greater than `max…`",
    ),
    (r"there is no \{\w+\} `\{\w+\}` in", "… not found in …"),
    (
        r"says? more (of|about) (a|the) code",
        "run `agentctl explain CODE` for details",
    ),
    (r"without a word", "silently"),
    (r"\bneeds stands in\b|\bstands in a file\b", "Put … in"),
    (
        r"nobody asks",
        "what the item does, such as `Observer that ignores every event.`",
    ),
    (
        r"(what|nothing) is to be said (of|about) more",
        "what happens to deeper input",
    ),
    (
        r"what there is (in place )?(of|to)\b",
        "Suggestions for …, or the facts about …",
    ),
    (r"only when it is asked\b", "lazily"),
];

/// Matches `is no setting` and `are no strings`; write `is not a setting`, `unknown setting` or `is not a valid duration`.
const IS_NO: &str = r"(\w*)[`'}\])]* (is|are) no ([a-z]+)";

/// Former wording that contained each phrase.
const ONCE_SAID: &[&str] = &[
    "Do as if there were no agentctl.yaml",
    "Exit status: 0 fine",
    "1 the input has errors; of diff and aggregate diff: something differs; of why --exit-code: something is not taken in",
    "How many mappings and lists may stand in one another",
    "How many bytes all manifests together may have",
    "Say why agents take a resource in, or why not",
    "Go on: render again when an input changes, and write what differs",
    "What is done where a Secret, ConfigMap or key is not in the input",
    "`{key}` is there twice",
    "`{object}` stands in the input twice",
    "the Secret stands here",
    "it is there already",
    "`{x}` is no setting",
    "`{}` is no duration of Go",
    "`{api_version}` has no {kind} that the operator reads: it is skipped",
    "`matchAll` and `value` exclude each other",
    "the least time in the write-ahead log is above the most",
    "there is no {kind} `{name}` in {place}",
    "agentctl explain CODE says more of a code",
    "The operator leaves out without a word what no selector finds",
    "What every run in a project needs stands in a file",
    "/// Nobody asks.",
    "/// So many collections may stand in one another here; the library knows what is to be said of more.",
    "/// What there is in place of a Secret that is not in the input",
    "Search who refers to a missing Secret only when it is asked for",
];

/// Words before and after which the phrase is correct.
const THERE: &[&str] = &["there"];
const LONGER: &[&str] = &["longer", "more"];

#[test]
fn contains_no_awkward_phrases() {
    let phrases: Vec<_> = PHRASES.iter().map(|(phrase, plain)| (regex(phrase), plain)).collect();
    let is_no = regex(IS_NO);
    let mut found = Vec::new();
    for path in SEARCHED {
        for_each_text(&support::root().join(path), &mut |path, text| {
            let text = unwrapped(text);
            let mut add = |start: usize, end: usize, plain: &str| {
                let near = text.get(start.saturating_sub(30)..text.len().min(end + 20));
                let near = String::from_utf8_lossy(near.unwrap_or_default());
                found.push(format!("{}: …{near}…: write `{plain}`", path.display()));
            };
            for (phrase, plain) in &phrases {
                for hit in phrase.find_iter(&text) {
                    add(hit.start(), hit.end(), plain);
                }
            }
            for hit in is_no.captures_iter(&text) {
                let word = |group| String::from_utf8_lossy(&hit[group]).to_lowercase();
                if !THERE.contains(&word(1).as_str()) && !LONGER.contains(&word(3).as_str()) {
                    let hit = hit.get(0).unwrap();
                    add(hit.start(), hit.end(), "is not a …, unknown … or is not a valid …");
                }
            }
        });
    }
    assert!(found.is_empty(), "{} phrases:\n{}", found.len(), found.join("\n"));
}

#[test]
fn finds_former_phrases() {
    let phrases = PHRASES.iter().map(|(phrase, _)| *phrase).chain([IS_NO]);
    let phrases: Vec<_> = phrases.map(regex).collect();
    for said in ONCE_SAID {
        let text = unwrapped(said);
        assert!(phrases.iter().any(|phrase| phrase.is_match(&text)), "{said}");
    }
}

#[test]
fn finds_phrases_across_lines() {
    let text = unwrapped("    /// A document that is\n    /// there twice.\n    let a = \"stands \\\n        here\";");
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "A document that is there twice. let a = \"stands here\";"
    );
}

fn regex(pattern: &str) -> Regex {
    let mut builder = RegexBuilder::new(pattern);
    builder.unicode(false).case_insensitive(true).build().unwrap()
}

/// Returns the text as one line, without the markers of comments and continued strings.
fn unwrapped(text: &str) -> Vec<u8> {
    let lines = text.lines().map(|line| {
        let line = line.trim().trim_start_matches('/').trim_start_matches('!');
        line.trim_end_matches('\\').trim()
    });
    lines.collect::<Vec<_>>().join(" ").into_bytes()
}

fn for_each_text(path: &Path, visit: &mut dyn FnMut(&Path, &str)) {
    if !path.is_dir() {
        return visit(path, &fs::read_to_string(path).unwrap_or_default());
    }
    let mut below: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    below.sort();
    for path in below {
        for_each_text(&path, visit);
    }
}
