//! Tests agentctl's wording: awkward phrases must not appear in help, messages, `explain` pages, documentation,
//! comments or names.

use std::fs;
use std::path::Path;

use agentctl::diagnostic::Code;
use regex::bytes::{Regex, RegexBuilder};

use crate::support;

/// Directories and files to search.
const SEARCHED_PATHS: &[&str] =
    &["src", "docs", "deploy", "man", "completions", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"];

/// Phrases, each with the wording to use instead. The phrases are regular expressions, and are matched regardless of
/// case and line breaks.
const PHRASES: &[(&str, &str)] = &[
    (r"as if there were no agentctl\.yaml", "Ignore agentctl.yaml"),
    (r"exit status: 0 fine|\b0 fine\b", "0  success, and a row for each other exit status"),
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
    (r"\bis there twice\b|\bstands? twice\b", "duplicate …, or … is defined twice"),
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
    (r"has no \{?\w+\}? that the operator reads", "skipped: the operator does not read …"),
    (r"the least time\b|is above the most\b", "`min…` must not be greater than `max…`"),
    (r"there is no \{\w+\} `\{\w+\}` in", "… not found in …"),
    (r"says? more (of|about) (a|the) code", "run `agentctl explain CODE` for details"),
    (r"without a word", "silently"),
    (r"\bneeds stands in\b|\bstands in a file\b", "Put … in"),
    (r"nobody asks", "what the item does, such as `Observer that ignores every event.`"),
    (r"(what|nothing) is to be said (of|about) more", "what happens to deeper input"),
    (r"what there is (in place )?(of|to)\b", "Suggestions for …, or the facts about …"),
    (r"only when it is asked\b", "lazily"),
];

/// Matches phrases such as `is no setting` and `are no strings`, which should be `is not a setting`, `unknown setting`
/// or similar.
const IS_NO_PATTERN: &str = r"(\w*)[`'}\])]* (is|are) no ([a-z]+)";

/// Wording that was used in the past. Each string contains one of the phrases.
const PAST_PHRASES: &[&str] = &[
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

/// Rust source directories whose comments and names are checked.
const CODE_FOLDERS: &[&str] = &["src", "benches", "fuzz", "testdata/tests"];

/// Phrases in comments as regular expressions, each with the wording to use instead. If the group `fine` matches, the
/// phrase is correct.
const PHRASES_IN_COMMENTS: &[(&str, &str)] = &[
    (r"\b[Ss]o (many|much)\b(?P<fine> (as|that|more)\b)?", "the parameter, such as `count` items"),
    (r"(^|; )[Nn]one (where|if|unless|when)\b", "`None` if …, or empty if …"),
    (r"; (empty|`None`) where\b", "empty if …, or `None` if …"),
    (r"(^|[.;:] )Of [a-z]", "the subject first"),
    (r"\ball the same\b", "anyway, or still"),
    (r"\b[Mm]end(s|ed|ing)?\b", "fix"),
    (r"\b(is|are|was|were|be) (told|said)\b(?P<fine> apart)?", "is reported"),
    (r"\banew\b|\bmanieth\b|\bat the most\b", "again, an ordinal, or at most"),
    (r"\bin the place of\b", "instead of"),
];

/// Phrases at the start of doc comments, in the same form.
const PHRASES_AT_DOC_START: &[(&str, &str)] = &[
    (
        r"^(What|How|Where|Which|Who|Why|In which|Into how|By which)\b",
        "a verb for a function, or a noun for anything else",
    ),
    (r"^With(out)? (?P<fine>-)?", "Sets …, Adds …, or Returns …"),
    (r"^(That|Those|Whose|And|But|Or|Then|Not even)\b", "the noun"),
];

/// Phrases in the names of functions, types and modules, each with the wording to use instead.
const PHRASES_IN_NAMES: &[(&str, &str)] = &[
    (r"(^|_)(is|are)_(told|said)($|_)|what_becomes_of", "a fact, such as reports_unset_variables"),
    (r"(^|_)mend(s|ed|ing)?($|_)", "fix"),
    (r"^(glance|slip|slips|blamed|no_url)$", "the term of the ecosystem"),
    (r"^(Of|In|Out|At|Around|Above|Because|Judged|Slip|Doubt|Spared|Fence)$", "a noun for what the value is"),
];

/// Words that make a match of `IS_NO_PATTERN` acceptable: words in `WORDS_BEFORE_IS_NO` if they precede the match, and
/// words in `WORDS_AFTER_IS_NO` if they are at its end.
const WORDS_BEFORE_IS_NO: &[&str] = &["there"];
const WORDS_AFTER_IS_NO: &[&str] = &["longer", "more"];

#[test]
fn help_and_documentation_contain_no_awkward_phrases() {
    let phrases: Vec<_> = PHRASES.iter().map(|(phrase, plain)| (regex(phrase), plain)).collect();
    // A combined pattern first determines whether the file contains any of the phrases.
    let any_phrase = PHRASES.iter().map(|(phrase, _)| format!("(?:{phrase})")).collect::<Vec<_>>();
    let any_phrase = regex(&any_phrase.join("|"));
    let is_no = regex(IS_NO_PATTERN);
    let (mut actual, mut searched) = (Vec::new(), 0);
    for path in SEARCHED_PATHS {
        for_each_text(&support::root().join(path), &mut |path, text| {
            let text = unwrap_lines(text);
            searched += 1;
            let mut add_finding = |start: usize, end: usize, plain: &str| {
                let context = text.get(start.saturating_sub(30)..text.len().min(end + 20));
                let context = String::from_utf8_lossy(context.unwrap_or_default());
                actual.push(format!("{}: …{context}…: write `{plain}`", path.display()));
            };
            let phrases_to_search = if any_phrase.is_match(&text) { phrases.as_slice() } else { &[] };
            for (phrase, plain) in phrases_to_search {
                for phrase_match in phrase.find_iter(&text) {
                    add_finding(phrase_match.start(), phrase_match.end(), plain);
                }
            }
            for phrase_match in is_no.captures_iter(&text) {
                let word = |group| String::from_utf8_lossy(&phrase_match[group]).to_lowercase();
                if !WORDS_BEFORE_IS_NO.contains(&word(1).as_str()) && !WORDS_AFTER_IS_NO.contains(&word(3).as_str()) {
                    let phrase_match = phrase_match.get(0).unwrap();
                    add_finding(phrase_match.start(), phrase_match.end(), "is not a …, unknown … or is not a valid …");
                }
            }
        });
    }
    assert!(actual.is_empty(), "{} phrases:\n{}", actual.len(), actual.join("\n"));
    assert!(searched > 500, "searched only {searched} files");
}

/// Share of common words above which two sentences are considered to say the same thing.
const MAX_COMMON_SHARE: f32 = 0.6;

/// Returns the share of words, from 0 to 1, that two sentences have in common in the same order.
fn common_word_share(a: &str, b: &str) -> f32 {
    let [a, b] = [a, b].map(str::to_lowercase);
    let [a, b] = [&a, &b].map(|text| text.split([' ', ',', '.', ':']).collect::<Vec<_>>());
    similar::TextDiff::from_slices(&a, &b).ratio()
}

#[test]
fn explain_pages_do_not_repeat_themselves() {
    assert!(
        common_word_share("A mapping contains the same key twice.", "A mapping has the same key twice.")
            > MAX_COMMON_SHARE
    );
    let mut actual = Vec::new();
    for &code in Code::ALL {
        let paragraphs = code.page().split("\n\n").filter(|text| !text.starts_with(['#', '`', '|', '-']));
        let paragraphs: Vec<_> = paragraphs.map(|text| text.replace('\n', " ")).collect();
        let sentences: Vec<_> = paragraphs.iter().flat_map(|text| text.split(". ")).collect();
        for (number, sentence) in sentences.iter().enumerate() {
            let later_sentences = sentences.iter().skip(number + 1);
            let similar_sentences = later_sentences
                .filter(|other| other.len() > 20 && common_word_share(sentence, other) > MAX_COMMON_SHARE);
            actual.extend(similar_sentences.map(|other| format!("{code}: `{sentence}` and `{other}`")));
        }
    }
    support::report(&actual);
}

#[test]
fn detects_phrases_of_past_versions() {
    let phrases = PHRASES.iter().map(|(phrase, _)| *phrase).chain([IS_NO_PATTERN]);
    let phrases: Vec<_> = phrases.map(regex).collect();
    for past_phrase in PAST_PHRASES {
        let text = unwrap_lines(past_phrase);
        assert!(phrases.iter().any(|phrase| phrase.is_match(&text)), "{past_phrase}");
    }
}

#[test]
fn detects_phrases_across_lines() {
    let text =
        unwrap_lines("    /// A document that is\n    /// there twice.\n    let a = \"stands \\\n        here\";");
    assert_eq!(String::from_utf8(text).unwrap(), "A document that is there twice. let a = \"stands here\";");
}

#[test]
fn comments_contain_no_awkward_phrases() {
    let phrases_anywhere: Vec<_> =
        PHRASES_IN_COMMENTS.iter().map(|(phrase, plain)| (exact_regex(phrase), plain)).collect();
    let phrases_at_start: Vec<_> =
        PHRASES_AT_DOC_START.iter().map(|(phrase, plain)| (exact_regex(phrase), plain)).collect();
    let mut actual = Vec::new();
    for_each_rust_file(&mut |path, text| {
        for (line, marker, comment) in comments(text) {
            let doc_phrases = if marker == "///" { phrases_at_start.as_slice() } else { &[] };
            for (phrase, plain) in phrases_anywhere.iter().chain(doc_phrases) {
                if has_match(phrase, &comment) {
                    actual.push(format!("{}:{line}: {comment}: write `{plain}`", path.display()));
                }
            }
        }
    });
    assert!(actual.is_empty(), "{} phrases:\n{}", actual.len(), actual.join("\n"));
}

#[test]
fn names_contain_no_awkward_phrases() {
    let phrases: Vec<_> = PHRASES_IN_NAMES.iter().map(|(phrase, plain)| (exact_regex(phrase), plain)).collect();
    let definition = exact_regex(r"\b(?:fn|struct|enum|trait|type|mod) (\w+)");
    let mut actual = Vec::new();
    for_each_rust_file(&mut |path, text| {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for name in code.filter_map(|line| definition.captures(line.as_bytes())) {
            let name = String::from_utf8_lossy(&name[1]).into_owned();
            for (_, plain) in phrases.iter().filter(|(phrase, _)| has_match(phrase, &name)) {
                actual.push(format!("{}: {name}: write `{plain}`", path.display()));
            }
        }
    });
    assert!(actual.is_empty(), "{} names:\n{}", actual.len(), actual.join("\n"));
}

#[test]
fn detects_phrases_in_comments_and_names() {
    for (comment, is_awkward) in [
        ("A Secret with so many keys.", true),
        ("As many as so much as one.", false),
        ("Returns the expression; none where it is not valid.", true),
        ("Expects none if off.", false),
        ("Of an account nothing is known.", true),
        ("Followed all the same.", true),
        ("Edits that mend it.", true),
        ("Recommended values.", false),
        ("An input that cannot be read is told.", true),
        ("Values that are told apart.", false),
        ("Labels; empty where there are none.", true),
    ] {
        let is_known = |(phrase, _): &(&str, &str)| has_match(&exact_regex(phrase), comment);
        assert_eq!(PHRASES_IN_COMMENTS.iter().any(is_known), is_awkward, "{comment}");
    }
    for (comment, is_awkward) in [
        ("What rules make of it.", true),
        ("With what to do.", true),
        ("With --secrets=external: the store", false),
        ("That are different.", true),
        ("Returns the number of objects.", false),
    ] {
        let is_known = |(phrase, _): &(&str, &str)| has_match(&exact_regex(phrase), comment);
        assert_eq!(PHRASES_AT_DOC_START.iter().any(is_known), is_awkward, "{comment}");
    }
    for (name, is_awkward) in [("the_editor_is_told", true), ("Because", true), ("mended", true), ("recommends", false)]
    {
        let is_known = |(phrase, _): &(&str, &str)| has_match(&exact_regex(phrase), name);
        assert_eq!(PHRASES_IN_NAMES.iter().any(is_known), is_awkward, "{name}");
    }
    let text = "/// One\n/// two.\nfn a() {} // three\n    // four\n//! five";
    let blocks: Vec<_> = comments(text).collect();
    let expected = [(1, "///", "One two."), (4, "//", "four"), (5, "//!", "five")];
    assert_eq!(blocks, expected.map(|(line, marker, text)| (line, marker, text.to_owned())));
}

/// Whether a string contains the phrase, excluding correct uses.
fn has_match(phrase: &Regex, text: &str) -> bool {
    let mut hits = phrase.captures_iter(text.as_bytes());
    hits.any(|hit| hit.name("fine").is_none())
}

/// Returns the comment blocks: the number of the first line, the comment marker, and the text on one line.
fn comments(text: &str) -> impl Iterator<Item = (usize, &'static str, String)> {
    let mut blocks: Vec<(usize, &str, String)> = Vec::new();
    let mut last = 0;
    for (number, line) in (1..).zip(text.lines().map(str::trim_start)) {
        let Some(marker) = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker)) else {
            continue;
        };
        let comment = line[marker.len()..].trim();
        match blocks.last_mut() {
            Some((_, of, block)) if last + 1 == number && *of == marker => *block = format!("{block} {comment}"),
            _ => blocks.push((number, marker, comment.to_owned())),
        }
        last = number;
    }
    blocks.into_iter()
}

fn for_each_rust_file(visit: &mut dyn FnMut(&Path, &str)) {
    for folder in CODE_FOLDERS {
        for_each_text(&support::root().join(folder), &mut |path, text| {
            // `wording.rs` is excluded, because it contains the phrases on purpose.
            if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("wording.rs") {
                visit(path, text);
            }
        });
    }
}

/// Compiles a case-sensitive pattern.
fn exact_regex(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().unwrap()
}

fn regex(pattern: &str) -> Regex {
    let mut builder = RegexBuilder::new(pattern);
    builder.unicode(false).case_insensitive(true).build().unwrap()
}

/// Joins the lines of `text` and removes comment markers and the backslashes that continue strings.
fn unwrap_lines(text: &str) -> Vec<u8> {
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
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        for_each_text(&path, visit);
    }
}
