import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { clientNetwork } from './client-network.ts';
import type { RateLimit } from './route.ts';
import type { Identity } from './surface.ts';

/** Whose call it is, where it came from, and the decoded parameters of its path. */
interface CountedCall {
  readonly identity: Identity;
  readonly address: string;
  readonly params: unknown;
}

/** What was counted under a key in its present window. */
interface Window {
  readonly count: number;
  /** Until the window ends. */
  readonly msLeft: number;
}

/** Counts under keys, each in windows of its own, of which the first begins when it is first counted. */
export interface WindowCounter {
  /** Counts one more, and tells it with the others. */
  add(key: string): Promise<Window>;
  /** Counts one less: what was counted turned out not to count. */
  takeBack(key: string): Promise<Window>;
}

/** A Redis that is silent, or not connected, for so long counts as broken. */
const COMMAND_TIMEOUT_MS = 2000;

/**
 * Counts one call against a route's limit, and throws AppError RATE_LIMITED with the seconds to wait.
 */
export const rateLimits = oncePerPlatform((platform) => {
  const counters = new Map<string, WindowCounter>();
  return async (routeId: string, limit: RateLimit, call: CountedCall): Promise<void> => {
    const name = limit.group ?? routeId;
    const counter = counters.get(name) ?? windowCounter(platform, name, limit.windowSeconds);
    counters.set(name, counter);
    const { count, msLeft } = await counter.add(keyOf(limit, call));
    if (count > limit.limit) throw limitedError(msLeft);
  };
});

/** What whoever is over a limit is told. */
export function limitedError(msLeft: number, message: string = RATE_LIMITED.message): AppError {
  return new AppError(RATE_LIMITED, { message, retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) });
}

/**
 * A counter with a name of its own, shared through Redis when REDIS_URL is set, else of this process. A broken Redis counts
 * nothing: a limit protects the service, it must not be what takes it down. Nor is anything counted without limits.
 */
export function windowCounter(platform: Platform, name: string, windowSeconds: number): WindowCounter {
  const nothing: Window = { count: 0, msLeft: windowSeconds * 1000 };
  if (!platform.config.rateLimits) {
    const tellNothing = async () => nothing;
    return { add: tellNothing, takeBack: tellNothing };
  }
  const limiter = createLimiter(name, windowSeconds, sharedRedis(platform));
  const tell = async (asked: Promise<RateLimiterRes | null>): Promise<Window> => {
    try {
      const found = await asked;
      return found === null ? nothing : { count: found.consumedPoints, msLeft: found.msBeforeNext };
    } catch (error) {
      platform.observe({ event: 'background.failed', task: 'rate limit', error });
      return nothing;
    }
  };
  return { add: (key) => tell(limiter.penalty(key)), takeBack: (key) => tell(limiter.reward(key)) };
}

const sharedRedis = oncePerPlatform(({ config: { redisUrl }, onClose }) =>
  redisUrl === null ? null : connect(redisUrl, onClose),
);

function connect(url: string, onClose: Platform['onClose']): Redis {
  // With one retry the first calls after the start wait for the connection instead of passing uncounted.
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
  // Each failed command is reported where it is used; a listener keeps reconnects from ending the process.
  redis.on('error', () => {});
  onClose(() => redis.disconnect());
  return redis;
}

/** Its ceiling is its callers': it only counts. */
function createLimiter(name: string, duration: number, redis: Redis | null): RateLimiterAbstract {
  const options = { points: Number.MAX_SAFE_INTEGER, duration, keyPrefix: `tessera:${name}` };
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis }) : new RateLimiterMemory(options);
}

function keyOf(limit: RateLimit, { identity, address, params }: CountedCall): string {
  const network = clientNetwork(address);
  if (limit.per === 'address') return network;
  // One path can be written in many ways. Hashed: a stranger chooses how long they are.
  if (limit.per === 'address-and-path') {
    const path = createHash('sha256').update(JSON.stringify(params)).digest('base64url');
    return `${network} ${path}`;
  }
  if (limit.per === 'tenant' && identity.tenantId !== null) return identity.tenantId;
  return identity.tenantId === null ? identity.caller : `${identity.tenantId} ${identity.caller}`;
}
