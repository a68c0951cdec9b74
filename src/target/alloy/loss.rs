//! What Alloy cannot do as the agent did.

use crate::diagnostic::{Code, Diagnostic, FieldPath, Step};
use crate::plan::Origin;

/// Something of the plan that the configuration of Alloy lacks, or has otherwise.
#[derive(Clone, Debug)]
pub struct Loss<'p> {
    /// Which rule.
    pub code: Code,
    /// The field that is lost, or one around it.
    pub origin: Origin<'p>,
    /// The way from there to the field.
    pub below: FieldPath<'static>,
    /// What is lost.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

impl Loss<'_> {
    /// The finding.
    pub fn diagnostic(&self) -> Diagnostic {
        let finding = self
            .origin
            .diagnostic_below(&self.below, self.code, self.message.as_str());
        finding.help(self.help)
    }
}

/// Keys of scrape jobs that Prometheus or Promtail reads and Alloy may have nothing for.
const KEYS: &str = "azure_sd_configs basic_auth consul_sd_configs convert_classic_histograms_to_nhcb digitalocean_sd_configs \
    dns_sd_configs docker_sd_configs dockerswarm_sd_configs ec2_sd_configs enable_compression eureka_sd_configs \
    file_sd_configs gce_sd_configs gcplog gelf heroku_drain hetzner_sd_configs honor_labels honor_timestamps http_headers \
    http_sd_configs ionos_sd_configs kafka keep_dropped_targets kubernetes_sd_configs kuma_sd_configs lightsail_sd_configs \
    linode_sd_configs loki_push_api marathon_sd_configs max_version metrics_path native_histogram_bucket_limit \
    native_histogram_min_bucket_factor nerve_sd_configs nomad_sd_configs oauth2 openstack_sd_configs ovhcloud_sd_configs \
    params puppetdb_sd_configs sample_limit scaleway_sd_configs scrape_classic_histograms scrape_failure_log_file \
    scrape_interval scrape_protocols scrape_timeout serverset_sd_configs syslog target_limit tls_config \
    track_timestamps_staleness triton_sd_configs uyuni_sd_configs vultr_sd_configs windows_events xds_sd_configs";

/// What a finding calls a key of a scrape job that is read from a Secret: text of a Secret is not shown unless it is one
/// of the known keys.
pub(super) fn shown(path: &FieldPath<'_>) -> String {
    let keys = path.steps().filter_map(|step| match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    });
    let keys: Vec<_> = keys.collect();
    let is_known = |key: &&str| KEYS.split_whitespace().any(|known| known == *key);
    if keys.iter().all(is_known) {
        format!("`{}`", keys.join("."))
    } else {
        "a field".to_owned()
    }
}
