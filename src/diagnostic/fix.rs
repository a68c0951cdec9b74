//! Fixes: edits to the input that fix a finding.

use crate::source::Span;

/// Replacement for a span in the input. An empty span inserts text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    pub span: Span,
    /// New text. Never contains values from the input, because any value may be secret.
    pub text: String,
}

/// Certainty of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The change is probably, but not certainly, intended, so the user must confirm it.
    Likely,
    /// The change is certainly intended, so `check --fix` applies it.
    Certain,
}

/// Edits that together fix one finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// Title in the imperative, such as "rename `prot` to `port`".
    pub title: String,
    /// Whether the fix is certainly intended.
    pub certainty: Certainty,
    /// Edits sorted by position, without overlaps.
    pub edits: Vec<Edit>,
}

impl Edit {
    /// Creates an edit that replaces the text of a span.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Creates an edit that inserts text before a span.
    pub fn insert_before(span: Span, text: impl Into<String>) -> Self {
        Self::replace(span.with(span.start, span.start), text)
    }

    /// Creates an edit that inserts text after a span.
    pub fn insert_after(span: Span, text: impl Into<String>) -> Self {
        Self::replace(span.with(span.end, span.end), text)
    }
}

impl Fix {
    /// Creates a certain fix.
    pub fn certain(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), certainty: Certainty::Certain, edits }
    }

    /// Marks the fix as likely.
    #[must_use]
    pub fn likely(self) -> Self {
        Self { certainty: Certainty::Likely, ..self }
    }

    /// Whether the fix can be applied without review.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }

    /// Combines several fixes for the same mistake, or returns `None` if their edits overlap.
    pub fn combine<'f>(fixes: impl Iterator<Item = &'f Fix> + Clone) -> Option<Fix> {
        let mut edits: Vec<_> = fixes.clone().flat_map(|fix| &fix.edits).cloned().collect();
        edits.sort();
        edits.dedup();
        let certainty = fixes.clone().map(|fix| fix.certainty).min()?;
        let title = fixes.map(|fix| &fix.title).next()?.clone();
        is_disjoint(&edits).then_some(Fix { title, certainty, edits })
    }
}

/// Whether sorted edits do not overlap. Two edits at the same position overlap, because their order would matter.
pub fn is_disjoint(edits: &[Edit]) -> bool {
    edits.iter().zip(edits.iter().skip(1)).all(|(edit, next)| {
        let (edit, next) = (edit.span, next.span);
        edit.source != next.source || (edit.end <= next.start && edit.start < next.start)
    })
}

/// Applies sorted, disjoint edits to `text`, or returns `None` if an edit is out of range.
pub fn apply_edits<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Option<String> {
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
    use crate::testing;

    fn edits(replacements: &[(usize, usize, &str)]) -> Vec<Edit> {
        let id = testing::source_id();
        let edit = |&(start, end, text): &_| Edit::replace(Span::new(id, start, end), text);
        replacements.iter().map(edit).collect()
    }

    #[test]
    fn edits_change_only_their_spans() {
        let text = "a: é # b\n";
        for (replacements, expected) in [
            (&[][..], Some("a: é # b\n")),
            (&[(3, 3, "\""), (5, 5, "\"")], Some("a: \"é\" # b\n")),
            (&[(0, 1, "k"), (8, 9, "")], Some("k: é # \n")),
            (&[(4, 5, "")], None),
            (&[(0, 3, ""), (1, 2, "")], None),
            (&[(9, 99, "")], None),
        ] {
            assert_eq!(apply_edits(text, &edits(replacements)).as_deref(), expected, "{replacements:?}");
        }
    }

    #[test]
    fn combines_fixes_with_the_same_cause() {
        let fix = |replacements| Fix::certain("t", edits(replacements));
        let (first, second) = (fix(&[(0, 1, "a")]), fix(&[(2, 3, "b")]));
        let combine = |fixes: &[&Fix]| Fix::combine(fixes.iter().copied());
        let combined = combine(&[&second, &first, &first]).unwrap();
        assert_eq!(combined.edits, edits(&[(0, 1, "a"), (2, 3, "b")]));
        assert!(combined.is_certain() && !combine(&[&first, &second.likely()]).unwrap().is_certain());
        assert_eq!(combine(&[&first, &fix(&[(0, 2, "b")])]), None);
        assert_eq!(combine(&[&first, &fix(&[(0, 1, "b")])]), None);
        assert_eq!(combine(&[]), None);
    }
}
