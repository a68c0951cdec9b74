//! The `app_agent_receiver` integration, which receives data from browsers.

use crate::check::integrations::setting::{known, refuse};
use crate::check::walk::{Json, Walk};
use crate::diagnostic::Code;
use crate::go::{address, template};

/// Checks a source map's path template. The agent panics if it cannot parse the template.
pub fn path_template<'v>(path: Json<'v>, walk: &mut Walk<'v>) {
    let Some(text) = path.scalar().and_then(known) else {
        return;
    };
    if let Err(error) = template::check_builtin(&text) {
        refuse(walk, &[], format!("contains a template that {}", error.predicate), error.help);
    }
}

/// Checks the host, to which the integration appends a colon and the port (`net.Listen`).
pub fn host<'v>(host: Json<'v>, walk: &mut Walk<'v>) {
    let Some(text) = host.scalar().and_then(known) else {
        return;
    };
    if let Err(problem) = address::split(&format!("{text}:0")) {
        let message = format!("with a port, `host` {problem}, so the integration stops immediately");
        walk.report_with_code(Code::InvalidIntegration, &[], message, "write a host name or address without a port");
    }
}

pub fn port<'v>(port: Json<'v>, walk: &mut Walk<'v>) {
    if port.as_i64().is_some_and(|port| !(0..=65_535).contains(&port)) {
        let message = "the integration cannot listen on this port and stops immediately";
        walk.report_with_code(Code::InvalidIntegration, &[], message, "use a port between 1 and 65535");
    }
}
