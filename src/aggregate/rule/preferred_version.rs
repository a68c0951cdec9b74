//! A version that promises less than another of its group is what clients get unless they ask.

use std::cmp::Reverse;

use crate::aggregate::diagnostics;
use crate::aggregate::priority::sorted_by_group_and_version;
use crate::aggregate::registry::Registry;
use crate::aggregate::version::Version;
use crate::diagnostic::Diagnostic;

pub(super) fn check(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    for group in sorted_by_group_and_version(&registry.api_services) {
        let Some(preferred) = group.preferred() else { continue };
        let most_stable = group
            .versions
            .iter()
            .min_by_key(|service| Reverse(Version::new(service.version).stability()));
        if let Some(stable) = most_stable
            && Version::new(stable.version).stability() > Version::new(preferred.version).stability()
        {
            out.push(diagnostics::unstable_preferred_version(preferred, stable));
        }
    }
}
