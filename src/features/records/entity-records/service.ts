/** What is done with one record, and lists of them. */
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { JsonText } from '../../../http/json-text.ts';
import type { LargeAnswer } from '../../../http/large-answer.ts';
import { toUuid } from '../../../resources/filter-values.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { answerPage, answerRecord } from './answer-list.ts';
import { type ChangeKind, type HearingOfOne, noting, notingOne } from './changes.ts';
import { type RecordQuery, readListQuery, readSelection } from './list-query.ts';
import type { EntityContext } from './open-entity.ts';
import { ownerOf, requireWritable, requireWriter, seesRecords, unitIn } from './permissions.ts';
import { type RecordPage, readPage, readRecord } from './read-queries.ts';
import {
  type FieldValues,
  type RecordBody,
  readGivenFields,
  readNewRecord,
  stateIn,
} from './record-values.ts';
import { refuseReferred } from './referrers.ts';
import { refusing, refusingDeletion } from './refusals.ts';
import { requireVisible } from './related.ts';
import type { DeletedReply } from './schema.ts';
import { areLarge, MOST_CHARACTERS } from './sizes.ts';
import { withUnitIds } from './unit-filters.ts';
import { type RecordChanges, updateRecord, updateTold } from './update-queries.ts';
import { arrivalAt, refused, requireInitial } from './workflow.ts';
import { type Author, deleteRecords, insertRecord, type WrittenRecord } from './write-queries.ts';

/** A page of records. @throws AppError INVALID_REQUEST naming what the query is not understood by. */
export async function listRecords(ctx: EntityContext, query: RecordQuery): Promise<JsonText | LargeAnswer> {
  const { db, models, model } = ctx;
  const list = readListQuery(models, model, await withUnitIds(db, model, query));
  return answerPage(ctx, list, seesRecords(ctx) ? await readPage(db, model, list) : EMPTY);
}

const EMPTY: RecordPage = { records: [], large: new Map(), total: 0 };

/** A record. @throws AppError NOT_FOUND, or INVALID_REQUEST as `listRecords`. */
export async function getRecord(ctx: EntityContext, id: string, query: RecordQuery): Promise<JsonText> {
  const { db, models, model } = ctx;
  const selection = readSelection(models, model, query);
  const record = seesRecords(ctx) ? await readRecord(db, model, toKey(id), selection) : null;
  if (record === null) throw new AppError(NOT_FOUND);
  return answerRecord(ctx, selection, record);
}

/**
 * Creates a record.
 * @throws AppError INVALID_REQUEST, DUPLICATE_VALUE, WORKFLOW_REFUSED, or by the rules of ownership.
 */
export async function createRecord(ctx: EntityContext, body: RecordBody): Promise<JsonText> {
  const { model } = ctx;
  requireWriter(ctx, 'editor');
  const issues: Issue[] = [];
  const values = readNewRecord(model, body, { issues, patterns: ctx.patterns });
  if (issues.length > 0) throw invalidRequest(issues);
  if (model.workflow) requireInitial(model.workflow, stateIn(model, values));
  const record = { id: uuidv7(), ownerId: await ownerOf(ctx, body), values };
  await requireVisible(ctx, [{ values, place: '' }]);
  const { json } = await notingOne(ctx, { event: 'created' }, record.id, async (db, { note, followUps }) => {
    const written = await refusing(model, () => insertRecord(db, model, record, authorOf(ctx), followUps));
    await note([written]);
    return written;
  });
  return new JsonText(json);
}

/** Changes the fields that a body gives. @throws AppError NOT_FOUND, or as `createRecord`. */
export async function changeRecord(ctx: EntityContext, id: string, body: RecordBody): Promise<JsonText> {
  const { model } = ctx;
  requireWriter(ctx, 'editor');
  const issues: Issue[] = [];
  const values = readGivenFields(model, body, { issues, patterns: ctx.patterns });
  if (issues.length > 0) throw invalidRequest(issues);
  return writeChanges(ctx, id, values, { ownerId: await unitIn(ctx, body) });
}

/** Moves a record along its workflow. @throws AppError WORKFLOW_REFUSED where there is no way, or as `changeRecord`. */
export async function moveRecord(ctx: EntityContext, id: string, to: string): Promise<JsonText> {
  const { workflow, fields, name } = ctx.model;
  requireWriter(ctx, 'editor');
  const field = workflow && fields.get(workflow.field);
  if (!field) throw refused(`${name} has no workflow.`);
  return writeChanges(ctx, id, new Map([[field, to]]));
}

