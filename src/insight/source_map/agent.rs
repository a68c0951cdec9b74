//! The parts of `agent.yml` in the order of its text.

use std::rc::Rc;

use super::map::{Passage, SourceMap, count};
use super::refine::{Field, Fields};
use super::traced::{Traced, written};
use crate::plan::Secrets;
use crate::source::Sources;
use crate::target::agent::{Configuration, Gap, InstanceNumber, JobSource, OutlinePart, job_with_layout};
use crate::yaml::{Layout, Step, Style, write_with_layout};

impl<'d> SourceMap<'_, 'd> {
    /// Passes on the parts of `agent.yml` and its lines, and says whether any secret is hidden.
    pub(super) fn each_passage_of_agent(&self, secrets: Secrets, pass: &mut dyn FnMut(Passage<'_, 'd>)) -> bool {
        let configuration = Configuration::new(&self.plan, self.part, secrets);
        let outline = configuration.outline();
        let mut outline_lines = Vec::new();
        configuration.each_part(&outline, &mut |part| {
            if let OutlinePart::Lines(lines) = part {
                outline_lines.push(lines.to_owned());
            }
        });
        let mut outline_lines = outline_lines.into_iter();
        let (text, layout) = write_with_layout(&outline, Style::V3);
        let gaps = Gaps::new(&configuration, Gap::all(&text, &layout));
        let mut walk = Walk {
            configuration: &configuration,
            fields: Fields::new(self.catalogue),
            sources: self.sources,
            job_before: None,
            outline_lines: &mut outline_lines,
            pass,
        };
        walk.section(&mut Lines::new(&text, 0, Some(&gaps)), &layout, None);
        outline_lines.for_each(|lines| pass(Passage::Lines(&lines)));
        configuration.has_hidden()
    }
}

/// The places for jobs in an outline.
pub(super) struct Gaps {
    gaps: Vec<Gap>,
    /// Number of lines of all jobs up to the end of each place.
    lines: Vec<u32>,
}

impl Gaps {
    fn new(configuration: &Configuration<'_, '_>, gaps: Vec<Gap>) -> Self {
        let mut lines = 0;
        let ends = gaps.iter().map(|gap| {
            configuration.each_text(gap.instance, &mut |text| lines += count(text));
            lines
        });
        Self {
            lines: ends.collect(),
            gaps,
        }
    }

    /// The place for the jobs of a list, by the number of its node.
    fn of_list(&self, node: usize) -> Option<&Gap> {
        let number = self.gaps.binary_search_by_key(&node, |gap| gap.list).ok()?;
        self.gaps.get(number)
    }

    /// Number of lines of the jobs in front of a byte of the outline.
    fn lines_before(&self, at: usize) -> u32 {
        let places = self.gaps.partition_point(|gap| gap.bytes.end <= at);
        let last = places.checked_sub(1).and_then(|last| self.lines.get(last));
        last.copied().unwrap_or_default()
    }
}

/// A text among others.
pub(super) struct Lines<'w> {
    pub(super) text: &'w str,
    /// A place in it, and the number of its line, counted from the first one of all texts.
    at: (usize, u32),
    /// The places in it that are filled with others.
    gaps: Option<&'w Gaps>,
}

impl<'w> Lines<'w> {
    /// A text with so many lines above it.
    pub(super) fn new(text: &'w str, above: u32, gaps: Option<&'w Gaps>) -> Self {
        let at = (0, above + 1);
        Self { text, at, gaps }
    }

    /// Goes on to a place. Returns how many characters stand in front of it on its line.
    pub(super) fn advance(&mut self, to: usize) -> usize {
        let (from, line) = self.at;
        self.at = (to, line + self.breaks(from, to));
        let before = self.text.get(..to).unwrap_or_default();
        let line = before.rfind('\n').and_then(|end| before.get(end + 1..));
        line.unwrap_or(before).chars().count()
    }

    fn breaks(&self, from: usize, to: usize) -> u32 {
        self.text.get(from..to).map_or(0, count)
    }

    /// The line of a place that is not in front of the one that was advanced to.
    pub(super) fn line(&self, at: usize) -> u32 {
        let filled = self.gaps.map_or(0, |gaps| gaps.lines_before(at));
        let (from, line) = self.at;
        line + filled + self.breaks(from, at)
    }
}

