//! Comments in a case's input that state its expected findings. Each comment is above the line that the finding refers
//! to, and starts with the column:
//!
//! ```text
//!   # 13: error[pattern-mismatch]: `interval` must be a duration, but is `soon`
//!   interval: soon
//! ```

use std::fs;
use std::path::Path;

use regex::Regex;
use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use crate::support::{self, Run};

/// File and line of a finding, and the comment that states the finding.
type Finding = (String, usize, String);

/// Returns a description of the problem if `run`, a run of the case in `folder`, did not report the findings expected
/// in the case's input. If expected files are updated, writes the findings to the input instead, and checks that
/// `run_again` reports the same findings.
pub fn problem(folder: &Path, run: &Run, run_again: impl Fn() -> Run) -> Option<String> {
    let problem = difference(folder, run)?;
    if !support::updates_expected_files() {
        return Some(format!("{}: {problem} (AGENTCTL_BLESS=1 writes it)", folder.display()));
    }
    let before = input_files(folder);
    let mut run = run.clone();
    let findings = plain_findings(&before, &parse_findings(&run));
    // Adding comments changes the line numbers of later findings, so a second pass is needed.
    for _ in 0..2 {
        write_comments(folder, &parse_findings(&run));
        run = run_again();
    }
    let after = input_files(folder);
    let is_same = difference(folder, &run).is_none() && plain_findings(&after, &parse_findings(&run)) == findings;
    if !is_same || contents(&before) != contents(&after) {
        before.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
        return Some(format!("{}: comments cannot show these findings; create an empty `status`", folder.display()));
    }
    None
}

/// Returns the comments in a case's input that state expected findings.
pub fn comments(folder: &Path) -> Vec<String> {
    expected_findings(&input_files(folder)).into_iter().map(|(.., text)| text).collect()
}

/// Returns the first difference between the findings of a run and the comments.
fn difference(folder: &Path, run: &Run) -> Option<String> {
    let (mut expected, mut actual) = (expected_findings(&input_files(folder)), parse_findings(run));
    expected.sort();
    actual.sort();
    let unexpected = actual.iter().find(|finding| !expected.contains(finding));
    let missing = expected.iter().find(|finding| !actual.contains(finding));
    let status = Some(i32::from(expected.iter().any(|(.., text)| text.contains(": error["))));
    let show = |(file, line, text): &Finding| format!("{file}:{line}:{text}");
    match (unexpected, missing) {
        (Some(unexpected), _) => Some(format!("did not expect {}", show(unexpected))),
        (None, Some(missing)) => Some(format!("expected {}", show(missing))),
        _ if expected != actual => Some("a finding is repeated".to_owned()),
        _ if !run.stderr.is_empty() => Some(format!("did not expect {:?} on standard error", run.stderr)),
        _ if run.status != status => Some(format!("expected status {status:?}, found {:?}", run.status)),
        _ => None,
    }
}

/// Returns the findings that a run printed in the short format. The last line contains their counts.
fn parse_findings(run: &Run) -> Vec<Finding> {
    let lines: Vec<_> = run.stdout.lines().collect();
    let findings = lines.split_last().map_or(&[][..], |(_, findings)| findings);
    let finding = |line: &&str| {
        let mut parts = line.splitn(3, ':');
        let (file, number) = (parts.next().unwrap_or_default(), parts.next().and_then(|line| line.parse().ok()));
        (file.to_owned(), number.unwrap_or_default(), parts.next().unwrap_or_default().to_owned())
    };
    findings.iter().map(finding).collect()
}

/// Returns the findings that are expected in the comments of these files.
fn expected_findings(files: &[(String, String)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, text) in files {
        let mut comments = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            match comment(line) {
                Some(comment) => comments.push(comment.to_owned()),
                None => findings.extend(comments.drain(..).map(|comment| (file.clone(), number, comment))),
            }
        }
    }
    findings
}

/// Returns the content of a comment that states an expected finding.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("# ")?;
    let (column, rest) = text.split_once(": ")?;
    let is_column = !column.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit());
    let starts_finding = ["error[", "warning[", "note["].iter().any(|severity| rest.starts_with(severity));
    (is_column && starts_finding).then_some(text)
}

/// Returns the YAML files in a case's input, with the paths that findings use.
fn input_files(folder: &Path) -> Vec<(String, String)> {
    let files = WalkDir::new(folder.join("input")).into_iter().filter_map(Result::ok).map(DirEntry::into_path);
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "yaml" || end == "yml"));
    let name = |file: &Path| file.strip_prefix(folder).unwrap().display().to_string();
    files.filter_map(|file| Some((name(&file), fs::read_to_string(&file).ok()?))).collect()
}

