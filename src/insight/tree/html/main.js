// The state of the page, which is in its address too.

const state = { q: "", kinds: new Set(), marks: new Set(), agent: "", view: "tree", node: null, agentOfNode: null, all: false, open: new Map() };
let filter = new Filter(state);
let top = [];

function render() {
  renderTree();
  document.body.classList.toggle("wide", state.view === "graph");
  $("graph").hidden = state.view !== "graph";
  tree.hidden = state.view === "graph";
  if (state.view === "graph") renderGraph();
}

/** Shows what the filters and the choice of agent leave. */
function refilter() {
  filter = new Filter(state);
  top = roots(state.agent);
  opened = firstOpened(top);
  state.open.clear();
  renderControls();
  render();
  remember();
}

function select(resource, agent) {
  state.node = resource;
  state.agentOfNode = agent ?? agentAbove(resource);
  for (const item of rows) item.node.setAttribute("aria-selected", String(item.resource === resource));
  document.body.classList.add("detailed");
  renderDetails();
  if (state.view === "graph") renderGraph();
  remember();
}

function agentAbove(resource) {
  let at = resource;
  for (let depth = 0; depth < 4 && at.above.length; depth += 1) at = at.above[0].from;
  return at.id;
}

/** Selects a resource and unfolds the way to it; filters that hide it are dropped. */
function reveal(resource) {
  if (!filter.keeps(resource) || !rows.some((item) => item.resource === resource)) unfoldTo(resource);
  const item = rows.find((row) => row.resource === resource);
  select(resource, item?.agent);
  if (item) makeCurrent(item, state.view === "tree");
}

function unfoldTo(resource) {
  if (filter.active || state.agent) {
    Object.assign(state, { q: "", kinds: new Set(), marks: new Set(), agent: "" });
    $("search").value = "";
    refilter();
  }
  const way = new Set([resource.id]);
  for (let at = resource; at.above.length;) {
    at = at.above[0].from;
    way.add(at.id);
  }
  const open = (items) => items.forEach((item) => {
    const isOnWay = item.members ? item.members.some(({ to }) => way.has(to)) : way.has(item.resource.id) && item.resource !== resource;
    if (!isOnWay || !hasChildren(item)) return;
    state.open.set(item.key, true);
    open(children(item));
  });
  open(top);
  render();
}

function toggle(set, name) {
  if (!set.delete(name)) set.add(name);
  refilter();
}

function renderControls() {
  const chip = (set, name, label, count, lead) => element("button", {
    className: "chip", "aria-pressed": String(set.has(name)), onclick: () => toggle(set, name),
  }, lead, label, element("span", { className: "number" }, String(count)));
  const kinds = data.kinds.map((kind) => [kind, resources.filter((resource) => resource.kind === kind).length]).filter(([, count]) => count);
  $("kinds").replaceChildren(...kinds.map(([kind, count]) => chip(state.kinds, kind, kind, count, tile(kind))));
  const marks = Object.entries(MARKS).map(([mark, label]) => [mark, label, resources.filter((resource) => resource.marks.has(mark)).length]).filter(([mark, , count]) => count || state.marks.has(mark));
  $("marks").replaceChildren(...marks.map(([mark, label, count]) => chip(state.marks, mark, label, count, element("span", { className: `dot m-${mark}` }))));
  const matches = filter.active ? resources.filter((resource) => filter.matches(resource)).length : 0;
  $("found").textContent = filter.active ? `${matches} of ${resources.length} resources` : `${resources.length} resources`;
  $("clear").hidden = !filter.active && state.agent === "";
  $("agent").value = state.agent;
  for (const view of ["tree", "graph"]) $(`as-${view}`).setAttribute("aria-pressed", String(state.view === view));
}

/** The address of what is shown. */
function remember() {
  const parameters = new URLSearchParams();
  if (state.q) parameters.set("q", state.q);
  if (state.kinds.size) parameters.set("kind", [...state.kinds].join(","));
  if (state.marks.size) parameters.set("show", [...state.marks].join(","));
  if (state.agent) parameters.set("agent", state.agent);
  if (state.view !== "tree") parameters.set("view", state.view);
  if (state.all) parameters.set("fold", "none");
  if (state.node) parameters.set("node", state.node.ref);
  const fragment = parameters.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
}

function recall() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const list = (name, known) => new Set((parameters.get(name) ?? "").split(",").filter((word) => known.includes(word)));
  state.q = parameters.get("q") ?? "";
  state.kinds = list("kind", data.kinds);
  state.marks = list("show", Object.keys(MARKS));
  state.agent = data.agents.map((id) => resources[id].ref).find((ref) => ref === parameters.get("agent")) ?? "";
  state.view = parameters.get("view") === "graph" ? "graph" : "tree";
  state.all = parameters.get("fold") === "none";
  state.node = null;
  $("search").value = state.q;
  const chosen = byRef.get(parameters.get("node"));
  refilter();
  if (chosen) reveal(chosen);
  else renderDetails();
}

function setView(view) {
  state.view = view;
  renderControls();
  render();
  remember();
}

function foldAll(all) {
  state.all = all;
  state.open.clear();
  opened = new Set();
  if (!all && filter.active) for (const item of rows) state.open.set(item.key, item.level === 1);
  render();
  remember();
}

function clear() {
  Object.assign(state, { q: "", kinds: new Set(), marks: new Set(), agent: "" });
  $("search").value = "";
  refilter();
}

$("agent").append(element("option", { value: "" }, "all"), ...data.agents.map((id) => element("option", { value: resources[id].ref }, `${resources[id].namespace}/${resources[id].name}`)));
$("agents").hidden = data.agents.length < 2;
$("agent").addEventListener("change", (event) => { state.agent = event.target.value; refilter(); });
let typing;
$("search").addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(() => { state.q = event.target.value; refilter(); }, 90);
});
$("search").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && current) { event.preventDefault(); makeCurrent(rows[0], true); }
});
$("as-tree").addEventListener("click", () => setView("tree"));
$("as-graph").addEventListener("click", () => setView("graph"));
$("unfold").addEventListener("click", () => foldAll(true));
$("fold").addEventListener("click", () => foldAll(false));
$("clear").addEventListener("click", clear);
document.addEventListener("keydown", (event) => {
  const isTyping = ["INPUT", "SELECT"].includes(document.activeElement?.tagName);
  if (event.key === "/" && !isTyping) { event.preventDefault(); $("search").focus(); }
  if (event.key === "Escape") { clear(); if (isTyping) document.activeElement.blur(); }
});
addEventListener("hashchange", recall);
addEventListener("resize", () => { if (state.view === "graph") renderGraph(); });
recall();
