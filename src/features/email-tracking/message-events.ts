/**
 * What happens to a message after it has left: recorded with all that follows from it (the message's own columns,
 * suppressions, deliveries to event webhooks) in one transaction, for many messages of any tenants at once.
 */

import { randomBytes } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import { isNodeAway } from '../../db/node-away.ts';
import { storable } from '../../db/storable.ts';
import type { Time } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { emailEventDeliveries } from '../email-event-webhooks/index.ts';
import { SOFT_BOUNCES, suppressionBy } from '../email-settings/index.ts';
import { leave } from './leaving.ts';
import { BURST_MS, findBursts } from './machine-agents.ts';

/** The kinds of events (docs/specification/email-events.md#kinds). */
export type MessageEventType = 'delivery' | 'bounce' | 'complaint' | 'open' | 'click' | 'unsubscribe';

/** Something that happened to one message. */
export interface MessageEvent {
  readonly tenantId: string;
  readonly messageId: string;
  readonly type: MessageEventType;
  readonly occurredAt: Date;
  /** Where a click led to. */
  readonly url?: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
  /** Why an open or click does not count as a person's. */
  readonly machineReason?: string | null;
  /** Of a bounce: `hard` suppresses the address at once, `soft` when it happens again and again. */
  readonly bounceClass?: 'hard' | 'soft';
  /** True for a bounce that was about us: it does not count against the address. */
  readonly isAboutSender?: boolean;
  /** The relay's words, the reason of a bounce, the way of an unsubscribe. */
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

declare module '../../db/tables.ts' {
  interface Tables {
    email_message_events: MessageEventTable;
  }
}

/** A recorded event. */
export type MessageEventRow = Selectable<MessageEventTable>;

/** Why clicks of a burst do not count. */
const IN_BURST = 'many_links_at_once';
const UUID_BYTES = 16;
const MAX_DETAIL = 1000;
const MAX_USER_AGENT = 500;
/** Of one message: a machine may open it for ever. */
const MAX_LISTED = 1000;
/** A message with so many events has no further opens and clicks recorded. */
const MOST_EVENTS = 5000;
/** What the events of one answer may hold together, octets, with so many for each beside its texts. */
const MAX_LISTED_OCTETS = 16 * 1024 * 1024;
const OF_EVENT = 500;

/** Records events in a transaction of their own and has the event webhooks told. @throws what the database says. */
export async function recordMessageEvents(
  platform: Platform,
  events: readonly MessageEvent[],
): Promise<void> {
  await leave(
    platform,
    events.filter(({ type }) => type === 'unsubscribe'),
  );
  const { error } = await recordAll(platform, events);
  if (error !== undefined) throw error;
}

/** What became of events that were to be recorded. */
export interface Recording {
  /** Those that could not be. Tenants are recorded each by themselves where they are spread over nodes. */
  readonly left: readonly MessageEvent[];
  /** The same, of tenants whose node is away. */
  readonly away: readonly MessageEvent[];
  /** Why; undefined when all were. */
  readonly error?: unknown;
}

/** Records what can be recorded, as `recordMessageEvents` does. Never rejects. */
export async function recordAll(platform: Platform, events: readonly MessageEvent[]): Promise<Recording> {
  const [left, away]: [MessageEvent[], MessageEvent[]] = [[], []];
  let error: unknown;
  let deliveries = 0;
  await platform.database.everyTenant('message-events').byTenant(
    events,
    ({ tenantId }) => tenantId,
    async (db, own) => {
      try {
        deliveries += await db.transaction((tx) => writeMessageEvents(tx, own, platform.clock()));
      } catch (failure) {
        error ??= failure;
        (isNodeAway(failure) ? away : left).push(...own);
      }
    },
  );
  if (deliveries > 0) platform.ledgers.wake(emailEventDeliveries);
  return { left, away, error };
}

/** Which of these tenants are on nodes that answer. @throws what the database says. */
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

/** What is recorded beside events. */
interface BesideEvents {
  /** Clicks of a machine: of these events, and earlier ones on the same messages. */
  readonly bursts?: readonly RecentClick[];
  /** SQL for what the statement has changed of messages before, which is counted with what events change. */
  readonly counted?: RawBuilder<unknown>;
}

/**
 * A call that records events, for a statement that does more, such as settling a ledger's batch.
 * sql/record-message-events.sql tells what follows from events. Its value is the number of
 * deliveries that are owed for them: after the commit `platform.ledgers.wake(emailEventDeliveries)`.
 */
export function messageEventsCall(
  { tenantId }: Pick<EveryTenantDb, 'tenantId'>,
  events: readonly MessageEvent[],
  now: Date,
  { bursts = [], counted = sql`'[]'` }: BesideEvents = {},
): RawBuilder<number> {
  const fresh = new Set(bursts.map(({ event }) => event));
  const earlier = bursts.flatMap(({ tenantId: tenant_id, id }) => (id === null ? [] : [{ tenant_id, id }]));
  // In one draw: for each id alone it would take longer than all else about the row.
  const random = randomBytes(events.length * UUID_BYTES);
  const rows = events.map((event, index) =>
    toRow(event, random.subarray(index * UUID_BYTES), fresh.has(event)),
  );
  return sql`tessera_record_message_events(${tenantId}::uuid, ${JSON.stringify(rows)}::json, ${now}, ${SOFT_BOUNCES.count},
    ${SOFT_BOUNCES.days}, ${SOFT_BOUNCES.description}, ${JSON.stringify(earlier)}::json, ${IN_BURST}, ${counted}, ${MOST_EVENTS})`;
}

/** What was seen of these messages, in order: of each the first so many events, as far as one answer holds them. */
export function listMessageEvents(db: ScopedDb, messageIds: readonly string[]): Promise<MessageEventRow[]> {
  const texts = ['url', 'user_agent', 'detail'].map(
    (column) => sql`coalesce(octet_length(${sql.ref(`seen.${column}`)}), 0)`,
  );
  const octets = sql`${sql.lit(OF_EVENT)} + ${sql.join(texts, sql` + `)}`;
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
    .select(sql<number>`sum(${octets}) over (order by seen.occurred_at, seen.id)`.as('so_far'));
  return db.query
    .selectFrom(listed.as('listed'))
    .selectAll('listed')
    .where('listed.so_far', '<=', MAX_LISTED_OCTETS)
    .orderBy('listed.occurred_at')
    .orderBy('listed.id')
    .execute();
}

/**
 * Removes what was seen of messages that are gone, or of whose recipients nothing is to be known; of deliveries that are owed
 * for it none is made any more. Called once in a transaction, when the messages are locked.
 */
export async function deleteMessageEvents(tx: ScopedDb, messageIds: readonly string[]): Promise<void> {
  await tx.raw(
    (tenantId) => sql`select tessera_forget_message_events(${tenantId}::uuid, ${messageIds}::uuid[])`,
  );
}

interface RecentClick {
  readonly tenantId: string;
  readonly messageId: string;
  readonly url: string;
  readonly occurredAt: Date;
  /** Null for one that is not yet recorded. */
  readonly id: string | null;
  readonly event: MessageEvent | null;
}

/** The clicks that belong to a burst, new ones and ones recorded before, because the burst came in two batches. */
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
    user_agent: startOf(event.userAgent, MAX_USER_AGENT),
    machine_reason: isBurst ? IN_BURST : event.machineReason,
    bounce_class: event.bounceClass,
    about_sender: event.isAboutSender === true,
    detail: startOf(event.detail, MAX_DETAIL),
    suppression: startOf(suppressionBy(event), MAX_DETAIL),
  };
}

/** The start of a text; null when there is none. */
function startOf(text: string | null | undefined, length: number): string | null {
  return text ? storable(text.slice(0, length)) : null;
}
