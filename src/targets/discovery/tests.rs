//! Discovery tests with small objects. `testdata/targets` contains entire clusters.

use super::*;
use crate::flow::{ExpressionCache, FlowRule, LabelSet, Matching, Phase, Values, alphabet};
use crate::plan::{LabelNames, RelabelRule};
use crate::targets::observed::ObservedObjects;
use crate::targets::relabel::PrometheusVersion;
use crate::testing::TestInput;

/// Returns the address of each target that a watch finds, with the values of `labels` (`-` if missing).
fn target_lines(text: &str, watch: &DiscoveryWatch, labels: &[&str]) -> Vec<String> {
    target_lines_with(text, watch, PrometheusVersion::V2, labels)
}

fn target_lines_with(text: &str, watch: &DiscoveryWatch, version: PrometheusVersion, labels: &[&str]) -> Vec<String> {
    let input = TestInput::new(text);
    let documents = input.documents();
    let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
    let view = View { objects: &objects, watch, version };
    let watched_objects = objects.list(watch.role.kind()).iter();
    let targets = watched_objects.flat_map(|object| view.targets(object));
    let lines = targets.map(|target| {
        let names = ["__address__"].into_iter();
        let names = names.map(str::to_owned).chain(labels.iter().map(|label| format!("__meta_kubernetes_{label}")));
        let values = names.map(|name| match target.get(&name) {
            "" => "-".to_owned(),
            value => value.to_owned(),
        });
        values.collect::<Vec<_>>().join(" ")
    });
    lines.collect()
}

fn watch(role: DiscoveryRole) -> DiscoveryWatch {
    DiscoveryWatch { role, namespaces: None, attach_node: true, selectors: RoleSelectors::default() }
}

const NODES: &str = "---
{apiVersion: v1, kind: Node, metadata: {name: one, labels: {zone: a}}}
---
{apiVersion: v1, kind: Node, metadata: {name: two, labels: {zone: b}}}
";

/// In Endpoints, `addNodeLabels` prefers an address's `nodeName` to a node that the address targets. In a slice, the
/// target takes precedence.
#[test]
fn addresses_have_the_labels_of_their_node() {
    let node = |name: &str| format!("targetRef: {{kind: Node, name: {name}}}");
    let pod = "targetRef: {kind: Pod, name: one, namespace: ns}";
    for (fields, endpoints_label, slice_label) in [
        ("nodeName: one".to_owned(), "a", "a"),
        (node("two"), "b", "b"),
        (format!("nodeName: one, {}", node("two")), "a", "b"),
        (pod.to_owned(), "-", "-"),
        (format!("nodeName: two, {pod}"), "b", "b"),
        (node("three"), "-", "-"),
        ("hostname: one".to_owned(), "-", "-"),
    ] {
        let endpoints = format!(
            "{{apiVersion: v1, kind: Endpoints, metadata: {{name: e}}, subsets: [{{addresses: [{{ip: 10.0.0.1, {fields}}}], \
             ports: [{{port: 80}}]}}]}}\n{NODES}"
        );
        let label = ["node_label_zone"];
        let expected = format!("10.0.0.1:80 {endpoints_label}");
        assert_eq!(target_lines(&endpoints, &watch(DiscoveryRole::Endpoints), &label), [expected], "{fields}");
        let slice = format!(
            "{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: e}}, endpoints: [{{addresses: [10.0.0.1], \
             {fields}}}], ports: [{{port: 80}}]}}\n{NODES}"
        );
        let expected = format!("10.0.0.1:80 {slice_label}");
        assert_eq!(target_lines(&slice, &watch(DiscoveryRole::EndpointSlice), &label), [expected], "{fields}");
        let watch_without_node = DiscoveryWatch { attach_node: false, ..watch(DiscoveryRole::Endpoints) };
        assert_eq!(target_lines(&endpoints, &watch_without_node, &label), ["10.0.0.1:80 -"], "{fields}");
    }
}

