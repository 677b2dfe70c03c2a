/** Opens and clicks by people, not machines: the engagement of each message, and the clicked links of a sending. */
import { expressionBuilder, sql } from 'kysely';
import type { Moment, Tables } from '../../../db/tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    email_sending_links: {
      tenant_id: string;
      transmission_id: string;
      /** Hash of the URL. */
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

/** A link of a message with its number of clicks. */
export interface ClickedLink {
  readonly url: string;
  readonly count: number;
  readonly first_clicked_at: Moment;
  readonly last_clicked_at: Moment;
}

/** Opens and clicks of one message. */
export interface MessageEngagement {
  readonly open_count: number;
  readonly first_opened_at: Moment | null;
  readonly last_opened_at: Moment | null;
  readonly click_count: number;
  /** Number of clicked links. */
  readonly unique_click_count: number;
  readonly last_clicked_at: Moment | null;
  /** Clicked links in order of their first click, up to MAX_URL_BYTES. */
  readonly links: readonly ClickedLink[];
}

interface EngagementRow {
  readonly message_id: string;
  readonly type: 'open' | 'click';
  readonly url: string | null;
  readonly count: number;
  readonly first_at: Moment;
  readonly last_at: Moment;
  /** Number of events of this message and type, of all URLs. */
  readonly total: number;
  readonly distinct_urls: number;
  /** Time of the last event of this message and type. */
  readonly latest_at: Moment;
}

/** Size limit of the URLs returned for one message, in bytes. */
const MAX_URL_BYTES = 64 * 1024;

/** Returns the engagement of messages by message id; omits messages without opens and clicks. */
export async function listMessageEngagement(
  db: ScopedDb,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, MessageEngagement>> {
  if (messageIds.length === 0) return new Map();
  const byUrl = db.query
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
      sql<Moment>`min(occurred_at)`.as('first_at'),
      sql<Moment>`max(occurred_at)`.as('last_at'),
    ]);
  const byMessageAndType = sql`partition by v.message_id, v.type`;
  const summed = db.query
    .selectFrom(byUrl.as('v'))
    .selectAll('v')
    .select([
      sql<number>`(sum(v.count) over (${byMessageAndType}))::int`.as('total'),
      sql<number>`(count(*) over (${byMessageAndType}))::int`.as('distinct_urls'),
      sql<Moment>`max(v.last_at) over (${byMessageAndType})`.as('latest_at'),
      sql<number>`sum(coalesce(octet_length(v.url), 0)) over (${byMessageAndType} order by v.first_at, v.url)`.as(
        'url_bytes',
      ),
    ]);
  const rows: EngagementRow[] = await db.query
    .selectFrom(summed.as('s'))
    .selectAll('s')
    .where('s.url_bytes', '<=', MAX_URL_BYTES)
    .orderBy('s.first_at')
    .orderBy('s.url')
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ message_id }) => message_id)].map(([id, messageRows]) => [
      id,
      toEngagement(messageRows),
    ]),
  );
}

function toEngagement(rows: readonly EngagementRow[]): MessageEngagement {
  const opens = rows.find(({ type }) => type === 'open');
  const clicks = rows.filter(({ type }) => type === 'click');
  return {
    open_count: opens?.count ?? 0,
    first_opened_at: opens?.first_at ?? null,
    last_opened_at: opens?.last_at ?? null,
    click_count: clicks[0]?.total ?? 0,
    unique_click_count: clicks[0]?.distinct_urls ?? 0,
    last_clicked_at: clicks[0]?.latest_at ?? null,
    links: clicks.map(({ url, count, first_at, last_at }) => ({
      url: url ?? '',
      count,
      first_clicked_at: first_at,
      last_clicked_at: last_at,
    })),
  };
}

/** A link of a sending with its clicks. */
export interface SendingLink {
  readonly url: string;
  readonly clicks: number;
  /** Number of recipients who clicked the link. */
  readonly unique_clicks: number;
  readonly first_click: Moment;
  readonly last_click: Moment;
}

/** Maximum number of links returned for a sending: each recipient may have links of their own. */
const MAX_LINKS = 1000;

/**
 * Returns the clicked links of a sending, most clicks first, and the total clicks of all links. Reads stored counters,
 * not events.
 */
export async function listSendingLinks(
  db: ScopedDb,
  transmissionId: string,
): Promise<{ readonly links: readonly SendingLink[]; readonly clicks: number }> {
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
      sql<number>`(sum(clicks) over ())::float8`.as('all_clicks'),
      visitsOf('first_clicked_at', 'asc').as('first_click'),
      visitsOf('last_clicked_at', 'desc').as('last_click'),
    ])
    .orderBy('clicks', 'desc')
    .orderBy('url')
    .limit(MAX_LINKS)
    .execute();
  const links = rows.flatMap(({ first_click, last_click, all_clicks: _all, ...link }) =>
    first_click === null || last_click === null ? [] : [{ ...link, first_click, last_click }],
  );
  return { links, clicks: rows[0]?.all_clicks ?? 0 };
}
