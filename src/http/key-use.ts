/** API keys of requests: the caller of a key, and the time of its last use. */
import { AppError } from '../errors/app-error.ts';
import { UNAUTHORIZED } from '../errors/platform-errors.ts';
import { oncePerPlatform } from '../platform.ts';
import { findCallerByApiKey, type KeyCaller } from '../tenancy/find-caller.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { RequestContext } from './context.ts';

/** Precision of a key's `last_used_at`; writing it on every request would double the cost of a read. */
const PRECISION_MS = 60_000;

/** Finds the caller of a request's API key and records its use. @throws AppError UNAUTHORIZED. */
export async function authenticateKey({ platform, headers, now }: RequestContext): Promise<KeyCaller> {
  const apiKey = headers['x-api-key'];
  const found = typeof apiKey === 'string' ? await findCallerByApiKey(platform, apiKey) : null;
  if (!found)
    throw new AppError(UNAUTHORIZED, {
      message: 'The API key is missing or not valid. Send it as X-API-Key.',
    });
  recordKeyUse(platform)(found, now);
  return found;
}

/** Records that a key was used, at most once a minute per key, outside the request. */
const recordKeyUse = oncePerPlatform((platform) => {
  const writing = new Map<string, Promise<unknown>>();
  platform.onClose(async () => {
    await Promise.all(writing.values());
  });
  return ({ caller, keyId, lastUsedAt }: KeyCaller, now: Date): void => {
    const last = lastUsedAt === null ? 0 : Date.parse(lastUsedAt);
    if (now.getTime() - last < PRECISION_MS || writing.has(keyId)) return;
    const written = platform
      .scoped(wholeTenant(caller.tenantId))
      .query.updateTable('api_keys')
      .set({ last_used_at: now.toISOString() })
      .where('id', '=', keyId)
      .execute()
      .catch((error) => platform.observe({ event: 'background.failed', task: 'note key use', error }))
      .finally(() => writing.delete(keyId));
    writing.set(keyId, written);
  };
});
