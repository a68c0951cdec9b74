//! The walk over an object that holds it against tables of rules: a row is a path, a rule and its parameters.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Display;
use std::hash::Hash;
use std::rc::Rc;

use serde_json::Value;

pub use crate::api::core::embedded::{list, text_of};
pub use crate::diagnostic::Step;
use crate::diagnostic::listed::{joined, shortened};
use crate::diagnostic::{Code, suggest};
use crate::go::syntax::{self, Syntax};

/// The rules for one type: paths from its value, and what is expected there. `ports[]` goes into every item, `a|b` into
/// both; a field that is missing is passed over, except by [`Rule::Required`].
pub type Rows = &'static [(&'static str, Rule)];

/// An expectation of a value.
pub enum Rule {
    /// Present and not empty, if its parent exists.
    Required,
    /// Absent, and why.
    Forbidden(&'static str),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// One of these texts, and a finding that says no more than what was found.
    Among(&'static [&'static str]),
    /// `false`, 0 or empty.
    Off,
    /// A whole number from the first to the last.
    Range(i64, i64),
    /// A text of this syntax, which may be empty only if the syntax says so.
    Text(Syntax),
    /// The same, or an empty text.
    TextOrEmpty(Syntax),
    Labels,
    /// A mapping with one of these fields at most.
    AtMostOne(&'static [&'static str]),
    /// A mapping with exactly one of these fields.
    ExactlyOne(&'static [&'static str]),
    /// A list whose items differ in these fields together; a missing field is equal to nothing.
    Unique(&'static [&'static str]),
    /// The rules of another table.
    In(Rows),
    /// A rule whose findings have this code, unless a rule inside has its own.
    As(Code, &'static Rule),
    /// What needs more than one field.
    With(for<'v> fn(&'v Value, &mut Walk<'v>)),
    /// A rule that only newer versions of Kubernetes have: a warning.
    Newer(&'static Rule),
}

/// A rule that is broken.
pub struct Broken<'v> {
    pub code: Code,
    /// The way to it from the object.
    pub path: Vec<Step<'v>>,
    /// The way to the first of its kind, if it must not be there twice.
    pub first: Option<Vec<Step<'v>>>,
    /// The value, if it may be shown.
    pub value: Option<String>,
    /// The problem, as the rest of a sentence.
    pub problem: String,
    /// The remedy, if there is more to say than that.
    pub help: String,
    /// Whether only newer versions of Kubernetes refuse it.
    pub newer: bool,
}

/// The way through an object.
pub struct Walk<'v> {
    /// The object.
    pub root: &'v Value,
    path: Vec<Step<'v>>,
    code: Code,
    newer: bool,
    broken: Vec<Broken<'v>>,
    volumes: OnceCell<Rc<Volumes<'v>>>,
}

/// Volumes by their names.
type Volumes<'v> = HashMap<&'v str, &'v Value>;

/// Number of findings of an object that are reported one by one. The field of the input is searched for each, in a list that is as
/// long.
const MOST: usize = 1_000;

/// The rules that an object breaks: the first thousand of them, and the others, which are only counted in findings.
pub fn broken<'v>(rows: Rows, object: &'v Value) -> (Vec<Broken<'v>>, Vec<Broken<'v>>) {
    let mut walk = Walk {
        root: object,
        path: Vec::new(),
        code: Code::InvalidDerivedName,
        newer: false,
        broken: Vec::new(),
        volumes: OnceCell::new(),
    };
    walk.rows(rows, object);
    let others = walk.broken.split_off(MOST.min(walk.broken.len()));
    (walk.broken, others)
}

impl Broken<'_> {
    /// With the value, cut if it is long.
    pub(super) fn of(&mut self, value: impl Display) -> &mut Self {
        const MAX: usize = 100;
        self.value = Some(shortened(&value.to_string(), MAX).into_owned());
        self
    }
}

impl<'v> Walk<'v> {
    fn rows(&mut self, rows: Rows, value: &'v Value) {
        for (path, rule) in rows {
            self.row(path, rule, value);
        }
    }

