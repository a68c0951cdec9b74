//! Properties of the syntax tree on which the limits on repetitions depend: nesting depth, product of the repeat
//! counts, and compiled size.

/// Maximum height of the tree (`maxHeight`).
const MAX_HEIGHT: u32 = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemShape {
    /// A character, which is merged with adjacent characters.
    Literal,
    /// A sequence, which is flattened into an enclosing sequence.
    Sequence,
    Other,
}

/// A node of an expression. If Go may simplify the node, its height is the minimum possible height.
#[derive(Clone, Copy)]
pub(super) struct Item {
    shape: ItemShape,
    height: u32,
    /// Maximum product of nested repeat counts.
    repeats: u32,
    /// Estimated compiled size of the node. A literal has a size of about one.
    pub size: u64,
}

/// Estimated size of a character class, which compiles to several byte ranges.
const CLASS_SIZE: u64 = 10;
/// Estimated size of a Unicode property, which compiles to hundreds of byte ranges.
const PROPERTY_SIZE: u64 = 500;

impl Item {
    pub const LITERAL: Self = Self { shape: ItemShape::Literal, size: 1, ..Self::EMPTY };
    /// An item that matches a position rather than a character, such as `^`.
    const EMPTY: Self = Self { shape: ItemShape::Other, height: 1, repeats: 1, size: CLASS_SIZE };

    /// Creates an item for a single character or a position from its notation.
    pub fn leaf(written: &str) -> Self {
        let pairs = written.as_bytes().windows(2);
        let properties = pairs.filter(|pair| matches!(pair, [b'\\', b'p' | b'P'])).count();
        Self { size: CLASS_SIZE + PROPERTY_SIZE * properties as u64, ..Self::EMPTY }
    }

    /// Wraps this item in a parent node: a capture group, or `*`, `+` or `?`.
    pub fn wrap(self) -> Self {
        Self { shape: ItemShape::Other, height: self.height + 1, ..self }
    }

    /// Returns the repetition of this item, or `None` if Go rejects it (`repeatIsValid`).
    pub fn repeat(self, min: u32, max: Option<u32>) -> Option<Self> {
        let times = max.unwrap_or(min);
        let repeats = if max == Some(0) { 1 } else { times.max(1).saturating_mul(self.repeats) };
        (repeats <= 1000).then_some(Self {
            repeats,
            size: self.size.saturating_mul(times.max(1).into()),
            ..self.wrap()
        })
    }

    /// Creates an alternation. It adds a level, but factoring out a common prefix may remove one.
    pub fn alternation(first: Option<Self>, second: Self) -> Self {
        let size = first.map_or(0, |one| one.size).saturating_add(second.size);
        let one = first.unwrap_or(second);
        Self {
            shape: ItemShape::Other,
            height: one.height.max(second.height),
            repeats: one.repeats.max(second.repeats),
            size,
        }
    }

    pub fn is_too_deep(self) -> bool {
        self.height > MAX_HEIGHT
    }

    /// Appends this item to the sequence `before` (`collapse`). Adjacent characters remain a single node.
    fn append_to(self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        let is_literal = before.shape == ItemShape::Literal && self.shape == ItemShape::Literal;
        let height = |part: Self| part.height - u32::from(part.shape == ItemShape::Sequence);
        Self {
            shape: if is_literal { ItemShape::Literal } else { ItemShape::Sequence },
            height: height(before).max(height(self)) + u32::from(!is_literal),
            repeats: before.repeats.max(self.repeats),
            size: before.size.saturating_add(self.size),
        }
    }
}

/// A sequence of items up to the next `|` or `)`.
#[derive(Default)]
pub(super) struct Branch {
    /// Last item, to which a repetition operator would apply.
    last: Option<Item>,
    before: Option<Item>,
}

impl Branch {
    pub fn push(&mut self, item: Item) {
        if let Some(last) = self.last.replace(item) {
            self.before = Some(last.append_to(self.before));
        }
    }

    pub fn pop(&mut self) -> Option<Item> {
        self.last.take()
    }

    /// Returns the sequence as one item.
    pub fn finish(self) -> Item {
        let item = self.last.map(|last| last.append_to(self.before));
        item.unwrap_or(Item::EMPTY)
    }
}
