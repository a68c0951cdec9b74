//! Patterns of field paths: `spec.endpoints[].oauth2` stands for this field of each endpoint, `**` for any number of
//! steps.

use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// Calls `found` with each field below `node` that `pattern` stands for.
pub(super) fn visit<'d>(
    node: Node<'d>,
    pattern: &str,
    path: &mut FieldPath<'d>,
    found: &mut impl FnMut(&mut FieldPath<'d>, Node<'d>),
) {
    let (step, rest) = match pattern.split_once('.') {
        Some((step, rest)) => (step, Some(rest)),
        None => (pattern, None),
    };
    match (step, rest) {
        ("**", Some(rest)) => visit_below(node, rest, path, found),
        _ => visit_step(node, step, rest, path, found),
    }
}

fn visit_step<'d>(
    node: Node<'d>,
    step: &str,
    rest: Option<&str>,
    path: &mut FieldPath<'d>,
    found: &mut impl FnMut(&mut FieldPath<'d>, Node<'d>),
) {
    let mut next = |node, path: &mut FieldPath<'d>| match rest {
        Some(rest) => visit(node, rest, path, found),
        None => found(path, node),
    };
    let key = step.strip_suffix("[]");
    let Some(entry) = node.entry(key.unwrap_or(step)) else {
        return;
    };
    path.push_key(entry.key);
    if key.is_some() {
        for (i, item) in entry.value.items().enumerate() {
            path.push_index(i);
            next(item, path);
            path.pop();
        }
    } else {
        next(entry.value, path);
    }
    path.pop();
}

/// `**`: `rest` here and at any depth below.
fn visit_below<'d>(
    node: Node<'d>,
    rest: &str,
    path: &mut FieldPath<'d>,
    found: &mut impl FnMut(&mut FieldPath<'d>, Node<'d>),
) {
    visit(node, rest, path, found);
    for entry in node.entries() {
        path.push_key(entry.key);
        visit_below(entry.value, rest, path, found);
        path.pop();
    }
    for (i, item) in node.items().enumerate() {
        path.push_index(i);
        visit_below(item, rest, path, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn patterns_find_fields() {
        let text = "{a: {b: [{c: 1}, {c: {c: 2}}, {d: 3}]}}";
        let mut sources = Sources::default();
        let id = sources.add(Source::new("t", text, true));
        let documents = read(id, text, &Limits::default()).output;
        for (pattern, expected) in [
            ("a.b", "a.b"),
            ("a.b[].c", "a.b[0].c a.b[1].c"),
            ("a.**.c", "a.b[0].c a.b[1].c a.b[1].c.c"),
            ("a.b[]", "a.b[0] a.b[1] a.b[2]"),
            ("a[].b", ""),
            ("x.b", ""),
        ] {
            let mut found = Vec::new();
            visit(documents[0].root(), pattern, &mut FieldPath::new(), &mut |path, _| {
                found.push(path.to_string())
            });
            assert_eq!(found.join(" "), expected, "{pattern}");
        }
    }
}
