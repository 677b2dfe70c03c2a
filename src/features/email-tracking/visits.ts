/** What people, not machines, opened and clicked: of single messages, and of all messages of a sending. */
import { expressionBuilder, sql } from 'kysely';
import type { Moment, Tables } from '../../db/tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    email_sending_links: {
      tenant_id: string;
      transmission_id: string;
      /** The hash of its address. */
      link: string;
      url: string;
      clicks: number;
      unique_clicks: number;
    };
    email_link_visits: {
      tenant_id: string;
      message_id: string;
      link: string;
      transmission_id: string;
      clicks: number;
      first_clicked_at: Time;
      last_clicked_at: Time;
    };
  }
}

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

/** The links of a sending that people followed, those with most clicks first. They are counted when they are followed. */
export async function listSendingLinks(db: ScopedDb, transmissionId: string): Promise<SendingLink[]> {
  const visitsOf = (time: 'first_clicked_at' | 'last_clicked_at', order: 'asc' | 'desc') =>
    expressionBuilder<Tables, 'email_sending_links'>()
      .selectFrom('email_link_visits as visit')
      .select(sql<Moment>`${sql.ref(`visit.${time}`)}`.as('at'))
      .where('visit.transmission_id', '=', transmissionId)
      .whereRef('visit.link', '=', 'email_sending_links.link')
      .orderBy(`visit.${time}`, order)
      .limit(1);
  const rows = await db.query
    .selectFrom('email_sending_links')
    .where('transmission_id', '=', transmissionId)
    .select(['url', 'clicks', 'unique_clicks'])
    .select([
      visitsOf('first_clicked_at', 'asc').as('first_click'),
      visitsOf('last_clicked_at', 'desc').as('last_click'),
    ])
    .orderBy('clicks', 'desc')
    .orderBy('url')
    .execute();
  return rows.flatMap(({ first_click, last_click, ...link }) =>
    first_click === null || last_click === null ? [] : [{ ...link, first_click, last_click }],
  );
}
