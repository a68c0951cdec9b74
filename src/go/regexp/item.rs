//! As much of the syntax tree as the limits of repetitions need: how deep it is, how often repeats multiply, and how much is compiled.

/// The most levels (`maxHeight`).
const MAX_HEIGHT: u32 = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A character, which joins with those beside it.
    Literal,
    /// A sequence, which dissolves in the sequence that it becomes a part of.
    Sequence,
    Other,
}

/// A part of an expression. Where Go may simplify, the height is the least that it can come to.
#[derive(Clone, Copy)]
pub(super) struct Item {
    shape: Shape,
    height: u32,
    /// The largest product of counted repeats in one another.
    repeats: u32,
    /// Size of what is compiled from it; a literal has about one.
    pub size: u64,
}

/// Size of a class of characters, which has several ranges of bytes.
const CLASS: u64 = 10;
/// That of a property of Unicode, which has hundreds.
const PROPERTY: u64 = 500;

impl Item {
    pub const LITERAL: Self = Self {
        shape: Shape::Literal,
        size: 1,
        ..Self::EMPTY
    };
    /// What matches a place.
    const EMPTY: Self = Self {
        shape: Shape::Other,
        height: 1,
        repeats: 1,
        size: CLASS,
    };

    /// What matches one character or a place, as it is written.
    pub fn leaf(written: &str) -> Self {
        let pairs = written.as_bytes().windows(2);
        let properties = pairs.filter(|pair| matches!(pair, [b'\\', b'p' | b'P'])).count();
        Self {
            size: CLASS + PROPERTY * properties as u64,
            ..Self::EMPTY
        }
    }

    /// A node with this item below it: a capture, or `*`, `+` or `?`.
    pub fn wrapped(self) -> Self {
        Self {
            shape: Shape::Other,
            height: self.height + 1,
            ..self
        }
    }

    /// This item repeated; `None` where that is more than Go allows (`repeatIsValid`).
    pub fn repeated(self, min: u32, max: Option<u32>) -> Option<Self> {
        let times = max.unwrap_or(min);
        let repeats = if max == Some(0) {
            1
        } else {
            times.max(1).saturating_mul(self.repeats)
        };
        (repeats <= 1000).then_some(Self {
            repeats,
            size: self.size.saturating_mul(times.max(1).into()),
            ..self.wrapped()
        })
    }

    /// An alternation. It adds a level, but drawing out a common beginning may take one away.
    pub fn either(one: Option<Self>, other: Self) -> Self {
        let size = one.map_or(0, |one| one.size).saturating_add(other.size);
        let one = one.unwrap_or(other);
        Self {
            shape: Shape::Other,
            height: one.height.max(other.height),
            repeats: one.repeats.max(other.repeats),
            size,
        }
    }

    pub fn is_too_deep(self) -> bool {
        self.height > MAX_HEIGHT
    }

    /// The sequence of this item and what is before it (`collapse`): characters in a row stay one part.
    fn behind(self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        let is_literal = before.shape == Shape::Literal && self.shape == Shape::Literal;
        let height = |part: Self| part.height - u32::from(part.shape == Shape::Sequence);
        Self {
            shape: if is_literal { Shape::Literal } else { Shape::Sequence },
            height: height(before).max(height(self)) + u32::from(!is_literal),
            repeats: before.repeats.max(self.repeats),
            size: before.size.saturating_add(self.size),
        }
    }
}

/// A sequence of items up to the next `|` or `)`.
#[derive(Default)]
pub(super) struct Branch {
    /// The last item, which a repetition would apply to.
    last: Option<Item>,
    before: Option<Item>,
}

impl Branch {
    pub fn push(&mut self, item: Item) {
        if let Some(last) = self.last.replace(item) {
            self.before = Some(last.behind(self.before));
        }
    }

    pub fn pop(&mut self) -> Option<Item> {
        self.last.take()
    }

    /// The sequence as one item.
    pub fn finish(self) -> Item {
        let whole = self.last.map(|last| last.behind(self.before));
        whole.unwrap_or(Item::EMPTY)
    }
}
