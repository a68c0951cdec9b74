//! Walk that finds the secrets in a value, for `diff`, `config` and the `tree` page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::key::{SecretKeys, is_named_secret, is_suspicious};
use super::text::{contains_credential, contains_secret, mask_url};
use super::walk::LAST_APPLIED;
use crate::diagnostic::{Step, Trail};
use crate::yaml::{Mapping, Value};

/// Form of a value, which determines how secrets in the value are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// A rendered object. No value is secret because of its key, so secrets are found only in variables and strings.
    Manifest,
    /// The command and arguments of a container in a rendered object.
    Arguments,
    /// An agent's configuration, in which keys also indicate secrets.
    Configuration,
    /// Part of a configuration that a page shows. The page may be shared, so free-form strings are also secret.
    PageFragment,
    PageResource,
    /// An integration's configuration in a `PageFragment` or `PageResource`. Its keys are arbitrary.
    PageFreeForm,
}

/// Fields whose strings may contain anything.
const OPAQUE_FIELDS: [&str; 3] = ["args", "command", LAST_APPLIED];

impl ValueForm {
    /// Returns the form of a key's value.
    fn child_form(self, key: &str) -> Self {
        match self {
            ValueForm::PageFragment | ValueForm::PageResource if key == "config" => ValueForm::PageFreeForm,
            ValueForm::Manifest if ["args", "command"].contains(&key) => ValueForm::Arguments,
            form => form,
        }
    }

    fn is_page(self) -> bool {
        !matches!(self, ValueForm::Manifest | ValueForm::Arguments | ValueForm::Configuration)
    }

    /// Whether a string is or contains a secret.
    fn hides(self, text: &str) -> bool {
        contains_secret(text)
            || (self.is_page() && contains_credential(text, true))
            || (self == ValueForm::Arguments && contains_credential(text, false))
    }
}

/// A secret found in a value.
pub struct FoundSecret<'p> {
    /// Path of the secret. Named list items are identified by their names.
    trail: Trail<'p>,
    /// Whether the whole value is secret because of its key.
    pub is_whole: bool,
}

impl FoundSecret<'_> {
    /// Returns a path that stays the same when list items move or secrets change.
    pub fn path(&self) -> String {
        let path = self.trail.to_path();
        let name = |step| match step {
            Step::Key(name) => format!("/{name}"),
            Step::Index(place) => format!("/#{place}"),
        };
        path.steps().map(name).collect()
    }
}

/// Context that a value inherits from its parent.
#[derive(Clone, Copy)]
struct ValueContext {
    form: ValueForm,
    is_secret: bool,
}

/// Whether a scrape job's name looks like one generated for a monitor.
pub fn is_monitor_job_name(name: &str) -> bool {
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

/// Calls `visit` for each secret in a value. A secret is a scalar, or a value that comes entirely from a Secret.
pub fn for_each_secret<'d>(
    value: &mut Value<'d>,
    form: ValueForm,
    visit: &mut dyn FnMut(&FoundSecret<'_>, &mut Value<'d>),
) {
    SecretDetector::new(form).for_each_secret(value, visit);
}

/// Detector of secrets in values that have the same form. It caches which keys are secret.
pub struct SecretDetector {
    form: ValueForm,
    keys: SecretKeys,
}

impl SecretDetector {
    /// Creates a detector for values of this form.
    pub fn new(form: ValueForm) -> Self {
        let keys = SecretKeys::default();
        Self { form, keys }
    }

    /// Calls `visit` for each secret in a value, as the function [`for_each_secret`] does.
    pub fn for_each_secret<'d>(
        &mut self,
        value: &mut Value<'d>,
        visit: &mut dyn FnMut(&FoundSecret<'_>, &mut Value<'d>),
    ) {
        let context = ValueContext { form: self.form, is_secret: false };
        let keys = &mut self.keys;
        Walk { keys, visit }.visit_value(value, Trail::Root, context);
    }
}

