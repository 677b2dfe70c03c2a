/** The schemas of the OpenAPI document, each once, under a name that a typed client can have for its type. */

/**
 * Collects schemas. One that has a `title`, wherever it stands, is known by it; bodies and replies without one are named
 * after their operation.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, string>();

  /** Adds a schema under a name. @throws when another has it. */
  add(name: string, schema: object): void {
    const text = JSON.stringify(this.#withReferences(schema, true));
    const known = this.#schemas.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two schemas are called ${name}.`);
    this.#schemas.set(name, text);
  }

  /** A reference to the schema of a body or a reply; `place` names it when it has no title: `forms.create.body`. */
  refer(schema: object, place: string): object {
    const title = titleOf(schema) ?? toTypeName(place);
    this.add(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  toJSON(): Record<string, object> {
    const names = [...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(names.map(([name, text]) => [name, JSON.parse(text)]));
  }

  /** The schema with references in place of those schemas inside it that have a name. */
  #withReferences(value: unknown, isOutermost = false): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#withReferences(item));
    if (typeof value !== 'object' || value === null) return value;
    const title = titleOf(value);
    if (title !== null && !isOutermost) return this.refer(value, title);
    const members = Object.entries(value).map(([name, member]) => [name, this.#withReferences(member)]);
    return Object.fromEntries(members);
  }
}

function titleOf(schema: object): string | null {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : null;
}

/** `form_themes.create.body` becomes `FormThemesCreateBody`. */
function toTypeName(place: string): string {
  return place
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
