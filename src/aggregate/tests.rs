//! Tests of entire inputs: kube-aggregator's verdicts and the line of each finding.

use crate::testing::TestInput;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    AggregateOptions, Registry, RegistryChange, RemoteServices, changes, compile, group_discovery_list, group_list,
};
use super::{manifests, routes};
use crate::diagnostic::{Diagnostic, ObjectKey, Severity, has_errors};
use crate::source::Sources;
use crate::yaml::{Document, Limits, read};

fn input_files(name: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/aggregate").join(name);
    let mut files: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn read_documents(sources: &Sources) -> Vec<Document<'_>> {
    let (id, source) = sources.iter().next().unwrap();
    let read = read(id, &source.text, &Limits::default());
    assert_eq!(read.diagnostics, []);
    read.output
}

fn sources_of(text: &str) -> Sources {
    TestInput::new(text).sources
}

/// Calls `test` with the registry built from a valid input.
fn with_registry<T>(text: &str, test: impl FnOnce(&Registry<'_>) -> T) -> T {
    let sources = sources_of(text);
    let documents = read_documents(&sources);
    let compiled = compile(&documents, None, &AggregateOptions::default());
    assert!(!has_errors(&compiled.diagnostics), "{:?}", compiled.diagnostics);
    test(&compiled.output)
}

fn verdict_errors(expected: &Value) -> Vec<(String, String)> {
    let services = expected["validation"].as_array().unwrap().iter();
    let errors = services.flat_map(|service| {
        let errors = service["errors"].as_array().cloned().unwrap_or_default();
        let name = service["name"].as_str().unwrap().to_owned();
        let path = |error: &Value| error["path"].as_str().unwrap().to_owned();
        errors.into_iter().map(move |error| (name.clone(), path(&error)))
    });
    errors.collect()
}

fn assert_errors(file: &Path, findings: &[Diagnostic], expected: &[(String, String)]) {
    for (name, path) in expected {
        let resource = ObjectKey::new("APIService", "", name);
        let is_reported = findings.iter().any(|d| {
            d.severity == Severity::Error
                && d.resource.as_ref() == Some(&resource)
                && d.path.as_deref() == Some(path.as_str())
        });
        assert!(is_reported, "{}: no error of {name} at {path}", file.display());
    }
    assert_eq!(has_errors(findings), !expected.is_empty(), "{}: {findings:?}", file.display());
}

fn assert_routes(file: &Path, registry: &Registry<'_>, expected: &Value) {
    for route in routes(registry) {
        let condition = expected["available"][route.api_service].as_str().unwrap();
        let actual = match route.available.status {
            "Unknown" => "Unknown".to_owned(),
            status => format!("{} {}", status, route.available.reason),
        };
        assert_eq!(actual, condition, "{}: {}", file.display(), route.api_service);
        let target = json!(route.target);
        let expected = &expected["targets"][route.api_service];
        assert_eq!(target, *expected, "{}: {}", file.display(), route.api_service);
    }
}

#[test]
fn agrees_with_kube_aggregator() {
    for file in input_files("verdicts") {
        let expected = fs::read_to_string(file.with_extension("json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let sources = sources_of(&fs::read_to_string(&file).unwrap());
        let documents = read_documents(&sources);
        let compiled = compile(&documents, None, &AggregateOptions::default());
        let errors = verdict_errors(&expected);
        assert_errors(&file, &compiled.diagnostics, &errors);
        if errors.is_empty() {
            let groups = serde_json::to_value(group_list(&compiled.output, false)).unwrap();
            assert_eq!(groups["groups"], expected["groups"], "{}", file.display());
            assert_routes(&file, &compiled.output, &expected);
        }
    }
}

/// Returns the line number and the `severity code` text of each comment such as `# error invalid-port`.
fn expected_marks(text: &str) -> Vec<(u32, String)> {
    let lines = text.lines().enumerate();
    let marks = lines.filter_map(|(i, line)| {
        let (_, mark) = line.split_once(" # ")?;
        let is_mark = ["error ", "warning ", "note "].iter().any(|severity| mark.starts_with(severity));
        is_mark.then(|| (u32::try_from(i + 1).unwrap(), mark.to_owned()))
    });
    marks.collect()
}

fn actual_marks(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<(u32, String)> {
    let mut marks: Vec<_> = diagnostics
        .iter()
        .map(|d| {
            let span = d.primary().unwrap().span;
            let position = sources.get(span.source).unwrap().position(span.start as usize);
            (position.line, format!("{} {}", d.severity.as_str(), d.code))
        })
        .collect();
    marks.sort();
    marks
}

/// Options that check certificates one year after the example certificates were created.
fn options() -> AggregateOptions<'static> {
    AggregateOptions {
        certificate_time: Some("2026-03-01T00:00:00Z".parse::<Timestamp>().unwrap()),
        ..AggregateOptions::default()
    }
}

#[test]
fn reports_each_mistake_once_at_its_line() {
    for file in input_files("mistakes") {
        let sources = sources_of(&fs::read_to_string(&file).unwrap());
        let documents = read_documents(&sources);
        let findings = compile(&documents, None, &options()).diagnostics;
        let text = &sources.iter().next().unwrap().1.text;
        assert_eq!(actual_marks(&sources, &findings), expected_marks(text), "{}: {findings:?}", file.display());
    }
}

fn compile_remote<'d>(documents: &'d [Document<'d>], bundle: Option<&'d [u8]>) -> (Registry<'d>, Vec<Diagnostic>) {
    let span = documents[0].root().span();
    let remote = RemoteServices { documents, namespace: "default", ca_bundle: bundle.map(|bundle| (bundle, span)) };
    let compiled = compile(std::iter::empty(), Some(&remote), &options());
    (compiled.output, compiled.diagnostics)
}

#[test]
fn reports_each_mistake_in_remote_services_once() {
    for file in input_files("remote-mistakes") {
        let sources = sources_of(&fs::read_to_string(&file).unwrap());
        let documents = read_documents(&sources);
        let (_, findings) = compile_remote(&documents, None);
        let text = &sources.iter().next().unwrap().1.text;
        assert_eq!(actual_marks(&sources, &findings), expected_marks(text), "{}: {findings:?}", file.display());
    }
}

const REMOTE: &str = "- {group: a.example, version: v1, host: localhost, port: 7443}\n\
                      - {group: a.example, version: v2, host: '::1', port: 7444}\n";

#[test]
fn expands_remote_services() {
    let sources = sources_of(REMOTE);
    let documents = read_documents(&sources);
    let (registry, findings) = compile_remote(&documents, None);
    assert_eq!(findings, []);
    let names: Vec<_> = manifests(&registry)
        .iter()
        .map(|object| (object.kind().to_owned(), object.namespace().to_owned(), object.name().to_owned()))
        .collect();
    let named = |kind: &str, namespace: &str, name: &str| (kind.to_owned(), namespace.to_owned(), name.to_owned());
    let expected = [
        named("ExternalName", "default", "v1.a.example"),
        named("ExternalName", "default", "v2.a.example"),
        named("APIService", "", "v1.a.example"),
        named("APIService", "", "v2.a.example"),
    ];
    assert_eq!(names, expected);
    let spec = manifests(&registry)[3].to_json()["spec"].clone();
    let expected = json!({
        "group": "a.example",
        "groupPriorityMinimum": 16000,
        "insecureSkipTLSVerify": true,
        "service": {"name": "v2.a.example", "namespace": "default", "port": 7444},
        "version": "v2",
        "versionPriority": 2,
    });
    assert_eq!(spec, expected);
}

#[test]
fn rendered_remote_services_are_valid() {
    let remote = sources_of(REMOTE);
    let documents = read_documents(&remote);
    let (registry, _) = compile_remote(&documents, None);
    let text: String = manifests(&registry).iter().map(|manifest| format!("---\n{}", manifest.to_yaml())).collect();
    with_registry(&text, |again| {
        assert_eq!(routes(again), routes(&registry));
        let targets: Vec<_> = routes(again).into_iter().map(|route| route.target.unwrap()).collect();
        assert_eq!(targets, ["https://[::1]:7444", "https://localhost:7443"]);
    });
}

#[test]
fn bundle_replaces_the_insecure_flag() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/aggregate/ca.pem");
    let bundle = fs::read(path).unwrap();
    let sources = sources_of(REMOTE);
    let documents = read_documents(&sources);
    let (registry, findings) = compile_remote(&documents, Some(&bundle));
    assert_eq!(findings, []);
    let routes = routes(&registry);
    assert_eq!(routes[0].tls, Some("caBundle"));
    assert_eq!(routes[0].server_name.as_deref(), Some("v2.a.example.default.svc"));
    let (_, findings) = compile_remote(&documents, Some(b"no certificate"));
    assert_eq!(findings.len(), 1, "once, although two services use it: {findings:?}");
    assert_eq!(findings[0].severity, Severity::Error);
}

const LOCAL: &str = "apiVersion: apiregistration.k8s.io/v1\n\
    kind: APIService\n\
    metadata: {name: v1.a.example, uid: x, labels: {l: w}}\n\
    spec: {group: a.example, version: v1, groupPriorityMinimum: 100, versionPriority: 10}\n\
    status: {}\n";

#[test]
fn manifests_keep_labels_but_not_server_fields() {
    with_registry(LOCAL, |registry| {
        let text = manifests(registry)[0].to_yaml();
        let expected = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  labels:\n    l: w\n  \
                        name: v1.a.example\nspec:\n  group: a.example\n  groupPriorityMinimum: 100\n  version: v1\n  \
                        versionPriority: 10\n";
        assert_eq!(text, expected);
    });
}

#[test]
fn reads_items_of_lists() {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIServiceList", "items": [
            {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1.a"},
             "spec": {"group": "a", "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1}},
            {"metadata": {"name": "v1.b"},
             "spec": {"group": "b", "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1}},
        ]},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}},
    ]});
    with_registry(&list.to_string(), |registry| {
        let names: Vec<_> = registry.api_services.iter().map(|service| &service.name).collect();
        assert_eq!(names, ["v1.a", "v1.b"], "an item has the type of its list");
        assert_eq!(routes(registry)[1].path, "/apis/a/v1");
    });
}

