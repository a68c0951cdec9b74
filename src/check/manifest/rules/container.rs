//! Containers (`validateContainers`, `validateInitContainers`), their ports, probes and hooks.

use std::collections::HashMap;

use super::security::CONTAINER_ROWS;
use super::{environment, resources, text, volume};
use crate::check::walk::Expect::{
    self, As, ExactlyOne, Forbidden, In, Is, Mild, OneOf, Range, Required, Text, TextOrEmpty, Unique, With,
};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::{Code, suggest};
use crate::go::syntax;

/// Port of Kubernetes' `validateContainers`.
pub(super) const CONTAINER: Rows = &[
    ("name", Text(syntax::dns_label)),
    ("", With(check_image)),
    // Port of Kubernetes' `validateContainersOnlyForPod`.
    ("image", Is(|text| text.trim() == text, "must not start or end with whitespace")),
    ("image", As(Code::InvalidImage, &Text(text::image_reference_problem))),
    ("", As(Code::OutdatedImage, &With(report_outdated_agent))),
    ("imagePullPolicy", OneOf("|Always|IfNotPresent|Never")),
    ("terminationMessagePolicy", OneOf("|FallbackToLogsOnError|File")),
    ("ports[]", As(Code::InvalidContainerPort, &In(PORT))),
    ("ports", As(Code::InvalidContainerPort, &Unique(&["name"]))),
    ("env[]", As(Code::InvalidEnvironment, &In(environment::VARIABLE))),
    ("envFrom[]", As(Code::InvalidEnvironment, &In(environment::VARIABLES))),
    ("", As(Code::InvalidContainerProbe, &In(PROBES))),
    ("", As(Code::InvalidMount, &In(volume::MOUNTS))),
    ("resources", As(Code::InvalidResources, &In(resources::RESOURCES))),
    ("securityContext", As(Code::InvalidSecurityContext, &In(CONTAINER_ROWS))),
];

fn check_image<'v>(container: Json<'v>, walk: &mut Walk<'v>) {
    if container.text("image").is_empty() {
        let nearest = suggest::closest(container.text("name"), ["config-reloader", "grafana-agent"]);
        walk.report_field("image", "must not be empty").help = match nearest {
            Some(nearest) => format!("did you mean the operator's container `{nearest}`?"),
            None => "set `image`: the operator sets it only for `grafana-agent` and `config-reloader`".to_owned(),
        };
    }
}

/// Newest flag that the operator passes, and the agent's minor version that introduced it (`CHANGELOG.md` in
/// grafana/agent).
const NEWEST_FLAG: (&str, u32) = ("-server.http.address", 24);

fn report_outdated_agent<'v>(container: Json<'v>, walk: &mut Walk<'v>) {
    let (flag, first) = NEWEST_FLAG;
    let image = container.text("image");
    let mut arguments = container.list("args").filter_map(Json::as_str);
    if text::agent_minor(image).is_some_and(|minor| minor < first) && arguments.any(|text| text.starts_with(flag)) {
        let problem = format!("does not support the flag `{flag}`, which the operator passes");
        let violation = walk.report_field("image", problem).set_value(image);
        violation.help = format!("use v0.{first}.0 or later");
    }
}

/// Rejects fields that are not allowed in an init container, unless the init container keeps running alongside the
/// pod's other containers.
pub(super) fn check_init_fields<'v>(container: Json<'v>, walk: &mut Walk<'v>) {
    static RULE: Expect = Forbidden("is not allowed in an init container");
    if container.text("restartPolicy") != "Always" {
        for field in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            walk.check_row(field, &RULE, container);
        }
    }
}

/// Port of Kubernetes' `validateContainerPorts`.
const PORT: Rows = &[
    ("name", TextOrEmpty(syntax::port_name)),
    ("containerPort", PORT_NUMBER),
    ("hostPort", Range(0, 65535)),
    ("protocol", OneOf("|SCTP|TCP|UDP")),
];

const PORT_NUMBER: Expect = Range(1, 65535);

/// Port of Kubernetes' `validateProbe`.
const PROBE: Rows = &[
    ("", ExactlyOne("exec|httpGet|tcpSocket|grpc")),
    ("", In(HANDLER)),
    ("initialDelaySeconds|timeoutSeconds|periodSeconds|successThreshold|failureThreshold", Range(0, i64::MAX)),
    ("grpc.port", PORT_NUMBER),
    ("terminationGracePeriodSeconds", Mild(&Range(1, i64::MAX))),
];

/// Rules for a container's probes and hooks.
const PROBES: Rows = &[
    ("livenessProbe|readinessProbe|startupProbe", In(PROBE)),
    ("lifecycle.postStart|preStop", In(HOOK)),
    ("livenessProbe|startupProbe.successThreshold", Range(0, 1)),
    ("readinessProbe.terminationGracePeriodSeconds", Mild(&Forbidden("is not allowed in a readiness probe"))),
];

/// Port of Kubernetes' `validateLifecycle`.
const HOOK: Rows = &[("", ExactlyOne("exec|httpGet|tcpSocket|sleep")), ("", In(HANDLER))];

/// Port of Kubernetes' `validateHandler`. The path of an HTTP request defaults to `/` (`SetDefaults_HTTPGetAction`).
const HANDLER: Rows = &[
    ("exec.command", Required),
    ("httpGet.port", With(check_port)),
    ("httpGet.scheme", OneOf("|HTTP|HTTPS")),
    ("httpGet.httpHeaders[].name", Text(text::header_name_problem)),
    ("tcpSocket.port", With(check_port)),
];

/// Port of Kubernetes' `ValidatePortNumOrName`.
pub(super) fn check_port<'v>(port: Json<'v>, walk: &mut Walk<'v>) {
    static NUMBER: Expect = PORT_NUMBER;
    static NAME: Expect = Text(syntax::port_name);
    walk.check_rule(if port.as_str().is_some() { &NAME } else { &NUMBER }, port);
}

/// Requires the names of containers and init containers to be unique.
pub(super) fn check_names<'v>(pod: Json<'v>, walk: &mut Walk<'v>) {
    let mut seen_names = HashMap::new();
    walk.for_each("containers|initContainers[]", pod, |walk, container| {
        let name = container.text("name");
        walk.report_repeated(&mut seen_names, name, &[Step::Key("name")], name);
    });
}

/// Requires host ports to be unique across containers, and within each init container (`checkHostPortConflicts`).
pub(super) fn check_host_ports<'v>(pod: Json<'v>, walk: &mut Walk<'v>) {
    let mut seen_ports = HashMap::new();
    walk.for_each("containers[].ports[]", pod, |walk, port| check_host_port(&mut seen_ports, port, walk));
    walk.for_each("initContainers[]", pod, |walk, container| {
        let mut seen_ports = HashMap::new();
        walk.for_each("ports[]", container, |walk, port| check_host_port(&mut seen_ports, port, walk));
    });
}

/// Path of the first use of each host port, by protocol, address and number.
type HostPorts<'v> = HashMap<(&'v str, &'v str, i64), Vec<Step<'v>>>;

fn check_host_port<'v>(seen_ports: &mut HostPorts<'v>, port: Json<'v>, walk: &mut Walk<'v>) {
    let protocol = match port.text("protocol") {
        "" => "TCP",
        protocol => protocol,
    };
    if let Some(host) = port.get("hostPort").and_then(Json::as_i64).filter(|host| *host != 0) {
        let key = (protocol, port.text("hostIP"), host);
        walk.report_repeated(seen_ports, key, &[Step::Key("hostPort")], host);
    }
}
