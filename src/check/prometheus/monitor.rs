//! Rules for ServiceMonitors, PodMonitors and Probes.

use super::client;
use super::copied::MONITOR_RELABEL;
use crate::check::field::{ANCHORED_REGEX, COPIED_LABEL, DURATION, LABEL_NAMES, PROXY_URL, check_anchored_regex};
use crate::check::walk::Expect::{self, In, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::plan::RelabelAction;

/// Rules for a single ServiceMonitor or PodMonitor.
pub const MONITOR: Rows = &[
    ("targetLabels|podTargetLabels[]", COPIED_LABEL),
    ("selector", In(SELECTOR)),
    ("endpoints|podMetricsEndpoints[]", In(ENDPOINT)),
];

/// Rules for an endpoint (`ScrapeConfig.Validate`).
const ENDPOINT: Rows = &[
    ("interval|scrapeTimeout", DURATION),
    ("proxyUrl", PROXY_URL),
    ("", With(check_port)),
    ("relabelings|metricRelabelings[]", MONITOR_RELABEL),
    ("", With(client::check_endpoint)),
    ("tlsConfig", With(client::check_tls)),
];

/// Checks an endpoint's port, which the operator writes as a regular expression. `port` always selects by name, even if
/// it is a number.
fn check_port<'v>(endpoint: Json<'v>, walk: &mut Walk<'v>) {
    let port = endpoint.text("port");
    if port.is_empty() {
        return walk.check_row("targetPort", &ANCHORED_REGEX, endpoint);
    }
    walk.check_row("port", &ANCHORED_REGEX, endpoint);
    if port.bytes().all(|b| b.is_ascii_digit()) {
        let message = format!("`port` must be a port name, but is the number `{port}`");
        // YAML 1.1 would read a number with leading zeros as octal.
        let number = port.trim_start_matches('0');
        let help = format!("use `targetPort: {number}` to select the container port by number");
        walk.report_with_code(Code::NumericPortName, &[Step::Key("port")], message, help);
    }
}

/// Rules for the target selector, whose values the operator writes as regular expressions. The API server accepts
/// `matchLabels: {app: "*"}`, but the agent does not.
pub const SELECTOR: Rows = &[("matchLabels.*", ANCHORED_REGEX), ("matchExpressions[]", With(check_expression))];

fn check_expression<'v>(expression: Json<'v>, walk: &mut Walk<'v>) {
    match expression.text("operator") {
        "In" | "NotIn" => {}
        "Exists" | "DoesNotExist" | "" => return,
        // For an unknown operator, the templates yield null, which is then removed, because their `if` has no `else`.
        operator => {
            let operator = walk.quote(operator);
            let message = format!("the operator ignores this requirement because {operator} is not a valid `operator`");
            let help = "use `In`, `NotIn`, `Exists` or `DoesNotExist`; until then, the requirement does not narrow the selection";
            walk.report_with_code(Code::IgnoredField, &[Step::Key("operator")], message, help);
            return;
        }
    }
    let mut values = expression.list("values").filter_map(Json::as_str);
    if expression.list("values").count() == 1 {
        walk.check_row("values[]", &ANCHORED_REGEX, expression);
    } else {
        let mut joined_values = values.next().unwrap_or_default().to_owned();
        values.for_each(|value| joined_values.extend(["|", value]));
        walk.enter(Step::Key("values"), |walk| check_anchored_regex(&joined_values, walk));
    }
}

/// Rules for a single Probe.
pub const PROBE: Rows = &[
    ("interval|scrapeTimeout", DURATION),
    ("", With(client::check_endpoint)),
    ("tlsConfig", With(client::check_tls)),
    ("targets", With(check_targets)),
    ("", With(check_address)),
];
const STATIC: Expect = In(&[("labels", LABEL_NAMES), ("", In(PROBE_RULES))]);
const INGRESS: Expect = In(&[("selector", In(SELECTOR)), ("", In(PROBE_RULES))]);
const PROBE_RULES: Rows = &[("relabelingConfigs[]", MONITOR_RELABEL)];

/// Checks a Probe's targets. If both kinds are set, the operator uses the static targets.
fn check_targets<'v>(targets: Json<'v>, walk: &mut Walk<'v>) {
    match targets.non_null("staticConfig").is_some() {
        true => walk.check_row("staticConfig", &STATIC, targets),
        false => walk.check_row("ingress", &INGRESS, targets),
    }
}

/// Whether a rule might set the address or drop the target.
fn may_write_address(rule: Json<'_>) -> bool {
    let label = rule.text("targetLabel");
    let action = RelabelAction::from_name(rule.text("action"));
    let has_special_effect = action.is_some_and(|action| action == RelabelAction::LabelMap || action.is_filter());
    label == "__address__" || label.contains('$') || has_special_effect
}

/// Checks the prober's `url`, which the operator writes as the address of every target. Prometheus cannot scrape an
/// address that contains a slash, such as `http://blackbox:9115/probe`. If the targets were rejected, their relabeling
/// rules may still set a different address.
fn check_address<'v>(probe: Json<'v>, walk: &mut Walk<'v>) {
    let static_config = probe.non_null("targets.staticConfig");
    let rules = static_config.or_else(|| probe.non_null("targets.ingress"));
    let mut rules = rules.into_iter().flat_map(|config| config.list("relabelingConfigs"));
    let has_targets = static_config.is_none_or(|config| config.list("static").next().is_some());
    if walk.is_rejected("targets") || !has_targets || rules.any(may_write_address) {
        return;
    }
    let address = probe.at("prober.url").and_then(Json::as_str).unwrap_or_default();
    let message = match address {
        "" => "the prober has no address, so no target can be scraped".to_owned(),
        url if url.contains('/') => format!("{} must be a host and port, not a URL or path", walk.quote(url)),
        _ => return,
    };
    let help = "use a host and port, such as `blackbox-exporter:9115`; `scheme` and `path` have their own fields";
    let at = [Step::Key("prober"), Step::Key("url")];
    walk.report_with_code(Code::InvalidProbeAddress, &at, message, help);
}
