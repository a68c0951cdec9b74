//! Fuzz target that compares selectors and quantities with simple models.

#![no_main]

use std::cmp::Ordering;
use std::collections::BTreeMap;

use agentctl::api::{LabelSelector, LabelSelectorRequirement, TextMap};
use agentctl::go::quantity::{canonicalize, compare};
use agentctl::resolve::{Selector, parse_selector};
use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use num_bigint::BigInt;
use num_rational::BigRational;

#[derive(Arbitrary, Debug)]
struct Input {
    labels: Vec<(Word, Word)>,
    equal: Vec<(Word, Word)>,
    expressions: Vec<(Word, Operator, Vec<Word>)>,
    text: Vec<Piece>,
    quantities: [Quantity; 2],
}

/// A word from a small set, so that words match frequently.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Word {
    A,
    B,
    C,
    Prefixed,
    Empty,
    Edge,
    Space,
    Slashes,
    Long,
    Unicode,
}

impl Word {
    fn as_str(self) -> &'static str {
        match self {
            Word::A => "a",
            Word::B => "app.kubernetes_io-name",
            Word::C => "C9",
            Word::Prefixed => "example.com/name",
            Word::Empty => "",
            Word::Edge => "-a",
            Word::Space => "a b",
            Word::Slashes => "a/b/c",
            Word::Long => "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            Word::Unicode => "é",
        }
    }

    fn is_key(self) -> bool {
        matches!(self, Word::A | Word::B | Word::C | Word::Prefixed)
    }

    fn is_value(self) -> bool {
        matches!(self, Word::A | Word::B | Word::C | Word::Empty)
    }
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    Other,
}

impl Operator {
    fn as_str(self) -> &'static str {
        match self {
            Operator::In => "In",
            Operator::NotIn => "NotIn",
            Operator::Exists => "Exists",
            Operator::DoesNotExist => "DoesNotExist",
            Operator::Other => "exists",
        }
    }
}

/// Part of a command-line selector.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Piece {
    Word(Word),
    Sign(u8),
}

const SIGNS: &[&str] = &[
    "=", "==", "!=", "!", ",", " in ", " notin ", "(", ")", " ", "in", "notin",
];

fuzz_target!(|input: Input| {
    check_selector(&input);
    check_text(&input.text);
    let texts = input.quantities.each_ref().map(Quantity::text);
    let models = input.quantities.each_ref().map(Quantity::model);
    for (text, model) in texts.iter().zip(&models) {
        check_quantity(text, model.as_ref());
    }
    if let [Some(a), Some(b)] = &models {
        assert_eq!(compare(&texts[0], &texts[1]), Ok(a.cmp(b)), "{texts:?}");
    }
});

fn check_selector(input: &Input) {
    let selector = LabelSelector {
        match_labels: input.equal.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        match_expressions: input
            .expressions
            .iter()
            .map(|(key, operator, values)| LabelSelectorRequirement {
                key: key.as_str(),
                operator: operator.as_str(),
                values: values.iter().map(|value| value.as_str()).collect(),
            })
            .collect(),
    };
    let labels: TextMap<'_> = input.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let model = model_of_selector(input, &labels);
    let actual = Selector::new(&selector).ok().map(|selector| {
        check_display(&selector);
        selector.matches(&labels)
    });
    assert_eq!(actual, model);
}

/// Returns whether the selector matches, or `None` if Kubernetes rejects it.
fn model_of_selector(input: &Input, labels: &TextMap<'_>) -> Option<bool> {
    let mut matches = true;
    let equal: BTreeMap<_, _> = input.equal.iter().map(|(k, v)| (k.as_str(), (*k, *v))).collect();
    for (key, value) in equal.values() {
        if !key.is_key() || !value.is_value() {
            return None;
        }
        matches &= labels.get(key.as_str()) == Some(&value.as_str());
    }
    for (key, operator, values) in &input.expressions {
        let is_listed = || {
            values
                .iter()
                .any(|value| labels.get(key.as_str()) == Some(&value.as_str()))
        };
        let takes_values = matches!(operator, Operator::In | Operator::NotIn);
        if !key.is_key() || takes_values == values.is_empty() || !values.iter().all(|value| value.is_value()) {
            return None;
        }
        matches &= match operator {
            Operator::In => is_listed(),
            Operator::NotIn => !is_listed(),
            Operator::Exists => labels.contains_key(key.as_str()),
            Operator::DoesNotExist => !labels.contains_key(key.as_str()),
            Operator::Other => return None,
        };
    }
    Some(matches)
}

