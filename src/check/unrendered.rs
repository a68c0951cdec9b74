//! Kustomizations and charts in the input. Another program builds the actual manifests from them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::admit::AdmittedDocument;
use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic, Label, ObjectKey, Occurrence, Severity};
use crate::printable::quote_for_shell;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::Node;

/// A kustomization or chart that has not been rendered.
#[derive(Clone, Debug)]
pub struct UnrenderedSource<'s> {
    source: SourceId,
    file: &'s str,
    directory: &'s str,
    /// Whether this is a chart, which Helm renders, rather than a kustomization.
    is_chart: bool,
    /// Whether the kustomization only lists files that are also in the input.
    lists_input: bool,
    /// Whether the kustomization contains charts, which Helm renders.
    has_charts: bool,
    /// Whether another kustomization in the input includes this one.
    pub is_base: bool,
    /// Files in the input that the kustomization uses as patches rather than resources.
    patches: Vec<SourceId>,
    /// Files in the input that the kustomization lists as resources.
    resources: Vec<SourceId>,
    /// Files in the input whose resources the kustomization renames.
    renamed: Vec<SourceId>,
    /// Kinds and names of the resources that the kustomization patches.
    patched: BTreeSet<(String, String)>,
    /// Files in the input that the build uses, directly or through other kustomizations.
    parts: BTreeSet<SourceId>,
    /// The chart's templates that are in the input.
    templates: BTreeSet<SourceId>,
    /// Whether none of the chart's templates contains one of the operator's kinds.
    pub is_foreign: bool,
}

impl UnrenderedSource<'_> {
    /// Returns a command that checks the rendered manifests.
    pub fn command(&self) -> String {
        let directory = shell_word(self.directory);
        match (self.is_chart, self.has_charts) {
            (true, _) => format!("helm template {directory} | agentctl check -"),
            // `-k` does not run Helm.
            (false, true) => format!("kustomize build --enable-helm {directory} | agentctl check -"),
            (false, false) => format!("agentctl check -k {directory}"),
        }
    }

    /// Finding for a kustomization or chart that was not rendered.
    pub fn diagnostic(&self) -> Diagnostic {
        let (state, severity) = match (self.is_chart, self.lists_input) {
            (true, _) => ("is not rendered: the output of its templates is not", Severity::Warning),
            (false, true) => ("is not built, although the files that it lists are", Severity::Note),
            (false, false) => {
                ("is not built: the objects that it patches, renames and generates are not", Severity::Warning)
            }
        };
        Diagnostic::new(Code::NotRendered, format!("`{}` {state} part of the input", self.file))
            .severity(severity)
            .label(Span::new(self.source, 0, 0), "")
            .help(self.help())
            .cause(self.cause())
    }

    /// Whether the kustomization causes a warning.
    fn is_unbuilt(&self) -> bool {
        !self.is_chart && !self.lists_input
    }

    fn unrendered_template(&self, message: &str) -> Diagnostic {
        Diagnostic::new(Code::UnrenderedTemplate, message)
            .label(Span::new(self.source, 0, 0), "")
            .help(self.help())
            .cause(self.cause())
    }

    fn help(&self) -> String {
        format!("check the rendered manifests with `{}`", self.command())
    }

    fn cause(&self) -> String {
        format!("{} is not rendered", self.file)
    }

    /// Explains findings that were reported only because a patch or template was read as a resource. In a repository,
    /// these findings become notes.
    pub fn explain(&self, diagnostics: &mut [Diagnostic], is_repository: bool) {
        let is_template = |finding: &&mut Diagnostic| {
            let place = finding.primary().map(|label| label.span.source);
            place.is_some_and(|source| self.templates.contains(&source))
        };
        for diagnostic in diagnostics.iter_mut().filter(is_template) {
            *diagnostic = match self.is_foreign {
                true => {
                    let message = "found chart templates (`{{ … }}`) without any of the operator's kinds";
                    self.unrendered_template(message).severity(Severity::Note)
                }
                false => self.diagnostic(),
            };
        }
        let is_error = |finding: &&mut Diagnostic| finding.severity == Severity::Error;
        for finding in diagnostics.iter_mut().filter(is_error) {
            let mut sources = finding.labels.iter().map(|label| label.span.source);
            let is_open = finding.code == Code::MissingField && finding.cause.is_none();
            let resource = finding.resource.as_ref().filter(|_| is_open);
            let is_patched = |resource: &ObjectKey| {
                let mut patched = self.patched.iter();
                patched.any(|(kind, name)| *kind == resource.kind && *name == resource.name)
            };
            let is_name = finding.code == Code::InvalidName;
            let primary = finding.primary().map(|label| label.span.source);
            let how = if sources.any(|source| self.patches.contains(&source)) {
                "applies it as a patch"
            } else if is_name && primary.is_some_and(|source| self.renamed.contains(&source)) {
                "renames it"
            } else if resource.is_some_and(is_patched) {
                "patches a resource with this name"
            } else {
                continue;
            };
            let help = format!("`{}` {how}; check the build output with `{}`", self.file, self.command());
            finding.help = Some(help);
            finding.cause = Some(self.cause());
            if is_repository {
                finding.severity = Severity::Note;
            }
        }
    }
}

