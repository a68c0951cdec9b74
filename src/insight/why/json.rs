//! Answers for programs.

use std::cell::Cell;

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::patch::merge;
use super::{AgentAnswer, Remedy, Way, Why};
use crate::api::ObjectRef;
use crate::diagnostic::FieldPath;
use crate::insight::graph::Link;
use crate::insight::obstacle::Obstacle;
use crate::insight::referrers::Referrer;
use crate::resolve::references::Usage;
use crate::source::{Sources, Span};

/// All answers as `{"resources": […]}`:
///
/// ```text
/// resource  kind, namespace, name, file, line, selected, refused, jobs, agents, refusedParents, referrers
/// agent     namespace, name, file, line, selected, obstacles, ways, patches, byHand
/// way       instance (null where the agent selects the resource itself), selected, obstacles
/// obstacle  code, by, field, wants, found, message, file, line
/// referrer  kind, namespace, name, field, file, line, key, used, agents
/// ```
///
/// The codes of obstacles are `label`, `namespace-label`, `other-namespace`, `no-selector`, `invalid-selector`, `paused`,
/// `agent-selector` and `file-system-access`.
///
/// An answer is made when it is written: it has all ways of all agents, and there may be thousands of answers.
pub fn to_json<'h, 'd: 'h>(answers: impl Iterator<Item = Why<'h, 'd>>, sources: &Sources) -> impl Serialize {
    let json = Writer { sources };
    let answers = answers.map(move |why| json.why(&why));
    Document {
        resources: Answers(Cell::new(Some(answers))),
    }
}

#[derive(Serialize)]
struct Document<R> {
    resources: R,
}

/// Answers that are written once.
struct Answers<I>(Cell<Option<I>>);

impl<I: Iterator<Item = Json>> Serialize for Answers<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

struct Writer<'s> {
    sources: &'s Sources,
}

impl Writer<'_> {
    fn why(&self, why: &Why<'_, '_>) -> Json {
        let span = FieldPath::of("metadata.name").locate(why.target.root);
        let agents: Vec<_> = why.agents.iter().map(|answer| self.agent(answer)).collect();
        let referrers: Vec<_> = why.referrers.iter().map(|referrer| self.referrer(referrer)).collect();
        let fields = json!({
            "selected": why.is_selected(),
            "refused": why.target.refused,
            "jobs": if why.is_selected() { why.jobs.as_slice() } else { &[] },
            "agents": agents,
            "refusedParents": why.refused,
            "referrers": referrers,
        });
        self.located(why.target.object, span, fields)
    }

    fn agent(&self, answer: &AgentAnswer<'_, '_>) -> Json {
        let remedy = if answer.is_selected() {
            Remedy::default()
        } else {
            Remedy::of(answer)
        };
        let patches: Vec<_> = remedy.patches.iter().map(|patch| &patch.merge).collect();
        let by_hand: Vec<_> = remedy.by_hand.iter().map(|(advice, _)| advice).collect();
        let ways: Vec<_> = answer.ways.iter().map(|way| self.way(way)).collect();
        let fields = json!({
            "namespace": answer.agent.meta.namespace,
            "name": answer.agent.meta.name,
            "selected": answer.is_selected(),
            "obstacles": self.obstacles(&answer.idle),
            "ways": ways,
            "patches": patches,
            "byHand": by_hand,
        });
        self.at(answer.agent.name_span(), fields)
    }

    fn way(&self, way: &Way<'_, '_>) -> Json {
        let obstacles: Vec<_> = way
            .links
            .iter()
            .flat_map(|link: &Link<'_, '_>| self.obstacles(&link.obstacles))
            .collect();
        json!({
            "instance": way.instance.map(|instance| self.located(instance.object_ref(), instance.name_span(), json!({}))),
            "selected": way.is_open(),
            "obstacles": obstacles,
        })
    }

    fn obstacles(&self, obstacles: &[Obstacle<'_>]) -> Vec<Json> {
        let json = |obstacle: &Obstacle<'_>| {
            let fields = json!({
                "code": obstacle.code(),
                "by": obstacle.by.to_string(),
                "field": obstacle.field(),
                "wants": obstacle.wants(),
                "found": obstacle.found(),
                "message": obstacle.to_string(),
            });
            self.at(obstacle.span, fields)
        };
        obstacles.iter().map(json).collect()
    }

    fn referrer(&self, referrer: &Referrer<'_>) -> Json {
        let agents: Vec<_> = referrer.agents.iter().map(full_name).collect();
        let fields = json!({
            "field": referrer.field,
            "key": referrer.key,
            "used": referrer.usage != Usage::Unused,
            "agents": agents,
        });
        self.located(referrer.object, referrer.span, fields)
    }

    /// Fields of an object and of its place.
    fn located(&self, object: ObjectRef<'_>, span: Span, fields: Json) -> Json {
        let mut located = self.at(span, fields);
        merge(&mut located, json!(object));
        located
    }

    fn at(&self, span: Span, mut fields: Json) -> Json {
        let place = self.sources.place(span);
        let (file, line) = (place.map(|place| place.file), place.map(|place| place.start.line));
        merge(&mut fields, json!({ "file": file, "line": line }));
        fields
    }
}

/// `namespace/name`.
fn full_name(object: &ObjectRef<'_>) -> String {
    format!("{}/{}", object.namespace, object.name)
}
