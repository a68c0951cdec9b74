//! Environment variables in containers (`ValidateEnv`, `ValidateEnvFrom`), and the pod fields that variables and
//! volumes may refer to.

use super::text;
use crate::check::walk::Expect::{ExactlyOne, In, Required, Text, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, Step, Walk, is_among, list_alternatives, present_fields};
use crate::go::quantity;
use crate::go::syntax;

const SOURCES: &str = "fieldRef|resourceFieldRef|configMapKeyRef|secretKeyRef";

/// Port of Kubernetes' `ValidateEnv`.
pub(super) const VARIABLE: Rows =
    &[("name", Text(text::variable_name_problem)), ("valueFrom", In(SOURCE)), ("", With(report_two_values))];
const SOURCE: Rows = &[
    ("", ExactlyOne(SOURCES)),
    ("fieldRef", With(|reference, walk| check_pod_field(VARIABLE_FIELDS, reference, walk))),
    ("resourceFieldRef", With(check_resource_field)),
    ("configMapKeyRef|secretKeyRef", In(NAMED)),
    ("configMapKeyRef|secretKeyRef.key", Text(syntax::data_key)),
];
const NAMED: Rows = &[("name", Required), ("name", TextOrEmpty(syntax::subdomain))];

/// Port of Kubernetes' `ValidateEnvFrom`.
pub(super) const VARIABLES: Rows = &[
    ("prefix", TextOrEmpty(text::variable_name_problem)),
    ("", ExactlyOne("configMapRef|secretRef")),
    ("configMapRef|secretRef", In(NAMED)),
];

fn report_two_values<'v>(variable: Json<'v>, walk: &mut Walk<'v>) {
    let source = variable.get("valueFrom").and_then(|source| present_fields(SOURCES, source).next());
    if source.is_some() && !variable.text("value").is_empty() {
        walk.report_field("valueFrom", "cannot be combined with `value`").help = "keep one of the two".to_owned();
    }
}

/// Pod fields that a variable may refer to.
const VARIABLE_FIELDS: &str = "metadata.name|metadata.namespace|metadata.uid|spec.nodeName|spec.serviceAccountName\
    |status.hostIP|status.hostIPs|status.podIP|status.podIPs";

/// Pod fields that a file in a volume may refer to.
pub(super) const VOLUME_FIELDS: &str = "metadata.annotations|metadata.labels|metadata.name|metadata.namespace\
    |metadata.uid";

/// Port of Kubernetes' `validateObjectFieldSelector`.
pub(super) fn check_pod_field<'v>(fields: &str, reference: Json<'v>, walk: &mut Walk<'v>) {
    let version = reference.text("apiVersion");
    if !matches!(version, "" | "v1") {
        walk.report_field("apiVersion", "must be `v1`").set_value(version);
        return;
    }
    let at = [Step::Key("fieldPath")];
    let field = reference.text("fieldPath");
    let map_and_key = field.strip_suffix("']").and_then(|field| field.split_once("['"));
    let problem = match map_and_key.filter(|(map, _)| !map.is_empty()) {
        // `spec.host` is the former name of `spec.nodeName`.
        None if is_among(field, fields) || (field == "spec.host" && is_among("spec.nodeName", fields)) => return,
        None => {
            walk.report(&at, format!("must be {}", list_alternatives(fields))).set_value(field);
            return;
        }
        Some(("metadata.annotations", key)) => text::annotation_key_problem(key),
        Some(("metadata.labels", key)) => syntax::qualified_name(key),
        Some(_) => Some("must not have a key in brackets".to_owned()),
    };
    if let Some(problem) = problem {
        walk.report(&at, problem).set_value(field);
    }
}

const RESOURCES: &[&str] = &["cpu", "memory", "ephemeral-storage"];

