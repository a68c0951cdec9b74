//! Tests of `exceptions` in `agentctl.yaml` and of the settings' JSON Schema.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Run, run, scratch};

const MONITOR: &str = "\
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: shop}
spec:
  selector: {}
  endpoints: [{port: http, intervall: 30s}]
";

fn check(directory: &Path, settings: &str, args: &[&str]) -> Run {
    fs::write(directory.join("agentctl.yaml"), settings).unwrap();
    run(directory, [&["check", "--message-format", "short", "--allow", "unselected"], args].concat(), b"")
}

#[test]
fn accepts_findings_by_code_and_location() {
    let directory = scratch("exceptions");
    fs::create_dir(directory.join("vendor")).unwrap();
    fs::write(directory.join("vendor/web.yaml"), MONITOR).unwrap();
    fs::write(directory.join("own.yaml"), MONITOR.replace("name: web", "name: own")).unwrap();
    let exception = |scope: &str| format!("exceptions:\n- {{code: unknown-field, {scope}, reason: of the chart}}\n");
    for scope in ["file: vendor/*", "name: w*", "kind: ServiceMonitor, namespace: shop, name: web"] {
        let actual = check(&directory, &exception(scope), &[]).stdout;
        assert!(actual.contains("own.yaml:6:28: warning[unknown-field]"), "{scope}: {actual}");
        assert!(!actual.contains("vendor/web.yaml"), "{scope}: {actual}");
        assert!(actual.contains(", 1 finding accepted by exceptions in agentctl.yaml: 1 warning"), "{scope}: {actual}");
    }
    let kind_exception = exception("kind: ServiceMonitor");
    assert_eq!(check(&directory, &kind_exception, &[]).stdout.lines().count(), 1);
    let stdout = check(&directory, &kind_exception, &["--deny", "paused-agent"]).stdout;
    assert!(stdout.contains("2 findings accepted by exceptions"), "{stdout}");
    // Exceptions do not apply to codes that are denied on the command line. With `--no-settings`, there are no
    // exceptions.
    for args in [&["--deny", "unknown-field"][..], &["--deny", "warnings"], &["--no-settings"]] {
        let denied_run = check(&directory, &kind_exception, args);
        assert_eq!(denied_run.stdout.matches("[unknown-field]").count(), 2, "{args:?}: {}", denied_run.stdout);
    }
}

/// Tests that `--deny warnings` overrides a file that is found next to the input, but not a file that the command line
/// chooses.
#[test]
fn denying_warnings_respects_explicit_settings_files() {
    let directory = scratch("exceptions-chosen");
    fs::create_dir(directory.join("ci")).unwrap();
    fs::write(directory.join("own.yaml"), MONITOR).unwrap();
    let settings_args = ["own.yaml", "--settings", "ci/agentctl.yaml", "--deny"];
    for settings in ["exceptions: [{code: unknown-field, name: web, reason: x}]", "severity: {unknown-field: allow}"] {
        fs::write(directory.join("ci/agentctl.yaml"), settings).unwrap();
        for (args, status) in [
            (&["--deny", "warnings"][..], Some(1)),
            (&[settings_args.as_slice(), &["warnings"]].concat(), Some(0)),
            (&[settings_args.as_slice(), &["warnings,unknown-field"]].concat(), Some(1)),
        ] {
            let actual = check(&directory, settings, args);
            assert_eq!(actual.status, status, "{settings} {args:?}: {}", actual.stdout);
        }
    }
    fs::write(directory.join("ci/agentctl.yaml"), "severity: {warnings: allow, unselected: warn}").unwrap();
    let actual = check(&directory, "", &[settings_args.as_slice(), &["warnings"]].concat()).stdout;
    assert!(actual.contains("error[unknown-field]"), "flags override the file: {actual}");
}

