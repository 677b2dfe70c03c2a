/**
 * Records events of sent messages with their effects (columns of the message, suppressions, deliveries to event
 * webhooks) in one transaction, in batches across tenants.
 */

import { randomBytes } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { storable } from '../../../db/storable.ts';
import type { Time } from '../../../db/tables.ts';
import { isTenantUnavailable } from '../../../db/tenant-unavailable.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { SOFT_BOUNCES, suppressionDescription } from '../../email-settings/api.ts';
import { emailEventDeliveries } from '../email-event-webhooks/index.ts';
import { BURST_MS, findBursts } from './machine-agents.ts';
import { unsubscribe } from './unsubscribe-handlers.ts';

/** The kinds of events (docs/specification/email-events.md#kinds). */
export type MessageEventType = 'delivery' | 'bounce' | 'complaint' | 'open' | 'click' | 'unsubscribe';

/** An event of one message. */
export interface MessageEvent {
  readonly tenantId: string;
  readonly messageId: string;
  readonly type: MessageEventType;
  readonly occurredAt: Date;
  /** Target of a click. */
  readonly url?: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
  /** Reason why an open or click is attributed to a machine; it is not counted then. */
  readonly machineReason?: string | null;
  /** Bounces only: `hard` suppresses the address at once, `soft` after repeated bounces. */
  readonly bounceClass?: 'hard' | 'soft';
  /** True for a bounce that concerns the sender; it does not count against the address. */
  readonly isAboutSender?: boolean;
  /** The relay's answer, the reason of a bounce, or the method of an unsubscribe. */
  readonly detail?: string;
}

interface MessageEventTable {
  tenant_id: string;
  id: string;
  message_id: string;
  type: MessageEventType;
  occurred_at: Time;
  url: string | null;
  ip_address: string | null;
  user_agent: string | null;
  machine_reason: string | null;
  bounce_class: 'hard' | 'soft' | null;
  detail: string | null;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    email_message_events: MessageEventTable;
  }
}

/** A recorded event. */
export type MessageEventRow = Selectable<MessageEventTable>;

/** Machine reason of clicks in a burst. */
const BURST_REASON = 'many_links_at_once';
const UUID_BYTES = 16;
const MAX_DETAIL = 1000;
const MAX_USER_AGENT = 500;
/** Events listed per message: a machine may open a message any number of times. */
const MAX_LISTED = 1000;
/** Events per message after which opens and clicks are no longer recorded. */
const MAX_EVENTS = 5000;
/** Size limit of one list of events, in bytes. */
const MAX_LISTED_BYTES = 16 * 1024 * 1024;
/** Estimated size of an event without its texts, in bytes. */
const EVENT_BYTES = 500;

/** Records events, each tenant's in one transaction, and wakes the event webhooks. @throws the database error. */
export async function recordMessageEvents(
  platform: Platform,
  events: readonly MessageEvent[],
): Promise<void> {
  await unsubscribe(
    platform,
    events.filter(({ type }) => type === 'unsubscribe'),
  );
  const { error } = await tryRecordMessageEvents(platform, events);
  if (error !== undefined) throw error;
}

/** Result of recording events. Where one statement cannot do it, each tenant is recorded on its own. */
export interface RecordingResult {
  /** Events that were not recorded. */
  readonly failed: readonly MessageEvent[];
  /** Events that were not recorded because their tenant is unavailable. */
  readonly unavailable: readonly MessageEvent[];
  /** The first error; undefined if all events were recorded. */
  readonly error?: unknown;
}

/** Records events like `recordMessageEvents` and reports those that failed. Never rejects. */
export async function tryRecordMessageEvents(
  platform: Platform,
  events: readonly MessageEvent[],
): Promise<RecordingResult> {
  const failed: MessageEvent[] = [];
  const unavailable: MessageEvent[] = [];
  let error: unknown;
  let deliveries = 0;
  await platform.database.everyTenant('message-events').byTenant(
    events,
    ({ tenantId }) => tenantId,
    async (db, tenantEvents) => {
      try {
        deliveries += await db.transaction((tx) => writeMessageEvents(tx, tenantEvents, platform.clock()));
      } catch (failure) {
        error ??= failure;
        (isTenantUnavailable(failure) ? unavailable : failed).push(...tenantEvents);
      }
    },
  );
  if (deliveries > 0) platform.workQueues.wake(emailEventDeliveries);
  return { failed, unavailable, error };
}

/** Returns those of these tenants that are available. @throws the database error. */
export function listReachable(
  { database }: Platform,
  tenantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return database.everyTenant('message-events').listReachable(tenantIds);
}

async function writeMessageEvents(
  tx: EveryTenantDb,
  events: readonly MessageEvent[],
  now: Date,
): Promise<number> {
  const bursts = await listBursts(tx, events);
  const { rows } = await tx.raw(sql<{ deliveries: number }>`
    select ${messageEventsCall(tx, events, now, { bursts })} as deliveries`);
  return rows[0]?.deliveries ?? 0;
}

/** Further input of the recording call. */
interface RecordingOptions {
  /** Clicks in bursts: among these events, and earlier ones on the same messages. */
  readonly bursts?: readonly RecentClick[];
  /** SQL for earlier changes of messages in the same statement, which are counted together with those of the events. */
  readonly counted?: RawBuilder<unknown>;
}

/**
 * Returns an SQL call that records events, for use in a larger statement such as acknowledging a batch of queue items.
 * sql/record-message-events.sql describes the effects of events. The call returns the number of new webhook deliveries:
 * if it is not 0, call `platform.workQueues.wake(emailEventDeliveries)` after the commit.
 */
