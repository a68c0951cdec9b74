//! Tests that every dependency has a reason and is listed in `CONTRIBUTING.md`. `AGENTCTL_BLESS=1 cargo test --test all supply_chain`
//! updates the table.

use crate::support;
use std::fs;

const TABLE_START: &str = "<!-- dependencies -->\n";
const TABLE_END: &str = "<!-- /dependencies -->\n";

/// Returns the section, name and reason of each dependency in a manifest.
fn dependencies(manifest: &str) -> Vec<(String, String, String)> {
    let manifest = fs::read_to_string(support::root().join(manifest)).unwrap();
    let mut all_dependencies = Vec::new();
    let (mut section, mut reason) = (String::new(), String::new());
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if let Some(comment) = line.strip_prefix("# ") {
            reason = comment.to_owned();
            continue;
        } else if section.ends_with("dependencies")
            && let Some((name, _)) = line.split_once(" = ")
        {
            all_dependencies.push((section.clone(), name.to_owned(), reason.clone()));
        }
        reason.clear();
    }
    all_dependencies
}

#[test]
fn documents_a_reason_for_every_dependency() {
    let root = support::root();
    let mut actual = dependencies("Cargo.toml");
    assert!(actual.len() > 20);
    for (_, name, reason) in dependencies("benches/Cargo.toml") {
        if name != "agentctl" && actual.iter().all(|(_, known, _)| *known != name) {
            actual.push(("benchmarks".to_owned(), name, reason));
        }
    }
    let mut table = "| crate | for | reason |\n|---|---|---|\n".to_owned();
    for (section, name, reason) in &actual {
        assert!(!reason.is_empty(), "`{name}` has no comment with its reason in front of it");
        let use_of_package = match section.as_str() {
            "dependencies" => "the command",
            "dev-dependencies" => "tests",
            "benchmarks" => "benchmarks",
            other => panic!("{other}"),
        };
        table.push_str(&format!("| {name} | {use_of_package} | {reason} |\n"));
    }
    let page = root.join("CONTRIBUTING.md");
    let text = fs::read_to_string(&page).unwrap();
    let start = text.find(TABLE_START).unwrap() + TABLE_START.len();
    let end = text.find(TABLE_END).unwrap();
    let expected = format!("{}{table}{}", &text[..start], &text[end..]);
    support::compare_or_update(&page, &expected).unwrap();
}

#[test]
fn package_has_no_unsafe_code() {
    let manifest = fs::read_to_string(support::root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("\nunsafe_code = \"forbid\"\n"));
}
