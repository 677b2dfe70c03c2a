/** Work queue of changed subscribers. Workers update the subscribers' computed audiences soon after, in batches. */

import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { isInvalidData } from '../../../db/sqlstate.ts';
import { momentOfId } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import { AUDIENCE_CHANGES } from '../subscriber-groups/index.ts';
import { subscriberLocks } from '../subscribers/index.ts';
import { evaluateSubscribers } from './evaluation.ts';

/** Maximum number of subscribers in one transaction. It locks them, which delays other writes to them. */
const MAX_BATCH_SIZE = 500;
/** Changes processed at the same time in one process. */
const CONCURRENCY = 4000;
const CONCURRENCY_PER_TENANT = 1000;
/** Longest wait for a slot, in ms. */
const MAX_WAIT_MS = 15_000;

/** Subscribers of one tenant that one transaction processes. */
interface Batch {
  /** Time of the first unprocessed change, by subscriber id. */
  readonly changes: Map<string, Date>;
  /** Resolves to the errors of single subscribers. */
  readonly done: Promise<Errors>;
}

/** Errors by subscriber id. */
type Errors = ReadonlyMap<string, unknown>;

const NO_ERRORS: Errors = new Map();

/** Batches the changed subscribers of each tenant while its previous batch is processed. */
class ChangeBatcher {
  readonly #platform: Platform;
  /** Batches that have not started, by tenant. */
  readonly #waiting = new Map<string, Batch>();
  /** Completion of the last batch of each tenant. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Updates the computed audiences of a changed subscriber. @throws the database error. */
  async evaluate(tenantId: string, subscriberId: string, changedAt: Date): Promise<void> {
    const errors = await this.#join(tenantId, subscriberId, changedAt);
    if (errors.has(subscriberId)) throw errors.get(subscriberId);
  }

  #join(tenantId: string, subscriberId: string, changedAt: Date): Promise<Errors> {
    const open = this.#waiting.get(tenantId);
    if (open !== undefined && open.changes.size < MAX_BATCH_SIZE) {
      const earliest = open.changes.get(subscriberId);
      if (earliest === undefined || changedAt < earliest) open.changes.set(subscriberId, changedAt);
      return open.done;
    }
    const changes = new Map([[subscriberId, changedAt]]);
    const previous = this.#last.get(tenantId) ?? Promise.resolve();
    const done = previous.catch(() => {}).then(() => this.#run(tenantId, changes));
    this.#waiting.set(tenantId, { changes, done });
    this.#last.set(tenantId, done);
    const forget = () => {
      if (this.#last.get(tenantId) === done) this.#last.delete(tenantId);
    };
    done.then(forget, forget);
    return done;
  }

  async #run(tenantId: string, changes: Map<string, Date>): Promise<Errors> {
    // Let the attempts that were claimed together join the batch.
    await turn();
    if (this.#waiting.get(tenantId)?.changes === changes) this.#waiting.delete(tenantId);
    try {
      await this.#evaluateAll(tenantId, changes);
      return NO_ERRORS;
    } catch (error) {
      if (!isInvalidData(error) || changes.size === 1) throw error;
    }
    return this.#evaluateEach(tenantId, changes);
  }

  /** Processes subscribers one by one, so that one with invalid data does not block the others. Returns the errors. */
  async #evaluateEach(tenantId: string, changes: ReadonlyMap<string, Date>): Promise<Errors> {
    const errors = new Map<string, unknown>();
    for (const [id, at] of changes)
      await this.#evaluateAll(tenantId, new Map([[id, at]])).catch((error) => errors.set(id, error));
    return errors;
  }

  async #evaluateAll(tenantId: string, changes: ReadonlyMap<string, Date>): Promise<void> {
    await this.#platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
      const locked = await subscriberLocks.lockById(tx, [...changes.keys()]);
      if (locked.length > 0)
        await evaluateSubscribers(tx, locked, this.#platform.clock(), { changedAt: changes });
    });
  }
}

const changeBatcher = oncePerPlatform((platform) => new ChangeBatcher(platform));
const queue = oncePerPlatform(() => new FairQueue({ total: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

/** The work queue of changed subscribers. Processed changes are deleted. */
export const audienceChanges = defineWorkQueue<
  { readonly subscriber_id: string },
  undefined,
  { readonly subscriber_id: string }
>({
  ...AUDIENCE_CHANGES,
  columns: ['subscriber_id'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY_PER_TENANT,
  concurrencyPerTenant: CONCURRENCY_PER_TENANT,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes: { longestWaitSeconds: () => 0 },
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: async (platform, { tenantId, id }, { subscriber_id }) => {
    await changeBatcher(platform).evaluate(tenantId, subscriber_id, momentOfId(id));
    return { kind: 'drop' };
  },
});

/** Retention of failed changes: their processing was retried for an hour and a half. */
export const changeRetention = defineRetention({
  description: 'subscriber changes that failed to update computed audiences',
  keptHours: 14 * 24,
  table: AUDIENCE_CHANGES.table,
  isOld: (before) => sql`r.state = 'failed' and r.due_at < ${before}`,
  byTenant: true,
});
