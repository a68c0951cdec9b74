//! Build of a Flux Kustomization: from its spec to the objects that Flux applies (kustomize-controller).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::artifact::{Artifact, PathKind};
use super::cause::Cause;
use super::closure::{Closure, Obstacle};
use super::failure::Failure;
use super::kustomization::{MergedKustomization, merge_spec, missing_component};
use super::kustomize_build::{BuildError, BuildOutput, Restriction, Stage};
use super::kustomize_cause::FailedBuild;
use super::object::{Object, ObjectId, identity, read_objects, text, text_at};
use super::path::{ancestors, clamp_to_root, is_manifest};
use super::remote::{remove_dependents, remove_remote};
use super::skipped::{Reason, SkipKind};
use super::sops;
use super::substitution::{Problem, Replacement, Variables, is_valid_name, placeholder, substitute};
use super::tree::{EntryKind, RepositoryTree};
use crate::go::url::redact;
use crate::input::built_documents;
use crate::yaml::{LibraryStyle, write};

/// API group of Flux Kustomizations.
pub const GROUP: &str = "kustomize.toolkit.fluxcd.io";

/// Label or annotation that disables substitution for an object.
const SUBSTITUTE: &str = "kustomize.toolkit.fluxcd.io/substitute";

/// Whether an object belongs to an API group, in any version.
pub fn is_of_group(object: &Object, group: &str) -> bool {
    text(object, "apiVersion").split_once('/').is_some_and(|(object_group, _)| object_group == group)
}

/// Whether an object is a Flux Kustomization.
pub fn is_kustomization(object: &Object) -> bool {
    text(object, "kind") == "Kustomization" && is_of_group(object, GROUP)
}

#[derive(Clone, Debug, PartialEq)]
pub struct FluxKustomization {
    pub id: ObjectId,
    pub spec: Value,
    /// Whether the API version is an old version with fields that the current version lacks.
    is_old: bool,
}

/// A reference to a ConfigMap or Secret with variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableSource {
    pub id: ObjectId,
    pub is_optional: bool,
}

/// An object in the state in which Flux applies it.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltObject {
    pub object: Object,
    /// Index of the document in kustomize's output.
    pub document: usize,
    /// File in the repository, if kustomize did not build the object.
    pub file: Option<String>,
    /// Parts of the object that come from variables.
    pub replacements: Vec<Replacement>,
    /// Paths of strings that became values of other types when variables were replaced.
    pub retyped_fields: Vec<Vec<String>>,
}

impl BuiltObject {
    /// Creates an object built by kustomize.
    fn new(object: Object, document: usize) -> Self {
        Self { object, document, file: None, replacements: Vec::new(), retyped_fields: Vec::new() }
    }

    /// Creates an object read from a file.
    pub fn from_file(object: Object, document: usize, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..Self::new(object, document) }
    }
}

/// Result of a build: its objects, and the information needed to find their origins.
#[derive(Debug, Default)]
pub struct Build {
    pub objects: Vec<BuiltObject>,
    pub output: BuildOutput,
    /// Files of the build, for determining origins.
    pub stage: Option<Stage>,
    /// Directory of the kustomization in the artifact.
    pub directory: String,
    /// Remote bases and charts that were removed before the build.
    pub removed_parts: Vec<Reason>,
    /// Path of the owner's fields that modify the build as a kustomization does, such as `spec` for `spec.patches`.
    pub options: String,
    /// ConfigMaps and Secrets with variables, in order.
    pub variables: Vec<ObjectId>,
    /// Repository paths of the files that the build reads.
    pub files: Vec<String>,
}

/// Handling of remote bases and charts, which are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remote {
    /// Skip a build that has remote parts.
    Skip,
    /// Remove the remote parts and build the remaining ones, because all other builds of the cluster depend on this
    /// build.
    Remove,
}

