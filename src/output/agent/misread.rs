//! Strings of a configuration that the agent does not read as they are.

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
    let configuration = Configuration::new(plan, part, Secrets::Values);
    below(&configuration.outline(), false, None, pass);
    let instances = [(JobKind::Metrics, plan.metrics.len()), (JobKind::Logs, plan.logs.len())];
    let numbers = instances
        .into_iter()
        .flat_map(|(kind, count)| (0..count).map(move |number| (kind, number)));
    for instance in numbers {
        configuration.each_job(instance, &mut |job, value| {
            below(&value, true, job.is_none().then_some(instance), pass);
        });
    }
}

fn below(value: &Value<'_>, in_item: bool, additional: Option<InstanceNumber>, pass: &mut dyn FnMut(&Misread<'_>)) {
    match value {
        Value::Sequence(items) => items.iter().for_each(|item| below(item, true, additional, pass)),
        // A mapping below another one is in no item.
        Value::Mapping(entries) => entries.iter().for_each(|(_, value)| {
            let in_item = in_item && !matches!(value, Value::Mapping(_));
            below(value, in_item, additional, pass);
        }),
        Value::Secret(secret) => below(&secret.value, in_item, additional, pass),
        Value::String(text) => {
            let read = read_back(text, in_item);
            if read != ReadBack::Same {
                pass(&Misread { text, read, additional });
            }
        }
        _ => {}
    }
}
