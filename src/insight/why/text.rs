//! Text output of `agentctl why`.

use super::explainer::MAX_AGENTS;
use super::paths::MAX_PATHS;
use super::{AgentAnswer, SelectionFixes, SelectionPath, WhyAnswer, to_yaml};
use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::diagnostic::FieldPath;
use crate::diagnostic::listed::{first_of, format_list, join_words};
use crate::insight::catalog::LocatedResource;
use crate::insight::obstacle::Obstacle;
use crate::insight::referrers::Referrer;
use crate::insight::targets::JobSteps;
use crate::printable::{Line, Screen, Style, Text, format_count};
use crate::resolve::explain::MAX_REASONS;
use crate::resolve::references::Usage;
use crate::resolve::{ParentSelector, Selector, SelectorScope};
use crate::source::{Sources, Span};

/// Formats all answers, with one paragraph per agent, followed by the changes that would make the nearest agent select
/// the resource.
pub fn text<'w, 'h: 'w, 'd: 'h>(
    answers: impl Iterator<Item = WhyAnswer<'w, 'h, 'd>>,
    sources: &Sources,
    screen: Screen,
) -> Text {
    let writer = Writer { sources };
    let mut out = Text::for_screen(screen);
    for (i, why) in answers.enumerate() {
        if i > 0 {
            out.blank_line();
        }
        writer.why(&mut out, &why);
    }
    out
}

struct Writer<'s> {
    sources: &'s Sources,
}

