/**
 * DKIM keys: each sending domain of a tenant has one
 * (docs/specification/email-settings.md#sending-domains).
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { DkimKey } from '../../../mail/dkim.ts';
import { shortCode } from '../../../secrets/codes.ts';
import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { SendingDomain } from './resource.ts';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

/** A key in the columns of its domain's row. */
export type StoredKey = Pick<
  SendingDomain,
  'domain' | 'dkim_selector' | 'dkim_public_key' | 'dkim_private_key'
>;

/** Column of the private keys. */
export const sealedDkimKeys: SealedColumn = {
  table: 'sending_domains',
  column: 'dkim_private_key',
  type: 'text',
  key: { domain: 'text' },
  sealedUnder: ({ tenant_id = '', domain = '' }) => sealedUnder(tenant_id, domain),
};

function sealedUnder(tenantId: string, domain: string): string {
  return `${tenantId}/${domain}`;
}

/**
 * Creates an RSA-2048 key with a random selector, so that tenants with the same domain do not collide. Runs in the
 * thread pool, because it takes about 100 ms.
 */
export async function createDkimKey(
  secrets: SecretBox,
  tenantId: string,
  domain: string,
): Promise<StoredKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    domain,
    dkim_selector: `t${shortCode()}`,
    dkim_public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    dkim_private_key: secrets.seal(pem, sealedUnder(tenantId, domain)),
  };
}

/** Returns the key of a domain. @throws SecretBoxError when SECRET_KEY has changed since it was created. */
export function openDkimKey(secrets: SecretBox, row: SendingDomain): DkimKey {
  const { tenant_id, domain, dkim_selector: selector, dkim_private_key: sealed } = row;
  return { domain, selector, privateKey: secrets.open(sealed, sealedUnder(tenant_id, domain)) };
}
