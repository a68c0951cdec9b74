//! Diffs of configurations, each of which would otherwise be one long string in a manifest.
//!
//! Scrape jobs are matched by name and compared line by line. The comparison uses plain text, but the output shows
//! masked text.

mod agent;
mod alloy;
mod chunk;
mod pairs;
mod selection;
#[cfg(test)]
mod tests;

use agent::ParsedConfiguration;
use pairs::pairs;
use selection::LineSelection;

use super::options::DiffOptions;
use super::unified::DiffPart;
use crate::output::Language;
use crate::source::line_count;

/// Returns the diff of two configurations, or `None` if either cannot be parsed, because its secrets are then unknown.
/// `masked` is the new configuration rendered without secrets; if there is none, secrets are detected heuristically.
pub(super) fn parts(
    language: Language,
    texts: [Option<&str>; 2],
    masked: Option<&str>,
    options: DiffOptions,
) -> Option<Vec<DiffPart>> {
    let [old, new] = texts.map(|text| without_end(text.unwrap_or_default()));
    let masked = masked.map(without_end);
    let masked = masked.filter(|masked| line_count(masked) == line_count(new));
    let [old_masked, new_masked] = match options.show_secrets {
        true => [Some(old), Some(new)],
        false => [None, masked],
    };
    let selection = LineSelection { context: options.context, jobs: options.jobs, language };
    match language {
        Language::Agent => {
            let (before, after) = rayon::join(
                || ParsedConfiguration::parse(old, old_masked),
                || ParsedConfiguration::parse(new, new_masked),
            );
            selection.parts(&pairs(before?.chunks(), after?.chunks()))
        }
        Language::Alloy => selection.parts(&pairs(alloy::chunks(old, old_masked), alloy::chunks(new, new_masked))),
    }
}

/// Removes all but one of the trailing line breaks, because the operator writes two.
fn without_end(text: &str) -> &str {
    let end = text.trim_end_matches('\n').len();
    text.get(..end + 1).unwrap_or(text)
}