/// A job that is walked, and what it is made from.
struct Job<'w, 'd> {
    from: JobSource<'w, 'd>,
    instance: InstanceNumber,
    /// The written way to it.
    base: String,
    /// The field that the list around it comes from.
    list: Option<&'w Rc<Field<'d>>>,
}

struct Walk<'w, 'p, 'd> {
    configuration: &'w Configuration<'p, 'd>,
    fields: Fields<'w, 'd>,
    sources: &'d Sources,
    /// What the job in front is made from.
    job_before: Option<Rc<Field<'d>>>,
    /// The lines of the outline up to the next jobs, and so on.
    outline_lines: &'w mut dyn Iterator<Item = String>,
    pass: &'w mut dyn FnMut(Passage<'_, 'd>),
}

/// What is known of a node of a layout.
struct Known<'d> {
    /// How many steps lead to it.
    depth: usize,
    field: Option<Rc<Field<'d>>>,
    /// Of a list: what the last item was made from.
    last_made: Option<Rc<Field<'d>>>,
}

impl<'d> Walk<'_, '_, 'd> {
    /// Passes on the parts of some lines: the outline, or a job.
    fn section(&mut self, lines: &mut Lines<'_>, layout: &Layout<'_>, job: Option<&Job<'_, 'd>>) {
        let mut known: Vec<Known<'d>> = Vec::with_capacity(layout.nodes.len());
        let base = job.map_or("", |job| &job.base);
        // Of a job, the list is known already, and so is the step into it.
        let done = usize::from(job.is_some());
        if let Some(job) = job {
            known.push(Known {
                depth: 0,
                field: job.list.cloned(),
                last_made: self.job_before.take(),
            });
        }
        let mut path = Vec::new();
        for (number, node) in layout.nodes.iter().enumerate().skip(done) {
            if let Some((parent, step)) = node.parent {
                path.truncate(known.get(parent).map_or(0, |parent| parent.depth));
                path.push(step);
            }
            let steps = path.get(done..).unwrap_or_default();
            let origin = match job {
                Some(job) => self.configuration.origin_in_job(job.instance, job.from, steps),
                None => self.configuration.origin(steps),
            };
            let made_from = origin.and_then(|origin| self.fields.of(&origin));
            let is_made = made_from.is_some();
            let refined = || {
                let (parent, step) = node.parent?;
                known.get(parent)?.field.as_ref()?.step(step)
            };
            let field = made_from.or_else(refined);
            let mut is_news = is_made;
            if let (true, Some((list, Step::Index(_)))) = (is_made, node.parent)
                && let Some(list) = known.get_mut(list)
            {
                is_news = list.last_made != field;
                list.last_made.clone_from(&field);
            }
            if let Some(field) = &field {
                let indent = lines.advance(node.bytes.start);
                (self.pass)(Passage::Part(&Traced {
                    line: lines.line(node.bytes.start),
                    end_line: &|| lines.line(node.bytes.end),
                    indent,
                    is_news,
                    field,
                    base,
                    path: steps,
                    sources: self.sources,
                }));
            }
            if let Some(gap) = lines.gaps.and_then(|gaps| gaps.of_list(number)) {
                let above = lines.line(gap.bytes.start);
                self.jobs(gap.instance, above, &written("", steps), field.as_ref());
            }
            known.push(Known {
                depth: path.len(),
                field,
                last_made: None,
            });
        }
        self.job_before = known.into_iter().next().and_then(|list| list.last_made);
    }

    /// Passes on the parts of the jobs of an instance, which begin under this line.
    fn jobs(&mut self, instance: InstanceNumber, mut above: u32, list_path: &str, list: Option<&Rc<Field<'d>>>) {
        let (configuration, mut number) = (self.configuration, 0);
        self.job_before = None;
        configuration.each_job(instance, &mut |from, value| {
            if number == 0 {
                self.outline_lines
                    .next()
                    .iter()
                    .for_each(|lines| (self.pass)(Passage::Lines(lines)));
            }
            let (text, layout) = job_with_layout(&value);
            let base = format!("{list_path}[{number}]");
            let job = Job {
                from,
                instance,
                base,
                list,
            };
            self.section(&mut Lines::new(&text, above, None), &layout, Some(&job));
            above += count(&text);
            number += 1;
            (self.pass)(Passage::Lines(&text));
        });
    }
}
