//! Writes objects to files named `<namespace>/<kind>_<name>.yaml`, along with a list of the files that were written.

mod leftover;
mod output_dir;
mod owned;
mod pruning;
mod staging;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use self::output_dir::OutputDir;
use self::owned::{OwnedPaths, directory_and_file, list_text, read_list, relative_path};
pub use self::pruning::KeptFile;
use self::staging::{Flush, StagingDirectory, flush};
use super::stream::{StreamFormat, object_text};
use crate::diagnostic::EnvironmentError;
use crate::manifest::{AgentName, Object, ObjectRole};
use crate::source::Sources;

/// Options for writing a directory.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'d> {
    pub path: &'d Path,
    /// Name of the list of files that agentctl owns in the directory. It has no extension, so tools do not apply it.
    pub list: &'static str,
    pub format: StreamFormat,
    /// Sources of this run, or `None` to disable pruning of listed files that are no longer rendered. A source is never
    /// pruned.
    pub prune: Option<&'d Sources>,
    /// Whether all files are synced to disk so that they survive a power failure.
    pub sync: bool,
    /// Agents whose files are kept even though nothing is rendered for them.
    pub excluded_agents: &'d [AgentName],
}

/// File that differs from its planned contents.
#[derive(Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path below the directory, with `/` as the separator.
    pub path: String,
    /// Existing contents, or `None` if the file is missing or not UTF-8.
    pub before: Option<String>,
    /// New contents, or `None` if the file would be removed.
    pub after: Option<String>,
}

/// Numbers of files that were written, unchanged or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Number of files that were created or replaced.
    pub written: usize,
    /// Number of files that did not need to change.
    pub unchanged: usize,
    /// Number of files that were removed.
    pub removed: usize,
}

/// Planned changes to a directory.
pub struct DirectoryPlan<'d> {
    dir: OutputDir<'d>,
    directory: Directory<'d>,
    /// Objects by file path. An object is serialized only when its contents are needed.
    files: BTreeMap<String, &'d Object>,
    /// Files on the existing list.
    owned_paths: OwnedPaths,
    /// Listed files to remove because they are no longer rendered.
    stale_paths: BTreeSet<String>,
    kept_files: Vec<KeptFile>,
}

impl<'d> Directory<'d> {
    /// Returns options that write to `path` without pruning.
    pub fn new(path: &'d Path, list: &'static str, format: StreamFormat) -> Self {
        Self { path, list, format, prune: None, sync: true, excluded_agents: &[] }
    }

