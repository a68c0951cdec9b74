//! Both sides without their secrets: what stands for one says whether it changes.

use std::collections::BTreeMap;

use crate::secrecy::{MASK, SecretDetector};
use crate::yaml::Value;

/// What stands for a secret that changes, on the old side.
pub(super) const BEFORE: &str = "*** (before)";
/// What stands for a secret that changes, on the new side.
pub(super) const AFTER: &str = "*** (after)";

/// What stands for a secret: `changed` where the other side has another one.
pub(super) fn mask<T: PartialEq>(secret: &T, other: Option<&T>, changed: &'static str) -> &'static str {
    match other {
        Some(other) if other != secret => changed,
        _ => MASK,
    }
}

/// Masks the secrets of both sides; each is compared with the one at the same place on the other side, where items of lists are
/// known by their names. Says whether there are any.
pub(super) fn hide(judge: &mut SecretDetector, before: &mut Option<Value<'_>>, after: &mut Option<Value<'_>>) -> bool {
    let mut old = Secrets::new();
    if let Some(before) = before {
        judge.each_secret(before, &mut |secret, value| {
            old.insert(secret.path(), value.clone().into_owned());
        });
    }
    let new = hide_side(judge, after, &old, AFTER);
    if !old.is_empty() {
        hide_side(judge, before, &new, BEFORE);
    }
    !old.is_empty() || !new.is_empty()
}

type Secrets = BTreeMap<String, Value<'static>>;

/// Masks the secrets of a side, and returns them.
fn hide_side(
    judge: &mut SecretDetector,
    side: &mut Option<Value<'_>>,
    other: &Secrets,
    changed: &'static str,
) -> Secrets {
    let mut found = Secrets::new();
    let Some(side) = side else { return found };
    judge.each_secret(side, &mut |secret, value| {
        let path = secret.path();
        let mask = mask(value, other.get(&path), changed);
        found.insert(path, std::mem::replace(value, mask.into()).into_owned());
    });
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::secrecy::Form;

    use super::*;
    use crate::yaml::{Style, write};

    #[test]
    fn variables_and_urls_are_masked_on_both_sides() {
        let pod = |password: &str, url: &str| {
            json!({"containers": [{"name": "a", "args": [format!("--url={url}")], "env": [
                {"name": "DB_PASSWORD", "value": password},
                {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                {"name": "MODE", "value": "x"},
            ]}]})
        };
        let pod = |password, url| Some(Value::from(pod(password, url)));
        let (mut before, mut after) = (pod("one", "http://me:one@host"), pod("two", "http://me:one@host"));
        hide(&mut SecretDetector::new(Form::Manifest), &mut before, &mut after);
        for (side, password) in [(before, BEFORE), (after, AFTER)] {
            let expected = format!(
                "containers:\n- args:\n  - '***'\n  env:\n  - name: DB_PASSWORD\n    value: '{password}'\n  - name: TOKEN\n    \
                 valueFrom:\n      secretKeyRef:\n        key: k\n        name: s\n  - name: MODE\n    value: x\n  name: a\n"
            );
            assert_eq!(write(&side.unwrap(), Style::Kubernetes), expected);
        }
        let (secret, plain) = (pod("one", "x"), Some(Value::from(json!({"containers": []}))));
        for (mut before, mut after, expected) in [
            (secret.clone(), plain.clone(), true),
            (plain.clone(), secret.clone(), true),
            (None, secret, true),
            (plain, None, false),
        ] {
            let mut judge = SecretDetector::new(Form::Manifest);
            assert_eq!(hide(&mut judge, &mut before, &mut after), expected);
        }
    }
}
