//! Entry point of the `agentctl` command.

use std::process::ExitCode;

use agentctl::cli;

fn main() -> ExitCode {
    cli::report_panics();
    cli::run(std::env::args_os()).into()
}
