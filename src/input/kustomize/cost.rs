//! Limit on the work of kustomize. kustomize loads a base again for each kustomization that refers to it, and expands
//! aliases, so a small input can make kustomize read many times the input's size.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memmem};

use super::references::{Role, for_each_reference};
use super::remote::fold_case;
use super::target::{MAX_DEPTH, kustomization_files};
use crate::diagnostic::Code;
use crate::printable::ByteSize;
use crate::source::{BYTE_ORDER_MARK, Source, SourceId, Sources, Span};
use crate::yaml::{Document, Limits, Node, read};

/// Maximum number of kustomizations that a build loads, counting each repetition.
const MAX_LOADS: u64 = 10_000;
/// Maximum size of everything that the build of a small input reads and adds to objects, including repetitions and
/// expanded aliases.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum size for a large input, as a multiple of the input's size.
const MAX_RATIO: u64 = 16;
/// Maximum size of a single file.
const MAX_FILE: u64 = 512 << 20;

/// Amount of work that a file or directory causes for kustomize. Each repetition counts.
#[derive(Clone, Copy, Default)]
struct Cost {
    loads: u64,
    bytes: u64,
    objects: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.loads = self.loads.saturating_add(other.loads);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.objects = self.objects.saturating_add(other.objects);
    }
}

/// Fields with values that are added to every object, in lower case.
const ADDED_FIELDS: [&str; 6] =
    ["commonannotations", "commonlabels", "labels", "nameprefix", "namesuffix", "namespace"];

/// Fields with patches that may have several targets, in lower case.
const PATCHES: [&str; 2] = ["patches", "patchesjson6902"];

struct Walk {
    /// Costs of directories, and costs of files in each of their roles.
    known: HashMap<(PathBuf, Option<Role>), Cost>,
    /// Number of directories between the first directory and the current one.
    depth: usize,
    /// Total size of the files, counting each file once.
    input: u64,
    source: SourceId,
}

/// Reason why kustomize should not build a directory.
pub struct BuildExcess {
    pub problem: String,
    /// File with the problem, and the span of the problem in the file. The source ID in the span has no meaning.
    pub location: Option<(PathBuf, Span)>,
}

impl From<String> for BuildExcess {
    fn from(problem: String) -> Self {
        Self { problem, location: None }
    }
}

/// Returns the reason why kustomize should not build a directory, or `None` if the amount to read is acceptable.
/// Unreadable paths cost nothing, because kustomize reports them.
pub fn build_excess(directory: &Path) -> Option<BuildExcess> {
    let source = Sources::default().add(Source::new("", "", false));
    let mut walk = Walk { known: HashMap::new(), depth: 0, input: 0, source };
    let Cost { loads, bytes, .. } = match walk.directory(directory) {
        Ok(cost) => cost,
        Err(excess) => return Some(excess),
    };
    if loads > MAX_LOADS {
        return Some(format!("expected kustomize to load at most {MAX_LOADS} kustomizations, found more").into());
    }
    let limit = MAX_BYTES.max(walk.input.saturating_mul(MAX_RATIO));
    let problem = || format!("expected a build of at most {}, found repetitions that need more", ByteSize(limit));
    (bytes > limit).then(|| problem().into())
}

impl Walk {
    fn directory(&mut self, path: &Path) -> Result<Cost, BuildExcess> {
        let key = (path.to_owned(), None);
        if let Some(cost) = self.known.get(&key) {
            return Ok(*cost);
        }
        if self.depth >= MAX_DEPTH {
            return Err(format!("expected at most {MAX_DEPTH} nested kustomizations, found more").into());
        }
        // kustomize detects cycles immediately, so they cost nothing.
        self.known.insert(key.clone(), Cost::default());
        self.depth += 1;
        let mut cost = Cost { loads: 1, ..Cost::default() };
        for file in kustomization_files(path) {
            let Some(text) = text(&file) else { continue };
            self.input += text.len() as u64;
            for document in self.documents(&file, &text)? {
                let root = document.root();
                cost.bytes = cost.bytes.saturating_add(self.size(&file, root, false)?);
                let mut references = Vec::new();
                for_each_reference(root, &mut |reference| references.push((reference.path(path), reference.role)));
                for (path, role) in references {
                    cost += self.reference_cost(&path, role)?;
                }
                let added_size = self.size_added_to_objects(path, &file, root)?;
                cost.bytes = cost.bytes.saturating_add(added_size.saturating_mul(cost.objects));
            }
        }
        self.depth -= 1;
        self.known.insert(key, cost);
        Ok(cost)
    }

