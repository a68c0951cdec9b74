//! Conversion of template values to strings.

use crate::go::template::{Call, Failure, TemplateValue};

/// Formats a value as a string (`strval`).
pub fn string(call: &Call<'_>, value: &TemplateValue) -> Result<String, Failure> {
    match value {
        TemplateValue::Text(text) => Ok(text.as_ref().to_owned()),
        value => call.format(value),
    }
}
