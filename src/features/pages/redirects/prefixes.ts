/** A part of a path, and what stands behind it. */
interface Node<Value> {
  value: Value | undefined;
  children: Map<string, Node<Value>> | null;
}

/** What is known of paths by their prefixes: a trie of whole segments, so that `/blog` is none of `/blogger`. */
export class Prefixes<Value> {
  readonly #root: Node<Value> = { value: undefined, children: null };

  /** Keeps a value for a prefix, unless it has one already. */
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

  /** The values of all prefixes that a path has, the shortest first. */
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

/** The parts between slashes, one after the other; of the path `/` none. */
function* segmentsOf(path: string): Generator<string> {
  let from = path.length > 1 ? 1 : 2;
  while (from <= path.length) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    yield path.slice(from, end);
    from = end + 1;
  }
}
