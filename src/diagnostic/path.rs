//! The path of a field, written as the API server writes it.

use std::borrow::Cow;
use std::fmt;

use super::shown_key::shown_in_path;

/// One step down into a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'p> {
    /// To the value of a key.
    Key(&'p str),
    /// To an item of a list.
    Index(usize),
}

impl<'p> Step<'p> {
    /// The key; `None` where it leads to an item.
    pub fn key(self) -> Option<&'p str> {
        match self {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }
}

/// A step that a path holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Held<'p> {
    Key(Cow<'p, str>),
    Index(usize),
}

/// The way from the outermost node to a field: `spec.endpoints[0].port`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldPath<'p>(Vec<Held<'p>>);

impl<'p> FieldPath<'p> {
    /// The outermost node.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses nothing: splits `spec.metrics.shards` at its dots.
    pub fn of(dotted: &'static str) -> Self {
        Self(dotted.split('.').map(|key| Held::Key(Cow::Borrowed(key))).collect())
    }

    /// One key further.
    #[must_use]
    pub fn key(&self, key: impl Into<Cow<'p, str>>) -> Self {
        let mut path = self.clone();
        path.push_key(key);
        path
    }

    /// One item further.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    /// Goes one key further.
    pub fn push_key(&mut self, key: impl Into<Cow<'p, str>>) {
        self.0.push(Held::Key(key.into()));
    }

    /// Goes one step further.
    pub fn push(&mut self, step: Step<'_>) {
        match step {
            Step::Key(key) => self.push_key(key.to_owned()),
            Step::Index(index) => self.push_index(index),
        }
    }

    /// The path of a field below this one.
    pub fn join(&self, below: &FieldPath<'_>) -> Self {
        let mut path = self.clone();
        below.steps().for_each(|step| path.push(step));
        path
    }

    /// Puts a step in front.
    pub fn push_front(&mut self, step: Step<'_>) {
        let mut path = FieldPath::new();
        path.push(step);
        path.0.append(&mut self.0);
        *self = path;
    }

    /// Whether it is the outermost node.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Goes one item further.
    pub fn push_index(&mut self, index: usize) {
        self.0.push(Held::Index(index));
    }

    /// Goes one step back.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// The key that the path ends with; `None` where it ends with an item.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            Held::Key(key) => Some(key),
            Held::Index(_) => None,
        }
    }

    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.0.iter().map(|step| match step {
            Held::Key(key) => Step::Key(key),
            Held::Index(index) => Step::Index(*index),
        })
    }
}

/// The way to a value while a document is walked. Each step refers to the one before it, on the stack: nothing is
/// allocated unless there is something to report.
#[derive(Clone, Copy, Debug)]
pub enum Trail<'t> {
    /// The outermost node.
    Root,
    /// One step below another value.
    Below(&'t Trail<'t>, Step<'t>),
}

impl<'t> Trail<'t> {
    /// One step further.
    pub fn step(&'t self, step: Step<'t>) -> Trail<'t> {
        Trail::Below(self, step)
    }

    /// The same way, to be kept.
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
                    write!(f, "{dot}{}", shown_in_path(above, key))?;
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
    fn paths_are_written_as_the_api_server_writes_them() {
        let path = FieldPath::of("spec.endpoints").index(0).key("port");
        assert_eq!(path.to_string(), "spec.endpoints[0].port");
        assert_eq!(
            (path.last_key(), FieldPath::of("a").index(1).last_key()),
            (Some("port"), None)
        );
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
    fn keys_that_may_be_secret_are_masked() {
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
        let in_list = FieldPath::of("data").index(0).key("a b");
        assert_eq!(in_list.to_string(), "data[0].a b");
    }

    #[test]
    fn a_trail_is_the_way_back() {
        let root = Trail::Root;
        let list = root.step(Step::Key("a"));
        let item = list.step(Step::Index(3));
        assert_eq!(item.step(Step::Key("b")).to_path().to_string(), "a[3].b");
        assert!(root.to_path().is_root());
    }
}
