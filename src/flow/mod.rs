//! The labels that can exist before and after each relabeling rule, and what a rule can do with them.
//!
//! A [`LabelSet`] stands for the labels of every target, sample or log line that a phase may have, regardless of the
//! objects in the cluster. Statements about the set are certain: a label that is missing from the set is missing
//! everywhere, and a rule that never matches does not match in any cluster.

mod discovered;
mod expressions;
mod initial;
mod label_set;
mod rule;
mod values;

pub use discovered::{LABEL_FAMILIES, names as discovered_names, newer_labels, suggest_label};
pub use expressions::{Expression, ExpressionCache, literal_prefix};
pub use initial::{REPORTED_SAMPLES, SCRAPE_LABELS, sample_labels, sent_labels, target_labels, unknown_target_labels};
pub use label_set::{LabelSet, Phase};
pub use rule::{FlowRule, Matching};
pub use values::{Presence, Values, alphabet};
