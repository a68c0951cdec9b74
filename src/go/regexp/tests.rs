use super::verdict::problem;
use super::*;
use crate::budget::Budget;

fn problem(pattern: &str) -> Option<&'static str> {
    compile(pattern).err().map(|error| error.problem)
}

#[test]
fn escapes_special_characters() {
    for (characters, expected) in [("aZ09_", "aZ09_"), (".é-", r"\x{2e}\x{e9}\x{2d}")] {
        let mut output = output::RustExpression::default();
        characters.chars().for_each(|c| output.write_character(c.into()));
        assert_eq!(output.text, expected);
    }
    for (low, high, expected) in [
        (0x61, 0x7a, "a-z"),
        (0x61, 0xd800, r"a-\x{d7ff}"),
        (0xdfff, 0xe001, r"\x{e000}-\x{e001}"),
        (0xd800, 0xdfff, output::NOTHING),
        (0x61, 0x61, "a-a"),
        (0xd7ff, 0xe000, r"\x{d7ff}-\x{e000}"),
    ] {
        let mut output = output::RustExpression::default();
        output.write_range(low, high);
        assert_eq!(output.text, expected);
    }
}

#[test]
fn accepts_expressions_that_only_go_supports() {
    for pattern in [
        "{",
        "a{",
        "a{,5}",
        "a{1",
        "a{1,",
        "a{01}",
        "{}",
        "x{2147483648",
        r"\Qa.b\E",
        r"\Q*",
        r"\Q\E",
        r"\101",
        r"\07",
        r"\0",
        r"\a\f\n\r\t\v",
        r"\x{10FFFF}",
        r"\p{^L}",
        r"\P{^Greek}",
        r"\pN",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        "[a-b-c]",
        "[a-a]",
        "[[:a]",
        "(?)a",
        "(?P<a_1Z>b)",
        "a{0,1000}b{1000,}c{2,2}",
        "(a{1000}){0,1}",
        r"[\d-z]",
        "[[:word:]]",
        "[[:^digit:]x]",
        "[[:alpha]",
        "[[.a.]]",
        "(?i)a",
        "(?i-sU:a)",
        "(?P<n>a)(?P<n>b)",
        "(?P<0>a)",
        r"\_",
        r"\-",
        r"\/",
        "a|",
        "(|a)*",
        "(a*)*",
        "(a{500}){2}",
        "(?:a{1000}){1}",
        "a{0}",
        "((a{1000}){0}){1000}",
        "a*(?i)*",
        r"\B\b\A\z",
        "^*",
        "$+",
        "a??",
        "a{2}?",
        "",
    ] {
        assert_eq!(compile(pattern), Ok(AcceptingReleases::Always), "{pattern}");
    }
}

