//! Credentials that change before they reach the agent, or that are probably mistakes.
//!
//! The operator writes some credentials to `agent.yml` unchanged. The config-reloader replaces `$(NAME)`. The agent,
//! which runs with `-config.expand-env`, replaces `${NAME}` and turns `$$` into `$` (envsubst). `${1}` is left
//! unchanged, because regular expressions use it. References that neither program accepts are reported for all strings,
//! not only for credentials (`variables`).
//!
//! Editors and `echo` silently add a newline to the end of a one-line value, and the newline is sent as part of the
//! credential. Values that the agent reads from files are not affected, because Prometheus trims them.

use std::iter;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{AnyResource, Kind, ResourceHeader, Resources};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::go::envsubst;
use crate::resolve::{Hierarchy, InlinedValue, inlined_values};

pub const RULES: &[Rule] = &[rule(
    &[Code::CredentialExpanded, Code::TrailingNewline],
    RuleTarget::Hierarchy(check),
    "`envsubst`, `HTTPClientConfig`",
)];

/// Description of what the agent or the config-reloader replaces in a string.
type ExpansionKind = &'static str;

const VARIABLE: ExpansionKind = "`${…}`, which the agent replaces with the value of an environment variable";
const ESCAPED_DOLLAR: ExpansionKind = "`$$`, which the agent replaces with a single `$`";
const REFERENCE: ExpansionKind = "`$(…)`, which the config-reloader replaces with the value of a variable";

/// Fields with an inline credential.
const TOKENS: [(Kind, &str); 5] = [
    (Kind::GrafanaAgent, "spec.metrics.remoteWrite[].bearerToken"),
    (Kind::GrafanaAgent, "spec.logs.clients[].bearerToken"),
    (Kind::GrafanaAgent, "spec.apiServer.bearerToken"),
    (Kind::MetricsInstance, "spec.remoteWrite[].bearerToken"),
    (Kind::LogsInstance, "spec.clients[].bearerToken"),
];

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let agent = AnyResource::GrafanaAgent(hierarchy.agent);
    for resource in iter::once(agent).chain(hierarchy.instances().map(|(instance, _)| instance)) {
        for (_, field) in TOKENS.iter().filter(|(kind, _)| *kind == resource.kind) {
            resource.root.visit(field, &mut FieldPath::new(), &mut |path, token| {
                findings.extend(field_finding(&resource, path, token.as_str().unwrap_or_default()));
            });
        }
    }
    let has_dollar_or_newline = |value: &[u8]| value.contains(&b'$') || value.ends_with(b"\n");
    if hierarchy.secrets.iter().any(|(_, value)| has_dollar_or_newline(value)) {
        for value in inlined_values(hierarchy) {
            findings.extend(secret_finding(&value));
            findings.extend(report_trailing_newline(input.resources, &value));
        }
    }
    findings
}

/// Checks a credential from a Secret, which is not expected to contain a variable.
fn secret_finding(value: &InlinedValue<'_, '_>) -> Option<Diagnostic> {
    let finding = diagnostic(find_expansion(&value.text)?, value.referrer, &value.path);
    Some(finding.cause(format!("expansion of {} in {}", value.key.key, value.key.object())))
}

/// Finding for a credential, taken from a Secret, that contains a variable that the config-reloader replaces.
pub fn variable_in_credential(value: &InlinedValue<'_, '_>) -> Diagnostic {
    let finding = diagnostic(REFERENCE, value.referrer, &value.path);
    finding.cause(format!("expansion of {} in {}", value.key.key, value.key.object()))
}

/// Checks an inline credential. A variable in it is most likely intentional.
fn field_finding(head: &ResourceHeader<'_>, path: &FieldPath<'_>, text: &str) -> Option<Diagnostic> {
    let expansion = find_expansion(text).filter(|expansion| *expansion != VARIABLE)?;
    Some(diagnostic(expansion, head, path))
}

/// Returns the first expansion in a string, or `None` if there is none.
fn find_expansion(text: &str) -> Option<ExpansionKind> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('$') {
        let (expansion, next) = parse_expansion(after);
        if expansion.is_some() {
            return expansion;
        }
        rest = next;
    }
    None
}

/// Returns the expansion that starts at a dollar sign, and the remaining string to search. `after` is the string after
/// the dollar sign.
fn parse_expansion(after: &str) -> (Option<ExpansionKind>, &str) {
    if after.starts_with('$') {
        return (Some(ESCAPED_DOLLAR), after);
    }
    let Some(inside) = after.strip_prefix('{') else {
        return (None, after);
    };
    match envsubst::reference_after(inside) {
        // An invalid reference prevents the agent from starting. A different rule reports invalid references in all
        // strings.
        None => (None, ""),
        Some((reference, rest)) if reference.is_group() => (None, rest),
        Some((_, rest)) => (Some(VARIABLE), rest),
    }
}

