//! Message about a panic, which is always a bug in agentctl.

use std::any::Any;
use std::backtrace::Backtrace;
use std::env;
use std::ffi::OsString;
use std::panic;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::Command;

use super::session::to_standard_error;
use crate::printable::Text;

/// Installs a panic hook that explains how to report the bug. The panic message may contain part of the input, and
/// therefore a secret, so it is printed only if RUST_BACKTRACE is set. Then the process exits with status 101, even if
/// another thread panicked. Aborting would leave a core dump that contains the input.
pub(super) fn report_panics(root: fn() -> Command) {
    let is_reported = AtomicBool::new(false);
    panic::set_hook(Box::new(move |info| {
        if is_reported.swap(true, Ordering::Relaxed) {
            loop {
                thread::park(); // Waits while the thread that failed first reports and exits.
            }
        }
        let location = info.location().map(ToString::to_string);
        let text = report(command(&root(), env::args_os()).as_deref(), location.as_deref());
        to_standard_error(&text);
        if env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            to_standard_error(&backtrace(info.payload()));
        }
        process::exit(101);
    }));
}

/// Returns the name of the subcommand in the arguments, if any. The other arguments may be confidential.
fn command(root: &Command, args: impl Iterator<Item = OsString>) -> Option<String> {
    args.skip(1).find_map(|arg| {
        let command = root.find_subcommand(arg)?;
        Some(command.get_name().to_owned())
    })
}

/// Formats the panic message on one line, followed by the backtrace.
fn backtrace(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
    let mut text = Text::default();
    text.line(format!("message: {}", message.unwrap_or("unknown")));
    text.append(&Text::from_lines(&Backtrace::force_capture().to_string()));
    text.into_string()
}

fn report(command: Option<&str>, place: Option<&str>) -> String {
    format!(
        "error: agentctl crashed: this is a bug in agentctl, regardless of the input\n\
         \x20 version: {version} ({os}, {arch})\n\
         \x20 command: {command}\n\
         \x20 location: {place}\n\
         help: report these lines, and the smallest input that causes the crash, without its secrets; RUST_BACKTRACE=1 also \
         shows the panic message, which may contain parts of the input\n",
        version = env!("CARGO_PKG_VERSION"),
        os = env::consts::OS,
        arch = env::consts::ARCH,
        command = command.unwrap_or("none"),
        place = place.unwrap_or("unknown"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_in_panic_messages() {
        for payload in
            [Box::new("a\n::error::\u{1b}b".to_owned()) as Box<dyn Any + Send>, Box::new("a\n::error::\u{1b}b")]
        {
            let text = backtrace(payload.as_ref());
            assert_eq!(text.lines().next(), Some("message: a\\n::error::\\u{1b}b"));
        }
    }

    #[test]
    fn reports_only_the_command_name() {
        let root = Command::new("agentctl").subcommand(Command::new("render").alias("compile"));
        for (args, expected) in [
            (&["agentctl", "render", "secret"][..], Some("render")),
            (&["agentctl", "--color", "never", "render"], Some("render")),
            (&["agentctl", "compile"], Some("render")),
            (&["render", "secret"], None),
            (&["agentctl"], None),
            (&[], None),
        ] {
            let actual = command(&root, args.iter().map(OsString::from));
            assert_eq!(actual.as_deref(), expected, "{args:?}");
        }
    }

    #[test]
    fn reports_command_and_location() {
        let text = report(Some("render"), Some("src/x.rs:1:2"));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[1].contains(env!("CARGO_PKG_VERSION")));
        assert_eq!(lines[2..4], ["  command: render", "  location: src/x.rs:1:2"]);
    }
}
