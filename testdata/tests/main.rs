//! Integration tests for the command and the library, built as a single program with one module per subject.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail, and say why"
)]

mod affected;
mod aggregate;
mod alloy;
mod alloy_behaviour;
mod alloy_commands;
mod alloy_dynamic;
mod alloy_losses;
mod alloy_references;
mod alloy_scale;
mod architecture;
mod argocd;
mod arguments;
mod artifacts;
mod canaries;
mod cases;
mod command_line;
mod compiled;
mod completion;
mod config;
mod conformance;
mod diff;
mod exceptions;
mod explain;
mod failure;
mod faults;
mod field_paths;
mod fields;
mod file_system;
mod fix;
mod flags;
mod gitops;
mod gitops_repository;
mod hostile_aliases;
mod hostile_checkout;
mod hostile_gitops;
mod hostile_rounds;
mod hostile_shapes;
mod hostile_text;
mod krm;
mod kustomize;
mod kustomize_commands;
mod kustomize_failures;
mod kustomize_places;
mod kustomize_repository;
mod limits;
mod linear;
mod live;
mod lsp;
mod mutation;
mod one_edit;
mod output_dir;
mod pipelines;
mod planted_secret;
mod pods;
mod promtool;
mod rbac;
mod readme;
mod references;
mod refused;
mod relabel;
mod relations;
mod release;
#[cfg(unix)]
mod remote_bases;
mod sarif;
mod secrecy;
mod secrets;
mod settings;
mod shell_blocks;
mod supply_chain;
mod support;
mod targets;
mod tree;
mod tree_html;
mod trust;
mod two_runs;
mod watch;
mod why;
mod wording;
mod yaml_language_server;
