use super::*;
use crate::diagnostic::bound;
use crate::printable::ByteSize;
use crate::source::{Source, Sources};
use crate::testing::{self, source_id};
use crate::yaml::to_json;
use crate::yaml::{Node, NodeValue};

/// Returns the JSON of each document.
fn json(text: &str) -> Vec<String> {
    let parsed = testing::read(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.output.iter().map(|document| to_json(document.root()).to_string()).collect()
}

/// Returns the code, message and labeled text of each finding.
fn findings(text: &str) -> Vec<(&'static str, String, Vec<&str>)> {
    let finding = |d: &Diagnostic| {
        let label_texts = d.labels.iter().map(|l| &text[l.span.start as usize..l.span.end as usize]);
        (d.code.as_str(), d.message.clone(), label_texts.collect())
    };
    testing::read(text).diagnostics.iter().map(finding).collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    testing::read(text).diagnostics.iter().map(|d| d.code.as_str()).collect()
}

/// Converts integers outside the range of `i64` to doubles, as the API server decodes them.
fn as_decoded(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(n) if n.as_i64().is_none() => *value = n.as_f64().into(),
        serde_json::Value::Array(items) => items.iter_mut().for_each(as_decoded),
        serde_json::Value::Object(entries) => entries.values_mut().for_each(as_decoded),
        _ => {}
    }
}

#[test]
fn reads_scalars_like_go() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("../../../testdata/gostyle/cases.json")).unwrap();
    let mut mismatches = Vec::new();
    for case in cases["scalars"].as_array().unwrap() {
        let text = format!("k: {}\n", case["text"].as_str().unwrap());
        let parsed = testing::read(&text);
        let actual = parsed.diagnostics.is_empty().then(|| to_json(parsed.output[0].root()));
        let expected = case["json"].as_str().map(|json| {
            let mut value = serde_json::from_str(json).unwrap();
            as_decoded(&mut value);
            value
        });
        if actual != expected {
            mismatches.push((text.clone(), actual, expected, parsed.diagnostics));
        }
    }
    assert!(mismatches.is_empty(), "{} wrong: {mismatches:#?}", mismatches.len());
}

/// The expected results come from running kubectl's own code on the cases.
#[test]
fn accepts_the_same_documents_as_kubectl() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("../../../testdata/yaml/cases.json")).unwrap();
    let mut mismatches = Vec::new();
    for (name, case) in cases.as_object().unwrap() {
        let text = case["text"].as_str().unwrap();
        // Byte order marks are removed when files are read.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = testing::read(text);
        let is_rest = |finding: &&Diagnostic| finding.message.contains("Kubernetes ignores");
        let errors: Vec<_> = parsed.diagnostics.iter().filter(|found| !is_rest(found)).collect();
        let ignores_rest = case["kubectl_ignores_rest"].as_bool() == Some(true);
        let is_expected = match case["error"].as_str() {
            Some(_) => !errors.is_empty(),
            None => {
                let documents = parsed.output.iter().map(|document| to_json(document.root())).collect();
                let has_rest = parsed.diagnostics.iter().any(|found| is_rest(&found));
                errors.is_empty()
                    && case["documents"] == serde_json::Value::Array(documents)
                    && has_rest >= ignores_rest
            }
        };
        if !is_expected {
            mismatches.push(format!("{name}: {:?}", parsed.diagnostics));
        }
    }
    assert_eq!(mismatches, [""; 0]);
}

