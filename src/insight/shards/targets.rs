//! Lists of targets: one address per line, or JSON in the format of Prometheus or the agent.

use std::net::Ipv6Addr;

use crate::diagnostic::{Code, Diagnostic, Warned};
use crate::source::{Source, SourceId, Span};
use crate::yaml::{self, Limits, Node};

/// A scrape target with its address and number of series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrapeTarget {
    /// Value of `__address__`, from which the hash is computed.
    pub address: String,
    /// Number of series of the target, or `None` if it is not in the list.
    pub series: Option<u64>,
}

/// Reads a list of targets.
///
/// - Text contains one address per line, optionally followed by the number of series. Empty lines and comments after
///   `#` are skipped.
/// - JSON is a response from Prometheus' `/api/v1/targets` (only active targets are used) or from the agent's
///   `/agent/api/v1/metrics/targets`.
///
/// Each invalid address results in an error at its span.
pub fn read_targets(id: SourceId, source: &Source, limits: &Limits) -> Warned<Vec<ScrapeTarget>> {
    let mut diagnostics = Vec::new();
    let output = if source.text.trim_start().starts_with('{') {
        read_answer(id, &source.text, limits, &mut diagnostics)
    } else {
        read_lines(id, &source.text, &mut diagnostics)
    };
    if output.is_empty() && diagnostics.is_empty() {
        let diagnostic = Diagnostic::new(Code::NoTargets, "the list contains no targets");
        diagnostics.push(diagnostic.label(Span::new(id, 0, 0), ""));
    }
    Warned { output, diagnostics }
}

fn read_lines(id: SourceId, text: &str, out: &mut Vec<Diagnostic>) -> Vec<ScrapeTarget> {
    let mut start = 0;
    let mut targets = Vec::new();
    for line in text.split('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let leading_spaces = content.len() - content.trim_start().len();
        let span = Span::new(id, start + leading_spaces, start + leading_spaces + content.trim().len());
        match read_line(content) {
            Ok(target) => targets.extend(target),
            Err(fault) => out.push(invalid_target(fault, span)),
        }
        start += line.len() + 1;
    }
    targets
}

fn read_line(line: &str) -> Result<Option<ScrapeTarget>, &'static str> {
    let mut words = line.split_whitespace();
    let Some(address) = words.next() else {
        return Ok(None);
    };
    let series = words.next().map(str::parse).transpose();
    match (address_problem(address), series, words.next()) {
        (Some(fault), _, _) => Err(fault),
        (None, Ok(series), None) => Ok(Some(ScrapeTarget { address: address.to_owned(), series })),
        (None, _, _) => Err("expected only the number of series after the address"),
    }
}

fn read_answer(id: SourceId, text: &str, limits: &Limits, out: &mut Vec<Diagnostic>) -> Vec<ScrapeTarget> {
    let parsed = yaml::read(id, text, limits);
    out.extend(parsed.diagnostics);
    let Some(document) = parsed.output.first().filter(|_| out.is_empty()) else {
        return Vec::new();
    };
    let root = document.root();
    let data = root.get("data").unwrap_or(root);
    let targets = data.get("activeTargets").unwrap_or(data);
    if !matches!(targets.value(), yaml::NodeValue::Sequence) {
        let finding = Diagnostic::new(Code::InvalidTarget, "not a list of targets").label(root.span(), "");
        out.push(finding.help("pass the response of Prometheus' `/api/v1/targets`, or one address per line"));
        return Vec::new();
    }
    targets.items().filter_map(|node| read_object(node, out)).collect()
}

