//! Levels that the agent's logger does not have.

use super::diagnostics;
use super::place::Subject;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// What `Level.Set` of dskit's `log` takes.
const LEVELS: [&str; 4] = ["debug", "error", "info", "warn"];

/// Checks `spec.logLevel`, which the operator copies into each configuration.
pub(super) fn check(hierarchy: &Hierarchy<'_, '_>) -> Option<Diagnostic> {
    let level = hierarchy.agent.spec.log_level;
    let is_known = level.is_empty() || LEVELS.contains(&level);
    (!is_known).then(|| {
        let subject = Subject::new(hierarchy.agent);
        diagnostics::invalid_log_level(&subject.spec().key("logLevel"), level, &LEVELS)
    })
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found};
    use crate::diagnostic::Code;

    #[test]
    fn levels_are_those_of_the_agent() {
        let found = |level: &str| {
            let mut found = found(&[&agent("a", &format!("logLevel: {level}"))]);
            found.retain(|d| d.code == Code::InvalidLogLevel);
            found
        };
        for level in ["debug", "info", "warn", "error", "''"] {
            assert!(found(level).is_empty(), "{level}");
        }
        for (level, help) in [
            ("verbose", "use one of `debug`, `error`, `info`, `warn`"),
            ("Debug", "did you mean `debug`?"),
        ] {
            let found = found(level);
            assert_eq!(found[0].path.as_deref(), Some("spec.logLevel"), "{level}");
            assert_eq!(found[0].help.as_deref(), Some(help), "{level}");
        }
    }
}
