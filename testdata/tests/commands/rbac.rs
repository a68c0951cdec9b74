//! Tests that `agentctl rbac` grants exactly the permissions that agents need: with all of them, `check` reports
//! nothing; if any part is removed, `check` reports it as missing.

use crate::support;
use crate::support::options_of;
use crate::testing::TestInput;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agentctl::compile::CompileOptions;
use agentctl::diagnostic::Code;
use agentctl::output::Target;
use rayon::prelude::*;
use serde_json::{Value, json};

/// Returns the input directories: every recorded case that the operator accepted, and a case that needs all
/// permissions.
fn inputs() -> Vec<PathBuf> {
    let root = support::root().join("testdata");
    let recorded = support::folders(&root.join("conformance/focused")).into_iter();
    let usable_cases = recorded.filter(|case| case.join("expected/objects.json").exists());
    usable_cases.chain([root.join("cases/rbac")]).collect()
}

/// Adds `manifests` to the input, and returns the messages from `check` about missing permissions.
fn missing_permissions(case: &Path, target: &str, manifests: &Value) -> Vec<String> {
    let mut args = ["check", "input", "-", "--message-format", "json", "--target", target].map(str::to_owned).to_vec();
    args.extend(flags(case));
    let run = support::run(case, args, manifests.to_string().as_bytes());
    let findings = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let permission_findings = findings.filter(|finding| finding["code"] == Code::MissingPermission.as_str());
    permission_findings.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

/// A case's files and options. `Input::missing` compiles in-process, because permissions are removed a thousand times.
struct Input {
    files: Vec<String>,
    options: CompileOptions,
}

impl Input {
    fn new(case: &Path, target: &Target) -> Self {
        let files = fs::read_dir(case.join("input")).unwrap();
        let files = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
        let mut options = options_of(case);
        options.render.manifest.target = target.clone();
        let files = files.collect();
        Self { files, options }
    }

    fn missing_permissions(&self, manifests: &Value) -> Vec<String> {
        let input = TestInput::numbered(self.files.iter().cloned().chain([manifests.to_string()]));
        let diagnostics = input.options(&self.options).findings().into_iter();
        let permission_findings = diagnostics.filter(|diagnostic| diagnostic.code == Code::MissingPermission);
        permission_findings.map(|diagnostic| diagnostic.message).collect()
    }
}

/// Returns a case's flags, excluding those that `rbac` does not support.
fn flags(case: &Path) -> Vec<String> {
    let mut flags = support::words(&case.join("flags"));
    flags.retain(|flag| flag != "--allow-empty");
    flags
}

/// Returns the permissions that `rbac` prints for a case and a target. The result is cached, because two tests need it.
fn rbac_objects(case: &Path, target: &'static str) -> Value {
    static CACHE: Mutex<BTreeMap<(PathBuf, &'static str), Value>> = Mutex::new(BTreeMap::new());
    let key = (case.to_owned(), target);
    if let Some(cached) = CACHE.lock().unwrap().get(&key) {
        return cached.clone();
    }
    let objects = print_rbac_objects(case, target);
    CACHE.lock().unwrap().insert(key, objects.clone());
    objects
}

fn print_rbac_objects(case: &Path, target: &str) -> Value {
    let mut args = ["rbac", "input", "-o", "json", "--target", target].map(str::to_owned).to_vec();
    args.extend(flags(case));
    let run = support::run(case, args, b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{}", case.display());
    serde_json::from_str(&run.stdout).unwrap()
}

/// Returns copies of the list, each without one rule or one item of a rule. Each copy is paired with the removed item,
/// which is empty for a rule or an API group.
fn remove_each_permission(list: &Value) -> Vec<(String, Value)> {
    let mut copies = Vec::new();
    let mut push_without = |path: String, word: &Value| {
        let mut list = list.clone();
        let (parent, index) = path.rsplit_once('/').unwrap();
        let items = list.pointer_mut(parent).and_then(Value::as_array_mut).unwrap();
        items.remove(index.parse().unwrap());
        copies.push((word.as_str().unwrap_or_default().to_owned(), list));
    };
    for (i, object) in list["items"].as_array().unwrap().iter().enumerate() {
        for (j, rule) in object["rules"].as_array().into_iter().flatten().enumerate() {
            push_without(format!("/items/{i}/rules/{j}"), &json!(""));
            for field in ["apiGroups", "resources", "nonResourceURLs", "verbs"] {
                for (k, word) in rule[field].as_array().into_iter().flatten().enumerate() {
                    let word = if field == "apiGroups" { &Value::Null } else { word };
                    push_without(format!("/items/{i}/rules/{j}/{field}/{k}"), word);
                }
            }
        }
    }
    copies
}

#[test]
fn permissions_are_sufficient_and_minimal() {
    assert!(inputs().len() > 35);
    let results: Vec<_> = support::sample(inputs(), 5)
        .into_iter()
        .flat_map(|case| support::targets().into_iter().map(move |target| (case.clone(), target)))
        .collect();
    let actual: Vec<(usize, Vec<String>)> = results
        .par_iter()
        .enumerate()
        .map(|(number, (case, (target, compiled_for)))| {
            let all_permissions = rbac_objects(case, target);
            let input = Input::new(case, compiled_for);
            let mut failures = input.missing_permissions(&all_permissions);
            let is_checked_by_command = support::all_cases() || number.is_multiple_of(5);
            if is_checked_by_command {
                failures.extend(missing_permissions(case, target, &all_permissions));
            }
            let weakened = remove_each_permission(&all_permissions);
            let removed_count = weakened.len();
            for (i, (word, remaining_permissions)) in weakened.into_iter().enumerate() {
                let actual = input.missing_permissions(&remaining_permissions);
                if i == 0
                    && is_checked_by_command
                    && actual != missing_permissions(case, target, &remaining_permissions)
                {
                    failures.push(format!("`check` finds other than {actual:?} in {remaining_permissions}"));
                }
                if actual.len() != 1 || !actual[0].contains(&word) {
                    failures.push(format!("without `{word}`: {actual:?} in {remaining_permissions}"));
                }
            }
            let at = |failure| format!("{} for {target}: {failure}", case.display());
            (removed_count, failures.into_iter().map(at).collect())
        })
        .collect();
    let removed_count: usize = actual.iter().map(|(removed_count, _)| removed_count).sum();
    assert!(removed_count > support::many_or_few(400, 70), "only {removed_count} rights were removed");
    support::report(&actual.into_iter().flat_map(|(_, failures)| failures).collect::<Vec<_>>());
}

#[test]
fn every_target_needs_the_same_permissions() {
    let inputs = inputs();
    assert!(inputs.len() > 35);
    for case in support::sample(inputs, 5) {
        let targets = support::targets().into_iter();
        let rbac_of_targets: Vec<_> = targets.map(|(target, _)| rbac_objects(&case, target)).collect();
        assert!(rbac_of_targets.iter().all(|own| *own == rbac_of_targets[0]), "{} {rbac_of_targets:?}", case.display());
    }
}

#[test]
fn render_writes_rbac_objects_first() {
    let case = support::root().join("testdata/cases/rbac");
    let render = |flags: &[&str]| {
        let run = support::run(&case, ["render", "input"].iter().chain(flags), b"");
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        run.stdout
    };
    let rbac_stdout = support::run(&case, ["rbac", "input"], b"").stdout;
    assert_eq!(render(&["--with-rbac"]), rbac_stdout + &render(&[]));
}

#[test]
fn diff_compares_rbac_objects_on_request() {
    let case = support::root().join("testdata/cases/rbac");
    let run = |args: &[&str], stdin: &str| support::run(&case, args, stdin.as_bytes());
    let live = run(&["render", "input", "--with-rbac"], "").stdout;
    let without_rbac = run(&["render", "input"], "").stdout;
    let diff = |live: &str, flags: &[&str]| {
        let run = run(&[&["diff", "input", "--against", "-"], flags].concat(), live);
        (run.status, run.stdout.lines().last().unwrap_or_default().to_owned(), run.stdout)
    };
    let unchanged = (Some(0), "0 added, 0 changed, 0 removed".to_owned());
    for (live, flags) in [(&live, &["--with-rbac"][..]), (&live, &[]), (&without_rbac, &[])] {
        let (status, last, _) = diff(live, flags);
        assert_eq!((status, last), unchanged, "{flags:?}");
    }
    let (status, last, _) = diff(&without_rbac, &["--with-rbac"]);
    let object_count = run(&["rbac", "input"], "").stdout.matches("---\n").count();
    assert_eq!((status, last), (Some(1), format!("{object_count} added, 0 changed, 0 removed")));

    // Three differences: a missing verb, an additional role, and a binding to a different role.
    let with_fewer_verbs = live.replacen("  verbs:\n  - list\n  - watch\n", "  verbs:\n  - list\n", 1);
    let (status, last, text) = diff(&with_fewer_verbs, &["--with-rbac"]);
    assert_eq!((status, last.as_str()), (Some(1), "0 added, 1 changed, 0 removed"));
    assert!(text.contains("+++ ClusterRole/grafana-agent.monitoring.agent\n"), "{text}");
    let added_role = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: grafana-agent.old.agent, \
                namespace: old, labels: {app.kubernetes.io/managed-by: agentctl}}\n";
    let (status, last, _) = diff(&format!("{live}{added_role}"), &["--with-rbac"]);
    assert_eq!((status, last.as_str()), (Some(1), "0 added, 0 changed, 1 removed"));
    assert_eq!(diff(&format!("{live}{added_role}"), &[]).0, Some(0));
    let with_other_role = live.replacen("  kind: ClusterRole\n  name: ", "  kind: ClusterRole\n  name: other-", 1);
    let (_, last, text) = diff(&with_other_role, &["--with-rbac"]);
    assert_eq!(last, "0 added, 1 changed, 0 removed; 1 must be recreated", "{text}");
}

#[test]
fn rbac_objects_have_a_separate_file_list() {
    let case = support::root().join("testdata/cases/rbac");
    let directory = support::scratch("rbac-output-dir");
    let path = directory.display().to_string();
    let run = |args: &[&str]| support::run(&case, args.iter().chain(&["--output-dir", path.as_str()]), b"");
    let write_run = run(&["rbac", "input"]);
    assert_eq!((write_run.status, write_run.stdout.as_str()), (Some(0), ""), "{}", write_run.stderr);
    let list = fs::read_to_string(directory.join(".agentctl-rbac-files")).unwrap();
    let files: Vec<_> = list.lines().skip(1).collect();
    let rbac_stdout = support::run(&case, ["rbac", "input"], b"").stdout;
    assert_eq!(files.len(), rbac_stdout.matches("---\n").count(), "{list}");
    for file in &files {
        let text = fs::read_to_string(directory.join(file)).unwrap();
        assert!(rbac_stdout.contains(&text), "{file}");
    }
    // `render` prunes only files that are on its own list.
    assert_eq!(run(&["render", "input", "--prune", "--no-sync"]).status, Some(0));
    assert!(files.iter().all(|file| directory.join(file).exists()));
}

#[test]
fn warns_about_permissions_without_a_token() {
    let case = support::root().join("testdata/cases/missing-token");
    let run = support::run(&case, ["rbac", "input", "--message-format", "short"], b"");
    assert_eq!(run.status, Some(0));
    let start = "input/resources.yaml:15:23: warning[missing-token]: ServiceAccount `monitoring/agent` does not mount its token";
    assert!(run.stderr.starts_with(start), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stdout.contains("kind: Role\n"), "{}", run.stdout);
}

/// An agent that needs to list and watch pods in all namespaces, and the roles that are bound to its account.
const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {ACCOUNT, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: primary, namespace: monitoring}
spec: {podLogsSelector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {name: all, namespace: monitoring}
spec: {selector: {}, namespaceSelector: NAMESPACES}
---
";

struct Granted<'g> {
    account: &'g str,
    namespaces: &'g str,
    manifests: Vec<Value>,
}

impl Granted<'_> {
    fn missing_permissions(&self) -> Vec<String> {
        let account = match self.account {
            "" => String::new(),
            account => format!("serviceAccountName: {account}"),
        };
        let mut text = AGENT
            .replace("{ACCOUNT, ", &if account.is_empty() { "{".to_owned() } else { format!("{{{account}, ") })
            .replace("NAMESPACES", self.namespaces);
        for manifest in &self.manifests {
            text.push_str(&format!("{manifest}\n---\n"));
        }
        let run = support::run(support::root(), ["check", "-", "--message-format", "short"], text.as_bytes());
        let lines = run.stdout.lines().filter(|line| line.contains("missing-permission"));
        lines.map(str::to_owned).collect()
    }
}

fn role(kind: &str, name: &str, rules: Value) -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind,
        "metadata": {"name": name, "namespace": "monitoring"}, "rules": rules,
    })
}