/// `resolvePodRef` does not find pods in other namespaces if each namespace is watched separately.
#[test]
fn finds_pods_in_watched_namespaces() {
    let target_service = |target: &str| {
        format!(
            "{{apiVersion: v1, kind: Endpoints, metadata: {{name: e}}, subsets: [{{addresses: [{{ip: 10.0.0.1, targetRef: \
             {target}}}], ports: [{{port: 80}}]}}]}}\n---\n{{apiVersion: v1, kind: Pod, metadata: {{name: p, labels: {{a: own}}}}, \
             status: {{podIP: 10.0.0.1}}}}\n---\n{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: b, labels: {{a: \
             other}}}}, status: {{podIP: 10.0.0.2}}}}\n"
        )
    };
    for (target, all_targets, watched_targets) in [
        ("{kind: Pod, name: p, namespace: ns}", "own", "own"),
        ("{kind: Pod, name: p, namespace: b}", "other", "-"),
        ("{kind: Pod, name: p}", "-", "-"),
        ("{kind: Node, name: p, namespace: ns}", "-", "-"),
        ("{kind: Pod, name: q, namespace: ns}", "-", "-"),
    ] {
        for (namespaces, expected) in
            [(None, all_targets), (Some(vec!["ns".to_owned(), "b".to_owned()]), watched_targets)]
        {
            let watch = DiscoveryWatch { namespaces, ..watch(DiscoveryRole::Endpoints) };
            let expected = format!("10.0.0.1:80 {expected}");
            assert_eq!(target_lines(&target_service(target), &watch, &["pod_label_a"]), [expected], "{target}");
        }
    }
}

#[test]
fn watches_only_the_listed_namespaces() {
    let text = "{apiVersion: v1, kind: Service, metadata: {name: a, namespace: a}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b, namespace: b}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: c, namespace: c}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {addresses: [{type: InternalIP, address: 10.0.0.9}]}}
";
    let input = TestInput::new(text);
    let documents = input.documents();
    let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
    let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    for (role, namespaces, expected) in [
        (DiscoveryRole::Service, None, &[0, 1, 2][..]),
        (DiscoveryRole::Service, names(&["c", "a", "c", "d"]), &[0, 2]),
        (DiscoveryRole::Service, names(&[]), &[]),
        // Nodes have no namespace.
        (DiscoveryRole::Node, names(&["a"]), &[0]),
    ] {
        let watch = DiscoveryWatch { namespaces, ..watch(role) };
        let view = View { objects: &objects, watch: &watch, version: PrometheusVersion::V2 };
        assert_eq!(view.positions(), expected, "{watch:?}");
        let numbered_objects = objects.list(role.kind()).iter().enumerate();
        let searched_objects = numbered_objects.filter(|(_, object)| view.is_searched(object)).map(|(i, _)| i);
        assert_eq!(searched_objects.collect::<Vec<_>>(), expected, "{watch:?}");
    }
}

/// `buildNode` uses the preferred address type, and the first address of each type.
#[test]
fn scrapes_nodes_at_the_preferred_address() {
    let node = |addresses: &str, port: &str| {
        format!("{{apiVersion: v1, kind: Node, metadata: {{name: n}}, status: {{addresses: [{addresses}]{port}}}}}\n")
    };
    let address = |address_type: &str, address: &str| format!("{{type: {address_type}, address: {address}}}");
    let kubelet = ", daemonEndpoints: {kubeletEndpoint: {Port: 10250}}";
    let labels = ["node_address_InternalIP", "node_address_Hostname"];
    for (addresses, port, expected) in [
        (address("InternalIP", "10.0.0.1"), kubelet, &["10.0.0.1:10250 10.0.0.1 -"][..]),
        (address("InternalIP", "10.0.0.1"), "", &["10.0.0.1:0 10.0.0.1 -"]),
        (
            [address("Hostname", "h"), address("InternalIP", "10.0.0.1"), address("InternalIP", "10.0.0.2")].join(", "),
            kubelet,
            &["10.0.0.1:10250 10.0.0.1 h"],
        ),
        (address("InternalIP", "'::1'"), kubelet, &["[::1]:10250 ::1 -"]),
        (address("Hostname", "h"), kubelet, &["h:10250 - h"]),
        (address("Other", "h"), kubelet, &[]),
        (String::new(), kubelet, &[]),
    ] {
        assert_eq!(
            target_lines(&node(&addresses, port), &watch(DiscoveryRole::Node), &labels),
            expected,
            "{addresses}"
        );
    }
}

