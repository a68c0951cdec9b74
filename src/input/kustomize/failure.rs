//! Findings for kustomize's error messages. A message may quote any part of the input, such as a Secret value in a
//! wrongly indented patch. Therefore, a finding contains only text from the tables in this file and object names as
//! formatted by kustomize. The location is determined from the input.

use std::ops::Range;
use std::sync::Arc;

use super::closure::Closure;
use super::diagnostics;
use super::target::KustomizeTarget;
use crate::diagnostic::{Code, Diagnostic};
use crate::input::manifest_files::is_manifest;
use crate::input::program::TOO_SLOW;
use crate::source::{Source, SourceId, Span};
use crate::yaml::{Document, Entry, Limits, Node, read, read_value};

/// Fields that contain patches.
const PATCHES: &[&str] = &["patches", "patchesStrategicMerge", "patchesJson6902"];
const GENERATORS: &[&str] = &["secretGenerator", "configMapGenerator"];

/// An error message that kustomize prints.
struct KnownMessage {
    /// Part of the message by which it is recognized.
    part: &'static str,
    /// Problem to report. `ID` is replaced with the name of the object in the message.
    problem: &'static str,
    /// Fields of the kustomization that can cause the problem. Empty if the problem is in another file.
    fields: &'static [&'static str],
}

const fn known_message(part: &'static str, problem: &'static str, fields: &'static [&'static str]) -> KnownMessage {
    KnownMessage { part, problem, fields }
}

/// Part of the message that a Go program prints if it cannot allocate memory.
const OUT_OF_MEMORY: &str = "out of memory";

/// Whether a message reports that kustomize exceeded its time or memory limit, in which case running kustomize again is
/// pointless.
pub fn is_exhausted(message: &str) -> bool {
    message.starts_with(TOO_SLOW) || message.contains(OUT_OF_MEMORY)
}

/// Known messages. The first matching row is used.
const KNOWN_MESSAGES: &[KnownMessage] = &[
    known_message(TOO_SLOW, "the build takes more than 120 seconds", &[]),
    known_message(OUT_OF_MEMORY, "the build needs more than 2GiB of memory", &[]),
    known_message("already registered id", "ID is defined twice", &["resources", "bases", "components"]),
    known_message("missing metadata.name in object", "expected `metadata.name` in each resource", &["resources"]),
    known_message("missing kind in object", "expected `kind` in each resource", &["resources"]),
    known_message(
        "missing Resource metadata",
        "expected an object with `apiVersion`, `kind` and `metadata`",
        &["resources"],
    ),
    known_message("MalformedYAMLError", "expected valid YAML", &["resources"]),
    known_message("no matches for Id", "the patch for ID matches no resource", PATCHES),
    known_message("failed to find unique target for patch", "the patch matches several resources", PATCHES),
    known_message("doc is missing path", "the JSON patch changes a path that does not exist", PATCHES),
    known_message("doc is missing key", "the JSON patch changes a path that does not exist", PATCHES),
    known_message("operation does not apply", "the JSON patch cannot be applied", PATCHES),
    known_message("Unexpected kind", "the JSON patch has an unknown operation", PATCHES),
    known_message("can't be set at the same time", "expected only one of `patch` and `path`", PATCHES),
    known_message("must specify one of patch and path", "expected `patch` or `path`", PATCHES),
    known_message("unable to parse SM or JSON patch", "expected a strategic merge patch or a JSON patch", PATCHES),
    known_message("must specify a target for", "expected a `target` for the JSON patch", PATCHES),
    known_message("invalid literal source", "expected `key=value`", GENERATORS),
    known_message("illegally repeats the key", "a key of the generator is repeated", GENERATORS),
    known_message("cannot add key", "a key of the generator is repeated", GENERATORS),
    known_message("cannot merge or replace", "the generator changes an object that does not exist", GENERATORS),
    known_message("must be merge or replace", "the generated object already exists; set `behavior`", GENERATORS),
    known_message("loading KV pairs", "the generator cannot read its values", GENERATORS),
    known_message(
        "is missing for replacement source",
        "the replacement's source ID has no such field",
        &["replacements"],
    ),
    known_message("nothing selected by", "the replacement's source ID does not exist", &["replacements"]),
    known_message("multiple matches for selector", "the replacement's source ID is ambiguous", &["replacements"]),
    known_message("unable to find field", "a replacement's target has no such field", &["replacements"]),
    known_message("cannot be mapped to a field", "the variable refers to an object that does not exist", &["vars"]),
    known_message("expected kind 'Component'", "expected `kind: Component`", &["kind"]),
    known_message("expected kind != 'Component'", "a component is listed in `resources`", &["kind"]),
    known_message("kind should be", "expected `kind` to be `Kustomization` or `Component`", &["kind"]),
    known_message("apiVersion for", "`apiVersion` does not match `kind`", &["apiVersion"]),
    known_message("is empty", "the kustomization is empty", &[]),
    known_message("unknown field", "the kustomization has an unknown field", &[]),
    known_message("cannot unmarshal", "the field has a value of the wrong type", &[]),
];

