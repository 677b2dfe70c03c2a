/**
 * Finds the few records that a list asks for by an index which row-level security keeps from statements: `like` and what
 * compares lists may not look at a row before its policy has (docs/decisions/0024-people-are-found-by-keys.md). A function
 * of the owner looks into it and gives keys; the list compares these records as it would compare all.
 */
import { sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { RowsDb } from './compiled.ts';
import { contained } from './filter-values.ts';
import type { FilterCondition, FoundField } from './filters.ts';
import type { Resource } from './resource.ts';

/** More than these are not worth their way to the process and back. */
const MOST_FOUND = 10_000;

/** What a finder is asked for: all of it must hold. */
export interface Wanted {
  /** Texts that the searched columns must contain. */
  readonly pieces: readonly string[];
  /** Values that fields must have. */
  readonly values: readonly WantedValue[];
  /** The parent's key: where to look, which is no reason to. */
  readonly within: readonly WantedValue[];
}

type WantedValue = FoundField & { readonly value: string };

/** What words of a search and conditions of filters ask of a finder, among the records of a parent. */
export function wantedBy(
  { search, key }: Resource,
  words: readonly string[],
  conditions: readonly FilterCondition[],
  parent: readonly string[],
): Wanted {
  const isSearched = ({ name }: FilterCondition) => search.includes(name);
  return {
    pieces: [...words, ...conditions.filter(isSearched).flatMap(piecesOf)],
    values: conditions.flatMap(({ field: { found }, operation, operands: [operand] }) =>
      found && operation === 'eq' && operand !== undefined ? [{ ...found, value: String(operand) }] : [],
    ),
    within: parent.map((value, place) => ({ field: key.columns[place] ?? '', kind: 'text', value })),
  };
}

/** The keys of the records among which all are that a list asks for; null: they may be many, or it has no finder. */
export async function findFew(
  db: RowsDb,
  { finder }: Resource,
  { pieces, values, within }: Wanted,
): Promise<readonly string[] | null> {
  if (finder === undefined || !isScoped(db) || pieces.length + values.length === 0) return null;
  const { rows } = await db.raw(
    (tenantId) => sql<{ found: readonly string[] | null }>`
    select ${sql.id(finder)}(${tenantId}::uuid, ${pieces}::text[], ${JSON.stringify([...within, ...values])}::json,
      ${MOST_FOUND}::int)::text[] as found`,
  );
  return rows[0]?.found ?? null;
}

/** Finders work for one tenant. */
function isScoped(db: RowsDb): db is ScopedDb {
  return 'scope' in db;
}

/** The pieces of text that a column must contain to meet a condition. */
function piecesOf({ field, operation, operands: [operand] }: FilterCondition): string[] {
  if (typeof operand !== 'string') return [];
  // Keys are made of what was written, not of its normal form, which has an index of its own.
  if (operation === 'eq') return field.normal === undefined ? [operand] : [];
  return operation === 'like' ? [contained(operand)] : [];
}
