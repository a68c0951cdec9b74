// The graph: what is in sight in the tree, each resource once, in columns from agents to Secrets.

const SVG = "http://www.w3.org/2000/svg";
const COLUMN = { GrafanaAgent: 0, MetricsInstance: 1, LogsInstance: 1, Integration: 1 };
const MOST_BOXES = 900;
const BOX = { height: 42, line: 16, gap: 8, margin: 16, indent: 14 };
const NARROWEST = 150;
const WIDEST = 260;

const isReferredTo = ({ resource }) => resource?.kind === "Secret" || resource?.kind === "ConfigMap";
const columnOf = ({ title, kind, resource }) => (title ? 0 : COLUMN[kind ?? resource.kind] ?? 2);

/** What is one box: a resource wherever it stands, and a group under it. */
function boxKey(item) {
  if (item.resource) return item.resource.id;
  return `${item.parent ? boxKey(item.parent) : ""}${item.key.slice(item.key.lastIndexOf("/"))}`;
}

function renderGraph() {
  const room = $("left").clientWidth - BOX.margin * 2 - BOX.indent * 2 - 16;
  BOX.between = Math.max(36, Math.min(84, room / 16));
  BOX.width = Math.max(NARROWEST, Math.min(WIDEST, (room - 3 * BOX.between) / 4));
  const { boxes, lines } = collect();
  for (const box of boxes) box.height = BOX.height + (linesOfName(box.items[0]) - 1) * BOX.line;
  draw(boxes, lines, arrange(boxes));
}

const pen = document.createElement("canvas").getContext("2d");

/** How many lines a name takes in its box, broken where browsers break it. */
function linesOfName(item) {
  pen.font = `550 13px ${getComputedStyle(document.body).fontFamily}`;
  const times = item.resource?.above.length > 1 ? pen.measureText(`×${item.resource.above.length}`).width + 6 : 0;
  const room = BOX.width - (item.kind ?? item.resource ? 43 : 12) - (hasChildren(item) ? 25 : 0) - times;
  let [lines, used] = [1, 0];
  for (const piece of (item.resource ? item.resource.name : titleOf(item)).split(/(?<=[- ])/)) {
    const width = pen.measureText(piece).width;
    if (used > 0 && used + width > room) [lines, used] = [lines + 1, 0];
    lines += Math.ceil((used + width) / room) - 1;
    used = (used + width) % room;
  }
  return lines;
}

/** The boxes, and the lines between them. A Secret stands one column behind the last that refers to it. */
function collect() {
  const boxes = new Map();
  const lines = new Map();
  for (const item of rows) {
    const key = boxKey(item);
    if (!boxes.has(key)) {
      if (boxes.size === MOST_BOXES) break;
      boxes.set(key, { items: [], parents: [], column: columnOf(item) });
    }
    const box = boxes.get(key);
    box.items.push(item);
    const parent = item.parent && boxes.get(boxKey(item.parent));
    if (!parent) continue;
    box.parents.push(parent);
    if (!item.parent.title) lines.set(`${boxKey(item.parent)} ${key}`, { from: parent, to: box, item });
  }
  for (const box of boxes.values()) {
    const [item] = box.items;
    const [parent] = box.parents;
    if (isReferredTo(item)) box.column = Math.max(...box.parents.map(({ column }) => column)) + 1;
    else if (parent?.column === box.column) box.indent = (parent.indent ?? 0) + 1;
  }
  return { boxes: [...boxes.values()], lines: [...lines.values()] };
}

const columnX = (column) => BOX.margin + column * (BOX.width + BOX.between);

/** Puts boxes in their columns in the order of the tree, none above what leads to it. */
function arrange(boxes) {
  const ends = [0, 1, 2, 3].map(() => BOX.margin);
  for (const box of boxes) {
    const [parent] = box.parents;
    const beside = parent?.y !== undefined && parent.column < box.column ? parent.y : 0;
    box.x = columnX(box.column) + (box.indent ?? 0) * BOX.indent;
    box.y = Math.max(ends[box.column], beside);
    ends[box.column] = box.y + box.height + BOX.gap;
    if (parent?.items[0].title && !parent.isPlaced) Object.assign(parent, { y: Math.max(parent.y, box.y), isPlaced: true });
  }
  return Math.max(...ends) + BOX.margin;
}

function draw(boxes, lines, height) {
  const width = BOX.margin * 2 + 4 * BOX.width + 3 * BOX.between + 2 * BOX.indent;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("aria-hidden", "true");
  bundle(lines);
  // What is chosen is drawn last, so that no other line covers it.
  svg.append(...lines.map(path).sort((a, b) => a.classList.length - b.classList.length));
  const sheet = element("div", { className: "sheet", style: `width:${width}px;height:${height}px` }, svg, ...boxes.map(boxNode));
  $("graph").replaceChildren(element("div", { className: "paper" }, sheet), zoomBar());
  if (boxes.length === MOST_BOXES) $("graph").prepend(element("p", { className: "dim" }, `Only the first ${MOST_BOXES} are drawn; fold or filter to see others.`));
  setZoom(scale);
}

const middle = ({ y, height }) => y + height / 2;

/**
 * Gives each line a lane between its columns. Lines of one box share one, be it where they come from or where they go to; lanes
 * that do not meet are at the same place.
 */