    /// The volumes of the pods that the object makes.
    pub(super) fn volumes(&self) -> Rc<Volumes<'v>> {
        let find = || {
            let pod = self.root.pointer("/spec/template/spec");
            let volumes = pod.map_or(&[][..], |pod| list(pod, "volumes"));
            let by_name = volumes.iter().map(|volume| (text_of(volume, "name"), volume));
            Rc::new(by_name.collect())
        };
        Rc::clone(self.volumes.get_or_init(find))
    }

    /// Whether what is found next is reported by itself.
    pub(super) fn has_room(&self) -> bool {
        self.broken.len() < MOST
    }

    /// Goes down the path, and holds what is there against the rule.
    pub(super) fn row(&mut self, path: &'static str, rule: &'static Rule, value: &'v Value) {
        let is_required = matches!(rule, Rule::Required);
        self.down(path, value, is_required, &mut |walk, value| walk.rule(rule, value));
    }

    /// Goes down the path, and hands over what is there.
    pub(super) fn each(&mut self, path: &'static str, value: &'v Value, mut then: impl FnMut(&mut Self, &'v Value)) {
        self.down(path, value, false, &mut then);
    }

    /// The same; of a last field that is missing but `is_required`, null.
    fn down(
        &mut self,
        path: &'static str,
        value: &'v Value,
        is_required: bool,
        then: &mut dyn FnMut(&mut Self, &'v Value),
    ) {
        if path.is_empty() {
            return then(self, value);
        }
        let (step, rest) = path.split_once('.').unwrap_or((path, ""));
        let (keys, is_list) = step.strip_suffix("[]").map_or((step, false), |keys| (keys, true));
        for key in keys.split('|') {
            match value.get(key) {
                None | Some(Value::Null) if is_required && rest.is_empty() && !is_list => {
                    self.below(Step::Key(key), |walk| then(walk, &Value::Null));
                }
                None | Some(Value::Null) => {}
                Some(next) if is_list => self.below(Step::Key(key), |walk| {
                    for (index, item) in next.as_array().into_iter().flatten().enumerate() {
                        walk.below(Step::Index(index), |walk| walk.down(rest, item, is_required, then));
                    }
                }),
                Some(next) => self.below(Step::Key(key), |walk| walk.down(rest, next, is_required, then)),
            }
        }
    }

    pub(super) fn rule(&mut self, rule: &'static Rule, value: &'v Value) {
        match rule {
            Rule::Required if is_empty(value) => {
                let last = self.last_key();
                self.report(&[], "must not be empty").help = format!("set `{last}`");
            }
            Rule::Forbidden(why) => self.report(&[], *why).help = "remove it".to_owned(),
            Rule::OneOf(texts) => self.one_of(texts, value),
            Rule::Among(texts) if value.as_str().is_some_and(|text| texts.contains(&text)) => {}
            Rule::Off if is_off(value) => {}
            Rule::Among(_) | Rule::Off => {
                let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.report(&[], format!("must not be `{shown}`"));
            }
            Rule::Range(from, to) => {
                if let Some(number) = value.as_i64().filter(|number| number < from || number > to) {
                    let expected = match *to {
                        i64::MAX => format!("must be at least {from}"),
                        _ => format!("must be from {from} to {to}"),
                    };
                    self.report(&[], expected).of(number);
                }
            }
            Rule::TextOrEmpty(_) if is_empty(value) => {}
            Rule::Text(syntax) | Rule::TextOrEmpty(syntax) => self.text(&[], *syntax, value.as_str()),
            Rule::Labels => {
                for (key, value) in entries(value) {
                    self.text(&[Step::Key(key)], syntax::qualified_name, Some(key));
                    self.text(&[Step::Key(key)], syntax::label_value, value.as_str());
                }
            }
            Rule::AtMostOne(fields) => {
                let mut present = present(fields, value);
                if let (Some(first), Some(second)) = (present.next(), present.next()) {
                    self.exclude(first, second);
                }
            }
            Rule::ExactlyOne(fields) => {
                let mut present = present(fields, value);
                match (present.next(), present.next()) {
                    (Some(first), Some(second)) => self.exclude(first, second),
                    (None, _) => self.report(&[], "has none of its kinds").help = format!("set {}", any_of(fields)),
                    _ => {}
                }
            }
            Rule::Unique(fields) => self.unique(fields, value),
            Rule::In(rows) => self.rows(rows, value),
            Rule::As(code, rule) => {
                let outer = std::mem::replace(&mut self.code, *code);
                self.rule(rule, value);
                self.code = outer;
            }
            Rule::With(check) => check(value, self),
            Rule::Newer(rule) => {
                let outer = std::mem::replace(&mut self.newer, true);
                self.rule(rule, value);
                self.newer = outer;
            }
            Rule::Required => {}
        }
    }

    /// Reports a text that is not of a syntax.
    pub(super) fn text(&mut self, below: &[Step<'v>], syntax: Syntax, text: Option<&'v str>) {
        if let Some((text, problem)) = text.and_then(|text| Some((text, syntax(text)?))) {
            match text {
                "" => self.report(below, "must not be empty"),
                _ => self.report(below, problem).of(text),
            };
        }
    }

    fn one_of(&mut self, texts: &'static [&'static str], value: &'v Value) {
        let Some(text) = value.as_str().filter(|text| !texts.contains(text)) else {
            return;
        };
        let near = suggest::closest(text, texts.iter().copied());
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.report(&[], format!("must be {}", any_of(texts))).of(text).help = help.unwrap_or_default();
    }

    fn exclude(&mut self, first: &'static str, second: &'static str) {
        self.report(&[Step::Key(second)], format!("cannot be combined with `{first}`"))
            .help = "keep one of the two".to_owned();
    }

    fn unique(&mut self, fields: &'static [&'static str], list: &'v Value) {
        let mut seen = HashMap::new();
        for (index, item) in list.as_array().into_iter().flatten().enumerate() {
            let key = fields.iter().map(|field| item.get(field).map(Value::to_string));
            let Some(key) = key.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let field = fields.first().copied().unwrap_or_default();
            let at = [Step::Index(index), Step::Key(field)];
            self.once(&mut seen, key, &at, text_of(item, field));
        }
    }

    /// Reports a value whose key was already seen.
    pub(super) fn once<K: Eq + Hash>(
        &mut self,
        seen: &mut HashMap<K, Vec<Step<'v>>>,
        key: K,
        below: &[Step<'v>],
        value: impl Display,
    ) {
        match seen.entry(key) {
            Entry::Vacant(free) => {
                free.insert(self.path_to(below));
            }
            Entry::Occupied(first) => {
                let first = first.get().clone();
                let report = self.report(below, "must be unique").of(value);
                report.first = Some(first);
                report.help = "choose another one, or remove it".to_owned();
            }
        }
    }

    /// Reports a broken rule at a field below the current one. `problem` is a statement whose subject is the field.
    pub fn report(&mut self, below: &[Step<'v>], problem: impl Into<String>) -> &mut Broken<'v> {
        let report = Broken {
            code: self.code,
            path: self.path_to(below),
            first: None,
            value: None,
            problem: problem.into(),
            help: String::new(),
            newer: self.newer,
        };
        self.broken.push(report);
        let last = self.broken.len() - 1;
        #[allow(clippy::indexing_slicing, reason = "it was pushed")]
        &mut self.broken[last]
    }

    /// The same, at this field of the current one.
    pub fn report_at(&mut self, field: &'v str, problem: impl Into<String>) -> &mut Broken<'v> {
        self.report(&[Step::Key(field)], problem)
    }

    fn path_to(&self, below: &[Step<'v>]) -> Vec<Step<'v>> {
        [self.path.as_slice(), below].concat()
    }

    pub(super) fn below(&mut self, step: Step<'v>, then: impl FnOnce(&mut Self)) {
        self.path.push(step);
        then(self);
        self.path.pop();
    }

    /// The last field of the path.
    fn last_key(&self) -> &'v str {
        let mut keys = self.path.iter().rev().filter_map(|step| match step {
            Step::Key(key) => Some(*key),
            Step::Index(_) => None,
        });
        keys.next().unwrap_or_default()
    }
}

/// Whether a switch is not on.
fn is_off(value: &Value) -> bool {
    match value {
        Value::Bool(on) => !on,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        _ => true,
    }
}

/// Whether there is nothing in it; an empty mapping is something.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

pub fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let entries = value.as_object().into_iter().flatten();
    entries.map(|(key, value)| (key.as_str(), value))
}

/// Those of the fields that are set.
pub fn present(fields: &'static [&'static str], value: &Value) -> impl Iterator<Item = &'static str> {
    fields
        .iter()
        .copied()
        .filter(|field| value.get(field).is_some_and(|value| !value.is_null()))
}

/// `a`, `b` or `c`, without an empty text.
pub fn any_of(texts: &[&str]) -> String {
    let texts = texts.iter().filter(|text| !text.is_empty());
    joined("or", &texts.map(|text| format!("`{text}`")).collect::<Vec<_>>())
}
