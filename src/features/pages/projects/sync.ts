import { type SqlBool, sql } from 'kysely';
import type { Static } from 'typebox';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Columns } from '../../../resources/body.ts';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import type { Contents } from '../../../resources/contents.ts';
import { findRecord, lockRecord, putRecords, replaceRecord } from '../../../resources/records.ts';
import type { AnyRow, Resource } from '../../../resources/resource.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { lockForModelChange } from './access.ts';
import { type ProjectRow, projects } from './resource.ts';
import type { SyncReply } from './schema.ts';
import { findSynced, recordSynced, type SyncedModel, versionsOf } from './synced-models.ts';

/** Models per batch. */
const BATCH_SIZE = 20;
/** Columns that are not copied: keys, owner and platform data. */
const UNSYNCED_COLUMNS = [
  'tenant_id',
  'project_id',
  'id',
  'owner_bu_id',
  'version',
  'created_at',
  'updated_at',
];

/** A model that the sync leaves unchanged, with the reason. */
type SkippedModel = NonNullable<Static<typeof SyncReply>['warnings']>[number];

/** The projects of a sync. */
interface Sync {
  readonly ctx: MemberContext;
  readonly project: ProjectRow;
  readonly template: ProjectRow;
}

/**
 * Applies changes of the template's models since the last sync: new models, and those changed only in the template. A
 * model that was changed or deleted in the project is skipped with a warning. A model deleted in the template stays.
 * @throws AppError NOT_FOUND, FORBIDDEN; VALIDATION_ERROR for a project without an accessible template.
 */
export async function syncTemplate(
  ctx: MemberContext,
  contents: readonly Contents[],
  id: string,
): Promise<Static<typeof SyncReply>> {
  const { db, now } = ctx;
  const project = await lockRecord(ctx, projects, id, 'editor');
  const template = await findTemplate(db, project);
  const skipped: SkippedModel[] = [];
  let appliedCount = 0;
  for (const each of contents.filter(({ isModel }) => isModel)) {
    const plan = await planSync(db, each, project.id, template.id);
    await applyModels({ ctx, project, template }, each, plan.toApply);
    appliedCount += plan.toApply.length;
    skipped.push(...plan.skipped);
  }
  // This project may be a template itself.
  if (appliedCount > 0) await lockForModelChange(db, id);
  const version = template.model_version;
  await replaceRecord(ctx, projects, id, { synced_template_version: version, template_synced_at: now });
  return { id, synced_template_version: version, ...(skipped.length > 0 ? { warnings: skipped } : {}) };
}

/** Reads the template and its version before its models, so that later changes belong to the next sync. */
async function findTemplate(db: ScopedDb, { template_id }: ProjectRow): Promise<ProjectRow> {
  if (template_id === null)
    throw ruleBroken('template_id', 'is null: the project was not created from a template');
  const template = await findRecord(db, projects, template_id);
  if (!template?.is_template) throw ruleBroken('template_id', 'references a template that no longer exists');
  return template;
}

/** Returns the models of a kind to apply, by id and template version, and those that stay unchanged. */
async function planSync(db: ScopedDb, contents: Contents, projectId: string, templateId: string) {
  const { resource } = contents;
  const templateVersions = await versionsOf(db, contents, templateId);
  // Include core slices, which belong to the tenant but use the project's ids.
  const projectVersions = await versionsOf(db, { resource }, projectId);
  const synced = await findSynced(db, resource, projectId);
  const toApply: (readonly [string, number])[] = [];
  const skipped: SkippedModel[] = [];
  for (const [id, version] of templateVersions) {
    const lastSync = synced.get(id);
    if (lastSync?.template_version === version) continue;
    const projectVersion = projectVersions.get(id);
    if (projectVersion === lastSync?.own_version) toApply.push([id, version]);
    else
      skipped.push({
        field: id,
        message: projectVersion === undefined ? DELETED : lastSync === undefined ? NEVER_SYNCED : CHANGED,
      });
  }
  return { toApply, skipped };
}

/** Messages of warnings, as the end of a sentence that begins with the model's id. */
const DELETED = 'was deleted in this project and stays deleted';
const NEVER_SYNCED = 'belongs to this project only and was not changed';
const CHANGED = 'was changed in this project, so it was not updated';

/** Creates or replaces models with the content of the template's models. */
async function applyModels(
  { ctx, project, template }: Sync,
  { resource, copyRelated }: Contents,
  wantedVersions: readonly (readonly [string, number])[],
): Promise<void> {
  for (let from = 0; from < wantedVersions.length; from += BATCH_SIZE) {
    const versions = new Map(wantedVersions.slice(from, from + BATCH_SIZE));
    const models = await readModels(ctx.db, resource, template.id, [...versions.keys()]);
    const replacements = models.map((model) => ({
      key: [project.id, String(model.id)],
      columns: contentOf(resource, model),
    }));
    const rows = await putRecords(ctx, resource, replacements, { ownerId: project.owner_bu_id });
    const synced = rows.map((row) => toSynced(row, versions));
    await recordSynced(ctx.db, resource, project.id, synced);
    if (synced.length > 0)
      await copyRelated?.(ctx.db, { from: template.id, to: project.id, ids: synced.map(({ id }) => id) });
  }
}

function toSynced(row: object, versions: ReadonlyMap<string, number>): SyncedModel {
  const columns = new Map(Object.entries(row));
  const id = String(columns.get('id'));
  return { id, template_version: versions.get(id) ?? 0, own_version: Number(columns.get('version')) };
}

async function readModels(
  db: ScopedDb,
  resource: Resource,
  projectId: string,
  ids: readonly string[],
): Promise<AnyRow[]> {
  return runCompiled(db, resource, 'models to sync', [projectId, ids], (query, [project, wanted]) =>
    query
      .selectFrom(resource.table)
      .selectAll()
      .where('project_id', '=', project)
      .where(sql<SqlBool>`id = any(${wanted}::text[])`),
  );
}

/** Returns the columns of a model that are synced. */
function contentOf({ columns, computed }: Resource, model: AnyRow): Columns {
  const own = columns.filter((column) => !UNSYNCED_COLUMNS.includes(column) && !computed.has(column));
  return Object.fromEntries(own.map((column) => [column, model[column]]));
}
