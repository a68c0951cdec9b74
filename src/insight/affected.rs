//! Agents and objects that are affected by a change to specific resources or by the differences between two inputs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::catalog::LocatedResource;
use super::resolved::ResolvedInput;
use crate::api::{Kind, ObjectRef};
use crate::manifest::{AgentName, Object, Objects};
use crate::printable::{Line, Screen, Style, Text, format_count};
use crate::resolve::Hierarchy;
use crate::yaml::{Node, to_value};

/// Objects that change or may change. In JSON:
///
/// ```text
/// {"agents": […], "others": […], "idle": […]}
/// agent   namespace, name, rendered, objects, because
/// object  change, kind, namespace, name
/// because kind, namespace, name, through
/// idle    kind, namespace, name
/// ```
///
/// `change` is `possible` for dependencies, and `added`, `changed` or `removed` for differences between two revisions.
#[derive(Clone, Default, Serialize)]
pub struct AffectedObjects<'d> {
    /// Agents that have affected objects, sorted by namespace and name.
    pub agents: Vec<AffectedAgent<'d>>,
    /// Requested resources that no other resource depends on.
    #[serde(serialize_with = "serialize_in_order")]
    pub idle: Vec<ObjectRef<'d>>,
    /// Affected objects that do not belong to any agent: the kubelet Service and Endpoints.
    #[serde(serialize_with = "serialize_in_order")]
    pub others: Vec<AffectedObject>,
}

/// An agent and its affected objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AffectedAgent<'d> {
    /// Requested resources that the agent depends on.
    #[serde(serialize_with = "serialize_in_order")]
    pub because: Vec<Dependency<'d>>,
    pub name: String,
    pub namespace: String,
    /// Affected objects in the order in which the operator creates them, followed by removed objects.
    #[serde(serialize_with = "serialize_in_order")]
    pub objects: Vec<AffectedObject>,
    /// Whether the agent is still rendered. An agent is no longer rendered if it was removed or is now paused or
    /// excluded.
    #[serde(rename = "rendered")]
    pub is_rendered: bool,
}

/// Resource that an agent depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependency<'d> {
    #[serde(flatten)]
    pub target: ObjectRef<'d>,
    /// Resources between the resource and the agent.
    pub through: Vec<ObjectRef<'d>>,
}

/// Serializes items with their keys in alphabetical order. Each item is converted only when it is written, because
/// thousands of namespaces may be selected through the same hundreds of instances.
fn serialize_in_order<T: Serialize, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(items.iter().map(|item| json!(item)))
}

/// Object that changes or may change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AffectedObject {
    pub change: ChangeKind,
    pub kind: String,
    pub namespace: String,
    pub name: String,
}

/// Kind of change to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// The object depends on a resource that changes.
    Possible,
    Added,
    /// The object is rendered differently.
    Changed,
    /// The object is no longer rendered.
    Removed,
}

/// Returns the objects that currently depend on `targets`, that is, the objects that would be rendered differently or
/// not at all without `targets`. Changing a resource's labels, or moving it to a different namespace or node, may
/// affect more objects.
pub fn dependents<'d>(
    input: &ResolvedInput<'d>,
    rendering: &Objects,
    targets: &[LocatedResource<'d>],
) -> AffectedObjects<'d> {
    let requested_objects = targets.iter().filter(|target| !target.refused);
    let requested_objects: Vec<_> = requested_objects.map(|target| target.object).collect();
    let hidden_objects: BTreeSet<_> = requested_objects.iter().copied().collect();
    let namespaces: BTreeSet<_> =
        hidden_objects.iter().copied().filter(|object| object.kind == Kind::Namespace).collect();
    let query = DependentsQuery { input, rendering, targets, requested_objects: &requested_objects };
    input.answer_without(&hidden_objects, |rest| match namespaces.len() {
        0 => query.answer(&rest, &rest),
        count if count == hidden_objects.len() => query.answer(&rest, &rest),
        // Other requested resources would hide that resources are selected because of the Namespaces.
        _ => input.answer_without(&namespaces, |without_namespaces| query.answer(&rest, &without_namespaces)),
    })
}

