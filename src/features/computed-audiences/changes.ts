/** The ledger of people who were changed: their computed audiences are looked at within moments, many people at once. */
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { isDataRefused } from '../../db/sqlstate.ts';
import { momentOfId } from '../../db/time-ordered-id.ts';
import { defineRetention } from '../../jobs/retention.ts';
import { FairQueue } from '../../ledger/fair-queue.ts';
import { defineLedger } from '../../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { AUDIENCE_CHANGES } from '../subscriber-groups/index.ts';
import { holdPeople } from '../subscribers/index.ts';
import { evaluatePeople } from './evaluation.ts';

/** People that one transaction looks at: it holds them, so who writes one of them waits for as long. */
const PEOPLE_AT_ONCE = 500;
/** Changes under way in one process. */
const CONCURRENCY = 4000;
const CONCURRENCY_PER_TENANT = 1000;
/** Longer than what is under way can take; of a killed process the changes come back after that. */
const LEASE_SECONDS = 30;
const MAX_WAIT_MS = 15_000;

/** People of one tenant who are looked at together. */
interface Batch {
  /** When each was first changed of those changes that have not been dealt with. */
  readonly people: Map<string, Date>;
  /** Resolves to what was thrown for whom. */
  readonly done: Promise<Faults>;
}

/** By subscriber. */
type Faults = ReadonlyMap<string, unknown>;

const NO_FAULTS: Faults = new Map();

/** Gathers the people of each tenant who are changed while others of it are looked at. */
class ChangedPeople {
  readonly #platform: Platform;
  /** Batches that have not begun, by tenant. */
  readonly #waiting = new Map<string, Batch>();
  /** The end of the last batch of each tenant. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Has the audiences of somebody looked at who was changed then. @throws what the database says. */
  async evaluate(tenantId: string, subscriberId: string, changedAt: Date): Promise<void> {
    const faults = await this.#join(tenantId, subscriberId, changedAt);
    if (faults.has(subscriberId)) throw faults.get(subscriberId);
  }

  #join(tenantId: string, subscriberId: string, changedAt: Date): Promise<Faults> {
    const open = this.#waiting.get(tenantId);
    if (open !== undefined && open.people.size < PEOPLE_AT_ONCE) {
      const known = open.people.get(subscriberId);
      if (known === undefined || changedAt < known) open.people.set(subscriberId, changedAt);
      return open.done;
    }
    const people = new Map([[subscriberId, changedAt]]);
    const before = this.#last.get(tenantId) ?? Promise.resolve();
    const done = before.catch(() => {}).then(() => this.#run(tenantId, people));
    this.#waiting.set(tenantId, { people, done });
    this.#last.set(tenantId, done);
    const forget = () => {
      if (this.#last.get(tenantId) === done) this.#last.delete(tenantId);
    };
    done.then(forget, forget);
    return done;
  }

  async #run(tenantId: string, people: Map<string, Date>): Promise<Faults> {
    // Those of one claim begin one after the other.
    await turn();
    if (this.#waiting.get(tenantId)?.people === people) this.#waiting.delete(tenantId);
    try {
      await this.#look(tenantId, people);
      return NO_FAULTS;
    } catch (error) {
      if (!isDataRefused(error) || people.size === 1) throw error;
    }
    return this.#lookApart(tenantId, people);
  }

  /** One whose data cannot be looked at must not hold the others: one by one, with what was thrown. */
  async #lookApart(tenantId: string, people: ReadonlyMap<string, Date>): Promise<Faults> {
    const faults = new Map<string, unknown>();
    for (const [id, at] of people)
      await this.#look(tenantId, new Map([[id, at]])).catch((error) => faults.set(id, error));
    return faults;
  }

  async #look(tenantId: string, people: ReadonlyMap<string, Date>): Promise<void> {
    await this.#platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
      const held = await holdPeople(tx, [...people.keys()]);
      if (held.length > 0) await evaluatePeople(tx, held, this.#platform.clock(), { changedAt: people });
    });
  }
}

const changedPeople = oncePerPlatform((platform) => new ChangedPeople(platform));
const queue = oncePerPlatform(() => new FairQueue({ inAll: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

/** People who were changed. A change that was dealt with is forgotten. */
export const audienceChanges = defineLedger<
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
  leaseSeconds: () => LEASE_SECONDS,
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: async (platform, { tenantId, id }, { subscriber_id }) => {
    await changedPeople(platform).evaluate(tenantId, subscriber_id, momentOfId(id));
    return { kind: 'drop' };
  },
});

/** Changes that could not be dealt with, though they were tried for an hour and a half. */
export const changeRetention = defineRetention({
  what: 'changes of people that computed audiences could not take into account',
  keptHours: 14 * 24,
  table: AUDIENCE_CHANGES.table,
  isOld: (before) => sql`r.state = 'failed' and r.due_at < ${before}`,
  byTenant: true,
});
