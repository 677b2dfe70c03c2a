/**
 * Copies of projects. The contents are copied first, in batches, under an unused id. The project itself is created
 * last, so a copy exists completely or not at all. Until then its contents are recorded as leftovers, which a job
 * deletes.
 */
import { v7 as uuidv7 } from 'uuid';
import { isSqlState, UNIQUE_VIOLATION } from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { type Authorship, type Contents, copyContents } from '../../../resources/contents.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { createRecord, getRecord } from '../../../resources/records.ts';
import { toActorRecord } from '../../../tenancy/actor.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { shareLockProject } from './access.ts';
import { COPY_OVERTAKEN, COPY_TOOK_TOO_LONG } from './errors.ts';
import { deleteLeftovers } from './leftovers.ts';
import { requireProjectQuota } from './project-limit.ts';
import { addLeftovers, deleteLeftoversRecord, shareLockLeftovers } from './queries.ts';
import { type ProjectRow, projects } from './resource.ts';
import { findSynced, recordSynced, versionsOf } from './synced-models.ts';

/** Records per transaction. */
const BATCH_SIZE = 200;
/** Time limit of a copy, in ms; after that its contents are deleted. */
const MAX_MS = 15 * 60_000;
/** Time for which a failed request deletes its copied contents, in ms; the job deletes the rest. */
const ABANDON_MS = 5_000;

/** Dependencies of copies. */
export interface CopyDependencies {
  readonly contents: readonly Contents[];
  /** The job that deletes leftovers. */
  readonly job: Job;
}

/** Copied contents without a project. */
export interface Copy {
  readonly id: string;
  readonly ownerId: string;
  readonly source: ProjectRow;
}

/** Body of a request that copies a project. */
export interface CopyBody {
  readonly name: string;
  readonly business_unit_id?: string | null;
}

/**
 * Copies the contents of a project under a new id.
 * @throws AppError NOT_FOUND; FORBIDDEN or BUSINESS_UNIT_REQUIRED by the rules of ownership; VALIDATION_ERROR for too
 * many projects; COPY_TOOK_TOO_LONG; COPY_OVERTAKEN.
 */
export async function copyContentsOf(
  ctx: MemberContext,
  copying: CopyDependencies,
  sourceId: string,
  body: CopyBody,
): Promise<Copy> {
  const { caller, db, platform, now } = ctx;
  const source = await getRecord(db, projects, sourceId);
  const ownerId = ownerOfNew({ kind: 'member', caller }, undefined, body.business_unit_id ?? undefined);
  await requireProjectQuota(db);
  const copy = { id: uuidv7(), ownerId, source };
  const authorship = { actor: toActorRecord({ kind: 'member', caller }), now };
  await db.transaction(async (tx) => {
    await addLeftovers(tx, copy.id, authorship);
    const end = new Date(now.getTime() + MAX_MS);
    await platform.jobs.enqueue(tx, copying.job, { tenantId: tx.tenantId, projectId: copy.id }, end);
  });
  try {
    await recordModels(db, copying.contents, copy);
    for (const each of copying.contents)
      if (each.isCopied !== false) await copyAll(db, each, copy, authorship);
  } catch (error) {
    await abandonCopy(ctx, copying, copy);
    // Batches read the original at different times: a uid may have moved from an earlier record to a later one.
    if (isSqlState(error, UNIQUE_VIOLATION)) throw new AppError(COPY_OVERTAKEN, { cause: error });
    throw error;
  }
  return copy;
}

/**
 * Creates the project of a copy. @throws AppError NOT_FOUND if the original was deleted meanwhile; COPY_TOOK_TOO_LONG.
 */
export async function createCopiedProject(
  ctx: MemberContext,
  { id, ownerId, source }: Copy,
  { name }: CopyBody,
): Promise<{ id: string }> {
  await shareLockProject(ctx.db, source.id);
  if (!(await deleteLeftoversRecord(ctx.db, id))) throw new AppError(COPY_TOOK_TOO_LONG);
  const { description, redirect_config, preview_config, template_id } = source;
  const isFromTemplate = source.is_template;
  const columns = {
    name,
    description,
    is_template: false,
    template_id: isFromTemplate ? source.id : template_id,
    duplicated_from: source.id,
    model_version: 1,
    synced_template_version: isFromTemplate ? source.model_version : source.synced_template_version,
    template_synced_at: isFromTemplate ? ctx.now : source.template_synced_at,
    redirect_config,
    preview_config,
  };
  await createRecord(ctx, projects, columns, { key: id, ownerId });
  return { id };
}

/** Removes the contents of a failed copy. */
export async function abandonCopy(
  { db, platform }: Pick<MemberContext, 'db' | 'platform'>,
  { contents }: CopyDependencies,
  { id }: Copy,
): Promise<void> {
  await deleteLeftovers(platform.scoped(wholeTenant(db.tenantId)), contents, id, ABANDON_MS);
}

async function copyAll(
  db: ScopedDb,
  contents: Contents,
  { id: to, ownerId, source }: Copy,
  authorship: Authorship,
): Promise<void> {
  const copyAfter = (after: string | null): Promise<string | null> =>
    db.transaction(async (tx) => {
      if (!(await shareLockLeftovers(tx, to))) throw new AppError(COPY_TOOK_TOO_LONG);
      return copyContents(
        tx,
        contents,
        { from: source.id, to, ownerId, after, limit: BATCH_SIZE },
        authorship,
      );
    });
  for (let last = await copyAfter(null); last !== null; ) last = await copyAfter(last);
}

/**
 * Records the models that a copy has from its template, at their versions before the copy, so that later changes are
 * synced. The template of a copy is its original if that is a template, otherwise the template of its original.
 */
async function recordModels(
  db: ScopedDb,
  contents: readonly Contents[],
  { id, source }: Copy,
): Promise<void> {
  for (const each of contents.filter(({ isModel }) => isModel)) {
    const versions = await versionsOf(db, each, source.id);
    const synced = source.is_template
      ? [...versions].map(([model, version]) => ({ id: model, template_version: version, own_version: 1 }))
      : [...(await findSynced(db, each.resource, source.id)).values()].map((model) => ({
          ...model,
          // A model changed in the original also differs from the template in the copy.
          own_version: versions.get(model.id) === model.own_version ? 1 : 0,
        }));
    await recordSynced(db, each.resource, id, synced);
  }
}
