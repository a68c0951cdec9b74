//! The part of a graph that is shown: with `--agent-selector`, what belongs to other agents is left out.

use super::graph::{EntryId, Graph};

/// Leaves what the roots lead to, numbered anew, and counts the parents.
pub fn reachable(mut graph: Graph<'_>) -> Graph<'_> {
    let mut kept = vec![false; graph.iter().len()];
    let mut stack: Vec<EntryId> = [&graph.agents, &graph.unselected, &graph.refused]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    while let Some(id) = stack.pop() {
        if let Some(seen @ false) = kept.get_mut(id.0) {
            *seen = true;
            stack.extend(
                graph
                    .get(id)
                    .into_iter()
                    .flat_map(|entry| &entry.edges)
                    .map(|edge| edge.to),
            );
        }
    }
    let mut next = 0;
    let numbers: Vec<Option<usize>> = kept
        .iter()
        .map(|&kept| {
            next += usize::from(kept);
            kept.then(|| next - 1)
        })
        .collect();
    renumber(&mut graph, |id| numbers.get(id.0).copied().flatten().map(EntryId));
    let mut parents = vec![0; next];
    for (_, entry) in graph.iter() {
        for edge in &entry.edges {
            if let Some(count) = parents.get_mut(edge.to.0) {
                *count += 1;
            }
        }
    }
    for (entry, count) in graph.entries.iter_mut().zip(parents) {
        entry.parents = count;
    }
    graph
}

fn renumber(graph: &mut Graph<'_>, number: impl Fn(EntryId) -> Option<EntryId>) {
    let ids = |ids: &mut Vec<EntryId>| *ids = ids.iter().filter_map(|&id| number(id)).collect();
    ids(&mut graph.agents);
    ids(&mut graph.unselected);
    ids(&mut graph.refused);
    let entries = std::mem::take(&mut graph.entries);
    let kept = entries
        .into_iter()
        .enumerate()
        .filter(|&(i, _)| number(EntryId(i)).is_some());
    graph.entries = kept
        .map(|(_, mut entry)| {
            entry.edges.retain_mut(|edge| {
                ids(&mut edge.denied_by);
                number(edge.to).is_some_and(|to| {
                    edge.to = to;
                    true
                })
            });
            entry
        })
        .collect();
}
