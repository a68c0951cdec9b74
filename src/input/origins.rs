//! Origins of the objects that kustomize builds.
//!
//! A build with `originAnnotations` and `transformerAnnotations` reveals the origins. If the kustomization is a copy,
//! it can request these annotations itself ([`request`]). Otherwise, a wrapper kustomization in a separate directory
//! requests them in a second build.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;
use serde_json::Value;

use super::containment::ContainingTree;
use super::manifest_files::is_manifest;
use crate::source::{DocumentOrigin, Source, SourceContent, Sources};
use crate::yaml::{Limits, read};

/// Maximum size of a kustomization that is searched for name prefixes and suffixes.
const MAX_SIZE: u64 = 1 << 20;

/// Annotations set by kustomize to record origins.
const ORIGIN: &str = "config.kubernetes.io/origin: |";
const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations: |";

/// Values of `buildMetadata` that request annotations, each with the key of the requested annotation.
const REQUESTS: [(&str, &str); 2] = [
    ("originAnnotations", "config.kubernetes.io/origin:"),
    ("transformerAnnotations", "alpha.config.kubernetes.io/transformations:"),
];

/// A kustomization that requests annotations.
pub struct AnnotationRequest {
    pub kustomization: String,
    /// Keys of the annotations that the original does not request.
    added: Vec<&'static str>,
}

impl AnnotationRequest {
    /// Returns the output of the original kustomization, given the output of this kustomization. Returns `None` if the
    /// latter contains no annotations or if annotations were copied to other fields.
    pub fn without_added_annotations(&self, built: &str) -> Option<String> {
        let text = built.contains(ORIGIN).then(|| without_annotations(built, &self.added))?;
        let is_copied = self.added.iter().any(|key| text.contains(key));
        (!is_copied).then_some(text)
    }
}

/// Changes the text of a kustomization so that it requests annotations. Returns `None` if this is not possible without
/// other changes.
pub fn request_annotations(kustomization: &str) -> Option<AnnotationRequest> {
    const FIELD: &str = "buildMetadata";
    if kustomization.starts_with('{') {
        let mut value: Value = serde_json::from_str(kustomization).ok()?;
        let options = value.as_object_mut()?.entry(FIELD).or_insert_with(|| Value::Array(Vec::new())).as_array_mut()?;
        let missing_requests: Vec<_> =
            REQUESTS.into_iter().filter(|(option, _)| !options.contains(&(*option).into())).collect();
        options.extend(missing_requests.iter().map(|(option, _)| Value::from(*option)));
        let added_annotations = missing_requests.into_iter().map(|(_, key)| key).collect();
        return Some(AnnotationRequest { kustomization: value.to_string(), added: added_annotations });
    }
    let end = if kustomization.ends_with('\n') { "" } else { "\n" };
    let options = REQUESTS.map(|(option, _)| option).join(", ");
    (!kustomization.contains(FIELD)).then(|| AnnotationRequest {
        kustomization: format!("{kustomization}{end}{FIELD}: [{options}]\n"),
        added: REQUESTS.map(|(_, key)| key).to_vec(),
    })
}

/// Removes annotations from the objects in kustomize's output.
fn without_annotations(built: &str, keys: &[&str]) -> String {
    let mut text = String::with_capacity(built.len());
    let mut lines = built.split_inclusive('\n').peekable();
    let mut is_metadata = false;
    while let Some(line) = lines.next() {
        is_metadata = line == "metadata:\n" || (is_metadata && line.starts_with(' '));
        if !is_metadata || line != "  annotations:\n" {
            text.push_str(line);
            continue;
        }
        let start = text.len();
        let mut is_removed = false;
        // A multi-line string in an annotation may contain empty lines.
        while let Some(line) = lines.next_if(|line| line.starts_with("    ") || *line == "\n") {
            if let Some(entry) = line.strip_prefix("    ").filter(|entry| !entry.starts_with(' ')) {
                is_removed = keys.iter().any(|key| entry.starts_with(key));
            }
            text.push_str(if is_removed { "" } else { line });
        }
        if text.len() > start {
            text.insert_str(start, line);
        }
    }
    text
}

/// Strings in files that indicate that the result of a build depends on objects' annotations, and the keys of the
/// annotations that agentctl requests.
const ANNOTATION_MARKERS: [&str; 4] =
    ["metadata/annotations", "needs-hash", "config.kubernetes.io/origin", "alpha.config.kubernetes.io/transformations"];

