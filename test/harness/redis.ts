import { Redis } from 'ioredis';

/** URL of the Redis server for tests. */
export const REDIS_URL = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Returns the reason to skip tests that need Redis, or false if it answers. */
export async function withoutRedis(): Promise<string | false> {
  const redis = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
    return false;
  } catch {
    return `no Redis answers at ${REDIS_URL}`;
  } finally {
    redis.disconnect();
  }
}
