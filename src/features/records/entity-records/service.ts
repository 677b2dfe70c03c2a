/** Use cases for single records, and lists. */
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { JsonText } from '../../../http/json-text.ts';
import type { LargeResponse } from '../../../http/large-response.ts';
import { toUuid } from '../../../resources/filter-values.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { answerPage, answerRecord } from './answer-list.ts';
import type { ChangeKind } from './change-listener.ts';
import { type SingleNotifier, writeAndNotify, writeOneAndNotify } from './changes.ts';
import { translateDeletionErrors, translateWriteErrors } from './database-errors.ts';
import type { EntityContext } from './entity-context.ts';
import { type RecordQuery, readListQuery, readSelection } from './list-query.ts';
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
import { requireVisible } from './related.ts';
import type { DeletedReply } from './schema.ts';
import { areLarge, MAX_CHARACTERS } from './sizes.ts';
import { withUnitIds } from './unit-filters.ts';
import { type RecordChanges, updateRecord, updateWithPrevious } from './update-queries.ts';
import { moveTo, requireInitial, workflowError } from './workflow.ts';
import { type Author, deleteRecords, insertRecord, type WrittenRecord } from './write-queries.ts';

/** Lists a page of records. @throws AppError INVALID_REQUEST naming each invalid parameter. */
export async function listRecords(ctx: EntityContext, query: RecordQuery): Promise<JsonText | LargeResponse> {
  const { db, models, model } = ctx;
  const list = readListQuery(models, model, await withUnitIds(db, model, query));
  return answerPage(ctx, list, seesRecords(ctx) ? await readPage(db, model, list) : EMPTY);
}

const EMPTY: RecordPage = { records: [], large: new Map(), total: 0 };

/** Returns a record. @throws AppError NOT_FOUND, and the errors of `listRecords`. */
export async function getRecord(ctx: EntityContext, id: string, query: RecordQuery): Promise<JsonText> {
  const { db, models, model } = ctx;
  const selection = readSelection(models, model, query);
  const record = seesRecords(ctx) ? await readRecord(db, model, toKey(id), selection) : null;
  if (record === null) throw new AppError(NOT_FOUND);
  return answerRecord(ctx, selection, record);
}

/**
 * Creates a record.
 * @throws AppError FORBIDDEN, INVALID_REQUEST, WORKFLOW_REFUSED, BUSINESS_UNIT_REQUIRED, DUPLICATE_VALUE.
 */
export async function createRecord(ctx: EntityContext, body: RecordBody): Promise<JsonText> {
  const { model } = ctx;
  requireWriter(ctx, 'editor');
  const issues: Issue[] = [];
  const values = readNewRecord(model, body, { issues, patterns: ctx.patterns });
  if (issues.length > 0) throw invalidRequest(issues);
  if (model.workflow) requireInitial(model.workflow, stateIn(model, values));
  const record = { id: uuidv7(), ownerId: await ownerOf(ctx, body), values };
  await requireVisible(ctx, [{ values, pathPrefix: '' }]);
  const { json } = await writeOneAndNotify(
    ctx,
    { event: 'created' },
    record.id,
    async (db, { notify, followUps }) => {
      const written = await translateWriteErrors(model, () =>
        insertRecord(db, model, record, authorOf(ctx), followUps),
      );
      await notify([written]);
      return written;
    },
  );
  return new JsonText(json);
}

/** Changes the fields that a body contains. @throws AppError NOT_FOUND, and the errors of `createRecord`. */
export async function changeRecord(ctx: EntityContext, id: string, body: RecordBody): Promise<JsonText> {
  const { model } = ctx;
  requireWriter(ctx, 'editor');
  const issues: Issue[] = [];
  const values = readGivenFields(model, body, { issues, patterns: ctx.patterns });
  if (issues.length > 0) throw invalidRequest(issues);
  return writeChanges(ctx, id, values, { ownerId: await unitIn(ctx, body) });
}

/**
 * Moves a record along its workflow.
 * @throws AppError WORKFLOW_REFUSED if there is no workflow or no such transition, and the errors of `changeRecord`.
 */
export async function moveRecord(ctx: EntityContext, id: string, to: string): Promise<JsonText> {
  const { workflow, fields, name } = ctx.model;
  requireWriter(ctx, 'editor');
  const field = workflow && fields.get(workflow.field);
  if (!field) throw workflowError(`${name} has no workflow.`);
  return writeChanges(ctx, id, new Map([[field, to]]));
}

/**
 * Makes the actor the owner of a record.
 * @throws AppError WORKFLOW_REFUSED if the workflow has no owner field or it does not accept the actor, and
 * the errors of `changeRecord`.
 */
