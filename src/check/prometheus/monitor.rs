//! ServiceMonitors and PodMonitors.

use super::authentication::{self, Values};
use super::{duration, label, regex, relabel, selector, tls, url};
use crate::api::{Endpoint, IntOrString, PodMonitor, Resource, ServiceMonitor};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::resolve::SecretStore;

/// Checks a ServiceMonitor by itself.
pub fn service_monitor<'d>(
    monitor: &Resource<'d, ServiceMonitor<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    label::check_copied(&monitor.spec.target_labels, &spec.key("targetLabels"), found);
    label::check_copied(&monitor.spec.pod_target_labels, &spec.key("podTargetLabels"), found);
    selector::check(&monitor.spec.selector, &spec.key("selector"), found);
    let values = Values {
        store,
        namespace: monitor.meta.namespace,
    };
    endpoints(&monitor.spec.endpoints, values, &spec.key("endpoints"), found);
}

/// Checks a PodMonitor by itself.
pub fn pod_monitor<'d>(
    monitor: &Resource<'d, PodMonitor<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    label::check_copied(&monitor.spec.pod_target_labels, &spec.key("podTargetLabels"), found);
    selector::check(&monitor.spec.selector, &spec.key("selector"), found);
    let values = Values {
        store,
        namespace: monitor.meta.namespace,
    };
    endpoints(
        &monitor.spec.pod_metrics_endpoints,
        values,
        &spec.key("podMetricsEndpoints"),
        found,
    );
}

fn endpoints<'d>(endpoints: &[Endpoint<'d>], values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, one) in endpoints.iter().enumerate() {
        endpoint(one, values, &at.index(i), found);
    }
}

fn endpoint<'d>(endpoint: &Endpoint<'d>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    duration::check(endpoint.interval, &at.key("interval"), found);
    duration::check(endpoint.scrape_timeout, &at.key("scrapeTimeout"), found);
    url::check_proxy(endpoint.proxy_url, &at.key("proxyUrl"), found);
    if !endpoint.port.is_empty() && endpoint.port.bytes().all(|b| b.is_ascii_digit()) {
        found.push(diagnostics::numeric_port_name(&at.key("port"), endpoint.port));
    }
    match endpoint.target_port {
        _ if !endpoint.port.is_empty() => regex::check_anchored(endpoint.port, &at.key("port"), found),
        Some(IntOrString::String(name)) => regex::check_anchored(name, &at.key("targetPort"), found),
        _ => {}
    }
    relabel::check(&endpoint.relabelings, &at.key("relabelings"), found);
    relabel::check(&endpoint.metric_relabelings, &at.key("metricRelabelings"), found);
    authentication::of_endpoint(
        endpoint.basic_auth.as_deref(),
        endpoint.bearer_token_file,
        &endpoint.bearer_token_secret,
        values,
        at,
        found,
    );
    tls::check(endpoint.tls_config.as_deref(), at, found);
}
