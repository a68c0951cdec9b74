//! Values → text, byte for byte as Go's YAML libraries write `interface{}` data.

mod block;
mod key_order;
mod layout;
mod presentation;
mod read_back;
mod text;

pub use layout::Layout;
pub use presentation::Style;
pub use read_back::{ReadBack, may_be_misread, read_back};

use super::Value;
use block::Writer;

/// The text of a value, ending in a line break.
///
/// The keys of a mapping are written in Go's order. What Go refuses to write (an infinite number or a control character
/// in the Kubernetes style) is written by the rules of the other values.
pub fn write(value: &Value<'_>, style: Style) -> String {
    let mut out = String::new();
    Writer::new(&mut out, style, None).document(value);
    out
}

/// The text of a value as [`write()`] has it, and the place of each node in it.
pub fn write_with_layout<'v>(value: &'v Value<'_>, style: Style) -> (String, Layout<'v>) {
    let (mut out, mut layout) = (String::new(), Layout::new());
    Writer::new(&mut out, style, Some(&mut layout)).document(value);
    (out, layout)
}

/// Appends the lines of an item of a list that is indented by `indent` to `out`, which must be empty or end in a line break.
pub fn append_item(out: &mut String, item: &Value<'_>, style: Style, indent: usize) {
    Writer::new(out, style, None).whole_item(item, indent);
}

/// The same, where `items` appends the lines of the items of some lists that are empty in `item`, behind a line break; it gets the
/// key of such a list in the outermost mapping.
pub fn append_item_with(
    out: &mut String,
    item: &Value<'_>,
    style: Style,
    indent: usize,
    items: &mut dyn FnMut(&str, &mut String) -> bool,
) {
    let mut writer = Writer::new(out, style, None);
    writer.items = Some(&mut *items);
    writer.whole_item(item, indent);
}

/// Number of bytes that most items take, which are scrape jobs.
const ITEM: usize = 1 << 12;

/// The lines of an item of a list that is indented by `indent`, and the place of each node in them. The list is the
/// outermost node.
pub fn item_with_layout<'v>(item: &'v Value<'_>, style: Style, indent: usize) -> (String, Layout<'v>) {
    let (mut out, mut layout) = (String::with_capacity(ITEM), Layout::new());
    Writer::new(&mut out, style, Some(&mut layout)).whole_item(item, indent);
    (out, layout)
}

#[cfg(test)]
mod tests;
