//! Tests the dependencies in `src`: a file uses only files below it, and files do not form cycles.
//!
//! Dependencies are read from module declarations and paths (`use` lines, `crate::a::b`, `super::c`), except in tests.
//! Using a name that a `mod.rs` re-exports counts as using the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support;

/// Directories and files in `src`, from lowest to highest.
const ORDER: &[&str] = &[
    "budget",
    "go",
    "source",
    "printable",
    "diagnostic",
    "yaml",
    "programs",
    "input",
    "api",
    "gitops",
    "secrecy",
    "report",
    "admit",
    "resolve",
    "plan",
    "flow",
    "output",
    "targets",
    "manifest",
    "emit",
    "aggregate",
    "check",
    "compile",
    "diff",
    "flags",
    "insight",
    "lsp",
    "cli",
    "main",
];

#[test]
fn modules_do_not_import_from_higher_layers() {
    let uses = Modules::read().uses().into_iter();
    let imports_of_higher_layers = uses.filter(|(from, to)| {
        let (from, to) = (top_level_entry(from), top_level_entry(to));
        from != to && rank(from) <= rank(to)
    });
    support::report(&imports_of_higher_layers.map(|(from, to)| format!("{from} uses {to}")).collect::<Vec<_>>());
}

#[test]
fn modules_have_no_circular_imports() {
    let uses = Modules::read().uses();
    let mut failures = Vec::new();
    for cycle in dependency_cycles(&uses) {
        let uses_in_cycle = uses.iter().filter(|(from, to)| cycle.contains(from) && cycle.contains(to));
        failures.extend(uses_in_cycle.map(|(from, to)| format!("{from} uses {to}")));
    }
    support::report(&failures);
}

#[test]
fn every_directory_has_a_layer() {
    let modules = Modules::read();
    let entries: BTreeSet<_> =
        modules.files.keys().map(|module| top_level_entry(module)).filter(|entry| !entry.is_empty()).collect();
    assert!(entries.len() > 15, "found only {entries:?}");
    for entry in entries {
        rank(entry);
    }
    assert!(modules.uses().len() > 1000, "found only {} uses", modules.uses().len());
}

#[test]
fn developer_docs_refer_to_existing_files() {
    let mut missing = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(support::root().join(document)).unwrap();
        let code = text.split('`').skip(1).step_by(2);
        let paths = code.filter(|code| code.starts_with("src/") && !code.contains([' ', '*', '…']));
        missing.extend(
            paths.filter(|path| !support::root().join(path).exists()).map(|path| format!("{document}: {path}")),
        );
    }
    support::report(&missing);
}