/// Skips documents in files that kustomizations in the input use as patches rather than resources, and removes the
/// findings about these files. Findings about syntax remain, because kustomize has to read these files as well.
pub fn skip_patches(sources: &Sources, documents: &mut [AdmittedDocument<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let unrendered = find_unrendered(sources, documents);
    let mut patches: BTreeSet<_> = unrendered.iter().flat_map(|file| file.patches.iter().copied()).collect();
    for resource in unrendered.iter().flat_map(|file| &file.resources) {
        patches.remove(resource);
    }
    if patches.is_empty() {
        return;
    }
    for document in documents.iter_mut().filter(|document| patches.contains(&document.document().source())) {
        document.skip();
    }
    diagnostics.retain(|finding| {
        let is_in_patch = finding.primary().is_some_and(|label| patches.contains(&label.span.source));
        !is_in_patch || finding.code.is_of_yaml()
    });
}

/// Removes findings about files that a kustomization builds, if the findings depend on what the build can add: objects,
/// fields, names, namespaces and labels.
pub fn drop_unbuilt(files: &[UnrenderedSource<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let parts: BTreeSet<_> = files.iter().flat_map(|file| file.parts.iter().copied()).collect();
    if parts.is_empty() {
        return;
    }
    diagnostics.retain(|finding| {
        let is_part = finding.labels.iter().any(|label| parts.contains(&label.span.source));
        !(is_part && DEPENDS_ON_BUILD.contains(&finding.code))
    });
}

/// Codes of findings that depend on names, on other objects, or on fields that a patch may set.
const DEPENDS_ON_BUILD: [Code; 38] = [
    Code::ApiServiceName,
    Code::DuplicateGroupVersion,
    Code::DuplicateIntegration,
    Code::DuplicateJob,
    Code::DuplicateObject,
    Code::DuplicateReceiver,
    Code::DuplicateResource,
    Code::DuplicateScrape,
    Code::FrozenNamespaces,
    Code::IdleIntegration,
    Code::InvalidDerivedName,
    Code::InvalidMetadata,
    Code::InvalidName,
    Code::InvalidReferredName,
    Code::MissingConfigMap,
    Code::MissingField,
    Code::MissingFile,
    Code::MissingKey,
    Code::MissingPermission,
    Code::MissingSecret,
    Code::MissingService,
    Code::MissingToken,
    Code::MissingVolumeSource,
    Code::NeverStarts,
    Code::NoClients,
    Code::NoMatchingObject,
    Code::NoTargets,
    Code::PodSecurity,
    Code::SelectsNothing,
    Code::ServiceWithoutEndpoints,
    Code::SharedInstance,
    Code::UndescribedNamespace,
    Code::UnknownInstance,
    Code::UnknownNamespace,
    Code::UnknownPort,
    Code::UnrenderedTemplate,
    Code::Unselected,
    Code::UnusedExternalName,
];

/// Maximum number of kustomizations to list in a suggested command.
const MAX_KUSTOMIZATIONS: usize = 5;

/// Returns the findings for kustomizations and charts that were not rendered. There is one finding for all
/// kustomizations that have to be built.
pub fn unrendered_findings(files: &[UnrenderedSource<'_>]) -> Vec<Diagnostic> {
    let files = || files.iter().filter(|file| !file.is_foreign);
    let unbuilt: Vec<_> = files().filter(|file| file.is_unbuilt() && !file.has_charts).collect();
    let Some((first, other_files)) = unbuilt.split_first().filter(|(_, other_files)| !other_files.is_empty()) else {
        return files().map(UnrenderedSource::diagnostic).collect();
    };
    let occurrence = |file: &&UnrenderedSource<'_>| Occurrence {
        label: Label { span: Span::new(file.source, 0, 0), text: String::new() },
        resource: None,
        path: None,
    };
    let count = unbuilt.len();
    let message = format!(
        "{count} kustomizations are not built: the objects that they patch, rename and generate are not part of the input"
    );
    let help = match count <= MAX_KUSTOMIZATIONS {
        true => {
            let builds: Vec<_> = unbuilt.iter().map(|file| format!("-k {}", shell_word(file.directory))).collect();
            format!("check their output with `agentctl check {}`", builds.join(" "))
        }
        false => "check the output of each with `agentctl check -k DIR`".to_owned(),
    };
    let mut summary = Diagnostic::new(Code::NotRendered, message)
        .severity(Severity::Warning)
        .label(Span::new(first.source, 0, 0), "")
        .help(help);
    summary.other_occurrences = other_files.iter().map(occurrence).collect();
    let rest = files().filter(|file| !file.is_unbuilt() || file.has_charts).map(UnrenderedSource::diagnostic);
    std::iter::once(summary).chain(rest).collect()
}

/// Returns the kustomizations and charts among the sources, excluding charts nested in other charts.
pub fn find_unrendered<'s>(sources: &'s Sources, documents: &[AdmittedDocument<'_>]) -> Vec<UnrenderedSource<'s>> {
    let mut unrendered = find(sources);
    if unrendered.iter().any(|file| !file.is_chart) {
        find_related_files(&mut unrendered, sources, documents);
    }
    unrendered
}

/// The charts in an input. All findings in the templates of a chart become one finding for the chart before they are
/// counted.
#[derive(Debug)]
pub struct Charts<'s> {
    charts: Vec<UnrenderedSource<'s>>,
    by_template: HashMap<SourceId, usize>,
    reported: HashSet<(SourceId, Severity)>,
}

impl<'s> Charts<'s> {
    /// Finds the charts among the sources.
    pub fn find(sources: &'s Sources) -> Self {
        let mut charts = find(sources);
        charts.retain(|file| file.is_chart);
        let numbered = charts.iter().enumerate();
        let by_template = numbered.flat_map(|(i, chart)| chart.templates.iter().map(move |id| (*id, i)));
        Self { by_template: by_template.collect(), charts, reported: HashSet::new() }
    }

    /// Replaces the findings in a source if it is a chart template. Each finding for a chart is reported once.
    pub fn explain(&mut self, source: SourceId, diagnostics: &mut Vec<Diagnostic>) {
        let chart = self.by_template.get(&source).and_then(|chart| self.charts.get(*chart));
        let Some(chart) = chart.filter(|_| !diagnostics.is_empty()) else {
            return;
        };
        chart.explain(diagnostics, false);
        diagnostics.retain(|finding| {
            let is_in_chart = finding.primary().is_some_and(|label| label.span.source == chart.source);
            !is_in_chart || self.reported.insert((chart.source, finding.severity))
        });
    }
}

/// Returns the kustomizations and charts among the sources, and the templates of the charts.
fn find(sources: &Sources) -> Vec<UnrenderedSource<'_>> {
    let mut unrendered: Vec<_> = sources
        .iter()
        .filter(|(_, source)| source.is_complete)
        .filter_map(|(id, source)| parse_unrendered(id, &source.name))
        .collect();
    let charts = unrendered.iter().filter(|file| file.is_chart);
    let parts: HashSet<_> = charts.map(|chart| Path::new(chart.directory).join("charts")).collect();
    let is_part =
        |file: &UnrenderedSource<'_>| Path::new(file.directory).ancestors().any(|above| parts.contains(above));
    unrendered.retain(|file| !file.is_chart || !is_part(file));
    let all_files = match unrendered.iter().any(|file| file.is_chart) {
        true => find_templates(sources),
        false => BTreeMap::new(),
    };
    for chart in unrendered.iter_mut().filter(|file| file.is_chart) {
        chart.templates = chart_templates(&all_files, chart.directory);
        let mut texts = chart.templates.iter().filter_map(|id| sources.get(*id));
        chart.is_foreign = !texts.any(|source| has_operator_kind(&source.text));
    }
    unrendered
}

/// Determines which files each kustomization lists, patches and builds.
fn find_related_files(unrendered: &mut [UnrenderedSource<'_>], sources: &Sources, documents: &[AdmittedDocument<'_>]) {
    let documents = documents.iter().map(AdmittedDocument::document);
    let roots: HashMap<_, _> = documents.map(|document| (document.source(), document.root())).collect();
    let ids = sources.iter();
    let ids: BTreeMap<_, _> = ids.map(|(id, source)| (normalize(Path::new(&source.name)), id)).collect();
    let mut builds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for file in unrendered.iter_mut().filter(|file| !file.is_chart) {
        let directory = Path::new(file.directory);
        let Some(&root) = roots.get(&file.source) else {
            continue;
        };
        file.lists_input = only_lists_resources(root, directory, &ids);
        let built_paths = ["resources", "bases", "components"].into_iter();
        let built_paths = built_paths.flat_map(|key| root.items_at(key)).filter_map(Node::as_str);
        let built_paths: Vec<_> = built_paths.map(|path| normalize(&directory.join(path))).collect();
        if !file.lists_input {
            builds.insert(normalize(directory), built_paths.clone());
        }
        lists.insert(normalize(directory), built_paths);
        file.has_charts = root.get("helmCharts").is_some();
        let renames = ["namespace", "namePrefix", "nameSuffix"];
        let listed_files = root.items_at("resources").filter_map(Node::as_str);
        let listed_files = listed_files.filter_map(|path| ids.get(&normalize(&directory.join(path))).copied());
        file.resources = listed_files.collect();
        if renames.into_iter().any(|key| root.get(key).is_some()) {
            file.renamed = file.resources.clone();
        }
        let patches = patch_paths(root).into_iter();
        let patches = patches.filter_map(|path| ids.get(&normalize(&directory.join(path))).copied());
        file.patches = patches.collect();
        let targets = root.items_at("patches").filter_map(|patch| patch.get("target"));
        let targets = targets.filter_map(|target| kind_and_name(target.text("kind"), target.text("name")));
        let patches = file.patches.iter().filter_map(|source| roots.get(source));
        let patches = patches.filter_map(|patch| kind_and_name(patch.text("kind"), patch.text("metadata.name")));
        file.patched = targets.chain(patches).collect();
    }
    // The search starts at kustomizations that no other kustomization builds, so if kustomizations build each other,
    // all of them are reported.
    let built_paths: BTreeSet<_> = builds.values().flatten().collect();
    let mut unbuilt: Vec<_> = builds.keys().filter(|directory| !built_paths.contains(directory)).collect();
    let mut bases = BTreeSet::new();
    while let Some(directory) = unbuilt.pop() {
        let built_by_directory = builds.get(directory).into_iter().flatten();
        unbuilt.extend(built_by_directory.filter(|built_by_directory| bases.insert(*built_by_directory)));
    }
    for file in unrendered.iter_mut().filter(|file| !file.is_chart) {
        let directory = normalize(Path::new(file.directory));
        file.is_base = bases.contains(&directory);
        if file.is_unbuilt() && !file.is_base {
            file.parts = parts(&directory, &lists, &ids);
        }
    }
}

/// Returns the files that a kustomization builds, directly or through other kustomizations.
fn parts(
    directory: &PathBuf,
    lists: &BTreeMap<PathBuf, Vec<PathBuf>>,
    ids: &BTreeMap<PathBuf, SourceId>,
) -> BTreeSet<SourceId> {
    let mut known_directories = BTreeSet::from([directory]);
    let mut pending = vec![directory];
    while let Some(next) = pending.pop() {
        let listed = lists.get(next).into_iter().flatten();
        pending.extend(listed.filter(|path| known_directories.insert(*path)));
    }
    known_directories.into_iter().filter_map(|path| ids.get(path).copied()).collect()
}

fn parse_unrendered(source: SourceId, file: &str) -> Option<UnrenderedSource<'_>> {
    let path = Path::new(file);
    let directory = path.parent().and_then(Path::to_str)?;
    let is_chart = match path.file_name()?.to_str()? {
        "kustomization.yaml" | "kustomization.yml" | "Kustomization" => false,
        "Chart.yaml" => true,
        _ => return None,
    };
    Some(UnrenderedSource {
        source,
        file,
        directory: if directory.is_empty() { "." } else { directory },
        is_chart,
        lists_input: false,
        has_charts: false,
        is_base: false,
        patches: Vec::new(),
        resources: Vec::new(),
        renamed: Vec::new(),
        patched: BTreeSet::new(),
        parts: BTreeSet::new(),
        templates: BTreeSet::new(),
        is_foreign: false,
    })
}

