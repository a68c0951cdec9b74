//! A syntax tree → text in the layout of `alloy fmt`.
//!
//! Attributes that follow each other are aligned at `=`; a run ends behind a value of several lines, which itself is aligned
//! with those above. A blank line precedes each block that is not the first statement of its body.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::syntax::{Block, Body, Expression, Statement};
use crate::secrecy::MASK;

/// What is seen of a component while it is written.
pub(super) enum Seen<'n> {
    Attribute(&'static str),
    Block(&'static str),
    /// Blocks of this name, as these lines.
    Lines(&'static str, &'n str),
    /// An entry of the object that an attribute or an entry is.
    Entry(&'n str),
    /// The end of what started last and has not ended.
    End,
}

/// Sees what is written, and at which byte it starts or ends.
pub(super) type Observer<'o> = dyn FnMut(Seen<'_>, usize) + 'o;

/// Appends a component to a configuration, with a blank line behind the one before.
pub fn component(text: &mut String, component: &Block<'_>) {
    separate(text);
    observed(text, component, &mut |_, _| {});
}

/// Appends the blank line in front of a component, unless it is the first.
pub(super) fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}

/// Appends a component right behind what is there, for an observer to see.
pub(super) fn observed(text: &mut String, component: &Block<'_>, observer: &mut Observer<'_>) {
    block(text, component, 0, observer);
    text.push('\n');
}

/// Appends a component with its content masked, in as many lines.
pub(super) fn masked(text: &mut String, component: &Block<'_>, observer: &mut Observer<'_>) {
    let mut plain = String::new();
    block(&mut plain, component, 0, &mut |_, _| {});
    observer(Seen::Block(component.name), text.len());
    let mut lines = plain.split_inclusive('\n').peekable();
    text.extend(lines.next());
    while let Some(line) = lines.next() {
        let content = line.trim_start_matches('\t').trim_end();
        let (indent, _) = line
            .split_at_checked(line.len() - line.trim_start_matches('\t').len())
            .unwrap_or_default();
        match lines.peek().is_none() || content.is_empty() {
            true => text.push_str(line),
            false => text.extend([indent, MASK, "\n"]),
        }
    }
    observer(Seen::End, text.len());
    text.push('\n');
}

/// Appends a block inside of a component.
pub(super) fn inner(text: &mut String, inner: &Block<'_>) {
    indent(text, 1);
    block(text, inner, 1, &mut |_, _| {});
    text.push('\n');
}

fn block(text: &mut String, block: &Block<'_>, depth: usize, observer: &mut Observer<'_>) {
    observer(Seen::Block(block.name), text.len());
    text.push_str(block.name);
    if !block.label.is_empty() {
        text.extend([" \"", &block.label, "\""]);
    }
    text.push_str(" {");
    if block.body.0.is_empty() {
        text.push_str(" }");
    } else {
        text.push('\n');
        body(text, &block.body, depth + 1, observer);
        indent(text, depth);
        text.push('}');
    }
    observer(Seen::End, text.len());
}

fn body(text: &mut String, body: &Body<'_>, depth: usize, observer: &mut Observer<'_>) {
    let mut width = 0;
    for (i, statement) in body.0.iter().enumerate() {
        match statement {
            Statement::Attribute(name, value) => {
                if width == 0 {
                    let attributes = body.0.iter().skip(i).map_while(|statement| match statement {
                        Statement::Attribute(name, value) => Some((name.len(), value)),
                        _ => None,
                    });
                    width = run_width(attributes);
                }
                indent(text, depth);
                observer(Seen::Attribute(name), text.len());
                assignment(text, (name, name.len()), width, value, depth, observer);
                observer(Seen::End, text.len());
                text.push('\n');
                if has_lines(value) {
                    width = 0;
                }
            }
            Statement::Block(inner) => {
                width = 0;
                if i > 0 {
                    text.push('\n');
                }
                indent(text, depth);
                block(text, inner, depth, observer);
                text.push('\n');
            }
            Statement::Lines(name, lines) => {
                width = 0;
                if i > 0 {
                    text.push('\n');
                }
                observer(Seen::Lines(name, lines), text.len());
                text.push_str(lines);
            }
        }
    }
}

/// The longest name up to the first value of several lines.
fn run_width<'e, 'd: 'e>(run: impl Iterator<Item = (usize, &'e Expression<'d>)>) -> usize {
    let mut width = 0;
    for (length, value) in run {
        width = width.max(length);
        if has_lines(value) {
            break;
        }
    }
    width
}

