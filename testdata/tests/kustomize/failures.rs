//! Mistakes in kustomizations next to a secret: each is reported with its file and line, and no value is printed.

use std::fs;
use std::process::Command;

use crate::support::{self, feed, run, scratch};

/// Value of the secret in each faulty input.
const CANARY: &str = "CANARY";

const SECRET: &str =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: monitoring}\nstringData: {password: CANARY}\n";

/// A mistake: its name, the files other than `s.yaml`, which contains [`SECRET`], and the start of the finding.
type Mistake = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const MISTAKES: &[Mistake] = &[
    (
        "patch-indent",
        &[
            ("kustomization.yaml", "resources: [s.yaml]\npatches:\n- path: p.yaml\n"),
            (
                "p.yaml",
                "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n   namespace: monitoring\nstringData:\n  password: CANARY\n",
            ),
        ],
        "p.yaml:5:",
    ),
    (
        "inline-patch",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    - op: replace\n      path: /stringData/password\n     value: CANARY\n",
        )],
        "kustomization.yaml:4:",
    ),
    (
        "flow-patch",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatches:\n- patch: \"{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: CANARY}\"\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "literals",
        &[("kustomization.yaml", "resources: [s.yaml]\nsecretGenerator:\n- name: g\n  literals: [CANARY]\n")],
        "kustomization.yaml:4:",
    ),
    (
        "same-name",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nsecretGenerator:\n- {name: g, literals: [a=CANARY]}\n- {name: g, literals: [b=CANARY]}\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "files",
        &[("kustomization.yaml", "resources: [s.yaml]\nsecretGenerator:\n- name: g\n  files: [password=CANARY]\n")],
        "kustomization.yaml:4:",
    ),
    (
        "tab",
        &[("kustomization.yaml", "resources: [s.yaml]\nsecretGenerator:\n- name: g\n\tliterals: [password=CANARY]\n")],
        "kustomization.yaml:4:",
    ),
    (
        "unknown",
        &[("kustomization.yaml", "resources: [s.yaml]\nsecretGenerators:\n- name: g\n  literals: [password=CANARY]\n")],
        "kustomization.yaml:2:",
    ),
    (
        "notarget",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: other}\n    stringData: {password: CANARY}\n",
        )],
        "kustomization.yaml:6:",
    ),
    (
        "jsonpath",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatches:\n- target: {kind: Secret, name: s}\n  patch: |-\n    - op: replace\n      path: /data/gone\n      value: CANARY\n",
        )],
        "kustomization.yaml:6:",
    ),
    ("conflict", &[("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"), ("b.yaml", SECRET)], "b.yaml:1:"),
    (
        "resource",
        &[
            ("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"),
            ("b.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData:\n  password: \"CANARY\n"),
        ],
        "b.yaml:5:",
    ),
    (
        "type",
        &[("kustomization.yaml", "resources: [s.yaml]\nsecretGenerator:\n- name: g\n  literals: {password: CANARY}\n")],
        "kustomization.yaml:4:",
    ),
    (
        "replacement",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: s, fieldPath: stringData.CANARY}\n  targets:\n  - select: {kind: Secret}\n    fieldPaths: [stringData.other]\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "replacement2",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: gone}\n  targets:\n  - select: {kind: Secret}\n    fieldPaths: [stringData.other]\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "noname",
        &[
            ("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"),
            ("b.yaml", "apiVersion: v1\nkind: Secret\nstringData: {password: CANARY}\n"),
        ],
        "b.yaml:1:",
    ),
    (
        "nokind",
        &[
            ("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"),
            ("b.yaml", "apiVersion: v1\nmetadata: {name: b}\nstringData: {password: CANARY}\n"),
        ],
        "b.yaml:1:",
    ),
    ("notobject", &[("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"), ("b.yaml", "CANARY\n")], "b.yaml:1:"),
    (
        "duplicate",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nsecretGenerator:\n- name: g\n  literals: [password=CANARY, password=CANARY]\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "merge",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nsecretGenerator:\n- name: gone\n  behavior: merge\n  literals: [password=CANARY]\n",
        )],
        "kustomization.yaml:3:",
    ),
    (
        "smp-conflict",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: Secret\n  metadata: {name: gone}\n  stringData: {password: CANARY}\n",
        )],
        "kustomization.yaml:6:",
    ),
    ("empty", &[("kustomization.yaml", "\n")], "kustomization.yaml:1:"),
    (
        "dupkeyres",
        &[
            ("kustomization.yaml", "resources: [s.yaml, b.yaml]\n"),
            (
                "b.yaml",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {password: CANARY}\nstringData: {password: CANARY}\n",
            ),
        ],
        "b.yaml:5:",
    ),
    (
        "patchboth",
        &[
            ("kustomization.yaml", "resources: [s.yaml]\npatches:\n- path: p.yaml\n  patch: CANARY\n"),
            ("p.yaml", "x: 1\n"),
        ],
        "kustomization.yaml:4:",
    ),
    (
        "nonpatch",
        &[("kustomization.yaml", "resources: [s.yaml]\npatches:\n- patch: CANARY\n  target: {kind: Secret}\n")],
        "kustomization.yaml:3:",
    ),
    (
        "list",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nconfigMapGenerator:\n  name: g\n  literals: [password=CANARY]\n",
        )],
        "kustomization.yaml:2:",
    ),
    (
        "base",
        &[
            ("kustomization.yaml", "resources: [base]\n"),
            ("base/kustomization.yaml", "resources: [s.yaml]\nsecretGenerator:\n- name: g\n  literals: [CANARY]\n"),
            ("base/s.yaml", SECRET),
        ],
        "base/kustomization.yaml:4:",
    ),
    (
        "jsonop",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\npatches:\n- target: {kind: Secret, name: s}\n  patch: |-\n    - op: CANARY\n      path: /stringData/password\n      value: CANARY\n",
        )],
        "kustomization.yaml:5:",
    ),
    (
        "vars",
        &[(
            "kustomization.yaml",
            "resources: [s.yaml]\nvars:\n- name: V\n  objref: {kind: Secret, name: gone, apiVersion: v1}\n",
        )],
        "kustomization.yaml:2:",
    ),
    (
        "component",
        &[
            ("kustomization.yaml", "resources: [s.yaml]\ncomponents: [c]\n"),
            ("c/kustomization.yaml", "resources: [x.yaml]\n"),
            ("c/x.yaml", SECRET),
        ],
        "c/kustomization.yaml:1:",
    ),
];

