//! Values in additional scrape jobs that are known settings and therefore not secret, even though they are in a Secret.

use crate::yaml::{SecretSource, Value};

/// Keys whose values are settings, such as job, label and namespace names, patterns, and enumerated values from
/// Prometheus and Promtail.
const SETTINGS: &str = "action authentication_method availability format group interval job_name max_version metrics_path min_version \
    name names namespace port regex region role scheme separator source_labels target_label type zone";

/// Suffixes of keys whose values are settings: file names and durations.
const SUFFIXES: [&str; 5] = ["_file", "_interval", "_timeout", "_period", "_age"];

/// Keys whose values are mappings with user-defined keys.
const FREE: &str = "endpoint_params headers http_headers labels params proxy_connect_header static_labels";

/// Key that contains stages, in which most strings are field names, patterns and templates.
const STAGES: &str = "pipeline_stages";

/// Context of a value, determined by its key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyContext {
    Job,
    Stage,
    Free,
}

/// Converts every string in a job to a secret value, except for known settings.
pub(super) fn take_other_strings(job: &mut Value<'_>) {
    take_strings(job, "", KeyContext::Job);
}

fn take_strings(value: &mut Value<'_>, key: &str, context: KeyContext) {
    match value {
        Value::String(text) if !is_setting(text, key, context) => {
            let text = std::mem::take(text);
            *value = Value::secret(text, SecretSource::Field);
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| take_strings(item, key, context)),
        Value::Mapping(fields) => {
            for (key, inner_value) in fields.iter_mut() {
                let context = match context {
                    KeyContext::Free => KeyContext::Free,
                    KeyContext::Stage if key == "labels" => KeyContext::Stage,
                    _ if is_one_of(FREE, key) => KeyContext::Free,
                    _ if key == STAGES => KeyContext::Stage,
                    context => context,
                };
                take_strings(inner_value, key, context);
            }
        }
        _ => {}
    }
}

fn is_one_of(keys: &str, key: &str) -> bool {
    keys.split(' ').any(|candidate| candidate == key)
}

fn is_setting(text: &str, key: &str, context: KeyContext) -> bool {
    // The value consists only of references to a pattern's capture groups.
    let is_reference = text.bytes().all(|byte| b"${}".contains(&byte) || byte.is_ascii_digit());
    let is_known = || is_one_of(SETTINGS, key) || SUFFIXES.iter().any(|suffix| key.ends_with(suffix));
    // The value cannot contain a query or a user name.
    let is_plain = || key == "regex" || !text.contains(['?', '@', '=']);
    is_reference
        || match context {
            KeyContext::Job => is_known() && is_plain(),
            KeyContext::Stage => key != "value",
            KeyContext::Free => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collects_strings_that_may_be_secret() {
        let job = serde_json::json!({
            "job_name": "open", "metrics_path": "/open", "scrape_interval": "1m", "honor_labels": true,
            "params": {"name": ["hunter2"]},
            "proxy_url": "http://host/?x=hunter2",
            "http_headers": {"X": {"values": ["hunter2"]}},
            "static_configs": [{"targets": ["hunter2:80"], "labels": {"type": "hunter2"}}],
            "relabel_configs": [
                {"source_labels": ["open"], "target_label": "open", "regex": "(open)", "replacement": "$1"},
                {"target_label": "open", "replacement": "hunter2"}
            ],
            "basic_auth": {"username": "hunter2", "password_file": "/open"},
            "pipeline_stages": [{"match": {"selector": "{a=\"open\"}"}}, {"tenant": {"value": "hunter2"}},
                {"static_labels": {"a": "hunter2"}}, {"labels": {"level": "open"}}],
        });
        let mut job = Value::from(job);
        take_other_strings(&mut job);
        let (mut taken_count, mut remaining_count) = (0, 0);
        job.for_each_leaf(&mut |leaf| match leaf {
            Value::Secret(secret) => {
                taken_count += 1;
                assert!(secret.value.as_str().is_some_and(|text| text.contains("hunter2")));
            }
            Value::String(text) => {
                remaining_count += 1;
                assert!(!text.contains("hunter2"), "{text}");
            }
            _ => {}
        });
        assert_eq!((taken_count, remaining_count), (9, 11));
    }

    #[test]
    fn recognizes_settings_by_key_and_context() {
        for (text, key, [job, stage, free_form]) in [
            ("", "replacement", [true, true, true]),
            ("$1", "replacement", [true, true, true]),
            ("${12}", "value", [true, true, true]),
            ("$a", "replacement", [false, true, false]),
            ("a", "value", [false, false, false]),
            ("a", "expression", [false, true, false]),
            ("a", "job_name", [true, true, false]),
            ("a?b", "job_name", [false, true, false]),
            ("a@b", "metrics_path", [false, true, false]),
            ("a=b", "region", [false, true, false]),
            ("a=b@c?", "regex", [true, true, false]),
            ("/a", "password_file", [true, true, false]),
            ("1m", "scrape_interval", [true, true, false]),
            ("1m", "scrape_timeout", [true, true, false]),
            ("1m", "sync_period", [true, true, false]),
            ("1d", "max_age", [true, true, false]),
            ("http://a", "proxy_url", [false, true, false]),
            ("a", "jobs_name", [false, true, false]),
        ] {
            let actual =
                [KeyContext::Job, KeyContext::Stage, KeyContext::Free].map(|context| is_setting(text, key, context));
            assert_eq!(actual, [job, stage, free_form], "{text} {key}");
        }
    }

    #[test]
    fn user_defined_keys_are_never_settings() {
        for (job, expected) in [
            (r#"{"job_name": "a"}"#, "a"),
            (r#"{"params": {"job_name": "a"}}"#, "-"),
            (r#"{"params": {"x": {"pipeline_stages": [{"job_name": "a"}]}}}"#, "-"),
            (r#"{"labels": {"job_name": "a"}}"#, "-"),
            (r#"{"x": {"job_name": ["a", 1, null]}}"#, "a"),
            (r#"{"pipeline_stages": [{"x": "a"}]}"#, "a"),
            (r#"{"pipeline_stages": [{"labels": {"x": "a"}}]}"#, "a"),
            (r#"{"pipeline_stages": [{"static_labels": {"x": "a"}}]}"#, "-"),
            (r#"{"pipeline_stages": [{"labels": {"params": {"x": "a"}}}]}"#, "-"),
        ] {
            let mut job = Value::from(serde_json::from_str::<serde_json::Value>(job).unwrap());
            take_other_strings(&mut job);
            let mut found_settings = String::new();
            job.for_each_leaf(&mut |leaf| match leaf {
                Value::Secret(_) => found_settings.push('-'),
                Value::String(text) => found_settings.push_str(text),
                _ => {}
            });
            assert_eq!(found_settings, expected, "{job:?}");
        }
    }
}
