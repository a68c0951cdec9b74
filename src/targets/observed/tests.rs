use super::*;
use crate::diagnostic::Warned;
use crate::source::{SourceId, Span};
use crate::testing::TestInput;
use crate::yaml::{AliasBudget, Limits, read, read_pruned, read_with_parser};

fn sources(text: &str) -> Sources {
    TestInput::new(text).sources
}

const EXPORT: &str = "\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
    namespace: shop
    uid: '1'
    labels: {app: y, build: 0644}
    managedFields:
    - apiVersion: v1
    ownerReferences:
    - apiVersion: v1
      kind: Node
      name: node-a
      controller: true
  spec:
    initContainers:
    - name: sidecar
      restartPolicy: Always
      image: s
    containers:
    - name: app
      env:
      - name: TOKEN
        value: hunter2
      ports:
      - containerPort: 8080
      - containerPort: 99999999999
      - name: none
  status:
    podIP: 10.0.0.1
- apiVersion: v1
  kind: Pod
  metadata: {namespace: shop}
- apiVersion: v1
  kind: Endpoints
  metadata: {name: a, namespace: shop}
- apiVersion: v1
  kind: Service
  metadata: {name: a}
  spec: {ports: [{port: 80}], selector: [not, a, mapping]}
- apiVersion: v1
  kind: Pod
  metadata: {name: a, namespace: shop}
";

fn prune_text(id: SourceId, text: &str) -> Warned<Vec<Document<'_>>> {
    let limits = Limits::default();
    read_pruned(id, text, &limits, &AliasBudget::new(&limits, 0), Some(kept_fields))
}

#[test]
fn reads_incomplete_objects() {
    let sources = sources(EXPORT);
    let (id, source) = sources.iter().next().unwrap();
    let documents = read(id, &source.text, &Limits::default()).output;
    let objects = ObservedObjects::read(documents.iter(), &sources, "default");
    let [pod] = objects.list(ObservedKind::Pod) else { panic!("{objects:?}") };
    assert_eq!((pod.uid, pod.status("podIP"), pod.ready_status()), ("1", "10.0.0.1", None));
    assert_eq!(pod.labels, [("app", "y"), ("build", "0644")]);
    assert_eq!(pod.controller, Some(("Node", "node-a")));
    assert_eq!(pod.container_ports(false).count(), 1);
    assert_eq!(objects.list(ObservedKind::Endpoints)[0].body.items("subsets").count(), 0);
    let service = &objects.list(ObservedKind::Service)[0];
    let ports: Vec<_> = Port::all(service.body.part("spec"), "port").collect();
    assert_eq!((service.namespace, service.selector().len(), ports[0].protocol), ("default", 0, "TCP"));
}

#[test]
fn pruning_keeps_all_fields_in_use() {
    let json = r#"{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "b", "managedFields": [{}]},
        "spec": {"containers": [{"name": "c", "env": [{"name": "x"}]}]}, "status": {"podIP": "10.0.0.2"}}]}"#;
    for text in [EXPORT, json] {
        let sources = sources(text);
        let (id, source) = sources.iter().next().unwrap();
        let text = source.text.as_str();
        let whole_documents = read_with_parser(id, text, &Limits::default()).output;
        let pruned_documents = prune_text(id, text).output;
        let displayed_objects = |documents: &[Document<'_>]| {
            let objects = ObservedObjects::read(documents.iter(), &sources, "default");
            let pods: Vec<_> = objects
                .list(ObservedKind::Pod)
                .iter()
                .map(|pod| (pod.name.to_owned(), pod.controller, pod.body.part("spec").items("containers").count()))
                .collect();
            format!("{pods:?} {:?}", objects.kinds)
        };
        assert_eq!(displayed_objects(&whole_documents), displayed_objects(&pruned_documents));
        let has_field = |documents: &[Document<'_>], path: &str| {
            let mut actual = false;
            let item = documents[0].root().get("items").and_then(|items| items.item(0)).unwrap();
            item.visit(path, &mut crate::diagnostic::FieldPath::new(), &mut |_, _| actual = true);
            actual
        };
        for path in ["metadata.managedFields", "spec.containers[].env"] {
            assert!(has_field(&whole_documents, path) && !has_field(&pruned_documents, path), "{path}");
        }
        assert!(has_field(&pruned_documents, "spec.containers[].name"));
        let has_sidecar = |documents| has_field(documents, "spec.initContainers[].restartPolicy");
        assert_eq!(has_sidecar(&whole_documents), has_sidecar(&pruned_documents));
    }
}

