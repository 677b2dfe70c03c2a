import { sql } from 'kysely';
import { currentCause } from '../../../db/work-kind.ts';
import { causeText, loopError } from '../../../flows/chain.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { DeliveryWebhook } from '../../../work-queue/delivery-source.ts';
import type { FailingWebhook } from '../../../work-queue/failing-webhooks.ts';
import type { HttpQueueItem } from '../../../work-queue/http-work-queue.ts';
import { type FailureColumns, IS_FAILING } from '../../../work-queue/target-outcomes.ts';
import type { WebhookReply } from './schema.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    entity_change_deliveries: HttpQueueItem;
    entity_webhooks: {
      tenant_id: string;
      id: string;
      url: string;
      events: string[];
      /** Encrypted with the webhook's id as context. */
      secret: string;
      created_at: string;
    } & FailureColumns;
  }
}

/** Kind of a change. */
export type ChangeKind = 'created' | 'updated' | 'deleted';

/** Records of one entity with the same kind of change. */
export interface Changes {
  readonly entity: string;
  readonly kind: ChangeKind;
  readonly records: readonly {
    readonly id: string;
    /** JSON text of the record as its GET returns it; of a deleted record, its last version. */
    readonly json: string;
  }[];
}

/** Lists the events that webhooks listen to. */
export async function listSubscribedEvents(db: ScopedDb): Promise<ReadonlySet<string>> {
  const rows = await db.query.selectFrom('entity_webhooks').select('events').execute();
  return new Set(rows.flatMap(({ events }) => events));
}

/** Lists the webhooks, newest first. */
export function listWebhooks(db: ScopedDb): Promise<WebhookReply[]> {
  return db.query
    .selectFrom('entity_webhooks')
    .select(['id', 'url', 'events'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Lists webhooks by URL, which is their name: all, or those with these ids. */
export async function listNamedWebhooks(db: ScopedDb, ids?: readonly string[]): Promise<DeliveryWebhook[]> {
  const query = db.query.selectFrom('entity_webhooks').select(['id', 'url as name']);
  const webhooks = await (ids === undefined ? query : query.where('id', 'in', ids)).orderBy('id').execute();
  return webhooks.map((webhook) => ({ ...webhook, is_active: true, owner_bu_id: null }));
}

/** Lists the newest of the webhooks that need attention, each with the number of all of them. */
export function listFailingWebhooks(db: ScopedDb, limit: number): Promise<FailingWebhook[]> {
  return db.query
    .selectFrom('entity_webhooks')
    .select(['id', 'url as name', 'failing_since', 'failed_attempts', 'failed_deliveries'])
    .select([sql<null>`null`.as('owner_bu_id'), sql<number>`count(*) over ()::int`.as('total')])
    .where(IS_FAILING)
    .orderBy('failing_since', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the number of webhooks. */
export async function countWebhooks(db: ScopedDb): Promise<number> {
  const { count } = await db.query
    .selectFrom('entity_webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a webhook; `secret` is encrypted. */
export async function insertWebhook(
  db: ScopedDb,
  { id, url, events }: WebhookReply,
  secret: string,
  now: Date,
): Promise<void> {
  await db.raw(
    (tenantId) => sql`
    insert into entity_webhooks (tenant_id, id, url, events, secret, created_at)
    values (${tenantId}, ${id}, ${url}, ${JSON.stringify(events)}::json, ${secret}, ${now})`,
  );
}

/** Deletes a webhook; returns false if it does not exist. Its pending deliveries are dropped at their due time. */
export async function deleteWebhook(db: ScopedDb, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.query
    .deleteFrom('entity_webhooks')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Inserts changes, and a delivery for each webhook that listens; returns the number of deliveries. If the chain
 * that led to the change is too long (a loop), the deliveries are inserted as failed.
 */
export async function insertChanges(
  tx: ScopedDb,
  { entity, kind, records }: Changes,
  now: Date,
): Promise<number> {
  const loop = loopError(currentCause(tx.tenantId));
  const { rows } = await tx.raw(
    (tenantId) => sql<{ deliveries: number }>`
    with changes as materialized (
      select tessera_uuidv7(${now}::timestamptz) as id, each.id as record_id, each.data
      from json_to_recordset(${toJsonRows(records)}::json) as each (id uuid, data json)
    ), hooks as materialized (
      select w.id from entity_webhooks w
      where w.tenant_id = ${tenantId}::uuid and w.events::jsonb @> ${JSON.stringify([`${entity}.${kind}`])}::jsonb
    ), inserted_changes as (
      insert into entity_changes (tenant_id, id, entity, kind, record_id, data, occurred_at, cause)
      select tenant_row.tenant_id, c.id, ${entity}, ${kind}, c.record_id, c.data, ${now}::timestamptz, ${causeText(tenantId)}::json
      from changes c cross join ${tenantRow(tenantId)} where exists (select from hooks)
    ), inserted_deliveries as (
      insert into entity_change_deliveries (tenant_id, id, target_id, change_id, state, due_at, attempts, last_error, created_at)
      select tenant_row.tenant_id, tessera_uuidv7(${now}::timestamptz), h.id, c.id, ${loop === null ? 'pending' : 'failed'},
        ${now}::timestamptz, 0, ${loop}, ${now}::timestamptz
      from changes c cross join hooks h cross join ${tenantRow(tenantId)}
      returning 1
    )
    select count(*)::int as deliveries from inserted_deliveries`,
  );
  return rows[0]?.deliveries ?? 0;
}

/** Builds the JSON of rows around the records' JSON text, which stays unchanged because it is signed and delivered. */
function toJsonRows(records: Changes['records']): string {
  return `[${records.map(({ id, json }) => `{"id":"${id}","data":${json}}`).join(',')}]`;
}