/// A name of this length, and a value. Only an object has something in it to be seen.
fn assignment(
    text: &mut String,
    (name, length): (&str, usize),
    width: usize,
    value: &Expression<'_>,
    depth: usize,
    observer: &mut Observer<'_>,
) {
    text.push_str(name);
    text.extend(std::iter::repeat_n(' ', width.saturating_sub(length)));
    text.push_str(" = ");
    match value {
        Expression::Object(entries) => object(text, entries, depth, observer),
        _ => expression(text, value, depth),
    }
}

fn indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n('\t', depth));
}

/// Whether a value is written on several lines.
fn has_lines(value: &Expression<'_>) -> bool {
    match value {
        Expression::Object(entries) => !entries.is_empty(),
        Expression::List(items) | Expression::Sum(items) | Expression::Call(_, items) => items.iter().any(has_lines),
        _ => false,
    }
}

fn expression(text: &mut String, value: &Expression<'_>, depth: usize) {
    match value {
        Expression::Null | Expression::Secret(_) => text.push_str("null"),
        Expression::Bool(true) => text.push_str("true"),
        Expression::Bool(false) => text.push_str("false"),
        // Writing to a `String` cannot fail. Most numbers are small and whole, which takes less.
        Expression::Number(number) if *number == f64::from(*number as u32) => drop(write!(text, "{}", *number as u32)),
        Expression::Number(number) => drop(write!(text, "{number}")),
        Expression::String(string) => quoted(text, string),
        Expression::List(items) => {
            text.push('[');
            separated(text, items, ", ", depth);
            text.push(']');
        }
        Expression::Object(entries) => object(text, entries, depth, &mut |_, _| {}),
        Expression::Export(component, label, export) => text.extend([component, ".", label, ".", export]),
        Expression::Name(name) => text.push_str(name),
        Expression::Call(function, arguments) => {
            text.extend([function, "("]);
            if arguments.iter().any(has_lines) {
                lines(text, arguments, depth);
            } else {
                separated(text, arguments, ", ", depth);
            }
            text.push(')');
        }
        Expression::Index(value, keys) => {
            expression(text, value, depth);
            for key in keys {
                text.push('[');
                expression(text, key, depth);
                text.push(']');
            }
        }
        Expression::Sum(terms) => separated(text, terms, " + ", depth),
    }
}

fn separated(text: &mut String, items: &[Expression<'_>], separator: &str, depth: usize) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(separator);
        }
        expression(text, item, depth);
    }
}

/// Each item on lines of its own.
fn lines(text: &mut String, items: &[Expression<'_>], depth: usize) {
    text.push('\n');
    for item in items {
        indent(text, depth + 1);
        expression(text, item, depth + 1);
        text.push_str(",\n");
    }
    indent(text, depth);
}

fn object(text: &mut String, entries: &[(Cow<'_, str>, Expression<'_>)], depth: usize, observer: &mut Observer<'_>) {
    if entries.is_empty() {
        text.push_str("{}");
        return;
    }
    let entries: Vec<_> = entries.iter().map(|(name, value)| (name, key(name), value)).collect();
    let lengths = entries.iter().map(|(_, key, value)| (key.chars().count(), *value));
    let lengths: Vec<_> = lengths.collect();
    let mut width = 0;
    text.push_str("{\n");
    for (i, ((name, key, value), (length, _))) in entries.iter().zip(&lengths).enumerate() {
        if width == 0 {
            width = run_width(lengths.iter().skip(i).copied());
        }
        indent(text, depth + 1);
        observer(Seen::Entry(name), text.len());
        assignment(text, (key, *length), width, value, depth + 1, observer);
        observer(Seen::End, text.len());
        text.push_str(",\n");
        if has_lines(value) {
            width = 0;
        }
    }
    indent(text, depth);
    text.push('}');
}

/// The key of an object: bare where it is an identifier.
fn key(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    if is_identifier(name) {
        text.push_str(name);
    } else {
        quoted(&mut text, name);
    }
    text
}

/// Whether a text is an identifier, which labels of blocks must be.
pub fn is_identifier(text: &str) -> bool {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    text.chars().all(is_word) && text.starts_with(|c: char| !c.is_ascii_digit()) && !is_keyword(text)
}

pub(super) fn is_keyword(text: &str) -> bool {
    matches!(text, "true" | "false" | "null")
}

/// Text in double quotes, as Go's `%q` writes it.
fn quoted(text: &mut String, string: &str) {
    text.push('"');
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    let plain = string.bytes().position(|b| !is_plain(&b)).unwrap_or(string.len());
    let (plain, rest) = string.split_at_checked(plain).unwrap_or(("", string));
    text.push_str(plain);
    for c in rest.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            ' '..='~' => text.push(c),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            '\x07' => text.push_str("\\a"),
            '\x08' => text.push_str("\\b"),
            '\x0b' => text.push_str("\\v"),
            '\x0c' => text.push_str("\\f"),
            _ if is_print(c) => text.push(c),
            // Writing to a `String` cannot fail.
            _ if c < '\u{80}' => drop(write!(text, "\\x{:02x}", u32::from(c))),
            _ if c <= '\u{ffff}' => drop(write!(text, "\\u{:04x}", u32::from(c))),
            _ => drop(write!(text, "\\U{:08x}", u32::from(c))),
        }
    }
    text.push('"');
}

