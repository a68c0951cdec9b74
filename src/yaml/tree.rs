//! Builder that creates a document's tree from the parser's events.

use std::borrow::Cow;
use std::collections::HashMap;

use super::alias_budget::{self, AliasBudget};
use super::diagnostics;
use super::document::{Document, NodeContent, NodeId};
use super::event::{Event, ScalarStyle, StructureStyle};
use super::limits::{ExceededLimit, Limits, may_be_aliased};
use super::mapping::{self, PendingKey, RawEntry};
use super::pruning::{FieldFilter, KeptField};
use crate::diagnostic::{Code, Diagnostic};
use crate::go::number;
use crate::go::scalar::{Scalar, resolve_plain, resolve_tagged};
use crate::source::{SourceId, Span};

/// Origin of an input, which affects the input's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Manifests, which are read line by line, with a line break added after each line (`LineReader` in apimachinery's
    /// `pkg/util/yaml`), or as JSON.
    Manifests,
    /// A value. A block scalar at the end of the input does not gain a line break, and all numbers become doubles.
    Value,
}

/// Scalar or collection that has an anchor.
#[derive(Debug)]
enum AnchorTarget<'s> {
    Scalar {
        /// Resolved scalar, for aliases that are used as keys.
        scalar: Scalar<'s>,
        span: Span,
        /// Node of the scalar. A key has no node until an alias uses the key as a value, because not every key is a
        /// valid value.
        node: Option<NodeId>,
    },
    Collection {
        node: NodeId,
        /// Nesting depth of the collections below the node.
        height: usize,
        /// Number of nodes in the collection, as go-yaml counts them.
        nodes: usize,
        /// Size of the collection, as measured for the alias budget.
        size: u64,
    },
}

/// Maximum number of resources to split off from a document in which `---` is missing between them. Each split requires
/// a copy of the document.
const MAX_UNSEPARATED: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeShape {
    Sequence,
    Mapping,
}

/// A collection whose end has not been reached yet.
#[derive(Debug)]
struct OpenNode<'s> {
    shape: NodeShape,
    /// Key of a mapping whose value has not been read yet.
    key: Option<(PendingKey<'s>, Span)>,
    merges: bool,
    flow: bool,
    /// Index of the collection's first item or entry among all pending items or entries.
    first: usize,
    span: Span,
    anchor: usize,
    height: usize,
    /// Number of nodes counted before the collection.
    nodes_before: usize,
    /// Size of the document before the collection.
    size_before: u64,
    /// Size of the arena before the collection.
    arena_sizes: [usize; 3],
}

/// Builder for the trees of successive documents.
#[derive(Debug)]
pub(super) struct TreeBuilder<'s, 'b> {
    document: Document<'s>,
    open: Vec<OpenNode<'s>>,
    items: Vec<NodeId>,
    entries: Vec<RawEntry<'s>>,
    anchors: HashMap<usize, AnchorTarget<'s>>,
    root: Option<NodeId>,
    /// Resources in a document that precede the last resource without a separating `---`.
    unseparated_resources: Vec<NodeId>,
    empty: bool,
    kind: TextKind,
    limits: Limits,
    /// Number of nodes added by aliases in all documents.
    aliased_nodes: usize,
    /// Number of nodes in the document, as go-yaml counts them, and the number of nodes that come from aliases.
    nodes: usize,
    document_aliased_nodes: usize,
    /// Size of the document, including the values added by aliases.
    size: u64,
    aliases: &'b AliasBudget,
    /// Number of nodes in finished documents.
    finished_nodes: usize,
    keep: Option<FieldFilter>,
    diagnostics: Vec<Diagnostic>,
}

impl<'s, 'b> TreeBuilder<'s, 'b> {
    pub(super) fn new(
        source: SourceId,
        text: &'s str,
        kind: TextKind,
        limits: &Limits,
        aliases: &'b AliasBudget,
        keep: Option<FieldFilter>,
    ) -> Self {
        Self {
            document: Document::new(source, text),
            open: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: HashMap::new(),
            root: None,
            unseparated_resources: Vec::new(),
            empty: true,
            kind,
            limits: limits.clone(),
            aliased_nodes: 0,
            nodes: 0,
            document_aliased_nodes: 0,
            size: 0,
            aliases,
            finished_nodes: 0,
            keep,
            diagnostics: Vec::new(),
        }
    }

