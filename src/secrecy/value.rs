//! The walk over a value that finds what in it is secret, whatever shows the value: `diff`, `config` and the page of `tree`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::key::{Keys, is_named_secret, is_suspicious};
use super::text::{names_a_credential, tells_a_secret, url_without_secrets};
use super::walk::LAST_APPLIED;
use crate::diagnostic::{Step, Trail};
use crate::yaml::{Mapping, Value};

/// What a value is, which decides how it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A rendered object: only variables and texts hold secrets, since no key has one as its value.
    Manifest,
    /// The command of a container in one, and what it is called with.
    Arguments,
    /// A configuration of an agent: its keys tell, too.
    Configuration,
    /// A part of a configuration in a page, which is sent around: texts that may hold anything are secret, too.
    PageFragment,
    PageResource,
    /// The configuration of an integration in a page, whose keys may be any.
    PageFreeForm,
}

/// Fields of a container whose texts may hold anything.
const OPAQUE: [&str; 3] = ["args", "command", LAST_APPLIED];

impl Form {
    /// How the value of a key is judged.
    fn below(self, key: &str) -> Self {
        match self {
            Form::PageFragment | Form::PageResource if key == "config" => Form::PageFreeForm,
            Form::Manifest if ["args", "command"].contains(&key) => Form::Arguments,
            form => form,
        }
    }

    fn is_page(self) -> bool {
        !matches!(self, Form::Manifest | Form::Arguments | Form::Configuration)
    }

    /// Whether a text is secret, or holds a secret.
    fn hides(self, text: &str) -> bool {
        tells_a_secret(text)
            || (self.is_page() && names_a_credential(text, true))
            || (self == Form::Arguments && names_a_credential(text, false))
    }
}

/// A secret in a value.
pub struct Secret<'p> {
    /// The way to it, where items of lists go by their names, if they have any.
    place: Trail<'p>,
    /// Whether all of the value is secret because of its place.
    pub is_whole: bool,
}

impl Secret<'_> {
    /// A path that stays the same when items of lists move, and when secrets change.
    pub fn path(&self) -> String {
        let path = self.place.to_path();
        let name = |step| match step {
            Step::Key(name) => format!("/{name}"),
            Step::Index(place) => format!("/#{place}"),
        };
        path.steps().map(name).collect()
    }
}

/// What the surroundings of a value say about it.
#[derive(Clone, Copy)]
struct Around {
    form: Form,
    is_secret: bool,
}

/// Whether a scrape job of this name is one of a monitor.
pub fn is_name_of_monitor(name: &str) -> bool {
    match name.split('/').collect::<Vec<_>>().as_slice() {
        ["serviceMonitor" | "podMonitor", _, _, number] => number.parse::<usize>().is_ok(),
        ["probe" | "podLogs", _, _] => true,
        _ => false,
    }
}

fn text<'v>(fields: &'v Mapping<'_>, key: &str) -> Option<&'v str> {
    match fields.get(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Hands each secret in a value to `visit`: scalars, and what was made of a Secret as a whole.
pub fn each_secret<'d>(value: &mut Value<'d>, form: Form, visit: &mut dyn FnMut(&Secret<'_>, &mut Value<'d>)) {
    SecretDetector::new(form).each_secret(value, visit);
}

/// Judges many values of a form; what it knows of their keys is kept.
pub struct SecretDetector {
    form: Form,
    keys: Keys,
}

impl SecretDetector {
    /// A judge of values of this form.
    pub fn new(form: Form) -> Self {
        let keys = Keys::default();
        Self { form, keys }
    }

    /// Hands each secret in a value to `visit`, as [`each_secret`] does.
    pub fn each_secret<'d>(&mut self, value: &mut Value<'d>, visit: &mut dyn FnMut(&Secret<'_>, &mut Value<'d>)) {
        let around = Around {
            form: self.form,
            is_secret: false,
        };
        let keys = &mut self.keys;
        Walk { keys, visit }.value(value, Trail::Root, around);
    }
}

struct Walk<'v, 'd> {
    keys: &'v mut Keys,
    visit: &'v mut dyn FnMut(&Secret<'_>, &mut Value<'d>),
}