/// Returns a target from a response. The user's relabeling rules may have replaced the discovered address before the
/// hash was computed. In that case, the host in the URL is closer to the hashed address.
fn read_object(node: Node<'_>, out: &mut Vec<Diagnostic>) -> Option<ScrapeTarget> {
    let discovered_labels = node.get("discoveredLabels").or(node.get("discovered_labels"));
    let discovered_address = discovered_labels.and_then(|labels| labels.get("__address__"));
    let url = node.get("scrapeUrl").or(node.get("endpoint"));
    let scraped_host = url.and_then(Node::as_str).and_then(host);
    let address = match (discovered_address.and_then(Node::as_str), scraped_host) {
        (Some(address), Some(host)) if !is_same(address, host) => host,
        (Some(address), _) => address,
        (None, Some(host)) => host,
        (None, None) => {
            let message = "the target has neither a discovered `__address__` nor a URL";
            out.push(Diagnostic::new(Code::InvalidTarget, message).label(node.span(), ""));
            return None;
        }
    };
    match address_problem(address) {
        None => Some(ScrapeTarget { address: address.to_owned(), series: None }),
        Some(fault) => {
            let target_node = discovered_address.or(url).unwrap_or(node);
            out.push(invalid_target(fault, target_node.span()));
            None
        }
    }
}

/// Returns the host and port from a URL, without the user information, which may be secret.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit('@').next().unwrap_or(authority))
}

/// Whether an address equals the host of a URL, ignoring the scheme's default port.
fn is_same(address: &str, host: &str) -> bool {
    let rest = host.strip_prefix(address);
    matches!(rest, Some("" | ":80" | ":443")) || host.strip_prefix('[').is_some_and(|rest| rest.starts_with(address))
}

/// Returns the problem with an address, or `None` if Prometheus can scrape it. A valid address is `host`, `host:port`,
/// `[IPv6]:port` or a bare IPv6 address. When Prometheus loads its configuration, it rejects only addresses that
/// contain a `/` (`config.CheckTargetAddress`). Other invalid addresses fail when they are scraped.
pub(super) fn address_problem(address: &str) -> Option<&'static str> {
    if address.contains("://") || address.contains('/') {
        return Some("expected a host and port, but found a URL");
    }
    if address.parse::<Ipv6Addr>().is_ok() {
        return None;
    }
    let (host, port) = match address.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, port)) => (host, port.strip_prefix(':').or(port.is_empty().then_some("1"))),
            None => return Some("`[` has no matching `]`"),
        },
        None => match address.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (address, Some("1")),
        },
    };
    let is_ip = address.starts_with('[');
    if is_ip && host.split('%').next().is_none_or(|ip| ip.parse::<Ipv6Addr>().is_err()) {
        return Some("the part in brackets is not an IPv6 address");
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !is_ip && (host.is_empty() || !host.chars().all(is_of_name)) {
        return Some("expected a host name or an IP address");
    }
    let is_port =
        |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    (!port.is_some_and(is_port)).then_some("expected a port between 1 and 65535 after the host")
}

