//! Labels of components: identifiers that are given once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::free_form::identifier;

/// The labels that are given, by the kind of component, each with the last number that was put behind it.
#[derive(Default)]
pub(super) struct Labels(HashMap<(&'static str, String), u32>);

impl Labels {
    /// A label that no other component of this kind has.
    pub(super) fn unique(&mut self, kind: &'static str, name: &str) -> String {
        let first = (kind, identifier(name).into_owned());
        let Some(mut number) = self.0.get(&first).copied() else {
            let label = first.1.clone();
            self.0.insert(first, 1);
            return label;
        };
        loop {
            number += 1;
            let label = format!("{}_{number}", first.1);
            if let Entry::Vacant(entry) = self.0.entry((kind, label.clone())) {
                entry.insert(1);
                self.0.insert(first, number);
                return label;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_makes_a_label_unique() {
        let mut labels = Labels::default();
        let mut given = |name| labels.unique("a", name);
        assert_eq!(given("x_2"), "x_2");
        assert_eq!(given("x"), "x");
        assert_eq!(given("x"), "x_3");
        assert_eq!(given("x"), "x_4");
        assert_eq!(given("x_2"), "x_2_2");
        assert_eq!(given("y/z"), "y_z");
        assert_eq!(given("y.z"), "y_z_2");
        assert_eq!(labels.unique("b", "x"), "x");
    }
}
