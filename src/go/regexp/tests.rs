use super::verdict::problem;
use super::*;

fn problem(pattern: &str) -> Option<&'static str> {
    compile(pattern).err().map(|error| error.problem)
}

#[test]
fn accepts_what_only_go_accepts() {
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
        assert_eq!(compile(pattern), Ok(Accepted::Always), "{pattern}");
    }
}

#[test]
fn refuses_what_go_refuses() {
    for (pattern, expected) in [
        ("a**", problem::REPEATED_REPETITION),
        ("a*+", problem::REPEATED_REPETITION),
        ("a++", problem::REPEATED_REPETITION),
        ("a{2}{3}", problem::REPEATED_REPETITION),
        ("a???", problem::REPEATED_REPETITION),
        ("a{1001}", problem::REPEAT_TOO_LARGE),
        ("a{2,1}", problem::REPEAT_TOO_LARGE),
        ("a{99999999999}", problem::REPEAT_TOO_LARGE),
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
        ("(?P<a", problem::INVALID_GROUP_NAME),
        ("(?P<a b>c)", problem::INVALID_GROUP_NAME),
        ("(?P<>c)", problem::INVALID_GROUP_NAME),
        ("(?P=a)", problem::UNKNOWN_GROUP),
    ] {
        assert_eq!(problem(pattern), Some(expected), "{pattern}");
    }
}

#[test]
fn tells_what_needs_a_recent_go() {
    assert_eq!(compile("(?<name>a)"), Ok(Accepted::SinceGo122));
    assert_eq!(compile(r"\p{Kawi}"), Ok(Accepted::SinceGo122));
    assert_eq!(compile(r"\p{Letter}\p{Kawi}"), Ok(Accepted::SinceGo125));
    assert_eq!(compile(r"(?<n>\p{greek})"), Ok(Accepted::SinceGo125));
    assert_eq!(compile(r"\pl"), Ok(Accepted::SinceGo125));
}

#[test]
fn anchors_are_part_of_the_expression() {
    for pattern in ["a)(b", "a)|(b", "", "(a|b)", "a|b", "a)*(b", r"a)\Qb", "a)\\", "a)(?i"] {
        assert_eq!(compile_anchored(pattern), Ok(Accepted::Always), "{pattern}");
    }
    for (pattern, expected) in [
        ("*a", problem::NOTHING_TO_REPEAT),
        ("a)", problem::UNOPENED_GROUP),
        ("(a", problem::UNCLOSED_GROUP),
        ("a\\", problem::TRAILING_BACKSLASH),
        (r"\Qa", problem::UNCLOSED_QUOTE),
        ("a))((b", problem::UNOPENED_GROUP),
    ] {
        assert_eq!(
            compile_anchored(pattern).err().map(|e| e.problem),
            Some(expected),
            "{pattern}"
        );
    }
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(compile(&nested(999)), Ok(Accepted::Always));
    assert_eq!(problem(&nested(1000)), Some(problem::TOO_DEEP));
    let sequences = |depth: usize| format!("{}{}", "(a".repeat(depth), ")".repeat(depth));
    assert_eq!(compile(&sequences(500)), Ok(Accepted::Always));
    assert_eq!(problem(&sequences(501)), Some(problem::TOO_DEEP));
    let plain = format!("{}a{}", "(?:".repeat(5000), ")".repeat(5000));
    assert_eq!(compile(&plain), Ok(Accepted::Always));
}

#[test]
fn long_expressions_take_linear_time() {
    let repeated = "[[:a".repeat(200_000);
    assert_eq!(problem(&repeated), Some(problem::UNCLOSED_CLASS));
    let alternatives = "(a|b".repeat(100_000);
    assert!(compile(&alternatives).is_err());
}

#[test]
fn an_error_names_the_text_in_question() {
    let describe = |pattern: &str| compile(pattern).err().map(|e| e.describe(pattern));
    assert_eq!(describe("foo(bar"), Some("`(bar` is not closed by `)`".to_owned()));
    assert_eq!(describe("a**b"), Some("`**` repeats a repetition".to_owned()));
    assert_eq!(
        describe("x[z-a]"),
        Some("`z-a` is a range that ends before it starts".to_owned())
    );
    assert_eq!(describe("é)"), Some("`)` closes no group".to_owned()));
}

#[test]
fn expressions_share_their_room() {
    let mut room = 20_000;
    let mut taken = |pattern: &str| {
        let before = room;
        let refusal = Matcher::anchored(pattern, &mut room).err();
        (before - room, refusal)
    };
    assert_eq!(taken("a|b"), (0, None), "few texts are not compiled");
    for (pattern, expected) in [
        ("ab.*", 12..40),
        (".{900}", 9_000..9_100),
        ("(a{30}){30}", 900..1_000),
        (r"(\pL[\p{Lu}]){2}", 2_000..2_100),
    ] {
        let (size, refusal) = taken(pattern);
        assert!(expected.contains(&size) && refusal.is_none(), "{pattern}: {size}");
    }
    assert_eq!(taken(".{900}"), (0, Some(Refusal::TooLarge)));
    assert_eq!(taken("x.*y").1, None);
}
