/**
 * Restores records through the routes of their kind, so that all of their rules apply: the create route restores
 * deleted records, the update route restores older versions.
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
import { withRestoreErrors } from './restore-errors.ts';
import { bodyOfUpdate, isChange, membersOf, restoredRecordOf, versionToCreate } from './restored-body.ts';
import { type Members, NOT_RESTORED, type RecordWriter, type Restorer } from './restorers.ts';
import type { RestoreBody, Restored } from './schema.ts';
import { withFullKey } from './service.ts';
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
  readonly writer: RecordWriter;
  readonly input: RouteInput;
  /** Set if the record is deleted. */
  readonly restored?: RestoredRecord;
  /** False if the record already has the restored content. */
  readonly hasChanges: boolean;
  /** True if the caller names a version. Then a concurrent restore is a VERSION_CONFLICT instead of NOT_DELETED. */
  readonly namesVersion: boolean;
  readonly isDryRun: boolean;
  /** The result of the route's `prepare`. */
  readonly prepared: unknown;
  /** The response of a dry run, whose writes are rolled back. */
  readonly dryRunResult?: Restored;
}

/**
 * Checks and prepares a restoration, outside a transaction. A dry run also writes it and rolls it back.
 * @throws AppError NOT_FOUND, FORBIDDEN, INVALID_REQUEST, NOT_DELETED, VERSION_CONFLICT, RESTORE_CONFLICT or
 *   VALIDATION_ERROR.
 */
export async function prepareRestoration(
  ctx: MemberContext,
  restorers: Restorers,
  body: RestoreBody,
): Promise<PreparedRestoration> {
  const restoration = await prepare(ctx, await planRestoration(ctx, restorers, body));
  return restoration.isDryRun
    ? { ...restoration, dryRunResult: await runDry(ctx, restoration) }
    : restoration;
}

/** Restores a record in the open transaction. @throws AppError like `prepareRestoration`. */
export async function restoreRecord(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  return restoration.dryRunResult ?? write(ctx, restoration);
}

/** Undoes the effects of a preparation whose restoration failed. */
export async function abandonRestoration(
  ctx: MemberContext,
  { writer, input, prepared }: PreparedRestoration,
): Promise<void> {
  await writer.route.abandon?.(ctx, input, prepared);
}

/** True if a restoration changes the database schema. */
export function restoresTables({ writer, dryRunResult }: PreparedRestoration): boolean {
  return dryRunResult === undefined && writer.route.changesTables === true;
}

type Plan = Omit<PreparedRestoration, 'prepared' | 'dryRunResult'>;

/** Finds the record and the version, and builds the body. @throws AppError like `prepareRestoration`. */
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
  const { entitySortKey: sortKey } = await withFullKey(ctx, { entityType, entitySortKey });
  const key = partsOfSortKey(restorer.resource, sortKey);
  const visibility = visibilityOf(ctx.caller, entityType);
  const last = key && (await findLastEntry(ctx.db, visibility, entityType, sortKey));
  if (!key || !last) throw new AppError(NOT_FOUND);
  if (last.owner_bu_id !== null) requireRole(ctx.caller, last.owner_bu_id, 'editor');
  if (!last.deleted && version === undefined) throw new AppError(NOT_DELETED);
  if (expected_version !== undefined && expected_version !== last.version)
    throw new AppError(VERSION_CONFLICT);
  const query = { entityType, entitySortKey: sortKey };
  const data = version === undefined ? last.data : await readContent(ctx, query, version);
  const writer = last.deleted ? restorer.create : restorer.update;
  if (!writer) throw ruleBroken('version', `is not allowed here: no request changes a ${entityType}`);
  requireKnownMembers(writer, changes, fields);
  const options = { namesVersion: version !== undefined, isDryRun: dry_run };
  const plan = { restorer, entityType, sortKey, last, writer, ...options };
  const params = { ...last.data, ...namedParts(restorer.resource, key) };
  if (last.deleted) {
    const own = restorer.bodyOf(versionToCreate(last.data, data, fields));
    const restored = restoredRecordOf(restorer, key, { ...last, data: { ...last.data, ...own } });
    const body = mergeWritten(mergeWritten(own, membersOf(data, fields)), changes);
    return { ...plan, restored, hasChanges: true, input: { params, query: {}, body } };
  }
  const found = { params, query: {}, body: last.data };
  const current: Members = Object(await writer.route.updates?.current?.(ctx, found));
  const body = bodyOfUpdate(restorer, writer.route, {
    ...{ current, data, fields, changes },
    version: last.version,
  });
  return { ...plan, hasChanges: isChange(writer.route, current, body), input: { params, query: {}, body } };
}

