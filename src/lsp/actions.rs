//! Code actions that fix findings.

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams};
use serde_json::{Value, json};

use super::answer::{Answers, contains};
use crate::api::Relation;
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::input::built;
use crate::insight::catalog::LocatedResource;
use crate::insight::why::{Explainer, SelectionFixes, edits};
use crate::printable::format_count;
use crate::source::{SourceId, Span};

impl Answers<'_> {
    pub(super) fn actions(&self, params: &CodeActionParams) -> Value {
        let Some(id) = self.source(&params.text_document.uri) else {
            return json!([]);
        };
        let requested_span = self.span(id, params.range);
        let is_wanted = |kind: &CodeActionKind| {
            let only = params.context.only.as_ref();
            only.is_none_or(|only| only.iter().any(|wanted| kind.as_str().starts_with(wanted.as_str())))
        };
        let mut actions = Vec::new();
        if is_wanted(&CodeActionKind::QUICKFIX) {
            for finding in (self.tried_findings)().iter().filter(|candidate| is_about(candidate, requested_span)) {
                actions.extend(finding.fix.as_ref().and_then(|fix| self.places.action(finding, fix)));
                if matches!(finding.code, Code::Unselected | Code::SelectsNothing) {
                    actions.extend(self.selection(finding, requested_span));
                }
            }
        }
        if is_wanted(&CodeActionKind::SOURCE_FIX_ALL) {
            actions.extend(self.fix_all(id));
        }
        let actions: Vec<_> = actions.into_iter().map(CodeActionOrCommand::CodeAction).collect();
        json!(actions)
    }

    /// Returns the action that makes an agent select an unselected resource.
    fn selection(&self, finding: &Diagnostic, requested_span: Span) -> Option<CodeAction> {
        let place = places(finding).find(|place| overlaps(*place, requested_span))?;
        self.with_resolved(|input| {
            let catalog = input.catalog();
            let is_child = |located: &&LocatedResource<'_>| Relation::for_child(located.object.kind).is_some();
            let mut targets = catalog.iter().filter(is_child);
            let target =
                targets.find(|located| contains(input.sources.to_edit(located.root.span()), place)).copied()?;
            let explainer = Explainer::new(input.graph(), &input.options.resolve).ok()?;
            let why = explainer.explain(vec![target]).next()?;
            let fixes = SelectionFixes::new(&why.nearest_agent()?);
            let patches = fixes.patches.iter();
            let edits = patches.map(|(object, patch)| edits(patch, catalog.locate(object)?.root));
            let edits: Vec<Vec<Edit>> = edits.collect::<Option<_>>()?;
            let is_whole = fixes.by_hand.is_empty() && !edits.is_empty();
            let change_titles = fixes.patches.iter().map(|(object, patch)| {
                let (field, kind, name) = (changed_field(patch), object.kind, object.name);
                format!("`{field}` of {kind} `{name}`")
            });
            let title =
                format!("change {} so that this {} is selected", join_words("and", change_titles), target.object.kind);
            let fix = built::translate_fix(Fix::certain(title, edits.concat()).likely(), input.sources)?;
            self.places.action(finding, &fix).filter(|_| is_whole)
        })
    }

    /// Returns the action that applies all certain fixes in a file.
    fn fix_all(&self, id: SourceId) -> Option<CodeAction> {
        let fixes = (self.tried_findings)().iter().filter_map(|finding| finding.fix.as_ref());
        let is_here = |fix: &&Fix| fix.is_certain() && fix.edits.iter().all(|edit| edit.span.source == id);
        let fixes: Vec<_> = fixes.filter(is_here).collect();
        let fix = Fix::combine(fixes.iter().copied())?;
        Some(CodeAction {
            title: format!("agentctl: fix {}", format_count(fixes.len(), "finding")),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(self.places.workspace_edit(&fix.edits)?),
            ..CodeAction::default()
        })
    }
}

/// Returns the path of the field that a merge patch changes. If the patch changes several fields, returns the path of
/// their nearest common parent.
fn changed_field(patch: &Value) -> String {
    let (mut path, mut inner) = (Vec::new(), patch);
    while let Some(fields) = inner.as_object().filter(|fields| fields.len() == 1)
        && let Some((key, value)) = fields.iter().next()
    {
        path.push(key.as_str());
        inner = value;
    }
    path.join(".")
}

/// Whether a finding or its fix touches a span.
fn is_about(finding: &Diagnostic, requested_span: Span) -> bool {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    places(finding).chain(edits).any(|place| overlaps(place, requested_span))
}

/// Returns the primary span of a finding and the spans of its other occurrences.
fn places(finding: &Diagnostic) -> impl Iterator<Item = Span> {
    let other_spans = finding.other_occurrences.iter().map(|occurrence| occurrence.label.span);
    finding.primary().map(|label| label.span).into_iter().chain(other_spans)
}

