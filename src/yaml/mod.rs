//! YAML reader and writer. Parses documents into nodes with spans, according to Kubernetes' rules for scalars, and
//! writes values in the styles of Go's two YAML libraries.

mod alias_budget;
mod chunk;
mod decode;
mod diagnostics;
mod document;
mod edits;
mod event;
mod go_type;
mod indentation;
mod json;
mod limits;
mod mapping;
mod node;
mod objects;
mod parser;
mod path;
mod pruning;
mod reader;
mod respell;
mod scanner;
mod simple;
mod size;
mod syntax_error;
mod tabs;
mod template;
mod tree;
mod value;
mod writer;

pub use crate::diagnostic::Step;
pub use alias_budget::AliasBudget;
pub use decode::{DecodeError, decode, decode_case_insensitive, decode_without};
pub use document::{Document, NodeId};
pub use edits::Edits;
pub use go_type::{GoType, GoYaml, Misfit};
pub use limits::Limits;
pub use node::{Entry, Node, NodeValue};
pub use objects::{DocumentObject, for_each_object};
pub use path::{first_step, steps};
pub use pruning::{FieldFilter, KeptField};
pub use reader::{read, read_pruned, read_value, read_with_parser, unread_texts};
pub use size::FIELD_BYTES;
pub use tabs::add_tab_fixes;
pub use template::Templater;
pub use value::{Mapping, Secret, SecretSource, Value, to_json, to_value, to_value_of_doubles};
pub use writer::{
    ITEM_BYTES, Layout, LibraryStyle, ReadBack, append_item, append_item_with, item_with_layout, may_be_misread,
    read_back, write, write_with_layout,
};
