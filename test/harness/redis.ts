import { Redis } from 'ioredis';

/** The Redis that tests may use. */
export const REDIS_URL = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Why tests that need Redis are skipped, or false when it answers. */
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