impl FluxKustomization {
    /// Creates a Kustomization from an object. If the object has no namespace, neither does the Kustomization.
    pub fn new(object: &Object) -> Self {
        let version = text(object, "apiVersion").rsplit('/').next().unwrap_or_default();
        Self {
            id: identity(object),
            spec: object.get("spec").cloned().unwrap_or_else(|| json!({})),
            is_old: version.starts_with("v1beta"),
        }
    }

    /// Returns `spec.path` relative to the root of the artifact.
    pub fn path(&self) -> String {
        clamp_to_root(text(&self.spec, "path"))
    }

    pub fn source(&self) -> ObjectId {
        let source = |key| text_at(&self.spec, &["sourceRef", key]);
        let namespace = if source("namespace").is_empty() { self.id.namespace.as_str() } else { source("namespace") };
        ObjectId::new(source("kind"), namespace, source("name"))
    }

    /// Returns the reason why this Kustomization does not affect the cluster, or `None` if it affects the cluster.
    pub fn reason_to_skip(&self) -> Option<Reason> {
        match &self.spec {
            spec if spec.get("suspend") == Some(&Value::Bool(true)) => {
                Some(Reason::new(SkipKind::Suspended, "suspended"))
            }
            spec if spec.get("kubeConfig").is_some_and(Value::is_object) => {
                Some(Reason::new(SkipKind::OtherCluster, "another cluster (kubeConfig)"))
            }
            _ => None,
        }
    }

    /// Returns the ConfigMaps and Secrets with variables, in order.
    pub fn variable_sources(&self) -> Vec<VariableSource> {
        let references =
            self.spec.get("postBuild").map_or(&[][..], |build| super::object::items(build, "substituteFrom"));
        let known_references =
            references.iter().filter(|reference| matches!(text(reference, "kind"), "ConfigMap" | "Secret"));
        let source = |reference: &Value| VariableSource {
            id: ObjectId::new(text(reference, "kind"), self.id.namespace.as_str(), text(reference, "name")),
            is_optional: reference.get("optional") == Some(&Value::Bool(true)),
        };
        known_references.map(source).collect()
    }

    /// Returns all variables: those of `sources` in order, followed by those of the spec. If a source is missing,
    /// variables without a value become placeholders. If `hides_secrets` is set, variables from Secrets also become
    /// placeholders.
    fn variables(&self, sources: &[Option<&Object>], hides_secrets: bool) -> Result<Variables, Failure> {
        let mut variables = Variables::new();
        for source in sources.iter().flatten() {
            let is_hidden = hides_secrets && text(source, "kind") == "Secret";
            for (name, value) in source_values(source) {
                if !is_valid_name(&name) {
                    let reason = format!("`{name}` in {} is not a valid variable name", identity(source));
                    let failure = Failure::variable_mistake("spec.postBuild.substituteFrom", reason);
                    return Err(failure.with_cause(Some(value_in_source(source, &name))));
                }
                let value = if is_hidden || sops::is_masked(&value) { placeholder(&name) } else { value };
                variables.insert(name, value.replace('\n', ""));
            }
        }
        let inline_variables =
            self.spec.get("postBuild").and_then(|build| build.get("substitute")).and_then(Value::as_object);
        for (name, value) in inline_variables.into_iter().flatten() {
            if !is_valid_name(name) {
                let reason = format!("`{name}` is not a valid variable name");
                let failure = Failure::variable_mistake("spec.postBuild.substitute", reason);
                return Err(failure.with_cause(Some(self.inline_value(name))));
            }
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            variables.insert(name.clone(), value.replace('\n', ""));
        }
        Ok(variables)
    }

    /// Returns the location of a variable in the spec.
    fn inline_value(&self, name: &str) -> Cause {
        Cause::from_field(&self.id, &["spec", "postBuild", "substitute", name])
    }

