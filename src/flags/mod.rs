//! Flags that are set outside the command line: in `agentctl.yaml`, in the configuration of a KRM function or in the
//! parameters of an Argo CD application.
//!
//! A flag is defined once, in the arguments of its command. clap provides its name, help and values; [`Effect`],
//! [`CommandLineOnly`], [`Needs`] and [`UnusedBy`] provide the rest. Everything in this module is derived from that
//! definition:
//!
//! ```text
//! agentctl.yaml ─▶ settings ─▶ Flag ─▶ settable ───┐
//! tools (KRM, Argo CD) ─▶ tools ─▶ Flag ─▶ parameters ─┴─▶ argument ─▶ the command line
//! definition ─▶ schema (JSON Schema of agentctl.yaml), announcement (Argo CD)
//! ```

mod announcement;
mod argument;
pub mod diagnostics;
mod flag;
pub mod form;
pub mod limit;
mod parameters;
mod rules;
mod schema;
mod settable;
mod settings;
mod tools;

pub use announcement::{Announcement, announcements};
pub use argument::Argument;
pub use flag::{Flag, FlagValue, Rejection};
pub use parameters::{ParameterSpelling, confine, file_restriction, set};
pub use rules::{CommandLineOnly, Effect, Needs, UnusedBy, hide_unused, is_limit, problem};
pub use schema::settings_schema;
pub use settable::Settable;
pub use settings::{FILE_KEYS, Settings, is_manifest, read};
pub use tools::{RENDER_KIND, application_parameters, function_parameters, plugin_parameters};
