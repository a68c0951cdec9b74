// The graph: what is in sight in the tree, each resource once, in columns from agents to Secrets.

const SVG = "http://www.w3.org/2000/svg";
const COLUMN = { GrafanaAgent: 0, MetricsInstance: 1, LogsInstance: 1, Integration: 1 };
const MOST_BOXES = 900;
const BOX = { height: 42, gap: 8, margin: 16, indent: 14 };
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
  draw(boxes, lines, arrange(boxes));
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
    if (!item.parent.title) lines.set(`${boxKey(item.parent)} ${key}`, [parent, box, item]);
  }
  for (const box of boxes.values()) {
    const [item] = box.items;
    const [parent] = box.parents;
    if (isReferredTo(item)) box.column = Math.max(...box.parents.map(({ column }) => column)) + 1;
    else if (parent?.column === box.column) box.indent = (parent.indent ?? 0) + 1;
  }
  return { boxes: [...boxes.values()], lines };
}

/** Puts boxes in their columns in the order of the tree, none above what leads to it. */
function arrange(boxes) {
  const ends = [0, 1, 2, 3].map(() => BOX.margin);
  for (const box of boxes) {
    const [parent] = box.parents;
    const beside = parent?.y !== undefined && parent.column < box.column ? parent.y : 0;
    box.x = BOX.margin + box.column * (BOX.width + BOX.between) + (box.indent ?? 0) * BOX.indent;
    box.y = Math.max(ends[box.column], beside);
    ends[box.column] = box.y + BOX.height + BOX.gap;
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
  for (const line of lines.values()) svg.append(curve(...line));
  $("graph").replaceChildren(element("div", { className: "sheet", style: `width:${width}px;height:${height}px` }, svg, ...boxes.map(boxNode)));
  if (boxes.length === MOST_BOXES) $("graph").prepend(element("p", { className: "dim" }, `The first ${MOST_BOXES} are drawn: fold or filter to see others.`));
}

function curve(from, to, { edge, agent, resource }) {
  const path = document.createElementNS(SVG, "path");
  const y1 = from.y + BOX.height / 2;
  const y2 = to.y + BOX.height / 2;
  if (from.column === to.column) {
    path.setAttribute("d", `M${from.x + 7} ${from.y + BOX.height}V${y2}H${to.x}`);
  } else {
    const x1 = from.x + BOX.width;
    const bend = Math.max(24, (to.x - x1) / 2);
    path.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`);
  }
  if (edge?.deniedBy.includes(agent) || resource?.state === "missing") path.classList.add("bad");
  if (state.node && [from, to].some(({ items }) => items[0].resource === state.node)) path.classList.add("near");
  return path;
}

function boxNode({ items, x, y }) {
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
  const box = element("div", { className: classes.join(" "), style: `left:${x}px;top:${y}px;width:${BOX.width}px;height:${BOX.height}px` },
    element("button", { className: "label", title: resource ? `${title}\n${place(resource)}` : title, onclick: () => (resource ? select(resource, item.agent) : fold()) },
      kind ? tile(kind) : null, element("span", { className: "lines" }, ...label)));
  if (resource && resource.above.length > 1) box.append(element("span", { className: "times", title: `shared by ${resource.above.length}` }, `×${resource.above.length}`));
  if (hasChildren(item)) box.append(element("button", { className: "more", "aria-expanded": String(isOpen), "aria-label": `Unfold ${title}`, onclick: fold }, isOpen ? "−" : "+"));
  return box;
}