    /// Returns the size of the data that a kustomization may add to each of its objects.
    fn size_added_to_objects(&mut self, directory: &Path, file: &Path, root: Node<'_>) -> Result<u64, BuildExcess> {
        let mut size = 0_u64;
        let fields =
            |names: &'static [&str]| root.entries().filter(|entry| names.contains(&fold_case(entry.key).as_str()));
        for field in fields(&ADDED_FIELDS) {
            size = size.saturating_add(self.size(file, field.value, false)?);
        }
        for patch in fields(&PATCHES).flat_map(|field| field.value.items()) {
            let name = patch.at("target.name").and_then(Node::as_str);
            let is_for_one = |name: &str| !name.is_empty() && !name.contains(['*', '+', '.', '|', '[', '?']);
            if patch.get("target").is_none() || name.is_some_and(is_for_one) {
                continue;
            }
            let file_size = match patch.get("path").and_then(Node::as_str) {
                Some(path) => self.reference_cost(&directory.join(path), Role::File)?.bytes,
                None => 0,
            };
            size = size.saturating_add(self.size(file, patch, false)?).saturating_add(file_size);
        }
        Ok(size)
    }

    fn reference_cost(&mut self, path: &Path, role: Role) -> Result<Cost, BuildExcess> {
        let Ok(path) = fs::canonicalize(path) else {
            return Ok(Cost::default());
        };
        match path.is_dir() {
            true if role == Role::Other => Ok(Cost::default()),
            true => self.directory(&path),
            false => self.file(path, role),
        }
    }

    fn file(&mut self, path: PathBuf, role: Role) -> Result<Cost, BuildExcess> {
        let key = (path, Some(role));
        if let Some(cost) = self.known.get(&key) {
            return Ok(*cost);
        }
        let path = &key.0;
        let cost = match role {
            Role::Data | Role::Other => {
                Cost { bytes: fs::metadata(path).map_or(0, |metadata| metadata.len()), ..Cost::default() }
            }
            _ => {
                let text = text(path).unwrap_or_default();
                let objects = if role == Role::Resource { max_objects(&text) } else { 0 };
                Cost { loads: 0, bytes: self.text_size(path, &text, false)?, objects }
            }
        };
        self.input += fs::metadata(path).map_or(0, |metadata| metadata.len());
        self.known.insert(key, cost);
        Ok(cost)
    }

    /// Returns the size of YAML with its aliases expanded. If `is_in_string` is set, the YAML is itself the value of a
    /// string, and the strings in it are not parsed as YAML. Otherwise, parsing a plain scalar would never end, because
    /// its value is the same plain scalar.
    fn text_size(&self, file: &Path, text: &str, is_in_string: bool) -> Result<u64, BuildExcess> {
        if !may_have_alias(text) {
            return Ok(text.len() as u64);
        }
        // A string that is not valid YAML contains no documents, but is still copied.
        let mut size = 0_u64;
        for document in self.documents(file, text)? {
            size = size.saturating_add(self.size(file, document.root(), is_in_string)?);
        }
        Ok(size.max(text.len() as u64))
    }