/// In `matchesHostnamePattern`, a star matches the first label.
#[test]
fn wildcard_tls_hosts_match_one_label() {
    let ingress = |hosts: &str, host: &str| {
        format!(
            "{{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {{name: i}}, spec: {{tls: [{{hosts: [{hosts}]}}], rules: \
             [{{host: {host}, http: {{paths: [{{path: /p}}, {{path: ''}}]}}}}]}}}}\n"
        )
    };
    for (hosts, host, scheme) in [
        ("a.b.c", "a.b.c", "https"),
        ("'*.b.c'", "a.b.c", "https"),
        ("'*.c'", "a.b.c", "http"),
        ("'*.b.c'", "b.c", "http"),
        ("b.c, x", "x", "https"),
        ("'*'", "x", "https"),
        ("", "x", "http"),
    ] {
        let labels = ["ingress_scheme", "ingress_path"];
        let expected = ["/p", "/"].map(|path| format!("{host} {scheme} {path}"));
        assert_eq!(target_lines(&ingress(hosts, host), &watch(DiscoveryRole::Ingress), &labels), expected, "{hosts}");
    }
}

/// Expected values follow Prometheus' `buildService`.
#[test]
fn services_have_labels_for_their_type() {
    for (spec, expected) in [
        ("clusterIP: 10.0.0.1", "ClusterIP 10.0.0.1 - -"),
        ("type: NodePort, clusterIP: 10.0.0.1, loadBalancerIP: 10.0.0.2", "NodePort 10.0.0.1 - -"),
        ("type: LoadBalancer, clusterIP: 10.0.0.1, loadBalancerIP: 10.0.0.2", "LoadBalancer 10.0.0.1 - 10.0.0.2"),
        ("type: ExternalName, clusterIP: 10.0.0.1, externalName: a.b", "ExternalName - a.b -"),
    ] {
        let text = format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{ports: [{{port: 80}}], {spec}}}}}"
        );
        let labels = ["service_type", "service_cluster_ip", "service_external_name", "service_loadbalancer_ip"];
        assert_eq!(
            target_lines(&text, &watch(DiscoveryRole::Service), &labels),
            [format!("s.ns.svc:80 {expected}")],
            "{spec}"
        );
    }
}

/// Expected values follow Kubernetes' `fields.ParseSelector` and `ToSelectableFields`.
#[test]
fn filters_objects_by_labels_and_fields() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b, n: '7'}}, spec: {nodeName: n, containers: [{name: c}]}, status: \
               {podIP: 10.0.0.1, phase: Running}}";
    for (role, labels, fields, expected) in [
        (DiscoveryRole::Pod, "", "", 1),
        (DiscoveryRole::Pod, "a=b", "", 1),
        (DiscoveryRole::Pod, "a=c", "", 0),
        (DiscoveryRole::Pod, "n>5", "", 1),
        (DiscoveryRole::Pod, "n>7", "", 0),
        (DiscoveryRole::Pod, "n<10,n>5,a in (b, c)", "", 1),
        (DiscoveryRole::Pod, "a>5", "", 0),
        (DiscoveryRole::Pod, "missing<5", "", 0),
        (DiscoveryRole::Pod, "", "spec.nodeName=n", 1),
        (DiscoveryRole::Pod, "", "spec.nodeName!=n", 0),
        (DiscoveryRole::Pod, "", "spec.nodeName=n,status.phase==Failed", 0),
        (DiscoveryRole::Pod, "", "spec.restartPolicy=Always", 1),
        (DiscoveryRole::Pod, "", "spec.schedulerName!=default-scheduler", 0),
        (DiscoveryRole::Pod, "a=b", "metadata.name=q", 0),
        (DiscoveryRole::Pod, "", "metadata.namespace=ns", 1),
        // Selectors for a different role do not apply.
        (DiscoveryRole::Node, "a=c", "metadata.name=q", 1),
    ] {
        let mut watch = watch(DiscoveryRole::Pod);
        watch.selectors.add(role, labels, fields).unwrap();
        assert_eq!(target_lines(pod, &watch, &[]).len(), expected, "{labels} {fields}");
    }
    for (labels, fields) in [("a in b", ""), ("", "spec.x=y"), ("", "spec.nodeName"), ("a=b,", "")] {
        assert!(RoleSelectors::default().add(DiscoveryRole::Pod, labels, fields).is_none(), "{labels} {fields}");
    }
}

