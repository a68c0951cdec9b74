//! Kinds of objects that a job needs but the input lacks.

use super::job::{Job, JobSource};
use crate::targets::discovery::DiscoveryRole;
use crate::targets::observed::{ObservedKind, ObservedObjects};

impl Job<'_> {
    /// Returns the kinds that the job needs but that are missing from the input, so that the job's targets are unknown.
    /// If no pods run, Endpoints are derived from Services, but EndpointSlices are not.
    pub fn missing_kinds(&self, objects: &ObservedObjects<'_>) -> Vec<ObservedKind> {
        let mut missing = Vec::new();
        for source in &self.sources {
            let JobSource::Watch { watch, .. } = source else {
                continue;
            };
            let needed: &[ObservedKind] = match watch.role {
                DiscoveryRole::Endpoints if objects.has_potential() => &[ObservedKind::Service],
                DiscoveryRole::Endpoints => &[ObservedKind::Service, ObservedKind::Endpoints],
                DiscoveryRole::EndpointSlice => &[ObservedKind::Service, ObservedKind::EndpointSlice],
                DiscoveryRole::Pod if objects.has_potential() => &[],
                DiscoveryRole::Pod => &[ObservedKind::Pod],
                DiscoveryRole::Ingress => &[ObservedKind::Ingress],
                DiscoveryRole::Node => &[ObservedKind::Node],
                DiscoveryRole::Service => &[ObservedKind::Service],
            };
            missing.extend(needed.iter().filter(|kind| !objects.kinds.contains(kind)));
        }
        missing.sort_unstable_by_key(|kind| std::cmp::Reverse(*kind));
        missing.dedup();
        missing
    }
}
