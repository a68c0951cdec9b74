//! Columns for people, as kubectl sets them.

/// How far columns stand apart.
const GAP: usize = 3;

/// The rows with their columns aligned; no line ends in spaces.
pub(super) fn table<const N: usize>(rows: Vec<[String; N]>) -> String {
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let line: String = row
            .iter()
            .zip(widths)
            .flat_map(|(cell, width)| {
                let padding = width + GAP - cell.chars().count();
                [cell.clone(), " ".repeat(padding)]
            })
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
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
        assert_eq!(table(rows), "A      B\né      x\nlong\n");
    }
}
