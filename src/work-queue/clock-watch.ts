/** Smallest jump that counts, in ms. A smaller one is an ordinary correction and delays rows by no more than that. */
const JUMP_MS = 60_000;

/** Detects that the wall clock was set back, by comparing it with the monotonic clock. */
export class ClockWatch {
  #offset = Number.NEGATIVE_INFINITY;

  /** Returns true if the clock was set back since the last call. */
  detectJumpBack(now: Date): boolean {
    const offset = now.getTime() - performance.now();
    const isBack = this.#offset - offset > JUMP_MS;
    this.#offset = offset;
    return isBack;
  }
}
