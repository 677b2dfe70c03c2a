/** An in-memory cache of plans, for the versions that have runs. */
import { LRUCache } from 'lru-cache';
import { shareBytes } from '../../../memory/shares.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { type ActionTypes, compilePlan } from './compile.ts';
import type { Plan } from './plan.ts';
import type { AutomationDefinition } from './schema.ts';

/** Overhead of a plan in addition to its texts, in characters. */
const OVERHEAD = 2000;

const cacheOf = oncePerPlatform(
  (platform) =>
    new LRUCache<string, { readonly plan: Plan; readonly size: number }>({
      // A character of JSON takes about one byte.
      maxSize: shareBytes(platform, 'automationCache'),
      sizeCalculation: ({ size }) => size,
    }),
);

type Owner = Parameters<typeof cacheOf>[0];

/** Returns the plan of a version if it is cached. */
export function cachedPlan(platform: Owner, automationId: string, version: number): Plan | undefined {
  return cacheOf(platform).get(`${automationId} ${version}`)?.plan;
}

/** Compiles a version and caches its plan. @throws Error for a definition written by a newer version of Tessera. */
export function cachePlan(
  platform: Owner,
  types: ActionTypes,
  { automationId, version }: { readonly automationId: string; readonly version: number },
  definition: AutomationDefinition,
): Plan {
  const plan = compilePlan(definition, types);
  const size = OVERHEAD + JSON.stringify(definition).length;
  cacheOf(platform).set(`${automationId} ${version}`, { plan, size });
  return plan;
}
