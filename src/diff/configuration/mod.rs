//! Diffs of configurations, which would otherwise be long strings in manifests.
//!
//! Scrape jobs are matched by name and compared line by line. The comparison uses plain text, but the output shows
//! masked text.

mod agent;
mod alloy;
mod chunk;
mod pairs;
mod plan;
mod selection;
#[cfg(test)]
mod tests;

pub use plan::{ChangedPart, ConfigurationChange};

use agent::ParsedConfiguration;
use chunk::Chunk;
use pairs::{Pair, pairs};
use selection::LineSelection;

use super::options::DiffOptions;
use super::unified::{DiffPart, Section};
use crate::output::Language;
use crate::source::line_count;

/// Result of comparing two configurations: the lines to show, their sections, and the changes by name.
#[derive(Default)]
pub(super) struct ConfigurationDiff {
    pub(super) parts: Vec<DiffPart>,
    /// Scrape jobs or components, in order.
    pub(super) sections: Vec<Section>,
    pub(super) changes: Vec<ConfigurationChange>,
}

/// Returns the diff of two configurations, or `None` if either cannot be parsed, because its secrets would be unknown.
/// `masked` is the new configuration rendered without secrets. If it is `None`, secrets are detected heuristically.
pub(super) fn diff(
    language: Language,
    texts: [Option<&str>; 2],
    masked: Option<&str>,
    options: DiffOptions,
) -> Option<ConfigurationDiff> {
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
            let (before, after) = (before?, after?);
            let pairs = pairs(before.chunks(), after.chunks());
            let changes = plan::agent_changes(&pairs, before.root(), after.root());
            Some(ConfigurationDiff { parts: selection.parts(&pairs)?, sections: sections(&pairs), changes })
        }
        Language::Alloy => {
            let pairs = pairs(alloy::chunks(old, old_masked), alloy::chunks(new, new_masked));
            let changes = plan::component_changes(&pairs);
            Some(ConfigurationDiff { parts: selection.parts(&pairs)?, sections: sections(&pairs), changes })
        }
    }
}

/// Returns a section for each pair of chunks, named after the scrape job or component.
fn sections(pairs: &[Pair<'_>]) -> Vec<Section> {
    let mut starts = [0; 2];
    let section = |pair: &Pair<'_>| {
        let section = Section { start: starts, name: pair.display_name().to_owned() };
        for (start, side) in starts.iter_mut().zip(&pair.sides) {
            *start += side.as_ref().map_or(0, Chunk::height);
        }
        section
    };
    pairs.iter().map(section).collect()
}

/// Removes all trailing line breaks except one, because the operator writes two.
fn without_end(text: &str) -> &str {
    let end = text.trim_end_matches('\n').len();
    text.get(..end + 1).unwrap_or(text)
}
