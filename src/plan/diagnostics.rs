//! Findings reported during planning, with one function per finding.

use super::embedded::EmbeddedProblem;
use crate::api::{ResourceHeader, help_for_empty_stage};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::resolve::AssetKey;
use crate::source::Span;

/// Finding for additional scrape jobs that cannot be parsed.
pub(super) fn invalid_jobs(
    instance: &ResourceHeader<'_>,
    secret: AssetKey<'_>,
    finding: &EmbeddedProblem,
    value: Option<Span>,
) -> Diagnostic {
    embedded_finding(instance, secret, Code::InvalidScrapeConfigs, finding, value)
        .help("correct the value in the Secret")
}

/// Finding for YAML that is not a list of scrape jobs.
pub(super) fn not_a_job_list(instance: &ResourceHeader<'_>, secret: AssetKey<'_>) -> Diagnostic {
    let message = format!("{} must contain a YAML list of scrape configurations", describe(secret));
    let diagnostic = instance.finding(Code::InvalidScrapeConfigs, &jobs_path(), message);
    diagnostic.help("start each scrape configuration with `- job_name:`")
}

/// Finding for a part of the additional scrape jobs that is probably a mistake.
pub(super) fn suspicious_jobs(
    instance: &ResourceHeader<'_>,
    secret: AssetKey<'_>,
    finding: &EmbeddedProblem,
    value: Option<Span>,
) -> Diagnostic {
    let help = match finding.code {
        Code::IgnoredDocument => "remove the `---` so that the list continues, or remove the documents after it",
        Code::DuplicateKey => "keep only one of the two keys",
        _ => "correct the value in the Secret",
    };
    embedded_finding(instance, secret, finding.code, finding, value).severity(Severity::Warning).help(help)
}

/// Creates a finding that states only the violated rule, because the problem's message might repeat parts of the
/// Secret. `value` is the span of the problem in the Secret.
fn embedded_finding(
    instance: &ResourceHeader<'_>,
    secret: AssetKey<'_>,
    code: Code,
    finding: &EmbeddedProblem,
    value: Option<Span>,
) -> Diagnostic {
    let rule = finding.code.summary().trim_end_matches('.');
    let (initial, remainder) = rule.split_at_checked(1).unwrap_or_default();
    let initial = initial.to_ascii_lowercase();
    let message = format!("{initial}{remainder} (line {} of {})", finding.line, describe(secret));
    let diagnostic = instance.finding(code, &jobs_path(), message);
    match value {
        Some(value) => diagnostic.label(value, "the jobs are defined here"),
        None => diagnostic,
    }
}

fn jobs_path() -> FieldPath<'static> {
    FieldPath::parse("spec.additionalScrapeConfigs")
}

fn describe(secret: AssetKey<'_>) -> String {
    let AssetKey { namespace, name, key, .. } = secret;
    format!("the key `{key}` in Secret `{namespace}/{name}`")
}

/// Finding for a histogram bucket that is not a number.
pub(super) fn invalid_bucket(pod_logs: &ResourceHeader<'_>, path: &FieldPath<'_>, bucket: &str) -> Diagnostic {
    let message = format!("a bucket must be a JSON number, but is `{bucket}`");
    pod_logs.finding(Code::InvalidBucket, path, message).help("write a bucket such as `\"0.5\"`")
}

/// Finding for nested stages that cannot be parsed or decoded.
pub(super) fn invalid_stages(pod_logs: &ResourceHeader<'_>, path: &FieldPath<'_>, line: u32, why: &str) -> Diagnostic {
    let message = format!("{why} (line {line} of the nested stages)");
    pod_logs.finding(Code::InvalidStages, path, message).help("write a YAML list of stages, as in `pipelineStages`")
}

/// Finding for a part of nested stages that is probably a mistake.
pub(super) fn suspicious_stages(
    pod_logs: &ResourceHeader<'_>,
    path: &FieldPath<'_>,
    finding: &EmbeddedProblem,
) -> Diagnostic {
    let message = format!("line {} of the nested stages: {}", finding.line, finding.message);
    pod_logs.finding(finding.code, path, message).severity(Severity::Warning)
}

/// Finding for an unknown field in nested stages. The operator drops such a field.
pub(super) fn unknown_in_stages(
    pod_logs: &ResourceHeader<'_>,
    path: &FieldPath<'_>,
    line: u32,
    key: &str,
    help: Option<String>,
) -> Diagnostic {
    let message = format!("the operator drops the unknown field `{key}` (line {line} of the nested stages)");
    pod_logs.finding(Code::UnknownField, path, message).help(help.unwrap_or_else(|| format!("remove `{key}`")))
}

/// Finding for a nested stage with a null value. The operator drops such a stage.
pub(super) fn empty_stage(pod_logs: &ResourceHeader<'_>, path: &FieldPath<'_>, line: u32, kind: &str) -> Diagnostic {
    let message = format!("the `{kind}` stage has no value, so it is dropped (line {line} of the nested stages)");
    pod_logs.finding(Code::DroppedKey, path, message).help(help_for_empty_stage(kind))
}

/// Finding for `match` stages that are nested too deeply.
pub(super) fn stages_too_deep(pod_logs: &ResourceHeader<'_>, path: &FieldPath<'_>, most: usize) -> Diagnostic {
    let message = format!("found more than {most} levels of nested stages");
    pod_logs.finding(Code::InvalidStages, path, message)
}