impl KnownMessage {
    /// Returns the description of the problem, including the object that the message names.
    fn problem(&self, message: &str) -> String {
        let name = id(message).map_or_else(|| "the object".to_owned(), |id| format!("`{id}`"));
        self.problem.replace("ID", &name)
    }
}

/// Returns the problem in a message from kustomize, or `None` if the message is unknown.
pub fn known_problem(message: &str) -> Option<String> {
    let message = message.replace("\\\"", "\"");
    let known_message = KNOWN_MESSAGES.iter().find(|known| message.contains(known.part))?;
    Some(known_message.problem(&message))
}

/// Returns the part of the kustomizations that causes the problem in a message from kustomize, or `None` if it cannot
/// be located.
pub fn problem_span(message: &str, kustomizations: &[(SourceId, Arc<Source>)]) -> Option<Span> {
    let causes = kustomizations.iter().flat_map(|(id, source)| causes(*id, source));
    let certain_span = || causes.filter_map(|cause| Some(cause.primary()?.span)).next();
    let documents: Vec<_> = kustomizations.iter().filter_map(Kustomization::read).collect();
    let message = message.replace("\\\"", "\"");
    let known_message = KNOWN_MESSAGES.iter().find(|known| message.contains(known.part));
    let named_span = || known_message.and_then(|known| location(known, &message, &documents));
    let start = || Some(Span::new(documents.iter().find(|one| one.is_named_in(&message))?.id, 0, 0));
    certain_span().or_else(named_span).or_else(start)
}

/// Returns the string in a patch that a message from kustomize refers to, or `None` if the message refers to something
/// else, such as a patch in a kustomization below the one that is built.
pub fn patch_problem(message: &str, patch: &str) -> Option<String> {
    let message = message.replace("\\\"", "\"");
    let known_message = KNOWN_MESSAGES.iter().find(|known| message.contains(known.part))?;
    let is_below = message.contains("recursed accumulation of path ");
    let is_other = unmatched_patch(&message).is_some_and(|(kind, _)| !has_word(patch, kind));
    let span = subject_range(&message, patch).filter(|_| known_message.fields == PATCHES && !is_below && !is_other)?;
    patch.get(span).map(str::to_owned)
}

/// Returns the kind and name of a patch's target, if the message says that the patch matches no resource.
pub fn unmatched_patch(message: &str) -> Option<(&str, &str)> {
    let (kind, name, _) = id_parts(message.split_once("no matches for Id ")?.1)?;
    Some((kind, name))
}

/// Returns the name of the resource file in a message.
pub fn problem_file(message: &str) -> Option<&str> {
    let names = ["resources from '", "resources: '"].iter().find_map(|before| message.rsplit_once(before));
    Some(names?.1.split_once('\'')?.0)
}

/// Adds findings for a failed build.
pub(super) fn report(message: &str, closure: &mut Closure, target: &KustomizeTarget<'_>) {
    report_causes(closure, target);
    if !closure.findings.diagnostics.is_empty() {
        return;
    }
    let sources = closure.kustomizations.clone();
    let documents: Vec<Kustomization<'_>> = sources.iter().filter_map(Kustomization::read).collect();
    let message = message.replace("\\\"", "\"");
    let known_problem = KNOWN_MESSAGES.iter().find(|known| message.contains(known.part));
    let file = known_problem.and_then(|_| named_file(&message, closure, target));
    let location = known_problem.and_then(|known| location(known, &message, &documents));
    let start = documents.iter().find(|kustomization| kustomization.is_named_in(&message)).or(documents.first());
    let start = start.map(|kustomization| Span::new(kustomization.id, 0, 0));
    let Some(at) = file.or(location).or(start) else { return };
    closure.report(match known_problem {
        Some(known) => diagnostics::kustomize_error(&known.problem(&message), at),
        None => diagnostics::unknown_failure(&target.shown.display().to_string(), at),
    });
}

