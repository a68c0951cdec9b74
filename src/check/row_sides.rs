//! Tests both sides of every row that states its accepted values: a range, a list, a syntax or fields that belong
//! together. For each row, the test creates values just inside and just outside what the row accepts, and checks them
//! against the row and its table.
//!
//! `testdata/rows.txt` records the verdicts, so that a row cannot silently accept more or less than before.
//! `AGENTCTL_BLESS=1 cargo test --lib row_sides` writes it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::integrations::constructors::{self, CONSTRUCTORS};
use super::logs::{job, raw_stage};
use super::manifest::{pod_security, rules as manifest};
use super::prometheus::{additional, discovery, http_client};
use super::row_paths::for_each_path;
use super::rule::RuleTarget;
use super::violation::field_path;
use super::walk::{Expect, Json, Rows, Violation, violations};
use crate::diagnostic::Code;

/// Strings for rows that expect a syntax. Each differs from another by one character that matters to some syntax.
const STRINGS: &[&str] = &[
    "",
    "a",
    "A",
    "0",
    "1",
    "-",
    "a-",
    "-a",
    "a--b",
    "a.b",
    "a..b",
    "a_b",
    "_a",
    "a/b",
    "/",
    "/a",
    "a/",
    "a/b/c",
    "a b",
    " a",
    "a:b",
    "a:0",
    "a:1",
    "a:65535",
    "a:65536",
    ":1",
    ":65535",
    ":65536",
    "65535",
    "65536",
    "-1",
    "1.5",
    "1e3",
    "10s",
    "0s",
    "0ms",
    "1ns",
    "1m30s",
    "1d",
    "1y",
    "-1s",
    "1s1",
    "true",
    "false",
    "http://a",
    "HTTP://a",
    "http://a:65536",
    "http://a b",
    "http://",
    "a://b",
    "//a",
    "http://[",
    "http://a/%zz",
    "unix:///a",
    "tcp://a:1",
    "(",
    "[a",
    "a{",
    "a{b=\"c\"}",
    "{b=\"c\"}",
    "{{",
    "{{.a}}",
    "{{a}}",
    "${a}",
    "$a",
    "%zz",
    "%41",
    "1.2.3",
    "1.2",
    "a@b",
    "a=b",
    "a,b",
    "a,,b",
    "a in (b)",
    "a,!b",
    "é",
    "\u{7f}",
    "a\nb",
    "UTC",
    "Local",
    "Nowhere/Berlin",
    "Europe/Berlin",
    "us-east-1",
    "1Ki",
    "1Kix",
    "0644",
    "0o8",
    "..",
    ".",
    "../a",
    "a/../b",
    "/a/b",
    "RFC3339",
    "2006-01-02",
    "drop",
    "GET",
    "10.0.0.1",
    "10.0.0.256",
    "::1",
    "[::1]:1",
    "tls1.2",
    "TLS12",
    "info",
    "*",
    "a*",
    "**",
];

/// Maximum lengths of names in Kubernetes, each followed by the next greater length.
const LENGTHS: &[usize] = &[15, 16, 63, 64, 253, 254];

/// Values to check a row with.
enum Sides {
    /// [`STRINGS`], and strings with the lengths in [`LENGTHS`].
    Strings,
    /// Values that the row lists or borders on, each paired with whether the row must accept it.
    Values(Vec<(Value, bool)>),
}

