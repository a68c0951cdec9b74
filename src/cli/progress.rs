//! What is being done, on a terminal, while it takes long.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::ProgressBar;

/// Work that is over before this needs no progress.
const LONG: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// Shows the step of a run that takes long, and takes it away when it is dropped. It shows nothing where nobody watches.
pub(super) struct Progress(Option<Shown>);

struct Shown {
    steps: Sender<&'static str>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Progress on standard error; `watched` says whether that is a terminal with a person at it.
    pub(super) fn new(watched: bool, step: &'static str) -> Self {
        Self(watched.then(|| {
            let (steps, next) = channel();
            let thread = thread::spawn(move || {
                let mut step = step;
                loop {
                    match next.recv_timeout(LONG) {
                        Ok(next) => step = next,
                        Err(RecvTimeoutError::Disconnected) => return,
                        Err(RecvTimeoutError::Timeout) => break,
                    }
                }
                let spinner = ProgressBar::new_spinner();
                spinner.set_message(step);
                spinner.enable_steady_tick(TICK);
                next.iter().for_each(|step| spinner.set_message(step));
                spinner.finish_and_clear();
            });
            Shown { steps, thread }
        }))
    }

    /// Says what is done now.
    pub(super) fn step(&self, step: &'static str) {
        if let Some(shown) = &self.0 {
            // The thread ends only with the sender.
            let _ = shown.steps.send(step);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Shown { steps, thread }) = self.0.take() {
            drop(steps);
            // A spinner that failed is no reason to.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_watches_a_pipeline() {
        assert!(Progress::new(false, "reading").0.is_none());
    }

    #[test]
    fn a_short_run_ends_without_a_word() {
        let progress = Progress::new(true, "reading");
        progress.step("compiling");
        drop(progress);
    }
}
