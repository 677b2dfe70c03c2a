import { LRUCache } from 'lru-cache';
import { schemaOf } from '../../db/tenant-schemas.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { compileModels, type EntityModels } from './models.ts';
import { readDefinitions } from './queries.ts';

/** How many fields are kept in all; one takes about half a kilobyte. */
const KEPT_FIELDS = 150_000;

interface Kept {
  readonly models: EntityModels;
  readonly size: number;
}

const keptModels = oncePerPlatform(
  () =>
    new LRUCache<string, Kept>({
      maxSize: KEPT_FIELDS,
      sizeCalculation: ({ size }) => size,
    }),
);
const loading = oncePerPlatform(() => new Map<string, Promise<EntityModels>>());

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
  const { revision, definitions } = await readDefinitions(platform.scoped(wholeTenant(tenantId)));
  const models = compileModels(tenantId, revision, definitions);
  const size = 1 + definitions.reduce((sum, { fields }) => sum + fields.length, 0);
  const kept = keptModels(platform);
  // A look that began earlier may end later.
  if ((kept.peek(tenantId)?.models.revision ?? -1) > revision) return models;
  const [{ tables } = { tables: null }] = models.all();
  if (tables) platform.tables.lend(schemaOf(tenantId), tables);
  // One tenant is kept however large it is.
  kept.set(tenantId, { models, size: Math.min(size, KEPT_FIELDS) });
  return models;
}