/// Search for the objects that depend on requested resources.
struct DependentsQuery<'q, 'd> {
    input: &'q ResolvedInput<'d>,
    rendering: &'q Objects,
    targets: &'q [LocatedResource<'d>],
    requested_objects: &'q [ObjectRef<'d>],
}

impl<'d> DependentsQuery<'_, 'd> {
    /// Returns the dependent objects. `rest` is the input without the requested resources, and `without_namespaces` is
    /// the input without the requested Namespaces.
    fn answer(&self, rest: &ResolvedInput<'_>, without_namespaces: &ResolvedInput<'_>) -> AffectedObjects<'d> {
        let objects_without = rest.rendering().output;
        // Objects that exist only without the targets are excluded, because they are not currently rendered.
        let possible_changes = |objects: &[Object], without: &[Object]| {
            let mut changes = changes(without, objects);
            changes.retain(|object| object.change != ChangeKind::Removed);
            changes.iter_mut().for_each(|object| object.change = ChangeKind::Possible);
            changes
        };
        let remaining_hierarchies = without_namespaces.hierarchies.iter();
        let hierarchies_by_agent: BTreeMap<_, _> =
            remaining_hierarchies.map(|one| (one.agent.object_ref(), one)).collect();
        let agents = self.input.hierarchies.iter().filter_map(|hierarchy| {
            let name = AgentName::new(&hierarchy.agent.meta);
            let objects = possible_changes(self.rendering.agent_objects(&name), objects_without.agent_objects(&name));
            (!objects.is_empty()).then(|| AffectedAgent {
                because: find_dependencies(
                    hierarchy,
                    hierarchies_by_agent.get(&hierarchy.agent.object_ref()).copied(),
                    self.requested_objects,
                    &[],
                ),
                is_rendered: true,
                objects,
                namespace: name.namespace,
                name: name.name,
            })
        });
        let agents: Vec<_> = agents.collect();
        let others = possible_changes(&self.rendering.others, &objects_without.others);
        let because = agents.iter().flat_map(|agent| &agent.because);
        let active_targets: BTreeSet<_> = because.map(|because| because.target).collect();
        let is_idle = |object: &ObjectRef<'d>| {
            let is_node = object.kind == Kind::Node && !others.is_empty();
            !is_node && !active_targets.contains(object)
        };
        let idle = self.targets.iter().map(|target| target.object).filter(is_idle).collect();
        AffectedObjects { idle, agents, others }
    }
}

/// Returns the requested resources that an agent depends on. `left` is the agent's hierarchy without the Namespaces
/// among them. Removing a Namespace also removes its labels, which can cause resources to be selected or no longer
/// selected, except those that `changed` contains.
fn find_dependencies<'d>(
    hierarchy: &Hierarchy<'_, 'd>,
    left: Option<&Hierarchy<'_, '_>>,
    asked: &[ObjectRef<'d>],
    changed: &[ObjectRef<'d>],
) -> Vec<Dependency<'d>> {
    let (parents_by_member, remaining_parents) =
        (intermediates(hierarchy), left.map(intermediates).unwrap_or_default());
    let (removed_members, added_members) = (
        resources_missing_from(&parents_by_member, &remaining_parents),
        resources_missing_from(&remaining_parents, &parents_by_member),
    );
    let by_labels = |namespace: &str| {
        let is_inside = |object: &&ObjectRef<'_>| object.namespace == namespace && !changed.contains(object);
        let removed_inside = removed_members.iter().filter(is_inside);
        let is_cause = removed_inside.clone().chain(added_members.iter().filter(is_inside)).next().is_some();
        is_cause.then(|| removed_inside.filter(|object| !asked.contains(object)).copied().collect())
    };
    let dependencies = asked.iter().filter_map(|&target| {
        let through = match target.kind {
            Kind::Namespace => by_labels(target.name),
            _ => parents_by_member.get(&target).map(|above| above.iter().copied().collect()),
        };
        through.map(|through| Dependency { target, through })
    });
    dependencies.collect()
}

/// Resources between an agent and each of its members or referenced objects.
type Intermediates<'d> = BTreeMap<ObjectRef<'d>, BTreeSet<ObjectRef<'d>>>;