/// Reports mistakes that are certain to make kustomize fail and can be located without its message: files and inline
/// patches that are not YAML, and literals without a key.
fn report_causes(closure: &mut Closure, target: &KustomizeTarget<'_>) {
    for path in closure.files.clone().iter().filter(|path| is_manifest(path)) {
        if let Some((id, source)) = closure.read(target, path) {
            closure.documents(id, &source, read);
        }
    }
    for (id, source) in closure.kustomizations.clone() {
        causes(id, &source).into_iter().for_each(|cause| closure.report(cause));
    }
}

/// Returns the findings for inline patches in a kustomization that are not YAML, and for literals without a key.
fn causes(id: SourceId, source: &Source) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let documents = read_value(id, &source.text, &Limits::default()).output;
    for root in documents.iter().map(Document::root) {
        for generator in GENERATORS.iter().flat_map(|key| items(root, key)) {
            let literals =
                items(generator, "literals").filter(|item| item.as_str().is_some_and(|text| !text.contains('=')));
            findings
                .extend(literals.map(|literal| diagnostics::kustomize_error("expected `key=value`", literal.span())));
        }
        for patch in PATCHES.iter().flat_map(|key| items(root, key)) {
            let inline_patch = patch.get("patch").or(Some(patch)).filter(|node| is_inline(*node));
            if let Some((node, text)) = inline_patch.and_then(|node| Some((node, node.as_str()?))) {
                let parsed = read_value(id, text, &Limits::default());
                let is_valid_patch =
                    |document: &Document<'_>| document.root().is_mapping() || document.root().items().len() > 0;
                // kustomize accepts repeated keys.
                let mut mistakes = parsed.diagnostics.iter().filter(|finding| finding.code != Code::DuplicateKey);
                if mistakes.next().is_some() || !parsed.output.iter().all(is_valid_patch) {
                    findings.push(diagnostics::kustomize_error("expected the patch to be valid YAML", node.span()));
                }
            }
        }
    }
    findings
}

/// Whether a string is an inline patch rather than a path.
fn is_inline(node: Node<'_>) -> bool {
    node.as_str()
        .is_some_and(|text| text.contains('\n') || text.contains(':') || !is_manifest(std::path::Path::new(text)))
}

fn items<'d>(node: Node<'d>, key: &str) -> impl Iterator<Item = Node<'d>> + use<'d> {
    node.get(key).into_iter().flat_map(Node::items)
}

struct Kustomization<'s> {
    id: SourceId,
    directory: String,
    documents: Vec<Document<'s>>,
}

impl<'s> Kustomization<'s> {
    fn read((id, source): &'s (SourceId, Arc<Source>)) -> Option<Self> {
        let directory = source.path.as_deref()?.parent()?.display().to_string();
        Some(Self { id: *id, directory, documents: read_value(*id, &source.text, &Limits::default()).output })
    }

    fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.documents.iter().map(Document::root)
    }

    /// Whether the innermost directory in a message is the kustomization's directory.
    fn is_named_in(&self, message: &str) -> bool {
        let quoted = format!("'{}'", self.directory);
        let is_named = |before: &str| {
            message.rfind(before).is_some_and(|at| {
                message.get(at..).is_some_and(|rest| rest.trim_start_matches(before).starts_with(&quoted))
            })
        };
        is_named("recursed accumulation of path ") || is_named("for path ")
    }
}