    /// Returns the variable whose value makes substituted text invalid, and the location of the value. `is_valid`
    /// returns whether the text would be valid with a different value for the variable.
    fn invalid_value(
        &self,
        replaced: &[Replacement],
        sources: &[Option<&Object>],
        is_valid: impl Fn(&str) -> bool,
    ) -> Option<(String, Cause)> {
        let names: BTreeSet<_> = replaced.iter().map(|piece| piece.name.as_str()).collect();
        let name = names.into_iter().take(MAX_CANDIDATES).find(|name| is_valid(name))?;
        let is_inline = self.spec.pointer("/postBuild/substitute").and_then(|values| values.get(name)).is_some();
        let has_value = |source: &&Object| source_values(source).iter().any(|(key, _)| key == name);
        let cause = match is_inline {
            true => self.inline_value(name),
            false => value_in_source(sources.iter().rev().flatten().copied().find(has_value)?, name),
        };
        Some((name.to_owned(), cause))
    }

    fn strategy_is_always(&self) -> bool {
        text_at(&self.spec, &["postBuild", "substituteStrategy"]) == "Always"
    }

    /// Builds the Kustomization. `sources` contains the objects for [`Self::variable_sources`], with `None` for each
    /// missing object.
    ///
    /// # Errors
    ///
    /// Returns the reason why Flux or agentctl does not build the Kustomization.
    pub fn build(
        &self,
        tree: &RepositoryTree,
        artifact: &Artifact,
        sources: &[Option<&Object>],
        hides_secrets: bool,
        remote: Remote,
    ) -> Result<Build, Failure> {
        let directory = self.path();
        let mut build = build_directory(tree, artifact, &directory, &self.spec, self.is_old, remote)
            .map_err(|failure| failure.with_owner(&self.id))?;
        let documents: Vec<_> = documents(&build.output.text).collect();
        let decrypts_with_sops = text_at(&self.spec, &["decryption", "provider"]) == "sops";
        let has_post_build = self.spec.get("postBuild").is_some_and(Value::is_object);
        let is_complete =
            sources.iter().zip(self.variable_sources()).all(|(object, source)| object.is_some() || source.is_optional);
        let mut variables = self.variables(sources, hides_secrets)?;
        let mut objects = Vec::with_capacity(build.objects.len());
        let unchanged_objects = std::mem::take(&mut build.objects);
        for BuiltObject { mut object, document, .. } in unchanged_objects {
            let (mut replacements, mut retyped_fields) = (Vec::new(), Vec::new());
            let mut text = documents.get(document).copied().unwrap_or_default().to_owned();
            if decrypts_with_sops {
                let before = object.clone();
                sops::mask(&mut object);
                if before != object {
                    text = write(&object.clone().into(), LibraryStyle::Kubernetes);
                }
            } else if sops::is_encrypted_secret(&object) {
                let reason = format!("SOPS encrypts {}, but `spec.decryption` is not set", identity(&object));
                return Err(Failure::mistake("spec.decryption", reason));
            }
            let is_used = has_post_build && !is_disabled(&object);
            if is_used && (!variables.is_empty() || self.strategy_is_always() || !is_complete) {
                let object_id = identity(&object);
                let substitution_failure = |problem: &dyn std::fmt::Display| {
                    Failure::variable_mistake("spec.postBuild", format!("substitution fails in {object_id}: {problem}"))
                };
                let failure_with_cause = |problem: &Problem| {
                    let cause = problem.expression().and_then(|text| find_in_manifests(tree, &build.files, &text));
                    substitution_failure(problem).with_cause(cause)
                };
                let substitution = loop {
                    match substitute(&text, &variables) {
                        Err(Problem::Unset { name }) if !is_complete => {
                            variables.insert(name.clone(), placeholder(&name));
                        }
                        result => break result.map_err(|problem| failure_with_cause(&problem))?,
                    }
                };
                let read = |text: &str| read_objects(text).ok()?.into_iter().next().filter(Value::is_object);
                let Some(first) = read(&substitution.text) else {
                    let is_valid = |name: &str| {
                        let other_variables = variables.iter().map(|(name, value)| (name.clone(), value.clone()));
                        let all_variables = other_variables.chain([(name.to_owned(), placeholder(name))]).collect();
                        substitute(&text, &all_variables).is_ok_and(|substituted| read(&substituted.text).is_some())
                    };
                    return Err(match self.invalid_value(&substitution.replacements, sources, is_valid) {
                        Some((name, cause)) => {
                            let problem = format!("with the value of `{name}`, the result is not valid YAML");
                            substitution_failure(&problem).with_cause(Some(cause))
                        }
                        None => substitution_failure(&"the result is not valid YAML"),
                    });
                };
                retyped_fields = super::retyped::retyped_fields(&object, &first);
                object = first;
                replacements = substitution.replacements;
            }
            self.add_metadata(&mut object);
            objects.push(BuiltObject { object, document, file: None, replacements, retyped_fields });
        }
        let variables = self.variable_sources().into_iter().map(|source| source.id).collect();
        Ok(Build { objects, options: "spec".to_owned(), variables, ..build })
    }

