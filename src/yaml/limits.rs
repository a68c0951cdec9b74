//! Limits on the size of inputs and on alias expansion.

use crate::printable::ByteSize;

/// Limits that keep the cost of reading any input low. An exceeded limit is reported as `yaml-limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum nesting depth of collections, including aliases.
    pub max_depth: usize,
    /// Maximum number of nodes that aliases may add to an input.
    pub max_alias_expansion: usize,
    /// Maximum size of the values that aliases may add to all inputs, or `None` if it depends on the inputs' size.
    pub max_alias_size: Option<ByteSize>,
    /// Maximum size of a document in bytes.
    pub max_document_size: ByteSize,
    /// Maximum number of documents in an input, including empty ones.
    pub max_documents: usize,
    /// Maximum number of nodes in an input: its keys, values, lists and mappings.
    pub max_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 200,
            max_alias_expansion: 1_000_000,
            max_alias_size: None,
            max_document_size: ByteSize(256 << 20),
            max_documents: 1_000_000,
            max_nodes: 20_000_000,
        }
    }
}

impl Limits {
    /// Lower and upper bounds of the default alias size.
    pub const ALIAS_SIZE: [ByteSize; 2] = [ByteSize(16 << 20), ByteSize(16 << 30)];

    /// Returns the maximum size of the values that aliases may add to inputs of `bytes` bytes. By default, aliases may
    /// add 16 bytes for each byte of input, within [`Self::ALIAS_SIZE`].
    pub(super) fn alias_size(&self, bytes: u64) -> ByteSize {
        let [min, max] = Self::ALIAS_SIZE;
        let size = Self::default_alias_size(bytes).clamp(min.0, max.0);
        self.max_alias_size.unwrap_or(ByteSize(size.next_multiple_of(1 << 20)))
    }

    /// Returns the size of the values that aliases may add to `bytes` bytes, before the bounds are applied.
    pub(super) fn default_alias_size(bytes: u64) -> u64 {
        bytes.saturating_mul(16)
    }
}

/// Maximum length of an input. Spans use 32 bits.
pub(super) const MAX_TEXT: usize = u32::MAX as usize;

/// Limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExceededLimit {
    Depth,
    Nodes,
    Aliases,
    AliasSize(ByteSize),
    /// go-yaml's own limit. If it is exceeded, Kubernetes also rejects the input.
    AliasRatio,
    DocumentSize,
    Documents,
    Text,
}

/// Number of nodes up to which nearly all nodes may come from aliases.
const SMALL: usize = 400_000;
/// Number of nodes at and above which only a tenth of the nodes may come from aliases.
const LARGE: usize = 4_000_000;

/// Whether `aliased` of a document's `nodes` nodes may come from aliases, according to go-yaml's protection against
/// alias bombs (`allowedAliasRatio` in `decode.go`).
pub(super) fn may_be_aliased(nodes: usize, aliased: usize) -> bool {
    aliased <= 100 || nodes <= 1000 || aliased as f64 <= nodes as f64 * allowed_ratio(nodes)
}

fn allowed_ratio(nodes: usize) -> f64 {
    let excess_nodes = nodes.clamp(SMALL, LARGE) - SMALL;
    0.99 - 0.89 * (excess_nodes as f64 / (LARGE - SMALL) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_documents_allow_fewer_aliases() {
        for (nodes, aliased, expected) in [
            (100, 100, true),
            (1000, 1000, true),
            (1001, 990, true),
            (1001, 991, false),
            (1001, 1001, false),
            (400_000, 395_999, true),
            (400_000, 396_001, false),
            (2_200_000, 1_198_999, true),
            (2_200_000, 1_199_001, false),
            (8_000_000, 799_000, true),
            (8_000_000, 801_000, false),
        ] {
            assert_eq!(may_be_aliased(nodes, aliased), expected, "{aliased} of {nodes}");
        }
    }
}
