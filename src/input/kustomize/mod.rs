//! Support for `-k`: checks all references of a kustomization, then builds it with kustomize.
//!
//! kustomize receives no flag that lets a kustomization run programs or read files outside its root. It fetches URLs
//! and repositories only if the user allows this: `closure` finds them before kustomize runs.

mod build;
mod closure;
mod copied;
mod cost;
mod diagnostics;
mod failure;
mod references;
mod remote;
mod staged;
mod target;

pub use build::{KustomizeBuild, KustomizeOutcome, build};
pub use copied::{copied_values, copies_values};
pub use cost::{BuildExcess, build_excess};
pub use failure::{is_exhausted, known_problem, patch_problem, problem_file, problem_span, unmatched_patch};
pub use references::{PLAIN_FIELDS, PLAIN_NESTED_FIELDS};
pub use remote::is_remote;
pub use staged::{StagedBuild, build_staged, staged_origins};
pub use target::{FILES, KustomizeFindings, KustomizeTarget, is_kustomization};
