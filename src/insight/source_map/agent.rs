//! The parts of `agent.yml` in the order of its text.

use std::rc::Rc;

use super::field::{Field, written};
use super::gaps::Gaps;
use super::map::{Passage, SourceMap, count};
use super::walk::{Known, Lines, Walk};
use crate::plan::{ScrapeJob, Secrets};
use crate::target::agent::{Configuration, Gap, InstanceNumber, job_with_layout};
use crate::yaml::{Layout, Step, Style, write_with_layout};

impl<'d> SourceMap<'_, 'd> {
    /// Passes on the parts of `agent.yml` and its lines, and says whether any secret is hidden.
    pub(super) fn each_passage_of_agent(&self, secrets: Secrets, pass: &mut dyn FnMut(Passage<'_, 'd>)) -> bool {
        let configuration = Configuration::new(&self.plan, self.part, secrets);
        let outline = configuration.outline();
        let (text, layout) = write_with_layout(&outline, Style::V3);
        let gaps = Gaps::new(&configuration, Gap::all(&text, &layout));
        let walk = Walk {
            catalogue: self.catalogue,
            sources: self.sources,
            part: self.part,
            pass,
        };
        let mut walk = AgentWalk {
            configuration: &configuration,
            walk,
            outline: &text,
            passed: 0,
            job_before: None,
        };
        walk.section(&Lines::new(&text, 0, Some(&gaps)), &layout, None);
        walk.outline_up_to(text.len());
        configuration.has_hidden()
    }
}

/// A job that is walked, and what it is made from.
struct Job<'w, 'd> {
    from: Option<&'w ScrapeJob<'d>>,
    instance: InstanceNumber,
    /// The written way to it.
    base: String,
    /// The field that the list around it comes from.
    list: Option<&'w Rc<Field<'d>>>,
}

struct AgentWalk<'w, 'p, 'd> {
    configuration: &'w Configuration<'p, 'd>,
    walk: Walk<'w, 'd>,
    outline: &'w str,
    /// So many bytes of the outline are passed on.
    passed: usize,
    /// What the job in front is made from.
    job_before: Option<Rc<Field<'d>>>,
}

impl<'d> AgentWalk<'_, '_, 'd> {
    /// Passes on the parts of some lines: the outline, or a job.
    fn section(&mut self, lines: &Lines<'_>, layout: &Layout<'_>, job: Option<&Job<'_, 'd>>) {
        let mut known: Vec<Known<'d>> = Vec::with_capacity(layout.nodes.len());
        let base = job.map_or("", |job| &job.base);
        // Of a job, the list is known already, and so is the step into it.
        let done = usize::from(job.is_some());
        known.extend(job.map(|job| Known {
            depth: 0,
            field: job.list.cloned(),
            last_made: self.job_before.take(),
        }));
        let mut path = Vec::new();
        for (number, node) in layout.nodes.iter().enumerate().skip(done) {
            let around = node
                .parent
                .and_then(|(parent, step)| Some((known.get_mut(parent)?, step)));
            let (around, step) = around.unzip();
            if let Some(around) = &around {
                path.truncate(around.depth);
            }
            path.extend(step);
            let steps = path.get(done..).unwrap_or_default();
            let origin = match job {
                Some(job) => self.configuration.origin_in_job(job.instance, job.from, steps),
                None => self.configuration.origin(steps),
            };
            let is_item = matches!(step, Some(Step::Index(_)));
            let refine = |field: &Rc<Field<'d>>| field.step(step?);
            let (field, is_news) = self.walk.field(origin, around, is_item, refine);
            if let Some(field) = &field {
                self.walk.part(lines, &node.bytes, (field, is_news), (base, steps));
            }
            if let Some(gaps) = lines.gaps
                && let Some(gap) = gaps.of_list(number)
            {
                let above = lines.line(gap.bytes.start);
                let end = self.jobs(gap, above, &written("", steps.iter().copied()), field.as_ref());
                gaps.note(gap, end - above);
            }
            known.push(Known {
                depth: path.len(),
                field,
                last_made: None,
            });
        }
        self.job_before = known.into_iter().next().and_then(|list| list.last_made);
    }

    /// Passes on the parts of the jobs of an instance, which begin under this line. Returns their last line.
    fn jobs(&mut self, gap: &Gap, mut above: u32, list_path: &str, list: Option<&Rc<Field<'d>>>) -> u32 {
        let mut number = 0;
        self.job_before = None;
        self.configuration.each_job(gap.instance, &mut |from, value| {
            if number == 0 {
                self.outline_up_to(gap.bytes.start);
                self.passed = gap.bytes.end + 1;
            }
            let (text, layout) = job_with_layout(&value);
            let job = Job {
                from,
                instance: gap.instance,
                base: format!("{list_path}[{number}]"),
                list,
            };
            self.section(&Lines::new(&text, above, None), &layout, Some(&job));
            above += count(&text);
            number += 1;
            (self.walk.pass)(Passage::Lines(&text));
        });
        above
    }

    /// Passes on the next lines of the outline.
    fn outline_up_to(&mut self, end: usize) {
        let lines = self.outline.get(self.passed..end).unwrap_or_default();
        (self.walk.pass)(Passage::Lines(&format!("{lines}\n")));
    }
}
