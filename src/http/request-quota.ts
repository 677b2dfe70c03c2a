/** How many requests somebody who has signed in may make, told with every answer (docs/specification/records.md#limits). */
import Type from 'typebox';
import { oncePerPlatform, type Platform } from '../platform.ts';
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
  for (const [name, value] of Object.entries(toHeaders(platform, count, msLeft))) setHeader(name, value);
  if (count > QUOTA.limit) throw limitedError(msLeft);
}

/** What answers to nobody tell: the quota of somebody who has made no request yet. */
export function wholeQuota(platform: Platform): Readonly<Record<string, string>> {
  return toHeaders(platform, 0, QUOTA.windowSeconds * 1000);
}

function toHeaders(platform: Platform, count: number, msLeft: number): Readonly<Record<string, string>> {
  const endsAt = platform.clock().getTime() + msLeft;
  const told = [QUOTA.limit, Math.max(0, QUOTA.limit - count), Math.ceil(endsAt / 1000)];
  return Object.fromEntries(QUOTA_HEADERS.map(({ name }, index) => [name, String(told[index])]));
}
