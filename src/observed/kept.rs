//! The fields that are used of observed objects: of a pod, less than a fifth of what kubectl prints.

use super::kind::Kind;
use crate::yaml::Kept;

/// Fields of an object, each with those that are kept of it, where these are not all.
macro_rules! kept {
    ($($name:ident $({ $($below:tt)+ })? $(: $known:ident)?)+) => {
        &[$(Kept(stringify!($name), kept!(@below $({ $($below)+ })? $($known)?))),+]
    };
    (@below { $($below:tt)+ }) => { kept!($($below)+) };
    (@below $known:ident) => { $known };
    (@below) => { &[] };
}

const META: &[Kept] = kept!(name namespace uid labels annotations ownerReferences { kind name controller });
const CONTAINER: &[Kept] = kept!(name image ports);
const STATUS: &[Kept] = kept!(name containerID);
/// With the fields that a field selector may name.
const POD: &[Kept] = kept! {
    apiVersion kind metadata: META
    spec {
        nodeName containers: CONTAINER initContainers: CONTAINER
        restartPolicy schedulerName serviceAccountName hostNetwork
    }
    status {
        podIP hostIP phase nominatedNodeName conditions { type status }
        containerStatuses: STATUS initContainerStatuses: STATUS
    }
};
/// What a workload makes its pods of.
const TEMPLATE: &[Kept] = kept! {
    metadata { labels annotations } spec { containers: CONTAINER initContainers: CONTAINER }
};
const WORKLOAD: &[Kept] = kept!(apiVersion kind metadata: META spec { template: TEMPLATE });
const CRON_JOB: &[Kept] = kept!(apiVersion kind metadata: META spec { jobTemplate { spec { template: TEMPLATE } } });
const SPEC: &[Kept] = kept!(apiVersion kind metadata: META spec);
const ENDPOINTS: &[Kept] = kept!(apiVersion kind metadata: META subsets);
const SLICE: &[Kept] = kept!(apiVersion kind metadata: META addressType endpoints ports);
const NODE: &[Kept] = kept! {
    apiVersion kind metadata: META spec { providerID unschedulable } status { addresses daemonEndpoints }
};

/// The fields that are kept of an object that is only observed.
pub fn kept(api_version: &str, kind: &str) -> Option<&'static [Kept]> {
    Some(match Kind::of(api_version, kind)? {
        Kind::CronJob => CRON_JOB,
        Kind::DaemonSet | Kind::Deployment | Kind::Job | Kind::StatefulSet => WORKLOAD,
        Kind::Endpoints => ENDPOINTS,
        Kind::EndpointSlice => SLICE,
        Kind::Ingress | Kind::Service => SPEC,
        Kind::Node => NODE,
        Kind::Pod => POD,
    })
}
