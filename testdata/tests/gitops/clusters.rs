//! Tests of the objects that GitOps entry points lead to. The tests use the kustomize that is built into kubectl.

use std::fs;
use std::path::Path;

use crate::support::{self, run, scratch};

const CANARY: &str = "CANARY-7f3a";

/// A cluster whose Flux Kustomization substitutes values of a Secret into objects that are not secret.
const CLUSTER: &str = "
apiVersion: v1
kind: Secret
metadata: {name: values, namespace: flux-system}
stringData: {token: CANARY-7f3a}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1m
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substituteFrom: [{kind: Secret, name: values}]
";

const APPS: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  serviceMonitorSelector: {matchLabels: {team: '${token}'}}
  remoteWrite:
  - url: https://mimir.example/${token}/push?x=${token}
    headers: {X-Token: '${token}'}
    remoteTimeout: ${token}
    writeRelabelConfigs: [{sourceLabels: [a], regex: '(${token}', targetLabel: '${token}'}]
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: app, namespace: monitoring, labels: {team: other}}
spec: {selector: {matchLabels: {app: '${token}'}}, endpoints: [{port: web, interval: '${token}'}]}
";

/// A kustomization that copies a Secret value to fields of other objects.
const COPIES: &str = "
resources: [all.yaml, secret.yaml]
replacements:
- source: {kind: Secret, name: values, fieldPath: stringData.token}
  targets:
  - select: {kind: MetricsInstance}
    fieldPaths:
    - spec.remoteWrite.0.url
    - spec.remoteWrite.0.headers.X-Token
    - spec.remoteWrite.0.remoteTimeout
    - spec.remoteWrite.0.writeRelabelConfigs.0.regex
    - spec.remoteWrite.0.writeRelabelConfigs.0.targetLabel
    - spec.serviceMonitorSelector.matchLabels.team
  - select: {kind: ServiceMonitor}
    fieldPaths: [spec.endpoints.0.interval, spec.selector.matchLabels.app]
";

/// Two Kustomizations: the first substitutes a Secret value into a ConfigMap, and the second substitutes this value
/// into other objects.
const CHAIN: &str = "
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: settings, namespace: flux-system}
spec:
  path: ./settings
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: Secret, name: values}]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}
";

const SETTINGS: &str = "
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: flux-system}
data: {token: '${token}-x'}
";

/// Commands that read the cluster `cluster`.
const COMMANDS: &[&[&str]] = &[
    &["check", "cluster", "-v"],
    &["check", "cluster", "-v", "--target", "alloy"],
    &["check", "cluster", "--diff"],
    &["check", "cluster", "--statistics"],
    &["render", "cluster", "-v", "--secrets", "placeholder"],
    &["render", "cluster", "--secrets", "external", "-o", "json"],
    &["render", "cluster", "--target", "alloy", "--secrets", "placeholder"],
    &["diff", "cluster", "--against", "apps/all.yaml"],
    &["diff", "cluster", "--against", "apps/all.yaml", "-o", "json"],
    &["diff", "cluster", "--against", "apps/all.yaml", "-o", "markdown"],
    &["tree", "cluster", "--problems", "-v"],
    &["tree", "cluster", "-o", "html"],
    &["tree", "cluster", "-o", "json"],
    &["why", "smon/app", "-f", "cluster"],
    &["why", "smon/app", "-f", "cluster", "-o", "json"],
    &["targets", "cluster", "--dropped", "--all-labels"],
    &["targets", "cluster", "-o", "json"],
    &["targets", "cluster", "--target", "alloy", "-o", "json"],
    &["config", "agent", "-f", "cluster"],
    &["config", "agent", "-f", "cluster", "--source-map"],
    &["config", "agent", "-f", "cluster", "-o", "json"],
    &["config", "agent", "-f", "cluster", "--target", "alloy"],
    &["shards", "agent", "-f", "cluster"],
    &["rbac", "cluster"],
    &["affected", "secret/values", "-f", "cluster", "-o", "json"],
    &["affected", "apps/all.yaml", "-f", "cluster"],
];
const FORMATS: [&str; 6] = ["human", "short", "json", "github", "sarif", "junit"];

