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

    /// What changes.
    pub fn changed(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What a paragraph is about.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What is looked up rather than read: places.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// What has no effect, and may be meant to.
    pub fn warning(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What is worth knowing.
    pub fn fact(self, text: &str) -> String {
        self.with("36", text)
    }

    /// What is read as it is.
    pub fn plain(self, text: &str) -> String {
        text.to_owned()
    }

    fn with(self, style: &str, text: &str) -> String {
        if self.0 && !text.is_empty() {
            format!("\u{1b}[{style}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
