//! Why an agent takes a resource in, or why not, link by link: from the resource to an instance, from there to an agent,
//! and whether that agent is compiled at all.

mod jobs;
mod json;
mod obstacle;
mod parents;
mod patch;
pub mod referrers;
mod text;

pub use json::to_json;
pub use obstacle::{Cause, Obstacle};
pub use patch::{Patch, Remedy, to_yaml};
pub use referrers::Referrer;
pub use text::text;

use parents::{AgentParent, Parent, Parents};

use super::target::Located;
use crate::api::{Head, Kind, ObjectRef, Relation, Resource, Resources, ServiceMonitor, find};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::{Hierarchy, Namespaces, Options, ParentSelector};
use crate::source::Span;

/// A resource of which only the metadata matter.
pub type Plain<'d> = Head<'d>;

/// The answer for one resource.
pub struct Why<'d> {
    /// Which resource.
    pub target: Located<'d>,
    /// What each agent does with it, those that take it in first, then the nearest.
    pub agents: Vec<AgentAnswer<'d>>,
    /// The scrape jobs that an agent which takes it in has of it.
    pub jobs: Vec<String>,
    /// Of a Secret or ConfigMap: the fields that refer to it.
    pub referrers: Vec<Referrer<'d>>,
    /// The agents and instances that were refused, and might have taken it in.
    pub refused: Vec<ObjectRef<'d>>,
}

/// What one agent does with a resource.
pub struct AgentAnswer<'d> {
    /// Which agent.
    pub agent: Plain<'d>,
    /// Why it is not compiled at all; nothing where it is.
    pub idle: Vec<Obstacle<'d>>,
    /// The ways from the agent to the resource, open ones first, then the nearest. Ways that are barred at both ends are
    /// left out, but for the nearest where there is no other. None where the resource is the agent itself, or where there is no
    /// instance that could select it.
    pub ways: Vec<Way<'d>>,
    /// Whether the resource is this agent.
    pub is_target: bool,
}

/// One way from an agent to a resource.
pub struct Way<'d> {
    /// The instance on the way; none to an instance or Integration, which agents select themselves.
    pub instance: Option<Plain<'d>>,
    /// The links, from the resource up to the agent.
    pub links: Vec<Link<'d>>,
}

/// A parent that selects a child, or does not.
pub struct Link<'d> {
    /// The parent.
    pub parent: Plain<'d>,
    /// The child.
    pub child: Plain<'d>,
    /// The parent's selectors.
    pub selector: ParentSelector<'d>,
    /// What is in the way; nothing where the child is selected.
    pub obstacles: Vec<Obstacle<'d>>,
}

impl Why<'_> {
    /// Whether a configuration has the resource in it, or for an agent, is made of it.
    pub fn is_selected(&self) -> bool {
        match self.target.object.kind {
            Kind::Secret | Kind::ConfigMap => self.referrers.iter().any(|referrer| !referrer.agents.is_empty()),
            _ => self.agents.iter().any(AgentAnswer::is_selected),
        }
    }
}

impl<'d> AgentAnswer<'d> {
    /// Whether the agent is compiled and takes the resource in.
    pub fn is_selected(&self) -> bool {
        self.idle.is_empty() && (self.is_target || self.ways.iter().any(Way::is_open))
    }

    /// The way with the least in it, and what is in it.
    pub fn nearest(&self) -> Option<&Way<'d>> {
        self.ways.first()
    }

    fn distance(&self) -> u32 {
        let idle: u32 = self.idle.iter().map(Obstacle::distance).sum();
        idle + self.nearest().map_or(0, Way::distance)
    }
}

impl<'d> Way<'d> {
    /// Whether nothing is in the way.
    pub fn is_open(&self) -> bool {
        self.links.iter().all(|link| link.obstacles.is_empty())
    }

    /// What is in the way.
    pub fn obstacles(&self) -> impl Iterator<Item = &Obstacle<'d>> {
        self.links.iter().flat_map(|link| &link.obstacles)
    }

    /// How much is in the way.
    pub fn distance(&self) -> u32 {
        self.obstacles().map(Obstacle::distance).sum()
    }

    fn is_barred_throughout(&self) -> bool {
        self.links.iter().all(|link| !link.obstacles.is_empty())
    }
}

/// What answers are made of.
pub struct Explainer<'h, 'd> {
    resources: &'h Resources<'d>,
    hierarchies: &'h [Hierarchy<'h, 'd>],
    namespaces: Namespaces<'d>,
    parents: Parents<'d>,
}

impl<'h, 'd> Explainer<'h, 'd> {
    /// Looks at all parents. `hierarchies` are those of the same resources and options.
    ///
    /// # Errors
    ///
    /// An agent selector that cannot be read.
    pub fn new(
        resources: &'h Resources<'d>,
        hierarchies: &'h [Hierarchy<'h, 'd>],
        options: &'d Options,
    ) -> Result<Self, Box<Diagnostic>> {
        let namespaces = Namespaces::new(resources);
        let parents = Parents::new(resources, options)?;
        Ok(Self {
            resources,
            hierarchies,
            namespaces,
            parents,
        })
    }

