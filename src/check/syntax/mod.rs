//! Forms of text that Go programs accept, written down again: each function tells whether a text has the form.

pub mod byte_size;
pub mod duration;
pub mod label_name;
pub mod log_selector;
pub mod regexp;
pub mod url;