/// Returns the directory or file directly in `src` that contains a module.
fn top_level_entry(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

fn rank(entry: &str) -> usize {
    let rank = ORDER.iter().position(|other| *other == entry);
    rank.unwrap_or_else(|| panic!("`{entry}` has no place in the order of src"))
}

/// Modules in `src` by their paths, without `crate`.
struct Modules {
    files: BTreeMap<String, Module>,
}

/// A module parsed from its file.
#[derive(Default)]
struct Module {
    tokens: Vec<String>,
    children: BTreeSet<String>,
    /// Imported paths by local name.
    imports: BTreeMap<String, Vec<String>>,
}

impl Modules {
    fn read() -> Self {
        let mut modules = Self { files: BTreeMap::new() };
        let src = support::root().join("src");
        modules.add("", &src.join("lib.rs"));
        modules.add("main", &src.join("main.rs"));
        modules
    }

    /// Reads a file and the modules that it declares.
    fn add(&mut self, path: &str, file: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut module = Module { tokens: without_tests(&tokens(&text)), ..Module::default() };
        module.children = declared_modules(&module.tokens);
        for mut import in imports(&module.tokens) {
            let name = import.pop().unwrap_or_default();
            module.imports.insert(name, absolute_path(path, &module.children, &import));
        }
        for child in &module.children {
            self.add(&join(path, child), &child_file(file, child));
        }
        self.files.insert(path.to_owned(), module);
    }

    /// Returns pairs of modules, the first of which uses the second.
    fn uses(&self) -> BTreeSet<(String, String)> {
        let mut uses = BTreeSet::new();
        for (path, module) in &self.files {
            let imported = module.imports.values().cloned();
            let targets = collect_paths(&module.tokens)
                .into_iter()
                .filter_map(|segments| self.resolve_path(path, module, &segments));
            for target in imported.filter(|target| !self.files.contains_key(&target.join("::"))).chain(targets) {
                if let Some(definition) = self.definition(&target, 0)
                    && definition != *path
                {
                    uses.insert((path.clone(), definition));
                }
            }
        }
        uses.retain(|(from, _)| !from.is_empty());
        uses
    }

    /// Resolves a path written in `module`, or returns `None` if it does not refer to this library.
    fn resolve_path(&self, path: &str, module: &Module, segments: &[String]) -> Option<Vec<String>> {
        let (first_segment, rest) = segments.split_first()?;
        if let Some(import) = module.imports.get(first_segment) {
            return Some([import, rest].concat());
        }
        let is_local =
            matches!(first_segment.as_str(), "crate" | "super" | "self") || module.children.contains(first_segment);
        is_local.then(|| absolute_path(path, &module.children, segments))
    }

    /// Returns the module that defines the target of a path, or `None` if it is outside this library.
    fn definition(&self, target: &[String], depth: usize) -> Option<String> {
        let mut module = String::new();
        for (at, segment) in target.iter().enumerate() {
            let child = join(&module, segment);
            if self.files.contains_key(&child) {
                module = child;
                continue;
            }
            let file = self.files.get(&module)?;
            if let Some(import) = file.imports.get(segment)
                && depth < 8
            {
                let rest = target.get(at + 1..)?;
                return self.definition(&[import.as_slice(), rest].concat(), depth + 1);
            }
            if at == 0 {
                return None;
            }
            return Some(module);
        }
        Some(module)
    }
}

fn join(module: &str, child: &str) -> String {
    match module {
        "" => child.to_owned(),
        _ => format!("{module}::{child}"),
    }
}

/// Returns the path of the file for a child module that `file` declares.
fn child_file(file: &Path, child: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default();
    let folder = file.parent().unwrap_or(file);
    let folder =
        if ["mod", "lib", "main"].iter().any(|root| stem == *root) { folder.to_owned() } else { folder.join(stem) };
    let nested = folder.join(child).join("mod.rs");
    if nested.exists() { nested } else { folder.join(format!("{child}.rs")) }
}

/// Converts a path written in `module` to a path from the crate root.
fn absolute_path(module: &str, children: &BTreeSet<String>, segments: &[String]) -> Vec<String> {
    let mut base: Vec<String> = module.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let mut rest = segments;
    match segments.first().map(String::as_str) {
        Some("crate" | "agentctl") => {
            base.clear();
            rest = &segments[1..];
        }
        Some("self") => rest = &segments[1..],
        Some("super") => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        Some(head) if children.contains(head) => {}
        _ => return segments.to_owned(),
    }
    base.extend(rest.iter().cloned());
    base
}

/// Splits source code into names, `::` and single characters, without comments, literals and lifetimes.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        at += match rest {
            ['/', '/', ..] => count_while(rest, |c| c != '\n'),
            ['/', '*', ..] => 2 + rest.windows(2).position(|pair| pair == ['*', '/']).unwrap_or(rest.len()),
            ['r', '"' | '#', ..] if raw_string_length(rest) > 0 => raw_string_length(rest),
            ['b', 'r', '"' | '#', ..] if raw_string_length(&rest[1..]) > 0 => 1 + raw_string_length(&rest[1..]),
            ['"', ..] => string_length(rest),
            ['\'', '\\', ..] => 3 + count_while(&rest[3..], |c| c != '\'') + 1,
            ['\'', _, '\'', ..] => 3,
            ['\'', ..] => 1 + count_while(&rest[1..], is_of_name),
            [':', ':', ..] => {
                tokens.push("::".to_owned());
                2
            }
            [c, ..] if is_of_name(*c) => {
                let length = count_while(rest, is_of_name);
                tokens.push(rest[..length].iter().collect());
                length
            }
            [c, ..] => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                1
            }
            [] => 1,
        };
    }
    tokens
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the number of leading characters that satisfy `predicate`.
fn count_while(chars: &[char], predicate: impl Fn(char) -> bool) -> usize {
    chars.iter().take_while(|c| predicate(**c)).count()
}

