// The tree: one row an item that is in sight, so that what is folded costs nothing.

const OPEN_ROWS = 140;
const MOST_ROWS = 1500;

const tree = $("tree");
let rows = [];
let current = null;

const hasChildren = (item) => (item.members ?? item.resource.edges).length > 0;

/** Whether an item is unfolded: as the user left it, else where it leads to a match. */
function isOpen(item) {
  const chosen = state.open.get(item.key);
  if (chosen !== undefined) return chosen;
  if (filter.active) return budget > 0 && leads(item);
  return state.all || opened.has(item.key);
}

/** Which items are unfolded at first: level by level, as far as there is room. */
function firstOpened(items) {
  const open = new Set();
  let room = OPEN_ROWS - items.length;
  let level = items;
  while (level.length) {
    const next = [];
    for (const item of level) {
      const below = hasChildren(item) ? children(item) : [];
      if (!below.length || below.length > room) continue;
      room -= below.length;
      open.add(item.key);
      next.push(...below);
    }
    level = next;
  }
  return open;
}

let budget = 0;
let opened = new Set();

function visible(items, into) {
  for (const item of items) {
    if (!kept(item)) continue;
    into.push(item);
    budget -= 1;
    item.open = hasChildren(item) && isOpen(item);
    if (item.open) visible(children(item), into);
  }
  return into;
}

function renderTree() {
  const focused = tree.contains(document.activeElement);
  budget = MOST_ROWS;
  rows = visible(top, []);
  tree.replaceChildren(...rows.map(row));
  $("empty").hidden = rows.length > 0;
  const keep = rows.find((item) => current && item.key === current.key) ?? rows[0];
  if (keep) makeCurrent(keep, focused);
}

function row(item) {
  const node = element("div", {
    role: "treeitem",
    className: item.resource ? "row" : "row group",
    "aria-level": item.level,
    "aria-expanded": hasChildren(item) ? String(item.open) : null,
    "aria-selected": String(item.resource !== undefined && item.resource === state.node),
    tabindex: "-1",
    style: `--level:${item.level - 1}`,
  });
  node.append(element("span", { className: "twist", "aria-hidden": "true" }));
  node.append(...(item.resource ? resourceCells(item) : groupCells(item)));
  if (filter.active && item.resource && !filter.matches(item.resource)) node.classList.add("beside");
  node.item = item;
  item.node = node;
  return node;
}

function groupCells(item) {
  return [item.kind ? tile(item.kind) : null, element("span", { className: "name" }, titleOf(item))].filter(Boolean);
}

function resourceCells(item) {
  const { resource, edge } = item;
  const keys = edge ? keysOf(edge) : [];
  const missing = new Set((edge?.references ?? []).filter((reference) => reference.missing).map((reference) => reference.key));
  return [tile(resource.kind), element("span", { className: "cells" }, ...[
    nameOf(resource, filter.words),
    keys.length ? element("span", { className: "keys", title: keys.join(", ") }, ...keys.map((key) => element("code", { className: missing.has(key) ? "bad" : null, title: missing.has(key) ? "this key is missing" : null }, ...marked(key, filter.words)))) : null,
    ...badges(item),
    item.open ? null : element("span", { className: "under" }, under(resource)),
    element("span", { className: "place" }, element("bdi", {}, ...marked(place(resource), filter.words))),
  ].filter(Boolean))];
}

/** The finding that says no more than the badge of the state does. */
const SAID = { paused: "paused-agent", unselected: "unselected" };

/** What is remarkable about a resource. A section of the tree needs no badge for what its title says. */
function badges({ resource, edge, agent, parent }) {
  const badge = (kind, label, title) => element("span", { className: `badge ${kind}`, title }, label);
  const found = [];
  if (edge?.deniedBy.includes(agent)) found.push(badge("warn", "excluded", "it refers to files, and the agent denies file access"));
  if (resource.state === "missing") found.push(badge("bad", "missing", "not in the input"));
  if (resource.state === "refused" && !parent?.title) found.push(badge("bad", "refused", "the API server would reject it"));
  if (resource.state === "unselected" && !parent?.title) found.push(badge("warn", "unselected", "nothing selects it"));
  if (resource.state === "paused") found.push(badge("warn", "paused", "nothing is created or changed"));
  if (resource.state === "promised") found.push(badge("info", "created in the cluster", resource.madeBy));
  for (const [kind, level] of [["bad", "error"], ["warn", "warning"]]) {
    const more = resource.findings.filter(({ severity, code }) => severity === level && SAID[resource.state] !== code);
    if (more.length) found.push(badge(kind, `${more.length} ${level}${more.length > 1 ? "s" : ""}`, more.map(({ message }) => message).join("\n")));
  }
  if (resource.above.length > 1) found.push(badge("info", `shared by ${resource.above.length}`));
  return found;
}

function under(resource) {
  const counts = new Map();
  for (const { to } of resource.edges) {
    const { kind } = resources[to];
    if (kind !== "Secret" && kind !== "ConfigMap") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => plural(kind, count)).join(", ");
}

function makeCurrent(item, focus) {
  if (current?.node) current.node.tabIndex = -1;
  current = item;
  item.node.tabIndex = 0;
  if (focus) {
    item.node.focus({ preventScroll: true });
    item.node.scrollIntoView({ block: "nearest" });
  }
}

function setOpen(item, open) {
  if (!hasChildren(item) || item.open === open) return;
  state.open.set(item.key, open);
  makeCurrent(item, false);
  render();
}

function activate(item, focus = true) {
  makeCurrent(item, focus);
  if (item.resource) select(item.resource, item.agent);
  else setOpen(item, !item.open);
}

tree.addEventListener("click", (event) => {
  const item = event.target.closest(".row")?.item;
  if (!item) return;
  if (event.target.closest(".twist")) {
    makeCurrent(item, true);
    setOpen(item, !item.open);
  } else activate(item);
});
tree.addEventListener("dblclick", (event) => {
  const item = event.target.closest(".row")?.item;
  if (item?.resource && !event.target.closest(".twist")) setOpen(item, !item.open);
});

const step = (by) => {
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(current) + by))];
  if (next) makeCurrent(next, true);
};
const KEYS = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  PageDown: () => step(20),
  PageUp: () => step(-20),
  Home: () => step(-rows.length),
  End: () => step(rows.length),
  ArrowRight: () => (hasChildren(current) && current.open ? step(1) : setOpen(current, true)),
  ArrowLeft: () => (current.open ? setOpen(current, false) : current.parent && makeCurrent(current.parent, true)),
  Enter: () => activate(current),
  " ": () => activate(current),
  "*": () => {
    for (const item of current.parent ? children(current.parent) : top) if (hasChildren(item)) state.open.set(item.key, true);
    render();
  },
};
tree.addEventListener("keydown", (event) => {
  if (!current || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
