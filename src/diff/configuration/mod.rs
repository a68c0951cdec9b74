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
use crate::target::Language;

/// A configuration on one side.
#[derive(Clone, Copy, Default)]
pub(super) struct Configuration<'t> {
    pub(super) text: Option<&'t str>,
    /// The same without its secrets, where we wrote it: what is a secret is not guessed then.
    pub(super) masked: Option<&'t str>,
}

impl<'t> Configuration<'t> {
    /// The text without the empty lines at its end, of which the operator writes one, and the same without its secrets; none where
    /// these are guessed.
    fn texts(&self, options: Options) -> (&'t str, Option<&'t str>) {
        let text = without_end(self.text.unwrap_or_default());
        let masked = self.masked.map(without_end);
        let masked = masked.filter(|masked| masked.lines().count() == text.lines().count());
        (text, if options.show_secrets { Some(text) } else { masked })
    }
}

/// The parts of two configurations; `None` where one of them cannot be read, for then it is not known what in it is secret.
pub(super) fn parts(language: Language, sides: [Configuration<'_>; 2], options: Options) -> Option<Vec<Part>> {
    let [(old, old_masked), (new, new_masked)] = sides.map(|side| side.texts(options));
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

fn without_end(text: &str) -> &str {
    let end = text.trim_end_matches('\n').len();
    text.get(..end + 1).unwrap_or(text)
}
