//! Tests of `agentctl lsp` over pipes, as an editor uses it. After each pause, the editor must show the same findings
//! as `check` for the same documents.
//!
//! The server answers a request after it has published the findings for the documents, so no test waits for a fixed
//! time. `AGENTCTL_EDITS=1000 cargo test --test all lsp` makes more changes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};

use agentctl::diagnostic::Code;
use serde_json::{Value, json};

use crate::support::mutate::Random;
use crate::support::{self, agentctl};

/// An editor connected to the server.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<Box<dyn Read>>,
    root: PathBuf,
    /// Findings that the editor shows, by URI.
    published: BTreeMap<String, Vec<Value>>,
    version: i32,
    id: i32,
    utf16: bool,
    /// Everything that the server has written.
    transcript: String,
    capabilities: Value,
}

impl Editor {
    fn start(root: &Path, encodings: Value) -> Self {
        Self::with_capabilities(&[root], json!({ "general": { "positionEncodings": encodings } }))
    }

    fn with_capabilities(roots: &[&Path], capabilities: Value) -> Self {
        Self::with_flags(&[], roots, capabilities)
    }

    fn with_flags(flags: &[&str], roots: &[&Path], capabilities: Value) -> Self {
        let root = roots[0].canonicalize().unwrap();
        let mut command = agentctl(Path::new("/"));
        let command = command.arg("lsp").args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
        let command = command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut editor = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(Box::new(child.stdout.take().unwrap())),
            child,
            root,
            published: BTreeMap::new(),
            version: 0,
            id: 0,
            utf16: true,
            transcript: String::new(),
            capabilities: Value::Null,
        };
        let folder = |root: &&Path| {
            let root = root.canonicalize().unwrap();
            json!({ "uri": format!("file://{}", root.display()), "name": "w" })
        };
        let folders: Vec<_> = roots.iter().map(folder).collect();
        let result = editor.request(
            "initialize",
            json!({
                "processId": null,
                "capabilities": capabilities,
                "workspaceFolders": folders,
            }),
        );
        editor.utf16 = result["capabilities"]["positionEncoding"] == "utf-16";
        editor.capabilities = result["capabilities"].clone();
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
        self.transcript.push_str(std::str::from_utf8(&bytes).unwrap());
        serde_json::from_slice(&bytes).unwrap()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// Sends a request and returns the answer. Findings that arrive before the answer are recorded in `published`.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.wait_for_response(id)
    }

    fn wait_for_response(&mut self, id: i32) -> Value {
        loop {
            let mut message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                let Value::Array(actual) = message["params"]["diagnostics"].take() else { panic!("{message}") };
                self.published.insert(uri, actual);
            } else if message["id"] == id {
                assert_eq!(message.get("error").filter(|error| error["code"] != -32800), None);
                return message["result"].take();
            }
        }
    }

    fn request_for_document(&mut self, method: &str, name: &str, mut params: Value) -> Value {
        params["textDocument"] = json!({ "uri": self.uri(name) });
        self.request(method, params)
    }

    fn open(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "languageId": "yaml", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change_folders(&mut self, added: &[&Path], removed: &[&Path]) {
        let folders = |paths: &[&Path]| {
            let uri = |path: &&Path| format!("file://{}", path.canonicalize().unwrap().display());
            let folders = paths.iter().map(|path| json!({ "uri": uri(path), "name": "w" }));
            folders.collect::<Vec<_>>()
        };
        let event = json!({ "added": folders(added), "removed": folders(removed) });
        self.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    }

    fn close(&mut self, name: &str) {
        let document = json!({ "uri": self.uri(name) });
        self.notify("textDocument/didClose", json!({ "textDocument": document }));
    }

    fn notify_file_change(&mut self, name: &str) {
        let change = json!({ "uri": self.uri(name), "type": 2 });
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    }

    /// Replaces the characters in `range` in an open document.
    fn edit(&mut self, name: &str, text: &mut String, range: std::ops::Range<usize>, new: &str) {
        self.version += 1;
        let protocol_range =
            json!({ "start": self.position(text, range.start), "end": self.position(text, range.end) });
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let change = json!({ "range": protocol_range, "text": new });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
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

    /// Returns the findings that the editor shows: file, line, column, severity, code and message.
    fn findings(&mut self) -> BTreeSet<String> {
        // The server answers this request only after it has processed all earlier messages.
        self.request_for_document("textDocument/documentSymbol", "none.yaml", json!({}));
        let mut findings = BTreeSet::new();
        for (uri, diagnostics) in &self.published {
            let name = uri.rsplit_once('/').unwrap().1;
            for finding in diagnostics {
                let start = &finding["range"]["start"];
                let message = finding["message"].as_str().unwrap().lines().next().unwrap();
                let severity = ["", "error", "warning", "note"][finding["severity"].as_u64().unwrap() as usize];
                findings.insert(format!(
                    "{name}:{}:{}: {severity}[{}]: {message}",
                    start["line"],
                    start["character"],
                    finding["code"].as_str().unwrap()
                ));
            }
        }
        findings
    }

    fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
        let mut log = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        errors.read_to_string(&mut log).unwrap();
        assert_eq!(log, "");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the findings of `check` for the documents in `texts`.
fn check_documents(editor: &Editor, texts: &BTreeMap<String, String>) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let run = support::run(folder.path(), ["check", "--message-format", "json", "-v"], b"");
    let findings = run.stdout.lines().filter_map(|line| {
        let finding: Value = serde_json::from_str(line).unwrap();
        let name = finding["file"].as_str()?.trim_start_matches("./");
        let text = &texts[name];
        let line = finding["line"].as_u64().unwrap() as usize - 1;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let column = finding["column"].as_u64().unwrap() as usize - 1;
        let at = text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at);
        let position = editor.position(text, at);
        Some(format!(
            "{name}:{}:{}: {}[{}]: {}",
            position["line"],
            position["character"],
            finding["severity"].as_str().unwrap(),
            finding["code"].as_str().unwrap(),
            finding["message"].as_str().unwrap()
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

/// Creates a directory with two files.
fn workspace(name: &str) -> (PathBuf, BTreeMap<String, String>) {
    let folder = support::scratch(name);
    let texts = BTreeMap::from([("a.yaml".to_owned(), mistakes()), ("b.yaml".to_owned(), PROBE.to_owned())]);
    for (name, text) in &texts {
        fs::write(folder.join(name), text).unwrap();
    }
    (folder, texts)
}

#[test]
fn editor_findings_match_check() {
    let edit_count = env::var("AGENTCTL_EDITS").ok().and_then(|edit_count| edit_count.parse().ok());
    for encodings in [json!(null), json!(["utf-8", "utf-16"])] {
        let (folder, mut texts) = workspace("lsp-edits");
        let mut editor = Editor::start(&folder, encodings);
        assert_eq!(editor.findings(), check_documents(&editor, &texts));
        for (name, text) in &texts {
            editor.open(name, text);
        }
        let mut random = Random::new(35);
        let snippets =
            ["é", "😀", "\n", "  ", "x", ":", "\"", "\t", "---\n", "{{ x }}", "kind: Probe", "\r\n", "- ", "#", "5"];
        let mut second_name = "b.yaml".to_owned();
        for number in 0..edit_count.unwrap_or(40) {
            let name = random.pick(&["a.yaml", second_name.as_str()]).to_owned();
            let text = texts.get_mut(&name).unwrap();
            let offsets: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = random.below(offsets.len());
            let end = (start + random.below(3)).min(offsets.len() - 1);
            // An edit cannot start or end between the two characters of a line ending.
            let is_inside_line_break = |at: usize| text[..at].ends_with('\r');
            if !is_inside_line_break(offsets[start]) && !is_inside_line_break(offsets[end]) {
                let snippet = random.pick(&snippets);
                editor.edit(&name, text, offsets[start]..offsets[end], snippet);
            }
            match number % 21 {
                0 | 7 | 14 => {
                    fs::write(folder.join(&name), &texts[&name]).unwrap();
                    let document = json!({ "uri": editor.uri(&name) });
                    editor.notify("textDocument/didSave", json!({ "textDocument": document }));
                }
                3 => {
                    let request_params = json!({ "textDocument": { "uri": editor.uri(&name) } });
                    editor.send(json!({ "id": -1, "method": "textDocument/documentSymbol", "params": request_params }));
                    editor.notify("$/cancelRequest", json!({ "id": -1 }));
                }
                8 => {
                    let snippet = if second_name == "b.yaml" { "c.yaml" } else { "b.yaml" };
                    fs::rename(folder.join(&second_name), folder.join(snippet)).unwrap();
                    let text = texts.remove(&second_name).unwrap();
                    editor.close(&second_name);
                    editor.open(snippet, &text);
                    texts.insert(snippet.to_owned(), text);
                    second_name = snippet.to_owned();
                }
                12 => {
                    // An open document whose file is missing is treated as unsaved.
                    fs::remove_file(folder.join(&second_name)).unwrap();
                    editor.notify_file_change(&second_name);
                }
                13 => fs::write(folder.join(&second_name), "").unwrap(),
                _ => {}
            }
            if number % 3 == 0 {
                assert_eq!(editor.findings(), check_documents(&editor, &texts), "{number}");
            }
            if number % 25 == 24 {
                let name = if texts.contains_key(&name) { name } else { second_name.clone() };
                let full_text = if name == "a.yaml" { mistakes() } else { PROBE.to_owned() };
                let text = texts.get_mut(&name).unwrap();
                let end = text.len();
                editor.edit(&name, text, 0..end, &full_text);
            }
        }
        editor.shut_down();
    }
}

#[test]
fn follows_created_and_deleted_files() {
    let (folder, mut texts) = workspace("lsp-files");
    let mut editor = Editor::start(&folder, Value::Null);
    // The editor opens a new document that has no file yet.
    editor.open("c.yaml", PROBE);
    texts.insert("c.yaml".to_owned(), PROBE.to_owned());
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    editor.close("c.yaml");
    texts.remove("c.yaml");
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    fs::rename(folder.join("b.yaml"), folder.join("d.yaml")).unwrap();
    editor.notify_file_change("d.yaml");
    let text = texts.remove("b.yaml").unwrap();
    texts.insert("d.yaml".to_owned(), text);
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    assert_eq!(editor.published[&editor.uri("b.yaml")], [] as [Value; 0]);
    fs::remove_file(folder.join("d.yaml")).unwrap();
    editor.notify_file_change("d.yaml");
    texts.remove("d.yaml");
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    // A change to the settings takes effect immediately.
    fs::write(folder.join("agentctl.yaml"), "severity: {unknown-field: allow}\n").unwrap();
    editor.notify_file_change("agentctl.yaml");
    let findings = editor.findings();
    assert!(!findings.is_empty() && !findings.iter().any(|finding| finding.contains("unknown-field")), "{findings:?}");
    editor.shut_down();
}

/// Returns `text` after the edits of a code action.
fn apply_edits(editor: &Editor, text: &str, edits: &Value) -> String {
    let mut text = text.to_owned();
    let mut edits: Vec<_> = edits.as_array().unwrap().clone();
    let offset = |text: &str, position: &Value| {
        let is_at_position = |at: &usize| editor.position(text, *at) == *position;
        text.char_indices().map(|(at, _)| at).chain([text.len()]).find(is_at_position).unwrap()
    };
    edits.sort_by_key(|edit| offset(&text, &edit["range"]["start"]));
    for edit in edits.iter().rev() {
        let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn offers_fixes_and_definition_links() {
    let (folder, texts) = workspace("lsp-answers");
    let text = &texts["a.yaml"];
    let mut editor = Editor::start(&folder, Value::Null);
    let whole_range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let request_params = json!({ "range": whole_range, "context": { "diagnostics": [] } });
    let actions = editor.request_for_document("textDocument/codeAction", "a.yaml", request_params);
    let titles: Vec<_> = actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"rename `intervall` to `interval`"), "{titles:?}");
    let fix_all_action = actions.as_array().unwrap().iter().find(|action| action["kind"] == "source.fixAll").unwrap();
    let fixed = apply_edits(&editor, text, &fix_all_action["edit"]["changes"][editor.uri("a.yaml")]);
    assert!(fixed.contains("{canary: \"no\"}") && fixed.contains("    interval: 30s"), "{fixed}");

    let offset_of = |word: &str| text.find(word).unwrap();
    let position_params = |editor: &Editor, word| json!({ "position": editor.position(text, offset_of(word)) });
    let request_params = position_params(&editor, "key: password}");
    let actual = editor.request_for_document("textDocument/definition", "a.yaml", request_params);
    let expected = editor.position(text, offset_of("password: only-an-example"));
    assert_eq!(actual[0]["range"]["start"], expected, "{actual}");
    let mut request_params = position_params(&editor, "password: only-an-example");
    request_params["context"] = json!({ "includeDeclaration": false });
    let actual = editor.request_for_document("textDocument/references", "a.yaml", request_params);
    let expected = editor.position(text, offset_of("password: {name: credentials"));
    assert_eq!(actual[0]["range"]["start"], expected, "{actual}");
    let request_params = position_params(&editor, "instanceSelector");
    let actual = editor.request_for_document("textDocument/definition", "a.yaml", request_params);
    assert_eq!(actual[0]["range"]["start"], editor.position(text, offset_of("primary")), "{actual}");
    let request_params = position_params(&editor, "primary");
    let actual = editor.request_for_document("textDocument/hover", "a.yaml", request_params);
    assert!(actual["contents"]["value"].as_str().unwrap().contains("selected by GrafanaAgent"), "{actual}");
    let actual = editor.request_for_document("textDocument/documentSymbol", "a.yaml", json!({}));
    assert_eq!(actual.as_array().unwrap().len(), 4);
    for (method, params) in [("hover", position_params(&editor, "only-an-example")), ("documentSymbol", json!({}))] {
        let actual = editor.request_for_document(&format!("textDocument/{method}"), "a.yaml", params);
        assert!(!actual.to_string().contains("only-an-example"), "{actual}");
    }
    editor.shut_down();
}

#[test]
fn hover_over_a_finding_shows_its_page() {
    let (folder, _) = workspace("lsp-page");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open("b.yaml", PROBE);
    let page = Code::UnknownField.page();
    for (word, is_shown) in [("intervall", true), ("prober", false)] {
        let request_params = json!({ "position": editor.position(PROBE, PROBE.find(word).unwrap()) });
        let actual = editor.request_for_document("textDocument/hover", "b.yaml", request_params);
        let hover_text = actual["contents"]["value"].as_str().unwrap_or_default();
        assert_eq!(hover_text.contains(page.trim_end()), is_shown, "{word}: {actual}");
    }
    editor.shut_down();
}

#[test]
fn offers_to_select_unselected_resources() {
    let folder = support::scratch("lsp-unselected");
    let text = mistakes()
        .replace("serviceMonitorSelector: {}", "serviceMonitorSelector: {matchLabels: {team: a}}")
        .replace("canary: no", "canary: \"no\"")
        .replace("port: 8080", "port: http");
    fs::write(folder.join("a.yaml"), &text).unwrap();
    let mut editor = Editor::start(&folder, Value::Null);
    let at = editor.position(&text, text.find("metadata: {name: checkout").unwrap());
    let range = json!({ "start": at, "end": at });
    let request_params = json!({ "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = editor.request_for_document("textDocument/codeAction", "a.yaml", request_params);
    let edits = &actions[0]["edit"]["changes"][editor.uri("a.yaml")];
    let fixed = apply_edits(&editor, &text, edits);
    assert!(fixed.contains("metadata: {labels: {team: a}, name: checkout"), "{actions}");
    editor.shut_down();

    // The patches alone do not make an agent select the resource, because the user must also make another change.
    // Therefore, no action is offered.
    let text = text.replace(
        "{matchLabels: {team: a}}",
        "{matchLabels: {team: a}, matchExpressions: [{key: tier, operator: In, values: [web]}, {key: tier, operator: DoesNotExist}]}",
    );
    fs::write(folder.join("a.yaml"), &text).unwrap();
    let mut editor = Editor::start(&folder, Value::Null);
    let request_params = json!({ "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = editor.request_for_document("textDocument/codeAction", "a.yaml", request_params);
    assert_eq!(actions, json!([]));
    assert!(editor.findings().iter().any(|actual| actual.contains("[unselected]")));
    editor.shut_down();
}

/// Resources with secret values that must not be shown, and a Namespace, a Service and its endpoints.
const SHOP: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  serviceMonitorNamespaceSelector: {matchLabels: {team: shop}}
  serviceMonitorSelector: {}
  remoteWrite:
  - url: https://mimir.example/push
    basicAuth:
      username: {name: credentials, key: user}
      password: {name: credentials, key: password}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: shop}}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: monitoring}
stringData: {user: canary-of-a-user, password: canary-of-a-password}
data: {other: Y2FuYXJ5LW9mLWRhdGE=}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: checkout, namespace: shop}
spec:
  selector: {matchLabels: {app: checkout}}
  endpoints:
  - port: http
    interval: 45s
---
apiVersion: v1
kind: Service
metadata: {name: checkout, namespace: shop, labels: {app: checkout}}
spec:
  selector: {app: checkout}
  ports:
  - {name: http, port: 80, targetPort: 8080}
---
apiVersion: v1
kind: Endpoints
metadata: {name: checkout, namespace: shop, labels: {app: checkout}}
subsets:
- addresses: [{ip: 10.0.0.1}, {ip: 10.0.0.2}]
  ports: [{name: http, port: 8080}]
";

fn shop(name: &str, text: &str) -> PathBuf {
    let folder = support::scratch(name);
    fs::write(folder.join("shop.yaml"), text).unwrap();
    folder
}

#[test]
fn links_point_to_namespaces_and_ports() {
    for text in [SHOP.to_owned(), SHOP.replace('\n', "\r\n")] {
        let folder = shop("lsp-shop", &text);
        let mut editor = Editor::start(&folder, Value::Null);
        let offset_of = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word}"));
        let request_params = |editor: &Editor, word| json!({ "position": editor.position(&text, offset_of(word)), "context": { "includeDeclaration": false } });
        for (from, to) in [
            ("port: http", "http, port: 80,"),
            ("serviceMonitorNamespaceSelector", "labels: {team: shop}"),
            ("key: password}", "password: canary"),
        ] {
            let (params_there, params_back) = (request_params(&editor, from), request_params(&editor, to));
            let actual = editor.request_for_document("textDocument/definition", "shop.yaml", params_there);
            let expected = editor.position(&text, offset_of(to));
            let starts: Vec<_> =
                actual.as_array().unwrap().iter().map(|offset_of| &offset_of["range"]["start"]).collect();
            assert!(starts.contains(&&expected), "{from}: {actual}");
            let actual = editor.request_for_document("textDocument/references", "shop.yaml", params_back);
            assert_eq!(actual.as_array().unwrap().len(), 1, "{to}: {actual}");
            let line = editor.position(&text, offset_of(from))["line"].clone();
            assert_eq!(actual[0]["range"]["start"]["line"], line, "{to}: {actual}");
        }
        let hover = |editor: &mut Editor, word| {
            let request_params = request_params(editor, word);
            let actual = editor.request_for_document("textDocument/hover", "shop.yaml", request_params);
            actual["contents"]["value"].as_str().unwrap_or_default().to_owned()
        };
        let actual = hover(&mut editor, "checkout, namespace: shop}");
        assert!(
            actual.contains(
                "- selected by MetricsInstance/monitoring/primary, which is selected by GrafanaAgent/monitoring/agent"
            ),
            "{actual}"
        );
        assert!(actual.ends_with("\n- 1 scrape job, 2 targets"), "{actual}");
        let actual = hover(&mut editor, "port: http");
        assert!(
            actual.contains("```yaml\n- ") && actual.contains("job_name: serviceMonitor/shop/checkout/0"),
            "{actual}"
        );
        assert!(hover(&mut editor, "interval: 45s").contains("scrape_interval: 45s"));
        let actual = hover(&mut editor, "key: password}");
        assert!(actual.contains("password_file") && !actual.contains("canary"), "{actual}");
        editor.shut_down();
    }
}

#[test]
fn targets_of_pending_workloads_are_potential() {
    let shop_of_git = SHOP.replace("targetPort: 8080", "targetPort: http");
    let (before, _) = shop_of_git.split_once("---\napiVersion: v1\nkind: Endpoints").unwrap();
    let workload = "---
apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout, namespace: shop}
spec:
  selector: {matchLabels: {app: checkout}}
  template:
    metadata: {labels: {app: checkout}}
    spec: {containers: [{name: shop, image: shop, ports: [{name: http, containerPort: 8080}]}]}
";
    for (text, expected_targets) in
        [(before.to_owned(), None), (format!("{before}{workload}"), Some("1 potential target"))]
    {
        let folder = shop("lsp-potential", &text);
        let mut editor = Editor::start(&folder, Value::Null);
        let position = editor.position(&text, text.find("checkout, namespace: shop}").unwrap());
        let actual = editor.request_for_document("textDocument/hover", "shop.yaml", json!({ "position": position }));
        let actual = actual["contents"]["value"].as_str().unwrap().to_owned();
        let expected =
            expected_targets.map_or("- 1 scrape job".to_owned(), |targets| format!("- 1 scrape job, {targets}"));
        assert!(actual.ends_with(&expected), "{actual}");
        editor.shut_down();
    }
}

#[test]
fn hover_shows_the_configured_target() {
    let logs = "---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: logs, namespace: monitoring}
spec: {podLogsSelector: {}, clients: [{url: http://loki.example/push}]}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {name: lines, namespace: monitoring}
spec:
  selector: {}
  pipelineStages:
  - docker: {}
  - regex: {expression: '^(?P<x>.)'}
";
    let text = format!("{SHOP}{logs}");
    let folder = shop("lsp-alloy", &text);
    let mut editor = Editor::start(&folder, Value::Null);
    let hover = |editor: &mut Editor, word| {
        let position = editor.position(&text, text.find(word).unwrap());
        let actual = editor.request_for_document("textDocument/hover", "shop.yaml", json!({ "position": position }));
        actual["contents"]["value"].as_str().unwrap().to_owned()
    };
    let stage = "```yaml\n- regex:\n    expression: ^(?P<x>.)\n```";
    let actual = hover(&mut editor, "regex:");
    assert!(actual.starts_with("`agent.yml` of") && actual.ends_with(stage), "{actual}");

    fs::write(folder.join("agentctl.yaml"), "flags: {target: alloy}\n").unwrap();
    editor.notify_file_change("agentctl.yaml");
    let actual = hover(&mut editor, "regex:");
    let stage = "```alloy\nstage.regex {\n\texpression = \"^(?P<x>.)\"\n}\n```";
    assert!(actual.starts_with("`config.alloy` of") && actual.ends_with(stage), "{actual}");
    // The hover shows all components that are generated from the endpoint, even if they are far apart.
    let actual = hover(&mut editor, "port: http");
    for component in ["discovery.relabel", "prometheus.scrape"] {
        assert!(actual.contains(&format!("```alloy\n{component} ")), "{component}: {actual}");
    }
    editor.shut_down();
}

/// Tests that no message from the server contains a secret value, regardless of the position and even if the input is
/// broken.
#[test]
fn responses_contain_no_secret() {
    let broken = SHOP.replace("kind: Secret\n", "kind: Secret\nunknown: canary-in-a-field\n");
    let broken =
        broken.replace("data: {other", "data: {\"x y\": canary-of-a-key, bad: canary-that-is-not-base64, other");
    let jobs =
        SHOP.replace("  remoteWrite:", "  additionalScrapeConfigs: {name: credentials, key: jobs}\n  remoteWrite:");
    let jobs = jobs.replace(
        "stringData: {",
        "stringData: {jobs: \"[{job_name: canary, static_configs: [{targets: ['canary:80']}]}]\", ",
    );
    for (text, settings) in [
        (SHOP, ""),
        (&broken, ""),
        (&jobs, ""),
        (&jobs, "flags: {target: alloy}"),
        (&SHOP.replace("password: canary", "password: !x canary"), ""),
    ] {
        let folder = shop("lsp-canaries", text);
        fs::write(folder.join("agentctl.yaml"), settings).unwrap();
        let mut editor = Editor::start(&folder, Value::Null);
        editor.notify("$/setTrace", json!({ "value": "verbose" }));
        editor.open("shop.yaml", text);
        let whole_range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let request_params = json!({ "range": whole_range, "context": { "diagnostics": [] } });
        // A fix may rewrite a string that contains a secret value, as `check --diff` does. Its edit applies only to the
        // file that already contains the value.
        editor.request_for_document("textDocument/codeAction", "shop.yaml", request_params);
        for method in ["documentSymbol", "diagnostic"] {
            editor.request_for_document(&format!("textDocument/{method}"), "shop.yaml", json!({}));
        }
        let offsets =
            (0..text.len()).step_by(support::many_or_few(7, 31)).chain(text.match_indices("canary").map(|(at, _)| at));
        for at in offsets {
            let position = editor.position(text, at);
            for method in ["hover", "definition", "references"] {
                let request_params = json!({ "position": position, "context": { "includeDeclaration": true } });
                editor.request_for_document(&format!("textDocument/{method}"), "shop.yaml", request_params);
            }
        }
        editor.findings();
        for canary in ["canary", "Y2FuYXJ5", "LW9mLWRhdGE"] {
            let at = editor.transcript.find(canary);
            let excerpt = at.map(|at| &editor.transcript[at.saturating_sub(200)..at + 40]);
            assert!(excerpt.is_none(), "{excerpt:?}");
        }
        editor.shut_down();
    }
}

#[test]
fn shows_overlay_findings_in_the_files_to_edit() {
    let Some(folder) = crate::kustomize::places::tree("lsp-overlay") else {
        return;
    };
    let flags = ["--", "-k", "overlays/production", "--allow", "warnings"];
    let mut editor = Editor::with_flags(&flags, &[&folder], json!({}));
    let before = editor.findings();
    let new_findings = |actual: BTreeSet<String>| -> Vec<_> { actual.difference(&before).cloned().collect() };
    let name = "base/monitors/checkout.yaml";
    let mut text = fs::read_to_string(folder.join(name)).unwrap();
    let at = text.find("drop").unwrap();
    editor.open(name, &text);
    editor.edit(name, &mut text, at..at + 4, "dropp");
    assert_eq!(editor.findings(), before, "kustomize reads the disk");
    let line = text[..at].matches('\n').count();
    fs::write(folder.join(name), &text).unwrap();
    editor.notify_file_change(name);
    let actual = new_findings(editor.findings());
    assert!(actual.len() == 1 && actual[0].starts_with(&format!("checkout.yaml:{line}:")), "{actual:?}");
    // Unsaved lines above the field move the finding down.
    editor.edit(name, &mut text, 0..0, "# more\n");
    let actual = new_findings(editor.findings());
    assert!(actual.len() == 1 && actual[0].starts_with(&format!("checkout.yaml:{}:", line + 1)), "{actual:?}");
    // A new document in the overlay's directory is not part of the overlay.
    editor.open("overlays/production/new.yaml", PROBE);
    assert_eq!(new_findings(editor.findings()), actual);
    editor.shut_down();
    let mut editor = Editor::with_flags(&[&flags[..], &["-k", "overlays/dev"]].concat(), &[&folder], json!({}));
    while !editor.transcript.contains("pass `-k` once") {
        editor.receive();
    }
    editor.shut_down();
}

#[test]
fn answers_requests_in_overlay_files() {
    let Some(folder) = crate::kustomize::places::tree("lsp-overlay-requests") else {
        return;
    };
    let flags = ["--", "-k", "overlays/production", "--allow", "warnings"];
    let mut editor = Editor::with_flags(&flags, &[&folder], json!({}));
    editor.findings();
    let mut opened = BTreeSet::new();
    let mut ask = |method: &str, name: &str, part: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        // The server builds the overlay again after a document is opened.
        if opened.insert(name.to_owned()) {
            editor.open(name, &text);
        }
        let position = editor.position(&text, text.find(part).unwrap() + 1);
        let params = json!({"position": position, "context": {"includeDeclaration": true}});
        let answer = editor.request_for_document(method, name, params).to_string();
        assert!(!answer.contains("kustomize over"), "{answer}");
        answer
    };
    for (name, part, expected) in [
        ("base/monitors/checkout.yaml", "checkout", "selected by MetricsInstance/monitoring/p-primary"),
        ("base/monitors/checkout.yaml", "debug_", "regex: debug_"),
        ("overlays/production/agent.yaml", "scrapeInterval", "scrape_interval: 30s"),
        ("overlays/production/checkout.json", "10s", "scrape_interval: 10s"),
        ("components/probes/probe.yaml", "http_2xx", "module"),
    ] {
        let hover = ask("textDocument/hover", name, part);
        assert!(hover.contains(expected), "{name} {part}: {hover}");
    }
    for (name, part, expected) in [
        ("base/instances.yaml", "key: password", "overlays/production/kustomization.yaml"),
        ("base/instances.yaml", "serviceMonitorSelector", "base/monitors/checkout.yaml"),
    ] {
        let definition = ask("textDocument/definition", name, part);
        assert!(definition.contains(expected), "{name} {part}: {definition}");
    }
    let references = ask("textDocument/references", "base/monitors/checkout.yaml", "checkout");
    assert!(references.contains("base/instances.yaml"), "{references}");
    let symbols = ask("textDocument/documentSymbol", "base/monitors/checkout.yaml", "checkout");
    assert!(symbols.contains("ServiceMonitor monitoring checkout"), "{symbols}");
    // A mistake in a patch is fixed in the patch.
    let name = "overlays/production/agent.yaml";
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let wrong = text.replace("shards: 2", "shards: \"2\"");
    fs::write(folder.join(name), &wrong).unwrap();
    editor.open(name, &wrong);
    editor.notify_file_change(name);
    editor.findings();
    let at = editor.position(&wrong, wrong.find("\"2\"").unwrap());
    let range = json!({"start": at, "end": at});
    let params = json!({"range": range, "context": {"diagnostics": [], "only": ["quickfix"]}});
    let actions = editor.request_for_document("textDocument/codeAction", name, params).to_string();
    assert!(actions.contains("remove the quotes around the value of `shards`") && actions.contains(name), "{actions}");
    editor.shut_down();
}

/// Tests each request in a repository with generators, patches, components and a renamed namespace.
#[test]
fn answers_requests_in_a_repository_with_overlays() {
    let Some(folder) = crate::kustomize::repository::repository("lsp-repository") else {
        return;
    };
    let flags = ["--", "-k", "overlays/prod-eu", "--allow", "warnings"];
    let mut editor = Editor::with_flags(&flags, &[&folder], json!({}));
    editor.findings();
    let mut opened = BTreeSet::new();
    for (method, name, part, expected) in [
        ("hover", "base/monitors/checkout.yaml", "checkout", "selected by MetricsInstance/monitoring-eu/primary"),
        ("hover", "components/probes/probe.yaml", "http_2xx", "module"),
        ("definition", "base/instances.yaml", "serviceMonitorSelector", "base/monitors/checkout.yaml"),
        ("definition", "base/instances.yaml", "key: ca.crt", "base/"),
        ("references", "base/monitors/checkout.yaml", "checkout", "base/instances.yaml"),
        ("documentSymbol", "base/monitors/checkout.yaml", "checkout", "ServiceMonitor monitoring checkout"),
    ] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        if opened.insert(name) {
            editor.open(name, &text);
        }
        let position = editor.position(&text, text.find(part).unwrap() + 1);
        let params = json!({"position": position, "context": {"includeDeclaration": true}});
        let answer = editor.request_for_document(&format!("textDocument/{method}"), name, params).to_string();
        assert!(answer.contains(expected) && !answer.contains("kustomize over"), "{method} {name} {part}: {answer}");
    }
    // A mistake in a patch is fixed in the patch.
    let name = "overlays/prod-eu/agent.yaml";
    let wrong = fs::read_to_string(folder.join(name)).unwrap().replace("shards: 2", "shards: \"2\"");
    fs::write(folder.join(name), &wrong).unwrap();
    editor.open(name, &wrong);
    editor.notify_file_change(name);
    editor.findings();
    let at = editor.position(&wrong, wrong.find("\"2\"").unwrap());
    let params = json!({"range": {"start": at, "end": at}, "context": {"diagnostics": [], "only": ["quickfix"]}});
    let actions = editor.request_for_document("textDocument/codeAction", name, params).to_string();
    assert!(actions.contains("remove the quotes around the value of `shards`") && actions.contains(name), "{actions}");
    editor.shut_down();
}

#[test]
fn supports_several_workspace_folders() {
    let (first, second) = (support::scratch("lsp-first"), support::scratch("lsp-second"));
    fs::write(first.join("a.yaml"), mistakes().replace("instanceSelector: {}", "instanceSelector: {}, x: 1")).unwrap();
    fs::write(second.join("b.yaml"), PROBE).unwrap();
    let mut editor = Editor::with_capabilities(&[&first, &second], json!({}));
    let findings_of_both = editor.findings();
    let has_finding_in = |actual: &BTreeSet<String>, name: &str| actual.iter().any(|actual| actual.starts_with(name));
    assert!(
        has_finding_in(&findings_of_both, "a.yaml") && has_finding_in(&findings_of_both, "b.yaml"),
        "{findings_of_both:?}"
    );
    editor.change_folders(&[], &[&second]);
    let findings_of_one = editor.findings();
    assert!(
        has_finding_in(&findings_of_one, "a.yaml") && !has_finding_in(&findings_of_one, "b.yaml"),
        "{findings_of_one:?}"
    );
    editor.change_folders(&[&second], &[]);
    assert_eq!(editor.findings(), findings_of_both);
    // If there are several workspace folders, the settings of the first one apply.
    fs::write(first.join("agentctl.yaml"), "severity: {unknown-field: allow}\n").unwrap();
    editor.notify_file_change("agentctl.yaml");
    let actual = editor.findings();
    assert!(!actual.is_empty() && !actual.iter().any(|actual| actual.contains("unknown-field")), "{actual:?}");
    editor.shut_down();
}

#[cfg(unix)]
#[test]
fn reads_nothing_outside_the_workspace() {
    // A symlink within a repository would be allowed, so its target is in a separate directory.
    let (inside_directory, outside_directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, outside) = (inside_directory.path(), outside_directory.path());
    fs::write(folder.join("a.yaml"), mistakes()).unwrap();
    fs::write(outside.join("other.yaml"), PROBE).unwrap();
    std::os::unix::fs::symlink(outside.join("other.yaml"), folder.join("link.yaml")).unwrap();
    let mut editor = Editor::start(folder, Value::Null);
    let before = editor.findings();
    let (link_findings, file_findings): (Vec<_>, Vec<_>) =
        before.iter().partition(|actual| !actual.starts_with("a.yaml"));
    assert!(!file_findings.is_empty() && link_findings.is_empty(), "{before:?}");
    assert!(editor.transcript.contains("link.yaml` points"), "{}", editor.transcript);
    assert!(
        editor.transcript.contains("that contains the link\\nhelp: replace the link with the file itself"),
        "{}",
        editor.transcript
    );
    // A document outside the workspace is ignored, whether the editor uses the file's real path or the symlink's.
    let uri = format!("file://{}/other.yaml", outside.canonicalize().unwrap().display());
    for uri in [uri, editor.uri("link.yaml")] {
        let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": PROBE });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        assert_eq!(editor.findings(), before);
        let request_params = json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 20 } });
        assert_eq!(editor.request("textDocument/hover", request_params), Value::Null);
    }
    editor.shut_down();
}

#[test]
fn reports_templates_once_and_invalid_settings() {
    let (folder, mut texts) = workspace("lsp-template");
    let template = PROBE.replace("name: web", "name: {{ .Release.Name }}").replace("interval", "{{ x }}");
    fs::write(folder.join("b.yaml"), &template).unwrap();
    texts.insert("b.yaml".to_owned(), template);
    let mut editor = Editor::start(&folder, Value::Null);
    let actual = editor.findings();
    assert_eq!(actual, check_documents(&editor, &texts));
    let template_findings: Vec<_> = actual.iter().filter(|actual| actual.starts_with("b.yaml")).collect();
    assert!(
        template_findings.len() == 1 && template_findings[0].contains("unrendered-template"),
        "{template_findings:?}"
    );
    // The editor sends the text character by character.
    let mut text = texts["b.yaml"].clone();
    editor.open("b.yaml", &text);
    let end = text.len();
    editor.edit("b.yaml", &mut text, end..end, "# x\n");
    texts.insert("b.yaml".to_owned(), text);
    assert_eq!(editor.findings(), check_documents(&editor, &texts));

    fs::write(folder.join("agentctl.yaml"), "severity: [\n").unwrap();
    editor.notify_file_change("agentctl.yaml");
    texts.insert("agentctl.yaml".to_owned(), "severity: [\n".to_owned());
    let actual = editor.findings();
    assert!(actual.iter().any(|actual| actual.starts_with("agentctl.yaml:")), "{actual:?}");
    assert_eq!(actual, check_documents(&editor, &texts));
    fs::remove_file(folder.join("agentctl.yaml")).unwrap();
    editor.notify_file_change("agentctl.yaml");
    texts.remove("agentctl.yaml");
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    editor.shut_down();
}

#[test]
fn logs_findings_without_location_once() {
    let folder = support::scratch("lsp-empty");
    let mut editor = Editor::start(&folder, Value::Null);
    assert!(editor.findings().is_empty());
    editor.notify_file_change("a.yaml");
    assert!(editor.findings().is_empty());
    assert_eq!(editor.transcript.matches("window/logMessage").count(), 1, "{}", editor.transcript);
    editor.shut_down();
}

#[test]
fn respects_the_capabilities_of_the_editor() {
    let (folder, texts) = workspace("lsp-editor");
    // This editor only pulls findings.
    let mut editor = Editor::with_capabilities(&[&folder], json!({ "textDocument": { "diagnostic": {} } }));
    assert_eq!(editor.capabilities["diagnosticProvider"]["interFileDependencies"], true);
    let pull_report = editor.request_for_document("textDocument/diagnostic", "a.yaml", json!({}));
    assert!(editor.published.is_empty());
    editor.shut_down();
    // This editor accepts pushed findings and reports changes to files.
    let capabilities = json!({
        "textDocument": { "diagnostic": {}, "publishDiagnostics": {} },
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
    });
    let mut editor = Editor::with_capabilities(&[&folder], capabilities);
    assert_eq!(editor.capabilities["diagnosticProvider"], Value::Null);
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    assert_eq!(json!(editor.published[&editor.uri("a.yaml")]), pull_report["items"]);
    assert!(editor.transcript.contains("client/registerCapability"));
    let page = pull_report["items"][0]["codeDescription"]["href"].as_str().unwrap();
    let page = page.rsplit_once("/src/").unwrap().1;
    assert!(support::root().join("src").join(page).exists(), "{page}");
    editor.shut_down();
}

#[test]
fn cancels_requests_and_survives_malformed_messages() {
    let (folder, texts) = workspace("lsp-odd");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.findings();
    editor.open("a.yaml", &texts["a.yaml"]);
    editor.send(json!({ "id": 900, "method": "textDocument/documentSymbol", "params": { "textDocument": { "uri": editor.uri("a.yaml") } } }));
    editor.notify("$/cancelRequest", json!({ "id": 900 }));
    // The request must be either answered or canceled, exactly once.
    editor.wait_for_response(900);
    for (method, params) in [
        ("textDocument/didOpen", json!({})),
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "file:///%ff", "version": 1 }, "contentChanges": [] }),
        ),
        ("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:x" } })),
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
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    editor.shut_down();
}

