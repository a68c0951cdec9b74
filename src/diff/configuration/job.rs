//! Some lines of a scrape job, with as much around them as it takes to read them.

use std::ops::Range;

use super::chunks::lines;

/// How a field of a job begins, and an item of a list in one.
const FIELD: &str = "              ";
const ITEM: &str = "                - ";

/// Fields that decide what else of a job is secret.
const NAMES: [&str; 4] = ["job_name: ", "name: ", "targetLabel: ", "target_label: "];

/// A job with some of its fields, and in their lists some of the items.
#[derive(Default)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The bytes of the whole job in it, and where each of these stretches starts in the text.
    stretches: Vec<(Range<usize>, usize)>,
}

impl Excerpt {
    /// The excerpt with these bytes of a job, which are whole lines; nothing where there are none.
    pub(super) fn of(job: &str, wanted: &[Range<usize>]) -> Self {
        let mut excerpt = Self::default();
        if wanted.iter().all(Range::is_empty) {
            return excerpt;
        }
        let mut field = None;
        for part in parts(job) {
            let overlaps = |range: &Range<usize>| part.bytes.start < range.end && range.start < part.bytes.end;
            let is_wanted = part.bytes.start == 0 || part.is_name || wanted.iter().any(overlaps);
            match part.is_item {
                false => field = Some(part.bytes.clone()).filter(|_| !is_wanted),
                true if is_wanted => field.take().into_iter().for_each(|field| excerpt.push(job, field)),
                true => {}
            }
            if is_wanted {
                excerpt.push(job, part.bytes);
            }
        }
        excerpt
    }

    fn push(&mut self, job: &str, bytes: Range<usize>) {
        self.stretches.push((bytes.clone(), self.text.len()));
        self.text.push_str(job.get(bytes).unwrap_or_default());
    }

    /// The numbers of the lines of some bytes of the whole job, which are in the excerpt.
    pub(super) fn lines(&self, bytes: &Range<usize>) -> Range<usize> {
        let next = self
            .stretches
            .partition_point(|(stretch, _)| stretch.start <= bytes.start);
        let stretch = next.checked_sub(1).and_then(|last| self.stretches.get(last));
        let start = stretch.map_or(0, |(stretch, at)| at + bytes.start - stretch.start);
        let count = |bytes| lines(self.text.get(bytes).unwrap_or_default());
        let first = count(0..start);
        first..first + count(start..start + bytes.len())
    }
}

/// A field of a job up to the end of the first item in it, or another item.
struct Part {
    bytes: Range<usize>,
    is_item: bool,
    is_name: bool,
}

fn parts(job: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut has_item, mut end) = (false, 0);
    for line in job.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let field = line
            .get(FIELD.len()..)
            .filter(|field| start == 0 || !field.starts_with(' '));
        let is_item = line.starts_with(ITEM);
        match parts.last_mut() {
            Some(part) if field.is_none() && !(is_item && has_item) => part.bytes.end = end,
            _ => parts.push(Part {
                bytes: start..end,
                is_item: field.is_none(),
                is_name: field.is_some_and(|field| NAMES.iter().any(|name| field.starts_with(name))),
            }),
        }
        has_item = is_item || (field.is_none() && has_item);
    }
    parts
}
