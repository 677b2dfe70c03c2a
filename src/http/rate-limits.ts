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

/** The tenant and address of a call, and the decoded parameters of its path. */
interface CountedCall {
  readonly identity: Identity;
  readonly address: string;
  readonly params: unknown;
  /** True for a call of a browser session. */
  readonly isOfSession: boolean;
}

/** The count of a key in its current window. */
interface Window {
  readonly count: number;
  /** Time until the window ends. */
  readonly msLeft: number;
}

/** Counts by key. The window of a key begins with its first count. */
export interface WindowCounter {
  /** Adds one and returns the count. */
  add(key: string): Promise<Window>;
  /** Subtracts a count that turned out not to apply. */
  subtract(key: string): Promise<Window>;
}

/** A Redis that is disconnected or does not answer for this long counts as broken. */
const COMMAND_TIMEOUT_MS = 2000;

/** Counts one call against a route's limit. @throws AppError RATE_LIMITED with the seconds to wait. */
export const rateLimits = oncePerPlatform((platform) => {
  const counters = new Map<string, WindowCounter>();
  return async (routeId: string, limit: RateLimit, call: CountedCall): Promise<void> => {
    const name = limit.group ?? routeId;
    const counter = counters.get(name) ?? windowCounter(platform, name, limit.windowSeconds);
    counters.set(name, counter);
    const { count, msLeft } = await counter.add(keyOf(limit, call));
    const allowed = call.isOfSession ? (limit.sessionLimit ?? limit.limit) : limit.limit;
    if (count > allowed) throw limitedError(msLeft);
  };
});

/** The error for a caller over a limit. */
export function limitedError(msLeft: number, message: string = RATE_LIMITED.message): AppError {
  return new AppError(RATE_LIMITED, { message, retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) });
}

/**
 * A counter under its own name, shared through Redis when REDIS_URL is set, else local to this process. With a broken
 * Redis, or with limits switched off, nothing is counted: a limit must not take the service down.
 */
export function windowCounter(platform: Platform, name: string, windowSeconds: number): WindowCounter {
  const emptyWindow: Window = { count: 0, msLeft: windowSeconds * 1000 };
  if (!platform.config.rateLimits) {
    const countNothing = async () => emptyWindow;
    return { add: countNothing, subtract: countNothing };
  }
  const limiter = createLimiter(name, windowSeconds, sharedRedis(platform));
  const toWindow = async (pending: Promise<RateLimiterRes | null>): Promise<Window> => {
    try {
      const found = await pending;
      return found === null ? emptyWindow : { count: found.consumedPoints, msLeft: found.msBeforeNext };
    } catch (error) {
      platform.observe({ event: 'background.failed', task: 'rate limit', error });
      return emptyWindow;
    }
  };
  return { add: (key) => toWindow(limiter.penalty(key)), subtract: (key) => toWindow(limiter.reward(key)) };
}

const sharedRedis = oncePerPlatform(({ config: { redisUrl }, onClose }) =>
  redisUrl === null ? null : connect(redisUrl, onClose),
);

function connect(url: string, onClose: Platform['onClose']): Redis {
  // With one retry, the first calls after startup wait for the connection instead of passing uncounted.
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
  // Each failed command is reported where it is used; a listener keeps reconnects from ending the process.
  redis.on('error', () => {});
  onClose(() => redis.disconnect());
  return redis;
}

/** Creates a limiter that only counts. Its users compare the count with their limit. */
function createLimiter(name: string, duration: number, redis: Redis | null): RateLimiterAbstract {
  const options = { points: Number.MAX_SAFE_INTEGER, duration, keyPrefix: `tessera:${name}` };
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis }) : new RateLimiterMemory(options);
}

function keyOf(limit: RateLimit, { identity, address, params }: CountedCall): string {
  const network = clientNetwork(address);
  if (limit.per === 'address') return network;
  // A path has many spellings, so its decoded parameters count. They are hashed, because clients choose their length.
  if (limit.per === 'address-and-path') {
    const path = createHash('sha256').update(JSON.stringify(params)).digest('base64url');
    return `${network} ${path}`;
  }
  if (limit.per === 'tenant' && identity.tenantId !== null) return identity.tenantId;
  return identity.tenantId === null ? identity.caller : `${identity.tenantId} ${identity.caller}`;
}
