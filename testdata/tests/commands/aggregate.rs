//! Tests of the `agentctl aggregate` command: the walkthrough in docs/aggregate.md, and exit statuses.
//!
//! `AGENTCTL_BLESS=1 cargo test --test all aggregate` updates the expected files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, Run};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/aggregate")
}

/// Runs agentctl in the directory that contains the test data.
fn agentctl(args: &[&str]) -> Run {
    support::run(&testdata(), args, b"")
}

fn assert_golden(name: &str, args: &[&str]) {
    let output = agentctl(args);
    assert_eq!((output.status, output.stderr), (Some(0), String::new()), "{args:?}");
    let path = testdata().join("walkthrough/expected").join(name);
    support::compare_or_update(&path, &output.stdout).unwrap();
}

const WALKTHROUGH: &[&str] = &["walkthrough/manifests", "--remote-services", "walkthrough/remote-services.yaml"];

fn walkthrough_args<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["aggregate"], args, WALKTHROUGH].concat()
}

#[test]
fn walkthrough_matches_expected_output() {
    assert_golden("routes.txt", &walkthrough_args(&["routes"]));
    assert_golden("routes.json", &walkthrough_args(&["routes", "-o", "json"]));
    assert_golden("discovery.json", &walkthrough_args(&["discovery"]));
    assert_golden("discovery-own-group.yaml", &walkthrough_args(&["discovery", "--own-group", "-o", "yaml"]));
    assert_golden("discovery-aggregated.json", &walkthrough_args(&["discovery", "--aggregated"]));
    assert_golden("rendered.yaml", &walkthrough_args(&["render"]));
    assert_golden("rendered.json", &walkthrough_args(&["render", "-o", "json"]));
    let with_ca_bundle =
        [&walkthrough_args(&["render"])[..], &["--ca-bundle", "ca.pem", "--at", "2026-03-01"]].concat();
    assert_golden("rendered-with-bundle.yaml", &with_ca_bundle);
}

#[test]
fn documentation_shows_the_walkthrough_routes() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/aggregate.md")).unwrap();
    let routes = fs::read_to_string(testdata().join("walkthrough/expected/routes.txt")).unwrap();
    let indented: String = routes.lines().map(|line| format!("   {line}\n")).collect();
    assert!(page.contains(&indented), "{indented}");
}

#[test]
fn rendered_objects_resolve_to_the_same_routes() {
    let rendered = "walkthrough/expected/rendered.yaml";
    let check = agentctl(&["check", rendered]);
    assert_eq!((check.status, check.stderr), (Some(0), String::new()));
    let routes = agentctl(&["aggregate", "routes", rendered]);
    let expected = fs::read_to_string(testdata().join("walkthrough/expected/routes.txt")).unwrap();
    assert_eq!(routes.stdout, expected);
    let diff = agentctl(&[&walkthrough_args(&["diff"])[..], &["--against", rendered]].concat());
    assert_eq!((diff.status, diff.stdout), (Some(0), String::new()));
}

#[test]
fn diff_lists_changes_and_exits_with_1() {
    let args = walkthrough_args(&["diff", "--against", "walkthrough/expected/rendered-with-bundle.yaml"]);
    let diff = agentctl(&args);
    let expected = "\
        ~ /apis/query.grafana.app/v0alpha1 https://localhost:7444 caBundle (Unknown) -> https://localhost:7444 insecure \
                    (Unknown)\n\
        ~ /apis/testdata.datasource.grafana.app/v0alpha1 https://[::1]:7445 caBundle (Unknown) -> https://[::1]:7445 \
                    insecure (Unknown)\n";
    assert_eq!((diff.status, diff.stdout), (Some(1), expected.to_owned()));
    let removed =
        ["aggregate", "diff", "walkthrough/manifests/externalname.yaml", "--against", "walkthrough/manifests"];
    let diff = agentctl(&removed);
    let expected = "- /apis/example.grafana.app/v0alpha1 https://localhost:7443 insecure (Unknown)\n";
    assert_eq!((diff.status, diff.stdout), (Some(1), expected.to_owned()));
}

#[test]
fn diff_shows_changed_services() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, service: &str, tls: &str, external_names: &str| {
        let text = format!(
            "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {{name: v1.foo.grafana.app}}\nspec: \
             {{group: foo.grafana.app, version: v1, groupPriorityMinimum: 1000, versionPriority: 15, {tls}, service: \
             {{name: {service}, namespace: default}}}}\n{external_names}"
        );
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let diff = |before: &str, after: &str| {
        let output = agentctl(&["aggregate", "diff", after, "--against", before, "--allow", "warnings"]);
        (output.status, output.stdout)
    };
    let insecure_setting = "insecureSkipTLSVerify: true";
    let (before, after) = (file("a.yaml", "foo", insecure_setting, ""), file("b.yaml", "foo2", insecure_setting, ""));
    let expected = "~ /apis/foo.grafana.app/v1 default/foo:443 insecure (ServiceNotFound) -> default/foo2:443 insecure \
                    (ServiceNotFound)\n";
    assert_eq!(diff(&before, &after), (Some(1), expected.to_owned()));

    let external_name = |name| {
        format!(
            "---\napiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {{name: {name}, namespace: \
             default}}\nspec: {{host: foo.example.com}}\n"
        )
    };
    let verified_setting = "insecureSkipTLSVerify: false";
    let before = file("c.yaml", "foo", verified_setting, &external_name("foo"));
    let after = file("d.yaml", "foo2", verified_setting, &external_name("foo2"));
    let expected = "~ /apis/foo.grafana.app/v1 https://foo.example.com:443 systemRoots (Unknown) for foo.default.svc -> \
                    https://foo.example.com:443 systemRoots (Unknown) for foo2.default.svc\n";
    assert_eq!(diff(&before, &after), (Some(1), expected.to_owned()));
}