impl Writer<'_> {
    fn why(&self, out: &mut Text, why: &WhyAnswer<'_, '_, '_>) {
        let heading = match why.target.is_absent {
            true => Line::styled(Style::Strong, why.target.object).plain(" is not in the input, and"),
            false => self.object_line(why.target.object, why.target.name_span()).plain(creator(&why.target)),
        };
        out.item(heading.plain(" ").join(verdict(why)));
        for answer in why.selecting_agents() {
            self.agent(out, why, &answer);
        }
        for steps in &why.steps {
            job(out, steps);
        }
        let other_answers: Vec<_> = why.other_answers(MAX_AGENTS).collect();
        for answer in &other_answers {
            self.agent(out, why, answer);
        }
        let remaining_count = why.count_others().saturating_sub(MAX_AGENTS);
        if remaining_count > 0 {
            out.item(format!("… not selected by {}", format_count(remaining_count, "more agent")));
        }
        for rejected_parent in why.refused.iter().filter(|_| !why.target.refused) {
            out.blank_line();
            let (kind, namespace, name) =
                (rejected_parent.kind.as_str(), rejected_parent.namespace, rejected_parent.name);
            out.item(format!("? {kind}/{namespace}/{name} is rejected, so it selects nothing"));
        }
        for referrer in &why.referrers {
            self.referrer(out, referrer);
        }
        if let (0, Some(nearest)) = (why.selecting_agents().len(), other_answers.first()) {
            self.fixes(out, why, nearest);
        }
    }

    fn agent(&self, out: &mut Text, why: &WhyAnswer<'_, '_, '_>, answer: &AgentAnswer<'_, '_, '_>) {
        if why.target.object.kind != Kind::GrafanaAgent {
            out.blank_line();
            out.item(mark(answer.is_selected).plain(" ").join(self.resource(answer.agent)));
        }
        for obstacle in answer.idle {
            self.obstacle(out, "  ", obstacle);
        }
        if answer.count() == 0 && why.target.object.kind != Kind::GrafanaAgent {
            out.item(Line::from("  ").join(mark(false)).plain(" no instance in the input could select it"));
        }
        for path in answer.paths().take(MAX_PATHS) {
            self.path(out, why, &path);
        }
        let remaining_count = answer.count().saturating_sub(MAX_PATHS);
        add_more(out, "  ", remaining_count, "more instance");
    }

    fn path(&self, out: &mut Text, why: &WhyAnswer<'_, '_, '_>, path: &SelectionPath<'_, '_>) {
        if let Some(instance) = &path.instance {
            let line = Line::from("  ").join(mark(path.is_open())).plain(" ");
            out.item(line.join(self.resource(instance)));
        }
        let indent = if path.instance.is_some() { "    " } else { "  " };
        for link in &path.links {
            if link.obstacles.is_empty() {
                let field = self.place(link.parent.locate(&FieldPath::parse(link.selector.relation.labels)));
                // The preceding lines already contain the child's name.
                let subject = match link.child.object_ref() == why.target.object {
                    true => "it",
                    false => "the instance",
                };
                let selector_text = describe_selector(link.selector);
                let line =
                    Line::from(indent).join(mark(true)).plain(format!(" {subject} is selected {selector_text} "));
                out.item(line.join(field));
            }
            for obstacle in link.obstacles.iter().take(MAX_REASONS) {
                self.obstacle(out, indent, obstacle);
            }
            let remaining_count = link.obstacles.len().saturating_sub(MAX_REASONS);
            add_more(out, indent, remaining_count, "more reason");
        }
        if path.is_open() && !why.jobs.is_empty() {
            out.item(format!("{indent}- scrape jobs: {}", first_of(4, why.jobs.iter())));
        }
    }

    fn obstacle(&self, out: &mut Text, indent: &str, obstacle: &Obstacle<'_>) {
        // A line below an instance's name appears to refer to the instance unless it mentions the agent.
        let is_of_agent = obstacle.by.kind == Kind::GrafanaAgent && obstacle.field.is_some();
        let owner = match is_of_agent && indent.len() > 2 {
            true => "the agent's ",
            false => "",
        };
        let line = Line::from(indent).join(mark(false)).plain(format!(" {owner}{obstacle} "));
        out.item(line.join(self.place(obstacle.span)));
    }

    fn referrer(&self, out: &mut Text, referrer: &Referrer<'_, '_>) {
        let mark = mark(!referrer.agents.is_empty());
        let agents = referrer.agents.iter();
        let agents = agents.map(|agent| format!("{}/{}", agent.namespace, agent.name));
        let agents = match agents.len() {
            0 => "which no agent selects".to_owned(),
            _ => format!("of {}", format_list(4, agents)),
        };
        let unused_note = match referrer.usage {
            Usage::Unused => ", but nothing reads it",
            _ => "",
        };
        let referrer_line = self.object_line(referrer.object, referrer.span);
        out.blank_line();
        out.item(mark.plain(" ").join(referrer_line).plain(format!(" {agents}")));
        let Referrer { field, key, .. } = referrer;
        out.item(format!("  - `{field}` refers to its key `{key}`{unused_note}"));
    }

    fn fixes(&self, out: &mut Text, why: &WhyAnswer<'_, '_, '_>, answer: &AgentAnswer<'_, '_, '_>) {
        let fixes = SelectionFixes::new(answer);
        if fixes.patches.is_empty() && fixes.by_hand.is_empty() {
            return;
        }
        let through_instance = answer.paths().next().and_then(|path| path.instance);
        let through_text =
            through_instance.map_or_else(String::new, |instance| format!(" through {}", instance.object_ref()));
        let heading = match why.target.object.kind {
            Kind::GrafanaAgent => "To have it compiled:".to_owned(),
            _ => format!("For {} to select it{through_text}:", answer.agent.object_ref()),
        };
        out.blank_line();
        out.item(Line::styled(Style::Strong, heading));
        for (advice, span) in &fixes.by_hand {
            out.item(Line::from(format!("- {advice} ")).join(self.place(*span)));
        }
        if !fixes.patches.is_empty() {
            let patches = match fixes.patches.len() {
                1 => "this merge patch",
                _ => "these merge patches",
            };
            out.item(format!("- apply {patches}:"));
            out.blank_line();
            for line in to_yaml(&fixes.patches).lines() {
                out.line(format!("    {line}"));
            }
        }
    }

    fn resource(&self, resource: &ResourceHeader<'_>) -> Line {
        self.object_line(resource.object_ref(), resource.name_span())
    }

    fn object_line(&self, object: ObjectRef<'_>, span: Span) -> Line {
        Line::styled(Style::Strong, object).plain(" ").join(self.place(span))
    }

    /// Formats a span as `(file:line)`.
    fn place(&self, span: Span) -> Line {
        let location = self.sources.location(span);
        location.map_or_else(Line::default, |place| {
            Line::styled(Style::Faint, format!("({}:{})", place.file, place.start.line))
        })
    }
}