    /// Adds the owner labels, and then `spec.commonMetadata` (`SetOwnerLabels`, `SetCommonMetadata`).
    fn add_metadata(&self, object: &mut Object) {
        let owner = [("name", &self.id.name), ("namespace", &self.id.namespace)];
        add_strings(object, "labels", owner.map(|(key, value)| (format!("{GROUP}/{key}"), value.clone())));
        let Some(common) = self.spec.get("commonMetadata") else { return };
        for field in ["labels", "annotations"] {
            let common_strings = common.get(field).and_then(Value::as_object).into_iter().flatten();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            add_strings(object, field, common_strings.map(|(key, value)| (key.clone(), text(value))));
        }
    }
}

/// Adds labels or annotations to an object. If any existing value is not a string, Flux drops all existing labels or
/// annotations (`GetLabels`).
fn add_strings(object: &mut Object, field: &str, added_strings: impl IntoIterator<Item = (String, String)>) {
    let present_fields = object.get("metadata").and_then(|metadata| metadata.get(field)).and_then(Value::as_object);
    let text_entries = present_fields.into_iter().flatten().map(|(key, value)| match value {
        Value::Null => Some((key.clone(), String::new())),
        value => Some((key.clone(), value.as_str()?.to_owned())),
    });
    let present_strings: Option<Vec<_>> = text_entries.collect();
    let merged_strings: Map<String, Value> =
        present_strings.into_iter().flatten().chain(added_strings).map(|(key, value)| (key, value.into())).collect();
    if let (false, Some(metadata)) =
        (merged_strings.is_empty(), object.get_mut("metadata").and_then(Value::as_object_mut))
    {
        metadata.insert(field.to_owned(), merged_strings.into());
    }
}

/// Maximum number of variables to try as the cause of an invalid result.
const MAX_CANDIDATES: usize = 50;

/// Returns the location of a variable in a ConfigMap or Secret.
fn value_in_source(source: &Object, name: &str) -> Cause {
    let is_data = source.get("data").and_then(|data| data.get(name)).is_some();
    let field = if is_data { "data" } else { "stringData" };
    Cause::from_field(identity(source), &[field, name])
}

fn is_disabled(object: &Object) -> bool {
    ["labels", "annotations"].iter().any(|field| text_at(object, &["metadata", field, SUBSTITUTE]) == "disabled")
}

/// Returns the values in a ConfigMap or Secret that can be used as variables.
pub fn source_values(source: &Object) -> Vec<(String, String)> {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    let is_secret = text(source, "kind") == "Secret";
    let values = |field: &str| source.get(field).and_then(Value::as_object).into_iter().flatten();
    let plain_text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let decode_text = |value: &Value| match STANDARD.decode(plain_text(value).replace(['\n', ' '], "")) {
        Ok(bytes) if is_secret => String::from_utf8_lossy(&bytes).into_owned(),
        _ => plain_text(value),
    };
    let data = values("data").map(|(name, value)| (name.clone(), decode_text(value)));
    let strings = values("stringData").filter(|_| is_secret).map(|(name, value)| (name.clone(), plain_text(value)));
    data.chain(strings).collect()
}

