//! Tests that resolve small inputs.

use super::references::{self, AgentUse};
use super::*;
use crate::admit;
use crate::api::{AnyResource, ObjectRef};
use crate::testing;

/// Calls `make` with the resources of an input.
pub(crate) fn with_resources<T>(text: &str, make: impl FnOnce(Resources<'_>) -> T) -> T {
    let read = testing::read(text);
    let (options, mut found) = (admit::AdmitOptions::default(), read.diagnostics);
    let admitted = read.output.into_iter();
    let admitted = admitted.map(|d| admit::admit_document(d, true, &options, |_, _| false, &mut found));
    let documents: Vec<_> = admitted.collect();
    let resources = admit::decode(&documents, "ns");
    found.extend(resources.diagnostics);
    assert_eq!(found, [], "{text}");
    make(resources.output)
}

/// Returns an object of the given kind in the `ns` namespace.
pub(crate) fn object(kind: Kind, name: &str, spec: &str) -> String {
    let api_version = kind.api_version();
    format!("---\napiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}, namespace: ns}}\nspec: {spec}\n")
}

/// The Secret `s`, whose key `k` has the value `v`.
const SECRET: &str = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ns}\nstringData: {k: v}\n";

fn asked_for(namespace: Option<&str>, name: &str) -> ResolveOptions {
    ResolveOptions { agents: vec![(namespace.map(str::to_owned), name.to_owned())], ..ResolveOptions::default() }
}

#[test]
fn does_not_report_rejected_agents_as_missing() {
    with_resources("", |mut resources| {
        for (kind, expected) in [(Kind::GrafanaAgent, 0), (Kind::MetricsInstance, 1)] {
            let (namespace, name) = ("ns", "a");
            resources.rejected_objects = [ObjectRef { kind, namespace, name }].into();
            let found = resolve(&resources, &asked_for(None, "a")).diagnostics;
            assert_eq!(found.len(), expected, "{kind}");
        }
    });
}

#[test]
fn suggests_known_agents() {
    let web = object(Kind::GrafanaAgent, "web", "{}");
    let other_agent = |name: &str| object(Kind::GrafanaAgent, name, "{}").replace("namespace: ns", "namespace: b");
    let several = [web.clone(), other_agent("store")].concat();
    for (input, namespace, name, expected) in [
        (&several, None, "web", &[][..]),
        (&several, Some("ns"), "web", &[]),
        (&several, Some("b"), "web", &["did you mean `ns/web`?"]),
        (&several, None, "wbe", &["did you mean `ns/web`?"]),
        (&several, Some("b"), "stor", &["did you mean `b/store`?"]),
        (&several, None, "other", &["use one of: `b/store`, `ns/web`"]),
        (&String::new(), None, "other", &["pass the file that defines it"]),
        (&[web.clone(), other_agent("web")].concat(), None, "web", &["use one of: `b/web`, `ns/web`"]),
    ] {
        with_resources(input, |resources| {
            let found = resolve(&resources, &asked_for(namespace, name)).diagnostics;
            let help: Vec<_> = found.iter().filter_map(|finding| finding.help.as_deref()).collect();
            assert_eq!(help, expected, "{namespace:?} {name}");
        });
    }
}

/// Returns the references of the first resource of a kind, each as `path usage object key`.
fn references(kind: Kind, spec: &str, used: AgentUse) -> Vec<String> {
    with_resources(&object(kind, "a", spec), |resources| {
        let found = references::collect(resources.list(kind)[0], used).into_iter();
        let shown = found.map(|finding| {
            let key = finding.key("ns");
            format!("{} {:?} {} {}", finding.path, finding.usage, key.object(), key.key)
        });
        shown.collect()
    })
}

#[test]
fn finds_the_same_references_as_the_operator() {
    let monitor = |endpoint: &str| format!("{{selector: {{}}, endpoints: [{endpoint}]}}");
    for (endpoint, expected) in [
        ("{}", &[][..]),
        (
            "{tlsConfig: {ca: {secret: {name: s, key: k}}}}",
            &["spec.endpoints[0].tlsConfig.ca.secret File Secret/ns/s k"],
        ),
        // The agent reads `caFile` instead of the Secret, but the Secret's value is copied anyway.
        (
            "{tlsConfig: {ca: {secret: {name: s, key: k}}, caFile: /f}}",
            &["spec.endpoints[0].tlsConfig.ca.secret Unused Secret/ns/s k"],
        ),
        (
            "{tlsConfig: {ca: {configMap: {name: c, key: k}}, caFile: '', keyFile: /f}}",
            &["spec.endpoints[0].tlsConfig.ca.configMap File ConfigMap/ns/c k"],
        ),
        (
            "{tlsConfig: {cert: {secret: {name: s, key: k}}, keySecret: {name: s, key: k}, keyFile: /f}}",
            &[
                "spec.endpoints[0].tlsConfig.cert.secret File Secret/ns/s k",
                "spec.endpoints[0].tlsConfig.keySecret Unused Secret/ns/s k",
            ],
        ),
        ("{bearerTokenSecret: {name: s, key: k}}", &["spec.endpoints[0].bearerTokenSecret Value Secret/ns/s k"]),
        ("{bearerTokenSecret: {name: '', key: k}}", &[]),
        // Both the user name and the password are required, so the missing password is reported.
        (
            "{basicAuth: {username: {name: s, key: k}}}",
            &[
                "spec.endpoints[0].basicAuth.username Value Secret/ns/s k",
                "spec.endpoints[0].basicAuth.password Value Secret/ns/ ",
            ],
        ),
        (
            "{authorization: {credentials: {name: s, key: k}}}",
            &["spec.endpoints[0].authorization.credentials Unused Secret/ns/s k"],
        ),
    ] {
        let found = references(Kind::ServiceMonitor, &monitor(endpoint), AgentUse::NOTHING);
        assert_eq!(found, expected, "{endpoint}");
    }
    // The agent reads the password from a file, so an incomplete reference is not looked up.
    for (password, expected) in [
        ("{name: s, key: k}", &["spec.remoteWrite[0].basicAuth.password File Secret/ns/s k"][..]),
        ("{name: s, key: ''}", &[]),
        ("{name: '', key: k}", &[]),
    ] {
        let spec = format!("{{remoteWrite: [{{url: a, basicAuth: {{password: {password}}}}}]}}");
        let found = references(Kind::MetricsInstance, &spec, AgentUse::NOTHING);
        assert_eq!(found[1..], *expected, "{password}");
    }
}

