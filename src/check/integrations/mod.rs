//! Rules for Integrations. The operator copies an Integration's name and configuration unchecked, and the agent parses
//! them strictly.

mod autoscrape;
pub(in crate::check) mod constructors;
mod files;
mod identity;
mod mysql;
mod postgres;
pub(super) mod setting;
mod times;
mod together;

use super::decode::{Decoder, Document};
use super::field::report_misread;
use super::rule::{Rule, RuleTarget, rule, table};
use super::variables::Expansion;
use super::walk::Expect::With;
use super::walk::{Json, Rows, Step, Walk};
use crate::api::Kind;
use crate::diagnostic::Code;
use crate::programs::integrations::{self, Required};
use crate::yaml::NodeValue;
use setting::{AGENT_STOPS, configuration};

pub const RULES: &[Rule] = &[
    table(Kind::Integration, INTEGRATION, "`UnmarshalStrict` in `integrations/v2/register.go`"),
    rule(
        &[
            Code::DuplicateIntegration,
            Code::UnknownInstance,
            Code::TimeoutAboveInterval,
            Code::DroppedMount,
            Code::UnmountedFile,
        ],
        RuleTarget::Hierarchy(together::check),
        "`controller.UpdateController` of the agent, `mergePodTemplateOptions` of the operator",
    ),
];

/// Rules for a single Integration, based on the agent's catalog.
const INTEGRATION: Rows = &[
    ("name", With(report_unknown)),
    ("", With(check_placement)),
    ("", With(report_missing_keys)),
    ("", With(identity::check_instance)),
    ("name", With(report_stub)),
    ("", With(decode)),
    ("", With(autoscrape::check)),
    ("", With(constructors::check)),
    // The operator writes an Integration's configuration as a list item.
    ("config", With(|config, walk| report_misread(config, true, walk))),
];

/// Checks whether the agent can decode the configuration (`deferredConfigUnmarshal` in `integrations/v2/register.go`).
/// Older integrations ignore an unknown key below the top level, because `UnmarshalYAMLMerged` keeps only errors that
/// occur in both halves of the configuration.
fn decode<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let Some((config, integration)) = configuration(spec) else {
        return;
    };
    let decoder = |is_strict| Decoder::new(Document::Integration(integration.name), is_strict);
    walk.check_configuration(Code::IntegrationType, AGENT_STOPS, |walk| {
        walk.enter(Step::Key("config"), |walk| {
            decoder(true).check_fields(&integration.config, decoder(integration.is_native), config, walk);
        });
    });
}

/// Reports a name that is not in the catalog. The agent does not recognize the key that the operator writes for such a
/// name.
fn report_unknown<'v>(name: Json<'v>, walk: &mut Walk<'v>) {
    let name = name.as_str().unwrap_or_default();
    if integrations::find(name).is_some() {
        return;
    }
    let help = match integrations::suggestion(name) {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => {
            let names: Vec<_> = integrations::names().collect();
            format!("use one of: `{}`", names.join("`, `"))
        }
    };
    let message = match name {
        "" => "the name of the integration is empty, so the agent does not start".to_owned(),
        _ => format!("the agent has no integration named `{name}`, so it rejects `{name}_configs` and does not start"),
    };
    walk.report_with_code(Code::UnknownIntegration, &[], message, help);
}

/// Reports an Integration that runs on every node even though it monitors the cluster, or on one node even though it
/// monitors individual nodes. Other Integrations, such as those for databases, may run either way.
fn check_placement<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let all_nodes = spec.is_true("type.allNodes");
    let (message, help) = match spec.text("name") {
        name @ "eventhandler" if all_nodes => (
            format!(
                "`{name}` reports on the whole cluster, but runs on every node, so each event is sent once per node"
            ),
            "set `spec.type.allNodes` to `false`",
        ),
        name @ ("cadvisor" | "node_exporter" | "process") if !all_nodes => (
            format!("`{name}` reports on the node it runs on, but runs on only one node"),
            "set `spec.type.allNodes` to `true`",
        ),
        _ => return,
    };
    let at = [Step::Key("type"), Step::Key("allNodes")];
    walk.report_with_code(Code::IntegrationPlacement, &at, message, help);
}

