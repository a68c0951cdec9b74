//! Paths in documents, and path patterns.

use super::node::{Entry, Node, NodeValue};
use crate::diagnostic::{FieldPath, Step};
use crate::source::Span;

impl FieldPath<'_> {
    /// Returns the span of the field below `root`, or the span of the key of its nearest existing parent.
    pub fn locate(&self, root: Node<'_>) -> Span {
        self.look_up(root).0
    }

    /// Returns the span of the field, and its value if it exists.
    pub fn look_up<'d>(&self, root: Node<'d>) -> (Span, Option<Node<'d>>) {
        let (mut node, mut span) = (root, root.span());
        for step in self.steps() {
            let next = match step {
                Step::Key(key) => node.entry(key).map(|entry| (entry.value, entry.key_span)),
                Step::Index(index) => node.item(index).map(|item| (item, item.span())),
            };
            let Some(next) = next else {
                let null_span = match step {
                    Step::Key(key) => node.find_dropped_null(key),
                    Step::Index(_) => None,
                };
                return (null_span.unwrap_or(span), None);
            };
            (node, span) = next;
        }
        let is_collection = node.is_mapping() || node.items().len() > 0;
        (if is_collection { span } else { node.span() }, Some(node))
    }

    /// Returns the value of the field below `root`, if it exists.
    pub fn find<'d>(&self, root: Node<'d>) -> Option<Node<'d>> {
        self.look_up(root).1
    }
}

/// Access by paths of nested keys, such as `metadata.name`. Field names must not contain dots.
impl<'d> Node<'d> {
    /// Returns the value at this path.
    pub fn at(self, path: &str) -> Option<Node<'d>> {
        steps(path, b'.').try_fold(self, Node::get)
    }

    /// Returns the string at this path, or `None` if it is empty.
    pub fn non_empty_str(self, path: &str) -> Option<&'d str> {
        self.at(path)?.as_str().filter(|text| !text.is_empty())
    }

    /// Returns the string at this path, or an empty string if there is none.
    pub fn text(self, path: &str) -> &'d str {
        self.non_empty_str(path).unwrap_or_default()
    }

    /// Returns the items of the list at this path.
    pub fn items_at(self, path: &str) -> impl Iterator<Item = Node<'d>> + use<'d> {
        self.at(path).into_iter().flat_map(Node::items)
    }

    /// Returns the entries of the mapping at this path.
    pub fn entries_at(self, path: &str) -> impl Iterator<Item = Entry<'d>> + use<'d> {
        self.at(path).into_iter().flat_map(Node::entries)
    }
}

/// Splits a path such as `spec.endpoints[].oauth2` into its first step and the remainder.
pub fn first_step(path: &str) -> (&str, &str) {
    let mut steps = Steps { rest: Some(path), separator: b'.' };
    (steps.next().unwrap_or_default(), steps.rest.unwrap_or_default())
}

/// Splits a path at an ASCII separator. Steps are short, so this loop is faster than `split`.
pub fn steps(path: &str, separator: u8) -> impl Iterator<Item = &str> + Clone {
    Steps { rest: Some(path), separator }
}

#[derive(Clone)]
struct Steps<'p> {
    rest: Option<&'p str>,
    separator: u8,
}

impl<'p> Iterator for Steps<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        let path = self.rest?;
        let end = path.bytes().position(|byte| byte == self.separator);
        self.rest = end.and_then(|end| path.get(end + 1..));
        path.get(..end.unwrap_or(path.len()))
    }
}

impl<'d> Node<'d> {
    /// Calls `on_match` with each field below this node that matches `pattern`, and with its path below `path`.
    /// `spec.endpoints[].oauth2` matches the field in each endpoint, `**` matches any number of steps, and an empty
    /// pattern matches the node itself.
    pub fn visit(
        self,
        pattern: &str,
        path: &mut FieldPath<'d>,
        on_match: &mut impl FnMut(&mut FieldPath<'d>, Node<'d>),
    ) {
        let (step, rest) = first_step(pattern);
        let key = match step {
            "" => return on_match(path, self),
            "**" => return self.visit_descendants(rest, path, on_match),
            step => step.strip_suffix("[]"),
        };
        let Some(entry) = self.entry(key.unwrap_or(step)) else {
            return;
        };
        path.push_key(entry.key);
        if key.is_some() {
            for (i, item) in entry.value.items().enumerate() {
                path.push_index(i);
                item.visit(rest, path, on_match);
                path.pop();
            }
        } else {
            entry.value.visit(rest, path, on_match);
        }
        path.pop();
    }

    /// Matches `rest` after a `**`: at this node, and at any depth below it.
    fn visit_descendants(
        self,
        rest: &str,
        path: &mut FieldPath<'d>,
        on_match: &mut impl FnMut(&mut FieldPath<'d>, Node<'d>),
    ) {
        let is_inner = matches!(self.value(), NodeValue::Mapping | NodeValue::Sequence);
        if !is_inner && !rest.is_empty() {
            return;
        }
        self.visit(rest, path, on_match);
        for entry in self.entries() {
            path.push_key(entry.key);
            entry.value.visit_descendants(rest, path, on_match);
            path.pop();
        }
        for (i, item) in self.items().enumerate() {
            path.push_index(i);
            item.visit_descendants(rest, path, on_match);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn patterns_match_fields() {
        let text = "{a: {b: [{c: 1}, {c: {c: 2}}, {d: 3}]}}";
        let documents = testing::documents(text);
        for (pattern, expected) in [
            ("a.b", "a.b"),
            ("a.b[].c", "a.b[0].c a.b[1].c"),
            ("a.**.c", "a.b[0].c a.b[1].c a.b[1].c.c"),
            ("a.b[]", "a.b[0] a.b[1] a.b[2]"),
            ("a[].b", ""),
            ("x.b", ""),
        ] {
            let mut matches = Vec::new();
            documents[0].root().visit(pattern, &mut FieldPath::new(), &mut |path, _| matches.push(path.to_string()));
            assert_eq!(matches.join(" "), expected, "{pattern}");
        }
    }
}