/// Whether an output contains the canary as plain text or in base64.
fn shows_canary(output: &str) -> bool {
    use base64::Engine;
    let encoded = |before: &str| base64::engine::general_purpose::STANDARD.encode(format!("{before}{CANARY}"));
    let is_shown = |(before, skipped): (&str, usize)| {
        let encoded = encoded(before);
        let known_encoding = encoded.trim_end_matches('=');
        output.contains(&known_encoding[skipped..known_encoding.len() - 1])
    };
    output.contains(CANARY) || [("", 0), ("0", 2), ("00", 3)].into_iter().any(is_shown)
}

#[test]
fn shows_no_secret_values_in_other_objects() {
    if !support::has_program("kubectl", "values of Secrets in other objects") {
        return;
    }
    let secret = |namespace: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: values, namespace: {namespace}}}\nstringData: {{token: {CANARY}}}\n"
        )
    };
    let (in_flux, in_apps) = (secret("flux-system"), secret("monitoring"));
    let apps_without_token = APPS.replace("${token}", "x");
    let cluster_without_substitution = CLUSTER.split("  postBuild").next().unwrap();
    let repositories: [(&str, &[(&str, &str)]); 3] = [
        ("substituted", &[("cluster/flux.yaml", CLUSTER), ("apps/all.yaml", APPS)]),
        (
            "chain",
            &[
                ("cluster/flux.yaml", CHAIN),
                ("cluster/secret.yaml", &in_flux),
                ("settings/a.yaml", SETTINGS),
                ("apps/all.yaml", APPS),
            ],
        ),
        (
            "copied",
            &[
                ("cluster/flux.yaml", cluster_without_substitution),
                ("apps/kustomization.yaml", COPIES),
                ("apps/secret.yaml", &in_apps),
                ("apps/all.yaml", &apps_without_token),
            ],
        ),
    ];
    for (number, (name, files)) in repositories.into_iter().enumerate() {
        let folder = scratch(&format!("gitops-canary-{name}"));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let build_run = run(&folder, ["build", "cluster"], b"");
        assert!(build_run.stdout.contains(&format!("X-Token: {CANARY}")), "{name}: {build_run:?}");
        let check_run = run(&folder, ["check", "cluster", "-v"], b"");
        assert!(check_run.stderr.contains("placeholders"), "{name}: {check_run:?}");
        let checks = FORMATS.map(|format| vec!["check", "cluster", "-v", "--message-format", format]);
        let commands = COMMANDS.iter().map(|args| args.to_vec()).chain(checks);
        // In sampled test runs, only half of the commands run, each in only one of the repositories.
        let commands = support::sample(commands.skip(support::many_or_few(0, number)), 2 * repositories.len());
        assert!(commands.len() >= support::many_or_few(30, 5), "{name}: {commands:?}");
        for args in commands {
            let run_output = run(&folder, &args, b"");
            let output = format!("{}{}", run_output.stdout, run_output.stderr);
            assert!(matches!(run_output.status, Some(0 | 1)) && !shows_canary(&output), "{name} {args:?}: {output}");
        }
    }
}

/// Kustomizations that copy the value: with a replacements file, with a transformer, from a generated Secret, and from
/// a Secret that is not part of the output.
const COPYING_KUSTOMIZATIONS: [&str; 4] = [
    "resources: [all.yaml, secret.yaml]\nreplacements: [{path: copies.yaml}]\n",
    "resources: [all.yaml, secret.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: ReplacementTransformer\n  \
     metadata: {name: copy}\n  replacements: [{path: copies.yaml}]\n",
    "resources: [all.yaml]\nsecretGenerator: [{name: values, namespace: monitoring, literals: [token=CANARY-7f3a]}]\n\
     replacements: [{path: copies.yaml}]\n",
    "resources: [all.yaml, secret.yaml]\nreplacements: [{path: copies.yaml}]\n\
     patches: [{patch: '{apiVersion: v1, kind: Secret, metadata: {name: values, namespace: monitoring, annotations: \
     {config.kubernetes.io/local-config: \"true\"}}}'}]\n",
];

