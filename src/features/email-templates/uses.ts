/** Who uses templates: features that import this one say so at start, so that nothing in use is deleted. */
import { oncePerPlatform, type Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** Tells whether a template is in use. */
export type IsTemplateInUse = (db: ScopedDb, templateId: string) => Promise<boolean>;

const uses = oncePerPlatform((): IsTemplateInUse[] => []);

/** Says what else may use templates: once, at start. */
export function registerTemplateUse(platform: Platform, isInUse: IsTemplateInUse): void {
  uses(platform).push(isInUse);
}

/** Whether anything uses the template. */
export async function isTemplateInUse(
  platform: Platform,
  db: ScopedDb,
  templateId: string,
): Promise<boolean> {
  for (const isInUse of uses(platform)) if (await isInUse(db, templateId)) return true;
  return false;
}
