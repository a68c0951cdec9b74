//! Tests that every code has a page, and that the examples on the page behave as described.
//!
//! Each example is a diff from a wrong input to a correct one:
//!
//! ```text
//! ```diff                compiled by itself
//! ```diff with-instance  compiled together with INSTANCES
//! ```diff with-agent     compiled together with AGENT and INSTANCES
//! ```diff alloy          compiled together with AGENT and INSTANCES for Grafana Alloy
//! ```diff dynamic        same as alloy, but Alloy discovers monitors itself
//! ```diff text           not a manifest, for example a list of targets
//! ```diff fragment       incomplete, for example a settings file
//! ```

use crate::testing::TestInput;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support;
use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::severity::Policy;
use agentctl::diagnostic::{Code, Consequence, Diagnostic};
use agentctl::output::{AlloyDiscovery, Target, alloy};
use agentctl::source::Sources;

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

/// Returns the text between a second-level heading and the next one, or `None` if the heading does not exist.
fn section(code: Code, heading: &str) -> Option<&'static str> {
    let mut sections = code.page().split("\n## ").skip(1);
    sections.find_map(|section| section.strip_prefix(heading)?.strip_prefix("\n\n"))
}

/// Example on a page, which can be compiled.
pub struct Example {
    /// Kind of the example, such as `with-agent`.
    kind: &'static str,
    /// Incorrect input, which causes the finding.
    pub wrong: String,
    /// Corrected input.
    pub right: String,
}

impl Example {
    /// Returns a code's example, or `None` if the code has no example that can be compiled.
    pub fn new(code: Code) -> Option<Self> {
        let (_, fence) = section(code, "How to fix")?.split_once("```")?;
        let (info, diff) = fence.split_once("\n")?;
        let (language, kind) = info.split_once(' ').unwrap_or((info, ""));
        assert_eq!(language, "diff", "{code}");
        let (diff, _) = diff.split_once("```").unwrap();
        let version = |tag: char| {
            let lines = diff.lines().filter(|line| line.is_empty() || line.starts_with([' ', tag]));
            lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
        };
        let is_compiled = !matches!(kind, "fragment" | "text");
        is_compiled.then(|| Self { kind, wrong: version('-'), right: version('+') })
    }

    /// Returns the sources of the example: `text`, and the manifests that the example needs.
    pub fn sources(&self, text: &str) -> Sources {
        let input = TestInput::default().file("example.yaml", text);
        self.other_manifests().iter().fold(input, |input, other| input.file("other.yaml", *other)).sources
    }

    /// Returns the manifests that the example needs.
    pub fn other_manifests(&self) -> &[&str] {
        match self.kind {
            "" => &[],
            "with-instance" => &[INSTANCES],
            "with-agent" | "alloy" | "dynamic" => &[AGENT, INSTANCES],
            other => panic!("an example has the kind `{other}`"),
        }
    }

    /// Returns the flags that correspond to [`Self::options`].
    pub fn flags(&self) -> &[&str] {
        match self.kind {
            "alloy" => &["--target=alloy"],
            "dynamic" => &["--target=alloy", "--alloy-discovery=dynamic"],
            _ => &[],
        }
    }

    /// Returns the options to compile the example with.
    pub fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        if matches!(self.kind, "alloy" | "dynamic") {
            options.render.manifest.target = Target::Alloy(alloy::AlloySettings {
                image: String::new(),
                has_files_of_credentials: true,
                is_public: false,
                discovery: match self.kind {
                    "dynamic" => AlloyDiscovery::Dynamic,
                    _ => AlloyDiscovery::Static,
                },
            });
        }
        options
    }
}

/// Compiles an input, and returns its findings with their severities.
pub fn findings(sources: &Sources, options: &CompileOptions) -> Vec<Diagnostic> {
    let compiled = compile(sources, options);
    let allowances = &compiled.output.allowances;
    Policy::default().apply(compiled.diagnostics, allowances, &|span| span)
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
fn every_page_has_the_required_sections() {
    let mut failures = Vec::new();
    for &code in Code::ALL {
        let headings: Vec<_> = code.page().lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let is_complete =
            matches!(headings[..], ["Why it matters", "How to fix"] | ["Why it matters", "How to fix", "Related"]);
        let is_filled =
            headings.iter().all(|heading| section(code, heading).is_some_and(|text| !text.trim().is_empty()));
        if !is_complete || !is_filled {
            failures.push(format!("{code}: {headings:?}"));
        }
        let (first, _) = code.page().split_once("\n\n").unwrap();
        if first.replace('\n', " ") != code.summary() {
            failures.push(format!("{code}: the page does not start with the summary, `{}`", code.summary()));
        }
    }
    support::report(&failures);
}

#[test]
fn only_incorrect_examples_cause_the_finding() {
    let mut failures = Vec::new();
    for &code in Code::ALL {
        let Some(example) = Example::new(code) else { continue };
        let has_finding = |text: &str| {
            findings(&example.sources(text), &example.options()).iter().any(|finding| finding.code == code)
        };
        if !has_finding(&example.wrong) {
            failures.push(format!("{code}: the wrong example does not give it"));
        }
        if has_finding(&example.right) {
            failures.push(format!("{code}: the right example gives it"));
        }
    }
    support::report(&failures);
}

#[test]
fn related_codes_and_flags_exist() {
    let mut failures = Vec::new();
    for &code in Code::ALL {
        let related = section(code, "Related").unwrap_or_default().trim();
        for name in related.split_terminator(", ") {
            let name = name.trim_matches('`');
            let is_known = match name.starts_with('-') {
                true => support::run(support::root(), ["explain", name], b"").status == Some(0),
                false => Code::ALL.iter().any(|other| other.as_str() == name && *other != code),
            };
            if !is_known {
                failures.push(format!("{code}: {name}"));
            }
        }
    }
    support::report(&failures);
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
fn documentation_contains_the_consequences_table() {
    for consequence in Consequence::ALL {
        let row = row(consequence);
        assert!(row.contains(consequence.severity().as_str()), "{row}");
        let is_warning_of_render = row.contains("warning of `render`");
        assert_eq!(is_warning_of_render, consequence == Consequence::Fails, "{row}");
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
        let why = section(code, "Why it matters").unwrap();
        let is_refused = REFUSALS.iter().any(|refusal| why.contains(refusal));
        assert!(!is_refused || consequence >= Consequence::Fails, "{code}: {why}");
    }
}

/// Returns the table cell to the right of the severity in the row for `code` in docs/codes.md.
fn effect(page: &str, code: Code) -> &str {
    let start = format!("| [`{code}`](../src/diagnostic/explain/{code}.md) | ");
    let row = page.lines().find_map(|line| line.strip_prefix(&start));
    let row =
        row.unwrap_or_else(|| panic!("add a row to docs/codes.md: {start}severity | program | effect | source |"));
    row.split_once(" | ").unwrap().1
}

#[test]
fn codes_table_is_current() {
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
    support::report(&support::compare_or_update(&file, &current).err().into_iter().collect::<Vec<_>>());
    assert!(!current.contains("promtool"), "a linter decides no severity");
}

#[test]
fn pages_do_not_refer_to_linters() {
    for &code in Code::ALL {
        assert!(!code.page().contains("promtool"), "{code}");
    }
}
