//! API group of Argo CD.

/// API group of Applications and ApplicationSets.
pub const GROUP: &str = "argoproj.io";
