import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { oncePerPlatform } from '../platform.ts';
import type { RateLimit } from './route.ts';
import type { Identity } from './surface.ts';

/** Counts one call against a route's limit. @throws AppError RATE_LIMITED with the seconds to wait. */
export type CountCall = (routeId: string, limit: RateLimit, call: CountedCall) => Promise<void>;

/** Whose call it is, where it came from, and the decoded parameters of its path. */
export interface CountedCall {
  readonly identity: Identity;
  readonly address: string;
  readonly params: unknown;
}

/** A Redis that is silent, or not connected, for so long counts as broken. */
const COMMAND_TIMEOUT_MS = 2000;

/**
 * Fixed-window counters, shared through Redis when REDIS_URL is set, else of this process. A broken Redis lets
 * calls pass: a limit protects the service, it must not be what takes it down.
 */
export const rateLimits = oncePerPlatform((platform): CountCall => {
  if (!platform.config.rateLimits) return async () => {};
  const limiterFor = limiterFactory(platform.config.redisUrl, platform.onClose);
  return async (routeId, limit, call) => {
    try {
      await limiterFor(limit.group ?? routeId, limit).consume(keyOf(limit, call));
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) {
        platform.observe({ event: 'background.failed', task: 'rate limit', error: rejection });
        return;
      }
      throw new AppError(RATE_LIMITED, {
        retryAfterSeconds: Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)),
      });
    }
  };
});

type Limiter = RateLimiterMemory | RateLimiterRedis;

function limiterFactory(redisUrl: string | null, onClose: (release: () => void) => void) {
  const limiters = new Map<string, Limiter>();
  const redis =
    redisUrl === null
      ? null
      : new Redis(redisUrl, {
          // The first calls after the start wait for the connection instead of passing uncounted.
          maxRetriesPerRequest: 1,
          commandTimeout: COMMAND_TIMEOUT_MS,
        });
  // Each failed command is reported where it is used; a listener keeps reconnects from ending the process.
  redis?.on('error', () => {});
  onClose(() => redis?.disconnect());
  return (name: string, { limit, windowSeconds }: RateLimit): Limiter => {
    const existing = limiters.get(name);
    if (existing) return existing;
    const options = { points: limit, duration: windowSeconds, keyPrefix: `tessera:${name}` };
    const created = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis })
      : new RateLimiterMemory(options);
    limiters.set(name, created);
    return created;
  };
}

function keyOf(limit: RateLimit, { identity, address, params }: CountedCall): string {
  if (limit.per === 'address') return address;
  // One path can be written in many ways. Hashed: a stranger chooses how long they are.
  if (limit.per === 'address-and-path') {
    const path = createHash('sha256').update(JSON.stringify(params)).digest('base64url');
    return `${address} ${path}`;
  }
  return identity.tenantId === null ? identity.caller : `${identity.tenantId} ${identity.caller}`;
}
