//! Scrape jobs stored as YAML in a Secret (`additionalScrapeConfigs`).

use std::borrow::Cow;

use super::azure;
use super::free_form::{convert_body, entries, scalar, text};
use super::metrics::{ADDITIONAL, role_objects, targets};
use super::pipeline::ScrapePipeline;
use super::relabeled::{RelabeledTargets, has_port_at_end};
use super::rules::{rule_blocks, yaml_rules};
use crate::api::ObjectRef;
use crate::diagnostic::{Code, FieldPath};
use crate::flow::{self, Presence, Values};
use crate::output::alloy::losses::loss::{LOST_SETTING, TextLoss, display_field};
use crate::output::alloy::losses::scrape_losses::{invalid_metric_name, normalized_number_loss};
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression};
use crate::output::alloy::write::target_rules::relabel_rule;
use crate::output::alloy::write::target_rules::{newer_label_map, with_guards};
use crate::output::alloy::write::writer::Writer;
use crate::plan::{AdditionalJobs, DiscoveryRole, Origin};
use crate::programs::types::{LATER_SCRAPE_JOB, is_field};
use crate::yaml::Value;

/// Keys of a scrape job that are not arguments of `prometheus.scrape`.
const OWN_KEYS: &str = "job_name static_configs relabel_configs metric_relabel_configs scrape_interval scrape_timeout";

/// Keys of an additional job for which no component is written: Promtail's sources other than files and the journal.
const OTHER_SOURCES: &str =
    "azure_event_hubs cloudflare docker_sd_configs gcplog gelf heroku_drain kafka loki_push_api syslog windows_events";

/// Limits on a target's samples. The agent checks these limits after applying the metric relabeling rules.
const LIMITS: [&str; 4] = ["label_limit", "label_name_length_limit", "label_value_length_limit", "sample_limit"];

/// Key for metric relabeling rules.
pub const SAMPLE_RULES: &str = "metric_relabel_configs";

/// Job key for targets discovered through the API server.
const KUBERNETES: &str = "kubernetes_sd_configs";

/// Key in `basic_auth` for a file that contains the user name. Alloy has no argument for such a file.
const USER_FILE: &str = "username_file";

static NO_TOKEN: TextLoss = TextLoss::new(
    Code::NotCollected,
    "Alloy needs a bearer token for {}",
    "set `bearer_token` or `bearer_token_file`, or keep an agent for this job",
);
static NO_AUTHENTICATION: TextLoss = TextLoss::new(
    Code::NotCollected,
    "Alloy 1.18 does not support the value of {}",
    "use an image of Alloy 1.19 or later, or a different method",
);
static NO_CLIENT_SECRET: TextLoss = TextLoss::new(
    Code::NotCollected,
    "Alloy needs a client secret for {}",
    "set `client_secret` or `client_secret_file`",
);
static NO_DISCOVERY: TextLoss = TextLoss::new(
    Code::NotCollected,
    "Alloy has no component for {}",
    "list the targets in `static_configs`, use a different discovery mechanism, or keep an agent for this job",
);
static EARLY_LIMIT: TextLoss = TextLoss::new(
    Code::EarlyLimit,
    "Alloy applies {} before the metric relabeling rules, but the agent applies it after them",
    "raise the limit to what a target exposes before the rules apply",
);
static CHANGED_SCRAPE: TextLoss = TextLoss::new(
    Code::ChangedScrape,
    "Alloy scrapes or sends more than the agent because of {}",
    "keep labels that start with `__`, and make sure that metric names are valid",
);
static EMPTY_JOB: TextLoss = TextLoss::new(
    Code::ChangedLabel,
    "Alloy sets `job` to the job name if {} leaves the label empty",
    "add a rule that sets `job` for every target, or change the queries that use it",
);
static REMOVED_JOB: TextLoss = TextLoss::new(
    Code::ChangedLabel,
    "Alloy removes or renames the `job` label of exposed metrics, because {} removes the target's `job` label",
    "set `job` to a fixed value instead, or change the queries that use it",
);
static COPIED_LABELS: TextLoss = TextLoss::new(
    Code::ChangedLabel,
    "Alloy copies additional labels because of {}",
    "use a narrower `regex`, or remove the copies with a `labeldrop` rule after this one",
);
static DEFAULT_PORT: TextLoss = TextLoss::new(
    Code::ChangedLabel,
    "if a target in {} has no port, the agent adds one to `instance`, but Alloy does not",
    "add the port to the address, or set `instance`",
);

const LOCALHOST: Value<'static> = Value::String(Cow::Borrowed("localhost"));