impl<'d> Walk<'_, 'd> {
    fn value(&mut self, value: &mut Value<'d>, place: Trail<'_>, around: Around) {
        match value {
            Value::Mapping(fields) => self.fields(fields, place, around),
            Value::Sequence(items) => {
                let names = names(items);
                for (index, (item, name)) in items.iter_mut().zip(&names).enumerate() {
                    let name = name.as_deref().map_or(Step::Index(index), Step::Key);
                    self.value(item, place.step(name), around);
                }
            }
            Value::Null => {}
            Value::String(text) if !around.is_secret && !around.form.hides(text) => {}
            Value::Bool(_) | Value::Int(_) | Value::Float(_) if !around.is_secret => {}
            _ => {
                let is_whole = around.is_secret;
                (self.visit)(&Secret { place, is_whole }, value);
            }
        }
    }

    fn fields(&mut self, fields: &mut Mapping<'d>, place: Trail<'_>, around: Around) {
        let is_reference = around.form == Form::PageResource && is_reference(fields);
        let secret: Vec<bool> = (fields.iter())
            .map(|(key, value)| !is_reference && (around.is_secret || self.is_secret(around.form, fields, key, value)))
            .collect();
        for ((name, value), is_secret) in fields.iter_mut().zip(secret) {
            let around = Around {
                form: around.form.below(name),
                is_secret,
            };
            self.value(value, place.step(Step::Key(name)), around);
        }
    }

    /// Whether a field is secret in any surroundings.
    fn is_secret(&mut self, form: Form, fields: &Mapping<'_>, key: &str, value: &Value<'_>) -> bool {
        let is_opaque = || OPAQUE.contains(&key) || (key == "value" && fields.get("name").is_some());
        is_named_secret(key, |name| text(fields, name))
            || (form.is_page() && is_opaque())
            || (!matches!(form, Form::Manifest | Form::Arguments)
                && self.keys.is_secret(key)
                && !has_its_secret_in_a_field(key, value))
            || (form == Form::PageFreeForm && is_suspicious(key) && !matches!(value, Value::Bool(_)))
    }
}

/// Whether a key is one such as `authorization`, and it has fields.
fn has_its_secret_in_a_field(key: &str, value: &Value<'_>) -> bool {
    let key = key.to_ascii_lowercase();
    matches!(value, Value::Mapping(_)) && (key.ends_with("auth") || key.ends_with("authorization"))
}

