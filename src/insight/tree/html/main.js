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
function refilter(isTyped = false) {
  filter = new Filter(state);
  top = roots(state.agent);
  opened = firstOpened(top);
  state.open.clear();
  renderControls();
  render();
  remember(isTyped);
}

/** Shows what is known of a resource, or the overview where there is none. */
function select(resource, agent) {
  state.node = resource;
  state.agentOfNode = resource && (agent ?? agentAbove(resource));
  for (const item of rows) item.node.setAttribute("aria-selected", String(item.resource !== undefined && item.resource === resource));
  document.body.classList.toggle("detailed", resource !== null);
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

/** The filters with how many resources each would show beside the others, and how many are shown. */
function renderControls() {
  const chip = (set, name, label, count, lead) => element("button", {
    className: count || set.has(name) ? "chip" : "chip none", "aria-pressed": String(set.has(name)), title: label, onclick: () => toggle(set, name),
  }, lead, element("span", { className: "label" }, label), element("span", { className: "number" }, String(count)));
  const beside = resources.filter((resource) => filter.matchesBeside(resource));
  const matches = beside.filter((resource) => filter.matches(resource));
  const kinds = data.kinds.filter((kind) => resources.some((resource) => resource.kind === kind));
  $("kinds").replaceChildren(...kinds.map((kind) => chip(state.kinds, kind, kind, beside.filter((resource) => resource.kind === kind).length, tile(kind))));
  const marks = Object.entries(MARKS).filter(([mark]) => state.marks.has(mark) || resources.some((resource) => resource.marks.has(mark)));
  $("marks").replaceChildren(...marks.map(([mark, label]) => chip(state.marks, mark, label, matches.filter((resource) => resource.marks.has(mark)).length, element("span", { className: `dot m-${mark}${mark === "problems" && resources.some(({ level }) => level === "bad") ? " bad" : ""}` }))));
  $("found").textContent = matches.length < resources.length || filter.active ? `${matches.length} of ${resources.length} resources` : `${resources.length} resources`;
  $("clear").hidden = !filter.active && state.agent === "";
  $("agent").value = state.agent;
  for (const view of ["tree", "graph"]) $(`as-${view}`).setAttribute("aria-pressed", String(state.view === view));
}

/** Puts what is shown into the address. What is typed changes it; everything else is a step that Back undoes. */
function remember(isTyped = false) {
  const parameters = new URLSearchParams();
  if (state.q) parameters.set("q", state.q);
  if (state.kinds.size) parameters.set("kind", [...state.kinds].join(","));
  if (state.marks.size) parameters.set("show", [...state.marks].join(","));
  if (state.agent) parameters.set("agent", state.agent);
  if (state.view !== "tree") parameters.set("view", state.view);
  if (state.all) parameters.set("fold", "none");
  if (state.node) parameters.set("node", state.node.ref);
  const fragment = parameters.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  const address = fragment ? `#${fragment}` : location.pathname + location.search;
  if (isTyped || recalling) history.replaceState(null, "", address);
  else if (fragment !== remembered) history.pushState(null, "", address);
  remembered = fragment;
}

let remembered = null;
let recalling = false;

/** Shows what the address says; what is folded stays, where the filters are the same. */

function recall() {
  recalling = true;
  const before = filters();
  const parameters = new URLSearchParams(location.hash.slice(1));
  const list = (name, known) => new Set((parameters.get(name) ?? "").split(",").filter((word) => known.includes(word)));
  state.q = parameters.get("q") ?? "";
  state.kinds = list("kind", data.kinds);
  state.marks = list("show", Object.keys(MARKS));
  state.agent = data.agents.map((id) => resources[id].ref).find((ref) => ref === parameters.get("agent")) ?? "";
  state.view = parameters.get("view") === "graph" ? "graph" : "tree";
  state.all = parameters.get("fold") === "none";
  $("search").value = state.q;
  const chosen = byRef.get(parameters.get("node"));
  if (!top.length || filters() !== before) refilter();
  else setView(state.view);
  if (chosen) reveal(chosen);
  else select(null);
  recalling = false;
}

const filters = () => JSON.stringify([state.q, [...state.kinds], [...state.marks], state.agent, state.all]);

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
  typing = setTimeout(() => { state.q = event.target.value; refilter(true); }, 90);
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
  if (event.key === "Escape") {
    if (filter.active || state.agent || isTyping) clear();
    else select(null);
    if (isTyping) document.activeElement.blur();
  }
  const zoom = state.view === "graph" && !isTyping && !event.ctrlKey && !event.metaKey && ZOOM_KEYS[event.key];
  if (zoom) { event.preventDefault(); zoom(); }
});
addEventListener("popstate", recall);
addEventListener("resize", () => { if (state.view === "graph") renderGraph(); });
recall();
