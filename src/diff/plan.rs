//! Summary of changes that lists the objects by name, such as the plan for a pull request.

use super::action::ApplyAction;
use super::change::ObjectChange;
use super::configuration::{ChangedPart, ConfigurationChange};
use crate::diagnostic::ObjectKey;
use crate::printable::{Line, Style, Text, format_count};

/// Objects that differ, with the changes inside their configurations.
#[derive(Debug)]
pub struct ObjectPlan {
    objects: Vec<PlannedObject>,
    /// Maximum number of changes to show for each object.
    max_changes: usize,
}

/// An object that differs, with the changes inside its configurations.
#[derive(Debug)]
struct PlannedObject {
    key: ObjectKey,
    action: ApplyAction,
    recreate: Vec<String>,
    configuration: Vec<ConfigurationChange>,
}

struct PlanLine {
    /// Depth in the list: 0 for an object, 1 for an instance, and 1 or 2 for a change.
    depth: usize,
    action: ApplyAction,
    /// Whether the line is a heading without a mark.
    is_heading: bool,
    text: String,
}

impl ObjectPlan {
    /// Creates an empty plan that shows at most `max_changes` changes for each object.
    pub fn new(max_changes: Option<usize>) -> Self {
        Self { objects: Vec::new(), max_changes: max_changes.unwrap_or(usize::MAX) }
    }

    /// Adds an object that differs.
    pub fn add(&mut self, change: &ObjectChange) {
        self.objects.push(PlannedObject {
            key: change.key.clone(),
            action: change.action,
            recreate: change.recreate.clone(),
            configuration: change.configuration.clone(),
        });
    }

    fn lines(&self) -> Vec<PlanLine> {
        let mut lines = Vec::new();
        for object in &self.objects {
            let recreated = match object.recreate.as_slice() {
                [] => String::new(),
                fields => format!(": must be recreated, because it changes {}", fields.join(", ")),
            };
            let text = format!("{}{recreated}", object.key);
            lines.push(PlanLine { depth: 0, action: object.action, is_heading: false, text });
            let mut instance = "";
            for change in object.configuration.iter().take(self.max_changes) {
                if change.instance != instance {
                    instance = &change.instance;
                    let text = format!("instance {instance}");
                    lines.push(PlanLine { depth: 1, action: ApplyAction::Changed, is_heading: true, text });
                }
                let details = match change.details.as_slice() {
                    [] => String::new(),
                    details => format!(": {}", details.join(", ")),
                };
                let text = format!("{}{}{details}", change.part.noun(), change.name);
                let depth = if instance.is_empty() { 1 } else { 2 };
                lines.push(PlanLine { depth, action: change.action, is_heading: false, text });
            }
            if let more @ 1.. = object.configuration.len().saturating_sub(self.max_changes) {
                let text = format!("… {}: --full shows all", format_count(more, "more change"));
                lines.push(PlanLine { depth: 1, action: ApplyAction::Changed, is_heading: true, text });
            }
        }
        lines
    }

    /// Adds the plan to human-readable text.
    pub fn show(&self, out: &mut Text) {
        for PlanLine { depth, action, is_heading, text } in self.lines() {
            let indent = Line::from("  ".repeat(depth + 1));
            let (style, mark) = mark(action);
            out.item(match is_heading {
                true => indent.plain(text),
                false => indent.with(style, mark).plain(format!(" {text}")),
            });
        }
    }

    /// Returns the plan as a Markdown list.
    pub fn markdown(&self) -> String {
        let line = |PlanLine { depth, action, is_heading, text }: PlanLine| {
            let mark = if is_heading { String::new() } else { format!("`{}` ", mark(action).1) };
            format!("{}- {mark}{}\n", "  ".repeat(depth), code(&text))
        };
        self.lines().into_iter().map(line).collect()
    }

