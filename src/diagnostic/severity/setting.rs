//! Configurable levels of codes.

use std::fmt;

use clap::ValueEnum;

use crate::diagnostic::{Code, Diagnostic, suggest};

/// Name that represents all warnings.
const WARNINGS: &str = "warnings";

/// Configured level, from the least to the most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Not reported.
    Allow,
    Warn,
    /// Reported as an error.
    Deny,
}

impl Level {
    /// Parses a level name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::from_str(word, false).ok()
    }
}

/// Code or group of codes that a setting applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A single code.
    Code(Code),
    /// `warnings`: all warnings whose code has no setting.
    Warnings,
}

/// A level for a code or for all warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub subject: Subject,
    pub level: Level,
}

impl Setting {
    /// Returns the setting for a code or for `warnings`.
    ///
    /// # Errors
    ///
    /// Returns a finding if the code does not exist or its errors cannot be lowered.
    pub fn parse(name: &str, level: Level) -> Result<Self, Box<Diagnostic>> {
        let subject = match name {
            WARNINGS => Subject::Warnings,
            name => Subject::Code(code(name, level)?),
        };
        Ok(Self { subject, level })
    }

    /// Returns the code with this name for an exception or an annotation.
    ///
    /// # Errors
    ///
    /// Returns a finding if the code does not exist or is always an error.
    pub fn allowed(name: &str) -> Result<Code, Box<Diagnostic>> {
        code(name, Level::Allow)
    }
}

impl fmt::Display for Setting {
    /// Writes the setting as a command-line flag.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = match self.level {
            Level::Allow => "--allow",
            Level::Warn => "--warn",
            Level::Deny => "--deny",
        };
        match self.subject {
            Subject::Code(code) => write!(f, "{flag}={code}"),
            Subject::Warnings => write!(f, "{flag}={WARNINGS}"),
        }
    }
}

/// Returns the code with this name if its level can be set to `level`.
fn code(name: &str, level: Level) -> Result<Code, Box<Diagnostic>> {
    let code = Code::parse(name).ok_or_else(|| unknown_code(name))?;
    if level == Level::Deny || code.can_be_lowered() {
        return Ok(code);
    }
    let finding = Diagnostic::new(
        Code::FixedSeverity,
        format!("`{code}` cannot be allowed or made a warning"),
    );
    let help = "fix what it reports: agentctl cannot render a resource with this error";
    Err(Box::new(finding.help(help)))
}

/// Finding for a code that does not exist.
pub fn unknown_code(name: &str) -> Box<Diagnostic> {
    let meant = suggest::did_you_mean(name, Code::ALL.iter().map(|code| code.as_str()));
    let help = meant.unwrap_or_else(|| "see `agentctl explain` for all codes".to_owned());
    Box::new(Diagnostic::new(Code::UnknownCode, format!("unknown code `{name}`")).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_codes_or_all_warnings() {
        let subject = |name, level| Setting::parse(name, level).map(|setting| setting.subject);
        assert_eq!(subject("warnings", Level::Deny), Ok(Subject::Warnings));
        assert_eq!(
            subject("paused-agent", Level::Allow),
            Ok(Subject::Code(Code::PausedAgent))
        );
        assert_eq!(subject("yaml-syntax", Level::Deny), Ok(Subject::Code(Code::YamlSyntax)));
        for level in [Level::Allow, Level::Warn] {
            let code = subject("yaml-syntax", level).map_err(|error| error.code);
            assert_eq!(code, Err(Code::FixedSeverity));
        }
    }

    #[test]
    fn suggests_codes_for_typos() {
        let text = |name| {
            let wrong = Setting::parse(name, Level::Allow).unwrap_err();
            format!("{}; {}", wrong.message, wrong.help.unwrap_or_default())
        };
        assert_eq!(
            text("pased-agent"),
            "unknown code `pased-agent`; did you mean `paused-agent`?"
        );
        assert_eq!(text("x"), "unknown code `x`; see `agentctl explain` for all codes");
    }
}
