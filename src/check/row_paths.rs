//! Tests that the path of every row leads to a field of a schema or struct. Paths are strings, so the compiler would
//! not notice a typo, and the rule would never apply.

use std::collections::BTreeSet;

use serde_json::Value;

use super::integrations::constructors::CONSTRUCTORS;
use super::logs::{job, raw_stage};
use super::manifest::{pod_security, rules as manifest};
use super::prometheus::{additional, discovery, http_client};
use super::rule::RuleTarget;
use super::walk::{Expect, Rows};
use crate::api::core::shape::{FieldType, GoStruct};
use crate::api::schema::schema_json;
use crate::diagnostic::FieldPath;
use crate::programs::{integrations, types};
use crate::yaml::{first_step, steps};

/// Collects the paths in a table and in its nested tables, each as a list of steps.
fn collect_table_paths(rows: Rows, above: &[&'static str], paths: &mut BTreeSet<Vec<&'static str>>) {
    for (path, rule) in rows {
        for_each_path(path, above, &mut |path| collect_rule_paths(rule, path, paths));
    }
}

/// Calls `visit` with each path that a row's path expands to. For example, `a|b.c` expands to two paths.
pub(super) fn for_each_path(path: &'static str, above: &[&'static str], visit: &mut dyn FnMut(&[&'static str])) {
    if path.is_empty() {
        return visit(above);
    }
    let (step, rest) = first_step(path);
    let (names, is_list) = step.strip_suffix("[]").map_or((step, false), |names| (names, true));
    for name in steps(names, b'|') {
        let mut path = above.to_vec();
        path.extend(Some(name).filter(|name| !name.is_empty()));
        path.extend(is_list.then_some("[]"));
        for_each_path(rest, &path, visit);
    }
}

fn collect_rule_paths(rule: &'static Expect, at: &[&'static str], paths: &mut BTreeSet<Vec<&'static str>>) {
    let mut add_fields = |at: &[&'static str], fields: &mut dyn Iterator<Item = &'static str>| {
        paths.extend(fields.map(|field| [at, &[field]].concat()));
    };
    match rule {
        Expect::In(rows) => collect_table_paths(rows, at, paths),
        Expect::As(_, rule) | Expect::Mild(rule) | Expect::If(_, rule) | Expect::Help(_, rule) => {
            collect_rule_paths(rule, at, paths);
        }
        Expect::AtMostOne(fields) | Expect::ExactlyOne(fields) => add_fields(at, &mut fields.split('|')),
        Expect::Unique(fields) => add_fields(&[at, &["[]"]].concat(), &mut fields.iter().copied()),
        _ => drop(paths.insert(at.to_vec())),
    }
}

/// Panics if `exists` returns `false` for a path in the table. Each path is prefixed with `above` first.
#[track_caller]
fn assert_exist(table: &str, rows: Rows, above: &[&'static str], exists: impl Fn(&[&str]) -> bool) {
    let mut paths = BTreeSet::new();
    collect_table_paths(rows, above, &mut paths);
    let missing: Vec<_> = paths.iter().filter(|path| !exists(path)).map(|path| path.join(".")).collect();
    assert!(missing.is_empty(), "{table}: these fields do not exist: {missing:?}");
}

/// Whether a schema has a field. A mapping without `properties` has every field.
fn schema_has_path(schema: &Value, path: &[&str]) -> bool {
    let Some((step, rest)) = path.split_first() else { return true };
    let next = match *step {
        "[]" => schema.get("items"),
        "*" => schema.get("additionalProperties"),
        key => schema["properties"].get(key).or_else(|| schema.get("additionalProperties")),
    };
    match next {
        Some(next) if next.is_object() => schema_has_path(next, rest),
        _ => schema["type"] == "object" && schema.get("properties").is_none() && *step != "[]",
    }
}

/// Whether a Kubernetes struct has a field.
fn kubernetes_type_has_path(field_type: &FieldType, path: &[&str]) -> bool {
    let Some((step, rest)) = path.split_first() else { return true };
    match (field_type, *step) {
        (FieldType::List(field_type), "[]") | (FieldType::Map(field_type), _) => {
            kubernetes_type_has_path(field_type, rest)
        }
        (FieldType::Struct(field_type), key) => {
            field_type.field(key).is_some_and(|field| kubernetes_type_has_path(&field.kind, rest))
        }
        _ => false,
    }
}

/// Whether the struct with this name has a field.
fn struct_has_path(name: &str, path: &[&str]) -> bool {
    let path: Vec<_> = path.iter().filter(|step| **step != "[]").copied().collect();
    path.is_empty() || types::is_field(name, &FieldPath::parse(path.join(".").leak()))
}

#[test]
fn row_paths_of_resources_exist_in_the_schema() {
    let tables = || {
        super::rules().filter_map(|rule| match rule.target {
            RuleTarget::Spec(kind, rows) | RuleTarget::SpecInInstance(kind, rows) => Some((kind, rows)),
            _ => None,
        })
    };
    for (kind, rows) in tables() {
        // One table serves both kinds of monitors.
        let kinds = tables().filter(|(_, other)| std::ptr::eq(*other, rows)).map(|(kind, _)| kind);
        let schemas: Vec<_> = kinds.map(|kind| schema_json(kind)["properties"]["spec"].take()).collect();
        assert_exist(kind.as_str(), rows, &[], |path| schemas.iter().any(|schema| schema_has_path(schema, path)));
    }
}

#[test]
fn row_paths_of_rendered_objects_exist_in_kubernetes_types() {
    for kind in ["StatefulSet", "DaemonSet", "Deployment", "Service", "Secret"] {
        let field_type = FieldType::Struct(GoStruct::lookup(kind));
        assert_exist(kind, manifest::rules_for_kind(kind), &[], |path| kubernetes_type_has_path(&field_type, path));
    }
    let template = FieldType::Struct(GoStruct::lookup("PodTemplateSpec"));
    for control in pod_security::controls::CONTROLS {
        // The standard is ported as a whole, although the operator's Kubernetes types drop a field of Kubernetes 1.30.
        let is_later = |path: &[&str]| path.contains(&"appArmorProfile");
        assert_exist(control.id, control.rules, &[], |path| {
            is_later(path) || kubernetes_type_has_path(&template, path)
        });
    }
}

#[test]
fn row_paths_of_jobs_exist_in_the_agent_types() {
    for rows in [additional::JOB, http_client::CLIENT] {
        assert_exist("additionalScrapeConfigs", rows, &[], |path| struct_has_path(types::SCRAPE_JOB, path));
    }
    for rows in [additional::LOGS_ROWS, job::JOB] {
        assert_exist("additionalScrapeConfigs of logs", rows, &[], |path| struct_has_path(types::LOGS_JOB, path));
    }
    let check_rows = |rule: &'static Expect, at: &[&'static str], exists: &dyn Fn(&[&str]) -> bool| {
        let mut paths = BTreeSet::new();
        collect_rule_paths(rule, at, &mut paths);
        let missing: Vec<_> = paths.into_iter().filter(|path| !exists(path)).collect();
        assert!(missing.is_empty(), "these fields do not exist: {missing:?}");
    };
    for (kind, rule) in &discovery::KINDS {
        check_rows(rule, &[], &|path| struct_has_path(&format!("{kind}.SDConfig"), path));
    }
    for (kind, rule) in &job::KINDS {
        check_rows(rule, &[kind], &|path| struct_has_path(types::LOGS_JOB, path));
    }
    for (stages, rule) in raw_stage::rules::RULES {
        for stage in stages.split('|') {
            let (.., fields) = raw_stage::STAGES.iter().find(|(name, ..)| *name == stage).expect(stage);
            check_rows(rule, &[], &|path| match path.first() {
                Some(first) => fields.split(',').any(|field| field.split(' ').next() == Some(first)),
                None => true,
            });
        }
    }
}

#[test]
fn row_paths_of_integrations_exist_in_the_agent_types() {
    for (name, rows, _) in CONSTRUCTORS {
        let integration = integrations::find(name).expect(name);
        assert_exist(name, rows, &[], |path| {
            let path: Vec<_> = path.iter().filter(|step| **step != "[]").copied().collect();
            path.is_empty() || integration.config.has(&FieldPath::parse(path.join(".").leak()))
        });
    }
}

#[test]
fn detects_misspelled_row_paths() {
    let service = FieldType::Struct(GoStruct::lookup("Service"));
    let kind = crate::api::Kind::MetricsInstance;
    let schema = &schema_json(kind)["properties"]["spec"];
    for (path, expected) in [
        (&["remoteWrite", "[]", "url"][..], [true, false, false]),
        (&["remoteWrite", "url"], [false, false, false]),
        (&["remoteWrite", "[]", "headers", "*"], [true, false, false]),
        (&["spec", "ports", "[]", "targetPort"], [false, true, false]),
        (&["spec", "port"], [false, false, false]),
        (&["docker_sd_configs", "[]", "host"], [false, false, true]),
        (&["docker_sd_configs", "[]", "hots"], [false, false, false]),
        (&["oauth2", "tls_config", "min_version"], [false, false, true]),
    ] {
        let actual = [
            schema_has_path(schema, path),
            kubernetes_type_has_path(&service, path),
            struct_has_path(types::SCRAPE_JOB, path),
        ];
        assert_eq!(actual, expected, "{path:?}");
    }
}
