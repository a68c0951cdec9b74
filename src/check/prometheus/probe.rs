//! Probes.
//!
//! What: a prober whose `url` is empty, a URL or a path. Why: the operator writes it as the address of every target, and
//! Prometheus scrapes no address with a slash in it. Example: `prober: {url: http://blackbox:9115/probe}`.

use super::authentication::{self, Values};
use super::{duration, label, relabel, selector, tls};
use crate::api::{Probe, RelabelConfig, Resource};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::resolve::SecretStore;

/// Checks a Probe by itself. Where its targets were refused, their rules may write the address.
pub fn probe<'d>(
    probe: &Resource<'d, Probe<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
    targets_are_known: bool,
    found: &mut Vec<Diagnostic>,
) {
    let values = Values {
        store,
        namespace: probe.meta.namespace,
    };
    let probe = &probe.spec;
    duration::check(probe.interval, &spec.key("interval"), found);
    duration::check(probe.scrape_timeout, &spec.key("scrapeTimeout"), found);
    authentication::of_endpoint(
        probe.basic_auth.as_ref(),
        "",
        &probe.bearer_token_secret,
        values,
        spec,
        found,
    );
    tls::check(probe.tls_config.as_ref(), spec, found);
    targets(probe, &spec.key("targets"), found);
    let has_targets = match &probe.targets.static_config {
        Some(config) => !config.r#static.is_empty(),
        None => true,
    };
    let is_address = !probe.prober.url.is_empty() && !probe.prober.url.contains('/');
    if targets_are_known && has_targets && !is_address && !rules(probe).iter().any(may_write_address) {
        let at = spec.key("prober");
        found.push(diagnostics::invalid_probe_address(&at.key("url"), probe.prober.url));
    }
}

fn targets(probe: &Probe<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(config) = &probe.targets.static_config {
        let at = at.key("staticConfig");
        for name in config.labels.keys() {
            label::check_name(name, &at.key("labels").key(name), found);
        }
        relabel::check(&config.relabeling_configs, &at.key("relabelingConfigs"), found);
    } else if let Some(config) = &probe.targets.ingress {
        let at = at.key("ingress");
        selector::check(&config.selector, &at.key("selector"), found);
        relabel::check(&config.relabeling_configs, &at.key("relabelingConfigs"), found);
    }
}

/// The rules that follow those of the operator.
fn rules<'a, 'd>(probe: &'a Probe<'d>) -> &'a [RelabelConfig<'d>] {
    match (&probe.targets.static_config, &probe.targets.ingress) {
        (Some(config), _) => &config.relabeling_configs,
        (None, Some(config)) => &config.relabeling_configs,
        (None, None) => &[],
    }
}

/// Whether a rule could set the address after all, or drop the target.
fn may_write_address(rule: &RelabelConfig<'_>) -> bool {
    let is_written = rule.target_label == "__address__" || rule.target_label.contains('$');
    let has_other_effect = ["labelmap", "keep", "drop", "keepequal", "dropequal"];
    is_written
        || has_other_effect
            .iter()
            .any(|action| action.eq_ignore_ascii_case(rule.action))
}
