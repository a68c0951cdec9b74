//! What in additional scrape jobs is known to be a setting, and so no secret although it is in a Secret.

use crate::yaml::{SecretSource, Value};

/// Keys of texts that are settings: names of jobs, labels and namespaces, and one of a few words that Prometheus or Promtail knows.
const SETTINGS: &str = "action authentication_method availability format group interval job_name max_version metrics_path min_version \
    name names namespace port regex region role scheme separator source_labels target_label type zone";

/// How keys of other settings end: files and times.
const ENDS: [&str; 5] = ["_file", "_interval", "_timeout", "_period", "_age"];

/// Keys of mappings whose keys the user chooses.
const FREE: &str = "endpoint_params headers http_headers labels params proxy_connect_header static_labels";

/// The key of stages, in which most texts are names of fields, patterns and templates.
const STAGES: &str = "pipeline_stages";

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Job,
    Stage,
    Free,
}

/// Takes every text that is not a setting out of a job.
pub(super) fn take_others(job: &mut Value<'_>) {
    take(job, "", Place::Job);
}

fn take(value: &mut Value<'_>, key: &str, place: Place) {
    match value {
        Value::String(text) if !is_setting(text, key, place) => {
            let text = std::mem::take(text);
            *value = Value::secret(text, SecretSource::Field);
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| take(item, key, place)),
        Value::Mapping(fields) => {
            for (key, inner) in fields.iter_mut() {
                let place = match place {
                    Place::Free => Place::Free,
                    Place::Stage if key == "labels" => Place::Stage,
                    _ if is_one_of(FREE, key) => Place::Free,
                    _ if key == STAGES => Place::Stage,
                    place => place,
                };
                take(inner, key, place);
            }
        }
        _ => {}
    }
}

fn is_one_of(keys: &str, key: &str) -> bool {
    keys.split(' ').any(|known| known == key)
}

fn is_setting(text: &str, key: &str, place: Place) -> bool {
    // A reference to what a pattern matched.
    let is_reference = text.bytes().all(|byte| b"${}".contains(&byte) || byte.is_ascii_digit());
    let is_known = || is_one_of(SETTINGS, key) || ENDS.iter().any(|end| key.ends_with(end));
    // What may be a query or a user.
    let is_plain = || key == "regex" || !text.contains(['?', '@', '=']);
    is_reference
        || match place {
            Place::Job => is_known() && is_plain(),
            Place::Stage => key != "value",
            Place::Free => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_setting_is_taken() {
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
        take_others(&mut job);
        let (mut taken, mut left) = (0, 0);
        job.each_leaf(&mut |leaf| match leaf {
            Value::Secret(secret) => {
                taken += 1;
                assert!(secret.value.as_str().is_some_and(|text| text.contains("hunter2")));
            }
            Value::String(text) => {
                left += 1;
                assert!(!text.contains("hunter2"), "{text}");
            }
            _ => {}
        });
        assert_eq!((taken, left), (9, 11));
    }

    #[test]
    fn a_text_is_a_setting_by_its_key_and_its_place() {
        for (text, key, [job, stage, free]) in [
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
            let found = [Place::Job, Place::Stage, Place::Free].map(|place| is_setting(text, key, place));
            assert_eq!(found, [job, stage, free], "{text} {key}");
        }
    }

    #[test]
    fn what_the_user_names_is_free_however_deep_it_is() {
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
            take_others(&mut job);
            let mut found = String::new();
            job.each_leaf(&mut |leaf| match leaf {
                Value::Secret(_) => found.push('-'),
                Value::String(text) => found.push_str(text),
                _ => {}
            });
            assert_eq!(found, expected, "{job:?}");
        }
    }
}
