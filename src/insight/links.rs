//! Links between spans in the input: from selectors to the selected resources, and from references to their targets.

use super::graph::Graph;
use super::resolved::ResolvedInput;
use crate::api::{
    AnyResource, Endpoint, Kind, NamespaceSelector, ObjectRef, RELATIONS, Relation, Resource, ResourceHeader,
    ServiceMonitor, TextMap,
};
use crate::diagnostic::FieldPath;
use crate::resolve::Selector;
use crate::resolve::references::{self, AgentUse};
use crate::source::Span;
use crate::targets::observed::{ClusterObject, ObservedKind};

/// Selection of one resource by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection<'d> {
    /// Span of the label selector.
    pub from: Span,
    /// Resource that contains the selector.
    pub by: ObjectRef<'d>,
    /// Span of the selected resource's name.
    pub to: Span,
    pub object: ObjectRef<'d>,
}

/// Link from a field and its value to the definition that the value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionLink {
    /// Span of the field that contains the reference.
    pub from: Span,
    /// Span of the definition: a name, or a key of a Secret or ConfigMap.
    pub to: Span,
}

/// Returns all links in the input. Links between ports are included only for the resource that contains `at`.
pub fn links_at(input: &ResolvedInput<'_>, at: Span) -> Vec<DefinitionLink> {
    let graph = input.graph();
    let mut links: Vec<_> =
        selections(graph).iter().map(|Selection { from, to, .. }| DefinitionLink { from: *from, to: *to }).collect();
    links.extend(namespaces(graph));
    links.extend(reference_links(graph));
    links.extend(ports(input, at));
    links
}

/// Returns every pair of a relation and a resource that can be the parent in the relation.
fn parents<'h, 'd>(graph: Graph<'h, 'd>) -> impl Iterator<Item = (&'static Relation, AnyResource<'h, 'd>)> {
    RELATIONS.iter().flat_map(move |relation| {
        let parents = graph.resources.list(relation.parent).into_iter();
        parents.map(move |parent| (relation, parent))
    })
}

/// Returns the selections made by all parents.
pub fn selections<'d>(graph: Graph<'_, 'd>) -> Vec<Selection<'d>> {
    let mut selections = Vec::new();
    for (relation, parent) in parents(graph) {
        let Some(selector_span) = whole_field(&parent, &FieldPath::parse(relation.labels)) else {
            continue;
        };
        let children = graph.selected_children(&parent, relation.child).into_iter();
        selections.extend(children.map(|child| Selection {
            from: selector_span,
            by: parent.object_ref(),
            to: child.name_span(),
            object: child.object_ref(),
        }));
    }
    selections
}

/// Returns links from each namespace selector to the Namespaces it selects or, if none of them is in the input, to the
/// selected resources.
fn namespaces(graph: Graph<'_, '_>) -> Vec<DefinitionLink> {
    let mut links = Vec::new();
    for (relation, parent) in parents(graph) {
        let Some(selector_span) = whole_field(&parent, &FieldPath::parse(relation.namespaces)) else {
            continue;
        };
        let selector = graph.selections.for_parent(&parent, relation.child);
        let selector = selector.and_then(|selected| selected.selector.namespaces.set());
        let known_namespaces = graph.resources.namespaces.iter().filter(|namespace| {
            let labels = graph.selections.namespaces.labels(namespace.meta.name);
            selector.is_some_and(|selector| selector.matches(labels))
        });
        let mut namespace_spans = Vec::new();
        for namespace in known_namespaces {
            namespace_spans.push(namespace.name_span());
            namespace_spans.extend(whole_field(namespace, &FieldPath::parse("metadata.labels")));
        }
        if namespace_spans.is_empty() {
            let children = graph.selected_children(&parent, relation.child).into_iter();
            namespace_spans.extend(children.map(|child| child.name_span()));
        }
        links.extend(namespace_spans.into_iter().map(|to| DefinitionLink { from: selector_span, to }));
    }
    links
}

