//! agentctl compiles the resources of the Grafana Agent Operator into what the operator would create.
pub mod admit;
pub mod api;
pub mod diagnostic;
pub mod environment;
pub mod lower;
pub mod resolve;
pub mod source;
pub mod yaml;
