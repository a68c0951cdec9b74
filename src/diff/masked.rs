//! Masks for the secrets on both sides of a comparison. The masks show whether a secret changes.

use std::collections::BTreeMap;

use crate::secrecy::{MASK, ValueForm, for_each_secret};
use crate::yaml::Value;

/// Mask for a changed secret on the old side.
pub(super) const BEFORE: &str = "*** (before)";
/// Mask for a changed secret on the new side.
pub(super) const AFTER: &str = "*** (after)";

/// Returns the mask for a secret: `changed` if the other side has a different secret, and the plain mask otherwise.
pub(super) fn mask<T: PartialEq>(secret: &T, other: Option<&T>, changed: &'static str) -> &'static str {
    match other {
        Some(other) if other != secret => changed,
        _ => MASK,
    }
}

/// Masks the secrets on both sides of a manifest. Secrets are matched by path, and list items in a path are identified
/// by name.
pub(super) fn hide(before: &mut Option<Value<'_>>, after: &mut Option<Value<'_>>) {
    let mut old = MaskedSecrets::new();
    if let Some(before) = before {
        for_each_secret(before, ValueForm::Manifest, &mut |secret, value| {
            old.insert(secret.path(), value.clone().into_owned());
        });
    }
    let new = hide_side(after, &old, AFTER);
    hide_side(before, &new, BEFORE);
}

type MaskedSecrets = BTreeMap<String, Value<'static>>;

/// Masks the secrets on one side and returns them.
fn hide_side(side: &mut Option<Value<'_>>, other: &MaskedSecrets, changed: &'static str) -> MaskedSecrets {
    let mut secrets = MaskedSecrets::new();
    let Some(side) = side else { return secrets };
    for_each_secret(side, ValueForm::Manifest, &mut |secret, value| {
        let path = secret.path();
        let mask = mask(value, other.get(&path), changed);
        secrets.insert(path, std::mem::replace(value, mask.into()).into_owned());
    });
    secrets
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::yaml::{LibraryStyle, write};

    #[test]
    fn masks_variables_and_urls_on_both_sides() {
        let pod = |password: &str, url: &str| {
            json!({"containers": [{"name": "a", "args": [format!("--url={url}")], "env": [
                {"name": "DB_PASSWORD", "value": password},
                {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                {"name": "MODE", "value": "x"},
            ]}]})
        };
        let pod = |password, url| Some(Value::from(pod(password, url)));
        let (mut before, mut after) = (pod("one", "http://me:one@host"), pod("two", "http://me:one@host"));
        hide(&mut before, &mut after);
        for (side, password) in [(before, BEFORE), (after, AFTER)] {
            let expected = format!(
                "containers:\n- args:\n  - '***'\n  env:\n  - name: DB_PASSWORD\n    value: '{password}'\n  - name: TOKEN\n    \
                 valueFrom:\n      secretKeyRef:\n        key: k\n        name: s\n  - name: MODE\n    value: x\n  name: a\n"
            );
            assert_eq!(write(&side.unwrap(), LibraryStyle::Kubernetes), expected);
        }
        let (mut before, mut after) = (pod("one", "x"), None);
        hide(&mut before, &mut after);
        assert!(!write(&before.unwrap(), LibraryStyle::Kubernetes).contains("one"));
    }
}
