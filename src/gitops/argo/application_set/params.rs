//! Parameter sets, from which Applications are generated.

use std::collections::BTreeMap;

use crate::go::template::TemplateValue;

/// Parameters of one Application.
pub type Params = BTreeMap<String, TemplateValue>;

/// Reason why a generator yields no parameters, or an ApplicationSet yields no Applications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionFailure {
    /// Error that Argo CD would report.
    Mistake(String),
    /// Unsupported feature, or a required item that is not in the repository.
    Skipped(String),
}
