//! Hierarchies that are rendered without the values of Secrets (`--secrets=placeholder`).

use std::collections::BTreeSet;

use super::Hierarchy;
use super::placeholder::placeholder;
use super::references::Usage;

impl Hierarchy<'_, '_> {
    /// The hierarchy with a placeholder for every value of a Secret. Those of ConfigMaps are no secrets, and stay.
    pub fn concealed(&self) -> Self {
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
            placeholder(key, usage)
        });
        concealed
    }
}
