use crate::diagnostic::{Diagnostic, Severity};

/// What the agent refuses where Prometheus would not, or has nothing to say: a warning, since no other tool confirms it.
pub fn as_warnings(found: &mut Vec<Diagnostic>, check: impl FnOnce(&mut Vec<Diagnostic>)) {
    let start = found.len();
    check(found);
    for finding in found.iter_mut().skip(start) {
        finding.severity = finding.severity.min(Severity::Warning);
    }
}
