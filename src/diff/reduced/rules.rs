//! Relabelling rules of jobs that are on both sides: most of what a job says. Those that are the same, away from what differs,
//! are left out as jobs are.

use std::collections::BTreeMap;
use std::ops::Range;

use super::chunks::{Chunks, Language, RULE};
use super::fate::{Fate, near};

/// The lines of the lists of rules of a job, as the operator writes them.
const LISTS: [&str; 2] = [
    "              metric_relabel_configs:",
    "              relabel_configs:",
];

/// The names of jobs that are not masked as a whole.
const MONITORS: [&str; 4] = [
    " job_name: serviceMonitor/",
    " job_name: podMonitor/",
    " job_name: podLogs/",
    " job_name: probe/",
];

/// The indentation of what belongs to a rule.
const DEEPER: &str = "                  ";

/// Bytes of a job that are left out, and the number of what is put in their place.
pub(super) type LeftOutRules = BTreeMap<usize, Vec<(Range<usize>, usize)>>;

/// Of each side, what is left out of the chunks that are kept. `numbers` are those of no other placeholder.
pub(super) fn left_out(
    (old, old_fates): (&Chunks<'_>, &[Fate]),
    (new, new_fates): (&Chunks<'_>, &[Fate]),
    context: Option<usize>,
    mut numbers: impl Iterator<Item = usize>,
) -> (LeftOutRules, LeftOutRules) {
    let mut left_out = (LeftOutRules::new(), LeftOutRules::new());
    let Some(context) = context.filter(|_| old.language() == Language::Agent) else {
        return left_out;
    };
    let pairs = pairs((old, old_fates), (new, new_fates));
    let same = pairs.iter().map(|&(a, b)| same((old, a), (new, b), context));
    let Some(same) = same.collect::<Option<Vec<_>>>() else {
        return left_out;
    };
    for ((a, b), same) in pairs.into_iter().zip(same) {
        for (before, after) in same {
            let Some(number) = numbers.next() else { break };
            left_out.0.entry(a).or_default().push((before, number));
            left_out.1.entry(b).or_default().push((after, number));
        }
    }
    left_out
}

/// The jobs that are kept on both sides. None where any comes, goes or moves: then a job may have more in common with the one
/// beside its counterpart.
fn pairs((old, old_fates): (&Chunks<'_>, &[Fate]), (new, new_fates): (&Chunks<'_>, &[Fate])) -> Vec<(usize, usize)> {
    let kept = |chunks: &Chunks<'_>, fates: &[Fate]| -> Vec<usize> {
        let all = fates.iter().enumerate();
        let kept = all.filter(|(chunk, fate)| fate.is_kept() && chunks.is_job(*chunk));
        kept.map(|(chunk, _)| chunk).collect()
    };
    let (old_jobs, new_jobs) = (kept(old, old_fates), kept(new, new_fates));
    let old_names = old_jobs.iter().map(|&job| old.name(job));
    match old_names.eq(new_jobs.iter().map(|&job| new.name(job))) {
        true => old_jobs.into_iter().zip(new_jobs).collect(),
        false => Vec::new(),
    }
}

/// Only jobs of which no more than such a part differs have rules that are left out.
const SMALL_PART: usize = 8;

/// The bytes of rules that follow one another in both jobs and are the same, without those near to something else. `None` where
/// more than a small part of the jobs differs, since a shorter difference may be one to another job.
fn same(
    (old, old_job): (&Chunks<'_>, usize),
    (new, new_job): (&Chunks<'_>, usize),
    context: usize,
) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let is_of_monitor = MONITORS.iter().any(|kind| old.name(old_job).contains(kind));
    let (old, new) = (old.text(old_job), new.text(new_job));
    let has_lines = old.ends_with('\n') && new.ends_with('\n');
    if !is_of_monitor || !has_lines {
        return (old == new).then(Vec::new);
    }
    let start = old.lines().zip(new.lines()).take_while(|(a, b)| a == b);
    let start: usize = start.map(|(line, _)| line.len() + 1).sum();
    let (old_rest, new_rest) = (
        old.get(start..).unwrap_or_default(),
        new.get(start..).unwrap_or_default(),
    );
    let end = old_rest
        .lines()
        .rev()
        .zip(new_rest.lines().rev())
        .take_while(|(a, b)| a == b);
    let end: usize = end.map(|(line, _)| line.len() + 1).sum();
    let middle = |rest: &str| rest.len() - end;
    let differing = middle(old_rest) + middle(new_rest);
    // What only comes or goes could be shown further up where it ends like what is in front of it.
    let moving = match (old_rest.get(..middle(old_rest))?, new_rest.get(..middle(new_rest))?) {
        ("", moving) | (moving, "") => moving.lines().next_back(),
        _ => None,
    };
    let is_movable = moving.is_some() && moving == old.get(..start)?.lines().next_back();
    if differing > old.len() / SMALL_PART || is_movable {
        return None;
    }
    let all = rules(old);
    let old_end = old.len() - end;
    let is_same = |rule: &&Range<usize>| rule.end <= start || rule.start >= old_end;
    let same: Vec<_> = all.iter().filter(is_same).collect();
    let runs = same.chunk_by(|a, b| a.end == b.start && (b.end <= start) == (a.end <= start));
    let far = |run: &[&Range<usize>]| {
        let lines = |rule: &&Range<usize>| old.get((*rule).clone()).map_or(0, |rule| rule.matches('\n').count());
        let near_start = near(run.iter().map(lines), context);
        let near_end = near(run.iter().rev().map(lines), context);
        let far = run.get(near_start..run.len().saturating_sub(near_end))?;
        let before = far.first()?.start..far.last()?.end;
        let moved = |at: usize| {
            if before.end <= start {
                at
            } else {
                at + new.len() - old.len()
            }
        };
        Some((before.clone(), moved(before.start)..moved(before.end)))
    };
    Some(runs.filter_map(far).collect())
}

/// The bytes of the rules of a job. What is deeper than a list belongs to its items.
fn rules(job: &str) -> Vec<Range<usize>> {
    let mut rules: Vec<Range<usize>> = Vec::new();
    let (mut is_in_list, mut end) = (false, 0);
    for line in job.split_inclusive('\n') {
        let start = end;
        end += line.len();
        match line.strip_prefix(RULE) {
            Some(_) if is_in_list => rules.push(start..end),
            None if is_in_list && line.starts_with(DEEPER) => {
                if let Some(rule) = rules.last_mut() {
                    rule.end = end;
                }
            }
            _ => is_in_list = LISTS.contains(&line.trim_end()),
        }
    }
    rules
}
