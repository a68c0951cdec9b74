//! Configurations as texts of their own: inside of a manifest each would be one long string. There may be thousands of scrape
//! jobs in one, so they are compared job by job, and only what is shown of them is read.

mod align;
mod chunks;
mod excerpt;
mod reading;
mod selection;
mod show;
#[cfg(test)]
mod tests;

use align::pieces;
use chunks::Chunks;
pub(super) use reading::MAX_COMPARED;
use reading::{Reading, Shape};
use selection::Selection;
use show::{Agent, Alloy};

use super::options::Options;
use super::unified::Part;
use crate::target::Language;

/// The parts of configurations, without secrets unless they are to be shown; `None` where one of them cannot be
/// read, for then it is not known what in it is secret.
pub(super) fn parts(language: Language, texts: [Option<&str>; 2], options: Options) -> Option<Vec<Part>> {
    let [old, new] = texts.map(Option::unwrap_or_default);
    let is_masked = !options.show_secrets;
    let selection = options.context.map(|context| Selection {
        context,
        jobs: options.jobs,
    });
    match language {
        Language::Agent => {
            let of_jobs = selection.and_then(|selection| {
                let texts = texts.map(|text| text.map(without_end));
                let [old, new] = texts.map(Option::unwrap_or_default);
                let chunks = (Chunks::of_agent(old, is_masked)?, Chunks::of_agent(new, is_masked)?);
                let pieces = pieces(&chunks.0, &chunks.1);
                let mut show = Agent::of(texts, [&chunks.0, &chunks.1], is_masked)?;
                // Of many jobs they take as much memory as what is shown.
                drop(chunks);
                selection.parts(language, [old, new], &pieces, &mut show)
            });
            of_jobs.or_else(|| {
                let reading = Reading {
                    shape: Shape::Configuration,
                    is_exact: false,
                    is_pair: true,
                };
                let mut judge = is_masked.then(|| reading.shape.judge());
                let [before, after] = reading.masked(texts, judge.as_mut())?;
                Some(vec![Part::Pair(before, after)])
            })
        }
        Language::Alloy => {
            // Another line break would be the end of a line for one and not for the other.
            let selection = selection.filter(|_| !old.contains('\r') && !new.contains('\r'));
            let split = selection.map(|selection| {
                let chunks = [old, new].map(Chunks::of_alloy);
                let pieces = pieces(&chunks[0], &chunks[1]);
                (selection, chunks, pieces)
            });
            let is_open = |(_, chunks, pieces): &(_, _, Vec<_>)| old != new && show::are_open(chunks, pieces);
            let is_masked = is_masked && !split.as_ref().is_some_and(is_open);
            let [before, after] = texts.map(|text| Alloy::secrets(text, is_masked));
            let (before, after) = (before?, after?);
            let mut show = Alloy::of(texts, [&before, &after]);
            let of_components = split
                .as_ref()
                .and_then(|(selection, _, pieces)| selection.parts(language, [old, new], pieces, &mut show));
            of_components.or_else(|| show.whole().map(|part| vec![part]))
        }
    }
}

/// A text without the empty lines at its end, of which the operator writes one.
fn without_end(text: &str) -> &str {
    let end = text.trim_end_matches('\n').len();
    text.get(..end + 1).unwrap_or(text)
}
