//! What the agent or Prometheus would refuse at start, found offline.

pub mod regexp;