/// Returns links from each reference to the key it refers to: of a Secret, a ConfigMap, or an object that creates a
/// Secret.
fn reference_links(graph: Graph<'_, '_>) -> Vec<DefinitionLink> {
    let all_references = references::all(graph.resources, |_| AgentUse::EVERYTHING);
    let links = all_references.filter_map(|(referrer, reference)| {
        let object = reference.object(referrer.meta.namespace);
        let key = reference.selector.key;
        let manifest_span = || {
            let target = graph.resources.data_object(object)?;
            let entries = ["stringData", "data", "binaryData"].into_iter();
            let mut entries = entries.filter_map(|field| target.root.get(field)?.entry(key));
            Some(entries.next().map_or_else(|| target.name_span(), |entry| entry.key_span))
        };
        let generator_span = || {
            let is_secret = object.kind == Kind::Secret;
            let generated = graph.resources.generated_secret(object.namespace, object.name);
            Some(generated.filter(|_| is_secret)?.key_span(key))
        };
        let target_span = manifest_span().or_else(generator_span)?;
        Some(DefinitionLink { from: whole_field(&referrer, &reference.path)?, to: target_span })
    });
    links.collect()
}

/// Returns links from the ports in each ServiceMonitor to the ports of the Services it selects, if either resource
/// contains `at`.
fn ports(input: &ResolvedInput<'_>, at: Span) -> Vec<DefinitionLink> {
    let contains_span = |span: Span| {
        let span = input.sources.to_edit(span);
        span.source == at.source && span.start <= at.start && at.end <= span.end
    };
    let objects = input.objects();
    let mut links = Vec::new();
    for monitor in &input.resources.service_monitors {
        let is_requested = contains_span(monitor.root.span());
        let services = objects.list(ObservedKind::Service).iter();
        let services = services.filter(|service| is_requested || service.root.span().is_some_and(contains_span));
        let mut services = services.filter(|service| selects(monitor, service)).peekable();
        if services.peek().is_none() {
            continue;
        }
        let numbered_endpoints = monitor.spec.endpoints.iter().enumerate();
        let fields: Vec<_> = numbered_endpoints.filter_map(|(i, endpoint)| port(monitor, i, endpoint)).collect();
        for service in services {
            for port in service.root.part("spec").items("ports") {
                let name_fields = fields.iter().filter(|(name, _)| port.text("name") == *name);
                links.extend(name_fields.filter_map(|(_, from)| {
                    let target_span = port.part("name").span()?;
                    Some(DefinitionLink { from: *from, to: target_span })
                }));
            }
        }
    }
    links
}

/// Returns the name of an endpoint's port and the span of the `port` field, or `None` if the port is not set by name.
fn port<'d>(monitor: &ResourceHeader<'d>, number: usize, endpoint: &Endpoint<'d>) -> Option<(&'d str, Span)> {
    let name = Some(endpoint.port).filter(|name| !name.is_empty())?;
    let entry = FieldPath::parse("spec.endpoints").index(number).find(monitor.root)?.entry("port")?;
    let end = entry.value.span().end;
    Some((name, Span { end, ..entry.key_span }))
}

/// Whether a ServiceMonitor selects a Service.
fn selects(monitor: &Resource<'_, ServiceMonitor<'_>>, service: &ClusterObject<'_>) -> bool {
    let NamespaceSelector { any, match_names } = &monitor.spec.namespace_selector;
    let namespace = service.namespace;
    let is_in_namespace = match match_names.is_empty() {
        true => namespace == monitor.meta.namespace,
        false => match_names.contains(&namespace),
    };
    let labels: TextMap<'_> = service.labels.iter().copied().collect();
    (*any || is_in_namespace) && Selector::new(&monitor.spec.selector).is_ok_and(|selector| selector.matches(&labels))
}

