//! Parameter sets, from which Applications are generated.

use std::collections::BTreeMap;

use crate::go::template::TemplateValue;

/// Parameters of one Application.
pub type Params = BTreeMap<String, TemplateValue>;

/// Reason a generator has no parameters, or an ApplicationSet no Applications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionFailure {
    /// Argo CD reports an error.
    Mistake(String),
    /// Something that is needed is not in the repository or not supported.
    Skipped(String),
}
