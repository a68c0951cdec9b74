//! What lines for people are shown on.

/// Where lines for people go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Whether it shows colours.
    pub color: bool,
    /// How many characters a line has; any number where it is not a terminal.
    pub width: Option<usize>,
}
