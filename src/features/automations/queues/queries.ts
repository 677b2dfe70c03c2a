import { createHash } from 'node:crypto';
import { type ColumnType, sql } from 'kysely';
import type { Gathered } from '../../../db/gathered-rows.ts';
import type { StoredCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { QueueItem } from '../../../work-queue/work-queue.ts';

/** A message: its body as JSON text, and its cause. */
export interface Message {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly cause: StoredCause | null;
  /** Time at which a republished message became a dead letter. It differs each time, so the message gets new runs. */
  readonly buriedAt?: string;
}

/** A cause; `[]` means none. Old rows, from before causes had a root, hold only the chain. */
type Chain = ColumnType<StoredCause | readonly string[], string, string>;

/** A message as stored. */
interface MessageRow extends Omit<Message, 'cause'> {
  readonly chain: StoredCause | readonly string[];
}

function toMessage<Row extends Pick<MessageRow, 'chain'>>({ chain, ...message }: Row) {
  const cause = 'root' in chain ? chain : chain.length === 0 ? null : { root: null, chain };
  return { ...message, cause };
}

/** A queue that has a handler. */
export interface HandledQueue {
  readonly tenant_id: string;
  readonly queue: string;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    queue_handlers: { tenant_id: string; automation_id: string; queue: string };
    queue_messages: { tenant_id: string; id: string; queue: string; body: unknown; chain: Chain };
    queue_outbox: QueueItem & { queue: string; body: unknown; chain: Chain };
  }
}

/** Stores that an active automation handles a queue. */
export async function insertHandler(tx: ScopedDb, automationId: string, queue: string): Promise<void> {
  await tx.query
    .insertInto('queue_handlers')
    .values({ tenant_id: tx.tenantId, automation_id: automationId, queue })
    .execute();
}

/** Stores that an automation no longer handles a queue. */
export async function deleteHandler(tx: ScopedDb, automationId: string): Promise<void> {
  await tx.query.deleteFrom('queue_handlers').where('automation_id', '=', automationId).execute();
}

/** Lists the automations that handle a queue. */
export async function listHandlerIds(db: ScopedDb, queue: string): Promise<readonly string[]> {
  const rows = await db.query
    .selectFrom('queue_handlers')
    .select('automation_id')
    .where('queue', '=', queue)
    .execute();
  return rows.map(({ automation_id }) => automation_id);
}

/** Lists the queues of all tenants that have handlers. */
export function listHandledQueues({ database }: Platform): Promise<Gathered<HandledQueue>> {
  return database.everyTenant('queue-handlers').gather(
    (inTenants) => sql<HandledQueue>`
      select distinct h.tenant_id, h.queue from queue_handlers h where ${inTenants('h.tenant_id')}`,
  );
}

/** Stores a message until its queue has a handler. An already stored message is unchanged. */
export async function insertWaiting(tx: ScopedDb, { id, queue, body, cause }: Message): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      insert into queue_messages (tenant_id, id, queue, body, chain)
      values (${tenantId}, ${id}, ${queue}, ${body}::json, ${JSON.stringify(cause ?? [])}::json)
      on conflict (tenant_id, id) do nothing`,
  );
}

/** Locks the oldest waiting messages of a queue and returns their sizes, skipping locked ones. */
export async function lockWaiting(
  tx: ScopedDb,
  queue: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly bytes: number }[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string; bytes: number }>`
      select id, octet_length(body::text) as bytes from queue_messages
      where tenant_id = ${tenantId}::uuid and queue = ${queue} order by id limit ${limit} for update skip locked`,
  );
  return rows;
}

/** Deletes waiting messages and returns them. */
export async function removeWaiting(tx: ScopedDb, ids: readonly string[]): Promise<readonly Message[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<MessageRow>`
      delete from queue_messages where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[])
      returning id, queue, body::text as body, chain`,
  );
  return rows.map(toMessage);
}

/** Stores a message for the broker. */
export async function insertOutgoing(
  tx: ScopedDb,
  { id, queue, body, cause }: Message,
  now: Date,
): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      insert into queue_outbox (tenant_id, id, target_id, state, due_at, attempts, queue, body, chain)
      values (${tenantId}, ${id}, ${targetOf(queue)}, 'pending', ${now}, 0, ${queue}, ${body}::json,
        ${JSON.stringify(cause ?? [])}::json)`,
  );
}

/** A message for the broker. The body is missing if it is larger than requested. */
export interface Outgoing extends Omit<Message, 'body'> {
  readonly body: string | null;
  readonly bytes: number;
}

/** Returns the message of an outbox row with a body of at most this many bytes, or undefined if the row is gone. */
export async function findOutgoing(
  db: ScopedDb,
  id: string,
  maxBytes: number,
): Promise<Outgoing | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<Omit<Outgoing, 'cause'> & MessageRow>`
      select m.id, m.queue, m.chain, o.bytes, case when o.bytes <= ${maxBytes}::int then m.body::text end as body
      from queue_outbox m cross join lateral (select octet_length(m.body::text) as bytes offset 0) o
      where m.tenant_id = ${tenantId}::uuid and m.id = ${id}::uuid`,
  );
  return rows[0] && toMessage(rows[0]);
}

/** The target of a queue in the work queue, unique in its tenant. */
function targetOf(queue: string): string {
  const digest = createHash('md5').update(queue).digest('hex');
  return digest.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
