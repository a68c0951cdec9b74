//! `agentctl why`: why agents do or do not select resources.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::args::{CompileArgs, WholeInputArgs};
use super::completion;
use super::session::{ExitStatus, Outcome, Session};
use super::subject::SubjectArgument;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::insight::resolved::ResolvedInput;
use crate::insight::why::{Explainer, SelectionFixes, WhyAnswer, text, to_json, to_yaml};
use crate::printable::{Text, format_count};
use crate::source::Sources;

/// Explain why a resource is or is not selected
///
/// Shows for each GrafanaAgent and each of its instances whether it selects the resource. If not, shows which selector,
/// label or namespace does not match, or that the agent is paused, excluded by --agent-selector, or denies access to
/// files, and prints a merge patch that would change this. For a Secret or ConfigMap, lists the fields that refer to it,
/// even if it is not in the input.
///
/// With cluster objects in the input (`kubectl get -A pods,services,endpoints -o yaml`), also explains the
/// targets: the Services or pods that a selector matches, their ports, and how many targets remain after each
/// relabeling.
///
/// A resource is KIND/NAME or KIND/NAMESPACE/NAME, with the kind as in kubectl: singular, plural or short (smon, pmon, prb,
/// cm), in upper or lower case. KIND alone means all resources of that kind, and a file or directory all resources in it.
/// Other mistakes in the input are not shown; use `agentctl check` for those.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl why servicemonitor/shop/checkout -f manifests/
  agentctl why smon checkout manifests/
  agentctl why podlogs -f manifests/ -o json
  agentctl why manifests/shop.yaml -f manifests/
  agentctl why probe/web -f manifests/ -o patch > patches.yaml
  agentctl why smon/checkout --exit-code || echo 'nothing scrapes it'

Exit status:
  0  success, whatever the answer
  1  the resource is not found, or its name is ambiguous; the input has errors
  1  --exit-code: no agent selects a resource
  2  usage error, or a file that cannot be read")]
pub(super) struct WhyArgs {
    /// Resources (KIND, KIND/NAME, KIND/NAMESPACE/NAME), or files that contain them
    ///
    /// After a resource, files and directories are the input, as for `check`, unless -f or -k sets the input.
    #[arg(value_name = "RESOURCE|PATH", required = true, value_hint = clap::ValueHint::AnyPath, add = completion::resources_and_files())]
    subjects: Vec<OsString>,

    #[command(flatten)]
    input: WholeInputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: WhyFormat,

    /// Exit with 1 if no agent selects a resource
    #[arg(long, help_heading = "Output")]
    exit_code: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WhyFormat {
    /// Human-readable text
    Text,
    /// One object with all answers
    Json,
    /// Only the merge patches, as YAML, for resources that no agent selects
    Patch,
}

/// Maximum number of paths to search from agents to resources.
const MAX_PATHS: usize = 100_000_000;

impl WhyArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let (subjects, paths) = SubjectArgument::split(&self.subjects, self.input.is_given());
        // The entire input is read, together with the files that the arguments refer to.
        let mut inputs = self.input.inputs_with(&paths);
        inputs.extend(subjects.iter().filter_map(SubjectArgument::as_input));
        let compile = self.compile.without_values();
        compile.resolve(&inputs, session, |input| self.answer(&subjects, input, session))
    }

    fn answer(&self, subjects: &[SubjectArgument], input: ResolvedInput<'_>, session: &Session) -> Outcome {
        let (sources, hierarchies) = (input.sources, input.hierarchies);
        let (catalog, objects) = (input.catalog(), input.objects());
        let rejections = if objects.is_empty() { Vec::new() } else { input.refusals() };
        let located = SubjectArgument::find_all(subjects, &catalog, sources)?;
        let cluster = input.cluster(&objects);
        let explainer = Explainer::new(input.graph(), &input.options.resolve);
        let mut unknown_agents = input.resolution_findings;
        unknown_agents.retain(|finding| finding.code == Code::UnknownResource);
        // Only rejected resources affect the answer, so only errors are shown.
        let mut diagnostics = input.admission_findings;
        diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
        let (targets, explainer) = match (located, explainer) {
            (Ok(targets), Ok(explainer)) if unknown_agents.is_empty() => (targets, explainer),
            (targets, explainer) => {
                catalog.retain_explanations(&mut diagnostics);
                diagnostics.extend(targets.err().into_iter().flatten());
                diagnostics.extend(unknown_agents);
                diagnostics.extend(explainer.err().map(|invalid| *invalid));
                return Ok(session.report(&diagnostics, sources));
            }
        };
        if let Some(located) = report_too_many_paths(explainer.count_paths(&targets), targets.len()) {
            return Ok(session.report(&[located], sources));
        }
        let explainer = match objects.is_empty() {
            true => explainer,
            false => explainer.with_targets(&targets, hierarchies, &cluster, &rejections, sources),
        };
        let status = session.report(&diagnostics, sources);
        let shown = self.show(explainer.explain(targets), sources, session)?;
        // Errors affect the status, because a rejected resource might select resources or be selected.
        Ok(status.or(shown))
    }

    fn show<'w, 'h: 'w, 'd: 'h>(
        &self,
        answers: impl ExactSizeIterator<Item = WhyAnswer<'w, 'h, 'd>>,
        sources: &Sources,
        session: &Session,
    ) -> Outcome {
        let (mut all_selected, mut has_refused) = (true, false);
        let answers = answers.inspect(|why| {
            all_selected &= why.is_selected();
            has_refused |= why.steps.iter().any(|job| job.refused);
        });
        match self.output {
            WhyFormat::Text => session.show(&text(answers, sources, session.output)),
            WhyFormat::Json => session.json(&to_json(answers, sources)),
            WhyFormat::Patch => session.show(&patches(answers)),
        }?;
        Ok(ExitStatus::findings_if(has_refused || self.exit_code && !all_selected))
    }
}

/// Returns a finding if the number of paths exceeds the maximum.
fn report_too_many_paths(paths: usize, resources: usize) -> Option<Diagnostic> {
    let resources = format_count(resources, "resource");
    let message = || format!("{paths} paths lead from agents to {resources}, more than the limit of {MAX_PATHS}");
    let help = "pass fewer resources, or limit the agents with `--agent`";
    (paths > MAX_PATHS).then(|| Diagnostic::new(Code::OutputLimit, message()).help(help))
}

/// Returns merge patches that would make agents select the unselected resources. Choices left to the user are written
/// as comments.
pub(super) fn patches<'w, 'h: 'w, 'd: 'h>(answers: impl Iterator<Item = WhyAnswer<'w, 'h, 'd>>) -> Text {
    let unselected = answers.filter(|why| !why.is_selected());
    let fixes = unselected.filter_map(|why| Some(SelectionFixes::new(&why.nearest_agent()?)));
    let mut text = Text::default();
    for fixes in fixes {
        if fixes.by_hand.is_empty() && fixes.patches.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.line("---");
        }
        for (advice, _) in &fixes.by_hand {
            text.line(format!("# {advice}"));
        }
        text.append(&Text::from_lines(&to_yaml(&fixes.patches)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_more_paths_than_the_limit() {
        let message_for = |paths| report_too_many_paths(paths, 2).map(|finding| finding.message);
        let expected = "100000001 paths lead from agents to 2 resources, more than the limit of 100000000";
        assert_eq!(message_for(MAX_PATHS + 1).as_deref(), Some(expected));
        assert_eq!(message_for(MAX_PATHS), None);
    }
}