/// Finding for a line or address that is not a target. The finding does not quote the text, because the file may not
/// contain targets and may contain secrets.
pub(super) fn invalid_target(fault: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::InvalidTarget, format!("invalid target: {fault}"))
        .label(span, "")
        .help("write one `HOST:PORT` per line, optionally followed by the number of series")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Vec<(String, Option<u64>)>, Vec<String>) {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("targets", text, true));
        let read = read_targets(id, sources.get(id).unwrap(), &Limits::default());
        let messages = read.diagnostics.iter().map(|diagnostic| {
            let position = sources.location(diagnostic.primary().unwrap().span).unwrap();
            let (start, end) = (position.start, position.end);
            format!("{}:{}-{} {}", start.line, start.column, end.column, diagnostic.message)
        });
        let messages = messages.collect();
        (read.output.into_iter().map(|t| (t.address, t.series)).collect(), messages)
    }

    fn addresses(text: &str) -> Vec<String> {
        let (targets, messages) = read(text);
        assert_eq!(messages, Vec::<String>::new());
        targets.into_iter().map(|(address, _)| address).collect()
    }

    #[test]
    fn default_ports_do_not_distinguish_hosts() {
        for (address, host, expected) in [
            ("a", "a", true),
            ("a", "a:80", true),
            ("a", "a:443", true),
            ("a", "a:8080", false),
            ("a", "ab", false),
            ("b", "a", false),
            ("::1", "[::1]:80", true),
        ] {
            assert_eq!(is_same(address, host), expected, "{address} {host}");
        }
    }

    #[test]
    fn reads_one_address_per_line() {
        let (targets, messages) = read("# nodes\n10.0.0.1:9100\r\n\n  10.0.0.2:9100 1500 # big\n[::1]:80");
        let expected = [("10.0.0.1:9100", None), ("10.0.0.2:9100", Some(1500)), ("[::1]:80", None)];
        assert_eq!(targets, expected.map(|(address, series)| (address.to_owned(), series)));
        assert_eq!(messages, Vec::<String>::new());
    }

    #[test]
    fn reports_invalid_lines_and_reads_the_others() {
        let (targets, messages) = read("a:1\n  http://b/\nc:1 many\nd:1 2 3\n\u{e4}\n");
        assert_eq!(targets, [("a:1".to_owned(), None)]);
        assert_eq!(
            messages,
            [
                "2:3-12 invalid target: expected a host and port, but found a URL",
                "3:1-9 invalid target: expected only the number of series after the address",
                "4:1-8 invalid target: expected only the number of series after the address",
                "5:1-2 invalid target: expected a host name or an IP address",
            ]
        );
    }

    #[test]
    fn reads_responses_from_prometheus_and_the_agent() {
        let prometheus = r#"{"status": "success", "data": {"activeTargets": [
            {"discoveredLabels": {"__address__": "10.0.0.1:9100"}, "scrapeUrl": "http://10.0.0.1:9100/metrics"},
            {"discoveredLabels": {"__address__": "10.0.0.2"}, "scrapeUrl": "http://10.0.0.2:80/metrics"},
            {"discoveredLabels": {"__address__": "10.0.0.3:1"}, "scrapeUrl": "http://10.0.0.3:9/metrics"},
            {"discoveredLabels": {"__address__": "fe80::1"}, "scrapeUrl": "http://[fe80::1]:80/metrics"},
            {"scrapeUrl": "https://u:p@10.0.0.4:8443?x=/"}
          ], "droppedTargets": [{"discoveredLabels": {"__address__": "10.0.0.9:1"}}]}}"#;
        assert_eq!(addresses(prometheus), ["10.0.0.1:9100", "10.0.0.2", "10.0.0.3:9", "fe80::1", "10.0.0.4:8443"]);
        let agent = r#"{"status": "success", "data": [{"instance": "i", "endpoint": "http://10.0.0.1:9100/metrics",
            "discovered_labels": {"__address__": "10.0.0.1:9100"}}]}"#;
        assert_eq!(addresses(agent), ["10.0.0.1:9100"]);
    }

    #[test]
    fn reports_responses_without_targets() {
        let messages = |text: &str| read(text).1;
        assert_eq!(
            messages(
                r#"{"data": {"activeTargets": [{"discoveredLabels": {"__address__": "a b"}},
{"labels": {}}]}}"#
            ),
            [
                "1:66-71 invalid target: expected a host name or an IP address",
                "2:1-15 the target has neither a discovered `__address__` nor a URL"
            ]
        );
        assert_eq!(messages(r#"{"data": {}}"#), ["1:1-13 not a list of targets"]);
        assert_eq!(messages("{\"data\": [}").len(), 1);
        assert_eq!(messages("# nothing\n"), ["1:1-1 the list contains no targets"]);
    }

    #[test]
    fn distinguishes_valid_from_invalid_addresses() {
        for address in [
            "10.0.0.1:9100",
            "node-1.example_lan:80",
            "host",
            "[fe80::1]:9100",
            "[::1]",
            "fe80::1",
            "[fe80::1%eth0]:80",
        ] {
            assert_eq!(address_problem(address), None, "{address}");
        }
        for address in [
            "http://10.0.0.1:9100",
            "10.0.0.1/metrics",
            "10.0.0.1:",
            "10.0.0.1:http",
            "10.0.0.1:0",
            "10.0.0.1:65536",
            "10.0.0.1:+80",
            ":9100",
            "a:1:2",
            "[::1",
            "[x]:80",
            "[::1]80",
            "a b",
            "!!",
            "",
        ] {
            assert!(address_problem(address).is_some(), "{address}");
        }
    }
}
