//! Named settings that another tool hands over: the configuration of a KRM function, the parameters of an Argo CD
//! application. What they are called and what they may be, only the command line knows.

mod argocd;
pub mod diagnostics;
mod function_config;
mod value;

pub use argocd::of_application;
pub use function_config::{RENDER_KIND, of_function, of_plugin};
pub use value::{Parameter, ParameterValue};
