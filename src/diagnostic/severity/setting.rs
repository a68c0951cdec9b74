//! What may be asked for of a code.

use std::fmt;

use clap::ValueEnum;

use crate::diagnostic::{Code, Diagnostic, suggest};

/// The name of all warnings together.
const WARNINGS: &str = "warnings";

/// What is asked for, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Nothing is said.
    Allow,
    Warn,
    /// An error.
    Deny,
}

impl Level {
    /// The level that this word names.
    pub fn parse(word: &str) -> Option<Self> {
        Self::from_str(word, false).ok()
    }
}

/// What a setting is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One rule.
    Code(Code),
    /// `warnings`: every rule that warns and has no setting of its own.
    Warnings,
}

/// A level for a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub subject: Subject,
    pub level: Level,
}

impl Setting {
    /// A level for the code of this name, or for `warnings`.
    ///
    /// # Errors
    /// No such code, or one whose errors cannot be lowered.
    pub fn parse(name: &str, level: Level) -> Result<Self, Box<Diagnostic>> {
        let subject = match name {
            WARNINGS => Subject::Warnings,
            name => Subject::Code(code(name, level)?),
        };
        Ok(Self { subject, level })
    }

    /// The code of this name, for an exception or an annotation that allows it.
    ///
    /// # Errors
    /// No such code, or one that is always an error.
    pub fn allowed(name: &str) -> Result<Code, Box<Diagnostic>> {
        code(name, Level::Allow)
    }
}

impl fmt::Display for Setting {
    /// As the flag that asks for the same.
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

/// The code of this name, if it can be set to `level`.
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

/// There is no code of this name.
pub fn unknown_code(name: &str) -> Box<Diagnostic> {
    let meant = suggest::did_you_mean(name, Code::ALL.iter().map(|code| code.as_str()));
    let help = meant.unwrap_or_else(|| "see `agentctl explain` for all codes".to_owned());
    Box::new(Diagnostic::new(Code::UnknownCode, format!("unknown code `{name}`")).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_codes_or_all_warnings() {
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
    fn a_slip_of_the_pen_is_told() {
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