#[test]
fn rejects_the_same_expressions_as_go() {
    for (pattern, expected) in [
        ("a**", problem::REPEATED_REPETITION),
        ("a*+", problem::REPEATED_REPETITION),
        ("a++", problem::REPEATED_REPETITION),
        ("a{2}{3}", problem::REPEATED_REPETITION),
        ("a???", problem::REPEATED_REPETITION),
        ("a{1001}", problem::REPEAT_TOO_LARGE),
        ("a{2,1}", problem::REPEAT_TOO_LARGE),
        ("a{99999999999}", problem::REPEAT_TOO_LARGE),
        ("a{1001,}", problem::REPEAT_TOO_LARGE),
        ("a{1,1001}", problem::REPEAT_TOO_LARGE),
        ("(a{1000}){0,2}", problem::REPEAT_TOO_LARGE),
        ("(a{500}|b){3}", problem::REPEAT_TOO_LARGE),
        ("(?:a{2}b{501}c){2}", problem::REPEAT_TOO_LARGE),
        ("(a{1000}){2}", problem::REPEAT_TOO_LARGE),
        ("((a{100}){10}){2,}", problem::REPEAT_TOO_LARGE),
        ("*", problem::NOTHING_TO_REPEAT),
        ("(*)", problem::NOTHING_TO_REPEAT),
        ("a|*", problem::NOTHING_TO_REPEAT),
        ("(?i)*", problem::NOTHING_TO_REPEAT),
        ("{2}", problem::NOTHING_TO_REPEAT),
        ("(", problem::UNCLOSED_GROUP),
        ("(a|(b)", problem::UNCLOSED_GROUP),
        (")", problem::UNOPENED_GROUP),
        ("a)(b", problem::UNOPENED_GROUP),
        ("[a", problem::UNCLOSED_CLASS),
        ("[]", problem::UNCLOSED_CLASS),
        ("[[:alpha:]", problem::UNCLOSED_CLASS),
        ("[z-a]", problem::REVERSED_RANGE),
        ("[[:foo:]]", problem::UNKNOWN_POSIX_CLASS),
        (r"[a-\d]", problem::UNKNOWN_ESCAPE),
        (r"[\Qa]", problem::UNKNOWN_ESCAPE),
        (r"\u0041", problem::UNKNOWN_ESCAPE),
        (r"\C", problem::UNKNOWN_ESCAPE),
        (r"\Z", problem::UNKNOWN_ESCAPE),
        (r"\1", problem::UNKNOWN_ESCAPE),
        (r"\8", problem::UNKNOWN_ESCAPE),
        (r"\x{110000}", problem::UNKNOWN_ESCAPE),
        (r"\x{}", problem::UNKNOWN_ESCAPE),
        (r"\xg0", problem::UNKNOWN_ESCAPE),
        (r"\ä", problem::UNKNOWN_ESCAPE),
        ("a\\", problem::TRAILING_BACKSLASH),
        (r"\p", problem::UNKNOWN_PROPERTY),
        (r"\pX", problem::UNKNOWN_PROPERTY),
        (r"\p{Foo}", problem::UNKNOWN_PROPERTY),
        (r"\p{Greek", problem::UNCLOSED_PROPERTY),
        ("(?x)a", problem::UNKNOWN_GROUP),
        ("(?=a)", problem::UNKNOWN_GROUP),
        ("(?<=a)b", problem::INVALID_GROUP_NAME),
        ("(?i-)a", problem::UNKNOWN_GROUP),
        ("(?--i)a", problem::UNKNOWN_GROUP),
        ("(?", problem::UNKNOWN_GROUP),
        ("(?P<", problem::UNKNOWN_GROUP),
        ("(?<", problem::UNKNOWN_GROUP),
        ("(?<a", problem::INVALID_GROUP_NAME),
        ("(?P<a", problem::INVALID_GROUP_NAME),
        ("(?P<a b>c)", problem::INVALID_GROUP_NAME),
        ("(?P<>c)", problem::INVALID_GROUP_NAME),
        ("(?P<é>c)", problem::INVALID_GROUP_NAME),
        ("(?P=a)", problem::UNKNOWN_GROUP),
    ] {
        assert_eq!(problem(pattern), Some(expected), "{pattern}");
    }
}

#[test]
fn reports_the_required_go_release() {
    assert_eq!(compile("(?<name>a)"), Ok(AcceptingReleases::NamedGroup));
    assert_eq!(compile(r"\p{Kawi}"), Ok(AcceptingReleases::RecentScript));
    assert_eq!(compile(r"\p{Kawi}(?<n>a)"), Ok(AcceptingReleases::RecentScript));
    assert_eq!(compile(r"\p{Letter}\p{Kawi}"), Ok(AcceptingReleases::LooseName));
    assert_eq!(compile(r"(?<n>\p{greek})"), Ok(AcceptingReleases::LooseName));
    assert_eq!(compile(r"\pl"), Ok(AcceptingReleases::LooseName));
    assert_eq!(compile(r"\p{old-PER sian}"), Ok(AcceptingReleases::LooseName));
    assert_eq!(compile(r"\p{Letter}(?<n>a)"), Ok(AcceptingReleases::LooseName));
}

