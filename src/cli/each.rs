//! Separate checks of several inputs, such as overlays or one directory per cluster.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::input::{Input, built};
use crate::source::{Source, SourceId, Sources, Span};

/// Returns the groups of inputs to check separately, or `None` if all of them form one input. If `is_each` is true,
/// each input is a group. Otherwise, if there are several overlays, each of them forms a group together with the inputs
/// that are not overlays.
pub(super) fn groups(inputs: &[Input], is_each: bool) -> Option<Vec<(String, Vec<Input>)>> {
    let is_overlay = |input: &&Input| matches!(input, Input::Kustomization(_));
    let shared: Vec<_> = inputs.iter().filter(|input| !is_each && !is_overlay(input)).cloned().collect();
    let single = inputs.iter().filter(|input| is_each || is_overlay(input));
    let groups = single.map(|input| {
        let shown = input.path().map_or_else(|| input.name(), |path| path.display().to_string());
        (shown, [std::slice::from_ref(input), shared.as_slice()].concat())
    });
    let groups: Vec<_> = groups.collect();
    (is_each || groups.len() > 1).then_some(groups)
}

/// Deduplicated findings from several inputs.
#[derive(Default)]
pub(super) struct MergedFindings {
    pub(super) sources: Sources,
    /// Sources by name relative to their input. Sources with the same name may have different contents.
    names: HashMap<String, Vec<SourceId>>,
    pub(super) found: Vec<Diagnostic>,
    index: HashMap<Diagnostic, usize>,
}

impl MergedFindings {
    /// Adds the findings for the input called `name`. If a finding is already known, only the name of the input is
    /// added to it. Identical copies of a file are treated as one file.
    pub(super) fn add(&mut self, name: &str, mut diagnostics: Vec<Diagnostic>, sources: &Sources) {
        built::trace(&mut diagnostics, sources);
        let mut ids = HashMap::new();
        for mut found in diagnostics {
            found.for_each_span(&mut |span: &mut Span| {
                let Some(source) = sources.get(span.source) else { return };
                let id = *ids.entry(span.source).or_insert_with(|| self.source(name, source));
                *span = Span { source: id, ..*span };
            });
            let last = self.found.len();
            // Overlays can rename resources, so resources are not compared.
            let mut mistake = found.clone();
            mistake.resource = None;
            let at = *self.index.entry(mistake).or_insert(last);
            if at == last {
                self.found.push(found);
            }
            if let Some(found) =
                self.found.get_mut(at).filter(|found| found.found_in.last().is_none_or(|last| last != name))
            {
                found.found_in.push(name.to_owned());
            }
        }
    }

    /// Returns the ID of a source that belongs to the input `name`.
    fn source(&mut self, name: &str, source: &Source) -> SourceId {
        let below = source.name.strip_prefix(name.trim_end_matches('/'));
        let below = below.and_then(|path| path.strip_prefix('/'));
        let relative = below.map_or_else(|| source.name.clone(), |path| format!("./{path}"));
        let known = self.names.entry(relative).or_default();
        let is_same = |id: &&SourceId| self.sources.get(**id).is_some_and(|known| known.text == source.text);
        if let Some(id) = known.iter().find(is_same) {
            return *id;
        }
        let id = self.sources.add(source.with_text(source.text.clone()));
        known.push(id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn several_overlays_are_groups() {
        let overlay = |path: &str| Input::Kustomization(path.into());
        let file = |path: &str| Input::Path(path.into());
        let names = |inputs: &[Input], is_each| {
            let groups = groups(inputs, is_each)?.into_iter();
            Some(groups.map(|(name, inputs)| format!("{name} {}", inputs.len())).collect::<Vec<_>>())
        };
        let several = [overlay("a"), overlay("b"), file("c")];
        assert_eq!(names(&several, false).unwrap(), ["a 2", "b 2"]);
        assert_eq!(names(&several, true).unwrap(), ["a 1", "b 1", "c 1"]);
        assert_eq!(names(&several[1..], false), None);
        assert_eq!(names(&several[2..], true).unwrap(), ["c 1"]);
    }

    #[test]
    fn equal_findings_are_reported_once() {
        let input = |text: &str, at: usize| {
            let mut sources = Sources::default();
            sources.add(Source::new("other.yaml", "", true));
            let id = sources.add(Source::new("base.yaml", text, true));
            (vec![Diagnostic::new(Code::NoInput, "m").label(Span::new(id, at, at + 1), "")], sources)
        };
        let mut all = MergedFindings::default();
        for (name, text, at) in [("a", "xy", 0), ("b", "xy", 0), ("c", "xy", 1), ("d", "x", 0)] {
            let (found, sources) = input(text, at);
            all.add(name, found, &sources);
        }
        let lists: Vec<_> = all.found.iter().map(|found| found.found_in.join(" ")).collect();
        assert_eq!(lists, ["a b", "c", "d"]);
        assert_eq!(all.sources.iter().count(), 2);
        // Files in different inputs are treated as one file if their relative paths and contents are equal.
        let mut all = MergedFindings::default();
        for (name, file) in [("c/a", "c/a/x.yaml"), ("c/b/", "c/b/x.yaml"), ("c/d", "c/x.yaml")] {
            let mut sources = Sources::default();
            let id = sources.add(Source::new(file, "xy", true));
            let found = Diagnostic::new(Code::NoInput, "m").label(Span::new(id, 0, 1), "");
            all.add(name, vec![found], &sources);
        }
        let lists: Vec<_> = all.found.iter().map(|found| found.found_in.join(" ")).collect();
        assert_eq!(lists, ["c/a c/b/", "c/d"]);
    }
}