fn binding(kind: &str, namespace: &str, role: (&str, &str), subject: Value) -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind,
        "metadata": {"name": "b", "namespace": namespace},
        "roleRef": {"kind": role.0, "name": role.1}, "subjects": [subject],
    })
}

fn account(namespace: &str, name: &str) -> Value {
    json!({"kind": "ServiceAccount", "namespace": namespace, "name": name})
}

fn rule(groups: &[&str], resources: &[&str], verbs: &[&str]) -> Value {
    json!([{"apiGroups": groups, "resources": resources, "verbs": verbs}])
}

#[test]
fn evaluates_rules_like_kubernetes() {
    let named = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["list", "watch"], "resourceNames": ["a"]}]);
    let cases = [
        (rule(&[""], &["pods"], &["list", "watch"]), true),
        (rule(&["*"], &["*"], &["*"]), true),
        (rule(&["", "apps"], &["services", "pods"], &["get", "list", "watch"]), true),
        (rule(&[""], &["pods"], &["get", "list"]), false),
        (rule(&[""], &["pods/log", "*/log"], &["*"]), false),
        (rule(&["apps"], &["pods"], &["*"]), false),
        (rule(&[], &["pods"], &["*"]), false),
        (named, false),
        (json!([{"nonResourceURLs": ["*"], "verbs": ["*"]}]), false),
        (json!([]), false),
        (Value::Null, false),
    ];
    for (rules, expected) in cases {
        let granted = Granted {
            account: "agent",
            namespaces: "{any: true}",
            manifests: vec![
                role("ClusterRole", "r", rules.clone()),
                binding("ClusterRoleBinding", "", ("ClusterRole", "r"), account("monitoring", "agent")),
            ],
        };
        assert_eq!(granted.missing_permissions().is_empty(), expected, "{rules}: {:?}", granted.missing_permissions());
    }
}

