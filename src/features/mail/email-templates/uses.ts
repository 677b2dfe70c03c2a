import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import { type FindUses, refuseUsedBy } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Features that use templates: one in use cannot be deleted. */
export const templateUses = new ExtensionPoint<FindUses>();

/** Rejects a template that is in use. @throws AppError IN_USE naming its uses. */
export async function refuseUsedTemplate(
  platform: Platform,
  db: ScopedDb,
  templateId: string,
): Promise<void> {
  await refuseUsedBy(db, templateUses.of(platform), templateId);
}