/// Returns the members that are missing from `other`, or that lack an intermediate resource there.
fn resources_missing_from<'d>(above: &Intermediates<'d>, other: &Intermediates<'_>) -> Vec<ObjectRef<'d>> {
    let members = above.iter().filter(|(member, _)| !member.kind.is_data());
    let missing_members =
        members.filter(|(member, above)| other.get(member).is_none_or(|other| !above.is_subset(other)));
    missing_members.map(|(member, _)| *member).collect()
}

/// Returns the resources between an agent and each of its members or referenced objects: the instances that select a
/// member, or the resources that refer to an object.
fn intermediates<'d>(hierarchy: &Hierarchy<'_, 'd>) -> Intermediates<'d> {
    let mut intermediates = Intermediates::new();
    for member in hierarchy.members() {
        intermediates.entry(member.object_ref()).or_default();
    }
    for (instance, children) in hierarchy.instances() {
        for child in children {
            intermediates.entry(child.object_ref()).or_default().insert(instance.object_ref());
        }
    }
    for (member, reference) in &hierarchy.references {
        let object = reference.object(member.meta.namespace);
        intermediates.entry(object).or_default().insert(member.object_ref());
    }
    intermediates
}

/// Returns the objects that were added, changed or removed, grouped by agent.
pub fn difference<'d>(before: &Objects, after: &Objects) -> AffectedObjects<'d> {
    let agents =
        |objects: &Objects| -> BTreeSet<_> { objects.agents.iter().map(|entry| entry.agent.clone()).collect() };
    let rendered_agents = agents(after);
    let mut affected = AffectedObjects::default();
    for agent in agents(before).union(&rendered_agents) {
        let objects = changes(before.agent_objects(agent), after.agent_objects(agent));
        if objects.is_empty() {
            continue;
        }
        let AgentName { namespace, name } = agent.clone();
        affected.agents.push(AffectedAgent {
            namespace,
            name,
            is_rendered: rendered_agents.contains(agent),
            objects,
            because: Vec::new(),
        });
    }
    affected.others = changes(&before.others, &after.others);
    affected
}

/// Adds to each agent the resources that it depends on in either input and that differ between the two inputs.
#[must_use]
pub fn explain<'d>(
    mut affected: AffectedObjects<'d>,
    then: &ResolvedInput<'d>,
    now: &ResolvedInput<'d>,
) -> AffectedObjects<'d> {
    let differing_objects = differing_resources(then, now);
    let by_name = |input: &ResolvedInput<'d>| -> BTreeMap<_, _> {
        let hierarchies = input.hierarchies.iter();
        hierarchies.map(|one| (AgentName::new(&one.agent.meta), one)).collect()
    };
    let (earlier_hierarchies, later_hierarchies) = (by_name(then), by_name(now));
    for agent in &mut affected.agents {
        let name = AgentName { namespace: agent.namespace.clone(), name: agent.name.clone() };
        let (earlier_hierarchy, later_hierarchy) =
            (earlier_hierarchies.get(&name).copied(), later_hierarchies.get(&name).copied());
        let mut by_target: BTreeMap<_, Dependency<'d>> = BTreeMap::new();
        for (hierarchy, other_hierarchy) in [(later_hierarchy, earlier_hierarchy), (earlier_hierarchy, later_hierarchy)]
        {
            let differing_objects = differing_objects.as_slice();
            let dependencies =
                hierarchy.map(|one| find_dependencies(one, other_hierarchy, differing_objects, differing_objects));
            let dependencies = dependencies.unwrap_or_default();
            for dependency in dependencies {
                by_target.entry(dependency.target).or_insert(dependency);
            }
        }
        // A change to the agent itself is added here, because a paused agent has no hierarchy that could contain the
        // change.
        let own_ref = ObjectRef { kind: Kind::GrafanaAgent, namespace: &agent.namespace, name: &agent.name };
        if let Some(&target) = differing_objects.iter().find(|object| **object == own_ref) {
            by_target.entry(target).or_insert(Dependency { target, through: Vec::new() });
        }
        agent.because = by_target.into_values().collect();
    }
    affected
}

