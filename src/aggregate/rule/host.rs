//! The host of an ExternalName is a DNS name or an address: nothing else can be reached.

use crate::aggregate::diagnostics;
use crate::aggregate::external_name::ExternalName;
use crate::aggregate::host::is_host;
use crate::diagnostic::Diagnostic;

pub(super) fn check(external: &ExternalName<'_>, out: &mut Vec<Diagnostic>) {
    if external.host.is_empty() {
        out.push(diagnostics::missing_host(external));
    } else if !is_host(external.host) {
        out.push(diagnostics::invalid_host(external));
    }
}