/// Reports required keys that are missing or empty, unless a variable in the agent's container replaces them. Nothing
/// is reported if there is an unknown key, which has its own finding and may be a misspelled required key.
fn report_missing_keys<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let Some((config, integration)) = configuration(spec) else {
        return;
    };
    if config.entries().any(|(key, _)| integration.config.type_of(key).is_none()) {
        return;
    }
    let name = integration.name;
    for &Required { key, variable, replaces_empty } in &integration.required {
        let is_text = |value: Json<'_>| value.as_str() != Some("");
        let written_value = config.non_null(key);
        let is_set = written_value.is_some_and(|value| match value.value() {
            NodeValue::Sequence => value.items().next().is_some_and(|first| variable.is_some() || is_text(first)),
            _ => is_text(value),
        });
        let variable = variable.filter(|_| replaces_empty || written_value.is_none());
        if is_set || variable.is_some_and(|name| may_set_variable(name, walk)) {
            continue;
        }
        let (or_variable, env) = match variable {
            Some(name) => (
                format!(" or the environment variable `{name}`"),
                format!(
                    ", or add `{name}` to the `env` of a container named `grafana-agent` in the GrafanaAgent's `spec.containers`"
                ),
            ),
            None => Default::default(),
        };
        let message =
            format!("the `{name}` integration needs `{key}`{or_variable}, and the agent does not start without it");
        let (at, help) = ([Step::Key("config")], format!("set `{key}`{env}"));
        walk.report_with_code(Code::MissingIntegrationKey, &at, message, help);
    }
}

/// Whether the agent that selects an Integration may set a variable. An agent outside the input may set any variable.
fn may_set_variable(variable: &str, walk: &Walk<'_>) -> bool {
    let hierarchy = walk.context.hierarchy;
    hierarchy.is_none_or(|hierarchy| Expansion::new(hierarchy).may_be_set(variable))
}