#[test]
fn reads_documents_with_anchors_completely() {
    let text = "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: &m {name: a, managedFields: [{x: y}]}}, \
                {apiVersion: v1, kind: ConfigMap, metadata: *m}]}";
    let sources = sources(text);
    let (id, source) = sources.iter().next().unwrap();
    let whole_documents = read(id, &source.text, &Limits::default()).output;
    let pruned_documents = prune_text(id, &source.text).output;
    assert_eq!(whole_documents, pruned_documents);
}

#[test]
fn uses_the_last_duplicate_container_and_the_first_status() {
    let text = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: one, ports: [{containerPort: 80}]}, \
                {name: two, ports: [{containerPort: 80, name: first}, {containerPort: 80, name: second}]}, {name: three}]}, \
                status: {podIP: 10.0.0.1, containerStatuses: [{name: one, containerID: x}, {name: one, containerID: y}]}}";
    let sources = sources(text);
    let (id, source) = sources.iter().next().unwrap();
    let documents = read(id, &source.text, &Limits::default()).output;
    let objects = ObservedObjects::read(documents.iter(), &sources, "default");
    let pod = &objects.list(ObservedKind::Pod)[0];
    let actual = pod.container_port(80, false).unwrap();
    assert_eq!((actual.container.text("name"), actual.port.name), ("two", "first"));
    assert!(pod.container_port(81, false).is_none());
    assert_eq!(pod.container_ports(false).count(), 3);
    assert_eq!(pod.container_id("containerStatuses", "one"), "x");
    assert_eq!(pod.container_id("initContainerStatuses", "one"), "");
}

#[test]
fn recognizes_kinds_in_their_versions() {
    for (api_version, kind, expected) in [
        ("batch/v1", "CronJob", Some(ObservedKind::CronJob)),
        ("batch/v1beta1", "CronJob", Some(ObservedKind::CronJob)),
        ("apps/v1", "DaemonSet", Some(ObservedKind::DaemonSet)),
        ("apps/v1", "Deployment", Some(ObservedKind::Deployment)),
        ("apps/v1", "StatefulSet", Some(ObservedKind::StatefulSet)),
        ("batch/v1", "Job", Some(ObservedKind::Job)),
        ("batch/v1beta1", "Job", None),
        ("v1", "Endpoints", Some(ObservedKind::Endpoints)),
        ("discovery.k8s.io/v1", "EndpointSlice", Some(ObservedKind::EndpointSlice)),
        ("discovery.k8s.io/v1beta1", "EndpointSlice", Some(ObservedKind::EndpointSlice)),
        ("networking.k8s.io/v1", "Ingress", Some(ObservedKind::Ingress)),
        ("networking.k8s.io/v1beta1", "Ingress", Some(ObservedKind::Ingress)),
        ("extensions/v1beta1", "Ingress", Some(ObservedKind::Ingress)),
        ("v1", "Node", Some(ObservedKind::Node)),
        ("v1", "Pod", Some(ObservedKind::Pod)),
        ("v1", "Service", Some(ObservedKind::Service)),
        ("serving.knative.dev/v1", "Service", None),
        ("v1", "Deployment", None),
    ] {
        assert_eq!(ObservedKind::from_type(api_version, kind), expected, "{api_version} {kind}");
        assert_eq!(kept_fields(api_version, kind).is_some(), expected.is_some(), "{kind}");
    }
}

