//! Terminal output: colors, progress and columns.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
#[cfg(unix)]
use std::os::fd::AsFd as Handle;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Handle;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::ProgressBar;
use terminal_size::terminal_size_of;

use crate::printable::{Line, Text};
use crate::report::add_columns;

/// Policy for colored output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set
    #[default]
    Auto,
    /// Even if the output is not a terminal
    Always,
    /// Never, not even on a terminal
    Never,
}

impl ColorChoice {
    /// Returns whether to use colors. The flag takes precedence, followed by `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`
    /// and `is_terminal`.
    pub(super) fn decide(self, is_terminal: bool, variable: impl Fn(&'static str) -> Option<OsString>) -> bool {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        let has_value = |name, text: &str| variable(name).is_some_and(|value| value == text);
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if is_set("NO_COLOR") => false,
            ColorChoice::Auto if is_set("CLICOLOR_FORCE") && !has_value("CLICOLOR_FORCE", "0") => true,
            ColorChoice::Auto => is_terminal && !has_value("CLICOLOR", "0") && !has_value("TERM", "dumb"),
        }
    }
}

/// Returns the stream's width in characters, from `COLUMNS` or the terminal, or `None` if the stream is not a terminal.
pub(super) fn width(stream: &(impl IsTerminal + Handle)) -> Option<usize> {
    let terminal = || terminal_size_of(stream).map(|(width, _)| width.0.into());
    stream.is_terminal().then(|| columns(env::var_os("COLUMNS").as_deref()).or_else(terminal)).flatten()
}

fn columns(variable: Option<&OsStr>) -> Option<usize> {
    let number = variable?.to_str()?.parse().ok();
    number.filter(|&number| number > 0)
}

/// Time that work must take before its progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// Progress display for slow steps. It disappears when it is dropped, and shows nothing if there is no terminal.
pub(super) struct Progress(Option<ProgressThread>);

struct ProgressThread {
    steps: Sender<&'static str>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Starts showing progress on standard error if `watched` is true, which means that a user is watching a terminal.
    pub(super) fn new(watched: bool, step: &'static str) -> Self {
        Self(watched.then(|| {
            let (steps, next) = channel();
            let thread = thread::spawn(move || {
                let mut step = step;
                loop {
                    match next.recv_timeout(PROGRESS_DELAY) {
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
            ProgressThread { steps, thread }
        }))
    }

    /// Shows the step that is in progress.
    pub(super) fn step(&self, step: &'static str) {
        if let Some(shown) = &self.0 {
            // Sending fails only if the thread has panicked.
            let _ = shown.steps.send(step);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(ProgressThread { steps, thread }) = self.0.take() {
            drop(steps);
            // The run must continue even if the progress display panicked.
            let _ = thread.join();
        }
    }
}

/// Number of spaces between columns.
const COLUMN_GAP: usize = 3;

/// Formats the rows as aligned columns, without trailing spaces.
pub(super) fn table<const N: usize>(rows: Vec<[String; N]>) -> Text {
    let mut text = Text::default();
    let rows = rows.into_iter().map(|row| row.map(Line::from).into());
    add_columns(rows.collect(), COLUMN_GAP, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_variables_have_an_order_of_precedence() {
        for (variables, terminal, expected) in [
            (&[][..], true, true),
            (&[], false, false),
            (&[("NO_COLOR", "1")], true, false),
            (&[("NO_COLOR", "")], true, true),
            (&[("CLICOLOR_FORCE", "1")], false, true),
            (&[("CLICOLOR_FORCE", "0")], false, false),
            (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], true, false),
            (&[("CLICOLOR", "0")], true, false),
            (&[("TERM", "dumb")], true, false),
        ] {
            let variable = |name| {
                let entry = variables.iter().find(|(key, _)| *key == name);
                entry.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(ColorChoice::Auto.decide(terminal, variable), expected, "{variables:?} {terminal}");
            assert!(ColorChoice::Always.decide(terminal, variable));
            assert!(!ColorChoice::Never.decide(terminal, variable));
        }
    }

    #[test]
    fn reads_width_from_columns_variable() {
        for (variable, expected) in [
            (None, None),
            (Some("80"), Some(80)),
            (Some("0"), None),
            (Some(""), None),
            (Some("-1"), None),
            (Some("wide"), None),
        ] {
            assert_eq!(columns(variable.map(OsStr::new)), expected, "{variable:?}");
        }
    }

    #[test]
    fn pipes_show_no_progress() {
        assert!(Progress::new(false, "reading").0.is_none());
    }

    #[test]
    fn shows_no_progress_for_short_runs() {
        let progress = Progress::new(true, "reading");
        progress.step("compiling");
        drop(progress);
    }

    #[test]
    fn dropping_progress_waits_until_it_has_ended() {
        let (steps, next) = channel();
        let (sender, receiver) = channel();
        let thread = thread::spawn(move || {
            next.iter().for_each(|step| sender.send(step).unwrap());
            thread::sleep(Duration::from_millis(20));
            sender.send("end").unwrap();
        });
        let progress = Progress(Some(ProgressThread { steps, thread }));
        progress.step("compiling");
        progress.step("writing");
        drop(progress);
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), ["compiling", "writing", "end"]);
    }

    #[test]
    fn aligns_columns_by_characters() {
        let rows = vec![["A", "B"], ["é", "x"], ["long", ""]];
        let rows = rows.into_iter().map(|row| row.map(str::to_owned)).collect();
        assert_eq!(table(rows).as_str(), "A      B\né      x\nlong\n");
    }
}
