//! Routes, and changes of them, as lines for people.

use crate::aggregate::{Change, Route};
use crate::cli::terminal;
use crate::printable::Text;

/// A table with a row for each route.
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

/// The URL, or what is in its place.
fn target<'r>(route: &'r Route<'_>) -> &'r str {
    match (&route.target, route.tls) {
        (Some(target), _) => target,
        (None, None) => "<local>",
        (None, Some(_)) => "<none>",
    }
}

/// The line of a change.
pub(super) fn change(change: &Change<'_>) -> String {
    match change {
        Change::RouteAdded { route } => format!("+ {} {}", route.path, state(route)),
        Change::RouteRemoved { route } => format!("- {} {}", route.path, state(route)),
        Change::RouteChanged { before, after } => {
            let (old, new) = match (state(before), state(after)) {
                (old, new) if old == new => (verified_state(before), verified_state(after)),
                sides => sides,
            };
            format!("~ {} {old} -> {new}", after.path)
        }
        Change::PreferredVersionChanged { group, before, after } => {
            format!("~ {group} prefers {before} -> {after}")
        }
    }
}

/// Where the requests go, how that is verified, and whether they get there.
fn state(route: &Route<'_>) -> String {
    let target = route.service.as_deref().unwrap_or(target(route));
    let tls = route.tls.map(|tls| format!(" {tls}")).unwrap_or_default();
    // As in the table of `aggregate routes`: the reason of Unknown only says that nobody was asked.
    let available = match route.available.status {
        "Unknown" => "Unknown",
        _ => route.available.reason,
    };
    format!("{target}{tls} ({available})")
}

/// The same with the name that the certificate has to be for, which can be all that changes.
fn verified_state(route: &Route<'_>) -> String {
    let name = route.server_name.as_ref();
    let name = name.map(|name| format!(" for {name}")).unwrap_or_default();
    format!("{}{name}", state(route))
}