/// Calls `test` with the observed objects of an input.
fn with_observed<T>(text: &str, test: impl FnOnce(&ObservedObjects<'_>) -> T) -> T {
    let sources = sources(text);
    let (id, source) = sources.iter().next().unwrap();
    let documents = read(id, &source.text, &Limits::default()).output;
    test(&ObservedObjects::read(documents.iter(), &sources, "ns"))
}

#[test]
fn generates_pod_names_like_controllers() {
    let pods = "template: {metadata: {labels: {a: b}, annotations: {c: d}}, spec: {containers: [{name: c}]}}";
    for (kind, spec, name, controller) in [
        ("apps/v1, kind: Deployment", format!("{{{pods}}}"), "w-<hash>-<id>", ("ReplicaSet", "w-<hash>")),
        ("apps/v1, kind: StatefulSet", format!("{{{pods}}}"), "w-<ordinal>", ("StatefulSet", "w")),
        ("apps/v1, kind: DaemonSet", format!("{{{pods}}}"), "w-<id>", ("DaemonSet", "w")),
        ("batch/v1, kind: Job", format!("{{{pods}}}"), "w-<id>", ("Job", "w")),
        (
            "batch/v1, kind: CronJob",
            format!("{{jobTemplate: {{spec: {{{pods}}}}}}}"),
            "w-<time>-<id>",
            ("Job", "w-<time>"),
        ),
    ] {
        let text = format!(
            "{{apiVersion: {kind}, metadata: {{name: w, labels: {{own: x}}, annotations: {{own: z}}}}, spec: {spec}}}\n"
        );
        with_observed(&text, |objects| {
            let [pod] = objects.list(ObservedKind::Pod) else { panic!("{objects:?}") };
            assert_eq!(pod.pod_name(), name, "{kind}");
            let actual = pod.controller();
            assert_eq!(actual.as_ref().map(|(kind, name)| (*kind, name.as_ref())), Some(controller), "{kind}");
            assert_eq!((pod.label("a"), pod.label("own")), (Some("b"), None), "{kind}");
            assert_eq!(pod.annotations, [("c", "d")], "{kind}");
            assert_eq!(pod.body.part("spec").items("containers").count(), 1, "{kind}");
            assert!(objects.has_potential() && !objects.is_export && !objects.is_empty());
        });
    }
}

#[test]
fn values_set_by_the_cluster_are_unknown_in_manifests() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}";
    let running_pod = format!(
        "{pod}, status: {{podIP: 10.0.0.1, hostIP: 10.0.0.2, phase: Failed, conditions: [{{type: Other, status: x}}, {{type: Ready, \
         status: 'False'}}], containerStatuses: [{{name: c, containerID: i}}]}}}}\n"
    );
    for (text, is_potential, expected) in [
        (running_pod.as_str(), false, ["10.0.0.1", "10.0.0.2", "Failed", "False", "", "i", ""]),
        (
            &format!("{pod}}}\n"),
            true,
            ["<pod-ip>", "<host-ip>", "Running", "True", "<node>", "<container-id>", "<pod-uid>"],
        ),
    ] {
        with_observed(text, |objects| {
            let pod = &objects.list(ObservedKind::Pod)[0];
            let actual = [
                pod.status("podIP"),
                pod.status("hostIP"),
                pod.status("phase"),
                pod.ready_status().unwrap(),
                pod.node(),
                pod.container_id("containerStatuses", "c"),
                pod.uid,
            ];
            assert_eq!(actual, expected, "{text}");
            assert_eq!((pod.is_potential, objects.has_potential()), (is_potential, is_potential), "{text}");
            assert_eq!(objects.is_export, !is_potential, "{text}");
            assert_eq!(pod.pod_name(), "p");
            assert_eq!(pod.controller(), None);
        });
    }
    let assigned_pod = pod.replace("{containers", "{nodeName: n, containers") + "}\n";
    with_observed(&assigned_pod, |objects| assert_eq!(objects.list(ObservedKind::Pod)[0].node(), "n"));
}

#[test]
fn services_without_selectors_select_no_pods() {
    let pod = "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b, c: d}}}\n";
    for (selector, expected) in [
        ("", false),
        ("selector: {}", false),
        ("selector: {a: b}", true),
        ("selector: {a: b, c: d}", true),
        ("selector: {a: b, c: e}", false),
        ("selector: {a: b, f: d}", false),
    ] {
        let service = format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: s, labels: {{e: f}}, annotations: {{g: h}}}}, spec: {{{selector}}}}}\n"
        );
        with_observed(&(service + pod), |objects| {
            let service = &objects.list(ObservedKind::Service)[0];
            assert_eq!(service.pod_matcher()(&objects.list(ObservedKind::Pod)[0]), expected, "{selector}");
            for endpoints in objects.list(ObservedKind::Endpoints) {
                assert!(endpoints.is_potential && endpoints.annotations.is_empty());
                assert_eq!(endpoints.labels, [("e", "f")]);
            }
            // A cluster creates Endpoints for every Service with a selector, even if the selector matches no pods.
            let has_endpoints = !service.selector().is_empty();
            assert_eq!(objects.list(ObservedKind::Endpoints).len(), usize::from(has_endpoints), "{selector}");
        });
    }
}