/// Returns the resources that differ between two inputs or that exist in only one of them.
fn differing_resources<'d>(then: &ResolvedInput<'d>, now: &ResolvedInput<'d>) -> Vec<ObjectRef<'d>> {
    let (earlier_catalog, later_catalog) = (then.catalog(), now.catalog());
    let is_same = |one: Node<'_>, other: Node<'_>| to_value(one) == to_value(other);
    let changed_resources = later_catalog
        .iter()
        .filter(|one| earlier_catalog.locate(&one.object).is_none_or(|old| !is_same(old.root, one.root)));
    let removed_resources = earlier_catalog.iter().filter(|one| later_catalog.locate(&one.object).is_none());
    let differing: BTreeSet<_> = changed_resources.chain(removed_resources).map(|one| one.object).collect();
    differing.into_iter().collect()
}

/// Returns the added and changed objects in output order, followed by the removed objects.
fn changes(before: &[Object], after: &[Object]) -> Vec<AffectedObject> {
    fn key(object: &Object) -> (&str, &str, &str) {
        (object.kind(), object.namespace(), object.name())
    }
    let mut old_objects: BTreeMap<_, &Object> = before.iter().map(|object| (key(object), object)).collect();
    let affected_object = |change, object: &Object| AffectedObject {
        change,
        kind: object.kind().to_owned(),
        namespace: object.namespace().to_owned(),
        name: object.name().to_owned(),
    };
    let mut changes = Vec::new();
    for object in after {
        match old_objects.remove(&key(object)) {
            None => changes.push(affected_object(ChangeKind::Added, object)),
            Some(was) if was.to_json() != object.to_json() => {
                changes.push(affected_object(ChangeKind::Changed, object))
            }
            Some(_) => {}
        }
    }
    changes.extend(old_objects.into_values().map(|object| affected_object(ChangeKind::Removed, object)));
    changes
}

/// Maximum number of resources to list for each agent.
const MAX_SHOWN: usize = 5;

/// Formats the affected agents and objects, with a paragraph for each agent.
pub fn text(affected: &AffectedObjects<'_>, screen: Screen) -> Text {
    let mut out = Text::for_screen(screen);
    for agent in &affected.agents {
        let name = format!("GrafanaAgent/{}/{}", agent.namespace, agent.name);
        let removal_note = match agent.is_rendered {
            true => "",
            false => " is no longer rendered",
        };
        out.item(Line::styled(Style::Strong, name).plain(removal_note));
        for Dependency { target, through } in agent.because.iter().take(MAX_SHOWN) {
            let line = format!("because of {target}{}", path(through));
            out.item(Line::from("  ").with(Style::Faint, line));
        }
        if let more @ 1.. = agent.because.len().saturating_sub(MAX_SHOWN) {
            out.item(Line::from("  ").with(Style::Faint, format!("and because of {more} more")));
        }
        agent.objects.iter().for_each(|object| out.item(object_line(object)));
        out.blank_line();
    }
    if !affected.others.is_empty() {
        out.item(Line::styled(Style::Strong, "objects that belong to no agent"));
        affected.others.iter().for_each(|object| out.item(object_line(object)));
        out.blank_line();
    }
    for object in affected.idle.iter().take(MAX_SHOWN) {
        out.item(format!("nothing depends on {object}"));
    }
    if let more @ 1.. = affected.idle.len().saturating_sub(MAX_SHOWN) {
        out.item(format!("nor on {more} more"));
    }
    let objects: usize = affected.agents.iter().map(|agent| agent.objects.len()).sum::<usize>() + affected.others.len();
    let (agents, objects) = (format_count(affected.agents.len(), "agent"), format_count(objects, "object"));
    out.item(format!("{agents} affected, {objects}"));
    out
}

fn object_line(object: &AffectedObject) -> Line {
    let (style, mark, word) = match object.change {
        ChangeKind::Possible => (Style::Plain, "-", ""),
        ChangeKind::Added => (Style::Good, "+", " added"),
        ChangeKind::Changed => (Style::Warning, "~", " changed"),
        ChangeKind::Removed => (Style::Bad, "-", " removed"),
    };
    let name = format!(" {}/{}/{}{word}", object.kind, object.namespace, object.name);
    Line::from("  ").with(style, mark).plain(name)
}

