//! Separate checks of several inputs, such as overlays or one directory per cluster.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::apply::DisjointEdits;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::input::{Input, built};
use crate::source::{Source, SourceId, Sources, Span};

/// Returns the groups of inputs to check separately, or `None` if all of them form one input. If `is_each` is true,
/// each input is a group. Otherwise, if there are several overlays, each of them forms a group together with the inputs
/// that are not overlays.
pub(super) fn groups(inputs: &[Input], is_each: bool) -> Option<Vec<(String, Vec<Input>)>> {
    let is_overlay = |input: &&Input| matches!(input, Input::Kustomization(_));
    let shared_inputs: Vec<_> = inputs.iter().filter(|input| !is_each && !is_overlay(input)).cloned().collect();
    let single_inputs = inputs.iter().filter(|input| is_each || is_overlay(input));
    let groups = single_inputs.map(|input| {
        let name = input.path().map_or_else(|| input.name(), |path| path.display().to_string());
        (name, [std::slice::from_ref(input), shared_inputs.as_slice()].concat())
    });
    let groups: Vec<_> = groups.collect();
    (is_each || groups.len() > 1).then_some(groups)
}

/// Deduplicated findings from several inputs.
#[derive(Default)]
pub(super) struct MergedFindings {
    sources: Sources,
    /// Sources by name relative to their input. Sources with the same name may have different contents.
    names: HashMap<String, Vec<SourceId>>,
    findings: Vec<Diagnostic>,
    index: HashMap<FindingKey, usize>,
    inputs: Vec<String>,
    /// Inputs that contain each file.
    inputs_by_file: HashMap<PathBuf, Vec<String>>,
    /// Findings that the inputs suggest different fixes for.
    conflicting_fixes: HashSet<usize>,
}

/// Key of a finding. Overlays can rename resources and insert list items, so names and paths are not compared.
#[derive(PartialEq, Eq, Hash)]
struct FindingKey {
    code: Code,
    severity: Severity,
    span: Option<Span>,
    /// Message without the strings in backticks.
    statement: String,
    /// Number of preceding findings in the same input whose keys are otherwise equal.
    number: usize,
}

impl FindingKey {
    fn new(finding: &Diagnostic) -> Self {
        let statement = finding.message.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let span = finding.primary().map(|label| label.span);
        Self { code: finding.code, severity: finding.severity, span, statement, number: 0 }
    }
}

impl MergedFindings {
    /// Adds the findings for the input called `name`. If a finding is already known, only the name of the input is
    /// added to it. Identical copies of a file are treated as one file.
    pub(super) fn add(&mut self, name: &str, mut diagnostics: Vec<Diagnostic>, sources: &Sources) {
        built::trace(&mut diagnostics, sources);
        self.inputs.push(name.to_owned());
        for path in sources.iter().filter_map(|(_, source)| source.path.clone()) {
            let inputs = self.inputs_by_file.entry(path).or_default();
            if inputs.last().is_none_or(|last| last != name) {
                inputs.push(name.to_owned());
            }
        }
        let mut ids = HashMap::new();
        let mut seen_findings = HashSet::new();
        for mut finding in diagnostics {
            finding.for_each_span(&mut |span: &mut Span| {
                let Some(source) = sources.get(span.source) else { return };
                let id = *ids.entry(span.source).or_insert_with(|| self.source(name, source));
                *span = Span { source: id, ..*span };
            });
            let mut key = FindingKey::new(&finding);
            while self.index.get(&key).is_some_and(|at| seen_findings.contains(at)) {
                key.number += 1;
            }
            let last = self.findings.len();
            let at = *self.index.entry(key).or_insert(last);
            seen_findings.insert(at);
            match self.findings.get_mut(at) {
                Some(known) => {
                    if known.fix != finding.fix {
                        self.conflicting_fixes.insert(at);
                    }
                    known.found_in.push(name.to_owned());
                }
                None => {
                    finding.found_in = vec![name.to_owned()];
                    self.findings.push(finding);
                }
            }
        }
    }

    /// Returns the inputs that contain a finding's file, or all inputs if the finding is not in a file.
    fn inputs_with_source(&self, finding: &Diagnostic) -> &[String] {
        let source = finding.primary().and_then(|label| self.sources.get(label.span.source));
        let inputs = source.and_then(|source| self.inputs_by_file.get(source.path.as_ref()?));
        inputs.unwrap_or(&self.inputs)
    }

