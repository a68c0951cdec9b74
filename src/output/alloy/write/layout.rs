//! Layout of a syntax tree in the style of `alloy fmt`.
//!
//! Consecutive attributes are aligned at `=`. A run of aligned attributes ends after a multi-line value, which is
//! itself aligned with the attributes above. A blank line precedes each block, unless the block is the first statement
//! of its body.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::syntax::{Block, Body, Expression, Statement};
use crate::secrecy::MASK;

/// Event during the writing of a component.
#[derive(Clone, Copy)]
pub enum LayoutEvent<'n> {
    Attribute(&'static str),
    Block(&'static str),
    /// Blocks with this name, given as lines.
    Lines(&'static str, &'n str),
    /// Entry of an object that is the value of an attribute or of another entry.
    Entry(&'n str),
    /// End of the most recently started element that is still open.
    End,
}

/// Observer that receives each event with its byte offset.
pub type Observer<'o> = dyn FnMut(LayoutEvent<'_>, usize) + 'o;

/// Appends a component to a configuration, separated by a blank line.
pub fn component(text: &mut String, component: &Block<'_>) {
    add_separator(text);
    append_component(text, component, &mut |_, _| {});
}

/// Appends the blank line that precedes a component, unless it is the first component.
pub fn add_separator(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}

/// Appends a component and reports its events to an observer, without a preceding blank line.
pub fn append_component(text: &mut String, component: &Block<'_>, observer: &mut Observer<'_>) {
    block(text, component, 0, observer);
    text.push('\n');
}

/// Appends a component with masked content, keeping its number of lines.
pub fn append_masked_component(text: &mut String, component: &Block<'_>, observer: &mut Observer<'_>) {
    let mut plain_text = String::new();
    block(&mut plain_text, component, 0, &mut |_, _| {});
    observer(LayoutEvent::Block(component.name), text.len());
    let mut lines = plain_text.split_inclusive('\n').peekable();
    text.extend(lines.next());
    while let Some(line) = lines.next() {
        let content = line.trim_start_matches('\t').trim_end();
        let (indent, _) = line.split_at_checked(line.len() - line.trim_start_matches('\t').len()).unwrap_or_default();
        match lines.peek().is_none() || content.is_empty() {
            true => text.push_str(line),
            false => text.extend([indent, MASK, "\n"]),
        }
    }
    observer(LayoutEvent::End, text.len());
    text.push('\n');
}

/// Appends a block inside a component.
pub fn append_block(text: &mut String, inner: &Block<'_>) {
    indent(text, 1);
    block(text, inner, 1, &mut |_, _| {});
    text.push('\n');
}

fn block(text: &mut String, block: &Block<'_>, depth: usize, observer: &mut Observer<'_>) {
    observer(LayoutEvent::Block(block.name), text.len());
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
    observer(LayoutEvent::End, text.len());
}

fn body(text: &mut String, body: &Body<'_>, depth: usize, observer: &mut Observer<'_>) {
    let is_attribute = |statement: &Statement<'_>| matches!(statement, Statement::Attribute(..));
    let runs = body.0.chunk_by(|a, b| is_attribute(a) && is_attribute(b));
    for (i, run) in runs.enumerate() {
        let attributes = run.iter().filter_map(|statement| match statement {
            Statement::Attribute(name, value) => Some((LayoutEvent::Attribute(name), Cow::Borrowed(*name), value)),
            _ => None,
        });
        let attributes: Vec<_> = attributes.collect();
        if i > 0 && attributes.is_empty() {
            text.push('\n');
        }
        match run {
            [Statement::Block(inner)] => {
                indent(text, depth);
                block(text, inner, depth, observer);
                text.push('\n');
            }
            [Statement::Lines(name, lines)] => {
                observer(LayoutEvent::Lines(name, lines), text.len());
                text.push_str(lines);
            }
            _ => assignments(text, &attributes, "\n", depth, observer),
        }
    }
}

/// Writes names with their values in aligned runs. Each run ends after a multi-line value. Only the entries of objects
/// are reported to the observer.
fn assignments<'e>(
    text: &mut String,
    all: &[(LayoutEvent<'e>, Cow<'e, str>, &'e Expression<'_>)],
    end: &str,
    depth: usize,
    observer: &mut Observer<'_>,
) {
    let mut width = 0;
    for (i, (event, name, value)) in all.iter().enumerate() {
        if width == 0 {
            let remaining_assignments = all.get(i..).unwrap_or_default();
            let last_nested = remaining_assignments.iter().position(|(.., value)| has_lines(value));
            let run =
                remaining_assignments.iter().take(last_nested.map_or(remaining_assignments.len(), |last| last + 1));
            width = run.map(|(_, name, _)| name.chars().count()).max().unwrap_or_default();
        }
        indent(text, depth);
        observer(*event, text.len());
        text.push_str(name);
        let length = name.chars().count();
        text.extend(std::iter::repeat_n(' ', width.saturating_sub(length)));
        text.push_str(" = ");
        match value {
            Expression::Object(entries) => object(text, entries, depth, observer),
            _ => expression(text, value, depth),
        }
        observer(LayoutEvent::End, text.len());
        text.push_str(end);
        if has_lines(value) {
            width = 0;
        }
    }
}