    /// Plans the changes and checks the path of every object.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory is a file or a symlink that points elsewhere, if a subdirectory is a symlink,
    /// if a path is a directory, if agentctl did not write the list, if an object's name is not a valid file name, or
    /// if two objects would be written to the same file.
    pub fn plan(self, objects: impl IntoIterator<Item = &'d Object>) -> Result<DirectoryPlan<'d>, EnvironmentError> {
        let dir = OutputDir::open(self.path)?;
        let owned = read_list(&dir, self.list)?;
        let mut files = BTreeMap::new();
        // A case-insensitive file system does not distinguish names that differ only in case.
        let mut names = BTreeSet::new();
        for object in objects {
            let name = relative_path(&object.key(), self.format);
            let rejected_path = |problem: &str| dir.rejected_path(&name, problem);
            if directory_and_file(&name).is_none() {
                return Err(rejected_path("the object's name is not a valid file name"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(rejected_path("two objects would be written to it"));
            }
            files.insert(name, object);
        }
        let (stale, kept) = self.plan_pruning(&dir, &owned, &files);
        for name in files.keys().chain(&stale) {
            dir.check(name)?;
        }
        Ok(DirectoryPlan { directory: self, dir, files, owned_paths: owned, stale_paths: stale, kept_files: kept })
    }

    /// Returns the listed files to remove, and the listed files that are kept even though they are not rendered.
    fn plan_pruning(
        &self,
        dir: &OutputDir<'_>,
        owned: &OwnedPaths,
        files: &BTreeMap<String, &Object>,
    ) -> (BTreeSet<String>, Vec<KeptFile>) {
        let is_unwritten = |name: &&String| !files.contains_key(*name) && !self.keeps(name);
        let pruning_decision =
            self.prune.map(|sources| pruning::decide(dir, owned.iter().filter(is_unwritten), sources));
        pruning_decision.unwrap_or_default()
    }

    /// Whether a file belongs to an agent whose files are kept.
    fn keeps(&self, name: &str) -> bool {
        let is_kept = || {
            let (namespace, file) = directory_and_file(name)?;
            let (stem, _) = file.rsplit_once('.')?;
            let (kind, name) = stem.split_once('_')?;
            Some(AgentName::any_may_own(self.excluded_agents, kind, namespace, name))
        };
        is_kept().unwrap_or_default()
    }
}

impl DirectoryPlan<'_> {
    /// Returns the files that pruning keeps even though they are listed but not rendered.
    pub fn kept_files(&self) -> &[KeptFile] {
        &self.kept_files
    }

    /// Returns the paths of the files that contain Secret values in plain text. The configuration files next to them,
    /// for the same agents, may also contain such values.
    pub fn files_with_values(&self) -> impl Iterator<Item = &str> {
        let has_values = |object: &Object| {
            let may_have_values = matches!(object.role(), ObjectRole::Values | ObjectRole::Other);
            may_have_values && object.is_secret() && object.value_bytes() > 0
        };
        let files = self.files.iter().filter(move |(_, object)| has_values(object));
        files.map(|(path, _)| path.as_str())
    }

    /// Calls `visit` for each file that would change, in path order. File modes are ignored, because git stores only
    /// the executable bit.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or `visit` fails.
    pub fn for_each_change<E: From<EnvironmentError>>(
        &self,
        mut visit: impl FnMut(FileChange) -> Result<(), E>,
    ) -> Result<(), E> {
        let list = self.directory.list;
        let mut paths: BTreeSet<&str> = self.files.keys().chain(&self.stale_paths).map(String::as_str).collect();
        paths.insert(list);
        for path in paths {
            let after = match self.files.get(path) {
                Some(object) => Some(self.text(path, object)?),
                None => (path == list).then(|| list_text(&self.list_after_write())),
            };
            let before = self.dir.read(path)?;
            if before.as_deref() != after.as_deref().map(str::as_bytes) {
                visit(FileChange {
                    path: path.to_owned(),
                    before: before.and_then(|bytes| String::from_utf8(bytes).ok()),
                    after,
                })?;
            }
        }
        Ok(())
    }

    /// Applies the changes.
    ///
    /// All contents are written before the first file is replaced, so a full disk changes nothing. Each file is
    /// replaced atomically. A file is added to the list before it is created, so the next run knows about all files of
    /// a run that was killed. Secrets are readable only by their owner, regardless of the umask.
    ///
    /// # Errors
    ///
    /// Returns an error for the first file or directory that cannot be written.
    pub fn write(self) -> Result<WriteCounts, EnvironmentError> {
        self.write_with(&flush)
    }

    fn write_with(mut self, flush: Flush<'_>) -> Result<WriteCounts, EnvironmentError> {
        let root = self.dir.root();
        let created_directories: Vec<_> = root.ancestors().take_while(|folder| !folder.exists()).collect();
        fs::create_dir_all(root).map_err(|error| self.dir.write_error("", error))?;
        // The path is checked again, because a parent directory may have become a symlink.
        self.dir.check_path()?;
        let lock = self.dir.lock()?;
        // Another run may have changed the files since the changes were planned.
        self.owned_paths = read_list(&self.dir, self.directory.list)?;
        (self.stale_paths, self.kept_files) = self.directory.plan_pruning(&self.dir, &self.owned_paths, &self.files);
        let mut staging = StagingDirectory::new(root, lock.is_some(), Some(flush).filter(|_| self.directory.sync))?;
        created_directories.into_iter().for_each(|folder| staging.mark_changed(folder));
        let mut combined_list = self.owned_paths.clone();
        combined_list.extend(self.files.keys().cloned());
        self.stage_list(&mut staging, &self.owned_paths, &combined_list)?;
        let mut counts = WriteCounts::default();
        for (name, object) in &self.files {
            let text = self.text(name, object)?;
            if self.dir.is_up_to_date(name, text.as_bytes(), object.is_secret())? {
                counts.unchanged += 1;
            } else {
                staging.add(name, &text, object.is_secret())?;
                counts.written += 1;
            }
        }
        staging.commit(&self.dir)?;
        for name in &self.stale_paths {
            counts.removed += usize::from(self.dir.remove(name)?);
            staging.mark_changed(&self.dir.path(name));
        }
        self.stage_list(&mut staging, &combined_list, &self.list_after_write())?;
        staging.commit(&self.dir)?;
        staging.close()?;
        Ok(counts)
    }

    fn text(&self, name: &str, object: &Object) -> Result<String, EnvironmentError> {
        object_text(object, self.directory.format).map_err(|error| self.dir.write_error(name, error))
    }

    fn stage_list(
        &self,
        staging: &mut StagingDirectory<'_>,
        before: &OwnedPaths,
        after: &OwnedPaths,
    ) -> Result<(), EnvironmentError> {
        let name = self.directory.list;
        match before == after && self.dir.read(name)?.is_some() {
            true => Ok(()),
            false => staging.add(name, &list_text(after), false),
        }
    }

    /// Returns the new list. Without pruning, it keeps files that are no longer rendered.
    fn list_after_write(&self) -> OwnedPaths {
        let mut list = self.owned_paths.clone();
        list.extend(self.files.keys().cloned());
        list.retain(|path| !self.stale_paths.contains(path));
        list
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;
    use crate::emit::temporary::PREFIX;

    fn service(name: &str) -> Object {
        let labels = json!({"app.kubernetes.io/managed-by": "agentctl"});
        let metadata = json!({"name": name, "namespace": "ns", "labels": labels});
        let manifest = json!({"kind": "Service", "metadata": metadata});
        Object::other(("v1", "Service"), "ns", name, &manifest)
    }

    const LIST: &str = ".list";

    /// Returns the paths that were synced to disk, each with the files that already had their final names at that time.
    fn recorded_flushes(path: &Path, sync: bool, prune: bool, objects: &[Object]) -> Vec<(PathBuf, Vec<String>)> {
        let names = || {
            let names = ["ns/service_a.yaml", "ns/service_b.yaml", LIST].into_iter();
            names.filter(|name| path.join(name).exists()).map(str::to_owned).collect()
        };
        let flushes = Mutex::new(Vec::new());
        let count = |path: &Path| {
            flushes.lock().unwrap().push((path.to_owned(), names()));
            Ok(())
        };
        let sources = Sources::default();
        let directory = Directory {
            sync,
            prune: Some(&sources).filter(|_| prune),
            ..Directory::new(path, LIST, StreamFormat::Yaml)
        };
        directory.plan(objects).unwrap().write_with(&count).unwrap();
        flushes.into_inner().unwrap()
    }

    fn is_temporary(directory: &Path) -> bool {
        let name = directory.file_name().unwrap().to_str().unwrap();
        name.starts_with(PREFIX)
    }

    #[test]
    fn syncs_files_before_and_directories_after_renames() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a/b");
        let flushes = recorded_flushes(&path, true, false, &[service("a"), service("b")]);
        let (files, directories): (Vec<_>, Vec<_>) =
            flushes.iter().partition(|(file, _)| is_temporary(file.parent().unwrap()));
        // Three files are synced: two manifests and the list. The list is written first and is unchanged at the end.
        assert_eq!(files.len(), 3, "{files:?}");
        assert!(files.iter().all(|(_, there)| there.is_empty()), "{files:?}");
        let expected = [scratch.path().to_owned(), scratch.path().join("a"), path.clone(), path.join("ns")];
        let all_files = ["ns/service_a.yaml", "ns/service_b.yaml", LIST].map(str::to_owned).to_vec();
        let expected: Vec<_> = expected.into_iter().map(|folder| (folder, all_files.clone())).collect();
        assert_eq!(directories.into_iter().cloned().collect::<Vec<_>>(), expected);

        // An unchanged file is not written again. Removing a file changes its parent directory and the list.
        let flushes_without_changes = recorded_flushes(&path, true, true, &[service("a"), service("b")]);
        assert_eq!(flushes_without_changes, [(path.clone(), all_files)]);
        let pruning_flushes = recorded_flushes(&path, true, true, &[service("a")]);
        let pruned_paths: Vec<_> = pruning_flushes.iter().map(|(path, there)| (path.as_path(), there.len())).collect();
        let (list, directories) = pruned_paths.split_first().unwrap();
        assert!(is_temporary(list.0.parent().unwrap()) && list.0.ends_with("0") && list.1 == 2);
        assert_eq!(directories, [(path.as_path(), 2), (&path.join("ns"), 2)]);
    }

    #[test]
    fn lists_changes_before_making_them() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path();
        let kept_agents = [AgentName { namespace: "ns".to_owned(), name: "kept".to_owned() }];
        let sources = Sources::default();
        let directory = Directory {
            prune: Some(&sources),
            excluded_agents: &kept_agents,
            ..Directory::new(path, LIST, StreamFormat::Yaml)
        };
        let changes = |objects: &[Object]| {
            let mut changes_seen = Vec::new();
            let plan = directory.plan(objects).unwrap();
            let mut record_change = |FileChange { path, before, after }| {
                changes_seen.push(format!("{path} {} {}", before.is_some(), after.is_some()));
                Ok::<_, EnvironmentError>(())
            };
            plan.for_each_change(&mut record_change).unwrap();
            changes_seen
        };
        let write = |objects: &[Object]| {
            let WriteCounts { written, unchanged, removed } = directory.plan(objects).unwrap().write().unwrap();
            [written, unchanged, removed]
        };
        let first_objects = ["a", "b", "c", "kept-operated"].map(service);
        let expected = [
            ".list false true",
            "ns/service_a.yaml false true",
            "ns/service_b.yaml false true",
            "ns/service_c.yaml false true",
            "ns/service_kept-operated.yaml false true",
        ];
        assert_eq!(changes(&first_objects), expected);
        assert_eq!(write(&first_objects), [4, 0, 0]);
        assert!(changes(&first_objects).is_empty());

        fs::write(path.join("ns/service_b.yaml"), [0xff]).unwrap();
        fs::remove_file(path.join("ns/service_c.yaml")).unwrap();
        let second_objects = ["b", "d"].map(service);
        let expected = [
            ".list true true",
            "ns/service_a.yaml true false",
            "ns/service_b.yaml false true",
            "ns/service_d.yaml false true",
        ];
        assert_eq!(changes(&second_objects), expected);
        assert_eq!(write(&second_objects), [2, 0, 1]);
        let list = fs::read_to_string(path.join(LIST)).unwrap();
        let listed_paths: Vec<_> = list.lines().skip(1).collect();
        let expected = ["ns/service_b.yaml", "ns/service_d.yaml", "ns/service_kept-operated.yaml"];
        assert_eq!(listed_paths, expected);

        for (names, problem) in [
            (["b", "B"], "two objects would be written to it"),
            (["b", "x/y"], "the object's name is not a valid file name"),
        ] {
            let error = directory.plan(&names.map(service)).map(drop).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }

    #[test]
    fn does_not_sync_if_disabled() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(recorded_flushes(&scratch.path().join("a"), false, true, &[service("a"), service("b")]).is_empty());
    }
}
