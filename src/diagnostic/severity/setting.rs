//! Configurable severity levels for codes.

use std::fmt;

use clap::ValueEnum;

use crate::diagnostic::{Code, Diagnostic, suggest};

/// Name that represents all warnings.
const WARNINGS: &str = "warnings";

/// Configured level, ordered from least to most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeverityLevel {
    /// Findings are not reported.
    Allow,
    Warn,
    /// Findings are reported as errors.
    Deny,
}

impl SeverityLevel {
    /// Parses a level name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::from_str(word, false).ok()
    }
}

/// Code or group of codes that a setting applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeveritySubject {
    /// A single code.
    Code(Code),
    /// `warnings`: all warnings whose code has no setting.
    Warnings,
}

/// A level, and the code or group of codes that it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub subject: SeveritySubject,
    pub level: SeverityLevel,
}

impl Setting {
    /// Creates the setting for a code or for `warnings`.
    ///
    /// # Errors
    ///
    /// Returns a finding if the code does not exist or its errors cannot be lowered.
    pub fn parse(name: &str, level: SeverityLevel) -> Result<Self, Box<Diagnostic>> {
        let subject = match name {
            WARNINGS => SeveritySubject::Warnings,
            name => SeveritySubject::Code(code(name, level)?),
        };
        Ok(Self { subject, level })
    }

    /// Returns the code with this name, for use in an exception or an annotation.
    ///
    /// # Errors
    ///
    /// Returns a finding if the code does not exist or is always an error.
    pub fn allowable_code(name: &str) -> Result<Code, Box<Diagnostic>> {
        code(name, SeverityLevel::Allow)
    }
}

impl fmt::Display for Setting {
    /// Writes the setting in the form of a command-line flag.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = match self.level {
            SeverityLevel::Allow => "--allow",
            SeverityLevel::Warn => "--warn",
            SeverityLevel::Deny => "--deny",
        };
        match self.subject {
            SeveritySubject::Code(code) => write!(f, "{flag}={code}"),
            SeveritySubject::Warnings => write!(f, "{flag}={WARNINGS}"),
        }
    }
}

/// Returns the code with this name if its level can be set to `level`.
fn code(name: &str, level: SeverityLevel) -> Result<Code, Box<Diagnostic>> {
    let code = Code::parse(name).ok_or_else(|| unknown_code(name))?;
    if level == SeverityLevel::Deny || code.can_be_lowered() {
        return Ok(code);
    }
    let finding =
        Diagnostic::new(Code::FixedSeverity, format!("`{code}` cannot be allowed or downgraded to a warning"));
    let help = "remove the code here, and fix the problem: agentctl cannot render a resource with this error";
    Err(Box::new(finding.help(help)))
}

/// Finding for a code that does not exist.
pub fn unknown_code(name: &str) -> Box<Diagnostic> {
    let suggestion = suggest::did_you_mean(name, Code::ALL.iter().map(|code| code.as_str()));
    let help = suggestion.unwrap_or_else(|| "run `agentctl explain` to list all codes".to_owned());
    Box::new(Diagnostic::new(Code::UnknownCode, format!("unknown code `{name}`")).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_codes_and_all_warnings() {
        let subject = |name, level| Setting::parse(name, level).map(|setting| setting.subject);
        assert_eq!(subject("warnings", SeverityLevel::Deny), Ok(SeveritySubject::Warnings));
        assert_eq!(subject("paused-agent", SeverityLevel::Allow), Ok(SeveritySubject::Code(Code::PausedAgent)));
        assert_eq!(subject("yaml-syntax", SeverityLevel::Deny), Ok(SeveritySubject::Code(Code::YamlSyntax)));
        for level in [SeverityLevel::Allow, SeverityLevel::Warn] {
            let code = subject("yaml-syntax", level).map_err(|error| error.code);
            assert_eq!(code, Err(Code::FixedSeverity));
        }
    }

    #[test]
    fn suggests_codes_for_typos() {
        let text = |name| {
            let mistake = Setting::parse(name, SeverityLevel::Allow).unwrap_err();
            format!("{}; {}", mistake.message, mistake.help.unwrap_or_default())
        };
        assert_eq!(text("pased-agent"), "unknown code `pased-agent`; did you mean `paused-agent`?");
        assert_eq!(text("x"), "unknown code `x`; run `agentctl explain` to list all codes");
    }
}