#[test]
fn matches_bindings_like_kubernetes() {
    let group = |name: &str| json!({"kind": "Group", "name": name});
    let user = |name: &str| json!({"kind": "User", "name": name});
    // If no binding matches an account, its permissions are unknown, and nothing is reported.
    let cases = [
        ("agent", account("monitoring", "agent"), true),
        ("agent", account("shop", "agent"), false),
        ("agent", account("monitoring", "other"), false),
        ("agent", group("system:serviceaccounts"), true),
        ("agent", group("system:serviceaccounts:monitoring"), true),
        ("agent", group("system:serviceaccounts:shop"), false),
        ("agent", group("system:authenticated"), false),
        ("agent", user("system:serviceaccount:monitoring:agent"), true),
        ("agent", user("system:serviceaccount:monitoring:other"), false),
        ("", account("monitoring", "default"), true),
        ("", account("monitoring", "agent"), false),
        ("default", account("", "default"), true),
    ];
    for (name, subject, expected) in cases {
        let granted = Granted {
            account: name,
            namespaces: "{}",
            manifests: vec![
                role("Role", "r", json!([])),
                binding("RoleBinding", "monitoring", ("Role", "r"), subject.clone()),
            ],
        };
        assert_eq!(
            !granted.missing_permissions().is_empty(),
            expected,
            "{subject}: {:?}",
            granted.missing_permissions()
        );
    }
}

