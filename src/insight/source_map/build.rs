//! The parts of a configuration in the order of its text, each with the field that it comes from.

use super::entry::{ConfigurationPlace, Entry, InputPlace};
use super::map::{SourceMap, count};
use super::refine::Field;
use crate::api::{Kind, ObjectRef};
use crate::diagnostic::FieldPath;
use crate::insight::target::Catalogue;
use crate::plan::ScrapeJob;
use crate::source::{LineIndex, Sources};
use crate::target::agent::{Configuration, Gap, Source, append_job, job_with_layout};
use crate::yaml::{Layout, Node, Step, Style, Value, write_with_layout};

/// A part of a configuration whose origin is known. What is shown of it is put together when somebody asks.
pub struct Traced<'t, 'd> {
    /// Its first line.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// How many characters stand in front of it on its first line.
    pub(super) indent: usize,
    /// Whether it is worth a comment: a part that was made as such, not a field that was copied with others, and not from
    /// the same field as the item in front of it.
    pub(super) is_news: bool,
    pub(super) field: &'t Field<'d>,
    base: &'t str,
    path: &'t [Step<'t>],
    sources: &'d Sources,
}

impl<'d> Traced<'_, 'd> {
    /// The part as it is shown.
    pub fn entry(&self) -> Option<Entry<'d>> {
        Some(Entry {
            config: ConfigurationPlace {
                path: written(self.base, self.path),
                line: self.line,
                end_line: self.end_line,
            },
            source: self.source()?,
        })
    }

    /// What it comes from.
    pub(super) fn source(&self) -> Option<InputPlace<'d>> {
        let field = self.field;
        let source = self.sources.get(field.span.source)?;
        let end = field
            .value
            .map_or(field.span.end, |value| end(value, &source.text))
            .max(field.span.end);
        let line = source.position(field.span.start as usize).line;
        Some(InputPlace {
            file: &source.name,
            line,
            end_line: source.position(end as usize).line.max(line),
            resource: field.object,
            path: field.path.clone(),
            is_set: field.value.is_some(),
        })
    }

    /// The name of the source that it comes from.
    pub(super) fn file(&self) -> Option<&'d str> {
        self.sources
            .get(self.field.span.source)
            .map(|source| source.name.as_str())
    }
}

impl<'d> SourceMap<'_, 'd> {
    /// Passes on each part whose origin is known, and each field of it that the resource has a field for: those around
    /// others in front of them.
    pub fn each_part(&self, pass: &mut dyn FnMut(&Traced<'_, 'd>)) {
        let configuration = Configuration::new(&self.plan, self.part);
        let outline = configuration.value(&Value::clone);
        let (text, layout) = write_with_layout(&outline, Style::V3);
        let gaps = Gap::all(&text, &layout).into_iter();
        let filled: Vec<_> = gaps.map(|gap| Filled::new(gap, &configuration)).collect();
        let mut walk = Walk {
            configuration: &configuration,
            catalogue: self.catalogue,
            sources: self.sources,
            root: None,
            job_before: None,
            pass,
        };
        walk.section(&Lines::new(&text, 0, &filled), &layout, None);
    }
}

/// A place for jobs, and how many lines these have.
struct Filled {
    gap: Gap,
    lines: u32,
}

impl Filled {
    fn new(gap: Gap, configuration: &Configuration<'_, '_>) -> Self {
        let (mut lines, mut text) = (0, String::new());
        configuration.each_job(gap.instance, &mut |_, job| {
            text.clear();
            append_job(&mut text, &job);
            lines += count(&text);
        });
        Self { gap, lines }
    }
}

/// A text among others.
struct Lines<'w> {
    text: &'w str,
    index: LineIndex,
    /// How many lines are above it.
    above: u32,
    /// What is filled in.
    filled: &'w [Filled],
}

impl<'w> Lines<'w> {
    fn new(text: &'w str, above: u32, filled: &'w [Filled]) -> Self {
        let index = LineIndex::new(text);
        Self {
            text,
            index,
            above,
            filled,
        }
    }

    /// The line of a byte, from 1, and how many characters stand in front of it there.
    fn position(&self, at: usize) -> (u32, usize) {
        let before = self.filled.iter().take_while(|filled| filled.gap.bytes.end <= at);
        let filled: u32 = before.map(|filled| filled.lines).sum();
        let position = self.index.position(self.text, at);
        (self.above + filled + position.line, position.column as usize - 1)
    }
}

