/** Size limits of an external JSON value. */
export interface ValueBounds {
  /** Nesting of objects and arrays; a scalar is 0. */
  maxDepth: number;
  /** Objects, arrays and scalars together. */
  maxNodes: number;
  /** Entries of a single array. */
  maxArrayLength: number;
}

/**
 * Returns which limit a value exceeds, or null. Iterative, because a body of a few megabytes can be nested deeper than
 * the call stack; code after this check may recurse.
 */
export function findExcess(value: unknown, bounds: ValueBounds): string | null {
  let nodes = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > bounds.maxDepth) return `is nested deeper than ${bounds.maxDepth} levels`;
    nodes += level.length;
    if (nodes > bounds.maxNodes) return `contains more than ${bounds.maxNodes} values`;
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      const children = Array.isArray(node) ? node : Object.values(node);
      if (Array.isArray(node) && node.length > bounds.maxArrayLength) {
        return `contains a list of more than ${bounds.maxArrayLength} entries`;
      }
      if (next.length + children.length > bounds.maxNodes)
        return `contains more than ${bounds.maxNodes} values`;
      for (const child of children) next.push(child);
    }
    level = next;
  }
  return null;
}
