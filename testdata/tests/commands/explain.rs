//! Tests that every code has a page, and that the examples on the page behave as described.
//!
//! ```text
//! ```yaml                compiled by itself
//! ```yaml with-instance  compiled together with INSTANCES
//! ```yaml with-agent     compiled together with AGENT and INSTANCES
//! ```yaml alloy          compiled together with AGENT and INSTANCES for Grafana Alloy
//! ```yaml dynamic        same as alloy, but Alloy discovers monitors itself
//! ```text                not a manifest, for example a list of targets
//! ```yaml fragment       incomplete, for example a settings file
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support;
use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::{Code, Consequence};
use agentctl::output::{AlloyDiscovery, Target, alloy};
use agentctl::source::{Source, Sources};

/// An agent that selects everything.
const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata:
  name: agent
spec:
  metrics:
    instanceSelector: {}
  logs:
    instanceSelector: {}
  integrations:
    selector: {}
";

/// Instances that select everything.
const INSTANCES: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata:
  name: primary
spec:
  serviceMonitorSelector: {}
  podMonitorSelector: {}
  probeSelector: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata:
  name: primary
spec:
  clients:
    - url: http://loki.example/loki/api/v1/push
  podLogsSelector: {}
";

/// Returns the text from a second-level heading to the next one.
fn section(code: Code, heading: &str) -> &'static str {
    let mut sections = code.page().split("## ").skip(1);
    let section = sections.find_map(|section| section.strip_prefix(heading)?.strip_prefix("\n\n"));
    section.unwrap_or_else(|| panic!("the page of {code} has no section `{heading}`"))
}

/// Returns whether the example in a section causes a finding with `code`, or `None` if it is not a complete manifest.
fn gives(code: Code, heading: &str) -> Option<bool> {
    let block = section(code, heading).strip_prefix("```").unwrap();
    let (info, text) = block.split_once('\n').unwrap();
    let text = text.trim_end().strip_suffix("```").unwrap();
    let mut sources = Sources::default();
    sources.add(Source::new("example.yaml", text, true));
    let others: &[&str] = match info {
        "yaml" => &[],
        "yaml with-instance" => &[INSTANCES],
        "yaml with-agent" | "yaml alloy" | "yaml dynamic" => &[AGENT, INSTANCES],
        "yaml fragment" | "text" => return None,
        other => panic!("the page of {code} has an example of `{other}`"),
    };
    for other in others {
        sources.add(Source::new("other.yaml", *other, true));
    }
    let mut options = CompileOptions::default();
    if matches!(info, "yaml alloy" | "yaml dynamic") {
        options.render.manifest.target = Target::Alloy(alloy::AlloySettings {
            image: String::new(),
            has_files_of_credentials: true,
            is_public: false,
            discovery: match info {
                "yaml dynamic" => AlloyDiscovery::Dynamic,
                _ => AlloyDiscovery::Static,
            },
        });
    }
    let compiled = compile(&sources, &options);
    let found = agentctl::diagnostic::severity::Policy::default().apply(
        compiled.diagnostics,
        &compiled.output.allowances,
        &|span| span,
    );
    Some(found.iter().any(|diagnostic| diagnostic.code == code))
}

#[test]
fn every_page_belongs_to_a_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnostic/explain");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let pages: BTreeSet<_> = names.map(|name| name.into_string().unwrap()).collect();
    let codes = Code::ALL.iter().map(|code| format!("{code}.md")).collect();
    assert_eq!(pages, codes);
}

#[test]
fn every_page_has_its_sections() {
    for &code in Code::ALL {
        let headings: Vec<_> = code.page().lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let expected = ["What it finds", "Why it matters", "Wrong", "Right"];
        assert_eq!(headings, expected, "{code}");
        for heading in expected {
            assert!(!section(code, heading).trim().is_empty(), "{code}: {heading}");
        }
    }
}

