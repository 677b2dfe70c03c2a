/** Parts of the overview: event webhooks and sending domains. */
import { type AttentionItem, type FindAttention, NO_ATTENTION } from '../../overview/overview-part.ts';
import { readsShared } from '../../resources/ownership.ts';
import { toAttention } from '../../work-queue/failing-webhooks.ts';
import { listFailingEventWebhooks, listUnverifiedDomains } from './queries.ts';
import type { SendingDomain } from './sending-domains/resource.ts';

/** Finds the event webhooks whose deliveries fail. */
export const findFailingEventWebhooks: FindAttention = async ({ db, caller }, limit) =>
  readsShared(caller)
    ? toAttention('email_event_webhook', await listFailingEventWebhooks(db, limit))
    : NO_ATTENTION;

/** Finds the domains from which no mail can be sent. */
export const findUnverifiedDomains: FindAttention = async ({ db, caller }, limit) => {
  if (!readsShared(caller)) return NO_ATTENTION;
  const domains = await listUnverifiedDomains(db, limit);
  const items = domains.map(({ domain, since, ...row }) => ({
    entityType: 'sending_domain' as const,
    key: domain,
    title: domain,
    since,
    count: null,
    ownerBuId: null,
    ...urgencyOf(row),
  }));
  return { items, total: domains[0]?.total ?? 0 };
};

function urgencyOf({
  status,
  unverified_since,
}: Pick<SendingDomain, 'status' | 'unverified_since'>): Pick<AttentionItem, 'severity' | 'reason'> {
  if (unverified_since !== null) return { severity: 'error', reason: 'domain_lost' };
  const isWrong = status.dkim_status === 'invalid';
  return { severity: 'warning', reason: isWrong ? 'domain_wrong' : 'domain_unverified' };
}
