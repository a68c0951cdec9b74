//! Bundles of certificates: PEM, and valid at the time that was asked about. kube-aggregator takes any bytes, and then
//! answers every request with an error.

use jiff::{SignedDuration, Timestamp};

use crate::certificate::{Unusable, certificates, day, expiries};
use crate::diagnostic::{Code, Diagnostic};

/// Time before the end of a bundle from which it is a warning.
const SOON: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What is wrong with a bundle, without its place.
pub(super) fn finding(bundle: &[u8], at: Option<Timestamp>) -> Option<Diagnostic> {
    let expiries = certificates(bundle).and_then(|certificates| match at {
        Some(at) => expiries(&certificates).map(|expiries| expiry(&expiries, at)),
        None => Ok(None),
    });
    expiries.unwrap_or_else(|why| Some(invalid(&why)))
}

/// A bundle is good as long as one of its certificates is.
fn expiry(expiries: &[Timestamp], at: Timestamp) -> Option<Diagnostic> {
    let last = *expiries.iter().max()?;
    let first = *expiries.iter().min()?;
    let soon = at.checked_add(SOON).unwrap_or(Timestamp::MAX);
    let (code, message, help) = if last < at {
        (
            Code::CaBundleExpired,
            format!("on {} the CA bundle has expired: it ends on {}", day(at), day(last)),
            "renew the certificate of the authority",
        )
    } else if last < soon {
        (
            Code::CaBundleExpiresSoon,
            format!("the CA bundle ends soon, on {}", day(last)),
            "add the authority's next certificate to the bundle",
        )
    } else if first < at {
        (
            Code::CaBundleExpiresSoon,
            format!(
                "on {} a certificate of the CA bundle has expired: it ends on {}",
                day(at),
                day(first)
            ),
            "take the certificate out of the bundle",
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(code, message).help(help))
}

/// The bundle holds no certificates that could be used.
fn invalid(why: &Unusable) -> Diagnostic {
    let message = match why {
        Unusable::NotPem => "the CA bundle is not PEM".to_owned(),
        Unusable::Empty => "the CA bundle holds no certificate".to_owned(),
        Unusable::NotX509(number) => format!("certificate {number} of the CA bundle is not an X.509 certificate"),
    };
    Diagnostic::new(Code::InvalidCaBundle, message)
        .help("put the certificates of the authority there, from `-----BEGIN CERTIFICATE-----` on")
}
