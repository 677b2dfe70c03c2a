/** Senders in the email settings: which domain an address belongs to, and what may be sent from it. */
import type { schemas } from '../../../sdk/src/index.ts';

/** The parts of the email settings that decide what a sender may do. */
type Settings = Pick<schemas.EmailSettings, 'sender_identities' | 'sending_domains'>;

/** Returns the domain of an address as DNS has it; empty if it has none yet. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).trim();
  const url = `http://${domain}`;
  return address.includes('@') && URL.canParse(url) ? new URL(url).hostname : '';
}

/** True if mail can be sent from addresses of a domain. */
export function isVerified({ sending_domains }: Settings, domain: string): boolean {
  return sending_domains.some((each) => each.domain === domain && each.status.ownership_verified);
}

/** Returns the addresses of senders whose domain cannot send: while there are some, no sender can be changed. */
export function unverifiedAddresses(settings: Settings): readonly string[] {
  return settings.sender_identities
    .map(({ from_email_address }) => from_email_address)
    .filter((address) => !isVerified(settings, domainOf(address)));
}

/** Returns the address that mail comes from if nothing else is said: the first that may send. */
export function defaultAddressOf(settings: Settings): string | undefined {
  return settings.sender_identities.find(({ from_email_address }) =>
    isVerified(settings, domainOf(from_email_address)),
  )?.from_email_address;
}

/** Returns the senders with the one of an address first. */
export function withFirst(
  senders: readonly schemas.SenderIdentity[],
  address: string,
): schemas.SenderIdentity[] {
  const rank = ({ from_email_address }: schemas.SenderIdentity) => (from_email_address === address ? 0 : 1);
  return senders.toSorted((a, b) => rank(a) - rank(b));
}
