import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { RateLimit } from './route.ts';
import type { Identity } from './surface.ts';

/** Whose call it is, where it came from, and the decoded parameters of its path. */
interface CountedCall {
  readonly identity: Identity;
  readonly address: string;
  readonly params: unknown;
}

/** A Redis that is silent, or not connected, for so long counts as broken. */
const COMMAND_TIMEOUT_MS = 2000;

/**
 * Counts one call against a route's limit, and throws AppError RATE_LIMITED with the seconds to wait. Fixed windows,
 * shared through Redis when REDIS_URL is set, else of this process. A broken Redis lets calls pass: a limit protects the
 * service, it must not be what takes it down.
 */
export const rateLimits = oncePerPlatform((platform) => {
  const { rateLimits: areCounted, redisUrl } = platform.config;
  const redis = areCounted && redisUrl !== null ? connect(redisUrl, platform) : null;
  const limiters = new Map<string, RateLimiterAbstract>();
  return async (routeId: string, limit: RateLimit, call: CountedCall): Promise<void> => {
    if (!areCounted) return;
    const name = limit.group ?? routeId;
    const limiter = limiters.get(name) ?? createLimiter(name, limit, redis);
    limiters.set(name, limiter);
    try {
      await limiter.consume(keyOf(limit, call));
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

function connect(url: string, { onClose }: Platform): Redis {
  // With one retry the first calls after the start wait for the connection instead of passing uncounted.
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
  // Each failed command is reported where it is used; a listener keeps reconnects from ending the process.
  redis.on('error', () => {});
  onClose(() => redis.disconnect());
  return redis;
}

function createLimiter(name: string, limit: RateLimit, redis: Redis | null): RateLimiterAbstract {
  const options = { points: limit.limit, duration: limit.windowSeconds, keyPrefix: `tessera:${name}` };
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis }) : new RateLimiterMemory(options);
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
