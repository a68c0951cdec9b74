//! Findings about selectors whose targets another selector of the same instance also matches.

use super::wider_selector::{NarrowSelection, SelectedTargets};
use crate::api::{Kind, ResourceHeader};
use crate::check::collected_data::cause_of_pair;
use crate::diagnostic::{Code, Diagnostic, FieldPath};

/// Finding for a selection whose targets are all in another selection of the same instance.
pub fn selected_by_wider(selection: &NarrowSelection<'_, '_>) -> Diagnostic {
    let NarrowSelection { instance, narrow, wide, is_narrow_last } = selection;
    let (verb, objects) = match narrow.head.kind {
        Kind::PodLogs => ("reads each log file", "pods"),
        Kind::PodMonitor => ("scrapes each target", "pods"),
        _ => ("scrapes each target", "Services"),
    };
    let describe = |head: &ResourceHeader<'_>| format!("{} `{}`", head.kind, head.meta.full_name());
    let [name, other] = [describe(narrow.head), describe(wide.head)];
    let (first, second) = if *is_narrow_last { (wide, narrow) } else { (narrow, wide) };
    let is_same_resource = narrow.head.object_ref() == wide.head.object_ref();
    let path = |selected: &SelectedTargets<'_, '_>| match selected.endpoint {
        Some((field, index)) if is_same_resource => FieldPath::parse("spec").key(field).index(index),
        _ => FieldPath::parse("spec.selector"),
    };
    let instance = format!("{} `{}`", instance.kind, instance.meta.full_name());
    let message = match is_same_resource {
        true => format!("two endpoints of {name} scrape the same targets for {instance}"),
        false => format!("{instance} {verb} of {name} twice: {other} selects the same {objects}"),
    };
    let is_in_wide = |key: &str| wide.selector.match_labels.iter().any(|(candidate, _)| candidate == key);
    let extra_label = narrow.selector.match_labels.iter().find(|(key, _)| !is_in_wide(key));
    let help = match extra_label {
        _ if is_same_resource => "remove one of the two endpoints".to_owned(),
        Some((key, value)) => format!(
            "remove {name}, or exclude its {objects} from {other} with `{{key: {key}, operator: NotIn, values: [{value}]}}` in `matchExpressions`"
        ),
        None => format!("remove one of the two, or narrow the selector of {other}"),
    };
    let finding = second.head.finding(Code::DuplicateScrape, &path(second), message);
    let cause = cause_of_pair(first.head.object_ref(), second.head.object_ref());
    finding.label(first.head.locate(&path(first)), "also selected here").help(help).cause(cause)
}
