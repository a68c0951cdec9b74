//! Field selectors, parsed like `fields.ParseSelector` in apimachinery.

/// A condition on a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTerm {
    /// Field path, exactly as written: whitespace is not trimmed.
    pub path: String,
    pub value: String,
    pub is_equal: bool,
}

/// Parses a selector, or returns `None` if `fields.ParseSelector` rejects it.
pub fn parse(text: &str) -> Option<Vec<FieldTerm>> {
    split_terms(text).into_iter().filter(|term| !term.is_empty()).map(parse_term).collect()
}

/// Splits a selector at unescaped commas (`splitTerms`).
fn split_terms(text: &str) -> Vec<&str> {
    let mut is_escaped = false;
    let is_end = |letter: char| {
        let was_escaped = std::mem::take(&mut is_escaped);
        is_escaped = !was_escaped && letter == '\\';
        !was_escaped && letter == ','
    };
    text.split(is_end).collect()
}

/// Parses `path=value`, `path==value` or `path!=value` (`splitTerm`).
fn parse_term(text: &str) -> Option<FieldTerm> {
    let equals_index = text.find('=')?;
    let (path, rest) = text.split_at(equals_index);
    let (path, is_equal) = match path.strip_suffix('!') {
        Some(path) => (path, false),
        None => (path, true),
    };
    let value = rest.get(1..)?;
    let value = value.strip_prefix('=').filter(|_| is_equal).unwrap_or(value);
    Some(FieldTerm { path: path.to_owned(), value: unescape(value)?, is_equal })
}

/// Removes escaping backslashes from a value (`UnescapeValue`). Returns `None` if a required escape is missing or a
/// character must not be escaped.
fn unescape(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => letters.next().filter(|letter| r"\,=".contains(*letter))?,
            ',' | '=' => return None,
            letter => letter,
        });
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_terms_like_apimachinery() {
        for (text, expected) in [
            ("", Some("")),
            (",", Some("")),
            ("metadata.name=c", Some("metadata.name = c")),
            ("status.phase==c", Some("status.phase = c")),
            ("spec.clusterIP!=", Some("spec.clusterIP ! ")),
            ("a=b,,c!=d,", Some("a = b|c ! d")),
            (r"a=b\,c\=d\\", Some(r"a = b,c=d\")),
            (" a= b", Some(" a =  b")),
            ("a", None),
            ("a!b", None),
            ("a=b=c", None),
            ("a!==b", None),
            (r"a=\b", None),
            (r"a=\", None),
        ] {
            let describe_term =
                |term: &FieldTerm| format!("{} {} {}", term.path, if term.is_equal { '=' } else { '!' }, term.value);
            let actual = parse(text).map(|terms| terms.iter().map(describe_term).collect::<Vec<_>>().join("|"));
            assert_eq!(actual.as_deref(), expected, "{text}");
        }
    }
}
