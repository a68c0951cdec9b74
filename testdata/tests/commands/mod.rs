//! Tests that each command, flag and setting does what its help says.

mod affected;
mod aggregate;
mod annotations;
mod arguments;
mod cases;
mod command_line;
mod completion;
mod config;
mod diff;
mod exceptions;
mod explain;
mod fix;
mod flags;
mod helps;
mod lsp;
mod output_dir;
mod rbac;
mod references;
mod sarif;
mod settings;
mod targets;
mod tree;
mod tree_html;
mod watch;
mod why;
