import { v7 as uuidv7 } from 'uuid';
import { generateApiKey } from '../../secrets/api-keys.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** A new key: its id, and the text that is shown once and kept nowhere. */
export interface IssuedKey {
  readonly id: string;
  readonly apiKey: string;
}

/** Makes a key of a membership that exists in the tenant of `tx`. */
export async function issueKey(
  tx: ScopedDb,
  now: Date,
  membershipId: string,
  name: string,
): Promise<IssuedKey> {
  const { apiKey, prefix, digest } = generateApiKey();
  const id = uuidv7();
  await tx.query
    .insertInto('api_keys')
    .values({
      tenant_id: tx.tenantId,
      id,
      membership_id: membershipId,
      name,
      prefix,
      digest,
      created_at: now.toISOString(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
  return { id, apiKey };
}
