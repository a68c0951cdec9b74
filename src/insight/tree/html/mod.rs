//! HTML output for a tree: a single, self-contained page that loads nothing from the network. The parts of the page are
//! in separate files. The page's data is a single JSON string that contains each distinct line of the sources and
//! configurations only once, because scrape jobs are very similar.

mod page_data;

use std::collections::BTreeMap;

use ring::digest::{SHA256, digest};

use super::generated::{DistinctLines, GeneratedConfiguration};
use super::model::Tree;
use super::targets::JobTargets;
use crate::api::ObjectRef;
use crate::diagnostic::Diagnostic;
use crate::go::base64;
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

/// Renders the page, including the targets of monitors and patches that would cause unselected resources to be
/// selected. For a Secret or ConfigMap, the page shows only the names of its keys. All other resources are shown
/// without credentials.
pub fn html<'d>(
    tree: &Tree<'d>,
    generated: &BTreeMap<ObjectRef<'d>, Vec<GeneratedConfiguration<'d>>>,
    mut lines: DistinctLines,
    diagnostics: &[Diagnostic],
    patches: &BTreeMap<ObjectRef<'d>, String>,
    targets: &BTreeMap<ObjectRef<'d>, Vec<JobTargets>>,
) -> String {
    let data = PageData::new(tree, generated, &mut lines, diagnostics, patches, targets);
    // Serializing strings and numbers cannot fail.
    let data = serde_json::to_string(&data).unwrap_or_default();
    let data = printable::json(data).replace('<', "\\u003c");
    let frame = PAGE.replace("/*CSS*/", STYLE).replace("/*JS*/", &SCRIPTS.concat());
    let (style, script) = (content_hash("style", &frame), content_hash("script", &frame));
    let frame = frame.replacen("STYLE-HASH", &style, 1).replacen("SCRIPT-HASH", &script, 1);
    let (before, after) = frame.split_once("/*DATA*/").unwrap_or((&frame, ""));
    [before, &data, after].concat()
}

/// Returns the hash with which the page's content security policy permits exactly the content of `element`.
fn content_hash(element: &str, page: &str) -> String {
    let content = page.split_once(&format!("<{element}>")).map_or("", |(_, rest)| rest);
    let content = content.split(&format!("</{element}>")).next().unwrap_or_default();
    let hash = digest(&SHA256, content.as_bytes());
    format!("sha256-{}", base64::encode(hash.as_ref()))
}
