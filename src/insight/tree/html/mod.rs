//! `html`: one page with everything in it, which asks no network for anything.
//!
//! The page's parts are files of their own; its data is one JSON text, in which each line of a source or configuration is there
//! once, since scrape jobs are much alike.

mod page_data;

use std::collections::BTreeMap;

use super::generated::{Generated, Lines};
use super::model::{EntryId, Tree};
use crate::diagnostic::Diagnostic;
use crate::printable;
use page_data::PageData;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 7] = [
    include_str!("model.js"),
    include_str!("items.js"),
    include_str!("dom.js"),
    include_str!("tree.js"),
    include_str!("details.js"),
    include_str!("graph.js"),
    include_str!("main.js"),
];

/// The page, with the patches by which agents would select what nothing selects. Of a Secret or ConfigMap it has the names of the keys, of every other resource all but credentials.
pub fn html(
    tree: &Tree<'_>,
    generated: &BTreeMap<EntryId, Vec<Generated>>,
    mut lines: Lines,
    diagnostics: &[Diagnostic],
    patches: &BTreeMap<EntryId, String>,
) -> String {
    let data = PageData::of(tree, generated, &mut lines, diagnostics, patches);
    // Texts and numbers have a form in JSON: this cannot fail.
    let data = serde_json::to_string(&data).unwrap_or_default();
    let data = printable::json(data).replace('<', "\\u003c");
    let parts = [("/*CSS*/", STYLE), ("/*DATA*/", &data), ("/*JS*/", &SCRIPTS.concat())];
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + data.len() + 64 * 1024);
    let mut rest = PAGE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page.push_str(rest);
    page
}
