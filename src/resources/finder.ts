/**
 * Finds a list's few matching records by an index that row-level security does not let statements use: a policy is
 * evaluated before `like` and list comparisons (docs/decisions/0024-subscriber-search-index.md). A function of the
 * owner reads the index and returns keys; the list then compares only these records.
 */

import { sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { RowsDb } from './compiled-statements.ts';
import type { FoundField } from './filter-field.ts';
import type { FilterCondition } from './filter-sql.ts';
import { contained } from './filter-values.ts';
import type { Resource } from './resource.ts';

/** Larger results are not worth the transfer to the process and back. */
const MAX_FOUND = 10_000;

/** A finder request; all conditions must be true. */
export interface FinderRequest {
  /** Texts that the searched columns must contain. */
  readonly pieces: readonly string[];
  /** Values that fields must have. */
  readonly values: readonly FinderValue[];
  /** The parent's key, which only narrows the request. */
  readonly within: readonly FinderValue[];
}

type FinderValue = FoundField & { readonly value: string };

/** Returns the finder request for a search and filters among the records of a parent. */
export function toFinderRequest(
  { search, key }: Resource,
  words: readonly string[],
  conditions: readonly FilterCondition[],
  parent: readonly string[],
): FinderRequest {
  const isSearched = ({ name }: FilterCondition) => search.includes(name);
  return {
    pieces: [...words, ...conditions.filter(isSearched).flatMap(piecesOf)],
    values: conditions.flatMap(({ field: { found }, operation, operands: [operand] }) =>
      found && operation === 'eq' && operand !== undefined ? [{ ...found, value: String(operand) }] : [],
    ),
    within: parent.map((value, index) => ({ field: key.columns[index] ?? '', kind: 'text', value })),
  };
}

/**
 * Returns the keys of records that include all matches of a list; null if there may be many or the list has no finder.
 */
export async function findFew(
  db: RowsDb,
  { finder }: Resource,
  { pieces, values, within }: FinderRequest,
): Promise<readonly string[] | null> {
  if (finder === undefined || !isScoped(db) || pieces.length + values.length === 0) return null;
  const { rows } = await db.raw(
    (tenantId) => sql<{ found: readonly string[] | null }>`
    select ${sql.id(finder)}(${tenantId}::uuid, ${pieces}::text[], ${JSON.stringify([...within, ...values])}::json,
      ${MAX_FOUND}::int)::text[] as found`,
  );
  return rows[0]?.found ?? null;
}

/** Finders work for one tenant. */
function isScoped(db: RowsDb): db is ScopedDb {
  return 'scope' in db;
}

/** Texts that a column must contain to meet a condition. */
function piecesOf({ field, operation, operands: [operand, normalPattern] }: FilterCondition): string[] {
  // Keys are made from the original value, not from its normal form, which has an index of its own.
  if (typeof operand !== 'string' || normalPattern !== undefined) return [];
  if (operation === 'eq') return field.normalization === undefined ? [operand] : [];
  return operation === 'like' ? [contained(operand)] : [];
}
