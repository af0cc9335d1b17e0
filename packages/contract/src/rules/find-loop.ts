interface Edge {
  from: string;
  to: string;
}

/** @returns a loop, in which each leads to the next and the last is the first; undefined without one */
export function findLoop(edges: readonly Edge[]): string[] | undefined {
  const next = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const visit = (at: string, way: readonly string[]): string[] | undefined => {
    const start = way.indexOf(at);
    if (start >= 0) return [...way.slice(start), at];
    if (done.has(at)) return undefined;
    for (const { to } of next.get(at) ?? []) {
      const loop = visit(to, [...way, at]);
      if (loop !== undefined) return loop;
    }
    done.add(at);
    return undefined;
  };
  for (const from of next.keys()) {
    const loop = visit(from, []);
    if (loop !== undefined) return loop;
  }
  return undefined;
}