/// Returns the discoveries of a job, each with its key and kind.
pub fn discoveries<'v>(yaml: &'v Value<'v>) -> impl Iterator<Item = (&'v str, &'v str, &'v [Value<'v>])> {
    entries(yaml).filter_map(|(key, value)| match (key.strip_suffix("_sd_configs")?, value) {
        (kind, Value::Sequence(items)) => Some((key, kind, items.as_slice())),
        _ => None,
    })
}

/// Whether no component is written for this key of a logs job.
pub fn is_other_source(key: &str) -> bool {
    OTHER_SOURCES.split(' ').any(|other| other == key)
}

/// Returns a name for a discovery: the role of the discovered objects or, if there is no role, the kind of discovery.
fn name_of_yaml<'v>(kind: &'v str, config: &'v Value<'_>) -> String {
    let name = kind.strip_prefix("discovery.").unwrap_or_default();
    let role = DiscoveryRole::from_name(text(config, "role")).filter(|_| name == "kubernetes");
    role.map_or_else(|| name.to_owned(), role_objects)
}

impl<'p> Writer<'p, '_> {
    /// Writes the additional jobs of an instance, which are YAML in a Secret, and reports the settings that are lost.
    pub fn for_each_additional(
        &mut self,
        instance: Origin<'p>,
        additional: &'p Option<AdditionalJobs<'p>>,
        write: impl Fn(&mut Self, &'p Value<'p>, (FieldPath<'static>, ComponentSource<'p, 'p>)),
    ) {
        let Some(additional) = additional else { return };
        for (number, job) in additional.jobs_to_write(self.secrets).enumerate() {
            let ObjectRef { kind, namespace, name } = instance.object();
            self.comment(format!("{kind} {namespace}/{name}, job {number}{ADDITIONAL}"));
            let job_path = FieldPath::new().index(number);
            write(self, job, (job_path, ComponentSource::Key(additional.secret)));
        }
        self.report_recorded_keys(additional, instance.at("spec.additionalScrapeConfigs"));
    }

    /// Writes the components for one additional job.
    pub fn additional_job(
        &mut self,
        yaml: &'p Value<'p>,
        forward_to: Expression<'static>,
        (at, component_source): (FieldPath<'static>, ComponentSource<'p, 'p>),
    ) {
        let name = text(yaml, "job_name");
        let label = self.label("prometheus.scrape", name);
        let targets = self.yaml_targets(yaml, &[], (&at, component_source));
        let mut other_keys: Vec<_> = OWN_KEYS.split(' ').collect();
        other_keys.extend(discoveries(yaml).map(|(key, ..)| key));
        let (body, mut unknown_keys) = convert_body("prometheus.scrape", yaml, &other_keys);
        // Keys that the agent does not recognize are removed, because `check` reports them for every `--target`.
        unknown_keys.retain(|key| is_field(LATER_SCRAPE_JOB, key));
        self.record_lost_keys(&at, unknown_keys);
        let body = self.with_whole_oauth2(body, &at);
        let body = self.with_user_name(body, yaml, component_source);
        let (interval, timeout) = self.times(text(yaml, "scrape_interval"), text(yaml, "scrape_timeout"));
        let scrape = body.with("scrape_interval", interval).with("scrape_timeout", timeout);
        let rules = yaml_rules(yaml, "relabel_configs");
        let relabeled_targets = RelabeledTargets::from_yaml(&rules, &mut self.expressions);
        self.report_additional_job_losses(yaml, &rules, &relabeled_targets, &at);
        let pipeline = ScrapePipeline {
            label,
            job_name: name.into(),
            targets,
            has_job: relabeled_targets.job != Presence::Never,
            rules: rule_blocks(with_guards(rules)),
            scrape,
            sample_rules: rule_blocks(yaml_rules(yaml, SAMPLE_RULES)),
            component_source,
        };
        self.pipeline(pipeline, forward_to);
    }

    /// Collects the differences between Alloy and the agent for an additional job, like [`Writer::report_job_losses`]
    /// for a monitor's job.
    fn report_additional_job_losses(
        &mut self,
        yaml: &Value<'p>,
        rules: &[Body<'p>],
        relabeled: &RelabeledTargets,
        at: &FieldPath<'static>,
    ) {
        let has_rules = !yaml.items(SAMPLE_RULES).is_empty();
        let limits = LIMITS.iter().filter(|key| has_rules && yaml.get(key).is_some());
        self.lost_in_text.extend(limits.map(|key| (&EARLY_LIMIT, at.key(*key))));
        let rules: Vec<_> = rules.iter().map(relabel_rule).collect();
        let rule = at.key("relabel_configs").index(relabeled.job_rule);
        match relabeled.job {
            Presence::Never => self.lost_in_text.push((&REMOVED_JOB, rule.key("regex"))),
            Presence::Sometimes => self.lost_in_text.push((&EMPTY_JOB, rule)),
            Presence::Always => {}
        }
        if let Some((number, _)) = relabeled.removed_setting {
            self.lost_in_text.push((&CHANGED_SCRAPE, at.key("relabel_configs").index(number)));
        }
        for (loss, number) in self.sample_rule_losses(&yaml_rules(yaml, SAMPLE_RULES)) {
            self.lost_in_text.push((loss, at.key(SAMPLE_RULES).index(number)));
        }
        for (number, group) in yaml.items("static_configs").iter().enumerate() {
            let has_label = |name| group.get("labels").is_some_and(|labels| labels.get(name).is_some());
            let mut addresses = group.items("targets").iter();
            let has_port = addresses.all(|address| scalar(address).text().is_some_and(has_port_at_end));
            let mut labels = flow::unknown_target_labels();
            for name in ["instance", "__param_target"].into_iter().filter(|name| has_label(name)) {
                labels.set(name, Values::unknown(flow::alphabet::VISIBLE, false));
            }
            if RelabeledTargets::new(labels, has_port, &rules, &mut self.expressions).has_other_instance() {
                let targets = at.key("static_configs").index(number).key("targets");
                self.lost_in_text.push((&DEFAULT_PORT, targets));
            }
        }
        for (key, _, configs) in discoveries(yaml) {
            let roles = configs.iter().filter_map(|config| DiscoveryRole::from_name(text(config, "role")));
            let copying_rules = roles
                .filter(|_| key == KUBERNETES)
                .find_map(|role| newer_label_map(role, &rules, &mut self.expressions));
            let copied_paths = copying_rules.map(|(number, _)| at.key("relabel_configs").index(number).key("action"));
            self.lost_in_text.extend(copied_paths.map(|rule| (&COPIED_LABELS, rule)));
            let finds_pods = |config: &Value<'_>| text(config, "role") == "pod";
            let has_port = key != KUBERNETES || !configs.iter().any(finds_pods);
            let labels = flow::unknown_target_labels();
            if RelabeledTargets::new(labels, has_port, &rules, &mut self.expressions).has_other_instance() {
                self.lost_in_text.push((&DEFAULT_PORT, at.key(key.to_owned())));
            }
        }
    }

    /// Returns the losses of metric relabeling rules given as YAML, each with the index of the first rule that has it.
    pub fn sample_rule_losses(&mut self, rules: &[Body<'_>]) -> Vec<(&'static TextLoss, usize)> {
        let rules: Vec<_> = rules.iter().map(relabel_rule).collect();
        let expressions = &mut self.expressions;
        let invalid_rule = rules.iter().position(|rule| invalid_metric_name(rule, expressions).is_some());
        let mut number_losses = rules.iter().map(|rule| normalized_number_loss(rule, expressions)).enumerate();
        let number_loss = number_losses.find_map(|(number, loss)| Some((loss?, number)));
        invalid_rule.map(|number| (&CHANGED_SCRAPE, number)).into_iter().chain(number_loss).collect()
    }

    /// Returns the targets of a job given as YAML. `selectors` apply to pods, and only logs jobs have them.
    pub fn yaml_targets(
        &mut self,
        yaml: &'p Value<'p>,
        selectors: &[Body<'p>],
        (at, component_source): (&FieldPath<'static>, ComponentSource<'p, 'p>),
    ) -> Expression<'p> {
        let mut discovered_targets = Vec::new();
        let is_of_logs = !selectors.is_empty();
        for (key, kind, configs) in discoveries(yaml) {
            if is_of_logs && is_other_source(key) {
                continue;
            }
            let Some(kind) = crate::output::alloy::write::catalog::component(&format!("discovery.{kind}")) else {
                self.lost_in_text.push((&NO_DISCOVERY, at.key(key.to_owned())));
                continue;
            };
            for (number, config) in configs.iter().enumerate() {
                let is_azure = kind == "discovery.azure";
                let other_keys = if is_azure { azure::KEYS.as_slice() } else { &[] };
                let (mut body, unknown) = convert_body(kind, config, other_keys);
                let discovery_path = at.key(key.to_owned()).index(number);
                self.record_lost_keys(&discovery_path, unknown);
                if is_azure && !azure::can_authenticate(config, self.environment.version) {
                    self.lost_in_text.push((&NO_AUTHENTICATION, discovery_path.key("authentication_method")));
                    continue;
                }
                body = self.with_whole_oauth2(body, &discovery_path);
                body = self.with_user_name(body, config, component_source);
                if is_azure {
                    body = azure::with_authentication(body, config);
                }
                // If the block contains neither the token nor the token file, Alloy does not start.
                let token = ["bearer_token", "bearer_token_file"];
                if kind == "discovery.digitalocean" && token.iter().all(|name| body.attribute(name).is_none()) {
                    self.lost_in_text.push((&NO_TOKEN, discovery_path));
                    continue;
                }
                // Promtail adds its selector only if the job has no selector (`fulfillKubePodSelector`).
                if text(config, "role") == "pod" && config.items("selectors").is_empty() {
                    body = body.with_blocks("selectors", selectors.iter().cloned());
                }
                discovered_targets.push(self.discovery(kind, &name_of_yaml(kind, config), body, component_source));
            }
        }
        let mut listed_targets = Vec::new();
        for group in yaml.items("static_configs") {
            let labels: Vec<_> = group.get("labels").into_iter().flat_map(entries).collect();
            let own_targets = group.items("targets");
            // For a group without targets, Promtail creates a single target with the group's labels.
            let localhost_target = (is_of_logs && own_targets.is_empty()).then_some(&LOCALHOST);
            for address in own_targets.iter().chain(localhost_target) {
                let labels = labels.iter().map(|(label, value)| (*label, scalar(value)));
                let address = ("__address__", scalar(address));
                let mut entries: Vec<_> = labels.chain([address]).map(|(key, value)| (key.into(), value)).collect();
                entries.sort_by(|(a, _): &(Cow<'_, str>, _), (b, _)| a.cmp(b));
                listed_targets.push(Expression::Object(entries));
            }
        }
        targets(discovered_targets, listed_targets)
    }

    /// Removes an `oauth2` block without a client secret. The agent accepts such a block, but it prevents Alloy from
    /// starting.
    fn with_whole_oauth2(&mut self, mut body: Body<'p>, at: &FieldPath<'static>) -> Body<'p> {
        let has_attribute =
            |oauth2: &Body<'_>, name| oauth2.attribute(name).is_some_and(|value| value.text() != Some(""));
        match body.take_block("oauth2") {
            Some(oauth2) if has_attribute(&oauth2, "client_secret") || has_attribute(&oauth2, "client_secret_file") => {
                body.with_block("oauth2", oauth2)
            }
            Some(_) => {
                self.lost_in_text.push((&NO_CLIENT_SECRET, at.key("oauth2")));
                body
            }
            None => body,
        }
    }

    /// Adds a user name that is read from a file (`basic_auth.username_file`) and trimmed, as in the agent.
    fn with_user_name(
        &mut self,
        mut body: Body<'p>,
        yaml: &'p Value<'p>,
        component_source: ComponentSource<'p, 'p>,
    ) -> Body<'p> {
        let path = yaml.get("basic_auth").map_or("", |auth| text(auth, USER_FILE));
        if let (false, ComponentSource::Key(secret)) = (path.is_empty(), component_source) {
            let mut auth = body.take_block("basic_auth").unwrap_or_default();
            if auth.attribute("username").is_none() {
                let content = self.file_content(path.trim_start_matches('/'), path.to_owned(), Some(secret));
                let content = Expression::Call("convert.nonsensitive", vec![content]);
                auth = auth.with("username", Expression::Call("string.trim_space", vec![content]));
            }
            body = body.with_block("basic_auth", auth);
        }
        body
    }

    /// Records that Alloy has no equivalent for `keys` in the YAML of scrape jobs. The keys are relative to `part`.
    pub fn record_lost_keys(&mut self, part: &FieldPath<'static>, mut keys: Vec<FieldPath<'static>>) {
        keys.retain(|key| *key != FieldPath::parse("basic_auth").key(USER_FILE));
        let keys = keys.iter().map(|key| (&LOST_SETTING, part.join(key)));
        self.lost_in_text.extend(keys);
    }

    /// Reports the lost settings in the YAML of scrape jobs, each with its line number. The YAML comes from a Secret,
    /// so neither job names nor unknown keys may be shown.
    fn report_recorded_keys(&mut self, additional: &AdditionalJobs<'_>, origin: Origin<'p>) {
        let lost_keys = std::mem::take(&mut self.lost_in_text);
        if lost_keys.is_empty() {
            return;
        }
        let lines = additional.lines(self.plan.secrets, lost_keys.iter().map(|(_, path)| path));
        for ((loss, path), line) in lost_keys.into_iter().zip(lines) {
            let problem = loss.message(&display_field(&path));
            let message = format!("{problem} (additional scrape job, line {line} of the Secret's value)");
            self.report_loss(loss.code, origin, &message, loss.help);
        }
    }
}
