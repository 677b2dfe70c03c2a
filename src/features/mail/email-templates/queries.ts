import { sql } from 'kysely';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { TemplateRow, VersionRow } from './resource.ts';

/** Allocates the next version number of a locked template. */
export async function allocateVersionNumber(tx: ScopedDb, template: TemplateRow): Promise<number> {
  const number = template.last_version + 1;
  await tx.query
    .updateTable('email_templates')
    .set({ last_version: number })
    .where('id', '=', template.id)
    .execute();
  return number;
}

/** Locks templates against deletion until the transaction ends. Returns the ids of those that exist in the scope. */
export async function lockTemplates(tx: ScopedDb, ids: readonly string[]): Promise<string[]> {
  const found = tx.query
    .selectFrom('email_templates')
    .select('id')
    .where('id', '=', sql<string>`any(${ids.filter(isUuid)}::uuid[])`)
    .orderBy('id')
    .forKeyShare();
  return (await found.execute()).map(({ id }) => id);
}

/** Returns the largest version number of a template, which may be deleted; 0 without versions. */
export async function findLastNumber(db: ScopedDb, templateId: string): Promise<number> {
  const { last } = await db.query
    .selectFrom('email_template_versions')
    .select(sql<number>`coalesce(max(version), 0)`.as('last'))
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow();
  return last;
}

/** Counts the versions of a template. */
export async function countVersions(db: ScopedDb, templateId: string): Promise<number> {
  const { total } = await db.query
    .selectFrom('email_template_versions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Returns the active version of a template, or null. */
export async function findActiveVersion(db: ScopedDb, templateId: string): Promise<VersionRow | null> {
  const row = await db.query
    .selectFrom('email_template_versions')
    .selectAll()
    .where('template_id', '=', templateId)
    .where('active', '=', true)
    .$castTo<VersionRow>()
    .executeTakeFirst();
  return row ?? null;
}

/** Deactivates the active version of a template. */
export async function deactivateVersions(tx: ScopedDb, templateId: string): Promise<void> {
  await tx.query
    .updateTable('email_template_versions')
    .set({ active: false })
    .where('template_id', '=', templateId)
    .where('active', '=', true)
    .execute();
}

/** Activates the newest version before a number, or else the oldest after it. */
export async function activateVersionBefore(
  tx: ScopedDb,
  templateId: string,
  version: number,
): Promise<void> {
  const { id } = await tx.query
    .selectFrom('email_template_versions')
    .select('id')
    .where('template_id', '=', templateId)
    .orderBy(sql`version < ${version}`, 'desc')
    .orderBy(sql`abs(version - ${version})`)
    .limit(1)
    .executeTakeFirstOrThrow();
  await tx.query.updateTable('email_template_versions').set({ active: true }).where('id', '=', id).execute();
}
