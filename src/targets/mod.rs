//! Targets: what an agent scrapes, with which labels, as its Prometheus and Promtail find and relabel them.
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
