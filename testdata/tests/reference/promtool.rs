//! Compares agentctl with Prometheus: anything that `promtool check config --syntax-only` rejects must be reported, and
//! anything that it accepts must not be an error. Each MetricsInstance in each case is a separate configuration.
//! `promtool` is part of Debian's `prometheus` package; if it is not installed, the test is skipped.

use crate::support;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentctl::check::{Conditions, check};
use agentctl::diagnostic::{Code, Diagnostic, ObjectKey, Severity};
use agentctl::output::Target;
use agentctl::output::agent::text;
use agentctl::plan::{ConfigKind, Plan};
use agentctl::resolve::{self, Hierarchy, MetricsHierarchy};
use agentctl::source::{Source, SourceId, Sources};
use agentctl::targets::observed::ObservedObjects;
use agentctl::{admit, yaml};
use rayon::prelude::*;
use serde_json::{Value, json};

/// Verdicts of agentctl and `promtool` on one instance.
struct Verdicts {
    /// Names of the instance and its agent.
    name: String,
    /// agentctl's findings about the instance.
    findings: Vec<Diagnostic>,
    /// Reason that `promtool` rejects the instance, or `None` if it accepts the instance.
    rejection: Option<String>,
}

/// Errors about settings that `promtool` does not read: settings for the API server, settings that only the agent's
/// instances have, the pods, and files and their contents.
const AGENT_CODES: [Code; 11] = [
    Code::ConflictingAuthentication,
    Code::DuplicateReceiver,
    Code::IncompleteAuthentication,
    Code::IncompleteCertificate,
    Code::InvalidCertificate,
    Code::InvalidDuration,
    Code::InvalidUrl,
    Code::MissingFile,
    Code::NeverStarts,
    Code::RejectedRelabelAction,
    Code::ReservedHeader,
];

impl Verdicts {
    fn disagreement(&self) -> Option<String> {
        let mut errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let error = errors.find(|finding| !AGENT_CODES.contains(&finding.code));
        match (&self.rejection, error) {
            (Some(rejection), _) if self.findings.is_empty() => Some(format!("{}: missed {rejection}", self.name)),
            (None, Some(error)) => Some(format!(
                "{}: false alarm [{}] {} {}",
                self.name,
                error.code,
                error.path.as_deref().unwrap_or_default(),
                error.message
            )),
            _ => None,
        }
    }
}

#[test]
fn agrees_with_promtool() {
    if !support::has_program("promtool", "agreement with Prometheus") {
        return;
    }
    let scratch = support::scratch("promtool");
    let (mut verdicts, configurations): (Vec<_>, Vec<_>) =
        cases().par_iter().flat_map_iter(|folder| verdicts(folder)).unzip();
    for (i, configuration) in configurations.iter().enumerate() {
        fs::write(scratch.join(format!("{i}.json")), configuration).unwrap();
    }
    let rejections = rejections(&scratch, verdicts.len());
    for (verdicts, rejection) in verdicts.iter_mut().zip(rejections) {
        verdicts.rejection = rejection;
    }
    let rejected_count = verdicts.iter().filter(|verdicts| verdicts.rejection.is_some()).count();
    let disagreements: Vec<_> = verdicts.iter().filter_map(Verdicts::disagreement).collect();
    assert!(rejected_count > support::many_or_few(20, 3), "promtool rejected only {rejected_count} configurations");
    support::report(&disagreements);
}

/// Returns the inputs of all cases, including those in the directory that `AGENTCTL_MORE_CASES` specifies.
fn cases() -> Vec<PathBuf> {
    let testdata = support::root().join("testdata");
    let mut folders = vec![testdata.join("conformance/focused"), testdata.join("conformance/fields")];
    folders.extend(std::env::var_os("AGENTCTL_MORE_CASES").map(PathBuf::from));
    let mut cases: Vec<_> = folders.iter().flat_map(|folder| support::folders(folder)).collect();
    cases.push(testdata.join("cases/prometheus-refuses"));
    cases.push(testdata.join("promtool"));
    cases.iter().map(|case| case.join("input")).collect()
}

