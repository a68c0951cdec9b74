//! Label selectors, ready for evaluation (apimachinery's `labels.Selector`), and their command-line syntax
//! (`labels.Parse`).

use std::fmt;

use super::label_values::LabelValues;
use crate::api::{LabelSelector, LabelSelectorRequirement, TextMap};
use crate::diagnostic::FieldPath;
use crate::diagnostic::suggest::closest;
use crate::go::label_selector::{self, Operator, Term};
use crate::go::syntax;

/// Maximum number of values or labels to compare when searching for typos.
pub(super) const MAX_COMPARED: usize = 100;

/// A validated selector. All requirements must be met, and an empty selector selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector<'d>(Vec<Requirement<'d>>);

/// A condition on an object's labels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement<'d> {
    /// Key of the label that must meet the condition.
    pub key: &'d str,
    /// Condition that the label must meet.
    pub condition: Condition<'d>,
}

/// Condition that a label must meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition<'d> {
    /// The label has one of these values.
    In(LabelValues<'d>),
    /// The label is missing, or has none of these values.
    NotIn(LabelValues<'d>),
    Exists,
    DoesNotExist,
}

/// Reason why a selector cannot be evaluated, and the field that causes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InvalidSelector {
    /// Path below the selector, such as `matchExpressions[0].operator`.
    pub path: FieldPath<'static>,
    pub reason: String,
}

impl<'d> Selector<'d> {
    /// Validates a selector, as `metav1.LabelSelectorAsSelector` does.
    pub fn new(selector: &LabelSelector<'d>) -> Result<Self, InvalidSelector> {
        let labels = selector.match_labels.iter().map(|(key, value)| {
            let condition = Condition::In(vec![value].into());
            let checked = Requirement { key, condition }.check();
            checked.map_err(|(_, reason)| InvalidSelector {
                path: FieldPath::parse("matchLabels").key(key.to_owned()),
                reason,
            })
        });
        let expressions = selector.match_expressions.iter().enumerate().map(|(i, expression)| {
            let checked = Requirement::new(expression).and_then(Requirement::check);
            checked.map_err(|(field, reason)| InvalidSelector {
                path: FieldPath::parse("matchExpressions").index(i).key(field),
                reason,
            })
        });
        labels.chain(expressions).collect::<Result<_, _>>().map(Self)
    }

    /// Whether an object with these labels is selected.
    pub fn matches(&self, labels: &TextMap<'_>) -> bool {
        self.0.iter().all(|requirement| requirement.holds(labels))
    }

    /// Returns the requirements, for use in explanations.
    pub fn requirements(&self) -> &[Requirement<'d>] {
        &self.0
    }

    /// Returns the number of requirements plus the number of their values.
    pub fn size(&self) -> usize {
        let values = |requirement: &Requirement<'_>| match &requirement.condition {
            Condition::In(values) | Condition::NotIn(values) => values.len(),
            Condition::Exists | Condition::DoesNotExist => 0,
        };
        self.0.len() + self.0.iter().map(values).sum::<usize>()
    }
}

impl<'d> Requirement<'d> {
    /// Converts an expression. The error consists of the invalid field and the reason.
    fn new(expression: &LabelSelectorRequirement<'d>) -> Result<Self, (&'static str, String)> {
        let values = || expression.values.clone().into();
        let condition = match expression.operator {
            "In" => Condition::In(values()),
            "NotIn" => Condition::NotIn(values()),
            "Exists" if expression.values.is_empty() => Condition::Exists,
            "DoesNotExist" if expression.values.is_empty() => Condition::DoesNotExist,
            takes_none @ ("Exists" | "DoesNotExist") => {
                return Err(("values", format!("`{takes_none}` accepts no values")));
            }
            other => {
                let reason =
                    format!("`{other}` is not a valid operator: expected `In`, `NotIn`, `Exists` or `DoesNotExist`");
                return Err(("operator", reason));
            }
        };
        let key = expression.key;
        Ok(Self { key, condition })
    }

    /// Whether these labels meet the requirement.
    pub fn holds(&self, labels: &TextMap<'_>) -> bool {
        let value = labels.get(self.key);
        match &self.condition {
            Condition::In(values) => value.is_some_and(|value| values.contains(value)),
            Condition::NotIn(values) => !value.is_some_and(|value| values.contains(value)),
            Condition::Exists => value.is_some(),
            Condition::DoesNotExist => value.is_none(),
        }
    }

    /// Whether a value that does not meet the requirement is probably a misspelling of a value that does.
    pub fn nearly_matches(&self, value: &str) -> bool {
        matches!(&self.condition, Condition::In(values) if closest(value, values.iter().copied().take(MAX_COMPARED)).is_some())
    }