/// Returns the values for a row, or `None` if a function decides which values are accepted.
fn find_sides(rule: &Expect) -> Option<Sides> {
    let values = match rule {
        Expect::As(_, rule)
        | Expect::Mild(rule)
        | Expect::Help(_, rule)
        | Expect::Hidden(rule)
        | Expect::If(_, rule) => {
            return find_sides(rule);
        }
        Expect::Text(_) | Expect::TextOrEmpty(_) | Expect::Is(..) => return Some(Sides::Strings),
        Expect::In(_) | Expect::With(_) => return None,
        Expect::Required => vec![(json!("a"), true), (json!(""), false), (Value::Null, false)],
        Expect::Forbidden(_) => vec![(json!("a"), false)],
        Expect::OneOf(texts) => texts
            .split('|')
            .flat_map(|text| similar_values(text, &|near| !texts.split('|').any(|listed| listed == near)))
            .collect(),
        Expect::Among(texts) => {
            texts.iter().flat_map(|text| similar_values(text, &|near| !texts.contains(&near))).collect()
        }
        Expect::Off => {
            vec![
                (json!(false), true),
                (json!(true), false),
                (json!(0), true),
                (json!(1), false),
                (json!(""), true),
                (json!("a"), false),
            ]
        }
        Expect::Range(from, to) => {
            let below = from.checked_sub(1).map(|below| (json!(below), false));
            let above = to.checked_add(1).map(|above| (json!(above), false));
            below.into_iter().chain([(json!(from), true), (json!(to), true)]).chain(above).collect()
        }
        Expect::Labels => {
            vec![
                (json!({"a": "b"}), true),
                (json!({"a/b": ""}), true),
                (json!({"-": "b"}), false),
                (json!({"a": "-"}), false),
                (json!({"a": "b".repeat(63)}), true),
                (json!({"a": "b".repeat(64)}), false),
            ]
        }
        Expect::AtMostOne(fields) => mappings_by_count(fields, |count| count < 2),
        Expect::AtLeastOne(fields) => mappings_by_count(fields, |count| count > 0),
        Expect::ExactlyOne(fields) => mappings_by_count(fields, |count| count == 1),
        Expect::Both(first, second) => {
            vec![
                (json!({}), true),
                (mapping(&[first]), false),
                (mapping(&[second]), false),
                (mapping(&[first, second]), true),
            ]
        }
        Expect::Unique(fields) => {
            let item = mapping(fields);
            let mut values = vec![(json!([item]), true), (json!([item, item]), false)];
            for field in *fields {
                let mut other = item.clone();
                other[*field] = json!("b");
                values.push((json!([item, other]), true));
            }
            values
        }
    };
    Some(Sides::Values(values))
}

/// Returns a mapping that has these fields. A field may be a path.
fn mapping(fields: &[&str]) -> Value {
    let mut mapping = json!({});
    for field in fields {
        *field.split('.').fold(&mut mapping, |inner, key| &mut inner[key]) = json!("a");
    }
    mapping
}

/// Returns a string in the list, and similar strings that are not in the list.
fn similar_values(text: &str, is_outside: &dyn Fn(&str) -> bool) -> Vec<(Value, bool)> {
    let mut values = vec![(json!(text), true)];
    let shorter = text.char_indices().next_back().map(|(last, _)| text.split_at(last).0.to_owned());
    let similar_texts = [Some(format!("{text}x")), shorter.filter(|text| !text.is_empty()), Some(text.to_uppercase())];
    let similar_texts = similar_texts.into_iter().flatten().filter(|other| is_outside(other));
    values.extend(similar_texts.map(|other| (json!(other), false)));
    values
}

/// Returns mappings with zero, one and two of the fields, each paired with whether `is_inside` accepts that number of
/// fields.
fn mappings_by_count(fields: &str, is_inside: fn(usize) -> bool) -> Vec<(Value, bool)> {
    let fields: Vec<_> = fields.split('|').collect();
    let no_fields = (json!({}), is_inside(0));
    let single_fields = fields.iter().map(|field| (mapping(&[field]), is_inside(1)));
    let field_pairs = fields.windows(2).map(|pair| (mapping(pair), is_inside(2)));
    std::iter::once(no_fields).chain(single_fields).chain(field_pairs).collect()
}

/// Whether a rule applies only to some agents.
fn is_conditional(rule: &Expect) -> bool {
    match rule {
        Expect::As(_, rule) | Expect::Mild(rule) | Expect::Help(_, rule) | Expect::Hidden(rule) => is_conditional(rule),
        Expect::If(..) => true,
        _ => false,
    }
}

