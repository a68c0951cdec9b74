use std::borrow::Cow;

/// Labels by their names. A label with an empty value does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels<'l>(Vec<(Cow<'l, str>, Cow<'l, str>)>);

impl<'l> Labels<'l> {
    /// No labels, with room for so many.
    pub fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_ref().cmp(name))
    }

    /// The value of a label; empty if it does not exist.
    pub fn get(&self, name: &str) -> &str {
        let at = self.place(name).ok().and_then(|at| self.0.get(at));
        at.map_or("", |(_, value)| value)
    }

    /// Sets a label; an empty value removes it.
    pub fn set(&mut self, name: impl Into<Cow<'l, str>>, value: impl Into<Cow<'l, str>>) {
        let (name, value) = (name.into(), value.into());
        match (self.place(&name), value.is_empty()) {
            (Ok(at), true) => drop(self.0.remove(at)),
            (Ok(at), false) => self.0.get_mut(at).into_iter().for_each(|(_, old)| *old = value.clone()),
            (Err(_), true) => {}
            (Err(at), false) => self.0.insert(at, (name, value)),
        }
    }

    /// Sets a label unless it exists.
    pub fn set_default(&mut self, name: impl Into<Cow<'l, str>>, value: impl Into<Cow<'l, str>>) {
        let name = name.into();
        if self.get(&name).is_empty() {
            self.set(name, value);
        }
    }

    /// Removes a label.
    pub fn remove(&mut self, name: &str) {
        if let Ok(at) = self.place(name) {
            self.0.remove(at);
        }
    }

    /// Keeps the labels whose names are such.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| keeps(name));
    }

    /// Names and values, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// The names and values as they are kept.
    pub(super) fn pairs(&self) -> &[(Cow<'l, str>, Cow<'l, str>)] {
        &self.0
    }
}

impl<'l, N: Into<Cow<'l, str>>, V: Into<Cow<'l, str>>> FromIterator<(N, V)> for Labels<'l> {
    /// Of labels with one name, the last one counts.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(labels: I) -> Self {
        let mut collected = Labels::default();
        collected.extend(labels);
        collected
    }
}

impl<'l, N: Into<Cow<'l, str>>, V: Into<Cow<'l, str>>> Extend<(N, V)> for Labels<'l> {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, labels: I) {
        labels.into_iter().for_each(|(name, value)| self.set(name, value));
    }
}