fn local_service(group: &str, version: &str, group_priority: i32, version_priority: i32) -> String {
    format!(
        "---\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {{name: {version}.{group}}}\nspec: \
         {{group: '{group}', version: {version}, groupPriorityMinimum: {group_priority}, versionPriority: \
         {version_priority}}}\n"
    )
}

#[test]
fn orders_groups_of_equal_priority() {
    let text = local_service("a.example", "v2", 100, 1)
        + &local_service("b.example", "v1", 100, 1)
        + &local_service("", "v1", 100, 1);
    with_registry(&text, |registry| {
        let list = serde_json::to_value(group_list(registry, true)).unwrap();
        let names = |list: &Value, field: &str| -> Vec<_> {
            let entries = list.as_array().unwrap().iter();
            entries.map(|entry| entry.pointer(field).unwrap().as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(
            names(&list["groups"], "/name"),
            ["apiregistration.k8s.io", "b.example", "a.example"],
            "by the APIService's name"
        );
        let json = serde_json::to_value(group_discovery_list(registry, true)).unwrap();
        assert_eq!(
            names(&json["items"], "/metadata/name"),
            ["apiregistration.k8s.io", "a.example", "b.example"],
            "by the group's name"
        );
        let expected = json!({
            "metadata": {"name": "a.example", "creationTimestamp": null},
            "versions": [{"version": "v2", "freshness": "Current"}],
        });
        assert_eq!(json["items"][1], expected);
        assert_eq!(json["apiVersion"], "apidiscovery.k8s.io/v2beta1");
    });
}

#[test]
fn sorts_routes_in_matching_order() {
    let text = local_service("", "v1", 1, 1)
        + &local_service("a", "v1", 1, 1)
        + &local_service("long.example", "v1", 1, 1)
        + &local_service("b", "v1", 1, 1);
    with_registry(&text, |registry| {
        let paths: Vec<_> = routes(registry).into_iter().map(|route| route.path).collect();
        assert_eq!(paths, ["/apis/long.example/v1", "/apis/b/v1", "/apis/a/v1", "/api"]);
    });
}

#[test]
fn resolves_core_services_like_kubernetes() {
    let service = |name: &str, spec: &str| {
        format!("---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: tools}}\nspec: {spec}\n")
    };
    let cases = [
        ("{ports: [{port: 443}]}", Some("https://s.tools.svc:443"), "Unknown", "NotAsked"),
        ("{clusterIP: 10.1.2.3, ports: [{port: 443}]}", Some("https://10.1.2.3:443"), "Unknown", "NotAsked"),
        ("{ports: [{port: 80}]}", Some("https://s.tools.svc:443"), "False", "ServicePortError"),
        ("{clusterIP: None, ports: [{port: 443}]}", None, "False", "FailedDiscoveryCheck"),
        ("{type: NodePort, ports: []}", Some("https://s.tools.svc:443"), "Unknown", "NotAsked"),
        ("{type: ExternalName, externalName: a.b}", Some("https://a.b:443"), "Unknown", "NotAsked"),
    ];
    for (spec, target, status, reason) in cases {
        let text = local_service("g", "v1", 1, 1).replace("{group", "{service: {name: s, namespace: tools}, group");
        with_registry(&(text + &service("s", spec)), |registry| {
            let route = routes(registry).remove(0);
            assert_eq!(route.target.as_deref(), target, "{spec}");
            assert_eq!((route.available.status, route.available.reason), (status, reason), "{spec}");
            assert_eq!(route.tls, Some("systemRoots"));
        });
    }
}

#[test]
fn reports_changed_routes_and_preferred_versions() {
    let before = local_service("a", "v1", 1, 2) + &local_service("a", "v2", 1, 1) + &local_service("gone", "v1", 1, 1);
    let after = local_service("a", "v1", 1, 1) + &local_service("a", "v2", 1, 2) + &local_service("new", "v1", 1, 1);
    with_registry(&before, |before| {
        with_registry(&after, |after| {
            let descriptions: Vec<_> = changes(before, after)
                .iter()
                .map(|change| match change {
                    RegistryChange::RouteAdded { route } => format!("+ {}", route.path),
                    RegistryChange::RouteRemoved { route } => format!("- {}", route.path),
                    RegistryChange::RouteChanged { after, .. } => format!("~ {}", after.path),
                    RegistryChange::PreferredVersionChanged { group, before, after } => {
                        format!("{group}: {before} {after}")
                    }
                })
                .collect();
            assert_eq!(descriptions, ["- /apis/gone/v1", "+ /apis/new/v1", "a: v1 v2"]);
            assert_eq!(changes(before, before), []);
        });
    });
}

#[test]
fn changed_tls_verification_counts_as_a_changed_route() {
    let text = local_service("g", "v1", 1, 1).replace("{group", "{service: {name: s, namespace: tools}, group");
    let insecure = text.replace("{service", "{insecureSkipTLSVerify: true, service");
    with_registry(&text, |before| {
        with_registry(&insecure, |after| {
            assert!(matches!(changes(before, after).as_slice(), [RegistryChange::RouteChanged { .. }]));
        });
    });
}

#[test]
fn reports_invalid_services_only_if_referenced() {
    let messages_of = |text: &str| {
        let sources = sources_of(text);
        let documents = read_documents(&sources);
        let findings = compile(&documents, None, &AggregateOptions::default()).diagnostics;
        findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
    };
    let service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: tools}\nspec: {clusterIP: 5}\n";
    let route = local_service("a.example", "v1", 100, 1);
    assert_eq!(messages_of(service), [""; 0]);
    assert_eq!(messages_of(&route), [""; 0]);
    assert_eq!(messages_of(&(route + service)), ["`clusterIP` must be a string, but is an integer"]);
}

#[test]
fn wrong_type_findings_mention_the_field() {
    let text = fs::read_to_string(input_files("mistakes")[0].with_file_name("shape.yaml")).unwrap();
    let sources = sources_of(&text);
    let documents = read_documents(&sources);
    let findings = compile(&documents, None, &AggregateOptions::default()).diagnostics;
    let paths: Vec<_> = findings.iter().filter_map(|diagnostic| diagnostic.path.as_deref()).collect();
    for path in ["spec.groupPriorityMinimum", "spec.versionPriority"] {
        assert!(paths.contains(&path), "{path}: {paths:?}");
    }
    let messages: Vec<_> = findings.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    for expected in [
        "`groupPriorityMinimum` must be a whole number, but is a string",
        "`versionPriority` must be a whole number between -2147483648 and 2147483647, but is 99999999999",
        "`name` must be a string, but is a boolean",
    ] {
        assert!(messages.contains(&expected), "{expected}: {messages:?}");
    }
}

/// Returns the message and help of each finding for an input.
fn messages_for(text: &str) -> Vec<String> {
    let sources = sources_of(text);
    let documents = read_documents(&sources);
    let findings = compile(&documents, None, &AggregateOptions::default()).diagnostics;
    let messages = findings.into_iter().map(|finding| match finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message,
    });
    messages.collect()
}

