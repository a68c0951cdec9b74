//! Tests the page that `agentctl tree -o html` writes, in a real browser. Debian's `chromium` package contains one; if
//! none is installed, the test is skipped. A script that runs after the page's own script acts like a user and adds its
//! results to the document, which the browser prints.

use crate::support;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};

/// Functions shared by the test scripts. `done` prints a value and the time it took to open the page.
const TOOLS: &str = r##"
const $ = (id) => document.getElementById(id);
const rows = () => [...document.querySelectorAll("#tree [role=treeitem]")];
const names = () => rows().map((row) => row.querySelector(".name").textContent);
const row = (name) => rows().find((row) => row.querySelector(".name").textContent === name);
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const chip = (label) => [...document.querySelectorAll(".chip")].find((chip) => chip.textContent.includes(label));
const settle = () => new Promise((resolve) => setTimeout(resolve, 150));
const search = async (text) => { $("search").value = text; $("search").dispatchEvent(new Event("input")); await settle(); };
const opened = performance.now();
const done = (value) => {
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = encodeURIComponent(JSON.stringify({ value, opened }));
  document.body.append(result);
  if (parent !== window) parent.postMessage(value, "*");
};
"##;

/// Returns the name of the browser to use, or `None` if none is installed.
fn browser() -> Option<&'static str> {
    static PATH: LazyLock<Option<&str>> = LazyLock::new(|| {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let mut names = names.into_iter();
        names.find(|name| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success()))
    });
    if PATH.is_none() {
        support::report_skipped("the page of tree", "chromium");
    }
    *PATH
}

/// An HTML page of `tree`, as opened in a browser.
struct Page {
    folder: PathBuf,
    html: String,
    browser: &'static str,
    /// Width of the window in pixels. The browser's minimum is 500.
    width: u32,
}

impl Page {
    /// Generates the page for an input, or returns `None` if no browser is installed.
    fn render(name: &str, directory: &Path, input: &str) -> Option<Self> {
        let browser = browser()?;
        let run = support::run(directory, ["tree", input, "-o", "html"], b"");
        Some(Self { folder: support::scratch(&format!("tree-html-{name}")), html: run.stdout, browser, width: 1400 })
    }

    /// Opens the page at a fragment and runs a script. Returns the script's result, and the time it took to open the
    /// page, in milliseconds.
    fn run_script(&self, fragment: &str, script: &str) -> (Value, f64) {
        self.result(&self.with_script(script), fragment)
    }

    /// Opens the page in a frame for each width and fragment and runs a script in it. Returns the results. All frames
    /// share a browser, because starting a browser takes longer than opening the page.
    fn run_script_in_frames(&self, frames: &[(u32, &str)], script: &str) -> Vec<Value> {
        self.with_script(script);
        let frames = serde_json::to_string(frames).unwrap();
        let html = format!(
            "<!DOCTYPE html><body><script>
            {TOOLS}
            const frames = {frames}, results = [];
            const next = () => {{
              const frame = document.createElement('iframe');
              [frame.width, frame.height, frame.src] = [frames[results.length][0], 900, 'page.html#' + frames[results.length][1]];
              document.body.replaceChildren(frame);
            }};
            addEventListener('message', (message) => results.push(message.data) < frames.length ? next() : done(results));
            next();
            </script></body>"
        );
        let file = self.folder.join("frames.html");
        fs::write(&file, html).unwrap();
        let results = self.result(&file, "").0.as_array().unwrap().clone();
        assert_eq!(results.len(), frames.matches('[').count() - 1);
        results
    }

    /// Writes the page with a script that runs after the page's own script, and returns the file.
    fn with_script(&self, script: &str) -> PathBuf {
        let script = format!("<script>(async () => {{{TOOLS}{script}}})();</script></body>");
        let file = self.folder.join("page.html");
        // The page's policy permits only the page's own script, so it is relaxed for the test script.
        let (before, rest) = self.html.split_once("script-src 'sha256-").unwrap();
        let (_, after) = rest.split_once('\'').unwrap();
        let html = format!("{before}script-src 'unsafe-inline'{after}");
        fs::write(&file, html.replace("</body>", &script)).unwrap();
        file
    }

