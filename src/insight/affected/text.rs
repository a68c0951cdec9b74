//! The answer for people.

use std::fmt::Write;

use super::{Affected, AffectedObject, Change};
use crate::api::ObjectRef;
use crate::diagnostic::printable;
use crate::insight::paint::Paint;

/// How many resources are listed of each agent.
const SHOWN: usize = 5;

/// The answer, a paragraph an agent.
pub fn text(affected: &Affected<'_>, color: bool) -> String {
    let paint = Paint(color);
    let mut out = String::new();
    for agent in &affected.agents {
        let name = format!("GrafanaAgent/{}/{}", agent.namespace, agent.name);
        let gone = if agent.is_rendered {
            ""
        } else {
            " is not rendered any more"
        };
        let _ = writeln!(out, "{}{gone}", paint.strong(&printable(&name)));
        for (target, through) in agent.because.iter().take(SHOWN) {
            let line = format!("because of {target}{}", path(through));
            let _ = writeln!(out, "  {}", paint.faint(&printable(&line)));
        }
        if let more @ 1.. = agent.because.len().saturating_sub(SHOWN) {
            let _ = writeln!(out, "  {}", paint.faint(&format!("and of {more} more")));
        }
        agent
            .objects
            .iter()
            .for_each(|object| write_object(&mut out, paint, object));
        out.push('\n');
    }
    if !affected.others.is_empty() {
        let _ = writeln!(out, "{}", paint.strong("of no agent"));
        affected
            .others
            .iter()
            .for_each(|object| write_object(&mut out, paint, object));
        out.push('\n');
    }
    for located in affected.idle.iter().take(SHOWN) {
        let _ = writeln!(out, "nothing depends on {}", printable(&located.object.to_string()));
    }
    if let more @ 1.. = affected.idle.len().saturating_sub(SHOWN) {
        let _ = writeln!(out, "nor on {more} more");
    }
    let objects: usize = affected.agents.iter().map(|agent| agent.objects.len()).sum::<usize>() + affected.others.len();
    let _ = writeln!(
        out,
        "{} affected, {}",
        counted(affected.agents.len(), "agent"),
        counted(objects, "object")
    );
    out
}

fn write_object(out: &mut String, paint: Paint, object: &AffectedObject) {
    let name = format!("{}/{}/{}", object.kind, object.namespace, object.name);
    let mark = match object.change {
        Change::Possible => "-".to_owned(),
        Change::Added => paint.good("+"),
        Change::Changed => paint.changed("~"),
        Change::Removed => paint.bad("-"),
    };
    let word = match object.change {
        Change::Possible => String::new(),
        change => format!(" {}", change.as_str()),
    };
    let _ = writeln!(out, "  {mark} {}{word}", printable(&name));
}

/// What is between a resource and an agent.
fn path(through: &[ObjectRef<'_>]) -> String {
    match through {
        [] => String::new(),
        [one] => format!(" through {one}"),
        [first, more @ ..] => format!(" through {first} and {} more", more.len()),
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
