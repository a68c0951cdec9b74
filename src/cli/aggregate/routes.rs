//! Text output for routes and changes to routes.

use crate::aggregate::{RegistryChange, Route};
use crate::cli::terminal;
use crate::printable::Text;

/// Returns a table with one row per route.
pub(super) fn table(routes: &[Route<'_>]) -> Text {
    let header = ["PATH", "TARGET", "TLS", "AVAILABLE"].map(str::to_owned);
    let rows = routes.iter().map(|route| {
        let available = &route.available;
        let reason = available.discovery_url.as_deref().unwrap_or(available.reason);
        [
            route.path.clone(),
            target(route).to_owned(),
            route.tls.unwrap_or("-").to_owned(),
            format!("{} ({reason})", available.status),
        ]
    });
    terminal::table(std::iter::once(header).chain(rows).collect())
}

/// Returns the URL of a route, or a placeholder if it has none.
fn target<'r>(route: &'r Route<'_>) -> &'r str {
    match (&route.target, route.tls) {
        (Some(target), _) => target,
        (None, None) => "<local>",
        (None, Some(_)) => "<none>",
    }
}

/// Returns a line that describes a change to routes.
pub(super) fn change(change: &RegistryChange<'_>) -> String {
    match change {
        RegistryChange::RouteAdded { route } => format!("+ {} {}", route.path, state(route)),
        RegistryChange::RouteRemoved { route } => format!("- {} {}", route.path, state(route)),
        RegistryChange::RouteChanged { before, after } => {
            let (old, new) = match (state(before), state(after)) {
                (old, new) if old == new => (verified_state(before), verified_state(after)),
                sides => sides,
            };
            format!("~ {} {old} -> {new}", after.path)
        }
        RegistryChange::PreferredVersionChanged { group, before, after } => {
            format!("~ {group} prefers {before} -> {after}")
        }
    }
}

/// Describes where a route sends requests, how the server is verified, and whether the route is available.
fn state(route: &Route<'_>) -> String {
    let target = route.service.as_deref().unwrap_or(target(route));
    let tls = route.tls.map(|tls| format!(" {tls}")).unwrap_or_default();
    // The reason for `Unknown` is omitted, because it would only say that no server was contacted.
    let available = match route.available.status {
        "Unknown" => "Unknown",
        _ => route.available.reason,
    };
    format!("{target}{tls} ({available})")
}

/// Describes a route as [`state`] does, and adds the server name expected in the certificate, because it may be the
/// only difference.
fn verified_state(route: &Route<'_>) -> String {
    let name = route.server_name.as_ref();
    let name = name.map(|name| format!(" for {name}")).unwrap_or_default();
    format!("{}{name}", state(route))
}
