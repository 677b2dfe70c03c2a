/** Open claims: claims that are not acknowledged. */
import type { Claim } from './claim.ts';
import type { Release } from './fair-queue.ts';
import type { Turns } from './turns.ts';

/** A claim that is not acknowledged, and its slot. */
export interface OpenClaim<Row = unknown> {
  readonly claim: Claim<Row>;
  release?: Release;
  isSlotReleased?: true;
}

/** The open claims of one worker, and the slots that they occupy. */
export class OpenClaims<Row> {
  readonly #turns: Turns;
  readonly #onSlotFree: () => void;
  /** By row id. */
  readonly #claims = new Map<string, OpenClaim<Row>>();

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
    return [...this.#claims.keys()];
  }

  add(claim: Claim<Row>): OpenClaim<Row> {
    const open = { claim };
    this.#claims.set(claim.id, open);
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
      if (this.#claims.has(claim.id)) continue;
      if (hasRoom(claim)) added.push(this.add(claim));
      else rejected.push(claim);
    }
    return { added, rejected };
  }

  /**
   * Extends the lease of a row that this worker already processes, and claimed again because the clock was set forward.
   * Returns false if the row is not open.
   */
  extendLease({ id, leasedUntil }: Claim): boolean {
    const open = this.#claims.get(id);
    if (open === undefined) return false;
    open.claim.leasedUntil = leasedUntil;
    return true;
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
    if (this.#find(claim) !== undefined) this.#claims.delete(claim.id);
  }

  /** Finds the entry of exactly this claim: a rejected claim may be acknowledged while another one owns its row. */
  #find(claim: Claim): OpenClaim<Row> | undefined {
    const open = this.#claims.get(claim.id);
    return open?.claim === claim ? open : undefined;
  }
}