/// Returns the length of the string literal at the start of `chars`.
fn string_length(chars: &[char]) -> usize {
    let mut at = 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Returns the length of the raw string literal at the start of `chars`, or 0 if there is none.
fn raw_string_length(chars: &[char]) -> usize {
    let hashes = count_while(&chars[1..], |c| c == '#');
    if chars.get(1 + hashes) != Some(&'"') {
        return 0;
    }
    let mut end = vec!['"'];
    end.resize(1 + hashes, '#');
    let open = 2 + hashes;
    open + chars[open..].windows(end.len()).position(|part| part == end).unwrap_or(0) + end.len()
}

/// Removes items compiled only for tests.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut remaining = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().take(marker.len()).eq(marker.iter()) {
            at = end_of_item(tokens, at + marker.len());
        } else {
            remaining.push(tokens[at].clone());
            at += 1;
        }
    }
    remaining
}

/// Returns the index after the item at `start`. The item ends with a semicolon or with its last brace.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Returns the modules that a file declares.
fn declared_modules(tokens: &[String]) -> BTreeSet<String> {
    let triples = tokens.windows(3).filter(|triple| triple[0] == "mod" && triple[2] == ";");
    triples.map(|triple| triple[1].clone()).collect()
}

/// Returns the imports of a file: each path, followed by its local name.
fn imports(tokens: &[String]) -> Vec<Vec<String>> {
    let mut imports = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use"
            && tokens.get(at.wrapping_sub(1)).is_none_or(|before| before != "::" && before != "<" && before != "+")
        {
            let end = at + tokens[at..].iter().position(|token| token == ";").unwrap_or(0);
            collect_use_tree(&tokens[at + 1..end.max(at + 1)], &[], &mut imports);
            at = end.max(at);
        }
        at += 1;
    }
    imports
}

/// Collects the paths in a nested `use` tree.
fn collect_use_tree(tokens: &[String], above: &[String], imports: &mut Vec<Vec<String>>) {
    let mut path = above.to_vec();
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "::" => {}
            "{" => {
                for part in split_at_commas(&tokens[at + 1..tokens.len() - 1]) {
                    collect_use_tree(part, &path, imports);
                }
                return;
            }
            "as" => {
                path.extend(tokens.get(at + 1).cloned());
                imports.push(path);
                return;
            }
            "self" if !path.is_empty() => {}
            name => path.push(name.to_owned()),
        }
    }
    if let Some(name) = path.last().cloned() {
        path.push(name);
        imports.push(path);
    }
}

/// Splits a group of imports at its commas.
fn split_at_commas(tokens: &[String]) -> Vec<&[String]> {
    let mut depth = 0_usize;
    let is_comma = |token: &String| {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && token == ","
    };
    tokens.split(is_comma).filter(|part| !part.is_empty()).collect()
}

/// Returns the paths with several segments, and the single names that may be imported.
fn collect_paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            at += tokens[at..].iter().position(|token| token == ";").unwrap_or(1);
        }
        // `pub(in crate::a)` does not use `a`.
        if tokens[at..].iter().take(3).eq(["pub", "(", "in"].iter()) {
            at += tokens[at..].iter().position(|token| token == ")").unwrap_or(1);
        }
        let mut path = Vec::new();
        while tokens.get(at).is_some_and(|token| token.starts_with(is_of_name)) {
            path.push(tokens[at].clone());
            at += 1;
            if tokens.get(at).is_none_or(|token| token != "::") {
                break;
            }
            at += 1;
        }
        match path.len() {
            0 => at += 1,
            1 => {}
            _ => paths.push(path),
        }
    }
    paths
}

/// Returns the strongly connected components with more than one module (Tarjan's algorithm).
fn dependency_cycles(uses: &BTreeSet<(String, String)>) -> Vec<BTreeSet<String>> {
    let mut imports = BTreeMap::<&str, Vec<&str>>::new();
    for (from, to) in uses {
        imports.entry(from).or_default().push(to);
    }
    let reachable_from = |start: &str| {
        let mut visited = BTreeSet::new();
        let mut pending = vec![start.to_owned()];
        while let Some(at) = pending.pop() {
            for to in imports.get(at.as_str()).into_iter().flatten() {
                if visited.insert((*to).to_owned()) {
                    pending.push((*to).to_owned());
                }
            }
        }
        visited
    };
    let reached: BTreeMap<&str, BTreeSet<String>> =
        imports.keys().map(|module| (*module, reachable_from(module))).collect();
    let mut cycles = BTreeSet::new();
    for (module, below) in &reached {
        if below.contains(*module) {
            let leads_back = |other: &String| reached.get(other.as_str()).is_some_and(|there| there.contains(*module));
            cycles.insert(below.iter().filter(|other| leads_back(other)).cloned().collect::<BTreeSet<_>>());
        }
    }
    cycles.into_iter().collect()
}