#[test]
fn accepts_directives_before_values() {
    let text = "%YAML 1.1\n%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n";
    let parsed = read_value(source_id(), text, &Limits::default());
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(to_json(parsed.output[0].root()).to_string(), r#"{"a":"1"}"#);
}

#[test]
fn reads_streams_of_json() {
    for (text, expected) in [
        ("{\"a\":1}{\"b\":[true,null]} [] \"x\"\n", &[r#"{"a":1}"#, r#"{"b":[true,null]}"#, "[]", r#""x""#][..]),
        ("{\"a\":\"\\ud83d\\ude00\\ud83d\\n\"}", &[r#"{"a":"😀\u{fffd}\n"}"#]),
        ("{\"a\":1}\nb: 2\n---\nc: 3\n", &[r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":3}"#]),
        ("{a: 1}\n---\n{\"b\": 2}\n", &[r#"{"a":1}"#, r#"{"b":2}"#]),
        ("{\"a\":-1.50e2,\"b\":0}", &[r#"{"a":-150,"b":0}"#]),
        ("{\"a\":1E2}{\"a\":1E+3}", &[r#"{"a":100}"#, r#"{"a":1000}"#]),
        // This number is not valid in JSON, so the text is read as YAML.
        ("{\"a\":010}", &[r#"{"a":8}"#]),
    ] {
        let expected: Vec<_> = expected.iter().map(|text| text.replace("\\u{fffd}", "\u{fffd}")).collect();
        assert_eq!(json(text), expected, "{text}");
    }
    for text in ["{\"a\":1}{}{}x: y\n", "{\"a\":1}x", "{\"a\":\"\t\"", "{\"a\":tru}}"] {
        assert!(codes(text).contains(&"yaml-syntax"), "{text}");
    }
    assert_eq!(codes("{\"a\":1e400}"), ["yaml-scalar"]);
    assert_eq!(codes(&format!("{}1{}", "{\"a\":".repeat(300), "}".repeat(300))), ["yaml-limit"]);
}

#[test]
fn reports_text_after_the_first_document() {
    for (text, documents, rest) in [
        ("a: 1\n...\nb: 2\n", 1, "b"),
        (" a: 1\nb: 2\n", 1, "b"),
        ("a: 1\n... # c\n...\n%\n", 1, "%"),
        ("a: 1\n...\n---\nb: 2\n", 2, ""),
    ] {
        let parsed = testing::read(text);
        assert_eq!(parsed.output.len(), documents, "{text}");
        let ignored_texts: Vec<_> =
            parsed.diagnostics.iter().map(|finding| &text[finding.labels[0].span.bytes()]).collect();
        assert_eq!(ignored_texts.concat(), rest, "{text}");
    }
}

#[test]
fn reports_unclosed_quotes_at_the_next_key() {
    let message = "found a quoted string that is not closed before the next key".to_owned();
    for (text, place) in [
        ("a: \"b\nc: d\n", "c"),
        ("a: \"b\nc: \"d\"\n", "c"),
        ("a:\n  - x: 'b\n    y: 1\n    z: 'w'\n", "y"),
        ("a:\n- 'b\n- c\n", "-"),
    ] {
        assert_eq!(findings(text), [("yaml-syntax", message.clone(), vec![place])], "{text}");
    }
    assert_eq!(json("a: \"b\nc: d\"\n"), [r#"{"a":"b c: d"}"#]);
}

#[test]
fn skips_empty_documents() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("# nothing\n", &[]),
        ("---\n---\n# nothing\n---\nnull\n", &[]),
        ("a: 1\n---\n---\nb: 2\n...\n", &[r#"{"a":1}"#, r#"{"b":2}"#]),
        ("---\n{a: 1}\n--- # c\n- x\n", &[r#"{"a":1}"#, r#"["x"]"#]),
        ("a: 1\r\nb:\r\n  - |\r\n    x\r\n    y\r\n", &[r#"{"a":1,"b":["x\ny\n"]}"#]),
        ("\u{feff}a: 1\n", &[r#"{"a":1}"#]),
        ("''", &[r#""""#]),
    ];
    for (text, expected) in cases {
        assert_eq!(json(text), *expected, "{text}");
    }
}

#[test]
fn converts_keys_to_strings() {
    let cases = [
        ("yes: 1\n12: 2\n1.50: 3\n1e6: 4\n'~': 5\n0x10: 6", r#"{"1.5":3,"12":2,"16":6,"1e+06":4,"true":1,"~":5}"#),
        ("2001-01-01: 1\n.inf: 2\n!!str 1: 3", r#"{".inf":2,"1":3,"2001-01-01":1}"#),
        ("&k on: 1\nb: {*k : 2}", r#"{"b":{"true":2},"true":1}"#),
        ("? a\n: 1\n? b\n", r#"{"a":1,"b":null}"#),
    ];
    for (text, expected) in cases {
        assert_eq!(json(text), [expected], "{text}");
    }
    for text in ["~: 1", "? [a]\n: 1", "? {a: b}\n: 1", "18446744073709551615: 1", "? - a\n: 1"] {
        assert_eq!(codes(text), ["yaml-key"], "{text}");
    }
}

#[test]
fn later_keys_override_merged_ones() {
    let base = "x: &x {a: 1, b: 2}\ny: &y {a: 3, c: 4}\n";
    let cases = [
        ("<<: *x", r#"{"a":1,"b":2}"#),
        ("<<: *x\n  a: 9", r#"{"a":9,"b":2}"#),
        ("<<: [*x, *y]", r#"{"a":1,"b":2,"c":4}"#),
        ("<<: *x\n  <<: *y", r#"{"a":3,"b":2,"c":4}"#),
        ("<<: {d: 5}\n  e: 6", r#"{"d":5,"e":6}"#),
        ("<<: []\n  e: 6", r#"{"e":6}"#),
        ("!!merge '<<': *y", r#"{"a":3,"c":4}"#),
        ("! '<<': *y", r#"{"a":3,"c":4}"#),
        ("!x <<: 1", r#"{"<<":1}"#),
        ("'<<': 1", r#"{"<<":1}"#),
        ("z: <<", r#"{"z":"<<"}"#),
        ("!!str <<: 1", r#"{"<<":1}"#),
    ];
    for (text, expected) in cases {
        let text = format!("{base}k:\n  {text}\n");
        let parsed = testing::read(&text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        assert_eq!(to_json(parsed.output[0].root())["k"].to_string(), expected, "{text}");
    }
}

#[test]
fn reports_invalid_merges() {
    let message = "expected a mapping or a list of mappings after `<<`";
    for text in ["<<: 1", "<<: [{a: 1}, 2]", "<<: ~", "a: &a [{b: 1}]\n<<: *a"] {
        assert_eq!(findings(text)[0].1, message, "{text}");
    }
    assert_eq!(codes("<<: 1"), ["yaml-merge"]);
    assert_eq!(codes("<<: *x"), ["yaml-alias"], "it is reported once");
    assert_eq!(codes("<<: 1\na: {<<: 2}"), ["yaml-merge"; 2]);
    let text = "a: 1\n<<: {a: 2}\n";
    assert_eq!(to_json(testing::read(text).output[0].root()).to_string(), r#"{"a":2}"#);
    assert_eq!(codes("a: 1\n<<: {a: 2}\n'a': 3\n"), ["merge-override", "duplicate-key"]);
    let message = "the merge key replaces `a`, which is set earlier in the mapping".to_owned();
    assert_eq!(findings(text), [("merge-override", message, vec!["<<", "a"])]);
}

#[test]
fn keeps_the_last_duplicate_key() {
    let other_keys: String = (0..20).map(|i| format!("k{i}: {i}\n")).collect();
    for text in ["a: 1\na: 2\nb: 3\na: 4\n".to_owned(), format!("a: 1\na: 2\n{other_keys}b: 3\na: 4\n")] {
        assert_eq!(codes(&text), ["duplicate-key"; 2], "{text}");
        let documents = testing::read(&text).output;
        let root = documents[0].root();
        let kept_entries: Vec<_> =
            root.entries().filter(|entry| entry.key == "a").map(|entry| entry.value.value()).collect();
        assert_eq!(kept_entries, [NodeValue::Int(4)], "{text}");
    }
}

#[test]
fn reports_consecutive_duplicates_once() {
    let text = "a: 1\nb: 1\na: 2\nb: 2\nx: 1\na: 3\nb: 3\n";
    let causes: Vec<_> = testing::read(text).diagnostics.into_iter().map(|finding| finding.cause).collect();
    assert_eq!(causes.len(), 4);
    assert_eq!([&causes[0], &causes[2]], [&causes[1], &causes[3]]);
    assert_ne!(causes[0], causes[2]);
}

#[test]
fn counts_many_duplicate_keys() {
    for (further_duplicates, other_duplicates) in [(0, 0), (2, 2)] {
        let text = "a: 1\n".repeat(bound::MAX_LISTED + 1 + further_duplicates);
        let findings = testing::read(&text).diagnostics;
        let counts: usize = findings.iter().map(Diagnostic::count).sum();
        let is_for_others = |finding: &&Diagnostic| finding.message.contains("not listed");
        let counted_others: usize = findings.iter().filter(is_for_others).map(Diagnostic::count).sum();
        assert_eq!((counts, counted_others), (bound::MAX_LISTED + further_duplicates, other_duplicates));
    }
}

#[test]
fn splits_resources_at_duplicate_types() {
    let object_head = "apiVersion: v1\nkind: A\nmetadata: {}\n";
    let second_resource = "duplicate key `apiVersion`: a second resource starts here";
    for (text, documents, messages, fixed) in [
        (
            format!("{object_head}apiVersion: v1\nkind: B\n"),
            &[r#"{"apiVersion":"v1","kind":"A","metadata":{}}"#, r#"{"apiVersion":"v1","kind":"B"}"#][..],
            &[second_resource][..],
            Some(format!("{object_head}---\napiVersion: v1\nkind: B\n")),
        ),
        (
            format!("{object_head}kind: B\r\napiVersion: v1\r\n").replace("{}\n", "{}\r\n"),
            &[r#"{"apiVersion":"v1","kind":"A","metadata":{}}"#, r#"{"apiVersion":"v1","kind":"B"}"#],
            &["duplicate key `kind`: a second resource starts here"],
            Some(format!("{object_head}---\r\nkind: B\r\napiVersion: v1\r\n").replace("{}\n", "{}\r\n")),
        ),
        (
            format!("{object_head}\"apiVersion\": v1\nkind: B\n"),
            &[r#"{"apiVersion":"v1","kind":"A","metadata":{}}"#, r#"{"apiVersion":"v1","kind":"B"}"#],
            &[second_resource],
            None,
        ),
        (
            format!("{object_head}apiVersion: v2\n"),
            &[r#"{"apiVersion":"v2","kind":"A","metadata":{}}"#],
            &["duplicate key `apiVersion`"],
            None,
        ),
        (
            format!("{object_head}kind: B\n"),
            &[r#"{"apiVersion":"v1","kind":"B","metadata":{}}"#],
            &["duplicate key `kind`"],
            None,
        ),
        (
            "apiVersion: v1\nkind: A\napiVersion: v2\nkind: B\n".to_owned(),
            &[r#"{"apiVersion":"v2","kind":"B"}"#],
            &["duplicate key `apiVersion`", "duplicate key `kind`"],
            None,
        ),
        (
            "{apiVersion: v1, kind: A, metadata: {}, apiVersion: v2, kind: B}".to_owned(),
            &[r#"{"apiVersion":"v2","kind":"B","metadata":{}}"#],
            &["duplicate key `apiVersion`", "duplicate key `kind`"],
            None,
        ),
        (
            "x:\n  apiVersion: v1\n  kind: A\n  metadata: {}\n  apiVersion: v2\n  kind: B\n".to_owned(),
            &[r#"{"x":{"apiVersion":"v2","kind":"B","metadata":{}}}"#],
            &["duplicate key `apiVersion`", "duplicate key `kind`"],
            None,
        ),
    ] {
        let parsed = testing::read(&text);
        let documents_found: Vec<_> = parsed.output.iter().map(|d| to_json(d.root()).to_string()).collect();
        assert_eq!(documents_found, documents, "{text}");
        let actual: Vec<_> = parsed.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(actual, messages, "{text}");
        let fix = parsed.diagnostics[0].fix.as_ref();
        let fixed_text = fix.and_then(|fix| crate::diagnostic::apply_edits(&text, &fix.edits));
        assert_eq!(fixed_text, fixed, "{text}");
    }
    let text = format!("{object_head}apiVersion: v1\nkind: B\n");
    let spans: Vec<_> = testing::read(&text).output.iter().map(|d| text[d.root().span().bytes()].to_owned()).collect();
    assert_eq!(spans, [object_head.trim_end(), "apiVersion: v1\nkind: B"]);
    // Splitting off a resource copies all nodes, so a document is split into at most five.
    assert_eq!(testing::read(&object_head.repeat(5)).output.len(), 5);
    assert_eq!(testing::read(&object_head.repeat(6)).output.len(), 5);
}

#[test]
fn duplicate_keys_label_both_occurrences() {
    let many_keys: String = (0..20).map(|i| format!("k{i}: 1\n")).collect();
    let many_keys = format!("{many_keys}k3: 2\n");
    let cases = [
        ("a: 1\n\"a\": 2\n", "a", vec!["\"a\"", "a"]),
        ("{b: {true: 1, yes: 2}}", "true", vec!["yes", "true"]),
        ("<<: {c: 0}\na: 1\na: 2", "a", vec!["a", "a"]),
        (many_keys.as_str(), "k3", vec!["k3", "k3"]),
    ];
    for (text, key, labels) in cases {
        let message = format!("duplicate key `{key}`");
        assert_eq!(findings(text), [("duplicate-key", message, labels)], "{text}");
    }
    let spans: Vec<_> = testing::read("a: 1\na: 2\n").diagnostics[0].labels.iter().map(|l| l.span.start).collect();
    assert_eq!(spans, [5, 0], "the second comes first");
}

#[test]
fn aliases_refer_to_their_anchor() {
    assert_eq!(json("a: &a [1, &b {c: d}]\nb: *a\nc: *b"), [r#"{"a":[1,{"c":"d"}],"b":[1,{"c":"d"}],"c":{"c":"d"}}"#]);
    assert_eq!(json("a: &a 1\nb: &a 2\nc: *a"), [r#"{"a":1,"b":2,"c":2}"#]);
    let message = "found an alias without a preceding anchor of the same name".to_owned();
    assert_eq!(findings("a: *x\nb: &x 1\n"), [("yaml-alias", message, vec!["*x"])]);
    assert_eq!(codes("a: &a 1\n---\nb: *a\n"), ["yaml-alias"], "anchors end with their document");
    assert_eq!(codes("a: &a [*a]\n"), ["yaml-alias"]);
    assert_eq!(
        json("&k .inf: a\nb: &v 1\n*v : c"),
        [r#"{".inf":"a","1":"c","b":1}"#],
        "keys may be what values may not"
    );
    assert_eq!(json("&k 1.0: a\nb: *k\nc: [*k]"), [r#"{"1":"a","b":1,"c":[1]}"#]);
    assert_eq!(codes("&k .inf: a\nb: *k\nc: *k"), ["yaml-scalar"]);
    assert_eq!(codes("a: &k .inf\nb: *k"), ["yaml-scalar"]);
}

#[test]
fn syntax_errors_do_not_hide_other_documents() {
    let text = "a: 1\n---\nb: [1\n---\nc: 3\n---\n d: 'x\n---\ne: 5\n";
    let parsed = testing::read(text);
    let documents_found: Vec<_> = parsed.output.iter().map(|d| to_json(d.root()).to_string()).collect();
    assert_eq!(documents_found, [r#"{"a":1}"#, r#"{"c":3}"#, r#"{"e":5}"#]);
    assert_eq!(codes(text), ["yaml-syntax", "yaml-syntax"]);
}

#[test]
fn reports_exceeded_limits() {
    let nested_collections = |n: usize, open: &str, close: &str| format!("{}1{}", open.repeat(n), close.repeat(n));
    let mixed_collections: String = (0..150).map(|i| format!("{}- \n", "  ".repeat(i))).collect();
    let alias_chain: String =
        (1..9).map(|i| format!("a{i}: &a{i} {}*a{}{}\n", "[".repeat(40), i - 1, "]".repeat(40))).collect();
    let cases = [
        nested_collections(100_000, "[", "]"),
        nested_collections(100_000, "{a: ", "}"),
        nested_collections(5000, "- ", ""),
        format!("{mixed_collections}{}{}", "  ".repeat(150), nested_collections(100, "[", "]")),
        format!("a0: &a0 1\n{alias_chain}"),
        bomb(9),
    ];
    for text in cases {
        assert_eq!(codes(&text), ["yaml-limit"], "{}", &text[..40]);
    }
    let three_documents = "a: &a [1, 2, 3]\nb: *a\n---\n".repeat(3);
    let limits = Limits { max_alias_expansion: 6, ..Limits::default() };
    let limited_read = read(source_id(), &three_documents, &limits);
    assert_eq!(limited_read.output.len(), 1, "the aliases of all documents count");
    let codes: Vec<_> = limited_read.diagnostics.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["yaml-limit"; 2]);
    assert_eq!(testing::read(&nested_collections(200, "[", "]")).diagnostics, []);
}

#[test]
fn aliases_may_reach_the_depth_limit() {
    let limits = Limits { max_depth: 3, ..Limits::default() };
    let codes_found = |text: &str| read(source_id(), text, &limits).diagnostics.len();
    assert_eq!(codes_found("- &a {b: {c: 1}}\n- *a\n"), 0);
    assert_eq!(codes_found("- &a {b: {c: 1}}\n- [*a]\n"), 1);
    assert_eq!(codes_found("- &a [1]\n- [*a]\n- &b 1\n- [[*b]]\n"), 0);
    assert_eq!(codes_found("- &a [1]\n- [[*a]]\n"), 1);
}

#[test]
fn accepts_input_at_the_limits() {
    let codes = |text: &str, limits: &Limits| -> Vec<_> {
        let codes_found = read(source_id(), text, limits).diagnostics;
        codes_found.iter().map(|finding| finding.code.as_str()).collect()
    };
    for (max_alias_expansion, expected) in [(3, &[][..]), (2, &["yaml-limit"])] {
        let limits = Limits { max_alias_expansion, ..Limits::default() };
        assert_eq!(codes("- &a [1, 2]\n- *a\n", &limits), expected);
    }
    // Each key, value, list and mapping counts as 16 bytes more than its text.
    for (text, size) in [
        ("- &a 'four'\n- *a\n", 20),
        ("- &a four\n- *a\n- *a\n", 40),
        ("- &a {k: 'v'}\n- *a\n", 50),
        ("- {&a key: 1}\n- {*a : 2}\n", 19),
        ("- &a [&b 'x', *b]\n- *a\n", 17 + 50),
        ("- &a {k: 'v'}\n- {<<: *a}\n", 50),
        ("a: &a 1\nb: *a\n---\na: &a 1\nb: *a\n", 32),
    ] {
        for (missing_nodes, expected) in [(0, 0), (1, 1)] {
            let limits = Limits { max_alias_size: Some(ByteSize(size - missing_nodes)), ..Limits::default() };
            assert_eq!(codes(text, &limits), vec!["yaml-limit"; expected], "{text}");
        }
    }
    let undivided_resources = "apiVersion: v1\nkind: A\nmetadata: {}\napiVersion: v1\nkind: B\n---\na: b\n";
    for (text, max_nodes, expected) in [
        ("a: b\n---\nc: d\n", 4, &[][..]),
        ("a: b\n---\nc: d\n", 3, &["yaml-limit"]),
        // There are two documents with seven nodes each, and one document with two nodes.
        (undivided_resources, 16, &["duplicate-key"]),
        (undivided_resources, 15, &["duplicate-key", "yaml-limit"]),
    ] {
        let limits = Limits { max_nodes, ..Limits::default() };
        assert_eq!(codes(text, &limits), expected, "{text} {max_nodes}");
    }
    for (size, expected) in [(8, &[][..]), (7, &["yaml-limit"])] {
        let max_document_size = ByteSize(size);
        let limits = Limits { max_document_size, ..Limits::default() };
        assert_eq!(codes("a: &a b\n", &limits), expected, "{size}");
    }
}

#[test]
fn limits_the_share_of_nodes_from_aliases() {
    let codes = |aliases: usize| {
        let text = format!("a: &a [{}]\nb: [{}]\n", ["x"; 198].join(","), vec!["*a"; aliases].join(","));
        codes(&text)
    };
    // With n aliases, 199n of the 203 + 200n nodes come from aliases.
    assert_eq!(codes(200), [""; 0]);
    assert_eq!(codes(201), ["yaml-limit"]);
}

#[test]
fn limit_findings_mention_the_flag() {
    let limits = Limits {
        max_depth: 3,
        max_alias_expansion: 4,
        max_alias_size: Some(ByteSize(50)),
        max_document_size: ByteSize(60),
        max_documents: 2,
        max_nodes: 9,
    };
    let long_document = format!("a: 1\n---\nb: {}\n", "x".repeat(60));
    let long_alias = format!("- &a {}\n- *a\n", "x".repeat(35));
    for (text, place, message, flag) in [
        (
            "- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n- 8\n- 9\n- 10\n",
            38,
            "the file has more than 9 keys, values, lists and mappings in total",
            "`--limit nodes=NUMBER`",
        ),
        ("[[[[]]]]", 3, "lists and mappings are nested deeper than the limit of 3", "`--limit depth=NUMBER`"),
        (
            "- &a {b: {c: 1}}\n- [*a]\n",
            20,
            "lists and mappings are nested deeper than the limit of 3",
            "`--limit depth=NUMBER`",
        ),
        (
            "- &a [1, 2]\n- *a\n- *a\n",
            19,
            "the aliases expand to more than 4 nodes",
            "`--limit alias-expansion=NUMBER`",
        ),
        (&long_alias, 43, "the aliases expand to more than 50 bytes", "`--limit alias-size=SIZE`"),
        (&long_document, 9, "the document is larger than 60 bytes", "`--limit document-size=SIZE`"),
        ("---\n---\na: 1\n---\nb: 2\n", 13, "the file has more than 2 documents", "`--limit documents=NUMBER`"),
    ] {
        let parsed = read(source_id(), text, &limits);
        let [finding] = parsed.diagnostics.as_slice() else { panic!("{text}: {:?}", parsed.diagnostics) };
        assert_eq!((finding.code.as_str(), finding.message.as_str()), ("yaml-limit", message));
        assert!(finding.help.as_ref().unwrap().contains(flag), "{finding:?}");
        assert_eq!(finding.primary().unwrap().span.start, place, "{text}");
    }
}

/// Returns an alias bomb in which each level contains nine aliases for the level below.
fn bomb(levels: usize) -> String {
    let level = |i: usize| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(","));
    format!("a0: &a0 x\n{}", (1..levels).map(level).collect::<String>())
}

#[test]
fn node_spans_cover_their_text() {
    let text = "\
# head
a: plain  # comment
b: 'quoted'
c:
  - x: 1
    z: |
      block
      text

  # tail
  - [f, {g: h} ]  # flow

d: &d !!str 5
e:
f: >-  # not | here

  folded

# end
";
    let parsed = testing::read(text);
    let root = parsed.output[0].root();
    let slice = |node: crate::yaml::Node<'_>| &text[node.span().start as usize..node.span().end as usize];
    let get = |key: &str| root.get(key).unwrap();
    assert_eq!(slice(root), text[7..].split("\n\n# end").next().unwrap());
    assert_eq!(slice(get("a")), "plain");
    assert_eq!(slice(get("b")), "'quoted'");
    assert!(slice(get("c")).starts_with("- x: 1") && slice(get("c")).ends_with("{g: h} ]"));
    let first_item = get("c").items().next().unwrap();
    assert_eq!(slice(first_item), "x: 1\n    z: |\n      block\n      text");
    assert_eq!(slice(first_item.get("z").unwrap()), "|\n      block\n      text");
    assert_eq!(slice(get("c").items().nth(1).unwrap()), "[f, {g: h} ]");
    assert_eq!(slice(get("d")), "5");
    assert_eq!(slice(get("f")), ">-  # not | here\n\n  folded");
    let entry = root.entry("e").unwrap();
    assert_eq!((entry.value.span().start, entry.value.span().end), (entry.key_span.end, entry.key_span.end));
}

#[test]
fn rejects_the_same_input_as_go_yaml() {
    let cases = [
        ("a: [x?y]", "?", "?"),
        ("a: {b: http://x/?q=1}", "?", "?"),
        ("a: [:80]", ":", ":"),
        ("%YAML 1.2\n---\na: 1", "version 1.2", "%"),
        ("%YAML 1.1\n---\na: 1", "directive", ""),
        ("[]: 1", "ignores", ""),
        (": 1", "before the `:`", ":"),
        ("--- a\nb: 1\n", "text after `---`", "a"),
        ("-\ta", "tab", "\t"),
        ("- \t{a: 1}", "tab", "\t"),
        ("a: 1\n\t\nb: 2", "tab", "\t"),
        ("a: [1]\n\t# comment\n", "tab", "\t"),
        ("a: |\n  \tb\n", "tab", "\t"),
        ("a: &b.c 1", "anchor", "&"),
        ("a: &b: !!str\n  c: 1", "mapping values", ":"),
        ("a: &b 1\nc: [*b, &d/e {}]", "anchor", "&"),
        ("- &é x\n- y", "expected a name", "&"),
        ("a: [1\n---\n\tx: 1\n---\n b: 1\n\t\n---\nc: 1", "tab", ""),
        ("- &a x\n-\t*a\n", "tab", "\t"),
        ("a:\n  b: 1\n\tc: 2\n", "tab", "\t"),
    ];
    for (text, message, place) in cases {
        let diagnostics = findings(text);
        let (code, diagnostics, places) = diagnostics.last().unwrap();
        assert!(*code == "yaml-syntax" && diagnostics.contains(message), "{text}: {diagnostics}");
        assert!(place.is_empty() || *places == [place], "{text}: {places:?}");
    }
    let valid_inputs = [
        "a: [\n 1,\n\t2,\n \t\"x\", {\n\tc: 1 }]\nb: '\n \tx'",
        "a:\tb\t# c\nd: |2\n  \tx\ne: |\n  all:\n  \tcc\n",
        "a: b?c:d\nb: [c:d, \"e?f\", 'x': 1, g : h]\nc: {\"d\":1}",
        "a: {x:, b: 1}",
        "# as &a.b\nc: 1\n",
        "a: &b-1_C !!str 1\nc: [*b-1_C,*b-1_C]\nd: &e [&f x]\ng: &h\n  i: \"&j.k\"",
    ];
    for text in valid_inputs {
        assert_eq!(findings(text), [], "{text}");
    }
}

#[test]
fn reports_scalars_that_json_cannot_represent() {
    let cases = ["a: .inf", "a: !!binary '*'", "a: !!int x", "a: !!timestamp x", "a: !!float 18446744073709551615"];
    for text in cases {
        assert_eq!(codes(text), ["yaml-scalar"], "{text}");
    }
    assert_eq!(json("a: !!binary gP8h"), ["{\"a\":\"\u{fffd}\u{fffd}!\"}"]);
    assert_eq!(
        json("a: !x 1\nb: !!str\nc: !!timestamp 2001-01-01\nd: !!set {x}"),
        [r#"{"a":"1","b":"","c":"2001-01-01","d":{"x":null}}"#]
    );
}

#[test]
fn reports_yaml_1_1_line_breaks_except_in_json() {
    assert_eq!(codes("a: b # c\u{2028}d: e"), ["yaml-line-break"]);
    for (text, name, escape) in
        [("a: \"\u{85}\"", "U+0085", "`\\N`"), ("# \u{2028}", "U+2028", "`\\L`"), ("- é\u{2029}", "U+2029", "`\\P`")]
    {
        let [finding] = &*testing::read(text).diagnostics else { panic!("{text}") };
        assert_eq!(finding.code.as_str(), "yaml-line-break");
        assert!(finding.message.contains(name), "{finding:?}");
        assert!(finding.help.as_ref().unwrap().contains(escape), "{finding:?}");
        let span = finding.primary().unwrap().span;
        assert!(text[span.bytes()].chars().all(|c| !c.is_ascii()), "{span:?}");
    }
    assert_eq!(json("\n{\"a\": \"\u{85}\u{2029}\"}"), ["{\"a\":\"\u{85}\u{2029}\"}"]);
}

#[test]
fn values_have_no_added_final_line_break() {
    let cases = [
        ("|\n  a", "a", "a\n"),
        ("|\n  a\n", "a\n", "a\n"),
        (">+\n  a\n\n  b", "a\nb", "a\nb\n"),
        ("|-\n  a", "a", "a"),
        ("|+\n  a\n  ", "a\n", "a\n\n"),
        ("|+ # |\n  a\n  ", "a\n", "a\n\n"),
        ("|+\n  a\n\n ", "a\n\n", "a\n\n\n"),
        (">+\n  a\n\n", "a\n\n", "a\n\n"),
        ("|\n  a\n    ", "a\n  ", "a\n  \n"),
        ("|+\n ", "", "\n"),
        ("|+\n  \n    ", "\n", "\n\n"),
        (">+ # b\n\n  \n", "\n\n", "\n\n"),
        ("|1\n  a", " a", " a\n"),
        ("- |\n  a\n- b", "a\n", "a\n"),
        ("- |+\n  a\n- b\n  ", "a\n", "a\n"),
        ("|\n  \n    \n", "", ""),
    ];
    for (text, value, file) in cases {
        let source = source_id();
        let text_of = |read: Warned<Vec<Document<'_>>>| {
            let root = read.output[0].root();
            let node = root.items().next().unwrap_or(root);
            node.as_str().unwrap().to_owned()
        };
        assert_eq!(text_of(read_value(source, text, &Limits::default())), value, "{text}");
        assert_eq!(text_of(read(source, text, &Limits::default())), file, "{text}");
    }
}

#[test]
fn reads_numbers_in_values_as_doubles() {
    let text = "[-0.0, -0, -5, 9007199254740993, 9223372036854775807]";
    let source = source_id();
    let numbers = |read: Warned<Vec<Document<'_>>>| {
        let values: Vec<_> = read.output[0].root().items().map(Node::value).collect();
        format!("{values:?}")
    };
    assert_eq!(
        numbers(read_value(source, text, &Limits::default())),
        "[Float(-0.0), Int(0), Int(-5), Int(9007199254740992), Float(9.223372036854776e18)]"
    );
    assert_eq!(
        numbers(read(source, text, &Limits::default())),
        "[Int(0), Int(0), Int(-5), Int(9007199254740993), Int(9223372036854775807)]"
    );
}

#[test]
fn accepts_escaped_slashes_only_in_json() {
    assert_eq!(codes("a: \"b\\/c\""), ["yaml-syntax"]);
    assert_eq!(json("a: \"b\\\\/c\"\nb: 'c\\/d'"), [r#"{"a":"b\\/c","b":"c\\/d"}"#]);
    assert_eq!(json("{\"a\": \"b\\/c\"}"), [r#"{"a":"b/c"}"#]);
    let value = read_value(source_id(), "{\"a\": \"b\\/c\"}", &Limits::default());
    assert_eq!(value.diagnostics.len(), 1, "a value is YAML always");
}

/// Verified against go-yaml v2: a blank line or comment may follow spaces and a tab only at positions where a scalar
/// may continue.
#[test]
fn reports_tabs_on_lines_without_nodes() {
    let rejected_inputs = [
        ("k:\n  j: |\n    a\n  \t\n  l: 1\n", 3),
        ("k:\n  j: |\n    a\n   \t\n  l: 1\n", 3),
        ("k:\n  j: |\n    \t\n    a\n", 2),
        ("k:\n  j: |\n    a\n  # c\n  \t\n", 4),
        ("k:\n  j: a\n  \t\n  l: 1\n", 2),
        ("k:\n  j: a\n  \t# c\n", 2),
        ("k:\n  j: a # c\n     \t\n", 2),
        ("k:\n  j: \"a\"\n     \t\n", 2),
        ("k:\n     \t\n  j: 1\n", 1),
        ("k: &a\n  \t\n  j: 1\n", 1),
        ("k:\n- a\n\t\n- b\n", 2),
        ("k:\n  - - a\n   \t\n    - b\n", 2),
        ("a:\n  k:\n  - b\n  \t\n  - c\n", 3),
        ("- k:\n  - b\n  \t\n  - c\n", 2),
        ("- \"a\"\n\t\n- [b]\n", 1),
        ("k:\n\t\"a\"\n", 1),
        ("  \t\nk: a\n", 0),
        ("k: [a,\n \t\n b]\n \t\nl: 1\n", 3),
    ];
    for (text, line) in rejected_inputs {
        let places: Vec<_> =
            testing::read(text).diagnostics.iter().map(|found| found.primary().unwrap().span.start).collect();
        let line_start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let column = text[line_start..].find('\t').unwrap();
        assert_eq!(places, [u32::try_from(line_start + column).unwrap()], "{text:?}");
    }
    let valid_inputs = [
        "k:\n  j: |\n    a\n    \t\n  l: 1\n",
        "k:\n  j: a\n   \t\n  l: 1\n",
        "k:\n  j: a\n    \t# c\n",
        "k:\n- a\n \t\n- b\n",
        "k:\n  - - a\n     \t\n    - b\n",
        "a:\n  k:\n  - b\n   \t\n  - c\n",
        "- k:\n  - b\n   \t\n  - c\n",
        "k: [a,\n \t\n b]\n",
        "k: \"a\n  \t\n  b\"\n",
    ];
    for text in valid_inputs {
        assert_eq!(codes(text), [""; 0], "{text:?}");
    }
}

#[test]
fn finds_unread_text_between_documents() {
    for (text, expected) in [
        ("a: 1\n---\nb: [\n---\nc: 1\n", vec!["\n---\nb: [\n---\n"]),
        ("a: 1\n---\nb: x: y\n", vec!["\n---\nb: x: y\n"]),
        ("b: x: y\n---\nc: 1\n", vec!["b: x: y\n---\n"]),
        ("a: {? b}\n---\nc: 1\n", vec![]),
        ("@a: b\n---\nc: 1\n", vec!["@a: b\n---\n"]),
        ("a: 1\na: 2\n", vec![]),
    ] {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", text, true));
        let parsed = read(id, text, &Limits::default());
        let actual = unread_texts(&sources, parsed.output.iter(), &parsed.diagnostics);
        assert_eq!(actual, expected, "{text} {:?}", parsed.diagnostics);
    }
}

#[test]
fn unparsed_text_does_not_affect_other_files() {
    let texts = ["a: 1\n---\nb: x: y\n", "b: x: y\n---\nc: 1\n", "c: x: y\n"];
    let mut sources = Sources::default();
    let (mut documents, mut mistakes) = (Vec::new(), Vec::new());
    for text in texts {
        let parsed = read(sources.add(Source::new("x.yaml", text, true)), text, &Limits::default());
        documents.extend(parsed.output);
        mistakes.extend(parsed.diagnostics);
        // A single unparsed range may contain several mistakes.
        mistakes.extend(mistakes.last().cloned());
    }
    let actual = unread_texts(&sources, documents.iter(), &mistakes);
    assert_eq!(actual, ["\n---\nb: x: y\n", "b: x: y\n---\n", "c: x: y\n"]);
}

#[test]
fn reports_unclosed_brackets_at_the_end_once() {
    for text in
        ["{", "[", "{a", "{a: b", "a: {b: [c", "[{a: \"b\"", "a:\n- {b: c", "{? a", "[a, ", "{a: &b", "[!x", "{a:"]
    {
        for end in ["", "\n", " # c", "\r", "\u{feff}"] {
            let text = format!("{text}{end}");
            assert_eq!(findings(&text).len(), 1, "{text:?}");
        }
    }
}
