//! Integrations: `prometheus.exporter.*` → `discovery.relabel` → `prometheus.scrape`.

use super::additional::SAMPLE_RULES;
use super::free_form::{convert_body, text};
use super::pipeline::ScrapePipeline;
use super::relabeled::RelabeledTargets;
use super::rules::{rule_blocks, yaml_rules};
use super::statsd;
use super::target_labels::{TargetLabels, extra_labels, set};
use crate::diagnostic::{Code, FieldPath};
use crate::flow::Presence;
use crate::go::envsubst::may_have_variable;
use crate::go::url;
use crate::output::agent::secret_file_path;
use crate::output::alloy::losses::loss::RULE;
use crate::output::alloy::write::catalog::{component, spec};
use crate::output::alloy::write::labels::{identifier, identity_label};
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression, Statement};
use crate::output::alloy::write::target_rules::with_guards_and_indexes;
use crate::output::alloy::write::writer::{ComponentGroup, Writer};
use crate::plan::{Integration, JobKind, Origin};
use crate::programs::integrations::{self, KnownIntegration};
use crate::yaml::Value;

/// Job name that the agent uses for Kubernetes events.
const EVENTS_JOB: &str = "integrations/kubernetes/eventhandler";

/// Keys that every integration may have but that are not settings of its exporter.
const COMMON_KEYS: [&str; 3] = ["instance", "autoscrape", "extra_labels"];

/// Returns the component for an integration, or `None` if Alloy has no such component.
fn exporter(integration: &KnownIntegration) -> Option<&'static str> {
    let name = match integration.name {
        "agent" => "self",
        "apache_http" => "apache",
        "node_exporter" => "unix",
        name => name,
    };
    component(&format!("prometheus.exporter.{name}"))
}

/// Integrations for which the agent sets `instance` to its own name and port, or to a hash of their configuration
/// (`InstanceKey`).
const OWN_INSTANCES: &str = "agent azure blackbox cadvisor cloudwatch gcp node_exporter process snmp statsd";

/// Whether Alloy's exporter derives `instance` differently from the agent.
fn has_other_instance(name: &str, yaml: &Value<'_>) -> bool {
    let is_own = OWN_INSTANCES.split(' ').any(|own| own == name);
    is_own || name == "oracledb" && has_other_oracle_instance(text(yaml, "connection_string"))
}

/// Whether `instance` of `oracledb` differs: the agent writes the host and port (`Config.InstanceKey`), Alloy the string
/// between the password and the first slash (`NormalizeConnectionString`). A string with variables is not compared.
fn has_other_oracle_instance(connection: &str) -> bool {
    let Some(parts) = url::parts(connection).filter(|_| !may_have_variable(connection)) else { return false };
    let (host, port) = url::host_and_port(parts.host);
    let has_password = parts.user.is_some_and(|user| user.contains(':'));
    let start = if has_password { "@" } else { "://" };
    let alloy = connection.split_once(start).and_then(|(_, rest)| rest.split('/').next());
    alloy.is_some_and(|alloy| alloy != format!("{host}:{port}"))
}

/// Keys that Alloy requires at startup (`Arguments.Validate`). The agent requires them only when it scrapes, and scrape
/// parameters may provide them.
const AZURE_KEYS: [&str; 3] = ["subscriptions", "resource_type", "metrics"];