struct Walk<'v, 'd> {
    keys: &'v mut SecretKeys,
    visit: &'v mut dyn FnMut(&FoundSecret<'_>, &mut Value<'d>),
}

impl<'d> Walk<'_, 'd> {
    fn visit_value(&mut self, value: &mut Value<'d>, trail: Trail<'_>, context: ValueContext) {
        match value {
            Value::Mapping(fields) => self.visit_fields(fields, trail, context),
            Value::Sequence(items) => {
                let names = names(items);
                for (index, (item, name)) in items.iter_mut().zip(&names).enumerate() {
                    let name = name.as_deref().map_or(Step::Index(index), Step::Key);
                    self.visit_value(item, trail.step(name), context);
                }
            }
            Value::Null => {}
            Value::String(text) if !context.is_secret && !context.form.hides(text) => {}
            Value::Bool(_) | Value::Int(_) | Value::Float(_) if !context.is_secret => {}
            _ => {
                let is_whole = context.is_secret;
                (self.visit)(&FoundSecret { trail, is_whole }, value);
            }
        }
    }

    fn visit_fields(&mut self, fields: &mut Mapping<'d>, trail: Trail<'_>, context: ValueContext) {
        let is_reference = context.form == ValueForm::PageResource && is_reference(fields);
        let secret: Vec<bool> = (fields.iter())
            .map(|(key, value)| {
                !is_reference && (context.is_secret || self.is_secret(context.form, fields, key, value))
            })
            .collect();
        for ((name, value), is_secret) in fields.iter_mut().zip(secret) {
            let context = ValueContext { form: context.form.child_form(name), is_secret };
            self.visit_value(value, trail.step(Step::Key(name)), context);
        }
    }

    /// Whether a field is secret even if its parent is not.
    fn is_secret(&mut self, form: ValueForm, fields: &Mapping<'_>, key: &str, value: &Value<'_>) -> bool {
        let is_opaque = || OPAQUE_FIELDS.contains(&key) || (key == "value" && fields.get("name").is_some());
        is_named_secret(key, |name| text(fields, name))
            || (form.is_page() && is_opaque())
            || (!matches!(form, ValueForm::Manifest | ValueForm::Arguments)
                && self.keys.is_secret(key)
                && !has_secret_field(key, value))
            || (form == ValueForm::PageFreeForm && is_suspicious(key) && !matches!(value, Value::Bool(_)))
    }
}

/// Whether the value is a mapping in which only some fields are secret, even though its key, such as `authorization`,
/// looks secret.
fn has_secret_field(key: &str, value: &Value<'_>) -> bool {
    let key = key.to_ascii_lowercase();
    matches!(value, Value::Mapping(_)) && (key.ends_with("auth") || key.ends_with("authorization"))
}