    /// Applies the rules of `labels.NewRequirement`. The error consists of the invalid field and the reason.
    fn check(self) -> Result<Self, (&'static str, String)> {
        if let Some(problem) = syntax::qualified_name(self.key) {
            return Err(("key", format!("`{}` is not a valid label name: it {problem}", self.key)));
        }
        if let Condition::In(values) | Condition::NotIn(values) = &self.condition {
            if values.is_empty() {
                return Err(("values", "`In` and `NotIn` need at least one value".to_owned()));
            }
            for value in values.iter() {
                if let Some(problem) = syntax::label_value(value) {
                    return Err(("values", format!("`{value}` is not a valid label value: it {problem}")));
                }
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Requirement<'_> {
    /// Writes the requirement in kubectl's syntax: `a=b`, `a in (b, c)`, `a`, `!a`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key;
        match &self.condition {
            Condition::In(values) => match &**values {
                [value] => write!(f, "{key}={value}"),
                _ => write!(f, "{key} in ({values})"),
            },
            Condition::NotIn(values) => match &**values {
                [value] => write!(f, "{key}!={value}"),
                _ => write!(f, "{key} notin ({values})"),
            },
            Condition::Exists => f.write_str(key),
            Condition::DoesNotExist => write!(f, "!{key}"),
        }
    }
}

/// Parses a selector, as `metav1.ParseToLabelSelector` does. An empty string selects everything. `key=value` becomes a
/// match label, and every other requirement becomes an expression.
pub fn parse_selector(text: &str) -> Result<LabelSelector<'_>, String> {
    let expected = |found: &str| {
        let forms = "`a=b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a` or `!a`";
        format!("expected {forms}, found `{}`", found.trim())
    };
    let (mut labels, mut match_expressions) = (Vec::new(), Vec::new());
    for Term { key, operator, values } in label_selector::parse(text).map_err(expected)? {
        let operator = match operator {
            Operator::Equals => {
                labels.extend(values.into_iter().map(|value| (key, value)));
                continue;
            }
            Operator::In => "In",
            Operator::NotIn | Operator::NotEquals => "NotIn",
            Operator::Exists => "Exists",
            Operator::DoesNotExist => "DoesNotExist",
            Operator::GreaterThan | Operator::LessThan => return Err(expected(text)),
        };
        match_expressions.push(LabelSelectorRequirement { key, operator, values });
    }
    Ok(LabelSelector { match_labels: labels.into_iter().collect(), match_expressions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LabelSelectorRequirement, TextMap};

    fn expression<'d>(key: &'d str, operator: &'d str, values: &[&'d str]) -> LabelSelector<'d> {
        LabelSelector {
            match_expressions: vec![LabelSelectorRequirement { key, operator, values: values.to_vec() }],
            ..LabelSelector::default()
        }
    }

    #[test]
    fn evaluates_operators_like_kubernetes() {
        let with = |value| TextMap::from([("tier", value)]);
        let without = TextMap::from([("other", "x")]);
        let table: &[(&str, &[&str], bool, bool, bool)] = &[
            // Operator, values, and whether the requirement matches `tier=web`, `tier=db` and a missing `tier`.
            ("In", &["web", "api"], true, false, false),
            ("NotIn", &["web", "api"], false, true, true),
            ("Exists", &[], true, true, false),
            ("DoesNotExist", &[], false, false, true),
        ];
        for &(operator, values, web, db, none) in table {
            let selector = Selector::new(&expression("tier", operator, values)).unwrap();
            assert_eq!(selector.matches(&with("web")), web, "{operator} web");
            assert_eq!(selector.matches(&with("db")), db, "{operator} db");
            assert_eq!(selector.matches(&without), none, "{operator} none");
        }
    }

    #[test]
    fn empty_selectors_select_everything() {
        let selector = Selector::new(&LabelSelector::default()).unwrap();
        assert!(selector.matches(&TextMap::default()));
    }

    #[test]
    fn reports_invalid_selectors_at_their_field() {
        let label = LabelSelector { match_labels: TextMap::from([("a", "b/c")]), ..LabelSelector::default() };
        let table = [
            (expression("tier", "Near", &["a"]), "matchExpressions[0].operator"),
            (expression("tier", "in", &["a"]), "matchExpressions[0].operator"),
            (expression("tier", "In", &[]), "matchExpressions[0].values"),
            (expression("tier", "Exists", &["a"]), "matchExpressions[0].values"),
            (expression("tier", "DoesNotExist", &["a"]), "matchExpressions[0].values"),
            (expression("ti er", "Exists", &[]), "matchExpressions[0].key"),
            (expression("tier", "In", &["a b"]), "matchExpressions[0].values"),
            (label, "matchLabels.a"),
        ];
        for (selector, path) in table {
            assert_eq!(Selector::new(&selector).unwrap_err().path.to_string(), path);
        }
    }

    #[test]
    fn parses_kubectl_syntax() {
        let selector = parse_selector("app=a, tier in (web, api),env!=dev,x notin (y),!canary,has").unwrap();
        assert_eq!(selector.match_labels, TextMap::from([("app", "a")]));
        let expressions: Vec<_> =
            selector.match_expressions.iter().map(|e| (e.key, e.operator, e.values.clone())).collect();
        assert_eq!(
            expressions,
            [
                ("tier", "In", vec!["web", "api"]),
                ("env", "NotIn", vec!["dev"]),
                ("x", "NotIn", vec!["y"]),
                ("canary", "DoesNotExist", vec![]),
                ("has", "Exists", vec![]),
            ]
        );
        assert!(parse_selector("").is_ok());
        assert_eq!(parse_selector("a==b").unwrap().match_labels, TextMap::from([("a", "b")]));
    }

    #[test]
    fn rejects_invalid_selectors() {
        for junk in ["a=b,", "=b", "a in b", "a near b", "a=b c", "a in (b", "a>1"] {
            assert!(parse_selector(junk).is_err(), "{junk}");
        }
    }
}
