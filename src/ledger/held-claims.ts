/** What one worker has claimed and not settled, with the places that it takes. */
import type { Leave } from './fair-queue.ts';
import type { Claim } from './ledger.ts';
import type { Turns } from './turns.ts';

/** A claim that is not yet settled, and its place. */
export interface Held<Row = unknown> {
  readonly claim: Claim<Row>;
  leave?: Leave;
  hasGivenBack?: true;
}

/** The held claims of one worker. */
export class HeldClaims<Row> {
  readonly #turns: Turns;
  readonly #onRoom: () => void;
  /** By row id. */
  readonly #held = new Map<string, Held<Row>>();

  /** `onRoom` is told when a target may have more rows, as one has given back its place. */
  constructor(turns: Turns, onRoom: () => void) {
    this.#turns = turns;
    this.#onRoom = onRoom;
  }

  get size(): number {
    return this.#held.size;
  }

  /** The ids of their rows. */
  get ids(): string[] {
    return [...this.#held.keys()];
  }

  add(claim: Claim<Row>): Held<Row> {
    const held = { claim };
    this.#held.set(claim.id, held);
    this.#turns.count(claim.tenantId, claim.targetId, 1);
    return held;
  }

  /** Adds those for which there is room, one after the other, and tells the others. One that is held already is neither. */
  addWithRoom(claims: readonly Claim<Row>[], hasRoom: (claim: Claim) => boolean) {
    const added: Held<Row>[] = [];
    const left: Claim[] = [];
    for (const claim of claims) {
      if (this.#held.has(claim.id)) continue;
      if (hasRoom(claim)) added.push(this.add(claim));
      else left.push(claim);
    }
    return { added, left };
  }

  /** After the clock was set forward, leases of attempts under way are over: such a claim only renews the lease. */
  renews({ id, leasedUntil }: Claim): boolean {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    held.claim.leasedUntil = leasedUntil;
    return true;
  }

  /** Gives back the claim's place, unless that was done. */
  giveBack(claim: Claim): void {
    const held = this.#heldBy(claim);
    if (held === undefined || held.hasGivenBack) return;
    held.hasGivenBack = true;
    held.leave?.();
    const { tenantId, targetId } = held.claim;
    this.#turns.count(tenantId, targetId, -1);
    if (this.#turns.mayTakeMore(tenantId, targetId)) this.#onRoom();
  }

  /** Lets go of a claim that is settled, or given up, and of its place. */
  drop(claim: Claim): void {
    this.giveBack(claim);
    if (this.#heldBy(claim) !== undefined) this.#held.delete(claim.id);
  }

  /** By this claim: one that had no room may be settled while its row is held by another. */
  #heldBy(claim: Claim): Held<Row> | undefined {
    const held = this.#held.get(claim.id);
    return held?.claim === claim ? held : undefined;
  }
}
