import { sql } from 'kysely';
import { isUuid } from '../../resources/keys.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { TemplateRow, VersionRow } from './resource.ts';

/** Takes the next version number of a template that is locked. */
export async function takeVersionNumber(tx: ScopedDb, template: TemplateRow): Promise<number> {
  const number = template.last_version + 1;
  await tx.query
    .updateTable('email_templates')
    .set({ last_version: number })
    .where('id', '=', template.id)
    .execute();
  return number;
}

/** Those of these ids that are ids of templates which the scope sees. They stay until the transaction ends. */
export async function holdTemplates(tx: ScopedDb, ids: readonly string[]): Promise<string[]> {
  const found = tx.query
    .selectFrom('email_templates')
    .select('id')
    .where('id', '=', sql<string>`any(${ids.filter(isUuid)}::uuid[])`)
    .orderBy('id')
    .forKeyShare();
  return (await found.execute()).map(({ id }) => id);
}

/** The greatest number among the stored versions of a template, also of one that is deleted; 0 if there are none. */
export async function findLastNumber(db: ScopedDb, templateId: string): Promise<number> {
  const { last } = await db.query
    .selectFrom('email_template_versions')
    .select(sql<number>`coalesce(max(version), 0)`.as('last'))
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow();
  return last;
}

/** How many versions a template has. */
export async function countVersions(db: ScopedDb, templateId: string): Promise<number> {
  const { total } = await db.query
    .selectFrom('email_template_versions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The active version of a template, or null when none is. */
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

/** Leaves a template without an active version. */
export async function deactivateVersions(tx: ScopedDb, templateId: string): Promise<void> {
  await tx.query
    .updateTable('email_template_versions')
    .set({ active: false })
    .where('template_id', '=', templateId)
    .where('active', '=', true)
    .execute();
}

/** Makes the newest version before a number the active one; the oldest after it if there is none before. */
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