/// Reports an integration that is only a stub on the platforms that the operator supports.
fn report_stub<'v>(name: Json<'v>, walk: &mut Walk<'v>) {
    if name.as_str() == Some("windows") {
        let message = "the `windows` integration does nothing on Linux, where the operator runs the agent";
        let help = "remove the Integration, and run an agent on the Windows nodes";
        walk.report_with_code(Code::IdleIntegration, &[], message, help);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, agent, findings, integration, lines};
    use crate::diagnostic::Code;

    /// Returns the findings about a single Integration.
    fn integration_findings(name: &str, types: &[&str], config: &str) -> Vec<String> {
        let mut findings = lines(&[AGENT, &integration("i", name, types, config)]);
        findings.retain(|line| !line.starts_with("unknown-instance"));
        findings
    }

    #[test]
    fn requires_an_instance_that_cannot_be_derived() {
        let missing = Some("missing-integration-key");
        let invalid = Some("invalid-url");
        for (name, config, expected) in [
            ("kafka", "{kafka_uris: [a, b]}", missing),
            ("kafka", "{kafka_uris: ['a:9092']}", None),
            ("kafka", "{kafka_uris: ['a:9092', 'b:9092'], instance: c}", None),
            ("postgres", "{data_source_names: ['postgres://a', 'postgres://b']}", missing),
            ("postgres", "{data_source_names: [a, b], instance: c}", None),
            ("postgres", "{data_source_names: ['postgresql://u:p@h:5432/d']}", None),
            ("postgres", "{data_source_names: ['host=h user=u']}", invalid),
            ("postgres", "{data_source_names: ['${DSN}']}", invalid),
            ("postgres", "{data_source_names: [~]}", invalid),
            ("consul", "{server: '10.0.0.1:8500'}", invalid),
            ("consul", "{server: '10.0.0.1:8500', instance: c}", None),
            ("consul", "{server: 'http://10.0.0.1:8500'}", None),
            ("mongodb", "{mongodb_uri: 'mongodb://u:p%zz@h'}", invalid),
            ("redis", "{redis_addr: '10.0.0.1:6379'}", None),
        ] {
            let findings = integration_findings(name, &[], config);
            let mut findings = findings.iter().filter_map(|line| line.split_once(" spec.config."));
            assert_eq!(findings.next().map(|(code, _)| code), expected, "{name} {config}");
        }
    }

    #[test]
    fn reports_integrations_on_the_wrong_pods() {
        let all = &["allNodes"][..];
        for (name, types, expected) in [
            ("node_exporter", all, None),
            ("mysql", all, None),
            ("mysql", &[], None),
            ("eventhandler", &[], None),
            ("eventhandler", all, Some("so each event is sent once per node")),
            ("node_exporter", &[], Some("but runs on only one node")),
            ("cadvisor", &[], Some("but runs on only one node")),
            ("process", &[], Some("but runs on only one node")),
        ] {
            let findings = integration_findings(name, types, "{}");
            let actual: Vec<_> = findings.iter().filter(|line| line.starts_with("integration-placement")).collect();
            assert_eq!(actual.len(), usize::from(expected.is_some()), "{name} {types:?}");
            assert!(
                actual.iter().zip(expected).all(|(line, end)| {
                    line.starts_with("integration-placement spec.type.allNodes: ") && line.ends_with(end)
                }),
                "{actual:?}"
            );
        }
    }

    #[test]
    fn reports_unknown_keys() {
        let unknown = |path: &str, key: &str| {
            format!(
                "unknown-integration-key spec.config.{path}: `{key}` is not a key of the `mysql` integration, so the agent does not start"
            )
        };
        for (config, expected) in [
            ("{instance: a, autoscrape: {enable: false}, extra_labels: {a: b}}", vec![]),
            ("{instanze: a}", vec![unknown("instanze", "instanze")]),
            ("{autoscrape: {enable: ~}}", vec![]),
            ("{enable: true}", vec![unknown("enable", "enable")]),
            (
                "{y: 1}",
                vec![
                    "unknown-integration-key spec.config.true: the unquoted key `y` is read as `true`, which is not a key of \
                     the `mysql` integration, so the agent does not start"
                        .to_owned(),
                ],
            ),
        ] {
            let mut diagnostics = integration_findings("mysql", &[], config);
            diagnostics.retain(|line| line.starts_with("unknown-integration-key"));
            assert_eq!(diagnostics, expected, "{config}");
        }
        let help = |config: &str| {
            let diagnostics = findings(&[AGENT, &integration("i", "mysql", &[], config)]);
            let mut diagnostics = diagnostics.into_iter();
            diagnostics.find_map(|finding| finding.help.filter(|_| finding.code == Code::UnknownIntegrationKey))
        };
        assert_eq!(help("{instanze: a}").as_deref(), Some("did you mean `instance`?"));
        assert_eq!(help("{nope: a}").as_deref(), Some("remove `nope`"));
        assert_eq!(help("{y: a}").as_deref(), Some("remove `y`"));
    }

    #[test]
    fn reports_missing_required_keys() {
        for (name, config, expected) in [
            ("redis", "{redis_addr: a}", &[][..]),
            ("redis", "{}", &["redis_addr"]),
            ("snowflake", "{account_name: a, role: b}", &["password", "username", "warehouse"]),
            ("redis", "{redis_addr: ''}", &["redis_addr"]),
            ("redis", "{redis_addr: ~}", &["redis_addr"]),
            // The unknown key may be a misspelling of the required key.
            ("redis", "{redis_adr: a}", &[]),
            ("kafka", "{kafka_uris: [a, ''], instance: b}", &[]),
            ("kafka", "{kafka_uris: []}", &["kafka_uris"]),
            ("kafka", "{kafka_uris: ['', a], instance: b}", &["kafka_uris"]),
            ("gcp", "{}", &["metrics_prefixes", "project_ids"]),
        ] {
            let mut findings = integration_findings(name, &[], config);
            findings.retain(|line| line.starts_with("missing-integration-key"));
            let expected = expected.iter().map(|key| {
                format!(
                    "missing-integration-key spec.config: the `{name}` integration needs `{key}`, and the agent does not start \
                     without it"
                )
            });
            assert_eq!(findings, expected.collect::<Vec<_>>(), "{name} {config}");
        }
    }

    #[test]
    fn container_variables_can_replace_required_keys() {
        let container = |rest: &str| format!(", containers: [{{name: {rest}}}]");
        let env = |name: &str| container(&format!("grafana-agent, env: [{{name: {name}, value: x}}]"));
        let (mysql, postgres) = ("MYSQLD_EXPORTER_DATA_SOURCE_NAME", "POSTGRES_EXPORTER_DATA_SOURCE_NAME");
        for (name, config, containers, is_missing) in [
            ("mysql", "{}", String::new(), true),
            ("mysql", "{data_source_name: ''}", String::new(), true),
            ("mysql", "{data_source_name: '${DSN}'}", String::new(), true),
            ("mysql", "{data_source_name: '${DSN}'}", env("DSN"), false),
            ("mysql", "{instance: a}", String::new(), true),
            ("mysql", "{}", env(mysql), false),
            ("mysql", "{}", env(postgres), true),
            ("mysql", "{}", container("grafana-agent, envFrom: [{secretRef: {name: s}}]"), false),
            ("mysql", "{}", container(&format!("other, image: i, env: [{{name: {mysql}, value: x}}]")), true),
            ("mysql", "{data_source_name: 'u@(h)/'}", String::new(), false),
            ("postgres", "{}", String::new(), true),
            ("postgres", "{data_source_names: []}", String::new(), true),
            ("postgres", "{data_source_names: [], instance: a}", String::new(), true),
            ("postgres", "{data_source_names: []}", env(postgres), false),
            // The integration parses the address.
            ("postgres", "{data_source_names: ['']}", String::new(), false),
            ("oracledb", "{}", String::new(), true),
            ("oracledb", "{}", env("DATA_SOURCE_NAME"), false),
            ("oracledb", "{connection_string: ~}", env("DATA_SOURCE_NAME"), false),
            ("oracledb", "{connection_string: ''}", env("DATA_SOURCE_NAME"), true),
            ("mssql", "{}", env("DATA_SOURCE_NAME"), true),
        ] {
            let agent = agent("a", &format!("integrations: {{selector: {{}}}}{containers}"));
            let actual = lines(&[&agent, &integration("i", name, &[], config)]);
            let is_found = actual.iter().any(|line| line.starts_with("missing-integration-key spec.config:"));
            assert_eq!(is_found, is_missing, "{name} {config} {containers}");
        }
        // The agent that selects the Integration may be in a different input.
        assert_eq!(lines(&[&integration("i", "mysql", &[], "{}")]), [""; 0]);
    }

    #[test]
    fn reports_unknown_keys_in_list_items() {
        let places = |config: &str| {
            let mut findings = integration_findings("snmp", &[], config);
            findings.retain(|line| line.starts_with("unknown-integration-key"));
            let place = |line: &String| line.split([' ', ':']).nth(1).unwrap_or_default().to_owned();
            findings.iter().map(place).collect::<Vec<_>>()
        };
        assert_eq!(places("{snmp_targets: [{name: a}, {name: b, nme: c}]}"), ["spec.config.snmp_targets[1].nme"]);
        assert_eq!(places("{walk_params: {a: {b: c}}}"), ["spec.config.walk_params.a.b"]);
        assert_eq!(places("{walk_params: {a: {retries: 1}}}"), [""; 0]);
    }

    #[test]
    fn reports_unknown_integration_names() {
        let message = "the agent has no integration named `mysqll`, so it rejects `mysqll_configs` and does not start";
        assert_eq!(
            integration_findings("mysqll", &[], "{nope: 1}"),
            [format!("unknown-integration spec.name: {message}")]
        );
        let diagnostics = findings(&[AGENT, &integration("i", "mysqll", &[], "{}")]);
        assert_eq!(diagnostics[0].help.as_deref(), Some("did you mean `mysql`?"));
    }
}
