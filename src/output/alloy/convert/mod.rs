//! Conversion of a plan to Alloy components.

pub mod additional;
pub mod azure;
pub mod credentials;
pub mod free_form;
pub mod http;
pub mod integrations;
pub mod logs;
pub mod metrics;
pub mod pipeline;
pub mod presets;
pub mod relabeled;
pub mod repeated;
pub mod rules;
pub mod stages;
pub mod statsd;
pub mod target_labels;
pub mod watch;