/// Whether a template contains one of the operator's kinds.
fn has_operator_kind(text: &str) -> bool {
    let mut kinds = text.lines().filter_map(|line| line.trim_start().strip_prefix("kind:"));
    kinds.any(|kind| Kind::ALL.iter().any(|candidate| candidate.is_custom() && kind.contains(candidate.as_str())))
}

/// Returns all files that contain template actions and are in a `templates` directory, in the order of their paths.
fn find_templates(sources: &Sources) -> BTreeMap<PathBuf, SourceId> {
    let templates = sources.iter().filter(|(_, source)| source.text.contains("{{"));
    let templates = templates.map(|(id, source)| (normalize(Path::new(&source.name)), id));
    templates.filter(|(path, _)| is_in_templates(path)).collect()
}

/// Returns the files in the `templates` directories of a chart and its subcharts. Only Helm can read these files
/// correctly.
fn chart_templates(templates: &BTreeMap<PathBuf, SourceId>, chart: &str) -> BTreeSet<SourceId> {
    let chart = normalize(Path::new(chart));
    let chart_files = templates.range(chart.clone()..).take_while(|(path, _)| path.starts_with(&chart));
    let chart_files = chart_files.filter(|(path, _)| path.strip_prefix(&chart).is_ok_and(is_in_templates));
    chart_files.map(|(_, id)| *id).collect()
}

