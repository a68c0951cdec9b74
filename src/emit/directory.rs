//! Objects as files, one each: `<namespace>/<kind>_<name>.yaml`, and a list of the files that were written.

mod leftover;
mod owned;
mod place;
mod pruning;
mod staging;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use self::owned::{Owned, folder_and_file, list_text, read_list, relative_path};
use self::place::Place;
pub use self::pruning::Spared;
use self::staging::{Flush, Staging, flush};
use super::stream::{Format, text};
use crate::environment::EnvironmentError;
use crate::manifest::{AgentName, Object};
use crate::source::Sources;

/// A directory that is written.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'d> {
    pub path: &'d Path,
    /// The name of the list of what agentctl owns there; it has no extension, so that nothing applies it.
    pub list: &'static str,
    pub format: Format,
    /// What this run read, if files are removed that are on the list and not rendered any more: none of those that were
    /// read is.
    pub prune: Option<&'d Sources>,
    /// Whether everything is on the disk at the end, also after a loss of power.
    pub sync: bool,
    /// The agents whose files stay although nothing is rendered for them.
    pub left_alone: &'d [AgentName],
}

/// A file that is not as it would be written.
#[derive(Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path below the directory, with `/`.
    pub path: String,
    /// What is in it; none where there is no such file, or not one of text.
    pub before: Option<String>,
    /// What would be in it; none where it would be removed.
    pub after: Option<String>,
}

/// Numbers of files that were written to a directory, left unchanged and removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// New ones, and ones that were replaced.
    pub written: usize,
    /// Ones that were there as they should be.
    pub unchanged: usize,
    /// Ones that are gone.
    pub removed: usize,
}

/// What has to be done to a directory; nothing has been touched yet.
pub struct Plan<'d> {
    place: Place<'d>,
    directory: Directory<'d>,
    /// The objects by the path of their file. Their texts are made one at a time, as they are needed.
    files: BTreeMap<String, &'d Object>,
    /// What was on the list.
    owned: Owned,
    /// What is on the list, is not rendered, and is to go.
    stale: BTreeSet<String>,
    spared: Vec<Spared>,
}

impl<'d> Directory<'d> {
    /// A directory for these objects, without pruning.
    pub fn new(path: &'d Path, list: &'static str, format: Format) -> Self {
        Self {
            path,
            list,
            format,
            prune: None,
            sync: true,
            left_alone: &[],
        }
    }

