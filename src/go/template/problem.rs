//! Errors in templates.

/// Maximum number of characters that a message quotes from a name.
const MAX_QUOTED: usize = 40;

pub type Result<T> = std::result::Result<T, TemplateProblem>;

/// An error at a byte offset in a template.
pub struct TemplateProblem {
    pub at: usize,
    pub predicate: String,
    /// Help text. Empty if the template is accepted without being parsed completely.
    pub help: &'static str,
}

impl TemplateProblem {
    pub fn new(offset: usize, predicate: impl Into<String>, help: &'static str) -> Self {
        Self { at: offset, predicate: predicate.into(), help }
    }

    pub fn too_deep() -> Self {
        Self::new(0, "", "")
    }

    /// Creates an error for syntax that Go accepts but this parser does not support.
    pub fn unsupported(offset: usize, predicate: impl Into<String>) -> Self {
        Self::new(offset, predicate, "")
    }

    pub fn open_action(offset: usize) -> Self {
        Self::new(offset, "has a `{{` without `}}`", "close the action with `}}`")
    }

    pub fn open_string(offset: usize) -> Self {
        let help = "close the string with the quote that it starts with";
        Self::new(offset, "has an unclosed string", help)
    }

    pub fn escape(offset: usize) -> Self {
        let help = "use Go escapes, such as `\\n` and `\\\\`, or put the text in backquotes";
        Self::new(offset, "has a string with an invalid escape", help)
    }

    pub fn number(offset: usize, text: &str) -> Self {
        let predicate = format!("contains `{}`, which is not a valid number", truncate_name(text));
        Self::new(offset, predicate, "write a number, or put the text in double quotes")
    }

    pub fn lone_else(offset: usize) -> Self {
        let help = "put it between `{{ if … }}` and `{{ end }}`";
        Self::new(offset, "has an `{{ else }}` without `{{ if }}`", help)
    }

    pub fn function(name: &str, offset: usize) -> Self {
        let predicate = format!("calls `{}`, which is not a function", truncate_name(name));
        Self::new(offset, predicate, "use a built-in Go template function or one from Sprig")
    }

    pub fn variable(name: &str, offset: usize) -> Self {
        let predicate = format!("uses the variable `{}`, which is not defined", truncate_name(name));
        Self::new(offset, predicate, "define it first, as in `{{ $x := .Value }}`")
    }
}

pub fn truncate_name(name: &str) -> String {
    name.chars().take(MAX_QUOTED).collect()
}
