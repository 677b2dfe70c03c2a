/** Bulk operations: all or nothing, each with one statement. */

import { sql } from 'kysely';
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { groupsBySize } from '../../../db/groups-by-size.ts';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, OWNER_IMMUTABLE } from '../../../errors/platform-errors.ts';
import type { FieldSql } from '../../../resources/filter-field.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { ofColumn } from '../../../resources/filter-sql.ts';
import { toUuid } from '../../../resources/filter-values.ts';
import { limitConditions } from '../../../resources/filters.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { type Notifier, type Notify, writeAndNotify } from './changes.ts';
import {
  hasMatches,
  hasOverlong,
  lockMatches,
  readExistingValues,
  readSizes,
  readVisible,
} from './check-queries.ts';
import { TAKEN, translateDeletionErrors, translateWriteErrors } from './database-errors.ts';
import type { EntityContext } from './entity-context.ts';
import { isWriterIn, ownerOf, requireWriterOfSome, unitIn } from './permissions.ts';
import { type Narrowing, readRecords } from './read-queries.ts';
import { type RecordBody, readGivenFields, readNewRecords, stateIn } from './record-values.ts';
import { refuseReferred } from './referrers.ts';
import { findInvisible, requireVisible, type ValuesAtPath } from './related.ts';
import { readFilter } from './related-conditions.ts';
import type { BulkCreateReply, BulkDeleteReply, BulkUpdateReply } from './schema.ts';
import { authorOf, overlong } from './service.ts';
import { ROWS } from './shown-fields.ts';
import { areLarge, charactersOf, MAX_CHARACTERS } from './sizes.ts';
import { withUnitIds } from './unit-filters.ts';
import { type RecordChanges, updateAndCount, updateRecords, updateWithPrevious } from './update-queries.ts';
import { moveTo, noTransition, requireInitial } from './workflow.ts';
import { deleteRecords, insertRecords } from './write-queries.ts';

