//! ServiceMonitors, PodMonitors and Probes.

use super::client::{self, Values};
use super::relabel;
use crate::api::{Endpoint, IntOrString, LabelSelector, Monitor, Probe, RelabelConfig, Resource};
use crate::check::field::{anchored_regex, copied_labels, duration, label_names, proxy_url};
use crate::check::place::Place;
use crate::diagnostic::Code;
use crate::resolve::SecretStore;

/// Checks a ServiceMonitor or PodMonitor by itself.
pub fn monitor<'d>(monitor: &Monitor<'_, 'd>, store: &SecretStore<'_, 'd>, spec: &Place<'_>) {
    let namespace = monitor.head.meta.namespace;
    let values = Values { store, namespace };
    copied_labels(monitor.target_labels, &spec.key("targetLabels"));
    copied_labels(monitor.pod_target_labels, &spec.key("podTargetLabels"));
    selector(monitor.selector, &spec.key("selector"));
    for (i, one) in monitor.endpoints.iter().enumerate() {
        endpoint(one, values, &spec.key(monitor.field).index(i));
    }
}

fn endpoint<'d>(endpoint: &Endpoint<'d>, values: Values<'_, 'd>, at: &Place<'_>) {
    duration(endpoint.interval, &at.key("interval"));
    duration(endpoint.scrape_timeout, &at.key("scrapeTimeout"));
    proxy_url(endpoint.proxy_url, &at.key("proxyUrl"));
    port(endpoint.port, endpoint.target_port, at);
    relabel::check(&at.key("relabelings"));
    relabel::check(&at.key("metricRelabelings"));
    client::of_endpoint(
        endpoint.basic_auth.as_deref(),
        endpoint.bearer_token_file,
        &endpoint.bearer_token_secret,
        values,
        at,
    );
    client::tls(endpoint.tls_config.as_deref(), at);
}

/// Checks the port of an endpoint, which the operator writes as a regular expression. `port` selects by name, even if it is a number.
fn port(port: &str, target_port: Option<IntOrString<'_>>, at: &Place<'_>) {
    match target_port {
        _ if !port.is_empty() => {
            let at = at.key("port");
            anchored_regex(port, &at);
            if port.bytes().all(|b| b.is_ascii_digit()) {
                let message = format!("`port` must be the name of a port, found the number `{port}`");
                let help = format!("use `targetPort: {port}` for the number of the container's port");
                at.report(Code::NumericPortName, message, help);
            }
        }
        Some(IntOrString::String(name)) => anchored_regex(name, &at.key("targetPort")),
        _ => {}
    }
}

/// Checks the selector of targets, whose values the operator writes as regular expressions. The API server accepts
/// `matchLabels: {app: "*"}`, the agent does not.
pub fn selector(selector: &LabelSelector<'_>, at: &Place<'_>) {
    for (key, value) in &selector.match_labels {
        anchored_regex(value, &at.key("matchLabels").key(key));
    }
    let expressions = selector.match_expressions.iter().enumerate();
    for (i, expression) in expressions.filter(|(_, expression)| matches!(expression.operator, "In" | "NotIn")) {
        let at = at.key("matchExpressions");
        let at = at.index(i);
        let at = at.key("values");
        match expression.values.as_slice() {
            [value] => anchored_regex(value, &at.index(0)),
            values => anchored_regex(&values.join("|"), &at),
        }
    }
}

/// Checks a Probe by itself. If its targets were refused, their relabelling rules may still set the address.
pub fn probe<'d>(
    probe: &Resource<'d, Probe<'d>>,
    store: &SecretStore<'_, 'd>,
    targets_are_known: bool,
    spec: &Place<'_>,
) {
    let values = Values {
        store,
        namespace: probe.meta.namespace,
    };
    let probe = &probe.spec;
    duration(probe.interval, &spec.key("interval"));
    duration(probe.scrape_timeout, &spec.key("scrapeTimeout"));
    client::of_endpoint(probe.basic_auth.as_ref(), "", &probe.bearer_token_secret, values, spec);
    client::tls(probe.tls_config.as_ref(), spec);
    let rules = targets(probe, &spec.key("targets"));
    let static_config = probe.targets.static_config.as_ref();
    let has_targets = static_config.is_none_or(|config| !config.r#static.is_empty());
    if targets_are_known && has_targets && !rules.iter().any(may_write_address) {
        address(probe.prober.url, &spec.key("prober").key("url"));
    }
}

/// Checks the targets of a Probe and returns their relabelling rules, which run after those of the operator.
fn targets<'a, 'd>(probe: &'a Probe<'d>, at: &Place<'_>) -> &'a [RelabelConfig<'d>] {
    let (rules, at) = if let Some(config) = &probe.targets.static_config {
        let at = at.key("staticConfig");
        label_names(config.labels.keys(), &at.key("labels"));
        (&config.relabeling_configs, at)
    } else if let Some(config) = &probe.targets.ingress {
        let at = at.key("ingress");
        selector(&config.selector, &at.key("selector"));
        (&config.relabeling_configs, at)
    } else {
        return &[];
    };
    relabel::check(&at.key("relabelingConfigs"));
    rules
}

/// Whether a rule could set the address after all, or drop the target.
fn may_write_address(rule: &RelabelConfig<'_>) -> bool {
    let is_written = rule.target_label == "__address__" || rule.target_label.contains('$');
    let has_other_effect = ["labelmap", "keep", "drop", "keepequal", "dropequal"];
    let action = rule.action;
    is_written || has_other_effect.iter().any(|other| other.eq_ignore_ascii_case(action))
}

/// Checks the prober's `url`, which the operator writes as the address of every target. Prometheus cannot scrape an address with a
/// slash, such as `http://blackbox:9115/probe`.
fn address(address: &str, at: &Place<'_>) {
    let message = match address {
        "" => "the prober has no address, so no target can be scraped".to_owned(),
        url if url.contains('/') => format!("{} is a URL or a path, expected host and port", at.quoted(url)),
        _ => return,
    };
    let help = "write host and port, such as `blackbox-exporter:9115`; `scheme` and `path` have their own fields";
    at.report(Code::InvalidProbeAddress, message, help);
}