    /// Whether the input exceeds the maximum number of nodes.
    pub(super) fn is_full(&self) -> bool {
        self.finished_nodes + self.document.slots.len() > self.limits.max_nodes
    }

    /// Adds the document to `output` unless it is empty. Any preceding resources that no `---` separates from the
    /// document are added first. Adds the findings to `diagnostics` and starts the next document.
    pub(super) fn finish(&mut self, output: &mut Vec<Document<'s>>, diagnostics: &mut Vec<Diagnostic>) {
        let is_value = |finding: &&Diagnostic| {
            use Code::{UnrenderedTemplate, YamlAlias, YamlKey, YamlScalar};
            matches!(finding.code, UnrenderedTemplate | YamlAlias | YamlKey | YamlScalar)
        };
        let unreadable = self.diagnostics.iter().filter(is_value).filter_map(Diagnostic::primary);
        let places = unreadable.map(|label| (label.span.start, label.span.end));
        self.document.unreadable_spans.extend(places);
        diagnostics.append(&mut self.diagnostics);
        self.open.clear();
        self.items.clear();
        self.entries.clear();
        self.anchors.clear();
        (self.nodes, self.document_aliased_nodes, self.size) = (0, 0, 0);
        let document = self.document.finish();
        let undivided = std::mem::take(&mut self.unseparated_resources);
        if let Some(root) = self.root.take().filter(|_| !self.empty) {
            self.finished_nodes += document.slots.len() * (1 + undivided.len());
            output.extend(undivided.into_iter().map(|root| document.with_root(root)));
            output.push(Document { root, ..document });
        }
        self.empty = true;
    }

    /// Processes the next event. An error means that a limit is exceeded, which ends reading.
    pub(super) fn handle_event(&mut self, event: Event<'s>, span: Span) -> Result<(), ExceededLimit> {
        match event {
            Event::Scalar(text, style, anchor, tag) => self.add_scalar(text, style, anchor, tag, span),
            Event::SequenceStart(style, anchor) => self.open(NodeShape::Sequence, style, anchor, span)?,
            Event::MappingStart(style, anchor) => self.open(NodeShape::Mapping, style, anchor, span)?,
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(anchor) => self.add_alias(anchor, span)?,
            Event::UnresolvedAlias => {
                self.diagnostics.push(diagnostics::unknown_anchor(span));
                self.add_invalid(span);
            }
            Event::DocumentStart | Event::DocumentEnd | Event::StreamEnd => {}
        }
        if self.is_full() { Err(ExceededLimit::Nodes) } else { Ok(()) }
    }

    pub(super) fn add_scalar(
        &mut self,
        text: Cow<'s, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<Cow<'s, str>>,
        span: Span,
    ) {
        self.nodes += 1;
        self.size += alias_budget::text_size(&text);
        let plain = style == ScalarStyle::Plain;
        let is_merge = text == "<<" && (plain && tag.is_none() || matches!(tag.as_deref(), Some("merge" | "!")));
        if is_merge && self.expects_key() {
            return self.add_key(PendingKey::Merge, span);
        }
        let resolved = match tag {
            Some(tag) => resolve_tagged(&tag, text),
            None if plain => Ok(resolve_plain(text)),
            None => Ok(Scalar::String(text)),
        };
        match resolved {
            Ok(scalar) => self.add_resolved(scalar, anchor, span),
            Err(mismatch) => {
                let mismatch = Diagnostic::new(Code::YamlScalar, mismatch).label(span, "");
                self.diagnostics.push(mismatch);
                self.add_invalid(span);
            }
        }
    }

