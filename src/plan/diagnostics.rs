//! Mistakes that are found while a plan is made, one function a finding.

use super::embedded::Finding;
use crate::api::{PodLogs, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::resolve::AssetKey;

fn at<S>(resource: &Resource<'_, S>, path: &FieldPath<'_>, diagnostic: Diagnostic) -> Diagnostic {
    diagnostic
        .label(resource.locate(path), "")
        .resource(resource.object_ref())
        .path(path)
}

/// The text of a Secret, and the instance that refers to it. Nothing of the text may be shown.
pub(super) struct SecretText<'a, 'd, S> {
    pub(super) instance: &'a Resource<'d, S>,
    pub(super) key: AssetKey<'d>,
}

impl<S> SecretText<'_, '_, S> {
    pub(super) fn invalid(&self, finding: &Finding) -> Diagnostic {
        self.at(Code::InvalidScrapeConfigs, finding)
            .help("correct the value in the Secret")
    }

    pub(super) fn not_a_list(&self) -> Diagnostic {
        let message = format!(
            "{} does not hold a YAML list, expected a list of scrape configurations",
            self.name()
        );
        let diagnostic = Diagnostic::new(Code::InvalidScrapeConfigs, message);
        at(self.instance, &Self::path(), diagnostic).help("start each scrape configuration with `- job_name:`")
    }

    pub(super) fn warning(&self, finding: &Finding) -> Diagnostic {
        self.at(finding.code, finding).severity(Severity::Warning)
    }

    /// Says no more than the rule that is broken: a message could repeat a part of the text.
    fn at(&self, code: Code, finding: &Finding) -> Diagnostic {
        let rule = lower_case_start(finding.code.summary().trim_end_matches('.'));
        let message = format!("line {} of {}: {rule}", finding.line, self.name());
        at(self.instance, &Self::path(), Diagnostic::new(code, message))
    }

    fn path() -> FieldPath<'static> {
        FieldPath::of("spec.additionalScrapeConfigs")
    }

    fn name(&self) -> String {
        let AssetKey {
            namespace, name, key, ..
        } = self.key;
        format!("the key `{key}` of Secret `{namespace}/{name}`")
    }
}

fn lower_case_start(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

pub(super) fn invalid_bucket(pod_logs: &Resource<'_, PodLogs<'_>>, path: &FieldPath<'_>, bucket: &str) -> Diagnostic {
    let message = format!("found `{bucket}` as a bucket, expected a number as JSON has it");
    let diagnostic = Diagnostic::new(Code::InvalidBucket, message);
    at(pod_logs, path, diagnostic).help("write the bucket like `\"0.5\"`")
}

/// Nested stages that cannot be read or decoded.
pub(super) fn invalid_stages(
    pod_logs: &Resource<'_, PodLogs<'_>>,
    path: &FieldPath<'_>,
    line: u32,
    why: &str,
) -> Diagnostic {
    let message = format!("line {line} of the nested stages: {why}");
    let diagnostic = Diagnostic::new(Code::InvalidStages, message);
    at(pod_logs, path, diagnostic).help("write a YAML list of stages, as in `pipelineStages`")
}

/// Something in nested stages that is probably not meant.
pub(super) fn dubious_stages(
    pod_logs: &Resource<'_, PodLogs<'_>>,
    path: &FieldPath<'_>,
    finding: &Finding,
) -> Diagnostic {
    let message = format!("line {} of the nested stages: {}", finding.line, finding.message);
    at(pod_logs, path, Diagnostic::new(finding.code, message)).severity(Severity::Warning)
}

pub(super) fn stages_too_deep(pod_logs: &Resource<'_, PodLogs<'_>>, path: &FieldPath<'_>, most: usize) -> Diagnostic {
    let message = format!("found more than {most} levels of nested stages");
    at(pod_logs, path, Diagnostic::new(Code::InvalidStages, message))
}
