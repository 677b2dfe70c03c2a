/** Who uses lists and audiences: features that import this one say so at start, so that nothing in use is deleted. */
import { oncePerPlatform, type Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** Tells whether a group is in use. */
export type IsGroupInUse = (db: ScopedDb, groupId: string) => Promise<boolean>;

const uses = oncePerPlatform((): IsGroupInUse[] => []);

/** Says what else may use groups: once, at start. */
export function registerGroupUse(platform: Platform, isInUse: IsGroupInUse): void {
  uses(platform).push(isInUse);
}

/** Whether anything uses the group. */
export async function isGroupInUse(platform: Platform, db: ScopedDb, groupId: string): Promise<boolean> {
  for (const isInUse of uses(platform)) if (await isInUse(db, groupId)) return true;
  return false;
}
