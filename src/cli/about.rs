//! `agentctl version` and `agentctl man`: versions and manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use serde_json::json;

use super::args::{ALLOY_VERSION, AnswerFormat};
use super::help::Sections;
use super::session::{ExitStatus, Outcome, Session};
use crate::api::OperatorVersion;
use crate::diagnostic::EnvironmentError;

/// Show the versions of agentctl, the operator and Alloy
///
/// In JSON, `commit` is the commit of a release, or `null` in a local build.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl version
  agentctl version -o json")]
pub(super) struct VersionArgs {
    /// Format of the versions
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: AnswerFormat,
}

impl VersionArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let version = env!("CARGO_PKG_VERSION");
        let operator = OperatorVersion::LAST;
        let text = match self.output {
            AnswerFormat::Text => format!("agentctl {version} (renders for Grafana Agent Operator {operator})\n"),
            AnswerFormat::Json => {
                let commit = option_env!("AGENTCTL_COMMIT");
                let (operator, alloy) = (operator.to_string(), ALLOY_VERSION);
                let versions = json!({ "version": version, "commit": commit, "operator": operator, "alloy": alloy });
                format!("{versions:#}\n")
            }
        };
        session.data(&text)
    }
}

/// Write the manual page, or all pages to a directory
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl man | man -l -
  agentctl man /usr/local/share/man/man1")]
pub(super) struct ManArgs {
    /// Existing directory for agentctl.1 and one page per subcommand
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    directory: Option<PathBuf>,
}

impl ManArgs {
    pub(super) fn run(&self, session: &Session, mut command: Command) -> Outcome {
        command.build();
        match &self.directory {
            Some(directory) => write_pages(&command, "agentctl", directory)?,
            None => return session.write(|out| render(command, "agentctl", out)),
        }
        Ok(ExitStatus::Success)
    }
}

/// Writes the pages for `command` and all its subcommands: `agentctl.1`, `agentctl-render.1`,
/// `agentctl-aggregate-routes.1` and so on.
fn write_pages(command: &Command, name: &str, directory: &Path) -> Result<(), EnvironmentError> {
    let path = directory.join(format!("{name}.1"));
    let mut page = Vec::new();
    let result = render(command.clone(), name, &mut page).and_then(|()| fs::write(&path, page));
    result.map_err(EnvironmentError::write(&path))?;
    let mut subcommands = command.get_subcommands().filter(|subcommands| subcommands.get_name() != "help");
    subcommands
        .try_for_each(|subcommands| write_pages(subcommands, &format!("{name}-{}", subcommands.get_name()), directory))
}

/// Writes a page with separate sections for examples and exit statuses. clap_mangen would put both into one section
/// called EXTRA.
fn render(command: Command, name: &str, out: &mut impl Write) -> io::Result<()> {
    let sections = Sections::new(&command);
    let mut page = Vec::new();
    Man::new(command).title(name).source(concat!("agentctl ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    let page = page.split(".SH EXTRA\n").next().unwrap_or_default();
    let mut roff = Roff::new();
    for section in sections.iter() {
        roff.control("SH", [section.heading.to_uppercase().as_str()]);
        // The `nf` request turns off filling, so that line breaks are kept.
        roff.control("nf", []);
        for line in &section.lines {
            roff.text([roman(line.trim_start())]);
        }
        roff.control("fi", []);
    }
    out.write_all(page.as_bytes())?;
    out.write_all(roff.to_roff().as_bytes())
}