/// Returns agentctl's verdict on each instance in a case, and the instance's configuration for `promtool`.
fn verdicts(folder: &Path) -> Vec<(Verdicts, String)> {
    let mut sources = Sources::default();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        sources.add(Source::new(file.display().to_string(), fs::read_to_string(&file).unwrap(), true));
    }
    let mut diagnostics = Vec::new();
    let mut documents = Vec::new();
    for (id, source) in sources.iter() {
        let read = yaml::read(id, &source.text, &yaml::Limits::default());
        let options = admit::AdmitOptions::default();
        for document in read.output {
            let admission = admit::admit_document(document, true, &options, |_, _| false, &mut diagnostics);
            documents.push(admission);
        }
    }
    let resources = admit::decode(&documents, "default").output;
    let selections = resolve::Selections::new(&resources);
    let hierarchies = resolve::resolve(&resources, &resolve::ResolveOptions::default()).output;
    let mut verdicts = Vec::new();
    for hierarchy in &hierarchies {
        for metrics in support::sample(&hierarchy.metrics, 8) {
            let isolated = isolate(hierarchy, metrics);
            let configuration =
                text(&Plan::new(&isolated, &[ConfigKind::Metrics], &mut Vec::new()), ConfigKind::Metrics);
            let conditions = Conditions { target: &Target::Agent, certificate_time: None, follows_labels: true };
            let hierarchies = std::slice::from_ref(&isolated);
            let mut findings = check(&resources, &selections, hierarchies, &ObservedObjects::default(), conditions);
            let members: Vec<_> = isolated.members().map(|member| ObjectKey::from(member.object_ref())).collect();
            findings.retain(|finding| finding.resource.as_ref().is_some_and(|resource| members.contains(resource)));
            // `promtool` does not read the agent's own settings, such as the log level.
            findings.retain(|finding| finding.code != Code::InvalidLogLevel);
            let meta = &metrics.instance.meta;
            let Some(promtool_text) = promtool_configuration(&configuration, metrics.instance.root.span().source)
            else {
                continue;
            };
            let name = format!("{} {} {}/{}", folder.display(), hierarchy.agent.meta.name, meta.namespace, meta.name);
            verdicts.push((Verdicts { name, findings, rejection: None }, promtool_text));
        }
    }
    verdicts
}

/// Returns the agent's hierarchy with only the instance in `metrics`.
fn isolate<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>, metrics: &MetricsHierarchy<'h, 'd>) -> Hierarchy<'h, 'd> {
    Hierarchy {
        agent: hierarchy.agent,
        metrics: vec![MetricsHierarchy {
            instance: metrics.instance,
            service_monitors: metrics.service_monitors.clone(),
            pod_monitors: metrics.pod_monitors.clone(),
            probes: metrics.probes.clone(),
            searched: metrics.searched.clone(),
        }],
        logs: Vec::new(),
        integrations: Vec::new(),
        references: Vec::new(),
        secrets: hierarchy.secrets.clone(),
    }
}

/// Returns the configuration's scrape jobs and receivers in a format that `promtool` accepts, or `None` if the
/// configuration cannot be read back, for example because a block starts with a tab.
fn promtool_configuration(configuration: &str, source: SourceId) -> Option<String> {
    let read = yaml::read(source, configuration, &yaml::Limits::default());
    let agent = yaml::to_json(read.output.first()?.root());
    let global = &agent["metrics"]["global"];
    let instance = &agent["metrics"]["configs"][0];
    let own_receivers = &instance["remote_write"];
    let receivers = if own_receivers.is_null() { &global["remote_write"] } else { own_receivers };
    let times = ["scrape_interval", "scrape_timeout"].into_iter();
    let times = times.filter_map(|name| Some((name.to_owned(), global.get(name)?.clone())));
    let jobs = instance["scrape_configs"].as_array().cloned().unwrap_or_default();
    let promtool_input = json!({
        "global": Value::Object(times.collect()),
        "scrape_configs": jobs.into_iter().map(with_static_targets).collect::<Vec<_>>(),
        "remote_write": if receivers.is_null() { json!([]) } else { receivers.clone() },
    });
    Some(promtool_input.to_string().replace("$(SHARD)", "0"))
}

/// For each of the files `0.json`, `1.json` and so on in a directory, returns the reason that `promtool` rejects it, or
/// `None` if it is accepted. One process checks all files, because starting a process takes longer than checking a
/// file.
fn rejections(folder: &Path, count: usize) -> Vec<Option<String>> {
    assert!(count > 0);
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = Command::new("promtool");
    command.args(["check", "config", "--syntax-only"]);
    command.args((0..count).map(|number| format!("{number}.json")));
    command.current_dir(folder).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command also holds the write end of the pipe. Unless the command is dropped, reading never ends.
    drop(command);
    let mut output = String::new();
    reader.read_to_string(&mut output).unwrap();
    let succeeded = child.wait().unwrap().success();
    let rejections: Vec<_> = output.split("Checking ").skip(1).map(rejection).collect();
    assert_eq!(rejections.len(), count, "{output}");
    assert_eq!(rejections.iter().all(Option::is_none), succeeded, "{output}");
    rejections
}

/// Returns the error message for one file, or `None` if the file is accepted.
fn rejection(output: &str) -> Option<String> {
    let is_accepted = output.contains(" SUCCESS: ");
    (!is_accepted).then(|| output.trim().lines().last().unwrap_or_default().to_owned())
}

/// Returns a job without Kubernetes service discovery, which Debian's build does not support.
fn with_static_targets(mut job: Value) -> Value {
    if let Some(fields) = job.as_object_mut()
        && fields.remove("kubernetes_sd_configs").is_some()
    {
        fields.insert("static_configs".to_owned(), json!([{"targets": ["target"]}]));
    }
    job
}
