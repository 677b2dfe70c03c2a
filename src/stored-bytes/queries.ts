import { sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { defineRetention } from '../jobs/retention.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

declare module '../db/tables.ts' {
  interface Tables {
    stored_bytes: { tenant_id: string; kind: string; bucket: Time; bytes: number; expires_at: Time };
  }
}

/** A change of one bucket. */
export interface BucketChange {
  readonly tenantId: string;
  readonly kind: string;
  readonly bucket: string;
  readonly expiresAt: string;
  /** Negative for removed bytes. */
  readonly bytes: number;
}

/** The bytes of one tenant and kind. */
export interface StoredSum {
  readonly tenantId: string;
  readonly kind: string;
  readonly bytes: number;
}

/** Buckets whose rows have all expired. */
export const bucketRetention = defineRetention({
  description: 'byte counts of expired rows',
  keptHours: 24,
  table: 'stored_bytes',
  key: ['kind', 'bucket'],
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});

/** Adds changes to buckets; each bucket may occur once. Rows are locked in key order. */
export async function addToBuckets(db: EveryTenantDb, changes: readonly BucketChange[]): Promise<void> {
  const keyOf = ({ tenantId, kind, bucket }: BucketChange) => `${tenantId} ${kind} ${bucket}`;
  const rows = changes
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(
      ({ tenantId, kind, bucket, expiresAt, bytes }) =>
        sql`(${tenantId}::uuid, ${kind}::text, ${bucket}::timestamptz, ${bytes}::bigint, ${expiresAt}::timestamptz)`,
    );
  await db.raw(sql`
    insert into stored_bytes as stored (tenant_id, kind, bucket, bytes, expires_at) values ${sql.join(rows)}
    on conflict (tenant_id, kind, bucket) do update set bytes = stored.bytes + excluded.bytes`);
}

/** Returns the bytes of these tenants that have not expired, by kind. */
export async function sumByTenant(
  db: EveryTenantDb,
  tenantIds: readonly string[],
  now: Date,
): Promise<readonly StoredSum[]> {
  const { rows } = await db.raw(sql<StoredSum>`
    select tenant_id as "tenantId", kind, sum(bytes)::float8 as bytes from stored_bytes
    where ${db.tenantId === null ? sql`tenant_id = any(${tenantIds}::uuid[])` : sql`tenant_id = ${db.tenantId}::uuid`}
      and expires_at > ${now}
    group by tenant_id, kind`);
  return rows;
}

/** Returns the bytes of one tenant and kind that have not expired. */
export async function sumOfKind(db: ScopedDb, kind: string, now: Date): Promise<number> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::float8 as bytes from stored_bytes
      where tenant_id = ${tenantId}::uuid and kind = ${kind} and expires_at > ${now}`,
  );
  return rows[0]?.bytes ?? 0;
}

/** Returns the bytes of all tenants that have not expired, by kind. */
export async function sumByKind(all: EveryTenantDb, now: Date): Promise<ReadonlyMap<string, number>> {
  const { rows } = await all.gather(
    (inTenants) => sql<{ kind: string; bytes: number }>`
      select b.kind, sum(b.bytes)::float8 as bytes from stored_bytes b
      where b.expires_at > ${now} and ${inTenants('b.tenant_id')}
      group by b.kind`,
  );
  const sums = new Map<string, number>();
  // On a cluster each node returns its own part.
  for (const { kind, bytes } of rows) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  return sums;
}
