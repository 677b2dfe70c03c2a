/** Who uses templates: features that import this one say so at start, so that nothing in use is deleted. */
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { type FindUses, refuseUsed } from '../../resources/uses.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

const finders = oncePerPlatform((): FindUses[] => []);

/** Says what else may use templates: once, at start. */
export function registerTemplateUse(platform: Platform, findUses: FindUses): void {
  finders(platform).push(findUses);
}

/** @throws AppError IN_USE naming what uses the template. */
export async function refuseUsedTemplate(
  platform: Platform,
  db: ScopedDb,
  templateId: string,
): Promise<void> {
  for (const findUses of finders(platform)) refuseUsed(db, await findUses(db, templateId));
}