/// Whether a file in a build can make the result depend on annotations, such as a JSON Patch that adds the first
/// annotation.
pub fn depends_on_annotations(file: &[u8]) -> bool {
    let contains = |text: &str| memmem::find(file, text.as_bytes()).is_some();
    let copies_annotations = || contains("metadata.annotations") && (contains("fieldPaths") || contains("fieldref"));
    ANNOTATION_MARKERS.into_iter().any(contains) || copies_annotations()
}

/// Creates a directory with a kustomization that builds another kustomization and requests annotations.
pub(super) fn wrapper_kustomization(target: &Path) -> Option<tempfile::TempDir> {
    let wrapper_directory = tempfile::tempdir().ok()?;
    let real_directory = fs::canonicalize(wrapper_directory.path()).ok()?;
    let path_to_root = real_directory.components().filter(|part| matches!(part, Component::Normal(_)));
    let mut path: PathBuf = path_to_root.map(|_| "..").collect();
    path.extend(target.components().filter(|part| matches!(part, Component::Normal(_))));
    let path = serde_json::to_string(path.to_str()?).ok()?;
    let text = format!("resources: [{path}]\nbuildMetadata: [originAnnotations, transformerAnnotations]\n");
    fs::write(real_directory.join("kustomization.yaml"), text).ok()?;
    Some(wrapper_directory)
}

/// Returns the origins of the documents in `built`. `annotated` contains the directory and the output of the second
/// build. Paths in the annotations are relative to this directory. A document with an unknown or remote origin is
/// attributed to `kustomization`. Only files in the repository that contains `target` are read.
pub(super) fn origins(
    built: &str,
    annotated: Option<(&Path, &str)>,
    target: &Path,
    kustomization: &Path,
) -> Vec<DocumentOrigin> {
    let (wrapper_directory, annotated) = annotated.unwrap_or((target, ""));
    let (Ok(folder), Ok(tree)) = (fs::canonicalize(wrapper_directory), ContainingTree::containing(target)) else {
        return Vec::new();
    };
    let annotated_documents: HashMap<_, _> = built_documents(annotated).map(|(_, text)| (key(text), text)).collect();
    let origins = built_documents(built).map(|(start, text)| {
        let key @ [.., name] = key(text);
        let annotated = annotated_documents.get(&key).copied().unwrap_or_default();
        let origin = |name| field(annotated, ORIGIN, name);
        let file = origin("path: ").or_else(|| origin("configuredIn: "));
        let file = file.filter(|_| origin("repo: ").is_none());
        DocumentOrigin {
            start,
            file: file.map_or_else(|| display_path(kustomization), |file| display_path(&folder.join(file))),
            name: original_name(name, annotated, &folder, &tree),
            transformed_in: transforming_kustomizations(annotated, &folder),
        }
    });
    origins.collect()
}

/// Returns the kustomizations that transform an object, from the innermost to the outermost.
fn transforming_kustomizations(annotated: &str, folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for line in annotation_lines(annotated, TRANSFORMATIONS) {
        let file = line.trim_start_matches([' ', '-']).strip_prefix("configuredIn: ");
        let file = file.map(|file| display_path(&folder.join(file)));
        files.extend(file.filter(|file| files.last() != Some(file)));
    }
    files
}

/// A file that documents were built from.
pub(super) struct OriginFile {
    /// Canonical path of the file.
    pub(super) path: PathBuf,
    pub(super) content: SourceContent,
}

/// Returns the files that documents were built from and the files that their kustomizations refer to, keyed by the
/// names to use in messages.
pub(super) fn files(origins: &[DocumentOrigin]) -> BTreeMap<String, OriginFile> {
    let mut files = BTreeMap::new();
    let mut add = |name: String, content: SourceContent| -> Option<PathBuf> {
        let real_path = fs::canonicalize(&name).ok().filter(|real| real.is_file())?;
        files.insert(name, OriginFile { path: real_path.clone(), content });
        Some(real_path)
    };
    let named_kustomizations = origins.iter().flat_map(|origin| origin.transformed_in.iter().chain([&origin.file]));
    for name in named_kustomizations.collect::<BTreeSet<_>>() {
        let kustomization = add(name.clone(), SourceContent::Manifests).filter(|real| is_kustomization(real));
        let Some(kustomization) = kustomization else {
            continue;
        };
        let directory = Path::new(name).parent().unwrap_or(Path::new(""));
        let Some(tree) = kustomization.parent().and_then(|parent| ContainingTree::containing(parent).ok()) else {
            continue;
        };
        let text = read_short_text(&kustomization).unwrap_or_default();
        let words = text.split(|c: char| c.is_whitespace() || "[]{},'\"".contains(c));
        let patches = words.filter(|word| is_manifest(Path::new(word)) && tree.contains(directory, Path::new(word)));
        patches.for_each(|word| drop(add(display_path(&directory.join(word)), SourceContent::Manifests)));
        for file in generator_files(&text).iter().filter(|file| tree.contains(directory, Path::new(file))) {
            let path = directory.join(file);
            if fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_SIZE) {
                add(display_path(&path), SourceContent::SecretValue);
            }
        }
    }
    files
}

