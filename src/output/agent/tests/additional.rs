//! Tests of additional scrape configurations.

use super::{AGENT, render_configuration};
use crate::diagnostic::Diagnostic;
use crate::plan::ConfigKind;

/// Returns the configuration and the findings for an instance with `text` as its additional scrape configurations.
fn compile_additional(text: &str) -> (String, Vec<Diagnostic>) {
    let text = text.replace('\n', "\n    ");
    let input = format!(
        "{AGENT}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: m, namespace: ns}}
spec: {{additionalScrapeConfigs: {{name: s, key: k}}}}
---
apiVersion: v1
kind: Secret
metadata: {{name: s, namespace: ns}}
stringData:
  k: |
    {text}
"
    );
    let (text, diagnostics) = render_configuration(&input, ConfigKind::Metrics);
    let (_, jobs) = text.split_once("name: ns/m\n").unwrap();
    let (jobs, _) = jobs.split_once("    global:").unwrap();
    (jobs.replace("          ", ""), diagnostics)
}

#[test]
fn round_trips_additional_scrape_configs_through_json() {
    let cases = [
        ("# nothing", ""),
        ("null", ""),
        ("[]", ""),
        ("[null]", "scrape_configs: []\n"),
        (
            "- {b: 1000000, d: ~, on: no, c: [~, {}, [~]]}\n-",
            "scrape_configs:\n  - b: 1e+06\n    c:\n      - {}\n      - []\n    \"true\": false\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(compile_additional(text), (expected.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn findings_hide_content_of_additional_scrape_configs() {
    let job = "scrape_configs:\n  - a: 2\n";
    let cases = [
        ("- a: [hush", "", "invalid-scrape-configs", "line 1 of "),
        ("- x\n- a: *hush", "", "invalid-scrape-configs", "line 2 of "),
        ("hush: 1", "", "invalid-scrape-configs", "must contain a YAML list"),
        ("hush", "", "invalid-scrape-configs", "must contain a YAML list"),
        ("- a: 1\n  a: 2", job, "duplicate-key", "line 2 of "),
        ("- a: 2\n---\n- hush: 1", job, "ignored-document", "line 3 of "),
    ];
    for (text, expected, code, message) in cases {
        let (jobs, diagnostics) = compile_additional(text);
        assert_eq!(jobs, expected, "{text}");
        let [diagnostic] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        assert_eq!(diagnostic.code.as_str(), code, "{text}");
        assert_eq!(diagnostic.path.as_deref(), Some("spec.additionalScrapeConfigs"));
        assert!(diagnostic.message.contains(message), "{text}: {}", diagnostic.message);
        assert!(!format!("{diagnostic:?}").contains("hush"), "{diagnostic:?}");
    }
    let (jobs, diagnostics) = compile_additional("- a: 2\n---\n- [b");
    assert_eq!((jobs.as_str(), diagnostics), (job, Vec::new()), "Go reads one document");
}
