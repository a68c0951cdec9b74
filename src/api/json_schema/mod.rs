//! What editors and clusters want to know of the kinds: JSON Schemas and CustomResourceDefinitions.
//!
//! ```text
//!  definition of the kind (api)    ──▶ structure ──┐
//!                                                  ├──▶ described ──▶ crd
//!  types that decode it (api)  ──▶ descriptions ───┘         └──────▶ editor
//! ```

mod crd;
mod described;
mod editor;
#[cfg(test)]
mod tests;

pub use crd::{crd, list};
pub use described::kinds;
pub use editor::{json_schema, json_schema_of_all};