#[test]
fn every_container_port_or_container_without_ports_is_a_target() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, ports: [{containerPort: 80, name: web}, \
               {containerPort: 81}]}, {name: b}], initContainers: [{name: i}]}, status: {podIP: 'fd00::1', containerStatuses: [{name: a, \
               containerID: x}]}}";
    let labels = ["pod_container_name", "pod_container_port_name", "pod_container_init", "pod_container_id"];
    let expected =
        ["[fd00::1]:80 a web false x", "[fd00::1]:81 a - false x", "fd00::1 b - false -", "fd00::1 i - true -"];
    assert_eq!(target_lines(pod, &watch(DiscoveryRole::Pod), &labels), expected);
}

#[test]
fn estimates_the_number_of_targets() {
    let meta = "metadata: {name: x}";
    let port = "{port: 80}";
    // The pod has two ports.
    let pod_reference = "targetRef: {kind: Pod, namespace: ns, name: p}";
    for (role, object, expected) in [
        (DiscoveryRole::Endpoints, format!("apiVersion: v1, kind: Endpoints, {meta}"), 0),
        (
            DiscoveryRole::Endpoints,
            format!(
                "apiVersion: v1, kind: Endpoints, {meta}, subsets: [{{addresses: [{{ip: a}}, {{ip: b, {pod_reference}}}], notReadyAddresses: \
                 [{{ip: c}}], ports: [{port}, {port}]}}, {{addresses: [{{ip: d, {pod_reference}}}], ports: [{port}]}}]"
            ),
            3 * 2 + 1 + 2,
        ),
        (
            DiscoveryRole::EndpointSlice,
            format!(
                "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, {meta}, endpoints: [{{addresses: [a, b]}}, {{addresses: [c], \
                 {pod_reference}}}], ports: [{port}, {port}, {port}]"
            ),
            3 * 3 + 2,
        ),
        (
            DiscoveryRole::EndpointSlice,
            format!(
                "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, {meta}, endpoints: [{{addresses: [a], targetRef: {{kind: Node, \
                 namespace: ns, name: p}}}}], ports: []"
            ),
            0,
        ),
        (
            DiscoveryRole::Ingress,
            format!(
                "apiVersion: networking.k8s.io/v1, kind: Ingress, {meta}, spec: {{rules: [{{}}, {{http: {{paths: [{{}}, {{}}]}}}}]}}"
            ),
            1 + 2,
        ),
        (DiscoveryRole::Node, format!("apiVersion: v1, kind: Node, {meta}"), 1),
        (
            DiscoveryRole::Pod,
            format!(
                "apiVersion: v1, kind: Pod, {meta}, spec: {{containers: [{{ports: [{{containerPort: 1}}, {{containerPort: 2}}]}}, {{}}], \
                 initContainers: [{{}}]}}"
            ),
            4,
        ),
        (
            DiscoveryRole::Service,
            format!("apiVersion: v1, kind: Service, {meta}, spec: {{ports: [{port}, {{name: a}}, {port}]}}"),
            2,
        ),
    ] {
        let text = format!(
            "{{{object}}}\n---\n{{apiVersion: v1, kind: Endpoints, metadata: {{name: other}}}}\n---\n{{apiVersion: v1, kind: Pod, metadata: \
             {{name: p}}, spec: {{containers: [{{ports: [{{containerPort: 1}}, {{containerPort: 2}}]}}]}}}}\n"
        );
        assert_eq!(count_targets(&text, role, "x"), expected, "{object}");
    }
}

