//! Command-line arguments that refer to resources. All kubectl spellings of a kind are accepted.

use crate::api::{Kind, ObjectRef, SecretGenerator};
use crate::diagnostic::suggest::closest;
use crate::source::Span;
use crate::yaml::Node;

/// An argument such as `servicemonitor/shop/checkout`, `probe/web` or `podlogs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceArgument<'a> {
    pub kind: Kind,
    /// Kind of the object that creates the Secret, if `namespace` and `name` refer to that object.
    pub generator: Option<&'static str>,
    /// Namespace, or `None` for any namespace.
    pub namespace: Option<&'a str>,
    /// Name, or `None` for all resources of the kind.
    pub name: Option<&'a str>,
}

impl<'a> ResourceArgument<'a> {
    /// Parses `KIND`, `KIND/NAME` or `KIND/NAMESPACE/NAME`. Returns `None` if `text` does not start with a kind or has
    /// too many parts.
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split('/');
        let word = parts.next()?;
        let (kind, generator) = match kind_named(word) {
            Some(kind) => (kind, None),
            None => (Kind::Secret, Some(SecretGenerator::find_kind(word)?)),
        };
        let (namespace, name) = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => (None, None),
            (Some(name), None, _) => (None, Some(name)),
            (Some(namespace), Some(name), None) => (Some(namespace), Some(name)),
            _ => return None,
        };
        Some(Self { kind, generator, namespace, name }).filter(Self::has_nonempty_parts)
    }

    /// Whether the namespace and the name, if given, are non-empty.
    pub fn has_nonempty_parts(&self) -> bool {
        [self.namespace, self.name].into_iter().flatten().all(|part| !part.is_empty())
    }

    pub(super) fn kind_name(&self) -> &'static str {
        self.generator.unwrap_or_else(|| self.kind.as_str())
    }

    /// Returns the plural name of the kind.
    pub(super) fn plural_kind(&self) -> String {
        match self.generator {
            Some(kind) if kind.ends_with('s') => format!("{kind}es"),
            Some(kind) => format!("{kind}s"),
            None => self.kind.plural_kind(),
        }
    }

    pub fn matches(&self, object: ObjectRef<'_>) -> bool {
        self.generator.is_none() && object.kind == self.kind && self.matches_name(object)
    }

    /// Whether the argument specifies the name of `object`, regardless of its kind.
    pub(super) fn matches_name(&self, object: ObjectRef<'_>) -> bool {
        self.matches_namespace(object) && self.name.is_none_or(|name| object.name == name)
    }

    pub(super) fn matches_namespace(&self, object: ObjectRef<'_>) -> bool {
        self.namespace.is_none_or(|namespace| object.namespace == namespace)
    }
}

/// Whether an argument can only be a path: it is `-`, starts like a path, or has a manifest's file extension.
pub fn is_path(text: &str) -> bool {
    text == "-" || text.starts_with(['.', '/']) || [".yaml", ".yml", ".json"].iter().any(|end| text.ends_with(end))
}

/// Whether `text` is a kind that arguments can refer to.
pub fn is_kind(text: &str) -> bool {
    kind_named(text).is_some() || SecretGenerator::find_kind(text).is_some()
}

/// Returns the kind with this name, ignoring case. The name may be singular, plural or short, and may include a group
/// (`servicemonitors.monitoring.coreos.com`, `probe.v1.monitoring.coreos.com`).
pub fn kind_named(text: &str) -> Option<Kind> {
    let lowercase = text.to_ascii_lowercase();
    let (name, group) = lowercase.split_once('.').map_or((lowercase.as_str(), None), |(n, g)| (n, Some(g)));
    let has_name = |kind: &Kind| kind.as_str().eq_ignore_ascii_case(name) || kind.names().contains(&name);
    let kind = Kind::ALL.iter().copied().find(has_name)?;
    group.is_none_or(|group| is_group(kind, group)).then_some(kind)
}

/// Whether `text` is the group of `kind`, optionally preceded by its version.
fn is_group(kind: Kind, text: &str) -> bool {
    kind.api_version()
        .split_once('/')
        .is_some_and(|(group, version)| text == group || text.strip_prefix(version) == Some(&format!(".{group}")))
}

/// Returns the kind that `text` most likely refers to, or `None` if no kind is similar.
pub fn suggested_kind(text: &str) -> Option<Kind> {
    let all = Kind::ALL.iter().map(|kind| kind.as_str());
    let plurals = Kind::ALL.iter().flat_map(|kind| kind.names()).copied();
    closest(text, all.chain(plurals)).and_then(kind_named).or_else(|| abbreviated_kind(text))
}

