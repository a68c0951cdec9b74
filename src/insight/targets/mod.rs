//! Targets and labels that the agents in the input will have, formatted as text or JSON.

mod compare;
mod count;
mod explain;
mod groups;
mod json;
mod steps;
mod survey;
mod text;
mod words;

pub use compare::{
    ComparedTarget, Differences, Earlier, MissingShard, PlacedTarget, read_earlier_targets, scraped_targets,
    take_missing_shards,
};
pub use count::{TargetCount, counts};
pub use explain::TargetExplanation;
pub use groups::{for_each_group, for_each_running_group};
pub use json::{TargetRecord, rule_place};
pub use steps::{JobSteps, NarrowingStep};
pub use survey::{JobSurvey, SurveyedTarget, UnscrapedReason, UnscrapedTarget};
pub use text::{Detail, Report, display_address, shards, unscraped_objects};
