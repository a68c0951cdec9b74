//! Tests that a single edit to a correct input almost always causes at most one finding, because follow-up findings are
//! suppressed or grouped.
//!
//! `AGENTCTL_SEED=2 cargo test --test all one_edit -- --nocapture` makes different edits, and prints those that cause
//! several findings.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::Severity;
use agentctl::diagnostic::group::group_by_cause;
use agentctl::printable::Screen;
use agentctl::report::{MessageFormat, render};
use agentctl::source::{Source, Sources};
use rayon::prelude::*;
use walkdir::WalkDir;

use crate::support;
use crate::support::mutate::Random;

/// Files in an input, by name.
type Input = Vec<(String, String)>;

fn sources(input: &Input) -> Sources {
    let mut sources = Sources::default();
    for (name, text) in input {
        sources.add(Source::new(name.as_str(), text.as_str(), false));
    }
    sources
}

/// Inputs in testdata that cause no findings.
static VALID_INPUTS: LazyLock<Vec<Input>> = LazyLock::new(|| {
    let folders = WalkDir::new(support::root().join("testdata")).sort_by_file_name();
    let folders = folders.into_iter().map(|entry| entry.unwrap().into_path());
    let is_input = |folder: &Path| folder.ends_with("input") || folder.ends_with("testdata/quickstart");
    let inputs = folders.filter(|folder| folder.is_dir() && is_input(folder)).map(|folder| {
        let files = WalkDir::new(folder).sort_by_file_name().into_iter();
        let files = files.map(|entry| entry.unwrap().into_path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "yaml"));
        let read = |path: &Path| Some((path.to_str()?.to_owned(), fs::read_to_string(path).ok()?));
        files.filter_map(|path| read(&path)).collect::<Input>()
    });
    let is_valid = |input: &Input| {
        let compiled = compile(&sources(input), &CompileOptions::default());
        compiled.diagnostics.is_empty() && compiled.output.agents > 0
    };
    inputs.collect::<Vec<_>>().into_par_iter().filter(is_valid).collect()
});

/// Splits a line into its indentation (including dashes), its key and its value.
fn split_line(line: &str) -> (&str, &str, &str) {
    let start = line.len() - line.trim_start_matches([' ', '-']).len();
    let (indent, rest) = line.split_at(start);
    let (key, value) = rest.split_once(':').unwrap_or(("", rest));
    (indent, key, value.trim())
}

/// Makes a typo in a word: drops, doubles, replaces or swaps letters.
fn misspell(word: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<_> = word.chars().collect();
    let at = random.below(letters.len());
    let letter = *letters.get(at)?;
    match random.below(5) {
        0 if letters.len() > 1 => drop(letters.remove(at)),
        1 => letters.insert(at, letter),
        2 => *letters.get_mut(at)? = random.pick(&['x', 'e', '1']),
        3 if letter.is_alphabetic() => {
            *letters.get_mut(at)? = match letter.is_uppercase() {
                true => letter.to_ascii_lowercase(),
                false => letter.to_ascii_uppercase(),
            };
        }
        _ if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => return None,
    }
    Some(letters.into_iter().collect())
}

/// Makes an edit that a user could make by mistake. Returns a description and the new contents, or `None` if the edit
/// is not possible.
fn edit(text: &str, random: &mut Random) -> Option<(&'static str, String)> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    let line = lines.get(at)?.clone();
    if line.trim().is_empty() || line.starts_with('#') {
        return None;
    }
    let (indent, key, value) = split_line(&line);
    let replace_line = |lines: &mut Vec<String>, line: String| lines.splice(at..=at, [line]).count();
    let depth = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let end = (at + 1..lines.len()).find(|i| lines.get(*i).is_none_or(|next| depth(next) <= depth(&line)));
    let end = end.unwrap_or(lines.len());
    let what = match random.below(14) {
        0 | 1 if !key.is_empty() => {
            replace_line(
                &mut lines,
                format!("{indent}{}:{}", misspell(key, random)?, line.get(indent.len() + key.len() + 1..)?),
            );
            "typo in a key"
        }
        2 | 3 if !value.is_empty() => {
            replace_line(&mut lines, line.replacen(value, &misspell(value, random)?, 1));
            "typo in a value"
        }
        4 => {
            lines.remove(at);
            "line deleted"
        }
        5 => {
            lines.insert(at, line.clone());
            "line doubled"
        }
        6 => {
            replace_line(&mut lines, format!("  {line}"));
            "line indented"
        }
        7 => {
            replace_line(&mut lines, line.strip_prefix("  ")?.to_owned());
            "line unindented"
        }
        8 => {
            for line in lines.get_mut(at..end)? {
                line.insert_str(0, "  ");
            }
            "block indented"
        }
        9 => {
            for line in lines.get_mut(at..end)? {
                *line = line.strip_prefix("  ")?.to_owned();
            }
            "block unindented"
        }
        10 if line.contains(": ") => {
            replace_line(&mut lines, line.replacen(": ", ":", 1));
            "blank deleted"
        }
        11 if !key.is_empty() && !value.is_empty() => {
            replace_line(
                &mut lines,
                format!("{indent}{key}: {}", random.pick(&["off", "on", "yes", "~", "7", "''", "x"])),
            );
            "value replaced"
        }
        12 if indent.contains(' ') => {
            replace_line(&mut lines, line.replacen("  ", "\t", 1));
            "tab"
        }
        13 if end > at + 1 => {
            lines.drain(at..end);
            "block deleted"
        }
        _ => return None,
    };
    Some((what, lines.join("\n") + "\n"))
}

#[test]
fn single_mistakes_cause_single_findings() {
    let seed = env::var("AGENTCTL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    assert!(VALID_INPUTS.len() > 20, "only {} inputs are right", VALID_INPUTS.len());
    let edit_count = support::many_or_few(500, 250);
    // Number of edits that may cause several findings.
    let max_findings = support::many_or_few(6, 4);
    let edited_inputs: Vec<_> = (0..edit_count)
        .map(|number| {
            let mut random = Random::new(seed * 1_000_000 + number as u64);
            loop {
                let mut input = VALID_INPUTS.get(random.below(VALID_INPUTS.len())).unwrap().clone();
                let file = random.below(input.len());
                let (name, text) = input.get_mut(file).unwrap();
                if let Some((what, edited)) = edit(text, &mut random)
                    && edited != *text
                {
                    let heading = format!("{what}: {name}");
                    *text = edited;
                    break (heading, input);
                }
            }
        })
        .collect();
    let inputs_with_several_findings: Vec<_> = edited_inputs
        .par_iter()
        .filter_map(|(heading, input)| {
            let sources = sources(input);
            let mut actual = compile(&sources, &CompileOptions::default()).diagnostics;
            actual.retain(|finding| finding.severity > Severity::Note);
            let report = render(MessageFormat::Short, &actual, &sources, Screen::default());
            (group_by_cause(actual).len() > 1).then(|| format!("{heading}\n{report}"))
        })
        .collect();
    println!("{} of {edit_count} edits give several findings", inputs_with_several_findings.len());
    assert!(
        inputs_with_several_findings.len() <= max_findings,
        "{}:\n{}",
        inputs_with_several_findings.len(),
        inputs_with_several_findings.join("\n")
    );
    println!("{}", inputs_with_several_findings.join("\n"));
}
