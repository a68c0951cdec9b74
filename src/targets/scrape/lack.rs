//! Kinds of objects that a job needs and the input lacks.

use super::job::{Job, JobSource};
use crate::targets::discovery::Role;
use crate::targets::observed::{Kind, Objects};

impl Job<'_> {
    /// Returns the kinds that the job needs but the input has no objects of, so that the job's targets are unknown.
    ///
    /// Endpoints are derived from Services while no pod runs; EndpointSlices are not.
    pub fn missing_kinds(&self, objects: &Objects<'_>) -> Vec<Kind> {
        let mut missing = Vec::new();
        for source in &self.sources {
            let JobSource::Watch { watch, .. } = source else {
                continue;
            };
            let needed: &[Kind] = match watch.role {
                Role::Endpoints if objects.has_potential() => &[Kind::Service],
                Role::Endpoints => &[Kind::Service, Kind::Endpoints],
                Role::EndpointSlice => &[Kind::Service, Kind::EndpointSlice],
                Role::Pod if objects.has_potential() => &[],
                Role::Pod => &[Kind::Pod],
                Role::Ingress => &[Kind::Ingress],
                Role::Node => &[Kind::Node],
                Role::Service => &[Kind::Service],
            };
            missing.extend(needed.iter().filter(|kind| !objects.kinds.contains(kind)));
        }
        missing.sort_unstable_by_key(|kind| std::cmp::Reverse(*kind));
        missing.dedup();
        missing
    }
}
