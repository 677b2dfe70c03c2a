/** API keys of requests: the caller of a key, and the time of its last use. */
import { AppError } from '../errors/app-error.ts';
import { UNAUTHORIZED } from '../errors/platform-errors.ts';
import { oncePerPlatform } from '../platform.ts';
import { findCallerByApiKey, type KeyCaller } from '../tenancy/find-caller.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { RequestContext } from './context.ts';
import { recordMemberUse } from './member-use.ts';
import { useRecorder } from './use-recorder.ts';

/** Finds the caller of a request's API key and records its use. @throws AppError UNAUTHORIZED. */
export async function authenticateKey({ platform, headers, now }: RequestContext): Promise<KeyCaller> {
  const apiKey = headers['x-api-key'];
  const found = typeof apiKey === 'string' ? await findCallerByApiKey(platform, apiKey) : null;
  if (!found)
    throw new AppError(UNAUTHORIZED, {
      message: 'The API key is missing or not valid. Send it as X-API-Key.',
    });
  recordKeyUse(platform)(found, now);
  recordMemberUse(platform)(found.caller, found.memberSeenAt, now);
  return found;
}

/** Records that a key was used. */
const recordKeyUse = oncePerPlatform((platform) => {
  const recordUse = useRecorder(platform, 'record key use');
  return ({ caller, keyId, lastUsedAt }: KeyCaller, now: Date): void =>
    recordUse(keyId, lastUsedAt === null ? null : new Date(lastUsedAt), now, () =>
      platform
        .scoped(wholeTenant(caller.tenantId))
        .query.updateTable('api_keys')
        .set({ last_used_at: now.toISOString() })
        .where('id', '=', keyId)
        .execute(),
    );
});
