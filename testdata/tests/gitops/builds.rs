//! Tests that findings about what Flux builds are reported in the right file if several files are possible.

use std::fs;

use crate::kustomize::places::has_kustomize;
use crate::support::{run, scratch};

/// Returns the findings for a cluster that applies `app`, or `None` if nothing can be built. `options` are the last
/// lines of the Flux Kustomization's spec.
fn findings(name: &str, options: &str, files: &[(&str, &str)]) -> Option<String> {
    if !has_kustomize() {
        return None;
    }
    let directory = scratch(&format!("gitops-builds-{name}"));
    let flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
                metadata: {name: app, namespace: flux-system}\nspec:\n  path: ./app\n  \
                sourceRef: {kind: GitRepository, name: flux-system}\n";
    for folder in ["cluster", "app"] {
        fs::create_dir(directory.join(folder)).unwrap();
    }
    fs::write(directory.join("cluster/app.yaml"), format!("{flux}{options}")).unwrap();
    for (file, text) in files {
        fs::write(directory.join("app").join(file), text).unwrap();
    }
    Some(run(&directory, ["check", "cluster", "--message-format", "short"], b"").stdout)
}

#[test]
fn unknown_keys_of_substituted_mappings_are_reported_at_the_variable() {
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\nspec:\n  selector: {}\n  \
                   endpoints:\n  - ${endpoint}\n";
    let substitute = "  postBuild: {substitute: {endpoint: '{prt: web}'}}\n";
    let Some(actual) = findings("keys", substitute, &[("a.yaml", monitor)]) else {
        return;
    };
    assert!(
        actual.starts_with("app/a.yaml:7:5: warning[unknown-field]: `endpoints[0]` has no field `prt`"),
        "{actual}"
    );
}

#[test]
fn does_not_report_warnings_as_causes_of_failed_builds() {
    let merged = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: y\n  <<: {x: z}\n";
    let invalid = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: \"x}\n";
    let files = [("a.yaml", merged), ("b.yaml", invalid), ("kustomization.yaml", "resources: [a.yaml, b.yaml]\n")];
    let Some(actual) = findings("warnings", "", &files) else {
        return;
    };
    assert!(actual.starts_with("app/b.yaml:4:11: error[gitops-build]"), "{actual}");
}

/// Tests that files for ConfigMaps, which need not be YAML, are not taken for the cause of a failed build.
#[test]
fn data_files_are_not_causes_of_failed_builds() {
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\nspec: {selector: {}, endpoints: []}\n";
    let kustomization =
        "resources: [a.yaml]\nconfigMapGenerator: [{name: b, files: [b.yaml]}]\nreplicas:\n- {name: gone, count: 2}\n";
    let files = [("a.yaml", monitor), ("b.yaml", "text: {{ .Foo }}\n"), ("kustomization.yaml", kustomization)];
    let Some(actual) = findings("data", "", &files) else {
        return;
    };
    assert!(actual.contains("error[gitops-build]") && !actual.contains("b.yaml"), "{actual}");
}

/// Tests that a finding's location is in the repository's kustomization, rather than in the copy that Flux adds patches
/// to before building it.
#[test]
fn excessive_patches_are_reported_in_the_original_kustomization() {
    let api_version = "apiVersion: monitoring.grafana.com/v1alpha1";
    let patches = format!(
        "  patches:\n  - patch: '{{{api_version}, kind: GrafanaAgent, metadata: {{name: a}}, spec: {{paused: true}}}}'\n"
    );
    let agent = format!("{api_version}\nkind: GrafanaAgent\nmetadata: {{name: a}}\nspec: {{}}\n");
    let (long_value, aliases) = ("x".repeat(100_000), "*a, ".repeat(200));
    let kustomization = format!(
        "# Flux does not copy comments.\n#\n#\n#\nresources: [a.yaml]\npatches:\n- target: {{kind: GrafanaAgent}}\n  patch: |\n    \
         spec:\n      a: &a {long_value}\n      b: [{aliases}]\n"
    );
    let files = [("a.yaml", agent.as_str()), ("kustomization.yaml", &kustomization)];
    let Some(actual) = findings("patches", &patches, &files) else {
        return;
    };
    assert!(actual.starts_with("app/kustomization.yaml:8:10: error[gitops-build]"), "{actual}");
    assert!(actual.contains("the aliases expand to more than 16MiB"), "{actual}");
}