/// Whether one of the directories in a path is called `templates`.
fn is_in_templates(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.components().any(|part| part.as_os_str() == "templates"))
}

/// Returns the files that a kustomization lists as patches.
fn patch_paths<'d>(kustomization: Node<'d>) -> Vec<&'d str> {
    let items = |key| kustomization.items_at(key);
    let by_path = items("patches").chain(items("patchesJson6902"));
    let by_path = by_path.filter_map(|patch| patch.get("path"));
    let strategic_merge_paths = items("patchesStrategicMerge");
    by_path.chain(strategic_merge_paths).filter_map(Node::as_str).collect()
}

/// Returns the kind and name of a patch target, if it has both.
fn kind_and_name(kind: &str, name: &str) -> Option<(String, String)> {
    (!kind.is_empty() && !name.is_empty()).then(|| (kind.to_owned(), name.to_owned()))
}

/// Whether a kustomization only lists resources, all of which are among `files`.
fn only_lists_resources(kustomization: Node<'_>, directory: &Path, files: &BTreeMap<PathBuf, SourceId>) -> bool {
    let is_read = |resource: Node<'_>| {
        let path = resource.as_str().map(|path| normalize(&directory.join(path)));
        path.filter(|path| path.components().next().is_some()).is_some_and(|path| {
            let first = files.range(path.clone()..).next();
            first.is_some_and(|(file, _)| file.starts_with(&path))
        })
    };
    kustomization.entries().all(|entry| match entry.key {
        "apiVersion" | "kind" | "metadata" => true,
        "resources" => entry.value.items().all(is_read),
        _ => false,
    })
}