#[test]
fn does_not_suggest_roles_bound_to_groups() {
    let help = |subject: Value| {
        let granted = Granted {
            account: "agent",
            namespaces: "{}",
            manifests: vec![
                role("ClusterRole", "r", json!([])),
                binding("ClusterRoleBinding", "", ("ClusterRole", "r"), subject),
            ],
        };
        granted.missing_permissions().concat().contains("add this rule to ClusterRole `r`")
    };
    assert!(help(account("monitoring", "agent")));
    assert!(!help(json!({"kind": "Group", "name": "system:serviceaccounts"})));
}

#[test]
fn roles_apply_where_they_are_bound() {
    let pods = || rule(&[""], &["pods"], &["list", "watch"]);
    let agent = || account("monitoring", "agent");
    let role_without_rules = || {
        vec![
            role("ClusterRole", "none", json!([])),
            binding("ClusterRoleBinding", "", ("ClusterRole", "none"), agent()),
        ]
    };
    let bound_role = |kind: &str, namespace: &str, role_kind: &str| {
        [role(role_kind, "r", pods()), binding(kind, namespace, (role_kind, "r"), agent())]
    };
    let cases = [
        ("{any: true}", bound_role("ClusterRoleBinding", "", "ClusterRole"), 0),
        ("{any: true}", bound_role("RoleBinding", "monitoring", "ClusterRole"), 1),
        ("{}", bound_role("ClusterRoleBinding", "", "ClusterRole"), 0),
        ("{}", bound_role("RoleBinding", "monitoring", "ClusterRole"), 0),
        ("{}", bound_role("RoleBinding", "monitoring", "Role"), 0),
        ("{}", bound_role("RoleBinding", "shop", "ClusterRole"), 1),
        ("{matchNames: [monitoring, shop, a, b, c]}", bound_role("RoleBinding", "monitoring", "Role"), 1),
    ];
    for (namespaces, bound_role, expected) in cases {
        let mut manifests = role_without_rules();
        manifests.extend(bound_role.clone());
        let granted = Granted { account: "agent", namespaces, manifests };
        assert_eq!(
            granted.missing_permissions().len(),
            expected,
            "{namespaces} {bound_role:?}: {:?}",
            granted.missing_permissions()
        );
    }
}