/// Returns the only kind that a word could abbreviate, or `None` if there is none or more than one. An abbreviation has
/// at least three letters and starts with the kind's first letter, and its letters occur in the kind in order
/// (`svcmon`).
fn abbreviated_kind(text: &str) -> Option<Kind> {
    let word = text.to_ascii_lowercase();
    let is_abbreviation = |kind: &Kind| {
        let name = kind.as_str().to_ascii_lowercase();
        let mut letters = name.chars();
        word.chars().next() == name.chars().next() && word.chars().all(|wanted| letters.any(|letter| letter == wanted))
    };
    let mut kinds = Kind::ALL.iter().copied().filter(|kind| word.len() > 2 && is_abbreviation(kind));
    kinds.next().filter(|_| kinds.next().is_none())
}

/// A resource, and the node that defines it or refers to it.
#[derive(Clone, Copy)]
pub struct LocatedResource<'d> {
    /// Kind, namespace and name of the resource.
    pub object: ObjectRef<'d>,
    pub root: Node<'d>,
    /// Whether the API server would reject the resource. If so, the resource is not used.
    pub refused: bool,
    /// Whether the resource is missing from the input. If so, `root` is the root of a resource that refers to it.
    pub is_absent: bool,
}

impl LocatedResource<'_> {
    /// Returns the span of the resource's name or, if the resource is absent, of the name of a resource that refers to
    /// it.
    pub fn name_span(&self) -> Span {
        self.root.name_span()
    }
}

/// Returns the argument that refers to `object`, in lowercase.
pub(super) fn as_argument(object: ObjectRef<'_>) -> String {
    let kind = object.kind.as_str().to_ascii_lowercase();
    match object.namespace {
        "" => format!("{kind}/{}", object.name),
        namespace => format!("{kind}/{namespace}/{}", object.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_arguments_of_one_to_three_parts() {
        let target = |kind, namespace, name| Some(ResourceArgument { kind, generator: None, namespace, name });
        for (text, expected) in [
            ("smon/shop/checkout", target(Kind::ServiceMonitor, Some("shop"), Some("checkout"))),
            ("Probe/web", target(Kind::Probe, None, Some("web"))),
            ("podlogs", target(Kind::PodLogs, None, None)),
            ("deployment/web", None),
            ("probe/", None),
            ("probe//web", None),
            ("probe/a/b/c", None),
            ("", None),
        ] {
            assert_eq!(ResourceArgument::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn accepts_objects_that_create_secrets() {
        let actual = ResourceArgument::parse("externalsecrets/shop/web").unwrap();
        assert_eq!((actual.kind, actual.generator, actual.name), (Kind::Secret, Some("ExternalSecret"), Some("web")));
        assert_eq!(actual.kind_name(), "ExternalSecret");
        let secret = ObjectRef { kind: Kind::Secret, namespace: "shop", name: "web" };
        assert!(!actual.matches(secret), "the Secret may have another name");
        assert!(is_kind("SealedSecret") && is_kind("smon") && !is_kind("deployment"));
    }

    #[test]
    fn distinguishes_paths_from_resources() {
        for (text, expected) in [
            ("./probe/web", true),
            ("-", true),
            ("../x", true),
            ("/etc", true),
            ("probe/web.yaml", true),
            ("probe/web", false),
            ("manifests", false),
        ] {
            assert_eq!(is_path(text), expected, "{text}");
        }
    }

    #[test]
    fn kinds_have_the_same_names_as_in_kubectl() {
        for (text, expected) in [
            ("ServiceMonitor", Some(Kind::ServiceMonitor)),
            ("servicemonitors", Some(Kind::ServiceMonitor)),
            ("SMON", Some(Kind::ServiceMonitor)),
            ("servicemonitors.monitoring.coreos.com", Some(Kind::ServiceMonitor)),
            ("servicemonitor.v1.monitoring.coreos.com", Some(Kind::ServiceMonitor)),
            ("servicemonitor.monitoring.grafana.com", None),
            ("prb", Some(Kind::Probe)),
            ("podlogs", Some(Kind::PodLogs)),
            ("metricsinstance", Some(Kind::MetricsInstance)),
            ("cm", Some(Kind::ConfigMap)),
            ("secret.v1", None),
            ("", None),
        ] {
            assert_eq!(kind_named(text), expected, "{text}");
        }
        assert_eq!(suggested_kind("servicemonitr"), Some(Kind::ServiceMonitor));
        assert_eq!(suggested_kind("deployment"), None);
    }
}
