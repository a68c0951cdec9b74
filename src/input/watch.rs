//! Watching of inputs for changes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::find::Input;
use crate::diagnostic::EnvironmentError;

/// Length of the pause that marks the end of a change. An editor writes a file in several steps, and `git checkout`
/// writes many files.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum duration of a change that contains no pause.
const MAX_DURATION: Duration = Duration::from_secs(2);

/// Watcher that reports changes to inputs, even if they are removed and created again.
pub struct InputWatcher {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    paths: Vec<PathBuf>,
}

impl InputWatcher {
    /// Starts watching the inputs. Standard input cannot change.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not permit watching files.
    pub fn new(inputs: &[Input]) -> Result<Self, EnvironmentError> {
        let (sender, events) = channel();
        // Sending fails only if the watcher no longer exists.
        let send = move |event| drop(sender.send(event));
        let paths = inputs.iter().filter_map(Input::path).map(Path::to_owned).collect();
        let watcher = notify::recommended_watcher(send).map_err(|error| watch_error(Path::new("."), error))?;
        let mut watch = Self { watcher, events, paths };
        watch.watch_existing_inputs()?;
        Ok(watch)
    }

    /// Waits until something has changed and the change is complete.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not permit watching new files.
    pub fn wait(&mut self) -> Result<(), EnvironmentError> {
        while let Ok(event) = self.events.recv() {
            if is_change(&event) {
                debounce(&self.events, PAUSE, MAX_DURATION);
                return self.watch_existing_inputs();
            }
        }
        Ok(())
    }

    /// Watches the existing inputs. A file is watched through its directory, because editors replace files. A directory
    /// is also watched through its parent, because the directory itself may be replaced.
    fn watch_existing_inputs(&mut self) -> Result<(), EnvironmentError> {
        for path in &self.paths {
            let parent = match path.parent() {
                Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
                Some(parent) => parent,
                None => path,
            };
            let parent_watch = (parent, RecursiveMode::NonRecursive);
            let own_watch = path.is_dir().then_some((path.as_path(), RecursiveMode::Recursive));
            for (path, mode) in [parent_watch].into_iter().chain(own_watch) {
                match self.watcher.watch(path, mode) {
                    // The path no longer exists. The watch on its parent directory reports when the path is created
                    // again.
                    Err(error) if is_missing(&error) => {}
                    other => other.map_err(|error| watch_error(path, error))?,
                }
            }
        }
        Ok(())
    }
}

/// Waits for a pause of length `silence`, but not longer than `patience`.
fn debounce(events: &Receiver<notify::Result<Event>>, silence: Duration, patience: Duration) {
    let start = Instant::now();
    let mut silent_since = start;
    while silent_since.elapsed() < silence && start.elapsed() < patience {
        match events.recv_timeout(silence.saturating_sub(silent_since.elapsed())) {
            Ok(event) if is_change(&event) => silent_since = Instant::now(),
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Whether an event is a change. Read events are not changes, because agentctl itself reads files.
fn is_change(event: &notify::Result<Event>) -> bool {
    match event {
        Ok(event) => match event.kind {
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            _ => true,
        },
        Err(_) => true,
    }
}

fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

fn watch_error(path: &Path, error: notify::Error) -> EnvironmentError {
    let error = match error.kind {
        ErrorKind::Io(error) => error.to_string(),
        other => notify::Error::new(other).to_string(),
    };
    EnvironmentError::Other(format!("cannot watch `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn distinguishes_missing_files_from_errors() {
        let watch_error = |kind: io::ErrorKind| notify::Error::io(io::Error::from(kind));
        for (error, expected) in [
            (notify::Error::path_not_found(), true),
            (watch_error(io::ErrorKind::NotFound), true),
            (watch_error(io::ErrorKind::PermissionDenied), false),
            (notify::Error::new(ErrorKind::MaxFilesWatch), false),
        ] {
            assert_eq!(is_missing(&error), expected, "{error:?}");
        }
    }

    #[test]
    fn does_not_treat_reads_as_changes() {
        let event = |kind| Ok(Event::new(kind));
        let access = |access| event(EventKind::Access(access));
        for (event, expected) in [
            (event(EventKind::Create(notify::event::CreateKind::File)), true),
            (event(EventKind::Any), true),
            (access(AccessKind::Open(AccessMode::Write)), false),
            (access(AccessKind::Read), false),
            (access(AccessKind::Close(AccessMode::Read)), false),
            (access(AccessKind::Close(AccessMode::Write)), true),
            (Err(notify::Error::path_not_found()), true),
        ] {
            assert_eq!(is_change(&event), expected, "{event:?}");
        }
    }

    #[test]
    fn reports_paths_that_cannot_be_watched() {
        let shown = |error| watch_error(&PathBuf::from("a"), error).to_string();
        let denied = notify::Error::io(io::Error::other("denied"));
        assert_eq!(shown(denied), "cannot watch `a`: denied");
        let full = shown(notify::Error::new(ErrorKind::MaxFilesWatch));
        assert!(full.starts_with("cannot watch `a`: ") && full.contains("limit"), "{full}");
    }

    #[test]
    fn debounces_changes_with_a_maximum_delay() {
        let (long, none) = (Duration::from_secs(3_600), Duration::ZERO);
        for (silence, patience, left) in [(long, long, 0), (none, long, 3), (long, none, 3)] {
            let (sender, events) = channel();
            for _ in 0..3 {
                sender.send(Ok(Event::new(EventKind::Any))).unwrap();
            }
            drop(sender);
            debounce(&events, silence, patience);
            assert_eq!(events.try_iter().count(), left, "{silence:?} {patience:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn watches_files_through_their_directory() {
        let folder = tempfile::tempdir().unwrap();
        let is_reported = |watch: &InputWatcher| watch.events.recv_timeout(Duration::from_secs(20)).is_ok();
        let path = folder.path().join("a.yaml");
        let watch = InputWatcher::new(&[Input::Path(path.clone()), Input::Stdin]).unwrap();
        std::fs::write(&path, "a: 1").unwrap();
        assert!(is_reported(&watch));
        // Opening a file in the working directory is also reported.
        let watch = InputWatcher::new(&[Input::Path("Cargo.toml".into())]).unwrap();
        drop(std::fs::File::open("Cargo.toml").unwrap());
        assert!(is_reported(&watch));
        // A directory is watched recursively.
        std::fs::create_dir_all(folder.path().join("b/c")).unwrap();
        let watch = InputWatcher::new(&[Input::Path(folder.path().join("b"))]).unwrap();
        std::fs::write(folder.path().join("b/c/d.yaml"), "a: 1").unwrap();
        assert!(is_reported(&watch));
        // Missing files may be created later, but no file can be created below a file.
        assert!(InputWatcher::new(&[Input::Path(folder.path().join("gone/a.yaml"))]).is_ok());
        assert!(InputWatcher::new(&[Input::Path(path.join("b/a.yaml"))]).is_err());
    }
}
