//! `agentctl lsp` over pipes, as an editor talks to it: after each pause it says what `check` says of the same texts.
//!
//! A request is answered behind the findings of the texts that it is about, so nothing waits for a time.
//! `AGENTCTL_EDITS=1000 cargo test --test all lsp` makes more changes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::mutate::Random;
use crate::support::{self, agentctl};

/// An editor with the server.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    root: PathBuf,
    /// The findings that it shows, by URI.
    shown: BTreeMap<String, Vec<Value>>,
    version: i32,
    id: i32,
    utf16: bool,
}

impl Editor {
    fn start(root: &Path, encodings: Value) -> Self {
        let root = root.canonicalize().unwrap();
        let mut command = agentctl(Path::new("/"));
        let command = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut editor = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            root,
            shown: BTreeMap::new(),
            version: 0,
            id: 0,
            utf16: true,
        };
        let root = editor.uri("");
        let result = editor.request(
            "initialize",
            json!({
                "processId": null,
                "capabilities": { "general": { "positionEncodings": encodings } },
                "workspaceFolders": [{ "uri": root.trim_end_matches('/'), "name": "w" }],
            }),
        );
        editor.utf16 = result["capabilities"]["positionEncoding"] == "utf-16";
        editor.notify("initialized", json!({}));
        editor
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.root.display())
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server ended");
            match line.trim_end().split_once(": ") {
                Some((_, value)) => length = value.parse().unwrap(),
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The answer to a request; findings that come before it are shown.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.answer(id)
    }

    fn answer(&mut self, id: i32) -> Value {
        loop {
            let mut message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                let Value::Array(found) = message["params"]["diagnostics"].take() else {
                    panic!("{message}")
                };
                self.shown.insert(uri, found);
            } else if message["id"] == id {
                assert_eq!(message.get("error").filter(|error| error["code"] != -32800), None);
                return message["result"].take();
            }
        }
    }

    fn about(&mut self, method: &str, name: &str, mut params: Value) -> Value {
        params["textDocument"] = json!({ "uri": self.uri(name) });
        self.request(method, params)
    }

    fn open(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "languageId": "yaml", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn close(&mut self, name: &str) {
        let document = json!({ "uri": self.uri(name) });
        self.notify("textDocument/didClose", json!({ "textDocument": document }));
    }

    fn changed_on_disk(&mut self, name: &str) {
        let change = json!({ "uri": self.uri(name), "type": 2 });
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    }

    /// Replaces the characters of `range` in a text that is open.
    fn edit(&mut self, name: &str, text: &mut String, range: std::ops::Range<usize>, new: &str) {
        self.version += 1;
        let range_of = json!({ "start": self.position(text, range.start), "end": self.position(text, range.end) });
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let change = json!({ "range": range_of, "text": new });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
        text.replace_range(range, new);
    }

    fn position(&self, text: &str, at: usize) -> Value {
        let before = &text[..at];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = match self.utf16 {
            true => before[start..].encode_utf16().count(),
            false => before.len() - start,
        };
        json!({ "line": line, "character": column })
    }

    /// The findings that are shown: file, line, column, severity, code and message.
    fn findings(&mut self) -> BTreeSet<String> {
        // Behind all that came before.
        self.about("textDocument/documentSymbol", "none.yaml", json!({}));
        let mut findings = BTreeSet::new();
        for (uri, found) in &self.shown {
            let name = uri.rsplit_once('/').unwrap().1;
            for found in found {
                let start = &found["range"]["start"];
                let message = found["message"].as_str().unwrap().lines().next().unwrap();
                let severity = ["", "error", "warning", "note"][found["severity"].as_u64().unwrap() as usize];
                findings.insert(format!(
                    "{name}:{}:{}: {severity}[{}]: {message}",
                    start["line"],
                    start["character"],
                    found["code"].as_str().unwrap()
                ));
            }
        }
        findings
    }

    fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What `check` says of these texts.
fn checked(editor: &Editor, texts: &BTreeMap<String, String>) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let run = support::run(folder.path(), ["check", "-o", "json", "-v"], b"");
    let findings = run.stdout.lines().filter_map(|line| {
        let found: Value = serde_json::from_str(line).unwrap();
        let name = found["file"].as_str()?.trim_start_matches("./");
        let text = &texts[name];
        let line = found["line"].as_u64().unwrap() as usize - 1;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let column = found["column"].as_u64().unwrap() as usize - 1;
        let at = text[start..]
            .char_indices()
            .nth(column)
            .map_or(text.len(), |(at, _)| start + at);
        let position = editor.position(text, at);
        Some(format!(
            "{name}:{}:{}: {}[{}]: {}",
            position["line"],
            position["character"],
            found["severity"].as_str().unwrap(),
            found["code"].as_str().unwrap(),
            found["message"].as_str().unwrap()
        ))
    });
    findings.collect()
}

fn mistakes() -> String {
    fs::read_to_string(support::root().join("testdata/mistakes/shop.yaml")).unwrap()
}