/// Returns the approximate number of targets of an object.
fn count_targets(text: &str, role: DiscoveryRole, name: &str) -> usize {
    let input = TestInput::new(text);
    let documents = input.documents();
    let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
    let watch = watch(role);
    let view = View { objects: &objects, watch: &watch, version: PrometheusVersion::V2 };
    let mut all_objects = objects.list(role.kind()).iter();
    view.count(all_objects.find(|object| object.name == name).unwrap())
}

#[test]
fn expected_endpoints_have_the_pods_of_their_service() {
    let service = "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {selector: {a: b}, ports: [{port: 1}, {port: 2}]}}\n";
    let pod = |name: &str, label: &str, ports: usize| {
        let ports = "{containerPort: 1}, ".repeat(ports);
        format!(
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, labels: {{a: {label}}}}}, spec: {{containers: [{{ports: \
             [{ports}]}}]}}}}\n"
        )
    };
    let other_pods = |count: usize| (0..count).map(|number| pod(&format!("o{number}"), "c", 1)).collect::<String>();
    for (pods, expected) in [
        (String::new(), 0),
        (pod("p", "b", 0), 2),
        (pod("p", "b", 3), 2 + 3),
        (pod("p", "b", 3) + &pod("q", "b", 1) + &pod("r", "c", 5), 2 + 3 + 2 + 1),
        // Comparing many pods counts as additional targets.
        (other_pods(31), 0),
        (other_pods(64), 2),
    ] {
        assert_eq!(count_targets(&format!("{service}{pods}"), DiscoveryRole::Endpoints, "x"), expected, "{pods}");
    }
}

#[test]
fn counts_the_labels_that_objects_add_to_targets() {
    let meta = "metadata: {name: x, labels: {a: b, c: d}, annotations: {e: f}}";
    let topology = "endpoints: [{topology: {a: b}}, {topology: {a: b, c: d}}, {deprecatedTopology: {a: b}}]";
    for (role, object, expected) in [
        (DiscoveryRole::Service, format!("apiVersion: v1, kind: Service, {meta}"), 3),
        (
            DiscoveryRole::Node,
            format!("apiVersion: v1, kind: Node, {meta}, status: {{addresses: [{{type: a}}, {{type: b}}]}}"),
            3 + 2,
        ),
        (
            DiscoveryRole::EndpointSlice,
            format!("apiVersion: discovery.k8s.io/v1beta1, kind: EndpointSlice, {meta}, {topology}"),
            3 + 2,
        ),
        (
            DiscoveryRole::EndpointSlice,
            format!("apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, {meta}, {topology}"),
            3 + 1,
        ),
        (DiscoveryRole::EndpointSlice, format!("apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, {meta}"), 3),
    ] {
        let text = format!("{{{object}}}\n");
        let input = TestInput::new(text.as_str());
        let documents = input.documents();
        let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
        assert_eq!(width(role, &objects.list(role.kind())[0]), expected, "{object}");
    }
    for (labels, fields, expected) in
        [("", "", 0), ("a", "", 1), ("a=b", "", 2), ("a in (b, c), d", "spec.nodeName=a,status.phase=b", 4 + 2)]
    {
        let mut selectors = RoleSelectors::default();
        selectors.add(DiscoveryRole::Pod, labels, fields).unwrap();
        selectors.add(DiscoveryRole::Pod, "", "").unwrap();
        assert_eq!(selectors.width(), expected, "{labels} {fields}");
    }
}

