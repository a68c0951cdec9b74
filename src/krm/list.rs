//! Documents → the one ResourceList.

use super::annotations;
use super::diagnostics::{self, malformed};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Document, Node, NodeValue};

/// The versions of the form, which differ in nothing that is used here.
const API_VERSIONS: [&str; 2] = ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"];

/// The name under which objects are owned where the function has no configuration with a name.
const NAMELESS: &str = "agentctl";

/// A list of resources with the configuration of the function that it is for.
#[derive(Clone, Debug)]
pub struct ResourceList<'d> {
    /// Its version, which the answer has too.
    pub api_version: &'d str,
    /// The function's configuration.
    pub config: Option<Node<'d>>,
    items: Vec<Node<'d>>,
    root: Option<Node<'d>>,
    /// The text of it all: what stays as it is, is copied from there, comments included.
    pub(super) text: &'d str,
}

/// Whether a text is a ResourceList, of whatever version.
pub fn is_resource_list(documents: &[Document<'_>]) -> bool {
    documents
        .first()
        .is_some_and(|document| document.root().text("kind") == "ResourceList")
}

/// The list of the documents of a text.
///
/// # Errors
/// There is none, it is of another version, it has no list of items, or something follows it.
pub fn read<'d>(documents: &'d [Document<'_>], text: &'d str) -> Result<ResourceList<'d>, Box<Diagnostic>> {
    let Some((first, rest)) = documents.split_first() else {
        return Err(Box::new(diagnostics::nothing()));
    };
    let root = first.root();
    if root.text("kind") != "ResourceList" {
        return Err(diagnostics::another_kind(root));
    }
    if let Some(second) = rest.first() {
        let message = "expected one `ResourceList`, found another document behind it";
        return Err(malformed(second.root(), message));
    }
    let version = root.text("apiVersion");
    if !API_VERSIONS.contains(&version) {
        let known = API_VERSIONS.join("` or `");
        let message = format!("expected a `ResourceList` of `{known}`, found one of `{version}`");
        return Err(malformed(root.get("apiVersion").unwrap_or(root), message));
    }
    let items = match root.get("items") {
        Some(items) if items.value() == NodeValue::Sequence => items.items().collect(),
        Some(items) if items.is_null() => Vec::new(),
        Some(items) => return Err(malformed(items, "`items` must be a list")),
        None => {
            let place = root.get("kind").unwrap_or(root);
            return Err(malformed(place, "the `ResourceList` has no `items`"));
        }
    };
    Ok(ResourceList {
        api_version: version,
        config: root.get("functionConfig").filter(|config| !config.is_null()),
        items,
        root: Some(root),
        text,
    })
}

impl<'d> ResourceList<'d> {
    /// A list of the documents of a text, which stand by themselves.
    pub fn of_documents(documents: &'d [Document<'_>], text: &'d str) -> Self {
        Self {
            api_version: "",
            config: None,
            items: documents.iter().map(Document::root).collect(),
            root: None,
            text,
        }
    }

    /// The resources, without the copy of the configuration that kustomize gives a generator as an item.
    pub fn items(&self) -> impl Iterator<Item = Node<'d>> {
        self.items.iter().copied().filter(|item| !self.is_config(*item))
    }

    /// The item around a place.
    pub fn item_at(&self, offset: u32) -> Option<Node<'d>> {
        let behind = self.items.partition_point(|item| item.span().start <= offset);
        let item = self.items.get(behind.checked_sub(1)?)?;
        (offset <= item.span().end).then_some(*item)
    }

    /// Whose name objects get that are written back between their inputs. `None` where kustomize is building: there
    /// nothing is kept from one run to the next.
    pub fn owner(&self) -> Option<&'d str> {
        let is_in_place = self.items.iter().any(|item| annotations::path(*item).is_some())
            && !self.items.iter().any(|item| annotations::is_from_kustomize(*item));
        let name = self.config.and_then(|config| config.filled("metadata.name"));
        is_in_place.then(|| name.unwrap_or(NAMELESS))
    }

    /// The start of what follows a node in the text: the next item, or the next field of the list.
    pub(super) fn end_of(&self, node: Node<'_>) -> Option<u32> {
        let start = node.span().start;
        let next = self.items.partition_point(|item| item.span().start <= start);
        let item = self.items.get(next).map(|item| item.span().start);
        let fields = self
            .root
            .into_iter()
            .flat_map(Node::entries)
            .map(|entry| entry.key_span.start);
        fields.filter(|&field| field > start).chain(item).min()
    }

    /// An item that came from no file and has the configuration's name.
    fn is_config(&self, item: Node<'_>) -> bool {
        let is_same = |config: Node<'_>| {
            let mut fields = ["apiVersion", "kind", "metadata.name"].iter();
            fields.all(|field| config.text(field) == item.text(field))
        };
        annotations::path(item).is_none() && self.config.is_some_and(is_same)
    }
}
