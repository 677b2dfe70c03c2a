/** Fields of entities for the fields of a Directus collection. */
import Type from 'typebox';
import Value from 'typebox/value';
import type { DirectusField } from './directus-api.ts';
import type { NameAllocator } from './directus-names.ts';

/** Digits that a number keeps exactly. */
const MAX_DIGITS = 15;
const MAX_CHOICES = 200;

/** A field of an entity definition. */
export interface EntityField {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly unique?: boolean;
  readonly enum?: readonly string[];
  readonly relation?: { readonly entity: string; readonly kind: 'belongs_to' };
}

/** How a field of Directus is imported. */
export type FieldPlan =
  | { readonly kind: 'value' | 'file'; readonly source: string; readonly definition: EntityField }
  | {
      readonly kind: 'relation';
      readonly source: string;
      readonly definition: EntityField;
      /** Related collection. */
      readonly related: string;
    };

/** Where a field refers to: undefined for plain values, null for items of several collections. */
export type Reference = string | null | undefined;

/** Entities of the imported collections. */
export type EntityNames = ReadonlyMap<string, string>;

const Choices = Type.Object({
  allowOther: Type.Optional(Type.Union([Type.Literal(false), Type.Null()])),
  choices: Type.Array(Type.Object({ value: Type.String({ minLength: 1, maxLength: 200 }) }), {
    minItems: 1,
    maxItems: MAX_CHOICES,
  }),
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
  const named = (name: string) => (name === source ? { name } : { name, label: source.slice(0, 200) });
  if (field.meta?.special?.includes('conceal') === true)
    return { problem: 'Directus does not return its values' };
  const entity = typeof reference === 'string' ? entities.get(reference) : undefined;
  if (typeof reference === 'string' && entity !== undefined) {
    const relation = { entity, kind: 'belongs_to' } as const;
    const definition = { ...named(names.assignRelation(source)), type: 'relation', relation };
    return { kind: 'relation', source, definition, related: reference };
  }
  if (typeof reference === 'string' && !reference.startsWith('directus_'))
    return { problem: `refers to ${reference}, which is not carried over` };
  if (reference !== undefined) {
    const kind = reference === 'directus_files' ? 'file' : 'value';
    return { kind, source, definition: { ...named(names.assign(source)), type: 'string' } };
  }
  const type = typeOf(field);
  if (type === undefined) return { problem: `fields of the type ${field.type} are not supported` };
  const choices = choicesOf(field);
  const definition = { ...named(names.assign(source)), type };
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
  return [...new Set(options.choices.map(({ value }) => value))];
}

/** Converts a value of Directus to one of the type, or says why it does not fit. */
export function convertValue(
  type: string,
  value: unknown,
): { readonly value: unknown } | { readonly problem: string } {
  if (value === null || value === undefined) return { value: null };
  switch (type) {
    case 'string':
    case 'text':
      return { value: typeof value === 'string' ? value : JSON.stringify(value) };
    case 'integer':
    case 'number':
      return typeof value === 'string' ? readNumber(value) : { value };
    case 'boolean':
      return { value: value === 0 || value === 1 ? value === 1 : value };
    case 'json':
      return { value };
    default:
      return { value: value === '' ? null : value };
  }
}

/** Reads a decimal, which Directus returns as a text if the database does. */
function readNumber(text: string): { readonly value: number } | { readonly problem: string } {
  const match = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text);
  if (match === null) return { problem: `${text.slice(0, 50)} is not a number` };
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const value = Number(`${sign}${whole}.${fraction}`);
  const isExact = fraction === '' ? Number.isSafeInteger(value) : digits.length <= MAX_DIGITS;
  return isExact ? { value } : { problem: `${text.slice(0, 50)} has more digits than a number can hold` };
}