#[test]
fn rejects_invalid_messages_without_repeating_them() {
    let (folder, texts) = workspace("lsp-streams");
    let mut editor = Editor::start(&folder, Value::Null);
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    for (text, id, code) in [
        ("planted", json!(""), -32700),
        (r#"{"id": 800, "text": "planted"}"#, json!(800), -32600),
        (r#"[{"method": "planted"}]"#, json!(""), -32600),
        (r#"{"id": 801, "method": "textDocument/hover", "params": "planted"}"#, json!(801), -32602),
        (r#"{"id": 802, "method": "initialize", "params": {}}"#, json!(802), -32601),
    ] {
        write!(editor.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        let error_response = loop {
            let message = editor.receive();
            if message["id"] == id {
                break message;
            }
        };
        assert_eq!(error_response["error"]["code"], code, "{error_response}");
    }
    // Changes may have an old version, and positions may be out of range.
    editor.open("a.yaml", "x");
    for (version, range) in [(-5, [9, 9, 4, 4]), (i32::MAX, [0, 7, u32::MAX, u32::MAX]), (0, [3, 0, 1, 0])] {
        let [line, character, end_line, end] = range;
        let range =
            json!({ "start": { "line": line, "character": character }, "end": { "line": end_line, "character": end } });
        let document = json!({ "uri": editor.uri("a.yaml"), "version": version });
        let changes = json!([{ "range": range, "text": "😀" }, { "text": texts["a.yaml"] }]);
        editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }
    assert_eq!(editor.findings(), check_documents(&editor, &texts));
    assert!(!editor.transcript.contains("planted"), "{}", editor.transcript);
    editor.shut_down();
}

#[test]
fn broken_streams_end_the_session() {
    let run_session = |input: &str| {
        let mut command = agentctl(&support::scratch("lsp-broken"));
        support::feed(command.arg("lsp"), input.as_bytes())
    };
    let run = run_session("canary: x\r\nContent-Length: canary\r\n\r\n");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("Content-Length") && !run.stderr.contains("canary"), "{}", run.stderr);
    let early_request = r#"{"id": 1, "method": "textDocument/hover", "params": "canary"}"#;
    let run = run_session(&format!("Content-Length: {}\r\n\r\n{early_request}", early_request.len()));
    assert_eq!(run.status, Some(2));
    assert!(run.stdout.contains("-32002"), "{}", run.stdout);
    assert!(run.stderr.contains("did not initialize") && !run.stderr.contains("canary"), "{}", run.stderr);

    // The editor keeps sending messages but stops reading. The session must end.
    let (folder, _) = workspace("lsp-closed");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.output = BufReader::new(Box::new(std::io::empty()));
    editor.open("b.yaml", "x: [");
    assert!(editor.child.wait().unwrap().success());
}