    /// Adds a JSON number. Reports it if it exceeds the range of a double.
    pub(super) fn add_json_number(&mut self, text: &'s str, span: Span) {
        /// Minimum length of an integer that is larger than any double.
        const LONG: usize = 309;
        let may_be_large = text.len() >= LONG || text.contains(['e', 'E']);
        if may_be_large && text.parse().is_ok_and(f64::is_infinite) {
            self.nodes += 1;
            self.diagnostics.push(diagnostics::large_number(span));
            return self.add_invalid(span);
        }
        self.add_scalar(Cow::Borrowed(text), ScalarStyle::Plain, 0, None, span);
    }

    fn add_resolved(&mut self, scalar: Scalar<'s>, anchor: usize, span: Span) {
        if self.expects_key() {
            self.anchor_scalar(anchor, &scalar, span, None);
            let key = PendingKey::from_scalar(scalar, span, &mut self.diagnostics);
            return self.add_key(key, span);
        }
        self.empty &= self.open.is_empty() && scalar == Scalar::Null;
        let node = self.push_scalar(scalar.clone(), span);
        self.anchor_scalar(anchor, &scalar, span, Some(node));
        self.add_node(node, span, 0);
    }

    /// Stores a scalar for its aliases if it has an anchor.
    fn anchor_scalar(&mut self, anchor: usize, scalar: &Scalar<'s>, span: Span, node: Option<NodeId>) {
        if anchor != 0 {
            let scalar = scalar.clone();
            self.anchors.insert(anchor, AnchorTarget::Scalar { scalar, span, node });
        }
    }

    fn push_scalar(&mut self, scalar: Scalar<'s>, span: Span) -> NodeId {
        let content = match scalar {
            Scalar::Null => NodeContent::Null,
            Scalar::Bool(value) => NodeContent::Bool(value),
            Scalar::Int(value) if self.kind == TextKind::Manifests => NodeContent::Int(value),
            Scalar::Int(value) => self.double(value as f64, span),
            Scalar::Uint(value) => NodeContent::Float(value as f64),
            Scalar::String(text) => NodeContent::String(text),
            Scalar::Float(value) => self.double(value, span),
        };
        self.document.push(span, content)
    }

