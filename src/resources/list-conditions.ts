/** Search, filters and parents of a list, as conditions of its statements. */

import { type Expression, type SqlBool, sql } from 'kysely';
import type { RowsDb } from './compiled-statements.ts';
import { COLUMN_KINDS } from './fields.ts';
import type { CountedField, FilterField } from './filter-field.ts';
import { conditionSql, FILTER_OPERATIONS } from './filter-sql.ts';
import { containing } from './filter-values.ts';
import { readFilters, searchWords } from './filters.ts';
import { type FinderRequest, findFew, toFinderRequest } from './finder.ts';
import type { Resource } from './resource.ts';
import { withUnitIds } from './unit-filters.ts';

/** The search, filters and parent of a list, checked by its route. */
export interface ListSelection {
  readonly search?: string | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Conditions that the route adds to those of the request, with any operation. */
  readonly added?: Readonly<Record<string, unknown>>;
  /** Fields of these conditions, in addition to those of requests. */
  readonly addedFields?: Readonly<Record<string, FilterField>>;
  /** Filter fields of this request, in addition to those of the resource. */
  readonly fields?: Readonly<Record<string, FilterField>>;
  /** The first parts of the key: lists records of this parent. */
  readonly parent?: readonly string[];
}

/** Conditions of a statement: its shape, their values and their SQL. */
export interface Conditions {
  /** Identifies the statement: two of the same shape differ only in their values. */
  readonly shape: string;
  /** Filtered fields, columns of the parent, and words of the search: a stored total applies only to some of them. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly toSql: (slots: readonly unknown[]) => Expression<SqlBool>[];
  /** The part that a finder can answer. */
  readonly finderRequest: FinderRequest;
  /** The table with the number of records, if the only condition is one counted value. */
  readonly counted: CountedField | undefined;
}

/** Restricts a list to the records that its finder returns. Without a finder, or with many matches, nothing changes. */
export async function limitToFound(
  db: RowsDb,
  resource: Resource,
  conditions: Conditions,
): Promise<Conditions> {
  const found = await findFew(db, resource, conditions.finderRequest);
  if (found === null) return conditions;
  const { shape, values, toSql } = conditions;
  const last = resource.key.columns.at(-1) ?? '';
  const type = sql.raw(COLUMN_KINDS[resource.kinds.get(last) ?? 'text'].type);
  return {
    ...conditions,
    shape: `${shape} found`,
    values: [...values, found],
    toSql: (slots) => [
      ...toSql(slots),
      sql<SqlBool>`${sql.ref(last)} = any(${slots[values.length]}::${type}[])`,
    ],
  };
}

/**
 * Returns the checked conditions of a list; units may be filtered by slug and name.
 * @throws AppError INVALID_REQUEST for filters that the list does not support.
 */
export async function readConditions(
  db: RowsDb,
  resource: Resource,
  selection: ListSelection,
): Promise<Conditions> {
  return conditionsOf(resource, {
    ...selection,
    filters: await withUnitIds(db, resource, selection.filters),
  });
}

function conditionsOf(
  resource: Resource,
  { search, filters, added, fields, addedFields, parent = [] }: ListSelection,
): Conditions {
  const { operations, fields: ownFields } = resource.filters;
  const requested = { operations, fields: { ...ownFields, ...fields } };
  const own = { operations: FILTER_OPERATIONS, fields: { ...requested.fields, ...addedFields } };
  const checked = [...readFilters(requested, filters ?? {}), ...readFilters(own, added ?? {})];
  const words = resource.search.length === 0 ? [] : searchWords(search).map(withNormal(resource));
  const shape = checked.map(({ name, field, operation, operands }) => [
    name,
    field.type,
    operation,
    operands.length,
  ]);
  const parentColumns = resource.key.columns.slice(0, parent.length);
  const [only, ...others] = checked;
  const isOneValue = others.length + words.length + parent.length === 0 && only?.operation === 'eq';
  return {
    finderRequest: toFinderRequest(
      resource,
      words.flatMap(({ word, normal }) => (normal === null ? [word] : [])),
      checked,
      parent,
    ),
    counted: isOneValue && only.operands.length > 0 ? only.field.counted : undefined,
    shape: JSON.stringify([shape, words.map(({ normal }) => normal !== null), parent.length]),
    names: [...checked.map(({ name }) => name), ...parentColumns, ...words.map(({ word }) => word)],
    values: [
      ...parent,
      ...checked.flatMap(({ operands }) => operands),
      ...words.flatMap(({ word, normal }) =>
        normal === null ? [containing(word)] : [containing(word), containing(normal.part)],
      ),
    ],
    toSql: (slots) => {
      const remaining = [...slots];
      return [
        ...parentColumns.map((column) => sql<SqlBool>`${sql.ref(column)} = ${remaining.shift()}`),
        ...checked.map((condition) =>
          conditionSql(condition, remaining.splice(0, condition.operands.length)),
        ),
        ...words.map(({ normal }) =>
          normal === null
            ? searchSql(resource.search, remaining.shift())
            : sql<SqlBool>`(${searchSql(resource.search, remaining.shift())} or
                ${searchSql([normal.column], remaining.shift())})`,
        ),
      ];
    },
  };
}

/** A word of a search, and its normal form if a column with normal forms is also searched. */
interface SearchedWord {
  readonly word: string;
  readonly normal: { readonly column: string; readonly part: string } | null;
}

function withNormal({ search, filters }: Resource): (word: string) => SearchedWord {
  const form = search
    .map((column) => filters.fields[column]?.normalization)
    .find((normal) => normal !== undefined);
  return (word) => {
    const part = form?.ofPart(word) ?? null;
    return { word, normal: form === undefined || part === null ? null : { column: form.column, part } };
  };
}

/** Every word must occur in one of the searched columns (docs/specification/conventions.md#search). */
function searchSql(columns: readonly string[], pattern: unknown): Expression<SqlBool> {
  const matches = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`);
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`;
}
