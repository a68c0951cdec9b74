//! Go's regular expressions (`regexp.Compile`, RE2): what Go accepts, and how it matches.
//!
//! Rust's `regex` decides otherwise in both directions: it refuses a literal `{`, `a{,5}`, `\Q…\E` and octal escapes, and
//! accepts `a**`, repeats above 1000, `(?x)` and `\u0041`. So the acceptance rules of Go's `regexp/syntax` (the parser with
//! the flags of Perl) are written down again. Left out is the limit on the size of the compiled program, about three
//! million instructions: it depends on how Go simplifies the expression, and nobody writes such expressions by hand.
//! While it reads, the parser writes the expression as `regex` spells it, which then matches ([`Matcher`]).

mod class;
mod item;
mod matcher;
mod output;
mod parser;
mod unicode;
mod verdict;

pub use matcher::{Groups, Matcher, Refusal};
use parser::Parser;

pub use verdict::{Accepted, Error};

/// Whether Go accepts an expression as it stands (`regexp.Compile`). Takes time linear in its length.
pub fn compile(pattern: &str) -> Result<Accepted, Error> {
    Parser::new(pattern).parse().map(|(accepted, _)| accepted)
}

/// Whether Go accepts an expression between `^(?:` and `)$`, as Prometheus writes it (`relabel.NewRegexp`): there `a)(b`
/// is an expression.
pub fn compile_anchored(pattern: &str) -> Result<Accepted, Error> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b':' | b'.' | b'|');
    if pattern.bytes().all(is_plain) {
        return Ok(Accepted::Always);
    }
    compile(&format!("^(?:{pattern})$")).map_err(|Error { at, problem }| {
        let [start, end] = [at.start, at.end].map(|at| at.saturating_sub("^(?:".len()).min(pattern.len()));
        // What ends too early takes the parenthesis behind it: what it is shows without that.
        compile(pattern).err().unwrap_or(Error {
            at: start..end,
            problem,
        })
    })
}

#[cfg(test)]
mod tests;
