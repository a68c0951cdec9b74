// What stands in the tree: a resource on the way to it, or a group of many.

const GROUP_FROM = 12;
const SPLIT_FROM = 60;

/** A resource under another; `agent` is the one at the top. */
function resourceItem(resource, edge, parent) {
  return {
    resource, edge, parent,
    key: `${parent ? parent.key : ""}/${resource.id}`,
    level: parent ? parent.level + 1 : 1,
    agent: parent ? parent.agent : resource.id,
  };
}

function groupItem(parent, name, members, about) {
  return {
    ...about, parent, members,
    key: `${parent ? parent.key : ""}/${name}`,
    level: parent ? parent.level + 1 : 1,
    agent: parent ? parent.agent : null,
  };
}

/** The items at the top. */
function roots(agent) {
  const chosen = agent === "" ? data.agents : data.agents.filter((id) => resources[id].ref === agent);
  const items = chosen.map((id) => resourceItem(resources[id], null, null));
  if (agent === "") {
    for (const [title, name, ids] of [["Not selected", "unselected", data.unselected], ["Refused", "refused", data.refused]]) {
      if (ids.length) items.push(groupItem(null, name, ids.map((to) => ({ to, references: [], deniedBy: [] })), { title }));
    }
  }
  return items;
}

/** The edges of an item in groups: many of a kind are one, and very many are divided by namespace. */
function children(item) {
  if (!item.children) {
    const edges = item.members ?? item.resource.edges;
    item.children = item.sorted ? edges.map((edge) => resourceItem(resources[edge.to], edge, item)) : grouped(item, edges);
  }
  return item.children;
}

function grouped(item, edges) {
  const kinds = groupBy(edges, (edge) => resources[edge.to].kind);
  const few = edges.length < GROUP_FROM;
  return [...kinds].flatMap(([kind, members]) => {
    if (few || members.length < 5) return members.map((edge) => resourceItem(resources[edge.to], edge, item));
    const group = groupItem(item, kind, members, { kind, sorted: true });
    const namespaces = groupBy(members, (edge) => resources[edge.to].namespace);
    if (members.length >= SPLIT_FROM && namespaces.size > 1 && namespaces.size < members.length / 2) {
      group.children = [...namespaces].map(([namespace, inside]) => groupItem(group, `n:${namespace}`, inside, { kind, namespace, sorted: true }));
    }
    return [group];
  });
}

function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) {
    const of = key(item);
    if (!groups.has(of)) groups.set(of, []);
    groups.get(of).push(item);
  }
  return groups;
}

/** What a group is called: how many of what, and how many of them a filter leaves. */
function titleOf({ title, kind, namespace, members }) {
  if (title) return title;
  const left = filter.active ? members.filter(({ to }) => filter.matches(resources[to])).length : members.length;
  const some = left === members.length || left === 0 ? "" : `${left} of `;
  return namespace === undefined ? `${some}${plural(kind, members.length)}` : `${namespace} · ${some}${members.length}`;
}

/** Whether a filter leaves an item: it or something below it matches, or a match above it was unfolded. */
function kept(item) {
  if (!filter.active) return true;
  return (item.members ? leads(item) : filter.keeps(item.resource)) || isUnderUnfolded(item);
}

function isUnderUnfolded({ parent }) {
  for (let above = parent; above; above = above.parent) {
    if (above.resource && state.open.get(above.key) && filter.matches(above.resource) && !filter.leads(above.resource)) return true;
  }
  return false;
}

/** Whether something below an item matches. */
function leads(item) {
  return item.members ? item.members.some(({ to }) => filter.keeps(resources[to])) : filter.leads(item.resource);
}
