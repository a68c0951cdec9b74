//! Columns for people, as kubectl sets them.

use crate::printable::{Text, printable};

/// How far columns stand apart.
const GAP: usize = 3;

/// The rows with their columns aligned; no line ends in spaces.
pub(super) fn table<const N: usize>(rows: Vec<[String; N]>) -> Text {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| row.each_ref().map(|cell| printable(cell)))
        .collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = Text::default();
    for row in rows {
        let line: String = row
            .iter()
            .zip(widths)
            .flat_map(|(cell, width)| {
                let padding = width + GAP - cell.chars().count();
                [cell.to_string(), " ".repeat(padding)]
            })
            .collect();
        text.line(line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = vec![["A", "B"], ["é", "x"], ["long", ""]];
        let rows = rows.into_iter().map(|row| row.map(str::to_owned)).collect();
        assert_eq!(table(rows).as_str(), "A      B\né      x\nlong\n");
    }
}
