import { type ActorRecord, toActorRecord } from '../tenancy/actor.ts';
import type { EntityType } from './entity-types.ts';
import type { JsonColumn, TimeColumn } from './field-types.ts';
import type { Writer } from './statements.ts';

interface RecordHistoryTable {
  tenant_id: string;
  entity_type: string;
  sort_key: string;
  version: number;
  deleted: boolean;
  owner_bu_id: string | null;
  recorded_at: TimeColumn;
  data: JsonColumn<unknown>;
  actor: JsonColumn<ActorRecord> | null;
}

declare module '../db/tables.ts' {
  interface Tables {
    record_history: RecordHistoryTable;
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

/**
 * Records versions that no resource's own statement records, in the transaction that makes them; `deleted`: the last
 * ones of records that are gone.
 */
export async function recordVersions(
  { actor, db }: Pick<Writer, 'actor' | 'db'>,
  entries: readonly HistoryEntry[],
  deleted = false,
): Promise<void> {
  if (entries.length === 0) return;
  const who = JSON.stringify(toActorRecord(actor));
  await db.query
    .insertInto('record_history')
    .values(
      entries.map((entry) => ({
        tenant_id: db.tenantId,
        entity_type: entry.entityType,
        sort_key: entry.sortKey,
        version: entry.version,
        deleted,
        owner_bu_id: entry.ownerBuId,
        recorded_at: entry.recordedAt,
        data: JSON.stringify(entry.data),
        actor: who,
      })),
    )
    .execute();
}
