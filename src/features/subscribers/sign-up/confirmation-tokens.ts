/** The tokens of `PUBLIC_URL/confirm/{token}`: good for seven days, for one subscriber as long as its address stays. */
import type { Platform } from '../../../platform.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { hashAddress } from '../address-hash.ts';
import type { Person } from './queries.ts';

const PURPOSE = 'confirm-subscription';
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** What a token tells. */
export interface ConfirmationClaims {
  readonly tenantId: string;
  readonly subscriberId: string;
  /** The form that was submitted. */
  readonly formCode: string;
  /** Of the address that the mail went to. */
  readonly addressHash: string;
}

/** The address of the page on which a subscriber confirms. */
export function confirmUrl(
  platform: Platform,
  tenantId: string,
  formCode: string,
  person: Pick<Person, 'id' | 'address_key'>,
  now: Date,
): string {
  const claims = { tenant: tenantId, subscriber: person.id, form: formCode, address: hashOf(person) };
  const token = platform.tokens.sign(PURPOSE, claims, new Date(now.getTime() + VALID_MS));
  return `${platform.publicUrl()}/confirm/${token}`;
}

/** What a token tells, or null when it was not made here, is over, or its tenant is closed. Never throws. */
export function readConfirmationToken(
  platform: Platform,
  token: string,
  now: Date,
): ConfirmationClaims | null {
  const claims = platform.tokens.verify(PURPOSE, token, now);
  if (claims === null) return null;
  const { tenant = '', subscriber = '', form = '', address = '' } = claims;
  if (closedTenants(platform).has(tenant)) return null;
  return { tenantId: tenant, subscriberId: subscriber, formCode: form, addressHash: address };
}

/** Whether somebody still has the address that a token was mailed to: whoever had it says nothing of a new one. */
export function isFor({ addressHash }: ConfirmationClaims, person: Person): boolean {
  return addressHash === hashOf(person);
}

function hashOf({ id, address_key }: Pick<Person, 'id' | 'address_key'>): string {
  return hashAddress(id, address_key);
}
