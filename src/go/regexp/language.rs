//! The set of strings that an anchored expression matches. Determines whether an expression matches none or all of the
//! strings in a partly known set.

use std::cell::Cell;
use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::parser::Parser;
use crate::budget::Budget;

/// An expression that must match an entire string, represented as an automaton without backtracking.
#[derive(Debug)]
pub struct Language {
    states: Vec<State>,
    start: u32,
    literals: Option<Vec<String>>,
}

/// State of the automaton.
#[derive(Debug)]
enum State {
    /// Reads one of these characters.
    Read(Vec<CharRange>, u32),
    /// Continues with each of these states.
    Split(Vec<u32>),
    /// Asserts a property of the current position.
    Assert(Look, u32),
    /// Accepts the string if it ends here.
    Match,
}

/// An inclusive range of characters.
pub type CharRange = (char, char);

/// Part of a pattern that describes a set of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    Text(&'t str),
    /// Any characters within these ranges.
    Any {
        alphabet: &'static [CharRange],
        is_filled: bool,
    },
}

/// Maximum number of states of an automaton.
const MAX_STATES: usize = 2_000;
/// Maximum number of strings to list for an expression that matches only a few strings.
const MAX_LITERALS: usize = 64;
/// Maximum number of distinct state sets to examine before an expression is considered undecided.
const MAX_SETS: usize = 128;

impl Language {
    /// Builds the automaton for an expression, or returns `None` if Go rejects the expression or it is too large. The
    /// number of states is charged to `sizes`.
    pub fn anchored(pattern: &str, sizes: &Budget) -> Option<Self> {
        // Go accepts `a)|(b` because the added group makes it valid. In that case, the expression is not anchored.
        Parser::new(pattern).parse().ok()?;
        let (_, translated) = Parser::new(&format!("^(?:{pattern})$")).parse().ok()?;
        let is_small = usize::try_from(translated.size).is_ok_and(|size| size <= 20 * MAX_STATES);
        sizes.spend(translated.size.max(1)).ok().filter(|()| is_small)?;
        let hir = ParserBuilder::new().utf8(false).build().parse(&translated.text).ok()?;
        let mut language = Self { states: vec![State::Match], start: 0, literals: literals(&hir) };
        language.start = language.add(&hir, 0)?;
        Some(language)
    }

    /// Returns the strings that match, or `None` if there are too many.
    pub fn literals(&self) -> Option<&[String]> {
        self.literals.as_deref()
    }

    /// Whether the expression may match one of the strings composed of these pieces. Assertions are assumed to hold.
    /// Returns `true` if `work`, the number of states that may be visited, is used up.
    pub fn may_match(&self, pieces: &[Piece<'_>], work: &Cell<u64>) -> bool {
        self.may_match_between((pieces, &[]), &[""], work) == [true]
    }

    /// Like [`Language::may_match`], but for each of `texts` between the pieces before and after it.
    pub fn may_match_between(
        &self,
        (before, after): (&[Piece<'_>], &[Piece<'_>]),
        texts: &[&str],
        work: &Cell<u64>,
    ) -> Vec<bool> {
        let run = Run { language: self, work };
        let set_before = run.may_reach(run.closure([self.start], &|_| true), before);
        let is_possible = |text: &&str| {
            let set = run.may_reach(set_before.clone(), &[Piece::Text(text)]);
            run.may_reach(set, after).contains(&0) || work.get() == 0
        };
        texts.iter().map(is_possible).collect()
    }

    /// Whether the expression certainly matches all strings composed of these pieces. Assertions other than those at
    /// the start and the end are assumed not to hold. Returns `false` if `work` is used up.
    pub fn must_match(&self, pieces: &[Piece<'_>], work: &Cell<u64>) -> bool {
        let run = Run { language: self, work };
        let start_states = run.closure([self.start], &|look| look == Look::Start);
        let mut sets = BTreeSet::from([start_states]);
        for piece in pieces {
            let sets_after = match *piece {
                Piece::Text(text) => {
                    let after =
                        |set: &StateSet| text.chars().fold(set.clone(), |set, c| run.step(&set, &[(c, c)], &|_| false));
                    Some(sets.iter().map(after).collect())
                }
                Piece::Any { alphabet, is_filled } => run.states_after_any(sets, alphabet, is_filled),
            };
            let Some(after) = sets_after else { return false };
            sets = after;
        }
        // In the empty string, the end is also the start.
        let is_empty = pieces.iter().all(|piece| *piece == Piece::Text(""));
        let ends = |look: Look| look == Look::End || is_empty && look == Look::Start;
        work.get() > 0 && sets.iter().all(|set| run.closure(set.iter().copied(), &ends).contains(&0))
    }

    fn transition(&self, state: u32) -> Option<(&[CharRange], u32)> {
        match self.states.get(state as usize)? {
            State::Read(ranges, next) => Some((ranges, *next)),
            State::Split(_) | State::Assert(..) | State::Match => None,
        }
    }

    /// Adds the states for an expression that is followed by `next`, and returns the first of them.
    fn add(&mut self, hir: &Hir, next: u32) -> Option<u32> {
        match hir.kind() {
            HirKind::Empty => Some(next),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                text.chars().rev().try_fold(next, |next, c| self.push(State::Read(vec![(c, c)], next)))
            }
            HirKind::Class(class) => {
                let ranges = class_ranges(class)?;
                self.push(State::Read(ranges, next))
            }
            HirKind::Look(look) => self.push(State::Assert(*look, next)),
            HirKind::Capture(capture) => self.add(&capture.sub, next),
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.add(part, next)),
            HirKind::Alternation(parts) => {
                let starts = parts.iter().map(|part| self.add(part, next)).collect::<Option<Vec<_>>>()?;
                self.push(State::Split(starts))
            }
            HirKind::Repetition(repetition) => {
                let mut start = next;
                match repetition.max {
                    None => {
                        // The loop is created first, because its body leads back to it.
                        let split_state = self.push(State::Split(Vec::new()))?;
                        let body = self.add(&repetition.sub, split_state)?;
                        *self.states.get_mut(split_state as usize)? = State::Split(vec![body, next]);
                        start = split_state;
                    }
                    Some(max) => {
                        for _ in repetition.min..max {
                            let body = self.add(&repetition.sub, start)?;
                            start = self.push(State::Split(vec![body, next]))?;
                        }
                    }
                }
                (0..repetition.min).try_fold(start, |start, _| self.add(&repetition.sub, start))
            }
        }
    }

