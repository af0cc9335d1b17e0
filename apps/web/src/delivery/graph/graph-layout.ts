interface Edge {
  source: string;
  target: string;
}

interface Place {
  x: number;
  y: number;
}

/** In px; a label of an edge fits between two columns. */
const column = 440;
const row = 120;

/**
 * Places nodes from left to right: each is right of all that lead to it, except where a loop leads back; in a column, they are in
 * the order of those that lead to them.
 */
export function layOut(ids: readonly string[], edges: readonly Edge[]): Map<string, Place> {
  const next = Map.groupBy(edges, ({ source }) => source);
  const columns = new Map<string, number>();
  const visit = (id: string, at: number, way: readonly string[]) => {
    if (way.includes(id) || (columns.get(id) ?? -1) >= at) return;
    columns.set(id, at);
    for (const { target } of next.get(id) ?? []) visit(target, at + 1, [...way, id]);
  };
  const targets = new Set(edges.map(({ target }) => target));
  for (const id of ids) if (!targets.has(id)) visit(id, 0, []);
  // Of a loop to which nothing leads, the first node comes first.
  for (const id of ids) if (!columns.has(id)) visit(id, 0, []);

  const places = new Map<string, Place>();
  const byColumn = Map.groupBy(ids, (id) => columns.get(id)!);
  for (const [at, members] of [...byColumn].toSorted(([one], [other]) => one - other)) {
    const heightOf = (id: string) => {
      const before = edges
        .filter(({ target }) => target === id)
        .flatMap(({ source }) => places.get(source)?.y ?? []);
      return before.length === 0 ? 0 : before.reduce((sum, y) => sum + y, 0) / before.length;
    };
    const ordered = members
      .map((id) => ({ id, height: heightOf(id) }))
      .toSorted((one, other) => one.height - other.height);
    const middle = ((ordered.length - 1) * row) / 2;
    for (const [index, { id }] of ordered.entries())
      places.set(id, { x: at * column, y: index * row - middle });
  }
  return places;
}
