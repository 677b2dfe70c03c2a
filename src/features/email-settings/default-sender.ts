import { domainOf, sendableAddress } from '../../mail/address.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { defaultSendingDomain, verifiedDomainNames } from './sending-domains/senders.ts';
import { getEmailSettings } from './service.ts';

/** Sender of mail without an explicit sender. */
export interface DefaultSender {
  readonly from: { readonly address: string; readonly name?: string };
  readonly replyTo: string | null;
}

/**
 * Returns the tenant's default sender: its first sender identity at a verified domain, else `no-reply` at its default
 * sending domain. Null if no domain is verified.
 */
export async function findDefaultSender(db: ScopedDb): Promise<DefaultSender | null> {
  const { sender_identities, sending_domains } = await getEmailSettings(db);
  const verified = verifiedDomainNames(sending_domains);
  const identity = sender_identities.find(({ from_email_address }) =>
    verified.includes(domainOf(from_email_address)),
  );
  if (identity) {
    const { from_email_address, from_name: name, reply_to: replyTo } = identity;
    const address = sendableAddress(from_email_address);
    return { from: { address, ...(name === '' ? {} : { name }) }, replyTo: replyTo === '' ? null : replyTo };
  }
  const defaultDomain = defaultSendingDomain(sending_domains);
  const domain = defaultDomain !== null && verified.includes(defaultDomain) ? defaultDomain : verified[0];
  return domain === undefined ? null : { from: { address: `no-reply@${domain}` }, replyTo: null };
}
