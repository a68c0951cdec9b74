//! Catalog of all resources in an input, in which arguments are looked up.

use std::collections::HashSet;

use super::argument::{LocatedResource, ResourceArgument, as_argument};
use super::diagnostics::{ambiguous_name, none_of_kind, unknown_resource};
use crate::admit::{AdmittedDocument, read_object_ref};
use crate::api::{GeneratedSecret, Kind, ObjectRef, Resources};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::listed::first_of;
use crate::diagnostic::suggest::closest;
use crate::resolve::references::{self, AgentUse};
use crate::source::SourceId;

/// Every resource in an input, including rejected ones, sorted by kind, namespace and name.
pub struct Catalog<'h, 'd> {
    all: Vec<LocatedResource<'d>>,
    resources: &'h Resources<'d>,
}

impl<'h, 'd> Catalog<'h, 'd> {
    /// Collects the resources in `documents` and the Secrets that controllers generate from them. The location of a
    /// generated Secret is the object from which it is generated. `namespace` is used for resources that do not set
    /// one. If an object is defined more than once, only the first definition is used.
    pub fn new(documents: &'d [AdmittedDocument<'d>], resources: &'h Resources<'d>, namespace: &'d str) -> Self {
        let mut located_resources: Vec<_> = documents
            .iter()
            .flat_map(AdmittedDocument::objects)
            .filter_map(|(kind, root)| {
                let object = read_object_ref(kind, root, namespace);
                (!object.name.is_empty()).then(|| LocatedResource {
                    object,
                    root,
                    refused: resources.rejected_objects.contains(&object),
                    is_absent: false,
                })
            })
            .collect();
        located_resources.extend(resources.generated_secrets.iter().map(|promised| LocatedResource {
            object: ObjectRef { kind: Kind::Secret, namespace: promised.namespace, name: promised.name },
            root: promised.root,
            refused: false,
            is_absent: false,
        }));
        located_resources.sort_by_key(|located| located.object);
        located_resources.dedup_by_key(|located| located.object);
        Self { all: located_resources, resources }
    }

    pub fn iter(&self) -> impl Iterator<Item = &LocatedResource<'d>> {
        self.all.iter()
    }

    /// Returns the resource with this kind, namespace and name, or `None` if there is none.
    pub fn locate(&self, object: &ObjectRef<'_>) -> Option<LocatedResource<'d>> {
        let index = self.all.binary_search_by(|located| located.object.cmp(object)).ok()?;
        self.all.get(index).copied()
    }

    /// Returns the resources that the given sources contain.
    pub fn in_sources(&self, sources: &[SourceId]) -> Vec<LocatedResource<'d>> {
        let sources: HashSet<_> = sources.iter().collect();
        let is_in_sources = |located: &&LocatedResource<'d>| sources.contains(&located.root.span().source);
        self.iter().filter(is_in_sources).copied().collect()
    }

    /// Keeps only findings that may explain why a resource was not found. Findings within resources are removed,
    /// because they cannot hide other resources.
    pub fn retain_explanations(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut roots: Vec<_> = self.iter().map(|located| located.root.span()).collect();
        roots.sort_unstable_by_key(|root| (root.source, root.start));
        diagnostics.retain(|diagnostic| {
            diagnostic.primary().is_none_or(|label| {
                let label_position = (label.span.source, label.span.start);
                let next_root = roots.partition_point(|root| (root.source, root.start) <= label_position);
                let previous_root = next_root.checked_sub(1).and_then(|before| roots.get(before));
                previous_root.is_none_or(|root| root.source != label_position.0 || root.end <= label_position.1)
            })
        });
    }

    /// Returns the resources that `target` matches, including Secrets and ConfigMaps that are only referred to.
    ///
    /// # Errors
    ///
    /// If no resource matches, returns a finding that suggests the most likely one. If the name is ambiguous, returns a
    /// finding that lists all matching resources.
    pub fn find(&self, target: &ResourceArgument<'_>) -> Result<Vec<LocatedResource<'d>>, Box<Diagnostic>> {
        if let Some(kind) = target.generator {
            return self.generated_secrets(target, kind);
        }
        let resources_of_kind: Vec<_> = self.iter().filter(|located| located.object.kind == target.kind).collect();
        let Some(name) = target.name else {
            if resources_of_kind.is_empty() {
                return Err(Box::new(none_of_kind(target)));
            }
            return Ok(resources_of_kind.into_iter().copied().collect());
        };
        let resources = resources_of_kind.iter().filter(|located| target.matches(located.object));
        let mut resources: Vec<_> = resources.map(|located| **located).collect();
        if resources.is_empty() {
            resources = self.referenced_objects(target);
            resources.sort_by_key(|located| located.object);
            resources.dedup_by_key(|located| located.object);
        }
        match resources.as_slice() {
            [] => Err(Box::new(self.unknown_resource(target, name, &resources_of_kind))),
            [_] => Ok(resources),
            candidates => Err(Box::new(ambiguous_name(target, name, candidates))),
        }
    }

    /// Returns the Secrets that the matching objects of another kind create.
    fn generated_secrets(
        &self,
        target: &ResourceArgument<'_>,
        kind: &str,
    ) -> Result<Vec<LocatedResource<'d>>, Box<Diagnostic>> {
        let secrets_of_kind =
            self.resources.generated_secrets.iter().filter(|promised| promised.generator.kind == kind);
        let is_requested = |promised: &&GeneratedSecret<'_>| {
            target.namespace.is_none_or(|namespace| promised.namespace == namespace)
                && target.name.is_none_or(|name| promised.creator == name)
        };
        let secrets = secrets_of_kind.filter(is_requested).map(|promised| {
            let object = ObjectRef { kind: Kind::Secret, namespace: promised.namespace, name: promised.name };
            LocatedResource { object, root: promised.root, refused: false, is_absent: false }
        });
        let secrets: Vec<_> = secrets.collect();
        match (secrets.as_slice(), target.name) {
            ([], None) => Err(Box::new(none_of_kind(target))),
            ([], Some(name)) => Err(Box::new(unknown_resource(target, name, None))),
            ([first, rest @ ..], Some(name)) if rest.iter().any(|other| other.root.span() != first.root.span()) => {
                Err(Box::new(ambiguous_name(target, name, &secrets)))
            }
            _ => Ok(secrets),
        }
    }

    /// Adds help to `diagnostic` that lists the resources that an argument without a kind may refer to.
    pub fn suggest(&self, argument: &str, diagnostic: Diagnostic) -> Diagnostic {
        const MAX_SHOWN: usize = 3;
        let (namespace, name) = argument.rsplit_once('/').map_or((None, argument), |(n, name)| (Some(n), name));
        let is_match = |object: &ObjectRef<'_>| {
            object.name == name && namespace.is_none_or(|namespace| object.namespace == namespace)
        };
        let objects = self.iter().map(|located| located.object);
        let names: Vec<_> = objects.filter(is_match).map(as_argument).collect();
        match names.is_empty() {
            true => diagnostic,
            false => diagnostic.help(format!("specify the kind: {}", first_of(MAX_SHOWN, names.iter()))),
        }
    }

    /// Returns the Secrets or ConfigMaps with this name that fields refer to.
    fn referenced_objects(&self, target: &ResourceArgument<'_>) -> Vec<LocatedResource<'d>> {
        let all_references = references::all(self.resources, |_| AgentUse::EVERYTHING);
        let referenced = all_references.map(|(referrer, reference)| LocatedResource {
            object: reference.object(referrer.meta.namespace),
            root: referrer.root,
            refused: false,
            is_absent: true,
        });
        referenced.filter(|located| target.matches(located.object)).collect()
    }

    fn unknown_resource(
        &self,
        target: &ResourceArgument<'_>,
        name: &str,
        resources_of_kind: &[&LocatedResource<'d>],
    ) -> Diagnostic {
        let namesake = resources_of_kind.iter().find(|located| located.object.name == name);
        let find_similar = || {
            let is_in_namespace = |located: &&&LocatedResource<'d>| target.matches_namespace(located.object);
            let nearest =
                closest(name, resources_of_kind.iter().filter(is_in_namespace).map(|located| located.object.name));
            let nearest =
                nearest.or_else(|| closest(name, resources_of_kind.iter().map(|located| located.object.name)))?;
            let mut same_named = resources_of_kind.iter().filter(|located| located.object.name == nearest);
            same_named.clone().find(is_in_namespace).or_else(|| same_named.next())
        };
        let similar_of_other_kind = || self.iter().find(|located| target.matches_name(located.object));
        // The parts may be in the wrong order, as in `smon/NAME/NAMESPACE` or `secret/NAME/KEY`.
        let find_swapped = || resources_of_kind.iter().find(|located| target.namespace == Some(located.object.name));
        let intended_resource =
            namesake.or_else(find_similar).or_else(find_swapped).copied().or_else(similar_of_other_kind);
        unknown_resource(target, name, intended_resource)
    }
}