#[test]
fn finds_objects_by_namespace_and_name() {
    let service = |namespace: &str, name: &str, more: &str| {
        format!("---\n{{apiVersion: v1, kind: Service, metadata: {{name: {name}, namespace: {namespace}{more}}}}}\n")
    };
    let text = [
        service("b", "x", ""),
        service("a", "y", ""),
        service("a", "x", ""),
        service("a", "x", ", uid: u"),
        service("c", "z", ""),
    ];
    with_observed(&text.concat(), |objects| {
        let names: Vec<_> = objects
            .list(ObservedKind::Service)
            .iter()
            .map(|object| (object.namespace, object.name, object.uid))
            .collect();
        assert_eq!(names, [("a", "x", "u"), ("a", "y", ""), ("b", "x", ""), ("c", "z", "")]);
        for (namespace, name, expected) in [("a", "x", true), ("b", "x", true), ("b", "y", false), ("d", "x", false)] {
            assert_eq!(objects.find(ObservedKind::Service, namespace, name).is_some(), expected, "{namespace} {name}");
        }
        for (namespace, expected) in [("a", 0..2), ("b", 2..3), ("c", 3..4), ("bb", 3..3), ("d", 4..4)] {
            assert_eq!(objects.places(ObservedKind::Service, namespace), expected, "{namespace}");
            assert_eq!(objects.in_namespace(ObservedKind::Service, namespace).len(), expected.len(), "{namespace}");
        }
        assert!(objects.is_export);
        assert_eq!(
            objects.bytes,
            text.iter().map(|text| text.trim_start_matches("---\n").trim_end().len()).sum::<usize>()
        );
        assert_eq!(objects.namespaces().collect::<Vec<_>>(), ["a", "a", "b", "c"]);
    });
    with_observed("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n", |objects| {
        assert!(objects.is_empty() && !objects.has_potential() && !objects.is_export);
    });
    // An object without a name still counts as an object of its kind.
    with_observed("{apiVersion: v1, kind: Service}\n", |objects| {
        assert!(!objects.is_empty() && objects.list(ObservedKind::Service).is_empty());
    });
}

#[test]
fn fields_of_the_wrong_type_count_as_missing() {
    let text = "{apiVersion: v1, kind: Service, metadata: {name: s, labels: {a: 0x10, b: true, c: [], d: null, e: 1.50, true: 'x', \"false\": y}}, \
                spec: {number: 80, big: 99999999999, text: '80', flag: true, other: 'true', list: [1, a], map: {k: v}}}\n";
    with_observed(text, |objects| {
        let service = &objects.list(ObservedKind::Service)[0];
        assert_eq!(service.labels, [("a", "0x10"), ("b", "true"), ("e", "1.50"), ("false", "y"), ("true", "x")]);
        let spec = service.body.part("spec");
        let numbers = ["number", "big", "text", "gone"].map(|field| spec.number(field));
        assert_eq!(numbers, [Some(80), None, None, None]);
        let flags = ["flag", "other", "gone"].map(|field| spec.boolean(field));
        assert_eq!(flags, [Some(true), None, None]);
        let texts = ["number", "text", "flag", "list", "map", "gone"].map(|field| spec.optional_string(field));
        assert_eq!(texts, [Some("80"), Some("80"), Some("true"), None, None, None]);
        let items: Vec<_> = spec.items("list").map(|item| item.as_text()).collect();
        assert_eq!(items, [Some("1"), Some("a")]);
        assert_eq!((spec.items("map").count(), spec.texts("list").len()), (0, 0));
        assert!(spec.part("map").is_mapping() && !spec.part("list").is_mapping() && !spec.part("gone").is_mapping());
        // If a label is missing, the name's span is used.
        let source_text = |span: Option<Span>| &text[span.unwrap().bytes()];
        assert_eq!((source_text(service.label_span("a")), source_text(service.label_span("z"))), ("0x10", "s"));
    });
}

