/** Fields of entities for the fields of a Directus collection. */
import Type from 'typebox';
import Value from 'typebox/value';
import type { DirectusField } from './directus-api.ts';
import type { NameAllocator } from './entity-names.ts';
import { type FieldPlan, namedField } from './entity-plan.ts';
import { MAX_DIGITS, toChoices } from './entity-values.ts';

/** Collection that a field refers to: undefined for plain values, null for items of several collections. */
export type Reference = string | null | undefined;

/** Entities of the imported collections. */
export type EntityNames = ReadonlyMap<string, string>;

const Choices = Type.Object({
  allowOther: Type.Optional(Type.Union([Type.Literal(false), Type.Null()])),
  choices: Type.Array(Type.Object({ value: Type.String() })),
});

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  text: 'text',
  uuid: 'uuid',
  hash: 'string',
  time: 'string',
  integer: 'integer',
  bigInteger: 'integer',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  csv: 'json',
};

/** Returns how a column is imported, or why it is not. */
export function planField(
  field: DirectusField,
  reference: Reference,
  entities: EntityNames,
  names: NameAllocator,
): FieldPlan | { readonly problem: string } {
  const source = field.field;
  if (field.meta?.special?.includes('conceal') === true)
    return { problem: 'Directus does not return its values' };
  const entity = typeof reference === 'string' ? entities.get(reference) : undefined;
  if (typeof reference === 'string' && entity !== undefined) {
    const relation = { entity, kind: 'belongs_to' } as const;
    const definition = { ...namedField(names.assignRelation(source), source), type: 'relation', relation };
    return { kind: 'relation', source, definition, related: reference };
  }
  if (typeof reference === 'string' && !reference.startsWith('directus_'))
    return { problem: `refers to ${reference}, which is not imported` };
  if (reference !== undefined) {
    const kind = reference === 'directus_files' ? 'file' : 'value';
    return { kind, source, definition: { ...namedField(names.assign(source), source), type: 'string' } };
  }
  const type = typeOf(field);
  if (type === undefined) return { problem: `fields of the type ${field.type} are not supported` };
  const choices = choicesOf(field);
  const definition = { ...namedField(names.assign(source), source), type };
  if (type === 'string' && choices !== undefined)
    return { kind: 'value', source, definition: { ...definition, type: 'enum', enum: choices } };
  return { kind: 'value', source, definition };
}

function typeOf({ type, schema }: DirectusField): string | undefined {
  if (type === 'decimal' && (schema?.numeric_precision ?? 0) > MAX_DIGITS) return 'string';
  return type.startsWith('geometry') ? 'json' : TYPES[type];
}

/** Returns the choices of a field that allows no others. */
function choicesOf({ meta }: DirectusField): readonly string[] | undefined {
  const options = meta?.options;
  if (!Value.Check(Choices, options)) return undefined;
  return toChoices(options.choices.map(({ value }) => value));
}
