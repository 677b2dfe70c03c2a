/**
 * Actions of automations call the same functions for records as requests do, so all checks and change listeners apply.
 * The author is the automation, which can access all records of the tenant.
 */
import Type from 'typebox';
import { carryWritten, parseWritten } from '../../../../db/written-json.ts';
import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { type ActionContext, ActionFailure } from '../../../../flows/action-type.ts';
import type { Json } from '../../../../flows/expressions.ts';
import type { JsonText } from '../../../../http/json-text.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { currentRevision, type EntityModel } from '../../entities/index.ts';
import { type EntityContext, NO_SUBSCRIPTIONS } from '../entity-context.ts';
import { DEFINITION_CHANGED } from '../errors.ts';
import { type PreparedWrite, prepareWrite, type WriteBodies, withEntity } from '../open-entity.ts';

/** The record that an action reads or writes. */
export interface RecordReference {
  readonly entity: string;
  /** Null if an expression found no value. */
  readonly id: string | null;
}

/** Parameter: the entity of a record. */
export const EntityName = Type.String({ description: 'The name of the entity.' });
/** Parameter: the id of a record. */
export const RecordId = Type.Union([Type.String(), Type.Null()], {
  description: 'The id of the record, such as `{{trigger.entity.id}}`.',
});

/** Parameter: the values of a record. */
export function recordData(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description });
}

/** Maximum length of a result as JSON. A longer result contains no values longer than MAX_VALUE_CHARS. */
const MAX_RESULT_CHARS = 128 * 1024;
const MAX_VALUE_CHARS = 512;

/** Returns true if the entity has no JSON fields. */
export function hasNoJsonFields(
  { entity }: Pick<RecordReference, 'entity'>,
  { models }: PreparedWrite,
): boolean {
  const model = models.get(entity);
  return model !== undefined && !hasJsonField(model);
}

function hasJsonField({ fields }: EntityModel): boolean {
  return [...fields.values()].some(({ type }) => type === 'json');
}

/** Reads what an action needs before its transaction begins. */
export async function prepareAction(
  { platform, db, actor }: ActionContext,
  bodies: WriteBodies | null = null,
): Promise<PreparedWrite> {
  const entityRevision = await currentRevision(platform, db.tenantId);
  return prepareWrite({ platform, db, actor, entityRevision }, bodies);
}

/**
 * Runs `work` on records of an entity.
 * @throws ActionFailure if the entity or the record does not exist; AppError DEFINITION_CHANGED if there are
 * `followUps`, but the entity has gained a JSON field since they were requested.
 */
export async function withRecords<T>(
  { platform, db, actor, now, followUps = [] }: ActionContext,
  { entity, id }: RecordReference,
  prepared: PreparedWrite,
  work: (ctx: EntityContext) => Promise<T>,
): Promise<T> {
  const { models } = prepared;
  if (!models.get(entity)) throw new ActionFailure(`There is no entity ${entity}.`);
  const ctx = { platform, db, actor, now, entityRevision: models.revision, followUps };
  try {
    const checkedWork = (records: EntityContext) => {
      if (followUps.length > 0 && hasJsonField(records.model)) throw new AppError(DEFINITION_CHANGED);
      return work(records);
    };
    return await withEntity(ctx, entity, checkedWork, prepared);
  } catch (error) {
    if (error instanceof AppError && error.code === NOT_FOUND.code)
      throw new ActionFailure(`There is no record of ${entity} with the id ${id}.`, { fields: ['id'] });
    throw error;
  }
}

/** Converts a record to the result of an action, without long values if the record is too large. */
export function asResult({ text }: JsonText): Readonly<Record<string, Json>> {
  const record: Readonly<Record<string, Json>> = Object(parseWritten(text));
  if (text.length <= MAX_RESULT_CHARS) return record;
  const isShort = (value: Json) => JSON.stringify(value).length <= MAX_VALUE_CHARS;
  const short = Object.entries(record).filter(([, value]) => isShort(value));
  return carryWritten(record, Object.fromEntries(short));
}

/** Runs `work` without change listeners, and rolls it back. @throws the errors of `withRecords`. */
export async function runDry<T>(
  ctx: ActionContext,
  reference: RecordReference,
  work: (ctx: EntityContext) => Promise<T>,
  bodies: WriteBodies | null = null,
): Promise<T> {
  const prepared = { ...(await prepareAction(ctx, bodies)), subscriptions: NO_SUBSCRIPTIONS };
  return rolledBack(ctx.db, (db) => withRecords({ ...ctx, db }, reference, prepared, work));
}

/** Rolls back a dry run. */
class Rollback extends Error {}

async function rolledBack<T>(db: ScopedDb, work: (tx: ScopedDb) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await db.transaction(async (tx) => {
      results.push(await work(tx));
      throw new Rollback();
    });
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  const [result] = results.slice(-1);
  if (result === undefined) throw new Error('The dry run has no result.');
  return result;
}
