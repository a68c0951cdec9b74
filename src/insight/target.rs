//! What an argument refers to: resources by kind, namespace and name, or the files that define them.

use std::collections::HashSet;

use crate::admit::AdmittedDocument;
use crate::api::{Kind, ObjectRef, Resources};
use crate::diagnostic::listed::first_of;
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::references::{self, AgentUse};
use crate::source::{SourceId, Span};
use crate::yaml::Node;

/// An argument such as `servicemonitor/shop/checkout`, `probe/web` or `podlogs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    /// The kind.
    pub kind: Kind,
    /// The namespace; any where none is given.
    pub namespace: Option<&'a str>,
    /// The name; all of the kind where none is given.
    pub name: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Reads `KIND`, `KIND/NAME` and `KIND/NAMESPACE/NAME`; `None` where it begins with no kind or has another form.
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split('/');
        let kind = kind_named(parts.next()?)?;
        let (namespace, name) = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => (None, None),
            (Some(name), None, _) => (None, Some(name)),
            (Some(namespace), Some(name), None) => (Some(namespace), Some(name)),
            _ => return None,
        };
        Some(Self { kind, namespace, name }).filter(Self::is_filled)
    }

    /// Whether no part is empty.
    pub(super) fn is_filled(&self) -> bool {
        [self.namespace, self.name]
            .into_iter()
            .flatten()
            .all(|part| !part.is_empty())
    }

    /// Whether it means an object.
    pub fn means(&self, object: ObjectRef<'_>) -> bool {
        object.kind == self.kind && self.is_name_of(object)
    }

    /// Whether it has the name of an object of any kind.
    fn is_name_of(&self, object: ObjectRef<'_>) -> bool {
        self.is_near(object) && self.name.is_none_or(|name| object.name == name)
    }

    fn is_near(&self, object: ObjectRef<'_>) -> bool {
        self.namespace.is_none_or(|namespace| object.namespace == namespace)
    }
}

/// Whether an argument can only be meant as a path: it is `-`, starts like a path, or ends like a manifest.
pub fn is_path(text: &str) -> bool {
    text == "-" || text.starts_with(['.', '/']) || [".yaml", ".yml", ".json"].iter().any(|end| text.ends_with(end))
}

/// A resource of the input.
#[derive(Clone, Copy)]
pub struct Located<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// Its outermost node.
    pub root: Node<'d>,
    /// Whether it was refused, so that it takes no part in anything.
    pub refused: bool,
}

/// Every resource of an input, the refused ones too, by kind, namespace and name.
pub struct Catalogue<'h, 'd> {
    all: Vec<Located<'d>>,
    resources: &'h Resources<'d>,
}

