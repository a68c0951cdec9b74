//! Where the fields of an object stand: in a manifest, or in the list of remote services it was made from.

use crate::diagnostic::FieldPath;
use crate::source::Span;
use crate::yaml::Node;

/// A field that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Namespace,
    Labels,
    Annotations,
    Group,
    Version,
    GroupPriority,
    VersionPriority,
    Insecure,
    CaBundle,
    ServiceNamespace,
    ServiceName,
    ServicePort,
    Host,
}

impl Field {
    fn in_manifest(self) -> &'static str {
        match self {
            Field::Name => "metadata.name",
            Field::Namespace => "metadata.namespace",
            Field::Labels => "metadata.labels",
            Field::Annotations => "metadata.annotations",
            Field::Group => "spec.group",
            Field::Version => "spec.version",
            Field::GroupPriority => "spec.groupPriorityMinimum",
            Field::VersionPriority => "spec.versionPriority",
            Field::Insecure => "spec.insecureSkipTLSVerify",
            Field::CaBundle => "spec.caBundle",
            Field::ServiceNamespace => "spec.service.namespace",
            Field::ServiceName => "spec.service.name",
            Field::ServicePort => "spec.service.port",
            Field::Host => "spec.host",
        }
    }

    /// The key of a remote service that becomes this field.
    fn in_remote_service(self) -> Option<&'static str> {
        match self {
            Field::Group => Some("group"),
            Field::Version => Some("version"),
            Field::ServicePort => Some("port"),
            Field::Host => Some("host"),
            _ => None,
        }
    }
}

/// What an object was read from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'d> {
    /// A manifest, at its outermost node.
    Manifest(Node<'d>),
    /// An entry of the list of remote services.
    Remote { entry: Node<'d>, index: usize },
}

impl<'d> Origin<'d> {
    /// Whether it comes from the list of remote services.
    pub(super) fn is_remote(self) -> bool {
        matches!(self, Origin::Remote { .. })
    }

    /// The node of the manifest.
    pub(super) fn manifest(self) -> Option<Node<'d>> {
        match self {
            Origin::Manifest(root) => Some(root),
            Origin::Remote { .. } => None,
        }
    }

    /// Where the field stands; where it is missing, where its nearest parent does.
    pub(super) fn locate(self, field: Field) -> Span {
        match self {
            Origin::Manifest(root) => FieldPath::of(field.in_manifest()).locate(root),
            Origin::Remote { entry, .. } => field
                .in_remote_service()
                .and_then(|key| entry.get(key))
                .map_or_else(|| head(entry), Node::span),
        }
    }

    /// The field as people write it: `spec.group`, or `[0].group`.
    pub(super) fn path(self, field: Field) -> String {
        match self {
            Origin::Manifest(_) => field.in_manifest().to_owned(),
            Origin::Remote { index, .. } => match field.in_remote_service() {
                Some(key) => format!("[{index}].{key}"),
                None => format!("[{index}]"),
            },
        }
    }
}

/// The place that stands for a mapping as a whole: its first key.
pub(super) fn head(mapping: Node<'_>) -> Span {
    let first = mapping.entries().next();
    first.map_or_else(|| mapping.span(), |entry| entry.key_span)
}