    /// Returns the findings and their sources, both sorted by file name. A finding about an unused exception is omitted
    /// if any input uses the exception.
    pub(super) fn finish(mut self) -> (Vec<Diagnostic>, Sources) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.retain(|finding| {
            finding.code != Code::UnusedAllowance || finding.found_in.len() == self.inputs_with_source(finding).len()
        });
        let mut sources: Vec<_> = self.sources.shared().map(|(id, source)| (id, Arc::clone(source))).collect();
        sources.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
        let mut sorted_sources = Sources::default();
        let ids: HashMap<_, _> = sources.into_iter().map(|(id, source)| (id, sorted_sources.add(source))).collect();
        for finding in &mut findings {
            finding.for_each_span(&mut |span| span.source = ids.get(&span.source).copied().unwrap_or(span.source));
        }
        (findings, sorted_sources)
    }

    /// Applies the certain fixes that all inputs with the same file agree on.
    pub(super) fn apply_fixes(&self) -> MergedFixes {
        let mut fixes = MergedFixes::default();
        let mut edits = DisjointEdits::default();
        for (at, finding) in self.findings.iter().enumerate().filter(|(_, finding)| finding.has_certain_fix()) {
            let Some(fix) = &finding.fix else { continue };
            let other_inputs =
                self.inputs_with_source(finding).iter().filter(|input| !finding.found_in.contains(input));
            let other_inputs: Vec<_> = other_inputs.map(String::as_str).collect();
            let place = finding.primary().and_then(|label| self.sources.location(label.span));
            let place = place.map(|place| format!("{}:{}", place.file, place.start.line)).unwrap_or_default();
            if self.conflicting_fixes.contains(&at) {
                let inputs = finding.found_in.join(", ");
                fixes.kept.push(format!("`{place}` was not fixed: {inputs} need different fixes"));
            } else if !other_inputs.is_empty() {
                let (verb, other_inputs) =
                    (if other_inputs.len() == 1 { "does" } else { "do" }, other_inputs.join(", "));
                fixes.kept.push(format!("`{place}` was not fixed: {other_inputs} {verb} not have this finding"));
            } else {
                fixes.count += usize::from(edits.add(&fix.edits));
            }
        }
        for (id, text) in edits.texts(&self.sources) {
            let Some(before) = self.sources.get(id) else { continue };
            let whole_source = |text: String| {
                let mut source = before.with_text(text);
                source.is_complete = true;
                source
            };
            fixes.changes.push((id, whole_source(before.text.clone()), whole_source(text)));
        }
        fixes.changes.sort_by(|(_, a, _), (_, b, _)| a.name.cmp(&b.name));
        fixes
    }

    /// Returns the ID of a source that belongs to the input `name`.
    fn source(&mut self, name: &str, source: &Source) -> SourceId {
        let below = source.name.strip_prefix(name.trim_end_matches('/'));
        let below = below.and_then(|path| path.strip_prefix('/'));
        let relative = below.map_or_else(|| source.name.clone(), |path| format!("./{path}"));
        let known_ids = self.names.entry(relative).or_default();
        let is_same = |id: &&SourceId| self.sources.get(**id).is_some_and(|known_ids| known_ids.text == source.text);
        if let Some(id) = known_ids.iter().find(is_same) {
            return *id;
        }
        let id = self.sources.add(source.with_text(source.text.clone()));
        known_ids.push(id);
        id
    }
}

/// Fixes of findings that several inputs may share.
#[derive(Default)]
pub(super) struct MergedFixes {
    /// Changed files, each with its old and its new state.
    pub(super) changes: Vec<(SourceId, Source, Source)>,
    /// Number of fixed findings.
    pub(super) count: usize,
    /// Reasons why other findings were not fixed.
    pub(super) kept: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn groups_inputs_only_for_several_overlays() {
        let overlay = |path: &str| Input::Kustomization(path.into());
        let file = |path: &str| Input::Path(path.into());
        let names = |inputs: &[Input], is_each| {
            let groups = groups(inputs, is_each)?.into_iter();
            Some(groups.map(|(name, inputs)| format!("{name} {}", inputs.len())).collect::<Vec<_>>())
        };
        let several_inputs = [overlay("a"), overlay("b"), file("c")];
        assert_eq!(names(&several_inputs, false).unwrap(), ["a 2", "b 2"]);
        assert_eq!(names(&several_inputs, true).unwrap(), ["a 1", "b 1", "c 1"]);
        assert_eq!(names(&several_inputs[1..], false), None);
        assert_eq!(names(&several_inputs[2..], true).unwrap(), ["c 1"]);
    }

    #[test]
    fn reports_equal_findings_once() {
        let input = |text: &str, at: usize| {
            let mut sources = Sources::default();
            sources.add(Source::new("other.yaml", "", true));
            let id = sources.add(Source::new("base.yaml", text, true));
            (vec![Diagnostic::new(Code::NoInput, "m").label(Span::new(id, at, at + 1), "")], sources)
        };
        let mut merged = MergedFindings::default();
        for (name, text, at) in [("a", "xy", 0), ("b", "xy", 0), ("c", "xy", 1), ("d", "x", 0)] {
            let (finding, sources) = input(text, at);
            merged.add(name, finding, &sources);
        }
        let lists: Vec<_> = merged.findings.iter().map(|finding| finding.found_in.join(" ")).collect();
        assert_eq!(lists, ["a b", "c", "d"]);
        assert_eq!(merged.sources.iter().count(), 2);
        // Files in different inputs are treated as one file if their relative paths and contents are equal.
        let mut merged = MergedFindings::default();
        for (name, file) in [("c/a", "c/a/x.yaml"), ("c/b/", "c/b/x.yaml"), ("c/d", "c/x.yaml")] {
            let mut sources = Sources::default();
            let id = sources.add(Source::new(file, "xy", true));
            let finding = Diagnostic::new(Code::NoInput, "m").label(Span::new(id, 0, 1), "");
            merged.add(name, vec![finding], &sources);
        }
        let lists: Vec<_> = merged.findings.iter().map(|finding| finding.found_in.join(" ")).collect();
        assert_eq!(lists, ["c/a c/b/", "c/d"]);
    }
}