/// Whether a list or string is missing or empty.
fn is_empty(yaml: &Value<'_>, key: &str) -> bool {
    match yaml.get(key) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Sequence(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// Returns the name of the metrics or logs instance that an integration sends to.
pub fn destination<'v>(integration: &'v Integration<'_>) -> &'v str {
    let yaml = &integration.config;
    match integration.resource.spec.name {
        "eventhandler" | "app_agent_receiver" => text(yaml, "logs_instance"),
        _ => enabled_autoscrape(yaml).map_or("", |scraping| text(scraping, "metrics_instance")),
    }
}

impl<'p> Writer<'p, '_> {
    pub fn integration(&mut self, integration: &'p Integration<'p>) {
        let name = integration.resource.spec.name;
        let yaml = &integration.config;
        let missing_key = AZURE_KEYS.into_iter().find(|key| name == "azure" && is_empty(yaml, key));
        if let Some(key) = missing_key {
            let message = format!(
                "Alloy does not start if the `azure` integration has no `{key}`, so the integration is omitted"
            );
            let help = "set `subscriptions`, `resource_type` and `metrics`: in Alloy, scrapes cannot add them";
            return self.report_loss(Code::NotCollected, integration.origin, &message, help);
        }
        self.comment(format!("Integration {}", integration.resource.meta.full_name()));
        let known = integrations::find(name);
        match (name, known.and_then(|known| Some((known, exporter(known)?)))) {
            ("eventhandler", _) => self.events(integration),
            ("app_agent_receiver", _) => self.app_agent_receiver(integration),
            (_, Some((known, component))) => self.exporter(known, component, integration),
            // The agent rejects every integration name that is not listed here.
            ("vsphere", _) => self.report_loss(
                Code::NotCollected,
                Origin::new(integration.resource).at("spec.name"),
                "Alloy has no component for the `vsphere` integration",
                "run a separate exporter and scrape it, or keep an agent for this integration",
            ),
            _ => {}
        }
        self.flush();
    }

    fn exporter(
        &mut self,
        known: &'static KnownIntegration,
        component: &'static str,
        integration: &'p Integration<'p>,
    ) {
        let (name, yaml) = (known.name, &integration.config);
        let (origin, component_source) = (integration.origin, ComponentSource::Integration(integration));
        let instance = text(yaml, "instance");
        let label = self.label(component, integration.resource.meta.name);
        // The Kafka exporter has its own `instance` argument.
        let takes_instance = spec(component).is_some_and(|spec| spec.argument("instance").is_some());
        let other_keys = COMMON_KEYS.iter().filter(|key| !(takes_instance && **key == "instance"));
        let (mut body, mut unknown_keys) = convert_body(component, yaml, &other_keys.copied().collect::<Vec<_>>());
        if let Some((file, _)) = statsd::file(integration).filter(|_| self.settings.has_files_of_credentials) {
            body = body.with(statsd::ARGUMENT, secret_file_path(&file));
            unknown_keys.retain(|key| *key != FieldPath::parse(statsd::KEY));
        }
        self.report_lost_keys(unknown_keys, name, origin);
        adapt_settings(&mut body);
        self.put_component(ComponentGroup::Pipelines, component, &label, body, component_source);
        let Some(autoscrape) = enabled_autoscrape(yaml) else {
            return;
        };
        let rules = yaml_rules(autoscrape, "relabel_configs");
        let sample_rules = yaml_rules(autoscrape, SAMPLE_RULES);
        for (loss, number) in self.sample_rule_losses(&sample_rules) {
            let rule = FieldPath::parse(SAMPLE_RULES).index(number);
            self.report_loss_below(loss.code, (origin.key("autoscrape"), &rule), &loss.message(RULE), loss.help);
        }
        let labels = TargetLabels { integration: known, instance, yaml };
        self.report_lost_labels(&labels, &[rules.as_slice(), &sample_rules].concat(), origin.key("autoscrape"));
        self.report_lost_names(name, yaml, origin);
        let (interval, timeout) = self.times(text(autoscrape, "scrape_interval"), text(autoscrape, "scrape_timeout"));
        let metrics_instance = match text(autoscrape, "metrics_instance") {
            "" => "default",
            instance => instance,
        };
        let forward_to = self.receivers(JobKind::Metrics, metrics_instance);
        let suffix = if instance.is_empty() { name } else { instance };
        let (indexes, rules) = with_guards_and_indexes(rules);
        let (presets, rules) = labels.surround(rules, &mut self.expressions);
        let has_job = RelabeledTargets::from_yaml(&rules, &mut self.expressions).job != Presence::Never;
        let pipeline = ScrapePipeline {
            label: self.label("prometheus.scrape", integration.resource.meta.name),
            job_name: format!("integrations/{suffix}").into(),
            targets: Expression::Export(component, label.into(), "targets"),
            has_job,
            rules: rule_blocks(rules),
            scrape: Body::new().with("scrape_interval", interval).with("scrape_timeout", timeout),
            sample_rules: rule_blocks(sample_rules),
            component_source: ComponentSource::Autoscrape { integration, presets, rules: &indexes },
        };
        self.pipeline(pipeline, forward_to);
    }

    /// Reports labels that the agent sets but Alloy omits or sets to a different value.
    fn report_lost_labels(&mut self, labels: &TargetLabels<'p>, rules: &[Body<'p>], origin: Origin<'p>) {
        let is_set = |label: &str| {
            extra_labels(labels.yaml).any(|(extra, _)| extra == label)
                || rules.iter().any(|rule| rule.text("target_label") == Some(label))
        };
        let name = labels.integration.name;
        let has_instance_rule =
            !labels.instance.is_empty() || !has_other_instance(name, labels.yaml) || is_set("instance");
        let message = match (is_set("agent_hostname"), has_instance_rule) {
            (true, true) => return,
            (false, true) => format!("in Alloy, the metrics of `{name}` have no `agent_hostname` label"),
            (true, false) => format!("in Alloy, the metrics of `{name}` have a different `instance` value"),
            (false, false) => format!(
                "in Alloy, the metrics of `{name}` lack the `agent_hostname` label and have a different `instance` value"
            ),
        };
        let help = match is_set("agent_hostname") {
            true => "set it with `instance`, or change the queries that use it",
            false if has_instance_rule => "set it with `extra_labels`, or change the queries that use it",
            false => "set them with `instance` and `extra_labels`, or change the queries that use them",
        };
        self.report_loss(Code::ChangedLabel, origin, &message, help);
    }

    /// Reports metrics that Alloy's exporter does not provide or that have different labels.
    fn report_lost_names(&mut self, name: &str, yaml: &Value<'_>, origin: Origin<'p>) {
        let help = "change the queries that use these metrics";
        if name == "agent" {
            let message =
                "in Alloy, the `agent` integration collects Alloy's own metrics, most of which have different names";
            self.report_loss(Code::ChangedLabel, origin, message, help);
        }
        if name == "oracledb" {
            let message = "Alloy uses a different Oracle exporter, which does not provide `oracledb_sessions_activity` or \
                           `oracledb_tablespace_free_bytes`";
            self.report_loss(Code::ChangedLabel, origin, message, help);
        }
        // Labels of Alloy blocks are identifiers.
        let jobs = yaml.items("static").iter().enumerate();
        for (i, job) in jobs.filter(|_| name == "cloudwatch") {
            let job_name = identifier(text(job, "name"));
            if job_name != text(job, "name") {
                let message = format!("in Alloy, the `name` label of this job's metrics is `{job_name}`");
                let help = "change the queries that use this label";
                let job_path = FieldPath::parse("static").index(i).key("name");
                self.report_loss_below(Code::ChangedLabel, (origin, &job_path), &message, help);
            }
        }
    }

    fn events(&mut self, integration: &'p Integration<'p>) {
        let (yaml, origin, component_source) =
            (&integration.config, integration.origin, ComponentSource::Integration(integration));
        let mut other_keys = COMMON_KEYS.to_vec();
        other_keys.extend(["logs_instance", "namespace"]);
        let (body, unknown_keys) = convert_body("loki.source.kubernetes_events", yaml, &other_keys);
        self.report_lost_keys(unknown_keys, "eventhandler", origin);
        let meta = &integration.resource.meta;
        let label = self.label("loki.source.kubernetes_events", &identity_label(&[meta.namespace, meta.name]));
        let mut forward_to = self.receivers(JobKind::Logs, text(yaml, "logs_instance"));
        let instance = text(yaml, "instance");
        // `extractEvent` sets `agent_hostname` and `instance` to the value of `instance` before it adds the extra
        // labels.
        let own_labels = ["agent_hostname", "instance"].into_iter();
        let own_labels = own_labels.filter(|_| !instance.is_empty()).map(|label| (label, instance.into()));
        let own_labels = own_labels.filter(|(label, _)| extra_labels(yaml).all(|(extra, _)| extra != *label));
        let rules: Vec<_> = own_labels.chain(extra_labels(yaml)).map(|(label, value)| set(label, value)).collect();
        if instance.is_empty() {
            let message = "in Alloy, events lack the `agent_hostname` label and have a different `instance` value";
            let help = "set `instance`, or change the queries that use these labels";
            self.report_loss(Code::ChangedLabel, origin, message, help);
        }
        if !rules.is_empty() {
            let body = Body::new().with("forward_to", forward_to).with_blocks("rule", rules);
            self.put_component(ComponentGroup::Pipelines, "loki.relabel", &label, body, component_source);
            forward_to = [Expression::Export("loki.relabel", label.clone().into(), "receiver")].into_iter().collect();
        }
        let namespaces = (!text(yaml, "namespace").is_empty()).then(|| Expression::texts([text(yaml, "namespace")]));
        let body =
            body.with("job_name", EVENTS_JOB).with_option("namespaces", namespaces).with("forward_to", forward_to);
        self.put_component(ComponentGroup::Pipelines, "loki.source.kubernetes_events", &label, body, component_source);
    }

    /// Returns the receivers of an instance. Empty if the instance does not exist, in which case the agent sends
    /// nothing.
    fn receivers(&self, kind: JobKind, instance: &str) -> Expression<'static> {
        let receivers = self.receivers.get(&(kind, instance.to_owned())).cloned();
        receivers.unwrap_or_else(|| Expression::List(Vec::new()))
    }

    fn app_agent_receiver(&mut self, integration: &'p Integration<'p>) {
        let (yaml, origin) = (&integration.config, integration.origin);
        let mut other_keys = COMMON_KEYS.to_vec();
        other_keys.push("logs_instance");
        let (body, unknown_keys) = convert_body("faro.receiver", yaml, &other_keys);
        self.report_lost_keys(unknown_keys, "app_agent_receiver", origin);
        if enabled_autoscrape(yaml).is_some() {
            let message =
                "the metrics of `app_agent_receiver` are not collected: Alloy includes them in its own metrics";
            let help = "scrape Alloy itself with the `agent` integration, and disable `autoscrape` here";
            self.report_loss(Code::NotCollected, origin.key("autoscrape"), message, help);
        }
        let label = self.label("faro.receiver", integration.resource.meta.name);
        let output = Body::new().with("logs", self.receivers(JobKind::Logs, text(yaml, "logs_instance")));
        self.put_component(
            ComponentGroup::Pipelines,
            "faro.receiver",
            &label,
            body.with_block("output", output),
            ComponentSource::Integration(integration),
        );
    }
}