export function messageEventsCall(
  { tenantId }: Pick<EveryTenantDb, 'tenantId'>,
  events: readonly MessageEvent[],
  now: Date,
  { bursts = [], counted = sql`'[]'` }: RecordingOptions = {},
): RawBuilder<number> {
  const fresh = new Set(bursts.map(({ event }) => event));
  const earlier = bursts.flatMap(({ tenantId: tenant_id, id }) => (id === null ? [] : [{ tenant_id, id }]));
  // One call for all ids: a call per id would cost more than the rest of the row.
  const random = randomBytes(events.length * UUID_BYTES);
  const rows = events.map((event, index) =>
    toRow(event, random.subarray(index * UUID_BYTES), fresh.has(event)),
  );
  return sql`tessera_record_message_events(${tenantId}::uuid, ${JSON.stringify(rows)}::json, ${now}, ${SOFT_BOUNCES.count},
    ${SOFT_BOUNCES.days}, ${SOFT_BOUNCES.description}, ${JSON.stringify(earlier)}::json, ${BURST_REASON}, ${counted}, ${MAX_EVENTS})`;
}

/** Lists the events of messages in order: the first MAX_LISTED of each, up to MAX_LISTED_BYTES in all. */
export function listMessageEvents(db: ScopedDb, messageIds: readonly string[]): Promise<MessageEventRow[]> {
  const texts = ['url', 'user_agent', 'detail'].map(
    (column) => sql`coalesce(octet_length(${sql.ref(`seen.${column}`)}), 0)`,
  );
  const size = sql`${sql.lit(EVENT_BYTES)} + ${sql.join(texts, sql` + `)}`;
  const listed = db.query
    .selectFrom((eb) => eb.fn<{ id: string }>('unnest', [sql`${messageIds}::uuid[]`]).as<'m'>(sql`m(id)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('email_message_events as e')
          .selectAll('e')
          .whereRef('e.message_id', '=', 'm.id')
          .orderBy('e.occurred_at')
          .orderBy('e.id')
          .limit(MAX_LISTED)
          .as('seen'),
      (join) => join.onTrue(),
    )
    .selectAll('seen')
    .select(sql<number>`sum(${size}) over (order by seen.occurred_at, seen.id)`.as('so_far'));
  return db.query
    .selectFrom(listed.as('listed'))
    .selectAll('listed')
    .where('listed.so_far', '<=', MAX_LISTED_BYTES)
    .orderBy('listed.occurred_at')
    .orderBy('listed.id')
    .execute();
}

/**
 * Deletes the events of deleted messages and of erased recipients, with their pending webhook deliveries. Call it once
 * per transaction, after locking the messages.
 */
export async function deleteMessageEvents(tx: ScopedDb, messageIds: readonly string[]): Promise<void> {
  await tx.raw(
    (tenantId) => sql`select tessera_delete_message_events(${tenantId}::uuid, ${messageIds}::uuid[])`,
  );
}

interface RecentClick {
  readonly tenantId: string;
  readonly messageId: string;
  readonly url: string;
  readonly occurredAt: Date;
  /** Null for a click that is not recorded yet. */
  readonly id: string | null;
  readonly event: MessageEvent | null;
}

/** Returns the clicks in bursts, new and already recorded: a burst may arrive in several batches. */
async function listBursts(tx: EveryTenantDb, events: readonly MessageEvent[]): Promise<RecentClick[]> {
  const clicks = events.filter(({ type, machineReason }) => type === 'click' && !machineReason);
  if (clicks.length === 0) return [];
  const recent = await listRecentClicks(tx, clicks);
  const fresh = clicks.map((event) => ({ ...event, url: event.url ?? '', id: null, event }));
  return [...findBursts<RecentClick>([...recent, ...fresh])];
}

async function listRecentClicks(tx: EveryTenantDb, clicks: readonly MessageEvent[]): Promise<RecentClick[]> {
  const messages = [
    ...new Map(clicks.map((click) => [`${click.tenantId} ${click.messageId}`, click])).values(),
  ];
  const since = new Date(Math.min(...clicks.map(({ occurredAt }) => occurredAt.getTime())) - BURST_MS);
  const { rows } = await tx.raw(sql<Omit<RecentClick, 'occurredAt' | 'event'> & { at: string }>`
    select tenant_id as "tenantId", message_id as "messageId", id, url, occurred_at as at
    from tessera_recent_clicks(${tx.tenantId}::uuid, ${messages.map(({ tenantId }) => tenantId)},
      ${messages.map(({ messageId }) => messageId)}, ${since})`);
  return rows.map(({ at, ...row }) => ({ ...row, occurredAt: new Date(at), event: null }));
}

function toRow(event: MessageEvent, random: Uint8Array, isBurst: boolean): object {
  return {
    tenant_id: event.tenantId,
    id: uuidv7({ msecs: event.occurredAt.getTime(), random }),
    message_id: event.messageId,
    type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    url: event.url,
    ip_address: event.ipAddress,
    user_agent: truncated(event.userAgent, MAX_USER_AGENT),
    machine_reason: isBurst ? BURST_REASON : event.machineReason,
    bounce_class: event.bounceClass,
    about_sender: event.isAboutSender === true,
    detail: truncated(event.detail, MAX_DETAIL),
    suppression: truncated(suppressionDescription(event), MAX_DETAIL),
  };
}

/** Returns the start of a text; null for an empty or missing one. */
function truncated(text: string | null | undefined, length: number): string | null {
  return text ? storable(text.slice(0, length)) : null;
}