#[test]
fn reports_mistakes_at_their_line_without_values() {
    if !support::has_program("kubectl", "mistakes in kustomizations") {
        return;
    }
    assert!(MISTAKES.len() >= 25);
    for (number, (name, files, place)) in support::sample(MISTAKES.iter().enumerate(), 5) {
        let directory = scratch(&format!("kustomize-failures-{name}"));
        fs::write(directory.join("s.yaml"), SECRET).unwrap();
        for (file, text) in *files {
            let path = directory.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let other_formats = support::take_turn(&["human", "json", "github", "sarif", "junit"], number);
        for format in ["short"].into_iter().chain(other_formats) {
            let output = run(&directory, ["check", "-k", ".", "--message-format", format], b"");
            assert_eq!(output.status, Some(1), "{name}: {output:?}");
            assert!(!format!("{output:?}").contains(CANARY), "{name}: {output:?}");
            assert!(format != "short" || output.stdout.starts_with(place), "{name}: {output:?}");
            assert!(format != "short" || output.stdout.ends_with(": 1 error\n"), "{name}: {output:?}");
        }
        for command in support::take_turn(&["render", "tree", "targets"], number) {
            let output = run(&directory, [command, "-k", "."], b"");
            assert!(!format!("{output:?}").contains(CANARY), "{name}: {command}: {output:?}");
            assert!(output.stderr.contains(place), "{name}: {command}: {output:?}");
        }
        // kustomize itself also rejects the mistake.
        let kubectl_run = feed(Command::new("kubectl").args(["kustomize", "."]).current_dir(&directory), b"");
        assert_ne!(kubectl_run.status, Some(0), "{name}");
    }
}

#[test]
fn rejects_kustomizations_over_the_size_limit() {
    let directory = scratch("kustomize-failures-size");
    fs::write(directory.join("s.yaml"), SECRET).unwrap();
    let check = |size: usize| {
        let resources = "resources: [s.yaml]\n";
        let text = format!("{resources}{}", "#".repeat(size - resources.len()));
        fs::write(directory.join("kustomization.yaml"), text).unwrap();
        run(&directory, ["check", "-k", ".", "--message-format", "short"], b"").stdout
    };
    let limit = 4 << 20;
    let expected = "kustomization.yaml:1:1: error[kustomize-error]: cannot read the file: it is larger than 4MiB\n";
    assert!(check(limit + 1).starts_with(expected));
    if support::has_program("kubectl", "a kustomization of the maximum size") {
        assert!(check(limit).starts_with("error[empty-check]"));
    }
}

#[test]
fn rejects_kustomizations_over_the_depth_limit() {
    let directory = scratch("kustomize-failures-depth");
    let nested_path = |depth: usize| "d/".repeat(depth);
    fs::create_dir_all(directory.join(nested_path(100))).unwrap();
    for depth in 0..100 {
        fs::write(directory.join(nested_path(depth)).join("kustomization.yaml"), "resources: [d]\n").unwrap();
    }
    fs::write(directory.join(nested_path(100)).join("kustomization.yaml"), "resources: [s.yaml]\n").unwrap();
    fs::write(directory.join(nested_path(100)).join("s.yaml"), SECRET).unwrap();
    let check = |start: usize| {
        run(&directory.join(nested_path(start)), ["check", "-k", ".", "--message-format", "short"], b"").stdout
    };
    let problem = "error[kustomize-error]: expected at most 100 nested kustomizations, found more\n";
    let expected = format!("{}kustomization.yaml:1:13: {problem}", nested_path(99));
    assert!(check(0).starts_with(&expected));
    if support::has_program("kubectl", "the deepest kustomizations") {
        assert!(check(1).starts_with("error[empty-check]"));
    }
}