/// Returns a path with its `.` and, if possible, `..` components resolved.
fn normalize(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(normalized.components().next_back(), Some(Component::Normal(_))) => {
                normalized.pop();
            }
            component => normalized.push(component),
        }
    }
    normalized
}

/// Quotes a path so that a shell reads it as a single word and not as an option. Users may copy the command, and file
/// names may be malicious.
fn shell_word(path: &str) -> String {
    let prefix = if path.starts_with('-') { "./" } else { "" };
    quote_for_shell(&format!("{prefix}{path}")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    /// Returns the commands for these files, and whether each file's finding is more severe than a note.
    fn commands(files: &[(&str, &str)]) -> Vec<(String, bool)> {
        let input = files.iter().fold(TestInput::default(), |input, (file, text)| input.found_file(*file, *text));
        let (documents, _) = input.read();
        let unrendered = find_unrendered(&input.sources, &documents);
        unrendered.iter().map(|file| (file.command(), file.diagnostic().severity > Severity::Note)).collect()
    }

    #[test]
    fn suggests_a_command_per_kustomization_and_chart() {
        let patch = "patches: [{path: x.yaml}]";
        let actual = commands(&[
            ("Kustomization", patch),
            ("a/kustomization.yaml", patch),
            ("/b/kustomization.yml", patch),
            ("e/kustomization.yml", "helmCharts: [{name: x}]"),
            ("c/Chart.yaml", ""),
            ("c/charts/d/Chart.yaml", ""),
            ("c/values.yaml", ""),
            ("kustomization.json", patch),
        ]);
        let expected = [
            "agentctl check -k .",
            "agentctl check -k a",
            "agentctl check -k /b",
            "kustomize build --enable-helm e | agentctl check -",
            "helm template c | agentctl check -",
        ];
        assert_eq!(actual, expected.map(|command| (command.to_owned(), true)));
    }

    #[test]
    fn reports_each_chart_once() {
        let mut input = TestInput::default();
        for chart in 0..40 {
            input = input.found_file(format!("{chart}/Chart.yaml"), "");
            for template in 0..20 {
                let text = "kind: ServiceMonitor\na: {{ .a }}\nb: {{ .b }}\nb: {{ .c }}\n";
                input = input.found_file(format!("{chart}/templates/{template}.yaml"), text);
            }
        }
        let (_, actual) = input.read();
        assert_eq!(actual.list.iter().map(Diagnostic::count).sum::<usize>(), 40, "{actual:?}");
    }

    #[test]
    fn many_kustomizations_cause_one_finding() {
        for (count, expected) in [(1, 1), (2, 1), (9, 1)] {
            let names = (0..count).map(|number| format!("{number}/kustomization.yaml"));
            let input = names.fold(TestInput::default(), |input, name| input.found_file(name, "namePrefix: a"));
            let input = input.found_file("chart/Chart.yaml", "");
            let (documents, _) = input.read();
            let mut files = find_unrendered(&input.sources, &documents);
            files.iter_mut().for_each(|file| file.is_foreign = false);
            let findings = unrendered_findings(&files);
            let kustomizations = findings.len() - 1;
            assert_eq!(kustomizations, expected, "{count}");
            assert_eq!(findings[0].other_occurrences.len(), count - expected);
        }
    }

    #[test]
    fn reports_kustomizations_that_only_list_inputs_as_notes() {
        for (text, expected) in [
            ("resources: [a.yaml, ../base, ./b]", false),
            ("{kind: Kustomization, resources: []}", false),
            ("resources: [a.yaml, gone.yaml]", true),
            ("resources: [https://example.com/base]", true),
            ("resources: [../..]", true),
            ("resources: [a.yaml]\nnamespace: x", true),
            ("resources: [a.yaml]\ncomponents: [../base]", true),
        ] {
            let actual = commands(&[
                ("x/over/kustomization.yaml", text),
                ("x/over/a.yaml", ""),
                ("x/over/b/c.yaml", ""),
                ("x/base/d.yaml", ""),
            ]);
            assert_eq!(actual, [("agentctl check -k x/over".to_owned(), expected)], "{text}");
        }
    }

    #[test]
    fn reports_overlays_instead_of_their_bases() {
        let mut input = TestInput::default();
        for (file, text) in [
            ("x/base/kustomization.yaml", "namePrefix: a"),
            ("x/part/kustomization.yaml", "kind: Component"),
            ("x/listed/kustomization.yaml", "namePrefix: a"),
            ("x/over/kustomization.yaml", "resources: [../base/]\ncomponents: [./../part]"),
            ("x/list/kustomization.yaml", "resources: [../listed]"),
            ("y/one/kustomization.yaml", "resources: [../two]\nnamePrefix: a"),
            ("y/two/kustomization.yaml", "resources: [../one]\nnamePrefix: a"),
        ] {
            input = input.found_file(file, text);
        }
        let (documents, _) = input.read();
        let actual = find_unrendered(&input.sources, &documents);
        let bases = actual.iter().map(|file| (file.directory, file.is_base));
        let expected = ["x/base", "x/part"].map(|base| (base, true));
        let standalone = ["x/listed", "x/over", "x/list", "y/one", "y/two"].map(|standalone| (standalone, false));
        assert_eq!(bases.collect::<Vec<_>>(), [&expected[..], &standalone].concat());
    }

    #[test]
    fn patches_may_set_missing_fields() {
        let resource = |kind: &str, name: &str| {
            format!("apiVersion: monitoring.coreos.com/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{}}\n")
        };
        let resources = [("ServiceMonitor", "a"), ("ServiceMonitor", "b"), ("PodMonitor", "a")];
        let resources = resources.map(|(kind, name)| resource(kind, name)).join("---\n");
        let patches = "patches: [{target: {kind: ServiceMonitor, name: a}, patch: x}]";
        let input = TestInput::default().found_file("kustomization.yaml", patches).found_file("x.yaml", resources);
        let actual = input.findings();
        let is_explained = |finding: &&Diagnostic| {
            let help = finding.help.as_deref().unwrap_or_default();
            help.starts_with("`kustomization.yaml` patches a resource with this name; check the build output with ")
        };
        let explained_findings = actual.iter().filter(is_explained);
        let explained_findings: BTreeSet<_> =
            explained_findings.map(|finding| finding.resource.as_ref().unwrap().to_string()).collect();
        assert_eq!(Vec::from_iter(explained_findings), ["ServiceMonitor/default/a"]);
    }

    #[test]
    fn kustomizations_may_replace_invalid_names() {
        for (text, is_explained) in [
            ("namespace: shop\nresources: [./namespace.yaml]", true),
            ("namespace: shop\nresources: [other.yaml]", false),
            ("resources: [namespace.yaml, gone.yaml]", false),
        ] {
            let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n";
            let input =
                TestInput::default().found_file("kustomization.yaml", text).found_file("namespace.yaml", namespace);
            let actual = input.findings();
            let actual = actual.iter().find(|finding| finding.code == Code::InvalidName).unwrap();
            let help = actual.help.as_deref().unwrap_or_default();
            let expected = "`kustomization.yaml` renames it; check the build output with `agentctl check -k .`";
            assert_eq!(help == expected, is_explained, "{text}: {help}");
        }
    }

    #[test]
    fn patch_targets_need_kind_and_name() {
        let probe = Some(("Probe".to_owned(), "a".to_owned()));
        assert_eq!(kind_and_name("Probe", "a"), probe);
        for (kind, name) in [("", "a"), ("Probe", ""), ("", "")] {
            assert_eq!(kind_and_name(kind, name), None, "{kind} {name}");
        }
    }

    #[test]
    fn normalizes_paths() {
        for (path, expected) in [
            ("", ""),
            (".", ""),
            ("./a/./b/", "a/b"),
            ("a/../b", "b"),
            ("a/b/../../c", "c"),
            ("a/..", ""),
            ("../a", "../a"),
            ("../../a", "../../a"),
            ("a/../../b", "../b"),
            ("../a/../b", "../b"),
            ("/../a", "/../a"),
        ] {
            assert_eq!(normalize(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn quotes_malicious_names_as_one_word() {
        for (directory, word) in [
            ("a b", "'a b'"),
            ("$(touch x)", "'$(touch x)'"),
            ("a'; x", "'a'\\''; x'"),
            ("-o", "./-o"),
            ("-o x", "'./-o x'"),
            ("~", "'~'"),
        ] {
            assert_eq!(shell_word(directory), word);
        }
    }
}
