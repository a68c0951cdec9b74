//! What becomes of each job of two configurations that are compared.

use std::collections::HashMap;
use std::ops::Range;

use super::chunks::{Chunks, Kind};

/// What becomes of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    /// Left out, since it is the same on both sides, in the run of this number.
    Same(usize),
    /// Left out, since enough others differ. It may be the same on both sides, among others that are not.
    Beyond {
        differs: bool,
    },
}

impl Fate {
    pub(super) fn is_kept(self) -> bool {
        self == Fate::Kept
    }

    /// Whether one line stands for both of two chunks that follow one another, or both are kept.
    pub(super) fn is_left_out_with(self, next: Self) -> bool {
        match (self, next) {
            (Fate::Same(a), Fate::Same(b)) => a == b,
            (a, b) => a.is_kept() == b.is_kept(),
        }
    }
}

/// The fates of the chunks of both sides.
pub(super) fn decide(old: &Chunks<'_>, new: &Chunks<'_>, interest: Interest) -> (Vec<Fate>, Vec<Fate>) {
    let runs = runs(old, new);
    let mut fates = (vec![Fate::Kept; old.len()], vec![Fate::Kept; new.len()]);
    let end = interest.jobs.and_then(|jobs| end(old, new, &runs, jobs));
    let (old_end, new_end) = end.unwrap_or((old.len(), new.len()));
    let lines = |chunk: usize| new.lines(chunk..chunk + 1);
    for (number, run) in runs.iter().enumerate() {
        let context = interest.context.unwrap_or(usize::MAX);
        // What is beside an instance that is left out is the same, too.
        let is_inner = interest.context.is_some() && new.kind(run.new.start) == Kind::Instance;
        let is_away = is_inner || run.new.start >= new_end;
        let at_start = if is_away {
            0
        } else {
            near(run.new.clone().map(lines), context)
        };
        let at_end = if is_away {
            0
        } else {
            near(run.new.clone().rev().map(lines), context)
        };
        for place in at_start..run.new.len().saturating_sub(at_end) {
            set(&mut fates.0, run.old.start + place, Fate::Same(number));
            set(&mut fates.1, run.new.start + place, Fate::Same(number));
        }
    }
    for (chunks, fates, end) in [(old, &mut fates.0, old_end), (new, &mut fates.1, new_end)] {
        for (chunk, fate) in fates.iter_mut().enumerate().skip(end) {
            if fate.is_kept() && chunks.is_job(chunk) {
                *fate = Fate::Beyond { differs: true };
            }
        }
    }
    for run in &runs {
        if !(is_alone(&fates.0, &run.old) && is_alone(&fates.1, &run.new)) {
            for (fates, chunks) in [(&mut fates.0, &run.old), (&mut fates.1, &run.new)] {
                let chunks = fates.get_mut(chunks.clone()).into_iter().flatten();
                chunks.for_each(|fate| *fate = Fate::Beyond { differs: false });
            }
        }
    }
    fates
}

/// Number of parts, of so many lines each, that are within so many lines.
pub(super) fn near(parts: impl Iterator<Item = usize>, context: usize) -> usize {
    let mut seen: usize = 0;
    let is_near = |lines: &usize| {
        let is_near = seen <= context;
        seen += lines;
        is_near
    };
    parts.take_while(is_near).count()
}

/// Whether nothing beside some chunks is left out as something that differs; in front of the end of what is of interest it always is.
fn is_alone(fates: &[Fate], chunks: &Range<usize>) -> bool {
    let is_else = |chunk: usize| !matches!(fates.get(chunk), Some(Fate::Beyond { .. }));
    is_else(chunks.end) && chunks.start.checked_sub(1).is_none_or(is_else)
}

fn set(fates: &mut [Fate], chunk: usize, fate: Fate) {
    if let Some(place) = fates.get_mut(chunk) {
        *place = fate;
    }
}

/// Where on both sides so many jobs that differ have come; `None` where there are no more.
fn end(old: &Chunks<'_>, new: &Chunks<'_>, runs: &[Run], jobs: usize) -> Option<(usize, usize)> {
    let mut left = jobs;
    let (mut old_start, mut new_start) = (0, 0);
    let behind_all = Run {
        old: old.len()..old.len(),
        new: new.len()..new.len(),
    };
    for run in runs.iter().chain([&behind_all]) {
        let gap = Run {
            old: old_start..run.old.start,
            new: new_start..run.new.start,
        };
        let count =
            |chunks: &Chunks<'_>, range: &Range<usize>| range.clone().filter(|&chunk| chunks.is_job(chunk)).count();
        let differing = count(old, &gap.old).max(count(new, &gap.new));
        if differing > left {
            return Some(end_in(old, new, &gap, left));
        }
        left -= differing;
        (old_start, new_start) = (run.old.end, run.new.end);
    }
    None
}