/// Port of Kubernetes' `validateContainerResourceFieldSelector` and `validateContainerResourceDivisor`.
pub(super) fn check_resource_field<'v>(reference: Json<'v>, walk: &mut Walk<'v>) {
    let field = reference.text("resource");
    let (_, resource) =
        field.split_once('.').filter(|(kind, _)| matches!(*kind, "limits" | "requests")).unwrap_or_default();
    if !RESOURCES.contains(&resource) && !resource.starts_with("hugepages-") {
        let problem = "must be a container limit or request such as `limits.memory`";
        walk.report_field("resource", problem).set_value(field);
        return;
    }
    let Some(divisor) = reference.get("divisor").and_then(Json::scalar) else {
        return;
    };
    let is_cpu = resource == "cpu";
    let is_valid = match quantity::canonicalize(&divisor).as_deref() {
        Ok("0" | "1") | Err(_) => true,
        Ok("1m") => is_cpu,
        Ok("1k" | "1M" | "1G" | "1T" | "1P" | "1E" | "1Ki" | "1Mi" | "1Gi" | "1Ti" | "1Pi" | "1Ei") => !is_cpu,
        Ok(_) => false,
    };
    if !is_valid {
        let expected = match is_cpu {
            true => "must be `1` or `1m`",
            false => "must be exactly one unit, such as `1Mi`",
        };
        walk.report_field("divisor", expected).set_value(divisor);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::tests::broken_rules;

    #[test]
    fn validates_references_to_pod_fields() {
        const ROWS: Rows = &[("", With(|field, walk| check_pod_field(VARIABLE_FIELDS, field, walk)))];
        const FILE_ROWS: Rows = &[("", With(|field, walk| check_pod_field(VOLUME_FIELDS, field, walk)))];
        const ANY_FIELD: &str = "must be `metadata.name`, `metadata.namespace`, `metadata.uid`, `spec.nodeName`, \
                           `spec.serviceAccountName`, `status.hostIP`, `status.hostIPs`, `status.podIP` or `status.podIPs`";
        for (field, expected) in [
            ("metadata.name", None),
            ("spec.host", None),
            ("metadata.labels['a/b']", None),
            ("metadata.annotations['A.example/b']", None),
            ("metadata.labels", Some(ANY_FIELD)),
            ("spec.hostname", Some(ANY_FIELD)),
            ("['a']", Some(ANY_FIELD)),
            ("metadata.name['a']", Some("must not have a key in brackets")),
            ("metadata.labels['a/']", Some("must have a name after `/`")),
        ] {
            let actual = broken_rules(ROWS, &json!({"fieldPath": field}));
            let expected = expected.map(|problem| format!("fieldPath: `fieldPath` {problem}, but is `{field}`"));
            assert_eq!(actual, Vec::from_iter(expected), "{field}");
        }
        assert_eq!(broken_rules(ROWS, &json!({"apiVersion": "v1", "fieldPath": "metadata.uid"})), [""; 0]);
        assert_eq!(
            broken_rules(ROWS, &json!({"apiVersion": "v2", "fieldPath": "x"})),
            ["apiVersion: `apiVersion` must be `v1`, but is `v2`"]
        );
        for (field, is_valid) in [("metadata.labels", true), ("spec.host", false), ("spec.nodeName", false)] {
            assert_eq!(broken_rules(FILE_ROWS, &json!({"fieldPath": field})).is_empty(), is_valid, "{field}");
        }
    }

    #[test]
    fn validates_resources_and_divisors() {
        const ROWS: Rows = &[("", With(check_resource_field))];
        const RESOURCE: Option<&str> =
            Some("resource: `resource` must be a container limit or request such as `limits.memory`, but is `{}`");
        const CPU: Option<&str> = Some("divisor: `divisor` must be `1` or `1m`, but is `{}`");
        const OTHER_UNIT: Option<&str> =
            Some("divisor: `divisor` must be exactly one unit, such as `1Mi`, but is `{}`");
        for (resource, divisor, expected) in [
            ("limits.cpu", json!(null), None),
            ("requests.memory", json!(0), None),
            ("limits.ephemeral-storage", json!("1"), None),
            ("limits.hugepages-2Mi", json!("1Mi"), None),
            ("limits.cpu", json!("1m"), None),
            ("limits.cpu", json!(1), None),
            ("limits.memory", json!("no quantity"), None),
            ("limits.cpu", json!("1k"), CPU),
            ("limits.cpu", json!("2"), CPU),
            ("limits.memory", json!("1m"), OTHER_UNIT),
            ("limits.memory", json!("2Mi"), OTHER_UNIT),
            ("limits", json!(null), RESOURCE),
            ("limits.pods", json!(null), RESOURCE),
            ("cpu.limits", json!(null), RESOURCE),
            ("", json!("x"), RESOURCE),
        ] {
            let actual = broken_rules(ROWS, &json!({"resource": resource, "divisor": divisor}));
            let expected_message = match expected {
                RESOURCE => resource,
                _ => divisor.as_str().unwrap_or_default(),
            };
            let expected = expected.map(|line| line.replace("{}", expected_message));
            assert_eq!(actual, Vec::from_iter(expected), "{resource} {divisor}");
        }
    }

    #[test]
    fn rejects_variables_with_two_sources() {
        const ROWS: Rows = &[("", With(report_two_values))];
        let source = json!({"fieldRef": {}});
        for (variable, is_valid) in [
            (json!({"value": "a"}), true),
            (json!({"value": "a", "valueFrom": {}}), true),
            (json!({"value": "", "valueFrom": source}), true),
            (json!({"valueFrom": source}), true),
            (json!({"value": "a", "valueFrom": source}), false),
        ] {
            let expected = "valueFrom: `valueFrom` cannot be combined with `value`; keep one of the two";
            let expected = (!is_valid).then(|| expected.to_owned());
            assert_eq!(broken_rules(ROWS, &variable), Vec::from_iter(expected), "{variable}");
        }
    }
}