#[test]
fn findings_have_a_message_and_help() {
    let service = "service: {namespace: tools, name: s}";
    let core =
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: tools}\nspec: {ports: [{port: 443}]}\n";
    let external = |name: &str, spec: &str| {
        format!(
            "---\napiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {{name: {name}, namespace: tools}}\nspec: {spec}\n"
        )
    };
    let service_a = local_service("a.example", "v1", 100, 10);
    let with_fields = |fields: &str| service_a.replace("{group", &format!("{{{fields}, group")) + core;
    let with_service_spec = |spec: &str| with_fields(service).replace(core, &external("s", spec));
    let remove_one = "remove one of the two: the one that is applied last replaces the other";
    for (text, expected) in [
        (service_a.clone(), vec![]),
        (with_fields(service), vec![]),
        (
            service_a.repeat(2),
            vec![format!("`a.example/v1` is registered twice; {remove_one}")],
        ),
        (
            local_service("", "v1", 100, 10).repeat(2),
            vec![format!("`v1` is registered twice; {remove_one}")],
        ),
        (
            with_fields(service) + core,
            vec![format!("`Service/tools/s` is defined twice; {remove_one}")],
        ),
        // A manifest and the same object returned by a cluster are not duplicates.
        (with_fields(service) + &core.replace("{name: s", "{uid: x, name: s"), vec![]),
        (
            with_fields("service: {namespace: tools, name: t}"),
            vec![
                "the input has no ExternalName or Service `t` in namespace `tools`; add it, or correct the name: without it, requests fail and namespaces cannot be deleted"
                    .to_owned(),
            ],
        ),
        (
            with_fields("service: {port: 0}"),
            vec![
                "the service has no `namespace`; set it to the namespace of an ExternalName or Service".to_owned(),
                "the service has no `name`; set it to the name of an ExternalName or Service".to_owned(),
                "`port` must be between 1 and 65535, but is 0; set the port that the service listens on".to_owned(),
            ],
        ),
        (with_fields("service: {namespace: tools, name: s, port: 1}"), vec![]),
        (with_fields("service: {namespace: tools, name: s, port: 65535}"), vec![]),
        (
            with_fields("service: {namespace: tools, name: s, port: 65536}"),
            vec!["`port` must be between 1 and 65535, but is 65536; set the port that the service listens on".to_owned()],
        ),
        (with_service_spec("{host: a}"), vec![]),
        (
            with_service_spec("{host: ''}"),
            vec!["`host` is missing; set `host` to a DNS name or an IP address".to_owned()],
        ),
        (
            with_service_spec("{host: a b}"),
            vec![
                "`host` must be a DNS name or an IP address, but is `a b`; write a DNS name such as `api.example.com`, or an IP \
                 address"
                    .to_owned(),
            ],
        ),
        (
            service_a.clone() + &external("t", "{host: a}"),
            vec!["no APIService refers to ExternalName `t`".to_owned()],
        ),
        (local_service("a.example", "v1", 20_000, 1_000), vec![]),
        (
            local_service("a.example", "v1", 20_001, 1_001),
            vec![
                "`groupPriorityMinimum` must be between 1 and 20000, but is 20001".to_owned(),
                "`versionPriority` must be between 1 and 1000, but is 1001".to_owned(),
            ],
        ),
        (
            local_service("a.example", "v1", 0, 1),
            vec!["`groupPriorityMinimum` must be between 1 and 20000, but is 0".to_owned()],
        ),
        (
            with_fields("insecureSkipTLSVerify: true"),
            vec![
                "`insecureSkipTLSVerify` cannot be set without `service`; remove `insecureSkipTLSVerify`, or set `spec.service`"
                    .to_owned(),
            ],
        ),
        (with_fields(&format!("insecureSkipTLSVerify: true, {service}")), vec![]),
        (
            service_a.replace("name: v1.a.example", "name: v2.a.example"),
            vec![
                "found the name `v2.a.example`, expected `v1.a.example`; name it `v1.a.example`"
                    .to_owned(),
            ],
        ),
        (
            service_a.replace("name: v1.a.example", "name: ''"),
            vec![
                "the APIService has no name, expected `v1.a.example`; name it `v1.a.example`".to_owned(),
            ],
        ),
        (
            service_a.replace("name: v1.a.example", "name: a/b"),
            vec!["the name `a/b` must not contain `/` or `%`; name it `v1.a.example`".to_owned()],
        ),
        (
            service_a.replace("{name:", "{namespace: x, name:"),
            vec!["an APIService cannot have a namespace; remove `metadata.namespace`".to_owned()],
        ),
        (
            service_a.replace("{name:", "{labels: {a: b, c: ' '}, annotations: {X/y: ' ', ' ': z}, name:"),
            vec![
                "the value of the label `c` must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit"
                    .to_owned(),
                "the key ` ` in `annotations` must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit"
                    .to_owned(),
            ],
        ),
        (
            local_service("", "v2", 100, 10),
            vec!["`spec.group` is empty: only the version `v1` may omit the group; set `spec.group`".to_owned()],
        ),
        (
            local_service("a.example", "''", 100, 10).replace("name: ''", "name: "),
            vec!["the version is missing".to_owned()],
        ),
        (
            local_service("apps", "v1", 100, 10).replace("{group", &format!("{{{service}, group")) + core,
            vec![
                "`apps` is a built-in Kubernetes group, but is delegated to another server; use your own group, or remove `spec.service`"
                    .to_owned(),
            ],
        ),
        (local_service("apps", "v1", 100, 10), vec![]),
        (
            local_service("", "v1", 100, 10).replace("{group", &format!("{{{service}, group")) + core,
            vec![
                "the Kubernetes core API is delegated to another server; use your own group, or remove `spec.service`"
                    .to_owned(),
            ],
        ),
        (
            with_fields("versionPriorty: 1, other: 2"),
            vec![
                "`spec` has no field `versionPriorty`, so the field is dropped; did you mean `versionPriority`?".to_owned(),
                "`spec` has no field `other`, so the field is dropped; remove it".to_owned(),
            ],
        ),
        (
            with_fields("service: {namespace: tools, name: s, prot: 1}"),
            vec!["`spec.service` has no field `prot`, so the field is dropped; did you mean `port`?".to_owned()],
        ),
        (
            with_service_spec("{host: a, hots: b}"),
            vec!["`spec` has no field `hots`, so the field is dropped; did you mean `host`?".to_owned()],
        ),
        (
            with_fields(service).replace("spec: {ports", "other: 1\nspec: {ports"),
            vec![],
        ),
        (
            service_a.replace("spec: ", "spce: "),
            vec![
                "`APIService` has no field `spce`, so the field is dropped; did you mean `spec`?".to_owned(),
                "`APIService` has no `spec`, which is required; rename `spce` to `spec`".to_owned(),
            ],
        ),
        (
            "apiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {name: a, namespace: b}\n".to_owned(),
            vec![
                "`ExternalName` has no `spec`, which is required; add `spec`".to_owned(),
                "no APIService refers to ExternalName `a`".to_owned(),
            ],
        ),
        (
            service_a.replace("k8s.io/v1", "k8s.io/v1beta1"),
            vec![
                "the aggregator does not serve APIService in `apiregistration.k8s.io/v1beta1`, only in \
                 `apiregistration.k8s.io/v1`; set `apiVersion: apiregistration.k8s.io/v1`"
                    .to_owned(),
            ],
        ),
        (
            service_a.clone() + &local_service("a.example", "v2beta1", 100, 11),
            vec![
                "`a.example` prefers version `v2beta1` (beta) over `v1` (stable); give `v1` a higher `versionPriority`".to_owned(),
            ],
        ),
        (service_a.clone() + &local_service("a.example", "v2beta1", 100, 9), vec![]),
        (
            local_service("a.example", "v1alpha1", 100, 10) + &local_service("a.example", "odd", 100, 11),
            vec![
                "`a.example` prefers version `odd` (not a Kubernetes version) over `v1alpha1` (alpha); give `v1alpha1` \
                 a higher `versionPriority`"
                    .to_owned(),
            ],
        ),
        (
            with_fields("caBundle: '!'"),
            vec!["the CA bundle is not valid base64; use the output of `base64 < ca.pem`".to_owned()],
        ),
    ] {
        assert_eq!(messages_for(&text), expected, "{text}");
    }
}

