import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { CoalescedReads } from '../../../tenancy/coalesced-reads.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { sizeOf } from './definition-size.ts';
import { compileModels, type EntityModels } from './models.ts';
import { readDefinitions, readRevision } from './queries.ts';

/** How much is kept in all, about bytes: 150,000 fields without texts of their own. */
const KEPT_SIZE = 75_000_000;
/** How often definitions are read until each has its table, and how long after each other. */
const MOST_LOOKS = 50;
const LOOK_AGAIN_MS = 10;

interface Kept {
  readonly models: EntityModels;
  readonly size: number;
}

const keptModels = oncePerPlatform(
  () =>
    new LRUCache<string, Kept>({
      maxSize: KEPT_SIZE,
      sizeCalculation: ({ size }) => size,
    }),
);
const loading = oncePerPlatform(() => new Map<string, Promise<EntityModels>>());

const revisions = oncePerPlatform(() => new CoalescedReads<number>());

/** The present revision of a tenant's entities, for work that no look-up of a caller has told it to. Not in a transaction. */
export function presentRevision(platform: Platform, tenantId: string): Promise<number> {
  return revisions(platform).find(tenantId, () => readRevision(platform.scoped(wholeTenant(tenantId))));
}

/**
 * The entities of a tenant as of `revision` at least, which the look-up of the caller has told. They are kept per process, and
 * read again when the caller knows of a later one.
 */
export async function entityModels(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<EntityModels> {
  const kept = keptModels(platform).get(tenantId);
  if (kept !== undefined && kept.models.revision >= revision) return kept.models;
  const name = `${tenantId} ${revision}`;
  const running = loading(platform).get(name) ?? readModels(platform, tenantId);
  loading(platform).set(name, running);
  try {
    return await running;
  } finally {
    loading(platform).delete(name);
  }
}

async function readModels(platform: Platform, tenantId: string): Promise<EntityModels> {
  const { revision, definitions } = await readWithTables(platform, tenantId);
  const models = compileModels(tenantId, revision, definitions);
  const size = definitions.reduce((sum, definition) => sum + sizeOf(definition), 1);
  const kept = keptModels(platform);
  // A look that began earlier may end later.
  if ((kept.peek(tenantId)?.models.revision ?? -1) > revision) return models;
  const [{ tables } = { tables: null }] = models.all();
  if (tables) platform.tables.registerTables(schemaOf(tenantId), tables);
  // One tenant is kept however large it is.
  kept.set(tenantId, { models, size: Math.min(size, KEPT_SIZE) });
  return models;
}

/**
 * Definitions whose tables are there. Nodes of a cluster commit one after the other, so that a definition may be seen a moment
 * before its table, or be read before its table is dropped. @throws Error when a table stays away
 */
async function readWithTables({ scoped, database, tables }: Platform, tenantId: string) {
  const read = () => readDefinitions(scoped(wholeTenant(tenantId)));
  if (!database.isSharded) return read();
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    const found = await read();
    const known = await tables.read(schemaOf(tenantId));
    if (found.definitions.every(({ name }) => known.has(name))) return found;
    await pause(LOOK_AGAIN_MS);
  }
  throw new Error(`Entities of ${tenantId} have no tables.`);
}