/// Builds a directory as Flux does, without variables and labels.
///
/// # Errors
///
/// Returns the reason why Flux or agentctl does not build the directory.
pub fn build_directory(
    tree: &RepositoryTree,
    artifact: &Artifact,
    directory: &str,
    spec: &Value,
    is_old: bool,
    remote: Remote,
) -> Result<Build, Failure> {
    match artifact.get(directory) {
        Some(PathKind::Directory) => {}
        Some(PathKind::File) => return Err(Failure::path_mistake(format!("`{directory}` is a file, not a directory"))),
        None => {
            let absence_reason = reason_for_absence(tree, directory);
            return Err(Failure::path_mistake(format!("the path `{directory}` does not exist{absence_reason}")));
        }
    }
    if let Some((index, component_path)) = missing_component(artifact, directory, spec) {
        let reason = format!("the component `{component_path}` does not exist");
        return Err(Failure::mistake(format!("spec.components.{index}"), reason));
    }
    let merged = merge_spec(tree, artifact, directory, spec, is_old)?;
    run_kustomize(tree, artifact, directory, Some(&merged), Restriction::Artifact, remote)
}

/// Runs kustomize for a directory. `merged` replaces its kustomization.
///
/// # Errors
///
/// Returns the reason why the directory is not built.
pub fn run_kustomize(
    tree: &RepositoryTree,
    artifact: &Artifact,
    directory: &str,
    merged: Option<&MergedKustomization>,
    restriction: Restriction,
    remote: Remote,
) -> Result<Build, Failure> {
    let top_file = merged.map(|merged| (merged.file.as_str(), &merged.value));
    let mut closure = Closure::new(tree, artifact, directory, top_file);
    if restriction == Restriction::Artifact {
        // Flux runs no plugins: kustomize rejects the kustomization.
        closure.obstacles.retain(|obstacle| !matches!(obstacle, Obstacle::Plugin { .. }));
    }
    let mut replaced_files: Vec<_> =
        top_file.iter().map(|(file, value)| ((*file).to_owned(), value.to_string())).collect();
    let mut removed_parts = Vec::new();
    if let Some(obstacle) = closure.obstacle() {
        let failure = || obstacle_failure(obstacle, tree, artifact);
        if remote == Remote::Skip {
            return Err(failure());
        }
        replaced_files = remove_remote(tree, artifact, &closure, top_file).ok_or_else(failure)?;
        let reasons =
            closure.obstacles.iter().filter_map(|obstacle| match obstacle_failure(obstacle, tree, artifact) {
                Failure::Skipped(reason) => Some(reason),
                _ => None,
            });
        removed_parts.extend(reasons);
    }
    let mut stage = Stage::new(tree, &closure, &replaced_files)?;
    let mut result = stage.build(directory, restriction)?;
    if let (Err(_), Some(removed)) = (&result, removed_parts.first()) {
        let replaced_files = remove_dependents(tree, artifact, &closure, replaced_files);
        stage = Stage::new(tree, &closure, &replaced_files)?;
        result = stage.build(directory, restriction)?;
        if result.is_err() {
            return Err(Failure::Skipped(removed.clone()));
        }
    }
    let output =
        result.map_err(|error| build_failure(&error, FailedBuild { tree, artifact, closure: &closure, merged }))?;
    let mut objects = Vec::new();
    for (document, text) in documents(&output.text).enumerate() {
        let parsed_objects =
            read_objects(text).map_err(|_| Failure::build_mistake("the output of kustomize is not valid YAML"))?;
        objects.extend(parsed_objects.into_iter().map(|object| BuiltObject::new(object, document)));
    }
    let files = closure.files.into_values().collect();
    Ok(Build {
        objects,
        output,
        stage: Some(stage),
        directory: directory.to_owned(),
        removed_parts,
        files,
        ..Build::default()
    })
}

