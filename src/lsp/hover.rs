//! Hover texts:
//!
//! - for the name of a resource: the resources that select it, and the number of its jobs and targets;
//! - for any other field: the part of a configuration that is generated from it;
//! - for a finding: the page about its code.

use std::collections::BTreeSet;
use std::fmt::Write;

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use serde_json::{Value, json};

use super::answer::{Answers, contains, is_in_object};
use crate::api::{ObjectRef, Relation};
use crate::diagnostic::{Diagnostic, MASK};
use crate::insight::catalog::LocatedResource;
use crate::insight::links::{Selection, selections};
use crate::insight::resolved::ResolvedInput;
use crate::insight::source_map::{InputLines, SourceMap};
use crate::insight::targets::{TargetCount, counts};
use crate::output::Target;
use crate::plan::ConfigKind;
use crate::printable::{format_count, printable};
use crate::source::{Span, hide_copied};

/// Maximum number of configuration lines to show.
const MAX_LINES: u32 = 60;
/// Maximum number of configuration parts to show.
const MAX_PARTS: usize = 8;

impl Answers<'_> {
    pub(super) fn hover(&self, params: &HoverParams) -> Value {
        let Some(at) = self.cursor_span(&params.text_document_position_params) else {
            return Value::Null;
        };
        let is_here = |finding: &&Diagnostic| finding.primary().is_some_and(|label| contains(label.span, at));
        let page = self.findings.iter().find(is_here).map(|finding| finding.code.page().to_owned());
        let resource_text = self.with_resolved(|input| {
            let catalog = input.catalog();
            let place = |located: &LocatedResource<'_>| input.sources.to_edit(located.root.span());
            let containing = catalog.iter().find(|located| contains(place(located), at));
            let patched_resource =
                || catalog.iter().find(|located| is_in_object(input.sources, located.root.span(), at));
            let target = containing.or_else(patched_resource)?;
            let name = input.sources.to_edit(target.root.name_span());
            match contains(name, at) {
                true => Some(describe_target(target, &input)),
                false => generated_markdown(target, &input, at),
            }
        });
        let resource_text =
            resource_text.map(|text| hide_copied(self.places.sources.copied_values(), &text, MASK).unwrap_or(text));
        let parts: Vec<_> = [resource_text, page].into_iter().flatten().collect();
        match parts.is_empty() {
            true => Value::Null,
            false => json!(Hover {
                contents: HoverContents::Markup(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value: parts.join("\n\n---\n\n"),
                }),
                range: None,
            }),
        }
    }
}

/// Returns Markdown that lists the resources that select a resource, and the number of its jobs and targets.
fn describe_target(target: &LocatedResource<'_>, input: &ResolvedInput<'_>) -> String {
    let selections = selections(input.graph());
    let parents = parents(&selections, target.object);
    let mut text = format!("**{}**\n", display_name(target.object));
    for parent in &parents {
        let grandparents: Vec<_> = self::parents(&selections, *parent).into_iter().map(display_name).collect();
        _ = write!(text, "\n- selected by {}", display_name(*parent));
        if !grandparents.is_empty() {
            _ = write!(text, ", which is selected by {}", grandparents.join(" and "));
        }
    }
    if parents.is_empty() && Relation::for_child(target.object.kind).is_some() {
        text.push_str(match target.refused {
            true => "\n- the API server rejects it, so nothing can select it",
            false => "\n- nothing selects it",
        });
    }
    if let Some(count) = count(target.object, input) {
        _ = write!(text, "\n- {}", format_count(count.jobs, "scrape job"));
        for targets in count.words() {
            _ = write!(text, ", {targets}");
        }
    }
    text
}

fn count<'d>(object: ObjectRef<'d>, input: &ResolvedInput<'d>) -> Option<TargetCount> {
    let objects = input.objects();
    counts(input.hierarchies, &input.cluster(&objects), &BTreeSet::from([object])).remove(&object)
}