/// Writes an overlay in `cluster` that copies `token` from a Secret, and the same objects without values in `apps`.
fn copying_overlay(name: &str, kustomization: &str, copies: &str, apps: &str, token: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    let secret = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: values, namespace: monitoring}}\nstringData: {{token: '{token}'}}\n"
    );
    for (path, text) in [
        ("cluster/kustomization.yaml", kustomization),
        ("cluster/copies.yaml", copies),
        ("cluster/all.yaml", apps),
        ("cluster/secret.yaml", &secret),
        ("apps/all.yaml", apps),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let build_run = run(&folder, ["build", "-k", "cluster"], b"");
    assert!(shows_canary(build_run.stdout.split("kind: MetricsInstance").nth(1).unwrap()), "{build_run:?}");
    folder
}

#[test]
fn findings_mask_values_copied_by_overlays() {
    if !support::has_program("kubectl", "values of Secrets in other objects") {
        return;
    }
    // All values except the first are so long that messages truncate them.
    for (index, kustomization) in COPYING_KUSTOMIZATIONS.iter().enumerate() {
        let token = CANARY.repeat(if index == 0 { 1 } else { 10 });
        let kustomization = kustomization.replace(CANARY, &token);
        let key = if kustomization.contains("secretGenerator") { "data.token" } else { "stringData.token" };
        let copies = COPIES.split_once("replacements:\n").unwrap().1.replace("stringData.token", key);
        let apps = APPS.replace("${token}", "x");
        let folder = copying_overlay(&format!("copied-{index}"), &kustomization, &copies, &apps, &token);
        // In sampled test runs, each overlay is checked in only some of the formats.
        for format in support::sample(FORMATS.into_iter().skip(support::many_or_few(0, index)), 4) {
            let check_run = run(&folder, ["check", "-k", "cluster", "-v", "--message-format", format], b"");
            let is_hidden = !shows_canary(&format!("{}{}", check_run.stdout, check_run.stderr));
            let shows_rest = check_run.stdout.contains("`***` is not a valid Prometheus duration");
            assert!(check_run.status == Some(1) && is_hidden && shows_rest, "{index}: {check_run:?}");
        }
    }
}

/// Fields that accept the value, including a label and the selector that matches it.
const ACCEPTED_RESOURCES: &str = "
- source: {kind: Secret, name: values, fieldPath: stringData.token}
  targets:
  - select: {kind: MetricsInstance}
    fieldPaths: [spec.remoteWrite.0.url, spec.remoteWrite.0.headers.X-Token, spec.serviceMonitorSelector.matchLabels.team]
  - select: {kind: ServiceMonitor}
    fieldPaths: [spec.selector.matchLabels.app, metadata.labels.team]
";

#[test]
fn output_masks_values_copied_by_overlays() {
    if !support::has_program("kubectl", "values of Secrets in other objects") {
        return;
    }
    let mut apps = APPS.to_owned();
    for (from, to) in [
        ("remoteTimeout: ${token}", "remoteTimeout: 30s"),
        ("interval: '${token}'", "interval: 30s"),
        ("'(${token}', targetLabel: '${token}'", "x, targetLabel: x"),
        ("${token}", "x"),
    ] {
        assert!(apps.contains(from), "{apps}");
        apps = apps.replace(from, to);
    }
    let folder = copying_overlay("copied-accepted", COPYING_KUSTOMIZATIONS[0], ACCEPTED_RESOURCES, &apps, CANARY);
    let mut masked_count = 0;
    for args in support::sample(COMMANDS, 2) {
        let word = |arg: &&'static str| match *arg {
            "-f" => "-k",
            "apps/all.yaml" => "cluster/all.yaml",
            word => word,
        };
        let mut overlay: Vec<_> = args.iter().map(word).collect();
        let position = overlay.iter().position(|arg| *arg == "cluster").filter(|_| !overlay.contains(&"-k"));
        position.into_iter().for_each(|at| overlay.insert(at, "-k"));
        let overlay_run = run(&folder, &overlay, b"");
        let output = format!("{}{}", overlay_run.stdout, overlay_run.stderr);
        assert!(matches!(overlay_run.status, Some(0 | 1)), "{overlay:?}: {output}");
        let is_manifest = overlay[0] == "render";
        assert!(is_manifest || !shows_canary(&output), "{overlay:?}: {output}");
        masked_count += usize::from(output.contains("***"));
    }
    assert!(masked_count > support::many_or_few(10, 3), "{masked_count}");
}