    fn push(&mut self, state: State) -> Option<u32> {
        let index = u32::try_from(self.states.len()).ok().filter(|_| self.states.len() < MAX_STATES)?;
        self.states.push(state);
        Some(index)
    }
}

/// An automaton with the remaining number of states that it may visit.
struct Run<'l> {
    language: &'l Language,
    work: &'l Cell<u64>,
}

impl Run<'_> {
    /// Returns the states that may be reached after these pieces. Assertions are assumed to hold.
    fn may_reach(&self, before: StateSet, pieces: &[Piece<'_>]) -> StateSet {
        let holds = |_: Look| true;
        pieces.iter().fold(before, |set, piece| match *piece {
            Piece::Text(text) => text.chars().fold(set, |set, c| self.step(&set, &[(c, c)], &holds)),
            Piece::Any { alphabet, is_filled } => {
                let mut reachable = if is_filled { self.step(&set, alphabet, &holds) } else { set };
                loop {
                    let next = self.step(&reachable, alphabet, &holds);
                    let size_before = reachable.len();
                    reachable.extend(next);
                    if reachable.len() == size_before {
                        break reachable;
                    }
                }
            }
        })
    }

    /// Returns the sets of states after all strings over an alphabet, or `None` if there are too many sets.
    fn states_after_any(
        &self,
        before: BTreeSet<StateSet>,
        alphabet: &[CharRange],
        is_filled: bool,
    ) -> Option<BTreeSet<StateSet>> {
        let next = |set: &StateSet| self.steps(set, alphabet);
        let mut reachable_sets: BTreeSet<StateSet> =
            if is_filled { before.iter().flat_map(next).collect() } else { before };
        let mut pending_sets: Vec<StateSet> = reachable_sets.iter().cloned().collect();
        while let Some(set) = pending_sets.pop() {
            for next in self.steps(&set, alphabet) {
                if reachable_sets.len() > MAX_SETS {
                    return None;
                }
                if reachable_sets.insert(next.clone()) {
                    pending_sets.push(next);
                }
            }
        }
        Some(reachable_sets)
    }

    /// Returns the set of states after each character in an alphabet. Only one of the characters with the same effect
    /// is examined.
    fn steps(&self, set: &StateSet, alphabet: &[CharRange]) -> BTreeSet<StateSet> {
        let mut starts: BTreeSet<char> = alphabet.iter().map(|(low, _)| *low).collect();
        for ranges in set.iter().filter_map(|state| self.language.transition(*state)) {
            for &(low, high) in ranges.0 {
                starts.insert(low);
                starts.extend(next_char(high));
            }
        }
        let is_member = |c: &char| alphabet.iter().any(|(low, high)| low <= c && c <= high);
        starts.iter().filter(|c| is_member(c)).map(|&c| self.step(set, &[(c, c)], &|_| false)).collect()
    }

    /// Returns the states after reading one character in the given ranges.
    fn step(&self, set: &StateSet, alphabet: &[CharRange], holds: &dyn Fn(Look) -> bool) -> StateSet {
        let overlaps = |ranges: &[CharRange]| {
            ranges.iter().any(|(low, high)| alphabet.iter().any(|(from, to)| low <= to && from <= high))
        };
        let transitions = set.iter().filter_map(|state| self.language.transition(*state));
        self.closure(transitions.filter(|(ranges, _)| overlaps(ranges)).map(|(_, next)| next), holds)
    }

    /// Returns these states and all states that follow them without reading a character, if the assertions in between
    /// hold.
    fn closure(&self, states: impl IntoIterator<Item = u32>, holds: &dyn Fn(Look) -> bool) -> StateSet {
        let mut closed_states = StateSet::new();
        let mut pending_states: Vec<u32> = states.into_iter().collect();
        while let Some(state) = pending_states.pop() {
            if self.work.get() == 0 {
                break;
            }
            if !closed_states.insert(state) {
                continue;
            }
            self.work.set(self.work.get() - 1);
            match self.language.states.get(state as usize) {
                Some(State::Split(next)) => pending_states.extend(next),
                Some(State::Assert(look, next)) if holds(*look) => pending_states.push(*next),
                _ => {}
            }
        }
        closed_states
    }
}

