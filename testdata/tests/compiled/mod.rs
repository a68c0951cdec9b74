//! Utilities that compile inputs in-process and return their findings.

use std::path::Path;

use crate::support;
use agentctl::compile::{self, Bundle, CompileOptions};
use agentctl::diagnostic::Warned;
use agentctl::resolve::MissingSecrets;
use agentctl::source::{Source, Sources};

/// Compiles a single input.
pub fn compiled(text: &str, options: &CompileOptions) -> Warned<Bundle> {
    let mut sources = Sources::default();
    sources.add(Source::new("all.yaml", text, true));
    compile::compile(&sources, options)
}

/// Formats the findings for an input as `severity[code] line path: message; help`, followed by the labels.
pub fn found(text: &str, options: &CompileOptions) -> Vec<String> {
    let mut sources = Sources::default();
    let id = sources.add(Source::new("all.yaml", text, true));
    let source = sources.get(id).unwrap();
    let line = |start: u32| source.position(start as usize).line;
    let mut diagnostics = compile::compile(&sources, options).diagnostics;
    diagnostics.sort_by_key(|d| d.primary().map(|label| label.span.start));
    diagnostics
        .iter()
        .map(|d| {
            let at = d.primary().map_or(0, |label| line(label.span.start));
            let others: String = (d.labels.iter().skip(1))
                .map(|label| format!(" | {}: {}", line(label.span.start), label.text))
                .collect();
            format!(
                "{}[{}] {at} {}: {}; {}{others}",
                d.severity.as_str(),
                d.code,
                d.path.as_deref().unwrap_or_default(),
                d.message,
                d.help.as_deref().unwrap_or_default()
            )
        })
        .collect()
}

/// Returns the options that a case's flags set, with placeholders for missing Secrets.
pub fn options_of(case: &Path) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.resolve.missing_secrets = MissingSecrets::Placeholder;
    let flags = support::words(&case.join("flags"));
    for flag in flags.chunks(2) {
        match (flag[0].as_str(), flag.get(1)) {
            ("--agent-selector", Some(selector)) => options.resolve.agent_selector = Some(selector.clone()),
            ("--kubelet-service", Some(name)) => {
                let (namespace, name) = name.split_once('/').unwrap();
                options.render.kubelet_service = Some((namespace.to_owned(), name.to_owned()));
            }
            ("--labels" | "--allow-empty", _) => {}
            (other, _) => panic!("{other}"),
        }
    }
    options
}
