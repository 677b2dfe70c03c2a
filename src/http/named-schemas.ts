/** The schemas of the OpenAPI document, each once, under the name that typed clients use for its type. */
import { withFormat } from './member-formats.ts';
import { shapeOf } from './schemas.ts';

interface NamedSchema {
  /** The schema without its description, as text that can be compared. */
  readonly text: string;
  readonly description: unknown;
}

/**
 * Collects the schemas that have a `title`, wherever they appear. One component serves all uses: null and descriptions
 * of a single use stand next to the reference.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, NamedSchema>();

  /** Adds a schema under a name. @throws Error when another schema has it. */
  add(name: string, schema: object): void {
    // The component's name replaces the title.
    const { title: _title, description, ...rest } = Object(schema);
    const text = JSON.stringify(this.#membersOf(rest));
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, { text, description });
    else if (known.text !== text) throw new Error(`Two schemas have the title ${name}.`);
  }

  /** References the schema of an operation's body or reply. @throws Error when it has no title. */
  refer(schema: object, operation: string): object {
    const title = titleOf(schema);
    if (title === null) throw new Error(`The body and the reply of ${operation} need a schema with a title.`);
    return this.#refer(title, schema);
  }

  /** Replaces nested schemas that have a title by references. */
  withReferences(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.withReferences(item));
    if (typeof value !== 'object' || value === null) return value;
    const schema = shapeOf(value);
    const title = titleOf(schema);
    return title === null ? this.#membersOf(schema) : this.#refer(title, schema);
  }

  /** The schema of a property or parameter, with the format that its name implies. */
  property(name: string, described: object): unknown {
    const schema = shapeOf(described);
    const { anyOf } = Object(schema);
    if (titleOf(schema) !== null || !Array.isArray(anyOf))
      return this.withReferences(withFormat(name, schema));
    return this.withReferences({ ...schema, anyOf: anyOf.map((each) => withFormat(name, each)) });
  }

  toJSON(): Record<string, object> {
    const named = [...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(
      named.map(([name, { text, description }]) => {
        const schema: object = JSON.parse(text);
        return [name, description === undefined ? schema : { ...schema, description }];
      }),
    );
  }

  #refer(title: string, schema: object): object {
    const { isNullable, schema: core } = withoutNull(schema);
    this.add(title, core);
    const { description } = Object(schema);
    const isOwn = description !== undefined && description !== this.#schemas.get(title)?.description;
    const reference = { $ref: `#/components/schemas/${title}` };
    const more = isOwn ? { description } : {};
    return isNullable ? { anyOf: [reference, { type: 'null' }], ...more } : { ...reference, ...more };
  }

  #membersOf(schema: object): object {
    return Object.fromEntries(
      Object.entries(schema).map(([name, member]) => [
        name,
        name === 'properties' ? this.#propertiesOf(member) : this.withReferences(member),
      ]),
    );
  }

  #propertiesOf(properties: object): object {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.property(name, schema)]),
    );
  }
}

function titleOf(schema: object): string | null {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : null;
}

/** Removes null from the types of an object, so that one component serves nullable and other uses. */
function withoutNull(schema: object): { readonly isNullable: boolean; readonly schema: object } {
  const { type } = Object(schema);
  const isNullable = Array.isArray(type) && type.includes('null') && type.includes('object');
  return { isNullable, schema: isNullable ? { ...schema, type: 'object' } : schema };
}
