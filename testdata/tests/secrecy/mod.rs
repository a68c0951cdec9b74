//! Tests that no output shows a Secret value.

mod canaries;
mod debug_output;
mod planted_secret;
mod secrets;