#[test]
fn locates_mistakes_in_remote_services() {
    for (entry, expected) in [
        ("{group: a.example, version: v1, host: h, port: 1}", &[][..]),
        ("{group: A_, version: v1, host: h, port: 1}", &[("[0].group", "A_")]),
        ("{group: a.example, version: V, host: h, port: 1}", &[("[0].version", "V")]),
        ("{group: a.example, version: v1, host: h i, port: 1}", &[("[0].host", "h i")]),
        ("{group: a.example, version: v1, host: h, port: 70000}", &[("[0].port", "70000")]),
        // A missing field is reported at the entry's first key.
        ("{group: a.example, version: v1, port: 1}", &[("[0].host", "group")]),
        ("{group: a.example, version: v1, host: h, port: x}", &[("[0].port", "x")]),
        ("{group: a.example, version: v1, host: h, port: 1, prot: 2}", &[("[0].prot", "prot")]),
    ] {
        let text = format!("- {entry}\n");
        let sources = sources_of(&text);
        let documents = read_documents(&sources);
        let (_, findings) = compile_remote(&documents, None);
        let actual: Vec<_> = findings
            .iter()
            .map(|finding| (finding.path.as_deref().unwrap(), &text[finding.primary().unwrap().span.bytes()]))
            .collect();
        assert_eq!(actual, expected, "{entry}");
    }
}