fn diagnostic(expansion: ExpansionKind, head: &ResourceHeader<'_>, path: &FieldPath<'_>) -> Diagnostic {
    let message = format!("the value of `{path}` contains {expansion}");
    head.finding(Code::CredentialExpanded, path, message).help("change the credential, or read it from a file")
}

/// Reports a Secret value that consists of one line and a trailing newline.
fn report_trailing_newline(resources: &Resources<'_>, value: &InlinedValue<'_, '_>) -> Option<Diagnostic> {
    let line = value.text.trim_end_matches(['\n', '\r']);
    if !value.text.ends_with('\n') || line.contains('\n') {
        return None;
    }
    let (object, key) = (value.key.object(), value.key.key);
    let holder: &ResourceHeader<'_> = resources.data_object(object)?;
    let is_text = holder.root.get("stringData").is_some_and(|data| data.get(key).is_some());
    let (field, help) = match is_text {
        true => ("stringData", "write `|-` instead of `|`, or remove the newline"),
        false => ("data", "encode the value without the newline, for example with `printf %s` instead of `echo`"),
    };
    let path = FieldPath::parse(field).key(key);
    let message = format!("the value of `{key}` ends with a newline, which is sent as part of the credential");
    let finding = holder.labeled_finding(Code::TrailingNewline, &path, message, "ends with a newline");
    let user = value.referrer.locate(&value.path);
    let cause = format!("newline of {key} in {object}");
    Some(finding.label(user, "used here").help(help).cause(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, findings, manifest};

    #[test]
    fn reports_variable_references_in_credentials() {
        for (text, expected) in [
            ("", None),
            ("pa$word", None),
            ("pa$", None),
            ("$(a b)", None),
            ("$()", None),
            ("$(a-b)", None),
            ("${1}", None),
            ("${1a}", Some(VARIABLE)),
            ("$a ${1} $(A_1)", None),
            ("${1}${X}", Some(VARIABLE)),
            ("a${}", None),
            ("${a-b}", None),
            ("a${", None),
            ("a$$b", Some(ESCAPED_DOLLAR)),
            ("a$(X)", None),
        ] {
            assert_eq!(find_expansion(text), expected, "{text}");
        }
    }

    #[test]
    fn shows_the_field_but_not_the_value() {
        let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {user: me, password: 'hid${den}'}";
        let clients = "{clients: [{url: http://u, basicAuth: {username: {name: s, key: user}, password: {name: s, key: password}}}]}";
        let diagnostics =
            findings(&[&agent("a", "logs: {instanceSelector: {}}"), &manifest("LogsInstance", "l", clients), secret]);
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!(diagnostics[0].code, Code::CredentialExpanded);
        assert_eq!(diagnostics[0].path.as_deref(), Some("spec.clients[0].basicAuth.password"));
        assert!(!format!("{diagnostics:?}").contains("hid"));
    }

    #[test]
    fn accepts_variables_in_inline_credentials() {
        for (token, expected) in [("'${TOKEN}'", 0), ("a$$b", 1)] {
            let spec = format!("metrics: {{remoteWrite: [{{url: u, bearerToken: {token}}}]}}");
            let diagnostics = findings(&[&agent("a", &spec)]);
            let diagnostics = diagnostics.iter().filter(|d| d.code == Code::CredentialExpanded);
            assert_eq!(diagnostics.count(), expected, "{token}");
        }
    }

    /// Returns the path of the finding for a Secret with these fields.
    fn path(fields: &str) -> Option<String> {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{fields}");
        let clients =
            "{clients: [{url: http://u, basicAuth: {username: {name: s, key: user}, password: {name: s, key: user}}}]}";
        let mut diagnostics =
            findings(&[&agent("a", "logs: {instanceSelector: {}}"), &manifest("LogsInstance", "l", clients), &secret]);
        diagnostics.retain(|finding| finding.code == Code::TrailingNewline);
        assert!(diagnostics.len() < 3, "{diagnostics:?}");
        diagnostics.pop()?.path
    }

    #[test]
    fn reports_trailing_newlines_in_single_line_values() {
        for (fields, expected) in [
            ("data: {user: MTIzCg==}", Some("data.user")),
            ("data: {user: MTIz}", None),
            ("stringData: {user: \"x\\r\\n\"}", Some("stringData.user")),
            ("data: {user: MTIz}\nstringData:\n  user: |\n    x\n", Some("stringData.user")),
            ("stringData: {user: \"one\\ntwo\\n\"}", None),
            ("stringData: {user: \"\"}", None),
        ] {
            assert_eq!(path(fields).as_deref(), expected, "{fields}");
        }
    }
}