/** Makes the actor the owner of a record. @throws AppError WORKFLOW_REFUSED where records have no owner, or not this one, or as `changeRecord`. */
export async function takeRecord(ctx: EntityContext, id: string): Promise<JsonText> {
  const { workflow, fields, name } = ctx.model;
  requireWriter(ctx, 'editor');
  const field = workflow?.ownerField ? fields.get(workflow.ownerField) : undefined;
  if (!field) throw refused(`The workflow of ${name} has no owner_field.`);
  const issues: Issue[] = [];
  const body = { [field.name]: authorOf(ctx).by };
  const values = readGivenFields(ctx.model, body, { issues, patterns: ctx.patterns });
  for (const { message } of issues)
    throw refused(`${field.name} does not take you as the owner: it ${message}.`);
  return writeChanges(ctx, id, values, { isTake: true });
}

/** Deletes a record. @throws AppError NOT_FOUND, FORBIDDEN, or RECORD_IN_USE when others refer to it. */
export async function deleteRecord(ctx: EntityContext, id: string): Promise<Static<typeof DeletedReply>> {
  const { model } = ctx;
  requireWriter(ctx, 'admin');
  const key = toKey(id);
  await noting(ctx, { event: 'deleted' }, async (db, hearing) => {
    const deleted = await untilWritten(
      async () => {
        await refuseReferred({ ...ctx, db }, [key]);
        const records = await refusingDeletion(() => deleteRecords(db, model, [key], hearing !== null));
        return records.length === 0 ? null : records;
      },
      () => requireWritable({ ...ctx, db }, key, 'admin'),
    );
    await hearing?.note(deleted);
  });
  return { success: true, message: `The record of ${model.name} is deleted.` };
}

/** Who writes, and when. */
export function authorOf({ actor, now }: EntityContext): Author {
  return { by: actor.kind === 'member' ? actor.caller.userId : `automation:${actor.key}`, at: now };
}

interface ChangeFacts extends Pick<ChangeKind, 'isTake'> {
  /** The unit that the body says the record is of. */
  readonly ownerId?: string | null;
}

async function writeChanges(
  ctx: EntityContext,
  id: string,
  values: FieldValues,
  { ownerId = null, isTake = false }: ChangeFacts = {},
): Promise<JsonText> {
  const { model } = ctx;
  const key = toKey(id);
  const state = stateIn(model, values);
  const arrival = model.workflow && state !== undefined ? arrivalAt(model, model.workflow, state) : null;
  const changes = { values, arrival, ownerId };
  await requireVisible(ctx, [{ values, place: '' }]);
  const isLarge = areLarge(values);
  const write = async (db: ScopedDb, hearing: HearingOfOne) => {
    const written = await untilWritten(
      () => refusing(model, () => writeOne({ ...ctx, db }, key, changes, hearing)),
      () => requireWritable({ ...ctx, db }, key, 'editor', changes),
    );
    if (isLarge && written.json.length > MOST_CHARACTERS) throw overlong();
    await hearing.note([written]);
    return written;
  };
  const kind = { event: 'updated', isTake, mayMove: arrival !== null } as const;
  const { json } = await notingOne(ctx, kind, key, (db, hearing) =>
    // What comes to nothing must be undone.
    isLarge ? db.transaction((tx) => write(tx, hearing)) : write(db, hearing),
  );
  return new JsonText(json);
}

async function writeOne(
  ctx: EntityContext,
  key: string,
  changes: RecordChanges,
  { wantsFormer, followUps }: HearingOfOne,
): Promise<WrittenRecord | null> {
  const { db, model } = ctx;
  if (!wantsFormer) return updateRecord(db, model, key, changes, authorOf(ctx), followUps);
  const [written = null] = await updateTold(db, model, [key], changes, authorOf(ctx), followUps);
  return written;
}

/** That a change would make a record longer than records are. */
export function overlong(): AppError {
  return invalidRequest([
    { message: `A record must not have more than ${MOST_CHARACTERS} characters as JSON.` },
  ]);
}

/** How often a record is written of which others change at the same time whether it may be. */
const MOST_TRIES = 10;

/**
 * Writes a record by a statement that leaves it out, with null, when it may not be written. Why that is, is looked at afterwards:
 * a record that may be written by then is written again. @throws what `explain` throws.
 */
async function untilWritten<T>(write: () => Promise<T | null>, explain: () => Promise<void>): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const written = await write();
    if (written !== null) return written;
    await explain();
  }
  throw new Error(`A record was changed ${MOST_TRIES} times while it was written.`);
}

/** @throws AppError NOT_FOUND for what no record can be called. */
function toKey(id: string): string {
  const key = toUuid(id);
  if (key === undefined) throw new AppError(NOT_FOUND);
  return key;
}
