import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { shareBytes } from '../../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { compilePlan, type Plan } from '../definition/plan.ts';
import type { Step } from '../schema.ts';

/** A version of a journey. */
export interface VersionRef {
  readonly journeyId: string;
  readonly version: number;
}

interface VersionRow {
  readonly journey_id: string;
  readonly version: number;
  readonly steps: readonly Step[];
}

/** Size of a plan without its texts, in characters. */
const OVERHEAD_CHARS = 2000;

const plans = oncePerPlatform(
  (platform) =>
    new LRUCache<string, { readonly plan: Plan; readonly size: number }>({
      // A character of JSON takes about one byte.
      maxSize: shareBytes(platform, 'journeyCache'),
      sizeCalculation: ({ size }) => size,
    }),
);

/** Finds the plans of existing versions, by `planKey`. Versions never change, so plans are cached. */
export async function findPlans(
  platform: Platform,
  db: ScopedDb,
  versions: readonly VersionRef[],
): Promise<ReadonlyMap<string, Plan>> {
  const cache = plans(platform);
  const requested = new Map(versions.map((version) => [planKey(version), version]));
  const found = new Map<string, Plan>();
  for (const key of requested.keys()) {
    const cached = cache.get(`${db.tenantId}/${key}`);
    if (cached !== undefined) found.set(key, cached.plan);
  }
  const unknown = [...requested].filter(([key]) => !found.has(key)).map(([, version]) => version);
  if (unknown.length === 0) return found;
  const { rows } = await db.raw(
    (tenantId) => sql<VersionRow>`
    select v.journey_id, v.version, v.steps
    from unnest(${unknown.map(({ journeyId }) => journeyId)}::uuid[], ${unknown.map(({ version }) => version)}::int[])
      as requested (journey_id, version)
    join journey_versions v on v.tenant_id = ${tenantId}::uuid and v.journey_id = requested.journey_id
      and v.version = requested.version`,
  );
  for (const { journey_id: journeyId, version, steps } of rows) {
    const key = planKey({ journeyId, version });
    const plan = compilePlan(steps);
    cache.set(`${db.tenantId}/${key}`, { plan, size: OVERHEAD_CHARS + JSON.stringify(steps).length });
    found.set(key, plan);
  }
  return found;
}

/** Returns the key of a version. */
export function planKey({ journeyId, version }: VersionRef): string {
  return `${journeyId}/${version}`;
}
