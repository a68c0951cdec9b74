//! Tests that the generated files in `completions` and `man` match the command line, and that changes to a schema are
//! readable. `AGENTCTL_BLESS=1 cargo test --test all artifacts` updates the files.

use crate::support;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Returns the file names in a directory.
fn names(folder: &Path) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeSet::new();
    };
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn completions_are_current() {
    let root = support::root();
    let folder = root.join("completions");
    fs::create_dir_all(&folder).unwrap();
    let files =
        [("bash", "agentctl.bash"), ("fish", "agentctl.fish"), ("powershell", "_agentctl.ps1"), ("zsh", "_agentctl")];
    let mut failures = Vec::new();
    for (shell, file) in files {
        let run = support::run(root, ["completions", shell, "--static"], b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{shell}");
        failures.extend(support::compare_or_update(&folder.join(file), &run.stdout).err());
    }
    support::report(&failures);
    assert_eq!(names(&folder), files.map(|(_, file)| file.to_owned()).into());
}

#[test]
fn manual_pages_are_current() {
    let root = support::root();
    let folder = root.join("man");
    fs::create_dir_all(&folder).unwrap();
    let current = support::empty_directory("man");
    let run = support::run(root, ["man".as_ref(), current.as_os_str()], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    if support::updates_expected_files() {
        for stale in names(&folder).difference(&names(&current)) {
            fs::remove_file(folder.join(stale)).unwrap();
        }
    }
    let failures: Vec<_> = names(&current)
        .iter()
        .filter_map(|file| {
            support::compare_or_update(&folder.join(file), &fs::read_to_string(current.join(file)).unwrap()).err()
        })
        .collect();
    support::report(&failures);
    assert_eq!(names(&folder), names(&current));
}

/// Formats JSON with one line for each object or list. If any of its elements is not a scalar, each element is also
/// written on its own line.
fn format_one_field_per_line(value: &Value, indent: &str) -> String {
    let inner = format!("{indent} ");
    let is_flat = |value: &Value| !value.is_object() && !value.is_array();
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Object(fields) if !fields.values().all(is_flat) => {
            let field =
                |(key, value): (&String, &Value)| format!("{key:?}: {}", format_one_field_per_line(value, &inner));
            ("{", fields.iter().map(field).collect(), "}")
        }
        Value::Array(items) if !items.iter().all(is_flat) => {
            ("[", items.iter().map(|item| format_one_field_per_line(item, &inner)).collect(), "]")
        }
        flat => return flat.to_string(),
    };
    format!("{open}\n{inner}{}\n{indent}{close}", parts.join(&format!(",\n{inner}")))
}

#[test]
fn schemas_have_one_field_per_line() {
    let folder = support::root().join("src/api/schema");
    let schemas: Vec<_> = names(&folder).into_iter().filter(|name| name.ends_with(".json")).collect();
    assert!(schemas.len() >= 13, "{schemas:?}");
    let failures = schemas.iter().filter_map(|name| {
        let value = serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap();
        support::compare_or_update(&folder.join(name), &format!("{}\n", format_one_field_per_line(&value, ""))).err()
    });
    support::report(&failures.collect::<Vec<_>>());
}
