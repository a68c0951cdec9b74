//! Groups of flags that several commands share.

mod agent;
mod at;
mod compile;
mod input;
mod output;
mod render;
mod severity;

pub(super) use agent::AgentArgs;
pub(super) use at::{TimeArg, parse_time};
pub(super) use compile::{ALLOY_VERSION, CompileArgs, namespace};
pub(super) use input::{
    AGAINST, AgainstArgs, InputArgs, LimitArgs, LimitSettings, SourceArgs, WholeInputArgs, other_side,
};
pub(super) use output::{AnswerFormat, OutputArgs};
pub(super) use render::{ALLOW_EMPTY, RenderFlags, Rendered, Rendering};
pub(super) use severity::{SeverityArgs, invalid_code_message};
