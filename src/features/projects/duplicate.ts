/**
 * Copies of projects. What a project holds is copied first, by portions, under an id that no project has; the project itself comes
 * last, so that a copy is there whole or not at all. Until then all of it counts as remains, which go by themselves.
 */
import { v7 as uuidv7 } from 'uuid';
import { isSqlState, UNIQUE_VIOLATION } from '../../db/sqlstate.ts';
import { AppError } from '../../errors/app-error.ts';
import type { MemberContext } from '../../http/context.ts';
import type { Job } from '../../jobs/jobs.ts';
import { type Contents, copyContents, type Note } from '../../resources/contents.ts';
import { ownerOfNew } from '../../resources/ownership.ts';
import { createRecord, getRecord } from '../../resources/records.ts';
import { toActorRecord } from '../../tenancy/actor.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { COPY_OVERTAKEN, COPY_TOOK_TOO_LONG } from './errors.ts';
import { addRemains, forgetRemains, holdRemains } from './queries.ts';
import { holdProject } from './reach.ts';
import { finishRemains } from './remains.ts';
import { type ProjectRow, projects } from './resource.ts';
import { requireRoom } from './room.ts';
import { findSynced, noteSynced, versionsOf } from './synced-models.ts';

/** Records that one transaction copies. */
const PORTION = 200;
/** How long a copy may take; what it has made goes then. */
const MOST_MS = 15 * 60_000;
/** How long a request that fails goes on removing what it has made; the rest is the job's. */
const ABANDON_MS = 5_000;

/** What makes copies of projects, of these kinds of record. */
export interface Copying {
  readonly contents: readonly Contents[];
  /** What deletes remains. */
  readonly job: Job;
}

/** A copy without its project. */
export interface Copy {
  readonly id: string;
  readonly ownerId: string;
  readonly source: ProjectRow;
}

/** What a request for a copy says. */
export interface CopyBody {
  readonly name: string;
  readonly business_unit_id?: string | null;
}

/**
 * Copies what a project holds, under a new id.
 * @throws AppError NOT_FOUND; FORBIDDEN or BUSINESS_UNIT_REQUIRED by the rules of ownership; VALIDATION_ERROR for one project too
 * many; COPY_TOOK_TOO_LONG; COPY_OVERTAKEN.
 */
export async function copyHoldings(
  ctx: MemberContext,
  copying: Copying,
  sourceId: string,
  body: CopyBody,
): Promise<Copy> {
  const { caller, db, platform, now } = ctx;
  const source = await getRecord(db, projects, sourceId);
  const ownerId = ownerOfNew({ kind: 'member', caller }, undefined, body.business_unit_id ?? undefined);
  await requireRoom(db);
  const copy = { id: uuidv7(), ownerId, source };
  const note = { who: toActorRecord({ kind: 'member', caller }), now };
  await db.transaction(async (tx) => {
    await addRemains(tx, copy.id, note);
    const end = new Date(now.getTime() + MOST_MS);
    await platform.jobs.enqueue(tx, copying.job, { tenantId: tx.tenantId, projectId: copy.id }, end);
  });
  try {
    await noteModels(db, copying.contents, copy);
    for (const each of copying.contents) if (each.isCopied !== false) await copyAll(db, each, copy, note);
  } catch (error) {
    await abandonCopy(ctx, copying, copy);
    // Portions see the original at different times: a uid may have gone from a record of an earlier one to one of a later.
    if (isSqlState(error, UNIQUE_VIOLATION)) throw new AppError(COPY_OVERTAKEN, { cause: error });
    throw error;
  }
  return copy;
}

/** Makes the project of a copy. @throws AppError NOT_FOUND when the original has gone meanwhile; COPY_TOOK_TOO_LONG. */
export async function makeCopy(
  ctx: MemberContext,
  { id, ownerId, source }: Copy,
  { name }: CopyBody,
): Promise<{ id: string }> {
  await holdProject(ctx.db, source.id);
  if (!(await forgetRemains(ctx.db, id))) throw new AppError(COPY_TOOK_TOO_LONG);
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

/** Removes what a copy that came to nothing has made. */
export async function abandonCopy(
  { db, platform }: Pick<MemberContext, 'db' | 'platform'>,
  { contents }: Copying,
  { id }: Copy,
): Promise<void> {
  await finishRemains(platform.scoped(wholeTenant(db.tenantId)), contents, id, ABANDON_MS);
}

async function copyAll(
  db: ScopedDb,
  contents: Contents,
  { id: to, ownerId, source }: Copy,
  note: Note,
): Promise<void> {
  const copyAfter = (after: string | null): Promise<string | null> =>
    db.transaction(async (tx) => {
      if (!(await holdRemains(tx, to))) throw new AppError(COPY_TOOK_TOO_LONG);
      return copyContents(tx, contents, { from: source.id, to, ownerId, after, limit: PORTION }, note);
    });
  for (let last = await copyAfter(null); last !== null; ) last = await copyAfter(last);
}

/**
 * Notes which models a copy has from its template, at their versions before they are copied: what changes meanwhile is taken
 * over later. A copy of a template is made from that template; any other has the template of its original.
 */
async function noteModels(db: ScopedDb, contents: readonly Contents[], { id, source }: Copy): Promise<void> {
  for (const each of contents.filter(({ isModel }) => isModel)) {
    const versions = await versionsOf(db, each, source.id);
    const synced = source.is_template
      ? [...versions].map(([model, version]) => ({ id: model, template_version: version, own_version: 1 }))
      : [...(await findSynced(db, each.resource, source.id)).values()].map((model) => ({
          ...model,
          // What was changed in the original is no more as the template has it in the copy either.
          own_version: versions.get(model.id) === model.own_version ? 1 : 0,
        }));
    await noteSynced(db, each.resource, id, synced);
  }
}
