//! Detection and masking of secrets in the input.
//!
//! `key` and `text` determine which keys and strings are secret, based on the credentials in `table`. Three walks use
//! them:
//!
//! - over the nodes of a source, to determine what an excerpt may show ([`SourceRedactions`]);
//! - over values built from a source ([`for_each_secret`]);
//! - over the text of Alloy components ([`mask_alloy`]).

mod alloy;
mod key;
mod kustomization;
mod program_output;
mod redactions;
mod structure;
mod table;
mod text;
mod value;
mod walk;

pub use crate::diagnostic::MASK;
pub use alloy::{hide_component, mask_alloy};
pub use key::{SecretKeys, is_named_secret, is_secret_key};
pub use program_output::redact_program_output;
pub use redactions::SourceRedactions;
pub use text::{contains_credential, contains_secret, mask_url, redact_message};
pub use value::{FoundSecret, SecretDetector, ValueForm, for_each_secret, is_monitor_job_name};