function bundle(lines) {
  const between = lines.filter(({ from, to }) => from.column !== to.column);
  const count = (end) => groupBy(between, (line) => line[end]);
  const [outgoing, incoming] = [count("from"), count("to")];
  const hub = (line) => (outgoing.get(line.from).length >= incoming.get(line.to).length ? line.from : line.to);
  for (const [column, inColumn] of groupBy(between, ({ from }) => from.column)) {
    const lanes = [...groupBy(inColumn, hub).values()].map((members) => {
      const ends = members.flatMap(({ from, to }) => [middle(from), middle(to)]);
      return { members, top: Math.min(...ends), bottom: Math.max(...ends) };
    });
    const ends = [];
    for (const lane of lanes.sort((a, b) => a.top - b.top)) {
      const free = ends.findIndex((end) => end + BOX.gap < lane.top);
      lane.number = free < 0 ? ends.length : free;
      ends[lane.number] = lane.bottom;
    }
    const indent = Math.max(...inColumn.map(({ from }) => from.x)) - columnX(column);
    const apart = Math.min(12, (BOX.between - indent) / (ends.length + 1));
    for (const { members, number } of lanes) {
      for (const line of members) line.lane = columnX(column) + indent + BOX.width + (number + 1) * apart;
    }
  }
}

/** A line from a box along its lane to another. */
function path({ from, to, lane, item: { edge, agent, resource } }) {
  const line = document.createElementNS(SVG, "path");
  const [y1, y2] = [middle(from), middle(to)];
  const round = Math.min(6, Math.abs(y2 - y1) / 2);
  const down = y2 > y1 ? round : -round;
  if (from.column === to.column) line.setAttribute("d", `M${from.x + 7} ${from.y + from.height}V${y2}H${to.x}`);
  else if (round < 1) line.setAttribute("d", `M${from.x + BOX.width} ${y1}H${to.x}`);
  else line.setAttribute("d", `M${from.x + BOX.width} ${y1}H${lane - round}q${round} 0 ${round} ${down}V${y2 - down}q0 ${down} ${round} ${down}H${to.x}`);
  if (edge?.deniedBy.includes(agent) || resource?.state === "missing") line.classList.add("bad");
  if (state.node && [from, to].some(({ items }) => items[0].resource === state.node)) line.classList.add("near");
  return line;
}

let scale = 1;

/** Draws the graph larger or smaller; what is at a point of the window stays there. */
function setZoom(to, x = 0, y = 0) {
  const [left, paper] = [$("left"), document.querySelector(".paper")];
  const sheet = paper.firstChild;
  const [atX, atY] = [(left.scrollLeft + x) / scale, (left.scrollTop + y) / scale];
  scale = Math.max(0.2, Math.min(2.5, to));
  sheet.style.transform = `scale(${scale})`;
  paper.style.width = `${parseFloat(sheet.style.width) * scale}px`;
  paper.style.height = `${parseFloat(sheet.style.height) * scale}px`;
  left.scrollTo(atX * scale - x, atY * scale - y);
  $("scale").textContent = `${Math.round(scale * 100)} %`;
}

/** The whole graph, if it can still be read. */
function fit() {
  const { style } = document.querySelector(".sheet");
  setZoom(Math.min(1, $("left").clientWidth / parseFloat(style.width), $("left").clientHeight / parseFloat(style.height)));
}

const ZOOM_KEYS = { "+": () => setZoom(scale * 1.25), "-": () => setZoom(scale / 1.25), 0: () => setZoom(1) };

function zoomBar() {
  const button = (label, title, onclick) => element("button", { title, "aria-label": title, onclick }, label);
  return element("div", { className: "zoom switch", role: "group", "aria-label": "Zoom" },
    button("−", "Smaller", ZOOM_KEYS["-"]), element("button", { id: "scale", title: "Original size", onclick: ZOOM_KEYS[0] }, ""),
    button("+", "Larger", ZOOM_KEYS["+"]), button("Fit", "Show the whole graph", fit));
}

$("left").addEventListener("wheel", (event) => {
  if (state.view !== "graph" || !event.ctrlKey) return;
  event.preventDefault();
  const { left, top } = $("left").getBoundingClientRect();
  setZoom(scale * Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
}, { passive: false });

function boxNode({ items, x, y, height }) {
  const [item] = items;
  const { resource } = item;
  const isOpen = items.some(({ open }) => open);
  const title = resource ? resource.ref : titleOf(item);
  const label = resource ? [element("span", { className: "name" }, resource.name), element("span", { className: "space" }, resource.namespace)] : [element("span", { className: "name" }, title)];
  const kind = item.kind ?? resource?.kind;
  const classes = ["box", ...(resource ? [`m-${resource.level}`, `m-${resource.state}`] : ["m-group"])];
  if (resource && resource === state.node) classes.push("chosen");
  if (filter.active && resource && !filter.matches(resource)) classes.push("beside");
  const fold = () => {
    for (const one of items) state.open.set(one.key, !isOpen);
    render();
  };
  const box = element("div", { className: classes.join(" "), style: `left:${x}px;top:${y}px;width:${BOX.width}px;height:${height}px` },
    element("button", { className: "label", title: resource ? `${title}\n${place(resource)}` : title, onclick: () => (resource ? select(resource, item.agent) : fold()) },
      kind ? tile(kind) : null, element("span", { className: "lines" }, ...label)));
  if (resource && resource.above.length > 1) box.append(element("span", { className: "times", title: `shared by ${resource.above.length}` }, `×${resource.above.length}`));
  if (hasChildren(item)) box.append(element("button", { className: "more", "aria-expanded": String(isOpen), "aria-label": `Unfold ${title}`, onclick: fold }, isOpen ? "−" : "+"));
  return box;
}