#[test]
fn only_wrong_examples_cause_the_finding() {
    let mut failures = Vec::new();
    for &code in Code::ALL {
        if gives(code, "Wrong") == Some(false) {
            failures.push(format!("{code}: the wrong example does not give it"));
        }
        if gives(code, "Right") == Some(true) {
            failures.push(format!("{code}: the right example gives it"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the row for a consequence in the table in docs/settings.md.
fn row(consequence: Consequence) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/settings.md");
    let docs = fs::read_to_string(docs).unwrap();
    let start = format!("| {} |", consequence.as_str());
    let row = docs.lines().find(|line| line.starts_with(&start));
    row.unwrap_or_else(|| panic!("no row starts with `{start}`")).to_owned()
}

#[test]
fn documentation_has_the_table_of_consequences() {
    for consequence in Consequence::ALL {
        let row = row(consequence);
        assert!(row.contains(consequence.severity().as_str()), "{row}");
        let of_render = row.contains("warning of `render`");
        assert_eq!(of_render, consequence == Consequence::Fails, "{row}");
        let can_be_changed = row.ends_with("| yes |");
        assert_eq!(can_be_changed, consequence != Consequence::Rejected, "{row}");
    }
}

#[test]
fn severities_follow_from_consequences() {
    const REFUSALS: [&str; 3] =
        ["The agent refuses the configuration", "the agent does not start", "The agent does not start"];
    for &code in Code::ALL {
        let consequence = code.consequence();
        assert_eq!(code.severity(), consequence.severity(), "{code}");
        assert_eq!(code.fails_at_runtime(), consequence == Consequence::Fails, "{code}");
        let why = section(code, "Why it matters");
        let is_refused = REFUSALS.iter().any(|refusal| why.contains(refusal));
        assert!(!is_refused || consequence >= Consequence::Fails, "{code}: {why}");
    }
}

/// Returns the cell after the severity in the row for `code` in docs/codes.md.
fn effect(page: &str, code: Code) -> &str {
    let start = format!("| [`{code}`](../src/diagnostic/explain/{code}.md) | ");
    let row = page.lines().find_map(|line| line.strip_prefix(&start));
    let row =
        row.unwrap_or_else(|| panic!("add a row to docs/codes.md: {start}severity | program | effect | source |"));
    row.split_once(" | ").unwrap().1
}

#[test]
fn table_of_codes_is_current() {
    const PROGRAMS: [&str; 12] = [
        "API server",
        "Alloy",
        "Flux",
        "Kubernetes",
        "agent",
        "agentctl",
        "aggregator",
        "config-reloader",
        "kubelet",
        "kubectl",
        "operator",
        "receiver",
    ];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes.md");
    let page = fs::read_to_string(&file).unwrap();
    let (introduction, _) = page.split_once("| [`").unwrap();
    let rows = Code::ALL.iter().map(|&code| {
        let severity = match code.consequence() {
            Consequence::Fails => "error (`render`: warning)",
            other => other.severity().as_str(),
        };
        let effect = effect(&page, code);
        let cells: Vec<_> = effect.trim_end_matches(" |").split(" | ").collect();
        let [program, what, source] = cells[..] else { panic!("{code}: {effect}") };
        assert!(PROGRAMS.contains(&program), "{code}: {program}");
        assert!(!what.is_empty() && !source.is_empty(), "{code}: {effect}");
        let is_fatal = ["Exits", "Crashes"].iter().any(|word| what.starts_with(word));
        let is_error = code.consequence() >= Consequence::Fails || what.contains(" if ");
        assert!(!is_fatal || is_error, "{code}: {what}, and it is a {severity}");
        format!("| [`{code}`](../src/diagnostic/explain/{code}.md) | {severity} | {effect}\n")
    });
    let current = format!("{introduction}{}", rows.collect::<String>());
    support::report(&support::expect(&file, &current).err().into_iter().collect::<Vec<_>>());
    assert!(!current.contains("promtool"), "a linter decides no severity");
}

#[test]
fn pages_do_not_refer_to_linters() {
    for &code in Code::ALL {
        assert!(!code.page().contains("promtool"), "{code}");
    }
}
