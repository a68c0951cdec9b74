//! Grafana Alloy's configuration, `config.alloy`.

pub mod layout;
pub mod syntax;
