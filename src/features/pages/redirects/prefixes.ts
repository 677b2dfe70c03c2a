/** A segment of a path, with those that follow it. */
interface Node<Value> {
  value: Value | undefined;
  children: Map<string, Node<Value>> | null;
}

/** A trie of path prefixes by whole segments, so that `/blog` is not a prefix of `/blogger`. */
export class Prefixes<Value> {
  readonly #root: Node<Value> = { value: undefined, children: null };

  /** Sets the value of a prefix unless it has one. */
  add(prefix: string, value: Value): void {
    let node = this.#root;
    for (const segment of segmentsOf(prefix)) {
      node.children ??= new Map();
      const known = node.children.get(segment);
      const next: Node<Value> = known ?? { value: undefined, children: null };
      if (!known) node.children.set(segment, next);
      node = next;
    }
    node.value ??= value;
  }

  /** Yields the values of all prefixes of a path, shortest first. */
  *of(path: string): Generator<Value> {
    let node: Node<Value> | undefined = this.#root;
    if (node.value !== undefined) yield node.value;
    for (const segment of segmentsOf(path)) {
      node = node.children?.get(segment);
      if (node === undefined) return;
      if (node.value !== undefined) yield node.value;
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