#[test]
fn reads_slice_topology_by_version() {
    let slice = |version: &str| {
        format!(
            "{{apiVersion: discovery.k8s.io/{version}, kind: EndpointSlice, metadata: {{name: e}}, endpoints: [{{addresses: [10.0.0.1], \
             topology: {{zone: old}}, deprecatedTopology: {{zone: new}}, hostname: h, conditions: {{ready: true, serving: false}}}}], \
             ports: [{{port: 80, name: p, appProtocol: http}}, {{name: every}}]}}\n"
        )
    };
    let labels = [
        "endpointslice_endpoint_topology_zone",
        "endpointslice_endpoint_topology_present_zone",
        "endpointslice_endpoint_conditions_ready",
        "endpointslice_endpoint_conditions_serving",
        "endpointslice_endpoint_conditions_terminating",
        "endpointslice_endpoint_hostname",
        "endpointslice_port",
        "endpointslice_port_name",
        "endpointslice_port_protocol",
        "endpointslice_port_app_protocol",
    ];
    for (version, zone) in [("v1", "new"), ("v1beta1", "old")] {
        let expected = [
            format!("10.0.0.1:80 {zone} true true false - h 80 p TCP http"),
            format!("10.0.0.1 {zone} true true false - h - every TCP -"),
        ];
        assert_eq!(target_lines(&slice(version), &watch(DiscoveryRole::EndpointSlice), &labels), expected, "{version}");
    }
}

#[test]
fn label_index_finds_objects_that_rules_may_keep() {
    let text = "{apiVersion: v1, kind: Service, metadata: {name: s, labels: {app: a, x.y: b, x_y: b}}}
---
{apiVersion: v1, kind: Service, metadata: {name: t, labels: {app: c}}}
---
{apiVersion: v1, kind: Endpoints, metadata: {name: s, labels: {own: d}}}
---
{apiVersion: v1, kind: Endpoints, metadata: {name: t}}
---
{apiVersion: v1, kind: Endpoints, metadata: {name: u, labels: {app: a}}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: t-1, labels: {kubernetes.io/service-name: t}}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: v-1, labels: {app: a}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: a}}}
";
    let input = TestInput::new(text);
    let documents = input.documents();
    let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
    for (role, label, values, expected) in [
        (DiscoveryRole::Service, "service_label_app", &["a"][..], Some(&[0][..])),
        (DiscoveryRole::Service, "service_label_app", &["c", "a", "c"], Some(&[0, 1])),
        (DiscoveryRole::Service, "service_label_app", &["z"], Some(&[])),
        (DiscoveryRole::Service, "service_label_x_y", &["b"], Some(&[0])),
        (DiscoveryRole::Service, "service_labelpresent_app", &["true"], Some(&[0, 1])),
        // A missing label is equal to an empty one.
        (DiscoveryRole::Service, "service_label_app", &["a", ""], None),
        (DiscoveryRole::Service, "service_name", &["s"], None),
        (DiscoveryRole::Service, "pod_label_app", &["a"], None),
        (DiscoveryRole::Service, "service_labels_app", &["a"], None),
        // Targets of Endpoints have the labels of their Service.
        (DiscoveryRole::Endpoints, "service_label_app", &["a"], Some(&[0])),
        (DiscoveryRole::Endpoints, "service_label_app", &["a", "c"], Some(&[0, 1])),
        (DiscoveryRole::Endpoints, "endpoints_label_own", &["d"], None),
        (DiscoveryRole::EndpointSlice, "service_label_app", &["a", "c"], Some(&[0])),
        (DiscoveryRole::Pod, "pod_label_app", &["a"], Some(&[0])),
    ] {
        let index = Index::new(&objects, role);
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        let actual = index.candidates(role, &format!("__meta_kubernetes_{label}"), &values);
        assert_eq!(actual.as_deref(), expected, "{role:?} {label} {values:?}");
        assert_eq!(index.candidates(role, label, &values), None, "{label}");
    }
}

