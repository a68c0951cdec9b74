//! Natural order of keys, with numbers compared by value (`keyList.Less` in Go's `sorter.go`).

use std::cmp::Ordering;

use super::presentation::LibraryStyle;
use crate::go::text::{is_digit, is_letter};
use crate::source::boundary;
use crate::yaml::Value;

/// A key of a mapping and its value.
pub(super) type KeyedValue<'v> = (&'v str, &'v Value<'v>);

/// Maximum number of entries for which insertion sort is faster than merging.
const SHORT: usize = 16;

/// Sorts the entries of a mapping.
///
/// The standard library's sort is not used, because it may panic on an inconsistent order, and Go's order is
/// inconsistent for numbers with more than 64 bits, which wrap around.
pub(super) fn sort<T: Copy>(entries: &mut [(&str, T)], style: LibraryStyle) {
    if entries.len() <= SHORT {
        insertion_sort(entries, style);
        return;
    }
    let (left, right) = entries.split_at_mut(entries.len() / 2);
    sort(left, style);
    sort(right, style);
    if let (Some(last), Some(first)) = (left.last(), right.first())
        && !is_less(first.0, last.0, style)
    {
        return;
    }
    let merged = merge(left, right, style);
    entries.copy_from_slice(&merged);
}

fn insertion_sort<T>(entries: &mut [(&str, T)], style: LibraryStyle) {
    for end in 1..entries.len() {
        let Some(sorted) = entries.get_mut(..=end) else { return };
        let mut at = end;
        while let Some([before, entry]) = at.checked_sub(1).and_then(|start| sorted.get(start..=at))
            && is_less(entry.0, before.0, style)
        {
            sorted.swap(at - 1, at);
            at -= 1;
        }
    }
}

fn merge<'k, T: Copy>(mut left: &[(&'k str, T)], mut right: &[(&'k str, T)], style: LibraryStyle) -> Vec<(&'k str, T)> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    while let (Some((l, left_rest)), Some((r, right_rest))) = (left.split_first(), right.split_first()) {
        if is_less(r.0, l.0, style) {
            merged.push(*r);
            right = right_rest;
        } else {
            merged.push(*l);
            left = left_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    merged
}

/// Whether key `a` sorts before `b`.
fn is_less(a: &str, b: &str, style: LibraryStyle) -> bool {
    let common_length = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    match (a.as_bytes().get(common_length), b.as_bytes().get(common_length)) {
        (Some(x), Some(y)) if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => x < y,
        (Some(_), Some(_)) => {
            let common_length = boundary(a, common_length);
            let (prefix, a) = a.split_at_checked(common_length).unwrap_or_default();
            let b = b.get(common_length..).unwrap_or_default();
            is_less_after(prefix, a, b, style)
        }
        _ => a.len() < b.len(),
    }
}

/// Compares the remaining strings after a common prefix. Their first characters differ.
fn is_less_after(prefix: &str, a: &str, b: &str, style: LibraryStyle) -> bool {
    let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) else {
        return false;
    };
    match (is_letter(x), is_letter(y)) {
        (true, true) => x < y,
        (false, false) => is_less_number(prefix, a, b).unwrap_or(x < y),
        // Letters sort last. After a digit in v3, however, they sort first.
        (x_is_letter, _) => x_is_letter == (style == LibraryStyle::V3 && prefix.ends_with(is_digit)),
    }
}

/// Compares the numbers that follow the common prefix of two keys. Returns `None` if they are equal. If one of them
/// starts with 0, digits at the end of the prefix count as part of both.
fn is_less_number(prefix: &str, a: &str, b: &str) -> Option<bool> {
    let is_inside = (a.starts_with('0') || b.starts_with('0'))
        && prefix.chars().rev().take_while(|&c| is_digit(c)).any(|c| c != '0');
    let start = i64::from(is_inside);
    let ((a, a_len), (b, b_len)) = (number(start, a), number(start, b));
    match (a.cmp(&b), a_len.cmp(&b_len)) {
        (Ordering::Equal, Ordering::Equal) => None,
        (Ordering::Equal, by_length) => Some(by_length.is_lt()),
        (by_value, _) => Some(by_value.is_lt()),
    }
}

/// Parses the number at the start of `text`, with `start` as the value of any preceding digits. Returns the number and
/// its digit count. As in Go, numbers wrap around.
fn number(start: i64, text: &str) -> (i64, usize) {
    text.chars().take_while(|&c| is_digit(c)).fold((start, 0), |(number, len), c| {
        let digit = i64::from(u32::from(c)) - i64::from(b'0');
        (number.wrapping_mul(10).wrapping_add(digit), len + 1)
    })
}