/// Whether a mapping is a reference to a Secret in the operator's types: `{name: …, key: …}`.
fn is_reference(fields: &Mapping<'_>) -> bool {
    let is_known = |(key, _): (&str, &Value<'_>)| matches!(key, "name" | "key" | "optional");
    fields.get("name").is_some() && fields.iter().all(is_known)
}

/// Keys whose values can identify a list item.
const NAMES: [&str; 4] = ["job_name", "name", "instance", "url"];

/// Returns a unique name for each list item, or `None` for an item that has none.
fn names(items: &[Value<'_>]) -> Vec<Option<String>> {
    let mut seen_names = BTreeSet::new();
    let name_of_item = |item: &Value<'_>| {
        let Value::Mapping(fields) = item else { return None };
        let name_of_item = |key: &&str| Some(format!("{key}={}", remove_secrets(text(fields, key)?)?));
        NAMES.iter().find_map(name_of_item)
    };
    let name = |item| name_of_item(item).filter(|name| seen_names.insert(name.clone()));
    items.iter().map(name).collect()
}

/// Returns a name without the secrets in it, or `None` if they cannot be removed reliably.
fn remove_secrets(name: &str) -> Option<Cow<'_, str>> {
    match contains_secret(name) {
        true => mask_url(name, "").map(Cow::Owned),
        false => Some(Cow::Borrowed(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrecy::MASK;
    use crate::secrecy::{ValueForm, for_each_secret};
    use crate::testing;
    use crate::yaml::{self, LibraryStyle};

    fn masked(text: &str, form: ValueForm) -> String {
        let documents = testing::documents(text);
        let mut value = yaml::to_value(documents[0].root());
        for_each_secret(&mut value, form, &mut |_, value| *value = Value::from(MASK));
        yaml::write(&value, LibraryStyle::V3)
    }

    #[test]
    fn masks_credentials_but_not_references() {
        for (text, expected) in [
            ("password: {name: s, key: k}", "password:\n    key: k\n    name: s\n"),
            ("password: hunter2", "password: '***'\n"),
            ("bearerToken: hunter2", "bearerToken: '***'\n"),
            ("url: http://u:hunter2@host/", "url: '***'\n"),
            ("url: http://host/", "url: http://host/\n"),
            ("params: {token: [hunter2]}", "params:\n    token:\n        - '***'\n"),
            ("env: [{name: A, value: hunter2}]", "env:\n    - name: A\n      value: '***'\n"),
            ("args: [--x, hunter2]", "args:\n    - '***'\n    - '***'\n"),
            ("a: --db-password=hunter2", "a: '***'\n"),
            ("a: '{\"password\": \"hunter2\"}'", "a: '***'\n"),
            ("config: {adminPasswd2: hunter2}", "config:\n    adminPasswd2: '***'\n"),
            ("config: {password: {name: hunter2}}", "config:\n    password:\n        name: '***'\n"),
            ("config: {token_file: /a}", "config:\n    token_file: /a\n"),
            ("secrets: [a]", "secrets:\n    - a\n"),
            ("matchLabels: {app: tokens}", "matchLabels:\n    app: tokens\n"),
        ] {
            assert_eq!(masked(text, ValueForm::PageResource), expected, "{text}");
        }
    }

    #[test]
    fn secret_detection_depends_on_the_value_form() {
        use ValueForm::{Arguments, Configuration, Manifest, PageFragment, PageFreeForm, PageResource};
        let all = [Manifest, Arguments, Configuration, PageFragment, PageResource, PageFreeForm];
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
            ("args: --token=x", &[Manifest, Arguments, PageFragment, PageResource, PageFreeForm]),
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
            ("password: {name: s, key: k, optional: true}", &[Configuration, PageFragment, PageFreeForm]),
            ("password: {key: k}", &named),
            ("password: {name: s, other: k}", &named),
            ("kubectl.kubernetes.io/last-applied-configuration: x", &pages),
        ] {
            for form in all {
                assert_eq!(masked(text, form).contains(MASK), forms.contains(&form), "{text} {form:?}");
            }
        }
    }

    #[test]
    fn paths_identify_items_by_name() {
        let text = "a: [{url: 'http://u:p@h/', password: x}, {name: b, password: x}, {password: x}, \
                    {name: b, password: x}, {name: [b], instance: c, job_name: 'AKIAIOSFODNN7EXAMPLE', password: x}, x, \
                    {job_name: d, name: e, password: [x, x]}]";
        let documents = testing::documents(text);
        let mut value = yaml::to_value(documents[0].root());
        let mut paths = Vec::new();
        for_each_secret(&mut value, ValueForm::Configuration, &mut |secret, _| {
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
    fn recognizes_job_names_of_monitors() {
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
            assert_eq!(is_monitor_job_name(name), expected, "{name}");
        }
    }

    #[test]
    fn masks_all_values_without_references() {
        assert_eq!(
            masked("basic_auth: {password: {name: hunter2}}", ValueForm::PageFragment),
            "basic_auth:\n    password:\n        name: '***'\n"
        );
    }
}
