//! Port of the parser in the `envsubst` library (`parse/parse.go` in github.com/drone/envsubst/v2 at 179042472c46).

use crate::go::text::{is_digit, is_letter};

/// Maximum nesting depth of references to parse. The library has no limit.
const MAX_DEPTH: usize = 64;

/// A variable reference: `${NAME}`, or a function applied to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableReference<'t> {
    /// Variable name. A name that consists only of digits denotes a capture group, which the agent does not expand.
    pub name: &'t str,
    /// Whether the arguments are the default that replaces an empty variable (`toDefault`).
    pub has_default: bool,
    /// References inside the arguments.
    pub inner: Vec<VariableReference<'t>>,
}

impl<'t> VariableReference<'t> {
    /// Whether the reference is to a capture group rather than a variable (see the agent's `getenv`).
    pub fn is_group(&self) -> bool {
        self.name.chars().all(is_digit)
    }

    /// Calls `visit` with the name of each variable in this reference and its arguments.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(&'t str)) {
        if !self.is_group() {
            visit(self.name);
        }
        self.inner.iter().for_each(|inner| inner.for_each_name(visit));
    }

    /// Returns the first variable that expands to an empty string because it is unset and has no default.
    pub fn find_unset(&self, is_set: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let is_known = self.is_group() || is_set(self.name);
        match (is_known, self.has_default) {
            (true, true) => None,
            (false, false) => Some(self.name),
            _ => self.inner.iter().find_map(|inner| inner.find_unset(is_set)),
        }
    }
}

/// Parses the references in a string.
///
/// # Errors
///
/// Returns the offset of the `${` of the first reference that the library rejects or that is not closed.
pub fn parse_references(text: &str) -> Result<Vec<VariableReference<'_>>, usize> {
    let (mut references, mut at) = (Vec::new(), 0);
    while let Some(dollar) = text.get(at..).and_then(|rest| rest.find('$')) {
        at += dollar + 1;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix('{') {
            let (reference, after) = parse_reference(inside).ok_or(at - 1)?;
            references.push(reference);
            at = text.len() - after.len();
        } else if rest.starts_with('$') {
            at += 1;
        }
    }
    Ok(references)
}

/// Parses the reference that follows a `${`, and returns it with the text after its `}` (`parseFunc`).
pub fn parse_reference(inside: &str) -> Option<(VariableReference<'_>, &str)> {
    let mut parser = Parser { rest: inside, depth: 0 };
    let reference = parser.parse_function()?;
    Some((reference, parser.rest))
}

