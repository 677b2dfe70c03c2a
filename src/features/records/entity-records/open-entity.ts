/** Runs work on the entity that a path names. Retries it if the definition changes in the meantime. */

import { isInvalidData, isPlanStale, UNDEFINED_COLUMN, UNDEFINED_TABLE } from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import { codeOf } from '../../../errors/error-code.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { BearerContext } from '../../../http/context.ts';
import { PatternMatches } from '../../../patterns/pattern-matches.ts';
import type { Platform } from '../../../platform.ts';
import { UnknownTableError } from '../../../tenancy/scoped-tables.ts';
import { activeAutomations } from '../../automations/api.ts';
import { type EntityModel, type EntityModels, entityModels } from '../entities/index.ts';
import { subscribedEvents } from '../entity-webhooks/index.ts';
import {
  type EntityContext,
  NO_SUBSCRIPTIONS,
  type RecordsContext,
  type Subscriptions,
} from './entity-context.ts';
import { DEFINITION_CHANGED } from './errors.ts';
import { seesRecords } from './permissions.ts';
import type { Reading } from './record-values.ts';

/** Returns the context of a request by a signed-in user. */
export function userContext({ platform, db, caller, now, entityRevision }: BearerContext): RecordsContext {
  return { platform, db, actor: { kind: 'member', caller }, now, entityRevision, followUps: [] };
}

/** Data that a write reads before its transaction begins. */
export type PreparedWrite = Pick<EntityContext, 'models' | 'subscriptions' | 'patterns'>;

/** Bodies of a write, whose texts are matched against patterns before its transaction begins. */
export interface WriteBodies {
  readonly entity: string;
  readonly read: (model: EntityModel, reading: Reading) => void;
}

/**
 * Reads what a write needs before its transaction begins. Inside it the read would need a second connection, and the
 * embedded database has only one.
 * @throws AppError INVALID_REQUEST naming a text that takes too long to match, and the errors of `matchInThread`.
 */
export async function prepareWrite(
  ctx: Omit<RecordsContext, 'now' | 'followUps'>,
  bodies: WriteBodies | null = null,
): Promise<PreparedWrite> {
  const models = await modelsOf(ctx);
  const patterns = new PatternMatches();
  const model = bodies === null ? undefined : models.get(bodies.entity);
  if (model && [...model.fields.values()].some(({ pattern }) => pattern !== null)) {
    bodies?.read(model, { issues: [], patterns });
    const faults = await patterns.settle(ctx.platform, ctx.db.tenantId);
    if (faults.length > 0) throw invalidRequest(faults);
  }
  const subscriptions = await readSubscriptions(ctx.platform, ctx.db.tenantId, ctx.entityRevision);
  return { models, subscriptions, patterns };
}

/**
 * Returns the subscriptions of a tenant at a revision of its entities. Not for use in a transaction: it may need
 * another connection.
 */
async function readSubscriptions(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<Subscriptions> {
  const events = await subscribedEvents(platform, tenantId, revision);
  return { events, automations: await activeAutomations(platform, tenantId, revision) };
}

/** Returns the definitions at the known revision. */
function modelsOf({
  platform,
  db,
  entityRevision,
}: Omit<RecordsContext, 'now' | 'followUps'>): Promise<EntityModels> {
  return entityModels(platform, db.tenantId, entityRevision);
}

/** Attempts of a request, each with the then current definition. */
const MAX_TRIES = 20;

/**
 * Runs `work` with the known definition of an entity, and again with the current one if it has changed in the
 * meantime.
 * @throws AppError NOT_FOUND if the tenant has no such entity; DEFINITION_CHANGED inside a transaction, which cannot
 * be retried here; errors of the database under the current definition.
 */
export async function withEntity<T>(
  ctx: RecordsContext,
  entity: string,
  work: (ctx: EntityContext) => Promise<T>,
  prepared: PreparedWrite | null = null,
): Promise<T> {
  const { platform, db } = ctx;
  const { subscriptions, patterns } = prepared ?? {
    subscriptions: NO_SUBSCRIPTIONS,
    patterns: new PatternMatches(),
  };
  let models = prepared?.models ?? (await modelsOf(ctx));
  for (let tries = 1; ; tries += 1) {
    try {
      return await work({ ...ctx, models, subscriptions, patterns, model: modelIn(models, entity) });
    } catch (error) {
      const isStale = isOutdatedStatement(error);
      if (!isStale && !isInvalidData(error)) throw error;
      // A failed transaction accepts no more queries.
      const current = db.isTransaction
        ? null
        : await entityModels(platform, db.tenantId, models.revision + 1);
      if (current?.revision === models.revision && !isStale) throw error;
      if (current === null || tries === MAX_TRIES) throw new AppError(DEFINITION_CHANGED, { cause: error });
      models = current;
    }
  }
}

/** Returns the entities that the actor may see: none without a unit. */
export async function visibleModels(ctx: RecordsContext): Promise<EntityModels> {
  return seesRecords(ctx) ? modelsOf(ctx) : NO_MODELS;
}

const NO_MODELS: EntityModels = { revision: 0, get: () => undefined, all: () => [] };

function modelIn(models: EntityModels, entity: string): EntityModel {
  const model = models.get(entity);
  if (!model) throw new AppError(NOT_FOUND, { message: 'There is no entity of this name.' });
  return model;
}

/**
 * Returns true if a statement was built for an earlier version of a table. If the database refuses data that were
 * validated, the definition may also be outdated.
 */
function isOutdatedStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof UnknownTableError) return true;
  return isPlanStale(error) || code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN;
}
