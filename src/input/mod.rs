//! Loading of sources from files, standard input and git revisions. No other module reads the files to compile.

pub mod built;
mod confined_path;
mod containment;
mod diagnostics;
mod entered;
mod find;
mod git;
mod ignored;
pub mod kustomize;
mod load;
mod manifest_files;
mod origins;
mod own_output;
mod own_source;
mod program;
mod resolved_links;
mod revision;
mod sample;
mod search_path;
mod skipped;
mod upward;
mod watch;

pub use confined_path::read_below;
pub use containment::{ContainingTree, LoadRestrictor, check_output};
pub use find::{Input, SETTINGS_FILE, STDIN_NAME};
pub use ignored::WorkTree;
pub use kustomize::{
    BuildExcess, PLAIN_FIELDS, PLAIN_NESTED_FIELDS, StagedBuild, build_excess, build_staged, copied_values,
    copies_values, is_exhausted, is_remote, known_problem, patch_problem, problem_file, problem_span, staged_origins,
    unmatched_patch,
};
pub use load::{
    FollowLimits, MAX_FILE_SIZE, MAX_INPUT_SIZE, ReadLimits, add_origin_files, find_sources, load, load_file,
    load_more, real_paths,
};
pub use origins::{built_documents, depends_on_annotations, display_path, request_annotations};
pub use own_output::OUTPUT_LIST;
pub use own_source::OwnSource;
pub use revision::{RevisionFiles, load_at};
pub use sample::Sample;
pub use search_path::SearchPath;
pub use upward::{FoundSettings, SettingsFile, load_settings};
pub use watch::InputWatcher;