/// Returns the part of a kustomization that causes a problem.
fn location(known: &KnownMessage, message: &str, documents: &[Kustomization<'_>]) -> Option<Span> {
    let is_in = |kustomization: &&Kustomization<'_>| kustomization.is_named_in(message);
    let first_kustomizations =
        documents.iter().filter(is_in).chain(documents.iter().filter(|other| !other.is_named_in(message)));
    let roots: Vec<_> = first_kustomizations.flat_map(Kustomization::roots).collect();
    if known.part == "unknown field" {
        let name = message.split_once("unknown field \"")?.1.split_once('"')?.0;
        return roots.iter().find_map(|root| key_span(*root, name, 0));
    }
    if known.part == "cannot unmarshal" {
        let path = message.split_once("Go struct field ")?.1.split_once(' ')?.0;
        let path: Vec<_> = path.split('.').skip(1).collect();
        return roots.iter().find_map(|root| path_span(*root, &path));
    }
    let candidates = || roots.iter().flat_map(|root| known.fields.iter().filter_map(|field| root.entry(field)));
    let entries: Vec<Entry<'_>> = candidates().collect();
    let mut items = entries.iter().flat_map(|entry| entry.value.items());
    let is_file = |item: &Node<'_>| item.as_str().is_some_and(|file| Some(file) == problem_file(message));
    // The second of two equal entries is the mistake.
    if let Some(file) = items.clone().filter(is_file).last() {
        return Some(file.span());
    }
    let exact_span = items.find_map(|item| {
        let span = item.span();
        let part = subject_range(message, item.raw())?;
        let at = span.start as usize;
        Some(Span::new(span.source, at + part.start, at + part.end))
    });
    exact_span.or_else(|| entries.first().map(|entry| entry.key_span))
}

/// Returns the range of a message's subject in `text`, which is a patch or another part of a kustomization. The subject
/// is a path or operation in a JSON Patch, or an object's name.
fn subject_range(message: &str, text: &str) -> Option<Range<usize>> {
    let range_of = |part: &str| text.find(part).filter(|_| !part.is_empty()).map(|at| at..at + part.len());
    let word_after = |before: &str| {
        let rest = message.split_once(before)?.1.trim_start_matches('"');
        Some(rest.split([':', '"', ' ', '\n']).next().unwrap_or_default())
    };
    if let Some(operation) = word_after("Unexpected kind: ") {
        return range_of(&format!("op: {operation}")).or_else(|| range_of(&format!("\"op\": \"{operation}\"")));
    }
    let path = word_after("path: ").filter(|path| path.starts_with('/')).and_then(range_of);
    path.or_else(|| object_name(message).filter(|name| has_word(text, name)).and_then(range_of))
}

/// Returns the file that a message names, if the build loads it.
fn named_file(message: &str, closure: &mut Closure, target: &KustomizeTarget<'_>) -> Option<Span> {
    let name = problem_file(message)?;
    let named_path = closure.files.iter().find(|path| path.ends_with(name.trim_start_matches("./")));
    let path = named_path.filter(|_| is_manifest(std::path::Path::new(name)))?.clone();
    let (id, _) = closure.read(target, &path)?;
    Some(Span::new(id, 0, 0))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.')).any(|part| part == word)
}

/// Returns the span of a key in a kustomization.
fn key_span(node: Node<'_>, name: &str, depth: usize) -> Option<Span> {
    if depth > 5 {
        return None;
    }
    let direct_span = node.entry(name).map(|entry| entry.key_span);
    let nested_nodes = || node.entries().map(|entry| entry.value).chain(node.items());
    direct_span.or_else(|| nested_nodes().find_map(|child| key_span(child, name, depth + 1)))
}

/// Returns the span of the value at a path. Lists on the path do not count as steps.
fn path_span(node: Node<'_>, path: &[&str]) -> Option<Span> {
    let Some((first, rest)) = path.split_first() else {
        return Some(node.span());
    };
    match node.entry(first) {
        Some(entry) if rest.is_empty() => Some(entry.key_span),
        Some(entry) => path_span(entry.value, rest).or(Some(entry.key_span)),
        None => node.items().find_map(|item| path_span(item, path)),
    }
}

/// Returns the name of the object that a message refers to.
fn object_name(message: &str) -> Option<&str> {
    let quoted_name = message.split_once("Name:\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    let repeated_name = message.split_once("configmap ").and_then(|(_, rest)| Some(rest.split_once(" illegally")?.0));
    quoted_name.or(repeated_name).or_else(|| Some(id_parts(message)?.1))
}

/// Returns the object that a message names (`ResId.String`), as `Kind/namespace/name`.
fn id(message: &str) -> Option<String> {
    let (kind, name, namespace) = id_parts(message)?;
    Some(match namespace {
        "[noNs]" => format!("{kind}/{name}"),
        namespace => format!("{kind}/{namespace}/{name}"),
    })
}

/// Returns the kind, name and namespace in an ID such as `Secret.v1.[noGrp]/name.[noNs]`.
fn id_parts(message: &str) -> Option<(&str, &str, &str)> {
    let is_plain = |text: &str| {
        !text.is_empty()
            && text.len() <= 253
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.[]".contains(&byte))
    };
    let words = message.split(|c: char| c.is_whitespace() || "\"';{}".contains(c));
    words.rev().find_map(|word| {
        let (kind, object) = word.trim_end_matches(':').split_once('/')?;
        let (kind, version) = kind.split_once('.')?;
        // A field path may follow the ID.
        let (name, namespace) = object.split(':').next()?.rsplit_once('.')?;
        let is_id = (version.starts_with('v') || version.starts_with("[noVer]")) && version.contains('.');
        (is_id && [kind, name, namespace].into_iter().all(is_plain)).then_some((kind, name, namespace))
    })
}

/// Returns the error in a klog message (`KVListFormat`), which some builds of kubectl print. The error is quoted or on
/// separate lines.
pub(super) fn unquote_klog(text: &str) -> String {
    let Some((_, error)) = text.split_once("\"command failed\" err=") else {
        return text.to_owned();
    };
    let lines = error.strip_prefix("<\n").and_then(|lines| lines.strip_suffix("\n >"));
    match lines {
        Some(lines) => lines.replace("\n\t", "\n").trim_start().to_owned(),
        None => serde_json::from_str(error).unwrap_or_else(|_| error.trim_matches('"').to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_errors_of_every_kubectl_version() {
        let klog_line = "E1126 18:49:36.3 31585 run.go:72] \"command failed\" err=";
        for (text, expected) in [
            ("Error: a 'b'".to_owned(), "Error: a 'b'"),
            (format!("{klog_line}\"a 'b': unknown field \\\"c\\\"\""), "a 'b': unknown field \"c\""),
            (format!("{klog_line}<\n\ta\n\tb\n >"), "a\nb"),
            (format!("{klog_line}\"cut"), "cut"),
        ] {
            assert_eq!(unquote_klog(&text), expected);
        }
    }

    #[test]
    fn parses_object_ids() {
        for (message, expected) in [
            ("no matches for Id Secret.v1.[noGrp]/other.[noNs]; x", Some("Secret/other")),
            (
                "id: GrafanaAgent.v1alpha1.monitoring.grafana.com/a.b.monitoring': must",
                Some("GrafanaAgent/monitoring/a.b"),
            ),
            ("source Secret.[noVer].[noGrp]/s.[noNs]", Some("Secret/s")),
            ("nothing selected by ConfigMap.[noVer].[noGrp]/a.[noNs]:data.url", Some("ConfigMap/a")),
            ("a/b", None),
            ("password: a.v1/b=c.d", None),
        ] {
            assert_eq!(id(message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn finds_patches_that_are_not_valid_yaml() {
        for (patch, expected) in [("{a: b", 1), ("a", 1), ("[a]", 0), ("{a: b}", 0), ("{a: b, a: c}", 0)] {
            let source = Source::new("", format!("patches: [{{patch: '{patch}'}}]"), false);
            let actual = causes(crate::source::Sources::default().add(Source::new("", "", false)), &source);
            assert_eq!(actual.len(), expected, "{patch}");
        }
    }

    #[test]
    fn recognizes_builds_that_exceed_their_limits() {
        for (message, expected) in [
            ("fatal error: runtime: out of memory\n\nruntime stack:", "the build needs more than 2GiB of memory"),
            ("it took more than 120 seconds", "the build takes more than 120 seconds"),
        ] {
            assert!(is_exhausted(message));
            assert_eq!(known_problem(message).as_deref(), Some(expected));
        }
        assert!(!is_exhausted("Error: no matches for Id ConfigMap.v1.[noGrp]/it took more than.[noNs]"));
    }
}