impl<'h, 'd> Catalogue<'h, 'd> {
    /// The resources of these documents; those that name no namespace are in `namespace`. Of an object that is defined
    /// twice, only the first counts.
    pub fn new(documents: &'d [AdmittedDocument<'d>], resources: &'h Resources<'d>, namespace: &'d str) -> Self {
        let mut all: Vec<_> = documents
            .iter()
            .flat_map(AdmittedDocument::objects)
            .filter_map(|(kind, root)| {
                let object = object_ref(kind, root, namespace)?;
                Some(Located {
                    object,
                    root,
                    refused: resources.refused.contains(&object),
                })
            })
            .collect();
        all.sort_by_key(|located| located.object);
        all.dedup_by_key(|located| located.object);
        Self { all, resources }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Located<'d>> {
        self.all.iter()
    }

    /// The resource of this kind, namespace and name.
    pub fn located(&self, object: &ObjectRef<'_>) -> Option<Located<'d>> {
        let found = self.all.binary_search_by(|located| located.object.cmp(object)).ok()?;
        self.all.get(found).copied()
    }

    /// The resources in these sources.
    pub fn in_sources(&self, sources: &[SourceId]) -> Vec<Located<'d>> {
        let sources: HashSet<_> = sources.iter().collect();
        let stands = |located: &&Located<'d>| sources.contains(&located.root.span().source);
        self.iter().filter(stands).copied().collect()
    }

    /// Keeps only findings that may be why a resource is not found: those inside of a resource hide no other.
    pub fn retain_hiding(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut roots: Vec<_> = self.iter().map(|located| located.root.span()).collect();
        roots.sort_unstable_by_key(|root| (root.source, root.start));
        diagnostics.retain(|diagnostic| {
            diagnostic.primary().is_none_or(|label| {
                let at = (label.span.source, label.span.start);
                let behind = roots.partition_point(|root| (root.source, root.start) <= at);
                let before = behind.checked_sub(1).and_then(|before| roots.get(before));
                before.is_none_or(|root| root.source != at.0 || root.end <= at.1)
            })
        });
    }

    /// Returns the resources that a target names.
    ///
    /// # Errors
    ///
    /// Nothing of that name, with what was most likely meant; several of that name, with each of them.
    pub fn find(&self, target: &Target<'_>) -> Result<Vec<Located<'d>>, Box<Diagnostic>> {
        let of_kind: Vec<_> = self
            .iter()
            .filter(|located| located.object.kind == target.kind)
            .collect();
        let Some(name) = target.name else {
            if of_kind.is_empty() {
                return Err(Box::new(none_of_kind(target.kind)));
            }
            return Ok(of_kind.into_iter().copied().collect());
        };
        let found = of_kind.iter().filter(|located| target.means(located.object));
        let found: Vec<_> = found.map(|located| **located).collect();
        match found.as_slice() {
            [] => Err(Box::new(self.unknown(target, name, &of_kind))),
            [_] => Ok(found),
            candidates => Err(Box::new(ambiguous(target.kind, name, candidates))),
        }
    }

    /// Adds the resources of any kind that an argument may mean which names no kind.
    pub fn suggest(&self, argument: &str, diagnostic: Diagnostic) -> Diagnostic {
        const SHOWN: usize = 3;
        let (namespace, name) = argument
            .rsplit_once('/')
            .map_or((None, argument), |(n, name)| (Some(n), name));
        let is_meant = |object: &ObjectRef<'_>| {
            object.name == name && namespace.is_none_or(|namespace| object.namespace == namespace)
        };
        let objects = self.iter().map(|located| located.object);
        let names: Vec<_> = objects.filter(is_meant).map(self::argument).collect();
        match names.is_empty() {
            true => diagnostic,
            false => diagnostic.help(format!("name its kind: {}", first_of(SHOWN, names.iter()))),
        }
    }

    /// The Secrets or ConfigMaps of this name that are referred to, with who does so and where.
    fn referrers(&self, target: &Target<'_>) -> Vec<(ObjectRef<'d>, ObjectRef<'d>, Span)> {
        let all = references::all(self.resources, |_| AgentUse::EVERYTHING);
        let found = all.filter_map(|(referrer, reference)| {
            let object = reference.object(referrer.meta.namespace);
            let is_meant = target.means(object);
            is_meant.then(|| (object, referrer.object_ref(), referrer.locate(&reference.path)))
        });
        found.collect()
    }

    fn unknown(&self, target: &Target<'_>, name: &str, of_kind: &[&Located<'d>]) -> Diagnostic {
        let referrers = self.referrers(target);
        if let Some(&(object, ..)) = referrers.first() {
            let of_first = referrers.into_iter().filter(|(other, ..)| *other == object);
            return missing_resource(object, of_first.map(|(_, at, span)| (at, span)).collect());
        }
        let elsewhere = of_kind.iter().find(|located| located.object.name == name);
        let similar = || {
            let near = |located: &&&Located<'d>| target.is_near(located.object);
            let nearest = closest(name, of_kind.iter().filter(near).map(|located| located.object.name));
            let nearest = nearest.or_else(|| closest(name, of_kind.iter().map(|located| located.object.name)))?;
            let mut named = of_kind.iter().filter(|located| located.object.name == nearest);
            named.clone().find(near).or_else(|| named.next())
        };
        let of_other_kind = || self.iter().find(|located| target.is_name_of(located.object));
        // `smon/NAME/NAMESPACE`, or `secret/NAME/KEY`.
        let turned = || {
            of_kind
                .iter()
                .find(|located| target.namespace == Some(located.object.name))
        };
        let meant = elsewhere
            .or_else(similar)
            .or_else(turned)
            .copied()
            .or_else(of_other_kind);
        unknown_resource(target, name, meant)
    }
}

/// Which object a node is: as decoding has it.
fn object_ref<'d>(kind: Kind, root: Node<'d>, namespace: &'d str) -> Option<ObjectRef<'d>> {
    let metadata = root.get("metadata")?;
    let text = |key| metadata.get(key).and_then(Node::as_str).filter(|text| !text.is_empty());
    Some(ObjectRef {
        kind,
        namespace: if kind.is_namespaced() {
            text("namespace").unwrap_or(namespace)
        } else {
            ""
        },
        name: text("name")?,
    })
}

/// The kind of this name in any case: singular, plural or short, and with its group where that is given
/// (`servicemonitors.monitoring.coreos.com`, `probe.v1.monitoring.coreos.com`).
pub fn kind_named(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    let (name, group) = lower
        .split_once('.')
        .map_or((lower.as_str(), None), |(n, g)| (n, Some(g)));
    let named = |kind: &Kind| kind.as_str().eq_ignore_ascii_case(name) || kind.names().contains(&name);
    let kind = Kind::ALL.iter().copied().find(named)?;
    group.is_none_or(|group| is_group(kind, group)).then_some(kind)
}

/// Whether this is the group of a kind, with or without the version in front of it.
fn is_group(kind: Kind, text: &str) -> bool {
    kind.api_version()
        .split_once('/')
        .is_some_and(|(group, version)| text == group || text.strip_prefix(version) == Some(&format!(".{group}")))
}

/// The kind that was most likely meant.
pub fn suggested_kind(text: &str) -> Option<Kind> {
    let all = Kind::ALL.iter().map(|kind| kind.as_str());
    let plurals = Kind::ALL.iter().flat_map(|kind| kind.names()).copied();
    closest(text, all.chain(plurals)).and_then(kind_named)
}