    /// Opens a file at a fragment. Returns the value in its result, and the time it took to open the file.
    fn result(&self, file: &Path, fragment: &str) -> (Value, f64) {
        // On a busy machine, the browser may exit before the page is ready. Without a result, the page is opened again.
        let mut attempts = (0..3).map(|_| self.open(file, fragment));
        let result = attempts.find_map(|dom| {
            let (_, rest) = dom.split_once("<pre id=\"result\">")?;
            Some(rest.split_once("</pre>")?.0.to_owned())
        });
        let Some(result) = result else { panic!("the page has no result") };
        let result: Value = serde_json::from_str(&decode_uri_component(&result)).unwrap();
        (result.get("value").unwrap().clone(), result.get("opened").unwrap().as_f64().unwrap())
    }

    /// Opens the page in the browser and returns the document after its scripts have run.
    fn open(&self, file: &Path, fragment: &str) -> String {
        let profile = self.folder.join("profile");
        let output = Command::new(self.browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--virtual-time-budget=20000"])
            .arg(format!("--window-size={},900", self.width))
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("--dump-dom")
            .arg(format!("file://{}#{fragment}", file.display()))
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn value(&self, fragment: &str, script: &str) -> Value {
        self.run_script(fragment, script).0
    }
}

/// Decodes the output of `encodeURIComponent`.
fn decode_uri_component(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Tests that the page runs under its own policy, which permits no other script.
#[test]
fn page_runs_only_its_own_script() {
    let Some(page) = Page::render("policy", support::root(), "testdata/quickstart") else {
        return;
    };
    for part in ["base-uri 'none'", "form-action 'none'", "default-src 'none'"] {
        assert!(page.html.contains(part), "{part}");
    }
    assert!(!page.html.contains("unsafe-inline"));
    let file = page.folder.join("page.html");
    let planted = "<script>document.body.append('planted ' + 'ran')</script></body>";
    fs::write(&file, page.html.replace("</body>", planted)).unwrap();
    let dom = page.open(&file, "");
    assert!(dom.contains("role=\"treeitem\"") && !dom.contains("planted ran"), "{dom}");
}

#[test]
fn url_fragment_restores_the_page_state() {
    let Some(page) = Page::render("tree-address", &support::root().join("testdata/tree"), "input") else {
        return;
    };
    let script = "done({ names: names(), found: $('found').textContent, title: document.querySelector('aside h2').textContent })";
    let fragments = [
        "",
        "kind=Probe&agent=GrafanaAgent/monitoring/edge",
        "show=unselected",
        "node=ServiceMonitor/shop/checkout",
        "kind=Nonsense&show=x&node=y&agent=z&q=%FF",
    ];
    let [all, probes, unselected, chosen, nonsense] =
        page.run_script_in_frames(&fragments.map(|fragment| (page.width, fragment)), script).try_into().unwrap();
    assert_eq!(all["found"], "18 resources");
    assert_eq!(all["title"], "Overview");
    assert_eq!(all["names"].as_array().unwrap().len(), 27, "{all:#}");
    assert_eq!(probes["names"], json!(["monitoring/edge", "monitoring/primary", "shop/front-page"]));
    assert_eq!(unselected["names"], json!(["Not selected", "shop/spare", "shop/cart"]));
    assert_eq!(unselected["found"], "2 of 18 resources");
    assert_eq!(chosen["title"], "shop/checkout");
    assert_eq!(nonsense["names"], json!([]));
}

#[test]
fn keys_and_clicks_control_collapsing_search_and_selection() {
    let Some(page) = Page::render("tree-keys", &support::root().join("testdata/tree"), "input") else {
        return;
    };
    let actual = page.value(
        "",
        r##"
        const found = {};
        const count = rows().length;
        row("monitoring/core").click();
        press("ArrowLeft");
        found.folded = count - rows().length;
        found.expanded = row("monitoring/core").getAttribute("aria-expanded");
        press("ArrowRight");
        press("ArrowRight");
        found.below = document.activeElement.querySelector(".name").textContent;
        press("End");
        found.last = document.activeElement === rows().at(-1);
        press("Home");
        found.first = document.activeElement === rows()[0];
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
        found.searching = document.activeElement.id;
        await search("scrape-token");
        found.matches = names();
        found.marked = document.querySelectorAll("#tree mark").length > 0;
        row("shop/checkout").click();
        found.job = document.querySelector("aside pre").textContent;
        found.address = location.hash;
        found.findings = document.querySelectorAll("aside .findings li").length;
        found.fields = [...document.querySelectorAll("aside .fields code")].map((code) => code.textContent);
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        found.cleared = rows().length;
        chip("Problems").click();
        found.problems = $("found").textContent;
        found.pressed = chip("Problems").getAttribute("aria-pressed");
        chip("Problems").click();
        $("as-graph").click();
        found.boxes = document.querySelectorAll(".box").length;
        found.lines = document.querySelectorAll(".sheet path").length;
        found.focusable = rows().filter((row) => row.tabIndex === 0).length;
        done(found);
        "##,
    );
    assert_eq!(actual["expanded"], "false");
    assert_eq!(actual["folded"], 10);
    assert_eq!(actual["below"], "monitoring/client-certificates");
    assert_eq!((&actual["first"], &actual["last"]), (&json!(true), &json!(true)));
    assert_eq!(actual["searching"], "search");
    assert_eq!(actual["matches"][2], "shop/checkout", "{actual:#}");
    assert_eq!(actual["matches"][3], "shop/scrape-token");
    assert_eq!(actual["marked"], true);
    let job = actual["job"].as_str().unwrap();
    assert!(job.contains("job_name: serviceMonitor/shop/checkout/0"), "{job}");
    assert!(job.contains("bearer_token: '*** (Secret shop/scrape-token, key token)'"), "{job}");
    assert_eq!(actual["address"], "#q=scrape-token&node=ServiceMonitor/shop/checkout");
    assert_eq!(actual["findings"], 0, "an ExternalSecret makes the Secret");
    assert_eq!(actual["fields"][0], "spec.endpoints[0].bearerTokenSecret");
    assert_eq!(actual["cleared"], 27);
    assert_eq!(actual["pressed"], "true");
    assert_ne!(actual["problems"], "18 resources");
    assert_eq!(actual["boxes"], 20, "each resource once, and two sections");
    assert_eq!(actual["lines"], 14);
    assert_eq!(actual["focusable"], 1, "one row can be reached with the tabulator key");
}

#[test]
fn filters_show_counts_and_back_undoes_each_step() {
    let Some(page) = Page::render("tree-steps", &support::root().join("testdata/tree"), "input") else {
        return;
    };
    let actual = page.value(
        "",
        r##"
        const found = {};
        const count = (label) => chip(label).querySelector(".number").textContent;
        const title = () => document.querySelector("aside h2").textContent;
        const back = async () => { history.back(); await settle(); };
        found.all = [count("Probe"), count("Problems"), count("Refused")];
        chip("Probe").click();
        found.probes = [count("Secret"), count("Problems"), count("Refused"), count("Paused"), chip("Paused").className];
        $("agent").value = "GrafanaAgent/legacy/old";
        $("agent").dispatchEvent(new Event("change"));
        found.agent = [$("found").textContent, count("Integration"), count("Probe")];
        await back();
        row("shop/front-page").click();
        found.chosen = title();
        $("as-graph").click();
        await back();
        found.view = [$("graph").hidden, title()];
        row("monitoring/core").querySelector(".twist").click();
        await back();
        found.folded = [title(), row("monitoring/core").getAttribute("aria-expanded"), $("found").textContent];
        await back();
        found.first = [$("found").textContent, location.hash];
        done(found);
        "##,
    );
    assert_eq!(actual["all"], json!(["2", "11", "1"]));
    assert_eq!(actual["probes"], json!(["4", "2", "1", "0", "chip none"]), "{actual:#}");
    assert_eq!(actual["agent"], json!(["0 of 18 resources", "1", "0"]));
    assert_eq!(actual["chosen"], "shop/front-page");
    assert_eq!(actual["view"], json!([true, "shop/front-page"]));
    assert_eq!(actual["folded"], json!(["Overview", "false", "2 of 18 resources"]), "what is folded stays");
    assert_eq!(actual["first"], json!(["18 resources", ""]));
}

#[test]
fn findings_show_help_and_badges_once() {
    let Some(page) = Page::render("tree-findings", &support::root().join("testdata/tree"), "input") else {
        return;
    };
    let actual = page.value(
        "",
        r##"
        const badges = (name) => [...row(name).querySelectorAll(".badge")].map((badge) => badge.textContent);
        const found = { overview: {} };
        for (const entry of document.querySelectorAll(".overview .links > li")) {
          const complaint = entry.querySelector(".complaint");
          found.overview[entry.querySelector(".name").textContent] = [complaint.textContent, complaint.querySelectorAll("code").length];
        }
        found.badges = [badges("legacy/old"), badges("shop/cart"), badges("shop/broken"), badges("shop/ledger")];
        row("monitoring/loki").click();
        found.finding = [...document.querySelector(".findings li").children].map((part) => part.textContent);
        found.code = [...document.querySelectorAll(".findings .help code")].map((code) => code.textContent);
        done(found);
        "##,
    );
    let overview = &actual["overview"];
    assert_eq!(
        overview["monitoring/loki"],
        json!(["Secret credentials has no key user; using a placeholder instead", 2]),
        "{actual:#}"
    );
    assert_eq!(overview["monitoring/credentials"], json!(["has no key user", 1]));
    assert_eq!(overview["monitoring/client-certificates"], json!(["not in the input", 0]));
    assert_eq!(
        actual["badges"],
        json!([["paused"], [], ["1 error"], ["1 warning"]]),
        "the state or the section says the rest"
    );
    assert_eq!(
        actual["finding"],
        json!([
            "Secret credentials has no key user; using a placeholder instead",
            "use one of the Secret's keys: password, username",
            "spec.clients[0].basicAuth.username.key · warning[missing-key]"
        ])
    );
    assert_eq!(actual["code"], json!(["password", "username"]));
}

#[test]
fn narrow_windows_do_not_truncate_names() {
    let folder = support::scratch("tree-narrow-input");
    let name = "a-name-as-long-as-nobody-would-want-to-type-it-twice-".repeat(4);
    let mut text = resources_with_monitors(20);
    let _ = write!(
        text,
        "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}x, namespace: a-namespace-with-a-long-name}}\n\
         spec: {{selector: {{}}, endpoints: [{{port: http, bearerTokenSecret: {{name: {name}y, key: token}}}}]}}\n",
    );
    fs::write(folder.join("all.yaml"), text).unwrap();
    let Some(page) = Page::render("tree-narrow", &folder, "all.yaml") else {
        return;
    };
    let script = r##"
        const cut = (node) => node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().right > innerWidth;
        const found = { wide: document.documentElement.scrollWidth > innerWidth };
        found.rows = [...document.querySelectorAll("#tree .own")].filter(cut).length;
        found.names = document.querySelectorAll("#tree .own").length;
        $("as-graph").click();
        const low = (box) => box.querySelector(".lines").scrollHeight > box.clientHeight;
        found.boxes = [...document.querySelectorAll(".box")].filter(low).length;
        const before = document.querySelector(".paper").clientWidth;
        document.querySelector(".zoom [title=Smaller]").click();
        found.smaller = document.querySelector(".paper").clientWidth < before;
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
        found.original = $("scale").textContent;
        found.lanes = new Set([...document.querySelectorAll(".sheet path")].map((path) => /H([\d.]+)q/.exec(path.getAttribute("d"))?.[1])).size;
        done(found);
    "##;
    let widths = [500, 900, 1400];
    for (width, actual) in
        widths.into_iter().zip(page.run_script_in_frames(&widths.map(|width| (width, "fold=none")), script))
    {
        assert_eq!((&actual["wide"], &actual["rows"]), (&json!(false), &json!(0)), "{width}: {actual:#}");
        assert_eq!(actual["names"], 24);
        assert_eq!(actual["boxes"], 0, "{width}: {actual:#}");
        assert_eq!((&actual["smaller"], &actual["original"]), (&json!(true), &json!("100 %")));
        assert!(actual["lanes"].as_u64().unwrap() <= 3, "{width}: {actual:#}");
    }
}

/// Returns an agent, an instance, and ServiceMonitors in ten namespaces.
fn resources_with_monitors(count: usize) -> String {
    let mut text = String::from(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a}\nspec: {metrics: {instanceSelector: {}}}\n---\n\
         apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: m}\nspec: {serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {}}\n",
    );
    for i in 0..count {
        let _ = write!(
            text,
            "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: app-{i}, namespace: team-{}}}\n\
             spec: {{selector: {{matchLabels: {{app: app-{i}}}}}, endpoints: [{{port: http, interval: 30s}}]}}\n",
            i % 10
        );
    }
    text
}

#[test]
fn large_pages_start_collapsed() {
    let folder = support::scratch("tree-many-input");
    fs::write(folder.join("all.yaml"), resources_with_monitors(2000)).unwrap();
    let Some(page) = Page::render("tree-many", &folder, "all.yaml") else {
        return;
    };
    let (actual, milliseconds) = page.run_script(
        "",
        r##"
        const found = { first: names() };
        await search("app-1999");
        found.search = names();
        await search("");
        $("unfold").click();
        found.all = rows().length;
        done(found);
        "##,
    );
    println!("2,000 monitors in {milliseconds:.0} ms, {} KiB", page.html.len() / 1024);
    let first = actual["first"].as_array().unwrap();
    assert!(first.len() < 150, "{} rows", first.len());
    assert_eq!(first.get(2).unwrap(), "2000 ServiceMonitors");
    let way = json!(["default/a", "default/m", "1 of 2000 ServiceMonitors", "team-9 · 1 of 200", "team-9/app-1999"]);
    assert_eq!(actual["search"], way);
    assert_eq!(actual["all"], 2013);
}

#[test]
fn escapes_names_as_text() {
    let folder = support::scratch("tree-text-input");
    let name = r#"</script><img src=x onerror=alert(1)>"#;
    let agent = format!(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: a}}\nspec: {{secrets: [\"{name}\"]}}\n"
    );
    fs::write(folder.join("agent.yaml"), agent).unwrap();
    let Some(page) = Page::render("tree-text", &folder, "agent.yaml") else {
        return;
    };
    let actual = page.value("", "done({ names: names(), images: document.images.length })");
    assert_eq!(actual, json!({"names": ["default/a", format!("default/{name}")], "images": 0}));
}

#[test]
fn narrow_pages_keep_badges_below_names() {
    let Some(mut page) = Page::render("tree-phone", &support::root().join("testdata/tree"), "input") else {
        return;
    };
    page.width = 500;
    let actual = page.value(
        "",
        r##"
        const box = (node) => node.getBoundingClientRect();
        const found = { cut: [], outside: [], hidden: [] };
        for (const row of rows()) {
          const name = row.querySelector(".name");
          for (const part of row.querySelectorAll(".badge, .place")) if (part.textContent && box(part).left + 1 < box(name).left) found.outside.push(part.textContent);
          for (const key of row.querySelectorAll(".keys code")) if (key.scrollWidth > key.clientWidth + 1) found.cut.push(key.textContent);
          for (const place of row.querySelectorAll(".place")) if (place.textContent && box(place).height === 0) found.hidden.push(place.textContent);
        }
        found.places = document.querySelectorAll(".place").length;
        chip("Problems").click();
        found.dot = chip("Problems").querySelector(".dot").className;
        $("as-graph").click();
        found.bar = box(document.querySelector(".zoom")).top >= box(document.querySelector(".paper")).bottom;
        done(found);
        "##,
    );
    for kind in ["cut", "outside", "hidden"] {
        assert_eq!(actual[kind], json!([]), "{kind}");
    }
    assert!(actual["places"].as_u64().unwrap() > 20);
    assert_eq!(actual["dot"], "dot m-problems bad");
}
