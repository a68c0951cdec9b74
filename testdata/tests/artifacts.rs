//! Tests that the generated files in `completions` and `man` match the command line. `AGENTCTL_BLESS=1 cargo test
//! --test all artifacts` updates them.

use crate::support;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the file names in a folder.
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
        failures.extend(support::expect(&folder.join(file), &run.stdout).err());
    }
    support::report(&failures);
    assert_eq!(names(&folder), files.map(|(_, file)| file.to_owned()).into());
}

#[test]
fn manual_pages_are_current() {
    let root = support::root();
    let folder = root.join("man");
    fs::create_dir_all(&folder).unwrap();
    let fresh = support::scratch("man");
    let run = support::run(root, ["man".as_ref(), fresh.as_os_str()], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    if support::bless() {
        for stale in names(&folder).difference(&names(&fresh)) {
            fs::remove_file(folder.join(stale)).unwrap();
        }
    }
    let failures: Vec<_> = names(&fresh)
        .iter()
        .filter_map(|file| support::expect(&folder.join(file), &fs::read_to_string(fresh.join(file)).unwrap()).err())
        .collect();
    support::report(&failures);
    assert_eq!(names(&folder), names(&fresh));
}
