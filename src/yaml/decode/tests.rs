use crate::testing;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;
use crate::yaml::Document;

fn document(text: &str) -> Document<'_> {
    let mut document_list = testing::read(text);
    assert_eq!(document_list.diagnostics, []);
    document_list.output.remove(0)
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec<'d> {
    name: &'d str,
    shards: Option<i32>,
    size: u64,
    ratio: f64,
    on: bool,
    #[serde(borrow)]
    labels: BTreeMap<&'d str, &'d str>,
    ports: Vec<u16>,
    inner: Option<Box<Spec<'d>>>,
    max_time: Option<&'d str>,
}

#[derive(Debug, Deserialize)]
struct Strict<'d> {
    #[serde(borrow)]
    _spec: Named<'d>,
}

#[derive(Debug, Deserialize)]
struct Named<'d> {
    #[serde(rename = "name")]
    _name: &'d str,
}

#[test]
fn structs_ignore_unknown_fields_and_nulls() {
    let text = "{name: m, shards: 2, size: 18, ratio: 1, 'on': yes, labels: {a: b, c: }, ports: [1, ~], \
                inner: {name: ~, shards: ~, ratio: .5}, other: [1]}";
    let text = document(text);
    let spec: Spec = decode(text.root()).unwrap();
    let expected = Spec {
        name: "m",
        shards: Some(2),
        size: 18,
        ratio: 1.0,
        on: true,
        labels: [("a", "b"), ("c", "")].into(),
        ports: vec![1, 0],
        inner: Some(Box::new(Spec { ratio: 0.5, ..Spec::default() })),
        max_time: None,
    };
    assert_eq!(spec, expected);
    assert_eq!(decode::<Vec<Spec>>(document("[~]").root()).unwrap(), [Spec::default()]);
}

#[test]
fn errors_have_locations_and_no_secrets() {
    let cases = [
        ("name: 5", "name", "found an integer, expected a string", "5"),
        (
            "inner: {shards: 4294967296}",
            "inner.shards",
            "found 4294967296, expected a whole number between -2147483648 and 2147483647",
            "4294967296",
        ),
        (
            "inner: {inner: {ports: [1, s3cret]}}",
            "inner.inner.ports[1]",
            "found a string, expected a whole number",
            "s3cret",
        ),
        ("shards: 1.5", "shards", "found a number, expected a whole number", "1.5"),
        ("size: -1", "size", "found -1, expected a whole number between 0 and 18446744073709551615", "-1"),
        ("ratio: x", "ratio", "found a string, expected a number", "x"),
        ("labels: {a: [x]}", "labels.a", "found a list, expected a string", "[x]"),
        ("labels: [x]", "labels", "found a list, expected a mapping", "[x]"),
        ("[x]", "", "found a list, expected a mapping", "[x]"),
    ];
    for (text, path, message, location) in cases {
        let tree = document(text);
        let error = decode::<Spec>(tree.root()).unwrap_err();
        let span = error.span.unwrap();
        let found_path = error.path.to_string();
        let actual = (found_path.as_str(), error.message.as_str(), &text[span.start as usize..span.end as usize]);
        assert_eq!(actual, (path, message, location), "{text}");
    }
}

#[test]
fn reports_missing_fields_at_the_mapping() {
    let text = "_spec: {other: 1, name: ~}";
    let tree = document(text);
    let error = decode::<Strict>(tree.root()).unwrap_err();
    assert_eq!(error.to_string(), "_spec: the field `name` is missing");
    assert_eq!(error.span.unwrap().start, 7);
}

#[test]
fn ignores_key_case_only_on_request() {
    let tree = document("{NAME: a, Labels: {KEY: v}, SHARDS: 1, shards: 2, inner: {MaxTime: x, maxtime: z}}");
    let exact_spec: Spec = decode(tree.root()).unwrap();
    assert_eq!((exact_spec.name, exact_spec.shards), ("", Some(2)));
    let folded_spec: Spec = decode_case_insensitive(tree.root()).unwrap();
    assert_eq!((folded_spec.name, folded_spec.shards), ("a", Some(2)));
    for text in ["{NAME: a, name: b}", "{name: b, NAME: a}"] {
        assert_eq!(decode_case_insensitive::<Spec>(document(text).root()).unwrap().name, "b", "{text}");
    }
    assert_eq!(folded_spec.labels, [("KEY", "v")].into());
    assert_eq!(folded_spec.inner.unwrap().max_time, Some("z"));
}
