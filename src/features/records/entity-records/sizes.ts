/** Sizes of records as JSON, computed from their columns. Only small records are read as a whole page. */
import { type RawBuilder, sql } from 'kysely';
import { type EntityModel, isText } from '../entities/index.ts';
import type { FieldValues } from './record-values.ts';
import { type ShownField, shownFields } from './shown-fields.ts';

/** Largest record, in bytes, that is read together with the others of its page. */
export const LARGEST_TOGETHER = 16 * 1024;
/**
 * Maximum length of a record, and of a response with included records, in characters
 * (docs/specification/records.md#records).
 */
export const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Longest number, time, id or author, in bytes. */
const SHORT_VALUE = 64;
/** Quotes, a colon and a comma. */
const AROUND_NAME = 4;
/** Bytes of a character as UTF-8 or as a JSON escape. */
const MAX_CHARACTER_BYTES = 6;

/** Returns the bytes of a row's JSON without escapes, of all fields or the named ones. */
export function rowBytes(
  model: EntityModel,
  table: string,
  names: readonly string[] | null = null,
): RawBuilder<number> {
  const shown = wantedOf(model, names);
  const lengths = shown
    .filter((field) => isLengthy(model, field))
    .map(({ column, type }) => {
      const value = sql.ref(`${table}.${column}`);
      // octet_length of a text does not read values that are stored outside the row.
      return sql`coalesce(octet_length(${type === 'json' ? sql`${value}::text` : value}), 0)`;
    });
  return sql<number>`(${sql.join([sql.lit(shortBytes(model, shown)), ...lengths], sql` + `)})`;
}

/** Returns the maximum bytes of a record's JSON; Infinity if a field has no limit. */
export function mostBytes(model: EntityModel, names: readonly string[] | null = null): number {
  const shown = wantedOf(model, names);
  return shown
    .filter((field) => isLengthy(model, field))
    .reduce((sum, { name }) => sum + longest(model, name) * MAX_CHARACTER_BYTES, shortBytes(model, shown));
}

/**
 * Returns true if these values could make a record too long. Short values cannot, even in many updates, because each
 * replaces an earlier one.
 */
export function areLarge(values: FieldValues): boolean {
  return charactersOf(values) > LARGEST_TOGETHER;
}

/** Returns the characters of all texts among the values. */
export function charactersOf(values: FieldValues): number {
  let characters = 0;
  for (const value of values.values()) if (typeof value === 'string') characters += value.length;
  return characters;
}

function wantedOf(model: EntityModel, names: readonly string[] | null): readonly ShownField[] {
  const fields = shownFields(model);
  return names === null ? [...fields.values()] : names.flatMap((name) => fields.get(name) ?? []);
}

function shortBytes(model: EntityModel, shown: readonly ShownField[]): number {
  const ofField = (field: ShownField) =>
    AROUND_NAME + field.name.length + (isLengthy(model, field) ? 2 : SHORT_VALUE);
  return shown.reduce((sum, field) => sum + ofField(field), 2);
}

function isLengthy({ fields }: EntityModel, { name }: ShownField): boolean {
  const type = fields.get(name)?.type;
  return type !== undefined && (isText(type) || type === 'json');
}

/** In characters. */
function longest({ fields }: EntityModel, name: string): number {
  const { max = null, enum: choices = null } = fields.get(name) ?? {};
  if (choices !== null) return Math.max(...choices.map(({ length }) => length));
  return max ?? Number.POSITIVE_INFINITY;
}