/** Checks the body and runs the preparation of the route. @throws AppError like `prepareRestoration`. */
async function prepare(ctx: MemberContext, plan: Plan): Promise<PreparedRestoration> {
  if (!plan.hasChanges) return { ...plan, prepared: undefined };
  return withRestoreErrors(async () => {
    const body = plan.writer.check(plan.input.body, ctx.now);
    const input = { ...plan.input, body };
    const prepared = await prepareRoute(plan.writer.route, contextOf(ctx, plan), input);
    return { ...plan, input, prepared };
  });
}

/** Rolls back the transaction of a dry run and carries its result. */
class DryRunRollback extends Error {
  readonly result: Restored;

  constructor(result: Restored) {
    super('A dry run is rolled back.');
    this.result = result;
  }
}

/**
 * Writes a restoration and rolls it back, so that a dry run checks the rules of the write. In a dry run, the route does
 * not change the database schema.
 * @throws AppError like the write.
 */
async function runDry(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  try {
    return await ctx.db.transaction(async (db): Promise<Restored> => {
      throw new DryRunRollback(await write({ ...ctx, db }, restoration));
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result;
    throw error;
  } finally {
    await abandonRestoration(ctx, restoration);
  }
}

async function write(ctx: MemberContext, restoration: PreparedRestoration): Promise<Restored> {
  const { restorer, entityType, sortKey, last, writer, input, prepared, hasChanges } = restoration;
  const record = { entityType, entitySortKey: sortKey };
  if (last.deleted) await lockDeletion(ctx.db, entityType, sortKey);
  // Otherwise the update itself checks the version.
  if (last.deleted || !hasChanges) await requireUnchanged(ctx, restoration);
  if (!hasChanges) return { ...record, version: last.version, changed_fields: [], warnings: [] };
  await withRestoreErrors(async () => writer.route.write?.(contextOf(ctx, restoration), input, prepared));
  const after = await findLastEntry(ctx.db, 'all', entityType, sortKey);
  if (!after) throw new Error(`The restored ${entityType} has no history.`);
  return {
    ...record,
    version: after.version,
    changed_fields: changedFields(restoration, after.data),
    warnings: last.deleted && restorer.notRestored !== undefined ? [{ message: restorer.notRestored }] : [],
  };
}

/**
 * Checks that the record has not changed since it was prepared. @throws AppError NOT_DELETED, VERSION_CONFLICT.
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

/** Returns the writable members that differ from the newest version before the restoration. */
function changedFields({ restorer, last, writer }: PreparedRestoration, after: Members): string[] {
  const { route } = restorer.update ?? writer;
  const names = new Set([...writtenOf(route, last.data), ...writtenOf(route, after)]);
  names.delete('version');
  return [...names].filter((name) => !isSameMember(last.data, after, name));
}

/** Returns a context in which the route's write creates the deleted record instead of a new one. */
function contextOf(ctx: MemberContext, { restored, isDryRun }: Plan): MemberContext & RestoringContext {
  return { ...ctx, isDryRun, ...(restored && { restored }) };
}

/** Returns the content of a version. @throws AppError NOT_FOUND. */
async function readContent(
  ctx: MemberContext,
  query: { readonly entityType: RestoreBody['entityType']; readonly entitySortKey: string },
  version: number,
): Promise<Members> {
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const [row] = await listVersions(ctx.db, visibility, query, undefined, version);
  if (!row) throw new AppError(NOT_FOUND, { message: `The record has no version ${version}.` });
  return Object(row.data);
}

/** @throws AppError INVALID_REQUEST for members that callers cannot write. */
function requireKnownMembers(
  { isWritten }: RecordWriter,
  changes: Members,
  fields: readonly string[] = [],
): void {
  const message = 'is not a writable field';
  const unknown = [
    ...Object.keys(changes).flatMap((name) => (isWritten(name) ? [] : [`changes.${name}`])),
    ...fields.flatMap((name, index) => (isWritten(name) ? [] : [`fields[${index}]`])),
  ];
  if (unknown.length > 0) throw invalidRequest(unknown.map((field) => ({ field, message })));
}
