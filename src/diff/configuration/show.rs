//! Configurations as they are shown: without their secrets.

use std::collections::HashMap;
use std::ops::Range;

use super::align::Piece;
use super::chunks::{Chunks, Kind, new_lines};
use super::excerpt::{Excerpt, Shown};
use super::reading::{MAX_COMPARED, Reading, Shape};
use super::selection::{Show, Sides};
use crate::diff::masked::{AFTER, BEFORE, mask};
use crate::diff::unified::Part;
use crate::secrecy::{
    AlloySecret, Judge, OpenLines, alloy_secrets, is_name_of_monitor, tells_a_secret, without_secrets,
};

/// Configurations of the agent. What is not in their jobs is read at once, and of each job what is shown.
pub(super) struct Agent<'t> {
    texts: [&'t str; 2],
    outlines: [Shown; 2],
    /// Of what is in jobs; `None` where secrets are shown.
    judge: Option<Judge>,
    /// Lines of a job in which nothing is secret.
    open: String,
    /// The texts of a job that are shown as they are.
    plain: [String; 2],
}

impl<'t> Agent<'t> {
    /// `None` where the text without the jobs is not a configuration, or is written in another way than the operator does.
    pub(super) fn of(texts: [Option<&'t str>; 2], chunks: [&Chunks<'_>; 2], is_masked: bool) -> Option<Self> {
        let [old, new] = chunks.map(Excerpt::without_jobs);
        let reading = Reading {
            shape: Shape::Configuration,
            is_exact: true,
            is_pair: true,
        };
        let judge = |shape: Shape| is_masked.then(|| shape.judge());
        let [before, after] = texts;
        let shown = [before.map(|_| old.text.as_str()), after.map(|_| new.text.as_str())];
        let [old_shown, new_shown] = reading.masked(shown, judge(Shape::Configuration).as_mut())?;
        Some(Self {
            texts: texts.map(Option::unwrap_or_default),
            outlines: [old.shown(old_shown), new.shown(new_shown)],
            judge: judge(Shape::Job),
            open: String::new(),
            plain: Default::default(),
        })
    }