/// Tests that findings accepted by an annotation on their resource are counted.
#[test]
fn counts_findings_accepted_by_annotations() {
    let directory = scratch("exceptions-annotations");
    let allowed_monitor = MONITOR.replace("name: web", "name: own, annotations: {agentctl.dev/allow: unknown-field}");
    fs::write(directory.join("own.yaml"), &allowed_monitor).unwrap();
    fs::write(directory.join("web.yaml"), MONITOR).unwrap();
    let settings = "exceptions: [{code: unknown-field, name: web, reason: x}]\n";
    for (args, message) in [
        (&["--no-settings"][..], ", 1 finding accepted by annotations (agentctl.dev/allow): 1 warning"),
        (&["--deny", "warnings"], ", 1 finding accepted by annotations (agentctl.dev/allow): 1 error"),
        (&["--no-settings", "--allow", "unknown-field"], "checked 2 resources in 2 files: no findings"),
        (
            &[],
            ", 1 finding accepted by exceptions in agentctl.yaml, 1 finding accepted by annotations (agentctl.dev/allow): no findings",
        ),
    ] {
        let actual = check(&directory, settings, args).stdout;
        assert!(actual.contains(message), "{args:?}: {actual}");
    }
}

#[test]
fn reports_unused_and_incomplete_exceptions() {
    let directory = scratch("exceptions-wrong");
    fs::write(directory.join("own.yaml"), MONITOR).unwrap();
    for (settings, expected) in [
        (
            "exceptions:\n- {code: unknown-field, name: other, reason: gone}\n",
            "agentctl.yaml:2:10: warning[unused-allowance]: the exception for `unknown-field` matches no finding",
        ),
        ("exceptions:\n- {code: unknown-field, name: own}\n", "error[invalid-settings]"),
        ("exceptions:\n- {code: unknown-fields, reason: x}\n", "did you mean `unknown-field`?"),
        ("exceptions:\n- {code: wrong-type, reason: x}\n", "error["),
    ] {
        let actual = check(&directory, settings, &[]).stdout;
        assert!(actual.contains(expected), "{settings}: {actual}");
    }
}

#[test]
fn invalid_exceptions_hide_warnings_but_not_errors() {
    let directory = scratch("exceptions-unread");
    fs::write(directory.join("own.yaml"), MONITOR).unwrap();
    for settings in
        ["exceptions:\n- code: unknown-field\n   reason: x\n", "exceptions:\n- {code: unknown-field, raeson: x}\n"]
    {
        let actual = check(&directory, settings, &[]);
        assert_eq!(actual.status, Some(1));
        assert!(actual.stdout.starts_with("agentctl.yaml:"), "{settings}: {}", actual.stdout);
        assert!(!actual.stdout.contains("[unknown-field]"), "{settings}: {}", actual.stdout);
        for denied in ["unknown-field", "warnings"] {
            let actual = check(&directory, settings, &["--deny", denied]).stdout;
            assert!(actual.contains("error[unknown-field]"), "{settings}: {actual}");
        }
    }
    // Errors in manifests are reported even if the settings are invalid.
    let rejected_monitor = MONITOR.replace("endpoints: [", "endpoints: [text, ");
    fs::write(directory.join("own.yaml"), rejected_monitor).unwrap();
    let actual = check(&directory, "severity: [\n", &[]).stdout;
    assert!(actual.contains("own.yaml:6:15: error[wrong-type]"), "{actual}");
}

#[test]
fn settings_schema_matches_the_accepted_settings() {
    let directory = scratch("exceptions-schema");
    let schema = run(&directory, ["schema", "settings"], b"");
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    assert_eq!(schema["additionalProperties"], false);
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&schema["properties"]), ["exceptions", "flags", "inputs", "severity"]);
    let exception = &schema["properties"]["exceptions"]["items"];
    assert_eq!(names(&exception["properties"]), ["code", "file", "kind", "name", "namespace", "reason"]);
    let flags = &schema["properties"]["flags"];
    assert_eq!(flags["additionalProperties"], false);
    assert!(names(&flags["properties"]).len() > 20);
    for flag in names(&flags["properties"]) {
        // The settings file accepts every flag that the schema lists.
        fs::write(directory.join("agentctl.yaml"), format!("flags: {{{flag}: [[]]}}\n")).unwrap();
        let output = run(&directory, ["check", "-", "--message-format", "short"], MONITOR.as_bytes()).stdout;
        assert!(!output.contains("is not a flag that can be set here"), "{flag}: {output}");
    }
}
