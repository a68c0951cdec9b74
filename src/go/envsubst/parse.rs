//! Parser of the library `envsubst` (`parse/parse.go` of github.com/drone/envsubst/v2 at 179042472c46).

use crate::go::text::{is_digit, is_letter};

/// Maximum nesting of references that is read. The library has no limit.
const MAX_DEPTH: usize = 64;

/// A reference to a variable: `${NAME}`, or a function of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'t> {
    /// The name of the variable; only digits for a capture group, which the agent leaves as it is.
    pub name: &'t str,
    /// Whether the arguments replace an empty variable (`toDefault`).
    pub has_default: bool,
    /// References in the arguments.
    pub inner: Vec<Reference<'t>>,
}

impl<'t> Reference<'t> {
    /// Whether it refers to a capture group rather than a variable (`getenv` of the agent).
    pub fn is_group(&self) -> bool {
        self.name.chars().all(is_digit)
    }

    /// Passes on the name of each variable here and in the arguments.
    pub fn each_name(&self, pass: &mut dyn FnMut(&'t str)) {
        if !self.is_group() {
            pass(self.name);
        }
        self.inner.iter().for_each(|inner| inner.each_name(pass));
    }

    /// The first variable that becomes an empty string, as it is not set and has no default.
    pub fn unset(&self, is_set: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let is_known = self.is_group() || is_set(self.name);
        match (is_known, self.has_default) {
            (true, true) => None,
            (false, false) => Some(self.name),
            _ => self.inner.iter().find_map(|inner| inner.unset(is_set)),
        }
    }
}

/// The references in a text.
///
/// # Errors
///
/// The start of the `${` that the library does not accept, or whose end is not in the text.
pub fn references(text: &str) -> Result<Vec<Reference<'_>>, usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(dollar) = text.get(at..).and_then(|rest| rest.find('$')) {
        at += dollar + 1;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix('{') {
            let (reference, behind) = reference(inside).ok_or(at - 1)?;
            found.push(reference);
            at = text.len() - behind.len();
        } else if rest.starts_with('$') {
            at += 1;
        }
    }
    Ok(found)
}

/// The reference that a text behind `${` starts with, and what follows its `}` (`parseFunc`).
pub fn reference(inside: &str) -> Option<(Reference<'_>, &str)> {
    let mut parser = Parser { rest: inside, depth: 0 };
    let reference = parser.function()?;
    Some((reference, parser.rest))
}

