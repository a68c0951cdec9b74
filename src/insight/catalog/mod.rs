//! Lookup of the resources that arguments refer to, either by kind, namespace and name or by the file that defines
//! them.

mod argument;
mod diagnostics;
mod list;

pub use argument::{LocatedResource, ResourceArgument, is_kind, is_path, kind_named, suggested_kind};
pub use diagnostics::{malformed_argument, resource_with_since, unknown_kind};
pub use list::Catalog;

pub(super) use diagnostics::ambiguous_argument;
