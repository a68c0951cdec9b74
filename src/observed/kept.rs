//! The fields that are used of observed objects: of a pod, less than a fifth of what kubectl prints.

use super::kind::Kind;
use crate::yaml::KeptField;

/// Fields of an object, each with those that are kept of it, where these are not all.
macro_rules! kept {
    ($($name:ident $({ $($below:tt)+ })? $(: $known:ident)?)+) => {
        &[$(KeptField(stringify!($name), kept!(@below $({ $($below)+ })? $($known)?))),+]
    };
    (@below { $($below:tt)+ }) => { kept!($($below)+) };
    (@below $known:ident) => { $known };
    (@below) => { &[] };
}

const META: &[KeptField] = kept!(name namespace uid labels annotations ownerReferences { kind name controller });
const CONTAINER: &[KeptField] = kept!(name image ports);
const STATUS: &[KeptField] = kept!(name containerID);
/// With the fields that a field selector may name.
const POD: &[KeptField] = kept! {
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
const TEMPLATE: &[KeptField] = kept! {
    metadata { labels annotations } spec { containers: CONTAINER initContainers: CONTAINER }
};
const WORKLOAD: &[KeptField] = kept!(apiVersion kind metadata: META spec { template: TEMPLATE });
const CRON_JOB: &[KeptField] =
    kept!(apiVersion kind metadata: META spec { jobTemplate { spec { template: TEMPLATE } } });
const SPEC: &[KeptField] = kept!(apiVersion kind metadata: META spec);
const ENDPOINTS: &[KeptField] = kept!(apiVersion kind metadata: META subsets);
const SLICE: &[KeptField] = kept!(apiVersion kind metadata: META addressType endpoints ports);
const NODE: &[KeptField] = kept! {
    apiVersion kind metadata: META spec { providerID unschedulable } status { addresses daemonEndpoints }
};

/// The fields that are kept of an object that is only observed.
pub fn kept(api_version: &str, kind: &str) -> Option<&'static [KeptField]> {
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
