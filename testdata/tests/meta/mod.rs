//! Tests that the code, its tables, the documentation, recipes and releases are consistent.

mod architecture;
mod artifacts;
mod field_paths;
mod fields;
mod hostile_checkout;
mod pipelines;
mod readme;
mod relations;
mod release;
mod shell_blocks;
mod supply_chain;
mod wording;
