//! Targets of a job, collected from all shards.

use std::collections::{HashMap, HashSet};

use crate::targets::relabel::Labels;
use crate::targets::scrape::{
    Cluster, DiscoveredTarget, Invalid, JobGroup, TargetIdentity, TargetScope, TargetState, target_identity,
};

/// Targets of a job, with the shards that scrape them.
#[derive(Default)]
pub struct JobSurvey<'d> {
    /// Targets that are scraped or read, each with its shards.
    pub rows: Vec<SurveyedTarget<'d>>,
    /// Targets that no shard scrapes or reads.
    pub lost: Vec<UnscrapedTarget<'d>>,
    /// Whether the state of a target can differ between shards.
    is_sharded: bool,
    /// Whether each target is visited on all shards before the next target is visited.
    is_in_row: bool,
    row_of: HashMap<TargetIdentity<'d>, usize>,
    /// Index of the last target for which a scraping shard was found.
    last_scraped: Option<usize>,
    /// Index of the last target that was added to `lost`.
    last_lost: Option<usize>,
    /// Targets that a shard scrapes. Used only if shards are visited one after the other.
    scraped: HashSet<Labels<'d>>,
}

/// A target that is scraped or read.
pub struct SurveyedTarget<'d> {
    pub labels: Labels<'d>,
    /// Scrape URL. Empty for logs.
    pub url: String,
    /// Shards that scrape the target. Empty if the target is potential.
    pub shards: Vec<u32>,
    /// Whether the target is only expected to exist. True if its object did not come from a cluster.
    pub is_potential: bool,
}

/// A target that no shard scrapes or reads.
pub struct UnscrapedTarget<'d> {
    /// Labels before relabeling.
    pub discovered: Labels<'d>,
    pub why: UnscrapedReason,
}

/// Reason why a target is not scraped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnscrapedReason {
    /// The rule with this index drops the target.
    Rule(usize),
    /// The rule with this index may drop the target, depending on values that only the cluster knows.
    Undecided(usize),
    /// The target has no log path.
    NoPath,
    /// The path to the logs of a static pod does not exist.
    StaticPod,
    /// The target cannot be scraped.
    Invalid(Invalid),
}

impl<'d> JobSurvey<'d> {
    /// Collects the targets of a job on all shards.
    pub fn new(group: &JobGroup<'_, 'd>, cluster: &Cluster<'_, 'd>, scope: TargetScope) -> Self {
        let mut survey = Self { is_sharded: group.count > 1, is_in_row: group.shared.is_some(), ..Self::default() };
        cluster.targets(group, scope, &mut |target| survey.add(target));
        let scraped_labels = std::mem::take(&mut survey.scraped);
        let mut seen_labels = HashSet::new();
        survey
            .lost
            .retain(|lost| !scraped_labels.contains(&lost.discovered) && seen_labels.insert(lost.discovered.clone()));
        survey
    }

    fn add(&mut self, target: DiscoveredTarget<'_, 'd>) {
        let (discovered, number) = (target.discovered, target.number);
        if let TargetState::Active { .. } | TargetState::Read { .. } | TargetState::Duplicate = target.state {
            self.add_scraped(discovered, number);
        }
        let row = |labels, url| SurveyedTarget { labels, url, shards: Vec::new(), is_potential: target.is_potential };
        let reason = match target.state {
            TargetState::Active { labels, url, .. } => return self.add_row(row(labels, url), discovered, target.shard),
            TargetState::Read { labels } => {
                return self.add_row(row(labels, String::new()), discovered, target.shard);
            }
            TargetState::Duplicate => return,
            TargetState::Dropped(rule) => UnscrapedReason::Rule(rule),
            TargetState::Undecided(rule) => UnscrapedReason::Undecided(rule),
            TargetState::NoPath => UnscrapedReason::NoPath,
            TargetState::StaticPod { .. } => UnscrapedReason::StaticPod,
            TargetState::Invalid(invalid) => UnscrapedReason::Invalid(invalid),
        };
        if self.is_in_row && [self.last_scraped, self.last_lost].contains(&Some(number)) {
            return;
        }
        let discovered = discovered.clone();
        self.lost.push(UnscrapedTarget { discovered, why: reason });
        self.last_lost = Some(number);
    }

    /// Records that a shard scrapes a target, so that the target is not counted as lost.
    fn add_scraped(&mut self, discovered: &Labels<'d>, number: usize) {
        if !self.is_in_row {
            self.scraped.insert(discovered.clone());
            return;
        }
        if self.last_lost == Some(number) {
            self.lost.pop();
            self.last_lost = None;
        }
        self.last_scraped = Some(number);
    }

    fn add_row(&mut self, row: SurveyedTarget<'d>, discovered: &Labels<'d>, shard: u32) {
        let shard = Some(shard).filter(|_| !row.is_potential);
        let row_index = match self.is_sharded {
            true => *self.row_of.entry(target_identity(&row.labels, discovered)).or_insert(self.rows.len()),
            false => self.rows.len(),
        };
        match self.rows.get_mut(row_index) {
            Some(known) => {
                known.is_potential |= row.is_potential;
                known.shards.extend(shard);
            }
            None => self.rows.push(SurveyedTarget { shards: shard.into_iter().collect(), ..row }),
        }
    }

    /// Returns the names of the labels that distinguish the rows because their values differ.
    pub fn distinguishing_labels(&self) -> Vec<String> {
        let mut rows = self.rows.iter();
        let Some(first) = rows.next() else { return Vec::new() };
        let mut names: Vec<&str> = self.rows.iter().flat_map(|row| row.labels.iter()).map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        let is_distinguishing =
            |name: &&str| self.rows.iter().any(|row| row.labels.get(name) != first.labels.get(name));
        let names = names.into_iter().filter(|name| !name.starts_with("__"));
        names.filter(is_distinguishing).map(str::to_owned).collect()
    }
}
