//! Final step: builds the scrape URL from the labels that remain after relabeling.

use std::fmt;

use super::url;
use crate::go::address::lacks_port;
use crate::go::duration;
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Reason why a target that all rules keep cannot be scraped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Invalid {
    /// `__address__` is missing.
    NoAddress,
    /// `__address__` contains a slash.
    AddressWithSlash,
    /// `__address__` has no port, and `__scheme__` has no default port.
    Scheme,
    /// `__scrape_interval__` is missing, not a duration, or 0.
    Interval,
    /// `__scrape_timeout__` is missing, not a duration, or 0.
    Timeout,
    /// The timeout is longer than the interval.
    TimeoutAboveInterval,
    /// The rules read and write more bytes than the limit allows.
    TooLarge,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Invalid::NoAddress => "no `__address__` after relabeling",
            Invalid::AddressWithSlash => "`__address__` contains a slash",
            Invalid::Scheme => "`__scheme__` is neither http nor https, and `__address__` has no port",
            Invalid::Interval => "`__scrape_interval__` is not a valid duration",
            Invalid::Timeout => "`__scrape_timeout__` is not a valid duration",
            Invalid::TimeoutAboveInterval => "the scrape timeout is longer than the scrape interval",
            Invalid::TooLarge => "relabeling creates labels that are too large to trace",
        })
    }
}

/// Returns the labels and the URL of a metrics target (`PopulateLabels` after the rules). Only the labels set by
/// discovery are removed. Prometheus 3 leaves an address without a port unchanged.
pub(super) fn metrics<'l>(
    mut labels: Labels<'l>,
    params: &[(String, Vec<String>)],
    version: PrometheusVersion,
) -> Result<(Labels<'l>, String), Invalid> {
    let mut address = labels.get("__address__").to_owned();
    if address.is_empty() {
        return Err(Invalid::NoAddress);
    }
    if version == PrometheusVersion::V2 && lacks_port(&address) {
        address.push_str(match labels.get("__scheme__") {
            "http" | "" => ":80",
            "https" => ":443",
            _ => return Err(Invalid::Scheme),
        });
        labels.set("__address__", address.clone());
    }
    if address.contains('/') {
        return Err(Invalid::AddressWithSlash);
    }
    let length = |name: &str| duration::parse_prometheus(labels.get(name)).filter(|length| *length > 0);
    let interval = length("__scrape_interval__").ok_or(Invalid::Interval)?;
    let timeout = length("__scrape_timeout__").ok_or(Invalid::Timeout)?;
    if timeout > interval {
        return Err(Invalid::TimeoutAboveInterval);
    }
    labels.retain(|name| !name.starts_with("__meta_"));
    labels.set_default("instance", address);
    let url = url::build(&labels, params);
    Ok((labels, url))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: [(&str, &str); 4] =
        [("__address__", "a:1"), ("__scheme__", "http"), ("__scrape_interval__", "1m"), ("__scrape_timeout__", "10s")];

    /// Returns the result for a target with one changed label.
    fn finish_with_label(
        name: &'static str,
        value: &'static str,
        version: PrometheusVersion,
    ) -> Result<(Labels<'static>, String), Invalid> {
        let mut labels = Labels::from_iter(BASE);
        labels.set(name, value);
        metrics(labels, &[], version)
    }

    #[test]
    fn addresses_have_the_default_port_of_their_scheme() {
        for (address, scheme, before, since) in [
            ("a:1", "http", Ok("a:1"), Ok("a:1")),
            ("a", "http", Ok("a:80"), Ok("a")),
            ("a", "", Ok("a:80"), Ok("a")),
            ("a", "https", Ok("a:443"), Ok("a")),
            ("[::1]", "https", Ok("[::1]:443"), Ok("[::1]")),
            ("::1", "https", Ok("::1"), Ok("::1")),
            ("a", "ftp", Err(Invalid::Scheme), Ok("a")),
            ("a:1", "ftp", Ok("a:1"), Ok("a:1")),
            ("", "http", Err(Invalid::NoAddress), Err(Invalid::NoAddress)),
            ("a/b", "http", Err(Invalid::AddressWithSlash), Err(Invalid::AddressWithSlash)),
            ("a:1/b", "http", Err(Invalid::AddressWithSlash), Err(Invalid::AddressWithSlash)),
        ] {
            for (version, expected) in [(PrometheusVersion::V2, before), (PrometheusVersion::V3, since)] {
                let mut labels = Labels::from_iter(BASE);
                labels.set("__address__", address);
                labels.set("__scheme__", scheme);
                let actual = metrics(labels, &[], version);
                let actual = actual.map(|(labels, _)| labels.get("instance").to_owned());
                assert_eq!(actual, expected.map(str::to_owned), "{address} {scheme} {version:?}");
            }
        }
    }

    #[test]
    fn timeouts_do_not_exceed_intervals() {
        for (name, value, expected) in [
            ("__scrape_interval__", "", Err(Invalid::Interval)),
            ("__scrape_interval__", "0s", Err(Invalid::Interval)),
            ("__scrape_interval__", "1x", Err(Invalid::Interval)),
            ("__scrape_interval__", "9s", Err(Invalid::TimeoutAboveInterval)),
            ("__scrape_interval__", "10s", Ok(())),
            ("__scrape_timeout__", "", Err(Invalid::Timeout)),
            ("__scrape_timeout__", "0s", Err(Invalid::Timeout)),
            ("__scrape_timeout__", "60s", Ok(())),
            ("__scrape_timeout__", "61s", Err(Invalid::TimeoutAboveInterval)),
        ] {
            assert_eq!(finish_with_label(name, value, PrometheusVersion::V2).map(drop), expected, "{name} {value}");
        }
    }

    #[test]
    fn omits_discovery_labels() {
        for (name, is_kept) in [("__meta_a", false), ("__a", true), ("a", true), ("instance", true)] {
            let (labels, url) = finish_with_label(name, "x", PrometheusVersion::V2).unwrap();
            assert_eq!((labels.get(name) == "x", url.as_str()), (is_kept, "http://a:1"), "{name}");
        }
    }

    #[test]
    fn reports_invalid_targets() {
        for (invalid, expected) in [
            (Invalid::NoAddress, "no `__address__` after relabeling"),
            (Invalid::AddressWithSlash, "`__address__` contains a slash"),
            (Invalid::Scheme, "`__scheme__` is neither http nor https, and `__address__` has no port"),
            (Invalid::Interval, "`__scrape_interval__` is not a valid duration"),
            (Invalid::Timeout, "`__scrape_timeout__` is not a valid duration"),
            (Invalid::TimeoutAboveInterval, "the scrape timeout is longer than the scrape interval"),
        ] {
            assert_eq!(invalid.to_string(), expected);
        }
    }
}