/// Returns the table that a rule applies to its value.
fn nested_table(rule: &Expect) -> Option<Rows> {
    match rule {
        Expect::In(rows) => Some(rows),
        Expect::As(_, rule) | Expect::Mild(rule) | Expect::Help(_, rule) | Expect::Hidden(rule) => nested_table(rule),
        _ => None,
    }
}

/// Whether a violation is at a path or below it.
fn is_at_path(violation: &Violation<'_>, path: &[&str]) -> bool {
    let expected = path.iter().fold(String::new(), |expected, step| match *step {
        "[]" => format!("{expected}[0]"),
        step if expected.is_empty() => step.replace('*', "a"),
        step => format!("{expected}.{}", step.replace('*', "a")),
    });
    field_path(&violation.path, &[]).to_string().starts_with(&expected)
}

/// Returns an object with a value at a path. Each list on the path has one item, and `*` is the key `a`.
fn nest(path: &[&str], value: Value) -> Value {
    path.iter().rev().fold(value, |inner, step| match *step {
        "[]" => json!([inner]),
        "*" => json!({"a": inner}),
        step => json!({step: inner}),
    })
}

/// Record of the values that each row in each table accepts and rejects.
#[derive(Default)]
struct Record {
    tables: BTreeMap<String, String>,
    rows: usize,
    failures: Vec<String>,
}

