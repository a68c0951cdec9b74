use super::*;
use crate::diagnostic::Step;
use crate::random::Random;
use crate::testing;
use crate::yaml::{Mapping, to_json};

/// Recorded output of Go.
const CASES: &str = include_str!("../../../testdata/gostyle/cases.json");

fn cases(group: &str) -> Vec<serde_json::Value> {
    let mut all: serde_json::Value = serde_json::from_str(CASES).unwrap();
    serde_json::from_value(all[group].take()).unwrap()
}

fn mapping<'v>(entries: impl IntoIterator<Item = (&'v str, Value<'v>)>) -> Value<'v> {
    Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

fn list<'v>(items: impl IntoIterator<Item = Value<'v>>) -> Value<'v> {
    Value::Sequence(items.into_iter().collect())
}

#[track_caller]
fn check(value: &Value<'_>, v3: &str, kubernetes: &str) {
    assert_eq!(write(value, LibraryStyle::V3), v3);
    assert_eq!(write(value, LibraryStyle::Kubernetes), kubernetes);
}

#[test]
fn writes_strings_like_go() {
    let mut refused = 0;
    let mut wrong = Vec::new();
    for case in cases("strings") {
        let text = case["string"].as_str().unwrap();
        let value = mapping([("k", text.into())]);
        let key = mapping([(text, "v".into())]);
        let item = mapping([("k", list([text.into(), "z".into()]))]);
        for (name, value) in [("value", value), ("key", key), ("item", item)] {
            for (prefix, style) in [("v3", LibraryStyle::V3), ("k8s", LibraryStyle::Kubernetes)] {
                let expected = case[format!("{prefix}_{name}")].as_str().unwrap();
                let found = write(&value, style);
                if expected.starts_with("ERROR") {
                    refused += 1;
                } else if found != expected {
                    wrong.push((text.to_owned(), expected.to_owned(), found));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert!(refused < 100, "Go refused {refused}");
}

#[test]
fn writes_doubles_like_go() {
    for case in cases("floats") {
        let number: f64 = case["decimal"].as_str().unwrap().parse().unwrap();
        let found = write(&mapping([("k", number.into())]), LibraryStyle::V3);
        assert_eq!(found, case["v3"].as_str().unwrap());
    }
}

#[test]
fn writes_doubles_in_both_styles() {
    for (number, v3, kubernetes) in [
        (0.0, "0\n", "0\n"),
        (-0.0, "-0\n", "0\n"),
        (1e6, "1e+06\n", "1000000\n"),
        (999_999.0, "999999\n", "999999\n"),
        (999_999.5, "999999.5\n", "999999.5\n"),
        (1_234_567.5, "1.2345675e+06\n", "1.2345675e+06\n"),
        (0.0001, "0.0001\n", "0.0001\n"),
        (0.00001, "1e-05\n", "1e-05\n"),
        (9_223_372_036_854_775_808.0, "9.223372036854776e+18\n", "9223372036854776000\n"),
        (1e19, "1e+19\n", "10000000000000000000\n"),
        (2e19, "2e+19\n", "2e+19\n"),
        (-1e19, "-1e+19\n", "-1e+19\n"),
        (1e21, "1e+21\n", "1e+21\n"),
        (1.5e300, "1.5e+300\n", "1.5e+300\n"),
        (f64::INFINITY, ".inf\n", ".inf\n"),
        (f64::NEG_INFINITY, "-.inf\n", "-.inf\n"),
        (f64::NAN, ".nan\n", ".nan\n"),
    ] {
        check(&Value::Float(number), v3, kubernetes);
    }
}

#[test]
fn scalars_can_be_whole_documents() {
    check(&Value::Null, "null\n", "null\n");
    check(&Value::Bool(true), "true\n", "true\n");
    check(&Value::Bool(false), "false\n", "false\n");
    check(&Value::Int(i64::MIN), "-9223372036854775808\n", "-9223372036854775808\n");
    check(&"".into(), "\"\"\n", "\"\"\n");
    check(&"a\nb".into(), "|-\n    a\n    b\n", "|-\n  a\n  b\n");
    check(&"a\n\n".into(), "|+\n    a\n\n", "|+\n  a\n\n");
    check(&list([]), "[]\n", "[]\n");
    check(&mapping([]), "{}\n", "{}\n");
}

#[test]
fn writes_empty_collections_in_flow_style() {
    let value = mapping([("a", list([])), ("b", mapping([])), ("c", list([list([]), mapping([])]))]);
    check(&value, "a: []\nb: {}\nc:\n    - []\n    - {}\n", "a: []\nb: {}\nc:\n- []\n- {}\n");
}

#[test]
fn writes_nested_collections() {
    let value = mapping([(
        "a",
        list([
            list([list([1.0.into(), 2.0.into()]), mapping([("b", list([3.0.into()]))])]),
            mapping([("c", mapping([("d", list([mapping([("e", 4.0.into())])]))])), ("f", 5.0.into())]),
        ]),
    )]);
    check(
        &value,
        concat!(
            "a:\n",
            "    - - - 1\n",
            "        - 2\n",
            "      - b:\n",
            "            - 3\n",
            "    - c:\n",
            "        d:\n",
            "            - e: 4\n",
            "      f: 5\n",
        ),
        concat!(
            "a:\n",
            "- - - 1\n",
            "    - 2\n",
            "  - b:\n",
            "    - 3\n",
            "- c:\n",
            "    d:\n",
            "    - e: 4\n",
            "  f: 5\n",
        ),
    );
}

#[test]
fn writes_nested_literals() {
    let text = || Value::from("x\n  y\n\nz\n");
    let value =
        mapping([("a", mapping([("b", text())])), ("c", list([text(), mapping([("d", text()), ("e", text())])]))]);
    check(
        &value,
        concat!(
            "a:\n    b: |\n        x\n          y\n\n        z\n",
            "c:\n    - |\n      x\n        y\n\n      z\n",
            "    - d: |\n        x\n          y\n\n        z\n",
            "      e: |\n        x\n          y\n\n        z\n",
        ),
        concat!(
            "a:\n  b: |\n    x\n      y\n\n    z\n",
            "c:\n- |\n  x\n    y\n\n  z\n",
            "- d: |\n    x\n      y\n\n    z\n",
            "  e: |\n    x\n      y\n\n    z\n",
        ),
    );
}

#[test]
fn literals_have_indentation_and_chomping_indicators() {
    for (text, v3, kubernetes) in [
        ("a\nb", "|-\n    a\n    b\n", "|-\n  a\n  b\n"),
        ("a\n", "|\n    a\n", "|\n  a\n"),
        ("a\n\n\n", "|+\n    a\n\n\n", "|+\n  a\n\n\n"),
        (" a\nb", "|4-\n     a\n    b\n", "|2-\n   a\n  b\n"),
        ("\n", "|4+\n", "|2+\n\n"),
        ("\n\na\n", "|4\n\n    a\n", "|2\n\n\n  a\n"),
        ("\ta\nb", "|-\n    \ta\n    b\n", "\"\\ta\\nb\"\n"),
        ("a \nb", "\"a \\nb\"\n", "\"a \\nb\"\n"),
        ("a\nb ", "\"a\\nb \"\n", "\"a\\nb \"\n"),
        ("a\r\nb", "\"a\\r\\nb\"\n", "\"a\\r\\nb\"\n"),
        ("a\u{2028}b\nc", "|-\n    a\u{2028}    b\n    c\n", "|-\n  a\u{2028}  b\n  c\n"),
        ("#\u{2028}\u{2028}b", "'#\u{2028}\u{2028}    b'\n", "'#\u{2028}\u{2028}  b'\n"),
    ] {
        check(&text.into(), v3, kubernetes);
    }
}

#[test]
fn writes_long_keys_explicitly() {
    let fits = "k".repeat(128);
    let long = "k".repeat(129);
    let value = mapping([(fits.as_str(), "v".into())]);
    check(&value, &format!("{fits}: v\n"), &format!("{fits}: v\n"));

    let value = mapping([("a", mapping([(long.as_str(), "v".into()), ("x", "z".into())]))]);
    check(&value, &format!("a:\n    ? {long}\n    : v\n    x: z\n"), &format!("a:\n  ? {long}\n  : v\n  x: z\n"));
}

#[test]
fn writes_values_of_explicit_keys_after_the_colon() {
    let value =
        mapping([("a\nb", mapping([("c\n", list(["d".into(), mapping([("e", "f".into()), ("g", "h".into())])]))]))]);
    check(
        &value,
        concat!(
            "? |-\n    a\n    b\n",
            ":   ? |\n        c\n",
            "    :   - d\n",
            "        - e: f\n",
            "          g: h\n",
        ),
        concat!("? |-\n  a\n  b\n", ": ? |\n    c\n", "  : - d\n", "    - e: f\n", "      g: h\n",),
    );
}

#[test]
fn folds_long_lines_in_the_kubernetes_style() {
    let words = "word ".repeat(16) + "more and more";
    let folded = "word ".repeat(16).trim_end().to_owned() + "\n  more and more\n";
    assert_eq!(write(&mapping([("k", words.as_str().into())]), LibraryStyle::V3), format!("k: {words}\n"));
    let found = write(&mapping([("k", words.as_str().into())]), LibraryStyle::Kubernetes);
    assert_eq!(found, format!("k: {}", folded));

    let quoted = "'".to_owned() + &words;
    let found = write(&mapping([("k", quoted.as_str().into())]), LibraryStyle::Kubernetes);
    assert_eq!(found, format!("k: '''{}'\n", folded.trim_end()));

    let escaped = "\t".to_owned() + &"word ".repeat(15) + "w  x y";
    let found = write(&mapping([("k", escaped.as_str().into())]), LibraryStyle::Kubernetes);
    let expected = "\\t".to_owned() + &"word ".repeat(15) + "w\n  \\ x y";
    assert_eq!(found, format!("k: \"{expected}\"\n"));
}

#[test]
fn folds_lines_after_column_80() {
    let long = "k".repeat(100);
    let [fits, exceeds] = [77, 78].map(|length| "a".repeat(length));
    for (key, text, expected) in [
        ("k", &*format!("{fits} b c"), &*format!("{fits} b\n  c")),
        ("k", &format!("{exceeds} b"), &format!("{exceeds}\n  b")),
        ("k", &format!("{exceeds} "), &format!("'{exceeds} '")),
        (&long, "a b", "a\n  b"),
        (&long, " a b", "' a\n  b'"),
        (&long, "a ", "'a '"),
        (&long, "a  b c", "a  b\n  c"),
        (&long, "a' b", "a'\n  b"),
        (&long, "'a b", "'''a\n  b'"),
        (&long, " a\tb c", "\" a\\tb\n  c\""),
        (&long, "a\tb ", "\"a\\tb \""),
        (&long, "a\tb  c", "\"a\\tb\n  \\ c\""),
    ] {
        let found = write(&mapping([(key, text.into())]), LibraryStyle::Kubernetes);
        assert_eq!(found, format!("{key}: {expected}\n"), "{text}");
    }
}

#[test]
fn uses_the_shortest_escapes() {
    let text = "\u{feff}\0\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b}\"\\\u{85}\u{a0}\u{2028}\u{2029}\u{1}ÿĀ\u{ffff}😀";
    let expected = r#""\uFEFF\0\a\b\t\n\v\f\r\e\"\\\N\_\L\P\x01\xFF\u0100\uFFFF\U0001F600""#;
    assert_eq!(write(&text.into(), LibraryStyle::V3), format!("{expected}\n"));
}

#[test]
fn indents_deeply_nested_collections() {
    const DEPTH: usize = 70;
    for (style, step) in [(LibraryStyle::V3, 4), (LibraryStyle::Kubernetes, 2)] {
        let value = (0..DEPTH).fold(Value::Null, |inner, _| mapping([("a", inner)]));
        let lines = (0..DEPTH).map(|depth| format!("{}a:", " ".repeat(depth * step)));
        let expected = lines.collect::<Vec<_>>().join("\n") + " null\n";
        assert_eq!(write(&value, style), expected);
    }
}

#[test]
fn appends_items_with_the_given_indentation() {
    let item = mapping([("a", list([])), ("b", mapping([("a", list([]))])), ("c", list([]))]);
    let mut out = "x:\n".to_owned();
    append_item(&mut out, &item, LibraryStyle::V3, 2);
    assert_eq!(out, "x:\n  - a: []\n    b:\n        a: []\n    c: []\n");
    let mut out = "x:\n".to_owned();
    append_item_with(&mut out, &item, LibraryStyle::V3, 2, &mut |key, out| {
        let is_known = key == "a";
        if is_known {
            out.push_str("\n      - 1\n");
        }
        is_known
    });
    assert_eq!(out, "x:\n  - a:\n      - 1\n    b:\n        a: []\n    c: []\n");
    let (text, layout) = item_with_layout(&item, LibraryStyle::V3, 2);
    assert_eq!(text, "  - a: []\n    b:\n        a: []\n    c: []\n");
    let places = layout.nodes.iter().map(|node| &text[node.bytes.clone()]);
    let expected = ["", text.trim(), "a: []", "b:\n        a: []", "a: []", "c: []"];
    assert!(places.eq(expected), "{layout:?}");
    assert_eq!(layout.path(4), [Step::Index(0), Step::Key("b"), Step::Key("a")]);
    assert_eq!(layout.path(99), []);
}

#[test]
fn layouts_contain_secret_ranges() {
    let source = crate::yaml::SecretSource::Key { namespace: "n", name: "s", key: "k" };
    let secret = |text: &'static str| Value::secret(text, source);
    let value = mapping([
        ("a", secret("x y")),
        ("b", list([secret("l\nm\n"), secret("")])),
        ("c", Value::secret("z", crate::yaml::SecretSource::Field)),
    ]);
    for (value, expected) in [(value, &["x y", "|\n      l\n      m", "\"\""][..]), (secret("x"), &["x"])] {
        let (text, layout) = write_with_layout(&value, LibraryStyle::V3);
        let secrets = layout.secrets.iter().map(|(bytes, _)| &text[bytes.clone()]);
        assert!(secrets.eq(expected.iter().copied()), "{layout:?}");
    }
}

#[test]
fn folds_lines_by_characters_instead_of_bytes() {
    let words = "ä".repeat(70) + " bbbbbbb cccc dd";
    let found = write(&mapping([("k", words.as_str().into())]), LibraryStyle::Kubernetes);
    assert_eq!(found, format!("k: {} bbbbbbb\n  cccc dd\n", "ä".repeat(70)));
}

#[test]
fn escapes_all_text_after_a_byte_order_mark() {
    let expected = "\"\\uFEFF\\x61\\x20\\x62\"\n";
    check(&"\u{feff}a b".into(), expected, expected);
    check(&"a \u{feff}b".into(), "\"a \\uFEFFb\"\n", "\"a \\uFEFFb\"\n");
}

#[test]
fn kubernetes_style_folds_next_line_characters() {
    for (text, kubernetes) in [
        ("a\u{85}b", "a b\n"),
        ("a \u{85} b", "a b\n"),
        ("a\u{85} \u{85}b", "|-\n  a\n  b\n"),
        ("a\u{85}\u{85} \u{85} b", "|-\n  a\n\n  b\n"),
        ("a\u{85}", "'a '\n"),
    ] {
        assert_eq!(write(&text.into(), LibraryStyle::Kubernetes), kubernetes, "{text:?}");
    }
    assert_eq!(write(&"a\u{85}b".into(), LibraryStyle::V3), "\"a\\Nb\"\n");
}

#[test]
fn sorts_keys_naturally() {
    for (v3, kubernetes) in [
        (vec!["a", "b", "c"], vec!["a", "b", "c"]),
        (vec!["", "a"], vec!["", "a"]),
        (vec!["A", "B", "a", "b"], vec!["A", "B", "a", "b"]),
        (vec!["a", "aa", "ab"], vec!["a", "aa", "ab"]),
        (vec!["x1", "x2", "x10", "x20"], vec!["x1", "x2", "x10", "x20"]),
        (vec!["x1", "x01", "x001", "x2"], vec!["x1", "x01", "x001", "x2"]),
        (vec!["x100", "x101", "x1000"], vec!["x100", "x101", "x1000"]),
        (vec!["x00", "x1"], vec!["x00", "x1"]),
        (vec!["x000", "x1-", "x01", "x10-"], vec!["x000", "x1-", "x01", "x10-"]),
        (vec!["1", "9", "a"], vec!["1", "9", "a"]),
        (vec!["__a", "a"], vec!["__a", "a"]),
        (vec!["a-b", "a_b", "ab"], vec!["a-b", "a_b", "ab"]),
        (vec!["a-b", "a/b", "a1", "aB"], vec!["a-b", "a/b", "a1", "aB"]),
        (vec!["a1b", "a1-"], vec!["a1-", "a1b"]),
        (vec!["1m", "1-m", "10"], vec!["1-m", "10", "1m"]),
        (vec!["scrape_interval", "scrape_timeout"], vec!["scrape_interval", "scrape_timeout"]),
        (vec!["ä-", "äb", "äé"], vec!["ä-", "äb", "äé"]),
        // Numbers with more than 64 bits wrap around, so 2^64 becomes 0.
        (vec!["n18446744073709551616", "n2"], vec!["n18446744073709551616", "n2"]),
    ] {
        for (style, expected) in [(LibraryStyle::V3, v3), (LibraryStyle::Kubernetes, kubernetes)] {
            let backwards = mapping(expected.iter().rev().map(|&key| (key, Value::Null)));
            let text: String = expected.iter().map(|&key| write(&mapping([(key, Value::Null)]), style)).collect();
            assert_eq!(write(&backwards, style), text, "{style:?}");
        }
    }
}

#[test]
fn sorts_many_keys() {
    let keys: Vec<String> = (0..1000).map(|i| format!("key-{}", i * 7919 % 1000)).collect();
    let value = mapping(keys.iter().map(|key| (key.as_str(), Value::Null)));
    let expected: String = (0..1000).map(|i| format!("key-{i}: null\n")).collect();
    check(&value, &expected, &expected);
}

#[test]
fn appends_documents() {
    let mut out = String::from("---\n");
    let value = list([mapping([("a", "b".into()), ("c", "d".into())])]);
    Writer::new(&mut out, LibraryStyle::V3, None).write_document(&value);
    assert_eq!(out, "---\n- a: b\n  c: d\n");
}

impl Random {
    fn text(&mut self) -> String {
        const PIECES: [&str; 24] = [
            "a",
            "word",
            " ",
            "\n",
            ": ",
            " #",
            "-",
            "'",
            "\"",
            "\\",
            "{",
            "[",
            "1",
            "0x",
            "e",
            ".",
            "y",
            "null",
            "é",
            "\t",
            "🎉",
            "http://host:80/p?q=1",
            "some more words that make a line long",
            "~",
        ];
        (0..self.below(6)).map(|_| self.one_of(&PIECES)).collect()
    }

    fn value(&mut self, depth: usize) -> Value<'static> {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => Value::Null,
            1 => Value::Bool(self.below(2) == 0),
            2 => Value::Int(self.below(100_000) as i64 - 50_000),
            3 => Value::Float(self.below(1_000_000) as f64 / 64.0 + 0.001),
            4 | 5 => Value::from(self.text()),
            6 | 7 => Value::Sequence((0..self.below(4)).map(|_| self.value(depth - 1)).collect()),
            _ => {
                let mut entries = Mapping::new();
                for _ in 0..self.below(4) {
                    entries.set(self.text(), self.value(depth - 1));
                }
                Value::Mapping(entries)
            }
        }
    }
}

#[test]
fn values_round_trip_through_serde_yaml() {
    let mut random = Random::new(1);
    for _ in 0..3000 {
        let value = random.value(4);
        let expected = serde_json::to_value(&value).unwrap();
        let text = write(&value, LibraryStyle::Kubernetes);
        let found: serde_json::Value = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn values_round_trip_through_our_reader() {
    let mut random = Random::new(2);
    let texts = cases("strings").into_iter().map(|case| case["string"].as_str().unwrap().to_owned());
    // The parser supports only the line breaks of YAML 1.2.
    let values = texts.filter(|text| !text.contains(['\u{85}', '\u{2028}', '\u{2029}'])).map(Value::from);
    for value in values.chain((0..3000).map(|_| random.value(4))) {
        let text = write(&value, LibraryStyle::Kubernetes);
        let read = testing::read(&text);
        assert_eq!(read.diagnostics, [], "{text}");
        let found = read.output.first().map_or(serde_json::Value::Null, |document| to_json(document.root()));
        assert_eq!(found, serde_json::to_value(&value).unwrap(), "{text}");
    }
}

#[test]
fn layouts_contain_node_ranges() {
    let literal = mapping([("a", Value::from("x\ny\n")), ("b", list([Value::Bool(true)]))]);
    let value = mapping([("k", list([literal, Value::Null])), ("z", mapping([]))]);
    let (text, layout) = write_with_layout(&value, LibraryStyle::V3);
    assert_eq!(text, write(&value, LibraryStyle::V3));
    let nodes = layout.nodes.iter();
    let nodes: Vec<_> = nodes.map(|node| (node.parent, &text[node.bytes.clone()])).collect();
    let key = |parent, key| Some((parent, Step::Key(key)));
    let item = |parent, index| Some((parent, Step::Index(index)));
    assert_eq!(
        nodes,
        [
            (None, text.trim_end()),
            (key(0, "k"), &text[..text.find("\nz").unwrap()]),
            (item(1, 0), "- a: |\n        x\n        y\n      b:\n        - true"),
            (key(2, "a"), "a: |\n        x\n        y"),
            (key(2, "b"), "b:\n        - true"),
            (item(4, 0), "- true"),
            (item(1, 1), "- null"),
            (key(0, "z"), "z: {}"),
        ]
    );
}