    /// Looks at every place where an object goes.
    ///
    /// # Errors
    ///
    /// A directory that is a file, or a link that leads elsewhere; a folder in it that is a link; a file that is a folder; a
    /// list that agentctl did not write; an object whose name cannot be that of a file.
    pub fn plan(self, objects: impl IntoIterator<Item = &'d Object>) -> Result<Plan<'d>, EnvironmentError> {
        let place = Place::open(self.path)?;
        let owned = read_list(&place, self.list)?;
        let mut files = BTreeMap::new();
        // A file system that ignores case takes two names that differ in nothing else for one.
        let mut names = BTreeSet::new();
        for object in objects {
            let name = relative_path(&object.key(), self.format);
            let failed = |problem: &str| place.refused(&name, problem);
            if folder_and_file(&name).is_none() {
                return Err(failed("the name of the object cannot be that of a file"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(failed("two objects would be written to it"));
            }
            files.insert(name, object);
        }
        let (stale, spared) = self.pruned(&place, &owned, &files);
        for name in files.keys().chain(&stale) {
            place.check(name)?;
        }
        Ok(Plan {
            directory: self,
            place,
            files,
            owned,
            stale,
            spared,
        })
    }

    /// Files on the list that are removed, and those that stay although they are not rendered.
    fn pruned(
        &self,
        place: &Place<'_>,
        owned: &Owned,
        files: &BTreeMap<String, &Object>,
    ) -> (BTreeSet<String>, Vec<Spared>) {
        let is_left = |name: &&String| !files.contains_key(*name) && !self.keeps(name);
        let pruned = self
            .prune
            .map(|sources| pruning::decide(place, owned.iter().filter(is_left), sources));
        pruned.unwrap_or_default()
    }

    /// Whether a file belongs to an agent that is left alone.
    fn keeps(&self, name: &str) -> bool {
        let is_kept = || {
            let (folder, file) = folder_and_file(name)?;
            let (stem, _) = file.rsplit_once('.')?;
            let (kind, name) = stem.split_once('_')?;
            Some(AgentName::any_has(self.left_alone, kind, folder, name))
        };
        is_kept().unwrap_or_default()
    }
}

impl Plan<'_> {
    /// Files that pruning leaves although they are on the list and not rendered.
    pub fn spared(&self) -> &[Spared] {
        &self.spared
    }

    /// Hands over each file that is not as it would be written, by path. Modes do not count: git keeps none but the
    /// executable's.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and whatever `visit` fails with.
    pub fn each_change<E: From<EnvironmentError>>(
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
            let before = self.place.read(path)?;
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

    /// Does it. Every text is written before the first file is replaced, so that a full disk changes nothing; each file
    /// is replaced as a whole; and every file is on the list before it is there, so that a run that is killed leaves none
    /// that the next one does not know. Secrets are readable by their owner only, whatever the umask.
    ///
    /// # Errors
    ///
    /// The first file or folder that cannot be written.
    pub fn write(self) -> Result<Written, EnvironmentError> {
        self.write_with(&flush)
    }

    fn write_with(mut self, flush: Flush<'_>) -> Result<Written, EnvironmentError> {
        let root = self.place.root();
        let made: Vec<_> = root.ancestors().take_while(|folder| !folder.exists()).collect();
        fs::create_dir_all(root).map_err(|error| self.place.failed("", error))?;
        // Again: a folder on the way may have become a link since.
        self.place.check_way()?;
        let lock = self.place.lock()?;
        // Another run may have come between: its files are judged as they are now.
        self.owned = read_list(&self.place, self.directory.list)?;
        (self.stale, self.spared) = self.directory.pruned(&self.place, &self.owned, &self.files);
        let mut staging = Staging::new(root, lock.is_some(), Some(flush).filter(|_| self.directory.sync))?;
        made.into_iter().for_each(|folder| staging.change(folder));
        let mut union = self.owned.clone();
        union.extend(self.files.keys().cloned());
        self.stage_list(&mut staging, &self.owned, &union)?;
        let mut done = Written::default();
        for (name, object) in &self.files {
            let text = self.text(name, object)?;
            if self.place.holds(name, text.as_bytes(), object.is_secret())? {
                done.unchanged += 1;
            } else {
                staging.add(name, &text, object.is_secret())?;
                done.written += 1;
            }
        }
        staging.commit(&self.place)?;
        for name in &self.stale {
            done.removed += usize::from(self.place.remove(name)?);
            staging.change(&self.place.path(name));
        }
        self.stage_list(&mut staging, &union, &self.final_list())?;
        staging.commit(&self.place)?;
        staging.close()?;
        Ok(done)
    }

    fn text(&self, name: &str, object: &Object) -> Result<String, EnvironmentError> {
        text(object, self.directory.format).map_err(|error| self.place.failed(name, error))
    }

    fn stage_list(&self, staging: &mut Staging<'_>, before: &Owned, after: &Owned) -> Result<(), EnvironmentError> {
        let name = self.directory.list;
        match before == after && self.place.read(name)?.is_some() {
            true => Ok(()),
            false => staging.add(name, &list_text(after), false),
        }
    }

    /// What is on the list afterwards: without pruning, it keeps what is no longer rendered.
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

    /// What is brought to the disk, each with what was in its place at that time.
    fn flushed(path: &Path, sync: bool, prune: bool, things: &[Object]) -> Vec<(PathBuf, Vec<String>)> {
        let names = || {
            let names = ["ns/service_a.yaml", "ns/service_b.yaml", LIST].into_iter();
            names
                .filter(|name| path.join(name).exists())
                .map(str::to_owned)
                .collect()
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
            ..Directory::new(path, LIST, Format::Yaml)
        };
        directory.plan(things).unwrap().write_with(&count).unwrap();
        flushed.into_inner().unwrap()
    }

    fn is_temporary(folder: &Path) -> bool {
        let name = folder.file_name().unwrap().to_str().unwrap();
        name.starts_with(PREFIX)
    }

    #[test]
    fn files_are_on_the_disk_before_they_take_their_places_and_folders_after() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a/b");
        let found = flushed(&path, true, false, &[thing("a"), thing("b")]);
        let (files, folders): (Vec<_>, Vec<_>) =
            found.iter().partition(|(file, _)| is_temporary(file.parent().unwrap()));
        // The list, which is known in advance and so does not change at the end, and two files.
        assert_eq!(files.len(), 3, "{files:?}");
        assert!(files.iter().all(|(_, there)| there.is_empty()), "{files:?}");
        let expected = [
            scratch.path().to_owned(),
            scratch.path().join("a"),
            path.clone(),
            path.join("ns"),
        ];
        let all = ["ns/service_a.yaml", "ns/service_b.yaml", LIST]
            .map(str::to_owned)
            .to_vec();
        let expected: Vec<_> = expected.into_iter().map(|folder| (folder, all.clone())).collect();
        assert_eq!(folders.into_iter().cloned().collect::<Vec<_>>(), expected);

        // What is as it should be is not written again; what goes changes its folder and the list.
        let nothing = flushed(&path, true, true, &[thing("a"), thing("b")]);
        assert_eq!(nothing, [(path.clone(), all)]);
        let pruned = flushed(&path, true, true, &[thing("a")]);
        let pruned: Vec<_> = pruned
            .iter()
            .map(|(path, there)| (path.as_path(), there.len()))
            .collect();
        let (list, folders) = pruned.split_first().unwrap();
        assert!(is_temporary(list.0.parent().unwrap()) && list.0.ends_with("0") && list.1 == 2);
        assert_eq!(folders, [(path.as_path(), 2), (&path.join("ns"), 2)]);
    }

    #[test]
    fn changes_are_shown_before_they_are_made() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path();
        let kept = [AgentName {
            namespace: "ns".to_owned(),
            name: "kept".to_owned(),
        }];
        let sources = Sources::default();
        let directory = Directory {
            prune: Some(&sources),
            left_alone: &kept,
            ..Directory::new(path, LIST, Format::Yaml)
        };
        let changes = |things: &[Object]| {
            let mut seen = Vec::new();
            let plan = directory.plan(things).unwrap();
            let mut see = |FileChange { path, before, after }| {
                seen.push(format!("{path} {} {}", before.is_some(), after.is_some()));
                Ok::<_, EnvironmentError>(())
            };
            plan.each_change(&mut see).unwrap();
            seen
        };
        let write = |things: &[Object]| {
            let Written {
                written,
                unchanged,
                removed,
            } = directory.plan(things).unwrap().write().unwrap();
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
        let expected = [
            "ns/service_b.yaml",
            "ns/service_d.yaml",
            "ns/service_kept-operated.yaml",
        ];
        assert_eq!(listed, expected);

        for (names, problem) in [
            (["b", "B"], "two objects would be written to it"),
            (["b", "x/y"], "the name of the object cannot be that of a file"),
        ] {
            let error = directory.plan(&names.map(thing)).map(drop).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }

    #[test]
    fn nothing_is_flushed_without_sync() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(flushed(&scratch.path().join("a"), false, true, &[thing("a"), thing("b")]).is_empty());
    }
}
