/** What is done with many records at once: all or nothing, and each by one statement. */
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { groupsBySize } from '../../../db/groups-by-size.ts';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, OWNER_IMMUTABLE } from '../../../errors/platform-errors.ts';
import { type FieldSql, ofColumn } from '../../../resources/filter-sql.ts';
import { toUuid } from '../../../resources/filter-values.ts';
import { type FilterCondition, limitConditions } from '../../../resources/filters.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { type Hearing, type Note, noting } from './changes.ts';
import { hasMatches, hasOverlong, lockMatches, readSizes, readTaken, readVisible } from './check-queries.ts';
import type { EntityContext } from './open-entity.ts';
import { isWriterIn, ownerOf, requireWriterOfSome, unitIn } from './permissions.ts';
import { type Narrowing, readRecords } from './read-queries.ts';
import { type RecordBody, readGivenFields, readNewRecords, stateIn } from './record-values.ts';
import { refuseReferred } from './referrers.ts';
import { refusing, refusingDeletion, TAKEN } from './refusals.ts';
import { findUnseen, type PlacedValues, requireVisible } from './related.ts';
import { readFilter } from './related-conditions.ts';
import type { BulkCreateReply, BulkDeleteReply, BulkUpdateReply } from './schema.ts';
import { authorOf, overlong } from './service.ts';
import { ROWS } from './shown-fields.ts';
import { areLarge, charactersOf, MOST_CHARACTERS } from './sizes.ts';
import { withUnitIds } from './unit-filters.ts';
import { type RecordChanges, updateAndCount, updateRecords, updateTold } from './update-queries.ts';
import { arrivalAt, noWay, requireInitial } from './workflow.ts';
import { deleteRecords, insertRecords } from './write-queries.ts';

/** Creates records. @throws AppError as the creation of one, with issues that name the record: `records[3].name`. */
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
    for (const { values, place } of records) requireInitial(workflow, stateIn(model, values), place);
  const owned = await Promise.all(
    records.map(async ({ body, place, values }) => ({
      id: uuidv7(),
      ownerId: await ownerOf(ctx, body, place),
      values,
    })),
  );
  const clashes = [...(await findUnseen(ctx, records, () => true)), ...(await findTaken(ctx, records))];
  if (clashes.length > 0) throw invalidRequest(clashes);
  await noting(ctx, { event: 'created' }, async (db, hearing) => {
    const isHeard = hearing !== null;
    const written = await refusing(model, () => insertRecords(db, model, owned, authorOf(ctx), isHeard));
    // In the order of the request, which is that of their ids.
    await hearing?.note(written.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  });
  return { success: true, created: owned.length, ids: owned.map(({ id }) => id) };
}

/** Leads the names of a bulk update's faults. */
export const UPDATE = 'update.';

/** Changes all records that a filter finds. @throws AppError as the change of one. */
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
    issues.push({ field: 'update', message: 'must give a field of the entity' });
  if (issues.length > 0) throw invalidRequest(issues);
  const unit = await unitIn(ctx, update, UPDATE);
  const state = stateIn(model, values);
  const arrival = model.workflow && state !== undefined ? arrivalAt(model, model.workflow, state) : null;
  const changes = { values, arrival, ownerId: null };
  await requireVisible(ctx, [{ values, place: UPDATE }]);
  if (unit !== null && (await hasMatches(db, model, ofOtherUnits(narrowing, unit))))
    throw new AppError(OWNER_IMMUTABLE);
  const kind = { event: 'updated', mayMove: arrival !== null } as const;
  const updated = await noting(ctx, kind, (rows, hearing) =>
    arrival === null && !areLarge(values)
      ? writeAll({ ...ctx, db: rows }, narrowing, changes, hearing)
      : rows.transaction((tx) => writeAll({ ...ctx, db: tx }, narrowing, changes, hearing)),
  );
  return { success: true, updated };
}

/** Deletes the records of these ids. @throws AppError INVALID_REQUEST naming each that is not there, or is given twice. */
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
    return keys.indexOf(key) < index ? [{ field, message: 'is given twice' }] : [];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  const known = keys.filter((key) => key !== undefined);
  await noting(ctx, { event: 'deleted' }, (db, hearing) =>
    // Should one not be there, none is deleted.
    db.transaction(async (tx) => {
      const isTold = hearing !== null && (await tellBefore(tx, model, known, hearing.note));
      const isHeard = hearing !== null && !isTold;
      await refuseReferred({ ...ctx, db: tx }, known);
      const records = await refusingDeletion(() => deleteRecords(tx, model, known, isHeard));
      if (records.length < known.length) throw await undeleted({ ...ctx, db: tx }, known, records);
      if (isHeard) await hearing.note(records);
    }),
  );
  return { success: true, deleted: known.length };
}

/** Tells of records before their deletion, which gives all of them back at once, unless they are short; whether it did. */
async function tellBefore(
  tx: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  note: Note,
): Promise<boolean> {
  const groups = await groupsOf(tx, model, ids);
  if (groups.length <= 1) return false;
  await lockMatches(tx, model, narrowedTo(ids));
  for (const group of groups) await note(await readRecords(tx, model, group));
  return true;
}

/** Ids in groups of records that are read at once, each with so much more; those that are not there are left out. */
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

const UNKNOWN = 'is no record';

