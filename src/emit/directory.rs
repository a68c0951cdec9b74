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
use self::owned::{Owned, folder_and_file, list_text, read_list, relative_path};
pub use self::pruning::KeptFile;
use self::staging::{Flush, StagingDirectory, flush};
use super::stream::{StreamFormat, text};
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
    pub left_alone: &'d [AgentName],
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
    owned: Owned,
    /// Listed files to remove because they are no longer rendered.
    stale: BTreeSet<String>,
    kept: Vec<KeptFile>,
}

impl<'d> Directory<'d> {
    /// Returns options that write to `path` without pruning.
    pub fn new(path: &'d Path, list: &'static str, format: StreamFormat) -> Self {
        Self { path, list, format, prune: None, sync: true, left_alone: &[] }
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
            let failed = |problem: &str| dir.rejected_path(&name, problem);
            if folder_and_file(&name).is_none() {
                return Err(failed("the object's name is not a valid file name"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(failed("two objects would be written to it"));
            }
            files.insert(name, object);
        }
        let (stale, kept) = self.plan_pruning(&dir, &owned, &files);
        for name in files.keys().chain(&stale) {
            dir.check(name)?;
        }
        Ok(DirectoryPlan { directory: self, dir, files, owned, stale, kept })
    }

    /// Returns the listed files to remove, and the listed files that are kept even though they are not rendered.
    fn plan_pruning(
        &self,
        dir: &OutputDir<'_>,
        owned: &Owned,
        files: &BTreeMap<String, &Object>,
    ) -> (BTreeSet<String>, Vec<KeptFile>) {
        let is_left = |name: &&String| !files.contains_key(*name) && !self.keeps(name);
        let pruned = self.prune.map(|sources| pruning::decide(dir, owned.iter().filter(is_left), sources));
        pruned.unwrap_or_default()
    }

    /// Whether a file belongs to an agent whose files are kept.
    fn keeps(&self, name: &str) -> bool {
        let is_kept = || {
            let (folder, file) = folder_and_file(name)?;
            let (stem, _) = file.rsplit_once('.')?;
            let (kind, name) = stem.split_once('_')?;
            Some(AgentName::any_may_own(self.left_alone, kind, folder, name))
        };
        is_kept().unwrap_or_default()
    }
}

impl DirectoryPlan<'_> {
    /// Returns the files that pruning keeps even though they are listed but not rendered.
    pub fn kept_files(&self) -> &[KeptFile] {
        &self.kept
    }

