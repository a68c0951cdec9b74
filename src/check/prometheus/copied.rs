//! Relabeling rules that the agent rejects when it copies an instance.
//!
//! Reports the `keepequal` and `dropequal` actions in any metrics rule. Before an instance runs, the agent writes the
//! instance's configuration as YAML and reads it again (`instance.Config.Clone`, called by `GroupManager.applyConfig`).
//! The copy has an explicit `regex: (.*)` (`relabel.Regexp.MarshalYAML`), which is forbidden for these two actions:
//! `relabel.Config.UnmarshalYAML` compares pointers, so an explicit default differs from the default. `syncInstances`
//! logs the error and continues without the instance.
//!
//! Neither Alloy nor Promtail copies configurations, so rules in PodLogs may use these actions.

use super::relabel::RELABEL;
use crate::check::walk::Expect::{self, In, With};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;

/// Expects a relabeling rule in a monitor.
pub const MONITOR_RELABEL: Expect = In(&[("", RELABEL), ("", EQUAL_ACTION)]);

/// Rejects `keepequal` and `dropequal` if the rule has no other errors, whether the rule is in a resource or in the
/// agent's configuration.
pub const EQUAL_ACTION: Expect = With(check_equal_action);

fn check_equal_action<'v>(rule: Json<'v>, walk: &mut Walk<'v>) {
    let action = rule.text("action");
    let known_action =
        ["keepequal", "dropequal"].into_iter().find(|known_action| known_action.eq_ignore_ascii_case(action));
    let Some(action) = known_action.filter(|_| walk.context.is_for_agent() && !walk.has_error()) else {
        return;
    };
    let instance = walk.context.metrics.map(|metrics| metrics.instance);
    let result = match instance {
        Some(instance) => format!("MetricsInstance `{}` does not run", instance.meta.full_name()),
        None => "no instance that uses the rule runs".to_owned(),
    };
    let message = format!("the agent rejects every rule with the `{action}` action, so {result}");
    let plain = action.strip_suffix("equal").unwrap_or_default();
    let help =
        format!("use `{plain}` with a `regex` that lists the values, or `--target alloy`, which accepts the rule");
    walk.report_with_code(Code::RejectedRelabelAction, &[Step::Key("action")], message, help);
}
