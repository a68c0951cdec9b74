//! Objects from the input that are written unchanged, alongside the rendered objects.

use std::collections::BTreeSet;

use super::items::{key_of_item, key_of_object, replaced_items};
use super::{ResourceList, copy};
use crate::api::Kind;
use crate::diagnostic::Warned;
use crate::manifest::{Object, Objects};
use crate::source::{SourceContent, Sources};
use crate::yaml::{DocumentObject, Limits, for_each_object, read};

/// API groups of configurations that only kustomize and agentctl read.
const LOCAL_GROUPS: [&str; 2] = ["kustomize.config.k8s.io/", "agentctl.dev/"];

/// Returns the objects in the sources that agentctl does not compile and that no rendered object replaces. Also returns
/// findings for the objects that are replaced. `namespace` is used for objects that do not set one.
pub fn passed_objects(sources: &Sources, limits: &Limits, rendered: &Objects, namespace: &str) -> Warned<Vec<Object>> {
    let keys: BTreeSet<_> = rendered.rendered_objects().map(key_of_object).collect();
    let mut objects = Warned::<Vec<Object>>::default();
    let is_read = |content| content == SourceContent::Manifests;
    for (id, source) in sources.iter().filter(|(_, source)| source.is_complete && is_read(source.content)) {
        // The compiler has already reported the findings about the documents.
        let documents = read(id, &source.text, limits).output;
        let list = ResourceList::from_documents(&documents, &source.text);
        objects.diagnostics.extend(replaced_items(&list, rendered, namespace));
        for document in &documents {
            for_each_object(document.root(), &mut |object| {
                let DocumentObject::Object(root, api_version, kind) = object else { return };
                let is_compiled = Kind::from_type(api_version, kind).is_some_and(Kind::is_custom);
                let is_local = LOCAL_GROUPS.iter().any(|group| api_version.starts_with(group));
                if !is_compiled && !is_local && !keys.contains(&key_of_item(root, namespace)) {
                    objects.output.push(Object::from_input(
                        (api_version, kind),
                        root,
                        copy::document_text(&list, root),
                    ));
                }
            });
        }
    }
    objects
}
