/** Open claims: claims that are not acknowledged. */
import type { Claim } from './claim.ts';
import { Counts, type Release } from './fair-queue.ts';
import type { Turns } from './turns.ts';
import type { NextClaim } from './work-queue-queries.ts';

/** A claim that is not acknowledged, and its slot. */
export interface OpenClaim<Row = unknown> {
  readonly claim: Claim<Row>;
  /** Time of the claim or of its last renewal on the monotonic clock, in ms. */
  leasedAt: number;
  release?: Release;
  isSlotReleased?: true;
  /** True if another worker has claimed the row, or somebody has ended the claim. */
  isLost?: true;
  /** True if the attempt has ended, and only its outcome must be written. */
  isFinished?: true;
}

/** The open claims of one worker, and the slots that they occupy. */
export class OpenClaims<Row> {
  readonly #turns: Turns;
  readonly #onSlotFree: () => void;
  /** By row and claim: a lost claim stays open until its attempt ends, while a new claim has its row. */
  readonly #claims = new Map<string, OpenClaim<Row>>();
  /** Number of open claims by row id. */
  readonly #rows = new Counts();

  /** `onSlotFree` is called when a released slot lets a target have more rows. */
  constructor(turns: Turns, onSlotFree: () => void) {
    this.#turns = turns;
    this.#onSlotFree = onSlotFree;
  }

  get size(): number {
    return this.#claims.size;
  }

  /** Ids of the claimed rows. */
  get ids(): string[] {
    return [...this.#rows.keys()];
  }

  /** Returns the claims that were claimed or renewed before this time on the monotonic clock, and are not lost. */
  listLeasedBefore(time: number): OpenClaim<Row>[] {
    return [...this.#claims.values()].filter(({ leasedAt, isLost }) => leasedAt < time && !isLost);
  }

  add(claim: Claim<Row>): OpenClaim<Row> {
    const open = { claim, leasedAt: claim.claimedAt };
    this.#claims.set(keyOf(claim), open);
    this.#rows.add(claim.id, 1);
    this.#turns.count(claim.tenantId, claim.targetId, 1);
    return open;
  }

  /**
   * Adds claims one by one while there is room, and returns the rejected ones. Rows that are claimed already are
   * skipped.
   */
  addIfRoom(claims: readonly Claim<Row>[], hasRoom: (claim: Claim) => boolean) {
    const added: OpenClaim<Row>[] = [];
    const rejected: Claim[] = [];
    for (const claim of claims) {
      if (this.#rows.of(claim.id) > 0) continue;
      if (hasRoom(claim)) added.push(this.add(claim));
      else rejected.push(claim);
    }
    return { added, rejected };
  }

  /**
   * Continues an open claim with the claim that this worker got for the same row when the lease had ended. No other
   * worker had the row in between. Returns false if the previous claim is not open.
   */
  continueWith({ id, previous, claimId, claimedAt }: NextClaim<unknown>): boolean {
    const open = previous === null ? undefined : this.#claims.get(keyOf({ id, claimId: previous }));
    if (open === undefined) return false;
    this.#claims.delete(keyOf(open.claim));
    open.claim.claimId = claimId;
    open.leasedAt = claimedAt;
    this.#claims.set(keyOf(open.claim), open);
    return true;
  }

  /** Marks a claim whose attempt has ended. */
  finish(claim: Claim): void {
    const open = this.#find(claim);
    if (open !== undefined) open.isFinished = true;
  }

  /** Releases the claim's slot, if it still has one. */
  releaseSlot(claim: Claim): void {
    const open = this.#find(claim);
    if (open === undefined || open.isSlotReleased) return;
    open.isSlotReleased = true;
    open.release?.();
    const { tenantId, targetId } = open.claim;
    this.#turns.count(tenantId, targetId, -1);
    if (this.#turns.mayTakeMore(tenantId, targetId)) this.#onSlotFree();
  }

  /** Removes a claim that is acknowledged or abandoned, and releases its slot. */
  drop(claim: Claim): void {
    this.releaseSlot(claim);
    if (this.#find(claim) === undefined) return;
    this.#claims.delete(keyOf(claim));
    this.#rows.add(claim.id, -1);
  }

  /** Finds the entry of exactly this claim: a rejected claim may be acknowledged while another one owns its row. */
  #find(claim: Claim): OpenClaim<Row> | undefined {
    const open = this.#claims.get(keyOf(claim));
    return open?.claim === claim ? open : undefined;
  }
}

function keyOf({ id, claimId }: Pick<Claim, 'id' | 'claimId'>): string {
  return `${id} ${claimId}`;
}