/// Returns the span of a field from its key to the end of its value.
fn whole_field(resource: &ResourceHeader<'_>, path: &FieldPath<'_>) -> Option<Span> {
    let value = path.find(resource.root)?.span();
    let start = resource.locate(path).start.min(value.start);
    Some(Span { start, ..value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;

    fn monitor(name: &str, namespaces: &str, selector: &str) -> String {
        format!(
            "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}, namespace: a}}\nspec: {{selector: \
             {selector}, namespaceSelector: {namespaces}, endpoints: [{{port: web}}, {{targetPort: 1}}, {{port: other}}]}}\n"
        )
    }

    fn service(namespace: &str, app: &str, port: &str) -> String {
        format!(
            "---\napiVersion: v1\nkind: Service\nmetadata: {{name: {app}, namespace: {namespace}, labels: {{app: {app}}}}}\n\
             spec: {{ports: [{{name: {port}, port: 80}}, {{port: 81}}]}}\n"
        )
    }

    #[test]
    fn monitors_select_services_by_namespace_and_labels() {
        let web = "{matchLabels: {app: web}}";
        for (namespaces, selector, expected) in [
            ("{}", web, "a/web"),
            ("{}", "{}", "a/api a/web"),
            ("{matchNames: [b]}", web, "b/web"),
            ("{matchNames: [b, c, a]}", web, "a/web b/web"),
            ("{any: true}", web, "a/web b/web"),
            ("{any: true, matchNames: [c]}", web, "a/web b/web"),
            ("{any: true}", "{matchLabels: {app: gone}}", ""),
            ("{any: true}", "{matchExpressions: [{key: app, operator: Odd}]}", ""),
        ] {
            let services = [service("a", "web", "web"), service("b", "web", "web"), service("a", "api", "web")];
            let text = monitor("m", namespaces, selector) + &services.concat();
            resolve_text(&text, |input| {
                let [monitor] = input.resources.service_monitors.as_slice() else {
                    return assert_eq!(expected, "", "{:?}", input.admission_findings);
                };
                let objects = input.objects();
                let actual = objects.list(ObservedKind::Service).iter().filter(|service| selects(monitor, service));
                let mut actual: Vec<_> =
                    actual.map(|service| format!("{}/{}", service.namespace, service.name)).collect();
                actual.sort();
                assert_eq!(actual.join(" "), expected, "{namespaces} {selector}");
            });
        }
    }

    #[test]
    fn ports_link_to_ports_with_the_same_name() {
        let (web, api) = ("{matchLabels: {app: web}}", "{matchLabels: {app: api}}");
        let text = monitor("one", "{}", web)
            + &monitor("two", "{}", api)
            + &service("a", "web", "web")
            + &service("a", "api", "other")
            + &service("b", "web", "web");
        let nth_offset = |word: &str, number: usize| text.match_indices(word).nth(number).unwrap().0;
        let (first, second) = (("port: web", "name: web, port: 80"), ("port: other", "name: other"));
        for (offset, expected) in [
            (nth_offset("name: one", 0), &[first][..]),
            (nth_offset("name: two", 0), &[second]),
            (nth_offset("name: web, port: 80", 0), &[first]),
            (nth_offset("name: other", 0), &[second]),
            (nth_offset("name: web, port: 80", 1), &[]),
        ] {
            resolve_text(&text, |input| {
                let (id, _) = input.sources.iter().next().unwrap();
                let actual = ports(&input, Span::new(id, offset, offset));
                let text_from = |span: Span| &text[span.start as usize..];
                assert_eq!(actual.len(), expected.len(), "{actual:?}");
                for (jump, (from, to)) in actual.iter().zip(expected) {
                    assert!(text_from(jump.from).starts_with(from), "{}", text_from(jump.from));
                    assert_eq!(&text[jump.from.bytes()], *from);
                    assert!(to.contains(&text[jump.to.bytes()]) && text_from(jump.to).contains("port: 80"), "{jump:?}");
                }
            });
        }
    }
}