/// Returns Markdown with the parts of a configuration that are generated from the line at a position. If several agents
/// have such parts, only those of the first agent are shown.
fn generated_markdown(target: &LocatedResource<'_>, input: &ResolvedInput<'_>, at: Span) -> Option<String> {
    let source = input.sources.get(at.source)?;
    let lines =
        [InputLines::Line { file: &source.name, line: source.line_of(at.start as usize), otherwise: Vec::new() }];
    let catalog = input.catalog();
    let target_program = &input.options.render.manifest.target;
    let is_member = |object: ObjectRef<'_>| object == target.object;
    let agents = input.hierarchies.iter().filter(|hierarchy| {
        let mut members = hierarchy.members();
        is_member(hierarchy.agent.object_ref()) || members.any(|member| is_member(member.object_ref()))
    });
    let parts = agents
        .flat_map(|hierarchy| ConfigKind::non_empty_kinds(hierarchy).into_iter().map(move |part| (hierarchy, part)));
    let mut generated = parts.filter_map(|(hierarchy, part)| {
        let map = SourceMap::new(hierarchy, part, &catalog, input.sources, target_program).output;
        let places = map.parts_made_from(&lines).into_iter().map(|entry| entry.config);
        let places: Vec<_> = places.collect();
        let shown_places = places.get(..MAX_PARTS).unwrap_or(&places);
        let max_lines = MAX_LINES / u32::try_from(shown_places.len()).ok().filter(|number| *number > 0)?;
        let file_prefix = format!("`{}` of {}, ", target_program.file(), display_name(hierarchy.agent.object_ref()));
        let mut blocks = Vec::new();
        for (place, text) in shown_places.iter().zip(map.masked_lines(shown_places, max_lines)) {
            let file_prefix = Some(file_prefix.as_str()).filter(|_| blocks.is_empty()).unwrap_or_default();
            blocks.push(format!("{file_prefix}from line {}", place.line));
            blocks.push(code(&text, target_program));
            let line_count = (place.end_line + 1).saturating_sub(place.line) as usize;
            let remaining = line_count.saturating_sub(text.len());
            blocks.extend((remaining > 0).then(|| format!("and {}", format_count(remaining, "more line"))));
        }
        let remaining = places.len() - shown_places.len();
        blocks.extend((remaining > 0).then(|| format!("and {}", format_count(remaining, "more part"))));
        Some(blocks.join("\n\n"))
    });
    generated.next()
}

