/** Renews the leases of a worker's open claims, so that they end soon after the death of its process only. */

import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Platform } from '../platform.ts';
import type { OpenClaim, OpenClaims } from './open-claims.ts';
import type { WorkQueueDefinition } from './work-queue.ts';
import { renewLeases } from './work-queue-queries.ts';

/**
 * Length of a lease, in seconds. The items of a killed process are claimed by another one after this time and a poll
 * interval: within 15 s. A process or a connection may hang for three quarters of it.
 */
export const LEASE_SECONDS = 10;
/** Part of a lease after which it is renewed. */
const RENEWED_PART = 1 / 4;
/** Interval of checks for leases to renew, as part of a lease. */
const CHECKED_PART = 1 / 8;
/** Key of the only renewal under way on one server; on a cluster each tenant has its own. */
const ALL_TENANTS = '';

type RenewedWorkQueue = Pick<WorkQueueDefinition<never>, 'name' | 'table' | 'leaseSeconds'>;

/** Renews the leases of one worker. */
export class LeaseRenewal<Row> {
  readonly #platform: Platform;
  readonly #workQueue: RenewedWorkQueue;
  readonly #open: OpenClaims<Row>;
  readonly #leaseMs: number;
  /** Renewals under way. A node that does not respond delays only its tenants. */
  readonly #underWay = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(platform: Platform, workQueue: RenewedWorkQueue, open: OpenClaims<Row>) {
    this.#platform = platform;
    this.#workQueue = workQueue;
    this.#open = open;
    this.#leaseMs = this.leaseSeconds * 1000;
  }

  /** Length of a lease of this work queue, in seconds. */
  get leaseSeconds(): number {
    return this.#workQueue.leaseSeconds ?? LEASE_SECONDS;
  }

  /** Renews leases until `stop` is called. */
  start(): void {
    this.#timer = setInterval(() => void this.#renewOlderThan(RENEWED_PART), this.#leaseMs * CHECKED_PART);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * True while no other worker can have claimed the row. The monotonic clock decides: it started before the lease did,
   * and does not jump.
   */
  isValid({ leasedAt, isLost }: OpenClaim<Row>): boolean {
    return !isLost && performance.now() - leasedAt < this.#leaseMs;
  }

  /**
   * Renews leases that have ended before the worker claims more, for example after the process was suspended. Otherwise
   * the worker would claim its own rows. On a cluster it does not wait: one tenant's node must not delay the others.
   * Never rejects.
   */
  async renewEnded(): Promise<void> {
    const renewal = this.#renewOlderThan(1);
    if (!this.#platform.database.isSharded) await renewal;
  }

  /** Never rejects. */
  #renewOlderThan(part: number): Promise<unknown> {
    const claims = this.#open.listLeasedBefore(performance.now() - this.#leaseMs * part);
    const { isSharded } = this.#platform.database;
    const groups = Map.groupBy(claims, ({ claim }) => (isSharded ? claim.tenantId : ALL_TENANTS));
    return Promise.all([...groups].map(([key, own]) => this.#renewGroup(key, own)));
  }

  /** Renews the claims of a group, unless a renewal of it is under way. Never rejects. */
  #renewGroup(key: string, claims: readonly OpenClaim<Row>[]): Promise<void> {
    const present = this.#underWay.get(key);
    if (present !== undefined) return present;
    const renewal = this.#renew(claims)
      .catch((error: unknown) => {
        this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, renewal);
    return renewal;
  }

  async #renew(claims: readonly OpenClaim<Row>[]): Promise<void> {
    const all = this.#platform.database.reserved.everyTenant('work-queues');
    await all.byTenant(
      claims,
      ({ claim }) => claim.tenantId,
      (db, own) => this.#renewIn(db, own),
    );
  }

  async #renewIn(db: EveryTenantDb, claims: readonly OpenClaim<Row>[]): Promise<void> {
    const startedAt = performance.now();
    const { name, table } = this.#workQueue;
    const renewed = await renewLeases(
      db,
      table,
      claims.map(({ claim }) => claim),
      this.leaseSeconds,
    );
    const results = new Map(renewed.map(({ id, claim_id, is_renewed }) => [`${id} ${claim_id}`, is_renewed]));
    let lost = 0;
    for (const open of claims) {
      const isRenewed = results.get(`${open.claim.id} ${open.claim.claimId}`);
      if (isRenewed === true) open.leasedAt = startedAt;
      // The claim of a finished attempt may just have been acknowledged.
      if (isRenewed !== false || open.isFinished) continue;
      open.isLost = true;
      lost += 1;
    }
    if (lost > 0) this.#platform.observe({ event: 'work_queue.lost', workQueue: name, count: lost });
  }
}
