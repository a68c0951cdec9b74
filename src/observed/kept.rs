//! The fields that are used of observed objects: of a pod, less than a fifth of what kubectl prints.

use super::kind::Kind;
use crate::yaml::Kept;

const META: Kept = Kept(
    "metadata",
    &[
        Kept("name", &[]),
        Kept("namespace", &[]),
        Kept("uid", &[]),
        Kept("labels", &[]),
        Kept("annotations", &[]),
        Kept(
            "ownerReferences",
            &[Kept("kind", &[]), Kept("name", &[]), Kept("controller", &[])],
        ),
    ],
);
const API_VERSION: Kept = Kept("apiVersion", &[]);
const KIND: Kept = Kept("kind", &[]);
const CONTAINER: &[Kept] = &[Kept("name", &[]), Kept("image", &[]), Kept("ports", &[])];
const STATUS: &[Kept] = &[Kept("name", &[]), Kept("containerID", &[])];

/// With the fields that a field selector may name.
const POD: &[Kept] = &[
    API_VERSION,
    KIND,
    META,
    Kept(
        "spec",
        &[
            Kept("nodeName", &[]),
            Kept("containers", CONTAINER),
            Kept("initContainers", CONTAINER),
            Kept("restartPolicy", &[]),
            Kept("schedulerName", &[]),
            Kept("serviceAccountName", &[]),
            Kept("hostNetwork", &[]),
        ],
    ),
    Kept(
        "status",
        &[
            Kept("podIP", &[]),
            Kept("hostIP", &[]),
            Kept("phase", &[]),
            Kept("nominatedNodeName", &[]),
            Kept("conditions", &[Kept("type", &[]), Kept("status", &[])]),
            Kept("containerStatuses", STATUS),
            Kept("initContainerStatuses", STATUS),
        ],
    ),
];
/// What a workload makes its pods of.
const TEMPLATE: Kept = Kept(
    "template",
    &[
        Kept("metadata", &[Kept("labels", &[]), Kept("annotations", &[])]),
        Kept(
            "spec",
            &[Kept("containers", CONTAINER), Kept("initContainers", CONTAINER)],
        ),
    ],
);
const WORKLOAD: &[Kept] = &[API_VERSION, KIND, META, Kept("spec", &[TEMPLATE])];
const CRON_JOB: &[Kept] = &[
    API_VERSION,
    KIND,
    META,
    Kept("spec", &[Kept("jobTemplate", &[Kept("spec", &[TEMPLATE])])]),
];
const SERVICE: &[Kept] = &[API_VERSION, KIND, META, Kept("spec", &[])];
const ENDPOINTS: &[Kept] = &[API_VERSION, KIND, META, Kept("subsets", &[])];
const SLICE: &[Kept] = &[
    API_VERSION,
    KIND,
    META,
    Kept("addressType", &[]),
    Kept("endpoints", &[]),
    Kept("ports", &[]),
];
const NODE: &[Kept] = &[
    API_VERSION,
    KIND,
    META,
    Kept("spec", &[Kept("providerID", &[]), Kept("unschedulable", &[])]),
    Kept("status", &[Kept("addresses", &[]), Kept("daemonEndpoints", &[])]),
];
const INGRESS: &[Kept] = &[API_VERSION, KIND, META, Kept("spec", &[])];

/// The fields that are kept of an object that is only observed.
pub fn kept(api_version: &str, kind: &str) -> Option<&'static [Kept]> {
    Some(match Kind::of(api_version, kind)? {
        Kind::CronJob => CRON_JOB,
        Kind::DaemonSet | Kind::Deployment | Kind::Job | Kind::StatefulSet => WORKLOAD,
        Kind::Endpoints => ENDPOINTS,
        Kind::EndpointSlice => SLICE,
        Kind::Ingress => INGRESS,
        Kind::Node => NODE,
        Kind::Pod => POD,
        Kind::Service => SERVICE,
    })
}
