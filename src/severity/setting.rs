//! What may be asked for of a code.

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::Span;

/// The name of all warnings together.
const WARNINGS: &str = "warnings";

/// What is asked for, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        let levels = [Level::Allow, Level::Warn, Level::Deny];
        levels.into_iter().find(|level| level.as_str() == word)
    }

    fn as_str(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
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
    pub fn parse(name: &str, level: Level) -> Result<Self, SettingError> {
        let subject = match name {
            WARNINGS => Subject::Warnings,
            name => Subject::Code(code(name, level)?),
        };
        Ok(Self { subject, level })
    }
}

impl fmt::Display for Setting {
    /// As the flag that asks for the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.level.as_str();
        let subject = match self.subject {
            Subject::Code(code) => code.as_str(),
            Subject::Warnings => WARNINGS,
        };
        write!(f, "--{level}={subject}")
    }
}

/// The code of this name, if it can be set to `level`.
pub(super) fn code(name: &str, level: Level) -> Result<Code, SettingError> {
    let code = Code::parse(name).ok_or_else(|| SettingError::UnknownCode(name.to_owned()))?;
    if level == Level::Deny || code.can_be_lowered() {
        Ok(code)
    } else {
        Err(SettingError::FixedCode(code))
    }
}

/// Why a setting cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// There is no code of this name.
    UnknownCode(String),
    /// What this code finds cannot be rendered.
    FixedCode(Code),
}

impl SettingError {
    /// The finding about a setting in the input.
    pub fn at(&self, span: Span) -> Diagnostic {
        let code = match self {
            SettingError::UnknownCode(_) => Code::UnknownCode,
            SettingError::FixedCode(_) => Code::FixedSeverity,
        };
        Diagnostic::new(code, self.message()).label(span, "").help(self.help())
    }

    fn message(&self) -> String {
        match self {
            SettingError::UnknownCode(name) => format!("unknown code `{name}`"),
            SettingError::FixedCode(code) => format!("`{code}` cannot be allowed or made a warning"),
        }
    }

    fn help(&self) -> String {
        match self {
            SettingError::UnknownCode(name) => {
                let meant = suggest::did_you_mean(name, Code::ALL.iter().map(|code| code.as_str()));
                meant.unwrap_or_else(|| "see `agentctl explain` for all codes".to_owned())
            }
            SettingError::FixedCode(_) => {
                "fix what it reports: agentctl cannot render a resource with this error".to_owned()
            }
        }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message(), self.help())
    }
}

impl std::error::Error for SettingError {}

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
            assert_eq!(
                subject("yaml-syntax", level),
                Err(SettingError::FixedCode(Code::YamlSyntax))
            );
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_told() {
        let text = |name| Setting::parse(name, Level::Allow).unwrap_err().to_string();
        assert_eq!(
            text("pased-agent"),
            "unknown code `pased-agent`; did you mean `paused-agent`?"
        );
        assert_eq!(text("x"), "unknown code `x`; see `agentctl explain` for all codes");
    }
}