#[test]
fn recognizes_exports_by_what_controllers_create() {
    let service =
        |spec: &str| format!("---\n{{apiVersion: v1, kind: Service, metadata: {{name: db}}, spec: {spec}}}\n");
    let endpoints = |meta: &str, address: &str| {
        format!(
            "---\n{{apiVersion: v1, kind: Endpoints, metadata: {{name: db{meta}}}, subsets: [{{addresses: [{address}]}}]}}\n"
        )
    };
    let slice = |meta: &str| {
        format!(
            "---\n{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: db-1{meta}}}, endpoints: [{{addresses: [10.0.0.1]}}]}}\n"
        )
    };
    let address = "{ip: 10.0.0.1}";
    let of_pod = "{ip: 10.0.0.1, targetRef: {kind: Pod, name: p, namespace: ns}}";
    let of_node = "{ip: 10.0.0.1, targetRef: {kind: Node, name: n}}";
    let of_service = ", labels: {kubernetes.io/service-name: db}";
    for (text, expected) in [
        (endpoints("", address), false),
        (service("{}") + &endpoints("", address), false),
        (service("{}") + &endpoints("", of_node), false),
        (service("{}") + &endpoints("", of_pod), true),
        (service("{}") + &endpoints(", uid: u", address), true),
        (service("{selector: {a: b}}") + &endpoints("", address), true),
        (service("{}") + &slice(of_service), false),
        (service("{}") + &slice(", uid: u"), true),
        (service("{selector: {a: b}}") + &slice(of_service), true),
    ] {
        let workload = "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: {template: {spec: {containers: [{name: c}]}}}}\n";
        with_observed(&(text.clone() + workload), |objects| {
            let actual = (objects.is_export, objects.has_running_pods, !objects.has_potential());
            assert_eq!(actual, (expected, expected, expected), "{text}");
            assert_eq!(objects.list(ObservedKind::Endpoints).len(), usize::from(text.contains("subsets")), "{text}");
        });
    }
}

#[test]
fn workloads_defined_twice_have_one_pod() {
    let workload = |kind: &str, uid: &str, container: &str| {
        format!(
            "---\n{{apiVersion: apps/v1, kind: {kind}, metadata: {{name: w, uid: '{uid}'}}, spec: {{template: {{spec: {{containers: [{{name: {container}}}]}}}}}}}}\n"
        )
    };
    let text = workload("Deployment", "", "a") + &workload("Deployment", "u", "b") + &workload("DaemonSet", "", "c");
    with_observed(&text, |objects| {
        let container =
            |pod: &ClusterObject<'_>| pod.body.part("spec").items("containers").next().unwrap().text("name").to_owned();
        let containers: Vec<_> = objects.list(ObservedKind::Pod).iter().map(container).collect();
        assert_eq!(containers, ["c", "b"]);
    });
}

#[test]
fn reads_created_objects_like_those_in_the_input() {
    let created = [
        serde_json::json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "k", "namespace": "n", "labels": {"b": "1", "a": "2"}},
            "spec": {"ports": [{"name": "web", "port": 80}, {"port": "80"}, {"port": 99_999_999_999_i64}], "type": 1}}),
        serde_json::json!({"apiVersion": "v1", "kind": "Other", "metadata": {"name": "k"}}),
    ];
    let (sources, none) = (sources(""), Vec::<Document<'_>>::new());
    let objects = ObservedObjects::read_with(none.iter(), &created, &sources, "ns");
    let [service] = objects.list(ObservedKind::Service) else { panic!("{objects:?}") };
    assert_eq!((service.namespace, service.name, service.span()), ("n", "k", None));
    assert_eq!(service.labels, [("a", "2"), ("b", "1")]);
    let spec = service.body.part("spec");
    let ports: Vec<_> = Port::all(spec, "port").map(|port| (port.name, port.number)).collect();
    assert_eq!(ports, [("web", 80)]);
    assert!(spec.is_mapping() && !spec.part("type").is_mapping() && !spec.part("gone").is_mapping());
    assert_eq!((spec.text("type"), spec.boolean("type")), ("", None));
    assert!(objects.is_empty() && !objects.is_export && !objects.has_running_pods);
}