/// Checks that the displayed form of a selector parses as the same selector.
fn check_display(selector: &Selector<'_>) {
    for requirement in selector.requirements() {
        let text = requirement.to_string();
        let parsed = parse_selector(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let parsed_selector = Selector::new(&parsed).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(parsed_selector.requirements(), [requirement.clone()], "{text}");
    }
}

fn check_text(pieces: &[Piece]) {
    let text: String = pieces
        .iter()
        .map(|piece| match *piece {
            Piece::Word(word) => word.as_str(),
            Piece::Sign(sign) => SIGNS[usize::from(sign) % SIGNS.len()],
        })
        .collect();
    if let Ok(selector) = parse_selector(&text) {
        let _ = Selector::new(&selector);
    }
}

#[derive(Arbitrary, Debug)]
struct Quantity {
    sign: Sign,
    whole: Vec<u8>,
    point: bool,
    fraction: Vec<u8>,
    suffix: Suffix,
    noise: Option<char>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Sign {
    None,
    Plus,
    Minus,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Suffix {
    Decimal(u8),
    Binary(u8),
    Exponent(i16),
    Far(i64),
}

const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(b'0' + byte % 10)).collect()
}

impl Quantity {
    fn text(&self) -> String {
        let sign = match self.sign {
            Sign::None => "",
            Sign::Plus => "+",
            Sign::Minus => "-",
        };
        let point = if self.point { "." } else { "" };
        let fraction = if self.point {
            digits(&self.fraction)
        } else {
            String::new()
        };
        let suffix = match self.suffix {
            Suffix::Decimal(i) => DECIMAL[usize::from(i) % 10].0.to_owned(),
            Suffix::Binary(i) => BINARY[usize::from(i) % 6].to_owned(),
            Suffix::Exponent(e) => format!("e{}", e % 40),
            Suffix::Far(e) => format!("E{e}"),
        };
        let noise = self.noise.map(String::from).unwrap_or_default();
        format!("{sign}{}{point}{fraction}{noise}{suffix}", digits(&self.whole))
    }

    /// Returns the number, rounded up to a multiple of 10⁻⁹ and capped, or `None` if the model does not apply.
    fn model(&self) -> Option<BigRational> {
        let ten = BigRational::from(BigInt::from(10));
        let factor = match self.suffix {
            Suffix::Decimal(i) => ten.pow(DECIMAL[usize::from(i) % 10].1),
            Suffix::Binary(i) => BigRational::from(BigInt::from(1u64 << (10 * (u32::from(i) % 6 + 1)))),
            Suffix::Exponent(e) => ten.pow(i32::from(e % 40)),
            Suffix::Far(_) => return None,
        };
        let fraction = if self.point {
            digits(&self.fraction)
        } else {
            String::new()
        };
        let digits_of_both = format!("{}{fraction}", digits(&self.whole));
        if self.noise.is_some() || digits_of_both.is_empty() {
            return None;
        }
        let number: BigInt = digits_of_both.parse().ok()?;
        let amount = BigRational::from(number) / ten.pow(i32::try_from(fraction.len()).ok()?) * factor;
        let nano = ten.pow(9);
        let mut amount = (amount * &nano).ceil() / nano;
        let max = BigRational::from(BigInt::from(i64::MAX));
        if matches!(self.suffix, Suffix::Binary(_)) && amount > max {
            amount = max;
        }
        Some(if matches!(self.sign, Sign::Minus) {
            -amount
        } else {
            amount
        })
    }
}

fn check_quantity(text: &str, model: Option<&BigRational>) {
    let canonical_text = match canonicalize(text) {
        Ok(text) => text,
        Err(error) => {
            assert!(model.is_none(), "{text}: {error}");
            return;
        }
    };
    assert_eq!(compare(text, text), Ok(Ordering::Equal));
    // Go omits the suffix of a number that is too large for every suffix, which changes the number.
    let writable = BigRational::from(BigInt::from(10).pow(21));
    if model.is_some_and(|model| model < &writable && -model < writable) {
        assert_eq!(
            compare(text, &canonical_text),
            Ok(Ordering::Equal),
            "{text} {canonical_text}"
        );
        assert_eq!(canonicalize(&canonical_text).as_ref(), Ok(&canonical_text), "{text}");
    }
}