fn overlaps(span: Span, requested_span: Span) -> bool {
    span.source == requested_span.source && span.start <= requested_span.end && requested_span.start <= span.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::CompileOptions;
    use crate::lsp::diagnostics::Locations;
    use crate::lsp::text::Encoding;
    use crate::lsp::workspace::OpenFiles;
    use crate::source::{Source, Sources};

    /// Returns the kinds, titles and edits of the actions offered for a range in the first of two files.
    fn offered_actions(
        find: fn([SourceId; 2]) -> Vec<Diagnostic>,
        characters: [u32; 2],
        only: Value,
    ) -> Vec<[String; 3]> {
        let mut sources = Sources::default();
        let ids = ["x.yaml", "y.yaml"].map(|name| {
            let mut source = Source::new(name, "0123456789", true);
            source.path = Some(format!("/nowhere/{name}").into());
            sources.add(source)
        });
        let (find, files, options) = (find(ids), OpenFiles::default(), CompileOptions::default());
        let answers = Answers {
            places: Locations { sources: &sources, files: &files, encoding: Encoding::Utf16 },
            findings: &[],
            tried_findings: &|| &find,
            options: &options,
        };
        let [start, end] = characters.map(|character| json!({"line": 0, "character": character}));
        let params = json!({
            "textDocument": {"uri": "file:///nowhere/x.yaml"},
            "range": {"start": start, "end": end},
            "context": {"diagnostics": [], "only": only},
        });
        let actions = answers.actions(&serde_json::from_value(params).unwrap());
        let actions = actions.as_array().unwrap().iter().map(|action| {
            let changes = action["edit"]["changes"].as_object().unwrap();
            let mut texts: Vec<_> = changes
                .iter()
                .flat_map(|(uri, edits)| {
                    let edits = edits.as_array().unwrap().iter();
                    edits.map(move |edit| {
                        format!("{}:{}", uri.rsplit_once('/').unwrap().1, edit["newText"].as_str().unwrap())
                    })
                })
                .collect();
            texts.sort();
            let text = |key: &str| action[key].as_str().unwrap().to_owned();
            [text("kind"), text("title"), texts.join(" ")]
        });
        actions.collect()
    }

    fn fixable([x, y]: [SourceId; 2]) -> Vec<Diagnostic> {
        let with_fix = |at: (SourceId, usize), fix: Fix| {
            let span = Span::new(at.0, at.1, at.1 + 1);
            Diagnostic::new(Code::DuplicateKey, "m").label(span, "").fix_if(Some(fix))
        };
        let edit = |id, at: usize, text: &str| Edit::replace(Span::new(id, at, at + 1), text);
        vec![
            with_fix((x, 1), Fix::certain("one", vec![edit(x, 1, "a")])),
            with_fix((x, 3), Fix::certain("two", vec![edit(x, 3, "b"), edit(x, 8, "c")])),
            with_fix((x, 5), Fix::certain("likely", vec![edit(x, 5, "d")]).likely()),
            with_fix((y, 1), Fix::certain("elsewhere", vec![edit(y, 1, "e")])),
            with_fix((y, 7), Fix::certain("both", vec![edit(x, 7, "f"), edit(y, 7, "g")])),
            Diagnostic::new(Code::DuplicateKey, "m").label(Span::new(x, 0, 9), ""),
        ]
    }

    #[test]
    fn offers_fixes_at_a_position_and_for_the_file() {
        let one_edit = ["quickfix", "one", "x.yaml:a"];
        let two_edits = ["quickfix", "two", "x.yaml:b x.yaml:c"];
        let likely = ["quickfix", "likely", "x.yaml:d"];
        let both_files = ["quickfix", "both", "x.yaml:f y.yaml:g"];
        let fix_all = ["source.fixAll", "agentctl: fix 2 findings", "x.yaml:a x.yaml:b x.yaml:c"];
        for (characters, only, expected) in [
            ([0, 0], Value::Null, &[fix_all][..]),
            ([1, 1], Value::Null, &[one_edit, fix_all]),
            ([2, 3], Value::Null, &[one_edit, two_edits, fix_all]),
            ([9, 9], Value::Null, &[two_edits, fix_all]),
            ([6, 7], Value::Null, &[likely, both_files, fix_all]),
            ([1, 1], json!(["quickfix"]), &[one_edit]),
            ([1, 1], json!(["source"]), &[fix_all]),
            ([1, 1], json!(["source.fixAll"]), &[fix_all]),
            ([1, 1], json!(["refactor", "quickfix"]), &[one_edit]),
            ([1, 1], json!(["refactor"]), &[]),
            ([1, 1], json!([]), &[]),
        ] {
            assert_eq!(offered_actions(fixable, characters, only.clone()), expected, "{characters:?} {only}");
        }
        let not_fixable =
            |[x, _]: [SourceId; 2]| vec![Diagnostic::new(Code::DuplicateKey, "m").label(Span::new(x, 0, 9), "")];
        assert!(offered_actions(not_fixable, [0, 9], Value::Null).is_empty());
    }

    #[test]
    fn adjacent_spans_overlap() {
        let mut sources = Sources::default();
        let [id, other] = ["a", "b"].map(|name| sources.add(Source::new(name, "0123456789", true)));
        for (requested_span, expected) in [
            (Span::new(id, 0, 2), false),
            (Span::new(id, 0, 3), true),
            (Span::new(id, 0, 9), true),
            (Span::new(id, 4, 4), true),
            (Span::new(id, 5, 9), true),
            (Span::new(id, 6, 9), false),
            (Span::new(other, 3, 5), false),
        ] {
            assert_eq!(overlaps(Span::new(id, 3, 5), requested_span), expected, "{requested_span:?}");
        }
    }
}