/** Creates records. @throws the errors of `createRecord`; issues name the record: `records[3].name`. */
export async function createAll(
  ctx: EntityContext,
  bodies: readonly unknown[],
): Promise<Static<typeof BulkCreateReply>> {
  const { model } = ctx;
  requireWriterOfSome(ctx, 'editor');
  const issues: Issue[] = [];
  const records = readNewRecords(model, bodies, { issues, patterns: ctx.patterns });
  if (issues.length > 0) throw invalidRequest(issues);
  const { workflow } = model;
  if (workflow)
    for (const { values, pathPrefix } of records)
      requireInitial(workflow, stateIn(model, values), pathPrefix);
  const newRecords = await Promise.all(
    records.map(async ({ body, pathPrefix, values }) => ({
      id: uuidv7(),
      ownerId: await ownerOf(ctx, body, pathPrefix),
      values,
    })),
  );
  const conflicts = [
    ...(await findInvisible(ctx, records, () => true)),
    ...(await findDuplicates(ctx, records)),
  ];
  if (conflicts.length > 0) throw invalidRequest(conflicts);
  await writeAndNotify(ctx, { event: 'created' }, async (db, notifier) => {
    const isReported = notifier !== null;
    const written = await translateWriteErrors(model, () =>
      insertRecords(db, model, newRecords, authorOf(ctx), isReported),
    );
    // The ids are in the order of the request.
    await notifier?.notify(written.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  });
  return { success: true, created: newRecords.length, ids: newRecords.map(({ id }) => id) };
}

/** Prefix of fields in issues of a bulk update. */
export const UPDATE = 'update.';

/** Changes all records that a filter finds. @throws the errors of `changeRecord`. */
export async function changeAll(
  ctx: EntityContext,
  filter: RecordBody,
  update: RecordBody,
): Promise<Static<typeof BulkUpdateReply>> {
  const { db, model } = ctx;
  requireWriterOfSome(ctx, 'editor');
  const issues: Issue[] = [];
  const filters = await withUnitIds(db, model, filter);
  const narrowing = { conditions: readFilters(ctx, filters, issues), search: null };
  const values = readGivenFields(model, update, { issues, patterns: ctx.patterns }, UPDATE);
  if (issues.length === 0 && values.size === 0)
    issues.push({ field: 'update', message: 'must contain a field of the entity' });
  if (issues.length > 0) throw invalidRequest(issues);
  const unit = await unitIn(ctx, update, UPDATE);
  const state = stateIn(model, values);
  const move = model.workflow && state !== undefined ? moveTo(model, model.workflow, state) : null;
  const changes = { values, move, ownerId: null };
  await requireVisible(ctx, [{ values, pathPrefix: UPDATE }]);
  if (unit !== null && (await hasMatches(db, model, ofOtherUnits(narrowing, unit))))
    throw new AppError(OWNER_IMMUTABLE);
  const kind = { event: 'updated', mayMove: move !== null } as const;
  const updated = await writeAndNotify(ctx, kind, (rows, notifier) =>
    move === null && !areLarge(values)
      ? writeAll({ ...ctx, db: rows }, narrowing, changes, notifier)
      : rows.transaction((tx) => writeAll({ ...ctx, db: tx }, narrowing, changes, notifier)),
  );
  return { success: true, updated };
}

/** Deletes records by id. @throws AppError INVALID_REQUEST for each id that is unknown or repeated. */
export async function deleteAll(
  ctx: EntityContext,
  ids: readonly unknown[],
): Promise<Static<typeof BulkDeleteReply>> {
  const { model } = ctx;
  requireWriterOfSome(ctx, 'admin');
  const keys = ids.map((id) => (typeof id === 'string' ? toUuid(id) : undefined));
  const issues = keys.flatMap((key, index): Issue[] => {
    const field = `ids[${index}]`;
    if (key === undefined) return [{ field, message: UNKNOWN }];
    return keys.indexOf(key) < index ? [{ field, message: 'is repeated' }] : [];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  const validIds = keys.filter((key) => key !== undefined);
  await writeAndNotify(ctx, { event: 'deleted' }, (db, notifier) =>
    // A missing id rolls back the deletion of the others.
    db.transaction(async (tx) => {
      const isNotified =
        notifier !== null && (await notifyBeforeDeletion(tx, model, validIds, notifier.notify));
      const isReported = notifier !== null && !isNotified;
      await refuseReferred({ ...ctx, db: tx }, validIds);
      const records = await translateDeletionErrors(() => deleteRecords(tx, model, validIds, isReported));
      if (records.length < validIds.length) throw await undeletedError({ ...ctx, db: tx }, validIds, records);
      if (isReported) await notifier.notify(records);
    }),
  );
  return { success: true, deleted: validIds.length };
}

/**
 * Reports records to listeners before their deletion if they are too large for the deleting statement to return them
 * all. Returns true if it did.
 */
async function notifyBeforeDeletion(
  tx: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  notify: Notify,
): Promise<boolean> {
  const groups = await groupsOf(tx, model, ids);
  if (groups.length <= 1) return false;
  await lockMatches(tx, model, narrowedTo(ids));
  for (const group of groups) await notify(await readRecords(tx, model, group));
  return true;
}

/** Groups ids of records that can be read together; `more` bytes are added to each size. Unknown ids are left out. */
async function groupsOf(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  more = 0,
): Promise<readonly (readonly string[])[]> {
  const sizes = await readSizes(db, model, ids);
  const groups = groupsBySize(sizes.map(({ id, bytes }) => ({ id, bytes: bytes + more })));
  return groups.map((group) => group.map(({ id }) => id));
}

const UNKNOWN = 'must be the id of an existing record';

/** Returns the error with an issue for each id that was not deleted. */
async function undeletedError(
  { db, model }: EntityContext,
  ids: readonly string[],
  deleted: readonly { readonly id: string }[],
) {
  const deletedIds = new Set(deleted.map(({ id }) => id));
  const visible = await readVisible(db, model, ids);
  return invalidRequest(
    ids.flatMap((id, index) => {
      if (deletedIds.has(id)) return [];
      const message = visible.has(id) ? 'belongs to a unit in which you may not delete' : UNKNOWN;
      return [{ field: `ids[${index}]`, message }];
    }),
  );
}

/** Finds values of unique fields that already exist, or that the request repeats. */
async function findDuplicates(
  { db, model }: EntityContext,
  records: readonly ValuesAtPath[],
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const field of model.fields.values()) {
    if (!field.unique) continue;
    const uniqueValues = records.flatMap(({ values, pathPrefix }) => {
      const value = values.get(field) ?? null;
      return value === null ? [] : [{ pathPrefix, value, text: String(value) }];
    });
    if (uniqueValues.length === 0) continue;
    const existing = new Set(
      await readExistingValues(
        db,
        model,
        field,
        uniqueValues.map(({ value }) => value),
      ),
    );
    for (const { pathPrefix, text } of uniqueValues) {
      if (existing.has(text)) issues.push({ field: `${pathPrefix}${field.name}`, message: TAKEN });
      existing.add(text);
    }
  }
  return issues;
}

function readFilters(ctx: EntityContext, filter: RecordBody, issues: Issue[]): FilterCondition[] {
  limitConditions(filter, 'filter');
  const entries = Object.entries(filter);
  if (entries.length === 0) issues.push({ field: 'filter', message: 'must contain at least one field' });
  return entries.flatMap(([key, value]) => {
    const read = readFilter(ctx.models, ctx.model, key, value);
    if (!('message' in read)) return [read];
    issues.push({ ...read, field: `filter.${read.field ?? key}` });
    return [];
  });
}

/** Records per batch of listeners: a large update keeps only the ids of all records in memory. */
const NOTIFY_BATCH = 500;

async function writeAll(
  ctx: EntityContext,
  narrowing: Narrowing,
  changes: RecordChanges,
  notifier: Notifier | null,
): Promise<number> {
  const { db, model } = ctx;
  const isLarge = areLarge(changes.values);
  const write = async () => {
    if (notifier?.wantsPrevious)
      return writeInBatches(ctx, await lockWritable(ctx, narrowing, changes), changes, notifier.notify);
    const matches =
      changes.move === null ? narrowing : narrowedTo(await lockWritable(ctx, narrowing, changes));
    if (notifier === null && !isLarge) return updateAndCount(db, model, matches, changes, authorOf(ctx));
    const ids = await updateRecords(db, model, matches, changes, authorOf(ctx));
    if (isLarge && (await hasOverlong(db, model, ids))) throw overlong();
    for (let from = 0; notifier !== null && from < ids.length; from += NOTIFY_BATCH)
      for (const group of await groupsOf(db, model, ids.slice(from, from + NOTIFY_BATCH)))
        await notifier.notify(await readRecords(db, model, group));
    return ids.length;
  };
  return translateWriteErrors(model, write, UPDATE);
}

/** Changes locked records in batches and reports each with its previous version to listeners. */
async function writeInBatches(
  ctx: EntityContext,
  ids: readonly string[],
  changes: RecordChanges,
  notify: Notify,
): Promise<number> {
  const { db, model } = ctx;
  const added = charactersOf(changes.values);
  const isLarge = areLarge(changes.values);
  let count = 0;
  for (let from = 0; from < ids.length; from += NOTIFY_BATCH)
    for (const group of await groupsOf(db, model, ids.slice(from, from + NOTIFY_BATCH), added)) {
      const written = await updateWithPrevious(db, model, group, changes, authorOf(ctx));
      if (isLarge && written.some(({ json }) => json.length > MAX_CHARACTERS)) throw overlong();
      await notify(written);
      count += written.length;
    }
  return count;
}

/** Narrows to records that other units own. */
function ofOtherUnits({ conditions, search }: Narrowing, unit: string): Narrowing {
  const owner: FieldSql = (compare) => compare(sql`${sql.ref(`${ROWS}.owner_bu_id`)}::text`);
  const field = { type: 'text', sql: owner } as const;
  const other = { name: 'business_unit', field, operation: 'ne', operands: [unit] } as const;
  return { conditions: [...conditions, other], search };
}

/**
 * Locks the matches and returns the ids of those that the actor may write.
 * @throws AppError WORKFLOW_REFUSED if one of them cannot move to the new state.
 */
async function lockWritable(
  { db, model, actor }: EntityContext,
  narrowing: Narrowing,
  { move }: RecordChanges,
): Promise<readonly string[]> {
  const all = await lockMatches(db, model, narrowing);
  const matches = all.filter(({ owner }) => owner === null || isWriterIn(actor, owner));
  const blocked = matches.find(({ state }) => move !== null && !move.from.includes(state));
  if (blocked && move && model.workflow) throw noTransition(model.workflow, blocked.state, move.to);
  return matches.map(({ id }) => id);
}

function narrowedTo(ids: readonly string[]): Narrowing {
  const field = { type: 'uuid', sql: ofColumn(`${ROWS}.id`) } as const;
  return { conditions: [{ name: 'id', field, operation: 'in', operands: [ids] }], search: null };
}
