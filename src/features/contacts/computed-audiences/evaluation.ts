/** Evaluation of computed audiences for a batch of locked subscribers. */

import { type Expression, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import {
  applyMembers,
  type ComputedAudience,
  findComputedAudiences,
  type MemberChange,
  type Problems,
} from '../subscriber-groups/index.ts';
import {
  type AudienceConditions,
  type additionalFields,
  matchSubscribers,
  SUBSCRIBERS,
  type subscriberLocks,
} from '../subscribers/index.ts';
import { compileFilters, usesOf } from './filters.ts';

/** Maximum number of audiences in one statement; planning takes longer with more conditions. */
const MAX_AUDIENCES_PER_QUERY = 50;

/** An audience with its compiled conditions, which are null if it has no filters. */
interface CompiledAudience extends AudienceConditions {
  readonly problems: Problems;
}

/** Members to add, to remove, and to mark as computed. */
type Changes = Record<'added' | 'removed' | 'converted', MemberChange[]>;

/** Options of an evaluation. */
interface EvaluationOptions {
  /** Audiences to evaluate. Default: all. */
  readonly audienceIds?: readonly string[];
  /** Times of the changes that led to the evaluation, by subscriber id. */
  readonly changedAt?: ReadonlyMap<string, Date>;
  /** Time of joining that signals report. Default: the time of the change. */
  readonly occurredAt?: Date;
}

/**
 * Adds subscribers to the computed audiences whose filters they meet, and removes them from the others. The transaction
 * has locked the subscribers, so that later evaluations start from its result.
 * Returns the conditions of these audiences that cannot be met.
 */
export async function evaluateSubscribers(
  tx: ScopedDb,
  subscribers: readonly subscriberLocks.LockedSubscriber[],
  now: Date,
  options: EvaluationOptions = {},
): Promise<Problems> {
  const audiences = await compileAudiences(tx, now, options.audienceIds);
  if (audiences.length > 0 && subscribers.length > 0)
    await updateMembers(tx, subscribers, audiences, options, now);
  return audiences.flatMap(({ problems }) => problems);
}

async function updateMembers(
  tx: ScopedDb,
  subscribers: readonly subscriberLocks.LockedSubscriber[],
  audiences: readonly CompiledAudience[],
  { changedAt = new Map(), occurredAt }: EvaluationOptions,
  now: Date,
): Promise<void> {
  const active = new Map(subscribers.map((subscriber) => [subscriber.id, subscriber.active]));
  const changes: Changes = { added: [], removed: [], converted: [] };
  for (let from = 0; from < audiences.length; from += MAX_AUDIENCES_PER_QUERY) {
    const chunk = audiences.slice(from, from + MAX_AUDIENCES_PER_QUERY);
    for (const { id, met, current, manual } of await matchSubscribers(tx, [...active.keys()], chunk)) {
      if (met === current && !manual.includes('1')) continue;
      for (const [index, { id: group_id, conditions }] of chunk.entries()) {
        const [isMet, isMember, isManual] = [
          met[index] === '1',
          current[index] === '1',
          manual[index] === '1',
        ];
        const change = {
          group_id,
          subscriber_id: id,
          active: active.get(id) ?? false,
          joined_at: changedAt.get(id) ?? null,
          occurred_at: occurredAt ?? changedAt.get(id) ?? now,
        };
        // An audience without filters keeps the members that were added manually.
        if (isMember && !isMet && !(isManual && conditions === null)) changes.removed.push(change);
        if (isMet && !isMember) changes.added.push(change);
        if (isMet && isManual) changes.converted.push(change);
      }
    }
  }
  await applyMembers(tx, changes, now);
}

/** Finds conditions of audiences that no subscriber can meet with the current field definitions. */
export async function findUnmetConditions(
  db: ScopedDb,
  audienceIds: readonly string[],
  now: Date,
): Promise<Problems> {
  if (audienceIds.length === 0) return [];
  return (await compileAudiences(db, now, audienceIds)).flatMap(({ problems }) => problems);
}

async function compileAudiences(
  tx: ScopedDb,
  now: Date,
  audienceIds: readonly string[] | undefined,
): Promise<CompiledAudience[]> {
  const audiences = await findComputedAudiences(tx, audienceIds);
  const usesFields = audiences.some(({ filters }) => usesOf(filters).uses_fields);
  const definitions = usesFields ? (await getEmailSettings(tx)).subscriber_additional_fields : {};
  return audiences.map((audience) => compileAudience(audience, definitions, now));
}

/** Compiles an audience. Its members belong to its own unit. */
function compileAudience(
  { id, owner_bu_id, filters }: ComputedAudience,
  definitions: additionalFields.Definitions,
  now: Date,
): CompiledAudience {
  if (filters === null) return { id, conditions: null, problems: [] };
  const { conditions, problems } = compileFilters(filters, definitions, now);
  return { id, conditions: [isOfUnit(owner_bu_id), ...conditions], problems };
}

/** SQL that is true for the subscribers of a unit: only they are members of its audiences. */
export function isOfUnit(unitId: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${SUBSCRIBERS}.owner_bu_id`)} = ${unitId}::uuid`;
}
