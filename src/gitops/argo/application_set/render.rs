//! Rendering of the templates in an ApplicationSet (`Render` in Argo CD).

use serde_json::{Map, Value};

use super::names::{FUNCTIONS, unsupported_reason};
use super::params::{ExpansionFailure, Params};
use crate::budget::Budget;
use crate::gitops::object::items;
use crate::go::fasttemplate;
use crate::go::template::{Failure, MapKind, MissingKey, TemplateValue, execute};

/// Renderer for the templates of an ApplicationSet.
#[derive(Clone, Copy)]
pub struct Renderer<'r> {
    /// Whether templates are Go's, rather than fasttemplate's.
    pub is_go: bool,
    pub missing_key: MissingKey,
    pub steps: &'r Budget,
}

impl<'r> Renderer<'r> {
    /// Creates the renderer for the spec of an ApplicationSet.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is unknown to Go.
    pub fn new(spec: &Value, steps: &'r Budget) -> Result<Self, String> {
        let is_go = spec.get("goTemplate") == Some(&Value::Bool(true));
        let mut missing_key = MissingKey::default();
        for option in items(spec, "goTemplateOptions").iter().filter_map(Value::as_str).filter(|_| is_go) {
            missing_key = MissingKey::parse(option)
                .ok_or_else(|| format!("`{option}` in `goTemplateOptions` is not an option of Go's templates"))?;
        }
        Ok(Self { is_go, missing_key, steps })
    }

    /// Counts steps against the ApplicationSet's limit.
    pub fn spend(&self, steps: usize) -> Result<(), ExpansionFailure> {
        self.steps.spend(steps as u64).map_err(|_| template_failure(Failure::Limit))
    }

    /// Returns the parameters as data for Go's templates.
    pub fn data(&self, params: &Params) -> Result<TemplateValue, ExpansionFailure> {
        let data = TemplateValue::map(MapKind::Any, params.clone()).map_err(template_failure)?;
        let size = data.size(self.steps.remaining()).ok_or_else(|| template_failure(Failure::Limit))?;
        self.spend(usize::try_from(size).unwrap_or(usize::MAX))?;
        Ok(data)
    }

    /// Renders a string (`Replace`). `data` is the result of [`Self::data`] for `params`.
    pub fn text(&self, template: &str, params: &Params, data: &TemplateValue) -> Result<String, ExpansionFailure> {
        self.render(template, params, data).map_err(template_failure)
    }

    /// Renders a string, or returns the template engine's own error, such as the error for a missing key.
    fn render(&self, template: &str, params: &Params, data: &TemplateValue) -> Result<String, Failure> {
        if self.is_go {
            return execute(template, data, FUNCTIONS, self.missing_key, self.steps);
        }
        let value = |name: &str| params.get(name).and_then(TemplateValue::as_text);
        let result = fasttemplate::expand(template, value);
        let expanded_text = result.map_err(|_| Failure::Error("has a `{{` without `}}`".to_owned()))?;
        self.steps.spend(expanded_text.len() as u64).map_err(|_| Failure::Limit)?;
        Ok(expanded_text.into_owned())
    }

    /// Renders all strings and keys in a value (`deeplyReplace`). Without parameters, nothing is rendered.
    pub fn value(&self, value: &Value, params: &Params, data: &TemplateValue) -> Result<Value, ExpansionFailure> {
        if params.is_empty() {
            return Ok(value.clone());
        }
        self.spend(1)?;
        Ok(match value {
            Value::String(template) => Value::String(self.text(template, params, data)?),
            Value::Array(items) => items.iter().map(|item| self.value(item, params, data)).collect::<Result<_, _>>()?,
            Value::Object(entries) => {
                let mut rendered_map = Map::new();
                for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
                    rendered_map.insert(self.text(key, params, data)?, self.value(value, params, data)?);
                }
                Value::Object(rendered_map)
            }
            other => other.clone(),
        })
    }

    /// Renders a string in a generator, or returns it unchanged if it uses a parameter that is still missing
    /// (`RenderGeneratorParams`).
    pub fn known_text(
        &self,
        template: &str,
        params: &Params,
        data: &TemplateValue,
    ) -> Result<String, ExpansionFailure> {
        let strict_renderer = Self { missing_key: MissingKey::Error, ..*self };
        match strict_renderer.render(template, params, data) {
            Err(Failure::Error(message))
                if message.contains("no entry for key") || message.contains("can't evaluate field") =>
            {
                Ok(template.to_owned())
            }
            result => result.map_err(template_failure),
        }
    }
}

/// Returns the expansion failure for an error, an unsupported feature or an exceeded limit in a template.
pub fn template_failure(failure: Failure) -> ExpansionFailure {
    match failure {
        Failure::Error(message) => ExpansionFailure::Mistake(format!("a template fails: {message}")),
        Failure::Unsupported(reason) => ExpansionFailure::Skipped(unsupported_reason(&reason)),
        Failure::Limit => ExpansionFailure::Mistake("it is too large to expand".to_owned()),
    }
}
