/** How long records are as JSON, told from their columns: a page is read whole only when its records are short. */
import { type RawBuilder, sql } from 'kysely';
import { type EntityModel, isText } from '../entities/index.ts';
import type { FieldValues } from './record-values.ts';
import { type ShownField, shownFields } from './shown-fields.ts';

/** What a record may have to be read together with the others of its page, bytes. */
export const LARGEST_TOGETHER = 16 * 1024;
/** What a record may have as JSON, and an answer with all that it includes, characters (docs/specification/records.md#records). */
export const MOST_CHARACTERS = 16 * 1024 * 1024;

/** The most that a number, a time, an id or the name of an author takes. */
const SHORT_VALUE = 64;
/** Quotes, a colon and a comma. */
const AROUND_NAME = 4;
/** A character as UTF-8, or as an escape of JSON. */
const MOST_OF_CHARACTER = 6;

/** The bytes of a row's JSON, but for what escapes take more; of all fields, or of those that are named. */
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
      // Of a text the length is known without reading what is stored apart from its row.
      return sql`coalesce(octet_length(${type === 'json' ? sql`${value}::text` : value}), 0)`;
    });
  return sql<number>`(${sql.join([sql.lit(shortBytes(model, shown)), ...lengths], sql` + `)})`;
}

/** The most that the JSON of a record can have, bytes; Infinity where a field has no bound. */
export function mostBytes(model: EntityModel, names: readonly string[] | null = null): number {
  const shown = wantedOf(model, names);
  return shown
    .filter((field) => isLengthy(model, field))
    .reduce((sum, { name }) => sum + longest(model, name) * MOST_OF_CHARACTER, shortBytes(model, shown));
}

/** Whether values may make a record longer than it may be: short ones add little, however many follow each other. */
export function areLarge(values: FieldValues): boolean {
  return charactersOf(values) > LARGEST_TOGETHER;
}

/** The characters of all texts among values. */
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

/** Characters. */
function longest({ fields }: EntityModel, name: string): number {
  const { max = null, enum: choices = null } = fields.get(name) ?? {};
  if (choices !== null) return Math.max(...choices.map(({ length }) => length));
  return max ?? Number.POSITIVE_INFINITY;
}