fn indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n('\t', depth));
}

/// Whether a value spans several lines.
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
        // Writing to a `String` cannot fail. Most numbers are small integers, which format faster as `u32`.
        Expression::Number(number) if *number == f64::from(*number as u32) => drop(write!(text, "{}", *number as u32)),
        Expression::Number(number) => drop(write!(text, "{number}")),
        Expression::String(string) => write_quoted(text, string),
        Expression::List(items) => {
            text.push('[');
            write_separated(text, items, ", ", depth);
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
                write_separated(text, arguments, ", ", depth);
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
        Expression::Sum(terms) => write_separated(text, terms, " + ", depth),
    }
}

fn write_separated(text: &mut String, items: &[Expression<'_>], separator: &str, depth: usize) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(separator);
        }
        expression(text, item, depth);
    }
}

/// Writes each item on its own line.
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
    let entries = entries.iter();
    let entries: Vec<_> = entries.map(|(name, value)| (LayoutEvent::Entry(name), key(name), value)).collect();
    text.push_str("{\n");
    assignments(text, &entries, ",\n", depth + 1, observer);
    indent(text, depth);
    text.push('}');
}

/// Returns an object key, without quotes if it is an identifier.
fn key(name: &str) -> Cow<'_, str> {
    if is_identifier(name) {
        return name.into();
    }
    let mut text = String::with_capacity(name.len() + 2);
    write_quoted(&mut text, name);
    text.into()
}

/// Whether `text` is an identifier. Block labels must be identifiers.
pub fn is_identifier(text: &str) -> bool {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    text.chars().all(is_word) && text.starts_with(|c: char| !c.is_ascii_digit()) && !is_keyword(text)
}

pub fn is_keyword(text: &str) -> bool {
    matches!(text, "true" | "false" | "null")
}