/// Go's `unicode.IsPrint`.
pub(super) fn is_print(c: char) -> bool {
    use GeneralCategoryGroup::{Letter, Mark, Number, Punctuation, Symbol};
    matches!(
        c.general_category_group(),
        Letter | Mark | Number | Punctuation | Symbol
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(body: Body<'_>) -> String {
        let mut text = String::new();
        component(&mut text, &Block::new("a.b", "c", body));
        text
    }

    fn line(value: impl Into<Expression<'static>>) -> String {
        let text = written(Body::new().with("x", value));
        let value = text.strip_prefix("a.b \"c\" {\n\tx = ").unwrap();
        value.strip_suffix("\n}\n").unwrap().to_owned()
    }

    #[test]
    fn a_blank_line_stands_before_blocks_and_nowhere_else() {
        let body = Body::new()
            .with("a", 1.0)
            .with_block("b", Body::new())
            .with_block("c", Body::new().with("d", true))
            .with("e", "f");
        let expected = "a.b \"c\" {\n\ta = 1\n\n\tb { }\n\n\tc {\n\t\td = true\n\t}\n\te = \"f\"\n}\n";
        assert_eq!(written(body), expected);
        let first = Body::new().with_block("b", Body::new());
        assert_eq!(written(first), "a.b \"c\" {\n\tb { }\n}\n");
        assert_eq!(written(Body::new()), "a.b \"c\" { }\n");
        let mut two = written(Body::new());
        component(&mut two, &Block::new("logging", "", Body::new()));
        assert_eq!(two, "a.b \"c\" { }\n\nlogging { }\n");
    }

    #[test]
    fn a_value_of_several_lines_ends_a_run() {
        let params = Expression::Object(vec![
            ("match[]".into(), Expression::texts(["up"])),
            ("a".into(), Expression::map([("b", "c")])),
            ("no".into(), Expression::Null),
        ]);
        let body = Body::new()
            .with("job_name", "j")
            .with("params", params)
            .with("x", Expression::map::<&str, &str>([]))
            .with("scheme", "https");
        let expected = "a.b \"c\" {
\tjob_name = \"j\"
\tparams   = {
\t\t\"match[]\" = [\"up\"],
\t\ta         = {
\t\t\tb = \"c\",
\t\t},
\t\tno = null,
\t}
\tx      = {}
\tscheme = \"https\"
}
";
        assert_eq!(written(body), expected);
    }

    #[test]
    fn lists_of_objects_stay_on_their_line_unless_they_are_joined() {
        let target = |address| Expression::List(vec![Expression::map([("__address__", address)])]);
        assert_eq!(line(target("a")), "[{\n\t\t__address__ = \"a\",\n\t}]");
        let joined = Expression::Call("array.concat", vec![target("a"), target("b")]);
        assert_eq!(
            line(joined),
            "array.concat(\n\t\t[{\n\t\t\t__address__ = \"a\",\n\t\t}],\n\t\t[{\n\t\t\t__address__ = \"b\",\n\t\t}],\n\t)"
        );
    }

    #[test]
    fn expressions_are_written_as_go_writes_them() {
        let file = Expression::Export("local.file", "f".into(), "content");
        let cases: [(Expression<'static>, &str); 10] = [
            (1e6.into(), "1000000"),
            (10.5.into(), "10.5"),
            ((-1.0).into(), "-1"),
            (false.into(), "false"),
            (
                "a\"\\\n\t\u{7f}\u{e9}\u{200b}\u{e0001}".into(),
                r#""a\"\\\n\t\x7fé\u200b\U000e0001""#,
            ),
            (Expression::texts(["a", "b"]), r#"["a", "b"]"#),
            (Expression::List(Vec::new()), "[]"),
            (
                Expression::Call("convert.nonsensitive", vec![file]),
                "convert.nonsensitive(local.file.f.content)",
            ),
            (
                Expression::Sum(vec!["n=".into(), Expression::Name("constants.hostname")]),
                "\"n=\" + constants.hostname",
            ),
            (Expression::map([("true", "x")]), "{\n\t\t\"true\" = \"x\",\n\t}"),
        ];
        for (value, expected) in cases {
            assert_eq!(line(value), expected);
        }
    }
}
