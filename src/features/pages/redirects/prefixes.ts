/** A node of the trie: a segment of a path. */
interface Node<Value> {
  readonly values: Value[];
  children: Map<string, Node<Value>> | null;
}

/** A trie of path prefixes by whole segments, so that `/blog` is not a prefix of `/blogger`. */
export class Prefixes<Value> {
  readonly #root: Node<Value> = { values: [], children: null };

  /** Appends a value to the values of a prefix. */
  add(prefix: string, value: Value): void {
    let node = this.#root;
    for (const segment of segmentsOf(prefix)) {
      node.children ??= new Map();
      const known = node.children.get(segment);
      const next: Node<Value> = known ?? { values: [], children: null };
      if (!known) node.children.set(segment, next);
      node = next;
    }
    node.values.push(value);
  }

  /** Yields the values of all prefixes of a path, shortest first. */
  *valuesOf(path: string): Generator<Value> {
    let node: Node<Value> | undefined = this.#root;
    yield* node.values;
    for (const segment of segmentsOf(path)) {
      node = node.children?.get(segment);
      if (node === undefined) return;
      yield* node.values;
    }
  }
}

/** Yields the segments of a path; none for `/`. */
function* segmentsOf(path: string): Generator<string> {
  let from = path.length > 1 ? 1 : 2;
  while (from <= path.length) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    yield path.slice(from, end);
    from = end + 1;
  }
}
