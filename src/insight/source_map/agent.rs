//! Traversal of the parts of `agent.yml` in output order.

use std::rc::Rc;

use super::field::{ResourceField, format_path};
use super::lines::SequenceLines;
use super::map::{Event, SourceMap};
use super::walk::{ParentPart, Walk};
use crate::output::agent::{Configuration, InstanceNumber, JobsSlot};
use crate::plan::{ScrapeJob, SecretRepresentation};
use crate::yaml::{Layout, LibraryStyle, Step, write_with_layout};

impl<'d> SourceMap<'_, 'd> {
    /// Passes the parts and lines of `agent.yml` to `pass`. `in_jobs` determines how secrets are shown in monitors'
    /// jobs, and `secrets` determines how they are shown elsewhere. Returns whether any secrets are hidden.
    pub(super) fn for_each_agent_event(
        &self,
        secrets: SecretRepresentation,
        in_jobs: SecretRepresentation,
        pass: &mut dyn FnMut(Event<'_, 'd>),
    ) -> bool {
        let configuration = Configuration::new(&self.plan, self.part, secrets);
        let outline = configuration.outline();
        let (text, layout) = write_with_layout(&outline, LibraryStyle::V3);
        let mut lines = SequenceLines::new(&text, 0, JobsSlot::all(&text, &layout));
        let walk = Walk { catalog: self.catalog, sources: self.sources, part: self.part, previous_source: None, pass };
        let mut walk =
            AgentWalk { configuration: &configuration, in_jobs, walk, outline: &text, passed: 0, job_before: None };
        walk.section(&mut lines, &layout, None);
        walk.outline_up_to(text.len());
        lines.ends().for_each(|line| (walk.walk.pass)(Event::End(line)));
        configuration.has_hidden()
    }
}

/// A scrape job during the traversal, and its source.
struct TracedJob<'w, 'd> {
    from: Option<&'w ScrapeJob<'d>>,
    instance: InstanceNumber,
    /// Formatted path of the job.
    base: String,
    /// Source field of the list that contains the job.
    list_field: Option<&'w Rc<ResourceField<'d>>>,
}

struct AgentWalk<'w, 'p, 'd> {
    configuration: &'w Configuration<'p, 'd>,
    /// Representation of secrets in monitors' jobs.
    in_jobs: SecretRepresentation,
    walk: Walk<'w, 'd>,
    outline: &'w str,
    /// Number of bytes of the outline passed to `pass` so far.
    passed: usize,
    /// Source field of the previous job.
    job_before: Option<Rc<ResourceField<'d>>>,
}

impl<'d> AgentWalk<'_, '_, 'd> {
    /// Calls `pass` with each part of `lines`, which contains either the outline or a single job.
    fn section(&mut self, lines: &mut SequenceLines<'_>, layout: &Layout<'_>, job: Option<&TracedJob<'_, 'd>>) {
        let mut known_parts: Vec<ParentPart<'d>> = Vec::with_capacity(layout.nodes.len());
        let base = job.map_or("", |job| &job.base);
        // The outermost node of a job is the list that contains the job. The field for the list is already known, and
        // the step from the list to the job is not part of the job's path.
        let jobs_done = usize::from(job.is_some());
        known_parts.extend(job.map(|job| ParentPart {
            depth: 0,
            field: job.list_field.cloned(),
            last_item_field: self.job_before.take(),
        }));
        let mut path = Vec::new();
        for (number, node) in layout.nodes.iter().enumerate().skip(jobs_done) {
            let enclosing_part = node.parent.and_then(|(parent, step)| Some((known_parts.get_mut(parent)?, step)));
            let (enclosing_part, step) = enclosing_part.unzip();
            if let Some(enclosing) = &enclosing_part {
                path.truncate(enclosing.depth);
            }
            path.extend(step);
            let steps = path.get(jobs_done..).unwrap_or_default();
            let origin = match job {
                Some(job) => self.configuration.origin_in_job(job.instance, job.from, steps),
                None => self.configuration.origin(steps),
            };
            let is_item = matches!(step, Some(Step::Index(_)));
            let refine = |field: &Rc<ResourceField<'d>>| field.step(step?);
            let (field, needs_comment) = self.walk.field(origin, enclosing_part, is_item, refine);
            if let Some(field) = &field {
                self.walk.part(lines, &node.bytes, (field, needs_comment), (base, steps));
            }
            if let Some(slot) = lines.next_slot().filter(|slot| slot.list == number) {
                let lines_above = lines.line(slot.bytes.start);
                let end = self.jobs(slot, lines_above, &format_path("", steps.iter().copied()), field.as_ref());
                lines.fill(end - lines_above);
            }
            known_parts.push(ParentPart { depth: path.len(), field, last_item_field: None });
        }
        self.job_before = known_parts.into_iter().next().and_then(|list| list.last_item_field);
    }

    /// Calls `pass` with the parts and lines of an instance's jobs, which start after the line `above`. Returns the
    /// last line of the jobs.
    fn jobs(&mut self, slot: &JobsSlot, mut above: u32, list_path: &str, list: Option<&Rc<ResourceField<'d>>>) -> u32 {
        let mut number = 0;
        self.job_before = None;
        self.configuration.for_each_job_with_layout(slot.instance, self.in_jobs, &mut |from, text, layout| {
            if number == 0 {
                self.outline_up_to(slot.bytes.start);
                self.passed = slot.bytes.end + 1;
            }
            let job =
                TracedJob { from, instance: slot.instance, base: format!("{list_path}[{number}]"), list_field: list };
            let mut lines = SequenceLines::new(text, above, Vec::new());
            self.section(&mut lines, layout, Some(&job));
            above += lines.count();
            number += 1;
            (self.walk.pass)(Event::Lines(text));
        });
        above
    }

