//! Tests the schemas in an editor. With the settings in `docs/editors.md`, the YAML language server must report the
//! expected findings for `testdata/mistakes`. This requires the `yaml-language-server` npm package; if it is not
//! installed, the test is skipped.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support;

fn send(server: &mut Child, mut message: Value) {
    message["jsonrpc"] = json!("2.0");
    let text = message.to_string();
    let input = server.stdin.as_mut().unwrap();
    write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    input.flush().unwrap();
}

/// Returns the next message, or `None` if the server has ended.
fn receive(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Returns the settings from the page, modified to apply this repository's schema to all YAML files.
fn settings(root: &str) -> Value {
    let page = fs::read_to_string(support::root().join("docs/editors.md")).unwrap();
    let blocks = page.split("```json\n").skip(1);
    let mut blocks = blocks.filter_map(|block| serde_json::from_str::<Value>(block.split("```").next()?).ok());
    let documented_settings = blocks.find(|block| block.get("yaml.schemas").is_some()).unwrap();
    let schema = documented_settings["yaml.schemas"].as_object().unwrap().keys().next().unwrap();
    json!({
        "schemas": { format!("{root}/{schema}"): ["*.yaml"] },
        "yamlVersion": documented_settings["yaml.yamlVersion"],
        "schemaStore": { "enable": false },
    })
}

#[test]
fn recipe_shows_mistakes_in_every_document() {
    let command = Command::new("yaml-language-server")
        .arg("--stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut server) = command else {
        return support::report_skipped("the schemas in an editor", "yaml-language-server");
    };
    let folder = support::scratch("yaml-language-server").canonicalize().unwrap();
    let run = support::run(&folder, ["schema", "--output-dir", ".schemas"], b"");
    assert_eq!(run.status, Some(0), "{run:?}");
    let root = format!("file://{}", folder.display());
    let settings = settings(&root);
    let text = fs::read_to_string(support::root().join("testdata/mistakes/shop.yaml")).unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let capabilities = json!({ "workspace": { "configuration": true } });
    let folders = json!([{ "uri": root, "name": "x" }]);
    let start =
        json!({ "processId": null, "rootUri": root, "capabilities": capabilities, "workspaceFolders": folders });
    send(&mut server, json!({ "id": 1, "method": "initialize", "params": start }));
    let published = loop {
        let message = receive(&mut output).expect("the server ended");
        let (method, id) = (message["method"].as_str().unwrap_or_default(), &message["id"]);
        if method.is_empty() && *id == 1 {
            let document =
                json!({ "uri": format!("{root}/shop.yaml"), "languageId": "yaml", "version": 1, "text": text });
            for (method, params) in [
                ("initialized", json!({})),
                ("workspace/didChangeConfiguration", json!({ "settings": { "yaml": settings } })),
                ("textDocument/didOpen", json!({ "textDocument": document })),
            ] {
                send(&mut server, json!({ "method": method, "params": params }));
            }
        } else if method == "workspace/configuration" {
            let items = message["params"]["items"].as_array().unwrap().iter();
            let result: Vec<_> =
                items.map(|item| if item["section"] == "yaml" { settings.clone() } else { Value::Null }).collect();
            send(&mut server, json!({ "id": id, "result": result }));
        } else if method == "textDocument/publishDiagnostics" {
            match message["params"]["diagnostics"].as_array() {
                Some(actual) if !actual.is_empty() => break actual.clone(),
                _ => {}
            }
        } else if !id.is_null() {
            send(&mut server, json!({ "id": id, "result": null }));
        }
    };
    let _ = server.kill();
    let _ = server.wait();
    let mut lines: Vec<_> = published.iter().map(|actual| actual["range"]["start"]["line"].as_u64().unwrap()).collect();
    lines.sort_unstable();
    let shown_lines: Vec<_> = lines.iter().filter_map(|line| text.lines().nth(*line as usize)).map(str::trim).collect();
    assert_eq!(shown_lines, ["matchLabels: {canary: no}", "- port: 8080", "intervall: 30s"], "{published:?}");
}
