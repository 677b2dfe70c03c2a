/** Records bounces and complaints reported by mail providers. Repeated notices are recorded once. */
import { sql } from 'kysely';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { isUuid } from '../../../resources/keys.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type MessageEvent, recordMessageEvents } from './message-events.ts';

/** A bounce or a complaint as reported by a mail provider. */
export interface MailNotice {
  readonly recipient: string;
  /**
   * The message's id or its Message-ID header. Null if the provider knows neither: the notice is then about the last
   * message sent to the recipient before `occurredAt`. Notices about unknown messages are ignored.
   */
  readonly messageId: string | null;
  /** Time of the event; an invalid date means now. */
  readonly occurredAt: Date;
  readonly event: Pick<MessageEvent, 'bounceClass' | 'isAboutSender' | 'detail'> & {
    readonly type: 'bounce' | 'complaint';
  };
}

/** The message of a notice, with the bounce and complaint recorded so far. */
interface NoticedMessage {
  /** Index of the notice. */
  readonly position: number;
  readonly id: string;
  readonly bounce_class: 'hard' | 'soft' | null;
  readonly has_complained: boolean;
}

/** Notices are never this late; an older time means a wrong clock. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Records notices about messages of a tenant by the rules for bounces received by mail. Returns the number of new
 * events. A repeated notice does not suppress an address whose suppression was lifted meanwhile.
 */
export async function recordMailNotices(
  platform: Platform,
  tenantId: string,
  notices: readonly MailNotice[],
): Promise<number> {
  if (notices.length === 0) return 0;
  const now = platform.clock();
  const timed = notices.map((notice) => ({ ...notice, occurredAt: timeOf(notice, now) }));
  const messages = await findNoticedMessages(platform.scoped(wholeTenant(tenantId)), timed);
  const events = messages.flatMap((message): MessageEvent[] => {
    const notice = timed[message.position];
    if (notice === undefined || isKnown(message, notice)) return [];
    return [{ ...notice.event, tenantId, messageId: message.id, occurredAt: notice.occurredAt }];
  });
  await recordMessageEvents(platform, events);
  return events.length;
}

function timeOf({ occurredAt }: MailNotice, now: Date): Date {
  const age = now.getTime() - occurredAt.getTime();
  return age >= 0 && age < MAX_AGE_MS ? occurredAt : now;
}

function isKnown({ bounce_class: known, has_complained }: NoticedMessage, { event }: MailNotice): boolean {
  if (event.type === 'complaint') return has_complained;
  return known === 'hard' || known === event.bounceClass;
}

async function findNoticedMessages(db: ScopedDb, notices: readonly MailNotice[]): Promise<NoticedMessage[]> {
  const candidates = notices.flatMap(({ messageId, recipient, occurredAt }, position) => {
    const id = messageId === null ? null : parseMessageId(messageId);
    return id === '' ? [] : [{ position, id, recipient: normalizeAddress(recipient), before: occurredAt }];
  });
  const { rows } = await db.raw(
    (tenantId) => sql<NoticedMessage>`
    select n.position, m.id, m.bounce_class, m.complained_at is not null as has_complained
    from json_to_recordset(${JSON.stringify(candidates)}::json)
      as n (position int, id uuid, recipient text, before timestamptz)
    cross join lateral (
      (select m.* from email_messages m where m.tenant_id = ${tenantId} and m.id = n.id limit 1)
      union all
      (select m.* from email_messages m
        where n.id is null and m.tenant_id = ${tenantId} and m.recipient = n.recipient and m.created_at <= n.before
          and m.sent_at is not null
        order by m.created_at desc limit 1)) m`,
  );
  return rows;
}

/** Returns the message's id in our Message-ID; empty for any other text. */
function parseMessageId(messageId: string): string {
  const [id = ''] = messageId.trim().replace(/^</, '').split('@', 1);
  return isUuid(id) ? id : '';
}
