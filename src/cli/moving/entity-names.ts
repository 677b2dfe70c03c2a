/** Derives names of entities and fields from names of the source, which may be any text. */

/** Maximum length of a name, without a number and the `_id` of relations. */
const MAX_CHARS = 44;

/** Field names that queries of records use. */
export const RESERVED_FIELDS = ['id', 'page', 'per_page', 'sort', 'fields', 'include', 'search'];
/** Entity names that paths of records use. */
export const RESERVED_ENTITIES = ['webhooks'];

/** Names that a `NameAllocator` must not assign, and parts of the names that it generates. */
export interface NameRules {
  readonly reserved: readonly string[];
  /** Prefix of names that do not begin with a letter. */
  readonly fallback: string;
  /** Prefix of names that are reserved or assigned already. */
  readonly prefix: string;
}

/** Assigns valid names, each once. */
export class NameAllocator {
  readonly #taken: Set<string>;
  readonly #rules: NameRules;

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.#taken = new Set(rules.reserved);
  }

  /** Returns a valid name. */
  assign(wanted: string): string {
    return this.#assign(wanted, (name) => [name]);
  }

  /** Returns the name of a relation, which is stored as `<name>_id`. */
  assignRelation(wanted: string): string {
    return this.#assign(wanted.replace(/_id$/, ''), (name) => [name, `${name}_id`]);
  }

  #assign(wanted: string, namesOf: (name: string) => readonly string[]): string {
    const { fallback, prefix } = this.#rules;
    const valid = toName(wanted, fallback);
    const base = this.#taken.has(valid) ? toName(`${prefix}_${valid}`, fallback) : valid;
    for (let number = 1; ; number++) {
      const name = number === 1 ? base : `${base.slice(0, MAX_CHARS - 5)}_${number}`.replace('__', '_');
      const names = namesOf(name);
      if (names.some((each) => this.#taken.has(each))) continue;
      for (const each of names) this.#taken.add(each);
      return name;
    }
  }
}

function toName(wanted: string, fallback: string): string {
  const plain = wanted
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '');
  const name = /^[a-z]/.test(plain) ? plain : `${fallback}_${plain}`;
  return name.slice(0, MAX_CHARS).replace(/_$/, '');
}
