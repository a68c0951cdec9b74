//! Parameter sets, from which Applications are generated.

use std::collections::BTreeMap;

use crate::go::template::TemplateValue;

/// Parameters of one Application.
pub type Params = BTreeMap<String, TemplateValue>;

/// Reason that a generator yields no parameters or that an ApplicationSet yields no Applications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionFailure {
    /// Error that Argo CD would report.
    Mistake(String),
    /// Unsupported feature, or something that is needed but not in the repository.
    Skipped(String),
}
