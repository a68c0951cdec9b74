//! What of the input is secret, and so never shown.
//!
//! Which keys and texts are secret is judged in `key` and `text`, by the `table` of credentials. Three walks ask them: one over the nodes
//! of a source, for what an excerpt of it may show ([`SourceRedactions`]), one over values that were made of it ([`each_secret`]), and one over the text of
//! components of Alloy ([`masked_alloy`]).

mod alloy;
mod key;
mod redactions;
mod structure;
mod table;
mod text;
mod told;
mod value;
mod walk;

pub use crate::diagnostic::MASK;
pub use alloy::{hidden_component, masked_alloy};
pub use key::{Keys, is_named_secret, is_secret_key};
pub use redactions::SourceRedactions;
pub use text::{names_a_credential, tells_a_secret, url_without_secrets, without_secrets_told};
pub use told::told_by_program;
pub use value::{Form, Secret, SecretDetector, each_secret, is_name_of_monitor};
