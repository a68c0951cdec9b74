//! The part of a tree that is shown: with `--agent-selector`, what belongs to other agents is left out.

use super::model::{EntryId, Tree};

/// Leaves what the roots lead to, numbered anew, and counts the parents.
pub fn reachable(mut tree: Tree<'_>) -> Tree<'_> {
    let mut kept = vec![false; tree.iter().len()];
    let mut stack: Vec<EntryId> = [&tree.agents, &tree.unselected, &tree.refused]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    while let Some(id) = stack.pop() {
        if let Some(seen @ false) = kept.get_mut(id.0) {
            *seen = true;
            stack.extend(
                tree.get(id)
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
    renumber(&mut tree, |id| numbers.get(id.0).copied().flatten().map(EntryId));
    let mut parents = vec![0; next];
    for (_, entry) in tree.iter() {
        for edge in &entry.edges {
            if let Some(count) = parents.get_mut(edge.to.0) {
                *count += 1;
            }
        }
    }
    for (entry, count) in tree.entries.iter_mut().zip(parents) {
        entry.parents = count;
    }
    tree
}

fn renumber(tree: &mut Tree<'_>, number: impl Fn(EntryId) -> Option<EntryId>) {
    let ids = |ids: &mut Vec<EntryId>| *ids = ids.iter().filter_map(|&id| number(id)).collect();
    ids(&mut tree.agents);
    ids(&mut tree.unselected);
    ids(&mut tree.refused);
    let entries = std::mem::take(&mut tree.entries);
    let kept = entries
        .into_iter()
        .enumerate()
        .filter(|&(i, _)| number(EntryId(i)).is_some());
    tree.entries = kept
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
