//! Types for the resources, corresponding to the operator's Go types. Strings are borrowed from the documents they were
//! read from. A Go string becomes a `&str` (empty if missing), and a Go pointer becomes an `Option`.

#![warn(missing_docs)]

mod access;
mod auth;
pub mod core;
mod core_objects;
mod dropped_fields;
mod generated_secret;
mod grafana_agent;
mod integration;
pub mod json_schema;
mod kind;
mod logs_instance;
mod metrics_instance;
mod monitor;
pub mod observed;
mod operator;
mod pipeline_stage;
mod probe;
mod rejected_fields;
mod relation;
mod remote_write;
mod resource;
mod resources;
pub mod schema;
mod selector;
mod service_monitor;
mod text_map;
mod unapplied;

pub use access::{Access, AccessKind, Binding, BindingSubject, PolicyRule, Role, ServiceAccount};
pub use auth::{Authorization, BasicAuth, OAuth2, SigV4, TlsConfig};
pub use core_objects::{Data, RENDERED_BY_ANNOTATION, SecretData, is_encrypted, rendering_function};
pub use dropped_fields::{DroppedField, suppress_cascading};
pub use generated_secret::{GeneratedSecret, SERVICE_ACCOUNT, SecretGenerator};
pub use grafana_agent::{
    ApiServer, EmbeddedMetadata, GrafanaAgent, Integrations, Logs, Metrics, Storage, VolumeClaimTemplate,
};
pub use integration::Integration;
pub use kind::Kind;
pub use logs_instance::{LogsBackoffConfig, LogsClient, LogsInstance, PodLogs};
pub use metrics_instance::MetricsInstance;
pub use monitor::Monitor;
pub use operator::OperatorVersion;
pub use pipeline_stage::{
    DropStage, JsonStage, LimitStage, MatchStage, MetricsStage, MultilineStage, PackStage, PipelineStage, RegexStage,
    ReplaceStage, TemplateStage, TenantStage, TimestampStage, help_for_empty_stage,
};
pub use probe::{IngressTargets, Probe, StaticTargets};
pub use rejected_fields::{RejectedFields, UnreadWords, overlaps};
pub use relation::{RELATIONS, Relation, Selectors};
pub use remote_write::{MetadataConfig, QueueConfig, RelabelConfig, RemoteWrite};
pub use resource::{AnyResource, ObjectMeta, ObjectRef, Resource, ResourceHeader, serialize_display};
pub use resources::{NamespaceLabels, Resources, find, namespace_range, resources_in_namespace};
pub use selector::{KeySelector, LabelSelector, LabelSelectorRequirement, NamespaceSelector, SecretOrConfigMap};
pub use service_monitor::{Endpoint, IntOrString, PodMonitor, ServiceMonitor};
pub use text_map::TextMap;
pub use unapplied::UnappliedReason;
