/** Less is an ordinary correction, and costs waiting rows no more than that. */
const JUMP_MS = 60_000;

/** Notices when the clock of the wall was set back, by the one that only goes forward. */
export class ClockWatch {
  #offset = Number.NEGATIVE_INFINITY;

  /** Whether the clock was set back since the last look. */
  sawJumpBack(now: Date): boolean {
    const offset = now.getTime() - performance.now();
    const isBack = this.#offset - offset > JUMP_MS;
    this.#offset = offset;
    return isBack;
  }
}