/// Additional ports of the pod that an address refers to are also targets (`buildEndpoints`).
#[test]
fn endpoints_include_other_ports_of_their_pods() {
    let text = "{apiVersion: v1, kind: Endpoints, metadata: {name: e}, subsets: [{addresses: [{ip: 10.0.0.1, targetRef: {kind: Pod, namespace: \
                ns, name: p}}], notReadyAddresses: [{ip: 10.0.0.3}], ports: [{name: web, port: 80}]}]}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}, {name: more, \
                containerPort: 81}]}]}, status: {podIP: 10.0.0.2}}
";
    let labels = [
        "endpoint_port_name",
        "endpoint_ready",
        "endpoint_address_target_kind",
        "endpoint_address_target_name",
        "pod_name",
        "pod_container_port_name",
    ];
    let expected = ["10.0.0.1:80 web true Pod p p web", "10.0.0.3:80 web false - - - -", "10.0.0.2:81 - - - - p more"];
    assert_eq!(target_lines(text, &watch(DiscoveryRole::Endpoints), &labels), expected);
}

/// In Prometheus 3, init container ports are also targets, and a label marks them (`buildEndpoints`).
#[test]
fn prometheus_3_discovers_init_containers() {
    let text = "{apiVersion: v1, kind: Endpoints, metadata: {name: e}, subsets: [{addresses: [{ip: 10.0.0.1, targetRef: {kind: Pod, namespace: \
                ns, name: p}}], ports: [{name: side, port: 81}]}]}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}], initContainers: \
                [{name: i, ports: [{name: side, containerPort: 81}, {name: more, containerPort: 82}]}]}, status: {podIP: 10.0.0.2}}
";
    let labels = ["pod_name", "pod_container_name", "pod_container_port_name", "pod_container_init"];
    for (version, expected) in [
        (PrometheusVersion::V2, ["10.0.0.1:81 p - - -", "10.0.0.2:80 p c web -"].as_slice()),
        (
            PrometheusVersion::V3,
            &["10.0.0.1:81 p i side true", "10.0.0.2:80 p c web false", "10.0.0.2:82 p i more true"],
        ),
    ] {
        let actual = target_lines_with(text, &watch(DiscoveryRole::Endpoints), version, &labels);
        assert_eq!(actual, expected, "{version:?}");
    }
}

/// Expected labels follow `buildNode` and `buildEndpointSlice` in Prometheus 3.
#[test]
fn prometheus_3_sets_additional_labels() {
    let node = "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {addresses: [{type: Hostname, address: n}], conditions: \
                [{type: Ready, status: 'True'}, {type: Out-Of-Disk, status: Unknown}]}}";
    let slice = "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: s}, ports: [{port: 80}], endpoints: [{addresses: \
                 [10.0.0.1], nodeName: n, zone: z}]}";
    for (role, text, labels, set) in [
        (DiscoveryRole::Node, node, ["node_condition_ready", "node_condition_out_of_disk"], "n:0 true unknown"),
        (
            DiscoveryRole::EndpointSlice,
            slice,
            ["endpointslice_endpoint_node_name", "endpointslice_endpoint_zone"],
            "10.0.0.1:80 n z",
        ),
    ] {
        let (address, _) = set.split_once(' ').unwrap();
        let target_lines = |version| target_lines_with(text, &watch(role), version, &labels);
        assert_eq!(target_lines(PrometheusVersion::V2), [format!("{address} - -")]);
        assert_eq!(target_lines(PrometheusVersion::V3), [set]);
    }
}

/// A Service port refers to a pod port by number or name. Without `targetPort`, it refers to the port with the same
/// number (`syncService` in the endpoints controller).
#[test]
fn expected_endpoints_have_the_ports_of_their_pods() {
    let pod = "---
{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}, spec: {nodeName: n, containers: [{name: c, ports: [{name: web, \
               containerPort: 8080}, {name: dns, containerPort: 53, protocol: UDP}]}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: other}}
";
    for (port, expected) in [
        ("port: 80", "<pod-ip>:80"),
        ("port: 80, targetPort: 8080", "<pod-ip>:8080"),
        ("port: 80, targetPort: web", "<pod-ip>:8080"),
        ("port: 80, targetPort: gone", ""),
        // The container port has the same name but a different protocol.
        ("port: 80, targetPort: dns", ""),
        ("port: 80, targetPort: dns, protocol: UDP", "<pod-ip>:53"),
        ("targetPort: web", ""),
    ] {
        let text = format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{selector: {{a: b}}, ports: [{{name: x, {port}}}]}}}}\n{pod}"
        );
        let labels = ["endpoint_port_name", "endpoint_ready", "endpoint_node_name"];
        let actual = target_lines(&text, &watch(DiscoveryRole::Endpoints), &labels);
        let service_targets: Vec<_> = actual.iter().filter(|target| target.contains(" x ")).collect();
        let expected: Vec<_> = Some(expected)
            .filter(|address| !address.is_empty())
            .map(|address| format!("{address} x true n"))
            .into_iter()
            .collect();
        assert_eq!(service_targets, expected.iter().collect::<Vec<_>>(), "{port}");
    }
}