const AGENT: &str = "
apiVersion: v1
kind: ServiceAccount
metadata: {name: agent, namespace: monitoring}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {serviceAccountName: agent, metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec: {remoteWrite: [{url: 'http://mimir.${cluster}.example/api/v1/push'}]}
";

/// Writes a repository with two clusters that share a base.
fn two_clusters(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for cluster in ["production", "staging"] {
        let flux = format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: apps, namespace: flux-system}}\nspec:\n  \
             path: ./apps\n  sourceRef: {{kind: GitRepository, name: flux-system}}\n  postBuild: {{substitute: {{cluster: {cluster}}}}}\n"
        );
        write(&format!("clusters/{cluster}/apps.yaml"), &flux);
    }
    write("apps/agent.yaml", AGENT);
    folder
}

#[test]
fn selects_clusters_by_name() {
    if !support::has_program("kubectl", "the names of clusters") {
        return;
    }
    let folder = two_clusters("gitops-names");
    let run = |args: &[&str]| run(&folder, args, b"");
    let check_run = run(&["check"]);
    assert!(
        check_run.status == Some(0) && check_run.stdout.starts_with("checked 2 inputs: no findings"),
        "{check_run:?}"
    );
    assert!(check_run.stderr.contains("\nproduction: checked 2 resources"), "{check_run:?}");
    assert!(!check_run.stderr.contains("no cluster"), "{check_run:?}");
    fs::create_dir(folder.join("old")).unwrap();
    fs::write(folder.join("old/agent.yaml"), AGENT).unwrap();
    fs::write(folder.join("old/other.yaml"), "kind: ServiceMonitor\napiVersion: example.com/v1\nspec: {}\n").unwrap();
    let unreached_note = run(&["check", "-v"]).stderr;
    let expected = "1 file with the operator's resources belongs to no cluster that was read\nnote: not in a cluster: `old/agent.yaml`";
    assert!(unreached_note.contains(expected), "{unreached_note}");
    let denied_run = run(&["check", "--deny", "gitops-unreached", "--message-format", "short"]);
    let expected = "old/agent.yaml:8:18: error[gitops-unreached]: GrafanaAgent `agent` and 1 other object in this file belong to no cluster that was read; help: list the file in a kustomization that a cluster applies, or delete it\n";
    assert!(denied_run.status == Some(1) && denied_run.stdout.starts_with(expected), "{denied_run:?}");
    let allowed_run = run(&["check", "--allow", "gitops-unreached"]);
    assert!(allowed_run.status == Some(0) && !allowed_run.stderr.contains("no cluster"), "{allowed_run:?}");
    for (args, expected) in [
        (&["build", "staging"][..], "mimir.staging.example"),
        (&["config", "agent", "-f", "production"], "mimir.production.example"),
        (&["config", "agent", "-f", "staging"], "mimir.staging.example"),
        (&["tree", "staging"], "GrafanaAgent"),
        (&["targets", "staging"], "0 targets"),
    ] {
        let cluster_run = run(args);
        assert!(cluster_run.status == Some(0) && cluster_run.stdout.contains(expected), "{args:?}: {cluster_run:?}");
    }
    let two_clusters_run = run(&["check", "clusters/production", "clusters/staging"]);
    assert!(
        two_clusters_run.status == Some(0) && two_clusters_run.stdout.starts_with("checked 2 inputs: no findings"),
        "{two_clusters_run:?}"
    );
    let same_cluster_run = run(&["check", "clusters/staging", "clusters/staging/"]);
    assert!(
        same_cluster_run.status == Some(0) && same_cluster_run.stdout.starts_with("checked 2 resources"),
        "{same_cluster_run:?}"
    );
    let two_clusters_run = run(&["tree", "production", "staging"]);
    let expected = "the inputs contain several clusters: pass one of `production`, `staging`";
    assert!(two_clusters_run.status == Some(2) && two_clusters_run.stderr.contains(expected), "{two_clusters_run:?}");
    for command in ["tree", "build"] {
        let ambiguous_run = run(&[command]);
        assert_eq!(ambiguous_run.status, Some(2), "{ambiguous_run:?}");
        assert!(
            ambiguous_run.stderr.contains("pass one of `production`, `staging`, or `--no-follow`"),
            "{ambiguous_run:?}"
        );
    }
    let rendered = run(&["render", "--output-dir", "rendered", "--secrets", "inline"]);
    assert!(rendered.status == Some(0), "{rendered:?}");
    for cluster in ["production", "staging"] {
        assert!(folder.join(format!("rendered/{cluster}/monitoring/secret_agent-config.yaml")).is_file());
    }
}

