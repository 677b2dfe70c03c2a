/** Restores deleted records by the route that creates records of their kind, so that all of its rules apply. */
import { FOREIGN_KEY_VIOLATION, isSqlState, UNIQUE_VIOLATION } from '../../../db/sqlstate.ts';
import { carryWritten } from '../../../db/written-json.ts';
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { RouteInput } from '../../../http/route.ts';
import { prepareRoute } from '../../../http/run-route.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import { requireRole } from '../../../resources/ownership.ts';
import {
  namedParts,
  partsOfSortKey,
  platformColumnsOf,
  type RestoredRecord,
} from '../../../resources/restored.ts';
import { NOT_DELETED, RESTORE_CONFLICT } from './errors.ts';
import { findLastEntry, type LastEntry, lockDeletion } from './queries.ts';
import type { Members, Restorer } from './restorers.ts';
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
  readonly input: RouteInput;
  readonly restored: RestoredRecord;
  /** The result of the route's `prepare`. */
  readonly prepared: unknown;
}

/**
 * Checks a restoration and prepares it, outside a transaction.
 * @throws AppError NOT_FOUND, FORBIDDEN, NOT_DELETED, RESTORE_CONFLICT or VALIDATION_ERROR.
 */
export async function prepareRestoration(
  ctx: MemberContext,
  restorers: Restorers,
  { entityType, entitySortKey, changes = {} }: RestoreBody,
): Promise<PreparedRestoration> {
  const restorer = restorers.get(entityType);
  if (!restorer) throw ruleBroken('entityType', 'must be a kind of record that can be restored');
  const { entitySortKey: sortKey } = await withWholeKey(ctx, { entityType, entitySortKey });
  const key = partsOfSortKey(restorer.resource, sortKey);
  const entry =
    key && (await findLastEntry(historyDb(ctx), visibilityOf(ctx.caller, entityType), entityType, sortKey));
  if (!key || !entry) throw new AppError(NOT_FOUND);
  if (entry.owner_bu_id !== null) requireRole(ctx.caller, entry.owner_bu_id, 'editor');
  if (!entry.deleted) throw new AppError(NOT_DELETED);
  requireKnownMembers(restorer, changes);
  const version = carryWritten(entry.data, { ...entry.data });
  const own = restorer.bodyOf(version);
  const body = { ...own, ...changes };
  const restored = toRestored(restorer, key, { ...entry, data: { ...version, ...own } });
  return refused(async () => {
    const input = {
      params: { ...version, ...namedParts(restorer.resource, key) },
      query: {},
      body: restorer.check(body, ctx.now),
    };
    const prepared = await prepareRoute(restorer.route, restoringContext(ctx, restored), input);
    return { restorer, entityType, sortKey, input, restored, prepared };
  });
}

/** Restores a record in the open transaction. @throws AppError like `prepareRestoration`. */
export async function restoreRecord(
  ctx: MemberContext,
  { restorer, entityType, sortKey, input, restored, prepared }: PreparedRestoration,
): Promise<Restored> {
  const { route, lost } = restorer;
  await lockDeletion(ctx.db, entityType, sortKey);
  const entry = await findLastEntry(ctx.db, 'all', entityType, sortKey);
  if (!entry?.deleted || entry.version !== restored.firstVersion - 1) throw new AppError(NOT_DELETED);
  await refused(async () => route.write?.(restoringContext(ctx, restored), input, prepared));
  return {
    entityType,
    entitySortKey: sortKey,
    version: restored.firstVersion,
    ...(lost === undefined ? {} : { warnings: [{ message: lost }] }),
  };
}

/** @throws AppError INVALID_REQUEST for changes of members that callers cannot write. */
function requireKnownMembers({ isWritten }: Restorer, changes: Members): void {
  const unknown = Object.keys(changes).filter((name) => !isWritten(name));
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.map((name) => ({ field: `changes.${name}`, message: 'is not a member that can be written' })),
    );
}

/** A context in which the route's write creates the deleted record instead of a new one. */
function restoringContext(ctx: MemberContext, restored: RestoredRecord) {
  return { ...ctx, restored };
}

function toRestored(
  { entityType, resource }: Restorer,
  key: readonly string[],
  entry: LastEntry,
): RestoredRecord {
  const { created_at: createdAt } = entry.data;
  return {
    entityType,
    key,
    firstVersion: entry.version + 1,
    columns: platformColumnsOf(resource, entry.data),
    ...(typeof createdAt === 'string' && resource.kinds.has('created_at') ? { createdAt } : {}),
  };
}

/**
 * Runs a step of the creating route and converts its errors to those of a restoration.
 * @throws AppError RESTORE_CONFLICT for a duplicate value, VALIDATION_ERROR for a missing or forbidden reference.
 */
async function refused<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION)) throw new AppError(RESTORE_CONFLICT, { cause: error });
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw missing(undefined, error);
    if (!(error instanceof AppError)) throw error;
    const { definition, message, issues } = error;
    if (definition.status === 409)
      throw new AppError(RESTORE_CONFLICT, { message, ...(issues && { issues }), cause: error });
    if (definition.status === 404) throw missing(message, error);
    if (definition.status === 400)
      throw new AppError(VALIDATION_ERROR, { message, ...(issues && { issues }), cause: error });
    throw error;
  }
}

function missing(found: string | undefined, cause: unknown): AppError {
  const reason = found === undefined ? '' : ` (${found})`;
  return new AppError(VALIDATION_ERROR, {
    message: `The record references something that does not exist any more${reason}. Restore that first, or give another value in changes.`,
    cause,
  });
}
