//! The table of ignored fields, `table.json`. The documentation lists the same fields.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::api::Kind;

/// The table (the templates in `static/operator/config/templates`, and `resources_metrics.go` for `storage`).
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 't"))]
pub(super) struct Table<'t> {
    /// What happens instead of a field, and what to do, by the name that fields have for it.
    pub notes: BTreeMap<&'t str, [&'t str; 2]>,
    /// The fields.
    pub ignored: Vec<Ignored<'t>>,
}

/// Fields that the operator accepts and ignores.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 't"))]
pub(super) struct Ignored<'t> {
    /// The kinds, and patterns of the mappings that have the fields.
    pub within: Vec<(Kind, &'t str)>,
    /// Patterns of the fields in such a mapping, which values are ignored, and the name of what to say.
    pub fields: Vec<(&'t str, When, &'t str)>,
}

/// Which values of a field are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum When {
    /// All values except zero values, which mean the same as a missing field.
    Set,
    /// `true`.
    True,
    /// `false`.
    False,
    /// An empty text.
    Empty,
}

#[expect(
    clippy::expect_used,
    reason = "the table is part of the program, and a test reads it"
)]
pub(super) static TABLE: LazyLock<Table<'static>> =
    LazyLock::new(|| serde_json::from_str(include_str!("table.json")).expect("the table of this program is valid"));

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::diagnostic::Code;

    const DOCUMENTATION: &str = include_str!("../../../docs/differences.md");

    /// The rows of the documentation, sorted by kind and field.
    fn rows() -> Vec<String> {
        let mut rows = BTreeMap::new();
        for ignored in &TABLE.ignored {
            for (kind, outer) in &ignored.within {
                for (field, when, note) in &ignored.fields {
                    let when = match when {
                        When::Set => "set",
                        When::True => "`true`",
                        When::False => "`false`",
                        When::Empty => "empty",
                    };
                    let [note, _] = TABLE.notes[note];
                    let path = format!("{outer}.{field}");
                    let row = format!("| {kind} | `{path}` | {when} | {note} |");
                    rows.insert((kind.as_str(), path), row);
                }
            }
        }
        rows.into_values().collect()
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let documented: Vec<_> = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Kind "))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(documented, rows());
    }

    #[test]
    fn each_code_of_the_documentation_exists() {
        let rows = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Operator "));
        let rows: Vec<_> = rows.skip(2).take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() > 5);
        for row in rows {
            let code = row
                .trim_end_matches([' ', '|', '`'])
                .rsplit("| `")
                .next()
                .unwrap_or_default();
            let named = row.ends_with("` |");
            let exists = Code::ALL.iter().any(|other| other.as_str() == code);
            assert!(exists || !named, "{row}");
        }
    }
}