/// The argument as people write it: in lower case.
fn argument(object: ObjectRef<'_>) -> String {
    let kind = object.kind.as_str().to_ascii_lowercase();
    match object.namespace {
        "" => format!("{kind}/{}", object.name),
        namespace => format!("{kind}/{namespace}/{}", object.name),
    }
}

/// An argument is neither a kind that agentctl reads nor a path.
pub fn unknown_kind(argument: &str) -> Diagnostic {
    let word = argument.split('/').next().unwrap_or_default();
    let diagnostic = Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is neither a resource nor a path: unknown kind `{word}`"),
    );
    diagnostic.help(match suggested_kind(word) {
        Some(kind) => format!("did you mean `{}`?", kind.as_str().to_ascii_lowercase()),
        None => "write KIND/NAME, KIND/NAMESPACE/NAME, or the path of a file".to_owned(),
    })
}

/// An argument begins with a kind, but has another form.
pub fn malformed(argument: &str) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("`{argument}` does not name a resource"))
        .help("write KIND/NAME or KIND/NAMESPACE/NAME")
}

/// A resource where whole inputs are compared.
pub fn no_revision(argument: &str) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is not a file or directory, and `--since` compares nothing else"),
    )
    .help("pass the files or directories that you render")
}

/// There is nothing of a kind.
pub fn none_of_kind(kind: Kind) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("no {kind} found in the input"))
        .help("read the files that define it with `-f`")
}

/// There is nothing of this kind and name.
pub fn unknown_resource(target: &Target<'_>, name: &str, meant: Option<&Located<'_>>) -> Diagnostic {
    let kind = target.kind;
    let place = match target.namespace {
        Some(namespace) => format!("namespace `{namespace}`"),
        None => "the input".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::UnknownResource, format!("{kind} `{name}` not found in {place}"));
    match meant {
        Some(meant) => diagnostic
            .label(name_span(meant), "this one?")
            .help(format!("did you mean `{}`?", argument(meant.object))),
        None => diagnostic.help("correct the name, or read the file that defines it with `-f`"),
    }
}

/// A Secret or ConfigMap that is only referred to.
pub fn missing_resource(object: ObjectRef<'_>, referrers: Vec<(ObjectRef<'_>, Span)>) -> Diagnostic {
    const SHOWN: usize = 8;
    let fields = match referrers.len() {
        1 => "1 field refers".to_owned(),
        count => format!("{count} fields refer"),
    };
    let ObjectRef { kind, namespace, name } = object;
    let message = format!("{kind} `{name}` of namespace `{namespace}` is not in the input, but {fields} to it");
    let diagnostic = Diagnostic::new(Code::UnknownResource, message).help("read the file that defines it with `-f`");
    referrers
        .into_iter()
        .take(SHOWN)
        .fold(diagnostic, |diagnostic, (referrer, span)| {
            diagnostic.label(span, format!("{referrer} does"))
        })
}

/// Several resources have this kind and name.
fn ambiguous(kind: Kind, name: &str, candidates: &[Located<'_>]) -> Diagnostic {
    let message = format!("{} {kind}s are called `{name}`", candidates.len());
    let place = |located: &Located<'_>| format!("in namespace `{}`", located.object.namespace);
    one_of(message, candidates, argument, place)
}

/// Several resources are meant, each shown with its name and a label.
pub(super) fn one_of(
    message: String,
    candidates: &[Located<'_>],
    name: impl Fn(ObjectRef<'_>) -> String,
    label: impl Fn(&Located<'_>) -> String,
) -> Diagnostic {
    const SHOWN: usize = 8;
    let names = candidates.iter().map(|located| name(located.object));
    let found = Diagnostic::new(Code::AmbiguousResource, message);
    let found = found.help(format!("name one of them: {}", first_of(SHOWN, names)));
    let shown = candidates.iter().take(SHOWN);
    shown.fold(found, |found, located| found.label(name_span(located), label(located)))
}

fn name_span(located: &Located<'_>) -> Span {
    FieldPath::of("metadata.name").locate(located.root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_one_to_three_parts() {
        let target = |kind, namespace, name| Some(Target { kind, namespace, name });
        for (text, expected) in [
            (
                "smon/shop/checkout",
                target(Kind::ServiceMonitor, Some("shop"), Some("checkout")),
            ),
            ("Probe/web", target(Kind::Probe, None, Some("web"))),
            ("podlogs", target(Kind::PodLogs, None, None)),
            ("deployment/web", None),
            ("probe/", None),
            ("probe//web", None),
            ("probe/a/b/c", None),
            ("", None),
        ] {
            assert_eq!(Target::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn paths_look_like_paths() {
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
    fn kinds_are_named_as_for_kubectl() {
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

    #[test]
    fn plurals_are_those_of_the_definitions() {
        for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
            let definition = crate::api::schema::definition(kind);
            assert_eq!(kind.names().first(), Some(&definition.plural.as_str()), "{kind}");
        }
    }
}
