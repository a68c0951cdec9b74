//! Inputs that commands answer questions about.

use super::compile_args::CompileArgs;
use crate::compile::Options;
use crate::environment::EnvironmentError;
use crate::input::{Input, load};
pub(super) use crate::insight::resolved::Resolved;
use crate::insight::resolved::resolve;
use crate::observed;

impl CompileArgs {
    /// Reads inputs, compiles them as far as hierarchies, and lets `answer` look at all of it.
    pub(super) fn resolve<T>(
        &self,
        inputs: &[Input],
        answer: impl FnOnce(Resolved<'_>) -> Result<T, EnvironmentError>,
    ) -> Result<T, EnvironmentError> {
        let options = Options {
            keep: Some(observed::kept),
            ..self.options()
        };
        let mut admitting = Vec::new();
        let sources = load(inputs, &self.reading())?.report_to(&mut admitting);
        resolve(&sources, admitting, &options, answer)
    }
}
