/** How many connections a relay takes at once, learned from its refusals. */

/** After so long without a refusal one more connection is tried, milliseconds. */
const GROW_AFTER_MS = 60_000;
const SERVICE_CLOSING = 421;

const TOO_MANY =
  /too many (?:\w+ ){0,3}(?:connections?|sessions?|clients?)|(?:concurren|simultaneous|maximum|max\b|limit)[^\n]{0,60}(?:connections?|sessions?)|(?:connections?|sessions?)[^\n]{0,60}(?:concurren|simultaneous|exceed|limit|maximum|too many)|(?:connection|session|concurrency)s? limit|zu viele (?:\w+ ){0,2}verbindungen|trop de connexions|demasiadas conexiones/i;

/** True if an error is a relay's refusal of one connection more; `hasOthers`: it keeps others of ours open. */
export function isOneTooMany(error: unknown, hasOthers: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'responseCode');
  if (typeof code !== 'number' || code < 400) return false;
  const response: unknown = Reflect.get(error, 'response');
  if (TOO_MANY.test(typeof response === 'string' ? response : error.message)) return true;
  return code === SERVICE_CLOSING && hasOthers && Reflect.get(error, 'command') === 'CONN';
}

/** The number of connections that may be open. Times are on the clock of `performance.now`. */
export class ConnectionLimit {
  readonly #most: number;
  #now: number;
  #changedAt = 0;

  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  /** Connections that may be open now. */
  get value(): number {
    return this.#now;
  }

  /** True while there are fewer than were configured. */
  get isLowered(): boolean {
    return this.#now < this.#most;
  }

  /** Notes that the relay refused a connection while so many others were open. */
  lower(others: number, now: number): void {
    this.#now = Math.max(1, Math.min(others, this.#now));
    this.#changedAt = now;
  }

  /** Notes that a message went out; now and then allows one connection more. Returns true if it does. */
  grow(now: number): boolean {
    if (!this.isLowered || now - this.#changedAt < GROW_AFTER_MS) return false;
    this.#now += 1;
    this.#changedAt = now;
    return true;
  }
}