/// Writes a string in double quotes, like Go's `%q`.
fn write_quoted(text: &mut String, string: &str) {
    text.push('"');
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    let plain_length = string.bytes().position(|b| !is_plain(&b)).unwrap_or(string.len());
    let (plain_text, rest) = string.split_at_checked(plain_length).unwrap_or(("", string));
    text.push_str(plain_text);
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

/// Port of Go's `unicode.IsPrint`. The space is the only printable whitespace.
pub fn is_print(c: char) -> bool {
    use GeneralCategoryGroup::{Letter, Mark, Number, Punctuation, Symbol};
    let group = c.general_category_group();
    c == ' ' || matches!(group, Letter | Mark | Number | Punctuation | Symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_body(body: Body<'_>) -> String {
        let mut text = String::new();
        component(&mut text, &Block::new("a.b", "c", body));
        text
    }

    fn line(value: impl Into<Expression<'static>>) -> String {
        let text = write_body(Body::new().with("x", value));
        let value = text.strip_prefix("a.b \"c\" {\n\tx = ").unwrap();
        value.strip_suffix("\n}\n").unwrap().to_owned()
    }

    #[test]
    fn blank_lines_only_precede_blocks() {
        let body = Body::new()
            .with("a", 1.0)
            .with_block("b", Body::new())
            .with_block("c", Body::new().with("d", true))
            .with("e", "f");
        let expected = "a.b \"c\" {\n\ta = 1\n\n\tb { }\n\n\tc {\n\t\td = true\n\t}\n\te = \"f\"\n}\n";
        assert_eq!(write_body(body), expected);
        let leading_block = Body::new().with_block("b", Body::new());
        assert_eq!(write_body(leading_block), "a.b \"c\" {\n\tb { }\n}\n");
        assert_eq!(write_body(Body::new()), "a.b \"c\" { }\n");
        let mut blocks_text = write_body(Body::new());
        component(&mut blocks_text, &Block::new("logging", "", Body::new()));
        assert_eq!(blocks_text, "a.b \"c\" { }\n\nlogging { }\n");
    }

    #[test]
    fn multiline_values_end_aligned_runs() {
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
        assert_eq!(write_body(body), expected);
    }

    #[test]
    fn lists_of_objects_stay_on_one_line_unless_joined() {
        let target = |address| Expression::List(vec![Expression::map([("__address__", address)])]);
        assert_eq!(line(target("a")), "[{\n\t\t__address__ = \"a\",\n\t}]");
        let joined_targets = Expression::Call("array.concat", vec![target("a"), target("b")]);
        assert_eq!(
            line(joined_targets),
            "array.concat(\n\t\t[{\n\t\t\t__address__ = \"a\",\n\t\t}],\n\t\t[{\n\t\t\t__address__ = \"b\",\n\t\t}],\n\t)"
        );
    }

    #[test]
    fn writes_expressions_like_go() {
        let file = Expression::Export("local.file", "f".into(), "content");
        let cases: [(Expression<'static>, &str); 11] = [
            (1e6.into(), "1000000"),
            (10.5.into(), "10.5"),
            ((-1.0).into(), "-1"),
            ((-0.0).into(), "0"),
            (false.into(), "false"),
            ("a\"\\\n\t\u{7f}\u{e9}\u{200b}\u{e0001}".into(), r#""a\"\\\n\t\x7fé\u200b\U000e0001""#),
            (Expression::texts(["a", "b"]), r#"["a", "b"]"#),
            (Expression::List(Vec::new()), "[]"),
            (Expression::Call("convert.nonsensitive", vec![file]), "convert.nonsensitive(local.file.f.content)"),
            (Expression::Sum(vec!["n=".into(), Expression::Name("constants.hostname")]), "\"n=\" + constants.hostname"),
            (Expression::map([("true", "x")]), "{\n\t\t\"true\" = \"x\",\n\t}"),
        ];
        for (value, expected) in cases {
            assert_eq!(line(value), expected);
        }
    }

    #[test]
    fn escapes_characters_like_go() {
        for (text, expected) in [
            ("~ !", "~ !"),
            ("\r\u{7}\u{8}\u{b}\u{c}", r"\r\a\b\v\f"),
            ("\0\u{1f}\u{7f}", r"\x00\x1f\x7f"),
            ("\u{80}\u{a0}\u{ffff}", r"\u0080\u00a0\uffff"),
            ("\u{10ffff}\u{10000}", "\\U0010ffff\u{10000}"),
            ("é~\"é", "é~\\\"é"),
            ("\"a", r#"\"a"#),
            ("\\", r"\\"),
        ] {
            assert_eq!(line(text), format!("\"{expected}\""), "{text:?}");
        }
    }

    #[test]
    fn writes_values_of_every_type() {
        let export = Expression::Export("a", "b".into(), "c");
        for (value, expected) in [
            (Expression::Null, "null"),
            (Expression::Secret(crate::yaml::SecretSource::Field), "null"),
            (true.into(), "true"),
            (0.0.into(), "0"),
            (4_294_967_295.0.into(), "4294967295"),
            (4_294_967_296.0.into(), "4294967296"),
            (0.5.into(), "0.5"),
            (Expression::Index(Box::new(export), vec!["a".into(), 1.0.into()]), "a.b.c[\"a\"][1]"),
            (Expression::Object(Vec::new()), "{}"),
            (Expression::Call("f", vec!["a".into(), true.into()]), "f(\"a\", true)"),
        ] {
            assert_eq!(line(value), expected);
        }
    }

    #[test]
    fn aligned_runs_end_after_nested_lines() {
        let object = || Expression::map([("b", "c")]);
        for (value, has_lines) in [
            (object(), true),
            (Expression::List(vec!["a".into(), object()]), true),
            (Expression::Sum(vec!["a".into(), object()]), true),
            (Expression::Call("f", vec![Expression::List(vec![object()])]), true),
            (Expression::Object(Vec::new()), false),
            (Expression::texts(["a"]), false),
            (Expression::Call("f", vec!["a".into()]), false),
        ] {
            let text = write_body(Body::new().with("a", value).with("longer", true));
            let start = if has_lines { "{\n\ta = " } else { "{\n\ta      = " };
            assert!(text.contains(start) && text.contains("\n\tlonger = true\n"), "{text}");
        }
    }

    #[test]
    fn validates_identifiers_and_keywords() {
        for (text, expected) in [
            ("a", true),
            ("_1", true),
            ("A9_", true),
            ("", false),
            ("1a", false),
            ("a-b", false),
            ("é", false),
            ("true", false),
            ("false", false),
            ("null", false),
            ("nulls", true),
        ] {
            assert_eq!(is_identifier(text), expected, "{text}");
        }
    }

    #[test]
    fn masking_preserves_line_counts() {
        let body =
            Body::new().with("a", Expression::map([("b", "hidden")])).with_block("c", Body::new().with("d", "hidden"));
        let block = Block::new("x.y", MASK, body);
        let (mut text, mut events) = ("before\n".to_owned(), Vec::new());
        append_masked_component(&mut text, &block, &mut |what, at| events.push((matches!(what, LayoutEvent::End), at)));
        let expected = "before
x.y \"***\" {
\t***
\t\t***
\t***

\t***
\t\t***
\t***
}
";
        assert_eq!(text, expected);
        assert_eq!(events, [(false, "before\n".len()), (true, expected.len() - 1)]);
    }
}
