//! Findings about deployments by Flux and Argo CD.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::cause::Cause;
use super::cluster::{Cluster, Mistake};
use super::merge::is_read;
use super::object::identity;
use super::skipped::count_unread;
use super::tree::RepositoryTree;
use crate::diagnostic::{Code, Diagnostic};
use crate::input::display_path;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Document, Limits, read};

/// Locations of objects by `KIND/NAMESPACE/NAME`: the source, and the offset of the document.
pub(super) type Locations = HashMap<String, (SourceId, usize)>;

/// Spans of objects and their fields. Each source is parsed once.
pub(super) struct ObjectLocations<'s> {
    locations: &'s Locations,
    /// ApplicationSet of each generated Application.
    generators: &'s BTreeMap<String, String>,
    tree: &'s RepositoryTree,
    sources: &'s Sources,
    documents: RefCell<HashMap<SourceId, Vec<Document<'s>>>>,
}

impl<'s> ObjectLocations<'s> {
    pub(super) fn new(
        tree: &'s RepositoryTree,
        locations: &'s Locations,
        cluster: &'s Cluster,
        sources: &'s Sources,
    ) -> Self {
        Self { locations, generators: &cluster.generators, tree, sources, documents: RefCell::default() }
    }

    /// Returns the span of a field, or of its nearest parent that exists. The fields of a generated Application are
    /// located in the template of its ApplicationSet.
    fn span<'k>(&self, object: &str, field: impl IntoIterator<Item = &'k str>) -> Option<Span> {
        // If an Application has several sources, the name of a source ends with its number.
        let object = object.split(" source ").next().unwrap_or(object);
        let generator = self.generators.get(object);
        let template = generator.map_or(&[][..], |_| &["spec", "template"]);
        let (id, start) = *self.locations.get(generator.map_or(object, String::as_str))?;
        let text = &self.sources.get(id)?.text;
        let mut parsed_documents = self.documents.borrow_mut();
        let documents = parsed_documents.entry(id).or_insert_with(|| read(id, text, &Limits::default()).output);
        let number = documents.partition_point(|document| (document.root().span().start as usize) < start);
        let mut node = documents.get(number)?.root();
        let mut span = node.entries().next().map_or(node.span(), |entry| entry.key_span);
        for key in template.iter().copied().chain(field).filter(|key| !key.is_empty()) {
            if let Some(item) = key.parse().ok().and_then(|index| node.item(index)) {
                (node, span) = (item, item.span());
                continue;
            }
            let Some(entry) = node.entry(key) else { break };
            (node, span) = (entry.value, entry.key_span);
            if !node.is_mapping() && node.items().len() == 0 {
                span = node.span();
            }
        }
        Some(span)
    }

    fn cause(&self, cause: &Cause) -> Option<Span> {
        match cause {
            Cause::File { file, start, end } => {
                let name = display_path(&self.tree.root().join(file));
                let (id, source) = self.sources.iter().find(|(_, source)| source.name == name)?;
                source.text.get(*start..*end).map(|_| Span::new(id, *start, *end))
            }
            Cause::Field { object, keys, part } => {
                let span = self.span(object, keys.iter().map(String::as_str))?;
                let Some(part) = part else { return Some(span) };
                // The part is searched for in the file, because its indentation in the file may differ from that in the
                // object.
                let edited_span = self.sources.to_edit(span);
                let text = self.sources.get(edited_span.source)?.text.get(edited_span.bytes())?;
                let offset = text.find(part.as_str()).map(|at| edited_span.start as usize + at);
                Some(offset.map_or(span, |at| Span::new(edited_span.source, at, at + part.len())))
            }
        }
    }

    /// Adds a label that points to a field of an object, if the object's location is known.
    fn label<'k>(&self, finding: Diagnostic, object: &str, field: impl IntoIterator<Item = &'k str>) -> Diagnostic {
        match self.span(object, field) {
            Some(span) => finding.label(span, ""),
            None => finding,
        }
    }
}