impl Record {
    /// Adds a table whose paths start with `above`. Its values are also checked against the entire table `whole`, which
    /// contains it.
    fn add(&mut self, name: &str, rows: Rows, above: &[&'static str], whole: Rows, frame: &dyn Fn(Value) -> Value) {
        for (path, rule) in rows {
            for_each_path(path, above, &mut |path| match nested_table(rule) {
                Some(rows) => self.add(name, rows, path, whole, frame),
                None => self.add_row(name, rule, path, &|value| {
                    let object = frame(nest(path, value));
                    let (findings, omitted_counts) = violations(whole, Json::Built(&object));
                    omitted_counts.is_none() && !findings.iter().any(|findings| is_at_path(findings, path))
                }),
            });
        }
    }

    fn add_row(&mut self, name: &str, rule: &'static Expect, path: &[&str], accepts: &dyn Fn(Value) -> bool) {
        let Some(sides) = find_sides(rule).filter(|_| !is_conditional(rule)) else {
            return;
        };
        self.rows += 1;
        let path = path.join(".");
        let sides = match sides {
            Sides::Strings => {
                let long = LENGTHS.iter().map(|length| "a".repeat(*length));
                let all_strings: Vec<_> = STRINGS.iter().map(|text| (*text).to_owned()).chain(long).collect();
                let is_inside =
                    |text: &String| violations(single_rule_table(rule), Json::Built(&json!(text))).0.is_empty();
                let sides: Vec<_> = all_strings.iter().map(is_inside).collect();
                // One rejected string suffices to show that the table applies the row.
                let rejected_text = all_strings.iter().zip(&sides).find(|(_, is_inside)| !**is_inside);
                if let Some((text, _)) = rejected_text.filter(|(text, _)| accepts(json!(text))) {
                    self.failures.push(format!("{name} {path}: {text:?} is accepted"));
                }
                sides.into_iter().map(|is_inside| if is_inside { '+' } else { '-' }).collect()
            }
            Sides::Values(values) => {
                let [mut inside, mut outside] = [Vec::new(), Vec::new()];
                for (value, expected) in values {
                    let is_accepted = accepts(value.clone());
                    // Other rows of the table may reject a value that this row accepts.
                    let is_inside = violations(single_rule_table(rule), Json::Built(&value)).0.is_empty();
                    if is_inside != expected || is_accepted && !expected {
                        self.failures
                            .push(format!("{name} {path}: {value} is inside: {is_inside}, accepted: {is_accepted}"));
                    }
                    if is_accepted { &mut inside } else { &mut outside }.push(value.to_string());
                }
                format!("{} | {}", inside.join(" "), outside.join(" "))
            }
        };
        let record = self.tables.entry(name.to_owned()).or_default();
        let _ = writeln!(record, "  {path}: {sides}");
    }
}

/// Returns a table that applies one rule.
fn single_rule_table(rule: &'static Expect) -> Rows {
    Box::leak(Box::new([("", Expect::As(Code::InvalidScrapeJob, rule))]))
}

fn record_all_tables() -> Record {
    let mut record = Record::default();
    let unwrapped: &dyn Fn(Value) -> Value = &|value| value;
    for rule in super::rules() {
        if let RuleTarget::Spec(kind, rows) | RuleTarget::SpecInInstance(kind, rows) = rule.target {
            record.add(kind.as_str(), rows, &[], rows, unwrapped);
        }
    }
    for kind in ["StatefulSet", "DaemonSet", "Deployment", "Service", "Secret"] {
        let rows = manifest::rules_for_kind(kind);
        record.add(kind, rows, &[], rows, unwrapped);
    }
    for control in pod_security::controls::CONTROLS {
        record.add(&format!("pod security {}", control.id), control.rules, &[], control.rules, unwrapped);
    }
    for (name, rows) in [
        ("job", additional::JOB),
        ("job client", http_client::CLIENT),
        ("job of logs", additional::LOGS_ROWS),
        ("job of Promtail", job::JOB),
    ] {
        record.add(name, rows, &[], rows, unwrapped);
    }
    let kinds: [&'static [(&str, Expect)]; 2] = [&discovery::KINDS, &job::KINDS];
    for (kind, rule) in kinds.into_iter().flatten() {
        let rows = single_rule_table(rule);
        record.add(&format!("discovery {kind}"), rows, &[], rows, unwrapped);
    }
    for (stages, rule) in raw_stage::rules::RULES {
        let rows = single_rule_table(rule);
        record.add(&format!("stage {stages}"), rows, &[], rows, unwrapped);
    }
    for (name, rows, _) in CONSTRUCTORS {
        let integration = |config: Value| json!({"name": name, "config": config["config"]});
        record.add(&format!("integration {name}"), rows, &["config"], INTEGRATION, &integration);
    }
    record
}

/// Table with the constructors' rules, which the table for Integrations also applies.
const INTEGRATION: Rows = &[("", Expect::With(constructors::check))];

#[test]
fn every_row_accepts_and_rejects_the_recorded_values() {
    let record = record_all_tables();
    assert!(record.rows > 1000, "found only {} rows", record.rows);
    assert!(record.failures.is_empty(), "{} values:\n{}", record.failures.len(), record.failures.join("\n"));
    let mut text =
        "Verdicts on values just inside and just outside each row. A row lists accepted values, then rejected\n\
                    ones; or it has a sign for each of these strings:\n"
            .to_owned();
    let _ = writeln!(text, "{}", STRINGS.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(" "));
    let _ = writeln!(text, "and for `a` repeated {LENGTHS:?} times.");
    for (table, rows) in record.tables {
        let _ = write!(text, "\n{table}\n{rows}");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rows.txt");
    if std::env::var("AGENTCTL_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&file, &text).unwrap();
    }
    let recorded_text = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let differing_lines = text
        .lines()
        .zip(recorded_text.lines().chain(std::iter::repeat("")))
        .filter(|(actual, wanted)| actual != wanted);
    let differing_lines: Vec<_> =
        differing_lines.map(|(actual, wanted)| format!("-{wanted}\n+{actual}")).take(10).collect();
    assert!(
        text == recorded_text,
        "other rows than in testdata/rows.txt (AGENTCTL_BLESS=1 writes it):\n{}",
        differing_lines.join("\n")
    );
}
