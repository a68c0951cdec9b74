//! Which codes are errors, warnings or nothing.

use clap::Args;

use crate::diagnostic::{Level, Policy, Setting, SettingError, Warned};
use crate::environment::EnvironmentError;
use crate::settings;
use crate::source::{Input, Sources, load_settings};

/// Flags about codes. They come before `agentctl.yaml`, which is looked for upward from the first input.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Severity")]
pub(super) struct PolicyArgs {
    /// Make findings with this code errors; `warnings` stands for all that warn and are not named themselves
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = deny)]
    deny: Vec<Setting>,

    /// Make findings with this code warnings; --deny of the same code counts more
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = warn)]
    warn: Vec<Setting>,

    /// Say nothing of findings with this code; --deny and --warn of the same code count more
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = allow)]
    allow: Vec<Setting>,
}

fn deny(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Deny)
}

fn warn(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Warn)
}

fn allow(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Allow)
}

impl PolicyArgs {
    /// Adds to `policy` what the file of settings says, and then the flags. The file becomes one of the sources, so that
    /// its mistakes can be shown.
    pub(super) fn policy(
        &self,
        mut policy: Policy,
        inputs: &[Input],
        sources: &mut Sources,
    ) -> Result<Warned<Policy>, EnvironmentError> {
        let mut diagnostics = Vec::new();
        if let Some(source) = load_settings(inputs)? {
            let id = sources.add(source);
            let read = sources.get(id).map(|source| settings::read(id, source));
            if let Some(Warned {
                output,
                diagnostics: found,
            }) = read
            {
                output.severity.into_iter().for_each(|setting| policy.set(setting));
                diagnostics.extend(found);
            }
        }
        let flags = self.allow.iter().chain(&self.warn).chain(&self.deny);
        flags.for_each(|&setting| policy.set(setting));
        Ok(Warned {
            output: policy,
            diagnostics,
        })
    }
}