    fn job(&mut self, piece: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>> {
        let [old, new] = self.texts;
        let wanted = |side: fn(&Sides) -> &Range<usize>| stretches.iter().map(side).collect::<Vec<_>>();
        let before = Excerpt::of_job(old, &piece.old, &wanted(|[old, _]| old));
        let after = match piece.changes.is_empty() {
            true => Excerpt::default(),
            false => Excerpt::of_job(new, &piece.new, &wanted(|[_, new]| new)),
        };
        let [old, new] = self.masked(piece, [&before.text, &after.text])?;
        Some(lines(&[before.shown(old), after.shown(new)], stretches))
    }

    /// A job that was made of a Secret is shown as a whole.
    fn secret(&mut self, piece: &Piece) -> Option<Vec<[String; 2]>> {
        let [old, new] = self.texts;
        let is_same = piece.changes.is_empty();
        let [old, new] = [
            old.get(piece.old.clone())?,
            new.get(piece.new.clone()).filter(|_| !is_same).unwrap_or_default(),
        ];
        Some(vec![self.masked(piece, [old, new])?])
    }

    /// The texts of a job as they are shown, of which either may be empty. The new one is as the operator writes it, and is read
    /// only where it may hold a secret.
    fn masked(&mut self, piece: &Piece, [before, after]: [&str; 2]) -> Option<[String; 2]> {
        let [old, new] = &self.plain;
        let is_job = piece.kind == Kind::Job;
        // Mostly the same differs in all jobs.
        if is_job && differ_by_name(before, old) && differ_by_name(after, new) {
            return Some([before, after].map(str::to_owned));
        }
        let is_shown = is_job && !after.is_empty() && self.is_open(after);
        let reading = Reading {
            shape: Shape::Job,
            is_exact: is_job,
            is_pair: piece.has_one_name,
        };
        let texts = [before, if is_shown { "" } else { after }];
        let texts = texts.map(|text| Some(text).filter(|text| !text.is_empty()));
        let [shown, read] = reading.masked(texts, self.judge.as_mut())?;
        let shown = [shown, if is_shown { after.to_owned() } else { read }];
        if shown == [before, after] {
            self.plain.clone_from(&shown);
        }
        Some(shown)
    }

    /// Whether nothing in some lines is secret, whatever is around them.
    fn is_open(&mut self, text: &str) -> bool {
        let Some(judge) = &mut self.judge else { return true };
        let is_open = new_lines(text, &self.open).all(|line| judge.finds_nothing(line));
        if is_open {
            text.clone_into(&mut self.open);
        }
        is_open
    }
}

/// Whether two texts of jobs differ by nothing but the name that the operator gives to the job of a monitor.
fn differ_by_name(job: &str, other: &str) -> bool {
    let around = around_name(job);
    around.is_some() && around == around_name(other)
}

/// What is in front of the name of a job and behind it, where that is the name of a monitor and stands for itself.
fn around_name(job: &str) -> Option<[&str; 2]> {
    let (before, rest) = job.split_once("job_name: ")?;
    let (name, after) = rest.split_once('\n')?;
    let is_field = ["\n              ", "            - "]
        .iter()
        .any(|start| before.ends_with(start));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let is_open = is_name_of_monitor(name) && name.bytes().all(is_plain) && !tells_a_secret(name);
    (is_field && is_open).then_some([before, after])
}

impl Show for Agent<'_> {
    fn show(&mut self, piece: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>> {
        match piece.kind {
            Kind::Outline => Some(lines(&self.outlines, stretches)),
            Kind::Job => self.job(piece, stretches),
            Kind::Secret => self.secret(piece),
        }
    }
}

/// The texts of some stretches.
fn lines([old, new]: &[Shown; 2], stretches: &[Sides]) -> Vec<[String; 2]> {
    let shown = |[before, after]: &Sides| [old.lines(before), new.lines(after)];
    stretches.iter().map(shown).collect()
}

/// Configurations of Alloy, whose secrets are each on one line.
pub(super) struct Alloy<'t> {
    texts: [Option<&'t str>; 2],
    secrets: [&'t [AlloySecret]; 2],
    values: [HashMap<&'t str, &'t str>; 2],
}

impl<'t> Alloy<'t> {
    /// Both texts and their secrets.
    pub(super) fn of(texts: [Option<&'t str>; 2], secrets: [&'t [AlloySecret]; 2]) -> Self {
        let [old, new] = texts;
        Self {
            texts,
            secrets,
            values: [values(secrets[0], old), values(secrets[1], new)],
        }
    }

    /// The secrets of a text; `None` where it is not a configuration.
    pub(super) fn secrets(text: Option<&str>, is_masked: bool) -> Option<Vec<AlloySecret>> {
        text.filter(|_| is_masked).map_or(Some(Vec::new()), alloy_secrets)
    }

    /// Both texts; `None` where one is too long to be compared.
    pub(super) fn whole(&self) -> Option<Part> {
        let texts = self.texts.map(Option::unwrap_or_default);
        let is_comparable = texts.iter().all(|text| text.len() as u64 <= MAX_COMPARED.0);
        let [before, after] = self.shown(&texts.map(|text| 0..text.len()));
        is_comparable.then_some(Part::Pair(before, after))
    }

    fn shown(&self, [old, new]: &Sides) -> [String; 2] {
        let ([before, after], [old_secrets, new_secrets]) = (self.texts.map(Option::unwrap_or_default), self.secrets);
        let [old_values, new_values] = &self.values;
        let other = |others: &HashMap<&str, &'t str>, secret: &AlloySecret| others.get(secret.path.as_str()).copied();
        [
            without_secrets(before, old.clone(), old_secrets, |secret, value| {
                mask(&value, other(new_values, secret).as_ref(), BEFORE)
            }),
            without_secrets(after, new.clone(), new_secrets, |secret, value| {
                mask(&value, other(old_values, secret).as_ref(), AFTER)
            }),
        ]
    }
}

impl Show for Alloy<'_> {
    fn show(&mut self, _: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>> {
        Some(stretches.iter().map(|sides| self.shown(sides)).collect())
    }
}

/// Whether nothing is secret in two configurations of Alloy: in the new one, which is as `target` wrote it, and in the components
/// that the old one has instead, each of which can be read by itself.
pub(super) fn are_open([old, new]: &[Chunks<'_>; 2], pieces: &[Piece]) -> bool {
    let (mut judge, mut last) = (OpenLines::default(), HashMap::new());
    let mut is_open = |text| {
        let component = str::split(text, ' ').next();
        let known = last.insert(component, text).unwrap_or_default();
        new_lines(text, known).all(|line| judge.is_open(line.trim_end_matches('\n')))
    };
    let mut old_ones = pieces.iter().filter(|piece| !piece.changes.is_empty());
    new.all.iter().all(|chunk| is_open(new.text(&chunk.bytes)))
        && old_ones.all(|piece| alloy_secrets(old.text(&piece.old)).is_some_and(|secrets| secrets.is_empty()))
}

/// The values at the paths of secrets.
fn values<'t>(secrets: &'t [AlloySecret], text: Option<&'t str>) -> HashMap<&'t str, &'t str> {
    let value = |secret: &'t AlloySecret| Some((secret.path.as_str(), text?.get(secret.bytes.clone())?));
    secrets.iter().filter_map(value).collect()
}
