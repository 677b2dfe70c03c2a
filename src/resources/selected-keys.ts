/** The records that a bulk action selects: by filters, a search or their keys. */
import { sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { runCompiled } from './compiled-statements.ts';
import { keyOf } from './keys.ts';
import { type ListSelection, limitToFound, readConditions } from './list-conditions.ts';
import { isAfter, NEWEST_FIRST, newestFirst, ORDER_VALUE, orderValueSql } from './list-order.ts';
import { matching } from './lists.ts';
import type { AnyRow, Resource } from './resource.ts';

/** A selection that names records by the last part of their keys. */
export interface KeySelection extends ListSelection {
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
  /** All but these. */
  readonly excludedIds?: readonly string[] | undefined;
  /** Only records that existed then. */
  readonly createdUntil?: string;
}

/** A selected record, and the place from which the next ones are read. */
export interface SelectedKey {
  readonly key: readonly string[];
  /** The title for people; the last part of the key if it has no other. */
  readonly title: string;
  readonly position: readonly string[];
}

/** A part of a selection. */
interface SelectedPart {
  /** Records after this position; null: the first ones. */
  readonly after: readonly string[] | null;
  readonly limit: number;
  /** The column with the title. */
  readonly title?: string;
}

/** Returns the conditions of a selection as those of a list. Texts that cannot be keys select nothing. */
export function toListSelection(resource: Resource, selection: KeySelection): ListSelection {
  const { ids, excludedIds, createdUntil, added, parent = [], ...rest } = selection;
  const { key, kinds } = resource;
  const column = key.columns.at(-1) ?? '';
  const areKeys = (texts: readonly string[]) => texts.filter((text) => key.isKey([...parent, text]));
  const byKey = {
    ...(ids && { in: areKeys(ids) }),
    ...(excludedIds?.length && { nin: areKeys(excludedIds) }),
  };
  return {
    ...rest,
    parent,
    addedFields: {
      owner_bu_id: { type: 'uuid' },
      [column]: { type: kinds.get(column) === 'uuid' ? 'uuid' : 'text' },
      created_at: { type: 'time' },
    },
    added: {
      ...added,
      ...(Object.keys(byKey).length > 0 && { [column]: byKey }),
      ...(createdUntil !== undefined && { created_at: { lte: createdUntil } }),
    },
  };
}

/**
 * Returns the keys of a part of the selected records, newest first.
 * @throws AppError INVALID_REQUEST for filters that the list does not support.
 */
export async function nextKeys(
  db: ScopedDb,
  resource: Resource,
  selection: KeySelection,
  { after, limit, title = resource.key.columns.at(-1) ?? '' }: SelectedPart,
): Promise<SelectedKey[]> {
  const listed = toListSelection(resource, selection);
  const conditions = await limitToFound(db, resource, await readConditions(db, resource, listed));
  const { shape, values, toSql } = conditions;
  const place = after === null ? 'first' : 'after';
  const rows = await runCompiled<AnyRow>(
    db,
    resource,
    `keys ${place} ${limit} ${title} ${shape}`,
    [...values, ...(after ?? [])],
    (query, slots) => {
      const position = after === null ? [] : [isAfter(resource, NEWEST_FIRST, slots.slice(values.length))];
      return matching(query, resource.table, [...toSql(slots), ...position])
        .select([...new Set([...resource.key.columns, title])])
        .select(orderValueSql(resource, NEWEST_FIRST, resource.table))
        .orderBy(newestFirst(resource))
        .limit(sql<number>`${sql.lit(limit)}`);
    },
  );
  return rows.map((row) => {
    const key = keyOf(resource, row);
    return { key, title: String(row[title] ?? ''), position: [String(row[ORDER_VALUE]), ...key] };
  });
}
