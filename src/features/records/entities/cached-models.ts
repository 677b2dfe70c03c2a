import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { shareBytes } from '../../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { CoalescedReads } from '../../../tenancy/coalesced-reads.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { sizeOf } from './definition-checks.ts';
import { compileModels, type EntityModels } from './models.ts';
import { readDefinitions, readRevision } from './queries.ts';

/** Maximum number of reads until each definition has its table. */
const MAX_READS = 50;
/** Pause between these reads. */
const READ_PAUSE_MS = 10;

interface CachedModels {
  readonly models: EntityModels;
  readonly size: number;
}

const modelCache = oncePerPlatform(
  (platform) =>
    new LRUCache<string, CachedModels>({
      maxSize: shareBytes(platform, 'entityCache'),
      sizeCalculation: ({ size }) => size,
    }),
);
const loading = oncePerPlatform(() => new Map<string, Promise<EntityModels>>());

const revisions = oncePerPlatform(() => new CoalescedReads<number>());

/** Returns the current revision of a tenant's entities, for work without a caller. Not for use in a transaction. */
export function currentRevision(platform: Platform, tenantId: string): Promise<number> {
  return revisions(platform).find(tenantId, () => readRevision(platform.scoped(wholeTenant(tenantId))));
}

/**
 * Returns the entities of a tenant at `revision` or later; the caller's credential look-up provides the revision.
 * Models are cached per process and read again for a newer revision.
 */
export async function entityModels(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<EntityModels> {
  const cached = modelCache(platform).get(tenantId);
  if (cached !== undefined && cached.models.revision >= revision) return cached.models;
  const key = `${tenantId} ${revision}`;
  const running = loading(platform).get(key) ?? readModels(platform, tenantId);
  loading(platform).set(key, running);
  try {
    return await running;
  } finally {
    loading(platform).delete(key);
  }
}

async function readModels(platform: Platform, tenantId: string): Promise<EntityModels> {
  const { revision, definitions } = await readWithTables(platform, tenantId);
  const models = compileModels(tenantId, revision, definitions);
  const size = definitions.reduce((sum, definition) => sum + sizeOf(definition), 1);
  const cached = modelCache(platform);
  // A read that began earlier may finish later.
  if ((cached.peek(tenantId)?.models.revision ?? -1) > revision) return models;
  const [{ tables } = { tables: null }] = models.all();
  if (tables) platform.tables.registerTables(schemaOf(tenantId), tables);
  // Cache a tenant's models however large they are.
  cached.set(tenantId, { models, size: Math.min(size, cached.maxSize) });
  return models;
}

/**
 * Reads definitions whose tables exist. Where tables of entities are apart, a definition may be visible before its
 * table, or after its table was dropped. @throws Error if a table does not appear.
 */
async function readWithTables({ scoped, database, tables }: Platform, tenantId: string) {
  const read = () => readDefinitions(scoped(wholeTenant(tenantId)));
  if (!database.keepsEntitiesApart) return read();
  for (let reads = 1; reads <= MAX_READS; reads += 1) {
    const found = await read();
    const known = await tables.read(schemaOf(tenantId));
    if (found.definitions.every(({ name }) => known.has(name))) return found;
    await pause(READ_PAUSE_MS);
  }
  throw new Error(`Entities of ${tenantId} have no tables.`);
}
