use std::borrow::Cow;
use std::num::NonZeroU64;

use super::*;

const BASE: &[(&str, &str)] = &[("__address__", "10.0.0.1:8080"), ("a", "foo"), ("b", "bar"), ("many", "one\ntwo")];

/// Applies rules, each written as `action source… / regex / target / replacement`, to the labels in `BASE`.
fn apply_rules(rules: &[Config<'static>]) -> String {
    let mut compiler = RuleCompiler::default();
    let rules: Vec<_> = rules.iter().map(|config| compiler.rule(config.clone()).unwrap()).collect();
    let mut labels: Labels<'_> = BASE.iter().copied().collect();
    match relabel(&rules, &mut labels) {
        Some(index) => format!("dropped by {index}"),
        None => {
            let changed_labels = labels.iter().filter(|label| !BASE.contains(label));
            let mut changed_lines: Vec<_> = changed_labels.map(|(name, value)| format!("{name}={value}")).collect();
            let removed_labels = BASE.iter().filter(|(name, _)| labels.get(name).is_empty());
            changed_lines.extend(removed_labels.map(|(name, _)| format!("-{name}")));
            changed_lines.join(" ")
        }
    }
}

fn rule(action: &'static str, sources: &[&'static str], regex: &'static str) -> Config<'static> {
    Config {
        source_labels: sources.iter().map(|label| Cow::Borrowed(*label)).collect(),
        regex: (!regex.is_empty()).then_some(regex.into()),
        action: Some(action.into()),
        ..Config::default()
    }
}

fn replace(sources: &[&'static str], regex: &'static str, target: &'static str, with: &'static str) -> Config<'static> {
    Config { target_label: target.into(), replacement: Some(with.into()), ..rule("replace", sources, regex) }
}

#[test]
fn replaces_matching_values() {
    for (config, expected) in [
        (replace(&["a", "b"], "", "c", "$1"), "c=foo;bar"),
        (replace(&["a"], "f(.+)", "c", "${1}x$1x"), "c=oox"),
        (replace(&["a"], "f(?P<rest>.+)", "$rest", "$rest$$1"), "oo=oo$1"),
        (replace(&["a"], "f(.+)", "$1-", "x"), ""),
        (replace(&["a"], "", "b", ""), "-b"),
        (replace(&["a"], "x", "b", ""), ""),
        (replace(&["many"], "", "c", "x"), ""),
        (replace(&["many"], "(?s)(.*)", "c", "x"), "c=x"),
        (replace(&["none"], "", "c", "x"), "c=x"),
        (replace(&["a"], "(x)?foo", "c", "<$1>$2>$"), "c=<>>$"),
        (replace(&["a"], "(?i)FOO", "c", "x"), "c=x"),
        (replace(&["a"], r"\Qfoo\E", "c", "x"), "c=x"),
    ] {
        assert_eq!(apply_rules(std::slice::from_ref(&config)), expected, "{config:?}");
    }
}

#[test]
fn reports_the_rule_that_drops_a_target() {
    let first_rule = replace(&[], "", "c", "x");
    for (config, expected) in [
        (rule("keep", &["a"], "foo|x"), "c=x"),
        (rule("KEEP", &["a"], "fo"), "dropped by 1"),
        (rule("drop", &["a"], "fo."), "dropped by 1"),
        (rule("keep", &["none"], ""), "c=x"),
        (rule("keep", &["none"], ".+"), "dropped by 1"),
        (Config { target_label: "b".into(), ..rule("keepequal", &["a"], "") }, "dropped by 1"),
        (Config { target_label: "b".into(), ..rule("dropequal", &["a"], "") }, "c=x"),
    ] {
        assert_eq!(apply_rules(&[first_rule.clone(), config.clone()]), expected, "{config:?}");
    }
}

#[test]
fn maps_and_drops_labels_by_name() {
    let map = |regex, with: &'static str| Config { replacement: Some(with.into()), ..rule("labelmap", &[], regex) };
    assert_eq!(apply_rules(&[map("__(.)ddress__", "$1")]), "a=10.0.0.1:8080");
    assert_eq!(apply_rules(&[map("([ab])", "x_$1")]), "x_a=foo x_b=bar");
    assert_eq!(apply_rules(&[rule("labeldrop", &[], "[ab]")]), "-a -b");
    assert_eq!(apply_rules(&[rule("labelkeep", &[], "a|b")]), "-__address__ -many");
}

#[test]
fn last_label_mapped_to_a_name_wins() {
    let last_value = |base: Base, change: &mut dyn FnMut(&mut Labels<'_>)| {
        let mut labels: Labels<'_> = [("a", "1"), ("b", "2"), ("z", "3")].into_iter().collect();
        labels.set_base(base);
        change(&mut labels);
        let map = Config { replacement: Some("last".into()), ..rule("labelmap", &[], "[a-z]") };
        assert!(RuleCompiler::default().rule(map).unwrap().apply(&mut labels));
        labels.get("last").to_owned()
    };
    for base in [Base::Collected, Base::Target, Base::Sorted] {
        assert_eq!(last_value(base, &mut |_| {}), "3");
    }
    // A rule adds labels at the end, regardless of their names. A label that is removed and added again counts as a new
    // label.
    assert_eq!(last_value(Base::Collected, &mut |labels| labels.set("c", "x")), "3");
    for base in [Base::Target, Base::Sorted] {
        assert_eq!(last_value(base, &mut |labels| labels.set("c", "x")), "x");
        let set_again = &mut |labels: &mut Labels<'_>| {
            labels.set("d", "y");
            labels.set("c", "x");
            labels.set("d", "again");
        };
        assert_eq!(last_value(base, set_again), "x");
        let set_anew = &mut |labels: &mut Labels<'_>| {
            labels.remove("a");
            labels.set("a", "x");
        };
        assert_eq!(last_value(base, set_anew), "x");
    }
    // A changed label counts as a new label in a series, but not in a target.
    let change = &mut |labels: &mut Labels<'_>| labels.set("a", "x");
    assert_eq!(last_value(Base::Target, change), "3");
    assert_eq!(last_value(Base::Sorted, change), "x");
}