/// A job that is walked, and what it is made from.
struct Job<'w, 'd> {
    from: Option<&'w ScrapeJob<'d>>,
    instance: usize,
    /// The written way to it.
    base: String,
    /// The field that the list around it comes from.
    list: Option<&'w Field<'d>>,
}

struct Walk<'w, 'p, 'd> {
    configuration: &'w Configuration<'p, 'd>,
    catalogue: &'w Catalogue<'w, 'd>,
    sources: &'d Sources,
    /// The object that was looked up last, which is mostly the next one, too.
    root: Option<(ObjectRef<'d>, Node<'d>)>,
    /// What the job in front is made from.
    job_before: Option<Field<'d>>,
    pass: &'w mut dyn FnMut(&Traced<'_, 'd>),
}

/// What is known of a node of a layout.
#[derive(Default)]
struct Known<'d> {
    field: Option<Field<'d>>,
    /// Of a list: what the last item was made from.
    last_made: Option<Field<'d>>,
}

impl<'d> Walk<'_, '_, 'd> {
    /// Passes on the parts of some lines: the outline, or a job.
    fn section(&mut self, lines: &Lines<'_>, layout: &Layout<'_>, job: Option<&Job<'_, 'd>>) {
        let mut known: Vec<Known<'d>> = Vec::with_capacity(layout.nodes.len());
        let base = job.map_or("", |job| &job.base);
        // Of a job, the list is known already, and so is the step into it.
        let done = usize::from(job.is_some());
        if let Some(job) = job {
            known.push(Known {
                field: job.list.cloned(),
                last_made: self.job_before.take(),
            });
        }
        let mut path = Vec::new();
        for (number, node) in layout.nodes.iter().enumerate().skip(done) {
            layout.path_to(number, &mut path);
            let steps = path.get(done..).unwrap_or_default();
            let origin = match job {
                Some(job) => self.configuration.origin_in_job(job.instance, job.from, steps),
                None => self.configuration.origin(steps),
            };
            let made_from = origin.and_then(|origin| self.field(origin));
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
                let (line, indent) = lines.position(node.bytes.start);
                (self.pass)(&Traced {
                    line,
                    end_line: lines.position(node.bytes.end).0,
                    indent,
                    is_news,
                    field,
                    base,
                    path: steps,
                    sources: self.sources,
                });
            }
            if let Some(filled) = lines.filled.iter().find(|filled| filled.gap.list == number) {
                let above = lines.position(filled.gap.bytes.start).0;
                self.jobs(filled.gap.instance, above, &written("", steps), field.as_ref());
            }
            let last_made = None;
            known.push(Known { field, last_made });
        }
        self.job_before = known.into_iter().next().and_then(|list| list.last_made);
    }

    /// Passes on the parts of the jobs of an instance, which begin under this line.
    fn jobs(&mut self, instance: usize, mut above: u32, list_path: &str, list: Option<&Field<'d>>) {
        let (configuration, mut number) = (self.configuration, 0);
        self.job_before = None;
        configuration.each_job(instance, &mut |from, value| {
            let (text, layout) = job_with_layout(&value);
            let base = format!("{list_path}[{number}]");
            let job = Job {
                from,
                instance,
                base,
                list,
            };
            self.section(&Lines::new(&text, above, &[]), &layout, Some(&job));
            above += count(&text);
            number += 1;
        });
    }

    /// The field of an origin. Of a key of a Secret that stands in `stringData`, that one counts.
    fn field(&mut self, (object, path): Source<'d>) -> Option<Field<'d>> {
        let root = match self.root {
            Some((last, root)) if last == object => root,
            _ => self.catalogue.root(&object)?,
        };
        self.root = Some((object, root));
        let plain = || {
            let key = path.last_key().filter(|_| object.kind == Kind::Secret)?;
            let path = FieldPath::of("stringData").key(key.to_owned());
            path.find(root).map(|_| path)
        };
        let path = plain().unwrap_or(path);
        Some(Field::new(object, root, &path))
    }
}

/// Where a value ends, without what is empty behind it.
fn end(value: Node<'_>, text: &str) -> u32 {
    let end = value.span().end;
    let text = text.get(..end as usize).unwrap_or_default();
    u32::try_from(text.trim_end().len()).unwrap_or(end)
}

/// A path and further steps as [`FieldPath`] writes them.
fn written(base: &str, steps: &[Step<'_>]) -> String {
    let mut path = base.to_owned();
    for step in steps {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.extend([".", key]),
            Step::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}
