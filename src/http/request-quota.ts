/**
 * The hourly quotas of requests about entity records, reported with every response
 * (docs/specification/records.md#limits).
 */
import Type from 'typebox';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { RequestContext } from './context.ts';
import { limitedError, windowCounter } from './rate-limits.ts';

const WINDOW_SECONDS = 60 * 60;
/** Requests per hour of a user with access tokens. */
export const USER_QUOTA = 1000;
/** Requests per hour of a browser session. */
export const SESSION_QUOTA = 10_000;

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

const countRequest = oncePerPlatform((platform) => windowCounter(platform, 'records', WINDOW_SECONDS));

/**
 * Counts a request of this user or session and sets the quota headers. If limits are switched off, nothing is counted
 * and the full quota is reported.
 * @throws AppError RATE_LIMITED
 */
export async function countAgainstQuota(
  { platform, setHeader }: RequestContext,
  key: string,
  limit: number,
): Promise<void> {
  const { count, msLeft } = await countRequest(platform).add(key);
  for (const [name, value] of Object.entries(toHeaders(platform, limit, count, msLeft)))
    setHeader(name, value);
  if (count > limit) throw limitedError(msLeft);
}

/** Headers for unauthenticated callers: the full quota. */
export function fullQuota(platform: Platform, limit: number): Readonly<Record<string, string>> {
  return toHeaders(platform, limit, 0, WINDOW_SECONDS * 1000);
}

function toHeaders(
  platform: Platform,
  limit: number,
  count: number,
  msLeft: number,
): Readonly<Record<string, string>> {
  const endsAt = platform.clock().getTime() + msLeft;
  const values = [limit, Math.max(0, limit - count), Math.ceil(endsAt / 1000)];
  return Object.fromEntries(QUOTA_HEADERS.map(({ name }, index) => [name, String(values[index])]));
}
