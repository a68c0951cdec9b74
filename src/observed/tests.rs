use super::*;
use crate::source::Source;
use crate::yaml::{Limits, read, read_pruned, read_with_library};

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(Source::new("export.yaml", text, true));
    sources
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

#[test]
fn objects_without_names_and_parts_are_read_as_far_as_they_go() {
    let sources = sources(EXPORT);
    let (id, source) = sources.iter().next().unwrap();
    let documents = read(id, &source.text, &Limits::default()).output;
    let objects = Objects::read(documents.iter(), &sources, "default");
    let [pod] = objects.of(Kind::Pod) else {
        panic!("{objects:?}")
    };
    assert_eq!((pod.uid, pod.status("podIP"), pod.ready()), ("1", "10.0.0.1", None));
    assert_eq!(pod.labels, [("app", "y"), ("build", "0644")]);
    assert_eq!(pod.controller, Some(("Node", "node-a")));
    assert_eq!(pod.container_ports().count(), 1);
    assert_eq!(objects.of(Kind::Endpoints)[0].body.items("subsets").count(), 0);
    let service = &objects.of(Kind::Service)[0];
    let ports: Vec<_> = Port::all(service.body.part("spec"), "port").collect();
    assert_eq!(
        (service.namespace, service.selector().len(), ports[0].protocol),
        ("default", 0, "TCP")
    );
}

#[test]
fn pruned_objects_say_the_same() {
    let json = r#"{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "b", "managedFields": [{}]},
        "spec": {"containers": [{"name": "c", "env": [{"name": "x"}]}]}, "status": {"podIP": "10.0.0.2"}}]}"#;
    for text in [EXPORT, json] {
        let sources = sources(text);
        let (id, source) = sources.iter().next().unwrap();
        let text = source.text.as_str();
        let whole = read_with_library(id, text, &Limits::default()).output;
        let pruned = read_pruned(id, text, &Limits::default(), Some(kept)).output;
        let shown = |documents: &[Document<'_>]| {
            let objects = Objects::read(documents.iter(), &sources, "default");
            let pods: Vec<_> = objects
                .of(Kind::Pod)
                .iter()
                .map(|pod| {
                    (
                        pod.name.to_owned(),
                        pod.controller,
                        pod.body.part("spec").items("containers").count(),
                    )
                })
                .collect();
            format!("{pods:?} {:?}", objects.kinds)
        };
        assert_eq!(shown(&whole), shown(&pruned));
        let has = |documents: &[Document<'_>], path: &str| {
            let mut found = false;
            let item = documents[0]
                .root()
                .get("items")
                .and_then(|items| items.item(0))
                .unwrap();
            item.visit(path, &mut crate::diagnostic::FieldPath::new(), &mut |_, _| found = true);
            found
        };
        for path in ["metadata.managedFields", "spec.containers[].env"] {
            assert!(has(&whole, path) && !has(&pruned, path), "{path}");
        }
        assert!(has(&pruned, "spec.containers[].name"));
    }
}

#[test]
fn of_a_number_the_last_container_and_of_a_name_the_first_status_count() {
    let text = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: one, ports: [{containerPort: 80}]}, \
                {name: two, ports: [{containerPort: 80, name: first}, {containerPort: 80, name: second}]}, {name: three}]}, \
                status: {podIP: 10.0.0.1, containerStatuses: [{name: one, containerID: x}, {name: one, containerID: y}]}}";
    let sources = sources(text);
    let (id, source) = sources.iter().next().unwrap();
    let documents = read(id, &source.text, &Limits::default()).output;
    let objects = Objects::read(documents.iter(), &sources, "default");
    let pod = &objects.of(Kind::Pod)[0];
    let (container, port) = pod.container_port(80).unwrap();
    assert_eq!((container.text("name"), port.name), ("two", "first"));
    assert!(pod.container_port(81).is_none());
    assert_eq!(pod.container_ports().count(), 3);
    assert_eq!(pod.container_id("containerStatuses", "one"), "x");
    assert_eq!(pod.container_id("initContainerStatuses", "one"), "");
}