/// Returns the lines as a code block, without their common indentation.
fn code(lines: &[String], target: &Target) -> String {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let min_indent = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min();
    let lines = lines.iter().map(|line| {
        let start = min_indent.unwrap_or_default().min(indent(line));
        printable(line.get(start..).unwrap_or_default()).into_owned()
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let language = match target {
        Target::Agent => "yaml",
        Target::Alloy(_) => "alloy",
    };
    format!("{fence}{language}\n{text}\n{fence}")
}

fn display_name(object: ObjectRef<'_>) -> String {
    printable(&object.to_string()).replace(['*', '[', '<'], "")
}

/// Returns the resources that select an object.
pub(super) fn parents<'d>(selections: &[Selection<'d>], object: ObjectRef<'d>) -> BTreeSet<ObjectRef<'d>> {
    let object_selections = selections.iter().filter(|selection| selection.object == object);
    object_selections.map(|selection| selection.by).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::compile::CompileOptions;
    use crate::lsp::diagnostics::Locations;
    use crate::lsp::text::Encoding;
    use crate::lsp::uri::from_path;
    use crate::lsp::workspace::OpenFiles;
    use crate::source::{CopiedValues, Source, Sources};

    /// Returns the hover text for a word. The input contains an agent with `instances` instances, all of which select a
    /// monitor, and other resources.
    fn hover_text(instances: usize, word: &str) -> String {
        hover_text_with_copies(None, instances, word)
    }

    /// Returns the hover text for a word in an overlay that copies values of Secrets.
    fn hover_text_with_copies(copied: Option<CopiedValues>, instances: usize, word: &str) -> String {
        let monitoring = |kind: &str, name: &str, rest: &str| {
            format!(
                "apiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}---\n"
            )
        };
        let mut text = monitoring("GrafanaAgent", "agent", "spec:\n  metrics: {instanceSelector: {}}\n");
        for number in 0..instances {
            let name = format!("instance-{number}");
            text += &monitoring("MetricsInstance", &name, "spec: {serviceMonitorSelector: {}}\n");
        }
        text += &monitoring("LogsInstance", "logs", "spec: {}\n");
        text += "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: monitor}\nspec:\n  selector: {}\n  \
                 endpoints:\n  - port: http\n---\napiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: probe}\n\
                 spec: 1\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: secret}\n";
        let mut sources = Sources::default();
        let mut source = Source::new("x.yaml", text.as_str(), true);
        let uri = from_path("/nowhere/x.yaml".as_ref());
        source.path = Some("/nowhere/x.yaml".into());
        source.copied = copied;
        sources.add(source);
        let answers = Answers {
            places: Locations { sources: &sources, files: &OpenFiles::default(), encoding: Encoding::Utf8 },
            findings: &[],
            tried_findings: &|| &[],
            options: &CompileOptions::default(),
        };
        let before = &text[..text.find(word).unwrap()];
        let line = before.matches('\n').count();
        let character = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let request_params = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
        let answer = answers.answer("textDocument/hover", request_params).unwrap().unwrap();
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn hover_on_names_shows_selection_and_targets() {
        let monitor = "**ServiceMonitor/default/monitor**\n\n\
                       - selected by MetricsInstance/default/instance-0, which is selected by GrafanaAgent/default/agent\n\
                       - selected by MetricsInstance/default/instance-1, which is selected by GrafanaAgent/default/agent\n\
                       - 2 scrape jobs";
        for (word, expected) in [
            ("monitor}", monitor),
            ("instance-0", "**MetricsInstance/default/instance-0**\n\n- selected by GrafanaAgent/default/agent"),
            ("agent}", "**GrafanaAgent/default/agent**\n"),
            ("logs}", "**LogsInstance/default/logs**\n\n- nothing selects it"),
            ("probe}", "**Probe/default/probe**\n\n- the API server rejects it, so nothing can select it"),
            ("secret}", "**Secret/default/secret**\n"),
            ("Secret", ""),
        ] {
            assert_eq!(hover_text(2, word), expected, "{word}");
        }
    }

    #[test]
    fn hides_values_that_an_overlay_copies() {
        let copied = CopiedValues::new(&[("http".to_owned(), "port".to_owned())].into());
        let hover_markdown = hover_text_with_copies(copied, 1, "port: http");
        assert!(
            hover_markdown.contains("port_name") && hover_markdown.contains(MASK) && !hover_markdown.contains("http"),
            "{hover_markdown}"
        );
    }

    #[test]
    fn truncates_many_or_long_parts() {
        for (instances, lines, left, more) in [
            (1, 56, None, None),
            (2, 30, Some("and 26 more lines"), None),
            (8, 7, Some("and 49 more lines"), None),
            (9, 7, Some("and 49 more lines"), Some("and 1 more part")),
        ] {
            let text = hover_text(instances, "port: http");
            let actual = text.split("\n\n").map(|part| match part.starts_with("```") {
                true => (part.lines().count() - 2).to_string(),
                false => part.to_owned(),
            });
            let expected_parts = (0..instances.min(8)).flat_map(|number| {
                let file_prefix = ["`agent.yml` of GrafanaAgent/default/agent, ", ""][number.min(1)];
                let start = format!("{file_prefix}from line {}", 5 + 58 * number);
                [Some(start), Some(lines.to_string()), left.map(str::to_owned)]
            });
            let expected = expected_parts.flatten().chain(more.map(str::to_owned));
            assert_eq!(actual.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn removes_common_indentation_of_code() {
        for (lines, expected) in [
            (&["a"][..], "```yaml\na\n```"),
            (&["  a:", "", "    b"], "```yaml\na:\n\n  b\n```"),
            (&["    b", " ", "  a"], "```yaml\n  b\n\na\n```"),
            (&["  a\u{1b}"], "```yaml\na\\u{1b}\n```"),
            (&["```", "````"], "`````yaml\n```\n````\n`````"),
            (&["", " "], "```yaml\n\n \n```"),
            (&[], "```yaml\n\n```"),
        ] {
            let lines: Vec<_> = lines.iter().map(|&line| line.to_owned()).collect();
            assert_eq!(code(&lines, &Target::Agent), expected, "{lines:?}");
        }
    }

    #[test]
    fn escapes_markdown_in_names() {
        let object = ObjectRef { kind: Kind::Probe, namespace: "a*", name: "[b](<c>)\n" };
        assert_eq!(display_name(object), "Probe/a/b](c>)\\n");
    }
}