    /// Returns the size of a value with its aliases expanded, including aliases in strings that contain YAML, such as
    /// inline patches.
    fn size(&self, file: &Path, node: Node<'_>, is_in_string: bool) -> Result<u64, BuildExcess> {
        let mut size = match node.as_str() {
            Some(text) if is_in_string => text.len() as u64,
            Some(text) => self
                .text_size(file, text, true)
                .map_err(|excess| BuildExcess { location: Some((file.to_owned(), node.span())), ..excess })?,
            None => 1,
        };
        for item in node.items() {
            size = size.saturating_add(self.size(file, item, is_in_string)?);
        }
        for entry in node.entries() {
            let value = self.size(file, entry.value, is_in_string)?;
            size = size.saturating_add(entry.key.len() as u64).saturating_add(value);
        }
        Ok(size)
    }

    /// Returns the documents in a file. A file with invalid YAML contains no documents, and kustomize reports the
    /// error.
    fn documents<'t>(&self, file: &Path, text: &'t str) -> Result<Vec<Document<'t>>, BuildExcess> {
        let read = read(self.source, text, &Limits::default());
        match read.diagnostics.iter().find(|finding| finding.code == Code::YamlLimit) {
            Some(error) => {
                let location = error.primary().map(|label| (file.to_owned(), label.span));
                Err(BuildExcess { problem: error.message.clone(), location })
            }
            None => Ok(read.output),
        }
    }
}

/// Returns an upper bound on the number of objects in a file.
fn max_objects(text: &str) -> u64 {
    let kinds = || text.lines().filter(|line| line.starts_with("kind:"));
    let has_nested = kinds().count() == 0 || kinds().any(|line| line.contains("List"));
    let count = if has_nested { memmem::find_iter(text.as_bytes(), "kind").count() } else { kinds().count() };
    count as u64
}

/// Returns the text of a file, or `None` if it cannot be read or is not UTF-8.
fn text(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut text = String::new();
    File::open(path).ok()?.take(MAX_FILE).read_to_string(&mut text).ok()?;
    Some(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text))
}

/// Whether `text` may contain an alias, or a string that contains an alias.
fn may_have_alias(text: &str) -> bool {
    text.contains('&') && memchr_iter(b'*', text.as_bytes()).any(|at| starts_alias(text, at))
}

