/** Who uses lists and audiences: features that import this one say so at start, so that nothing in use is deleted. */
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { type FindUses, refuseUsed } from '../../resources/uses.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

const finders = oncePerPlatform((): FindUses[] => []);

/** Says what else may use groups: once, at start. */
export function registerGroupUse(platform: Platform, findUses: FindUses): void {
  finders(platform).push(findUses);
}

/** @throws AppError IN_USE naming what uses the group. */
export async function refuseUsedGroup(platform: Platform, db: ScopedDb, groupId: string): Promise<void> {
  for (const findUses of finders(platform)) refuseUsed(db, await findUses(db, groupId));
}