/// Replaces the comments in the input with those for `findings`.
fn write_comments(folder: &Path, findings: &[Finding]) {
    for (file, text) in input_files(folder) {
        let mut output = String::new();
        for (line, number) in text.split_inclusive('\n').zip(1..).filter(|(line, _)| comment(line).is_none()) {
            let indentation = &line[..line.len() - line.trim_start_matches(' ').len()];
            for (.., text) in findings.iter().filter(|(known, at, _)| (known, *at) == (&file, number)) {
                output += &format!("{indentation}# {text}\n");
            }
            output += line;
        }
        if output != text {
            // The file is replaced atomically, because another test may be reading it.
            let new_folder = folder.with_extension("new");
            fs::write(&new_folder, output).unwrap();
            fs::rename(new_folder, folder.join(file)).unwrap();
        }
    }
}

/// Returns the documents in each file, or `None` for a file that cannot be parsed.
fn contents(files: &[(String, String)]) -> Vec<Option<Vec<serde_yaml::Value>>> {
    let documents =
        |text| serde_yaml::Deserializer::from_str(text).map(|document| Deserialize::deserialize(document).ok());
    files.iter().map(|(_, text)| documents(text).collect()).collect()
}

/// Returns the findings with the line numbers that they would have if the files contained no comments, and without
/// locations in their messages.
fn plain_findings(files: &[(String, String)], findings: &[Finding]) -> Vec<Finding> {
    let location = Regex::new(":[0-9]+:[0-9]+").unwrap();
    let plain_line = |file: &str, number: usize| {
        let text = files.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text);
        number - text.lines().take(number.saturating_sub(1)).filter(|line| comment(line).is_some()).count()
    };
    let plain = findings
        .iter()
        .map(|(file, line, text)| (file.clone(), plain_line(file, *line), location.replace_all(text, "").into_owned()));
    plain.collect()
}

#[test]
fn reports_findings_without_comments_and_comments_without_findings() {
    let folder = support::scratch("annotations");
    fs::create_dir(folder.join("input")).unwrap();
    let file = folder.join("input/a.yaml");
    let run = |status, stdout: &str| Run { status: Some(status), stdout: stdout.to_owned(), stderr: String::new() };
    let expects = "a:\n  # 6: error[wrong-type]: m\n  b: 1\n";
    for (text, status, stdout, expected) in [
        (expects, 1, "input/a.yaml:3:6: error[wrong-type]: m\n1 error\n", None),
        (
            expects,
            0,
            "input/a.yaml:3:6: error[wrong-type]: m\n1 error\n",
            Some("expected status Some(1), found Some(0)"),
        ),
        (expects, 1, "no errors\n", Some("expected input/a.yaml:3:6: error[wrong-type]: m")),
        (
            expects,
            1,
            "input/a.yaml:3:7: error[wrong-type]: m\n1 error\n",
            Some("did not expect input/a.yaml:3:7: error[wrong-type]: m"),
        ),
        (
            "a:\n  b: 1\n",
            1,
            "input/a.yaml:2:6: error[wrong-type]: m\n1 error\n",
            Some("did not expect input/a.yaml:2:6: error[wrong-type]: m"),
        ),
        ("a:\n  # b: 1\n", 0, "no errors\n", None),
    ] {
        fs::write(&file, text).unwrap();
        assert_eq!(difference(&folder, &run(status, stdout)).as_deref(), expected, "{text} {stdout}");
    }
    // Comments are replaced, and nothing else changes.
    fs::write(&file, "a:\n  # 1: note[old]: m\n  b: |\n    # x\nc: 2").unwrap();
    write_comments(
        &folder,
        &parse_findings(&run(1, "input/a.yaml:3:6: error[wrong-type]: m\ninput/a.yaml:5:4: note[new]: n\n1 error\n")),
    );
    let expected_text = "a:\n  # 6: error[wrong-type]: m\n  b: |\n    # x\n# 4: note[new]: n\nc: 2";
    assert_eq!(fs::read_to_string(&file).unwrap(), expected_text);
    let plain_findings_of = |text: &str, stdout: &str| {
        plain_findings(&[("input/a.yaml".to_owned(), text.to_owned())], &parse_findings(&run(1, stdout)))
    };
    assert_eq!(
        plain_findings_of(expects, "input/a.yaml:3:6: error[wrong-type]: m [see input/a.yaml:3:1]\n1 error\n"),
        plain_findings_of("a:\n  b: 1\n", "input/a.yaml:2:6: error[wrong-type]: m [see input/a.yaml:2:1]\n1 error\n")
    );
    let contents = |text: &str| contents(&[(String::new(), text.to_owned())]);
    assert_eq!(contents("a: |\n  b\nc: d\n"), contents("a: |\n  b\n# e\nc: d\n"));
    assert_ne!(contents("a: |\n  b\nc: d\n"), contents("a: |\n  # e\n  b\nc: d\n"));
}