#[test]
fn marks_agent_settings_as_used_or_unused() {
    let token = "authorization: {credentials: {name: s, key: k}}";
    let basic = "basicAuth: {username: {name: s, key: u}, password: {name: s, key: p}}";
    let spec = format!(
        "{{apiServer: {{host: a, {basic}, {token}}}, metrics: {{remoteWrite: [{{url: a, {basic}}}]}}, \
         logs: {{clients: [{{url: a, {basic}}}]}}}}"
    );
    let usages = |used| {
        let found = references(Kind::GrafanaAgent, &spec, used).into_iter();
        let shown = found.map(|found| {
            let words: Vec<_> = found.split(' ').collect();
            format!("{} {}", words[0].trim_start_matches("spec."), words[1])
        });
        shown.collect::<Vec<_>>()
    };
    for used in [AgentUse::NOTHING, AgentUse::EVERYTHING] {
        for (remote_write, clients, api_server) in [(false, false, true), (false, true, false), (true, false, false)] {
            let used = match used.clients {
                true => used,
                false => AgentUse { remote_write, clients, api_server },
            };
            let value = |is_used| if is_used { "Value" } else { "Unused" };
            let file = if used.remote_write { "File" } else { "Unused" };
            let [server_usage, write_usage, client_usage] =
                [used.api_server, used.remote_write, used.clients].map(value);
            let expected = [
                format!("apiServer.basicAuth.username {server_usage}"),
                format!("apiServer.basicAuth.password {server_usage}"),
                "apiServer.authorization.credentials Unused".to_owned(),
                format!("metrics.remoteWrite[0].basicAuth.username {write_usage}"),
                format!("metrics.remoteWrite[0].basicAuth.password {file}"),
                format!("logs.clients[0].basicAuth.username {client_usage}"),
                format!("logs.clients[0].basicAuth.password {client_usage}"),
            ];
            assert_eq!(usages(used), expected);
        }
    }
}

#[test]
fn agent_settings_are_used_only_with_selected_resources() {
    let agent = |clients: &str| {
        let everything = "instanceSelector: {}";
        let logs = format!("logs: {{{everything}, clients: [{clients}]}}");
        let spec = format!("{{metrics: {{{everything}}}, {logs}, integrations: {{selector: {{}}}}}}");
        object(Kind::GrafanaAgent, "a", &spec)
    };
    let with_clients = agent("{url: a}");
    let selecting = "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}";
    let metrics = object(Kind::MetricsInstance, "m", selecting);
    let logs = |spec: &str| object(Kind::LogsInstance, "l", spec);
    let probe = |targets: &str| object(Kind::Probe, "p", &format!("{{prober: {{url: a}}, targets: {targets}}}"));
    for (input, remote_write, clients, api_server) in [
        (String::new(), false, false, false),
        (metrics.clone(), true, false, false),
        (object(Kind::Integration, "i", "{name: a, type: {}, config: {}}"), true, false, false),
        (logs("{}"), false, true, false),
        (logs("{clients: [{url: b}]}"), false, false, false),
        (
            logs("{podLogsSelector: {}, clients: [{url: b}]}")
                + &object(Kind::PodLogs, "p", "{selector: {}, pipelineStages: []}"),
            false,
            false,
            true,
        ),
        (
            metrics.clone() + &object(Kind::ServiceMonitor, "s", "{selector: {}, endpoints: [{port: a}]}"),
            true,
            false,
            true,
        ),
        (metrics.clone() + &object(Kind::ServiceMonitor, "s", "{selector: {}, endpoints: []}"), true, false, false),
        (
            metrics.clone() + &object(Kind::PodMonitor, "s", "{selector: {}, podMetricsEndpoints: [{port: a}]}"),
            true,
            false,
            true,
        ),
        (metrics.clone() + &probe("{staticConfig: {static: [a]}}"), true, false, false),
        (metrics.clone() + &probe("{ingress: {selector: {}}}"), true, false, true),
    ] {
        with_resources(&(with_clients.clone() + &input), |resources| {
            let resolved = resolve(&resources, &ResolveOptions::default());
            let used = resolved.output[0].agent_use();
            let found = (used.remote_write, used.clients, used.api_server);
            assert_eq!(found, (remote_write, clients, api_server), "{input}");
        });
    }
    with_resources(&(agent("") + &logs("{}")), |resources| {
        let resolved = resolve(&resources, &ResolveOptions::default());
        assert!(!resolved.output[0].agent_use().clients);
    });
}

/// Returns the findings for an agent with a single remote write whose user name is in a Secret.
fn found_of_values(more: &str, options: &ResolveOptions) -> Vec<(String, String)> {
    let user = |key: &str| format!("{{url: a, basicAuth: {{username: {{name: s, key: {key}}}}}}}");
    let spec = format!("{{metrics: {{instanceSelector: {{}}, remoteWrite: [{}]}}}}", user("k"));
    let agent = object(Kind::GrafanaAgent, "a", &spec) + &object(Kind::MetricsInstance, "m", "{}");
    with_resources(&(agent + more).replace("namespace: ns", "namespace: monitoring"), |resources| {
        let found = resolve(&resources, options).diagnostics.into_iter();
        let shown = found.map(|finding| (finding.message, finding.help.unwrap_or_default()));
        shown.collect()
    })
}

