/** Plans are kept in each process, as many as there is room for: those of the versions that have runs. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform } from '../../../platform.ts';
import { type ActionTypes, compilePlan, type Plan } from './compile.ts';
import type { AutomationDefinition } from './schema.ts';

/** What the kept plans are made of, in characters of JSON. */
const KEPT_CHARS = 16 * 1024 * 1024;
/** What a plan takes beside its texts. */
const OVERHEAD = 2000;

const kept = oncePerPlatform(
  () =>
    new LRUCache<string, { readonly plan: Plan; readonly size: number }>({
      maxSize: KEPT_CHARS,
      sizeCalculation: ({ size }) => size,
    }),
);

type Owner = Parameters<typeof kept>[0];

/** The plan of a version, if it is kept. */
export function keptPlan(platform: Owner, automationId: string, version: number): Plan | undefined {
  return kept(platform).get(`${automationId} ${version}`)?.plan;
}

/** Compiles a version, and keeps its plan. @throws Error for a definition of a process that knows more. */
export function keepPlan(
  platform: Owner,
  types: ActionTypes,
  { automationId, version }: { readonly automationId: string; readonly version: number },
  definition: AutomationDefinition,
): Plan {
  const plan = compilePlan(definition, types);
  const size = OVERHEAD + JSON.stringify(definition).length;
  kept(platform).set(`${automationId} ${version}`, { plan, size });
  return plan;
}