    /// Calls `pass` with the lines of the outline up to `end`.
    fn outline_up_to(&mut self, end: usize) {
        let lines = self.outline.get(self.passed..end).unwrap_or_default();
        (self.walk.pass)(Event::Lines(&format!("{lines}\n")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SourceMap, TracedPart};
    use crate::insight::resolved::resolve_text;
    use crate::output::Target;
    use crate::plan::{ConfigKind, SecretRepresentation};

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec:
  logLevel: debug
  metrics:
    instanceSelector: {}
    scrapeInterval: 30s
    remoteWrite: [{url: 'https://a'}]
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec:
  probeSelector: {}
  walTruncateFrequency: 5m
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: p, namespace: m}
spec: {prober: {url: p}, targets: {staticConfig: {static: [b]}}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: q, namespace: m}
spec: {prober: {url: p}, interval: 5s, targets: {staticConfig: {static: [c], labels: {d: e}}}}
";

    #[test]
    fn comments_show_the_source_of_parts() {
        resolve_text(INPUT, |input| {
            let catalog = input.catalog();
            let map =
                SourceMap::new(&input.hierarchies[0], ConfigKind::Metrics, &catalog, input.sources, &Target::Agent);
            let (mut plain_text, mut text) = (String::new(), String::new());
            map.output.for_each_text(SecretRepresentation::Values, &mut |lines| plain_text.push_str(lines));
            map.output.for_each_commented_text(SecretRepresentation::Values, &mut |lines| text.push_str(lines));
            let (comments, other_lines): (Vec<_>, Vec<_>) =
                text.lines().partition(|line| line.trim_start().starts_with('#'));
            assert_eq!(other_lines, plain_text.lines().collect::<Vec<_>>());
            let expected = "\
# x.yaml:1 GrafanaAgent/m/a
# x.yaml:6 GrafanaAgent/m/a spec.metrics
        # x.yaml:11 MetricsInstance/m/i
            # x.yaml:18 Probe/m/p
                # x.yaml:18 Probe/m/p
                # x.yaml:21 Probe/m/p spec.prober.url
                # x.yaml:21 Probe/m/p spec.targets.staticConfig
            # x.yaml:23 Probe/m/q
                # x.yaml:23 Probe/m/q
                # x.yaml:26 Probe/m/q spec.prober.url
                # x.yaml:26 Probe/m/q spec.targets.staticConfig
        # x.yaml:6 GrafanaAgent/m/a spec.metrics.externalLabels (not set)
            # x.yaml:6 GrafanaAgent/m/a spec.metrics.replicaExternalLabelName (not set)
            # x.yaml:6 GrafanaAgent/m/a spec.metrics.metricsExternalLabelName (not set)
            # x.yaml:9 GrafanaAgent/m/a spec.metrics.remoteWrite[0]
        # x.yaml:8 GrafanaAgent/m/a spec.metrics.scrapeInterval
# x.yaml:4 GrafanaAgent/m/a spec
    # x.yaml:5 GrafanaAgent/m/a spec.logLevel";
            assert_eq!(comments.join("\n"), expected);
            let entries = map.output.entries().into_iter();
            let places = entries.map(|entry| format!("{}-{}", entry.config.line, entry.config.end_line));
            let expected = "1-63 1-61 3-53 5-27 12-14 15-17 18-20 21-22 24-27 26-27 27-27 28-52 35-37 38-40 41-43 44-45 \
                            46-46 48-52 48-50 49-49 51-52 52-52 53-53 55-57 56-56 57-57 59-59 59-59 60-60 62-63 63-63";
            assert_eq!(places.collect::<Vec<_>>().join(" "), expected);
        });
    }

    #[test]
    fn entries_have_the_line_numbers_of_the_masked_output() {
        let text = INPUT.split("---").take(1).collect::<String>()
            + "---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {serviceMonitorSelector: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: m}
spec: {selector: {}, endpoints: [{port: p, basicAuth: {username: {name: c, key: k}, password: {name: c, key: k}}}]}
---
apiVersion: v1
kind: Secret
metadata: {name: c, namespace: m}
stringData: {k: \"a\\nb\\nc\\n\"}
";
        resolve_text(&text, |input| {
            let (catalog, target) = (input.catalog(), Target::Agent);
            let map = SourceMap::new(&input.hierarchies[0], ConfigKind::Metrics, &catalog, input.sources, &target);
            let mut text = String::new();
            let has_hidden = map.output.for_each_text(SecretRepresentation::Masked, &mut |lines| text.push_str(lines));
            assert!(has_hidden && text.contains("password: |\n"), "{text}");
            let lines: Vec<_> = text.lines().map(str::trim).collect();
            let entries = map.output.entries().into_iter();
            let rules = entries.filter(|TracedPart { config, .. }| config.path.ends_with("relabel_configs[1]"));
            let actual: Vec<_> = rules.map(|rule| lines[rule.config.line as usize - 1]).collect();
            assert_eq!(actual, ["- action: keep"], "{text}");
        });
    }
}
