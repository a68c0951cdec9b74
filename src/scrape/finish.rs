//! From the labels after the last rule to what is scraped or read.

use std::fmt;

use super::url::{self, lacks_port};
use crate::go::duration;
use crate::relabel::{Labels, Version};

/// Why a target that no rule drops is not scraped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Invalid {
    /// It has no `__address__`.
    NoAddress,
    /// Its `__address__` has a slash.
    AddressWithSlash,
    /// Its `__address__` has no port, and its `__scheme__` stands for none.
    Scheme,
    /// Its `__scrape_interval__` is missing, not a duration, or 0.
    Interval,
    /// Its `__scrape_timeout__` is missing, not a duration, or 0.
    Timeout,
    /// Its timeout is longer than its interval.
    TimeoutAboveInterval,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Invalid::NoAddress => "it has no `__address__` after relabeling",
            Invalid::AddressWithSlash => "its `__address__` contains a slash",
            Invalid::Scheme => "its `__scheme__` is neither http nor https, and its `__address__` has no port",
            Invalid::Interval => "its `__scrape_interval__` is not a valid duration",
            Invalid::Timeout => "its `__scrape_timeout__` is not a valid duration",
            Invalid::TimeoutAboveInterval => "its scrape timeout is longer than its scrape interval",
        })
    }
}

/// The labels of a target of metrics and its URL (`PopulateLabels` behind its rules). All labels are left but those of discovery.
/// Since version 3, an address without a port stays without one.
pub(super) fn metrics<'l>(
    mut labels: Labels<'l>,
    params: &[(String, Vec<String>)],
    version: Version,
) -> Result<(Labels<'l>, String), Invalid> {
    let mut address = labels.get("__address__").to_owned();
    if address.is_empty() {
        return Err(Invalid::NoAddress);
    }
    if version == Version::V2 && lacks_port(&address) {
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
    let length = |name: &str| duration::of_prometheus(labels.get(name)).filter(|length| *length > 0);
    let interval = length("__scrape_interval__").ok_or(Invalid::Interval)?;
    let timeout = length("__scrape_timeout__").ok_or(Invalid::Timeout)?;
    if timeout > interval {
        return Err(Invalid::TimeoutAboveInterval);
    }
    labels.retain(|name| !name.starts_with("__meta_"));
    labels.set_default("instance", address);
    let url = url::of(&labels, params);
    Ok((labels, url))
}
