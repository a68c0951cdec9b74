//! Layouts for times (`time.Parse`).

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutPart<'l> {
    /// Element of the reference time, such as `2006` or `Jan`.
    Element(&'l str),
    /// Characters that a time must contain as written.
    Literal(&'l str),
}

/// Elements of the reference time. If several elements start with the same characters, the longest comes first.
const ELEMENTS: &[&str] = &[
    "January",
    "Jan",
    "Monday",
    "Mon",
    "MST",
    "01",
    "02",
    "03",
    "04",
    "05",
    "06",
    "002",
    "15",
    "1",
    "2006",
    "_2006",
    "__2",
    "_2",
    "2",
    "3",
    "4",
    "5",
    "PM",
    "pm",
    "-07:00:00",
    "-070000",
    "-07:00",
    "-0700",
    "-07",
    "Z07:00:00",
    "Z070000",
    "Z07:00",
    "Z0700",
    "Z07",
];

/// Splits a layout into elements and literals (`nextStdChunk`).
pub fn layout_parts(layout: &str) -> Vec<LayoutPart<'_>> {
    let (mut parts, mut literal, mut at) = (Vec::new(), 0, 0);
    while let Some(rest) = layout.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(length) = element(rest) else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        parts.extend(layout.get(literal..at).filter(|text| !text.is_empty()).map(LayoutPart::Literal));
        parts.extend(layout.get(at..at + length).map(LayoutPart::Element));
        at += length;
        literal = at;
    }
    parts.extend(layout.get(literal..).filter(|text| !text.is_empty()).map(LayoutPart::Literal));
    parts
}

/// Returns the length of the element at the start of a layout, or `None` if it starts with a literal.
fn element(rest: &str) -> Option<usize> {
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let digit = fraction.chars().next().filter(|c| matches!(c, '0' | '9'))?;
        let length = fraction.find(|c| c != digit).unwrap_or(fraction.len());
        let is_end = !fraction.get(length..).unwrap_or_default().starts_with(|c: char| c.is_ascii_digit());
        return is_end.then_some(1 + length);
    }
    let element = ELEMENTS.iter().find(|element| rest.starts_with(**element))?;
    let after = rest.get(element.len()..).unwrap_or_default();
    match *element {
        // `Jan` and `Mon` are not elements if they start a longer word.
        "Jan" | "Mon" if after.starts_with(|c: char| c.is_ascii_lowercase()) => None,
        // The underscore in `_2006` is a literal.
        "_2006" => None,
        element => Some(element.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_layouts_like_go() {
        for (layout, expected) in [
            ("2006-01-02T15:04:05.000Z07:00", "[2006]-[01]-[02]T[15]:[04]:[05][.000][Z07:00]"),
            ("Mon Jan _2 15:04:05 MST 2006", "[Mon] [Jan] [_2] [15]:[04]:[05] [MST] [2006]"),
            ("yyyy-MM-dd", "yyyy-MM-dd"),
            ("2023-09-27", "[2][02][3]-09-[2]7"),
            ("Monday, 02-January-06 03:04 PM -0700", "[Monday], [02]-[January]-[06] [03]:[04] [PM] [-0700]"),
            ("Month 002,999 x.0001", "Month [002][,999] x.00[01]"),
            ("at _2006", "at _[2006]"),
            ("é", "é"),
        ] {
            let parts = layout_parts(layout).into_iter().map(|part| match part {
                LayoutPart::Element(text) => format!("[{text}]"),
                LayoutPart::Literal(text) => text.to_owned(),
            });
            assert_eq!(parts.collect::<String>(), expected, "{layout}");
        }
    }
}
