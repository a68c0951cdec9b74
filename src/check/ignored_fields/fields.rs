//! Tree of field patterns. A single walk over a resource finds the fields that match any of the patterns.

use crate::diagnostic::FieldPath;
use crate::yaml::{Node, NodeValue, steps};

/// Rows for a node and for the nodes below it.
pub struct IgnoredFields<'t, T> {
    pub rows: Vec<T>,
    /// Fields by key. The key `None` represents the items in a list.
    below: Vec<(Option<&'t str>, Self)>,
    /// Fields at any depth, for a pattern with `**`. A pattern contains at most one `**`, which is not at its end.
    anywhere: Option<Box<Self>>,
}

impl<T> Default for IgnoredFields<'_, T> {
    fn default() -> Self {
        Self { rows: Vec::new(), below: Vec::new(), anywhere: None }
    }
}

impl<'t, T> IgnoredFields<'t, T> {
    /// Returns the node for a pattern, in the syntax of [`Node::visit`].
    pub fn at(&mut self, pattern: &'t str) -> &mut Self {
        steps(pattern, b'.').fold(self, |at, step| match step.strip_suffix("[]") {
            _ if step == "**" => at.anywhere.get_or_insert_default(),
            Some(key) => at.get_or_insert(Some(key)).get_or_insert(None),
            None => at.get_or_insert(Some(step)),
        })
    }

    fn get_or_insert(&mut self, key: Option<&'t str>) -> &mut Self {
        let known = self.below.iter().position(|(known, _)| *known == key);
        let position = known.unwrap_or(self.below.len());
        if known.is_none() {
            self.below.push((key, Self::default()));
        }
        #[allow(clippy::indexing_slicing, reason = "it was found, or pushed")]
        &mut self.below[position].1
    }

    fn get(&self, key: Option<&str>) -> Option<&Self> {
        let mut fields_below = self.below.iter();
        fields_below.find(|(candidate, _)| *candidate == key).map(|(_, fields)| fields)
    }

    /// Calls `on_match` for each matching field below `root`, once for each of its rows.
    pub fn visit<'d>(&self, root: Node<'d>, on_match: &mut OnMatch<'_, 'd, T>) {
        let path = FieldPath::new();
        Visitor { path, on_match }.visit_node(Some(self), None, root);
    }
}

/// Function that takes a row, the path of a matching field, and its value.
type OnMatch<'f, 'd, T> = dyn FnMut(&T, &FieldPath<'d>, Node<'d>) + 'f;

struct Visitor<'v, 'f, 'd, T> {
    path: FieldPath<'d>,
    on_match: &'v mut OnMatch<'f, 'd, T>,
}

impl<'d, T> Visitor<'_, '_, 'd, T> {
    /// Visits a node. The fields directly below it may match `fields`, and fields at any depth may match `anywhere`.
    fn visit_node(
        &mut self,
        fields: Option<&IgnoredFields<'_, T>>,
        anywhere: Option<&IgnoredFields<'_, T>>,
        node: Node<'d>,
    ) {
        for row in fields.into_iter().flat_map(|fields| &fields.rows) {
            (self.on_match)(row, &self.path, node);
        }
        let anywhere = fields.and_then(|fields| fields.anywhere.as_deref()).or(anywhere);
        for entry in node.entries() {
            let push = |path: &mut FieldPath<'d>| path.push_key(entry.key);
            self.visit_inner([fields, anywhere], Some(entry.key), entry.value, push);
        }
        for (index, item) in node.items().enumerate() {
            let push = |path: &mut FieldPath<'d>| path.push_index(index);
            self.visit_inner([fields, anywhere], None, item, push);
        }
    }

    fn visit_inner(
        &mut self,
        fields: [Option<&IgnoredFields<'_, T>>; 2],
        key: Option<&str>,
        node: Node<'d>,
        push: impl FnOnce(&mut FieldPath<'d>),
    ) {
        let [_, anywhere] = fields;
        let [own_fields, from_anywhere] = fields.map(|fields| fields?.get(key));
        let is_inner = matches!(node.value(), NodeValue::Mapping | NodeValue::Sequence);
        if own_fields.is_none() && from_anywhere.is_none() && (anywhere.is_none() || !is_inner) {
            return;
        }
        push(&mut self.path);
        self.visit_node(own_fields, anywhere, node);
        if from_anywhere.is_some() {
            self.visit_node(from_anywhere, None, node);
        }
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn finds_fields_of_all_patterns_in_one_pass() {
        let text = "{a: {b: [{c: 1, d: {c: 2}}, {c: {c: 3}}], e: {'': 4}}}";
        let documents = testing::documents(text);
        for patterns in
            [&["a.b[].c", "a.b[].d.c"][..], &["a.**.c"], &["a.b[].**.c", "a.b[].c"], &["a.e[]", "a[].b", "x.b"]]
        {
            let mut fields = IgnoredFields::default();
            let mut expected = Vec::new();
            for pattern in patterns {
                fields.at(pattern).rows.push(*pattern);
                let mut add_expected =
                    |path: &mut FieldPath<'_>, _: Node<'_>| expected.push(format!("{pattern} {path}"));
                documents[0].root().visit(pattern, &mut FieldPath::new(), &mut add_expected);
            }
            let mut actual = Vec::new();
            let mut add = |pattern: &&str, path: &FieldPath<'_>, _: Node<'_>| actual.push(format!("{pattern} {path}"));
            fields.visit(documents[0].root(), &mut add);
            actual.sort();
            expected.sort();
            assert_eq!(actual, expected, "{patterns:?}");
        }
    }
}
