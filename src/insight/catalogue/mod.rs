//! What an argument refers to: resources by kind, namespace and name, or the files that define them.

mod argument;
mod diagnostics;
mod list;
mod located;

pub use argument::{ResourceArgument, is_path, kind_named};
pub use diagnostics::{malformed, no_revision, unknown_kind};
pub use list::Catalogue;
pub use located::Located;

pub(super) use diagnostics::one_of;
