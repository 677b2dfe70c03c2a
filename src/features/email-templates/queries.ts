import type { PageRequest } from '../../resources/paging.ts';
import { offsetOf, totalOf } from '../../resources/paging.ts';
import { uuidKeys } from '../../resources/records.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { NewVersion, TemplateRow, VersionRow } from './resource.ts';

/** Locks a template, so that its versions change one call after the other; null when there is none to see. */
export async function lockTemplate(tx: ScopedDb, id: string): Promise<TemplateRow | null> {
  if (!uuidKeys.isKey(id)) return null;
  const row = await tx.query
    .selectFrom('email_templates')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

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

/** One page of a template's versions, newest first, and how many there are. */
export async function listVersions(
  db: ScopedDb,
  templateId: string,
  page: PageRequest,
): Promise<{ rows: VersionRow[]; total: number }> {
  const all = () => db.query.selectFrom('email_template_versions').where('template_id', '=', templateId);
  const rows = await all()
    .selectAll()
    .orderBy('version', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .$castTo<VersionRow>()
    .execute();
  const total = await totalOf(page, rows.length, () => countVersions(db, templateId));
  return { rows, total };
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

/** A version of a template, or null. */
export async function findVersion(db: ScopedDb, templateId: string, id: string): Promise<VersionRow | null> {
  if (!uuidKeys.isKey(id)) return null;
  const row = await db.query
    .selectFrom('email_template_versions')
    .selectAll()
    .where('template_id', '=', templateId)
    .where('id', '=', id)
    .$castTo<VersionRow>()
    .executeTakeFirst();
  return row ?? null;
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

/** Stores a new version. */
export async function insertVersion(tx: ScopedDb, version: NewVersion): Promise<void> {
  await tx.query.insertInto('email_template_versions').values(version).execute();
}

/** Changes a version. */
export async function updateVersion(tx: ScopedDb, id: string, change: Partial<NewVersion>): Promise<void> {
  await tx.query.updateTable('email_template_versions').set(change).where('id', '=', id).execute();
}

/** Removes a version. */
export async function removeVersion(tx: ScopedDb, id: string): Promise<void> {
  await tx.query.deleteFrom('email_template_versions').where('id', '=', id).execute();
}