/// Adapts settings that the agent accepts but that prevent Alloy from starting: listed targets without a name or
/// address, parameters whose names are not identifiers, and `disable_default_metrics` without custom queries
/// (`Arguments.Validate` for PostgreSQL).
fn adapt_settings(body: &mut Body<'_>) {
    let is_set = |body: &Body<'_>, name| body.attribute(name).is_some_and(|value| *value != false.into());
    if is_set(body, "disable_default_metrics") {
        body.0.retain(|statement| statement.name() != "enabled_collectors");
        if !is_set(body, "custom_queries_config_path") {
            body.0.push(Statement::Attribute("custom_queries_config_path", "/dev/null".into()));
        }
    }
    let Some(Statement::Attribute(_, Expression::List(targets))) =
        body.0.iter_mut().find(|statement| statement.name() == "targets")
    else {
        return;
    };
    for target in targets {
        let Expression::Object(labels) = target else { continue };
        for (_, name) in labels.iter_mut().filter(|(key, _)| key == "walk_params") {
            if let Expression::String(name) = name {
                *name = identifier(name).into_owned().into();
            }
        }
        for key in ["address", "name"] {
            if labels.iter().all(|(label, _)| label != key) {
                labels.push((key.into(), "".into()));
            }
        }
    }
}

/// Returns the `autoscrape` section if it is enabled.
fn enabled_autoscrape<'v, 'd>(yaml: &'v Value<'d>) -> Option<&'v Value<'d>> {
    let autoscrape = yaml.get("autoscrape")?;
    (autoscrape.get("enable") == Some(&Value::Bool(true))).then_some(autoscrape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_the_instances_of_oracle_databases() {
        for (connection, differs) in [
            ("oracle://oracle:1521/x", false),
            ("oracle://u:p@oracle:1521/x", false),
            ("oracle://u:@oracle:1521/x", false),
            ("oracle://oracle:1521", false),
            ("oracle://oracle/x", true),
            ("oracle://u:p@oracle/x", true),
            ("oracle://u@oracle:1521/x", true),
            ("oracle://[::1]:1521/x", true),
            ("oracle://oracle:1521?x=y", true),
            ("oracle://${HOST}/x", false),
            ("oracle", false),
            ("", false),
        ] {
            assert_eq!(has_other_oracle_instance(connection), differs, "{connection}");
        }
    }
}