/// Fields of kustomizations that generate Secrets and ConfigMaps.
pub(super) const GENERATORS: [&str; 2] = ["secretGenerator", "configMapGenerator"];

/// Returns the files that a kustomization's generators read.
fn generator_files(kustomization: &str) -> Vec<String> {
    let id = Sources::default().add(Source::new("", "", false));
    let documents = read(id, kustomization, &Limits::default()).output;
    let roots = documents.iter().map(|document| document.root());
    let entries = roots.flat_map(|root| GENERATORS.into_iter().flat_map(move |key| root.items_at(key)));
    let files = entries.flat_map(|entry| {
        let files = entry.items_at("files").filter_map(|file| Some(key_and_path(file.as_str()?).1));
        let variables = entry.items_at("envs").chain(entry.get("env")).filter_map(|file| file.as_str());
        files.chain(variables)
    });
    files.map(str::to_owned).collect()
}

/// Returns the key and path in a generator's `files` entry, such as `key=path` or `directory/key`.
pub(super) fn key_and_path(entry: &str) -> (&str, &str) {
    let name = || (entry.rsplit('/').next().unwrap_or_default(), entry);
    entry.split_once('=').unwrap_or_else(name)
}

fn is_kustomization(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("kustomization"))
}

fn read_short_text(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SIZE);
    fs::read_to_string(path).ok().filter(|_| is_small)
}

/// Returns the documents in kustomize's output, each with its offset. Each document keeps its trailing line break,
/// which may be part of a block scalar.
pub fn built_documents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive("\n---\n").map(move |part| {
        let at = start;
        start += part.len();
        let separated = part.ends_with("\n---\n").then(|| part.strip_suffix("---\n")).flatten();
        (at, separated.unwrap_or(part))
    })
}

/// Returns an object's key, which consists of its `apiVersion`, kind, namespace and name.
fn key(document: &str) -> [&str; 4] {
    let at_root = |name| document.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let metadata = || document.lines().skip_while(|line| *line != "metadata:").skip(1);
    let metadata = || metadata().take_while(|line| line.starts_with(' '));
    let metadata_value = |name| metadata().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    [at_root("apiVersion: "), at_root("kind: "), metadata_value("  namespace: "), metadata_value("  name: ")]
}

/// Returns the value on the line that starts with `name` in an annotation.
fn field<'t>(document: &'t str, annotation: &str, name: &str) -> Option<&'t str> {
    annotation_lines(document, annotation).find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(name))
}

fn annotation_lines<'t>(document: &'t str, annotation: &str) -> impl Iterator<Item = &'t str> {
    let lines = document.lines().skip_while(move |line| line.trim_start() != annotation || !line.starts_with("    "));
    lines.skip(1).take_while(|line| line.starts_with("      "))
}

/// Returns the name without the added prefixes and suffixes, or `None` if the name is unchanged or was changed in a
/// different way.
fn original_name(name: &str, annotated: &str, folder: &Path, tree: &ContainingTree) -> Option<String> {
    let lines: Vec<_> = annotation_lines(annotated, TRANSFORMATIONS).collect();
    let mut left = name;
    let mut transformer = "";
    // The outermost transformation comes last.
    for line in lines.iter().rev() {
        let line = line.trim_start_matches([' ', '-']);
        if let Some(kind) = line.strip_prefix("kind: ") {
            transformer = kind;
        }
        let Some(file) = line.strip_prefix("configuredIn: ") else {
            continue;
        };
        left = match transformer {
            "PrefixTransformer" => left.strip_prefix(&setting(&folder.join(file), "namePrefix:", tree)?)?,
            "SuffixTransformer" => left.strip_suffix(&setting(&folder.join(file), "nameSuffix:", tree)?)?,
            _ => left,
        };
    }
    (left != name && !left.is_empty()).then(|| left.to_owned())
}