/// Reads a text from its start on; `None` from any method means that the library reports an error.
struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// `parseFunc`, behind `${`.
    fn function(&mut self) -> Option<Reference<'t>> {
        if self.rest.starts_with('#') {
            // `parseLenFunc`
            self.skip(1);
            let name = self.name()?;
            return self.closed(name, false, Vec::new());
        }
        let name = self.name()?;
        let mut inner = Vec::new();
        match self.rest.as_bytes().first() {
            Some(b':') if matches!(self.rest.as_bytes().get(1), Some(b'=' | b'-' | b'?' | b'+')) => {
                self.skip(2);
                self.defaults(name)
            }
            Some(b':') => self.substring(name),
            Some(b'=') => {
                self.skip(1);
                self.defaults(name)
            }
            Some(b',' | b'^') => {
                self.skip(1);
                self.skip_if([',', '^']);
                self.closed(name, false, inner)
            }
            Some(b'/') => self.replacement(name),
            Some(sign @ (b'#' | b'%')) => {
                self.skip(1);
                self.skip_if([char::from(*sign)]);
                self.argument(&['}'], false, &mut inner)?;
                self.closed(name, false, inner)
            }
            _ => self.closed(name, false, inner),
        }
    }

    /// `parseDefaultFunc`, behind the operator.
    fn defaults(&mut self, name: &'t str) -> Option<Reference<'t>> {
        let mut inner = Vec::new();
        while !self.rest.starts_with('}') {
            self.argument(&['}'], false, &mut inner)?;
        }
        self.closed(name, true, inner)
    }

    /// `parseSubstrFunc`.
    fn substring(&mut self, name: &'t str) -> Option<Reference<'t>> {
        let mut inner = Vec::new();
        self.skip(1);
        self.argument(&[':', '}'], false, &mut inner)?;
        if !self.rest.starts_with('}') {
            self.some_of(':')?;
            self.argument(&['}'], false, &mut inner)?;
        }
        self.closed(name, false, inner)
    }

    /// `parseReplaceFunc`.
    fn replacement(&mut self, name: &'t str) -> Option<Reference<'t>> {
        let mut inner = Vec::new();
        self.skip(1);
        self.skip_if(['/', '#', '%']);
        self.argument(&['/'], true, &mut inner)?;
        self.some_of('/')?;
        if !self.rest.starts_with('}') {
            self.argument(&['}'], true, &mut inner)?;
        }
        self.closed(name, false, inner)
    }

    /// One argument, up to one of `ends` (`parseParam`).
    fn argument(&mut self, ends: &[char], has_escapes: bool, inner: &mut Vec<Reference<'t>>) -> Option<()> {
        if let Some(inside) = self.rest.strip_prefix("${") {
            if self.depth >= MAX_DEPTH {
                return None;
            }
            self.rest = inside;
            self.depth += 1;
            inner.push(self.function()?);
            self.depth -= 1;
            return Some(());
        }
        let mut length = 0;
        while let Some(c) = self.rest.get(length..).and_then(|rest| rest.chars().next()) {
            let next = self
                .rest
                .get(length + c.len_utf8()..)
                .and_then(|rest| rest.chars().next());
            match (c, next) {
                ('$', Some('{')) => break,
                ('$', Some('$')) | ('\\', Some('/' | '\\')) if has_escapes => length += 2,
                _ if ends.contains(&c) => break,
                _ => length += c.len_utf8(),
            }
        }
        self.skip(length);
        (length > 0).then_some(())
    }

    /// The name of a variable (`acceptIdent`).
    fn name(&mut self) -> Option<&'t str> {
        let is_of_name = |c: char| c == '_' || is_letter(c) || is_digit(c);
        let end = self.rest.find(|c| !is_of_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    /// The reference, if it is closed here (`consumeRbrack`).
    fn closed(&mut self, name: &'t str, has_default: bool, inner: Vec<Reference<'t>>) -> Option<Reference<'t>> {
        self.rest = self.rest.strip_prefix('}')?;
        Some(Reference {
            name,
            has_default,
            inner,
        })
    }

    /// One or more of a sign.
    fn some_of(&mut self, sign: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?.trim_start_matches(sign);
        Some(())
    }

    fn skip_if<const N: usize>(&mut self, signs: [char; N]) {
        self.rest = self.rest.strip_prefix(signs).unwrap_or(self.rest);
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unset(text: &str) -> Option<Vec<&str>> {
        let references = references(text).ok()?;
        let is_set = |name: &str| name == "SET";
        Some(references.iter().filter_map(|one| one.unset(&is_set)).collect())
    }

    #[test]
    fn unset_variables_without_a_default_are_found() {
        for (text, expected) in [
            ("", Some(vec![])),
            ("$ $A $(A) $1 ${1} ${SET}", Some(vec![])),
            ("${A}-${B}", Some(vec!["A", "B"])),
            ("$${A} $$${A}", Some(vec!["A"])),
            ("${A:-x} ${A=} ${A:=x y} ${A:?e} ${A:+}", Some(vec![])),
            (
                "${A^^} ${B,} ${#C} ${D:1:2} ${E##*/} ${F%x}",
                Some(vec!["A", "B", "C", "D", "E", "F"]),
            ),
            ("${A/a/b} ${B//a/} ${C/\\//x}", Some(vec!["A", "B", "C"])),
            ("${A:-${B}} ${SET:-${B}} ${SET#${C}} ${A:-${SET}}", Some(vec!["B", "C"])),
            ("${A:-a${B:-b}c}", Some(vec![])),
            ("${ä}", Some(vec!["ä"])),
        ] {
            assert_eq!(unset(text), expected, "{text}");
        }
    }

    #[test]
    fn broken_references_are_located() {
        for (text, start) in [
            ("${", 0),
            ("a${}", 1),
            ("}${ a}", 1),
            ("${A}${b-c}", 4),
            ("$$${", 2),
            ("${A", 0),
            ("${A:", 0),
            ("${A:}", 0),
            ("${A:-x", 0),
            ("${A:-${b-c}}", 0),
            ("${A:1:}", 0),
            ("${A:1:2${B}}", 0),
            ("${A,x}", 0),
            ("${A,,,}", 0),
            ("${A#}", 0),
            ("${A%%}", 0),
            ("${A/x}", 0),
            ("${A/}", 0),
            ("${#}", 0),
            ("${#A:b}", 0),
            ("${A.b}", 0),
        ] {
            assert_eq!(references(text), Err(start), "{text}");
        }
        let deep = "${A:-".repeat(100_000);
        assert_eq!(references(&deep), Err(0));
    }
}