/// The label model that `check` uses for rules contains all labels that discovery sets, including their values.
#[test]
fn label_model_includes_all_discovered_labels() {
    let text = "---
apiVersion: v1
kind: Pod
metadata:
  {name: p, namespace: ns, uid: u, labels: {app: web, a.b/c: d}, annotations: {n: 'x y'}, ownerReferences: [{kind: ReplicaSet, name: r, controller: true}]}
spec:
  nodeName: n
  initContainers: [{name: i, image: 'init:1', ports: [{containerPort: 9}]}]
  containers: [{name: c, image: 'r/i:1', ports: [{name: http, containerPort: 80}, {containerPort: 81, protocol: UDP}]}, {name: d, image: i}]
status: {phase: Running, podIP: 10.0.0.1, hostIP: 10.0.0.2, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: c, containerID: 'containerd://x'}]}
---
apiVersion: v1
kind: Pod
metadata: {name: q, namespace: ns}
spec: {containers: [{name: c, ports: [{containerPort: 82}]}]}
status: {phase: Pending, podIP: 'fd00::1'}
---
{apiVersion: v1, kind: Service, metadata: {name: s, namespace: ns, labels: {app: web}, annotations: {a: b}}, spec: {selector: {app: web}}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: s, namespace: ns, labels: {app: web}}
subsets:
- addresses: [{ip: 10.0.0.1, hostname: h, nodeName: n, targetRef: {kind: Pod, name: p, namespace: ns}}]
  notReadyAddresses: [{ip: 10.0.0.3}]
  ports: [{name: http, port: 80}, {port: 53, protocol: UDP}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: g, namespace: ns, labels: {app: web}}
spec: {ingressClassName: k, tls: [{hosts: [a.example]}], rules: [{host: a.example, http: {paths: [{path: /x}]}}, {host: b.example}]}
";
    let input = TestInput::new(text);
    let documents = input.documents();
    let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
    let mut expressions = ExpressionCache::default();
    for (role, min_targets) in [(DiscoveryRole::Endpoints, 3), (DiscoveryRole::Pod, 4), (DiscoveryRole::Ingress, 2)] {
        let watch = DiscoveryWatch { attach_node: false, ..watch(role) };
        let view = View { objects: &objects, watch: &watch, version: PrometheusVersion::V2 };
        let targets: Vec<_> = objects.list(role.kind()).iter().flat_map(|object| view.targets(object)).collect();
        assert!(targets.len() >= min_targets, "{role:?} {}", targets.len());
        let mut model = LabelSet::new(Phase::Discovered(role));
        model.set("__address__", Values::unknown(alphabet::VISIBLE, false));
        for target in &targets {
            for (name, value) in target.iter().filter(|(_, value)| !value.is_empty()) {
                let rule = RelabelRule {
                    source_labels: LabelNames::One(name.to_owned().into()),
                    regex: Some(literal(value).into()),
                    action: "keep",
                    ..RelabelRule::default()
                };
                let rule = FlowRule::new(&rule, &mut expressions).unwrap();
                assert_ne!(model.matching(&rule), Matching::Never, "{role:?} {name}={value}");
            }
            // All labels that the model considers certain are set.
            for name in model.certain_names() {
                assert_ne!(target.get(&name), "", "{role:?} {name}");
            }
        }
    }
}

/// Returns an expression that matches only the given string.
fn literal(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("\\{c}") }).collect()
}
