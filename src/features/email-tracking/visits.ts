/** What people, not machines, opened and clicked: of single messages, and of all messages of a sending. */
import { sql } from 'kysely';
import type { Moment } from '../../db/tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** A link of a message and how often it was followed. */
export interface ClickedLink {
  readonly url: string;
  readonly count: number;
  readonly first_clicked_at: Moment;
  readonly last_clicked_at: Moment;
}

/** What was opened and clicked of one message. */
export interface Visits {
  readonly open_count: number;
  readonly first_opened_at: Moment | null;
  readonly last_opened_at: Moment | null;
  /** By the first click. */
  readonly links: readonly ClickedLink[];
}

interface VisitRow {
  readonly message_id: string;
  readonly type: 'open' | 'click';
  readonly url: string | null;
  readonly count: number;
  readonly first: Moment;
  readonly last: Moment;
}

/** The visits of these messages, by message id; of one that has none nothing is told. */
export async function listVisits(
  db: ScopedDb,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, Visits>> {
  if (messageIds.length === 0) return new Map();
  const rows: VisitRow[] = await db.query
    .selectFrom('email_message_events')
    .where('message_id', '=', sql<string>`any(${messageIds}::uuid[])`)
    .where('type', 'in', ['open', 'click'])
    .where('machine_reason', 'is', null)
    .groupBy(['message_id', 'type', 'url'])
    .select([
      'message_id',
      sql<'open' | 'click'>`type`.as('type'),
      'url',
      sql<number>`count(*)::int`.as('count'),
      sql<Moment>`min(occurred_at)`.as('first'),
      sql<Moment>`max(occurred_at)`.as('last'),
    ])
    .orderBy('first')
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ message_id }) => message_id)].map(([id, own]) => [id, toVisits(own)]),
  );
}

function toVisits(rows: readonly VisitRow[]): Visits {
  const opens = rows.find(({ type }) => type === 'open');
  const clicks = rows.filter(({ type }) => type === 'click');
  return {
    open_count: opens?.count ?? 0,
    first_opened_at: opens?.first ?? null,
    last_opened_at: opens?.last ?? null,
    links: clicks.map(({ url, count, first, last }) => ({
      url: url ?? '',
      count,
      first_clicked_at: first,
      last_clicked_at: last,
    })),
  };
}

/** A link of a sending, and who followed it. */
export interface SendingLink {
  readonly url: string;
  readonly clicks: number;
  /** People. */
  readonly unique_clicks: number;
  readonly first_click: Moment;
  readonly last_click: Moment;
}

/** The links of a sending that people followed, those with most clicks first. */
export async function listSendingLinks(db: ScopedDb, transmissionId: string): Promise<SendingLink[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<SendingLink>`
    select e.url, count(*)::int as clicks, count(distinct m.id)::int as unique_clicks,
      min(e.occurred_at) as first_click, max(e.occurred_at) as last_click
    from email_messages m
    join email_message_events e on e.tenant_id = ${tenantId}::uuid and e.message_id = m.id
    where m.tenant_id = ${tenantId}::uuid and m.transmission_id = ${transmissionId}::uuid and m.clicked_at is not null
      and e.type = 'click' and e.machine_reason is null and e.url is not null
    group by e.url order by clicks desc, e.url`,
  );
  return rows;
}

/** How often a sending's messages were opened and clicked in all. */
export async function countVisits(
  db: ScopedDb,
  transmissionId: string,
): Promise<{ readonly opens: number; readonly clicks: number }> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ opens: number; clicks: number }>`
    select (count(*) filter (where e.type = 'open'))::int as opens, (count(*) filter (where e.type = 'click'))::int as clicks
    from email_messages m
    join email_message_events e on e.tenant_id = ${tenantId}::uuid and e.message_id = m.id
    where m.tenant_id = ${tenantId}::uuid and m.transmission_id = ${transmissionId}::uuid
      and (m.opened_at is not null or m.clicked_at is not null) and e.type in ('open', 'click') and e.machine_reason is null`,
  );
  return rows[0] ?? { opens: 0, clicks: 0 };
}
