//! Core types embedded in custom resources.

pub mod embedded;
