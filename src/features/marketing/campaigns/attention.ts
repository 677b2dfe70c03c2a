/** Part of the overview: campaign emails that could not be sent. */
import type { FindAttention } from '../../../overview/overview-part.ts';
import { listStoppedEmails } from './emails/queries.ts';

/** Time in which an email that was not sent needs attention, unless it is deleted before. */
const SHOWN_MS = 7 * 24 * 60 * 60 * 1000;

/** Finds scheduled emails of the caller's units that Tessera cancelled because they could not be sent. */
export const findStoppedEmails: FindAttention = async ({ db, now }, limit) => {
  const emails = await listStoppedEmails(db, new Date(now.getTime() - SHOWN_MS), limit);
  const items = emails.map(({ id, name, owner_bu_id, updated_at }) => ({
    entityType: 'marketing_email' as const,
    key: id,
    title: name,
    severity: 'error' as const,
    reason: 'email_not_sent' as const,
    since: updated_at,
    count: null,
    ownerBuId: owner_bu_id,
  }));
  return { items, total: emails[0]?.total ?? 0 };
};