/// Set of states that an automaton can be in.
type StateSet = BTreeSet<u32>;

/// Returns the character after `c`, or `None` if `c` is the last character.
fn next_char(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}

/// Returns the ranges of a class, or `None` if it contains bytes that are not characters.
fn class_ranges(class: &Class) -> Option<Vec<CharRange>> {
    match class {
        Class::Unicode(class) => Some(class.iter().map(|range| (range.start(), range.end())).collect()),
        Class::Bytes(class) if class.is_ascii() => {
            Some(class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect())
        }
        Class::Bytes(_) => None,
    }
}

/// Returns the strings that match, or `None` if there are too many.
fn literals(hir: &Hir) -> Option<Vec<String>> {
    let empty_string = || vec![String::new()];
    match hir.kind() {
        HirKind::Empty => Some(empty_string()),
        // The expression is anchored, so these assertions hold wherever a string can match.
        HirKind::Look(Look::Start | Look::End) => Some(empty_string()),
        HirKind::Look(_) => None,
        HirKind::Literal(literal) => Some(vec![String::from_utf8(literal.0.to_vec()).ok()?]),
        HirKind::Class(class) => {
            let chars = class_ranges(class)?.into_iter().flat_map(|(low, high)| low..=high);
            let chars: Vec<_> = chars.take(MAX_LITERALS + 1).map(String::from).collect();
            (chars.len() <= MAX_LITERALS).then_some(chars)
        }
        HirKind::Capture(capture) => literals(&capture.sub),
        HirKind::Concat(parts) => {
            parts.iter().try_fold(empty_string(), |before, part| product(&before, &literals(part)?))
        }
        HirKind::Alternation(parts) => {
            let mut all_literals = Vec::new();
            for part in parts {
                all_literals.extend(literals(part)?);
                if all_literals.len() > MAX_LITERALS {
                    return None;
                }
            }
            Some(all_literals)
        }
        HirKind::Repetition(repetition) => {
            let max = repetition.max.filter(|max| *max <= 8)?;
            let part = literals(&repetition.sub)?;
            let (mut repetitions, mut last_repetitions) = (Vec::new(), empty_string());
            for count in 0..=max {
                if count >= repetition.min {
                    repetitions.extend(last_repetitions.iter().cloned());
                }
                if count < max {
                    last_repetitions = product(&last_repetitions, &part)?;
                }
            }
            (repetitions.len() <= MAX_LITERALS).then_some(repetitions)
        }
    }
}