#[test]
fn routes_show_target_and_verification() {
    let core =
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: tools}\nspec: {ports: [{port: 443}]}\n";
    let headless = core.replace("{ports", "{clusterIP: None, ports");
    let external = "---\napiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {name: s, namespace: tools}\nspec: {host: h}\n";
    let service_fields = |more: &str| format!("{{service: {{namespace: tools, name: s}}, {more}group");
    let named_service = |more: &str| local_service("g", "v1", 1, 1).replace("{group", &service_fields(more));
    let legacy_service = local_service("", "v1", 1, 1).replace("{group", &service_fields(""));
    let external_service =
        json!(["/apis/g/v1", "https://h:443", null, "systemRoots", "s.tools.svc", "https://h:443/apis/g/v1"]);
    for (text, expected) in [
        (
            named_service("") + core,
            json!([
                "/apis/g/v1",
                "https://s.tools.svc:443",
                null,
                "systemRoots",
                "s.tools.svc",
                "https://s.tools.svc:443/apis/g/v1"
            ]),
        ),
        (
            named_service("insecureSkipTLSVerify: true, ") + core,
            json!([
                "/apis/g/v1",
                "https://s.tools.svc:443",
                null,
                "insecure",
                null,
                "https://s.tools.svc:443/apis/g/v1"
            ]),
        ),
        (named_service("") + &headless, json!(["/apis/g/v1", null, "tools/s:443", "systemRoots", "s.tools.svc", null])),
        // Grafana's aggregator does not support core Services.
        (named_service("") + core + external, external_service.clone()),
        (named_service("") + external + core, external_service.clone()),
        (
            legacy_service + core,
            json!([
                "/api",
                "https://s.tools.svc:443",
                null,
                "systemRoots",
                "s.tools.svc",
                "https://s.tools.svc:443/api/v1"
            ]),
        ),
        (local_service("g", "v1", 1, 1), json!(["/apis/g/v1", null, null, null, null, null])),
    ] {
        let sources = sources_of(&text);
        let documents = read_documents(&sources);
        let registry = compile(&documents, None, &AggregateOptions::default()).output;
        let route = routes(&registry).remove(0);
        let url = route.available.discovery_url.clone();
        let actual = json!([route.path, route.target, route.service, route.tls, route.server_name, url]);
        assert_eq!(actual, expected, "{text}");
    }
    with_registry(&local_service("g", "v1", 1, 1), |registry| {
        let available = routes(registry).remove(0).available;
        assert_eq!((available.status, available.reason), ("True", "Local"));
        assert_eq!(available.message, "Local APIServices are always available");
    });
    let messages = |text: &str| {
        let sources = sources_of(text);
        let documents = read_documents(&sources);
        let registry = compile(&documents, None, &AggregateOptions::default()).output;
        routes(&registry).remove(0).available.message
    };
    assert_eq!(messages(&named_service("")), "service/s in \"tools\" is not present");
    assert_eq!(messages(&(named_service("") + &headless)), "service/s in \"tools\" has no address");
    let other_port = core.replace("port: 443", "port: 80");
    assert_eq!(messages(&(named_service("") + &other_port)), "service/s in \"tools\" is not listening on port 443");
    assert_eq!(messages(&(named_service("") + core)), "https://s.tools.svc:443/apis/g/v1 was not requested");
}