/** Which ids were left out by a deletion: unknown ones, or those of units where the caller may not delete. */
async function undeleted(
  { db, model }: EntityContext,
  ids: readonly string[],
  deleted: readonly { readonly id: string }[],
) {
  const gone = new Set(deleted.map(({ id }) => id));
  const left = await readVisible(db, model, ids);
  return invalidRequest(
    ids.flatMap((id, index) => {
      if (gone.has(id)) return [];
      const message = left.has(id) ? 'is of a unit in which you may not delete' : UNKNOWN;
      return [{ field: `ids[${index}]`, message }];
    }),
  );
}

/** The values of unique fields that other records have, or an earlier one of the request. */
async function findTaken({ db, model }: EntityContext, records: readonly PlacedValues[]): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const field of model.fields.values()) {
    if (!field.unique) continue;
    const given = records.flatMap(({ values, place }) => {
      const value = values.get(field) ?? null;
      return value === null ? [] : [{ place, value, text: String(value) }];
    });
    if (given.length === 0) continue;
    const taken = new Set(
      await readTaken(
        db,
        model,
        field,
        given.map(({ value }) => value),
      ),
    );
    for (const { place, text } of given) {
      if (taken.has(text)) issues.push({ field: `${place}${field.name}`, message: TAKEN });
      taken.add(text);
    }
  }
  return issues;
}

function readFilters(ctx: EntityContext, filter: RecordBody, issues: Issue[]): FilterCondition[] {
  limitConditions(filter, 'filter');
  const entries = Object.entries(filter);
  if (entries.length === 0) issues.push({ field: 'filter', message: 'must name at least one field' });
  return entries.flatMap(([key, value]) => {
    const read = readFilter(ctx.models, ctx.model, key, value);
    if (!('message' in read)) return [read];
    issues.push({ ...read, field: `filter.${read.field ?? key}` });
    return [];
  });
}

/** Records that are told of at once: of an update that reaches many, only their ids are held together. */
const TOLD_AT_ONCE = 500;

async function writeAll(
  ctx: EntityContext,
  narrowing: Narrowing,
  changes: RecordChanges,
  hearing: Hearing | null,
): Promise<number> {
  const { db, model } = ctx;
  const isLarge = areLarge(changes.values);
  const write = async () => {
    if (hearing?.wantsFormer)
      return writeTold(ctx, await lockWritable(ctx, narrowing, changes), changes, hearing.note);
    const matches =
      changes.arrival === null ? narrowing : narrowedTo(await lockWritable(ctx, narrowing, changes));
    if (hearing === null && !isLarge) return updateAndCount(db, model, matches, changes, authorOf(ctx));
    const ids = await updateRecords(db, model, matches, changes, authorOf(ctx));
    if (isLarge && (await hasOverlong(db, model, ids))) throw overlong();
    for (let from = 0; hearing !== null && from < ids.length; from += TOLD_AT_ONCE)
      for (const group of await groupsOf(db, model, ids.slice(from, from + TOLD_AT_ONCE)))
        await hearing.note(await readRecords(db, model, group));
    return ids.length;
  };
  return refusing(model, write, UPDATE);
}

/** Changes records that are locked, and tells of each as it was and as it is: no more are held together than are told of at once. */
async function writeTold(
  ctx: EntityContext,
  ids: readonly string[],
  changes: RecordChanges,
  note: Note,
): Promise<number> {
  const { db, model } = ctx;
  const added = charactersOf(changes.values);
  const isLarge = areLarge(changes.values);
  let count = 0;
  for (let from = 0; from < ids.length; from += TOLD_AT_ONCE)
    for (const group of await groupsOf(db, model, ids.slice(from, from + TOLD_AT_ONCE), added)) {
      const written = await updateTold(db, model, group, changes, authorOf(ctx));
      if (isLarge && written.some(({ json }) => json.length > MOST_CHARACTERS)) throw overlong();
      await note(written);
      count += written.length;
    }
  return count;
}

/** What a narrowing leaves that other units own. */
function ofOtherUnits({ conditions, search }: Narrowing, unit: string): Narrowing {
  const owner: FieldSql = (compare) => compare(sql`${sql.ref(`${ROWS}.owner_bu_id`)}::text`);
  const field = { type: 'text', sql: owner } as const;
  const other = { name: 'business_unit', field, operation: 'ne', operands: [unit] } as const;
  return { conditions: [...conditions, other], search };
}

/**
 * The ids of the matches that the actor may write, locked.
 * @throws AppError WORKFLOW_REFUSED when one of them cannot come to its new state.
 */
async function lockWritable(
  { db, model, actor }: EntityContext,
  narrowing: Narrowing,
  { arrival }: RecordChanges,
): Promise<readonly string[]> {
  const all = await lockMatches(db, model, narrowing);
  const matches = all.filter(({ owner }) => owner === null || isWriterIn(actor, owner));
  const stuck = matches.find(({ state }) => arrival !== null && !arrival.from.includes(state));
  if (stuck && arrival && model.workflow) throw noWay(model.workflow, stuck.state, arrival.to);
  return matches.map(({ id }) => id);
}

function narrowedTo(ids: readonly string[]): Narrowing {
  const field = { type: 'uuid', sql: ofColumn(`${ROWS}.id`) } as const;
  return { conditions: [{ name: 'id', field, operation: 'in', operands: [ids] }], search: null };
}
