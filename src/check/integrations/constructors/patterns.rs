//! Regular expressions that the agent compiles when it constructs an integration.

use std::borrow::Cow;

use crate::check::integrations::setting::known;
use crate::check::walk::{Json, Walk};
use crate::diagnostic::Code;
use crate::go::regexp::{self, Accepted};

/// Checks a pattern that is compiled unchanged (`regexp.MustCompile`, `regexp.Compile`).
pub fn regex<'v>(pattern: Json<'v>, walk: &mut Walk<'v>) {
    check(pattern, regexp::compile, walk);
}

/// Checks a pattern that is compiled as `^(?:pattern)$`.
pub fn anchored<'v>(pattern: Json<'v>, walk: &mut Walk<'v>) {
    check(pattern, regexp::compile_anchored, walk);
}

fn check<'v>(pattern: Json<'v>, compile: impl Fn(&str) -> Result<Accepted, regexp::Error>, walk: &mut Walk<'v>) {
    let pattern: Option<Cow<'_, str>> = pattern.scalar().and_then(known);
    let Some(pattern) = pattern else {
        return;
    };
    if let Err(error) = compile(&pattern) {
        let message = format!(
            "{} is not a valid regular expression, so the agent does not start: {}",
            walk.quoted(&pattern),
            error.describe(&pattern)
        );
        let help = "use Go's RE2 syntax: https://golang.org/s/re2syntax";
        walk.report_with_code(Code::InvalidRegex, &[], message, help);
    }
}
