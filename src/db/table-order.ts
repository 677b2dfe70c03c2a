/** A foreign key between two tables: rows of `child` refer to rows of `parent`. */
export interface Reference {
  readonly child: string;
  readonly parent: string;
}

/**
 * Returns the tables in an order in which each is emptied before those that it refers to. References of a table to
 * itself do not matter: one statement deletes all its rows.
 * @throws if tables refer to each other in a cycle.
 */
export function childrenFirst(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const free = [...waiting].filter(
      (table) =>
        !references.some(({ child, parent }) => parent === table && child !== table && waiting.has(child)),
    );
    if (free.length === 0)
      throw new Error(`These tables refer to each other in a cycle: ${[...waiting].join(', ')}.`);
    for (const table of free) waiting.delete(table);
    ordered.push(...free);
  }
  return ordered;
}