#[test]
fn error_in_one_cluster_prevents_all_output() {
    if !support::has_program("kubectl", "errors of one cluster") {
        return;
    }
    let folder = two_clusters("gitops-partial");
    let broken = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: x}\nspec: 5\n";
    fs::write(folder.join("clusters/staging/broken.yaml"), broken).unwrap();
    let rendered = run(&folder, ["render", "--output-dir", "rendered"], b"");
    assert_eq!(rendered.status, Some(1), "{rendered:?}");
    assert!(rendered.stderr.contains("error[") && !folder.join("rendered").exists(), "{rendered:?}");
}

#[test]
fn reads_entry_points_without_remote_bases() {
    if !support::has_program("kubectl", "remote bases of an entry") {
        return;
    }
    let folder = two_clusters("gitops-remote");
    let kustomization = "resources:\n- apps.yaml\n- https://example.com/base.yaml\nhelmCharts:\n- {name: x}\nconfigMapGenerator:\n\
                         - {name: web, files: ['a=https://example.com/a']}\n";
    fs::write(folder.join("clusters/staging/kustomization.yaml"), kustomization).unwrap();
    let build_run = run(&folder, ["build", "staging", "-v"], b"");
    assert!(build_run.stdout.contains("mimir.staging.example"), "{build_run:?}");
    for omission in ["not read: 1 chart, 2 remote bases", "needs helm", "remote base: https://example.com/base.yaml"] {
        assert!(build_run.stderr.contains(omission), "{build_run:?}");
    }
}

/// Tests that patches and other changes of the objects in an omitted base do not prevent the build of the rest.
#[test]
fn omits_changes_of_objects_in_omitted_bases() {
    if !support::has_program("kubectl", "patches of omitted bases") {
        return;
    }
    let folder = two_clusters("gitops-remote-patches");
    let cluster = folder.join("clusters/staging");
    let kustomization = "resources:\n- apps.yaml\n- https://example.com/base.yaml\npatches:\n- path: server.yaml\n\
                         - path: apps-patch.yaml\nreplicas:\n- {name: server, count: 2}\nconfigMapGenerator:\n\
                         - {name: options, behavior: merge, literals: [a=b]}\n";
    let server = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\nspec: {paused: true}\n";
    let apps = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\n\
                spec: {postBuild: {substitute: {cluster: patched}}}\n";
    for (file, text) in [("kustomization.yaml", kustomization), ("server.yaml", server), ("apps-patch.yaml", apps)] {
        fs::write(cluster.join(file), text).unwrap();
    }
    let build_run = run(&folder, ["build", "staging", "-v"], b"");
    assert!(build_run.stdout.contains("mimir.patched.example"), "{build_run:?}");
    assert!(build_run.stderr.contains("remote base: https://example.com/base.yaml"), "{build_run:?}");
}

