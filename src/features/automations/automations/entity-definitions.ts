import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** The entities of a tenant, as automations need them. */
export interface EntityDefinitions {
  /** Counts a change of the tenant's definitions or automations: changes run one after another, and caches expire. */
  raiseRevision(tx: ScopedDb): Promise<void>;
  /** Returns true if the tenant has an entity of this name. */
  exists(db: ScopedDb, name: string): Promise<boolean>;
}

/** The feature that stores entities. */
export const entityDefinitions = new ExtensionPoint<EntityDefinitions>();

/** Counts a change of the tenant's automations. Call it first in the transaction that changes them. */
export async function raiseRevision(platform: Platform, tx: ScopedDb): Promise<void> {
  for (const definitions of entityDefinitions.of(platform)) await definitions.raiseRevision(tx);
}

/** Returns true if the tenant has an entity of this name. */
export async function entityExists(platform: Platform, db: ScopedDb, name: string): Promise<boolean> {
  for (const definitions of entityDefinitions.of(platform))
    if (await definitions.exists(db, name)) return true;
  return false;
}