/// Returns each string in `before` joined with each string in `part`, or `None` if the result would be too long.
fn product(before: &[String], part: &[String]) -> Option<Vec<String>> {
    (before.len() * part.len() <= MAX_LITERALS)
        .then(|| before.iter().flat_map(|start| part.iter().map(move |end| format!("{start}{end}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::Matcher;
    use super::*;
    use crate::random::Random;

    const LETTERS: &[CharRange] = &[('a', 'z')];
    const ANY: &[CharRange] = &[('\0', '\t'), ('\u{b}', char::MAX)];

    fn language(pattern: &str) -> Language {
        Language::anchored(pattern, &Budget::new(1_000_000)).unwrap()
    }

    #[test]
    fn decides_matches_of_partially_known_strings() {
        let any_text = Piece::Any { alphabet: ANY, is_filled: false };
        let non_empty_text = Piece::Any { alphabet: ANY, is_filled: true };
        let non_empty_word = Piece::Any { alphabet: LETTERS, is_filled: true };
        let text = Piece::Text;
        for (pattern, pieces, may_match, must_match) in [
            ("(.*)", &[any_text][..], true, true),
            ("(.+)", &[any_text], true, false),
            (".+", &[non_empty_text], true, true),
            (".+", &[any_text, text(";"), any_text], true, true),
            ("[^;]+", &[any_text, text(";"), any_text], false, false),
            ("foo;.*", &[any_text, text(";"), any_text], true, false),
            (r"pod-\\d+", &[non_empty_word], false, false),
            (r"pod-\d+", &[any_text], true, false),
            ("[a-m]+|[n-z]+|.*", &[non_empty_word], true, true),
            ("[a-m]+|[n-z]+", &[non_empty_word], true, false),
            ("", &[any_text], true, false),
            ("", &[non_empty_text], false, false),
            ("", &[text("")], true, true),
            ("^$", &[text("")], true, true),
            ("^a$", &[text("a")], true, true),
            (r"a\b", &[text("a")], true, false),
            ("(a|b){2,3}", &[text("ab")], true, true),
            ("(?i)ABC", &[text("abc")], true, true),
        ] {
            let (language, work) = (language(pattern), Cell::new(1_000_000));
            assert_eq!(
                (language.may_match(pieces, &work), language.must_match(pieces, &work)),
                (may_match, must_match),
                "{pattern} {pieces:?}"
            );
        }
    }

    #[test]
    fn lists_the_strings_of_finite_expressions() {
        for (pattern, expected) in [
            ("a|b", Some(&["a", "b"][..])),
            ("(a|b)c?", Some(&["a", "ac", "b", "bc"])),
            ("x[12]", Some(&["x1", "x2"])),
            ("", Some(&[""])),
            ("a*", None),
            ("[a-z]{2}", None),
        ] {
            let expected = expected.map(|list| list.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<_>>());
            let actual = language(pattern).literals().map(|list| list.iter().cloned().collect::<BTreeSet<_>>());
            assert_eq!(actual, expected, "{pattern}");
        }
    }

    /// Compares the verdicts for random expressions with the results of matching random strings.
    #[test]
    fn agrees_with_the_regex_engine() {
        const PARTS: [&str; 20] = [
            "a", "b", ";", ".", ".*", ".+", "(a|b)", "[ab]*", "a?", "\\w+", "^", "$", "|", "(", ")", "[^a]", "b{2}",
            "\\\\", "\\b", "(?i)A",
        ];
        const ALPHABET: &[CharRange] = &[('a', 'b'), (';', ';')];
        let mut random = Random::new(7);
        let (mut decided_count, mut tried_count) = (0, 0);
        while tried_count < 5_000 {
            let pattern: String = (0..=random.below(5)).map(|_| random.one_of(&PARTS)).collect();
            let (sizes, work) = (Budget::new(1_000_000), Cell::new(1_000_000));
            let (Ok(matcher), Some(language)) =
                (Matcher::anchored(&pattern, &sizes), Language::anchored(&pattern, &sizes))
            else {
                continue;
            };
            tried_count += 1;
            let is_filled = random.below(2) == 0;
            let text = random.one_of(&["", "a", ";", "ab"]);
            let pieces = [Piece::Any { alphabet: ALPHABET, is_filled }, Piece::Text(text)];
            let (may_match, must_match) = (language.may_match(&pieces, &work), language.must_match(&pieces, &work));
            decided_count += usize::from(!may_match || must_match);
            for _ in 0..30 {
                let length = random.below(4) + usize::from(is_filled);
                let any: String = (0..length).map(|_| random.one_of(&["a", "b", ";"])).collect();
                let string = format!("{any}{text}");
                let matches = matcher.is_match(&string);
                assert!(may_match || !matches, "{pattern:?} matches {string:?}");
                assert!(!must_match || matches, "{pattern:?} does not match {string:?}");
                let is_listed = language.literals().is_none_or(|list| list.contains(&string) || !matches);
                assert!(is_listed, "{pattern:?} lists {:?}", language.literals());
            }
        }
        assert!(decided_count > 1_000, "{decided_count}");
    }
}
