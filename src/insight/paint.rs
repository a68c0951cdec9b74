//! Colours of answers on a terminal.

/// Paints, or leaves text as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// What is there, or right.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// What is not, or is wrong.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What a paragraph is about.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What is looked up rather than read: places.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, style: &str, text: &str) -> String {
        if self.0 {
            format!("\u{1b}[{style}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
