//! One target step by step: its labels before, what each rule does, its labels after.

use super::text::{is_in_secret, object};
use super::words::{described, quoted, shown, summary};
use crate::printable::{Line, Screen, Style, Text};
use crate::relabel::Labels;
use crate::scrape::{Change, Cluster, Extent, Found, Job, JobGroup, State, trace};
use crate::source::Sources;

/// Explains the targets that have an address.
pub struct Explanation<'s> {
    text: Text,
    address: &'s str,
    sources: &'s Sources,
}

impl<'s> Explanation<'s> {
    /// An explanation of nothing yet.
    pub fn new(address: &'s str, sources: &'s Sources, screen: Screen) -> Self {
        Self {
            text: Text::on(screen),
            address,
            sources,
        }
    }

    /// Adds the targets of a job with the address, each on the shard that scrapes it, or on the first.
    pub fn add<'d>(&mut self, group: &JobGroup<'_, 'd>, cluster: &Cluster<'_, 'd>) {
        let mut told = Vec::new();
        cluster.targets(group, Extent::All, &mut |found: Found<'_, '_>| {
            if !self.is_meant(&found) {
                return;
            }
            let is_scraped = matches!(found.state, State::Active { .. } | State::Read { .. });
            let same = told
                .iter_mut()
                .find(|(labels, ..): &&mut (Labels<'_>, Option<u32>, State<'_>)| labels == found.discovered);
            let shard = Some(found.shard).filter(|_| !found.is_potential);
            match same {
                Some(known) if is_scraped => *known = (found.discovered.clone(), shard, found.state),
                Some(_) => {}
                None => told.push((found.discovered.clone(), shard, found.state)),
            }
        });
        for (discovered, shard, state) in told {
            let Some(job) = group.shards().get(shard.unwrap_or_default() as usize) else {
                continue;
            };
            if is_in_secret(job) {
                self.in_secret();
                continue;
            }
            self.target(job, shard, group, &discovered, &state);
        }
    }

    /// Whether a target has the address before or after its rules.
    fn is_meant(&self, found: &Found<'_, '_>) -> bool {
        let is_address = |labels: &Labels<'_>| labels.get("__address__") == self.address;
        is_address(found.discovered)
            || match &found.state {
                State::Active { labels, url, .. } => {
                    is_address(labels) || labels.get("instance") == self.address || url == self.address
                }
                _ => false,
            }
    }

    /// What is said of a job in a Secret.
    fn in_secret(&mut self) {
        self.text
            .line("an additional job has the target: its rules are in a Secret, -o json lists its labels");
    }

    fn target(
        &mut self,
        job: &Job<'_>,
        shard: Option<u32>,
        group: &JobGroup<'_, '_>,
        discovered: &Labels<'_>,
        state: &State<'_>,
    ) {
        if !self.text.is_empty() {
            self.text.blank();
        }
        let mut place = object(discovered);
        if let Some(shard) = shard.filter(|_| group.count > 1) {
            place.push_str(&format!("  shard {shard}"));
        }
        let address = shown("__address__", discovered.get("__address__")).into_owned();
        let title = Line::of(Style::Strong, format!("{} {address}", job.name));
        self.text.line(title.with(Style::Faint, place));
        self.text.line("labels before");
        self.labels(discovered, true);
        self.text.line("rules");
        for step in trace(job, discovered) {
            let Some(rule) = job.rules.get(step.rule) else { continue };
            let line = Line::from(format!("  {:>3} {}", step.rule + 1, summary(rule)));
            self.text
                .line(line.with(Style::Faint, format!("  {}", described(rule, self.sources))));
            step.changes.iter().for_each(|change| self.change(change));
            if !step.keeps {
                self.text.line(Line::of(Style::Warning, "      drops the target"));
            }
        }
        match state {
            State::Active { labels, url, .. } => {
                self.text.line("labels after");
                self.labels(labels, false);
                self.text.line(format!("scraped at {}", shown("__url__", url)));
            }
            State::Read { labels } => {
                self.text.line("labels after");
                self.labels(labels, false);
                self.text.line(format!("reads {}", labels.get("__path__")));
            }
            State::NoPath => self.text.line("not read: it has no `__path__`"),
            State::Invalid(invalid) => self.text.item(format!("not scraped: {invalid}")),
            State::Duplicate => self
                .text
                .line("the same as another target of this job, which is scraped once"),
            State::Dropped(_) => {}
        }
    }

    fn labels(&mut self, labels: &Labels<'_>, with_hidden: bool) {
        for (name, value) in labels.iter().filter(|(name, _)| with_hidden || !name.starts_with("__")) {
            self.text.line(format!("  {name}={}", quoted(&shown(name, value))));
        }
    }

    fn change(&mut self, change: &Change) {
        let value = |value: &Option<String>| value.as_ref().map(|value| quoted(&shown(&change.label, value)));
        let line = match (value(&change.before), value(&change.after)) {
            (None, Some(after)) => Line::of(Style::Good, format!("      + {}={after}", change.label)),
            (Some(before), None) => Line::of(Style::Bad, format!("      - {}={before}", change.label)),
            (Some(before), Some(after)) => {
                Line::of(Style::Warning, format!("      ~ {}: {before} -> {after}", change.label))
            }
            (None, None) => return,
        };
        self.text.line(line);
    }

    /// The explanation; `None` where no target has the address.
    pub fn finish(self) -> Option<Text> {
        (!self.text.is_empty()).then_some(self.text)
    }
}
