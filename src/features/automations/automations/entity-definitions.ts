import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Access to a tenant's entities for automations. */
export interface EntityDefinitions {
  /** Raises the revision of the tenant's definitions and automations. Serializes changes and expires caches. */
  raiseRevision(tx: ScopedDb): Promise<void>;
  /** Returns true if the tenant has an entity of this name. */
  exists(db: ScopedDb, name: string): Promise<boolean>;
}

/** Implemented by the feature that stores entities. */
export const entityDefinitions = new ExtensionPoint<EntityDefinitions>();

/** Raises the revision for a change of the tenant's automations. Must be the first call in the transaction. */
export async function raiseRevision(platform: Platform, tx: ScopedDb): Promise<void> {
  for (const definitions of entityDefinitions.of(platform)) await definitions.raiseRevision(tx);
}

/** Returns true if the tenant has an entity of this name. */
export async function entityExists(platform: Platform, db: ScopedDb, name: string): Promise<boolean> {
  for (const definitions of entityDefinitions.of(platform))
    if (await definitions.exists(db, name)) return true;
  return false;
}
