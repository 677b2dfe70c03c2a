/** What one worker has claimed and not settled, with the places that it takes. */
import type { Leave } from './fair-queue.ts';
import type { Claim } from './ledger.ts';
import type { Turns } from './turns.ts';

/** A claim that is not yet settled, and its place. */
export interface Held {
  readonly claim: Claim;
  leave?: Leave;
  hasGivenBack?: true;
}

/** The held claims of one worker. */
export class HeldClaims {
  readonly #turns: Turns;
  readonly #onRoom: () => void;
  /** By row id. */
  readonly #held = new Map<string, Held>();

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

  add(claim: Claim): Held {
    const held = { claim };
    this.#held.set(claim.id, held);
    this.#turns.count(claim.tenantId, claim.targetId, 1);
    return held;
  }

  /** After the clock was set forward, leases of attempts under way are over: such a claim only renews the lease. */
  renews({ id, leasedUntil }: Claim): boolean {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    held.claim.leasedUntil = leasedUntil;
    return true;
  }

  /** Gives back the claim's place, unless that was done. */
  giveBack({ id }: Claim): void {
    const held = this.#held.get(id);
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
    this.#held.delete(claim.id);
  }
}
