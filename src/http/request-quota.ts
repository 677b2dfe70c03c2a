/**
 * The hourly quota of requests of a signed-in person, reported with every answer
 * (docs/specification/records.md#limits).
 */
import Type from 'typebox';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { RequestContext } from './context.ts';
import { limitedError, windowCounter } from './rate-limits.ts';

const QUOTA = { limit: 1000, windowSeconds: 60 * 60 };

/** Headers that report the quota. */
export const QUOTA_HEADERS = [
  {
    name: 'X-RateLimit-Limit',
    description: 'Requests per user and hour.',
    schema: Type.Integer(),
  },
  {
    name: 'X-RateLimit-Remaining',
    description: 'Requests left in this hour.',
    schema: Type.Integer(),
  },
  {
    name: 'X-RateLimit-Reset',
    description: 'Start of the next hour, in Unix seconds.',
    schema: Type.Integer(),
  },
] as const;

const countRequest = oncePerPlatform((platform) => windowCounter(platform, 'records', QUOTA.windowSeconds));

/**
 * Counts a request of this person and sets the quota headers. If limits are switched off, nothing is counted and the
 * full quota is reported.
 * @throws AppError RATE_LIMITED
 */
export async function takeFromQuota({ platform, setHeader }: RequestContext, userId: string): Promise<void> {
  const { count, msLeft } = await countRequest(platform).add(userId);
  for (const [name, value] of Object.entries(toHeaders(platform, count, msLeft))) setHeader(name, value);
  if (count > QUOTA.limit) throw limitedError(msLeft);
}

/** Headers for unauthenticated callers: the full quota. */
export function wholeQuota(platform: Platform): Readonly<Record<string, string>> {
  return toHeaders(platform, 0, QUOTA.windowSeconds * 1000);
}

function toHeaders(platform: Platform, count: number, msLeft: number): Readonly<Record<string, string>> {
  const endsAt = platform.clock().getTime() + msLeft;
  const values = [QUOTA.limit, Math.max(0, QUOTA.limit - count), Math.ceil(endsAt / 1000)];
  return Object.fromEntries(QUOTA_HEADERS.map(({ name }, index) => [name, String(values[index])]));
}
