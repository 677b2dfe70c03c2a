/** Tokens of `PUBLIC_URL/confirm/{token}`: valid for seven days, for one subscriber with an unchanged address. */
import type { Platform } from '../../../../platform.ts';
import { closedTenants } from '../../../../tenancy/closed-tenants.ts';
import { hashAddress } from '../address-hash.ts';
import type { SignUpSubscriber } from './queries.ts';

const PURPOSE = 'confirm-subscription';
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Content of a token. */
export interface ConfirmationClaims {
  readonly tenantId: string;
  readonly subscriberId: string;
  /** Code of the submitted form. */
  readonly formCode: string;
  /** Hash of the address that the mail was sent to. */
  readonly addressHash: string;
}

/** Returns the URL of the page on which a subscriber confirms. */
export function confirmUrl(
  platform: Platform,
  tenantId: string,
  formCode: string,
  subscriber: Pick<SignUpSubscriber, 'id' | 'address_key'>,
  now: Date,
): string {
  const claims = { tenant: tenantId, subscriber: subscriber.id, form: formCode, address: hashOf(subscriber) };
  const token = platform.tokens.sign(PURPOSE, claims, new Date(now.getTime() + VALID_MS));
  return `${platform.publicUrl()}/confirm/${token}`;
}

/** Returns the content of a token; null if it is invalid or expired, or its tenant is closed. Never throws. */
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

/** Returns the tenant of a token that may have expired; null: the token is invalid. Never throws. */
export function tenantOfConfirmation(platform: Platform, token: string): string | null {
  // Every token expires after this moment.
  return platform.tokens.verify(PURPOSE, token, new Date(0))?.tenant ?? null;
}

/** True if the subscriber still has the address that the token was mailed to. */
export function isForAddress({ addressHash }: ConfirmationClaims, subscriber: SignUpSubscriber): boolean {
  return addressHash === hashOf(subscriber);
}

function hashOf({ id, address_key }: Pick<SignUpSubscriber, 'id' | 'address_key'>): string {
  return hashAddress(id, address_key);
}