#[test]
fn suggests_alternatives_for_missing_values() {
    let secret = |name: &str, namespace: &str, data: &str| {
        format!(
            "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: {namespace}}}\nstringData: {{{data}}}\n"
        )
    };
    let not_found = "Secret `s` not found in namespace `monitoring`";
    let found_in = |namespace: &str| format!("{not_found}, but there is one in namespace `{namespace}`");
    let add = "add a Secret with this name to the namespace of the resource that refers to it";
    for (more, message, help) in [
        (
            String::new(),
            not_found.to_owned(),
            "add the Secret to the input, or correct `name`; if it is created elsewhere, pass `--missing-secrets=placeholder`",
        ),
        (
            secret("other", "ns", "k: v"),
            not_found.to_owned(),
            "add the Secret to the input, or correct `name`; if it is created elsewhere, pass `--missing-secrets=placeholder`; the namespace contains `other`",
        ),
        (
            secret("p-s-4f62m82fg4", "monitoring", "k: v"),
            not_found.to_owned(),
            "kustomize renamed it to `p-s-4f62m82fg4`, but did not update this field: add agentctl's `deploy/kustomize/name-references` to `components` in the kustomization, or the `name-references.yaml` in that directory to `configurations`",
        ),
        (secret("s", "elsewhere", "k: v"), found_in("elsewhere"), add),
        (
            secret("s", "elsewhere", "k: v") + &secret("s", "nss", "k: v"),
            found_in("monitorings"),
            "correct the namespace of the Secret, or of the resource that refers to it",
        ),
        (
            SECRET.replace("Secret", "ConfigMap").replace("stringData", "data"),
            not_found.to_owned(),
            "refer to the ConfigMap, or add the Secret to the input",
        ),
        (secret("s", "ns", "kk: v"), "Secret `s` has no key `k`".to_owned(), "use one of the Secret's keys: `kk`"),
        (secret("s", "ns", ""), "Secret `s` has no key `k`".to_owned(), "add the key to the Secret, which has no keys"),
        (
            "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s, namespace: ns}\n\
             spec: {encryptedData: {other: a}}\n"
                .to_owned(),
            "SealedSecret `s` creates Secret `s` without the key `k`".to_owned(),
            "add the key to the SealedSecret, or use a key that it creates: `other`",
        ),
        (
            secret("s", "ns", "k: 'ENC[AES256_GCM,data:x]'"),
            "Secret `s` is encrypted with SOPS, so the value of `k` cannot be read".to_owned(),
            "render with `--secrets=placeholder`, which needs no values, or decrypt the file first: `sops -d FILE | agentctl render -f -`, and pass the other files as well",
        ),
    ] {
        let found = found_of_values(&more, &ResolveOptions::default());
        let expected = (message, help.to_owned());
        assert_eq!(found.iter().find(|(message, _)| message.contains("Secret `s`")), Some(&expected), "{more}");
    }
    assert_eq!(misspelled_namespace("b", "a"), "namespace a or b");
    assert_eq!(misspelled_namespace("a", "b"), "namespace a or b");
    // Placeholders are not inserted for unused values.
    let spec = "{apiServer: {host: h, basicAuth: {username: {name: loose, key: k}}}, metrics: {instanceSelector: {}, remoteWrite: \
                [{url: a, basicAuth: {username: {name: needed, key: k}}}]}}";
    let agent = object(Kind::GrafanaAgent, "a", spec) + &object(Kind::MetricsInstance, "m", "{}");
    for (missing_secrets, placeholder) in
        [(MissingSecrets::Error, ""), (MissingSecrets::Placeholder, "; using a placeholder instead")]
    {
        let options = ResolveOptions { missing_secrets, ..ResolveOptions::default() };
        let mut found: Vec<_> = with_resources(&agent, |resources| {
            let found = resolve(&resources, &options).diagnostics.into_iter();
            found.map(|finding| finding.message).collect()
        });
        found.sort();
        let expected = [("loose", ""), ("needed", placeholder)]
            .map(|(name, more)| format!("Secret `{name}` not found in namespace `ns`{more}"));
        assert_eq!(found, expected);
    }
    // If the output contains placeholders, the values need not be readable.
    let placeholder = ResolveOptions { secrets: SecretMode::Placeholder, ..ResolveOptions::default() };
    let encrypted = secret("s", "ns", "k: 'ENC[AES256_GCM,data:x]'");
    let found = found_of_values(&encrypted, &placeholder);
    assert!(found.iter().all(|(message, _)| !message.contains("encrypted")), "{found:?}");
}

#[test]
fn does_not_report_objects_that_may_exist() {
    let spec = "{metrics: {instanceSelector: {}, remoteWrite: [{url: a, sigv4: {accessKey: {name: s, key: k}}}]}}";
    let agent = object(Kind::GrafanaAgent, "a", spec) + &object(Kind::MetricsInstance, "m", "{}");
    let secret = |namespace, name| ObjectRef { kind: Kind::Secret, namespace, name };
    for (refused, expected) in [
        (secret("ns", "s"), 0),
        // The name or namespace of the rejected object is unknown, so it may be the missing Secret.
        (secret("ns", ""), 0),
        (secret("", "s"), 0),
        (secret("ns", "t"), 1),
        (secret("b", "s"), 1),
        (ObjectRef { kind: Kind::ConfigMap, ..secret("ns", "s") }, 1),
    ] {
        with_resources(&agent, |mut resources| {
            resources.rejected_objects.insert(refused);
            let found = resolve(&resources, &ResolveOptions::default()).diagnostics;
            assert_eq!(found.len(), expected, "{refused}");
        });
    }
    for (lost, expected) in [(Kind::Secret, 0), (Kind::ConfigMap, 1)] {
        with_resources(&agent, |mut resources| {
            resources.lost_kinds.insert(lost);
            let found = resolve(&resources, &ResolveOptions::default()).diagnostics;
            assert_eq!(found.len(), expected, "{lost}");
        });
    }
    // No finding is reported if the value was rejected or if the agent's namespace is unknown.
    let referrer = ObjectRef { kind: Kind::GrafanaAgent, namespace: "ns", name: "a" };
    for (object, path, more, expected) in [
        (secret("ns", "s"), "data", SECRET.replace("k: v", "x: v"), 0),
        (secret("ns", "s"), "stringData.k", SECRET.replace("k: v", "x: v"), 0),
        (secret("ns", "s"), "binaryData.k", SECRET.replace("k: v", "x: v"), 0),
        (secret("ns", "s"), "stringData.x", SECRET.replace("k: v", "x: v"), 1),
        (secret("ns", "s"), "metadata.labels", SECRET.replace("k: v", "x: v"), 1),
        (referrer, "metadata.namespace", String::new(), 0),
        (referrer, "metadata.labels", String::new(), 1),
    ] {
        with_resources(&(agent.clone() + &more), |mut resources| {
            resources.rejected_fields.add(object, [path.to_owned()]);
            let found = resolve(&resources, &ResolveOptions::default()).diagnostics;
            assert_eq!(found.len(), expected, "{object} {path}");
        });
    }
}

