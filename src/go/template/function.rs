//! Functions that templates can call.

use super::failure::Failure;
use super::value::TemplateValue;
use crate::budget::Budget;

/// Result of a template function.
pub type Outcome = Result<TemplateValue, Failure>;

/// A function that templates can call.
#[derive(Clone, Copy)]
pub struct Function {
    pub name: &'static str,
    /// One letter for each parameter: `s` string, `i` int, `f` float64, `b` bool, `m` a map with string keys, `a` any.
    /// A final `*` means that the last parameter occurs zero or more times.
    pub parameters: &'static str,
    pub run: fn(&mut Call<'_>) -> Outcome,
}

/// Arguments of a call, which have the types of the function's parameters.
pub struct Call<'c> {
    pub arguments: Vec<TemplateValue>,
    /// Remaining steps of the execution.
    pub steps: &'c Budget,
}

impl Function {
    /// Returns the letter of the parameter that receives an argument.
    pub fn parameter(&self, index: usize) -> char {
        let letters = self.parameters.trim_end_matches('*');
        letters.chars().nth(index).or_else(|| letters.chars().last()).unwrap_or('a')
    }

    pub fn is_variadic(&self) -> bool {
        self.parameters.ends_with('*')
    }

    /// Returns the number of arguments or, for a variadic function, the minimum number.
    pub fn arity(&self) -> usize {
        self.parameters.trim_end_matches('*').len() - usize::from(self.is_variadic())
    }
}

impl Call<'_> {
    /// Charges steps to the execution of the template.
    pub fn spend(&self, steps: usize) -> Result<(), Failure> {
        self.steps.spend(steps as u64).map_err(|_| Failure::Limit)
    }

    /// Charges the size of an argument that the function visits completely.
    pub fn visit(&self, value: &TemplateValue) -> Result<(), Failure> {
        let size = value.size(self.steps.remaining()).ok_or(Failure::Limit)?;
        self.steps.spend(size).map_err(|_| Failure::Limit)
    }

    pub fn get(&self, index: usize) -> &TemplateValue {
        self.arguments.get(index).unwrap_or(&TemplateValue::Nil)
    }

    /// Returns an argument whose parameter is a string.
    pub fn text(&self, index: usize) -> &str {
        self.get(index).as_text().unwrap_or_default()
    }

    /// Returns an argument whose parameter is an `int`.
    pub fn int(&self, index: usize) -> i64 {
        match self.get(index) {
            TemplateValue::Int(value) => *value,
            _ => 0,
        }
    }

    /// Returns an argument's items.
    ///
    /// # Errors
    ///
    /// Fails as Sprig does if the argument is not a list.
    pub fn items(&self, index: usize, verb: &str) -> Result<&[TemplateValue], Failure> {
        let value = self.get(index);
        let problem = || Failure::error(format!("Cannot {verb} on type {}", value.kind_name()));
        value.as_list().ok_or_else(problem)
    }

    /// Formats a value as `%v` does, and charges its size to the execution.
    pub fn format(&self, value: &TemplateValue) -> Result<String, Failure> {
        self.visit(value)?;
        let mut text = String::new();
        value.format(&mut text);
        Ok(text)
    }

    /// Returns a string result, and charges its length to the execution.
    pub fn text_result(&self, text: impl AsRef<str>) -> Outcome {
        let text = text.as_ref();
        self.spend(text.len())?;
        Ok(TemplateValue::text(text))
    }
}
