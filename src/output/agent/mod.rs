//! Grafana Agent's `agent.yml` configuration, identical to the output of the operator's templates.
//!
//! All numbers are doubles, and nulls are omitted, as in the operator's template language.

mod configuration;
mod fields;
mod hidden;
mod http;
mod job_lines;
mod logs;
mod metrics;
mod misread;
pub(super) mod origins;
mod pieces;
mod stages;
mod text_facts;

#[cfg(test)]
pub(super) mod tests;

pub(super) use configuration::by_name;
pub use configuration::{Configuration, InstanceNumber, JobsSlot, SecretSection, for_each_section, text, write};
pub(super) use fields::{DATA_DIRECTORY, FieldsBuilder};
pub use hidden::{key, mask_value};
pub(super) use http::{CredentialFormat, is_mounted, secret_file_path};
pub use job_lines::{JOB_INDENT, append_job};
pub(super) use logs::client as loki_client;
pub use metrics::{job, receiver};
pub(super) use metrics::{kubernetes_sd, remote_write};
pub use misread::{Misread, for_each_misread, read_job};
pub use origins::PartSource;
pub use pieces::for_each_piece;
pub(super) use stages::all_stages as stages;
pub use text_facts::TextFacts;
