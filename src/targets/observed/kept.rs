//! Fields of observed objects that agentctl uses. For a pod, they amount to less than a fifth of kubectl's output.

use super::ObservedKind;
use crate::yaml::KeptField;

/// Fields of an object, each with the nested fields to keep. A field without a list of nested fields is kept entirely.
macro_rules! kept {
    ($($name:ident $({ $($below:tt)+ })? $(: $known:ident)?)+) => {
        &[$(KeptField(stringify!($name), kept!(@below $({ $($below)+ })? $($known)?))),+]
    };
    (@below { $($below:tt)+ }) => { kept!($($below)+) };
    (@below $known:ident) => { $known };
    (@below) => { &[] };
}

const META: &[KeptField] = kept!(name namespace uid labels annotations ownerReferences { kind name controller });
const CONTAINER: &[KeptField] = kept!(name image ports restartPolicy);
const STATUS: &[KeptField] = kept!(name containerID);
/// Fields of a pod, including those that a field selector may refer to.
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
/// Fields of a pod template.
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
    apiVersion kind metadata: META spec { providerID unschedulable }
    status { addresses daemonEndpoints nodeInfo { containerRuntimeVersion } conditions { type status } }
};

/// Returns the fields to keep for an object that is observed but not checked.
pub fn kept_fields(api_version: &str, kind: &str) -> Option<&'static [KeptField]> {
    Some(match ObservedKind::from_type(api_version, kind)? {
        ObservedKind::CronJob => CRON_JOB,
        ObservedKind::DaemonSet | ObservedKind::Deployment | ObservedKind::Job | ObservedKind::StatefulSet => WORKLOAD,
        ObservedKind::Endpoints => ENDPOINTS,
        ObservedKind::EndpointSlice => SLICE,
        ObservedKind::Ingress | ObservedKind::Service => SPEC,
        ObservedKind::Node => NODE,
        ObservedKind::Pod => POD,
    })
}