/// Returns the value of a field in a kustomization.
fn setting(path: &Path, name: &str, tree: &ContainingTree) -> Option<String> {
    let real = fs::canonicalize(path).ok().filter(|_| is_kustomization(path))?;
    let is_held = tree.contains(real.parent()?, Path::new(real.file_name()?));
    let text = read_short_text(&real).filter(|_| is_held)?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let value = value.split(" #").next().unwrap_or_default();
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// Returns the path for use in messages. It is relative to the working directory if the path is below it.
pub fn display_path(path: &Path) -> String {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(result.pop()),
            part => result.push(part),
        }
    }
    let working_directory = env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    result.strip_prefix(&working_directory).unwrap_or(&result).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_contain_file_and_name() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("w")).unwrap();
        fs::write(root.join("kustomization.yaml"), "namePrefix: 'prod-'\nnameSuffix: -eu # here\n").unwrap();
        let built = "apiVersion: v1\nkind: A\nmetadata:\n  name: prod-a-eu\n---\napiVersion: v1\nkind: B\nmetadata:\n  name: b\n";
        let annotated = "apiVersion: v1\nkind: B\nmetadata:\n  annotations:\n    config.kubernetes.io/origin: |\n      path: ../b.yaml\n      repo: https://x\n  name: b\n---\napiVersion: v1\nkind: A\nmetadata:\n  annotations:\n    alpha.config.kubernetes.io/transformations: |\n      - configuredIn: ../kustomization.yaml\n        configuredBy:\n          kind: PrefixTransformer\n      - configuredIn: ../kustomization.yaml\n        configuredBy:\n          kind: SuffixTransformer\n    config.kubernetes.io/origin: |\n      path: ../base/a.yaml\n  name: prod-a-eu\n";
        let folder = root.join("w");
        let actual = origins(built, Some((&folder, annotated)), &root, &root.join("kustomization.yaml"));
        let expected = [
            DocumentOrigin {
                start: 0,
                file: root.join("base/a.yaml").display().to_string(),
                name: Some("a".to_owned()),
                transformed_in: vec![root.join("kustomization.yaml").display().to_string()],
            },
            DocumentOrigin {
                start: 55,
                file: root.join("kustomization.yaml").display().to_string(),
                name: None,
                transformed_in: Vec::new(),
            },
        ];
        assert_eq!(actual, expected);
    }

    #[test]
    fn requests_origin_annotations_and_removes_them() {
        let origin = "    config.kubernetes.io/origin: |\n      path: a.yaml\n";
        let transformed = "    alpha.config.kubernetes.io/transformations: |\n      - configuredIn: x\n";
        let own = "    a: |+\n      x\n\n    z: b\n";
        let document = |annotations: &str| {
            let annotations = match annotations {
                "" => String::new(),
                entries => format!("  annotations:\n{entries}"),
            };
            format!("data:\n  annotations:\n{own}kind: A\nmetadata:\n{annotations}  name: a\nspec: 1\n")
        };
        let built = [origin.to_owned(), format!("{transformed}{own}{origin}"), own.to_owned()];
        let built = built.map(|annotations| document(&annotations)).join("---\n");
        let expected = ["", own, own].map(document).join("---\n");
        let options = "buildMetadata: [originAnnotations, transformerAnnotations]\n";
        for text in ["resources: [a]", "resources: [a]\n"] {
            let request = request_annotations(text).unwrap();
            assert_eq!(request.kustomization, format!("resources: [a]\n{options}"));
            assert_eq!(request.without_added_annotations(&built).as_deref(), Some(expected.as_str()));
            assert_eq!(request.without_added_annotations("kind: A\n"), None);
            // An annotation that was copied to another field cannot be removed.
            assert_eq!(request.without_added_annotations(&format!("{built}data:\n{origin}")), None);
        }
        let origins = request_annotations(r#"{"buildMetadata":["originAnnotations"]}"#).unwrap();
        assert_eq!(origins.kustomization, r#"{"buildMetadata":["originAnnotations","transformerAnnotations"]}"#);
        assert!(
            origins
                .without_added_annotations(&built)
                .unwrap()
                .contains(&format!("metadata:\n  annotations:\n{origin}"))
        );
        for text in ["buildMetadata: []\n", "{a: b}", r#"{"buildMetadata":1}"#] {
            assert!(request_annotations(text).is_none(), "{text}");
        }
    }

    #[test]
    fn finds_files_that_depend_on_annotations() {
        for (text, expected) in [
            ("- op: add\n  path: /metadata/annotations/a\n", true),
            ("fieldPaths: [metadata.annotations.a]", true),
            ("fieldRef: {fieldPath: metadata.annotations['a']}", false),
            ("annotations: {kustomize.config.k8s.io/needs-hash: 'true'}", true),
            ("commonAnnotations: {a: b}", false),
        ] {
            assert_eq!(depends_on_annotations(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn identifies_documents_by_version_kind_namespace_and_name() {
        let text = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: n\n---\nkind: B\n";
        let actual: Vec<_> = built_documents(text).map(|(at, text)| (at, key(text))).collect();
        assert_eq!(actual, [(0, ["v1", "A", "n", "a"]), (62, ["", "B", "", ""])]);
        let blocks = "a: |\n  x\n---\nb: |\n  ---\n";
        assert_eq!(built_documents(blocks).collect::<Vec<_>>(), [(0, "a: |\n  x\n"), (13, "b: |\n  ---\n")]);
        // Only the object's own fields are considered.
        let nested = "apiVersion: v1\nkind: A\nspec:\n  name: b\nmetadata:\n  labels:\n    name: c\n  name: a\nx:\n  namespace: n";
        assert_eq!(key(nested), ["v1", "A", "", "a"]);
    }

    #[test]
    fn reads_kustomization_settings_within_the_tree() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("in/a")).unwrap();
        let tree = ContainingTree::containing(&root.join("in")).unwrap();
        let text = "a: x\n  namePrefix: y\nnamePrefix: \"p-\" # z\n";
        let large = format!("{text}{}", "#".repeat(usize::try_from(MAX_SIZE).unwrap()));
        let most = format!("{text}{}", "#".repeat(usize::try_from(MAX_SIZE).unwrap() - text.len()));
        for (path, text, expected) in [
            ("in/kustomization.yaml", text, Some("p-")),
            ("in/a/Kustomization", text, Some("p-")),
            ("in/kustomization.yml", "namePrefix: p#x\n", Some("p#x")),
            ("in/a/kustomization.yaml", most.as_str(), Some("p-")),
            ("in/a/kustomization.yml", large.as_str(), None),
            ("in/other.yaml", text, None),
            ("in/a/kustomization.json", "a: b\n", None),
            ("kustomization.yaml", text, None),
        ] {
            fs::write(root.join(path), text).unwrap();
            assert_eq!(setting(&root.join(path), "namePrefix:", &tree).as_deref(), expected, "{path}");
        }
        assert_eq!(setting(&root.join("in/gone/kustomization.yaml"), "namePrefix:", &tree), None);
    }

    #[test]
    fn removes_prefixes_and_suffixes_from_names() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::write(root.join("kustomization.yaml"), "namePrefix: p-\nnameSuffix: -s\n").unwrap();
        let tree = ContainingTree::containing(&root).unwrap();
        let annotated = |kinds: &[&str]| {
            let steps = kinds.iter().map(|kind| {
                format!("      - configuredIn: kustomization.yaml\n        configuredBy:\n          kind: {kind}\n")
            });
            let steps: String = steps.collect();
            format!("metadata:\n  annotations:\n    alpha.config.kubernetes.io/transformations: |\n{steps}  name: x\n")
        };
        for (name, kinds, expected) in [
            ("p-a", &["PrefixTransformer"][..], Some("a")),
            ("a-s", &["SuffixTransformer"], Some("a")),
            ("p-a-s", &["PrefixTransformer", "SuffixTransformer"], Some("a")),
            ("p-a", &["SuffixTransformer"], None),
            ("p-a", &["LabelTransformer"], None),
            ("p-a", &["LabelTransformer", "PrefixTransformer"], Some("a")),
            ("p-", &["PrefixTransformer"], None),
            ("a", &[], None),
        ] {
            let actual = original_name(name, &annotated(kinds), &root, &tree);
            assert_eq!(actual.as_deref(), expected, "{name} {kinds:?}");
        }
    }

    #[test]
    fn shows_normalized_paths() {
        let working_directory = env::current_dir().and_then(fs::canonicalize).unwrap();
        for (path, expected) in [
            (working_directory.join("a/../b"), "b"),
            (working_directory.join("a/b"), "a/b"),
            (PathBuf::from("/nowhere/a/../b"), "/nowhere/b"),
        ] {
            assert_eq!(display_path(&path), expected);
        }
    }
}