/// `{name: …, key: …}`, which refers to a Secret in the operator's types.
fn is_reference(fields: &Mapping<'_>) -> bool {
    let is_known = |(key, _): (&str, &Value<'_>)| matches!(key, "name" | "key" | "optional");
    fields.get("name").is_some() && fields.iter().all(is_known)
}

/// Keys whose value names an item of a list.
const NAMES: [&str; 4] = ["job_name", "name", "instance", "url"];

/// A name for each item of a list: what it is called; none where it has no name of its own.
fn names(items: &[Value<'_>]) -> Vec<Option<String>> {
    let mut seen = BTreeSet::new();
    let called = |item: &Value<'_>| {
        let Value::Mapping(fields) = item else { return None };
        let called = |key: &&str| Some(format!("{key}={}", lasting(text(fields, key)?)?));
        NAMES.iter().find_map(called)
    };
    let name = |item| called(item).filter(|name| seen.insert(name.clone()));
    items.iter().map(name).collect()
}

/// What stays of a name when the secrets in it change; none where it cannot be told.
fn lasting(name: &str) -> Option<Cow<'_, str>> {
    match tells_a_secret(name) {
        true => url_without_secrets(name, "").map(Cow::Owned),
        false => Some(Cow::Borrowed(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrecy::MASK;
    use crate::secrecy::{Form, each_secret};
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits, Style};

    fn masked(text: &str, form: Form) -> String {
        let id = Sources::default().add(Source::new("x", "", true));
        let documents = yaml::read(id, text, &Limits::default()).output;
        let mut value = yaml::to_value(documents[0].root());
        each_secret(&mut value, form, &mut |_, value| *value = Value::from(MASK));
        yaml::write(&value, Style::V3)
    }

    #[test]
    fn credentials_are_masked_and_references_to_them_stay() {
        for (text, expected) in [
            ("password: {name: s, key: k}", "password:\n    key: k\n    name: s\n"),
            ("password: hunter2", "password: '***'\n"),
            ("bearerToken: hunter2", "bearerToken: '***'\n"),
            ("url: http://u:hunter2@host/", "url: '***'\n"),
            ("url: http://host/", "url: http://host/\n"),
            ("params: {token: [hunter2]}", "params:\n    token:\n        - '***'\n"),
            (
                "env: [{name: A, value: hunter2}]",
                "env:\n    - name: A\n      value: '***'\n",
            ),
            ("args: [--x, hunter2]", "args:\n    - '***'\n    - '***'\n"),
            ("a: --db-password=hunter2", "a: '***'\n"),
            ("a: '{\"password\": \"hunter2\"}'", "a: '***'\n"),
            ("config: {adminPasswd2: hunter2}", "config:\n    adminPasswd2: '***'\n"),
            (
                "config: {password: {name: hunter2}}",
                "config:\n    password:\n        name: '***'\n",
            ),
            ("config: {token_file: /a}", "config:\n    token_file: /a\n"),
            ("secrets: [a]", "secrets:\n    - a\n"),
            ("matchLabels: {app: tokens}", "matchLabels:\n    app: tokens\n"),
        ] {
            assert_eq!(masked(text, Form::PageResource), expected, "{text}");
        }
    }

    #[test]
    fn each_form_has_its_own_secrets() {
        use Form::{Arguments, Configuration, Manifest, PageFragment, PageFreeForm, PageResource};
        let all = [
            Manifest,
            Arguments,
            Configuration,
            PageFragment,
            PageResource,
            PageFreeForm,
        ];
        let pages = [PageFragment, PageResource, PageFreeForm];
        let named = [Configuration, PageFragment, PageResource, PageFreeForm];
        for (text, forms) in [
            ("a: https://u:p@h/", &all[..]),
            ("a: b", &[]),
            ("password: hunter2", &named),
            ("password: 5", &named),
            ("password: true", &named),
            ("password: ~", &[]),
            ("a: 5", &[]),
            ("a: --token=x", &[Arguments, PageFragment, PageResource, PageFreeForm]),
            ("a: --my_token_1=x", &pages),
            (
                "args: --token=x",
                &[Manifest, Arguments, PageFragment, PageResource, PageFreeForm],
            ),
            ("command: x", &pages),
            ("authorization: x", &named),
            ("authorization: {type: x}", &[PageFreeForm]),
            ("basicAuth: {type: x}", &[PageFreeForm]),
            ("headers: {type: x}", &named),
            ("apikey2: x", &[PageFreeForm]),
            ("apikey2: true", &[]),
            ("apikey2: 5", &[PageFreeForm]),
            ("config: {apikey2: x}", &pages),
            ("{name: DB_PASSWORD, value: x}", &all),
            ("{name: A, value: x}", &pages),
            ("value: x", &[]),
            ("{target_label: __param_token, replacement: x}", &all),
            (
                "password: {name: s, key: k, optional: true}",
                &[Configuration, PageFragment, PageFreeForm],
            ),
            ("password: {key: k}", &named),
            ("password: {name: s, other: k}", &named),
            ("kubectl.kubernetes.io/last-applied-configuration: x", &pages),
        ] {
            for form in all {
                assert_eq!(
                    masked(text, form).contains(MASK),
                    forms.contains(&form),
                    "{text} {form:?}"
                );
            }
        }
    }

    #[test]
    fn the_path_to_a_secret_has_the_names_of_items() {
        let text = "a: [{url: 'http://u:p@h/', password: x}, {name: b, password: x}, {password: x}, \
                    {name: b, password: x}, {name: [b], instance: c, job_name: 'AKIAIOSFODNN7EXAMPLE', password: x}, x, \
                    {job_name: d, name: e, password: [x, x]}]";
        let id = Sources::default().add(Source::new("x", "", true));
        let documents = yaml::read(id, text, &Limits::default()).output;
        let mut value = yaml::to_value(documents[0].root());
        let mut paths = Vec::new();
        each_secret(&mut value, Form::Configuration, &mut |secret, _| {
            paths.push((secret.path(), secret.is_whole));
        });
        let expected = [
            ("/a/url=http://@h//url", false),
            ("/a/url=http://@h//password", true),
            ("/a/name=b/password", true),
            ("/a/#2/password", true),
            ("/a/#3/password", true),
            ("/a/instance=c/job_name", false),
            ("/a/instance=c/password", true),
            ("/a/job_name=d/password/#0", true),
            ("/a/job_name=d/password/#1", true),
        ];
        assert_eq!(paths, expected.map(|(path, is_whole)| (path.to_owned(), is_whole)));
    }

    #[test]
    fn names_of_jobs_of_monitors_are_known() {
        for (name, expected) in [
            ("serviceMonitor/a/b/0", true),
            ("podMonitor/a/b/12", true),
            ("probe/a/b", true),
            ("podLogs/a/b", true),
            ("serviceMonitor/a/b/x", false),
            ("serviceMonitor/a/b", false),
            ("probe/a", false),
            ("probe/a/b/0", false),
            ("other/a/b", false),
            ("other/a/b/0", false),
            ("", false),
        ] {
            assert_eq!(is_name_of_monitor(name), expected, "{name}");
        }
    }

    #[test]
    fn where_there_are_no_references_all_is_masked() {
        assert_eq!(
            masked("basic_auth: {password: {name: hunter2}}", Form::PageFragment),
            "basic_auth:\n    password:\n        name: '***'\n"
        );
    }
}
