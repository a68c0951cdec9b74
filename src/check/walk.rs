//! Walk over a resource or object that checks its values against tables of rules. A row consists of a path, a rule and
//! the rule's parameters.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Display;
use std::hash::Hash;
use std::ops::RangeInclusive;

use super::conditions::Conditions;
pub use super::json::Json;
use super::kept::ViolationList;
pub use super::violation::{FIRST, Violation, expectation_sentence};
use super::violation::{HIDDEN, NOT_UNIQUE, ProblemForm, field_path, quote, sentence};
use crate::api::{KeySelector, ResourceHeader, Resources};
pub use crate::diagnostic::Step;
use crate::diagnostic::bound::MAX_LISTED;
use crate::diagnostic::listed::join_words;
use crate::diagnostic::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::go::syntax::{self, Syntax};
use crate::output::Target;
use crate::plan::Stages;
use crate::resolve::{AssetKey, Hierarchy, MetricsHierarchy};
use crate::source::Span;
use crate::yaml::{Node, NodeValue, first_step, steps};

/// Rules for one type. Each row consists of a path and the expectation for the values there. `ports[]` visits every
/// item, and `a|b` visits both fields. A missing field is skipped, except by [`Expect::Required`].
pub type Rows = &'static [(&'static str, Expect)];

/// Maximum number of accepted strings that a finding lists.
const MAX_SHOWN: usize = 30;

