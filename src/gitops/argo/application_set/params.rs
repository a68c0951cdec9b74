//! Parameter sets, from which Applications are made.

use std::collections::BTreeMap;

use crate::go::template::TemplateValue;

/// Parameters of one Application.
pub type Params = BTreeMap<String, TemplateValue>;

/// Reason a generator has no parameters, or an ApplicationSet no Applications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unexpanded {
    /// Argo CD reports an error.
    Mistake(String),
    /// Something is needed that is not in the repository, or is not supported.
    Skipped(String),
}
