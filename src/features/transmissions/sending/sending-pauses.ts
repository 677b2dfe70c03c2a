/**
 * Sendings that wait because the relay refuses the sender: each message that is tried would fail as the last one did, and a
 * relay that is asked thousands of times in vain blocks more than that.
 */
import { LRUCache } from 'lru-cache';

/** Refusals in a row after which the rest of a sending waits. */
const REFUSALS = 5;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** How long others wait for the result of the one message that is tried after a pause, ms: longer than a relay may take. */
const PROBE_MS = 90_000;
/** Sendings that are remembered. One that is forgotten is tried again. */
const MOST_SENDINGS = 10_000;

/** What is known of a sending that is refused. */
interface Refused {
  readonly refusals: number;
  readonly pauseMs: number;
  /** Until then nothing of it is tried; null while it is not paused. */
  readonly until: number | null;
  /** One message is being tried to see whether the pause can end. */
  readonly isProbed: boolean;
  readonly reason: string;
}

/** A sending that waits. */
export interface SendingPause {
  readonly until: Date;
  readonly reason: string;
}

/** Pauses of sendings, by their ids. */
export class SendingPauses {
  readonly #refused = new LRUCache<string, Refused>({ max: MOST_SENDINGS });

  /** Returns the pause of a sending; null lets a message through. After a pause one message is let through. */
  find(id: string, now: Date): SendingPause | null {
    const known = this.#refused.get(id);
    if (known === undefined || known.until === null) return null;
    const { until, reason } = known;
    if (now.getTime() < until) return { until: new Date(until), reason };
    this.#refused.set(id, { ...known, until: now.getTime() + PROBE_MS, isProbed: true });
    return null;
  }

  /** Notes that a message was refused, and why. Returns the pause if one begins with that. */
  refuse(id: string, reason: string, now: Date): SendingPause | null {
    const known = this.#refused.get(id);
    const refusals = (known?.refusals ?? 0) + 1;
    const isPaused = known !== undefined && known.until !== null && !known.isProbed;
    if (refusals < REFUSALS || isPaused) {
      const { pauseMs = 0, until = null, isProbed = false } = known ?? {};
      this.#refused.set(id, { refusals, pauseMs, until, isProbed, reason });
      return null;
    }
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, (known?.pauseMs ?? 0) * 2), LONGEST_PAUSE_MS);
    const until = now.getTime() + pauseMs;
    this.#refused.set(id, { refusals, pauseMs, until, isProbed: false, reason });
    return { until: new Date(until), reason };
  }

  /** Notes that the relay took a message, or refused only its recipient. */
  accept(id: string): void {
    this.#refused.delete(id);
  }
}