fn starts_alias(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let after = bytes.get(at + 1);
    before.is_none_or(|byte| b" \t\r\n[{,:-".contains(byte)) && after.is_some_and(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the problem with a build of these files. The first file is the kustomization to build.
    fn problem(files: &[(&str, &str)]) -> Option<String> {
        let scratch = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scratch.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        build_excess(scratch.path()).map(|excess| excess.problem)
    }

    const TOO_LARGE: &str = "expected a build of at most 64MiB, found repetitions that need more";

    #[test]
    fn repeated_files_count_each_time() {
        let file = "x".repeat(1 << 20);
        let generators = |count: usize| format!("configMapGenerator:\n{}", "- {name: a, files: [k=b]}\n".repeat(count));
        let problem = |count| problem(&[("kustomization.yaml", generators(count).as_str()), ("b", file.as_str())]);
        assert_eq!(problem(63), None);
        assert_eq!(problem(64).as_deref(), Some(TOO_LARGE));
    }

    #[test]
    fn inserted_values_count_once_per_object() {
        let objects = |count: usize| "kind: ConfigMap\n---\n".repeat(count);
        let text = format!("resources: [a.yaml]\ncommonAnnotations: {{a: {}}}\n", "x".repeat(1 << 20));
        let problem_with_annotations =
            |count: usize| problem(&[("kustomization.yaml", text.as_str()), ("a.yaml", &objects(count))]);
        assert_eq!(problem_with_annotations(60), None);
        // The value of the annotation is invalid YAML.
        let text = format!("resources: [a.yaml]\ncommonAnnotations: {{a: '{{ & *a {}'}}\n", "x".repeat(1 << 20));
        let files = [("kustomization.yaml", text.as_str()), ("a.yaml", &objects(64))];
        assert_eq!(problem(&files).as_deref(), Some(TOO_LARGE));
        assert_eq!(problem_with_annotations(64).as_deref(), Some(TOO_LARGE));
        let problem_with_patch = |target: &str| {
            let text = format!("resources: [a.yaml]\npatches: [{{path: p.yaml, target: {{{target}}}}}]\n");
            let patch = "x".repeat(1 << 20);
            problem(&[("kustomization.yaml", text.as_str()), ("p.yaml", &patch), ("a.yaml", &objects(100))])
        };
        assert_eq!(problem_with_patch("kind: ConfigMap").as_deref(), Some(TOO_LARGE));
        assert_eq!(problem_with_patch("name: .*").as_deref(), Some(TOO_LARGE));
        assert_eq!(problem_with_patch("name: one"), None);
    }

    #[test]
    fn bases_count_once_per_reference() {
        let mut files = vec![("kustomization.yaml".to_owned(), "resources: [0a, 0b]".to_owned())];
        for i in 0..14 {
            for side in ["a", "b"] {
                let next_level = i + 1;
                files.push((
                    format!("{i}{side}/kustomization.yaml"),
                    format!("resources: [../{next_level}a, ../{next_level}b]"),
                ));
            }
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let expected = "expected kustomize to load at most 10000 kustomizations, found more";
        assert_eq!(problem(&files[..25]), None);
        assert_eq!(problem(&files).as_deref(), Some(expected));
        // These strings merely look like paths.
        let other_files = [&[("kustomization.yaml", "other: [0a, 0b]")], &files[1..]].concat();
        assert_eq!(problem(&other_files), None);
    }

    #[test]
    fn aliases_count_at_their_expanded_size() {
        for text in ["a: '*.example.com'", "a: b*c & d", "a: 2 * 3 & 4"] {
            assert!(!may_have_alias(text), "{text}");
        }
        let list = format!("- &a {}\n{}", "x".repeat(1 << 20), "- *a\n".repeat(20));
        let expected = Some("the aliases expand to more than 17MiB");
        assert_eq!(problem(&[("kustomization.yaml", "resources: [a.yaml]"), ("a.yaml", &list)]).as_deref(), expected);
        let patch =
            format!("patches:\n- patch: |\n{}", list.lines().map(|line| format!("    {line}\n")).collect::<String>());
        assert_eq!(problem(&[("kustomization.yaml", &patch)]).as_deref(), expected);
        let flow_sequence = format!("[&a {}{}]", "x".repeat(1 << 20), ", *a".repeat(20));
        let patch = format!("patches: [{{patch: '{flow_sequence}'}}]\n");
        assert_eq!(problem(&[("kustomization.yaml", &patch)]).as_deref(), expected);
        // The location is the string, because the file itself contains no aliases.
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("kustomization.yaml");
        fs::write(&file, &patch).unwrap();
        let (path, span) = build_excess(scratch.path()).and_then(|excess| excess.location).unwrap();
        assert_eq!((path, span.start), (file, "patches: [{patch: ".len() as u32));
    }

    #[test]
    fn strings_in_strings_are_not_read_as_yaml() {
        // If one of these strings is parsed as YAML, the result is a plain scalar with the same value.
        for text in ["R & D *only*", "'R & D *only*'", "- R & D *only*"] {
            let annotated_object = format!("kind: ConfigMap\nmetadata:\n  annotations:\n    a: |\n      {text}\n");
            let files = [("kustomization.yaml", "resources: [a.yaml]"), ("a.yaml", annotated_object.as_str())];
            assert_eq!(problem(&files), None, "{text}");
        }
    }

    #[test]
    fn counts_objects_in_every_notation() {
        for (text, expected) in [
            ("kind: A\nspec: {kind: x}\n---\nkind: B\n", 2),
            ("kind: List\nitems:\n- kind: A\n- kind: B\n", 3),
            (r#"{"kind": "A"}"#, 1),
            ("", 0),
        ] {
            assert_eq!(max_objects(text), expected, "{text}");
        }
    }
}
