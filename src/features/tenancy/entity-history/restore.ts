/**
 * Restores records by the routes of their kind, so that all of their rules apply: a deleted one by the route that creates
 * records, an older version by the one that updates them.
 */
import { mergeWritten } from '../../../db/written-json.ts';
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { RouteInput } from '../../../http/route.ts';
import { prepareRoute } from '../../../http/run-route.ts';
import { isSameMember, writtenOf } from '../../../http/updates.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import { requireRole } from '../../../resources/ownership.ts';
import {
  namedParts,
  partsOfSortKey,
  type RestoredRecord,
  type RestoringContext,
} from '../../../resources/restored-records.ts';
import { NOT_DELETED } from './errors.ts';
import { findLastEntry, type LastEntry, listVersions, lockDeletion } from './queries.ts';
import { asRefusal } from './refusal.ts';
import { bodyOfUpdate, isChange, membersOf, restoredRecordOf, versionToCreate } from './restored-body.ts';
import { type Members, NOT_RESTORED, type Restorer, type Writing } from './restorers.ts';
import type { RestoreBody, Restored } from './schema.ts';
import { historyDb, withWholeKey } from './service.ts';
import { visibilityOf } from './visibility.ts';

/** Restorers by kind of record. */
export type Restorers = ReadonlyMap<EntityType, Restorer>;

/** A checked and prepared restoration. */
export interface PreparedRestoration {
  readonly restorer: Restorer;
  readonly entityType: RestoreBody['entityType'];
  readonly sortKey: string;
  /** The newest entry before the restoration. */
  readonly last: LastEntry;
  readonly writing: Writing;
  readonly input: RouteInput;
  /** Set if the record is deleted. */
  readonly restored?: RestoredRecord;
  /** False if the record already is as it would be. */
  readonly changes: boolean;
  /** True if the caller names a version: then a record that was restored meanwhile has changed, rather than exists. */
  readonly namesVersion: boolean;
  readonly isDryRun: boolean;
  /** The result of the route's `prepare`. */
  readonly prepared: unknown;
  /** The answer of a dry run, which is undone. */
  readonly tried?: Restored;
}

/**
 * Checks a restoration and prepares it, outside a transaction; a dry run also writes it and undoes that.
 * @throws AppError NOT_FOUND, FORBIDDEN, INVALID_REQUEST, NOT_DELETED, VERSION_CONFLICT, RESTORE_CONFLICT or
 *   VALIDATION_ERROR.
 */
export async function prepareRestoration(
  ctx: MemberContext,
  restorers: Restorers,
  body: RestoreBody,
): Promise<PreparedRestoration> {
  const restoration = await prepare(ctx, await planRestoration(ctx, restorers, body));
  return restoration.isDryRun ? { ...restoration, tried: await tryOut(ctx, restoration) } : restoration;
}

/** Restores a record in the open transaction. @throws AppError like `prepareRestoration`. */
export async function restoreRecord(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  return restoration.tried ?? write(ctx, restoration);
}

/** Undoes what the preparation of a restoration did that then failed. */
export async function abandonRestoration(
  ctx: MemberContext,
  { writing, input, prepared }: PreparedRestoration,
): Promise<void> {
  await writing.route.abandon?.(ctx, input, prepared);
}

/** True if a restoration changes tables. */
export function restoresTables({ writing, tried }: PreparedRestoration): boolean {
  return tried === undefined && writing.route.changesTables === true;
}

type Plan = Omit<PreparedRestoration, 'prepared' | 'tried'>;

/** Finds the record and the version, and makes the body. @throws AppError like `prepareRestoration`. */
async function planRestoration(
  ctx: MemberContext,
  restorers: Restorers,
  {
    entityType,
    entitySortKey,
    version,
    fields,
    expected_version,
    dry_run = false,
    changes = {},
  }: RestoreBody,
): Promise<Plan> {
  const restorer = restorers.get(entityType);
  if (!restorer) throw ruleBroken('entityType', `${entityType} ${NOT_RESTORED[entityType]}`);
  const { entitySortKey: sortKey } = await withWholeKey(ctx, { entityType, entitySortKey });
  const key = partsOfSortKey(restorer.resource, sortKey);
  const visibility = visibilityOf(ctx.caller, entityType);
  const last = key && (await findLastEntry(historyDb(ctx), visibility, entityType, sortKey));
  if (!key || !last) throw new AppError(NOT_FOUND);
  if (last.owner_bu_id !== null) requireRole(ctx.caller, last.owner_bu_id, 'editor');
  if (!last.deleted && version === undefined) throw new AppError(NOT_DELETED);
  if (expected_version !== undefined && expected_version !== last.version)
    throw new AppError(VERSION_CONFLICT);
  const query = { entityType, entitySortKey: sortKey };
  const data = version === undefined ? last.data : await readContent(ctx, query, version);
  const writing = last.deleted ? restorer.create : restorer.update;
  if (!writing) throw ruleBroken('version', `is not allowed here: no request changes a ${entityType}`);
  requireKnownMembers(writing, changes, fields);
  const options = { namesVersion: version !== undefined, isDryRun: dry_run };
  const facts = { restorer, entityType, sortKey, last, writing, ...options };
  const params = { ...last.data, ...namedParts(restorer.resource, key) };
  if (last.deleted) {
    const own = restorer.bodyOf(versionToCreate(last.data, data, fields));
    const restored = restoredRecordOf(restorer, key, { ...last, data: { ...last.data, ...own } });
    const body = mergeWritten(mergeWritten(own, membersOf(data, fields)), changes);
    return { ...facts, restored, changes: true, input: { params, query: {}, body } };
  }
  const found = { params, query: {}, body: last.data };
  const current: Members = Object(await writing.route.updates?.current?.(ctx, found));
  const body = bodyOfUpdate(restorer, writing.route, {
    ...{ current, data, fields, changes },
    version: last.version,
  });
  return { ...facts, changes: isChange(writing.route, current, body), input: { params, query: {}, body } };
}

