//! What stands in for values that are missing or not to be rendered.

use std::collections::BTreeSet;

use super::references::Usage;
use super::{AssetKey, Hierarchy};

/// A token that names the value and is always the same: `placeholder:Secret/namespace/name/key`. Where the operator
/// reads the value as a list of scrape jobs, it is such a list, with the token as the name of its job.
pub fn placeholder(key: &AssetKey<'_>, usage: Usage) -> String {
    shaped(
        format!("placeholder:{}/{}/{}/{}", key.kind, key.namespace, key.name, key.key),
        usage,
    )
}

fn shaped(token: String, usage: Usage) -> String {
    match usage {
        Usage::ScrapeConfigs => format!("- job_name: {token}\n"),
        Usage::Value | Usage::File | Usage::Unused => token,
    }
}

impl Hierarchy<'_, '_> {
    /// The hierarchy with a placeholder for every value of a Secret. Those of ConfigMaps are not secrets, and stay.
    pub fn concealed(&self) -> Self {
        self.concealed_by(placeholder)
    }

    /// The hierarchy with a mark for every value of a Secret: `mark` and the key of the value in `<agent>-secrets`, which has
    /// no `-`, and a `-`. YAML writes it as it is.
    pub fn marked(&self, mark: &str) -> Self {
        self.concealed_by(|key, usage| shaped(format!("{mark}{}-", key.sanitized()), usage))
    }

    fn concealed_by(&self, stand_in: impl Fn(&AssetKey<'_>, Usage) -> String) -> Self {
        let references = self
            .references()
            .filter(|(_, reference)| reference.usage == Usage::ScrapeConfigs);
        let jobs: BTreeSet<_> = references
            .map(|(referrer, reference)| reference.key(referrer.meta.namespace))
            .collect();
        let mut concealed = self.clone();
        concealed.secrets.conceal(|key| {
            let usage = if jobs.contains(key) {
                Usage::ScrapeConfigs
            } else {
                Usage::Value
            };
            stand_in(key, usage)
        });
        concealed
    }
}
