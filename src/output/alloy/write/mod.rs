//! Alloy components, and their representation as text.

pub mod catalog;
pub mod environment;
pub mod exclusive;
pub mod labels;
pub mod layout;
pub mod mask;
pub mod origins;
pub mod settings;
pub mod syntax;
pub mod target_rules;
pub mod trace;
pub mod values;
pub mod version;
pub mod writer;
