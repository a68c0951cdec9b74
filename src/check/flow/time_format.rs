//! Formats of `timestamp` stages (`convertDateLayout` in Promtail).

use crate::go::time_layout::{LayoutPart, layout_parts};

/// Names of formats that Promtail knows.
pub(super) const NAMES: [&str; 14] = [
    "ANSIC",
    "UnixDate",
    "RubyDate",
    "RFC822",
    "RFC822Z",
    "RFC850",
    "RFC1123",
    "RFC1123Z",
    "RFC3339",
    "RFC3339Nano",
    "Unix",
    "UnixMs",
    "UnixUs",
    "UnixNs",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormatProblem {
    /// Format that no time matches, because it contains this string.
    NeverParsed(String),
    /// Format without a date.
    NoDate,
}

/// Placeholders in other programs' formats, each with the corresponding element of Go's reference time.
const LETTERS: [(&str, &str); 14] = [
    ("YYYY", "2006"),
    ("yyyy", "2006"),
    ("DD", "02"),
    ("dd", "02"),
    ("MM", "01"),
    ("HH", "15"),
    ("hh", "03"),
    ("mm", "04"),
    ("ss", "05"),
    ("SSS", "000"),
    ("XXX", "Z07:00"),
    ("'T'", "T"),
    ("'Z'", "Z"),
    ("ZZ", "-0700"),
];

/// Conversion specifications of `strftime`, each with the corresponding element of Go's reference time.
const CONVERSIONS: [(&str, &str); 14] = [
    ("%Y", "2006"),
    ("%m", "01"),
    ("%d", "02"),
    ("%H", "15"),
    ("%M", "04"),
    ("%S", "05"),
    ("%b", "Jan"),
    ("%B", "January"),
    ("%y", "06"),
    ("%z", "-0700"),
    ("%Z", "MST"),
    ("%a", "Mon"),
    ("%p", "PM"),
    ("%I", "03"),
];

/// Returns the problem with a format, or `None` if it can be parsed.
pub(super) fn find_problem(format: &str) -> Option<FormatProblem> {
    if NAMES.contains(&format) {
        return None;
    }
    let is_misspelled = NAMES.iter().any(|name| name.eq_ignore_ascii_case(format));
    let parts = layout_parts(format);
    let elements = || {
        parts.iter().filter_map(|part| match part {
            LayoutPart::Element(element) => Some(*element),
            LayoutPart::Literal(_) => None,
        })
    };
    if is_misspelled || elements().next().is_none() || is_name_of_standard(format) {
        return Some(FormatProblem::NeverParsed(format.to_owned()));
    }
    let literals = parts.iter().filter_map(|part| match part {
        LayoutPart::Literal(literal) => Some(*literal),
        LayoutPart::Element(_) => None,
    });
    if let Some(wrong_notation) =
        literals.clone().find_map(find_other_notation).or_else(|| example_date(format, &parts))
    {
        return Some(FormatProblem::NeverParsed(wrong_notation.to_owned()));
    }
    const DATES: [&str; 9] = ["Jan", "January", "1", "01", "2", "_2", "02", "002", "__2"];
    (!elements().any(|element| DATES.contains(&element))).then_some(FormatProblem::NoDate)
}

/// Whether a format is the name of a standard, such as `ISO8601`, that Promtail does not support.
fn is_name_of_standard(format: &str) -> bool {
    let is_word = format.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let lower = format.to_ascii_lowercase();
    is_word && ["iso", "rfc", "unix", "epoch"].iter().any(|start| lower.starts_with(start))
}

/// Returns the part of a literal that uses another program's notation, if any.
fn find_other_notation(literal: &str) -> Option<&str> {
    const WORDS: [&str; 8] = ["yyyy", "YYYY", "dd", "DD", "HH", "hh", "mm", "ss"];
    let conversion = literal.find('%').and_then(|at| literal.get(at..at + 2));
    if let Some(conversion) = conversion.filter(|text| text.ends_with(|c: char| c.is_ascii_alphabetic())) {
        return Some(conversion);
    }
    if let Some(at) = literal.find("'T'") {
        return literal.get(at..at + 3);
    }
    let words = literal.split(|c: char| !c.is_ascii_alphabetic());
    let mut words = words.map(|word| word.trim_matches(['T', 'Z']));
    let is_notation = |word: &str| word.chars().all(|c| "yYMDdHhmsS".contains(c));
    words.find(|word| is_notation(word) && WORDS.iter().any(|candidate| word.contains(candidate)))
}

/// Returns the part of a format that is an arbitrary date or time instead of Go's reference time. `parts` are the parts
/// of the format. The digits of a time zone, such as `Z07:00`, are skipped, including a fixed offset after the hour, such
/// as `+08:00`, which a time must contain as written.
fn example_date<'f>(format: &'f str, parts: &[LayoutPart<'_>]) -> Option<&'f str> {
    let mut zones = Vec::new();
    let (mut end, mut has_hour) = (0, false);
    for part in parts {
        let start = end;
        let (LayoutPart::Element(text) | LayoutPart::Literal(text)) = part;
        end += text.len();
        let is_zone = match part {
            LayoutPart::Element(element) => element.contains("07"),
            LayoutPart::Literal(literal) => has_hour && literal.contains(['+', '-']),
        };
        if is_zone {
            zones.push(start..end);
        }
        has_hour |= matches!(part, LayoutPart::Element("15" | "03" | "3"));
    }
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let group = |at: usize, length: usize| {
        let before = at.checked_sub(1).and_then(|at| format.as_bytes().get(at));
        let text = format.get(at..at + length).filter(|text| is_digits(text))?;
        let is_whole = !zones.iter().any(|zone| zone.contains(&at))
            && !before.is_some_and(u8::is_ascii_digit)
            && !format.as_bytes().get(at + length).is_some_and(u8::is_ascii_digit);
        is_whole.then_some(text)
    };
    let separator = |at: usize| format.as_bytes().get(at).copied();
    (0..format.len()).find_map(|at| {
        if let (Some(year), Some(b'-' | b'/' | b'.'), Some(_)) = (group(at, 4), separator(at + 4), group(at + 5, 2))
            && (year.starts_with("19") || year.starts_with("20"))
            && year != "2006"
        {
            return Some(year);
        }
        let (hour, Some(b':'), minute) = (group(at, 2)?, separator(at + 2), group(at + 3, 2)?) else { return None };
        let number: u8 = hour.parse().ok()?;
        if (7..=24).contains(&number) && number != 15 {
            return Some(hour);
        }
        let is_minute = minute == "04" || minute.starts_with('0') || minute == "15";
        (matches!(hour, "15" | "03") && !is_minute).then_some(minute)
    })
}

/// Returns the layout that was probably meant.
pub(super) fn suggestion(format: &str) -> Option<String> {
    if let Some(name) =
        NAMES.iter().find(|name| name.replace('_', "").eq_ignore_ascii_case(&format.replace(['_', '-'], "")))
    {
        return Some((*name).to_owned());
    }
    if is_name_of_standard(format) {
        return format.to_ascii_lowercase().starts_with("iso").then(|| "RFC3339".to_owned());
    }
    let table: &[_] = if format.contains('%') { &CONVERSIONS } else { &LETTERS };
    let layout = table.iter().fold(format.to_owned(), |text, (from, to)| text.replace(from, to));
    let is_valid = layout != format && find_problem(&layout).is_none();
    is_valid.then_some(layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn finds_formats_that_match_no_time() {
        for (format, expected) in [
            ("RFC3339", None),
            ("2006-01-02 15:04:05,000", None),
            ("at 2006-01-02T15h04m05s", None),
            ("20060102150405", None),
            ("0102 15:04:05.000000", None),
            ("02/Jan/2006:15:04:05 -0700", None),
            ("2006-01-02T15:04:05Z07:00", None),
            ("2006-01-02 15:04:05 -07:00", None),
            ("2006-01-02 03:15:00", None),
            ("2006-01-02T15:04:05.000+08:00", None),
            ("02.01.2006 3:04:05 PM GMT-09:00", None),
            ("2006-01-02-18:45:31", Some("18")),
            ("2006-01-02 HHmmss", Some("HHmmss")),
            ("rfc3339", Some("rfc3339")),
            ("unix", Some("unix")),
            ("unix_ms", Some("unix_ms")),
            ("ISO8601", Some("ISO8601")),
            ("yyyy-MM-dd HH:mm:ss,SSS", Some("yyyy-MM-dd HH:mm:ss,SSS")),
            ("2006-%m-02 15:04:05", Some("%m")),
            ("2006-01-02'T'15:04:05", Some("'T'")),
            ("2006-01-02THH:mm:ss", Some("HH")),
            ("2023-11-27 18:45:31", Some("2023")),
            ("2006-01-02 18:45:31", Some("18")),
            ("2006-01-02 15:45:31", Some("45")),
        ] {
            let expected = expected.map(|text: &str| FormatProblem::NeverParsed(text.to_owned()));
            assert_eq!(find_problem(format), expected, "{format}");
        }
        assert_eq!(find_problem("15:04:05.000"), Some(FormatProblem::NoDate));
    }

    #[test]
    fn accepts_every_date_element() {
        for date in ["Jan", "January", "1", "01", "2", "_2", "02", "002", "__2"] {
            assert_eq!(find_problem(&format!("{date} 15:04:05")), None, "{date}");
        }
        for other_element in ["2006", "06", "Mon", "MST"] {
            assert_eq!(
                find_problem(&format!("{other_element} 15:04:05")),
                Some(FormatProblem::NoDate),
                "{other_element}"
            );
        }
    }

    const DATES: [&str; 6] = ["2006-01-02", "02/Jan/2006", "Jan _2", "Mon Jan _2 2006", "20060102", "2/1/06"];
    const TIMES: [&str; 6] = ["15:04:05", "150405", "3:04PM", "15h04m05s", "03.04.05 PM", "15:04:05.000"];
    const ZONES: [&str; 5] = ["", "Z07:00", " -0700", " MST", "Z"];

    /// Returns a layout that Go can parse, split into a date, a separator, a time and a zone.
    fn random_layout(random: &mut Random) -> [&'static str; 4] {
        [
            random.one_of(&DATES),
            random.one_of(&[" ", "T", "-", ", ", " at "]),
            random.one_of(&TIMES),
            random.one_of(&ZONES),
        ]
    }

    #[test]
    fn accepts_go_layouts() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let parts = random_layout(&mut random);
            assert_eq!(find_problem(&parts.concat()), None, "{parts:?}");
            let [_, _, time, zone] = parts;
            assert_eq!(find_problem(&[time, zone].concat()), Some(FormatProblem::NoDate), "{parts:?}");
        }
    }

    #[test]
    fn rejects_time_formats_of_other_programs() {
        const DATES: [&str; 5] = ["yyyy-MM-dd", "YYYY/MM/DD", "%Y-%m-%d", "%d/%b/%Y", "2023-11-27"];
        const TIMES: [&str; 5] = ["HH:mm:ss", "hh:mm:ss", "%H:%M:%S", "18:45:31", "HHmmss"];
        let mut random = Random::new(13);
        for _ in 0..500 {
            let [date, separator, time, zone] = random_layout(&mut random);
            let (wrong_date, wrong_time) = (random.one_of(&DATES), random.one_of(&TIMES));
            for parts in [[wrong_date, separator, time, zone], [date, separator, wrong_time, zone]] {
                let actual = find_problem(&parts.concat());
                assert!(matches!(actual, Some(FormatProblem::NeverParsed(_))), "{parts:?} {actual:?}");
            }
        }
    }

    #[test]
    fn suggests_go_layouts() {
        for (format, expected) in [
            ("yyyy-MM-dd'T'HH:mm:ss.SSS", Some("2006-01-02T15:04:05.000")),
            ("%d/%b/%Y:%H:%M:%S %z", Some("02/Jan/2006:15:04:05 -0700")),
            ("unix_ms", Some("UnixMs")),
            ("rfc3339nano", Some("RFC3339Nano")),
            ("ISO8601", Some("RFC3339")),
            ("2023-11-27 18:45:31", None),
        ] {
            assert_eq!(suggestion(format).as_deref(), expected, "{format}");
        }
    }
}