    /// The answer for one resource. A refused one takes no part in anything.
    pub fn explain(&self, target: Located<'d>) -> Why<'d> {
        let mut agents = match self.plain(&target) {
            Some(plain) => self
                .parents
                .agents
                .iter()
                .map(|agent| self.by_agent(agent, &plain))
                .collect(),
            None => Vec::new(),
        };
        if target.object.kind == Kind::GrafanaAgent {
            agents.retain(|answer: &AgentAnswer<'_>| answer.agent.object_ref() == target.object);
        }
        agents.sort_by_key(|answer| (!answer.is_selected(), answer.distance()));
        Why {
            jobs: jobs::names(self.resources, target.object),
            referrers: referrers::of(self.resources, self.hierarchies, target.object),
            refused: self.refused(target.object.kind),
            target,
            agents,
        }
    }

    /// The refused agents and instances that might select what is of this kind.
    fn refused(&self, kind: Kind) -> Vec<ObjectRef<'d>> {
        let parent = Relation::to(kind).map(|relation| relation.parent);
        let above = parent.and_then(Relation::to).map(|relation| relation.parent);
        let is_parent = |kind: Kind| Some(kind) == parent || Some(kind) == above;
        let mut refused = Vec::from_iter(self.resources.refused.iter().copied());
        refused.retain(|object| is_parent(object.kind));
        refused.sort_unstable();
        refused
    }

    /// The target's metadata; none for what agents do not select.
    fn plain(&self, target: &Located<'d>) -> Option<Plain<'d>> {
        if target.refused {
            return None;
        }
        let ObjectRef { kind, namespace, name } = target.object;
        let is_selectable = kind == Kind::GrafanaAgent || Relation::to(kind).is_some();
        let resources = is_selectable.then(|| self.resources.of(kind))?;
        find(&resources, namespace, name).map(|resource| resource.head().clone())
    }

    fn by_agent(&self, agent: &AgentParent<'d>, target: &Plain<'d>) -> AgentAnswer<'d> {
        let instances = self.parents.instances_for(target.kind);
        let mut ways: Vec<_> = match agent.parent.selector(target.kind) {
            Some(selector) => vec![Way {
                instance: None,
                links: vec![self.link(&agent.parent.plain, target, selector)],
            }],
            None => instances.map(|instance| self.way(agent, instance, target)).collect(),
        };
        ways.sort_by_key(|way| (way.distance(), way.is_barred_throughout()));
        let related = ways.iter().filter(|way| !way.is_barred_throughout()).count();
        if related > 0 {
            ways.retain(|way| !way.is_barred_throughout());
        } else {
            ways.truncate(1);
        }
        AgentAnswer {
            agent: agent.parent.plain.clone(),
            idle: agent.idle.clone(),
            is_target: agent.parent.plain.object_ref() == target.object_ref(),
            ways,
        }
    }

    fn way(&self, agent: &AgentParent<'d>, instance: &Parent<'d>, target: &Plain<'d>) -> Way<'d> {
        let mut links = Vec::with_capacity(2);
        if let Some(selector) = instance.selector(target.kind) {
            let mut link = self.link(&instance.plain, target, selector);
            link.obstacles.extend(self.denied(agent, target));
            links.push(link);
        }
        if let Some(selector) = agent.parent.selector(instance.plain.kind) {
            links.push(self.link(&agent.parent.plain, &instance.plain, selector));
        }
        Way {
            instance: Some(instance.plain.clone()),
            links,
        }
    }

    fn link(&self, parent: &Plain<'d>, child: &Plain<'d>, selector: &ParentSelector<'d>) -> Link<'d> {
        let explanation = selector.explain(child, &self.namespaces);
        let is_described = find(&self.resources.namespaces, "", child.meta.namespace).is_some();
        let obstacles = explanation.reasons.into_iter().map(|reason| Obstacle {
            by: parent.object_ref(),
            span: parent.locate(&FieldPath::of(reason.field())),
            cause: Cause::Selector(reason),
            is_described,
        });
        Link {
            obstacles: obstacles.collect(),
            parent: parent.clone(),
            child: child.clone(),
            selector: selector.clone(),
        }
    }

    /// A ServiceMonitor that names files of an agent which denies it (`filterServiceMonitors`).
    fn denied(&self, agent: &AgentParent<'d>, target: &Plain<'d>) -> Option<Obstacle<'d>> {
        if !agent.denies_files || target.kind != Kind::ServiceMonitor {
            return None;
        }
        let monitor = find(
            &self.resources.service_monitors,
            target.meta.namespace,
            target.meta.name,
        )?;
        let fields = fields_that_name_files(monitor);
        (!fields.is_empty()).then(|| Obstacle {
            by: agent.parent.plain.object_ref(),
            span: agent.parent.plain.locate(&FieldPath::of(obstacle::DENY_FIELD)),
            cause: Cause::FileAccess(fields),
            is_described: true,
        })
    }
}

/// The fields because of which a ServiceMonitor needs access to files (`testForArbitraryFSAccess`), and where they stand.
fn fields_that_name_files(monitor: &Resource<'_, ServiceMonitor<'_>>) -> Vec<(String, Span)> {
    let endpoints = monitor.spec.endpoints.iter().enumerate();
    let paths = endpoints.flat_map(|(i, endpoint)| {
        let path = FieldPath::of("spec.endpoints").index(i);
        let tls = endpoint.tls_config.as_ref();
        let tls_file = |key, file: Option<&str>| {
            file.is_some_and(|file| !file.is_empty())
                .then(|| path.key("tlsConfig").key(key))
        };
        let token = (!endpoint.bearer_token_file.is_empty()).then(|| path.key("bearerTokenFile"));
        [
            token,
            tls_file("caFile", tls.map(|tls| tls.ca_file)),
            tls_file("certFile", tls.map(|tls| tls.cert_file)),
            tls_file("keyFile", tls.map(|tls| tls.key_file)),
        ]
    });
    let located = paths.flatten().map(|path| (path.to_string(), monitor.locate(&path)));
    located.collect()
}