/// Counts the resources that refer to an object and that an agent selects, by kind.
fn users(referrers: &[Referrer<'_, '_>]) -> String {
    let mut objects: Vec<_> = referrers.iter().filter(|referrer| !referrer.agents.is_empty()).collect();
    objects.sort_by_key(|referrer| referrer.object);
    objects.dedup_by_key(|referrer| referrer.object);
    let kinds = objects.chunk_by(|one, next| one.object.kind == next.object.kind);
    let counts = kinds.filter_map(|same_kind| Some((same_kind.first()?.object.kind, same_kind.len())));
    join_words("and", counts.map(|(kind, count)| format!("{count} {}", kind.name_for_count(count))))
}

/// Describes the object that creates a Secret. Returns an empty string for other objects.
fn creator(target: &LocatedResource<'_>) -> String {
    let (kind, name) = (target.root.text("kind"), target.root.text("metadata.name"));
    match target.object.kind {
        Kind::Secret if kind != "Secret" => format!(", which {kind}/{name} creates,"),
        _ => String::new(),
    }
}

/// Writes the steps by which a job finds its targets.
fn job(out: &mut Text, steps: &JobSteps) {
    out.blank_line();
    let owner = format!("  {} of GrafanaAgent {}", steps.instance, steps.agent);
    let title = Line::styled(Style::Strong, &steps.job).with(Style::Faint, owner);
    out.item(mark(steps.targets > 0).plain(" ").join(title));
    for step in &steps.steps {
        let location = match (&step.file, step.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        let line = Line::from("  ").join(mark(step.ok)).plain(format!(" {}", step.text));
        out.item(line.with(Style::Faint, location));
        for hint in &step.hints {
            out.item(format!("    - {hint}"));
        }
    }
}

fn verdict(why: &WhyAnswer<'_, '_, '_>) -> Line {
    let kind = why.target.object.kind;
    let good_line = |text: String| Line::styled(Style::Good, text);
    let bad_line = |text: &str| Line::styled(Style::Bad, text);
    let count = why.selecting_agents().len();
    match kind {
        _ if why.target.refused => bad_line("is rejected and therefore ignored"),
        Kind::Secret | Kind::ConfigMap if why.referrers.is_empty() => bad_line("is not used"),
        Kind::Secret | Kind::ConfigMap if !why.is_selected() => {
            bad_line("is used only by resources that no agent selects")
        }
        Kind::Secret | Kind::ConfigMap => good_line(format!("is used by {}", users(&why.referrers))),
        Kind::Namespace | Kind::Node => Line::from("is not selected by agents"),
        Kind::GrafanaAgent if why.is_selected() => good_line("is compiled".to_owned()),
        Kind::GrafanaAgent => bad_line("is not compiled"),
        _ if count + why.count_others() == 0 && why.refused.is_empty() => {
            bad_line("is not selected: there is no GrafanaAgent in the input")
        }
        _ if count == 0 => bad_line("is not selected"),
        _ if count == 1 => good_line("is selected by 1 agent".to_owned()),
        _ => good_line(format!("is selected by {count} agents")),
    }
}

fn mark(good: bool) -> Line {
    match good {
        true => Line::styled(Style::Good, "✓"),
        false => Line::styled(Style::Bad, "✗"),
    }
}

fn add_more(out: &mut Text, indent: &str, count: usize, noun: &str) {
    if count > 0 {
        out.item(format!("{indent}… {}: `-o json` lists all", format_count(count, noun)));
    }
}

/// Describes the selectors that select a child.
fn describe_selector(selector: &ParentSelector<'_>) -> String {
    let format_requirements = |selector: &Selector<'_>| format_list(MAX_REASONS, selector.requirements().iter());
    let labels = match &selector.labels {
        SelectorScope::Set(labels) if labels.requirements().is_empty() => "regardless of its labels".to_owned(),
        SelectorScope::Set(labels) => format!("by {}", format_requirements(labels)),
        SelectorScope::Missing | SelectorScope::Invalid(_) => String::new(),
    };
    let namespaces = match &selector.namespaces {
        SelectorScope::Set(namespaces) if namespaces.requirements().is_empty() => "in all namespaces".to_owned(),
        SelectorScope::Set(namespaces) => format!("in namespaces with {}", format_requirements(namespaces)),
        SelectorScope::Missing | SelectorScope::Invalid(_) => format!("in namespace `{}`", selector.parent.namespace),
    };
    format!("{labels} {namespaces}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::why::Explainer;

    fn resource(kind: &str, name: &str, rest: &str) -> String {
        let version = match kind {
            "Secret" | "ConfigMap" | "Namespace" => "v1",
            _ => "monitoring.grafana.com/v1alpha1",
        };
        let namespace_field = if kind == "Namespace" { "" } else { ", namespace: a" };
        format!(
            "---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}{namespace_field}, labels: {{name: {name}}}}}\n{rest}\n"
        )
    }

    #[test]
    fn marks_jobs_with_and_without_targets() {
        for (targets, expected) in [(0, "\n✗ j  m/i of GrafanaAgent m/a\n"), (2, "\n✓ j  m/i of GrafanaAgent m/a\n")]
        {
            let mut out = Text::new(false);
            out.item(Line::from("x"));
            let steps = JobSteps {
                agent: "m/a".to_owned(),
                instance: "m/i".to_owned(),
                job: "j".to_owned(),
                steps: Vec::new(),
                targets,
                potential: false,
                refused: false,
            };
            job(&mut out, &steps);
            assert!(out.as_str().ends_with(expected), "{}", out.as_str());
        }
    }

    /// Returns the first line of each answer.
    fn verdicts(text: &str) -> Vec<String> {
        resolve_text(text, |input| {
            let explainer = Explainer::new(input.graph(), &input.options.resolve).unwrap();
            let catalog = input.catalog();
            let answers = explainer.explain(catalog.iter().copied().collect());
            let lines = answers.map(|why| {
                let text = super::text(std::iter::once(why), input.sources, Screen::default());
                let line = text.as_str().lines().next().unwrap_or_default();
                let (name, rest) = line.split_once(" (x.yaml:").unwrap();
                format!("{name} {}", rest.split_once(") ").unwrap().1)
            });
            lines.collect()
        })
    }

    #[test]
    fn first_line_states_the_verdict() {
        let secret = |name: &str| {
            format!(
                "spec: {{remoteWrite: [{{url: 'http://a', bearerTokenFile: x, basicAuth: {{username: {{name: {name}, key: k}}}}}}]}}"
            )
        };
        let by_name =
            |name: &str| format!("spec: {{metrics: {{instanceSelector: {{matchLabels: {{name: {name}}}}}}}}}");
        let text = [
            resource("GrafanaAgent", "one", &by_name("in")),
            resource("MetricsInstance", "in", &secret("used")),
            resource("MetricsInstance", "out", &secret("loose")),
            resource("GrafanaAgent", "paused", "spec: {paused: true, metrics: {instanceSelector: {}}}"),
            resource("Secret", "used", "stringData: {k: v}"),
            resource("Secret", "loose", "stringData: {k: v}"),
            resource("Secret", "alone", "stringData: {k: v}"),
            resource("Namespace", "a", ""),
            resource("LogsInstance", "bad", "spec: 1"),
        ];
        assert_eq!(
            verdicts(&text.concat()),
            [
                "GrafanaAgent/a/one is compiled",
                "GrafanaAgent/a/paused is not compiled",
                "MetricsInstance/a/in is selected by 1 agent",
                "MetricsInstance/a/out is not selected",
                "LogsInstance/a/bad is rejected and therefore ignored",
                "Secret/a/alone is not used",
                "Secret/a/loose is used only by resources that no agent selects",
                "Secret/a/used is used by 1 MetricsInstance",
                "Namespace/a is not selected by agents",
            ]
        );
        let instance = resource("MetricsInstance", "in", &secret("used"));
        let without = ["MetricsInstance/a/in is not selected: there is no GrafanaAgent in the input"];
        assert_eq!(verdicts(&instance), without);
        let two_agents = [
            resource("GrafanaAgent", "one", &by_name("in")),
            resource("GrafanaAgent", "two", &by_name("in")),
            instance.clone(),
        ];
        assert!(verdicts(&two_agents.concat()).contains(&"MetricsInstance/a/in is selected by 2 agents".to_owned()));
        let rejected_agent = [resource("GrafanaAgent", "one", "spec: 1"), instance];
        assert!(verdicts(&rejected_agent.concat()).contains(&"MetricsInstance/a/in is not selected".to_owned()));
    }

    /// Returns the answer for a resource, without locations.
    fn answer(text: &str, name: &str) -> String {
        resolve_text(text, |input| {
            let explainer = Explainer::new(input.graph(), &input.options.resolve).unwrap();
            let catalog = input.catalog();
            let requested_resources = catalog.iter().copied().filter(|located| located.object.to_string() == name);
            let answers = explainer.explain(requested_resources.collect());
            let text = super::text(answers, input.sources, Screen::default()).into_string();
            let mut parts = text.split(" (x.yaml:");
            let first_part = parts.next().unwrap_or_default().to_owned();
            first_part + &parts.map(|part| part.split_once(')').unwrap().1).collect::<String>()
        })
    }

    fn monitor(labels: &str) -> String {
        format!(
            "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m, namespace: a, labels: {{{labels}}}}}\n\
             spec: {{selector: {{}}, endpoints: [{{port: a}}, {{port: b}}]}}\n"
        )
    }

    #[test]
    fn lists_references_with_their_agents() {
        let instance = |name: &str, secret: &str| {
            let spec = format!(
                "spec: {{remoteWrite: [{{url: 'http://a', basicAuth: {{username: {{name: {secret}, key: k}}}}}}]}}"
            );
            resource("MetricsInstance", name, &spec)
        };
        let by_name = "spec: {metrics: {instanceSelector: {matchLabels: {name: in}}}}";
        let text = [
            resource("GrafanaAgent", "one", by_name),
            resource("GrafanaAgent", "two", by_name),
            // The Secret of this instance has the same name as an agent.
            instance("in", "one"),
            instance("out", "loose"),
            resource("Secret", "one", "stringData: {k: v}"),
            resource("Secret", "loose", "stringData: {k: v}"),
        ];
        let text = text.concat();
        let field = "  - `spec.remoteWrite[0].basicAuth.username` refers to its key `k`";
        assert_eq!(
            answer(&text, "Secret/a/one"),
            format!(
                "Secret/a/one is used by 1 MetricsInstance\n\n✓ MetricsInstance/a/in of `a/one` and `a/two`\n{field}\n"
            )
        );
        assert_eq!(
            answer(&text, "Secret/a/loose"),
            format!(
                "Secret/a/loose is used only by resources that no agent selects\n\n\
                 ✗ MetricsInstance/a/out which no agent selects\n{field}\n"
            )
        );
    }

    #[test]
    fn shows_some_agents_and_instances_and_counts_the_rest() {
        let agents = |count: usize| -> String {
            let spec = "spec: {metrics: {instanceSelector: {matchLabels: {x: other}}}}";
            (0..count).map(|number| resource("GrafanaAgent", &format!("g{number}"), spec)).collect()
        };
        let instances = |count: usize| -> String {
            let spec = "spec: {serviceMonitorSelector: {matchLabels: {team: a}}}";
            (0..count).map(|number| resource("MetricsInstance", &format!("i{number}"), spec)).collect()
        };
        for (count, more) in [
            (MAX_AGENTS, None),
            (MAX_AGENTS + 1, Some("… not selected by 1 more agent")),
            (MAX_AGENTS + 3, Some("… not selected by 3 more agents")),
        ] {
            let text = answer(&(agents(count) + &instances(1)), "MetricsInstance/a/i0");
            assert_eq!(text.matches("\n✗ GrafanaAgent/a/g").count(), MAX_AGENTS, "{text}");
            let actual = text.lines().find(|line| line.starts_with("… "));
            assert_eq!(actual, more, "{text}");
        }
        for (count, more) in [(MAX_PATHS, None), (MAX_PATHS + 2, Some("  … 2 more instances: `-o json` lists all"))] {
            // Each instance's path is blocked at only one end.
            let agent = resource("GrafanaAgent", "g", "spec: {metrics: {instanceSelector: {}}}");
            let text = answer(&(agent + &instances(count) + &monitor("team: b")), "ServiceMonitor/a/m");
            assert_eq!(text.matches("\n  ✗ MetricsInstance/a/i").count(), MAX_PATHS, "{text}");
            let actual = text.lines().find(|line| line.starts_with("  … "));
            assert_eq!(actual, more, "{text}");
        }
        let text = answer(&(agents(1) + &monitor("team: b")), "ServiceMonitor/a/m");
        assert!(text.contains("\n✗ GrafanaAgent/a/g0\n  ✗ no instance in the input could select it\n"), "{text}");
    }

    #[test]
    fn shows_selectors_in_paths_and_changes_in_patches() {
        let agent = resource("GrafanaAgent", "g", "spec: {metrics: {instanceSelector: {}}}");
        let instance = resource("MetricsInstance", "i", "spec: {serviceMonitorSelector: {matchLabels: {team: a}}}");
        let selected_answer = answer(&(agent.clone() + &instance + &monitor("team: a")), "ServiceMonitor/a/m");
        assert_eq!(
            selected_answer,
            "ServiceMonitor/a/m is selected by 1 agent\n\n✓ GrafanaAgent/a/g\n  ✓ MetricsInstance/a/i\n    \
             ✓ it is selected by `team=a` in namespace `a`\n    ✓ the instance is selected regardless of its labels in namespace `a`\n    \
             - scrape jobs: `serviceMonitor/a/m/0`, `serviceMonitor/a/m/1`\n"
        );
        for (namespaces, description) in
            [("matchLabels: {name: a}", "namespaces with `name=a`"), ("", "all namespaces")]
        {
            let spec =
                format!("spec: {{serviceMonitorSelector: {{}}, serviceMonitorNamespaceSelector: {{{namespaces}}}}}");
            let instance = resource("MetricsInstance", "i", &spec) + &resource("Namespace", "a", "");
            let text = answer(&(agent.clone() + &instance + &monitor("")), "ServiceMonitor/a/m");
            let line = format!("    ✓ it is selected regardless of its labels in {description}\n");
            assert!(text.contains(&line), "{text}");
        }
        let other_instance =
            "spec: {serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {matchLabels: {team: web}}}";
        let other_instance = resource("MetricsInstance", "i", other_instance) + &resource("Namespace", "a", "");
        let text = answer(&(agent.clone() + &other_instance + &monitor("")), "ServiceMonitor/a/m");
        let patch =
            "    apiVersion: v1\n    kind: Namespace\n    metadata:\n      labels:\n        team: web\n      name: a\n";
        assert!(text.ends_with(patch), "{text}");
        let unselected_answer = answer(&(agent + &instance + &monitor("team: b")), "ServiceMonitor/a/m");
        assert_eq!(
            unselected_answer,
            "ServiceMonitor/a/m is not selected\n\n✗ GrafanaAgent/a/g\n  ✗ MetricsInstance/a/i\n    \
             ✗ `spec.serviceMonitorSelector` requires `team=a`, but the resource has `team=b`\n    \
             ✓ the instance is selected regardless of its labels in namespace `a`\n\n\
             For GrafanaAgent/a/g to select it through MetricsInstance/a/i:\n- apply this merge patch:\n\n    \
             apiVersion: monitoring.coreos.com/v1\n    kind: ServiceMonitor\n    metadata:\n      labels:\n        team: a\n      \
             name: m\n      namespace: a\n"
        );
        let paused_agent = resource("GrafanaAgent", "g", "spec: {paused: true, metrics: {instanceSelector: {}}}");
        let two_answers = answer(&(paused_agent.clone() + &instance + &monitor("team: b")), "ServiceMonitor/a/m");
        assert!(two_answers.contains("- apply these merge patches:\n"), "{two_answers}");
        assert!(
            two_answers
                .contains("\n✗ GrafanaAgent/a/g\n  ✗ `spec.paused` is set, so nothing is rendered for the agent\n"),
            "{two_answers}"
        );
        let agent = answer(&paused_agent, "GrafanaAgent/a/g");
        assert!(
            agent.starts_with(
                "GrafanaAgent/a/g is not compiled\n  ✗ `spec.paused` is set, so nothing is rendered for the agent\n\n\
                 To have it compiled:\n- apply this merge patch:\n"
            ),
            "{agent}"
        );
        let rejected_agent = resource("GrafanaAgent", "g", "spec: 1") + &instance + &monitor("team: a");
        let rejected_answer = answer(&rejected_agent, "ServiceMonitor/a/m");
        assert_eq!(
            rejected_answer,
            "ServiceMonitor/a/m is not selected\n\n? GrafanaAgent/a/g is rejected, so it selects nothing\n"
        );
    }
}
