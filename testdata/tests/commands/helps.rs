//! Tests that following the help of a finding removes the finding.
//!
//! Two tests share this module. One tests each code's wrong example: the diff on the page must do what the help says.
//! The other, without knowing the rules, follows every help text in all test inputs that consists of a simple
//! instruction, such as ``write `x` `` or ``remove `x` ``.

use crate::testing::TestInput;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use agentctl::compile::CompileOptions;
use agentctl::diagnostic::{Code, Diagnostic, Edit, Severity, apply_edits};
use agentctl::source::{Sources, Span};
use walkdir::WalkDir;

use super::explain::{Example, findings};
use crate::support;

/// Splits help text into alternative instructions.
fn split_alternatives(help: &str) -> Vec<&str> {
    let mut parts = vec![help];
    for separator in ["; ", ", or ", " or, ", ", otherwise ", ", and "] {
        parts = parts.into_iter().flat_map(|part| split_outside_code(part, separator)).collect();
    }
    parts
}

/// Splits `text` at each separator that is not inside backticks.
fn split_outside_code<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(separator) {
        let is_code = text[..at].matches('`').count() % 2 == 1;
        if !is_code && at >= start {
            parts.push(&text[start..at]);
            start = at + separator.len();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns an instruction without the reason that follows it. Code after a colon belongs to the instruction.
fn without_reason(instruction: &str) -> &str {
    let mut parts = split_outside_code(instruction, ": ").into_iter();
    let first = parts.next().unwrap_or_default();
    let codes = parts.take_while(|part| part.starts_with('`'));
    &instruction[..first.len() + codes.map(|code| code.len() + 2).sum::<usize>()]
}

/// Returns the code in an instruction: all text in backticks except examples, placeholders and commands.
fn code_spans(instruction: &str) -> Vec<&str> {
    const EXAMPLES: [&str; 6] = ["such as", "for example", "as in", "the form", ", which", " instead of"];
    const PROGRAMS: [&str; 6] = ["agentctl ", "sops ", "helm ", "kubectl ", "envsubst ", "--"];
    let instruction = without_reason(instruction);
    let end = EXAMPLES.iter().filter_map(|word| instruction.find(word)).min().unwrap_or(instruction.len());
    let code = instruction[..end].split('`').skip(1).step_by(2);
    code.filter(|code| !PROGRAMS.iter().any(|program| code.starts_with(program))).collect()
}

/// Returns the words of YAML separated by spaces, without punctuation and quotes.
fn words(text: &str) -> String {
    let plain = text.replace(['"', '\'', '{', '}', '[', ']', ',', '-'], " ").replace(": ", " : ").replace(":\n", " : ");
    format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join("  "))
}

/// Whether a change from `wrong` to `right` does what an instruction says: it writes, removes or changes the text that
/// the instruction has in backticks. An instruction without such text is accepted.
fn carries_out(instruction: &str, wrong: &str, right: &str) -> bool {
    const CHANGES: [&str; 7] = ["change", "correct", "give", "lower", "move", "raise", "rename"];
    let verb = instruction.split_whitespace().next().unwrap_or_default();
    let texts = [(words(wrong), words(right)), (wrong.to_owned(), right.to_owned())];
    let line_diff = similar::TextDiff::from_lines(wrong, right);
    let changed_lines = line_diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    let changed_lines: Vec<_> = changed_lines.map(|change| change.value().to_owned()).collect();
    let is_done = |code: &&str| {
        let code = code.split('…').next().unwrap_or_default().trim_end_matches([' ', ':']);
        let last = code.rsplit('.').next().unwrap_or_default();
        let path = code.replace('.', ": ");
        let is_written = |(before, after): (&str, &str), text: &str| {
            let [before, after] = [before, after].map(|whole| whole.matches(text).count());
            if verb == "remove" { before > after } else { after > before }
        };
        let [text_words, raw] = &texts;
        let is_changed = CHANGES.contains(&verb) && changed_lines.iter().any(|line| line.contains(last));
        let word_variants = [code, path.as_str(), last].map(words);
        let word_variants =
            word_variants.iter().any(|text| is_written((&text_words.0, &text_words.1), text.trim_end_matches(" : ")));
        is_changed || word_variants || is_written((&raw.0, &raw.1), code)
    };
    let code = code_spans(instruction);
    code.is_empty() || code.iter().any(is_done)
}

#[test]
fn following_the_help_fixes_wrong_examples() {
    let mut failures = Vec::new();
    let mut followed_count = 0;
    for &code in Code::ALL {
        let Some(example) = Example::new(code) else { continue };
        let sources = example.sources(&example.wrong);
        for original in findings(&sources, &example.options()).iter().filter(|finding| finding.code == code) {
            if let Some(fix) = &original.fix {
                let fixed = apply_edits(&example.wrong, &fix.edits).unwrap_or_default();
                let after = findings(&example.sources(&fixed), &example.options());
                followed_count += 1;
                if after.iter().any(|other| is_same(original, other)) {
                    failures.push(format!("{code}: the fix `{}` does not remove it", fix.title));
                }
            }
            let Some(help) = &original.help else { continue };
            followed_count += 1;
            if !split_alternatives(help).iter().any(|part| carries_out(part, &example.wrong, &example.right)) {
                failures.push(format!("{code}: the example does something else than the help, `{help}`"));
            }
        }
    }
    support::report(&failures);
    println!("{followed_count} helps of examples were followed");
}

/// Returns the flags with values that help text suggests, except for placeholders such as `NUMBER`.
fn flags_in(help: &str) -> Vec<Vec<&str>> {
    let flag = regex::Regex::new("--[a-z-]+(=[^ `,;]+| [a-z][^ `,;]*[=-][^ `,;]*| alloy)").unwrap();
    let flags = flag.find_iter(help).map(|flag_match| flag_match.as_str().splitn(2, ' ').collect::<Vec<_>>());
    flags.filter(|flag| !flag.concat().contains(|c: char| c.is_ascii_uppercase())).collect()
}

#[test]
fn flags_suggested_in_help_remove_the_finding() {
    let mut failures = Vec::new();
    let mut followed_flags = Vec::new();
    for &code in Code::ALL {
        let Some(example) = Example::new(code) else { continue };
        let actual = findings(&example.sources(&example.wrong), &example.options());
        let helps = actual.iter().filter(|finding| finding.code == code).filter_map(|finding| finding.help.as_deref());
        for flags in helps.flat_map(flags_in) {
            let folder = support::scratch("flags-in-helps");
            for (number, text) in [example.wrong.as_str()].iter().chain(example.other_manifests()).enumerate() {
                fs::write(folder.join(format!("{number}.yaml")), text).unwrap();
            }
            let base_args = ["check", ".", "-v", "--message-format=json"];
            let run = support::run(&folder, base_args.iter().chain(example.flags()).chain(&flags), b"");
            followed_flags.push(code);
            // Some flags downgrade an error instead of removing the finding, so a warning is accepted.
            let severities = if code.can_be_lowered() && code.severity() == Severity::Error { "error" } else { "" };
            let has_finding = |line: &str| {
                line.starts_with(&format!("{{\"severity\":\"{severities}"))
                    && line.contains(&format!("\"code\":\"{code}\""))
            };
            if run.status == Some(2) || run.stdout.lines().any(has_finding) {
                failures.push(format!("{code}: {flags:?} does not remove it: {}", run.stderr));
            }
        }
    }
    support::report(&failures);
    followed_flags.dedup();
    println!("flags in the helps of {followed_flags:?} were followed");
    assert!(followed_flags.len() >= 6, "{followed_flags:?}");
}

/// Codes of findings that a change must not cause.
const BREAKING_CODES: &[Code] = &[Code::DuplicateKey, Code::UnknownField, Code::WrongType, Code::YamlSyntax];

/// Whether two findings from different runs report the same mistake.
fn is_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.code, &a.message, &a.path, &a.resource) == (b.code, &b.message, &b.path, &b.resource)
}

