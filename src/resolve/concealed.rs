//! Hierarchies that are rendered without the values of Secrets (`--secrets=placeholder`).

use std::collections::BTreeSet;

use super::placeholder::placeholder;
use super::references::Usage;
use super::{AssetKey, Hierarchy};

impl<'d> Hierarchy<'_, 'd> {
    /// The hierarchy with a placeholder for every value of a Secret. Those of ConfigMaps are no secrets, and stay.
    pub fn concealed(&self) -> Self {
        let jobs = self.scrape_configs();
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

    /// The values that are lists of scrape jobs.
    fn scrape_configs(&self) -> BTreeSet<AssetKey<'d>> {
        let metrics = self.metrics.iter().map(|metrics| metrics.instance);
        let metrics = metrics.map(|i| (i.meta.namespace, i.spec.additional_scrape_configs));
        let logs = self.logs.iter().map(|logs| logs.instance);
        let logs = logs.map(|i| (i.meta.namespace, i.spec.additional_scrape_configs));
        let selectors = metrics.chain(logs);
        selectors
            .filter_map(|(namespace, selector)| Some(AssetKey::secret(namespace, &selector?)))
            .collect()
    }
}
