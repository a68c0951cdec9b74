//! Rules for the agent's configuration, both for individual resources and for combinations of resources.

use std::collections::{HashMap, HashSet};
use std::iter;

use super::logs;
use super::rule::{Rule, RuleInput, RuleTarget, rule};
use super::variables::{Expansion, may_have_variable};
use super::walk::{Json, RuleContext, Step, Walk};
use crate::api::{AnyResource, Kind, ObjectRef, RELATIONS, ResourceHeader};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::bound::Bound;
use crate::output::Target;
use crate::plan::Stages;
use crate::resolve::Hierarchy;
use crate::source::Span;
use crate::yaml;

pub const RULES: &[Rule] = &[rule(&[], RuleTarget::RuleInput(check), "the tables of each kind, which name theirs")];

/// Checks each resource against the tables for its kind. The tables cover values that the operator renders, but that
/// the agent rejects at startup or accepts without effect.
fn check(input: &RuleInput<'_, '_>) -> Vec<Diagnostic> {
    let mut checker = ConfigurationChecker {
        input,
        seen_spans: HashSet::with_capacity(
            RELATIONS.iter().map(|relation| input.resources.list(relation.child).len()).sum(),
        ),
        findings: Vec::new(),
        bound: Bound::default(),
    };
    for hierarchy in input.hierarchies {
        checker.check_hierarchy(hierarchy);
    }
    for integration in &input.resources.integrations {
        let context = RuleContext {
            hierarchy: checker.find_hierarchy(integration.object_ref()),
            conditions: Some(input.conditions),
            ..RuleContext::default()
        };
        checker.check_resource(AnyResource::Integration(integration), context);
    }
    checker.check_unselected();
    for kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        for resource in input.resources.list(*kind) {
            checker.check_individually(&resource);
        }
    }
    checker.findings
}

/// Walk over hierarchies that collects findings.
struct ConfigurationChecker<'c, 'd> {
    input: &'c RuleInput<'c, 'd>,
    /// Spans of the resources that have already been checked.
    seen_spans: HashSet<Span>,
    findings: Vec<Diagnostic>,
    bound: Bound,
}

impl<'c, 'd> ConfigurationChecker<'c, 'd> {
    /// Checks an agent, its instances, and the resources that the instances select.
    fn check_hierarchy(&mut self, hierarchy: &'c Hierarchy<'c, 'd>) {
        let context = RuleContext {
            hierarchy: Some(hierarchy),
            resources: Some(self.input.resources),
            conditions: Some(self.input.conditions),
            ..RuleContext::default()
        };
        self.check_resource(AnyResource::GrafanaAgent(hierarchy.agent), context);
        for metrics in &hierarchy.metrics {
            let context = RuleContext { metrics: Some(metrics), ..context };
            for resource in iter::once(AnyResource::MetricsInstance(metrics.instance)).chain(metrics.children()) {
                self.check_resource(resource, context);
            }
        }
        for logs in &hierarchy.logs {
            for resource in iter::once(AnyResource::LogsInstance(logs.instance)).chain(logs.children()) {
                self.check_resource(resource, context);
            }
        }
    }

    /// Checks resources that no agent in the input selects, because their agent may have been rejected or may be
    /// defined in a different input. The Secrets that they refer to are unknown. Resources that only excluded agents
    /// select are not checked.
    fn check_unselected(&mut self) {
        let resources = self.input.resources;
        let context = RuleContext {
            resources: Some(resources),
            conditions: Some(self.input.conditions),
            ..RuleContext::default()
        };
        let mut selected: HashMap<Kind, Vec<bool>> = HashMap::new();
        selected.insert(Kind::GrafanaAgent, vec![true; resources.agents.len()]);
        for relation in RELATIONS {
            let children = resources.list(relation.child);
            let mut is_selected = vec![false; children.len()];
            let parents = selected.get(&relation.parent).into_iter().flatten();
            let parents =
                parents.zip(self.input.selections.child_selections(relation.child)).filter(|(counts, _)| **counts);
            for &child in parents.flat_map(|(_, parent)| parent.indices.iter()) {
                if let Some(selected) = is_selected.get_mut(child) {
                    *selected = true;
                }
            }
            for (child, _) in children.into_iter().zip(&is_selected).filter(|(_, selected)| !**selected) {
                self.check_resource(child, context);
            }
            selected.insert(relation.child, is_selected);
        }
    }

    /// Returns the first hierarchy that contains the Integration `object`.
    fn find_hierarchy(&self, object: ObjectRef<'_>) -> Option<&'c Hierarchy<'c, 'd>> {
        let mut hierarchies = self.input.hierarchies.iter();
        hierarchies
            .find(|hierarchy| hierarchy.integrations.iter().any(|integration| integration.object_ref() == object))
    }

    /// Applies the rules that depend on this resource alone. Returns whether the resource was checked for the first
    /// time.
    fn check_individually(&mut self, resource: &ResourceHeader<'c>) -> bool {
        if !self.seen_spans.insert(resource.root.span()) {
            return false;
        }
        for rule in self.input.families.iter().copied().flatten() {
            if let RuleTarget::Resource(check_resource) = rule.target {
                self.findings.extend(rule.assert_codes_listed(check_resource(self.input, resource)));
                self.bound.reduce_and_keep(&mut self.findings, |findings| {
                    self.input.resources.rejected_fields.retain(findings)
                });
            }
        }
        true
    }

    /// Checks a resource that an agent selects or could select. Rules that depend on the instance are applied once per
    /// instance; all other rules are applied once.
    fn check_resource(&mut self, resource: AnyResource<'c, 'd>, context: RuleContext<'_>) {
        let is_first = self.check_individually(&resource);
        let rules = self.input.families.iter().copied().flatten();
        let tables = rules.filter_map(|rule| match rule.target {
            RuleTarget::Spec(kind, rows) if kind == resource.kind && is_first => Some(rows),
            RuleTarget::SpecInInstance(kind, rows) if kind == resource.kind => Some(rows),
            _ => None,
        });
        let mut tables = tables.peekable();
        if tables.peek().is_none() {
            return;
        }
        let mut spec = resource.root.get("spec").map_or(Json::NULL, Json::Read);
        let mut with_stages;
        let mut context = RuleContext { head: Some(resource.header()), ..context };
        if let AnyResource::PodLogs(pod_logs) = resource
            && let Json::Read(node) = spec
        {
            let stages = Stages::new(pod_logs);
            with_stages = yaml::to_json(node);
            if let Some(list) = with_stages.get_mut("pipelineStages") {
                *list = stages.to_json();
            }
            spec = Json::Built(&with_stages);
            context.stages = Some(stages);
        }
        let mut with_values;
        if *self.input.conditions.target == Target::Agent
            && may_have_variable(resource.root.raw())
            && let Some(hierarchy) = context.hierarchy
        {
            with_values = match spec {
                Json::Read(node) => yaml::to_json(node),
                Json::Built(value) => value.clone(),
            };
            let expansion = Expansion::new(hierarchy);
            if let Some(stages) = with_values.get_mut("pipelineStages") {
                logs::misread_stage::expand(stages, &expansion);
            }
            expansion.replace(&mut with_values);
            spec = Json::Built(&with_values);
        }
        let mut walk = Walk::new(spec, context);
        walk.enter(Step::Key("spec"), |walk| {
            tables.for_each(|rows| walk.check_rows(rows, spec));
        });
        for finding in walk.findings(resource.header()) {
            self.findings.push(finding);
            self.bound
                .reduce_and_keep(&mut self.findings, |findings| self.input.resources.rejected_fields.retain(findings));
        }
    }
}
