//! Integrations that query a server over HTTP or TCP.

use crate::check::integrations::setting::{is_blank, missing, pair, refuse, refuse_as, text};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::{address, url};

pub fn apache<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let at = [Step::Key("scrape_uri")];
    let Some(text) = text(config, "scrape_uri", "http://localhost") else {
        return;
    };
    // A URL that cannot be parsed at all has already been reported.
    if url::problem(&text).is_none()
        && let Some(problem) = url::request_problem(&text)
    {
        refuse_as(walk, Code::InvalidUrl, &at, problem, "write a URL such as `http://host/server-status?auto`");
    }
}

pub fn consul<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    pair(config, "cert_file", "key_file", walk);
    let Some(server) = text(config, "server", "http://localhost:8500") else {
        return;
    };
    if config.set("instance").is_none() && url::problem(&server).is_some() {
        return;
    }
    let server = match server.contains("://") {
        true => server,
        false => format!("http://{server}").into(),
    };
    let problem = match (url::problem(&server), url::parts(&server)) {
        (Some(problem), _) => problem,
        (None, Some(parts)) if parts.host.is_empty() => "has no host",
        (None, Some(parts)) if !matches!(parts.scheme.as_str(), "http" | "https") => {
            "is neither an `http` nor an `https` URL"
        }
        (None, _) => return,
    };
    refuse_as(walk, Code::InvalidUrl, &[Step::Key("server")], problem, "write a URL such as `http://consul:8500`");
}

pub fn elasticsearch<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if is_blank(config, "address", "http://localhost:9200") {
        let help = "set `address`, or remove it to use the default, `http://localhost:9200`";
        missing(walk, &[Step::Key("address")], "the `elasticsearch` integration needs `address`", help);
    }
}

pub fn squid<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let Some(address) = text(config, "address", "").filter(|text| !text.is_empty()) else {
        return;
    };
    let problem = match address::split(&address) {
        Err(problem) => problem,
        Ok(("", _)) => "has no host",
        Ok((_, "")) => "has no port",
        Ok((_, port)) if !address::is_whole_number(port) => "has a port that is not a number",
        Ok(_) => return,
    };
    refuse(walk, &[Step::Key("address")], problem, "use an address such as `host:3128`");
}
