//! Resolution of arguments: resources by kind, namespace and name, or the files that define them.

mod argument;
mod diagnostics;
mod list;

pub use argument::{Located, ResourceArgument, is_path, kind_named, suggested_kind};
pub use diagnostics::{malformed, no_revision, unknown_kind};
pub use list::Catalogue;

pub(super) use diagnostics::one_of;
