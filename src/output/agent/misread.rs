//! Strings in a configuration that the agent cannot read or reads as different strings.

use std::borrow::Cow;

use super::configuration::{Configuration, InstanceNumber};
use crate::plan::{ConfigKind, JobKind, Plan, SecretRepresentation};
use crate::yaml::{ReadBack, Value, read_back};

/// String that the agent cannot read or reads as a different string.
pub struct Misread<'v> {
    pub text: &'v str,
    pub read: ReadBack<'v>,
    /// Instance whose additional jobs contain the string.
    pub additional: Option<InstanceNumber>,
}

/// Calls `pass` with each string in a configuration, except keys, that the agent cannot read or reads as a different
/// string.
pub fn for_each_misread(plan: &Plan<'_>, part: ConfigKind, pass: &mut dyn FnMut(&Misread<'_>)) {
    let mut pass = |value: &mut Value<'_>, in_item, additional| {
        for_each_string(value, in_item, &mut |text, in_item| {
            let read_back_text = read_back(text, in_item);
            if read_back_text != ReadBack::Same {
                pass(&Misread { text, read: read_back_text, additional });
            }
        });
    };
    let configuration = Configuration::new(plan, part, SecretRepresentation::Values);
    pass(&mut configuration.outline(), false, None);
    let instances = [(JobKind::Metrics, plan.metrics.len()), (JobKind::Logs, plan.logs.len())];
    let numbers = instances.into_iter().flat_map(|(kind, count)| (0..count).map(move |number| (kind, number)));
    for instance in numbers {
        configuration.for_each_job(instance, &mut |job, mut value| {
            pass(&mut value, true, job.is_none().then_some(instance));
        });
    }
}

/// Returns a scrape job in which each string, except keys, is replaced with the string that the agent reads. If a
/// string cannot be read, the agent does not start.
pub fn read_job(mut job: Value<'_>) -> Value<'_> {
    for_each_string(&mut job, true, &mut |text, in_item| {
        let read_back_text = match read_back(text, in_item) {
            ReadBack::Other(read) => read.into_owned(),
            ReadBack::Same | ReadBack::Unreadable => return,
        };
        *text = read_back_text.into();
    });
    job
}

/// Visits each string in a value, except keys. See [`read_back`] for `in_item`.
fn for_each_string<'v>(value: &mut Value<'v>, in_item: bool, visit: &mut dyn FnMut(&mut Cow<'v, str>, bool)) {
    match value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| for_each_string(item, true, visit)),
        // A mapping nested in another mapping is not a list item.
        Value::Mapping(entries) => entries.iter_mut().for_each(|(_, value)| {
            let in_item = in_item && !matches!(value, Value::Mapping(_));
            for_each_string(value, in_item, visit);
        }),
        Value::Secret(secret) => for_each_string(&mut secret.value, in_item, visit),
        Value::String(text) => visit(text, in_item),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_strings_in_jobs_like_the_agent() {
        let job = |targets: &str, label: &str, separator: &str, replacement: &str| {
            Value::from(json!({
                "static_configs": [{"targets": [targets], "labels": {"\nk": label}}],
                "relabel_configs": [{"separator": separator, "replacement": replacement}],
            }))
        };
        let written_job = job("  a\n  b", "\n  K", "\n", "\n  x");
        assert!(read_job(written_job) == job("a\nb", "  K", "", "x"));
        // If the agent cannot read a string, it does not start.
        let unreadable_job = job("\nx", " K", "\tx\ny", "\nx\ny");
        assert!(read_job(unreadable_job.clone()) == unreadable_job);
    }
}