#[test]
fn errors_exit_with_1_and_write_nothing() {
    for command in ["render", "routes", "discovery"] {
        let output = agentctl(&["aggregate", command, "--remote-services", "remote-mistakes/port.yaml"]);
        assert_eq!((output.status, output.stdout), (Some(1), String::new()), "{command}");
        assert!(output.stderr.contains("remote-mistakes/port.yaml:4:9"), "{}", output.stderr);
    }
    let diff = ["aggregate", "diff", "mistakes/priority.yaml", "--against", "walkthrough/manifests"];
    let output = agentctl(&diff);
    assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""));
    assert_eq!(output.stderr.matches("error[priority-out-of-range]").count(), 5, "{}", output.stderr);
    let check = agentctl(&["check", "mistakes/priority.yaml", "--message-format", "json"]);
    assert_eq!(check.status, Some(1));
    assert!(check.stdout.contains("\"path\":\"spec.groupPriorityMinimum\""), "{}", check.stdout);
}

#[test]
fn reports_expired_bundles_only_with_a_date() {
    let remote =
        ["aggregate", "routes", "--remote-services", "walkthrough/remote-services.yaml", "--ca-bundle", "ca.pem"];
    assert_eq!(agentctl(&remote).status, Some(0));
    let expired_run = agentctl(&[&remote[..], &["--at", "2130-01-01"]].concat());
    assert_eq!(expired_run.status, Some(1));
    assert!(expired_run.stderr.contains("ca.pem:1:1"), "{}", expired_run.stderr);
    let check = ["check", "walkthrough/expected/rendered-with-bundle.yaml"];
    assert_eq!(agentctl(&check).status, Some(0));
    let expired_run = agentctl(&[&check[..], &["--at", "2130-01-01"]].concat());
    let actual = expired_run.stdout;
    assert!(actual.contains("error[ca-bundle-expired]"), "{actual}");
    let allowed_args = [&check[..], &["--at", "2130-01-01", "--allow", "ca-bundle-expired"]].concat();
    assert_eq!(agentctl(&allowed_args).status, Some(0));
}

#[test]
fn rejects_empty_output_by_default() {
    let other = ["aggregate", "render", "../quickstart"];
    let output = agentctl(&other);
    assert_eq!((output.status, output.stdout), (Some(1), String::new()));
    assert!(output.stderr.contains("empty-render"), "{}", output.stderr);
    let allowed = agentctl(&[&other[..], &["--allow-empty"]].concat());
    assert_eq!((allowed.status, allowed.stdout), (Some(0), String::new()));
}

#[test]
fn missing_files_exit_with_2() {
    let bundle = walkthrough_args(&["routes", "--ca-bundle", "nowhere.pem"]);
    let output = agentctl(&bundle);
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("`nowhere.pem`"), "{}", output.stderr);
    let services = agentctl(&["aggregate", "routes", "--remote-services", "nowhere.yaml"]);
    assert_eq!(services.status, Some(2));
    assert!(services.stderr.starts_with("error: cannot read `nowhere.yaml`: "), "{}", services.stderr);
}

#[test]
fn reads_the_working_directory_by_default() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let routes = || support::run(directory, ["aggregate", "routes"], b"");
    assert_eq!(routes().status, Some(1), "nothing to read");
    for name in ["apiservice.yaml", "externalname.yaml"] {
        let from = testdata().join("walkthrough/manifests").join(name);
        fs::copy(from, directory.join(name)).unwrap();
    }
    let actual = routes();
    assert_eq!(actual.status, Some(0), "{}", actual.stderr);
    assert!(actual.stdout.contains("/apis/"), "{}", actual.stdout);
}

#[test]
fn writes_one_file_per_object() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let args = walkthrough_args(&["render", "--output-dir", directory.to_str().unwrap()]);
    assert_eq!(agentctl(&args).status, Some(0));
    for file in [
        "_cluster/apiservice_v0alpha1.example.grafana.app.yaml",
        "grafana/externalname_example-apiserver.yaml",
        "default/externalname_v0alpha1.query.grafana.app.yaml",
    ] {
        assert!(directory.join(file).is_file(), "{file}");
    }
}

#[cfg(unix)]
#[test]
fn private_keys_have_mode_600_and_are_not_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let args = ["aggregate", "pki", directory.to_str().unwrap()];
    assert_eq!(agentctl(&args).status, Some(0));
    for file in ["ca.crt", "ca.key", "client.crt", "client.key", "server.crt", "server.key"] {
        let mode = fs::metadata(directory.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let key = fs::read(directory.join("ca.key")).unwrap();
    let again = agentctl(&args);
    assert_eq!(again.status, Some(2));
    assert!(again.stderr.contains("ca.crt"), "{}", again.stderr);
    assert_eq!(fs::read(directory.join("ca.key")).unwrap(), key);
    assert_eq!(agentctl(&[&args[..], &["--force"]].concat()).status, Some(0));
    assert_ne!(fs::read(directory.join("ca.key")).unwrap(), key);
}
