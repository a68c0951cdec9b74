//! Every folder of `testdata/alloy` is a case of `--target alloy`:
//!
//! ```text
//! input.yaml     what is rendered
//! NAME.alloy     the expected configuration in the Secret NAME
//! stderr         the expected findings
//! ```
//!
//! `AGENTCTL_BLESS=1 cargo test --test all alloy` writes the expected files anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use rayon::prelude::*;
use serde_json::Value;

/// The configurations that a run prints, by the names of their Secrets, and its findings.
fn configurations(folder: &Path, input: &str, flags: &[String]) -> (BTreeMap<String, String>, String) {
    let args = [
        "render",
        input,
        "--target",
        "alloy",
        "-o",
        "json",
        "--message-format",
        "short",
    ];
    let args = args.into_iter().chain(flags.iter().map(String::as_str));
    let run = support::run(folder, args, &[]);
    let mut found = BTreeMap::new();
    if run.status == Some(0) && !run.stdout.is_empty() {
        let list: Value = serde_json::from_str(&run.stdout).unwrap();
        for object in list["items"].as_array().unwrap() {
            if let Some(text) = object["data"]["config.alloy"].as_str() {
                let name = object["metadata"]["name"].as_str().unwrap();
                found.insert(name.to_owned(), unpacked(&STANDARD.decode(text).unwrap()));
            }
        }
    }
    (found, run.stderr)
}

fn unpacked(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        std::io::read_to_string(GzDecoder::new(bytes)).unwrap()
    } else {
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

#[test]
fn every_case_comes_out_as_expected() {
    let mut failures = Vec::new();
    for folder in support::folders(&support::root().join("testdata/alloy")) {
        let (found, stderr) = configurations(&folder, "input.yaml", &[]);
        failures.extend(support::expect(&folder.join("stderr"), &stderr).err());
        for (name, text) in &found {
            failures.extend(support::expect(&folder.join(format!("{name}.alloy")), text).err());
        }
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|extension| extension == "alloy") && !found.contains_key(name) {
                failures.push(format!("{}: there is no such configuration", path.display()));
            }
        }
    }
    support::report(&failures);
}

/// What an argument takes, as the catalogue says it: its kind, and whether it is required.
type Specs = BTreeMap<String, BTreeMap<String, (String, bool)>>;

/// The bodies of `catalogue.txt`.
fn catalogue() -> Specs {
    let text = fs::read_to_string(support::root().join("src/target/alloy/catalogue.txt")).unwrap();
    let mut specs = Specs::new();
    let mut body = "";
    for line in text.lines() {
        let Some(argument) = line.strip_prefix('\t') else {
            body = line;
            specs.entry(body.to_owned()).or_default();
            continue;
        };
        let mut words = argument.split(' ');
        let (name, kind) = (words.next().unwrap(), words.next().unwrap());
        let plain = name.trim_end_matches('!');
        let spec = specs.get_mut(body).unwrap();
        spec.insert(plain.to_owned(), (kind.to_owned(), plain != name));
    }
    specs
}

/// Checks a configuration in canonical layout against the catalogue.
fn check(text: &str, specs: &Specs) -> Vec<String> {
    let mut problems = Vec::new();
    // The body that each open block has, and the names in it.
    let mut open: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((i, line)) = lines.next() {
        let mut problem = |what: String| problems.push(format!("line {}: {what}: {line}", i + 1));
        let line = line.trim_start();
        if line.is_empty() {
            continue;
        }
        if line == "}" {
            let (body, names) = open.pop().unwrap();
            let required = specs[&body].iter().filter(|(_, (_, required))| *required);
            required
                .filter(|(name, _)| !names.contains(name))
                .for_each(|(name, _)| problem(format!("{body} needs {name}")));
            continue;
        }
        let name = line.split(' ').next().unwrap();
        let is_block = line.ends_with('{') && !line.contains(" = ") || line.ends_with("{ }");
        let Some((body, names)) = open.last_mut() else {
            if !specs.contains_key(name) {
                problem("unknown component".to_owned());
            }
            if !line.ends_with("{ }") {
                open.push((name.to_owned(), Vec::new()));
            }
            continue;
        };
        let body = body.clone();
        names.push(name.to_owned());
        let wild = name.split('.').next().unwrap();
        let inner = specs[&body]
            .get(name)
            .or_else(|| match specs[&body].get(wild)?.0.as_str() {
                "<stage>" => specs["stage"].get(name),
                "<metric>" => specs["metric"].get(name),
                _ => None,
            });
        let Some((kind, _)) = inner else {
            problem(format!("{body} has no {name}"));
            break;
        };
        let of_block = kind.strip_prefix('{').and_then(|kind| kind.split('}').next());
        match (is_block, of_block) {
            (true, Some(_)) if line.ends_with("{ }") => {}
            (true, Some(inner)) => open.push((inner.to_owned(), Vec::new())),
            (false, None) => {
                let value = line.split_once(" = ").unwrap().1;
                if !takes(kind, value) {
                    problem(format!("{name} is a {kind}"));
                }
                let mut depth = depth(value);
                while depth > 0 {
                    depth += self::depth(lines.next().unwrap().1);
                }
            }
            _ => problem(format!("{name} is {kind}")),
        }
    }
    problems
}

/// How many brackets a line leaves open.
fn depth(line: &str) -> i32 {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '[' | '{' | '(' if !in_string => depth += 1,
            ']' | '}' | ')' if !in_string => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Whether an argument of a kind takes a value, as far as the beginning of the value says it.
fn takes(kind: &str, value: &str) -> bool {
    let first = value.chars().next().unwrap();
    let begins = match first {
        '"' => ["text", "secret", "duration", "seconds", "size"].as_slice(),
        '[' => &["texts", "secrets", "numbers", "maps", "targets", "receivers"],
        '{' => &["map", "map-of-texts", "map-of-secrets"],
        '-' | '0'..='9' => &["number"],
        _ if value == "true" || value == "false" => &["bool"],
        // An expression.
        _ => return true,
    };
    begins.contains(&kind)
}

#[test]
fn what_is_written_is_in_the_catalogue() {
    let specs = catalogue();
    let testdata = support::root().join("testdata");
    let conformance = support::folders(&testdata.join("conformance"));
    let cases = conformance.iter().flat_map(|folder| support::folders(folder));
    let cases = cases.map(|folder| (folder, "input"));
    let own = support::folders(&testdata.join("alloy"))
        .into_iter()
        .map(|folder| (folder, "input.yaml"));
    let cases: Vec<_> = cases.chain(own).collect();
    let checked = cases.par_iter().map(|(folder, input)| {
        let flags = support::words(&folder.join("flags"));
        let (found, _) = configurations(folder, input, &flags);
        let problems = found.values().flat_map(|text| check(text, &specs));
        let problems: Vec<_> = problems
            .map(|problem| format!("{}: {problem}", folder.display()))
            .collect();
        (found.len(), problems)
    });
    let checked: Vec<_> = checked.collect();
    let configurations: usize = checked.iter().map(|(count, _)| count).sum();
    assert!(configurations > 60, "found only {configurations} configurations");
    support::report(
        &checked
            .into_iter()
            .flat_map(|(_, problems)| problems)
            .collect::<Vec<_>>(),
    );
}
