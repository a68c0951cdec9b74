//! Findings for behavior of the agent that Alloy does not support.

use crate::diagnostic::{Code, Diagnostic, FieldPath, Step};
use crate::plan::Origin;

/// Finding for a setting at `origin` that is missing or different in the Alloy configuration.
pub fn loss(code: Code, origin: Origin<'_>, message: &str, help: &'static str) -> Diagnostic {
    origin.diagnostic_below(&FieldPath::new(), code, message).help(help)
}

/// Part of a scrape job or stage in YAML that Alloy does not support or treats differently.
#[derive(Debug)]
pub struct TextLoss {
    pub code: Code,
    /// Message, in which `{}` stands for the field.
    pub problem: &'static str,
    pub help: &'static str,
}

impl TextLoss {
    pub const fn new(code: Code, problem: &'static str, help: &'static str) -> Self {
        Self { code, problem, help }
    }

    /// Returns the message for a field, which is displayed as `field`.
    pub fn message(&self, field: &str) -> String {
        self.problem.replace("{}", field)
    }
}

/// Stands for the field if the finding is reported at a relabeling rule.
pub const RULE: &str = "this rule";

/// Losses, with the paths of their fields.
pub type TextLosses = Vec<(&'static TextLoss, FieldPath<'static>)>;

pub static LOST_SETTING: TextLoss =
    TextLoss::new(Code::LostSetting, "Alloy does not support {}", "remove the field once you no longer use the agent");

/// Keys in scrape jobs that Prometheus or Promtail supports but Alloy may not support, and their parent keys.
const KEYS: &str = "action authentication_method authorization azure_event_hubs azure_sd_configs basic_auth bearer_token bearer_token_file cloudflare consul_sd_configs \
    consulagent_sd_configs convert_classic_histograms_to_nhcb cri \
    decolorize decompression digitalocean_sd_configs dns_sd_configs docker docker_sd_configs dockerswarm_sd_configs drop ec2_sd_configs \
    enable_compression eureka_sd_configs eventlogmessage file_sd_configs gce_sd_configs gcplog gelf geoip heroku_drain \
    hetzner_sd_configs honor_labels honor_timestamps http_headers http_sd_configs ionos_sd_configs journal json kafka label_limit label_name_length_limit label_value_length_limit \
    keep_dropped_targets kubernetes_sd_configs kuma_sd_configs labelallow labeldrop labels lightsail_sd_configs limit \
    linode_sd_configs logfmt loki_push_api marathon_sd_configs match max_version metric_relabel_configs metrics metrics_path multiline \
    native_histogram_bucket_limit native_histogram_min_bucket_factor nerve_sd_configs nomad_sd_configs oauth2 \
    openstack_sd_configs output ovhcloud_sd_configs pack params pipeline_stages puppetdb_sd_configs regex relabel_configs replace \
    sample_limit sampling scaleway_sd_configs scrape_classic_histograms scrape_failure_log_file scrape_interval \
    scrape_protocols scrape_timeout serverset_sd_configs stages static_configs static_labels structured_metadata syslog target_limit targets \
    template tenant timestamp tls_config track_timestamps_staleness triton_sd_configs type \
    uyuni_sd_configs vultr_sd_configs windows_events xds_sd_configs";

/// Returns the name to display for a field in a list of scrape jobs. The list comes from a Secret, so only known keys
/// are shown.
pub fn display_field(path: &FieldPath<'_>) -> String {
    let mut known_path = FieldPath::new();
    for step in path.steps().skip(1) {
        match step {
            Step::Key(key) if !KEYS.split_whitespace().any(|known| known == key) => {
                return match known_path.is_root() {
                    true => "this field".to_owned(),
                    false => format!("this field in `{known_path}`"),
                };
            }
            step => known_path.push(step),
        }
    }
    format!("`{known_path}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_known_keys() {
        let job = || FieldPath::new().index(0);
        let rule = || job().key("relabel_configs").index(1);
        for (path, expected) in [
            (job().key("relabel_configs"), "`relabel_configs`"),
            (rule(), "`relabel_configs[1]`"),
            (rule().key("regex"), "`relabel_configs[1].regex`"),
            (rule().key("hush"), "this field in `relabel_configs[1]`"),
            (job().key("hush"), "this field"),
            (job().key("hush").key("regex"), "this field"),
        ] {
            assert_eq!(display_field(&path), expected);
        }
    }
}