    /// Formats the numbers of changes, such as `1 object added, 2 changed, 0 removed; 1 job added, 0 changed, 3
    /// removed`.
    pub fn summary(&self) -> String {
        let is_job = |change: &&ConfigurationChange| matches!(change.part, ChangedPart::Job | ChangedPart::Component);
        let jobs = self.objects.iter().flat_map(|object| object.configuration.iter().filter(is_job));
        let objects = by_action(self.objects.iter().map(|object| object.action));
        let jobs = by_action(jobs.map(|change| change.action));
        let line = |[added, changed, removed]: [usize; 3], noun: &str| {
            format!("{} added, {changed} changed, {removed} removed", format_count(added, noun))
        };
        let noun = match self.objects.iter().flat_map(|object| &object.configuration).next() {
            Some(change) if change.part == ChangedPart::Component => "component",
            _ => "job",
        };
        match jobs {
            [0, 0, 0] => line(objects, "object"),
            jobs => format!("{}; {}", line(objects, "object"), line(jobs, noun)),
        }
    }
}

/// Returns the number of additions, changes and removals.
fn by_action(actions: impl Iterator<Item = ApplyAction>) -> [usize; 3] {
    actions.fold([0; 3], |[added, changed, removed], action| match action {
        ApplyAction::Added => [added + 1, changed, removed],
        ApplyAction::Changed => [added, changed + 1, removed],
        ApplyAction::Removed => [added, changed, removed + 1],
    })
}

/// Returns the style and mark of a change.
fn mark(action: ApplyAction) -> (Style, &'static str) {
    match action {
        ApplyAction::Added => (Style::Good, "+"),
        ApplyAction::Changed => (Style::Warning, "~"),
        ApplyAction::Removed => (Style::Bad, "-"),
    }
}

/// Quotes text as Markdown code, so that nothing in it is interpreted as markup.
pub fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(
        instance: &str,
        part: ChangedPart,
        name: &str,
        action: ApplyAction,
        details: &[&str],
    ) -> ConfigurationChange {
        ConfigurationChange {
            instance: instance.to_owned(),
            part,
            name: name.to_owned(),
            action,
            details: details.iter().map(|&detail| detail.to_owned()).collect(),
        }
    }

    #[test]
    fn lists_objects_instances_and_changes() {
        use ApplyAction::{Added, Changed, Removed};
        let object = |kind: &str, action, recreate: &[&str], configuration| PlannedObject {
            key: ObjectKey::new(kind, "m", "a"),
            action,
            recreate: recreate.iter().map(|&field| field.to_owned()).collect(),
            configuration,
        };
        let configuration = vec![
            change("", ChangedPart::Setting, "server.log_level", Changed, &["info -> debug"]),
            change("m/i", ChangedPart::Job, "one", Added, &[]),
            change("m/i", ChangedPart::Job, "two", Changed, &["relabel_configs +1 -2", "scheme"]),
            change("m/j", ChangedPart::Client, "https://x", Removed, &[]),
        ];
        let mut plan = ObjectPlan::new(None);
        plan.objects.push(object("Secret", Changed, &[], configuration));
        plan.objects.push(object("StatefulSet", Changed, &["spec.selector"], Vec::new()));
        plan.objects.push(object("Service", Added, &[], Vec::new()));
        let mut text = Text::default();
        plan.show(&mut text);
        let expected = "  ~ Secret/m/a
    ~ server.log_level: info -> debug
    instance m/i
      + job one
      ~ job two: relabel_configs +1 -2, scheme
    instance m/j
      - client https://x
  ~ StatefulSet/m/a: must be recreated, because it changes spec.selector
  + Service/m/a
";
        assert_eq!(text.as_str(), expected);
        assert_eq!(plan.summary(), "1 object added, 2 changed, 0 removed; 1 job added, 1 changed, 0 removed");
        let markdown = plan.markdown();
        assert!(markdown.starts_with("- `~` `Secret/m/a`\n  - `~` `server.log_level: info -> debug`\n"), "{markdown}");
        assert!(markdown.contains("\n  - `instance m/i`\n    - `+` `job one`\n"), "{markdown}");
        plan.max_changes = 2;
        assert!(plan.markdown().contains("… 2 more changes: --full shows all"), "{}", plan.markdown());
    }

    #[test]
    fn escapes_backticks_in_code() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b\n"), "``` a``b  ```");
    }
}
