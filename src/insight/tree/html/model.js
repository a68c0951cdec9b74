// The resources, what is above and below each, and what a filter leaves of them.

const data = JSON.parse(document.getElementById("data").textContent);
const resources = data.resources;
/** Two letters for a kind: `SM`, `PR`. */
const short = (kind) => (kind.match(/[A-Z]/g).join("") + kind.slice(1).toUpperCase()).slice(0, 2);
const MARKS = {
  problems: "Problems", missing: "Missing", unselected: "Unselected", refused: "Refused", paused: "Paused", shared: "Shared",
};

resources.forEach((resource, id) => {
  resource.id = id;
  resource.ref = [resource.kind, resource.namespace, resource.name].filter(Boolean).join("/");
  resource.above = [];
  resource.marks = new Set();
});
const byRef = new Map(resources.map((resource) => [resource.ref, resource]));

for (const resource of resources) {
  for (const edge of resource.edges) {
    const child = resources[edge.to];
    child.above.push({ from: resource, edge });
  }
}
/** How bad the worst about a resource is: `bad`, `warn`, or fine. */
function levelOf({ state: how, findings, marks, above }) {
  if (how === "missing" || how === "refused" || findings.some(({ severity }) => severity === "error")) return "bad";
  if (findings.some(({ severity }) => severity === "warning") || how === "unselected" || how === "paused") return "warn";
  return marks.has("problems") ? (above.some(({ edge }) => edge.references.some(({ missing }) => missing)) ? "bad" : "warn") : "";
}

for (const resource of resources) {
  if (resource.state !== "present" && resource.state !== "promised") resource.marks.add(resource.state);
  if (resource.problem) resource.marks.add("problems");
  resource.level = levelOf(resource);
  if (resource.above.length > 1) resource.marks.add("shared");
}

const text = (lines) => lines.map((line) => data.lines[line]).join("\n");
const plural = (kind, count) => `${count} ${kind}${count === 1 || kind === "PodLogs" ? "" : "s"}`;
const place = (resource) => (resource.file === null ? "" : `${resource.file}:${resource.line}`);
const keysOf = (edge) => [...new Set(edge.references.map((reference) => reference.key).filter((key) => key !== null))].sort();

/** What a search looks at. */
function haystack(resource) {
  resource.haystack ??= [
    resource.ref, place(resource), ...resource.keys, ...resource.above.flatMap(({ edge }) => keysOf(edge)),
    ...resource.generated.flatMap((generated) => generated.jobs),
  ].join("\n").toLowerCase();
  return resource.haystack;
}

/** A resource and everything under it. */
function reachable(root) {
  const found = new Set([root]);
  for (const resource of found) for (const { to } of resource.edges) found.add(resources[to]);
  return found;
}

/** What is worst about a resource, as a sentence. */
function complaint({ state: how, findings, above }) {
  const first = (level) => findings.find(({ severity }) => severity === level)?.message;
  const lacks = above.flatMap(({ edge }) => edge.references).find(({ missing, key }) => missing && key !== null);
  if (how === "missing") return "not in the input";
  return first("error") ?? (lacks ? `has no key \`${lacks.key}\`` : first("warning") ?? "");
}

/** Which resources match a filter, and which have a match below them. */
class Filter {
  constructor({ q, kinds, marks, agent }) {
    this.words = q.toLowerCase().split(/\s+/).filter(Boolean);
    this.kinds = kinds;
    this.marks = marks;
    this.inside = agent === "" ? null : reachable(byRef.get(agent));
    this.active = this.words.length > 0 || kinds.size > 0 || marks.size > 0;
    this.below = new Map();
  }

  matches(resource) {
    return (!this.kinds.size || this.kinds.has(resource.kind)) && this.matchesBeside(resource);
  }

  /** Whether all matches but the choice of kinds. */
  matchesBeside(resource) {
    return [...this.marks].every((mark) => resource.marks.has(mark))
      && (!this.inside || this.inside.has(resource))
      && this.words.every((word) => haystack(resource).includes(word));
  }

  /** Whether something under a resource matches. */
  leads(resource) {
    if (!this.below.has(resource.id)) {
      const leads = resource.edges.some(({ to }) => this.matches(resources[to]) || this.leads(resources[to]));
      this.below.set(resource.id, leads);
    }
    return this.below.get(resource.id);
  }

  keeps(resource) {
    return !this.active || this.matches(resource) || this.leads(resource);
  }
}