/// Returns the findings about the builds of a cluster, each once.
pub(super) fn cluster_findings(cluster: &Cluster, locations: &ObjectLocations<'_>) -> Vec<Diagnostic> {
    // An incorrect value in a ConfigMap may affect several Kustomizations, but is reported only once.
    let mut seen_mistakes = BTreeSet::new();
    let mut findings = Vec::new();
    for mistake in &cluster.mistakes {
        if mistake.cause.is_none() || seen_mistakes.insert((&mistake.cause, &mistake.reason)) {
            findings.push(mistake_finding(mistake, locations));
        }
    }
    findings.extend(unread_finding(cluster, locations));
    findings.extend(retyped_findings(cluster, locations));
    findings
}

/// Finding for a mistake that Flux or Argo CD would report.
fn mistake_finding(mistake: &Mistake, locations: &ObjectLocations<'_>) -> Diagnostic {
    let finding = Diagnostic::new(mistake.code, mistake.to_string());
    let finding = match mistake.cause.as_ref().and_then(|cause| locations.cause(cause)) {
        Some(span) => finding.label(span, ""),
        None => finding,
    };
    locations.label(finding, &mistake.object, mistake.field.split('.'))
}

/// Maximum number of objects that the finding for unread objects lists.
const MAX_LISTED_OBJECTS: usize = 100;

/// Finding for unread objects, or `None` if there are none.
fn unread_finding(cluster: &Cluster, locations: &ObjectLocations<'_>) -> Option<Diagnostic> {
    let counts = count_unread(&cluster.skipped);
    let message = format!("`{}` includes objects that agentctl does not read: {counts}", cluster.display_entry());
    let unread_objects = cluster.skipped.iter().filter(|skipped| skipped.is_unread()).take(MAX_LISTED_OBJECTS);
    let located_objects =
        unread_objects.filter_map(|skipped| Some((locations.span(&skipped.object, ["spec"])?, skipped)));
    let diagnostic = located_objects.fold(Diagnostic::new(Code::GitopsUnread, message), |finding, (span, skipped)| {
        finding.label(span, skipped.to_string())
    });
    (!counts.is_empty()).then_some(diagnostic)
}

/// Findings for strings that became values of other types in objects that no later stage reads, and for labels and
/// annotations that Flux loses because one of the values is not a string. Later stages check the types in all other
/// objects.
fn retyped_findings<'c>(cluster: &'c Cluster, locations: &'c ObjectLocations<'_>) -> impl Iterator<Item = Diagnostic> {
    let retyped_objects = cluster.objects.iter().filter_map(|merged| {
        let built = cluster.roots.get(merged.root)?.build.objects.get(merged.index)?;
        (!built.retyped_fields.is_empty()).then(|| (identity(&built.object).to_string(), is_read(&built.object), built))
    });
    let fields = retyped_objects.flat_map(|(id, is_read, built)| {
        let metadata = built.object.get("metadata");
        let is_removed_map = move |path: &[String]| match path {
            [first, field, key] if first == "metadata" => {
                metadata.and_then(|metadata| metadata.get(field)).is_none_or(|field| field.get(key).is_none())
            }
            _ => false,
        };
        let fields = built.retyped_fields.iter().map(move |path| (path, is_removed_map(path)));
        fields.filter(move |(_, is_lost)| *is_lost || !is_read).map(move |(path, is_lost)| (id.clone(), path, is_lost))
    });
    fields.map(|(id, path, is_lost)| {
        let field = path.get(1).filter(|_| is_lost);
        let effect = field.map(|field| format!(", so Flux removes all {field} of the object")).unwrap_or_default();
        let message = format!("`{}` of {id} is not a string after variables are replaced{effect}", display_field(path));
        let finding = Diagnostic::new(Code::GitopsRetyped, message)
            .help("to keep the quotes, use a variable whose value is a quote: `${quote}${port}${quote}`");
        locations.label(finding, &id, path.iter().map(String::as_str))
    })
}

/// Formats a path of keys and indices, such as `containers[0].name`.
fn display_field(path: &[String]) -> String {
    let mut path_text = String::new();
    for key in path {
        match key.parse::<usize>() {
            Ok(index) => path_text.push_str(&format!("[{index}]")),
            Err(_) if path_text.is_empty() => path_text.push_str(key),
            Err(_) => path_text.push_str(&format!(".{key}")),
        }
    }
    path_text
}
