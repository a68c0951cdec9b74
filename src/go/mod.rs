//! Ports of Go functions for numbers, times, names and expressions. This module does not depend on the stages of the
//! compiler.

pub mod address;
pub(crate) mod base64;
pub mod case;
pub mod certificate;
pub mod duration;
pub mod envsubst;
pub mod fasttemplate;
pub mod field_selector;
pub mod glob;
pub mod jmespath;
pub mod kafka_version;
pub mod label_selector;
pub mod literal;
pub mod log_selector;
pub(crate) mod number;
pub mod path;
pub mod quantity;
pub mod regexp;
pub mod reloader;
pub(crate) mod scalar;
pub mod sprig;
pub mod syntax;
pub mod template;
pub(crate) mod text;
pub(crate) mod time;
pub mod time_layout;
pub mod time_zone;
pub mod units;
pub mod url;
