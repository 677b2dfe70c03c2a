/**
 * Counts stored bytes by tenant and kind, for quotas without a query per request. A process collects changes in memory
 * and writes them every two seconds. It knows the sum in the database, read at most every ten seconds, and its own
 * changes since. Quotas are therefore approximate: the last seconds of other processes are missing, and a killed
 * process loses the changes of its last two seconds until their bucket expires.
 */
import { LRUCache } from 'lru-cache';
import { runAs } from '../db/work-kind.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { StoredKind } from './kinds.ts';
import { addToBuckets, type BucketChange, sumByTenant, sumOfKind } from './queries.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Interval of writes, in ms. */
const FLUSH_MS = 2000;
/** Time for which a sum of the database is current, in ms. */
const FRESH_MS = 10_000;
/** Maximum number of cached sums of tenants and kinds. */
const KNOWN_SUMS = 50_000;

/** A sum from the database, with this process's changes since. */
interface KnownSum {
  bytes: number;
  readonly readAt: number;
}

/** The counters of one process. */
export class StoredBytes {
  readonly #platform: Pick<Platform, 'config' | 'clock' | 'database' | 'observe'>;
  readonly #known = new LRUCache<string, KnownSum>({ max: KNOWN_SUMS });
  /** Unwritten changes by tenant and kind, then by bucket. */
  #waiting = new Map<string, Map<string, BucketChange>>();
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;

  constructor(platform: Pick<Platform, 'config' | 'clock' | 'database' | 'observe'>) {
    this.#platform = platform;
  }

  /** Counts bytes of rows created at `madeAt`; negative: rows were removed before they expired. */
  add(tenantId: string, kind: StoredKind, bytes: number, madeAt: Date): void {
    if (bytes === 0) return;
    this.#collect(changeOf(tenantId, kind, bytes, madeAt));
    const known = this.#known.get(keyOf(tenantId, kind.name));
    if (known !== undefined) known.bytes += bytes;
  }

  /** Returns the cached sum, without a query. */
  known(tenantId: string, kind: StoredKind): number {
    const known = this.#known.get(keyOf(tenantId, kind.name));
    return known?.bytes ?? this.#waitingBytes(tenantId, kind.name);
  }

  /** Returns the sum of the tenant of `db`, from the database unless the cached one is current. */
  async read(db: ScopedDb, kind: StoredKind): Promise<number> {
    const { tenantId } = db;
    const known = this.#known.get(keyOf(tenantId, kind.name));
    if (this.#isFresh(known)) return known.bytes;
    const stored = await sumOfKind(db, kind.name, this.#platform.clock());
    return this.#cacheSum(tenantId, kind.name, stored);
  }

  /** Returns true if the cached sum has reached this share of the tenant's quota. */
  hasReached(tenantId: string, kind: StoredKind, share: number): boolean {
    return this.known(tenantId, kind) >= kind.quota(this.#platform.config) * share;
  }

  /**
   * Writes the changes and reads the sums of their tenants. Never rejects; failed writes are retried with the next
   * flush.
   */
  flush(): Promise<void> {
    this.#flushing ??= runAs('job', () => this.#flush()).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const changes = [...this.#waiting.values()].flatMap((buckets) => [...buckets.values()]);
    this.#waiting = new Map();
    const all = this.#platform.database.everyTenant('stored-bytes');
    const onError = (error: unknown) =>
      this.#platform.observe({ event: 'background.failed', task: 'count stored bytes', error });
    await all
      .byTenant(
        changes,
        ({ tenantId }) => tenantId,
        async (db, own) => {
          try {
            await addToBuckets(db, own);
          } catch (error) {
            for (const change of own) this.#collect(change);
            throw error;
          }
          const stale = own.filter(
            ({ tenantId, kind }) => !this.#isFresh(this.#known.get(keyOf(tenantId, kind))),
          );
          if (stale.length === 0) return;
          const tenantIds = [...new Set(stale.map(({ tenantId }) => tenantId))];
          const sums = await sumByTenant(db, tenantIds, this.#platform.clock());
          for (const { tenantId, kind, bytes } of sums) this.#cacheSum(tenantId, kind, bytes);
        },
      )
      .catch(onError);
  }

  #isFresh(known: KnownSum | undefined): known is KnownSum {
    return known !== undefined && performance.now() - known.readAt < FRESH_MS;
  }

  #cacheSum(tenantId: string, kind: string, stored: number): number {
    const bytes = Math.max(0, stored + this.#waitingBytes(tenantId, kind));
    this.#known.set(keyOf(tenantId, kind), { bytes, readAt: performance.now() });
    return bytes;
  }

  #waitingBytes(tenantId: string, kind: string): number {
    let bytes = 0;
    for (const change of this.#waiting.get(keyOf(tenantId, kind))?.values() ?? []) bytes += change.bytes;
    return bytes;
  }

  #collect(change: BucketChange): void {
    const key = keyOf(change.tenantId, change.kind);
    const buckets = this.#waiting.get(key) ?? new Map<string, BucketChange>();
    const bytes = (buckets.get(change.bucket)?.bytes ?? 0) + change.bytes;
    this.#waiting.set(key, buckets.set(change.bucket, { ...change, bytes }));
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }
}

/** Returns the counters of a process; unwritten changes are written when it ends. */
export const storedBytes = oncePerPlatform((platform: Platform): StoredBytes => {
  const counters = new StoredBytes(platform);
  platform.onClose(async () => {
    // A flush under way does not include later changes.
    await counters.flush();
    await counters.flush();
  });
  return counters;
});

function keyOf(tenantId: string, kind: string): string {
  return `${tenantId} ${kind}`;
}

function changeOf(tenantId: string, kind: StoredKind, bytes: number, madeAt: Date): BucketChange {
  const bucketMs = kind.bucketHours * HOUR_MS;
  const bucket = Math.floor(madeAt.getTime() / bucketMs) * bucketMs;
  return {
    tenantId,
    kind: kind.name,
    bytes,
    bucket: new Date(bucket).toISOString(),
    expiresAt: new Date(bucket + bucketMs + kind.keptHours * HOUR_MS).toISOString(),
  };
}
