//! Secrets in additional scrape jobs, which stand in a Secret as YAML: a configuration that others may read has expressions in
//! their place, which read that YAML from its file.

use serde_json::{Value as Json, json};

use super::syntax::{Body, Expression, Statement};
use super::writer::Writer;
use crate::plan::Plan;
use crate::yaml::Step;

/// What a text begins with that stands for a secret; behind it are the instance and the path in its YAML.
const MARK: char = '\0';

/// Puts marks in the place of the secrets in additional scrape jobs.
pub fn conceal(plan: &mut Plan<'_>) {
    let metrics = plan.metrics.iter_mut().map(|instance| &mut instance.additional);
    let logs = plan.logs.iter_mut().map(|instance| &mut instance.additional);
    for (number, additional) in metrics.chain(logs).enumerate() {
        let Some(additional) = additional else { continue };
        additional.conceal(plan.secrets, MARK, |path| {
            let path = path.iter().map(|step| match step {
                Step::Key(key) => json!(key),
                Step::Index(index) => json!(index),
            });
            format!("{MARK}{}", json!([number, path.collect::<Vec<_>>()]))
        });
    }
}

impl Writer<'_, '_> {
    /// Puts expressions in the place of marks.
    pub(super) fn reveal(&mut self, body: &mut Body<'_>) {
        for statement in &mut body.0 {
            match statement {
                Statement::Attribute(_, value) => self.reveal_in(value),
                Statement::Block(block) => self.reveal(&mut block.body),
            }
        }
    }

    fn reveal_in(&mut self, value: &mut Expression<'_>) {
        match value {
            Expression::String(text) if text.starts_with(MARK) => {
                if let Some(expression) = self.expression_of(text) {
                    *value = expression;
                }
            }
            Expression::List(items) | Expression::Call(_, items) | Expression::Sum(items) => {
                items.iter_mut().for_each(|item| self.reveal_in(item));
            }
            Expression::Object(entries) => entries.iter_mut().for_each(|(_, value)| self.reveal_in(value)),
            _ => {}
        }
    }

    fn expression_of(&mut self, mark: &str) -> Option<Expression<'static>> {
        let Json::Array(parts) = serde_json::from_str(mark.strip_prefix(MARK)?).ok()? else {
            return None;
        };
        let number = usize::try_from(parts.first()?.as_u64()?).ok()?;
        let metrics = self.plan.metrics.iter().map(|instance| &instance.additional);
        let logs = self.plan.logs.iter().map(|instance| &instance.additional);
        let secret = metrics.chain(logs).nth(number)?.as_ref()?.secret;
        let text = Expression::Call("convert.nonsensitive", vec![self.value(secret)]);
        let yaml = Expression::Call("encoding.from_yaml", vec![text]);
        let steps = parts.get(1)?.as_array()?.iter();
        let steps = steps.filter_map(|step| match step {
            Json::String(key) => Some(Expression::from(key.clone())),
            Json::Number(index) => index.as_f64().map(Expression::Number),
            _ => None,
        });
        Some(Expression::Index(Box::new(yaml), steps.collect()))
    }
}