#[test]
fn sorts_versions_by_priority_then_stability() {
    let text = local_service("g", "v1alpha1", 1, 2)
        + &local_service("g", "v1", 1, 1)
        + &local_service("g", "v1beta1", 1, 1)
        + &local_service("f", "v1", 2, 1);
    let sources = sources_of(&text);
    let documents = read_documents(&sources);
    let registry = compile(&documents, None, &AggregateOptions::default()).output;
    let list = serde_json::to_value(group_list(&registry, false)).unwrap();
    let versions = |group: &Value| {
        let versions = group["versions"].as_array().unwrap().iter();
        versions.map(|version| version["groupVersion"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let groups: Vec<_> = list["groups"].as_array().unwrap().iter().map(versions).collect();
    assert_eq!(groups, [vec!["f/v1"], vec!["g/v1alpha1", "g/v1", "g/v1beta1"]]);
    assert_eq!(list["groups"][1]["preferredVersion"]["version"], "v1alpha1");
}

#[test]
fn manifests_omit_the_same_fields_as_go() {
    let service_with_fields =
        |fields: &str| local_service("g", "v1", 2, 1).replace("{group", &format!("{{{fields}, group"));
    let plain_spec = json!({"group": "g", "version": "v1", "groupPriorityMinimum": 2, "versionPriority": 1});
    let spec_with = |more: Value| {
        let mut spec = plain_spec.clone();
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        spec
    };
    let service = "service: {namespace: tools, name: s, port: 5}";
    let reference = json!({"namespace": "tools", "name": "s", "port": 5});
    for (text, expected) in [
        (local_service("g", "v1", 2, 1), plain_spec.clone()),
        (local_service("", "v1", 2, 1), json!({"version": "v1", "groupPriorityMinimum": 2, "versionPriority": 1})),
        (service_with_fields("insecureSkipTLSVerify: false"), plain_spec.clone()),
        (
            service_with_fields(&format!("insecureSkipTLSVerify: true, {service}")),
            spec_with(json!({"insecureSkipTLSVerify": true, "service": reference})),
        ),
        (
            service_with_fields(&format!("caBundle: aGk=, {service}")),
            spec_with(json!({"caBundle": "aGk=", "service": reference})),
        ),
    ] {
        let sources = sources_of(&text);
        let documents = read_documents(&sources);
        let registry = compile(&documents, None, &AggregateOptions::default()).output;
        assert_eq!(manifests(&registry)[0].to_json()["spec"], expected, "{text}");
    }
    let external = |namespace: &str, name: &str| {
        format!(
            "---\napiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {{name: {name}, {namespace}annotations: {{a: b}}, \
             labels: null, resourceVersion: '5'}}\nspec: {{host: h}}\n"
        )
    };
    let text = [
        local_service("g", "v1", 2, 1),
        external("namespace: b, ", "x"),
        external("namespace: a, ", "z"),
        external("", "w"),
    ];
    let text = text.concat();
    let sources = sources_of(&text);
    let documents = read_documents(&sources);
    let registry = compile(&documents, None, &AggregateOptions::default()).output;
    let actual: Vec<_> = manifests(&registry).iter().map(|object| object.to_json()["metadata"].clone()).collect();
    let metadata =
        |namespace: &str, name: &str| json!({"name": name, "namespace": namespace, "annotations": {"a": "b"}});
    let expected = [metadata("a", "z"), metadata("b", "x"), metadata("default", "w"), json!({"name": "v1.g"})];
    assert_eq!(actual, expected);
}

#[test]
fn reports_duplicate_remote_services_once() {
    let text = "- {group: a.example, version: v1, host: h, port: 1}\n".repeat(2);
    let sources = sources_of(&text);
    let documents = read_documents(&sources);
    let (registry, findings) = compile_remote(&documents, None);
    let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`a.example/v1` is registered twice"]);
    // A manifest with the same name defines a different object, so it is reported as a duplicate.
    let external = "apiVersion: service.grafana.app/v0alpha1\nkind: ExternalName\nmetadata: {name: v1.a.example}\n\
                    spec: {host: h}\n";
    let manifest = self::sources_of(external);
    let manifest = self::read_documents(&manifest);
    let remote = RemoteServices { documents: &documents[..1], namespace: "default", ca_bundle: None };
    let messages = compile(&manifest, Some(&remote), &options()).diagnostics;
    let messages: Vec<_> = messages.iter().map(|finding| finding.message.as_str()).collect();
    assert!(messages.contains(&"`ExternalName/default/v1.a.example` is defined twice"), "{messages:?}");
    assert!(!registry.is_empty() && Registry::default().is_empty());
}
