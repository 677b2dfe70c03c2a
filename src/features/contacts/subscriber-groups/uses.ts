import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import { type FindUses, refuseUsedBy } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Finders of what uses a list or an audience, one for each feature. A list or audience in use cannot be deleted. */
export const groupUses = new ExtensionPoint<FindUses>();

/** Checks that a group is not in use. @throws AppError IN_USE naming the resources that use it. */
export async function refuseUsedGroup(platform: Platform, db: ScopedDb, groupId: string): Promise<void> {
  await refuseUsedBy(db, groupUses.of(platform), groupId);
}
