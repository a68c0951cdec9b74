//! StatefulSets for metrics, one per shard.

use serde_json::Value;

use super::compact::CompactValue;
use super::role::shard_name;

/// First and last StatefulSet of an agent. They differ only in the shard number and in names derived from it, so the
/// intermediate StatefulSets can be computed. As a result, a thousand StatefulSets take barely more memory than two.
pub(super) struct Shards {
    first: CompactValue,
    /// Last shard number and its StatefulSet, or `None` if there is only one shard.
    last: Option<(i32, CompactValue)>,
    agent: String,
}

impl Shards {
    /// Creates the StatefulSets of an agent (`createMetricsStatefulSets`). `set` renders the StatefulSet with a given
    /// number.
    pub(super) fn new(agent: &str, count: i32, set: impl Fn(i32) -> Value) -> Self {
        Self {
            first: CompactValue::new(&set(0)),
            last: (count > 1).then(|| (count - 1, CompactValue::new(&set(count - 1)))),
            agent: agent.to_owned(),
        }
    }

    /// Returns the number of the last shard.
    pub(super) fn last_number(&self) -> i32 {
        self.last.as_ref().map_or(0, |(number, _)| *number)
    }

    /// Returns the approximate total size in bytes.
    pub(super) fn size(&self) -> u64 {
        let count = u64::try_from(self.last_number()).unwrap_or_default() + 1;
        self.first.size().saturating_mul(count)
    }

    /// Returns the manifest of a shard.
    pub(super) fn to_json(&self, shard: i32) -> Value {
        let Some((last_number, last_shard)) = self.last.as_ref().filter(|_| shard > 0) else {
            return self.first.value();
        };
        let mut json = last_shard.value();
        if shard < *last_number {
            let (number, last_name) = (last_number.to_string(), shard_name(&self.agent, *last_number));
            replace_differences(&mut json, &self.first.value(), &|text| {
                if *text == number {
                    *text = shard.to_string();
                } else if let Some(rest) = text.strip_prefix(&last_name) {
                    *text = format!("{}{rest}", shard_name(&self.agent, shard));
                }
            });
        }
        json
    }
}

/// Calls `replace` for each string that differs from its counterpart in `other`, which has the same fields.
fn replace_differences(value: &mut Value, other: &Value, replace: &impl Fn(&mut String)) {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            let pairs = fields.values_mut().zip(others.values());
            pairs.for_each(|(value, other)| replace_differences(value, other, replace));
        }
        (Value::Array(items), Value::Array(others)) => {
            let pairs = items.iter_mut().zip(others);
            pairs.for_each(|(value, other)| replace_differences(value, other, replace));
        }
        (Value::String(text), Value::String(other)) if text != other => replace(text),
        _ => {}
    }
}