#[test]
fn lists_applications_that_need_a_kustomize_plugin_as_not_read() {
    let folder = scratch("gitops-ksops");
    let application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n  \
                       source: {repoURL: 'https://example.com/own', path: shop}\n  destination: {namespace: shop}\n";
    let generator = "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: secrets}\nfiles: [./secret.enc.yaml]\n";
    for directory in ["apps", "shop"] {
        fs::create_dir(folder.join(directory)).unwrap();
    }
    for (file, text) in [
        ("apps/shop.yaml", application),
        ("shop/kustomization.yaml", "generators: [secrets.yaml]\n"),
        ("shop/secrets.yaml", generator),
        (".git/config", "[remote \"origin\"]\n\turl = https://example.com/own\n"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let check_run = run(&folder, ["check", "apps", "-v", "--message-format", "short"], b"");
    assert!(!check_run.stdout.contains("gitops-build"), "{check_run:?}");
    let text = [check_run.stdout, check_run.stderr].concat();
    assert!(text.contains("needs the plugin ksops"), "{text}");
}

#[test]
fn warns_if_all_resources_are_in_other_repositories() {
    let folder = scratch("gitops-elsewhere");
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: {repoURL: \
                'https://example.com/other', path: shop}}\n";
    fs::create_dir(folder.join("apps")).unwrap();
    fs::write(folder.join("apps/shop.yaml"), text).unwrap();
    let config = "[remote \"origin\"]\n\turl = https://example.com/own\n";
    fs::write(folder.join(".git/config"), config).unwrap();
    let check_run = run(&folder, ["check", "--message-format", "short"], b"");
    let expected = "warning[empty-check]: nothing to check: the parts of the cluster that were read";
    assert!(check_run.status == Some(0) && check_run.stdout.contains(expected), "{check_run:?}");
    fs::write(folder.join("apps/shop.yaml"), "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: shop}\n")
        .unwrap();
    let check_run = run(&folder, ["check"], b"");
    assert!(check_run.status == Some(1) && check_run.stdout.contains("error[empty-check]"), "{check_run:?}");
}

/// Makes the cluster `staging` read its variables from a ConfigMap or Secret named `values`.
fn substitute_from(folder: &Path, kind: &str) {
    let apps = folder.join("clusters/staging/apps.yaml");
    let text = fs::read_to_string(&apps).unwrap();
    let variables = format!("substituteFrom: [{{kind: {kind}, name: values}}]");
    fs::write(&apps, text.replace("substitute: {cluster: staging}", &variables)).unwrap();
}

#[test]
fn files_supply_objects_that_exist_only_in_the_cluster() {
    if !support::has_program("kubectl", "variables of other inputs") {
        return;
    }
    let folder = two_clusters("gitops-outside");
    substitute_from(&folder, "ConfigMap");
    let values =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: flux-system}\ndata: {cluster: outside}\n";
    fs::write(folder.join("values.yaml"), values).unwrap();
    let separate_run = run(&folder, ["build", "staging"], b"");
    assert!(separate_run.stdout.contains("mimir...PLACEHOLDER_cluster...example"), "{separate_run:?}");
    for (inputs, input) in [(["-f", "values.yaml", "staging"], &b""[..]), (["-f", "-", "staging"], values.as_bytes())] {
        let config = run(&folder, [&["render", "-o", "name"][..], &inputs].concat(), input);
        assert!(config.status == Some(0) && !config.stderr.contains("PLACEHOLDER"), "{config:?}");
        let config = run(&folder, ["config", "agent", inputs[0], inputs[1], "-f", "staging"], input);
        assert!(config.stdout.contains("mimir.outside.example"), "{config:?}");
    }
}

#[test]
fn explains_why_resources_with_unknown_values_are_ignored() {
    if !support::has_program("kubectl", "unknown values") {
        return;
    }
    let folder = two_clusters("gitops-unknown");
    substitute_from(&folder, "Secret");
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: app}\n\
                   spec: {selector: {}, endpoints: [{port: web, interval: '${interval}'}]}\n";
    fs::write(folder.join("apps/monitor.yaml"), monitor).unwrap();
    let check_run = run(&folder, ["check", "staging"], b"");
    assert!(check_run.status == Some(0) && !check_run.stdout.contains("PLACEHOLDER"), "{check_run:?}");
    for command in [&["why", "smon/app", "-f", "staging"][..], &["tree", "staging"]] {
        let command_run = run(&folder, command, b"");
        assert!(
            command_run.status == Some(1) && command_run.stderr.contains("`interval` must be a duration"),
            "{command_run:?}"
        );
    }
}

