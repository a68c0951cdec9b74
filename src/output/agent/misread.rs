//! Strings of a configuration that the agent does not read as they are.

use std::borrow::Cow;

use super::configuration::{Configuration, InstanceNumber};
use crate::plan::{ConfigKind, JobKind, Plan, Secrets};
use crate::yaml::{ReadBack, Value, read_back};

/// A string that is not read as it is.
pub struct Misread<'v> {
    pub text: &'v str,
    pub read: ReadBack<'v>,
    /// The instance whose additional jobs have it.
    pub additional: Option<InstanceNumber>,
}

/// Passes on each string of a configuration, keys excepted, that the agent reads as another one, or not at all.
pub fn each_misread(plan: &Plan<'_>, part: ConfigKind, pass: &mut dyn FnMut(&Misread<'_>)) {
    let mut pass = |value: &mut Value<'_>, in_item, additional| {
        each_string(value, in_item, &mut |text, in_item| {
            let read = read_back(text, in_item);
            if read != ReadBack::Same {
                pass(&Misread { text, read, additional });
            }
        });
    };
    let configuration = Configuration::new(plan, part, Secrets::Values);
    pass(&mut configuration.outline(), false, None);
    let instances = [(JobKind::Metrics, plan.metrics.len()), (JobKind::Logs, plan.logs.len())];
    let numbers = instances
        .into_iter()
        .flat_map(|(kind, count)| (0..count).map(move |number| (kind, number)));
    for instance in numbers {
        configuration.each_job(instance, &mut |job, mut value| {
            pass(&mut value, true, job.is_none().then_some(instance));
        });
    }
}

/// Returns a scrape job with each string, keys excepted, as the agent reads it. With a string that it cannot read, it does not start.
pub fn read_job(mut job: Value<'_>) -> Value<'_> {
    each_string(&mut job, true, &mut |text, in_item| {
        let read = match read_back(text, in_item) {
            ReadBack::Other(read) => read.into_owned(),
            ReadBack::Same | ReadBack::Unreadable => return,
        };
        *text = read.into();
    });
    job
}

/// Visits each string of a value, keys excepted. For `in_item` see [`read_back`].
fn each_string<'v>(value: &mut Value<'v>, in_item: bool, visit: &mut dyn FnMut(&mut Cow<'v, str>, bool)) {
    match value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| each_string(item, true, visit)),
        // A mapping below another one is in no item.
        Value::Mapping(entries) => entries.iter_mut().for_each(|(_, value)| {
            let in_item = in_item && !matches!(value, Value::Mapping(_));
            each_string(value, in_item, visit);
        }),
        Value::Secret(secret) => each_string(&mut secret.value, in_item, visit),
        Value::String(text) => visit(text, in_item),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn jobs_have_the_strings_that_the_agent_reads() {
        let job = |targets: &str, label: &str, separator: &str, replacement: &str| {
            Value::from(json!({
                "static_configs": [{"targets": [targets], "labels": {"\nk": label}}],
                "relabel_configs": [{"separator": separator, "replacement": replacement}],
            }))
        };
        let written = job("  a\n  b", "\n  K", "\n", "\n  x");
        assert!(read_job(written) == job("a\nb", "  K", "", "x"));
        // The agent does not start with what it cannot read.
        let unreadable = job("\nx", " K", "\tx\ny", "\nx\ny");
        assert!(read_job(unreadable.clone()) == unreadable);
    }
}
