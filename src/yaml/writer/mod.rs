//! YAML writer whose output is identical to that of Go's YAML libraries for `interface{}` data.

mod block;
mod key_order;
mod layout;
mod presentation;
mod read_back;
mod text;

pub use layout::Layout;
pub use presentation::LibraryStyle;
pub use read_back::{ReadBack, may_be_misread, read_back};

use super::Value;
use block::Writer;

/// Writes a value as a string that ends with a line break.
///
/// The keys of mappings are in Go's order. Values that Go cannot write (infinite numbers, or control characters in the
/// Kubernetes style) are written according to the same rules as other values.
pub fn write(value: &Value<'_>, style: LibraryStyle) -> String {
    let mut out = String::new();
    Writer::new(&mut out, style, None).write_document(value);
    out
}

/// Writes a value like [`write()`], and returns the position of each node.
pub fn write_with_layout<'v>(value: &'v Value<'_>, style: LibraryStyle) -> (String, Layout<'v>) {
    let (mut out, mut layout) = (String::new(), Layout::new());
    Writer::new(&mut out, style, Some(&mut layout)).write_document(value);
    (out, layout)
}

/// Appends a list item to `out`, which must be empty or end with a line break. The list is indented by `indent`.
pub fn append_item(out: &mut String, item: &Value<'_>, style: LibraryStyle, indent: usize) {
    Writer::new(out, style, None).write_whole_item(item, indent);
}

/// Like [`append_item`], but fills in empty lists. For each empty list in the outermost mapping of `item`, `items` is
/// called with the list's key. `items` appends a line break and the lines of the items, or returns `false` to leave the
/// list empty.
pub fn append_item_with(
    out: &mut String,
    item: &Value<'_>,
    style: LibraryStyle,
    indent: usize,
    items: &mut dyn FnMut(&str, &mut String) -> bool,
) {
    let mut writer = Writer::new(out, style, None);
    writer.items = Some(&mut *items);
    writer.write_whole_item(item, indent);
}

/// Initial capacity in bytes, which is sufficient for most items (scrape jobs).
pub const ITEM_BYTES: usize = 1 << 12;

/// Writes an item in a list that is indented by `indent`. Returns the position of each node. The list is the root node.
pub fn item_with_layout<'v>(item: &'v Value<'_>, style: LibraryStyle, indent: usize) -> (String, Layout<'v>) {
    let (mut out, mut layout) = (String::with_capacity(ITEM_BYTES), Layout::new());
    Writer::new(&mut out, style, Some(&mut layout)).write_whole_item(item, indent);
    (out, layout)
}

#[cfg(test)]
mod tests;
