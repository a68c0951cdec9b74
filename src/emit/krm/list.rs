//! Parsing of ResourceLists.

use super::annotations;
use super::diagnostics::{self, malformed_list};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Document, DocumentObject, Node, NodeValue, for_each_object};

/// Supported API versions, which do not differ in any field used here.
const API_VERSIONS: [&str; 2] = ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"];

/// Owner of the objects if the function has no named configuration.
const UNNAMED_OWNER: &str = "agentctl";

/// A list of resources, and the configuration of the KRM function to run.
#[derive(Clone, Debug)]
pub struct ResourceList<'d> {
    /// API version, which the output also uses.
    pub api_version: &'d str,
    /// Configuration of the function, if any.
    pub config: Option<Node<'d>>,
    items: Vec<Node<'d>>,
    root: Option<Node<'d>>,
    /// Text of the entire list. Unchanged parts are copied from this text, including comments.
    pub(super) text: &'d str,
}

/// Whether the documents are a ResourceList of any version.
pub fn is_resource_list(documents: &[Document<'_>]) -> bool {
    documents.first().is_some_and(|document| document.root().text("kind") == "ResourceList")
}

/// Returns the ResourceList in these documents.
///
/// # Errors
///
/// Returns a finding if there is no ResourceList, if its version is not supported, if it has no list of items, or if
/// another document follows it.
pub fn read<'d>(documents: &'d [Document<'_>], text: &'d str) -> Result<ResourceList<'d>, Box<Diagnostic>> {
    let Some((first, rest)) = documents.split_first() else {
        return Err(Box::new(diagnostics::missing_list()));
    };
    let root = first.root();
    if root.text("kind") != "ResourceList" {
        return Err(diagnostics::wrong_kind(root));
    }
    if let Some(second) = rest.first() {
        let message = "expected one `ResourceList`, found another document after it";
        return Err(malformed_list(second.root(), message));
    }
    let version = root.text("apiVersion");
    if !API_VERSIONS.contains(&version) {
        let known_versions = API_VERSIONS.join("` or `");
        let message = format!("expected a `ResourceList` with the version `{known_versions}`, found `{version}`");
        return Err(malformed_list(root.get("apiVersion").unwrap_or(root), message));
    }
    let items = match root.get("items") {
        Some(items) if items.value() == NodeValue::Sequence => items.items().collect(),
        Some(items) if items.is_null() => Vec::new(),
        Some(items) => return Err(malformed_list(items, "`items` must be a list")),
        None => {
            let kind_node = root.get("kind").unwrap_or(root);
            return Err(malformed_list(kind_node, "the `ResourceList` has no `items`"));
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
    /// Returns a list with the objects in these documents as items.
    pub fn from_documents(documents: &'d [Document<'_>], text: &'d str) -> Self {
        let mut items = Vec::new();
        let mut add = |object| match object {
            DocumentObject::Object(root, ..) | DocumentObject::Other(root) => items.push(root),
            DocumentObject::List(_) => {}
        };
        documents.iter().for_each(|document| for_each_object(document.root(), &mut add));
        Self { api_version: "", config: None, items, root: None, text }
    }

    /// Returns the resources. The copy of a generator's configuration that kustomize adds to the items is omitted.
    pub fn items(&self) -> impl Iterator<Item = Node<'d>> {
        self.items.iter().copied().filter(|item| !self.is_config(*item))
    }

    pub fn item_at(&self, offset: u32) -> Option<Node<'d>> {
        let next_item = self.items.partition_point(|item| item.span().start <= offset);
        let item = self.items.get(next_item.checked_sub(1)?)?;
        (offset <= item.span().end).then_some(*item)
    }

    /// Returns the owner to record on objects that are written back next to their inputs, or `None` in a kustomize
    /// build, which keeps nothing between runs.
    pub fn owner(&self) -> Option<&'d str> {
        let is_in_place = self.items.iter().any(|item| annotations::path(*item).is_some())
            && !self.items.iter().any(|item| annotations::is_from_kustomize(*item));
        let name = self.config.and_then(|config| config.non_empty_str("metadata.name"));
        is_in_place.then(|| name.unwrap_or(UNNAMED_OWNER))
    }

    /// Returns the offset at which a node's source ends: the start of the next item or of the list's next field.
    pub(super) fn item_end(&self, node: Node<'_>) -> Option<u32> {
        let start = node.span().start;
        let next_item = self.items.partition_point(|item| item.span().start <= start);
        let item = self.items.get(next_item).map(|item| item.span().start);
        let fields = self.root.into_iter().flat_map(Node::entries).map(|entry| entry.key_span.start);
        fields.filter(|&field| field > start).chain(item).min()
    }

    /// Whether an item has no file and is the same object as the configuration.
    fn is_config(&self, item: Node<'_>) -> bool {
        let is_same = |config: Node<'_>| {
            let mut fields = ["apiVersion", "kind", "metadata.name"].iter();
            fields.all(|field| config.text(field) == item.text(field))
        };
        annotations::path(item).is_none() && self.config.is_some_and(is_same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::documents;

    const LIST: &str = "
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- {kind: A, apiVersion: v1, metadata: {name: x}}
- {kind: B, apiVersion: v1, metadata: {name: x}}
functionConfig: {kind: B, apiVersion: v1, metadata: {name: x}}
";

    #[test]
    fn reads_valid_resource_lists() {
        for (text, is_list, problem) in [
            ("", false, Some("ResourceList")),
            ("kind: List\nitems: []", false, Some("List")),
            (LIST, true, None),
            (&LIST.replace("/v1\n", "/v1beta1\n"), true, None),
            (&LIST.replace("/v1\n", "/v2\n"), true, Some("found `config.kubernetes.io/v2`")),
            (&format!("{LIST}---\na: b\n"), true, Some("found another document after it")),
            (&format!("a: b\n---\n{LIST}"), false, Some("ResourceList")),
            ("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", true, Some("has no `items`")),
            ("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {}", true, Some("must be a list")),
            ("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:", true, None),
        ] {
            let documents = documents(text);
            assert_eq!(is_resource_list(&documents), is_list, "{text}");
            let message = read(&documents, text).err().map(|finding| finding.message);
            let is_expected = match (&message, problem) {
                (Some(message), Some(problem)) => message.contains(problem),
                (None, None) => true,
                _ => false,
            };
            assert!(is_expected, "{text}: {message:?}");
        }
    }

    #[test]
    fn finds_items_by_offset() {
        let documents = documents(LIST);
        let list = read(&documents, LIST).unwrap();
        let kinds: Vec<_> = list.items().map(|item| item.text("kind")).collect();
        assert_eq!(kinds, ["A"], "the copy of the configuration is none");
        let kind_at = |offset: usize| list.item_at(offset as u32).map(|item| item.text("kind"));
        let (a, b) = (LIST.find("{kind: A").unwrap(), LIST.find("{kind: B").unwrap());
        let length = b - a - "\n- ".len();
        for (offset, expected) in [
            (0, None),
            (a - 1, None),
            (a, Some("A")),
            (a + length - 1, Some("A")),
            (b - 1, None),
            (b, Some("B")),
            (b + length, Some("B")),
            (LIST.len(), None),
        ] {
            assert_eq!(kind_at(offset), expected, "{offset}");
        }
        let end_of = |at: usize| list.item_end(list.item_at(at as u32).unwrap());
        assert_eq!(end_of(a), Some(b as u32));
        assert_eq!(end_of(b), LIST.find("functionConfig").map(|at| at as u32));
        assert_eq!(list.item_end(list.config.unwrap()), None);
    }

    #[test]
    fn sets_owner_annotations_except_in_kustomize() {
        let path = "internal.config.kubernetes.io/path: a.yaml";
        let kustomize_annotation = "kustomize.config.k8s.io/id: '1'";
        for (annotations, config, owner) in [
            ("", "", None),
            (path, "", Some("agentctl")),
            (path, "functionConfig: {metadata: {name: f}}", Some("f")),
            (path, "functionConfig: {metadata: {name: ''}}", Some("agentctl")),
            (path, "functionConfig:", Some("agentctl")),
            ("config.kubernetes.io/path: a.yaml", "", Some("agentctl")),
            (&format!("{path}, {kustomize_annotation}"), "", None),
            (kustomize_annotation, "functionConfig: {metadata: {name: f}}", None),
        ] {
            let text = format!(
                "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n- metadata: {{annotations: {{{annotations}}}}}\n{config}\n"
            );
            let documents = documents(&text);
            assert_eq!(read(&documents, &text).unwrap().owner(), owner, "{text}");
        }
    }

    #[test]
    fn copies_unchanged_items_with_comments() {
        const WHOLE_LIST: &str = "\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- kind: A # one
  metadata:
    name: x
    # inside
  data: |
    text

      more
# in front of the next
- kind: B

  data: ''
functionConfig:
  kind: C # two
  list:
  - a
  - b
";
        let write_unchanged = |text: &str| {
            let documents = documents(text);
            let list = read(&documents, text).unwrap_or_else(|finding| panic!("{text} {}", finding.message));
            let items: Vec<_> = list.items.iter().copied().map(super::super::OutputItem::Kept).collect();
            let mut out = Vec::new();
            super::super::write_list(&list, &items, Vec::new(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
        assert_eq!(write_unchanged(WHOLE_LIST), WHOLE_LIST);
        let indented = WHOLE_LIST.replace("functionConfig", "FUNCTION").replace("\n  ", "\n    ");
        let indented = indented.replace("\n- ", "\n  - ").replace("FUNCTION", "functionConfig");
        assert_ne!(indented, WHOLE_LIST);
        assert_eq!(write_unchanged(&indented), WHOLE_LIST);
        for (item, expected) in [
            ("- {kind: A, # one\n   a: b}\n", "- a: b\n  kind: A\n"),
            ("- &x\n  kind: A # one\n", "- kind: A # one\n"),
            (
                "- kind: A\n  a: &x {b: c}\n- kind: B # two\n  a: *x\n",
                "- kind: A\n  a: &x {b: c}\n- a:\n    b: c\n  kind: B\n",
            ),
            ("-\n  kind: A # one\n", "- kind: A # one\n"),
            ("-   kind: A # one\n    a:\n      b: c\n", "- kind: A # one\n  a:\n    b: c\n"),
        ] {
            assert_eq!(write_unchanged(&format!("{head}{item}")), format!("{head}{expected}"), "{item}");
        }
        assert_eq!(
            write_unchanged(&format!("{head}functionConfig: {{}}\n")),
            format!("{} []\nfunctionConfig: {{}}\n", head.trim_end())
        );

        let text = "# top\nkind: A # one\n---\nkind: B # two\na:\n  b: c\n---\n{kind: C} # three\n";
        let documents = documents(text);
        let list = ResourceList::from_documents(&documents, text);
        let items: Vec<_> = list.items().map(super::super::OutputItem::Kept).collect();
        let mut out = Vec::new();
        super::super::write_documents(&list, &items, &mut out).unwrap();
        let expected = "---\nkind: A # one\n---\nkind: B # two\na:\n  b: c\n---\nkind: C\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
