//! Selectors of generators (`LabelSelectorAsSelector` in Argo CD, which allows any value).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::gitops::object::{items, text};
use crate::go::syntax::qualified_name;

/// Requirements, all of which must be met.
#[derive(Debug)]
pub struct Selector(Vec<Requirement>);

#[derive(Debug)]
struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

impl Selector {
    /// Reads a label selector.
    ///
    /// # Errors
    ///
    /// Returns the reason why a requirement is not valid.
    pub fn new(selector: &Value) -> Result<Self, String> {
        let mut requirements = Vec::new();
        for (key, value) in selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten() {
            let values = vec![value.as_str().unwrap_or_default().to_owned()];
            requirements.push(Requirement { key: key.clone(), operator: Operator::In, values });
        }
        for expression in items(selector, "matchExpressions") {
            let operator = match text(expression, "operator") {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                other => return Err(format!("`{other}` is not an operator of a selector")),
            };
            let values: Vec<String> =
                items(expression, "values").iter().filter_map(Value::as_str).map(str::to_owned).collect();
            if values.is_empty() == matches!(operator, Operator::In | Operator::NotIn) {
                return Err("a requirement of a selector has the wrong number of values".to_owned());
            }
            requirements.push(Requirement { key: text(expression, "key").to_owned(), operator, values });
        }
        match requirements.iter().find(|requirement| qualified_name(&requirement.key).is_some()) {
            Some(requirement) => Err(format!("`{}` is not a valid key of a selector", requirement.key)),
            None => Ok(Self(requirements)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether labels meet all requirements.
    pub fn is_match(&self, labels: &BTreeMap<String, String>) -> bool {
        self.0.iter().all(|Requirement { key, operator, values }| {
            let value = labels.get(key);
            let is_listed = value.is_some_and(|value| values.contains(value));
            match operator {
                Operator::In => is_listed,
                Operator::NotIn => !is_listed,
                Operator::Exists => value.is_some(),
                Operator::DoesNotExist => value.is_none(),
            }
        })
    }
}