#[test]
fn applies_anchors_like_prometheus() {
    for pattern in ["a)(b", "a)|(b", "", "(a|b)", "a|b", "a)*(b", r"a)\Qb", "a)\\", "a)(?i"] {
        assert_eq!(compile_anchored(pattern), Ok(AcceptingReleases::Always), "{pattern}");
    }
    for (pattern, expected) in [
        ("*a", problem::NOTHING_TO_REPEAT),
        ("a)", problem::UNOPENED_GROUP),
        ("(a", problem::UNCLOSED_GROUP),
        ("a\\", problem::TRAILING_BACKSLASH),
        (r"\Qa", problem::UNCLOSED_QUOTE),
        ("a))((b", problem::UNOPENED_GROUP),
    ] {
        assert_eq!(compile_anchored(pattern).err().map(|e| e.problem), Some(expected), "{pattern}");
    }
}

/// Compares the check for simple expressions with the parser's result.
#[test]
fn fast_path_accepts_the_same_expressions_as_the_parser() {
    let mut patterns = vec![String::new()];
    for _ in 0..5 {
        let longer_patterns =
            patterns.iter().flat_map(|pattern| "a.|*+?".chars().map(move |c| format!("{pattern}{c}")));
        patterns = longer_patterns.collect();
        for pattern in &patterns {
            let parsed = compile(&format!("^(?:{pattern})$"));
            assert_eq!(compile_anchored(pattern).is_ok(), parsed.is_ok(), "{pattern}");
            assert!(!is_simple(pattern) || parsed == Ok(AcceptingReleases::Always), "{pattern}");
        }
    }
    assert!(is_simple("go_gc_.*|app-") && !is_simple("a**") && !is_simple("|*"));
}

#[test]
fn limits_nesting_depth() {
    let nested_groups = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(compile(&nested_groups(999)), Ok(AcceptingReleases::Always));
    assert_eq!(problem(&nested_groups(1000)), Some(problem::TOO_DEEP));
    let sequences = |depth: usize| format!("{}{}", "(a".repeat(depth), ")".repeat(depth));
    assert_eq!(compile(&sequences(500)), Ok(AcceptingReleases::Always));
    assert_eq!(problem(&sequences(501)), Some(problem::TOO_DEEP));
    let plain_groups = format!("{}a{}", "(?:".repeat(5000), ")".repeat(5000));
    assert_eq!(compile(&plain_groups), Ok(AcceptingReleases::Always));
}

#[test]
fn parses_long_expressions_in_linear_time() {
    let open_classes = "[[:a".repeat(200_000);
    assert_eq!(problem(&open_classes), Some(problem::UNCLOSED_CLASS));
    let alternatives = "(a|b".repeat(100_000);
    assert!(compile(&alternatives).is_err());
}