const PROBE: &str = "\
# é 😀
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: web, namespace: shop, annotations: {x: \"😀é\"}}
spec: {prober: {url: \"prober.m:9115\"}, intervall: 5s}
";

/// A folder with two files.
fn workspace(name: &str) -> (PathBuf, BTreeMap<String, String>) {
    let folder = support::scratch(name);
    let texts = BTreeMap::from([
        ("a.yaml".to_owned(), mistakes()),
        ("b.yaml".to_owned(), PROBE.to_owned()),
    ]);
    for (name, text) in &texts {
        fs::write(folder.join(name), text).unwrap();
    }
    (folder, texts)
}

#[test]
fn findings_are_those_of_check_whatever_is_typed() {
    let edits = env::var("AGENTCTL_EDITS").ok().and_then(|edits| edits.parse().ok());
    for encodings in [json!(null), json!(["utf-8", "utf-16"])] {
        let (folder, mut texts) = workspace("lsp-edits");
        let mut editor = Editor::start(&folder, encodings);
        assert_eq!(editor.findings(), checked(&editor, &texts));
        for (name, text) in &texts {
            editor.open(name, text);
        }
        let mut random = Random::new(35);
        let snippets = [
            "é",
            "😀",
            "\n",
            "  ",
            "x",
            ":",
            "\"",
            "\t",
            "---\n",
            "{{ x }}",
            "kind: Probe",
            "\r\n",
            "- ",
            "#",
            "5",
        ];
        for number in 0..edits.unwrap_or(40) {
            let name = random.pick(&["a.yaml", "b.yaml"]).to_owned();
            let text = texts.get_mut(&name).unwrap();
            let ends: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = random.below(ends.len());
            let end = (start + random.below(3)).min(ends.len() - 1);
            // Between the two characters of a line's end there is no place for an editor.
            let is_inside = |at: usize| text[..at].ends_with('\r');
            if !is_inside(ends[start]) && !is_inside(ends[end]) && !text[..ends[end]].ends_with('\r') {
                let new = random.pick(&snippets);
                editor.edit(&name, text, ends[start]..ends[end], new);
            }
            if number % 7 == 0 {
                fs::write(folder.join(&name), &texts[&name]).unwrap();
                let document = json!({ "uri": editor.uri(&name) });
                editor.notify("textDocument/didSave", json!({ "textDocument": document }));
            }
            if number % 3 == 0 && !texts[&name].contains('\r') {
                assert_eq!(editor.findings(), checked(&editor, &texts), "{number}");
            }
            if number % 25 == 24 {
                let whole = if name == "a.yaml" { mistakes() } else { PROBE.to_owned() };
                let text = texts.get_mut(&name).unwrap();
                let end = text.len();
                editor.edit(&name, text, 0..end, &whole);
            }
        }
        editor.shut_down();
    }
}

#[test]
fn files_come_and_go() {
    let (folder, mut texts) = workspace("lsp-files");
    let mut editor = Editor::start(&folder, Value::Null);
    // A new document has no file yet.
    editor.open("c.yaml", PROBE);
    texts.insert("c.yaml".to_owned(), PROBE.to_owned());
    assert_eq!(editor.findings(), checked(&editor, &texts));
    editor.close("c.yaml");
    texts.remove("c.yaml");
    assert_eq!(editor.findings(), checked(&editor, &texts));
    // Renamed.
    fs::rename(folder.join("b.yaml"), folder.join("d.yaml")).unwrap();
    editor.changed_on_disk("d.yaml");
    let text = texts.remove("b.yaml").unwrap();
    texts.insert("d.yaml".to_owned(), text);
    assert_eq!(editor.findings(), checked(&editor, &texts));
    assert_eq!(editor.shown[&editor.uri("b.yaml")], [] as [Value; 0]);
    // Deleted.
    fs::remove_file(folder.join("d.yaml")).unwrap();
    editor.changed_on_disk("d.yaml");
    texts.remove("d.yaml");
    assert_eq!(editor.findings(), checked(&editor, &texts));
    // With settings, which hold at once.
    fs::write(folder.join("agentctl.yaml"), "severity: {unknown-field: allow}\n").unwrap();
    editor.changed_on_disk("agentctl.yaml");
    let findings = editor.findings();
    assert!(
        !findings.is_empty() && !findings.iter().any(|found| found.contains("unknown-field")),
        "{findings:?}"
    );
    editor.shut_down();
}

/// The text with the edits of an action.
fn applied(editor: &Editor, text: &str, edits: &Value) -> String {
    let mut text = text.to_owned();
    let mut edits: Vec<_> = edits.as_array().unwrap().clone();
    let offset = |text: &str, position: &Value| {
        let is_it = |at: &usize| editor.position(text, *at) == *position;
        text.char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .find(is_it)
            .unwrap()
    };
    edits.sort_by_key(|edit| offset(&text, &edit["range"]["start"]));
    for edit in edits.iter().rev() {
        let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn actions_mend_and_ways_lead_to_definitions() {
    let (folder, texts) = workspace("lsp-answers");
    let text = &texts["a.yaml"];
    let mut editor = Editor::start(&folder, Value::Null);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let asked = json!({ "range": whole, "context": { "diagnostics": [] } });
    let actions = editor.about("textDocument/codeAction", "a.yaml", asked);
    let titles: Vec<_> = actions
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["title"].as_str().unwrap())
        .collect();
    assert!(titles.contains(&"rename `intervall` to `interval`"), "{titles:?}");
    let all = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["kind"] == "source.fixAll")
        .unwrap();
    let fixed = applied(&editor, text, &all["edit"]["changes"][editor.uri("a.yaml")]);
    assert!(
        fixed.contains("{canary: \"no\"}") && fixed.contains("    interval: 30s"),
        "{fixed}"
    );

    let place = |word: &str| text.find(word).unwrap();
    let at = |editor: &Editor, word| json!({ "position": editor.position(text, place(word)) });
    let asked = at(&editor, "key: password}");
    let found = editor.about("textDocument/definition", "a.yaml", asked);
    let expected = editor.position(text, place("password: only-an-example"));
    assert_eq!(found[0]["range"]["start"], expected, "{found}");
    let mut asked = at(&editor, "password: only-an-example");
    asked["context"] = json!({ "includeDeclaration": false });
    let found = editor.about("textDocument/references", "a.yaml", asked);
    let expected = editor.position(text, place("password: {name: credentials"));
    assert_eq!(found[0]["range"]["start"], expected, "{found}");
    let asked = at(&editor, "instanceSelector");
    let found = editor.about("textDocument/definition", "a.yaml", asked);
    assert_eq!(
        found[0]["range"]["start"],
        editor.position(text, place("primary")),
        "{found}"
    );
    let asked = at(&editor, "primary");
    let found = editor.about("textDocument/hover", "a.yaml", asked);
    assert!(
        found["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("selected by GrafanaAgent"),
        "{found}"
    );
    let found = editor.about("textDocument/codeLens", "a.yaml", json!({}));
    assert!(found.to_string().contains("selected by 1 GrafanaAgent"), "{found}");
    let found = editor.about("textDocument/documentSymbol", "a.yaml", json!({}));
    assert_eq!(found.as_array().unwrap().len(), 4);
    for (method, params) in [("hover", at(&editor, "only-an-example")), ("documentSymbol", json!({}))] {
        let found = editor.about(&format!("textDocument/{method}"), "a.yaml", params);
        assert!(!found.to_string().contains("only-an-example"), "{found}");
    }
    editor.shut_down();
}

#[test]
fn what_is_not_selected_can_be() {
    let folder = support::scratch("lsp-unselected");
    let text = mistakes()
        .replace(
            "serviceMonitorSelector: {}",
            "serviceMonitorSelector: {matchLabels: {team: a}}",
        )
        .replace("canary: no", "canary: \"no\"")
        .replace("port: 8080", "port: http");
    fs::write(folder.join("a.yaml"), &text).unwrap();
    let mut editor = Editor::start(&folder, Value::Null);
    let at = editor.position(&text, text.find("metadata: {name: checkout").unwrap());
    let range = json!({ "start": at, "end": at });
    let asked = json!({ "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = editor.about("textDocument/codeAction", "a.yaml", asked);
    let edits = &actions[0]["edit"]["changes"][editor.uri("a.yaml")];
    let fixed = applied(&editor, &text, edits);
    assert!(
        fixed.contains("metadata: {labels: {team: a}, name: checkout"),
        "{actions}"
    );
    editor.shut_down();
}

#[test]
fn a_request_can_be_cancelled_and_odd_messages_do_no_harm() {
    let (folder, texts) = workspace("lsp-odd");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.findings();
    editor.open("a.yaml", &texts["a.yaml"]);
    editor.send(json!({ "id": 900, "method": "textDocument/codeLens", "params": { "textDocument": { "uri": editor.uri("a.yaml") } } }));
    editor.notify("$/cancelRequest", json!({ "id": 900 }));
    // Answered or cancelled, once.
    editor.answer(900);
    for (method, params) in [
        ("textDocument/didOpen", json!({})),
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "file:///%ff", "version": 1 }, "contentChanges": [] }),
        ),
        (
            "textDocument/didClose",
            json!({ "textDocument": { "uri": "untitled:x" } }),
        ),
        ("$/setTrace", json!({ "value": "verbose" })),
    ] {
        editor.notify(method, params);
    }
    editor.send(json!({ "id": 901, "method": "textDocument/unknown", "params": {} }));
    loop {
        let message = editor.receive();
        if message["id"] == 901 {
            assert_eq!(message["error"]["code"], -32601);
            break;
        }
    }
    assert_eq!(editor.findings(), checked(&editor, &texts));
    editor.shut_down();
}
