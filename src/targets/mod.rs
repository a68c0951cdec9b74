//! Targets of an agent and their labels, discovered and relabeled as the agent's own Prometheus and Promtail do.
//!
//! ```text
//! observed objects ─▶ discovery ─▶ labels ─┐
//!                                          ├─▶ scrape ─▶ target: active, dropped, invalid or a duplicate
//! Plan ─▶ jobs ─▶ relabel ─────────────────┘
//! ```

pub mod discovery;
pub mod observed;
pub mod relabel;
pub mod scrape;
