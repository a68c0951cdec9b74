//! Names that are not in the agent's catalogue.
//!
//! The operator writes `<name>_configs`; the agent reads its configuration strictly, and does not start with a key that
//! it does not know.

use super::{catalogue, diagnostics};
use crate::api::{Integration, Resource};
use crate::diagnostic::Diagnostic;

pub(super) fn check<'d>(integration: &Resource<'d, Integration<'d>>) -> Option<Diagnostic> {
    let known = catalogue::multiplicity(integration.spec.name).is_some();
    (!known).then(|| diagnostics::unknown(integration))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{found, integration, lines};

    #[test]
    fn the_name_is_that_of_the_configuration_key() {
        let exporter = integration("i", "mysqld_exporter", &[], "{}");
        assert_eq!(
            lines(&[&exporter]),
            [
                "unknown-integration spec.name: the agent has no integration `mysqld_exporter`, and does not start with \
                 `mysqld_exporter_configs`"
            ]
        );
        assert_eq!(found(&[&exporter])[0].help.as_deref(), Some("did you mean `mysql`?"));
        assert!(lines(&[&integration("i", "mysql", &[], "{}")]).is_empty());
    }
}