#[test]
fn flag_selects_the_source_of_this_repository() {
    if !support::has_program("kubectl", "sources named by a flag") {
        return;
    }
    let folder = two_clusters("gitops-source");
    let apps = folder.join("clusters/staging/apps.yaml");
    let text = fs::read_to_string(&apps).unwrap();
    fs::write(&apps, text.replace("path: ./apps", "path: ./").replace("GitRepository", "Bucket")).unwrap();
    let separate_run = run(&folder, ["build", "clusters/staging", "-v"], b"");
    assert!(
        separate_run.stderr.contains("Bucket/flux-system/flux-system is not in this repository"),
        "{separate_run:?}"
    );
    let build_run = run(&folder, ["build", "clusters/staging", "--source", "Bucket/flux-system/flux-system=apps"], b"");
    assert!(build_run.stdout.contains("mimir.staging.example"), "{build_run:?}");
    let unknown_source_run = run(&folder, ["check", "clusters/staging", "--source", "x=apps"], b"");
    assert!(
        unknown_source_run.status == Some(2) && unknown_source_run.stderr.contains("KIND/NAMESPACE/NAME=DIR"),
        "{unknown_source_run:?}"
    );
}

#[test]
fn reads_other_revisions_only_at_existing_paths() {
    if !support::has_program("kubectl", "sources of another revision") {
        return;
    }
    let folder = two_clusters("gitops-revision");
    fs::write(folder.join(".git/config"), "[remote \"origin\"]\n\turl = https://example.com/own\n").unwrap();
    let source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: team, namespace: \
                  flux-system}\nspec: {url: 'https://example.com/own', ref: {branch: team}}\n---\n";
    for (path, is_read) in [("./", false), ("./team", false), ("./extra", true)] {
        let team = format!(
            "{source}apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: team, namespace: \
             flux-system}}\nspec: {{path: {path}, sourceRef: {{kind: GitRepository, name: team}}}}\n"
        );
        fs::write(folder.join("clusters/staging/team.yaml"), team).unwrap();
        fs::create_dir_all(folder.join("extra")).unwrap();
        fs::write(folder.join("extra/a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n").unwrap();
        let build_run = run(&folder, ["build", "staging", "-v"], b"");
        let reason = "GitRepository/flux-system/team is another revision of this repository";
        assert_eq!(build_run.stdout.contains("name: extra"), is_read, "{path}: {build_run:?}");
        assert_eq!(build_run.stderr.contains(reason), !is_read, "{path}: {build_run:?}");
    }
}

#[test]
fn builds_components_of_directories_without_manifests() {
    if !support::has_program("kubectl", "directories without manifests") {
        return;
    }
    let folder = two_clusters("gitops-no-manifests");
    let flux = folder.join("clusters/staging/apps.yaml");
    let text = fs::read_to_string(&flux).unwrap();
    fs::write(&flux, text.replace("path: ./apps", "path: ./docs\n  components: [../part]")).unwrap();
    for (path, text) in [
        ("docs/README.md", "# Documentation\n"),
        (
            "part/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [a.yaml]\n",
        ),
        ("part/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part}\n"),
    ] {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }
    let build_run = run(&folder, ["build", "staging"], b"");
    // Flux sets `_placeholder` as the namespace in the kustomization that it generates.
    assert!(build_run.stdout.contains("name: part\n  namespace: _placeholder"), "{build_run:?}");
}

#[test]
fn accepts_clusters_without_resources_next_to_others() {
    if !support::has_program("kubectl", "clusters without resources") {
        return;
    }
    let folder = two_clusters("gitops-empty");
    let staging = folder.join("clusters/staging/apps.yaml");
    let text = fs::read_to_string(&staging).unwrap();
    fs::write(&staging, text.replace("./apps", "./other")).unwrap();
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/a.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n").unwrap();
    let check_run = run(&folder, ["check"], b"");
    assert!(check_run.status == Some(0) && check_run.stderr.contains("staging: checked 1 resource"), "{check_run:?}");
    let separate_run = run(&folder, ["check", "staging"], b"");
    assert!(separate_run.status == Some(1) && separate_run.stdout.contains("error[empty-check]"), "{separate_run:?}");
}

