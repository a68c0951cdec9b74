//! A bundle has to be PEM, and valid at the time that was asked about. kube-aggregator takes any bytes, and then answers
//! every request with an error.

use k8s_openapi::jiff::{SignedDuration, Timestamp};

use crate::aggregate::api_service::ApiService;
use crate::aggregate::certificate::{certificates, expiries};
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::diagnostic::Diagnostic;

/// How long before its end a bundle is worth a warning.
const SOON: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The bundle of all remote services is looked at once, where it is read.
pub(super) fn check(service: &ApiService<'_>, at: Option<Timestamp>, out: &mut Vec<Diagnostic>) {
    if service.ca_bundle.is_empty() || service.origin.is_remote() {
        return;
    }
    let found = findings(&service.ca_bundle, at);
    out.extend(found.map(|finding| diagnostics::at(finding, service.object(), service.origin, Field::CaBundle)));
}

/// What is wrong with a bundle: one finding at the most, without its place.
pub(in crate::aggregate) fn findings(bundle: &[u8], at: Option<Timestamp>) -> impl Iterator<Item = Diagnostic> + use<> {
    let certificates = match certificates(bundle) {
        Ok(certificates) => certificates,
        Err(why) => return Some(diagnostics::invalid_bundle(&why)).into_iter(),
    };
    let finding = at.and_then(|at| match expiries(&certificates) {
        Ok(expiries) => expiry(&expiries, at),
        Err(why) => Some(diagnostics::invalid_bundle(&why)),
    });
    finding.into_iter()
}

/// A bundle is good as long as one of its certificates is.
fn expiry(expiries: &[Timestamp], at: Timestamp) -> Option<Diagnostic> {
    let last = expiries.iter().max()?;
    let first = expiries.iter().min()?;
    let soon = at.checked_add(SOON).unwrap_or(Timestamp::MAX);
    if *last < at {
        Some(diagnostics::expired_bundle(*last, at))
    } else if *last < soon {
        Some(diagnostics::expiring_bundle(*last))
    } else if *first < at {
        Some(diagnostics::partly_expired_bundle(*first, at))
    } else {
        None
    }
}
