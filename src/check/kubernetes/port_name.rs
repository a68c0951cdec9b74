//! The name of the agent's port: of its container, of its Service, and of the probe that asks it.

use super::diagnostics;
use crate::api::{GrafanaAgent, Resource, syntax};
use crate::diagnostic::Diagnostic;

pub(super) fn check<'d>(agent: &Resource<'d, GrafanaAgent<'d>>) -> Option<Diagnostic> {
    let name = agent.spec.port_name;
    let problem = syntax::port_name(name).filter(|_| !name.is_empty())?;
    Some(diagnostics::port_name(agent, name, &problem))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn fifteen_characters() {
        for (name, expected) in [("", 0), ("fifteen-letters", 0), ("sixteen-letters0", 1), ("'80'", 1)] {
            let spec = format!("metrics: {{instanceSelector: {{}}}}, portName: {name}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "i", "{}")]);
            assert_eq!(lines.len(), expected, "{name} {lines:?}");
            assert!(
                lines
                    .iter()
                    .all(|line| line.starts_with("invalid-port-name spec.portName: "))
            );
        }
    }
}
