//! The resources' types as the operator's Go types have them, borrowing their text from the documents they were read
//! from. A Go string is a `&str` (empty where missing), a Go pointer an `Option`.

mod auth;
pub mod core;
mod core_objects;
mod grafana_agent;
mod int_or_string;
mod integration;
mod key_selector;
mod kind;
mod logs_instance;
mod metrics_instance;
mod object_ref;
mod pipeline_stage;
mod pod_logs;
mod pod_monitor;
mod probe;
mod promised_secret;
mod refusals;
mod relabel;
mod relation;
mod remote_write;
mod rendered;
mod resource;
mod resources;
pub mod schema;
mod selector;
mod service_monitor;
mod text_map;
mod tls;
mod unread;

pub use auth::{Authorization, BasicAuth, OAuth2, SafeAuthorization, SigV4};
pub use core_objects::{Data, KeyedData, NodeAddresses, is_encrypted};
pub use grafana_agent::{
    ApiServer, ArbitraryFsAccess, EmbeddedMetadata, GrafanaAgent, Integrations, Logs, Metrics, Storage,
    VolumeClaimTemplate,
};
pub use int_or_string::IntOrString;
pub use integration::{Integration, IntegrationType};
pub use key_selector::{KeySelector, SecretOrConfigMap};
pub use kind::Kind;
pub use logs_instance::{LogsBackoffConfig, LogsClient, LogsInstance, LogsTargetConfig};
pub use metrics_instance::MetricsInstance;
pub use object_ref::ObjectRef;
pub use pipeline_stage::{
    DropStage, JsonStage, LimitStage, MatchStage, MetricsStage, MultilineStage, OutputStage, PackStage, PipelineStage,
    Present, RegexStage, ReplaceStage, TemplateStage, TenantStage, TimestampStage,
};
pub use pod_logs::PodLogs;
pub use pod_monitor::PodMonitor;
pub use probe::{IngressTargets, Probe, ProbeTargets, Prober, StaticTargets};
pub use promised_secret::{Promise, PromisedSecret};
pub use refusals::Refusals;
pub use relabel::RelabelConfig;
pub use relation::{RELATIONS, Relation, Selectors};
pub use remote_write::{MetadataConfig, QueueConfig, RemoteWrite};
pub use rendered::{RENDERED_BY_ANNOTATION, rendered_by};
pub use resource::{AnyResource, Head, ObjectMeta, Resource};
pub use resources::{Resources, find, in_namespace, namespace_range, position, sort_by_name};
pub use selector::{LabelSelector, LabelSelectorRequirement, NamespaceSelector};
pub use service_monitor::{Endpoint, ServiceMonitor};
pub use text_map::TextMap;
pub use tls::TlsConfig;
pub use unread::Unread;
