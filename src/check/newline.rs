//! Credentials that end in a newline, which a file or `echo` leaves and nobody sees.
//!
//! What: a value of one line and a newline, which the operator writes into the configuration as it is. Why: the newline is sent as a
//! part of the credential. Values that the agent reads from files are none: Prometheus cuts what is blank at the end.

use super::rule::{Input, Place, Rule, rule};
use crate::api::{ResourceHeader, Resources};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::{Hierarchy, InlinedValue, inlined_values};

pub const RULES: &[Rule] = &[rule(
    &[Code::TrailingNewline],
    Place::Hierarchy(check),
    "`HTTPClientConfig`",
)];

fn check(input: &Input<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    if !hierarchy.secrets.iter().any(|(_, value)| value.ends_with(b"\n")) {
        return Vec::new();
    }
    let values = inlined_values(hierarchy).into_iter();
    let ending = values.filter(|value| ends_in_newline(&value.text));
    ending.filter_map(|value| finding(input.resources, &value)).collect()
}

fn ends_in_newline(text: &str) -> bool {
    let line = text.trim_end_matches(['\n', '\r']);
    line.len() < text.len() && !line.contains('\n')
}

fn finding(resources: &Resources<'_>, value: &InlinedValue<'_, '_>) -> Option<Diagnostic> {
    let (object, key) = (value.key.object(), value.key.key);
    let holder: &ResourceHeader<'_> = resources.data_object(object)?;
    let is_text = holder
        .root
        .get("stringData")
        .is_some_and(|data| data.get(key).is_some());
    let (field, help) = match is_text {
        true => ("stringData", "write `|-` for `|`, or remove the newline"),
        false => (
            "data",
            "encode the value without the newline, for example with `printf %s` in place of `echo`",
        ),
    };
    let path = FieldPath::of(field).key(key);
    let message = format!("the value of `{key}` ends in a newline, which is sent as a part of the credential");
    let finding = holder.labelled_finding(Code::TrailingNewline, &path, message, "ends in a newline");
    let user = value.referrer.locate(&value.path);
    let cause = format!("newline of {key} in {object}");
    Some(finding.label(user, "used here").help(help).cause(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, found, manifest};

    /// The path of the finding for a Secret with these fields.
    fn path(fields: &str) -> Option<String> {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{fields}");
        let clients =
            "{clients: [{url: http://u, basicAuth: {username: {name: s, key: user}, password: {name: s, key: user}}}]}";
        let mut found = found(&[
            &agent("a", "logs: {instanceSelector: {}}"),
            &manifest("LogsInstance", "l", clients),
            &secret,
        ]);
        found.retain(|found| found.code == Code::TrailingNewline);
        assert!(found.len() < 3, "{found:?}");
        found.pop()?.path
    }

    #[test]
    fn a_newline_at_the_end_of_one_line() {
        for (fields, expected) in [
            ("data: {user: MTIzCg==}", Some("data.user")),
            ("data: {user: MTIz}", None),
            ("stringData: {user: \"x\\r\\n\"}", Some("stringData.user")),
            (
                "data: {user: MTIz}\nstringData:\n  user: |\n    x\n",
                Some("stringData.user"),
            ),
            ("stringData: {user: \"one\\ntwo\\n\"}", None),
            ("stringData: {user: \"\"}", None),
        ] {
            assert_eq!(path(fields).as_deref(), expected, "{fields}");
        }
    }
}
