/** From the name in a path to the entity's model, and again when its definition has changed under a statement. */

import { isDataRefused, isPlanStale, UNDEFINED_COLUMN, UNDEFINED_TABLE } from '../../db/sqlstate.ts';
import { AppError } from '../../errors/app-error.ts';
import { codeOf } from '../../errors/error-code.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { BearerContext } from '../../http/context.ts';
import { readsShared } from '../../resources/ownership.ts';
import { type EntityModel, type EntityModels, entityModels } from '../entities/index.ts';
import { heardEvents } from '../entity-webhooks/index.ts';
import { DEFINITION_CHANGED } from './errors.ts';

/** A request for records of one entity. */
export interface EntityContext extends BearerContext {
  readonly models: EntityModels;
  readonly model: EntityModel;
  /** The names of events that somebody hears of; none where nothing is written. */
  readonly heard: ReadonlySet<string>;
}

/** What a write has before its transaction is open. */
export type PreparedWrite = Pick<EntityContext, 'models' | 'heard'>;

/**
 * What a write must know before its transaction is open: to read it then would take a second connection, and the embedded
 * database has one.
 */
export async function prepareWrite(ctx: BearerContext): Promise<PreparedWrite> {
  const { platform, caller, entityRevision } = ctx;
  const models = await modelsOf(ctx);
  return { models, heard: await heardEvents(platform, caller.tenantId, entityRevision) };
}

/** The definitions that the caller's look-up has told of. */
function modelsOf({ platform, caller, entityRevision }: BearerContext): Promise<EntityModels> {
  return entityModels(platform, caller.tenantId, entityRevision);
}

/** How many definitions a request is tried by: each time the one that has just become the present one. */
const MOST_TRIES = 5;

/**
 * Works with an entity by the definition that the caller's look-up has told of, and again by the present one when that was
 * changed meanwhile.
 * @throws AppError NOT_FOUND when the tenant has no such entity, DEFINITION_CHANGED in a transaction, which cannot go on.
 */
export async function withEntity<T>(
  ctx: BearerContext,
  entity: string,
  work: (ctx: EntityContext) => Promise<T>,
  prepared: PreparedWrite | null = null,
): Promise<T> {
  const { platform, caller, db } = ctx;
  const heard = prepared?.heard ?? NOTHING;
  let models = prepared?.models ?? (await modelsOf(ctx));
  for (let tries = 1; ; tries += 1) {
    try {
      return await work({ ...ctx, models, heard, model: modelIn(models, entity) });
    } catch (error) {
      if (!isOfFormerTable(error)) throw error;
      if (db.isTransaction || tries === MOST_TRIES) throw new AppError(DEFINITION_CHANGED, { cause: error });
      models = await entityModels(platform, caller.tenantId, models.revision + 1);
    }
  }
}

/** The entities whose definitions the caller may know: without any unit none. */
export async function visibleModels(ctx: BearerContext): Promise<EntityModels> {
  return readsShared(ctx.caller) ? modelsOf(ctx) : NO_MODELS;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_MODELS: EntityModels = { revision: 0, get: () => undefined, all: () => [] };

function modelIn(models: EntityModels, entity: string): EntityModel {
  const model = models.get(entity);
  if (!model) throw new AppError(NOT_FOUND, { message: 'There is no entity of this name.' });
  return model;
}

/** Whether a statement was made for a table as it was before, or brought a value of a former type, or none for a new rule. */
function isOfFormerTable(error: unknown): boolean {
  const code = codeOf(error);
  // Values are checked before, and what breaks a known rule is told by its field: other rules hold there now.
  return isPlanStale(error) || code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN || isDataRefused(error);
}
