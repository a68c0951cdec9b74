//! Findings for behavior of the agent that Alloy does not support.

pub mod agent_losses;
pub mod loss;
pub mod scrape_losses;