#[test]
fn errors_quote_the_invalid_text() {
    let describe = |pattern: &str| compile(pattern).err().map(|e| e.describe(pattern));
    assert_eq!(describe("foo(bar"), Some("`(bar` has no closing `)`".to_owned()));
    assert_eq!(describe("a**b"), Some("`**` is an invalid nested repetition".to_owned()));
    assert_eq!(describe("x[z-a]"), Some("`z-a` is a range that ends before it starts".to_owned()));
    for (pattern, expected) in [
        ("é)", "`)` has no opening `(`"),
        ("x(?P<ab", "`(?P<ab` is not a valid named group: the name must consist of letters, digits and `_`"),
        ("x(?<a b>c)", "`(?<a b>` is not a valid named group: the name must consist of letters, digits and `_`"),
        (
            "x(?i",
            "`(?i` is not supported: RE2 has no lookaround or backreferences, and supports only the flags `i`, `m`, `s` and `U`",
        ),
        ("a|*b", "`*` has nothing to repeat"),
        ("a{1}*b", "`{1}*` is an invalid nested repetition"),
        ("a+?{2}?b", "`+?{2}?` is an invalid nested repetition"),
        ("ab{1001}c", "`{1001}` is not a valid repetition: the limit is 1000, and nested repetitions multiply"),
        (r"a\", r"`\` has nothing to escape"),
        (r"a\u0041", r"`\u` is not a valid escape"),
        (r"a\xg0b", r"`\xg0` is not a valid escape"),
        (r"a\p{Foo}b", r"`\p{Foo}` is not a Unicode category or script"),
        (r"a\pXb", r"`\pX` is not a Unicode category or script"),
        (r"a\p{Greek", r"`\p{Greek` has no closing `}`"),
        ("x[[:foo:]]", "`[:foo:]` is not a POSIX class"),
        ("x[ab", "`[ab` has no closing `]`"),
        ("(a(b)", "`(a(b)` has no closing `)`"),
    ] {
        assert_eq!(describe(pattern).as_deref(), Some(expected));
    }
    let anchored = |pattern: &str| compile_anchored(pattern).err().map(|e| e.describe(pattern));
    assert_eq!(anchored(r"b\Qa"), Some(r"`\Qa` has no closing `\E`".to_owned()));
    for (length, expected) in [(39, "a".repeat(39)), (40, format!("{}…", "a".repeat(39)))] {
        let expected = format!("`({expected}` has no closing `)`");
        assert_eq!(describe(&format!("({}", "a".repeat(length))), Some(expected));
    }
}

#[test]
fn matches_like_go() {
    for (pattern, matches, non_matches) in [
        ("a|b-c", &["a", "b-c"][..], &["", "a|b-c", "ab-c", "A"][..]),
        (".*", &["", "a b", "é"], &["\n", "a\nb"]),
        ("(.+)", &["a"], &["", "\n"]),
        ("a{2}(?i)?(?i){3}", &["", "aa", "aaaa", "aaaaaa"], &["a", "aaaaa"]),
        ("(ab)?(?i)c", &["c", "C", "abC"], &["ABc"]),
        ("(?i:a)b", &["ab", "Ab"], &["AB"]),
        ("(?i)a(?-i)b", &["ab", "Ab"], &["aB"]),
        ("(?i-i)a", &["a"], &["A"]),
        ("(?s).", &["\n"], &[""]),
        (r"\p{Any}", &["a", "é"], &[""]),
        (r"\P{Any}?", &[""], &["a"]),
        (r"\p{Cs}?", &[""], &["a"]),
        (r"\P{Cs}", &["a"], &[""]),
        (r"[\P{Any}b]", &["b"], &["a"]),
        (r"\p{C}", &["\u{1}", "\u{ad}", "\u{e000}"], &["a", "\u{378}"]),
        (r"\P{C}", &["a", "\u{378}"], &["\u{1}"]),
        (r"\p{Lu}\pN", &["A1"], &["a1", "AA"]),
        (r"\p{Greek}", &["α"], &["a"]),
        (r"\p{^Greek}", &["a"], &["α"]),
        (r"\P{Greek}", &["a"], &["α"]),
        (r"\P{^Greek}", &["α"], &["a"]),
        (r"[^\d\s]", &["a", "é"], &["1", " ", "\t", "\n"]),
        (r"\w\W", &["a-", "_é"], &["ab", "é-"]),
        (r"[\w-]+\D", &["a-b."], &["é.", "a1"]),
        (r"\S\bx", &["-x"], &["ax", " x"]),
        ("[a-c-e]", &["a", "b", "-", "e"], &["d"]),
        ("[]^-]", &["]", "^", "-"], &["a"]),
        ("[[:upper:][:^alpha:]]", &["A", "1"], &["a"]),
        (r"[\x{1F600}\x4a\102\07\n]", &["😀", "J", "B", "\u{7}", "\n"], &["1", "0", "4"]),
        (r"\0017\128", &["\u{1}7\n8"], &[]),
        (r"\a\f\n\r\t\v", &["\u{7}\u{c}\n\r\t\u{b}"], &["afnrtv"]),
        (r"\Qa.b*\E+", &["a.b*", "a.b**"], &["axb*"]),
        (r"[\x{d7ff}-\x{e000}]", &["\u{d7ff}", "\u{e000}"], &["a"]),
        (r"[a\x{d800}-\x{dfff}]", &["a"], &["\u{d7ff}", "\u{e000}"]),
        (r"[\x{d7fe}-\x{d900}]", &["\u{d7fe}", "\u{d7ff}"], &["\u{e000}"]),
        (r"[\x{d900}-\x{e000}]", &["\u{e000}"], &["\u{d7ff}", "\u{e001}"]),
        ("(?)(?ii-ss:a.)", &["ab", "Ab"], &["a\n"]),
        ("(?m)a$\n^b", &["a\nb"], &["ab"]),
        (r"\x{d800}?a", &["a"], &["da"]),
        ("a{,2}{", &["a{,2}{"], &["", "a{"]),
        ("a{01}b{0}", &["a{01}"], &["a", "a{01}b"]),
        ("a{2,}b{1,2}?c{0}", &["aab", "aaabb"], &["ab", "aabbb", "aabc"]),
    ] {
        let matcher = Matcher::anchored(pattern, &Budget::new(100_000)).unwrap();
        for text in matches {
            assert!(matcher.is_match(text), "{pattern}: {text:?}");
        }
        for text in non_matches {
            assert!(!matcher.is_match(text), "{pattern}: {text:?}");
        }
    }
}

#[test]
fn expands_templates_like_go() {
    for (pattern, text, template, expected) in [
        ("a|b", "a", "$0$1-${0}", "a-a"),
        ("a|b", "c", "x", "c"),
        ("(.*)", "a", "$1-${1}b$1c${1}$01$001.", "a-aba."),
        (".+", "a", "$0$1", "a"),
        (".+", "", "x", ""),
        ("(?P<n>a)(b)?", "a", "${n}$2$3$n!$$1$", "aa!$1$"),
        ("(?:(?P<x>a)|(?P<x>b))", "b", "$x$1$2", "bb"),
        ("(?P<a_1>.).", "éa", "$a_1 ${a_1}a_1$a_1b", "é éa_1"),
        ("(a)b", "ab", "${1$1}${}${ 1}$-${1", "${1a}${}${ 1}$-${1"),
        // A number has at most nine digits and no leading zeros.
        ("(?P<1234567890>a)(?P<01>b)", "ab", "$1234567890$01", "ab"),
        ("(?P<123456789>a)(?P<9>b)", "ab", "$123456789$9", ""),
        ("a()b", "ab", "[$1]", "[]"),
    ] {
        let matcher = Matcher::anchored(pattern, &Budget::new(1_000)).unwrap();
        assert_eq!(matcher.replace_all(text, template), expected, "{pattern} {template}");
    }
    let groups = |pattern: &str, text| {
        let groups = Matcher::anchored(pattern, &Budget::new(1_000)).unwrap().find(text)?;
        Some(groups.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>())
    };
    assert_eq!(groups("a|b", "a"), Some(vec!["a"]));
    assert_eq!(groups("(.*)", ""), Some(vec!["", ""]));
    assert_eq!(groups("(a)(b)?c|d", "ac"), Some(vec!["ac", "a", ""]));
    assert_eq!(groups("(a)(b)?c|d", "b"), None);
}

#[test]
fn expressions_share_a_size_limit() {
    let sizes = Budget::new(20_000);
    let taken_size = |pattern: &str| {
        let before = sizes.remaining();
        let error = Matcher::anchored(pattern, &sizes).err();
        (before - sizes.remaining(), error)
    };
    assert_eq!(taken_size("a|b"), (0, None), "few texts are not compiled");
    for (pattern, expected) in
        [("ab.*", 12..40), (".{900}", 9_000..9_100), ("(a{30}){30}", 900..1_000), (r"(\pL[\p{Lu}]){2}", 2_000..2_100)]
    {
        let (size, error) = taken_size(pattern);
        assert!(expected.contains(&size) && error.is_none(), "{pattern}: {size}");
    }
    assert_eq!(taken_size(".{900}"), (0, Some(MatcherError::TooLarge)));
    assert_eq!(taken_size("x.*y").1, None);
}
