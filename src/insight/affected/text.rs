//! The answer for people.

use super::{Affected, AffectedObject, Because, Change};
use crate::api::ObjectRef;
use crate::printable::{Line, Screen, Style, Text, counted};

/// Maximum number of resources listed for each agent.
const SHOWN: usize = 5;

/// The answer, a paragraph an agent.
pub fn text(affected: &Affected<'_>, screen: Screen) -> Text {
    let mut out = Text::on(screen);
    for agent in &affected.agents {
        let name = format!("GrafanaAgent/{}/{}", agent.namespace, agent.name);
        let gone = if agent.is_rendered {
            ""
        } else {
            " is not rendered any more"
        };
        out.item(Line::of(Style::Strong, name).plain(gone));
        for Because { target, through } in agent.because.iter().take(SHOWN) {
            let line = format!("because of {target}{}", path(through));
            out.item(Line::from("  ").with(Style::Faint, line));
        }
        if let more @ 1.. = agent.because.len().saturating_sub(SHOWN) {
            out.item(Line::from("  ").with(Style::Faint, format!("and of {more} more")));
        }
        agent.objects.iter().for_each(|object| out.item(object_line(object)));
        out.blank();
    }
    if !affected.others.is_empty() {
        out.item(Line::of(Style::Strong, "of no agent"));
        affected.others.iter().for_each(|object| out.item(object_line(object)));
        out.blank();
    }
    for object in affected.idle.iter().take(SHOWN) {
        out.item(format!("nothing depends on {object}"));
    }
    if let more @ 1.. = affected.idle.len().saturating_sub(SHOWN) {
        out.item(format!("nor on {more} more"));
    }
    let objects: usize = affected.agents.iter().map(|agent| agent.objects.len()).sum::<usize>() + affected.others.len();
    let (agents, objects) = (counted(affected.agents.len(), "agent"), counted(objects, "object"));
    out.item(format!("{agents} affected, {objects}"));
    out
}

fn object_line(object: &AffectedObject) -> Line {
    let (style, mark, word) = match object.change {
        Change::Possible => (Style::Plain, "-", ""),
        Change::Added => (Style::Good, "+", " added"),
        Change::Changed => (Style::Warning, "~", " changed"),
        Change::Removed => (Style::Bad, "-", " removed"),
    };
    let AffectedObject {
        kind, namespace, name, ..
    } = object;
    Line::from("  ")
        .with(style, mark)
        .plain(format!(" {kind}/{namespace}/{name}{word}"))
}

/// What is between a resource and an agent.
fn path(through: &[ObjectRef<'_>]) -> String {
    match through {
        [] => String::new(),
        [one] => format!(" through {one}"),
        [first, more @ ..] => format!(" through {first} and {} more", more.len()),
    }
}
