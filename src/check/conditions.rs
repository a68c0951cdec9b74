//! What decides about findings besides the input.

use jiff::Timestamp;

use crate::api::{Metrics, MetricsInstance, RejectedFields, Resource, ResourceHeader};
use crate::diagnostic::FieldPath;
use crate::source::Span;
use crate::target::Target;

/// What a check depends on besides the input.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// The program that runs.
    pub target: &'c Target,
    /// When certificates have to be valid, where that is asked.
    pub at: Option<Timestamp>,
}

pub const DEFAULT_INTERVAL: &str = "1m";
const DEFAULT_TRUNCATION: &str = "60m";

/// The times that apply to the jobs of an instance in an agent.
#[derive(Clone, Copy, Default)]
pub struct ScrapeTimes<'a> {
    pub interval: Option<&'a str>,
    /// With its place.
    pub truncation: Option<(&'a str, Span)>,
}

impl<'a> ScrapeTimes<'a> {
    /// The settings of an agent and of one of its instances, without refused fields.
    pub fn new(
        agent: &ResourceHeader<'_>,
        metrics: &Metrics<'a>,
        instance: &Resource<'_, MetricsInstance<'a>>,
        rejected: &RejectedFields<'_>,
    ) -> Self {
        let is_known = |head: &ResourceHeader<'_>, field| !rejected.touch(head.object_ref(), field);
        let interval = or_default(metrics.scrape_interval, DEFAULT_INTERVAL);
        let truncation = or_default(instance.spec.wal_truncate_frequency, DEFAULT_TRUNCATION);
        let field = "spec.walTruncateFrequency";
        let place = instance.locate(&FieldPath::of(field));
        Self {
            interval: is_known(agent, "spec.metrics.scrapeInterval").then_some(interval),
            truncation: is_known(instance, field).then_some((truncation, place)),
        }
    }
}

pub fn or_default<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}
