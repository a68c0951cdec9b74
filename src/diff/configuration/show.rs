//! Configurations as they are shown: without their secrets.

use std::collections::HashMap;
use std::ops::Range;

use super::align::Piece;
use super::chunks::{Chunks, Kind, lines};
use super::job::Excerpt;
use super::reading::{MAX_COMPARED, Reading, Shape};
use super::selection::{Show, Sides};
use crate::diff::masked::{AFTER, BEFORE, mask};
use crate::diff::unified::Part;
use crate::secrecy::{AlloySecret, Judge, alloy_secrets, without_secrets};

/// In the place of the jobs of a list, so that there is a line where the list is secret as a whole.
const JOBS: &str = "            - {}\n";

/// Configurations of the agent. What is not in their jobs is read at once, and of each job what is shown.
pub(super) struct Agent<'t> {
    sides: [(&'t str, Outline); 2],
    /// Of what is in jobs; `None` where secrets are shown.
    judge: Option<Judge>,
}

impl<'t> Agent<'t> {
    /// `None` where the text without the jobs is not a configuration, or is written in another way than the operator does.
    pub(super) fn of(texts: [Option<&'t str>; 2], chunks: [&Chunks<'_>; 2], is_masked: bool) -> Option<Self> {
        let [old, new] = chunks.map(Outline::of);
        let reading = Reading {
            shape: Shape::Configuration,
            is_exact: true,
            is_pair: true,
        };
        let judge = |shape: Shape| is_masked.then(|| shape.judge());
        let [before, after] = texts;
        let shown = [before.map(|_| old.text.as_str()), after.map(|_| new.text.as_str())];
        let [old_shown, new_shown] = reading.masked(shown, judge(Shape::Configuration).as_mut())?;
        let side = |text: Option<&'t str>, outline: Outline, shown| (text.unwrap_or_default(), outline.shown(shown));
        Some(Self {
            sides: [side(before, old, old_shown), side(after, new, new_shown)],
            judge: judge(Shape::Job),
        })
    }

    fn outline(&self, piece: &Piece, stretches: &[Sides]) -> Vec<[String; 2]> {
        let [(before, old), (after, new)] = &self.sides;
        let shown = |[a, b]: &Sides| [old.lines(before, &piece.old, a), new.lines(after, &piece.new, b)];
        stretches.iter().map(shown).collect()
    }

    fn job(&mut self, piece: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>> {
        let [(old, _), (new, _)] = self.sides;
        let excerpt = |text: &str, of: &Range<usize>, side: fn(&Sides) -> &Range<usize>| {
            let wanted = stretches.iter().map(|sides| of_chunk(side(sides), of));
            Excerpt::of(text.get(of.clone()).unwrap_or_default(), &wanted.collect::<Vec<_>>())
        };
        let before = excerpt(old, &piece.old, |[old, _]| old);
        let after = match piece.changes.is_empty() {
            true => Excerpt::default(),
            false => excerpt(new, &piece.new, |[_, new]| new),
        };
        let [old_text, new_text] = self.masked(piece, [&before.text, &after.text])?;
        let lines = |text: &str, numbers: Range<usize>| -> String {
            text.split_inclusive('\n')
                .skip(numbers.start)
                .take(numbers.len())
                .collect()
        };
        let shown = |[old, new]: &Sides| {
            let (old, new) = (of_chunk(old, &piece.old), of_chunk(new, &piece.new));
            [
                lines(&old_text, before.lines(&old)),
                lines(&new_text, after.lines(&new)),
            ]
        };
        Some(stretches.iter().map(shown).collect())
    }

    /// A job that was made of a Secret is shown as a whole.
    fn secret(&mut self, piece: &Piece) -> Option<Vec<[String; 2]>> {
        let [(old, _), (new, _)] = self.sides;
        let is_same = piece.changes.is_empty();
        let [old, new] = [
            old.get(piece.old.clone())?,
            new.get(piece.new.clone()).filter(|_| !is_same).unwrap_or_default(),
        ];
        Some(vec![self.masked(piece, [old, new])?])
    }

    /// The texts of a job as they are shown, of which either may be empty.
    fn masked(&mut self, piece: &Piece, texts: [&str; 2]) -> Option<[String; 2]> {
        let reading = Reading {
            shape: Shape::Job,
            is_exact: piece.kind == Kind::Job,
            is_pair: piece.has_one_name,
        };
        let texts = texts.map(|text| Some(text).filter(|text| !text.is_empty()));
        reading.masked(texts, self.judge.as_mut())
    }
}

impl Show for Agent<'_> {
    fn show(&mut self, piece: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>> {
        match piece.kind {
            Kind::Outline => Some(self.outline(piece, stretches)),
            Kind::Job => self.job(piece, stretches),
            Kind::Secret => self.secret(piece),
        }
    }
}

/// Bytes of a configuration as those of a chunk of it.
fn of_chunk(bytes: &Range<usize>, chunk: &Range<usize>) -> Range<usize> {
    bytes.start - chunk.start..bytes.end - chunk.start
}

/// A configuration without its jobs.
#[derive(Default)]
struct Outline {
    text: String,
    /// Where each of its lines ends.
    ends: Vec<usize>,
    /// Of each chunk, the byte in the configuration and the number of the line here where it starts.
    starts: Vec<(usize, usize)>,
}

impl Outline {
    fn of(chunks: &Chunks<'_>) -> Self {
        let mut outline = Self::default();
        let (mut number, mut is_in_jobs) = (0, false);
        for chunk in &chunks.all {
            let is_job = chunk.kind != Kind::Outline;
            let text = match is_job {
                true if is_in_jobs => "",
                true => JOBS,
                false => chunks.text(&chunk.bytes),
            };
            is_in_jobs = is_job;
            outline.starts.push((chunk.bytes.start, number));
            outline.text.push_str(text);
            number += lines(text);
        }
        outline
    }

    /// The same with the text as it is shown, which has the same lines.
    fn shown(self, text: String) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1).collect();
        Self { text, ends, ..self }
    }

    /// The lines at some bytes of a chunk of the configuration.
    fn lines(&self, configuration: &str, chunk: &Range<usize>, bytes: &Range<usize>) -> String {
        let place = self.starts.partition_point(|(start, _)| *start < chunk.start);
        let first = self.starts.get(place).map_or(0, |(_, line)| *line);
        let lines = |bytes: Range<usize>| lines(configuration.get(bytes).unwrap_or_default());
        let start = first + lines(chunk.start..bytes.start);
        let at = |line: usize| {
            line.checked_sub(1)
                .and_then(|before| self.ends.get(before))
                .map_or(0, |end| *end)
        };
        let text = self.text.get(at(start)..at(start + lines(bytes.clone())));
        text.unwrap_or_default().to_owned()
    }
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

/// The values at the paths of secrets.
fn values<'t>(secrets: &'t [AlloySecret], text: Option<&'t str>) -> HashMap<&'t str, &'t str> {
    let value = |secret: &'t AlloySecret| Some((secret.path.as_str(), text?.get(secret.bytes.clone())?));
    secrets.iter().filter_map(value).collect()
}
