import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { shortCode } from '../../../secrets/codes.ts';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

/** The key pair of a domain. `privateKey` is PKCS #8 in PEM; `publicKey` is what the DNS record's `p` holds. */
export interface DkimKeyPair {
  readonly selector: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/**
 * A new RSA-2048 key (decisions section 6) under a selector that nobody can foresee, so that tenants who sign for the
 * same domain do not get in each other's way. Made on the thread pool: it takes some 100 ms.
 */
export async function generateDkimKey(): Promise<DkimKeyPair> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  return {
    selector: `t${shortCode()}`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
