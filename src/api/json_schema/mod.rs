//! JSON Schemas and CustomResourceDefinitions for the kinds, used by editors and clusters.
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

pub use crd::{crd, crd_list};
pub use described::kinds;
pub use editor::{json_schema, json_schema_of_all};
