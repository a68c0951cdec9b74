// What is known of the selected resource.

function renderDetails() {
  const panel = $("details");
  const resource = state.node;
  panel.scrollTop = 0;
  if (!resource) {
    panel.replaceChildren(overview());
    return;
  }
  panel.replaceChildren(...[
    heading(resource), findings(resource), patch(resource), keyTable(resource), usedBy(resource), refersTo(resource),
    ...targets(resource), ...generated(resource), source(resource),
  ].filter(Boolean));
}

function overview() {
  const listed = (title, found) => links(title, found.map((resource) => [resource, null]));
  const problems = resources.filter((resource) => resource.marks.has("problems"));
  const keyboard = ["↑ ↓", "move", "→ ←", "unfold, fold", "Enter", "choose", "*", "unfold all siblings", "/", "search", "+ −", "zoom the graph", "Esc", "clear filters"];
  return element("div", { className: "overview" },
    element("h2", {}, "Overview"),
    element("p", { className: "dim" }, "Choose a resource to see its source, its references and the configuration generated from it."),
    listed("Errors and missing objects", problems.filter(({ level }) => level === "bad")),
    listed("Warnings", problems.filter(({ level }) => level !== "bad")),
    listed("Not selected", data.unselected.map((id) => resources[id]).filter(({ marks }) => !marks.has("problems"))),
    element("section", {}, element("h3", {}, "Keys"), element("p", { className: "dim keyboard" }, ...keyboard.map((part, i) => element(i % 2 ? "span" : "kbd", {}, part)))));
}

function heading(resource) {
  return element("header", {},
    element("p", { className: "kind" }, tile(resource.kind), resource.kind),
    element("h2", {}, element("span", { className: "space" }, `${resource.namespace}/`), resource.name),
    resource.file === null ? element("p", { className: "dim" }, absent(resource))
      : element("p", { className: "where" }, element("code", {}, place(resource)), copy(() => place(resource), "Copy location")));
}

function absent(resource) {
  if (resource.state === "promised") return `Not in the input: ${resource.madeBy} creates it in the cluster.`;
  return resource.state === "refused" ? "The API server would reject it." : "Not in the input.";
}

function findings(resource) {
  if (!resource.findings.length) return null;
  return element("section", {}, element("h3", {}, "Findings"), element("ul", { className: "findings" },
    ...resource.findings.map((finding) => element("li", { className: finding.severity },
      element("span", {}, ...prose(finding.message)),
      finding.help ? element("p", { className: "help" }, ...prose(finding.help)) : null,
      element("small", {}, finding.path ? `${finding.path} · ` : "", `${finding.severity}[${finding.code}]`)))));
}

/** What would have an agent select it, as `agentctl why` says. */
function patch(resource) {
  return resource.patch.length ? block("How to select it", "apply this patch", resource.patch.join("\n")) : null;
}

function keyTable(resource) {
  const used = new Map(resource.keys.map((key) => [key, { there: true, by: 0 }]));
  for (const { edge } of resource.above) {
    for (const { key, missing } of edge.references) {
      if (key === null) continue;
      if (!used.has(key)) used.set(key, { there: !missing && resource.state !== "missing", by: 0 });
      used.get(key).by += 1;
    }
  }
  if (!used.size) return null;
  const line = ([key, { there, by }]) => element("tr", { className: there ? null : "bad" },
    element("td", {}, element("code", {}, key)),
    element("td", {}, there ? (by ? `used by ${by} field${by > 1 ? "s" : ""}` : "not used") : "missing"));
  return element("section", {}, element("h3", {}, "Keys"), element("table", { className: "keytable" }, element("tbody", {}, ...[...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(line))));
}

function usedBy(resource) {
  return links("Used by", resource.above.map(({ from, edge }) => [from, edge]));
}

function refersTo(resource) {
  return links("Refers to", resource.edges.filter((edge) => edge.references.length).map((edge) => [resources[edge.to], edge]));
}

/** Resources to go to, with the fields that lead there, or else with what is wrong; of very many, the first. */
function links(title, pairs) {
  if (!pairs.length) return null;
  const list = element("ul", { className: "links" });
  const show = (from, to) => list.append(...pairs.slice(from, to).map(([resource, edge]) => element("li", {},
    element("button", { onclick: () => reveal(resource) }, tile(resource.kind), nameOf(resource)),
    edge === null ? element("p", { className: "complaint" }, ...prose(complaint(resource))) : null,
    edge?.references.length ? element("ul", { className: "fields" }, ...edge.references.map((reference) => element("li", { className: reference.missing ? "bad" : null },
      element("code", {}, reference.field), reference.key === null ? "" : element("span", {}, " → ", element("code", {}, reference.key)), reference.missing ? " missing" : ""))) : null)));
  show(0, 12);
  const section = element("section", {}, element("h3", {}, title, element("span", { className: "number" }, String(pairs.length))), list);
  if (pairs.length > 12) {
    const more = element("button", { className: "more", onclick: () => { show(12, pairs.length); more.remove(); } }, `Show ${pairs.length - 12} more`);
    section.append(more);
  }
  return section;
}

const MONITORS = new Set(["ServiceMonitor", "PodMonitor", "Probe", "PodLogs"]);

function generated(resource) {
  const own = resource.generated.filter(({ agents }) => agents.includes(state.agentOfNode));
  const rest = resource.generated.filter((one) => !own.includes(one));
  return [...own, ...rest].map(({ agents, jobs, text: lines }) => {
    const title = MONITORS.has(resource.kind) ? (jobs.length === 1 ? "Scrape job" : `${jobs.length} scrape jobs`) : "Configuration";
    const of = agents.map((id) => `${resources[id].namespace}/${resources[id].name}`).join(", ");
    return block(title, data.agents.length > 1 ? `of ${of}` : "", text(lines));
  });
}

/** The targets of each job of a monitor, and what drops others. */
function targets(resource) {
  return (resource.targets ?? []).map(({ agent, job, rows, more, lost }) => {
    const of = data.agents.length > 1 ? ` of ${resources[agent].namespace}/${resources[agent].name}` : "";
    const count = rows.length + more;
    const line = (how, what, where, name = null) => element("li", { className: name }, element("span", { className: "how" }, how), what, where ? element("span", { className: "dim" }, where) : null);
    return element("section", {},
      element("h3", {}, "Targets", element("span", { className: "number" }, String(count)), element("span", { className: "dim" }, job + of)),
      element("ul", { className: "targets" },
        count ? null : line("none", "this job has no targets", "", "bad"),
        ...rows.map(([how, address, shards]) => line(how, element("code", {}, address), shards)),
        more ? line("", `and ${more} more: agentctl targets lists them`, "") : null,
        ...lost.map(([number, how, reason]) => line(how, `${number} target${number === 1 ? "" : "s"}`, reason))));
  });
}

function source(resource) {
  return resource.source === null ? null : block("Source", "as admitted, without credentials", text(resource.source));
}

function block(title, about, content) {
  return element("section", {},
    element("h3", {}, title, element("span", { className: "dim" }, about), copy(() => content, `Copy ${title.toLowerCase()}`)),
    element("pre", { tabindex: "0" }, highlighted(content.replace(/\n$/, ""))));
}

/** A button to copy a text, where the browser lets pages do that. */
function copy(content, label) {
  if (!navigator.clipboard) return null;
  const button = element("button", { className: "copy", "aria-label": label, title: label, onclick: async () => {
    await navigator.clipboard.writeText(content());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  } }, "Copy");
  return button;
}