/// A recursive-descent parser whose methods return `None` if the library reports an error.
struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// Parses the part of a reference after its `${` (`parseFunc`).
    fn parse_function(&mut self) -> Option<VariableReference<'t>> {
        if self.rest.starts_with('#') {
            // The library parses `${#NAME}` in `parseLenFunc`.
            self.skip(1);
            let name = self.parse_name()?;
            return self.close_reference(name, false, Vec::new());
        }
        let name = self.parse_name()?;
        let mut inner = Vec::new();
        match self.rest.as_bytes().first() {
            Some(b':') if matches!(self.rest.as_bytes().get(1), Some(b'=' | b'-' | b'?' | b'+')) => {
                self.skip(2);
                self.parse_defaults(name)
            }
            Some(b':') => self.parse_substring(name),
            Some(b'=') => {
                self.skip(1);
                self.parse_defaults(name)
            }
            Some(b',' | b'^') => {
                self.skip(1);
                self.skip_if([',', '^']);
                self.close_reference(name, false, inner)
            }
            Some(b'/') => self.parse_replacement(name),
            Some(sign @ (b'#' | b'%')) => {
                self.skip(1);
                self.skip_if([char::from(*sign)]);
                self.parse_argument(&['}'], false, &mut inner)?;
                self.close_reference(name, false, inner)
            }
            _ => self.close_reference(name, false, inner),
        }
    }

    /// Parses the default, after its operator (`parseDefaultFunc`).
    fn parse_defaults(&mut self, name: &'t str) -> Option<VariableReference<'t>> {
        let mut inner = Vec::new();
        while !self.rest.starts_with('}') {
            self.parse_argument(&['}'], false, &mut inner)?;
        }
        self.close_reference(name, true, inner)
    }

    /// Parses the arguments of a substring function (`parseSubstrFunc`).
    fn parse_substring(&mut self, name: &'t str) -> Option<VariableReference<'t>> {
        let mut inner = Vec::new();
        self.skip(1);
        self.parse_argument(&[':', '}'], false, &mut inner)?;
        if !self.rest.starts_with('}') {
            self.skip_all(':')?;
            self.parse_argument(&['}'], false, &mut inner)?;
        }
        self.close_reference(name, false, inner)
    }

    /// Parses the arguments of a replacement function (`parseReplaceFunc`).
    fn parse_replacement(&mut self, name: &'t str) -> Option<VariableReference<'t>> {
        let mut inner = Vec::new();
        self.skip(1);
        self.skip_if(['/', '#', '%']);
        self.parse_argument(&['/'], true, &mut inner)?;
        self.skip_all('/')?;
        if !self.rest.starts_with('}') {
            self.parse_argument(&['}'], true, &mut inner)?;
        }
        self.close_reference(name, false, inner)
    }

    /// Parses one argument, up to one of `ends` (`parseParam`).
    fn parse_argument(
        &mut self,
        ends: &[char],
        has_escapes: bool,
        inner: &mut Vec<VariableReference<'t>>,
    ) -> Option<()> {
        if let Some(inside) = self.rest.strip_prefix("${") {
            if self.depth >= MAX_DEPTH {
                return None;
            }
            self.rest = inside;
            self.depth += 1;
            inner.push(self.parse_function()?);
            self.depth -= 1;
            return Some(());
        }
        let mut length = 0;
        while let Some(c) = self.rest.get(length..).and_then(|rest| rest.chars().next()) {
            let next = self.rest.get(length + c.len_utf8()..).and_then(|rest| rest.chars().next());
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

    /// Parses a variable name (`acceptIdent`).
    fn parse_name(&mut self) -> Option<&'t str> {
        let is_name_character = |c: char| c == '_' || is_letter(c) || is_digit(c);
        let end = self.rest.find(|c| !is_name_character(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    /// Returns the reference if the next character is its closing brace (`consumeRbrack`).
    fn close_reference(
        &mut self,
        name: &'t str,
        has_default: bool,
        inner: Vec<VariableReference<'t>>,
    ) -> Option<VariableReference<'t>> {
        self.rest = self.rest.strip_prefix('}')?;
        Some(VariableReference { name, has_default, inner })
    }

    /// Skips one or more occurrences of `sign`.
    fn skip_all(&mut self, sign: char) -> Option<()> {
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

    fn unset_names(text: &str) -> Option<Vec<&str>> {
        let references = parse_references(text).ok()?;
        let is_set = |name: &str| name == "SET";
        Some(references.iter().filter_map(|reference| reference.find_unset(&is_set)).collect())
    }

    #[test]
    fn finds_unset_variables_without_a_default() {
        for (text, expected) in [
            ("", Some(vec![])),
            ("$ $A $(A) $1 ${1} ${SET}", Some(vec![])),
            ("${A}-${B}", Some(vec!["A", "B"])),
            ("$${A} $$${A}", Some(vec!["A"])),
            ("${A:-x} ${A=} ${A:=x y} ${A:?e} ${A:+}", Some(vec![])),
            ("${A^^} ${B,} ${#C} ${D:1:2} ${E##*/} ${F%x}", Some(vec!["A", "B", "C", "D", "E", "F"])),
            ("${A/a/b} ${B//a/} ${C/\\//x}", Some(vec!["A", "B", "C"])),
            ("${A:-${B}} ${SET:-${B}} ${SET#${C}} ${A:-${SET}}", Some(vec!["B", "C"])),
            ("${A:-a${B:-b}c}", Some(vec![])),
            ("${ä}", Some(vec!["ä"])),
        ] {
            assert_eq!(unset_names(text), expected, "{text}");
        }
    }

    #[test]
    fn locates_invalid_references() {
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
            assert_eq!(parse_references(text), Err(start), "{text}");
        }
        let deep_reference = "${A:-".repeat(100_000);
        assert_eq!(parse_references(&deep_reference), Err(0));
    }
}
