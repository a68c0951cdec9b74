//! Go's regular expressions (`regexp.Compile`, RE2): validation and matching.
//!
//! Rust's `regex` accepts a different language: it rejects a literal `{`, `a{,5}`, `\Q…\E` and octal escapes, and
//! accepts `a**`, repeats above 1000, `(?x)` and `\u0041`. This module therefore reimplements the rules of Go's
//! `regexp/syntax` (its parser with the Perl flags), except the limit on the size of the compiled program (about three
//! million instructions), which depends on how Go simplifies the expression and which no handwritten expression
//! reaches. While parsing, it translates the expression to the syntax of `regex`, which then matches ([`Matcher`]).

mod class;
mod item;
mod language;
mod matcher;
mod output;
mod parser;
mod template;
mod unicode;
mod verdict;

pub use language::{CharRange, Language, Piece};
pub use matcher::{Groups, Matcher, MatcherError};
use parser::Parser;
pub use template::{TemplatePart, group_number, template_parts};

pub use verdict::{AcceptingReleases, Error};

/// Checks whether Go accepts an expression (`regexp.Compile`), in time linear in its length.
pub fn compile(pattern: &str) -> Result<AcceptingReleases, Error> {
    Parser::new(pattern).parse().map(|(accepted, _)| accepted)
}

/// Checks whether Go accepts an expression wrapped in `^(?:` and `)$`, as in Prometheus (`relabel.NewRegexp`). This
/// accepts `a)(b`, for example.
pub fn compile_anchored(pattern: &str) -> Result<AcceptingReleases, Error> {
    if is_simple(pattern) {
        return Ok(AcceptingReleases::Always);
    }
    compile(&format!("^(?:{pattern})$")).map_err(|Error { at, problem }| {
        let [start, end] = [at.start, at.end].map(|at| at.saturating_sub("^(?:".len()).min(pattern.len()));
        // An error at the end may include the added parenthesis, so the bare expression is parsed to obtain the actual
        // error.
        compile(pattern).err().unwrap_or(Error { at: start..end, problem })
    })
}

/// Whether an expression consists only of literals, `.` and `|`, with at most one repetition operator after each
/// literal or `.`.
fn is_simple(pattern: &str) -> bool {
    let is_literal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b':' | b'.');
    let mut is_repeatable = false;
    pattern.bytes().all(|byte| {
        let was_repeatable = std::mem::replace(&mut is_repeatable, is_literal(byte));
        is_repeatable || byte == b'|' || was_repeatable && matches!(byte, b'*' | b'+' | b'?')
    })
}

#[cfg(test)]
mod tests;