    /// Returns the paths of the files that contain Secret values in plain text. The configuration files next to them,
    /// for the same agents, may also contain such values.
    pub fn files_with_values(&self) -> impl Iterator<Item = &str> {
        let has_values = |object: &Object| {
            let can_have = matches!(object.role(), ObjectRole::Values | ObjectRole::Other);
            can_have && object.is_secret() && object.value_bytes() > 0
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
        let mut paths: BTreeSet<&str> = self.files.keys().chain(&self.stale).map(String::as_str).collect();
        paths.insert(list);
        for path in paths {
            let after = match self.files.get(path) {
                Some(object) => Some(self.text(path, object)?),
                None => (path == list).then(|| list_text(&self.final_list())),
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
        let made: Vec<_> = root.ancestors().take_while(|folder| !folder.exists()).collect();
        fs::create_dir_all(root).map_err(|error| self.dir.write_error("", error))?;
        // The path is checked again, because a parent directory may have become a symlink.
        self.dir.check_path()?;
        let lock = self.dir.lock()?;
        // Another run may have changed the files since the changes were planned.
        self.owned = read_list(&self.dir, self.directory.list)?;
        (self.stale, self.kept) = self.directory.plan_pruning(&self.dir, &self.owned, &self.files);
        let mut staging = StagingDirectory::new(root, lock.is_some(), Some(flush).filter(|_| self.directory.sync))?;
        made.into_iter().for_each(|folder| staging.change(folder));
        let mut union = self.owned.clone();
        union.extend(self.files.keys().cloned());
        self.stage_list(&mut staging, &self.owned, &union)?;
        let mut done = WriteCounts::default();
        for (name, object) in &self.files {
            let text = self.text(name, object)?;
            if self.dir.is_up_to_date(name, text.as_bytes(), object.is_secret())? {
                done.unchanged += 1;
            } else {
                staging.add(name, &text, object.is_secret())?;
                done.written += 1;
            }
        }
        staging.commit(&self.dir)?;
        for name in &self.stale {
            done.removed += usize::from(self.dir.remove(name)?);
            staging.change(&self.dir.path(name));
        }
        self.stage_list(&mut staging, &union, &self.final_list())?;
        staging.commit(&self.dir)?;
        staging.close()?;
        Ok(done)
    }

    fn text(&self, name: &str, object: &Object) -> Result<String, EnvironmentError> {
        text(object, self.directory.format).map_err(|error| self.dir.write_error(name, error))
    }

    fn stage_list(
        &self,
        staging: &mut StagingDirectory<'_>,
        before: &Owned,
        after: &Owned,
    ) -> Result<(), EnvironmentError> {
        let name = self.directory.list;
        match before == after && self.dir.read(name)?.is_some() {
            true => Ok(()),
            false => staging.add(name, &list_text(after), false),
        }
    }

    /// Returns the new list. Without pruning, it keeps files that are no longer rendered.
    fn final_list(&self) -> Owned {
        let mut list = self.owned.clone();
        list.extend(self.files.keys().cloned());
        list.retain(|path| !self.stale.contains(path));
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

    fn thing(name: &str) -> Object {
        let labels = json!({"app.kubernetes.io/managed-by": "agentctl"});
        let metadata = json!({"name": name, "namespace": "ns", "labels": labels});
        let manifest = json!({"kind": "Service", "metadata": metadata});
        Object::other(("v1", "Service"), "ns", name, &manifest)
    }

    const LIST: &str = ".list";

    /// Returns the paths that were synced to disk, each with the files that already had their final names at that time.
    fn recorded_flushes(path: &Path, sync: bool, prune: bool, things: &[Object]) -> Vec<(PathBuf, Vec<String>)> {
        let names = || {
            let names = ["ns/service_a.yaml", "ns/service_b.yaml", LIST].into_iter();
            names.filter(|name| path.join(name).exists()).map(str::to_owned).collect()
        };
        let flushed = Mutex::new(Vec::new());
        let count = |path: &Path| {
            flushed.lock().unwrap().push((path.to_owned(), names()));
            Ok(())
        };
        let sources = Sources::default();
        let directory = Directory {
            sync,
            prune: Some(&sources).filter(|_| prune),
            ..Directory::new(path, LIST, StreamFormat::Yaml)
        };
        directory.plan(things).unwrap().write_with(&count).unwrap();
        flushed.into_inner().unwrap()
    }

    fn is_temporary(folder: &Path) -> bool {
        let name = folder.file_name().unwrap().to_str().unwrap();
        name.starts_with(PREFIX)
    }

    #[test]
    fn syncs_files_before_and_directories_after_renames() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a/b");
        let flushes = recorded_flushes(&path, true, false, &[thing("a"), thing("b")]);
        let (files, folders): (Vec<_>, Vec<_>) =
            flushes.iter().partition(|(file, _)| is_temporary(file.parent().unwrap()));
        // Three files are synced: two manifests and the list. The list is written first and is unchanged at the end.
        assert_eq!(files.len(), 3, "{files:?}");
        assert!(files.iter().all(|(_, there)| there.is_empty()), "{files:?}");
        let expected = [scratch.path().to_owned(), scratch.path().join("a"), path.clone(), path.join("ns")];
        let all = ["ns/service_a.yaml", "ns/service_b.yaml", LIST].map(str::to_owned).to_vec();
        let expected: Vec<_> = expected.into_iter().map(|folder| (folder, all.clone())).collect();
        assert_eq!(folders.into_iter().cloned().collect::<Vec<_>>(), expected);

        // An unchanged file is not written again. Removing a file changes its parent directory and the list.
        let nothing = recorded_flushes(&path, true, true, &[thing("a"), thing("b")]);
        assert_eq!(nothing, [(path.clone(), all)]);
        let pruned = recorded_flushes(&path, true, true, &[thing("a")]);
        let pruned: Vec<_> = pruned.iter().map(|(path, there)| (path.as_path(), there.len())).collect();
        let (list, folders) = pruned.split_first().unwrap();
        assert!(is_temporary(list.0.parent().unwrap()) && list.0.ends_with("0") && list.1 == 2);
        assert_eq!(folders, [(path.as_path(), 2), (&path.join("ns"), 2)]);
    }

    #[test]
    fn lists_changes_before_making_them() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path();
        let kept = [AgentName { namespace: "ns".to_owned(), name: "kept".to_owned() }];
        let sources = Sources::default();
        let directory =
            Directory { prune: Some(&sources), left_alone: &kept, ..Directory::new(path, LIST, StreamFormat::Yaml) };
        let changes = |things: &[Object]| {
            let mut seen = Vec::new();
            let plan = directory.plan(things).unwrap();
            let mut see = |FileChange { path, before, after }| {
                seen.push(format!("{path} {} {}", before.is_some(), after.is_some()));
                Ok::<_, EnvironmentError>(())
            };
            plan.for_each_change(&mut see).unwrap();
            seen
        };
        let write = |things: &[Object]| {
            let WriteCounts { written, unchanged, removed } = directory.plan(things).unwrap().write().unwrap();
            [written, unchanged, removed]
        };
        let first = ["a", "b", "c", "kept-operated"].map(thing);
        let expected = [
            ".list false true",
            "ns/service_a.yaml false true",
            "ns/service_b.yaml false true",
            "ns/service_c.yaml false true",
            "ns/service_kept-operated.yaml false true",
        ];
        assert_eq!(changes(&first), expected);
        assert_eq!(write(&first), [4, 0, 0]);
        assert!(changes(&first).is_empty());

        fs::write(path.join("ns/service_b.yaml"), [0xff]).unwrap();
        fs::remove_file(path.join("ns/service_c.yaml")).unwrap();
        let second = ["b", "d"].map(thing);
        let expected = [
            ".list true true",
            "ns/service_a.yaml true false",
            "ns/service_b.yaml false true",
            "ns/service_d.yaml false true",
        ];
        assert_eq!(changes(&second), expected);
        assert_eq!(write(&second), [2, 0, 1]);
        let list = fs::read_to_string(path.join(LIST)).unwrap();
        let listed: Vec<_> = list.lines().skip(1).collect();
        let expected = ["ns/service_b.yaml", "ns/service_d.yaml", "ns/service_kept-operated.yaml"];
        assert_eq!(listed, expected);

        for (names, problem) in [
            (["b", "B"], "two objects would be written to it"),
            (["b", "x/y"], "the object's name is not a valid file name"),
        ] {
            let error = directory.plan(&names.map(thing)).map(drop).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }

    #[test]
    fn does_not_sync_if_disabled() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(recorded_flushes(&scratch.path().join("a"), false, true, &[thing("a"), thing("b")]).is_empty());
    }
}
