import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { EntityType } from './entity-types.ts';

export interface RecordHistoryRow {
  tenant_id: string;
  entity_type: string;
  sort_key: string;
  version: number;
  deleted: boolean;
  owner_bu_id: string | null;
  recorded_at: string | Date;
  /** JSON text on the way in (its key order is kept), the parsed object on the way out. */
  data: unknown;
}

declare module '../db/tables.ts' {
  interface Tables {
    record_history: RecordHistoryRow;
  }
}

/** One version of a record, as its GET shows it at that time, secrets left out. */
export interface HistoryEntry {
  readonly entityType: EntityType;
  readonly sortKey: string;
  readonly version: number;
  /** The owning unit; null for what belongs to the tenant as a whole. */
  readonly ownerBuId: string | null;
  readonly recordedAt: string | Date;
  readonly data: object;
}

/** Records versions, in the transaction that makes them. */
export async function recordVersions(tx: ScopedDb, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query
    .insertInto('record_history')
    .values(entries.map((entry) => historyRow(tx.tenantId, entry, false)))
    .execute();
}

/** Records that a record was deleted; `entry` is its last version. */
export async function recordDeletion(tx: ScopedDb, entry: HistoryEntry): Promise<void> {
  await tx.query
    .insertInto('record_history')
    .values(historyRow(tx.tenantId, entry, true))
    .execute();
}

/** The row of a history entry, for statements that write it together with the record. */
export function historyRow(tenantId: string, entry: HistoryEntry, deleted: boolean): RecordHistoryRow {
  return {
    tenant_id: tenantId,
    entity_type: entry.entityType,
    sort_key: entry.sortKey,
    version: entry.version,
    deleted,
    owner_bu_id: entry.ownerBuId,
    recorded_at: entry.recordedAt,
    data: JSON.stringify(entry.data),
  };
}