    fn double(&mut self, value: f64, span: Span) -> NodeContent<'s> {
        let is_negative_zero = value == 0.0 && value.is_sign_negative();
        match number::whole_number(value) {
            // Integers have no negative zero.
            Some(_) if is_negative_zero && self.kind == TextKind::Value => NodeContent::Float(value),
            Some(whole) => NodeContent::Int(whole),
            None if value.is_finite() => NodeContent::Float(value),
            None => {
                self.diagnostics.push(diagnostics::non_finite_number(span));
                NodeContent::Null
            }
        }
    }

    /// Whether the innermost collection expects a key next.
    fn expects_key(&self) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| open.shape == NodeShape::Mapping && open.key.is_none())
    }

    /// Adds a key to the innermost collection, which must be a mapping that expects a key.
    fn add_key(&mut self, new: PendingKey<'s>, span: Span) {
        let Some(open) = self.open.last_mut() else { return };
        open.span.end = open.span.end.max(span.end);
        open.merges |= matches!(new, PendingKey::Merge);
        open.key = Some((new, span));
    }

    /// Starts a collection at a position in the source.
    pub(super) fn open(
        &mut self,
        shape: NodeShape,
        style: StructureStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), ExceededLimit> {
        if self.open.len() >= self.limits.max_depth {
            return Err(ExceededLimit::Depth);
        }
        let (nodes_before, size_before) = (self.nodes, self.size);
        self.nodes += 1;
        self.size += alias_budget::COLLECTION;
        self.empty = false;
        let first = match shape {
            NodeShape::Sequence => self.items.len(),
            NodeShape::Mapping => self.entries.len(),
        };
        self.open.push(OpenNode {
            shape,
            key: None,
            merges: false,
            flow: style == StructureStyle::Flow,
            first,
            span,
            anchor,
            height: 1,
            nodes_before,
            size_before,
            arena_sizes: self.document.arena_sizes(),
        });
        Ok(())
    }

    /// Ends the innermost collection.
    pub(super) fn close(&mut self, end: Span) {
        let Some(mut open) = self.open.pop() else { return };
        // A block collection ends with its last child, before any subsequent blank lines and comments.
        if open.flow {
            open.span.end = end.end;
        }
        let node = match open.shape {
            NodeShape::Sequence => self.document.sequence(open.span, self.items.drain(open.first..)),
            NodeShape::Mapping if open.merges => {
                let raw = self.entries.drain(open.first..);
                let entries = mapping::merge(raw, &self.document, &mut self.diagnostics);
                self.document.mapping(open.span, entries)
            }
            NodeShape::Mapping => {
                if self.open.is_empty() && !open.flow && self.kind == TextKind::Manifests {
                    self.split_off_resources(&mut open);
                }
                let raw = self.entries.get_mut(open.first..).unwrap_or_default();
                mapping::report_duplicates(raw, &mut self.diagnostics);
                let fields = self.kept_fields(open.first);
                let raw = self.entries.drain(open.first..);
                let mapping = self.document.mapping(open.span, raw.filter_map(RawEntry::effective_entry));
                match fields {
                    Some(fields) => self.document.prune(mapping, open.arena_sizes, fields),
                    None => mapping,
                }
            }
        };
        if open.anchor != 0 {
            let (nodes, size) = (self.nodes - open.nodes_before, self.size - open.size_before);
            let height = open.height;
            self.anchors.insert(open.anchor, AnchorTarget::Collection { node, height, nodes, size });
        }
        self.add_node(node, open.span, open.height);
    }

    /// Splits off the resources that precede the last resource in the root mapping of a document.
    fn split_off_resources(&mut self, open: &mut OpenNode<'s>) {
        while self.unseparated_resources.len() < MAX_UNSEPARATED {
            let raw = self.entries.get(open.first..).unwrap_or_default();
            let Some(second) = mapping::second_resource(self.document.text, raw, &mut self.diagnostics) else {
                return;
            };
            let start = raw.get(second).map_or(open.span, |entry| entry.span);
            let first = self.entries.drain(open.first..open.first + second);
            let end = start.start.saturating_sub(1);
            let node = self.document.mapping(Span { end, ..open.span }, first.filter_map(RawEntry::effective_entry));
            self.unseparated_resources.push(node);
            open.span.start = start.start;
        }
    }

    /// Returns the fields to keep in the mapping whose entries start at `first`, or `None` if it is not an object to
    /// prune. Nothing is pruned if an alias might refer to the object's nodes.
    fn kept_fields(&self, first: usize) -> Option<&'static [KeptField]> {
        let keep = self.keep.filter(|_| self.anchors.is_empty() && self.unseparated_resources.is_empty())?;
        let list = match self.open.as_slice() {
            [] => None,
            // References to objects also have an `apiVersion` and `kind`, but occur in other lists.
            [.., list, items] if items.shape == NodeShape::Sequence => match &list.key {
                Some((PendingKey::Text(key), _)) if key == "items" => Some(list.first),
                _ => return None,
            },
            _ => return None,
        };
        let object_type = (self.find_text(first, "apiVersion"), self.find_text(first, "kind"));
        match (object_type, list) {
            ((Some(api_version), Some(kind)), _) => keep(api_version, kind),
            ((None, None), Some(list)) => {
                let kind = self.find_text(list, "kind")?.strip_suffix("List")?;
                keep(self.find_text(list, "apiVersion")?, kind)
            }
            _ => None,
        }
    }

    /// Returns the string value of a key in the entries starting at `first`.
    fn find_text(&self, first: usize, key: &str) -> Option<&str> {
        let entries = self.entries.get(first..)?;
        // The type of an object comes first or directly after the object's items, so it is sufficient to search the
        // first few entries.
        let mut entries = entries.iter().take(8);
        let entry = entries.find(|entry| entry.key.as_deref() == Some(key))?;
        self.document.node(entry.value).as_str()
    }

    fn add_alias(&mut self, anchor: usize, span: Span) -> Result<(), ExceededLimit> {
        self.nodes += 1;
        let (node, height, nodes, size) = match self.anchors.get(&anchor) {
            None => {
                self.diagnostics.push(diagnostics::recursive_alias(span));
                self.add_invalid(span);
                return Ok(());
            }
            Some(AnchorTarget::Scalar { scalar, .. }) if self.expects_key() => {
                let scalar = scalar.clone();
                self.expand(scalar_size(&scalar))?;
                let key = PendingKey::from_scalar(scalar, span, &mut self.diagnostics);
                self.add_key(key, span);
                return Ok(());
            }
            Some(AnchorTarget::Scalar { scalar, node: Some(node), .. }) => (*node, 0, 1, scalar_size(scalar)),
            Some(AnchorTarget::Scalar { scalar, span, .. }) => {
                let (scalar, span) = (scalar.clone(), *span);
                let node = self.push_scalar(scalar.clone(), span);
                self.anchor_scalar(anchor, &scalar, span, Some(node));
                (node, 0, 1, scalar_size(&scalar))
            }
            Some(AnchorTarget::Collection { node, height, nodes, size }) => (*node, *height, *nodes, *size),
        };
        let is_merged = |open: &OpenNode<'_>| matches!(open.key, Some((PendingKey::Merge, _)));
        if self.open.last().is_some_and(is_merged) && self.document.sequence_items(node).is_some() {
            // go-yaml merges an inline list, but not an alias that refers to a list.
            self.add_invalid(span);
            return Ok(());
        }
        if self.open.len() + height > self.limits.max_depth {
            return Err(ExceededLimit::Depth);
        }
        self.aliased_nodes += nodes;
        if self.aliased_nodes > self.limits.max_alias_expansion {
            return Err(ExceededLimit::Aliases);
        }
        self.nodes += nodes;
        self.document_aliased_nodes += nodes;
        if !may_be_aliased(self.nodes, self.document_aliased_nodes) {
            return Err(ExceededLimit::AliasRatio);
        }
        self.expand(size)?;
        self.document.has_aliases = true;
        let node = self.document.copy(node);
        self.add_node(node, span, height);
        Ok(())
    }

    /// Charges the size of a key or value that an alias adds.
    fn expand(&mut self, size: u64) -> Result<(), ExceededLimit> {
        self.aliases.spend(size)?;
        self.size += size;
        Ok(())
    }

    /// Adds a null in place of a value that was reported.
    fn add_invalid(&mut self, span: Span) {
        if self.expects_key() {
            return self.add_key(PendingKey::Invalid, span);
        }
        self.empty = false;
        let node = self.document.push(span, NodeContent::Null);
        self.add_node(node, span, 0);
    }

    /// Adds a finished node to the innermost collection.
    fn add_node(&mut self, node: NodeId, span: Span, height: usize) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        open.span.end = open.span.end.max(span.end);
        open.height = open.height.max(height + 1);
        match (open.shape, open.key.take()) {
            (NodeShape::Sequence, _) => self.items.push(node),
            (_, Some((PendingKey::Text(text), span))) => self.entries.push(RawEntry::new(Some(text), span, node)),
            (_, Some((PendingKey::Merge, span))) => self.entries.push(RawEntry::new(None, span, node)),
            (_, Some((PendingKey::Invalid, _))) => {}
            (NodeShape::Mapping, None) => {
                open.key = Some((PendingKey::Invalid, span));
                let is_template = open.flow && span.start == open.span.start + 1;
                self.diagnostics.push(match self.document.mapping_entries(node) {
                    Some(_) if is_template => diagnostics::doubled_braces(self.document.text, span),
                    _ => diagnostics::collection_key(span),
                });
            }
        }
    }
}

fn scalar_size(scalar: &Scalar<'_>) -> u64 {
    let text = match scalar {
        Scalar::String(text) => text,
        _ => "",
    };
    alias_budget::text_size(text)
}
