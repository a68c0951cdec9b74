//! Answers for programs.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::explainer::AGENTS;
use super::ways::WAYS;
use super::{AgentAnswer, Fixes, SelectionPath, Why};
use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::emit::Streamed;
use crate::insight::obstacle::Obstacle;
use crate::insight::referrers::Referrer;
use crate::insight::targets::JobSteps;
use crate::resolve::references::Usage;
use crate::source::{Sources, Span};

/// All answers as `{"resources": […]}`:
///
/// ```text
/// resource  kind, namespace, name, file, line, selected, refused, jobs, agents, moreAgents, refusedParents, referrers
/// agent     namespace, name, file, line, selected, obstacles, ways, moreWays, patches, byHand
/// way       instance (null where the agent selects the resource itself), selected, obstacles
/// obstacle  code, by, field, wants, found, message, file, line
/// referrer  kind, namespace, name, field, file, line, key, used, agents
/// targets   of a resource, where the input has objects of the cluster: agent, instance, job, targets, potential, steps
/// step      text, ok, file, line
/// ```
///
/// A Secret or ConfigMap that is only referred to has the file and line `null`.
///
/// The codes of obstacles are `label`, `namespace-label`, `other-namespace`, `no-selector`, `invalid-selector`, `paused`,
/// `agent-selector` and `file-system-access`.
///
/// An answer about one resource is whole. Where there are several, each has the agents and ways that are shown to people, with the
/// number of the others in `moreAgents` and `moreWays`: a thousand agents that do not select five thousand monitors would be
/// gigabytes. All of it is made when it is written. Keys are in the order of the alphabet.
pub fn to_json<'w, 'h: 'w, 'd: 'h>(
    answers: impl ExactSizeIterator<Item = Why<'w, 'h, 'd>>,
    sources: &Sources,
) -> impl Serialize {
    let [agents, ways] = if answers.len() == 1 {
        [usize::MAX; 2]
    } else {
        [AGENTS, WAYS]
    };
    let scope = Scope { sources, agents, ways };
    let answers = answers.map(move |why| In(scope, why));
    Document {
        resources: Streamed::new(answers),
    }
}

/// What the records of all answers have in common.
#[derive(Clone, Copy)]
struct Scope<'s> {
    sources: &'s Sources,
    /// How many agents are written that do not select a resource.
    agents: usize,
    /// How many ways are written of each agent.
    ways: usize,
}

#[derive(Serialize)]
struct Document<R> {
    resources: R,
}

/// Something to be written.
struct In<'s, T>(Scope<'s>, T);

impl<'s, T> In<'s, T> {
    fn with<U>(&self, part: U) -> In<'s, U> {
        In(self.0, part)
    }

    /// File and line of a span.
    fn place(&self, span: Span) -> (Option<&'s str>, Option<u32>) {
        self.0
            .sources
            .place(span)
            .map(|place| (place.file, place.start.line))
            .unzip()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a, A, P, R> {
    agents: A,
    file: Option<&'a str>,
    jobs: &'a [String],
    kind: Kind,
    line: Option<u32>,
    #[serde(skip_serializing_if = "is_none")]
    more_agents: usize,
    name: &'a str,
    namespace: &'a str,
    referrers: R,
    refused: bool,
    refused_parents: P,
    selected: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    targets: &'a [&'a JobSteps],
}

impl Serialize for In<'_, Why<'_, '_, '_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let why = &self.1;
        let ObjectRef { kind, namespace, name } = why.target.object;
        let place = (!why.target.is_absent).then(|| self.place(why.target.name_span()));
        let (file, line) = place.unwrap_or_default();
        let selected = why.is_selected();
        let others = why.others(self.0.agents);
        let more_agents = why.other_count() - others.len();
        let shown = why.selecting().chain(others);
        let resource = Resource {
            agents: Streamed::new(shown.map(|answer| self.with(answer))),
            file,
            jobs: if selected { &why.jobs } else { &[] },
            kind,
            line,
            more_agents,
            name,
            namespace,
            referrers: Streamed::new(why.referrers.iter().map(|referrer| self.with(referrer))),
            refused: why.target.refused,
            refused_parents: Streamed::new(why.refused.iter().map(Named::new)),
            selected,
            targets: &why.steps,
        };
        resource.serialize(serializer)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct Named<'a> {
    kind: Kind,
    name: &'a str,
    namespace: &'a str,
}

