//! The parts of texts that could not be read.

use std::collections::HashMap;

use super::Document;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Sources;

/// The text around each mistake that kept a document from being read: from the document before it to the one behind it.
pub fn unread<'s, 'd>(
    sources: &'s Sources,
    documents: impl Iterator<Item = &'d Document<'d>>,
    diagnostics: &[Diagnostic],
) -> Vec<&'s str> {
    let mistakes = diagnostics
        .iter()
        .filter(|found| matches!(found.code, Code::YamlSyntax | Code::YamlLimit));
    let mut places: Vec<_> = mistakes.filter_map(|found| Some(found.primary()?.span)).collect();
    places.sort_unstable_by_key(|at| (at.source, at.start));
    let mut read: HashMap<_, Vec<_>> = HashMap::new();
    for span in documents.map(|document| document.root().span()) {
        read.entry(span.source).or_default().push((span.start, span.end));
    }
    let mut found = Vec::new();
    let mut covered = None;
    for at in places {
        if covered.is_some_and(|(source, end)| source == at.source && at.start < end) {
            continue;
        }
        let read = read.get(&at.source).map_or(&[][..], Vec::as_slice);
        let behind = read.partition_point(|(start, _)| *start <= at.start);
        let before = behind.checked_sub(1).and_then(|before| read.get(before));
        let start = before.map_or(0, |(_, end)| *end);
        let end = read.get(behind).map_or(u32::MAX, |(start, _)| *start);
        if before.is_some() && at.start <= start {
            continue;
        }
        covered = Some((at.source, end));
        if let Some(source) = sources.get(at.source) {
            let end = source.text.len().min(end as usize);
            found.extend(source.text.get(start as usize..end));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{Limits, read};

    #[test]
    fn what_could_not_be_read_is_the_text_between_what_could() {
        for (text, expected) in [
            ("a: 1\n---\nb: [\n---\nc: 1\n", vec!["\n---\nb: [\n---\n"]),
            ("a: 1\n---\nb: x: y\n", vec!["\n---\nb: x: y\n"]),
            ("b: x: y\n---\nc: 1\n", vec!["b: x: y\n---\n"]),
            ("a: {? b}\n---\nc: 1\n", vec![]),
            ("a: 1\na: 2\n", vec![]),
        ] {
            let mut sources = Sources::default();
            let id = sources.add(Source::new("x.yaml", text, true));
            let read = read(id, text, &Limits::default());
            let found = unread(&sources, read.output.iter(), &read.diagnostics);
            assert_eq!(found, expected, "{text} {:?}", read.diagnostics);
        }
    }

    #[test]
    fn what_could_not_be_read_of_one_file_leaves_other_files_alone() {
        let texts = ["a: 1\n---\nb: x: y\n", "b: x: y\n---\nc: 1\n", "c: x: y\n"];
        let mut sources = Sources::default();
        let (mut documents, mut mistakes) = (Vec::new(), Vec::new());
        for text in texts {
            let read = read(sources.add(Source::new("x.yaml", text, true)), text, &Limits::default());
            documents.extend(read.output);
            mistakes.extend(read.diagnostics);
            // One stretch of text may hold several mistakes.
            mistakes.extend(mistakes.last().cloned());
        }
        let found = unread(&sources, documents.iter(), &mistakes);
        assert_eq!(found, ["\n---\nb: x: y\n", "b: x: y\n---\n", "c: x: y\n"]);
    }
}