/** Checks the body and runs the preparation of the route. @throws AppError like `prepareRestoration`. */
async function prepare(ctx: MemberContext, plan: Plan): Promise<PreparedRestoration> {
  if (!plan.changes) return { ...plan, prepared: undefined };
  return asRefusal(async () => {
    const body = plan.writing.check(plan.input.body, ctx.now);
    const input = { ...plan.input, body };
    const prepared = await prepareRoute(plan.writing.route, contextOf(ctx, plan), input);
    return { ...plan, input, prepared };
  });
}

/** Carries the answer of a write out of the transaction that it undoes. */
class Undo extends Error {
  readonly answer: Restored;

  constructor(answer: Restored) {
    super('A dry run is rolled back.');
    this.answer = answer;
  }
}

/**
 * Writes a restoration and undoes it, so that a dry run meets the rules of the write; the route leaves tables alone.
 * @throws AppError as the write.
 */
async function tryOut(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  try {
    return await ctx.db.transaction(async (db): Promise<Restored> => {
      throw new Undo(await write({ ...ctx, db }, restoration));
    });
  } catch (error) {
    if (error instanceof Undo) return error.answer;
    throw error;
  } finally {
    await abandonRestoration(ctx, restoration);
  }
}

async function write(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  const { restorer, entityType, sortKey, last, writing, input, prepared, changes } = restoration;
  const facts = { entityType, entitySortKey: sortKey };
  if (last.deleted) await lockDeletion(ctx.db, entityType, sortKey);
  if (last.deleted || !changes) await requireUnchanged(ctx, restoration);
  if (!changes) return { ...facts, version: last.version, changed_fields: [], warnings: [] };
  await asRefusal(async () => writing.route.write?.(contextOf(ctx, restoration), input, prepared));
  const after = await findLastEntry(ctx.db, 'all', entityType, sortKey);
  if (!after) throw new Error(`The restored ${entityType} has no history.`);
  return {
    ...facts,
    version: after.version,
    changed_fields: changedFields(restoration, after.data),
    warnings: last.deleted && restorer.notRestored !== undefined ? [{ message: restorer.notRestored }] : [],
  };
}

/**
 * Compares the record with the one that was prepared; an update of the record does so itself.
 * @throws AppError NOT_DELETED, VERSION_CONFLICT.
 */
async function requireUnchanged(
  { db }: MemberContext,
  { entityType, sortKey, last, namesVersion }: PreparedRestoration,
): Promise<void> {
  const entry = await findLastEntry(db, 'all', entityType, sortKey);
  if (entry?.version === last.version && entry.deleted === last.deleted) return;
  const exists = entry !== undefined && !entry.deleted;
  throw new AppError(exists && !namesVersion ? NOT_DELETED : VERSION_CONFLICT);
}

/** Returns the members that callers write and that differ from the newest version before. */
function changedFields({ restorer, last, writing }: PreparedRestoration, after: Members): string[] {
  const { route } = restorer.update ?? writing;
  const names = new Set([...writtenOf(route, last.data), ...writtenOf(route, after)]);
  names.delete('version');
  return [...names].filter((name) => !isSameMember(last.data, after, name));
}

/** A context in which the route's write creates the deleted record instead of a new one. */
function contextOf(ctx: MemberContext, { restored, isDryRun }: Plan): MemberContext & RestoringContext {
  return { ...ctx, isDryRun, ...(restored && { restored }) };
}

/** Returns a version of a record. @throws AppError NOT_FOUND. */
async function readContent(
  ctx: MemberContext,
  query: { readonly entityType: RestoreBody['entityType']; readonly entitySortKey: string },
  version: number,
): Promise<Members> {
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const [row] = await listVersions(historyDb(ctx), visibility, query, undefined, version);
  if (!row) throw new AppError(NOT_FOUND, { message: `The record has no version ${version}.` });
  return Object(row.data);
}

/** @throws AppError INVALID_REQUEST for members that callers cannot write. */
function requireKnownMembers({ isWritten }: Writing, changes: Members, fields: readonly string[] = []): void {
  const message = 'is not a writable field';
  const unknown = [
    ...Object.keys(changes).flatMap((name) => (isWritten(name) ? [] : [`changes.${name}`])),
    ...fields.flatMap((name, index) => (isWritten(name) ? [] : [`fields[${index}]`])),
  ];
  if (unknown.length > 0) throw invalidRequest(unknown.map((field) => ({ field, message })));
}