#[test]
fn application_sets_use_clusters_added_by_applications() {
    let folder = scratch("gitops-late-clusters");
    let application = |name: &str, path: &str| {
        format!(
            "---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\nspec:\n  \
             source: {{repoURL: 'https://h/r', path: {path}}}\n  \
             destination: {{server: 'https://kubernetes.default.svc', namespace: x}}\n"
        )
    };
    let set = |name: &str, generators: &str, path: &str| {
        format!(
            "---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: {name}, namespace: argocd}}\nspec:\n  \
             goTemplate: true\n  generators: {generators}\n  template:\n    metadata: {{name: '{name}-{path}'}}\n    spec:\n      \
             source: {{repoURL: 'https://h/r', path: '{path}'}}\n      \
             destination: {{server: 'https://kubernetes.default.svc', namespace: x}}\n"
        )
    };
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: one, labels: {argocd.argoproj.io/secret-type: cluster, of: one}}\n\
                  stringData: {name: one, server: 'https://kubernetes.default.svc'}\n";
    let by_cluster = "[{clusters: {selector: {matchLabels: {of: one}}}}]";
    for (path, text) in [
        ("root/app.yaml", application("apps", "apps")),
        (
            "apps/sets.yaml",
            set("late", by_cluster, "of/{{.metadata.labels.of}}") + &application("clusters", "clusters"),
        ),
        ("clusters/secret.yaml", secret.to_owned()),
        ("of/one/set.yaml", set("last", "[{list: {elements: [{path: leaf}]}}]", "{{.path}}")),
        ("leaf/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: found}\n".to_owned()),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let build_run = run(&folder, ["build", "root", "-v"], b"");
    assert!(build_run.stdout.contains("name: found") && build_run.stderr.contains("4 Applications"), "{build_run:?}");
}

#[test]
fn accepts_equal_names_in_different_api_groups() {
    if !support::has_program("kubectl", "objects of two groups with one name") {
        return;
    }
    let folder = two_clusters("gitops-groups");
    let object = |group: &str| format!("apiVersion: {group}/v1\nkind: X\nmetadata: {{name: x, namespace: x}}\n---\n");
    fs::write(folder.join("apps/x.yaml"), object("a.example") + &object("b.example")).unwrap();
    let check_run = run(&folder, ["check", "production"], b"");
    assert!(check_run.status == Some(0) && check_run.stdout.starts_with("checked 2 resources"), "{check_run:?}");
}

#[test]
fn root_kustomization_errors_do_not_mention_an_object() {
    if !support::has_program("kubectl", "errors of a kustomization in the root") {
        return;
    }
    let folder = scratch("gitops-root-error");
    let flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux-system}\nspec:\n  path: ./app\n  \
                sourceRef: {kind: GitRepository, name: flux-system}\n";
    fs::create_dir(folder.join("app")).unwrap();
    for (file, text) in [
        ("kustomization.yaml", "resources: [flux.yaml]\npatches: [{path: patch.yaml}]\n"),
        ("flux.yaml", flux),
        ("patch.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let check_run = run(&folder, ["check", "--message-format", "short"], b"");
    let expected =
        "patch.yaml:3:18: error[gitops-build]: kustomize fails: the patch for `ConfigMap/x` matches no resource";
    assert!(check_run.stdout.starts_with(expected), "{check_run:?}");
}

/// Tests that a Secret keeps its values even if a build copies them to another object.
#[test]
fn reads_jobs_from_secrets_with_copied_values() {
    if !support::has_program("kubectl", "values of Secrets in other objects") {
        return;
    }
    let directory = scratch("gitops-copied-jobs");
    let (flux, _) = CLUSTER.split_once("  postBuild:").unwrap();
    let apps = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec: {additionalScrapeConfigs: {name: jobs, key: jobs}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: monitoring}
stringData: {jobs: '[{job_name: planted, static_configs: [{targets: [a]}]}]'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: copy, namespace: monitoring}
data: {jobs: x}
";
    let kustomization = "
resources: [all.yaml]
replacements:
- source: {kind: Secret, name: jobs, fieldPath: stringData.jobs}
  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.jobs]}]
";
    for (file, text) in
        [("cluster/all.yaml", flux), ("apps/all.yaml", apps), ("apps/kustomization.yaml", kustomization)]
    {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = run(&directory, ["targets", "cluster"], b"");
    assert!(output.status == Some(0) && output.stdout.contains("1 target of 1 job"), "{output:?}");
}
