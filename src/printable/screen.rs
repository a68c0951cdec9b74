//! The screen that shows lines for people.

/// Where lines for people go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Whether colours are shown.
    pub color: bool,
    /// Number of characters of a line; `None` if it is not a terminal.
    pub width: Option<usize>,
}
