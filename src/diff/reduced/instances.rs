//! Instances of metrics and logs that are the same on both sides. Where an agent has hundreds of them, each with a job or two,
//! most of a configuration is not in its jobs.

use std::collections::HashMap;
use std::ops::Range;

/// The line of the instances of metrics or logs, how each begins, and the line of its name.
const INSTANCES: &str = "    configs:";
const INSTANCE: &str = "        - ";
const INSTANCE_NAME: &str = "          name: ";

/// The bytes of the instances of an agent that are the same on both sides, and are between others that are.
pub(super) fn same(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (old_instances, new_instances) = (instances(old), instances(new));
    if old_instances.len().min(new_instances.len()) < 3 {
        return Default::default();
    }
    let places: HashMap<_, _> = new_instances
        .iter()
        .zip(0..)
        .map(|((name, _), place)| (*name, place))
        .collect();
    let is_same = |a: usize, b: usize| match (old_instances.get(a), new_instances.get(b)) {
        (Some((name, a)), Some((other, b))) => name == other && old.get(a.clone()) == new.get(b.clone()),
        (None, None) => true,
        _ => false,
    };
    let mut same: (Vec<Range<usize>>, Vec<Range<usize>>) = Default::default();
    for (a, (name, bytes)) in old_instances.iter().enumerate() {
        let Some(&b) = places.get(name) else { continue };
        let is_first = a == 0 || b == 0;
        let is_between = (a == b && is_first || !is_first && is_same(a - 1, b - 1)) && is_same(a + 1, b + 1);
        if is_between && is_same(a, b) {
            same.0.push(bytes.clone());
            same.1.extend(new_instances.get(b).map(|(_, bytes)| bytes.clone()));
        }
    }
    same.1.sort_unstable_by_key(|bytes| bytes.start);
    same
}

/// The instances of an agent: their names, and their bytes.
fn instances(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut instances: Vec<(&str, Range<usize>)> = Vec::new();
    let (mut is_in_list, mut end) = (false, 0);
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        match instances.last_mut() {
            _ if is_in_list && line.starts_with(INSTANCE) => instances.push(("", start..end)),
            Some((name, instance)) if is_in_list && line.starts_with("         ") => {
                instance.end = end;
                if let Some(found) = line.strip_prefix(INSTANCE_NAME) {
                    *name = found;
                }
            }
            _ => is_in_list = line.trim_end() == INSTANCES,
        }
    }
    instances
}