export async function takeRecord(ctx: EntityContext, id: string): Promise<JsonText> {
  const { workflow, fields, name } = ctx.model;
  requireWriter(ctx, 'editor');
  const field = workflow?.ownerField ? fields.get(workflow.ownerField) : undefined;
  if (!field) throw workflowError(`The workflow of ${name} has no owner_field.`);
  const issues: Issue[] = [];
  const body = { [field.name]: authorOf(ctx).by };
  const values = readGivenFields(ctx.model, body, { issues, patterns: ctx.patterns });
  for (const { message } of issues)
    throw workflowError(`${field.name} does not accept you as owner: it ${message}.`);
  return writeChanges(ctx, id, values, { takesOwnership: true });
}

/** Deletes a record. @throws AppError NOT_FOUND, FORBIDDEN, or RECORD_IN_USE if other records refer to it. */
export async function deleteRecord(ctx: EntityContext, id: string): Promise<Static<typeof DeletedReply>> {
  const { model } = ctx;
  requireWriter(ctx, 'admin');
  const key = toKey(id);
  await writeAndNotify(ctx, { event: 'deleted' }, async (db, notifier) => {
    const deleted = await untilWritten(
      async () => {
        await refuseReferred({ ...ctx, db }, [key]);
        const records = await translateDeletionErrors(() =>
          deleteRecords(db, model, [key], notifier !== null),
        );
        return records.length === 0 ? null : records;
      },
      () => requireWritable({ ...ctx, db }, key, 'admin'),
    );
    await notifier?.notify(deleted);
  });
  return { success: true, message: `The record of ${model.name} is deleted.` };
}

/** Returns the author and the time of a write. */
export function authorOf({ actor, now }: EntityContext): Author {
  return { by: actor.kind === 'member' ? actor.caller.userId : `automation:${actor.key}`, at: now };
}

interface ChangeFacts extends Pick<ChangeKind, 'takesOwnership'> {
  /** The unit in the body. */
  readonly ownerId?: string | null;
}

async function writeChanges(
  ctx: EntityContext,
  id: string,
  values: FieldValues,
  { ownerId = null, takesOwnership = false }: ChangeFacts = {},
): Promise<JsonText> {
  const { model } = ctx;
  const key = toKey(id);
  const state = stateIn(model, values);
  const move = model.workflow && state !== undefined ? moveTo(model, model.workflow, state) : null;
  const changes = { values, move, ownerId };
  await requireVisible(ctx, [{ values, pathPrefix: '' }]);
  const isLarge = areLarge(values);
  const write = async (db: ScopedDb, notifier: SingleNotifier) => {
    const written = await untilWritten(
      () => translateWriteErrors(model, () => writeOne({ ...ctx, db }, key, changes, notifier)),
      () => requireWritable({ ...ctx, db }, key, 'editor', changes),
    );
    if (isLarge && written.json.length > MAX_CHARACTERS) throw overlong();
    await notifier.notify([written]);
    return written;
  };
  const kind = { event: 'updated', takesOwnership, mayMove: move !== null } as const;
  const { json } = await writeOneAndNotify(ctx, kind, key, (db, notifier) =>
    // A write that fails the length check must be rolled back.
    isLarge ? db.transaction((tx) => write(tx, notifier)) : write(db, notifier),
  );
  return new JsonText(json);
}

async function writeOne(
  ctx: EntityContext,
  key: string,
  changes: RecordChanges,
  { wantsPrevious, followUps }: SingleNotifier,
): Promise<WrittenRecord | null> {
  const { db, model } = ctx;
  if (!wantsPrevious) return updateRecord(db, model, key, changes, authorOf(ctx), followUps);
  const [written = null] = await updateWithPrevious(db, model, [key], changes, authorOf(ctx), followUps);
  return written;
}

/** Returns the error for a record that would become too long. */
export function overlong(): AppError {
  return invalidRequest([{ message: `A record must have at most ${MAX_CHARACTERS} characters as JSON.` }]);
}

/** Attempts of a write when others keep changing whether it is allowed. */
const MAX_TRIES = 10;

/**
 * Runs a statement that returns null if the record may not be written. `explain` then throws the reason; if the reason
 * no longer applies, the write is repeated.
 * @throws the error of `explain`.
 */
async function untilWritten<T>(write: () => Promise<T | null>, explain: () => Promise<void>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const written = await write();
    if (written !== null) return written;
    await explain();
  }
  throw new Error(`A record was changed ${MAX_TRIES} times while it was written.`);
}

/** @throws AppError NOT_FOUND for a text that cannot be an id. */
function toKey(id: string): string {
  const key = toUuid(id);
  if (key === undefined) throw new AppError(NOT_FOUND);
  return key;
}
