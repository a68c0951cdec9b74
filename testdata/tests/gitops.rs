//! Tests of what a GitOps entry point leads to. They use the kustomize in kubectl.

use std::fs;
use std::process::Command;

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

#[test]
fn shows_no_secret_value_that_flux_substitutes() {
    if !Command::new("kubectl").args(["kustomize", "--help"]).output().is_ok_and(|output| output.status.success()) {
        return support::skipped("what Flux substitutes", "kubectl");
    }
    let folder = scratch("gitops-canary");
    for (path, text) in [("clusters/production/flux.yaml", CLUSTER), ("apps/all.yaml", APPS)] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir(folder.join(".git")).unwrap();
    let built = run(&folder, ["build", "clusters/production"], b"");
    assert!(built.stdout.contains(&format!("X-Token: {CANARY}")), "{built:?}");
    for args in [
        &["check", "clusters/production", "-v"][..],
        &["check", "clusters/production", "-v", "--message-format", "json"],
        &["check", "clusters/production", "-v", "--message-format", "sarif"],
        &["check", "clusters/production", "-v", "--target", "alloy"],
        &["render", "clusters/production", "-v"],
        &["tree", "clusters/production", "--problems", "-v"],
        &["tree", "clusters/production", "-o", "html"],
        &["why", "smon/app", "-f", "clusters/production"],
        &["targets", "clusters/production", "-o", "json"],
        &["config", "agent", "-f", "clusters/production"],
    ] {
        let shown = run(&folder, args, b"");
        assert!(!shown.stdout.contains(CANARY) && !shown.stderr.contains(CANARY), "{args:?}: {shown:?}");
        assert!(args.len() != 3 || shown.stderr.contains("Secret/flux-system/values"), "{args:?}: {shown:?}");
    }
}