impl<'a> Named<'a> {
    fn new(object: &ObjectRef<'a>) -> Self {
        let &ObjectRef { kind, namespace, name } = object;
        Self { kind, name, namespace }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Agent<'a, O, W> {
    by_hand: Vec<String>,
    file: Option<&'a str>,
    line: Option<u32>,
    #[serde(skip_serializing_if = "is_none")]
    more_ways: usize,
    name: &'a str,
    namespace: &'a str,
    obstacles: O,
    patches: Vec<Json>,
    selected: bool,
    ways: W,
}

impl Serialize for In<'_, AgentAnswer<'_, '_, '_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = &self.1;
        let fixes = match answer.is_selected {
            true => Fixes::default(),
            false => Fixes::of(answer),
        };
        let (file, line) = self.place(answer.agent.name_span());
        let agent = Agent {
            by_hand: fixes.by_hand.into_iter().map(|(advice, _)| advice).collect(),
            file,
            line,
            more_ways: answer.count().saturating_sub(self.0.ways),
            name: answer.agent.meta.name,
            namespace: answer.agent.meta.namespace,
            obstacles: Streamed::new(answer.idle.iter().map(|obstacle| self.with(obstacle))),
            patches: fixes.patches.into_iter().map(|patch| patch.merge).collect(),
            selected: answer.is_selected,
            ways: Streamed::new(answer.ways().take(self.0.ways).map(|way| self.with(way))),
        };
        agent.serialize(serializer)
    }
}

#[derive(Serialize)]
struct WayRecord<'a, O> {
    instance: Option<Instance<'a>>,
    obstacles: O,
    selected: bool,
}

#[derive(Serialize)]
struct Instance<'a> {
    file: Option<&'a str>,
    kind: Kind,
    line: Option<u32>,
    name: &'a str,
    namespace: &'a str,
}

impl<'d> In<'_, SelectionPath<'_, 'd>> {
    fn instance<'a>(&'a self, instance: &'a ResourceHeader<'d>) -> Instance<'a> {
        let (file, line) = self.place(instance.name_span());
        Instance {
            file,
            kind: instance.kind,
            line,
            name: instance.meta.name,
            namespace: instance.meta.namespace,
        }
    }
}

impl Serialize for In<'_, SelectionPath<'_, '_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let way = &self.1;
        let record = WayRecord {
            instance: way.instance.map(|instance| self.instance(instance)),
            obstacles: Streamed::new(way.obstacles().map(|obstacle| self.with(obstacle))),
            selected: way.is_open(),
        };
        record.serialize(serializer)
    }
}

#[derive(Serialize)]
struct ObstacleRecord<'a, 'd> {
    #[serde(serialize_with = "as_text")]
    by: ObjectRef<'d>,
    code: &'static str,
    field: Option<&'static str>,
    file: Option<&'a str>,
    found: Option<String>,
    line: Option<u32>,
    #[serde(serialize_with = "as_text")]
    message: &'a Obstacle<'d>,
    wants: Option<String>,
}

impl Serialize for In<'_, &Obstacle<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let obstacle = self.1;
        let (file, line) = self.place(obstacle.span);
        let record = ObstacleRecord {
            by: obstacle.by,
            code: obstacle.code(),
            field: obstacle.field,
            file,
            found: obstacle.found(),
            line,
            message: obstacle,
            wants: obstacle.wants(),
        };
        record.serialize(serializer)
    }
}

#[derive(Serialize)]
struct ReferrerRecord<'a, A> {
    agents: A,
    field: &'a str,
    file: Option<&'a str>,
    key: &'a str,
    kind: Kind,
    line: Option<u32>,
    name: &'a str,
    namespace: &'a str,
    used: bool,
}

impl Serialize for In<'_, &Referrer<'_, '_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let referrer = self.1;
        let ObjectRef { kind, namespace, name } = referrer.object;
        let (file, line) = self.place(referrer.span);
        let record = ReferrerRecord {
            agents: Streamed::new(referrer.agents.iter().map(full_name)),
            field: &referrer.field,
            file,
            key: referrer.key,
            kind,
            line,
            name,
            namespace,
            used: referrer.usage != Usage::Unused,
        };
        record.serialize(serializer)
    }
}

fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// `namespace/name`.
fn full_name(object: &ObjectRef<'_>) -> String {
    format!("{}/{}", object.namespace, object.name)
}
