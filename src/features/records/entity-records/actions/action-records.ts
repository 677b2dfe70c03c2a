/**
 * What automations do with records goes through the use cases that requests go through, with their checks, and so that whoever
 * hears of changes hears of these, too. The author is the automation, which reaches the whole tenant.
 */
import Type from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { type ActionContext, ActionFailure } from '../../../../flows/action-type.ts';
import type { Json } from '../../../../flows/expressions.ts';
import type { JsonText } from '../../../../http/json-text.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { type EntityModel, presentRevision } from '../../entities/index.ts';
import { DEFINITION_CHANGED } from '../errors.ts';
import { NOBODY } from '../heard.ts';
import {
  type EntityContext,
  type GivenBodies,
  type PreparedWrite,
  prepareWrite,
  withEntity,
} from '../open-entity.ts';

/** The record that an action is about. */
export interface RecordName {
  readonly entity: string;
  /** Null: what an expression has not found. */
  readonly id: string | null;
}

/** The entity of a record. */
export const EntityName = Type.String({ description: 'The name of the entity.' });
/** The id of a record. */
export const RecordId = Type.Union([Type.String(), Type.Null()], {
  description: 'The id of the record, such as `{{trigger.entity.id}}`.',
});

/** What a record's values are given by. */
export function recordData(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description });
}

/** A record as a result has at most so many characters of JSON; the values of a longer one that are longer than this are left out. */
const MOST_RESULT_CHARS = 128 * 1024;
const MOST_VALUE_CHARS = 512;

/** Whether records of an entity have no JSON in them. */
export function isOfPlainValues({ entity }: Pick<RecordName, 'entity'>, { models }: PreparedWrite): boolean {
  const model = models.get(entity);
  return model !== undefined && hasPlainValues(model);
}

function hasPlainValues({ fields }: EntityModel): boolean {
  return [...fields.values()].every(({ type }) => type !== 'json');
}

/** What an action must know before its transaction is open. */
export async function prepareAction(
  { platform, db, actor }: ActionContext,
  given: GivenBodies | null = null,
): Promise<PreparedWrite> {
  const entityRevision = await presentRevision(platform, db.tenantId);
  return prepareWrite({ platform, db, actor, entityRevision }, given);
}

/**
 * Works with records of an entity. @throws ActionFailure when it is not there, or the record is not; AppError DEFINITION_CHANGED when its
 * records may have JSON in them by now, and were to be noted as they are written.
 */
export async function withRecords<T>(
  { platform, db, actor, now, followUps = [] }: ActionContext,
  { entity, id }: RecordName,
  prepared: PreparedWrite,
  work: (ctx: EntityContext) => Promise<T>,
): Promise<T> {
  const { models } = prepared;
  if (!models.get(entity)) throw new ActionFailure(`There is no entity called ${entity}.`);
  const ctx = { platform, db, actor, now, entityRevision: models.revision, followUps };
  try {
    const workByModel = (records: EntityContext) => {
      if (followUps.length > 0 && !hasPlainValues(records.model)) throw new AppError(DEFINITION_CHANGED);
      return work(records);
    };
    return await withEntity(ctx, entity, workByModel, prepared);
  } catch (error) {
    if (error instanceof AppError && error.code === NOT_FOUND.code)
      throw new ActionFailure(`There is no record of ${entity} with the id ${id}.`, { fields: ['id'] });
    throw error;
  }
}

/** A record as the result of an action. */
export function asResult({ text }: JsonText): Readonly<Record<string, Json>> {
  const record: Readonly<Record<string, Json>> = JSON.parse(text);
  if (text.length <= MOST_RESULT_CHARS) return record;
  const isShort = (value: Json) => JSON.stringify(value).length <= MOST_VALUE_CHARS;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => isShort(value)));
}

/** What work would come to: it is done, and undone. Nobody hears of it. @throws ActionFailure, as the work. */
export async function tryOut<T>(
  ctx: ActionContext,
  name: RecordName,
  work: (ctx: EntityContext) => Promise<T>,
  given: GivenBodies | null = null,
): Promise<T> {
  const prepared = { ...(await prepareAction(ctx, given)), heard: NOBODY };
  return undone(ctx.db, (db) => withRecords({ ...ctx, db }, name, prepared, work));
}

/** The end of what is to leave no trace. */
class Undo extends Error {}

async function undone<T>(db: ScopedDb, work: (tx: ScopedDb) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await db.transaction(async (tx) => {
      results.push(await work(tx));
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  const [result] = results.slice(-1);
  if (result === undefined) throw new Error('What was tried out has no result.');
  return result;
}
