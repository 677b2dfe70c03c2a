/** From the name in a path to the entity's model, and again when its definition has changed under a statement. */

import { isDataRefused, isPlanStale, UNDEFINED_COLUMN, UNDEFINED_TABLE } from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import { codeOf } from '../../../errors/error-code.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { BearerContext } from '../../../http/context.ts';
import { PatternMatches } from '../../../patterns/pattern-matches.ts';
import type { Platform } from '../../../platform.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { UnknownTableError } from '../../../tenancy/scoped-tables.ts';
import { type EntityModel, type EntityModels, entityModels } from '../entities/index.ts';
import { DEFINITION_CHANGED } from './errors.ts';
import { type Heard, heardIn, NOBODY } from './heard.ts';
import { seesRecords } from './permissions.ts';
import type { Reading } from './record-values.ts';

/** Who works with records: a person who has signed in, by the rules of units, or an automation, which reaches all. */
export type RecordsActor = Extract<Actor, { readonly kind: 'member' | 'automation' }>;

/** Work with a tenant's records: that of a request, or of an action of an automation. */
export interface RecordsContext {
  readonly platform: Platform;
  /** The rows that the actor reaches. */
  readonly db: ScopedDb;
  readonly actor: RecordsActor;
  readonly now: Date;
  /** How often the tenant's entities have been changed, so that no process goes by old definitions. */
  readonly entityRevision: number;
  /** What the actor has the statement do that makes or changes one record. */
  readonly followUps: readonly FollowUp[];
}

/** Work with records of one entity. */
export interface EntityContext extends RecordsContext {
  readonly models: EntityModels;
  readonly model: EntityModel;
  /** Who hears of changes; nobody where nothing is written. */
  readonly heard: Heard;
  /** How the texts of bodies match patterns, as far as it is known. */
  readonly patterns: PatternMatches;
}

/** The work of a request of somebody who has signed in. */
export function ofPerson({ platform, db, caller, now, entityRevision }: BearerContext): RecordsContext {
  return { platform, db, actor: { kind: 'member', caller }, now, entityRevision, followUps: [] };
}

/** What a write has before its transaction is open. */
export type PreparedWrite = Pick<EntityContext, 'models' | 'heard' | 'patterns'>;

/** The bodies of a write, whose texts are matched with patterns before its transaction is open. */
export interface GivenBodies {
  readonly entity: string;
  readonly read: (model: EntityModel, reading: Reading) => void;
}

/**
 * What a write must know before its transaction is open: to read it then would take a second connection, and the embedded
 * database has one.
 * @throws AppError INVALID_REQUEST naming a text that takes too long to match, RATE_LIMITED as `matchInThread`.
 */
export async function prepareWrite(
  ctx: Omit<RecordsContext, 'now' | 'followUps'>,
  given: GivenBodies | null = null,
): Promise<PreparedWrite> {
  const models = await modelsOf(ctx);
  const patterns = new PatternMatches();
  const model = given === null ? undefined : models.get(given.entity);
  if (model && [...model.fields.values()].some(({ pattern }) => pattern !== null)) {
    given?.read(model, { issues: [], patterns });
    const faults = await patterns.settle(ctx.platform, ctx.db.tenantId);
    if (faults.length > 0) throw invalidRequest(faults);
  }
  const heard = await heardIn(ctx.platform, ctx.db.tenantId, ctx.entityRevision);
  return { models, heard, patterns };
}

/** The definitions as of the revision that is known to be there. */
function modelsOf({
  platform,
  db,
  entityRevision,
}: Omit<RecordsContext, 'now' | 'followUps'>): Promise<EntityModels> {
  return entityModels(platform, db.tenantId, entityRevision);
}

/** How often a request is tried: each time by the definition that has just become the present one. */
const MOST_TRIES = 20;

/**
 * Works with an entity by the definition that is known to be there, and again by the present one when that was
 * changed meanwhile.
 * @throws AppError NOT_FOUND when the tenant has no such entity, DEFINITION_CHANGED in a transaction, which cannot go on; and
 * what the database refuses by the present definition.
 */
export async function withEntity<T>(
  ctx: RecordsContext,
  entity: string,
  work: (ctx: EntityContext) => Promise<T>,
  prepared: PreparedWrite | null = null,
): Promise<T> {
  const { platform, db } = ctx;
  const { heard, patterns } = prepared ?? { heard: NOBODY, patterns: new PatternMatches() };
  let models = prepared?.models ?? (await modelsOf(ctx));
  for (let tries = 1; ; tries += 1) {
    try {
      return await work({ ...ctx, models, heard, patterns, model: modelIn(models, entity) });
    } catch (error) {
      const isStale = isOfFormerTable(error);
      if (!isStale && !isDataRefused(error)) throw error;
      // Not in a transaction that has failed: it would refuse to look.
      const present = db.isTransaction
        ? null
        : await entityModels(platform, db.tenantId, models.revision + 1);
      if (present?.revision === models.revision && !isStale) throw error;
      if (present === null || tries === MOST_TRIES) throw new AppError(DEFINITION_CHANGED, { cause: error });
      models = present;
    }
  }
}

/** The entities whose definitions the actor may know: without any unit none. */
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
 * Whether a statement was made for a table as it was before. What it brings was checked by the definition that it knows: data
 * that are refused all the same may be those of a former one, too.
 */
function isOfFormerTable(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof UnknownTableError) return true;
  return isPlanStale(error) || code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN;
}