/// Formats the resources between a resource and an agent.
fn path(through: &[ObjectRef<'_>]) -> String {
    match through {
        [] => String::new(),
        [one] => format!(" through {one}"),
        [first, more @ ..] => format!(" through {first} and {} more", more.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    use crate::insight::resolved::resolve;

    fn object(name: &str) -> ObjectRef<'_> {
        ObjectRef { kind: Kind::Probe, namespace: "a", name }
    }

    #[test]
    fn lists_agents_with_reasons_and_changed_objects() {
        let changed_object = |change, name: &str| AffectedObject {
            change,
            kind: "Secret".to_owned(),
            namespace: "a".to_owned(),
            name: name.to_owned(),
        };
        let dependency = |target, through: &[ObjectRef<'static>]| Dependency { target, through: through.to_vec() };
        let [one, two, three] = ["one", "two", "three"].map(object);
        let many_dependencies: Vec<_> = (0..MAX_SHOWN + 2).map(|_| dependency(one, &[])).collect();
        let agent = |name: &str, is_rendered, because, objects| AffectedAgent {
            because,
            name: name.to_owned(),
            namespace: "a".to_owned(),
            objects,
            is_rendered,
        };
        let reasons = vec![dependency(one, &[]), dependency(one, &[two]), dependency(one, &[two, three, one])];
        let objects = vec![
            changed_object(ChangeKind::Possible, "p"),
            changed_object(ChangeKind::Added, "q"),
            changed_object(ChangeKind::Changed, "r"),
            changed_object(ChangeKind::Removed, "s"),
        ];
        let affected = AffectedObjects {
            agents: vec![agent("x", true, reasons, objects), agent("y", false, many_dependencies, Vec::new())],
            idle: vec![two; MAX_SHOWN + 1],
            others: vec![changed_object(ChangeKind::Added, "t")],
        };
        let expected = "\
GrafanaAgent/a/x
  because of Probe/a/one
  because of Probe/a/one through Probe/a/two
  because of Probe/a/one through Probe/a/two and 2 more
  - Secret/a/p
  + Secret/a/q added
  ~ Secret/a/r changed
  - Secret/a/s removed

GrafanaAgent/a/y is no longer rendered
  because of Probe/a/one
  because of Probe/a/one
  because of Probe/a/one
  because of Probe/a/one
  because of Probe/a/one
  and because of 2 more

objects that belong to no agent
  + Secret/a/t added

nothing depends on Probe/a/two
nothing depends on Probe/a/two
nothing depends on Probe/a/two
nothing depends on Probe/a/two
nothing depends on Probe/a/two
nor on 1 more
2 agents affected, 5 objects
";
        assert_eq!(text(&affected, Screen::default()).as_str(), expected);
        let nothing_affected = AffectedObjects::default();
        assert_eq!(text(&nothing_affected, Screen::default()).as_str(), "0 agents affected, 0 objects\n");
    }

    #[test]
    fn shows_resources_between_agents_and_dependents() {
        let header = "apiVersion: monitoring.grafana.com/v1alpha1\nkind:";
        let probe = |name: &str, more: &str| {
            format!(
                "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: {name}, namespace: shop}}\n\
                 spec: {{prober: {{url: p}}, targets: {{staticConfig: {{static: [a]}}}}{more}}}\n"
            )
        };
        let instance = |name: &str, selector: &str| {
            format!(
                "{header} MetricsInstance\nmetadata: {{name: {name}, namespace: m, labels: {{of: {name}}}}}\n\
                 spec: {{probeSelector: {{}}, probeNamespaceSelector: {{matchLabels: {selector}}}}}\n"
            )
        };
        let agent = |name: &str, instance_names: &str| {
            format!(
                "{header} GrafanaAgent\nmetadata: {{name: {name}, namespace: m}}\n\
                 spec: {{metrics: {{instanceSelector: {{matchExpressions: [{{key: of, operator: In, values: {instance_names}}}]}}}}}}\n"
            )
        };
        let resource = |kind: &str, name: &str, more: &str| {
            format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}{more}}}\n")
        };
        let texts = [
            agent("one", "[i]"),
            agent("two", "[i, j]"),
            instance("i", "{team: web}"),
            instance("j", "{}"),
            probe("plain", ""),
            probe("token", ", bearerTokenSecret: {name: s, key: k}"),
            resource("Namespace", "shop", ", labels: {team: web}"),
            resource("Secret", "s", ", namespace: shop") + "stringData: {k: v}\n",
            resource("Secret", "t", ", namespace: shop"),
            probe("refused", ", interval: soon"),
            resource("Node", "n", ""),
        ];
        let input = TestInput::numbered(texts);
        let ids: Vec<_> = input.sources.iter().map(|(id, _)| id).collect();
        for (targets, expected) in [
            (
                &[7][..],
                "\
GrafanaAgent/m/one
  because of Secret/shop/s through Probe/shop/token
  - Secret/m/one-secrets
  - Secret/m/one-config

GrafanaAgent/m/two
  because of Secret/shop/s through Probe/shop/token
  - Secret/m/two-secrets
  - Secret/m/two-config

2 agents affected, 4 objects
",
            ),
            (
                &[5],
                "\
GrafanaAgent/m/one
  because of Probe/shop/token through MetricsInstance/m/i
  - Secret/m/one-secrets
  - Secret/m/one-config

GrafanaAgent/m/two
  because of Probe/shop/token through MetricsInstance/m/i and 1 more
  - Secret/m/two-secrets
  - Secret/m/two-config

2 agents affected, 4 objects
",
            ),
            (
                &[3],
                "\
GrafanaAgent/m/two
  because of MetricsInstance/m/j
  - Secret/m/two-config

1 agent affected, 1 object
",
            ),
            (
                &[0],
                "\
GrafanaAgent/m/one
  because of GrafanaAgent/m/one
  - Secret/m/one-secrets
  - Secret/m/one-config
  - Service/m/one-operated
  - StatefulSet/m/one

1 agent affected, 4 objects
",
            ),
            (
                &[6],
                "\
GrafanaAgent/m/one
  because of Namespace/shop through Probe/shop/plain and 1 more
  - Secret/m/one-secrets
  - Secret/m/one-config

GrafanaAgent/m/two
  because of Namespace/shop through Probe/shop/plain and 1 more
  - Secret/m/two-config

2 agents affected, 3 objects
",
            ),
            (
                &[6, 4],
                "\
GrafanaAgent/m/one
  because of Probe/shop/plain through MetricsInstance/m/i
  because of Namespace/shop through Probe/shop/token
  - Secret/m/one-secrets
  - Secret/m/one-config

GrafanaAgent/m/two
  because of Probe/shop/plain through MetricsInstance/m/i and 1 more
  because of Namespace/shop through Probe/shop/token
  - Secret/m/two-config

2 agents affected, 3 objects
",
            ),
            (
                &[6, 4, 5],
                "\
GrafanaAgent/m/one
  because of Probe/shop/plain through MetricsInstance/m/i
  because of Probe/shop/token through MetricsInstance/m/i
  because of Namespace/shop
  - Secret/m/one-secrets
  - Secret/m/one-config

GrafanaAgent/m/two
  because of Probe/shop/plain through MetricsInstance/m/i and 1 more
  because of Probe/shop/token through MetricsInstance/m/i and 1 more
  because of Namespace/shop
  - Secret/m/two-secrets
  - Secret/m/two-config

2 agents affected, 4 objects
",
            ),
            (
                &[8, 9, 10],
                "\
nothing depends on Probe/shop/refused
nothing depends on Secret/shop/t
nothing depends on Node/n
0 agents affected, 0 objects
",
            ),
            (&[], "0 agents affected, 0 objects\n"),
        ] {
            resolve(&input.sources, Vec::new(), &input.options, |input| {
                let (rendering, catalog) = (input.rendering().output, input.catalog());
                let sources: Vec<_> = targets.iter().map(|i| ids[*i]).collect();
                let actual = dependents(&input, &rendering, &catalog.in_sources(&sources));
                assert_eq!(text(&actual, Screen::default()).as_str(), expected, "{targets:?}");
            });
        }
    }
}