#[test]
fn undefined_roles_may_allow_anything() {
    let agent = || account("monitoring", "agent");
    let role_without_rules =
        [role("ClusterRole", "none", json!([])), binding("ClusterRoleBinding", "", ("ClusterRole", "none"), agent())];
    let view_binding = |kind: &str, namespace: &str| binding(kind, namespace, ("ClusterRole", "view"), agent());
    let aggregated = |labels: Value, rules: Value| {
        let mut pods = role("ClusterRole", "pods", rules);
        pods["metadata"]["labels"] = labels;
        let mut all = role("ClusterRole", "all", Value::Null);
        all["aggregationRule"] = json!({"clusterRoleSelectors": [{"matchLabels": {"to": "all"}}]});
        vec![pods, all, binding("ClusterRoleBinding", "", ("ClusterRole", "all"), agent())]
    };
    let pods = || rule(&[""], &["pods"], &["list", "watch"]);
    let cases = [
        (vec![view_binding("ClusterRoleBinding", "")], 0),
        (vec![view_binding("RoleBinding", "monitoring")], 0),
        (vec![view_binding("RoleBinding", "shop")], 1),
        (aggregated(json!({"to": "all"}), pods()), 0),
        (aggregated(json!({"to": "all"}), json!([])), 1),
        (aggregated(json!({"to": "none"}), pods()), 0),
    ];
    for (added, expected) in cases {
        let granted = Granted {
            account: "agent",
            namespaces: "{}",
            manifests: role_without_rules.iter().cloned().chain(added.clone()).collect(),
        };
        assert_eq!(granted.missing_permissions().len(), expected, "{added:?}: {:?}", granted.missing_permissions());
    }
}
