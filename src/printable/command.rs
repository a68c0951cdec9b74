//! Lines that the log of a pipeline takes for a command.

use std::borrow::Cow;

/// A line that no pipeline takes a command from: GitHub takes `::name::` at its start, behind blanks too, and `##[name]`
/// anywhere; Azure and TeamCity take `##vso[…]` and `##teamcity[…]`. The first character of one is escaped.
pub fn without_commands(line: &str) -> Cow<'_, str> {
    let start = line.trim_start();
    if !start.starts_with("::") && !line.contains("##") {
        return Cow::Borrowed(line);
    }
    let command = start.starts_with("::").then_some(line.len() - start.len());
    let mut shown = String::with_capacity(line.len() + 16);
    for (at, c) in line.char_indices() {
        match c {
            ':' if Some(at) == command => shown.push_str("\\u{3a}"),
            '#' if opens_command(line.get(at..).unwrap_or_default()) => shown.push_str("\\u{23}"),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a text begins like `##[`, `##vso[` or `##teamcity[`.
pub(super) fn opens_command(text: &str) -> bool {
    let name = text.strip_prefix("##").unwrap_or_default();
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_loses_its_first_character() {
        for (line, expected) in [
            ("a::b", "a::b"),
            (": a", ": a"),
            ("## a", "## a"),
            ("::error::x", r"\u{3a}:error::x"),
            (" \u{3000}\t::error::x", " \u{3000}\t\\u{3a}:error::x"),
            ("a ##[add-mask]b", r"a \u{23}#[add-mask]b"),
            ("###[x] ##vso[y] ##", r"#\u{23}#[x] \u{23}#vso[y] ##"),
        ] {
            assert_eq!(without_commands(line), expected);
        }
    }
}