#[test]
fn reads_stores_from_external_secrets_or_flags() {
    let external = |api_version: &str, namespace: &str, spec: &str| {
        format!(
            "---\napiVersion: {api_version}\nkind: ExternalSecret\nmetadata: {{name: s, namespace: {namespace}}}\nspec: {spec}\n"
        )
    };
    let own = |spec: &str| external("external-secrets.io/v1beta1", "ns", spec);
    let data = "data: [{secretKey: k, remoteRef: {key: a}}, {secretKey: l, remoteRef: {key: b}}]";
    let extract = "dataFrom: [{extract: {key: a}}]";
    let (namespace_store, cluster_store) =
        ("secretStoreRef: {name: x}", "secretStoreRef: {name: x, kind: ClusterSecretStore}");
    let flags = r#"{"kind":"SecretStore","name":"f"} {"key":"ns/s","property":"k"}"#;
    let all = r#"{"kind":"SecretStore","name":"x"} {"key":"a","property":"k"}"#;
    for (input, expected) in [
        (String::new(), flags),
        (own(&format!("{{{namespace_store}, {data}}}")), r#"{"kind":"SecretStore","name":"x"} {"key":"a"}"#),
        (own(&format!("{{{cluster_store}, {data}}}")), r#"{"kind":"ClusterSecretStore","name":"x"} {"key":"a"}"#),
        (
            own(&format!(
                "{{{namespace_store}, data: [{{secretKey: k, remoteRef: {{key: a}}, sourceRef: {{storeRef: {{name: z}}}}}}]}}"
            )),
            r#"{"kind":"SecretStore","name":"z"} {"key":"a"}"#,
        ),
        (own(&format!("{{{namespace_store}, data: [{{secretKey: l, remoteRef: {{key: a}}}}]}}")), flags),
        (own(&format!("{{{data}}}")), flags),
        (own(&format!("{{{namespace_store}, {extract}}}")), all),
        (own(&format!("{{{namespace_store}, dataFrom: [{{extract: {{key: a}}, rewrite: []}}]}}")), flags),
        (own(&format!("{{{namespace_store}, {extract}, target: {{template: {{}}}}}}")), flags),
        (own(&format!("{{{namespace_store}, dataFrom: [{{find: {{}}}}]}}")), flags),
        (own(&format!("{{{namespace_store}, dataFrom: [{{extract: {{key: a}}}}, {{extract: {{key: b}}}}]}}")), flags),
        (own(&format!("{{{namespace_store}, dataFrom: []}}")), flags),
        // ExternalSecrets in the group `kubernetes-client.io` specify a store differently.
        (external("kubernetes-client.io/v1", "ns", &format!("{{{namespace_store}, {data}}}")), flags),
        (external("external-secrets.io/v1", "b", &format!("{{{namespace_store}, {data}}}")), flags),
    ] {
        assert_eq!(placed(&input, "ns", "{namespace}/{name}").as_deref(), Some(expected), "{input}");
    }
    // A SecretStore can be used only in its own namespace.
    for (store, expected) in [
        (namespace_store, r#"{"kind":"SecretStore","name":"f"} {"key":"ns/s/k"}"#),
        (cluster_store, r#"{"kind":"ClusterSecretStore","name":"x"} {"key":"a"}"#),
    ] {
        let input = own(&format!("{{{store}, {data}}}"));
        assert_eq!(placed(&input, "b", "{namespace}/{name}/{key}").as_deref(), Some(expected), "{store}");
    }
}

/// Returns the store and the remote reference for the key `k` in the Secret `s`. `namespace` is the agent's namespace,
/// and `key` is the key template.
fn placed(input: &str, namespace: &str, key: &str) -> Option<String> {
    let agent = object(Kind::GrafanaAgent, "a", "{}").replace("namespace: ns", &format!("namespace: {namespace}"));
    with_resources(&(agent + input), |resources| {
        let remote = Remote {
            store: Some(Store { kind: "SecretStore".to_owned(), name: "f".to_owned() }),
            key: KeyTemplate::new(key).unwrap(),
            reads_files: false,
        };
        let resolved = resolve(&resources, &ResolveOptions::default());
        let key = AssetKey { kind: Kind::Secret, namespace: "ns", name: "s", key: "k" };
        let found = remote_ref(&key, &resolved.output[0], &resources, &remote)?;
        Some(format!("{} {}", found.store, found.remote))
    })
}

#[test]
fn members_include_every_selected_resource() {
    let spec = "{metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}, integrations: {selector: {}}}";
    let input = [
        object(Kind::GrafanaAgent, "a", spec),
        object(Kind::MetricsInstance, "m", "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}"),
        object(Kind::LogsInstance, "l", "{podLogsSelector: {}}"),
        object(Kind::Integration, "i", "{name: a, type: {}, config: {}}"),
        object(Kind::ServiceMonitor, "s", "{selector: {}, endpoints: []}"),
        object(Kind::PodMonitor, "p", "{selector: {}, podMetricsEndpoints: []}"),
        object(Kind::Probe, "b", "{prober: {url: a}, targets: {staticConfig: {static: [a]}}}"),
        object(Kind::PodLogs, "q", "{selector: {}, pipelineStages: []}"),
    ];
    with_resources(&input.concat(), |resources| {
        let resolved = resolve(&resources, &ResolveOptions::default());
        let members = resolved.output[0].members();
        let names: Vec<_> = members.map(|member: AnyResource<'_, '_>| member.meta.name).collect();
        assert_eq!(names, ["a", "m", "s", "p", "b", "l", "q", "i"]);
    });
}

#[test]
fn writes_placeholders_only_for_secrets() {
    let mut found = Vec::new();
    let spec = "{metrics: {instanceSelector: {}}}";
    let instance = "{remoteWrite: [{url: a, tlsConfig: {ca: {configMap: {name: s, key: k}}, keySecret: {name: s, key: k}}}], \
                    additionalScrapeConfigs: {name: s, key: jobs}}";
    let config_map = SECRET.replace("Secret", "ConfigMap").replace("stringData", "data");
    let input = [
        object(Kind::GrafanaAgent, "a", spec),
        object(Kind::MetricsInstance, "m", instance),
        config_map.clone(),
        SECRET.replace("{k: v}", "{k: v, jobs: '[]'}"),
    ];
    let texts = |input: &str| {
        with_resources(input, |resources| {
            let resolved = resolve(&resources, &ResolveOptions::default());
            let hierarchy = &resolved.output[0];
            let texts = hierarchy.placeholders();
            let texts = texts.map(|(_, text)| String::from_utf8_lossy(&text).into_owned());
            (hierarchy.has_secret_values(), texts.collect::<Vec<_>>())
        })
    };
    found.push(texts(&input.concat()));
    let plain = "{remoteWrite: [{url: a, tlsConfig: {ca: {configMap: {name: s, key: k}}}}]}";
    let input = [object(Kind::GrafanaAgent, "a", spec), object(Kind::MetricsInstance, "m", plain), config_map];
    found.push(texts(&input.concat()));
    let jobs = "- job_name: placeholder:Secret/ns/s/jobs\n";
    assert_eq!(
        found,
        [
            (true, [jobs.to_owned(), "placeholder:Secret/ns/s/k".to_owned(), "v".to_owned()].to_vec()),
            (false, ["v".to_owned()].to_vec()),
        ]
    );
}

/// If only part of a selector was rejected, it selects nothing, because the rest would select too much.
#[test]
fn partially_rejected_selectors_select_nothing() {
    let instance =
        object(Kind::MetricsInstance, "m", "{serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {}}");
    let monitor = object(Kind::ServiceMonitor, "s", "{selector: {}, endpoints: []}");
    for (path, expected) in [
        ("spec.serviceMonitorSelector.matchLabels", 0),
        ("spec.serviceMonitorSelector.matchExpressions", 0),
        ("spec.serviceMonitorNamespaceSelector.matchLabels", 0),
        ("spec.podMonitorSelector.matchLabels", 1),
        ("spec.remoteWrite", 1),
    ] {
        with_resources(&(instance.clone() + &monitor), |mut resources| {
            let parent = resources.metrics_instances[0].object_ref();
            resources.rejected_fields.add(parent, [path.to_owned()]);
            let selections = Selections::new(&resources);
            let selected = selections.for_parent(&resources.metrics_instances[0], Kind::ServiceMonitor).unwrap();
            assert_eq!(selected.indices.len(), expected, "{path}");
            assert_eq!((selections.pairs(), selections.are_too_many()), (expected, false), "{path}");
        });
    }
}

#[test]
fn selector_size_counts_requirements_and_values() {
    let text = "a=b, c in (d, e), f notin (g, h, i), j, !k";
    let selector = parse_selector(text).unwrap();
    assert_eq!(Selector::new(&selector).unwrap().size(), 5 + 1 + 2 + 3);
    let instance = object(
        Kind::MetricsInstance,
        "m",
        "{serviceMonitorSelector: {matchLabels: {a: b}}, serviceMonitorNamespaceSelector: {matchExpressions: [{key: a, operator: In, \
         values: [b, c]}]}}",
    );
    with_resources(&instance, |resources| {
        let selections = Selections::new(&resources);
        let sizes = [Kind::ServiceMonitor, Kind::PodMonitor];
        let sizes = sizes.map(|child| selections.child_selections(child)[0].selector.size());
        assert_eq!(sizes, [2 + 3, 0]);
    });
}

#[test]
fn shortens_long_lists_of_values() {
    let names: Vec<_> = (10..99).map(|number| number.to_string()).collect();
    for (count, expected) in
        [(0, ""), (1, "10"), (2, "10, 11"), (50, "58, 59"), (51, "58, 59 and 1 more"), (89, "58, 59 and 39 more")]
    {
        let values: Vec<&str> = names.iter().map(String::as_str).take(count).collect();
        let shown = label_values::LabelValues::from(values).to_string();
        assert!(shown.ends_with(expected), "{count}: {shown}");
        assert_eq!(shown.matches(", ").count(), count.clamp(1, 50) - 1, "{shown}");
    }
    let unsorted = label_values::LabelValues::from(vec!["c", "a", "b"]);
    assert!(["a", "b", "c"].iter().all(|value| unsorted.contains(value)));
    assert!(!unsorted.contains("d"));
}

/// Returns the reasons, the distance and the unknown label for an instance and a monitor in its namespace.
fn explained(instance: &str, labels: &str, more: &str) -> (String, u32, Option<String>) {
    let monitor = object(Kind::ServiceMonitor, "s", "{selector: {}, endpoints: []}");
    let monitor = monitor.replace("{name: s,", &format!("{{name: s, labels: {{{labels}}},"));
    let input = object(Kind::MetricsInstance, "m", instance) + &monitor + more;
    with_resources(&input, |resources| {
        let selections = Selections::new(&resources);
        let selector = &selections.child_selections(Kind::ServiceMonitor)[0].selector;
        let (child, namespaces) = (&resources.service_monitors[0], &selections.namespaces);
        let explanation = selector.explain(child, namespaces);
        assert_eq!(selector.distance(child, namespaces), explanation.distance());
        assert_eq!(explanation.first(), explanation.reasons.first());
        let unknown = explanation.unknown_label();
        let unknown = unknown.map(|(namespace, mismatch)| format!("{namespace} {}", mismatch.requirement));
        (explanation.predicate(Kind::MetricsInstance, Kind::ServiceMonitor), explanation.distance(), unknown)
    })
}

#[test]
fn explains_namespaces_with_unknown_labels() {
    let namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ns, labels: {a: c}}\n";
    let wants = |labels: &str| {
        format!("{{serviceMonitorSelector: {{}}, serviceMonitorNamespaceSelector: {{matchLabels: {{{labels}}}}}}}")
    };
    let name = "kubernetes.io/metadata.name";
    for (instance, labels, more, text, distance, unknown) in [
        (wants("a: c"), "", namespace, String::new(), 0, None),
        (
            wants("a: b"),
            "",
            namespace,
            "requires namespaces with `a=b`, but namespace `ns` has `a=c`".to_owned(),
            2,
            None,
        ),
        (
            wants("a: b"),
            "",
            "",
            "requires namespaces with `a=b`, but no manifest defines namespace `ns`".to_owned(),
            2,
            Some("ns a=b".to_owned()),
        ),
        // Every namespace has the name label, even if no manifest defines the namespace.
        (wants(&format!("{name}: ns")), "", "", String::new(), 0, None),
        (
            wants(&format!("{name}: x")),
            "",
            "",
            format!("requires namespaces with `{name}=x`, but namespace `ns` has `{name}=ns`"),
            2,
            None,
        ),
        (
            wants(&format!("a: b, {name}: x")),
            "",
            "",
            format!(
                "requires namespaces with `a=b`, but no manifest defines namespace `ns`; the MetricsInstance also requires namespaces with `{name}=x`, but namespace `ns` has `{name}=ns`"
            ),
            4,
            None,
        ),
        (
            wants("a: b").replace("serviceMonitorSelector: {}", "serviceMonitorSelector: {matchLabels: {d: e}}"),
            "x: z",
            "",
            "requires `d=e` in `spec.serviceMonitorSelector`, but the ServiceMonitor has no label `d`; the MetricsInstance also requires namespaces with `a=b`, but no manifest defines namespace `ns`".to_owned(),
            5,
            None,
        ),
        (
            "{serviceMonitorSelector: {matchExpressions: [{key: a, operator: Near}]}}".to_owned(),
            "",
            "",
            "has an invalid `spec.serviceMonitorSelector`".to_owned(),
            9,
            None,
        ),
    ] {
        assert_eq!(explained(&instance, labels, more), (text, distance, unknown), "{instance}");
    }
}

#[test]
fn shortens_long_lists_of_reasons() {
    for (count, expected) in
        [(1, None), (50, None), (51, Some("; there is 1 more reason")), (60, Some("; there are 10 more reasons"))]
    {
        let labels: Vec<_> = (100..100 + count).map(|number| format!("l{number}: v")).collect();
        let instance = format!("{{serviceMonitorSelector: {{matchLabels: {{{}}}}}}}", labels.join(", "));
        let (text, distance, _) = explained(&instance, "", "");
        assert_eq!(text.matches("requires `").count(), count.min(50));
        assert_eq!(text.matches("; the MetricsInstance also ").count(), count.min(50) - 1);
        assert!(expected.is_none_or(|more| text.ends_with(more)), "{text}");
        assert_eq!(distance, 3 * u32::try_from(count).unwrap());
    }
}

#[test]
fn writes_requirements_in_kubectl_syntax() {
    for (text, expected) in [
        ("a=b", "a=b"),
        (" a == b ", "a=b"),
        ("a=", "a="),
        ("a!=b", "a!=b"),
        ("a in (b,c)", "a in (b, c)"),
        ("a in(b)", "a=b"),
        ("a\tnotin  ( b , c )", "a notin (b, c)"),
        ("a notin (b)", "a!=b"),
        ("a", "a"),
        ("!a", "!a"),
        ("!  a", "!a"),
        ("a=b , c", "a=b c"),
        ("x/y=z", "x/y=z"),
    ] {
        let parsed = parse_selector(text).unwrap();
        let selector = Selector::new(&parsed).unwrap();
        let written: Vec<_> = selector.requirements().iter().map(ToString::to_string).collect();
        assert_eq!(written.join(" "), expected, "{text}");
    }
    for text in ["a in (b", "ain (b)", "a b", "a=b=c", "!", "a,,b", ",a", "a in", "a!b"] {
        let error = parse_selector(text).map(drop).unwrap_err();
        assert!(error.starts_with("expected `a=b`, "), "{text}: {error}");
    }
    for (text, value, expected) in [
        ("tier in (backend, web)", "backnd", true),
        ("tier in (backend, web)", "frontend", false),
        ("tier notin (backend)", "backnd", false),
        ("tier", "tier", false),
    ] {
        let parsed = parse_selector(text).unwrap();
        let selector = Selector::new(&parsed).unwrap();
        assert_eq!(selector.requirements()[0].nearly_matches(value), expected, "{text} {value}");
    }
}

/// Returns the message and help of the finding for agents whose selections exceed `limit`.
fn limit_finding(limit: u64, input: &str) -> Option<(String, String)> {
    let options = ResolveOptions { max_jobs: JobLimit(Some(limit)), ..ResolveOptions::default() };
    with_resources(input, |resources| {
        let resolved = resolve(&resources, &options);
        let found =
            resolved.diagnostics.into_iter().find(|finding| finding.code == crate::diagnostic::Code::JobLimit)?;
        assert!(resolved.output.is_empty());
        Some((found.message, found.help.unwrap_or_default()))
    })
}

#[test]
fn job_limit_finding_lists_the_largest_instances() {
    let agent = object(Kind::GrafanaAgent, "a", "{metrics: {instanceSelector: {}}}");
    let instance = |name: &str, labels: &str| {
        object(Kind::MetricsInstance, name, &format!("{{podMonitorSelector: {{matchLabels: {{{labels}}}}}}}"))
    };
    let monitor = |name: &str, labels: &str| {
        let endpoint = "{port: a}, ".repeat(20);
        let spec = format!("{{selector: {{}}, podMetricsEndpoints: [{endpoint}]}}");
        object(Kind::PodMonitor, name, &spec).replace("{name:", &format!("{{labels: {{{labels}}}, name:"))
    };
    let input = [
        agent.clone(),
        instance("all", ""),
        instance("one", "x: z"),
        instance("two", "v: w"),
        instance("three", "v: w"),
        instance("none", "gone: gone"),
        monitor("p", "x: z, v: w"),
        monitor("q", "v: w"),
        monitor("r", "a: b"),
    ]
    .concat();
    let (message, help) = limit_finding(176, &input).unwrap();
    assert_eq!(message, "the agents select the equivalent of 177 scrape jobs, more than the limit of 176");
    assert_eq!(
        help,
        "narrow the selectors of MetricsInstance `ns/all` (63), MetricsInstance `ns/three` (43), MetricsInstance `ns/two` (43) and 3 \
         more, or raise the limit with `--limit jobs=NUMBER`"
    );
    assert_eq!(limit_finding(177, &input), None);
    // An instance counts once for each agent that selects it.
    let twice = input.clone() + &object(Kind::GrafanaAgent, "b", "{metrics: {instanceSelector: {}}}");
    let (_, help) = limit_finding(176, &twice).unwrap();
    assert!(help.starts_with("narrow the selectors of MetricsInstance `ns/all` (125), "), "{help}");
    let shards = agent.replace("{instanceSelector", "{shards: 100, instanceSelector");
    let (message, help) = limit_finding(100, &(shards + &instance("m", ""))).unwrap();
    assert!(message.starts_with("the agents are as much work to render as "), "{message}");
    assert!(help.starts_with("lower `shards` or shorten the lists of GrafanaAgent `ns/a` ("), "{help}");
    assert_eq!(limit_finding(1_000, &input), None);
}

#[test]
fn match_expressions_need_values() {
    let expression =
        |operator: &str, values: &str| format!("{{matchExpressions: [{{key: a, operator: {operator}{values}}}]}}");
    let agent = object(Kind::GrafanaAgent, "a", "{metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}}")
        + &object(
            Kind::MetricsInstance,
            "m",
            "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}",
        )
        + &object(Kind::LogsInstance, "l", "{podLogsSelector: {}}");
    for (operator, values, is_wrong) in
        [("In", "", true), ("NotIn", ", values: []", true), ("In", ", values: [b]", false), ("Exists", "", false)]
    {
        let selector = expression(operator, values);
        let both = format!("{{staticConfig: {{static: [a]}}, ingress: {{selector: {selector}}}}}");
        for (kind, spec, path) in [
            (Kind::ServiceMonitor, format!("{{selector: {selector}, endpoints: []}}"), Some("spec.selector")),
            (Kind::PodMonitor, format!("{{selector: {selector}, podMetricsEndpoints: []}}"), Some("spec.selector")),
            (Kind::PodLogs, format!("{{selector: {selector}, pipelineStages: []}}"), Some("spec.selector")),
            (
                Kind::Probe,
                format!("{{prober: {{url: a}}, targets: {{ingress: {{selector: {selector}}}}}}}"),
                Some("spec.targets.ingress.selector"),
            ),
            // Static targets take precedence over ingresses.
            (Kind::Probe, format!("{{prober: {{url: a}}, targets: {both}}}"), None),
        ] {
            with_resources(&(agent.clone() + &object(kind, "x", &spec)), |resources| {
                let found = resolve(&resources, &ResolveOptions::default()).diagnostics;
                let found: Vec<_> =
                    found.iter().map(|finding| (finding.path.as_deref().unwrap(), finding.message.as_str())).collect();
                let path = path.filter(|_| is_wrong).map(|path| format!("{path}.matchExpressions[0].values"));
                let message = format!("`{operator}` needs `values`");
                let expected: Vec<_> = path.iter().map(|path| (path.as_str(), message.as_str())).collect();
                assert_eq!(found, expected, "{kind} {spec}");
            });
        }
    }
    with_resources(&(agent + &object(Kind::Probe, "x", "{prober: {url: a}, targets: {}}")), |resources| {
        let found = resolve(&resources, &ResolveOptions::default()).diagnostics;
        let found: Vec<_> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(found, ["a Probe needs `staticConfig` or `ingress` in `spec.targets`"]);
    });
}

/// Tests the findings for values that must not be rendered.
#[test]
fn rejects_values_without_a_template() {
    let user = "remoteWrite: [{url: a, basicAuth: {username: {name: s, key: k}, password: {name: s, key: k}}}]";
    let jobs = |key: &str| format!("additionalScrapeConfigs: {{name: s, key: {key}}}");
    let secret = SECRET.replace("{k: v}", "{k: '[]', l: '[]'}");
    let generator = "---\napiVersion: onepassword.com/v1\nkind: OnePasswordItem\nmetadata: {name: s, namespace: ns}\n";
    let store = Some(Store { kind: "SecretStore".to_owned(), name: "f".to_owned() });
    let (user_field, jobs_field) = ("spec.remoteWrite[0].basicAuth.username", "spec.additionalScrapeConfigs");
    for (spec, more, store, reads_files, expected) in [
        (user.to_owned(), secret.as_str(), store.clone(), false, &[][..]),
        (user.to_owned(), secret.as_str(), None, false, &[user_field]),
        (jobs("k"), secret.as_str(), None, false, &[jobs_field]),
        (format!("{user}, {}", jobs("l")), secret.as_str(), store.clone(), false, &[]),
        // A key cannot contain both a single value, which is quoted, and scrape jobs, which are not.
        (format!("{user}, {}", jobs("k")), secret.as_str(), store.clone(), false, &[user_field, jobs_field]),
        (user.to_owned(), secret.as_str(), None, true, &[]),
        (jobs("k"), secret.as_str(), None, true, &[]),
        // Scrape jobs can be compiled only if the input contains them.
        (jobs("k"), generator, None, true, &[jobs_field]),
        (user.to_owned(), generator, None, true, &[]),
    ] {
        let input = object(Kind::GrafanaAgent, "a", "{metrics: {instanceSelector: {}}}")
            + &object(Kind::MetricsInstance, "m", &format!("{{{spec}}}"))
            + more;
        with_resources(&input, |resources| {
            let options = ResolveOptions {
                secrets: SecretMode::External(Remote { store, key: KeyTemplate::default(), reads_files }),
                ..ResolveOptions::default()
            };
            let resolved = resolve(&resources, &options);
            let found: Vec<_> = resolved.diagnostics.iter().filter_map(|finding| finding.path.as_deref()).collect();
            assert_eq!(found, expected, "{spec} {more}");
            let unknown = unknown_rights(&resolved.output[0]);
            assert_eq!(unknown.len(), usize::from(more == generator && spec.contains("additional")), "{spec}");
            let inlined = inlined_values(&resolved.output[0]);
            let inlined: Vec<_> = inlined.iter().map(|value| value.path.to_string()).collect();
            assert_eq!(inlined, if spec.contains("basicAuth") { vec![user_field] } else { vec![] }, "{spec}");
        });
    }
    for (mode, expected) in
        [(SecretMode::Inline, true), (SecretMode::Placeholder, false), (SecretMode::External(Remote::default()), false)]
    {
        assert_eq!(mode.needs_values(), expected, "{mode:?}");
    }
    for (key, expected) in [("{namespace}/{name}", false), ("{key}", true), ("key", false)] {
        let key = KeyTemplate::new(key).unwrap();
        assert_eq!(key.names_the_key(), expected, "{key}");
    }
    assert_eq!(KeyTemplate::default().to_string(), "{namespace}/{name}");
}

/// Tests the port of the operator's `testForArbitraryFSAccess`.
#[test]
fn ignores_monitors_that_are_denied_access_to_files() {
    let agent = |deny: bool| {
        let spec = format!("{{metrics: {{instanceSelector: {{}}, arbitraryFSAccessThroughSMs: {{deny: {deny}}}}}}}");
        object(Kind::GrafanaAgent, "a", &spec) + &object(Kind::MetricsInstance, "m", "{serviceMonitorSelector: {}}")
    };
    let monitor =
        |endpoint: &str| object(Kind::ServiceMonitor, "s", &format!("{{selector: {{}}, endpoints: [{endpoint}]}}"));
    for (deny, endpoint, expected) in [
        (false, "{bearerTokenFile: /t}", 1),
        (true, "{bearerTokenFile: /t}", 0),
        (true, "{port: a}", 1),
        (true, "{tlsConfig: {caFile: /c}}", 0),
        (true, "{tlsConfig: {serverName: c}}", 1),
    ] {
        with_resources(&(agent(deny) + &monitor(endpoint)), |resources| {
            let resolved = resolve(&resources, &ResolveOptions::default());
            assert_eq!(resolved.output[0].metrics[0].service_monitors.len(), expected, "{deny} {endpoint}");
            assert_eq!(resolved.diagnostics.len(), 1 - expected, "{deny} {endpoint}");
        });
    }
}

#[test]
fn searches_the_selected_namespaces() {
    let namespace = |name: &str, labels: &str| {
        format!("---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{labels}}}}}\n")
    };
    let input = [
        object(Kind::GrafanaAgent, "a", "{metrics: {instanceSelector: {}}}"),
        object(
            Kind::MetricsInstance,
            "m",
            "{serviceMonitorSelector: {}, podMonitorSelector: {}, podMonitorNamespaceSelector: {}, probeSelector: {}, \
             probeNamespaceSelector: {matchLabels: {a: b}}}",
        ),
        object(
            Kind::MetricsInstance,
            "o",
            "{podMonitorSelector: {}, podMonitorNamespaceSelector: {matchExpressions: [{key: a, operator: Near}]}}",
        ),
        namespace("x", "a: b"),
        namespace("z", "a: c"),
    ];
    with_resources(&input.concat(), |resources| {
        let resolved = resolve(&resources, &ResolveOptions::default());
        let instances = resolved.output[0].metrics.iter();
        let searched: Vec<_> = instances.map(|instance| instance.searched.clone()).collect();
        let expected = vec![
            (Kind::ServiceMonitor, SearchedNamespaces::Own("ns")),
            (Kind::PodMonitor, SearchedNamespaces::All),
            (Kind::Probe, SearchedNamespaces::Labeled(vec!["x"])),
        ];
        assert_eq!(searched, [expected, vec![]]);
    });
}

/// Returns the suggestion for a missing object after at most `comparisons` comparisons, and the number of remaining
/// comparisons.
fn alternative(input: &str, kind: Kind, name: &str, mut comparisons: usize) -> (String, usize) {
    with_resources(input, |resources| {
        let key = AssetKey { kind, namespace: "monitoring", name, key: "k" };
        let alternatives = Alternatives::new(&resources);
        let shown = match alternatives.find(&key, &mut comparisons) {
            missing::Alternative::Generated(generated) => format!("generated by {}", generated.creator),
            missing::Alternative::Elsewhere { object, other_count, is_near } => {
                format!("in {} and {other_count} more, near: {is_near}", object.meta.namespace)
            }
            missing::Alternative::Similar(name) => format!("similar: {name}"),
            missing::Alternative::Renamed(name) => format!("renamed: {name}"),
            missing::Alternative::OtherKind(object) => format!("{}", object.kind),
            missing::Alternative::Names(names) => format!("names: {}", names.join(" ")),
        };
        (shown, comparisons)
    })
}

#[test]
fn suggests_the_most_likely_object() {
    let data = |kind: &str, namespace: &str, name: &str| {
        format!("---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n")
    };
    let generator =
        "---\napiVersion: onepassword.com/v1\nkind: OnePasswordItem\nmetadata: {name: creds, namespace: monitoring}\n";
    let several = data("Secret", "a", "creds") + &data("Secret", "monitorin", "creds") + &data("Secret", "z", "creds");
    let neighbours =
        data("Secret", "monitoring", "credz") + &data("Secret", "monitoring", "other") + &data("Secret", "b", "third");
    for (input, kind, name, comparisons, expected, left) in [
        (generator.to_owned(), Kind::Secret, "creds", 9, "generated by creds", 9),
        (generator.to_owned(), Kind::ConfigMap, "creds", 9, "names: ", 9),
        (several.clone(), Kind::Secret, "creds", 9, "in monitorin and 2 more, near: true", 6),
        (several.clone(), Kind::Secret, "creds", 3, "in monitorin and 2 more, near: true", 0),
        // No comparisons are left.
        (several.clone(), Kind::Secret, "creds", 2, "in a and 2 more, near: false", 2),
        (data("Secret", "a", "creds"), Kind::Secret, "creds", 9, "in a and 0 more, near: false", 8),
        (data("ConfigMap", "monitoring", "creds"), Kind::Secret, "creds", 9, "ConfigMap", 9),
        (data("Secret", "monitoring", "creds"), Kind::ConfigMap, "creds", 9, "Secret", 9),
        (neighbours.clone(), Kind::Secret, "creds", 9, "similar: credz", 7),
        (neighbours.clone(), Kind::Secret, "creds", 2, "similar: credz", 0),
        (neighbours.clone(), Kind::Secret, "creds", 1, "names: ", 1),
        (neighbours, Kind::Secret, "unlike", 9, "names: credz other", 7),
    ] {
        assert_eq!(alternative(&input, kind, name, comparisons), (expected.to_owned(), left), "{input}");
    }
    let secret = SECRET.replace("{k: v}", "{token: v, other: w}");
    with_resources(&secret, |resources| {
        for (key, comparisons, expected, left) in
            [("tokn", 9, Some("token"), 7), ("tokn", 2, Some("token"), 0), ("tokn", 1, None, 1), ("unlike", 9, None, 7)]
        {
            let mut comparisons = comparisons;
            let found = missing::find_intended_key(key, &resources.secrets[0], &mut comparisons);
            assert_eq!((found, comparisons), (expected, left), "{key}");
        }
    });
}

#[test]
fn finds_resources_by_kind_namespace_and_name() {
    let config_map = SECRET.replace("Secret", "ConfigMap").replace("stringData", "data");
    let elsewhere =
        object(Kind::PodLogs, "p", "{selector: {}, pipelineStages: []}").replace("namespace: ns", "namespace: a");
    let own = |name: &str| object(Kind::PodLogs, name, "{selector: {}, pipelineStages: []}");
    let input = [SECRET.to_owned(), config_map, elsewhere, own("q"), own("p")];
    with_resources(&input.concat(), |resources| {
        let named = |kind, namespace, name| ObjectRef { kind, namespace, name };
        for (object, expected) in [
            (named(Kind::PodLogs, "ns", "p"), true),
            (named(Kind::PodLogs, "a", "p"), true),
            (named(Kind::PodLogs, "a", "q"), false),
            (named(Kind::Probe, "ns", "p"), false),
            (named(Kind::Secret, "ns", "s"), true),
            (named(Kind::ConfigMap, "ns", "s"), true),
            (named(Kind::ConfigMap, "a", "s"), false),
        ] {
            let found = resources.get(object);
            assert_eq!(found.map(|found| found.object_ref()), Some(object).filter(|_| expected), "{object}");
            let is_data = expected && object.kind.is_data();
            assert_eq!(resources.data_object(object).is_some(), is_data, "{object}");
        }
        let names: Vec<_> = resources.list(Kind::PodLogs).iter().map(|found| found.meta.full_name()).collect();
        assert_eq!(names, ["a/p", "ns/p", "ns/q"]);
        let at = |position| resources.resource_at(Kind::PodLogs, position).map(|found| found.meta.full_name());
        assert_eq!([at(0), at(2), at(3)], [Some("a/p".to_owned()), Some("ns/q".to_owned()), None]);
        for (namespace, range) in [("a", 0..1), ("ns", 1..3), ("b", 1..1), ("z", 3..3)] {
            assert_eq!(crate::api::namespace_range(&resources.pod_logs, namespace), range, "{namespace}");
            assert_eq!(
                crate::api::resources_in_namespace(&resources.pod_logs, namespace).len(),
                range.len(),
                "{namespace}"
            );
        }
        let kinds = [Kind::Secret, Kind::ConfigMap, Kind::Probe].map(|kind| resources.data(kind).len());
        assert_eq!(kinds, [1, 1, 0]);
        let mut selections = Selections::new(&resources);
        assert_eq!(selections.child_selections(Kind::PodLogs).len(), 0);
        selections.clear();
        assert!(selections.for_parent(&resources.pod_logs[0], Kind::PodLogs).is_none());
    });
}

#[test]
fn compiles_the_requested_agents() {
    let agent = |name: &str, labels: &str, spec: &str| {
        let labeled = format!("{{labels: {{{labels}}}, name: {name},");
        object(Kind::GrafanaAgent, name, spec).replace(&format!("{{name: {name},"), &labeled)
    };
    let input = agent("a", "team: x", "{}") + &agent("b", "team: z", "{}") + &agent("c", "team: x", "{paused: true}");
    for (agents, selector, compiled, found) in [
        (&[][..], None, "ab", &["GrafanaAgent `c` is paused, so nothing is rendered for it"][..]),
        (&["a"], None, "a", &[]),
        (&["a", "b"], Some("team=x"), "a", &[]),
        (&[], Some("team=z"), "b", &[]),
        (&[], Some("team in (x, z)"), "ab", &["GrafanaAgent `c` is paused, so nothing is rendered for it"]),
        (&[], Some("!team"), "", &[]),
        (&[], Some(""), "ab", &["GrafanaAgent `c` is paused, so nothing is rendered for it"]),
        (
            &[],
            Some("a b"),
            "",
            &[
                "`--agent-selector` cannot be parsed: expected `a=b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a` or `!a`, found `a b`",
            ],
        ),
    ] {
        let options = ResolveOptions {
            agents: agents.iter().map(|name| (None, (*name).to_owned())).collect(),
            agent_selector: selector.map(str::to_owned),
            ..ResolveOptions::default()
        };
        with_resources(&input, |resources| {
            let resolved = resolve(&resources, &options);
            let names: String = resolved.output.iter().map(|hierarchy| hierarchy.agent.meta.name).collect();
            let messages: Vec<_> = resolved.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
            assert_eq!((names.as_str(), messages.as_slice()), (compiled, found), "{agents:?} {selector:?}");
        });
    }
    for (text, expected) in [("a=b", true), ("", true), ("a b", false), ("a=b c", false), ("a=/", false)] {
        assert_eq!(read_agent_selector(text).is_ok(), expected, "{text}");
    }
}