/// Returns the first occurrence of a string in the manifests of a build.
fn find_in_manifests(tree: &RepositoryTree, files: &[String], text: &str) -> Option<Cause> {
    files.iter().filter(|file| is_manifest(file)).find_map(|file| Cause::first_occurrence(tree, file, text))
}

/// Returns the build failure for an error from kustomize.
fn build_failure(error: &BuildError, files: FailedBuild<'_>) -> Failure {
    if error.is_about_yaml()
        && let Some((reason, cause)) = files.find_invalid_file()
    {
        return Failure::build_mistake(reason).with_cause(Some(cause));
    }
    let failure = Failure::build_mistake(error.to_string());
    if let Some((path, span)) =
        error.location().filter(|(path, _)| files.merged.is_none_or(|merged| merged.file != *path))
    {
        return failure.with_cause(files.artifact.file(path).map(|file| Cause::from_span(file, span)));
    }
    match files.merged.and_then(|merged| error.failed_patch(&merged.patches)) {
        Some((index, part)) => {
            let keys = ["spec", "patches", &index.to_string(), "patch"].map(str::to_owned).to_vec();
            failure.with_cause(Some(Cause::Field { object: String::new(), keys, part: Some(part) }))
        }
        None => failure.with_cause(files.cause(error.message())),
    }
}

fn obstacle_failure(obstacle: &Obstacle, tree: &RepositoryTree, artifact: &Artifact) -> Failure {
    let reference_failure = |kustomization: &str, path: &str, problem: &str| {
        let cause = artifact.file(kustomization).and_then(|file| Cause::first_occurrence(tree, file, path));
        Failure::build_mistake(format!("`{kustomization}` refers to `{}`, which {problem}", redact(path)))
            .with_cause(cause)
    };
    match obstacle {
        Obstacle::Outside { kustomization, path } => {
            reference_failure(kustomization, path, "is outside the repository")
        }
        Obstacle::Missing { kustomization, path, target } => {
            reference_failure(kustomization, path, &format!("does not exist{}", reason_for_absence(tree, target)))
        }
        Obstacle::Remote { address, .. } => {
            Failure::skipped(SkipKind::RemoteBase, format!("remote base: {}", redact(address)))
        }
        Obstacle::Plugin { kind } => Failure::skipped(SkipKind::Plugin, format!("needs the plugin {}", redact(kind))),
        Obstacle::Chart { kustomization } => Failure::skipped(SkipKind::Chart, format!("needs helm: {kustomization}")),
        Obstacle::TooLarge => Failure::build_mistake("the kustomization refers to too many files"),
    }
}

/// Returns the reason why a path of the repository is not in the artifact, or an empty string if the path does not
/// exist in the repository.
fn reason_for_absence(tree: &RepositoryTree, path: &str) -> &'static str {
    let is_link = |path: &str| matches!(tree.get(path), Some(EntryKind::Link { .. }));
    match tree.get(path) {
        _ if ancestors(path).any(is_link) => ": Flux ignores links",
        Some(_) => ": `.sourceignore` or `spec.ignore` removes it",
        None => "",
    }
}

/// Returns the documents in the output of kustomize.
pub fn documents(text: &str) -> impl Iterator<Item = &str> {
    built_documents(text).map(|(_, document)| document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn explains_paths_that_lead_through_links() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(directory.path().join("apps/sub")).unwrap();
        std::fs::write(directory.path().join("apps/sub/a.yaml"), "a: b\n").unwrap();
        std::os::unix::fs::symlink("apps", directory.path().join("link")).unwrap();
        let tree = RepositoryTree::read(directory.path(), &crate::gitops::tree::TreeLimits::default()).unwrap();
        let ignored = ": `.sourceignore` or `spec.ignore` removes it";
        for (path, expected) in [
            ("link", ": Flux ignores links"),
            ("link/sub", ": Flux ignores links"),
            ("apps/sub", ignored),
            ("gone", ""),
        ] {
            assert_eq!(reason_for_absence(&tree, path), expected, "{path}");
        }
    }
}