/// The last place in a gap with no more chunks than so many in front of it on either side, and where no job is in front of it
/// on one side and behind it on the other.
fn end_in(old: &Chunks<'_>, new: &Chunks<'_>, gap: &Run, most: usize) -> (usize, usize) {
    let jobs = |chunks: &Chunks<'_>, range: &Range<usize>| -> Vec<usize> {
        range.clone().filter(|&chunk| chunks.is_job(chunk)).collect()
    };
    let (old_jobs, new_jobs) = (jobs(old, &gap.old), jobs(new, &gap.new));
    let places: HashMap<&str, usize> = old_jobs
        .iter()
        .enumerate()
        .map(|(place, &job)| (old.name(job), place))
        .collect();
    // Of each job of the old side, behind which place it is on the new one.
    let mut partners = vec![0; old_jobs.len()];
    let mut wanted = Vec::with_capacity(new_jobs.len());
    for (place, &job) in new_jobs.iter().enumerate() {
        let partner = places.get(new.name(job)).copied();
        wanted.push(partner.map_or(0, |partner| partner + 1));
        if let Some(of) = partner.and_then(|partner| partners.get_mut(partner)) {
            *of = place + 1;
        }
    }
    let (mut best, mut old_place, mut needed) = ((0, 0), 0, 0);
    for new_place in 0..=most.min(new_jobs.len()) {
        if let Some(last) = new_place.checked_sub(1) {
            old_place = old_place.max(wanted.get(last).copied().unwrap_or_default());
        }
        if old_place > most {
            break;
        }
        // Jobs that are on the old side only go along.
        while let Some(&partner) = partners.get(old_place)
            && partner == 0
            && old_place < most
        {
            old_place += 1;
        }
        needed = partners.iter().take(old_place).copied().fold(needed, usize::max);
        if needed <= new_place {
            best = (old_place, new_place);
        }
    }
    let chunk = |jobs: &[usize], place: usize, end: usize| jobs.get(place).copied().unwrap_or(end);
    (
        chunk(&old_jobs, best.0, gap.old.end),
        chunk(&new_jobs, best.1, gap.new.end),
    )
}

/// Items of one list that follow one another on both sides, and are the same.
struct Run {
    old: Range<usize>,
    new: Range<usize>,
}

fn runs(old: &Chunks<'_>, new: &Chunks<'_>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let kind = |chunk: usize| old.kind(chunk);
    for (old, new) in same(old, new) {
        let goes_on = |run: &Run| run.old.end == old && run.new.end == new && kind(run.old.start) == kind(old);
        match runs.last_mut() {
            Some(run) if goes_on(run) => (run.old.end, run.new.end) = (old + 1, new + 1),
            _ => runs.push(Run {
                old: old..old + 1,
                new: new..new + 1,
            }),
        }
    }
    runs
}

/// The numbers of items that are the same, as many as have the same order on both sides.
fn same(old: &Chunks<'_>, new: &Chunks<'_>) -> Vec<(usize, usize)> {
    let is_same = |&(a, b): &(usize, usize)| old.kind(a) == new.kind(b) && old.text(a) == new.text(b);
    let is_item = |&(a, _): &(usize, usize)| old.is_item(a);
    let shorter = old.len().min(new.len());
    let start = (0..shorter).zip(0..).take_while(is_same).count();
    let from_end = (0..old.len()).rev().zip((0..new.len()).rev());
    let end = from_end.take(shorter - start).take_while(is_same).count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);

    let places: HashMap<&str, usize> = (start..new_end)
        .filter(|&chunk| new.is_item(chunk))
        .map(|chunk| (new.text(chunk), chunk))
        .collect();
    let pair = |chunk: usize| Some((chunk, *places.get(old.text(chunk))?));
    let between = (start..old_end).filter(|&chunk| old.is_item(chunk)).filter_map(pair);
    let at_start = (0..start).zip(0..);
    at_start
        .filter(is_item)
        .chain(longest_rise(&between.collect::<Vec<_>>()))
        .chain((old_end..old.len()).zip(new_end..).filter(is_item))
        .collect()
}

/// The most pairs of which the second numbers rise as the first do.
fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of each length, the place of the pair with the least number that so many pairs end with.
    let mut last: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let number = |place: usize| pairs.get(place).map(|pair| pair.1);
    for (place, pair) in pairs.iter().enumerate() {
        let length = last.partition_point(|&place| number(place) < Some(pair.1));
        before.push(length.checked_sub(1).and_then(|shorter| last.get(shorter).copied()));
        match last.get_mut(length) {
            Some(least) => *least = place,
            None => last.push(place),
        }
    }
    let back = |&place: &usize| before.get(place).copied().flatten();
    let mut rise: Vec<_> = std::iter::successors(last.last().copied(), back)
        .filter_map(|place| pairs.get(place).copied())
        .collect();
    rise.reverse();
    rise
}

/// How much of two configurations is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Interest {
    /// Lines around a difference; `None` keeps all jobs that are the same.
    pub(in crate::diff) context: Option<usize>,
    /// Number of jobs that differ; `None` keeps all of them.
    pub(in crate::diff) jobs: Option<usize>,
}

impl Interest {
    pub(in crate::diff) const ALL: Self = Self {
        context: None,
        jobs: None,
    };
}