#[test]
fn rejects_the_same_rules_as_the_agent() {
    let error = |config| RuleCompiler::default().rule(config).unwrap_err();
    assert_eq!(error(rule("hashmod", &["a"], "")), RuleError::Modulus);
    assert_eq!(error(rule("kep", &["a"], "")), RuleError::RelabelAction);
    assert!(matches!(error(rule("keep", &["a"], "(")), RuleError::Regex(_)));
}

fn modulus(value: u64) -> NonZeroU64 {
    NonZeroU64::new(value).unwrap()
}

#[test]
fn hashes_like_prometheus() {
    // Expected values are from the tests in Prometheus' `model/relabel`.
    assert_eq!(hashmod("baz", modulus(1000)), 976);
    assert_eq!(hashmod("foo\nbar", modulus(1000)), 734);
}

#[test]
fn hashmod_uses_the_last_eight_bytes() {
    // MD5 of the empty string (RFC 1321, A.5): d41d8cd98f00b204 e9800998ecf8427e.
    let last_bytes = 0xe980_0998_ecf8_427e_u64;
    assert_eq!(last_bytes, 16_825_458_760_271_544_958);
    for (divisor, remainder) in [(1, 0), (2, 0), (3, 1), (7, 1), (1000, 958), (u64::MAX, last_bytes)] {
        assert_eq!(last_bytes % divisor, remainder, "{divisor}");
        assert_eq!(hashmod("", modulus(divisor)), remainder, "{divisor}");
    }
}

#[test]
fn setting_all_labels_equals_setting_each_label() {
    let names: Vec<String> = (0..500_u64).map(|i| format!("l{}", i * i % 97)).collect();
    let value = |place: usize| ["", "a", "b", "c"][place * 7 % 5 % 4];
    for base in [Base::Collected, Base::Target, Base::Sorted] {
        let mut set_individually = Labels::from_iter([("l1", "x"), ("l3", "y"), ("z", "z")]);
        set_individually.set_base(base);
        let mut set_together = set_individually.clone();
        for (place, name) in names.iter().enumerate() {
            set_individually.set(name.as_str(), value(place));
        }
        set_together.extend(names.iter().enumerate().map(|(place, name)| (name.as_str(), value(place))));
        assert_eq!(format!("{set_individually:?}"), format!("{set_together:?}"));
    }
}

#[test]
fn rules_that_exceed_the_limit_change_nothing() {
    let long_value = "x".repeat(100_000);
    let names = |prefix: &'static str| Config {
        replacement: Some(format!("{prefix}$1").into()),
        ..rule("labelmap", &[], "(.+)")
    };
    let many_rules = || ["a_", "b_", "c_", "d_"].into_iter().cycle().take(40).map(names).collect();
    for (rules, is_exhausted) in [
        (vec![replace(&["long"], "", "long", "$1$1"); 2], false),
        (vec![replace(&["long"], "", "long", "$1$1"); 40], true),
        (vec![replace(&["long"], "", "$1$1", "x"); 40], true),
        (vec![rule("keep", &["long", "long", "long"], ".*"); 3], false),
        (vec![rule("keep", &["long", "long", "long"], ".*"); 4], true),
        (vec![rule("hashmod", &["long"], ".*"); 8], false),
        (vec![rule("keep", &["long"], ".*"); 11], true),
        (vec![rule("labeldrop", &[], "x"); 1_000], false),
        (many_rules(), true),
    ] {
        let mut compiler = RuleCompiler::default();
        let config = |config: &Config<'static>| Config { modulus: 2, ..config.clone() };
        let rules: Vec<_> = rules.iter().map(|rule| compiler.rule(config(rule)).unwrap()).collect();
        let mut labels: Labels<'_> = [("a", "x"), ("long", &long_value)].into_iter().collect();
        assert_eq!(relabel(&rules, &mut labels), None);
        assert_eq!(labels.is_exhausted(), is_exhausted, "{:?}", rules.first().map(CompiledRule::config));
        assert!(labels.iter().len() < 10_000);
        assert!(labels.iter().all(|(name, value)| name.len() + value.len() < 1_200_000));
        let original_labels = labels.clone();
        let config = replace(&["a"], "", "a", "y");
        assert!(compiler.rule(config).unwrap().apply(&mut labels));
        assert_eq!(labels == original_labels, is_exhausted);
    }
}
