//! Changes of the input that mend a finding.

use crate::source::Span;

/// Text that takes the place of some of the input's; an empty place is where it is put in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    pub span: Span,
    /// What replaces it. Never holds a value of the input, since any value may be secret.
    pub text: String,
}

/// Whether a fix can be applied without a look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Most likely what was meant: a person decides.
    Likely,
    /// What was meant: `check --fix` applies it.
    Certain,
}

/// What mends a finding: all edits together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// The change: an imperative, such as "rename `prot` to `port`".
    pub title: String,
    /// Whether it is what was meant.
    pub certainty: Certainty,
    /// By place, each in another one.
    pub edits: Vec<Edit>,
}

impl Edit {
    /// Replaces what is at a place.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }

    /// Puts text in front of a place.
    pub fn before(span: Span, text: impl Into<String>) -> Self {
        Self::replace(span.with(span.start, span.start), text)
    }

    /// Puts text behind a place.
    pub fn behind(span: Span, text: impl Into<String>) -> Self {
        Self::replace(span.with(span.end, span.end), text)
    }
}

impl Fix {
    /// A fix that is what was meant.
    pub fn certain(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self {
            title: title.into(),
            certainty: Certainty::Certain,
            edits,
        }
    }

    /// The same fix, if what it does is only likely.
    #[must_use]
    pub fn likely(self) -> Self {
        Self {
            certainty: Certainty::Likely,
            ..self
        }
    }

    /// Whether it can be applied without a look at it.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }

    /// One fix of these, which are for the same mistake; none where two change the same place in different ways.
    pub fn of_all<'f>(fixes: impl Iterator<Item = &'f Fix> + Clone) -> Option<Fix> {
        let mut edits: Vec<_> = fixes.clone().flat_map(|fix| &fix.edits).cloned().collect();
        edits.sort();
        edits.dedup();
        let certainty = fixes.clone().map(|fix| fix.certainty).min()?;
        let title = fixes.map(|fix| &fix.title).next()?.clone();
        is_disjoint(&edits).then_some(Fix {
            title,
            certainty,
            edits,
        })
    }
}

/// Whether sorted edits are all in different places: of two at the same one, the order would matter.
pub fn is_disjoint(edits: &[Edit]) -> bool {
    edits.iter().zip(edits.iter().skip(1)).all(|(one, next)| {
        let (one, next) = (one.span, next.span);
        one.source != next.source || (one.end <= next.start && one.start < next.start)
    })
}

/// A text of which these parts are replaced, which are sorted and in different places; `None` where they do not fit it.
pub fn applied<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Edit { span, text: new } in edits {
        out.push_str(text.get(at..span.start as usize)?);
        text.get(span.bytes())?;
        out.push_str(new);
        at = span.end as usize;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};

    fn edits(of: &[(usize, usize, &str)]) -> Vec<Edit> {
        let id = Sources::default().add(Source::new("x.yaml", "", true));
        let edit = |&(start, end, text): &_| Edit::replace(Span::new(id, start, end), text);
        of.iter().map(edit).collect()
    }

    #[test]
    fn edits_change_their_places_alone() {
        let text = "a: é # b\n";
        for (of, expected) in [
            (&[][..], Some("a: é # b\n")),
            (&[(3, 3, "\""), (5, 5, "\"")], Some("a: \"é\" # b\n")),
            (&[(0, 1, "k"), (8, 9, "")], Some("k: é # \n")),
            (&[(4, 5, "")], None),
            (&[(0, 3, ""), (1, 2, "")], None),
            (&[(9, 99, "")], None),
        ] {
            assert_eq!(applied(text, &edits(of)).as_deref(), expected, "{of:?}");
        }
    }

    #[test]
    fn findings_with_one_cause_have_one_fix() {
        let fix = |of| Fix::certain("t", edits(of));
        let (one, other) = (fix(&[(0, 1, "a")]), fix(&[(2, 3, "b")]));
        let of_all = |fixes: &[&Fix]| Fix::of_all(fixes.iter().copied());
        let both = of_all(&[&other, &one, &one]).unwrap();
        assert_eq!(both.edits, edits(&[(0, 1, "a"), (2, 3, "b")]));
        assert!(both.is_certain() && !of_all(&[&one, &other.likely()]).unwrap().is_certain());
        assert_eq!(of_all(&[&one, &fix(&[(0, 2, "b")])]), None);
        assert_eq!(of_all(&[&one, &fix(&[(0, 1, "b")])]), None);
        assert_eq!(of_all(&[]), None);
    }
}
