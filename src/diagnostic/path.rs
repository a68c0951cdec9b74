//! Field paths in the API server's notation.

use std::borrow::Cow;
use std::fmt;

use super::shown_key::display_path_key;

/// A step from a value to one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'p> {
    /// Key of a mapping.
    Key(&'p str),
    /// Index of a list item.
    Index(usize),
}

impl<'p> Step<'p> {
    /// Returns the key, or `None` for a list index.
    pub fn key(self) -> Option<&'p str> {
        match self {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }
}

/// A [`Step`] that may own its key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum OwnedStep<'p> {
    Key(Cow<'p, str>),
    Index(usize),
}

/// Path from the root to a field, such as `spec.endpoints[0].port`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldPath<'p>(Vec<OwnedStep<'p>>);

impl<'p> FieldPath<'p> {
    /// Returns the path of the root.
    pub fn new() -> Self {
        Self::default()
    }

    /// Splits a path such as `spec.metrics.shards` at its dots.
    pub fn parse(dotted: &'static str) -> Self {
        Self(dotted.split('.').map(|key| OwnedStep::Key(Cow::Borrowed(key))).collect())
    }

    /// Returns the path of a key below this path.
    #[must_use]
    pub fn key(&self, key: impl Into<Cow<'p, str>>) -> Self {
        let mut path = self.clone();
        path.push_key(key);
        path
    }

    /// Returns the path of a list item below this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    pub fn push_key(&mut self, key: impl Into<Cow<'p, str>>) {
        self.0.push(OwnedStep::Key(key.into()));
    }

    pub fn push(&mut self, step: Step<'_>) {
        match step {
            Step::Key(key) => self.push_key(key.to_owned()),
            Step::Index(index) => self.push_index(index),
        }
    }

    /// Returns the path with `below` appended.
    pub fn join(&self, below: &FieldPath<'_>) -> Self {
        let mut path = self.clone();
        below.steps().for_each(|step| path.push(step));
        path
    }

    pub fn push_front(&mut self, step: Step<'_>) {
        let mut path = FieldPath::new();
        path.push(step);
        path.0.append(&mut self.0);
        *self = path;
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push_index(&mut self, index: usize) {
        self.0.push(OwnedStep::Index(index));
    }

    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Returns the last key, or `None` if the path ends with a list index.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            OwnedStep::Key(key) => Some(key),
            OwnedStep::Index(_) => None,
        }
    }

    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> + Clone {
        self.0.iter().map(|step| match step {
            OwnedStep::Key(key) => Step::Key(key),
            OwnedStep::Index(index) => Step::Index(*index),
        })
    }
}

/// Path to a value during a walk. Each step refers to its parent on the stack, so that nothing is allocated before a
/// finding is reported.
#[derive(Clone, Copy, Debug)]
pub enum Trail<'t> {
    Root,
    /// A step below another value.
    Below(&'t Trail<'t>, Step<'t>),
}

impl<'t> Trail<'t> {
    /// Returns the path of a child.
    pub fn step(&'t self, step: Step<'t>) -> Trail<'t> {
        Trail::Below(self, step)
    }

    /// Returns an owned copy of the path.
    pub fn to_path(&self) -> FieldPath<'static> {
        match self {
            Trail::Root => FieldPath::new(),
            Trail::Below(parent, step) => {
                let mut path = parent.to_path();
                path.push(*step);
                path
            }
        }
    }
}

impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut above = None;
        for step in self.steps() {
            match step {
                Step::Key(key) => {
                    let dot = if above.is_some() { "." } else { "" };
                    write!(f, "{dot}{}", display_path_key(above, key))?;
                    above = Some(key);
                }
                Step::Index(index) => {
                    write!(f, "[{index}]")?;
                    above = Some("");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_paths_like_the_api_server() {
        let path = FieldPath::parse("spec.endpoints").index(0).key("port");
        assert_eq!(path.to_string(), "spec.endpoints[0].port");
        assert_eq!((path.last_key(), FieldPath::parse("a").index(1).last_key()), (Some("port"), None));
        assert_eq!(FieldPath::new().last_key(), None);
        let mut other = FieldPath::new();
        assert!(other.is_root() && !path.is_root());
        assert_eq!(other.to_string(), "");
        other.push_index(2);
        other.push_key("b");
        other.push_front(Step::Key("a"));
        assert_eq!(other.to_string(), "a[2].b");
        assert_eq!(path.join(&other).to_string(), "spec.endpoints[0].port.a[2].b");
        other.pop();
        assert_eq!(other.to_string(), "a[2]");
        let steps: Vec<_> = other.steps().collect();
        assert_eq!(steps, [Step::Key("a"), Step::Index(2)]);
    }

    #[test]
    fn masks_keys_that_may_be_secret() {
        for (keys, expected) in [
            (&["a b"][..], "***"),
            (&["spec", "a b"], "spec.a b"),
            (&["data", "a b"], "data.***"),
            (&["data", "tls.key"], "data.tls.key"),
        ] {
            let mut path = FieldPath::new();
            keys.iter().for_each(|key| path.push(Step::Key(key)));
            assert_eq!(path.to_string(), expected);
        }
        let in_list = FieldPath::parse("data").index(0).key("a b");
        assert_eq!(in_list.to_string(), "data[0].a b");
    }

    #[test]
    fn converts_trails_to_paths() {
        let root = Trail::Root;
        let list = root.step(Step::Key("a"));
        let item = list.step(Step::Index(3));
        assert_eq!(item.step(Step::Key("b")).to_path().to_string(), "a[3].b");
        assert!(root.to_path().is_root());
    }
}
