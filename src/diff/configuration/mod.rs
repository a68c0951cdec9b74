//! Configurations as texts of their own: inside of a manifest each would be one long string. They are compared job by job, each with
//! the one of its name, and then line by line. What differs are the plain lines; what is shown are the masked ones.

mod agent;
mod alloy;
mod chunk;
mod pairs;
mod selection;
#[cfg(test)]
mod tests;

use agent::Read;
use pairs::pairs;
use selection::Selection;

use super::options::Options;
use super::unified::Part;
use crate::output::Language;

/// The parts of two configurations; `None` where one of them cannot be read, for then it is not known what in it is secret. Where we
/// wrote the new one, `masked` is the same without its secrets: what is one is not guessed then.
pub(super) fn parts(
    language: Language,
    texts: [Option<&str>; 2],
    masked: Option<&str>,
    options: Options,
) -> Option<Vec<Part>> {
    let [old, new] = texts.map(|text| without_end(text.unwrap_or_default()));
    let masked = masked.map(without_end);
    let masked = masked.filter(|masked| masked.lines().count() == new.lines().count());
    let [old_masked, new_masked] = match options.show_secrets {
        true => [Some(old), Some(new)],
        false => [None, masked],
    };
    let selection = Selection {
        context: options.context,
        jobs: options.jobs,
        language,
    };
    match language {
        Language::Agent => {
            let (before, after) = (Read::of(old, old_masked)?, Read::of(new, new_masked)?);
            selection.parts(&pairs(before.chunks(), after.chunks()))
        }
        Language::Alloy => selection.parts(&pairs(alloy::chunks(old, old_masked), alloy::chunks(new, new_masked))),
    }
}

/// Without the empty lines at the end, of which the operator writes one.
fn without_end(text: &str) -> &str {
    let end = text.trim_end_matches('\n').len();
    text.get(..end + 1).unwrap_or(text)
}