/// Returns the edits that a simple instruction may stand for, or none if the instruction is not simple.
fn simple_changes(instruction: &str, text: &str, span: Span) -> Vec<Edit> {
    let instruction = without_reason(instruction).trim();
    let rest: String = instruction.split('`').step_by(2).collect();
    match (rest.trim(), instruction.split('`').nth(1)) {
        ("remove" | "remove the field" | "remove the duplicate" | "remove it", key) => {
            removal(text, span, key).into_iter().collect()
        }
        ("set" | "write" | "use", Some(code)) if code.contains(": ") => entries(code, text, span),
        ("did you mean ?" | "write" | "use" | "use  or" | "use one of:", Some(code)) => {
            replacement(code, text, span).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns an edit that replaces a scalar value.
fn replacement(code: &str, text: &str, span: Span) -> Option<Edit> {
    let value = text.get(span.bytes())?;
    let is_scalar = !value.contains(['\n', '{', '[']) && !value.is_empty() && !value.starts_with(['|', '>', '-']);
    let is_key = text.get(span.end as usize..)?.starts_with(':');
    let quoted_code = if value.starts_with(['"', '\'']) { format!("{code:?}") } else { code.to_owned() };
    (is_scalar && !is_key).then(|| Edit::replace(span, quoted_code))
}

/// Returns alternative edits that write `code`, a mapping entry: one before the entry at `span`; one that replaces an
/// earlier entry with the same key; and one that replaces the entry at `span` or, if the entry's value is on the lines
/// below, is inserted into that value. Returns nothing unless the line contains exactly one entry.
fn entries(code: &str, text: &str, span: Span) -> Vec<Edit> {
    let Some((line, end)) = line_of(text, span.start as usize) else { return Vec::new() };
    let start = line.find(|c| !matches!(c, ' ' | '-')).unwrap_or_default();
    let key = code.split(": ").next().unwrap_or_default();
    if line.contains(['{', '[', '|', '>']) || code.contains('…') || key.contains('.') {
        return Vec::new();
    }
    let (from, indent) = (end - line.len() + start, " ".repeat(start));
    let at = |from: usize, to: usize| span.with(from as u32, to as u32);
    let mut edits = vec![Edit::replace(at(from, from), format!("{code}\n{indent}"))];
    // An earlier entry may have the same key.
    if let Some((above, _)) = text[..from].rmatch_indices(&format!("\n{indent}{key}: ")).next() {
        let to = text[above + 1..].find('\n').map_or(text.len(), |length| above + 1 + length);
        edits.push(Edit::replace(at(above + 1, to), format!("{indent}{code}")));
    }
    // An entry with the same key and no value is replaced.
    match line.trim_end().ends_with(':') && !line.trim_end().ends_with(&format!("{key}:")) {
        true => edits.push(Edit::replace(at(end, end), format!("\n{indent}  {code}"))),
        false => edits.push(Edit::replace(at(from, end), code)),
    }
    edits
}

/// Returns the line at a position, and the end of the line.
fn line_of(text: &str, at: usize) -> Option<(&str, usize)> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    Some((text.get(start..end)?, end))
}

/// Returns an edit that removes the mapping entry at a span if the entry has its own lines and, if `key` is set, has
/// this key.
fn removal(text: &str, span: Span, key: Option<&str>) -> Option<Edit> {
    let (line, mut end) = line_of(text, span.start as usize)?;
    let entry = line.trim_start();
    let entry_key = entry.split(':').next()?.trim_matches('"');
    if entry.starts_with('-') || line.contains(['{', '[']) || key.is_some_and(|key| key != entry_key) {
        return None;
    }
    let start = end - line.len();
    let indent = line.len() - entry.len();
    while let Some((next, after)) = text.get(end + 1..).and_then(|_| line_of(text, end + 1)) {
        let next_entry = next.trim_start();
        let depth = next.len() - next_entry.len();
        let is_inside = next_entry.is_empty() || depth > indent || depth == indent && next_entry.starts_with("- ");
        if !is_inside || after <= end {
            break;
        }
        end = after;
    }
    Some(Edit::replace(span.with(start as u32, (end + 1).min(text.len()) as u32), ""))
}

/// Returns the YAML files of all test inputs.
fn inputs() -> Vec<PathBuf> {
    let root = support::root().join("testdata");
    let folders = ["cases", "invalid", "mistakes", "unselected", "targets"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| WalkDir::new(folder).sort_by_file_name());
    let files = files.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let extra_files = std::env::var_os("AGENTCTL_MORE_INVALID").map(PathBuf::from);
    let extra_files =
        extra_files.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    files.chain(extra_files).filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect()
}

fn input(text: &str) -> Sources {
    TestInput::new(text).sources
}

#[test]
fn following_simple_help_removes_the_finding() {
    let mut failures = Vec::new();
    let mut followed_counts = BTreeMap::<String, usize>::new();
    let examples = Code::ALL.iter().filter_map(|&code| Example::new(code)).map(|example| example.wrong);
    let files = inputs().into_iter().filter_map(|path| fs::read_to_string(path).ok());
    for text in support::sample(files.chain(examples), 3) {
        for (_, target) in support::targets() {
            let mut options = CompileOptions::default();
            options.render.manifest.target = target;
            let before = findings(&input(&text), &options);
            for finding in &before {
                let (Some(help), Some(label)) = (&finding.help, finding.labels.first()) else { continue };
                // Help text that joins instructions with `and` is skipped, because following only one instruction may
                // not be enough.
                for instruction in split_alternatives(help).into_iter().filter(|_| !help.contains(", and ")) {
                    let edits = simple_changes(instruction, &text, label.span);
                    if edits.is_empty() {
                        continue;
                    }
                    *followed_counts.entry(finding.code.to_string()).or_default() += 1;
                    let removes_finding = |edit: &Edit| {
                        let after = findings(&input(&apply_edits(&text, [edit]).unwrap()), &options);
                        let count_same_findings =
                            |all: &[Diagnostic]| all.iter().filter(|other| is_same(finding, other)).count();
                        let breaks_input = |all: &[Diagnostic]| {
                            all.iter().filter(|other| BREAKING_CODES.contains(&other.code)).count()
                        };
                        count_same_findings(&after) < count_same_findings(&before)
                            && breaks_input(&after) <= breaks_input(&before)
                    };
                    if !edits.iter().any(removes_finding) {
                        let value = text.get(label.span.bytes()).unwrap_or_default();
                        failures.push(format!(
                            "{}: {}: `{instruction}` does not remove it: {value:?} → {edits:?}",
                            finding.code, finding.message
                        ));
                    }
                }
            }
        }
    }
    failures.sort();
    failures.dedup();
    support::report(&failures);
    println!("{} helps of {} codes were followed", followed_counts.values().sum::<usize>(), followed_counts.len());
    assert!(followed_counts.len() >= support::many_or_few(20, 10), "{followed_counts:?}");
}
