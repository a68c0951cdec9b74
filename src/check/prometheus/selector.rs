//! Label selectors of monitors, whose values the operator writes as regular expressions.
//!
//! What: a value of `matchLabels` or `matchExpressions` that is no regular expression. Why: the API server checks neither,
//! and the agent refuses its whole configuration. Example: `matchLabels: {app: "*"}`.

use super::regex;
use crate::api::LabelSelector;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;

/// Checks the selector of a monitor's targets.
pub fn check(selector: &LabelSelector<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (key, value) in &selector.match_labels {
        regex::check_anchored(value, &at.key("matchLabels").key(key), found);
    }
    for (i, expression) in selector.match_expressions.iter().enumerate() {
        if !matches!(expression.operator, "In" | "NotIn") {
            continue;
        }
        let at = at.key("matchExpressions");
        let at = at.index(i);
        let at = at.key("values");
        match expression.values.as_slice() {
            [value] => regex::check_anchored(value, &at.index(0), found),
            values => regex::check_anchored(&values.join("|"), &at, found),
        }
    }
}