/// Expectation that a rule has for a value.
pub enum Expect {
    /// Present and non-empty, if its parent exists.
    Required,
    /// Absent. The string states why, worded to follow the field in a message.
    Forbidden(&'static str),
    /// One of these strings, separated by `|`.
    OneOf(&'static str),
    /// One of these strings, which the finding does not list.
    Among(&'static [&'static str]),
    /// `false`, 0 or empty.
    Off,
    /// Integer in an inclusive range.
    Range(i64, i64),
    /// String with this syntax. It may be empty only if the syntax allows that.
    Text(Syntax),
    /// String with this syntax, or empty.
    TextOrEmpty(Syntax),
    /// String for which the function returns `true`, or an empty string. The second field describes the problem with
    /// any other string.
    Is(fn(&str) -> bool, &'static str),
    Labels,
    /// Mapping with at most one of these fields, separated by `|`.
    AtMostOne(&'static str),
    /// Mapping with at least one of these fields.
    AtLeastOne(&'static str),
    /// Mapping with both of two fields, or neither of them.
    Both(&'static str, &'static str),
    /// Mapping with exactly one of these fields.
    ExactlyOne(&'static str),
    /// List in which no two items have the same values in these fields. An item that lacks one of the fields is not
    /// compared.
    Unique(&'static [&'static str]),
    /// Value that is checked against the rules in another table.
    In(Rows),
    /// Rule whose findings have this code, unless a nested rule sets its own.
    As(Code, &'static Expect),
    /// Rule that involves more than one field.
    With(for<'v> fn(Json<'v>, &mut Walk<'v>)),
    /// Rule whose findings are warnings: the running program accepts the value, but a newer version, or the server that
    /// receives the value, rejects it.
    Mild(&'static Expect),
    /// Rule that applies only to some agents.
    If(fn(&Hierarchy<'_, '_>) -> bool, &'static Expect),
    /// Rule whose findings have this help text.
    Help(&'static str, &'static Expect),
    /// Rule whose findings do not show the value, because it may contain a password.
    Hidden(&'static Expect),
}

impl Expect {
    /// Whether the rule also applies if the value is missing.
    fn is_required(&self) -> bool {
        match self {
            Expect::Required => true,
            Expect::As(_, rule) | Expect::Mild(rule) | Expect::Help(_, rule) | Expect::If(_, rule) => {
                rule.is_required()
            }
            _ => false,
        }
    }
}

/// Context available to rules in addition to the value.
#[derive(Clone, Copy, Default)]
pub struct RuleContext<'v> {
    /// Resource that contains the value.
    pub head: Option<&'v ResourceHeader<'v>>,
    pub hierarchy: Option<&'v Hierarchy<'v, 'v>>,
    /// Instance that selects the resource, or the resource itself if it is an instance.
    pub metrics: Option<&'v MetricsHierarchy<'v, 'v>>,
    pub resources: Option<&'v Resources<'v>>,
    pub conditions: Option<Conditions<'v>>,
    pub stages: Option<Stages<'v>>,
    /// Span of the string that contains the value, if the value is YAML in a string.
    pub enclosing_string: Option<Span>,
    /// Whether the value is part of a Secret and must not be shown.
    pub is_secret: bool,
}

impl RuleContext<'_> {
    /// Whether the target is the agent, which is the default.
    pub fn is_for_agent(&self) -> bool {
        self.conditions.is_none_or(|conditions| *conditions.target == Target::Agent)
    }
}

/// State of a check that walks through an object.
pub struct Walk<'v> {
    /// Object to check.
    pub root: Json<'v>,
    pub context: RuleContext<'v>,
    path: Vec<Step<'v>>,
    code: Code,
    pub is_warning: bool,
    /// Effect of a violation in a program's configuration; empty if the values are those of a resource.
    effect: &'static str,
    violations: ViolationList<'v>,
}

/// Returns the violations in an object: at most a thousand, along with the number of further violations and the code of
/// one of them. Without the limit, checks would take quadratic time, because each violation's input field is searched
/// for in a list that may be just as long.
pub fn violations<'v>(rows: Rows, object: Json<'v>) -> (Vec<Violation<'v>>, Option<(Code, usize)>) {
    let mut walk = Walk::new(object, RuleContext::default());
    walk.check_rows(rows, object);
    let (mut violations, counted) = walk.violations.into_parts();
    let above_limit = violations.split_off(MAX_LISTED.min(violations.len()));
    let counted = counted.into_iter().map(|((code, _), count)| (code, count));
    let unlisted_counts = above_limit.iter().map(|violation| (violation.code, 1)).chain(counted);
    let unlisted_counts = unlisted_counts.reduce(|(code, all), (_, count)| (code, all + count));
    (violations, unlisted_counts)
}

impl<'v> Walk<'v> {
    /// Creates a walk that starts at `root`.
    pub fn new(root: Json<'v>, context: RuleContext<'v>) -> Self {
        Self {
            root,
            context,
            path: Vec::new(),
            code: Code::InvalidDerivedName,
            is_warning: false,
            effect: "",
            violations: ViolationList::default(),
        }
    }

    pub fn findings(self, head: &ResourceHeader<'_>) -> impl Iterator<Item = Diagnostic> {
        let is_secret = self.context.is_secret;
        let (violations, omitted_counts) = self.violations.into_parts();
        let findings = violations.into_iter().map(move |violation| violation.finding(head, is_secret));
        findings.chain(omitted_counts.into_iter().map(|((code, is_mild), count)| {
            let max_severity = if is_mild { Severity::Warning } else { Severity::Error };
            Diagnostic::unlisted(code, code.severity().min(max_severity), count)
        }))
    }

    /// Checks YAML in the current field's string, or in the Secret that the field refers to. Findings are reported at
    /// the field.
    pub fn check_embedded_yaml<'n>(
        &mut self,
        root: Json<'n>,
        context: RuleContext<'n>,
        label: &dyn Fn(Option<Span>) -> Option<(Span, &'static str)>,
        check: impl FnOnce(&mut Walk<'n>),
    ) where
        'v: 'n,
    {
        let mut inner = Walk::new(root, context);
        inner.context.enclosing_string = self.span(&[]);
        inner.is_warning = self.is_warning;
        if self.context.enclosing_string.is_some() {
            inner.path.clone_from(&self.path);
        }
        check(&mut inner);
        let (violations, omitted_counts) = inner.violations.into_parts();
        self.violations.add_omitted(omitted_counts);
        for violation in violations {
            let place = match (root, &violation.key) {
                (_, Some((key, _))) => Some(*key),
                (Json::Read(node), None) => Some(field_path(&violation.path, &[]).locate(node)),
                _ => None,
            };
            let label = label(place);
            let message = match violation.form {
                ProblemForm::StringSentence => violation.problem,
                ProblemForm::Predicate | ProblemForm::Sentence => {
                    let path = field_path(&violation.path, &[]);
                    let statement = sentence(&violation, HIDDEN, inner.context.is_secret);
                    // The message already contains the field's path, so the field's name is removed from the statement.
                    let last = violation.path.last().and_then(|step| step.key());
                    let rule = last.and_then(|key| statement.strip_prefix(&format!("`{key}` must ")));
                    match (statement.strip_prefix(HIDDEN), rule) {
                        (Some(predicate), _) => format!("`{path}` in the YAML{predicate}"),
                        (None, Some(rule)) => format!("`{path}` in the YAML must {rule}"),
                        (None, None) => format!("{statement} (at `{path}` in the YAML)"),
                    }
                }
            };
            let report = self.report_with_code(violation.code, &[], message, violation.help);
            (report.form, report.is_warning, report.labels) =
                (ProblemForm::StringSentence, violation.is_warning, violation.labels);
            report.labels.extend(label);
        }
    }

    /// Returns the span in the resource that corresponds to a field below the current value.
    pub fn span(&self, below: &[Step<'_>]) -> Option<Span> {
        let own_span = || Some(self.context.head?.locate(&field_path(&self.path, below)));
        self.context.enclosing_string.or_else(own_span)
    }

    /// Returns the node in the resource that corresponds to the current value.
    pub fn node(&self) -> Option<Node<'v>> {
        field_path(&self.path, &[]).find(self.context.head?.root)
    }

    /// Quotes a value for use in a message.
    pub fn quote(&self, text: &str) -> String {
        quote(text, self.context.is_secret)
    }

    /// Whether a field of the current value was rejected, in which case the field's value is unknown.
    pub fn is_rejected(&self, field: &str) -> bool {
        let RuleContext { head, resources, .. } = self.context;
        head.zip(resources).is_some_and(|(head, resources)| {
            let (object, rejected) = (head.object_ref(), &resources.rejected_fields);
            rejected.has_any(object)
                && rejected.overlap(object, &field_path(&self.path, &[Step::Key(field)]).to_string())
        })
    }

    /// Returns the Secret key that a selector refers to.
    pub fn secret_key(&self, selector: Json<'v>) -> Option<AssetKey<'v>> {
        let (name, key) = (selector.text("name"), selector.text("key"));
        let selector = KeySelector { name, key, optional: None };
        Some(AssetKey::secret(self.context.head?.meta.namespace, &selector))
    }

    /// Returns whether a selector refers to a non-empty value, or `None` if the value is missing, which is reported
    /// elsewhere.
    pub fn has_value(&self, selector: Json<'v>) -> Option<bool> {
        let key = self.secret_key(selector)?;
        Some(!self.context.hierarchy?.secrets.bytes(&key)?.is_empty())
    }

    /// Checks a value that is part of a program's configuration. Scalars are read as strings, findings have the code
    /// `code` unless a rule sets its own, and the `effect` clause is appended to their messages.
    pub fn check_configuration(&mut self, code: Code, effect: &'static str, then: impl FnOnce(&mut Self)) {
        let outer = (std::mem::replace(&mut self.code, code), std::mem::replace(&mut self.effect, effect));
        then(self);
        (self.code, self.effect) = outer;
    }

    pub fn check_rows(&mut self, rows: Rows, value: Json<'v>) {
        for (path, rule) in rows {
            self.check_row(path, rule, value);
        }
    }

    /// Whether an error has been reported in the current value. Only the first findings are searched.
    pub fn has_error(&self) -> bool {
        let is_error_below =
            |violation: &Violation<'_>| !violation.is_warning && violation.path.starts_with(&self.path);
        self.violations.iter().take(MAX_LISTED).any(is_error_below)
    }

    /// Whether the next finding would be reported individually.
    pub fn is_below_limit(&self) -> bool {
        self.violations.len() < MAX_LISTED
    }

    /// Follows `path` and checks the values there against `rule`.
    pub fn check_row(&mut self, path: &'static str, rule: &'static Expect, value: Json<'v>) {
        let is_required = rule.is_required();
        self.visit_path(path, value, is_required, &mut |walk, value| walk.check_rule(rule, value));
    }

    /// Follows `path` and calls `then` for each value there.
    pub fn for_each(&mut self, path: &'static str, value: Json<'v>, mut then: impl FnMut(&mut Self, Json<'v>)) {
        self.visit_path(path, value, false, &mut then);
    }

    /// Follows `path` and calls `then` for each value there. If the last field is missing and `is_required` is set,
    /// `then` receives null.
    fn visit_path(
        &mut self,
        path: &'static str,
        value: Json<'v>,
        is_required: bool,
        then: &mut dyn FnMut(&mut Self, Json<'v>),
    ) {
        if path.is_empty() {
            return then(self, value);
        }
        let (step, rest) = first_step(path);
        if step == "*" {
            for (key, next) in value.entries() {
                self.enter(Step::Key(key), |walk| walk.visit_path(rest, next, is_required, then));
            }
            return;
        }
        let (keys, is_list) = step.strip_suffix("[]").map_or((step, false), |keys| (keys, true));
        let mut visit_items = |walk: &mut Self, next: Json<'v>| match is_list {
            true => next.items().enumerate().for_each(|(index, item)| {
                walk.enter(Step::Index(index), |walk| walk.visit_path(rest, item, is_required, then));
            }),
            false => walk.visit_path(rest, next, is_required, then),
        };
        if keys.is_empty() {
            return visit_items(self, value);
        }
        let is_struct = matches!(value.value(), NodeValue::Mapping | NodeValue::Null);
        let missing = (is_required && is_struct && rest.is_empty() && !is_list).then_some(Json::NULL);
        for key in steps(keys, b'|') {
            let next = value.get(key).filter(|next| !next.is_null());
            if let Some(next) = next.or(missing) {
                self.enter(Step::Key(key), |walk| visit_items(walk, next));
            }
        }
    }

    pub fn check_rule(&mut self, rule: &'static Expect, value: Json<'v>) {
        match rule {
            Expect::Required if value.is_empty() => {
                let problem = if self.effect.is_empty() { "must not be empty" } else { "is empty" };
                self.report(&[], problem);
            }
            Expect::Forbidden(why) => self.report(&[], *why).help = "remove it".to_owned(),
            Expect::OneOf(texts) => self.check_word(texts, value),
            Expect::Among(texts) if value.as_str().is_some_and(|text| texts.contains(&text)) => {}
            Expect::Off if is_off(value) => {}
            Expect::Among(_) | Expect::Off => {
                let displayed = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.report(&[], format!("must not be `{displayed}`"));
            }
            Expect::Range(from, to) => {
                if let Some(number) = value.as_i64().filter(|number| number < from || number > to) {
                    let expected = match *to {
                        i64::MAX => format!("must be at least {from}"),
                        _ => format!("must be between {from} and {to}"),
                    };
                    self.report(&[], expected).set_value(number);
                }
            }
            Expect::TextOrEmpty(_) if value.is_empty() => {}
            Expect::Text(syntax) | Expect::TextOrEmpty(syntax) => {
                self.check_text(&[], *syntax, self.string(value).as_deref())
            }
            Expect::Is(holds, problem) => {
                if let Some(text) = self.string(value).filter(|text| !text.is_empty() && !holds(text)) {
                    self.report(&[], *problem).set_value(text);
                }
            }
            Expect::Labels => {
                for (key, value) in value.entries() {
                    self.check_key(key, syntax::qualified_name);
                    self.check_text(&[Step::Key(key)], syntax::label_value, value.as_str());
                }
            }
            Expect::AtMostOne(fields) => self.check_count(fields, value, 0..=1),
            Expect::AtLeastOne(fields) => self.check_count(fields, value, 1..=usize::MAX),
            Expect::ExactlyOne(fields) => self.check_count(fields, value, 1..=1),
            Expect::Both(first, second) => {
                let (set_field, missing_field) = match (value.has(first), value.has(second)) {
                    (true, false) => (first, second),
                    (false, true) => (second, first),
                    _ => return,
                };
                let report = self.report_field(set_field, format!("is set without `{missing_field}`"));
                report.help = format!("set `{missing_field}` as well");
            }
            Expect::Unique(fields) => self.check_unique(fields, value),
            Expect::In(rows) => self.check_rows(rows, value),
            Expect::As(code, rule) => {
                let outer = std::mem::replace(&mut self.code, *code);
                self.check_rule(rule, value);
                self.code = outer;
            }
            Expect::With(check) => check(value, self),
            Expect::Mild(rule) => {
                let outer = std::mem::replace(&mut self.is_warning, true);
                self.check_rule(rule, value);
                self.is_warning = outer;
            }
            Expect::If(holds, rule) if self.context.hierarchy.is_some_and(holds) => self.check_rule(rule, value),
            Expect::Help(help, rule) => {
                let count_before = self.violations.len();
                self.check_rule(rule, value);
                let violations = self.violations.iter_mut_from(count_before);
                violations.for_each(|violation| (*help).clone_into(&mut violation.help));
            }
            Expect::Hidden(rule) => {
                let count_before = self.violations.len();
                self.check_rule(rule, value);
                self.violations.iter_mut_from(count_before).for_each(|violation| violation.value = None);
            }
            Expect::Required | Expect::If(..) => {}
        }
    }

    /// Returns a string. In a configuration, the agent also reads any other scalar as a string, and a string with a
    /// variable is unknown.
    pub fn string(&self, value: Json<'v>) -> Option<Cow<'v, str>> {
        match self.context.is_secret || !self.effect.is_empty() {
            true => value.constant_text(),
            false => value.as_str().map(Cow::Borrowed),
        }
    }

    /// Reports a string that does not have the expected syntax.
    pub fn check_text(&mut self, below: &[Step<'v>], syntax: Syntax, text: Option<&str>) {
        if let Some((text, problem)) = text.and_then(|text| Some((text, syntax(text)?))) {
            match text {
                "" => self.report(below, "must not be empty"),
                _ => self.report(below, problem).set_value(text),
            };
        }
    }

    /// Reports a key of the current value that does not have the expected syntax.
    pub fn check_key(&mut self, key: &'v str, syntax: Syntax) {
        if let Some(problem) = syntax(key) {
            self.report(&[Step::Key(key)], problem).set_value(key).is_key = true;
        }
    }

    fn check_word(&mut self, texts: &'static str, value: Json<'v>) {
        let Some(text) = self.string(value).filter(|text| !is_among(text, texts)) else {
            return;
        };
        let help = did_you_mean(&text, texts.split('|'));
        let problem = match texts.split('|').count() {
            ..=MAX_SHOWN => format!("must be {}", list_alternatives(texts)),
            _ => "is not supported".to_owned(),
        };
        self.report(&[], problem).set_value(text).help = help.unwrap_or_default();
    }

    /// Checks how many of these fields are set.
    fn check_count(&mut self, fields: &'static str, value: Json<'v>, expected: RangeInclusive<usize>) {
        let mut set_fields = present_fields(fields, value);
        match (set_fields.next(), set_fields.next()) {
            (Some(first), Some(second)) if !expected.contains(&2) => drop(self.report_conflict(first, second)),
            (None, _) if !expected.contains(&0) => {
                self.report(&[], format!("must set {}", list_alternatives(fields)));
            }
            _ => {}
        }
    }

    pub fn report_conflict(&mut self, first: &'v str, second: &'v str) -> &mut Violation<'v> {
        let label = self.span(&[Step::Key(first)]).map(|span| (span, "set here too"));
        let (form, problem) = match self.context.head {
            Some(_) => (ProblemForm::Sentence, format!("`{first}` and `{second}` cannot be combined")),
            None => (ProblemForm::Predicate, format!("cannot be combined with `{first}`")),
        };
        let report = self.report(&[Step::Key(second)], problem);
        report.form = form;
        report.labels.extend(label);
        report.help = match report.code {
            Code::ConflictingAuthentication if second != format!("{first}_file") => {
                "keep one kind of authentication".to_owned()
            }
            _ => "keep one of the two".to_owned(),
        };
        report
    }

    fn check_unique(&mut self, fields: &'static [&'static str], list: Json<'v>) {
        let mut seen_values = HashMap::new();
        for (index, item) in list.items().enumerate() {
            let key = fields.iter().map(|field| item.get(field).map(|value| value.to_string()));
            let Some(key) = key.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let field = fields.first().copied().unwrap_or_default();
            let at = [Step::Index(index), Step::Key(field)];
            self.report_repeated(&mut seen_values, key, &at, item.text(field));
        }
    }

    /// Reports a value if its key has already been seen.
    pub fn report_repeated<K: Eq + Hash>(
        &mut self,
        seen_values: &mut HashMap<K, Vec<Step<'v>>>,
        key: K,
        below: &[Step<'v>],
        value: impl Display,
    ) {
        match seen_values.entry(key) {
            Entry::Vacant(free) => {
                free.insert(self.path_below(below));
            }
            Entry::Occupied(first) => {
                let first = first.get().clone();
                let last = below.iter().rev().find_map(|step| step.key()).unwrap_or(self.last_key());
                let report = self.report(below, NOT_UNIQUE).set_value(value);
                report.other = Some((first, FIRST));
                report.help = format!("use a different `{last}`, or remove the duplicate");
            }
        }
    }

    /// Reports a violation at a field below the current value. `problem` is worded to follow the field in the message.
    pub fn report(&mut self, below: &[Step<'v>], problem: impl Into<String>) -> &mut Violation<'v> {
        let effect = self.effect;
        let report = self.report_as(self.code, below, problem);
        report.effect = effect;
        report
    }

    fn report_as(&mut self, code: Code, below: &[Step<'v>], problem: impl Into<String>) -> &mut Violation<'v> {
        let path = match self.violations.is_below_limit(code) {
            true => self.path_below(below),
            false => Vec::new(),
        };
        self.violations.add(Violation {
            code,
            path,
            other: None,
            value: None,
            problem: problem.into(),
            help: String::new(),
            is_warning: self.is_warning,
            form: ProblemForm::Predicate,
            effect: "",
            is_key: false,
            key: None,
            labels: Vec::new(),
        })
    }

    /// Reports a violation with a specific code and a complete sentence as the message.
    pub fn report_with_code(
        &mut self,
        code: Code,
        below: &[Step<'v>],
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Violation<'v> {
        let report = self.report_as(code, below, message);
        (report.form, report.help) = (ProblemForm::Sentence, help.into());
        report
    }

    /// Reports a violation at a field of the current value.
    pub fn report_field(&mut self, field: &'v str, problem: impl Into<String>) -> &mut Violation<'v> {
        self.report(&[Step::Key(field)], problem)
    }

    /// Returns the path of a field below the current value.
    pub fn path_below(&self, below: &[Step<'v>]) -> Vec<Step<'v>> {
        [self.path.as_slice(), below].concat()
    }

    pub fn enter(&mut self, step: Step<'v>, then: impl FnOnce(&mut Self)) {
        self.path.push(step);
        then(self);
        self.path.pop();
    }

    /// Returns the last key on the path.
    pub fn last_key(&self) -> &'v str {
        let keys = self.path.iter().rev();
        keys.filter_map(|step| step.key()).next().unwrap_or_default()
    }
}

/// Whether a switch is off or unset.
fn is_off(value: Json<'_>) -> bool {
    match value.value() {
        NodeValue::Bool(on) => !on,
        NodeValue::Int(number) => number == 0,
        NodeValue::Float(_) => false,
        NodeValue::String(text) => text.is_empty(),
        _ => true,
    }
}

/// Returns the names of those fields in `fields` that are set.
pub fn present_fields(fields: &'static str, value: Json<'_>) -> impl Iterator<Item = &'static str> {
    fields.split('|').filter(move |field| value.has(field))
}

/// Whether `text` is one of `texts`, which are separated by `|`.
pub fn is_among(text: &str, texts: &str) -> bool {
    texts.split('|').any(|candidate| candidate == text)
}

/// Formats the non-empty strings in `texts` as "`a`, `b` or `c`".
pub fn list_alternatives(texts: &str) -> String {
    let texts = texts.split('|').filter(|text| !text.is_empty());
    join_words("or", texts.map(|text| format!("`{text}`")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Expect::{
        Among, As, AtMostOne, ExactlyOne, Forbidden, Help, If, In, Labels, Mild, Off, OneOf, Range, Required, Text,
        TextOrEmpty, Unique,
    };
    use super::*;
    use crate::check::tests::broken_rules;

    fn pair(text: &str) -> Option<String> {
        (text.len() != 2).then(|| "must have two letters".to_owned())
    }

    fn reject_pair(text: &str) -> Option<String> {
        (text.len() == 2).then(|| "is a pair".to_owned())
    }

    #[test]
    fn rules_report_violations() {
        const INNER: Rows = &[("b", Required)];
        type Objects<'o> = &'o [(Value, &'o [&'o str])];
        let rows: &[(Rows, Objects<'_>)] = &[
            (
                &[("a", Required)],
                &[
                    (json!({"a": "x"}), &[]),
                    (json!({"a": {}}), &[]),
                    (json!({"a": [1]}), &[]),
                    (json!({"a": false}), &[]),
                    (json!({}), &["a: `a` must not be empty"]),
                    (json!({"a": null}), &["a: `a` must not be empty"]),
                    (json!({"a": ""}), &["a: `a` must not be empty"]),
                    (json!({"a": []}), &["a: `a` must not be empty"]),
                ],
            ),
            (
                &[("a.b|c", Required)],
                &[
                    (json!({}), &[]),
                    (json!({"a": null}), &[]),
                    (json!({"a": {"b": 1, "c": 2}}), &[]),
                    (json!({"a": {}}), &["a.b: `a.b` must not be empty", "a.c: `a.c` must not be empty"]),
                ],
            ),
            (
                &[("a[]", Required)],
                &[
                    (json!({}), &[]),
                    (json!({"a": []}), &[]),
                    (json!({"a": ["x", ""]}), &["a[1]: `a` must not be empty"]),
                ],
            ),
            (
                &[("a[].b", Required)],
                &[(json!({"a": {"b": ""}}), &[]), (json!({"a": [{"b": 1}, {}]}), &["a[1].b: `a.b` must not be empty"])],
            ),
            (&[("*.b", Required)], &[(json!({"x": {"b": 1}, "y": {}}), &["y.b: `y.b` must not be empty"])]),
            (
                &[("a", In(INNER))],
                &[
                    (json!({}), &[]),
                    (json!({"a": {"b": 1}}), &[]),
                    (json!({"a": {}}), &["a.b: `a.b` must not be empty"]),
                ],
            ),
            (
                &[("a", Forbidden("is not allowed"))],
                &[
                    (json!({}), &[]),
                    (json!({"a": null}), &[]),
                    (json!({"a": 0}), &["a: `a` is not allowed; remove it"]),
                ],
            ),
            (
                &[("a", OneOf("|Always|Never"))],
                &[
                    (json!({"a": ""}), &[]),
                    (json!({"a": "Never"}), &[]),
                    (json!({"a": 1}), &[]),
                    (
                        json!({"a": "never"}),
                        &["a: `a` must be `Always` or `Never`, but is `never`; did you mean `Never`?"],
                    ),
                    (json!({"a": "x"}), &["a: `a` must be `Always` or `Never`, but is `x`"]),
                ],
            ),
            (
                &[("a", Among(&["x", "y"]))],
                &[
                    (json!({"a": "y"}), &[]),
                    (json!({"a": "z"}), &["a: `a` must not be `z`"]),
                    (json!({"a": 1}), &["a: `a` must not be `1`"]),
                ],
            ),
            (
                &[("a", Off)],
                &[
                    (json!({"a": false}), &[]),
                    (json!({"a": 0}), &[]),
                    (json!({"a": ""}), &[]),
                    (json!({"a": {}}), &[]),
                    (json!({"a": true}), &["a: `a` must not be `true`"]),
                    (json!({"a": 1}), &["a: `a` must not be `1`"]),
                    (json!({"a": 0.5}), &["a: `a` must not be `0.5`"]),
                    (json!({"a": "x"}), &["a: `a` must not be `x`"]),
                ],
            ),
            (
                &[("a", Range(2, 4))],
                &[
                    (json!({"a": 2}), &[]),
                    (json!({"a": 4}), &[]),
                    (json!({"a": "9"}), &[]),
                    (json!({"a": 1}), &["a: `a` must be between 2 and 4, but is `1`"]),
                    (json!({"a": 5}), &["a: `a` must be between 2 and 4, but is `5`"]),
                ],
            ),
            (
                &[("a", Range(1, i64::MAX))],
                &[(json!({"a": i64::MAX}), &[]), (json!({"a": 0}), &["a: `a` must be at least 1, but is `0`"])],
            ),
            (
                &[("a", Text(pair))],
                &[
                    (json!({}), &[]),
                    (json!({"a": "xy"}), &[]),
                    (json!({"a": 1}), &[]),
                    (json!({"a": ""}), &["a: `a` must not be empty"]),
                    (json!({"a": "xyz"}), &["a: `a` must have two letters, but is `xyz`"]),
                ],
            ),
            (&[("a", Text(reject_pair))], &[(json!({"a": "xy"}), &["a: `xy` is a pair"])]),
            (
                &[("a", TextOrEmpty(pair))],
                &[
                    (json!({"a": "xy"}), &[]),
                    (json!({"a": ""}), &[]),
                    (json!({"a": "xyz"}), &["a: `a` must have two letters, but is `xyz`"]),
                ],
            ),
            (
                &[("a", Labels)],
                &[
                    (json!({"a": {"x": "", "b/y": "c"}}), &[]),
                    (
                        json!({"a": {"x": "-"}}),
                        &[
                            "a.x: `a.x` is `-`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit",
                        ],
                    ),
                ],
            ),
            (
                &[("a", AtMostOne("x|y|z"))],
                &[
                    (json!({"a": {}}), &[]),
                    (json!({"a": {"x": 1, "y": ""}}), &[]),
                    (json!({"a": {"x": 1, "z": 2}}), &["a.z: `a.z` cannot be combined with `x`; keep one of the two"]),
                ],
            ),
            (
                &[("a", As(Code::ConflictingAuthentication, &AtMostOne("x|y")))],
                &[(
                    json!({"a": {"x": 1, "y": 2}}),
                    &["a.y: `a.y` cannot be combined with `x`; keep one kind of authentication"],
                )],
            ),
            (
                &[("a", ExactlyOne("x|y"))],
                &[
                    (json!({"a": {"y": 1}}), &[]),
                    (json!({"a": {}}), &["a: `a` must set `x` or `y`"]),
                    (json!({"a": {"x": 1, "y": 2}}), &["a.y: `a.y` cannot be combined with `x`; keep one of the two"]),
                ],
            ),
            (
                &[("a", Unique(&["x", "y"]))],
                &[
                    (json!({"a": [{"x": "1", "y": "2"}, {"x": "1", "y": "3"}, {"x": "2", "y": "2"}]}), &[]),
                    (json!({"a": [{"x": "1"}, {"x": "1"}]}), &[]),
                    (
                        json!({"a": [{"x": "1", "y": 2}, {}, {"x": "1", "y": 2}]}),
                        &[
                            "a[2].x: `a.x` must be unique, but `1` occurs more than once; use a different `x`, or remove the duplicate",
                        ],
                    ),
                ],
            ),
            (
                &[("a", Help("do this", &Required)), ("b", Required)],
                &[(json!({"a": ""}), &["a: `a` must not be empty; do this", "b: `b` must not be empty"])],
            ),
            (
                &[("b", Required), ("a", Help("do this", &Required))],
                &[(json!({"a": ""}), &["b: `b` must not be empty", "a: `a` must not be empty; do this"])],
            ),
            (&[("a", If(|_| true, &Required))], &[(json!({"a": ""}), &[])]),
        ];
        for (rows, objects) in rows {
            for (object, expected) in *objects {
                assert_eq!(broken_rules(rows, object), *expected, "{object}");
            }
        }
    }

    #[test]
    fn codes_and_severities_apply_only_to_their_rule() {
        const ROWS: Rows = &[("a", As(Code::InvalidVolume, &Mild(&Forbidden("x")))), ("b", Forbidden("x"))];
        let object = json!({"a": 1, "b": 1});
        let (violations, _) = violations(ROWS, Json::Built(&object));
        let actual: Vec<_> = violations.iter().map(|violation| (violation.code, violation.is_warning)).collect();
        assert_eq!(actual, [(Code::InvalidVolume, true), (Code::InvalidDerivedName, false)]);
    }

    #[test]
    fn duplicates_refer_to_the_first_occurrence() {
        const ROWS: Rows = &[("a", Unique(&["x"]))];
        let object = json!({"a": [{"x": 1}, {"x": 2}, {"x": 2}, {"x": 2}]});
        let (violations, _) = violations(ROWS, Json::Built(&object));
        let places: Vec<_> = violations
            .iter()
            .map(|violation| {
                [&violation.path, &violation.other.as_ref().unwrap().0].map(|path| field_path(path, &[]).to_string())
            })
            .collect();
        assert_eq!(places, [["a[2].x", "a[1].x"], ["a[3].x", "a[1].x"]]);
    }

    #[test]
    fn matches_and_lists_allowed_words() {
        for (text, expected) in [("a", true), ("", true), ("c", false), ("a|b", false)] {
            assert_eq!(is_among(text, "|a|b"), expected, "{text}");
        }
        assert_eq!(list_alternatives("|a"), "`a`");
        assert_eq!(list_alternatives("a|b|c"), "`a`, `b` or `c`");
    }
}
