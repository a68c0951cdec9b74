//! How much of a text is read, and how far its aliases may expand.

use crate::byte_size::ByteSize;

/// Bounds that keep every input cheap to read. What goes beyond is reported as `yaml-limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum nesting depth of collections, aliases included.
    pub max_depth: usize,
    /// Maximum number of nodes that the aliases of one text add.
    pub max_alias_expansion: usize,
    /// Maximum size of a document in bytes.
    pub max_document_size: ByteSize,
    /// Maximum number of documents of a text, including empty ones.
    pub max_documents: usize,
    /// Maximum number of nodes of a text: its keys, values, lists and mappings.
    pub max_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 200,
            max_alias_expansion: 1_000_000,
            max_document_size: ByteSize(256 << 20),
            max_documents: 1_000_000,
            max_nodes: 20_000_000,
        }
    }
}

/// A text cannot be longer: spans have 32 bits.
pub(super) const MAX_TEXT: usize = u32::MAX as usize;

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceeded {
    Depth,
    Nodes,
    Aliases,
    /// By go-yaml's own rule, so that Kubernetes refuses it too.
    AliasRatio,
    DocumentSize,
    Documents,
    Text,
}

/// Counts the nodes of a document by go-yaml's rule against alias bombs (`allowedAliasRatio` in its `decode.go`).
#[derive(Debug, Default)]
pub(super) struct AliasBudget {
    nodes: usize,
    aliased: usize,
}

/// Maximum number of nodes of which nearly all may come from aliases.
const SMALL: usize = 400_000;
/// Number of nodes from which on only a tenth may.
const LARGE: usize = 4_000_000;

impl AliasBudget {
    /// Counts a node of the text.
    pub(super) fn count(&mut self) {
        self.nodes += 1;
    }

    /// Number of nodes so far.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Counts the nodes an alias stands for, and returns whether they are still allowed.
    pub(super) fn expand(&mut self, size: usize) -> bool {
        self.nodes += size;
        self.aliased += size;
        self.aliased <= 100
            || self.nodes <= 1000
            || self.aliased as f64 <= self.nodes as f64 * allowed_ratio(self.nodes)
    }
}

fn allowed_ratio(nodes: usize) -> f64 {
    let beyond = nodes.clamp(SMALL, LARGE) - SMALL;
    0.99 - 0.89 * (beyond as f64 / (LARGE - SMALL) as f64)
}
