/** How many requests somebody who has signed in may make, told with every answer (docs/specification/records.md#limits). */
import Type from 'typebox';
import { oncePerPlatform } from '../platform.ts';
import type { RequestContext } from './context.ts';
import { limitedError, windowCounter } from './rate-limits.ts';

const QUOTA = { limit: 1000, windowSeconds: 60 * 60 };

/** What answers tell of it. */
export const QUOTA_HEADERS = [
  {
    name: 'X-RateLimit-Limit',
    description: 'Requests that a person may make in an hour.',
    schema: Type.Integer(),
  },
  {
    name: 'X-RateLimit-Remaining',
    description: 'How many of them are left in the present hour.',
    schema: Type.Integer(),
  },
  {
    name: 'X-RateLimit-Reset',
    description: 'When the next hour begins, in seconds of Unix time.',
    schema: Type.Integer(),
  },
] as const;

const countRequest = oncePerPlatform((platform) => windowCounter(platform, 'records', QUOTA.windowSeconds));

/**
 * Counts a request of this person, and has its answer tell what is left. Without limits nothing is counted, so that all is left,
 * always.
 * @throws AppError RATE_LIMITED
 */
export async function takeFromQuota({ platform, setHeader }: RequestContext, userId: string): Promise<void> {
  const { count, msLeft } = await countRequest(platform).add(userId);
  const endsAt = platform.clock().getTime() + msLeft;
  const told = [QUOTA.limit, Math.max(0, QUOTA.limit - count), Math.ceil(endsAt / 1000)];
  for (const [index, { name }] of QUOTA_HEADERS.entries()) setHeader(name, String(told[index]));
  if (count > QUOTA.limit) throw limitedError(msLeft);
}
